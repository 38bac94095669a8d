//! Flags, the environment and the configuration file.

use super::{finish, program};
use crate::support::process::Site;

/// Runs `serve` with a configuration file. It ends before it listens: each address is one that needs --insecure, and the
/// message names the one that counts.
async fn serve(file: &str, variables: &[(&str, &str)], flags: &[&str]) -> (i32, String) {
    let site = Site::new();
    let path = site.path().join("trainyard.toml");
    std::fs::write(&path, file).expect("writable");
    let mut command = program(&site, &[&["serve"], flags].concat());
    command.env("TRAINYARD_CONFIG", path).envs(variables.iter().copied());
    let (code, shown, told) = finish(command).await;
    assert_eq!(shown.is_empty(), code != 0, "{shown}{told}");
    (code, shown + &told)
}

#[tokio::test]
async fn flags_win_over_the_environment_and_both_over_the_file() {
    let file = "listen = '0.0.0.0:1'";
    let environment = [("TRAINYARD_LISTEN", "0.0.0.0:2")];
    let flags = ["--listen", "0.0.0.0:3"];
    for (variables, flags, listens) in
        [(&[][..], &[][..], "0.0.0.0:1 "), (&environment, &[], "0.0.0.0:2 "), (&environment, &flags, "0.0.0.0:3 ")]
    {
        let (code, text) = serve(file, variables, flags).await;
        assert!(code == 1 && text.contains(&format!("--listen {listens}")), "{code} {text}");
    }
    // A variable that turns a flag off counts as well.
    let file = "listen = '0.0.0.0:1'\ninsecure = true";
    let (code, text) = serve(file, &[("TRAINYARD_INSECURE", "0")], &[]).await;
    assert!(code == 1 && text.contains("--listen 0.0.0.0:1 "), "{code} {text}");
}

#[tokio::test]
async fn the_file_is_never_shown() {
    let secret = "database = 'postgres://u:secret@db/trainyard'\nwandb-key = 'secret'\n";
    let (code, text) = serve(secret, &[], &["--help"]).await;
    assert!(code == 0 && text.contains("--wandb-key") && !text.contains("secret"), "{text}");
    let (code, text) = serve(&format!("{secret}threads = 'secret'"), &[], &[]).await;
    assert!(
        code == 1 && text.contains("trainyard.toml, line 3: threads: ") && !text.contains("secret"),
        "{code} {text}"
    );
}

#[tokio::test]
async fn every_option_of_the_help_is_one_of_the_file() {
    let (_, help) = serve("", &[], &["--help"]).await;
    let (options, _) = help.split_once("\nLogging:").expect("options of all commands last");
    let named = options.lines().filter_map(|line| line.strip_prefix("      --")?.split(' ').next());
    let names: Vec<&str> = named.filter(|name| *name != "config").collect();
    assert!(["listen", "data-dir", "trainer", "sampler"].iter().all(|name| names.contains(name)), "{names:?}");
    for name in names {
        let (code, text) = serve(&format!("{name} = {{}}"), &[], &[]).await;
        assert!(code == 1 && text.contains(&format!("trainyard.toml, line 1: {name}: write ")), "{code} {text}");
    }
}

#[tokio::test]
async fn a_wrong_name_or_value_is_an_error_with_its_line_and_the_remedy() {
    for (file, expected) in [
        (
            "threads = 2\nlisten-adress = ''",
            "line 2: there is no option listen-adress; `trainyard serve --help` lists all",
        ),
        (
            "\nengine = 'vllm'",
            "line 2: engine: write one of embedded, managed; see --engine in `trainyard serve --help`",
        ),
        ("threads = 2\n\nlisten = 'host'", "line 3: listen: invalid socket address syntax; see --listen in"),
        ("threads = 2\nlisten = ", "line 2: "),
    ] {
        let (code, text) = serve(file, &[], &[]).await;
        assert!(code == 1 && text.contains("configuration file ") && text.contains(expected), "{code} {text}");
    }
    let (code, text) = serve("", &[], &["--config", "nowhere.toml"]).await;
    assert!(code == 1 && text.contains("file nowhere.toml: ") && text.contains("name another with --config"), "{text}");
}
