//! Parameter decoding: finds a parameter, splits it by its style, and converts it to its documented type.

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::http::ApiError;
use crate::http::decode::json::at_path;
use crate::http::decode::shape::convert;
use crate::http::decode::source::cookies;
use crate::http::decode::style::{Coding, Wanted, Written, bracketed, delimited, not_fields, twice};
use crate::http::decode::{Shape, Source, mismatch};
use crate::parameter::{ParameterLocation, Style};

/// A parameter of an operation.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Name, spelt as in the document.
    pub name: &'static str,
    /// Location in the request.
    pub location: ParameterLocation,
    /// Serialisation.
    pub encoding: Encoding,
    /// Shape of the value.
    pub shape: Shape,
    /// Whether an empty value counts as absent.
    pub allow_empty: bool,
    /// Names of the other query parameters, which an exploded object must not take as its fields.
    pub others: &'static [&'static str],
}

impl Parameter {
    /// Creates a parameter with the style that is the default of its location.
    pub const fn new(location: ParameterLocation, name: &'static str, shape: Shape) -> Self {
        let style = location.default_style();
        let encoding = Encoding::Styled(style, matches!(style, Style::Form));
        Self { name, location, encoding, shape, allow_empty: false, others: &[] }
    }

    /// Sets style and `explode`.
    #[must_use]
    pub const fn style(self, style: Style, explode: bool) -> Self {
        Self { encoding: Encoding::Styled(style, explode), ..self }
    }

    /// Sets JSON as the serialisation.
    #[must_use]
    pub const fn json(self) -> Self {
        Self { encoding: Encoding::Json, ..self }
    }

    /// Counts an empty value as absent.
    #[must_use]
    pub const fn allow_empty(self) -> Self {
        Self { allow_empty: true, ..self }
    }

    /// Sets the names of the other query parameters.
    #[must_use]
    pub const fn others(self, others: &'static [&'static str]) -> Self {
        Self { others, ..self }
    }
}

/// Serialisation of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// A style; the flag is `explode`.
    Styled(Style, bool),
    /// JSON.
    Json,
}

/// Decodes a parameter; `None` if it is absent.
///
/// # Errors
/// 400 for malformed text, 422 with the path for a value that the document does not allow.
pub(in super::super) fn parameter<T: DeserializeOwned>(
    source: &Source<'_>,
    parameter: &Parameter,
) -> Result<Option<T>, ApiError> {
    if parameter.encoding == Encoding::Json {
        return one(source, parameter)?.map(|text| at_path(&text, parameter.name)).transpose();
    }
    for shape in shapes(&parameter.shape) {
        let last = std::ptr::eq(shape, &parameter.shape) || is_last(&parameter.shape, shape);
        let written = match written(source, parameter, shape) {
            Ok(Some(written)) => written,
            Ok(None) => return Ok(None),
            // The value may be written in the syntax of another shape.
            Err(_) if !last => continue,
            Err(failure) => return Err(failure),
        };
        match convert(shape, written.clone(), parameter.name)
            .and_then(|value| typed(value, shape, &written, parameter.name))
        {
            Ok(value) => return Ok(Some(value)),
            Err(failure) if last && matches!(parameter.shape, Shape::Choice(..)) => {
                let shown = mismatch(parameter.name, parameter.shape.expected(), &written.shown());
                return Err(if matches!(shape, Shape::Object { .. }) { failure } else { shown });
            }
            Err(failure) if last => return Err(failure),
            Err(_) => {}
        }
    }
    Ok(None)
}

/// Converts a written value to the type `T` of the shape.
pub(in super::super) fn typed_value<T: DeserializeOwned>(
    shape: &Shape,
    written: &Written,
    name: &str,
) -> Result<T, ApiError> {
    let value = convert(shape, written.clone(), name)?;
    typed(value, shape, written, name)
}

/// Returns the shapes that a value may have, in the order of trial.
fn shapes(shape: &Shape) -> Vec<&Shape> {
    match shape {
        Shape::Choice(shapes, _) => shapes.iter().flat_map(|shape| self::shapes(shape)).collect(),
        shape => vec![shape],
    }
}

fn is_last(whole: &Shape, shape: &Shape) -> bool {
    shapes(whole).last().is_some_and(|last| std::ptr::eq(*last, shape))
}

