//! `trainyard spec` alone: prints the OpenAPI document this binary was generated from.

use clap::{Args, ValueEnum};

use super::{Failure, print_text};

#[derive(Args)]
pub(super) struct PrintOptions {
    /// The notation to print.
    #[arg(long, value_enum, default_value_t = Format::Yaml)]
    format: Format,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// The document as it is written, comments included.
    Yaml,
    /// The same as JSON, as `GET /openapi.json` serves it.
    Json,
}

pub(super) fn run(options: &PrintOptions) -> Result<(), Failure> {
    let document = match options.format {
        Format::Yaml => crate::generated::OPENAPI_YAML,
        Format::Json => crate::generated::OPENAPI_JSON,
    };
    print_text(document)
}
