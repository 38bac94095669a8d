//! `trainyard spec` without a subcommand: prints the OpenAPI document from which this binary was generated.

use clap::{Args, ValueEnum};

use super::{CommandError, print_text};

#[derive(Args)]
pub(super) struct PrintOptions {
    /// Output format.
    #[arg(long, value_enum, default_value_t = Format::Yaml)]
    format: Format,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// YAML source of the document, with its comments.
    Yaml,
    /// JSON, as `GET /openapi.json` serves it.
    Json,
}

pub(super) fn run(options: &PrintOptions) -> Result<(), CommandError> {
    let document = match options.format {
        Format::Yaml => crate::generated::OPENAPI_YAML,
        Format::Json => crate::generated::OPENAPI_JSON,
    };
    print_text(document)
}
