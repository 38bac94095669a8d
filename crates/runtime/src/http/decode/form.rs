//! `application/x-www-form-urlencoded` bodies.

use axum::body::Body;
use axum::http::HeaderMap;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::http::ApiError;
use crate::http::body::{self, BodyLimits};
use crate::http::decode::json::at_path;
use crate::http::decode::source::{decoded, pairs};
use crate::http::decode::{Parameter, Source};

/// Fields of a form.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// Fields that the document names.
    pub fields: &'static [Parameter],
    /// Whether other fields are passed on, as text.
    pub rest: bool,
}

/// Reads a form of at most `limit` bytes.
///
/// # Errors
/// 413 above the limit, 400 for percent-encoding that is malformed or not UTF-8, 422 with the place for a value of the
/// wrong type.
pub async fn form_body<T: DeserializeOwned>(
    headers: &HeaderMap,
    body: Body,
    limit: usize,
    form: &Form,
) -> Result<T, ApiError> {
    let held = body::receive(headers, body, BodyLimits::of_size(limit)).await?;
    let text = std::str::from_utf8(held.bytes())
        .map_err(|_| ApiError::bad_request("the form is not ASCII; percent-encode what is not"))?;
    read(text, form)
}

pub(super) fn read<T: DeserializeOwned>(text: &str, form: &Form) -> Result<T, ApiError> {
    let empty = HeaderMap::new();
    let source = Source { path: Vec::new(), query: pairs(text)?, headers: &empty };
    let mut object = Map::new();
    for field in form.fields {
        if let Some(value) = super::parameter::parameter::<Value>(&source, field)? {
            object.insert(field.name.to_owned(), value);
        }
    }
    for (name, value) in &source.query {
        let value = decoded(value, true, name)?;
        let known = form
            .fields
            .iter()
            .any(|field| name.strip_prefix(field.name).is_some_and(|rest| rest.is_empty() || rest.starts_with('[')));
        if known || !form.rest {
            continue;
        }
        if object.insert(name.to_string(), Value::String(value.into_owned())).is_some() {
            return Err(super::style::twice(name));
        }
    }
    let object = Value::Object(object);
    match serde_json::from_value(object.clone()) {
        Ok(value) => Ok(value),
        Err(_) => at_path(&object.to_string(), ""),
    }
}
