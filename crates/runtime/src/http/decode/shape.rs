//! Conversion of text to JSON values by the shape that the document declares.

use serde_json::{Map, Number, Value};

use crate::http::ApiError;
use crate::http::decode::json::at_path;
use crate::http::decode::style::Written;

/// Shape of a value that is written as text.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// One text. The second field describes the expected value, for error messages.
    Scalar(Scalar, &'static str),
    /// The first of these shapes that matches. The second field describes the expected value, for error messages.
    Choice(&'static [&'static Shape], &'static str),
    /// Array whose items have one shape.
    Array(&'static Shape),
    /// Object.
    Object {
        /// Documented fields.
        fields: &'static [(&'static str, &'static Shape)],
        /// Shape of the other fields; if `None`, they are ignored.
        rest: Option<&'static Shape>,
    },
    /// JSON text.
    Json,
}

/// JSON type of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// `true` or `false`.
    Boolean,
    /// Digits with an optional sign.
    Integer,
    /// A JSON number.
    Number,
    /// The text itself.
    String,
    /// A JSON scalar if the text parses as one, otherwise the text itself.
    Any,
}

/// Converts a written value to JSON; `at` is its path.
///
/// # Errors
/// 422 with the path.
pub(in super::super) fn convert(shape: &Shape, written: Written, at: &str) -> Result<Value, ApiError> {
    match (shape, written) {
        (Shape::Scalar(scalar, expected), Written::Text(text)) => value(*scalar, expected, &text, at),
        (Shape::Json, Written::Text(text)) => at_path(&text, at),
        (Shape::Array(items), Written::Items(texts)) => texts
            .into_iter()
            .enumerate()
            .map(|(index, item)| convert(items, item, &format!("{at}[{index}]")))
            .collect::<Result<_, _>>()
            .map(Value::Array),
        (Shape::Object { fields, rest }, Written::Fields(entries)) => {
            let mut object = Map::new();
            for (name, entry) in entries {
                let known = fields.iter().find(|(field, _)| *field == name).map(|(_, shape)| *shape);
                let Some(shape) = known.or(*rest) else { continue };
                let at = format!("{at}.{name}");
                if object.contains_key(&name) {
                    return Err(ApiError::invalid(at.as_str(), format!("{at} is given twice; give it once")));
                }
                object.insert(name, convert(shape, entry, &at)?);
            }
            Ok(Value::Object(object))
        }
        (Shape::Choice(shapes, expected), written) => {
            let fits = shapes.iter().find_map(|shape| convert(shape, written.clone(), at).ok());
            fits.ok_or_else(|| super::mismatch(at, expected, &written.shown()))
        }
        // An array of one item, or a value in brackets where the shape has no array.
        (Shape::Array(items), Written::Text(text)) => {
            Ok(Value::Array(vec![convert(items, Written::Text(text), &format!("{at}[0]"))?]))
        }
        (shape, written) => Err(super::mismatch(at, shape.expected(), &written.shown())),
    }
}

impl Shape {
    pub(super) fn expected(&self) -> &'static str {
        match self {
            Self::Scalar(_, expected) | Self::Choice(_, expected) => expected,
            Self::Array(_) => "an array",
            Self::Object { .. } => "an object",
            Self::Json => "JSON",
        }
    }
}

fn value(scalar: Scalar, expected: &str, text: &str, at: &str) -> Result<Value, ApiError> {
    let found = match scalar {
        Scalar::String => Some(Value::String(text.to_owned())),
        Scalar::Boolean => match text {
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            _ => None,
        },
        Scalar::Integer => integer(text).map(Value::Number),
        Scalar::Number => number(text).map(Value::Number),
        Scalar::Any => Some(match text {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            _ => number(text).map_or_else(|| Value::String(text.to_owned()), Value::Number),
        }),
    };
    found.ok_or_else(|| super::mismatch(at, expected, text))
}

fn integer(text: &str) -> Option<Number> {
    text.parse::<i64>().map(Number::from).or_else(|_| text.parse::<u64>().map(Number::from)).ok()
}

/// Parses a number by the grammar of JSON: neither `inf` nor `.5`.
fn number(text: &str) -> Option<Number> {
    text.starts_with(|c: char| c == '-' || c.is_ascii_digit()).then(|| serde_json::from_str(text).ok()).flatten()
}
