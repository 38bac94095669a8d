//! Document parser and generator: any text gives artifacts or faults, never a panic, and Rust that parses.

#![no_main]

#[allow(dead_code, missing_docs)]
#[path = "../../src/codegen/mod.rs"]
mod codegen;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(artifacts) = codegen::generate(text) else { return };
    let repeated = codegen::generate(text).ok();
    assert!(repeated.is_some_and(|repeated| repeated == artifacts), "the same document gave other artifacts");
});
