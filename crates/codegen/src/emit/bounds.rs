//! Integer bounds of a schema.

use serde_json::Value;

use crate::ir::schema::Bound;

/// Returns the least integer that a `minimum` allows.
pub(super) fn lower(bound: &Bound) -> Option<i128> {
    let whole = whole(&Value::Number(bound.value.clone()));
    match whole {
        Some(limit) => Some(if bound.exclusive { limit + 1 } else { limit }),
        None => bound.value.as_f64().filter(|limit| limit.abs() < 1e30).map(|limit| limit.ceil() as i128),
    }
}

/// Returns the greatest integer that a `maximum` allows.
pub(super) fn upper(bound: &Bound) -> Option<i128> {
    let whole = whole(&Value::Number(bound.value.clone()));
    match whole {
        Some(limit) => Some(if bound.exclusive { limit - 1 } else { limit }),
        None => bound.value.as_f64().filter(|limit| limit.abs() < 1e30).map(|limit| limit.floor() as i128),
    }
}

/// Returns a number of the document as an integer; `None` if it has a fraction.
pub(super) fn whole(value: &Value) -> Option<i128> {
    let Value::Number(number) = value else { return None };
    number.as_i128().or_else(|| number.as_f64().filter(|n| n.fract() == 0.0 && n.abs() < 1e30).map(|n| n as i128))
}
