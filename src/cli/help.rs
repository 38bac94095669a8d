//! Command list of `trainyard --help`: groups the commands for a running service and those for its data.

use std::fmt::Write;

use clap::Command;

/// Headings with their commands, in the order of the help.
const GROUPS: [(&str, &[&str]); 4] = [
    ("Run a service", &["quickstart", "serve", "worker", "health", "cluster", "engines"]),
    (
        "Ask a running service (at TRAINYARD_BASE_URL)",
        &[
            "login",
            "logout",
            "models",
            "sft",
            "rl",
            "collect",
            "jobs",
            "metrics",
            "rollouts",
            "chat",
            "checkpoints",
            "files",
        ],
    ),
    (
        "Work on the data directory of a service (TRAINYARD_DATA_DIR)",
        &["keys", "usage", "migrate", "backup", "restore", "fsck", "verify", "replay", "export"],
    ),
    ("Other", &["spec", "completions"]),
];
/// Width of the column of names.
const NAMES: usize = 13;

/// Returns the command with its subcommands in groups. clap itself supports headings for options only.
pub(super) fn grouped(command: Command) -> Command {
    let (header, literal) = (*command.get_styles().get_header(), *command.get_styles().get_literal());
    let mut list = String::new();
    for (heading, names) in GROUPS {
        let _ = writeln!(list, "{header}{heading}:{header:#}");
        for name in names {
            let about = command.find_subcommand(name).and_then(Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(list, "  {literal}{name}{literal:#}{:1$}{about}", "", NAMES - name.len());
        }
        list.push('\n');
    }
    command.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}{header}Options:{header:#}\n{{options}}{{after-help}}\n"
    ))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::cli::Cli;

    #[test]
    fn every_command_is_in_one_group_and_fits_a_terminal() {
        let command = Cli::command();
        let mut listed: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let mut there: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
        listed.sort_unstable();
        there.sort_unstable();
        assert_eq!(listed, there);
        let help = grouped(command).render_long_help().to_string();
        let start = help.find("Run a service").expect("the first heading");
        let end = help.find("Options:").expect("the options");
        for line in help[start..end].lines() {
            assert!(line.chars().count() <= 80, "{line}");
            assert!(!line.starts_with("  ") || line.len() > 2 + NAMES, "{line}");
        }
    }
}
