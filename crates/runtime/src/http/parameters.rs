//! Descriptions of parameters, as generated code writes them.

use crate::http::decode::{Parameter, ParameterLocation, Scalar, Shape};

/// `true` or `false`.
pub const BOOLEAN: Shape = Shape::Scalar(Scalar::Boolean, "true or false");
/// An integer of 64 bits.
pub const INTEGER: Shape = Shape::Scalar(Scalar::Integer, "an integer");
/// A number.
pub const NUMBER: Shape = Shape::Scalar(Scalar::Number, "a number");
/// A string.
pub const STRING: Shape = Shape::Scalar(Scalar::String, "a string");
/// Any scalar.
pub const ANY: Shape = Shape::Scalar(Scalar::Any, "a value");

/// An integer within limits.
pub const fn integer(expected: &'static str) -> Shape {
    Shape::Scalar(Scalar::Integer, expected)
}

/// A number within limits.
pub const fn number(expected: &'static str) -> Shape {
    Shape::Scalar(Scalar::Number, expected)
}

/// A string of an enumeration.
pub const fn string(expected: &'static str) -> Shape {
    Shape::Scalar(Scalar::String, expected)
}

/// A parameter in the path.
pub const fn path(name: &'static str, shape: Shape) -> Parameter {
    Parameter::new(ParameterLocation::Path, name, shape)
}

/// A parameter in the query.
pub const fn query(name: &'static str, shape: Shape) -> Parameter {
    Parameter::new(ParameterLocation::Query, name, shape)
}

/// A header.
pub const fn header(name: &'static str, shape: Shape) -> Parameter {
    Parameter::new(ParameterLocation::Header, name, shape)
}

/// A cookie.
pub const fn cookie(name: &'static str, shape: Shape) -> Parameter {
    Parameter::new(ParameterLocation::Cookie, name, shape)
}
