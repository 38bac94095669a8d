//! Document parser and generator: any text gives artifacts or faults, never a panic, and Rust that parses.

#![no_main]

use libfuzzer_sys::fuzz_target;
use trainyard::codegen::{self, Settings};

fuzz_target!(|text: &str| {
    let settings = Settings { file: "fuzz.yaml".to_owned(), support: "::trainyard_runtime".to_owned(), project_rules: false };
    let outcome = codegen::generate(text, &settings);
    let repeated = codegen::generate(text, &settings);
    match (outcome, repeated) {
        (Ok(first), Ok(second)) => assert_eq!(first.artifacts, second.artifacts, "other code from the same document"),
        (Err(first), Err(second)) => {
            assert_eq!(first, second, "other faults in the same document");
            let ours = first.iter().find(|fault| fault.message.contains("this is a bug"));
            assert!(ours.is_none(), "{ours:?}");
        }
        _ => panic!("the same document was refused only once"),
    }
});
