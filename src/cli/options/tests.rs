//! Options from flags and the configuration file.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, FromArgMatches};

use super::config_file::{CONFIG, ConfigFileError, Values, parse, read};
use super::*;
use crate::learners::LearnerAddress;

/// Writes a configuration file.
fn written(file: &str) -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("trainyard.toml");
    fs::write(&path, file).expect("writable");
    (directory, path)
}

/// Reads a configuration file.
fn values(file: &str) -> Result<Values, ConfigFileError> {
    let (_directory, path) = written(file);
    read(&path)
}

/// Parses flags and a configuration file.
fn matches<O: Args>(file: &str, flags: &[&str]) -> Result<ArgMatches, ConfigFileError> {
    let (_directory, path) = written(file);
    let line = ["test", "--config"].map(OsString::from).into_iter().chain([path.into()]);
    let line: Vec<OsString> = line.chain(flags.iter().map(OsString::from)).collect();
    parse(O::augment_args(Command::new("test")), &line)
}

/// Returns the options of `serve` with a configuration file and flags.
fn serve(file: &str, flags: &[&str]) -> Result<ServeOptions, ConfigFileError> {
    Ok(ServeOptions::from_arg_matches(&matches::<ServeOptions>(file, flags)?).expect("options"))
}

#[test]
fn flags_win_over_the_file() {
    let file = "listen = '127.0.0.1:2'\nthreads = 3\nallow-data = ['file:///d/', 'file:///e/']\nno-worker = true";
    let merged = serve(file, &["--listen", "127.0.0.1:1"]).expect("valid");
    assert_eq!(merged.listen().expect("loopback").port(), 1);
    let settings = merged.settings().expect("valid");
    assert_eq!((settings.threads, settings.worker), (3, false));
    assert_eq!(settings.allow_data, ["file:///d/", "file:///e/"]);
    let none = serve("allow-data = []\nno-worker = false", &[]).expect("valid").settings().expect("valid");
    assert!(none.allow_data.is_empty() && none.worker);
    let settings = serve(file, &["--allow-data", "file:///f/"]).expect("valid").settings().expect("valid");
    assert_eq!(settings.allow_data, ["file:///f/"], "a list is replaced as a whole");
}

#[test]
fn every_option_of_serve_can_be_in_the_file() {
    let examples = [
        "true",
        "7",
        "0.5",
        "'127.0.0.1:7'",
        "'https://host'",
        "'f32'",
        "'portable'",
        "'auto'",
        "'embedded'",
        "['a/b=/c']",
        "['vllm=http://host']",
    ];
    let command = ServeOptions::augment_args(Command::new("serve"));
    for option in command.get_arguments().filter(|option| option.get_id() != CONFIG) {
        let (id, name) = (option.get_id().as_str(), option.get_long().expect("a name"));
        let value = examples.iter().find(|value| values(&format!("{name} = {value}")).is_ok());
        let value = value.unwrap_or_else(|| panic!("add a value of --{name} to the list above"));
        let merged = matches::<ServeOptions>(&format!("{name} = {value}"), &[]).expect("valid");
        assert_eq!(merged.value_source(id), Some(ValueSource::DefaultValue), "{name}");
        let raw: Vec<_> = merged.get_raw(id).expect("a value").collect();
        assert_eq!(raw, [value.trim_matches(['[', ']', '\''])], "{name}");
    }
}

