//! `trainyard spec` without a subcommand: prints the OpenAPI document from which this binary was generated.

use clap::{Args, ValueEnum};

use super::{CommandError, print_text};
use crate::docs::clients;
use crate::generated::{OPENAPI_JSON, OPENAPI_YAML};

#[derive(Args)]
pub(super) struct PrintOptions {
    /// Output format. Default yaml; the document for clients and that of OpenAPI 3.1 are JSON only.
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Reader of the document.
    #[arg(long = "for", value_enum, value_name = "READER")]
    reader: Option<Reader>,
    /// Version of OpenAPI that the document is written in.
    #[cfg(feature = "codegen")]
    #[arg(long, value_enum, value_name = "VERSION", default_value_t = Version::Three0)]
    openapi: Version,
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

#[cfg(feature = "codegen")]
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Version {
    /// OpenAPI 3.0.3, as the service serves it.
    #[value(name = "3.0")]
    Three0,
    /// OpenAPI 3.1.0, with the same meaning.
    #[value(name = "3.1")]
    Three1,
}

#[derive(Debug, thiserror::Error)]
#[error("this document is JSON, which readers of YAML read too: leave out --format yaml")]
struct JsonOnly;

pub(super) fn run(options: &PrintOptions) -> Result<(), CommandError> {
    let is_source = options.reader.is_none();
    #[cfg(feature = "codegen")]
    let is_source = is_source && options.openapi == Version::Three0;
    match (is_source, options.format) {
        (true, None | Some(Format::Yaml)) => return print_text(OPENAPI_YAML),
        (false, Some(Format::Yaml)) => return Err(JsonOnly.into()),
        _ => {}
    }
    let document = match options.reader {
        None => OPENAPI_JSON.to_owned(),
        Some(Reader::Clients) => clients::document(),
    };
    #[cfg(feature = "codegen")]
    let document = match options.openapi {
        Version::Three0 => document,
        Version::Three1 => raised(&document)?,
    };
    print_text(&document)
}

/// Returns the document as OpenAPI 3.1.
#[cfg(feature = "codegen")]
fn raised(document: &str) -> Result<String, CommandError> {
    let raised = crate::codegen::openapi_3_1::raise(&serde_json::from_str(document)?);
    Ok(format!("{raised:#}\n"))
}
