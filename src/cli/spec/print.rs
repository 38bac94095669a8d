//! `trainyard spec` without a subcommand: prints the OpenAPI document from which this binary was generated.

use clap::{Args, ValueEnum};

use super::{CommandError, print_text};
use crate::{
    docs::clients,
    generated::{OPENAPI_JSON, OPENAPI_YAML},
};

#[derive(Args)]
pub(super) struct PrintOptions {
    /// Output format. Default yaml; the document for clients is JSON only.
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Reader of the document.
    #[arg(long = "for", value_enum, value_name = "READER")]
    reader: Option<Reader>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// YAML source of the document, with its comments.
    Yaml,
    /// JSON, as `GET /openapi.json` serves it.
    Json,
}

#[derive(Clone, Copy, ValueEnum)]
enum Reader {
    /// Generators of clients: each operation has one method, and streams have methods of their own. As `GET
    /// /openapi.clients.json` serves it.
    Clients,
}

#[derive(Debug, thiserror::Error)]
#[error("the document for clients is JSON, which readers of YAML read too: leave out --format yaml")]
struct JsonOnly;

pub(super) fn run(options: &PrintOptions) -> Result<(), CommandError> {
    match (options.reader, options.format) {
        (None, None | Some(Format::Yaml)) => print_text(OPENAPI_YAML),
        (None, Some(Format::Json)) => print_text(OPENAPI_JSON),
        (Some(Reader::Clients), None | Some(Format::Json)) => print_text(&clients::document()),
        (Some(Reader::Clients), Some(Format::Yaml)) => Err(JsonOnly.into()),
    }
}