#[test]
fn a_wrong_file_is_an_error_with_line_and_key() {
    for (file, expected) in [
        ("threads = 2\nlisten-adress = 'x'", "line 2: there is no option listen-adress;"),
        ("config = 'x'", "line 1: there is no option config;"),
        ("log = 'debug'", "line 1: there is no option log;"),
        ("[serve]\nthreads = 2", "line 1: there is no option serve;"),
        ("# 1\n\nthreads = 'two'", "line 3: threads: invalid digit found in string"),
        ("threads = 2.5", "line 1: threads: invalid digit found in string"),
        ("threads = [2]", "line 1: threads: write one text or number"),
        ("listen = true", "line 1: listen: write one text or number"),
        ("insecure = 'yes'", "line 1: insecure: write true or false"),
        ("base-model = 'a/b'", "line 1: base-model: write a list of texts"),
        ("allow-data = [\n  'x',\n  ['y'],\n]", "line 1: allow-data: write a list of texts"),
        ("base-model = ['a/b', 'c']", "line 1: base-model: write NAME=DIR, NAME=FILE.gguf, or NAME"),
        ("engine = 'vllm'", "line 1: engine: write one of embedded, managed"),
        ("data-dir = ''", "line 1: data-dir: it is empty"),
        ("max-connections = 0", "line 1: max-connections: number would be zero for non-zero type"),
        ("threads = 2\nthreads = 3", "line 2: duplicate key"),
        ("threads = 2\nwandb-key = 'secret", "line 2: "),
        ("threads = 2\nwandb-key = secret", "line 2: "),
        ("wandb-key = ['secret']", "line 1: wandb-key: write one text or number"),
    ] {
        let text = values(file).expect_err(file).to_string();
        assert!(text.contains(expected) && text.contains("trainyard.toml"), "{file}: {text}");
        assert!(!text.contains("secret"), "{text}");
    }
    let text = read(Path::new("/nowhere.toml")).expect_err("no file").to_string();
    assert!(text.starts_with("cannot read the configuration file /nowhere.toml: "), "{text}");
}

#[test]
fn a_worker_reads_the_file_of_serve() {
    let file = "threads = 3\nlisten = '127.0.0.1:2'";
    let merged = WorkerOptions::from_arg_matches(&matches::<WorkerOptions>(file, &[]).expect("valid"));
    assert_eq!(merged.expect("options").settings().expect("valid").threads, 3);
    assert!(matches::<WorkerOptions>("listen = 'nowhere'", &[]).is_err(), "it is an option of `serve`");
}

fn settings(file: &str, flags: &[&str]) -> Result<Settings, ConfigError> {
    serve(file, flags).expect("valid").settings()
}

fn rejected(file: &str) -> String {
    let error = serve(file, &[]).expect_err("refused");
    assert!(matches!(error, ConfigFileError::Invalid { line: 1, .. }), "{error}");
    error.to_string()
}

#[test]
fn a_chat_share_out_of_range_is_an_error_with_its_range() {
    assert_eq!(settings("chat-share = 0.25", &[]).expect("valid").chat_share, ChatShare::new(0.25).expect("a share"));
    let text = rejected("chat-share = 1.0");
    assert!(text.contains("0.05 to 0.95"), "{text}");
}

#[test]
fn artifacts_are_in_a_directory_or_a_bucket() {
    let settings = settings("artifacts = 's3://yard/one'", &[]).expect("valid");
    assert_eq!(settings.artifacts, "s3://yard/one".parse().ok());
    let text = rejected("artifacts = 'gs://yard'");
    assert!(text.contains("s3://BUCKET/PREFIX"), "{text}");
}

#[test]
fn the_times_for_the_end_are_in_seconds() {
    let limits = settings("", &[]).expect("valid").limits;
    assert_eq!((limits.drain, limits.drain_notice), (Duration::from_secs(30), Duration::ZERO));
    let limits = settings("drain = 60\ndrain-notice = 5", &["--drain", "0"]).expect("valid").limits;
    assert_eq!((limits.drain, limits.drain_notice), (Duration::ZERO, Duration::from_secs(5)));
    rejected("drain = -1");
}

#[test]
fn the_weight_format_is_one_of_five() {
    for format in WeightFormat::ALL {
        let text = format!("weights = '{format}'");
        assert_eq!(settings(&text, &[]).expect("valid").weights, Some(format));
    }
    let text = rejected("weights = 'fp8'");
    assert!(text.contains("int8"), "{text}");
}

#[test]
fn the_database_is_named_and_never_shown() {
    let file = "database = 'postgres://u:secret@db/trainyard'";
    let merged = serve(file, &[]).expect("valid");
    assert!(!format!("{merged:?}").contains("secret"));
    let database = merged.settings().expect("valid").database;
    assert_eq!(database, "postgres://u:secret@db/trainyard".parse().ok());
    let settings = settings(file, &["--database", "postgres://other"]).expect("valid");
    assert_eq!(settings.database, "postgres://other".parse().ok());
}

