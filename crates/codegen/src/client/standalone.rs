//! Generation of a client with types of its own, by progenitor alone.
//!
//! It is for a document beside the service's own, whose bodies are mostly binary. The types are typify's, and every
//! schema in `components` becomes one, whether or not an operation refers to it.

use openapiv3::OpenAPI;
use progenitor::{GenerationSettings, Generator, InterfaceStyle};
use serde_json::Value;

use crate::{Fault, Settings, render_file};

/// Generates the client of a document of OpenAPI 3.0, in YAML or JSON.
///
/// # Errors
/// The document cannot be read, or contains a construct that progenitor does not support.
pub fn generate(text: &str, settings: &Settings) -> Result<String, Vec<Fault>> {
    let of_file = |fault: Fault| fault.in_file(&settings.file);
    run(text, settings).map_err(|message| Fault::one(message).into_iter().map(of_file).collect())
}

fn run(text: &str, file: &Settings) -> Result<String, String> {
    let mut document: Value = serde_norway::from_str(text).map_err(|error| error.to_string())?;
    remove_patterns(&mut document);
    let items =
        document.get_mut("paths").and_then(Value::as_object_mut).into_iter().flat_map(|paths| paths.values_mut());
    for responses in
        items.filter_map(Value::as_object_mut).flat_map(|item| item.values_mut()).filter_map(|o| o.get_mut("responses"))
    {
        divide_default(responses);
    }
    let document: OpenAPI = serde_json::from_value(document).map_err(|error| error.to_string())?;
    let mut settings = GenerationSettings::new();
    settings.with_interface(InterfaceStyle::Positional);
    let tokens =
        Generator::new(&settings).generate_tokens(&document).map_err(|error| format!("progenitor: {error}"))?;
    let mut client: syn::File = syn::parse2(tokens).map_err(|error| format!("progenitor's output: {error}"))?;
    // Its constructor panics if no HTTP client can be created; callers use `new_with_client`. The descriptions of the
    // document are no links to items.
    client.attrs.push(syn::parse_quote!(
        #![allow(clippy::all, clippy::unwrap_used, missing_docs, rustdoc::all, unreachable_pub, unused_imports)]
    ));
    Ok(render_file(&client, file))
}

/// Removes the patterns of strings, which the service checks: typify's types would need a library for them.
fn remove_patterns(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            if fields.get("type").is_some_and(|kind| kind == "string") {
                fields.remove("pattern");
            }
            fields.values_mut().for_each(remove_patterns);
        }
        Value::Array(items) => items.iter_mut().for_each(remove_patterns),
        _ => {}
    }
}

/// Replaces the response `default`, which progenitor takes for a success too, by those of the error statuses.
fn divide_default(responses: &mut Value) {
    let Some(responses) = responses.as_object_mut() else { return };
    if let Some(default) = responses.remove("default") {
        responses.retain(|status, _| status.starts_with('2'));
        responses.insert("4XX".to_owned(), default.clone());
        responses.insert("5XX".to_owned(), default);
    }
}
