//! `trainyard spec`: prints the OpenAPI document this binary was generated from, and what one can do with documents.

use clap::{Args, Subcommand, ValueEnum};

use super::{Failure, print};

#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct Options {
    #[command(subcommand)]
    command: Option<Command>,
    /// The notation to print.
    #[arg(long, value_enum, default_value_t = Format::Yaml)]
    format: Format,
}

#[derive(Subcommand)]
enum Command {
    /// Check any OpenAPI 3.0 document: each finding with its JSON pointer and what to write instead.
    #[cfg(feature = "codegen")]
    #[command(after_help = "Exits with 1 when something cannot be served.\n\nExamples:\n  \
        trainyard spec lint openapi.yaml\n  \
        trainyard spec lint openapi.json --house-rules     warnings refuse too")]
    Lint(super::document::LintOptions),
    /// Write a Rust crate that serves any OpenAPI 3.0 document: traits to implement, decoding, validation, routes.
    #[cfg(feature = "codegen")]
    #[command(
        after_help = "Run it again when the document has changed: only src/generated/ is written anew.\n\nExample:\n  \
        trainyard spec server openapi.yaml --out my-server && cd my-server && cargo check"
    )]
    Server(super::document::ServerOptions),
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// The document as it is written, comments included.
    Yaml,
    /// The same as JSON, as `GET /openapi.json` serves it.
    Json,
}

pub(super) fn run(options: &Options) -> Result<(), Failure> {
    match &options.command {
        #[cfg(feature = "codegen")]
        Some(Command::Lint(options)) => return super::document::lint(options),
        #[cfg(feature = "codegen")]
        Some(Command::Server(options)) => return super::document::server(options),
        None => {}
    }
    let document = match options.format {
        Format::Yaml => crate::generated::OPENAPI_YAML,
        Format::Json => crate::generated::OPENAPI_JSON,
    };
    print(document)
}
