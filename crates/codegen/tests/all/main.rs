//! The generator as its users see it: the library, the command, and the code that it writes, compiled and served.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "a test that fails may panic")]

mod changes;
mod emitted;
mod fixture_servers;
mod fixtures;
mod generated_code;
mod generated_files;
mod generator;
mod lint;
mod mutation;
mod random;
mod raw;
mod release;
mod source;
#[path = "../../../../tests/support/time_limits.rs"]
#[allow(dead_code, reason = "each suite uses its part")]
mod time_limits;
mod written_crate;

/// The document of the service in this repository, the largest at hand.
fn large_document() -> serde_json::Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../generated/openapi.json");
    serde_json::from_str(&std::fs::read_to_string(path).expect("the document is there")).expect("the document is JSON")
}