#[test]
fn the_trainers_of_the_flags_replace_those_of_the_file() {
    let file = "trainer = ['a/b=http://gpu:7070']\ntrainer-key-file = '/run/key'";
    let trainers = settings(file, &[]).expect("valid").trainers;
    assert_eq!(trainers.of("a/b").and_then(|server| server.key_file.clone()), Some("/run/key".into()));
    let trainers = settings(file, &["--trainer", "http://other"]).expect("valid").trainers;
    assert_eq!(trainers.of("a/b").map(|server| server.address.to_string()).as_deref(), Some("http://other"));
    let file =
        "trainer = ['ray=http://head:8265']\ntrainer-gpus = 4\ntrainer-dtype = 'bfloat16'\ntrainer-start-timeout = 5";
    let trainers = settings(file, &[]).expect("valid").trainers;
    let Some(LearnerAddress::Ray(_, launch)) = trainers.of("a/b").map(|server| &server.address) else {
        panic!("{trainers:?}")
    };
    assert_eq!((launch.gpus, launch.dtype), (4, LearnerDtype::BFloat16));
    assert!(matches!(settings("", &["--trainer", "gpu"]), Err(ConfigError::Trainer(_))));
}

#[test]
fn an_exposed_address_needs_insecure() {
    let listen = |flags: &[&str]| serve("", flags).expect("valid").listen();
    assert!(matches!(listen(&["--listen", "0.0.0.0:1"]), Err(ConfigError::Exposed { .. })));
    assert!(listen(&["--listen", "0.0.0.0:1", "--insecure"]).is_ok());
}

#[test]
fn a_wandb_server_has_an_address_and_a_key() {
    let file = "wandb-server = 'https://api.wandb.ai'\nwandb-key = 'secret'";
    let merged = serve(file, &[]).expect("valid");
    assert!(!format!("{merged:?}").contains("secret"));
    let wandb = merged.settings().expect("valid").wandb.expect("named");
    assert_eq!(wandb.url.as_str(), "https://api.wandb.ai/");
    assert!(settings("", &[]).expect("valid").wandb.is_none());
    for bad in [
        "api.wandb.ai",
        "ftp://api.wandb.ai",
        "https://u:p@api.wandb.ai",
        "https://api.wandb.ai/graphql",
        "https://api.wandb.ai/?a=b",
        "https://api.wandb.ai/#x",
        "",
    ] {
        let text = rejected(&format!("wandb-server = '{bad}'"));
        assert!(text.contains("as in https://api.wandb.ai"), "{bad}: {text}");
    }
    let keyless = settings("wandb-server = 'https://api.wandb.ai'", &[]);
    assert!(matches!(keyless, Err(ConfigError::NoWandbKey)));
}

#[test]
fn replicas_come_from_flags_or_the_file() {
    let file = "sampler = ['vllm=http://gpu1:8000,http://gpu2:8000']\nadapter-keep = 2\nsampler-in-flight = 9";
    let samplers = settings(file, &[]).expect("valid").samplers;
    assert_eq!((samplers.replicas.len(), samplers.replicas[0].endpoints.len()), (1, 2));
    assert_eq!((samplers.adapter_keep, samplers.in_flight), (Duration::from_secs(7200), 9));
    let samplers = settings(file, &["--sampler", "a/b=vllm=http://gpu3"]).expect("valid").samplers;
    assert_eq!((samplers.replicas.len(), samplers.replicas[0].base.as_deref()), (1, Some("a/b")));
    let text = rejected("sampler = ['http://gpu1:8000']");
    assert!(text.contains("[BASE=]vllm=http://HOST:PORT"), "{text}");
}

#[test]
fn defaults_of_the_help_are_those_of_the_settings() {
    let settings = settings("", &[]).expect("valid");
    assert_eq!((settings.cache_bytes, settings.limits.connections), (2048 << 20, 4096));
    assert_eq!((settings.chat_share, settings.weights), (ChatShare::new(0.6).expect("a share"), None));
    assert_eq!((settings.samplers.in_flight, settings.samplers.adapter_keep.as_secs()), (512, 24 * 3600));
    assert!(settings.worker && settings.speculates);
    assert_eq!(settings.response_life.as_secs(), 30 * 24 * 3600);
}
