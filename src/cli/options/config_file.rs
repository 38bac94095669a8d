//! The configuration file of `serve` and of the commands that share its options: TOML with the options' names as keys.
//!
//! clap merges it. The value of a key becomes the default of its option, so flags and the environment take precedence by
//! clap's own rules, and each option of `serve` can be in the file without a line of code. Options that are deserialized a
//! second time and merged field by field were rejected: a field that the merge leaves out compiles, and its value in the
//! file is ignored without a word.

use std::collections::BTreeMap;
use std::error::Error;
use std::ffi::OsString;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::{fs, io};

use clap::error::{ContextKind, ContextValue};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, value_parser};
use toml::{Spanned, Value};

use super::ServeOptions;

/// Id of the option that names the file.
pub(super) const CONFIG: &str = "config_file";

/// Values of the file by the names of their options, each value as its flag takes it.
pub(super) type Values = BTreeMap<String, Vec<String>>;

/// Error of a configuration file.
#[derive(Debug, thiserror::Error)]
pub(in crate::cli) enum ConfigFileError {
    #[error("cannot read the configuration file {path}: {source}; name another with --config")]
    Unreadable { path: PathBuf, source: io::Error },
    #[error("configuration file {path}, line {line}: {fault}")]
    Invalid { path: PathBuf, line: usize, fault: String },
}

/// Returns the option that names the file.
pub(super) fn option() -> Arg {
    Arg::new(CONFIG)
        .long("config")
        .env("TRAINYARD_CONFIG")
        .value_name("FILE")
        .value_parser(value_parser!(PathBuf))
        .help("Read settings from this TOML file; flags and environment take precedence")
}

/// Parses a command line. Options that neither it nor the environment gives have their values from the configuration file,
/// if it names one. Ends the process after a wrong command line and after `--help`, which is answered without the file.
///
/// # Errors
/// The file cannot be read, or has an unknown key or a wrong value.
pub(in crate::cli) fn parse(command: Command, line: &[OsString]) -> Result<ArgMatches, ConfigFileError> {
    let matches = command.clone().get_matches_from(line);
    let Some(path) = named(&matches) else { return Ok(matches) };
    let values = read(path)?;
    Ok(with_defaults(command, &matches, &values).get_matches_from(line))
}

/// Returns the path of the configuration file, if the command has one.
fn named(matches: &ArgMatches) -> Option<&PathBuf> {
    match matches.subcommand() {
        Some((_, matches)) => named(matches),
        None => matches.try_get_one(CONFIG).ok().flatten(),
    }
}

/// Returns the command with these defaults of the subcommand that runs.
fn with_defaults(command: Command, matches: &ArgMatches, values: &Values) -> Command {
    match matches.subcommand() {
        Some((name, matches)) => command.mut_subcommand(name, |command| with_defaults(command, matches, values)),
        None => command.mut_args(|option| match option.get_long().and_then(|name| values.get(name)) {
            Some(values) => option.default_values(values),
            None => option,
        }),
    }
}

/// Reads a file, and checks each value by the options of `serve`: commands with fewer options share the file.
pub(super) fn read(path: &Path) -> Result<Values, ConfigFileError> {
    let text =
        fs::read_to_string(path).map_err(|source| ConfigFileError::Unreadable { path: path.to_owned(), source })?;
    let invalid = |span: Range<usize>, fault: String| {
        let line = 1 + text.bytes().take(span.start).filter(|byte| *byte == b'\n').count();
        ConfigFileError::Invalid { path: path.to_owned(), line, fault }
    };
    // The error's own text would show the line, which may have a secret.
    let table: BTreeMap<Spanned<String>, Spanned<Value>> =
        toml::from_str(&text).map_err(|error| invalid(error.span().unwrap_or_default(), error.message().to_owned()))?;
    let serve = ServeOptions::augment_args(Command::new("serve"));
    let mut values = Values::new();
    for (name, value) in table {
        let is_named = |option: &&Arg| option.get_long() == Some(name.get_ref()) && option.get_id() != CONFIG;
        let option = serve.get_arguments().find(is_named);
        let unknown = || format!("there is no option {name}; `trainyard serve --help` lists all");
        let option = option.ok_or_else(|| invalid(name.span(), unknown()))?;
        let span = value.span();
        let wrong = |fault| invalid(span, format!("{name}: {fault}; see --{name} in `trainyard serve --help`"));
        let given = as_flags(option, value.into_inner()).map_err(wrong)?;
        values.insert(name.into_inner(), given);
    }
    Ok(values)
}

/// Returns the values of an option as its flag takes them.
///
/// # Errors
/// The value has a type that the option does not take, or the option's parser rejects it.
fn as_flags(option: &Arg, value: Value) -> Result<Vec<String>, String> {
    let word = |value| match value {
        Value::String(text) => Some(text),
        Value::Integer(_) | Value::Float(_) => Some(value.to_string()),
        _ => None,
    };
    let (values, expected) = match (option.get_action(), value) {
        (ArgAction::SetTrue, Value::Boolean(is_set)) => return Ok(vec![is_set.to_string()]),
        (ArgAction::SetTrue, _) => (None, "true or false"),
        (ArgAction::Append, Value::Array(values)) => (values.into_iter().map(word).collect(), "a list of texts"),
        (ArgAction::Append, _) => (None, "a list of texts"),
        (_, value) => (word(value).map(|word| vec![word]), "one text or number"),
    };
    let values: Vec<String> = values.ok_or_else(|| format!("write {expected}"))?;
    let name = option.get_long().unwrap_or_default();
    let alone = Command::new("file").no_binary_name(true).arg(option.clone());
    match alone.try_get_matches_from(values.iter().map(|value| format!("--{name}={value}"))) {
        Ok(_) => Ok(values),
        Err(error) => Err(fault(&error)),
    }
}

/// Returns the reason of clap's error, without the value.
fn fault(error: &clap::Error) -> String {
    match (error.source(), error.get(ContextKind::ValidValue)) {
        (Some(reason), _) => reason.to_string(),
        (None, Some(ContextValue::Strings(names))) if !names.is_empty() => format!("write one of {}", names.join(", ")),
        (None, _) => "it is empty".to_owned(),
    }
}
