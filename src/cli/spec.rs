//! `trainyard spec`: prints the OpenAPI document this binary was generated from.

use std::io::Write;

use clap::{Args, ValueEnum};

use super::Failure;

#[derive(Args)]
pub(super) struct Options {
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

pub(super) fn run(options: &Options) -> Result<(), Failure> {
    let document = match options.format {
        Format::Yaml => include_str!("../../spec/openapi.yaml"),
        Format::Json => crate::generated::OPENAPI_JSON,
    };
    // A reader that stops early (`| head`) is not an error.
    match std::io::stdout().lock().write_all(document.as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}
