//! Widths of integers: the type that holds the values of a schema.

use serde_json::{Number, Value};

use crate::fault::{Report, child};
use crate::ir::schema::{Bound, Integer, Limits};
use crate::lower::schemas::Schemas;
use crate::lower::schemas::parts::Part;
use crate::lower::schemas::scalars::format;

impl<'a> Schemas<'a> {
    /// Returns the width of an integer, and reports limits and values that are beyond it.
    pub(super) fn width(&mut self, parts: &[Part<'a>], limits: &Limits) -> Integer {
        let width = integer(parts, limits);
        let (least, most) = width.range().into_inner();
        let holds = |number: &Number| match number.as_i128() {
            Some(whole) => (least..=most).contains(&whole),
            None => number.as_f64().is_some_and(|number| least as f64 <= number && number <= most as f64),
        };
        for part in parts {
            for key in ["minimum", "maximum"] {
                let beyond = part.node.get(key).and_then(Value::as_number).filter(|number| !holds(number));
                if let Some(number) = beyond {
                    let message = format!(
                        "{number} is beyond the integers from {least} to {most}, which are the values that are taken"
                    );
                    self.faults.warn(&child(&part.pointer, key), message);
                }
            }
        }
        let beyond: Vec<_> =
            limits.one_of.iter().filter(|value| value.as_number().is_some_and(|number| !holds(number))).collect();
        if let (Some(value), Some(part)) = (beyond.first(), parts.iter().find(|part| part.node.contains_key("enum"))) {
            let message = format!("{value} is beyond the integers from {least} to {most} and is never taken");
            self.faults.warn(&child(&part.pointer, "enum"), message);
        }
        width
    }
}

/// Returns the width by `format`; without one 64 bits, unsigned only if the limits require it.
fn integer(parts: &[Part<'_>], limits: &Limits) -> Integer {
    let beyond = |bound: &Option<Bound>| {
        bound.as_ref().and_then(|bound| bound.value.as_f64()).is_some_and(|value| value > i64::MAX as f64)
    };
    match format(parts) {
        Some("int8") => Integer::I8,
        Some("int16") => Integer::I16,
        Some("int32") => Integer::I32,
        Some("uint8") => Integer::U8,
        Some("uint16") => Integer::U16,
        Some("uint" | "uint32") => Integer::U32,
        Some("uint64") => Integer::U64,
        Some("int64") => Integer::I64,
        _ if beyond(&limits.maximum) && limits.minimum.as_ref().is_some_and(|low| !is_negative(&low.value)) => {
            Integer::U64
        }
        _ => Integer::I64,
    }
}

fn is_negative(number: &Number) -> bool {
    number.as_f64().is_some_and(|number| number < 0.0)
}