/// Deserialises the value.
fn typed<T: DeserializeOwned>(value: Value, shape: &Shape, written: &Written, name: &str) -> Result<T, ApiError> {
    match serde_json::from_value(value.clone()) {
        Ok(value) => Ok(value),
        Err(_) if matches!(shape, Shape::Scalar(..)) => Err(mismatch(name, shape.expected(), &written.shown())),
        Err(_) => match (at_path::<T>(&value.to_string(), name), shape) {
            (Err(failure), Shape::Array(Shape::Scalar(_, expected))) => {
                // The document's description of the item is clearer than the type's own message.
                match (failure.param(), written) {
                    (Some(path), Written::Items(items)) => {
                        let index = path.rsplit_once('[').and_then(|(_, index)| index.strip_suffix(']')?.parse().ok());
                        match index.and_then(|index: usize| items.get(index)) {
                            Some(item) => Err(mismatch(path, expected, &item.shown())),
                            None => Err(failure),
                        }
                    }
                    _ => Err(failure),
                }
            }
            (outcome, _) => outcome,
        },
    }
}

/// Finds the text of a parameter and splits it as the shape requires; `None` if it is absent.
fn written(source: &Source<'_>, parameter: &Parameter, shape: &Shape) -> Result<Option<Written>, ApiError> {
    let name = parameter.name;
    let wanted = Wanted::by(shape);
    let (style, explode) = match parameter.encoding {
        Encoding::Json => return one(source, parameter).map(|text| text.map(Written::Text)),
        Encoding::Styled(style, explode) => (style, explode),
    };
    let found = match (parameter.location, style) {
        (ParameterLocation::Path, Style::Label) => label(source, parameter, explode, wanted)?,
        (ParameterLocation::Path, Style::Matrix) => matrix(source, parameter, explode, wanted)?,
        (ParameterLocation::Path, _) => match source.path.iter().find(|(key, _)| *key == name) {
            Some((_, text)) => Some(delimited(text, &[","], explode, wanted, Coding::Path, name)?),
            None => None,
        },
        (ParameterLocation::Header, _) => header(source, parameter, explode, wanted)?,
        (ParameterLocation::Query, Style::DeepObject) => bracketed(&source.query, name, shape, Coding::Query)?,
        (ParameterLocation::Query, style) => {
            let separators: &[&str] = match style {
                Style::SpaceDelimited => &["%20", "+"],
                Style::PipeDelimited => &["|", "%7C", "%7c"],
                _ => &[","],
            };
            let pairs = source.query.iter().map(|(key, value)| (key.as_ref(), *value)).collect::<Vec<_>>();
            pairs_of(&pairs, parameter, separators, explode, wanted, Coding::Query)?
        }
        (ParameterLocation::Cookie, _) => {
            let pairs: Vec<_> = cookies(source.headers).collect();
            pairs_of(&pairs, parameter, &[","], explode, wanted, Coding::Path)?
        }
    };
    let is_string = matches!(shape, Shape::Scalar(super::Scalar::String, _));
    Ok(found.filter(|written| !(parameter.allow_empty && !is_string && written.shown().is_empty())))
}

/// Returns the single text of a parameter, of any style.
fn one(source: &Source<'_>, parameter: &Parameter) -> Result<Option<String>, ApiError> {
    let name = parameter.name;
    let text = match parameter.location {
        ParameterLocation::Path => {
            source.path.iter().find(|(key, _)| *key == name).map(|(_, text)| Coding::Path.plain(text, name))
        }
        ParameterLocation::Query => {
            let mut values = source.query.iter().filter(|(key, _)| *key == name).map(|(_, value)| *value);
            let first = values.next();
            if values.next().is_some() {
                return Err(twice(name));
            }
            first.map(|text| Coding::Query.plain(text, name))
        }
        ParameterLocation::Header => match header(source, parameter, false, Wanted::Text)? {
            Some(Written::Text(text)) => return Ok(Some(text)),
            _ => None,
        },
        ParameterLocation::Cookie => {
            let found = cookies(source.headers).find(|(key, _)| *key == name);
            return found.map(|(_, text)| Coding::Path.plain(text, name).map(Into::into)).transpose();
        }
    };
    text.transpose().map(|text| text.map(Into::into))
}

fn pairs_of(
    pairs: &[(&str, &str)],
    parameter: &Parameter,
    separators: &[&str],
    explode: bool,
    wanted: Wanted,
    coding: Coding,
) -> Result<Option<Written>, ApiError> {
    let name = parameter.name;
    if wanted == Wanted::Fields && explode {
        return exploded(pairs, parameter, coding);
    }
    let values: Vec<&str> = pairs.iter().filter(|(key, _)| *key == name).map(|(_, value)| *value).collect();
    match (values.as_slice(), wanted) {
        ([], _) => Ok(None),
        ([only], Wanted::Items) if explode => match only.is_empty() {
            true => Ok(Some(Written::Items(Vec::new()))),
            false => Ok(Some(Written::Items(vec![Written::Text(coding.plain(only, name)?.into_owned())]))),
        },
        (several, Wanted::Items) if explode => several
            .iter()
            .map(|text| Ok(Written::Text(coding.plain(text, name)?.into_owned())))
            .collect::<Result<_, _>>()
            .map(|items| Some(Written::Items(items))),
        ([only], wanted) => delimited(only, separators, false, wanted, coding, name).map(Some),
        _ => Err(twice(name)),
    }
}

