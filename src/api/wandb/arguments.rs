//! Parses and validates the arguments of a GraphQL field.

use serde_json::{Map, Value};

use super::graphql::Field;
use crate::auth::Caller;
use crate::http::ApiError;

/// Maximum size of an artifact's metadata in bytes.
pub(super) const METADATA_BYTES: usize = 64 << 10;
/// Maximum size of another text in bytes: a name or an id, which responses repeat.
const NAME_BYTES: usize = 1024;

/// Returns the error for an operation that this service does not implement.
pub(super) fn unsupported(what: &str) -> ApiError {
    ApiError::bad_request(format!(
        "W&B's {what} is not answered here: this service takes data sets and checkpoints, gives checkpoints, and keeps no \
         runs"
    ))
}

/// Reads a text argument of a field; `None` is null.
pub(super) fn text<'a>(field: Field<'a>, path: &[&str]) -> Result<Option<&'a str>, ApiError> {
    text_within(NAME_BYTES, field, path)
}

fn text_within<'a>(limit: usize, field: Field<'a>, path: &[&str]) -> Result<Option<&'a str>, ApiError> {
    let wrong = |what: String| Err(ApiError::bad_request(format!("{} of {} {what}", path.join("."), field.name())));
    match field.argument(path) {
        None => Ok(None),
        Some(Value::String(text)) if text.len() > limit => {
            wrong(format!("has {} bytes; {limit} are kept at most", text.len()))
        }
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => wrong("must be a string".to_owned()),
    }
}

/// Reads a text argument that must be present.
pub(super) fn required<'a>(field: Field<'a>, path: &[&str]) -> Result<&'a str, ApiError> {
    let missing = || ApiError::bad_request(format!("{} needs {}, which is missing", field.name(), path.join(".")));
    text(field, path)?.ok_or_else(missing)
}

/// Returns an error unless the entity is the caller's; null is the caller's.
pub(super) fn check_entity(caller: &Caller, field: Field<'_>, path: &[&str]) -> Result<(), ApiError> {
    match text(field, path)? {
        Some(entity) if entity != caller.entity => {
            Err(ApiError::forbidden(format!("this key acts for {:?}, not for {entity:?}", caller.entity)))
        }
        _ => Ok(()),
    }
}

/// Returns the `metadata` argument of an artifact, the text of a JSON object.
pub(super) fn metadata(field: Field<'_>) -> Result<Option<&str>, ApiError> {
    let Some(metadata) = text_within(METADATA_BYTES, field, &["input", "metadata"])? else { return Ok(None) };
    match serde_json::from_str::<Map<String, Value>>(metadata) {
        Ok(_) => Ok(Some(metadata)),
        Err(error) => Err(ApiError::bad_request(format!("metadata is not the text of a JSON object: {error}"))),
    }
}

/// Returns an error if the input has other names than these.
pub(super) fn check_names(field: Field<'_>, known: &[&str]) -> Result<(), ApiError> {
    match field.names_in("input").into_iter().find(|name| !known.contains(name)) {
        Some(name) => Err(unsupported(&format!("mutation {} with {name}", field.name()))),
        None => Ok(()),
    }
}
