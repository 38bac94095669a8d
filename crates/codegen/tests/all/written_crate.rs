//! The crate that the command `server` writes.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use trainyard_runtime::sources::SOURCES;

use crate::raw::Raw;
use crate::time_limits::Limited;

/// In an empty directory, without a network, without a warning.
#[tokio::test]
async fn a_written_crate_builds_passes_its_test_and_serves_its_examples_as_it_is() {
    let folder = tempfile::tempdir().expect("a directory");
    let written = Command::new(env!("CARGO_BIN_EXE_trainyard-codegen"))
        .arg("server")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/storage/openapi.yaml"))
        .args(["--out", "my-server"])
        .current_dir(folder.path())
        .output_limited();
    assert!(written.status.success(), "{}", String::from_utf8_lossy(&written.stderr));
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("written-crate");
    let tested = Command::new(env!("CARGO"))
        .args(["test", "--offline"])
        .current_dir(folder.path().join("my-server"))
        // The crates that it needs are built once, not in each run of this test.
        .env("CARGO_TARGET_DIR", &target)
        .env("RUSTFLAGS", "-Dwarnings")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .output_limited();
    let output = format!("{}{}", String::from_utf8_lossy(&tested.stdout), String::from_utf8_lossy(&tested.stderr));
    assert!(tested.status.success() && output.contains("every_operation_is_in_the_document ... ok"), "{output}");

    let mut server =
        Command::new(target.join("debug/my-server")).arg("127.0.0.1:0").stdout(Stdio::piped()).spawn_limited();
    let mut line = String::new();
    BufReader::new(server.stdout.take().expect("its output")).read_line(&mut line).expect("a line");
    let root = line.trim_end().strip_prefix("listening on ").expect("an address");
    let mut connection = Raw::connect(root).await;
    connection.send("GET /v1/buckets HTTP/1.1\r\nhost: written\r\nconnection: close\r\n\r\n").await;
    let answer = connection.answer_to("GET").await.expect("an answer");
    assert_eq!(answer.status, 200, "{answer:?}");
    server.kill().expect("it runs");
    server.wait().expect("it ends");
}

/// A dependency: version, sorted features, whether its default features are off.
type Dependency = (String, Vec<String>, bool);

fn dependency(value: &toml::Value, workspace: &toml::Table, name: &str) -> Dependency {
    let shared = workspace.get(name).filter(|_| value.get("workspace").is_some());
    let parts: Vec<&toml::Value> = [Some(value), shared].into_iter().flatten().collect();
    let version = parts.iter().find_map(|part| part.as_str().or_else(|| part.get("version")?.as_str()));
    let features = parts.iter().filter_map(|part| part.get("features")?.as_array()).flatten();
    let mut features: Vec<String> = features.filter_map(|one| one.as_str().map(str::to_owned)).collect();
    features.sort();
    let bare = parts.iter().any(|part| part.get("default-features").and_then(toml::Value::as_bool) == Some(false));
    (version.expect("a version").to_owned(), features, bare)
}

#[test]
fn the_copy_of_the_runtime_has_the_dependencies_of_the_original() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |path: &str| -> toml::Table {
        fs::read_to_string(root.join(path)).expect("a manifest").parse().expect("a manifest is TOML")
    };
    let workspace = read("Cargo.toml");
    let shared = workspace["workspace"]["dependencies"].as_table().expect("a table");
    let dependencies = |manifest: &toml::Table| -> BTreeMap<String, Dependency> {
        let all = manifest["dependencies"].as_table().expect("a table");
        all.iter().map(|(name, value)| (name.clone(), dependency(value, shared, name))).collect()
    };
    let mut original = dependencies(&read("crates/runtime/Cargo.toml"));
    original.remove("schemars");
    let copy: toml::Table =
        SOURCES.iter().find(|(path, _)| *path == "Cargo.toml").expect("a manifest").1.parse().expect("TOML");
    assert_eq!(dependencies(&copy), original);
    for key in ["version", "edition", "rust-version", "license"] {
        assert_eq!(copy["package"][key], workspace["workspace"]["package"][key], "{key}");
    }
}
