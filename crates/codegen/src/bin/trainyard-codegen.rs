//! Linter, comparison and server generator for OpenAPI documents.

use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use clap::Parser;
use trainyard_codegen::command::{DiffOptions, LintOptions, Named, ServerOptions};

const NAME: &str = "trainyard-codegen";

/// Check OpenAPI documents, compare them, and generate Rust servers for them.
#[derive(Parser)]
#[command(name = NAME, version)]
enum Command {
    /// Check a document: each finding with its JSON pointer and a fix.
    #[command(after_help = LintOptions::help(NAME))]
    Lint(LintOptions),
    /// Generate a Rust crate that serves a document: it responds with examples until its traits are implemented.
    #[command(after_help = ServerOptions::help(NAME))]
    Server(ServerOptions),
    /// Compare two documents and list the changes, with the parties that each one breaks.
    #[command(after_help = DiffOptions::help(NAME))]
    Diff(DiffOptions),
}

fn main() -> ExitCode {
    let outcome = match Command::parse() {
        Command::Lint(options) => options.run(),
        Command::Server(options) => options.run(),
        Command::Diff(options) => options.run(&Named::NONE),
    };
    let _ = io::stderr().write_all(outcome.messages.as_bytes());
    match io::stdout().write_all(outcome.output.as_bytes()) {
        // A reader that stops early (`| head`) is no error.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            let _ = writeln!(io::stderr(), "error: cannot print: {error}");
            ExitCode::FAILURE
        }
        _ => ExitCode::from(outcome.code),
    }
}
