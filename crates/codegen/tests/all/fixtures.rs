//! Documents of other people's style: the code of each is committed, current, and compiled here.

use std::fs;
use std::path::Path;

use trainyard_codegen::skeleton::{self, Runtime};
use trainyard_codegen::{Document, Settings};

#[allow(unreachable_pub)]
#[path = "../fixtures/accounts/generated/mod.rs"]
pub(super) mod accounts;
#[allow(unreachable_pub)]
#[path = "../fixtures/library/generated/mod.rs"]
pub(super) mod library;
#[allow(unreachable_pub)]
#[path = "../fixtures/markets/generated/mod.rs"]
pub(super) mod markets;
#[allow(unreachable_pub)]
#[path = "../fixtures/members/generated/mod.rs"]
pub(super) mod members;
#[allow(unreachable_pub)]
#[path = "../fixtures/storage/generated/mod.rs"]
pub(super) mod storage;
#[allow(unreachable_pub)]
#[path = "../fixtures/telemetry/generated/mod.rs"]
pub(super) mod telemetry;

/// Set to write the files instead of comparing them.
const UPDATE: &str = "UPDATE_FIXTURES";

#[test]
fn the_code_of_the_fixtures_is_current() {
    let update = std::env::var_os(UPDATE).is_some();
    for name in ["accounts", "library", "markets", "members", "storage", "telemetry"] {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let file = format!("tests/fixtures/{name}/openapi.yaml");
        let text = fs::read_to_string(root.join(&file)).expect("the fixture is there");
        let settings = Settings { file, support: "::trainyard_runtime".to_owned(), project_rules: false };
        let files = Document::parse(&text, &settings)
            .and_then(|document| skeleton::crate_files(name, &document, &settings, &Runtime::Registry))
            .unwrap_or_else(|faults| panic!("{name}: {faults:?}"));
        for (path, text) in files.into_iter().filter(|(path, _)| skeleton::is_generated(path)) {
            let target = root.join("tests/fixtures").join(name).join(path.trim_start_matches("src/"));
            if update {
                fs::write(&target, text).expect("the file can be written");
            } else {
                let current = fs::read_to_string(&target).unwrap_or_default();
                assert!(
                    current == text,
                    "{} is stale: run this test with {UPDATE}=1 and read the diff",
                    target.display()
                );
            }
        }
    }
}

#[test]
fn every_operation_has_a_row_with_its_statuses() {
    for (operations, document) in [
        (accounts::server::OPERATIONS, accounts::OPENAPI_JSON),
        (library::server::OPERATIONS, library::OPENAPI_JSON),
        (markets::server::OPERATIONS, markets::OPENAPI_JSON),
        (members::server::OPERATIONS, members::OPENAPI_JSON),
        (storage::server::OPERATIONS, storage::OPENAPI_JSON),
        (telemetry::server::OPERATIONS, telemetry::OPENAPI_JSON),
    ] {
        let document: serde_json::Value = serde_json::from_str(document).unwrap();
        for operation in operations {
            let node = &document["paths"][operation.path][operation.method.to_lowercase()];
            let mut documented: Vec<_> = node["responses"].as_object().unwrap().keys().map(String::as_str).collect();
            documented.sort_unstable();
            let mut listed = operation.statuses.to_vec();
            listed.sort_unstable();
            assert_eq!(listed, documented, "{}", operation.id);
        }
    }
}
