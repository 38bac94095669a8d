//! Document parser and generator: any text gives artifacts or faults, never a panic, and Rust that parses.

#![no_main]

use libfuzzer_sys::fuzz_target;
use trainyard::codegen::{self, Settings};

/// Words of a fault of the generator's own.
const BUG: &str = "this is a bug";

fuzz_target!(|text: &str| {
    let settings = Settings { file: "fuzz.yaml".to_owned(), support: "::trainyard_runtime".to_owned(), project_rules: false };
    let outcome = codegen::generate(text, &settings);
    let repeated = codegen::generate(text, &settings);
    match (outcome, repeated) {
        (Ok(first), Ok(second)) => assert_eq!(first.artifacts, second.artifacts, "other code from the same document"),
        (Err(first), Err(second)) => {
            assert_eq!(first, second, "other faults in the same document");
            // The fuzzer knows these words too, and a fault may quote the document.
            let ours = first.iter().find(|fault| fault.message.contains(BUG) && !text.contains(BUG));
            assert!(ours.is_none(), "{ours:?}");
        }
        _ => panic!("the same document was refused only once"),
    }
});