/// Collects the fields of an exploded object, each a parameter of its own: the fields that the shape names and, if it
/// allows others, every pair whose name is not another parameter's.
fn exploded(pairs: &[(&str, &str)], parameter: &Parameter, coding: Coding) -> Result<Option<Written>, ApiError> {
    let Shape::Object { fields, rest } = object_of(&parameter.shape) else { return Ok(None) };
    let mut found = Vec::new();
    for (key, value) in pairs {
        let own = fields.iter().any(|(field, _)| field == key);
        if own || (rest.is_some() && !parameter.others.contains(key)) {
            found.push(((*key).to_owned(), Written::Text(coding.plain(value, key)?.into_owned())));
        }
    }
    Ok((!found.is_empty()).then_some(Written::Fields(found)))
}

fn object_of(shape: &Shape) -> &Shape {
    match shape {
        Shape::Choice(shapes, _) => shapes
            .iter()
            .map(|shape| object_of(shape))
            .find(|shape| matches!(shape, Shape::Object { .. }))
            .unwrap_or(shape),
        shape => shape,
    }
}

fn header(
    source: &Source<'_>,
    parameter: &Parameter,
    explode: bool,
    wanted: Wanted,
) -> Result<Option<Written>, ApiError> {
    let name = parameter.name;
    let mut texts = Vec::new();
    for value in source.headers.get_all(name) {
        let text = std::str::from_utf8(value.as_bytes());
        texts
            .push(text.map_err(|_| ApiError::bad_request(format!("the header {name} is not UTF-8")).with_param(name))?);
    }
    match (texts.as_slice(), wanted) {
        ([], _) => Ok(None),
        ([text], _) => delimited(text, &[","], explode, wanted, Coding::Plain, name).map(Some),
        // Several header lines of a list are one list.
        (several, Wanted::Items | Wanted::Fields) => {
            delimited(&several.join(","), &[","], explode, wanted, Coding::Plain, name).map(Some)
        }
        _ => Err(twice(name)),
    }
}

fn label(
    source: &Source<'_>,
    parameter: &Parameter,
    explode: bool,
    wanted: Wanted,
) -> Result<Option<Written>, ApiError> {
    let name = parameter.name;
    let Some((_, text)) = source.path.iter().find(|(key, _)| *key == name) else { return Ok(None) };
    let text = text.strip_prefix('.').ok_or_else(|| mismatch(name, "a label that begins with a dot", text))?;
    // The specification's own example joins with dots where its grammar requires commas; both are accepted.
    let separators: &[&str] = if !explode && text.contains(',') { &[","] } else { &["."] };
    delimited(text, separators, explode, wanted, Coding::Path, name).map(Some)
}

fn matrix(
    source: &Source<'_>,
    parameter: &Parameter,
    explode: bool,
    wanted: Wanted,
) -> Result<Option<Written>, ApiError> {
    let name = parameter.name;
    let Some((_, text)) = source.path.iter().find(|(key, _)| *key == name) else { return Ok(None) };
    let text = text.strip_prefix(';').ok_or_else(|| mismatch(name, "a matrix that begins with a semicolon", text))?;
    if explode && wanted == Wanted::Fields {
        return delimited(text, &[";"], true, wanted, Coding::Path, name).map(Some);
    }
    let mut values = Vec::new();
    for piece in text.split(';') {
        let (key, value) = piece.split_once('=').unwrap_or((piece, ""));
        if Coding::Path.plain(key, name)? != name {
            return Err(not_fields(name, "its own name and a value"));
        }
        values.push(value);
    }
    match (values.as_slice(), wanted) {
        ([only], wanted) => delimited(only, &[","], false, wanted, Coding::Path, name).map(Some),
        (several, Wanted::Items) => several
            .iter()
            .map(|text| Ok(Written::Text(Coding::Path.plain(text, name)?.into_owned())))
            .collect::<Result<_, _>>()
            .map(|items| Some(Written::Items(items))),
        _ => Err(twice(name)),
    }
}
