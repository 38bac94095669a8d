//! `trainyard spec`: the OpenAPI document, and what can be done with documents. One file per subcommand.

mod print;

use std::process::ExitCode;

use clap::{Args, Subcommand};

use super::{Failure, print as print_text};

#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct Options {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    print: print::PrintOptions,
}

#[derive(Subcommand)]
enum Command {}

/// Runs a subcommand, or prints the document when none is named.
pub(super) fn run(options: Options) -> Result<ExitCode, Failure> {
    match options.command {
        None => print::run(&options.print).map(|()| ExitCode::SUCCESS),
        Some(command) => match command {},
    }
}
