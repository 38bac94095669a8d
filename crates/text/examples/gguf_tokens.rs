//! Compares the tokens of texts with those of llama.cpp: `gguf_tokens FILE.gguf…`, with `FILE.gguf.inp` and `FILE.gguf.out` beside each
//! file, as llama.cpp has them in `models/`. Prints a line for each file, and the texts that differ.

use std::process::ExitCode;

use trainyard_gguf::Header;
use trainyard_text::{Tokenizer, tokenizer_of_gguf};

/// Line between two texts of an `.inp` file.
const SEPARATOR: &str = "\n__ggml_vocab_test__\n";

fn main() -> ExitCode {
    let mut all_equal = true;
    for path in std::env::args().skip(1) {
        match compare(&path) {
            Ok((name, texts, differing)) => {
                println!("{path}: {name}: {texts} texts, {} differ", differing.len());
                differing.iter().for_each(|line| println!("  {line}"));
                all_equal &= differing.is_empty();
            }
            Err(error) => {
                println!("{path}: {error}");
                all_equal = false;
            }
        }
    }
    if all_equal { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Returns the pre-tokenizer's name, the number of texts, and a line for each that differs.
fn compare(path: &str) -> Result<(String, usize, Vec<String>), Box<dyn std::error::Error>> {
    let file = std::fs::read(path)?;
    let header = Header::read(&file)?;
    let name = header.metadata.text("tokenizer.ggml.pre")?.unwrap_or("none").to_owned();
    let tokenizer = tokenizer_of_gguf(&header.metadata)?;
    let tokenizer = Tokenizer::from_bytes(tokenizer.to_string().as_bytes())?;
    let texts = std::fs::read_to_string(format!("{path}.inp"))?;
    let expected = std::fs::read_to_string(format!("{path}.out"))?;
    let (mut differing, mut count) = (Vec::new(), 0);
    for (text, expected) in texts.split(SEPARATOR).zip(expected.lines()) {
        let expected = expected.split_whitespace().map(str::parse).collect::<Result<Vec<u32>, _>>()?;
        let found = tokenizer.encode_ordinary(text)?;
        if found != expected {
            differing.push(format!("{text:?}: {found:?} in place of {expected:?}"));
        }
        count += 1;
    }
    Ok((name, count, differing))
}
