//! Charges for the operations of templates.

use std::sync::Arc;

use minijinja::value::{Object, ObjectRepr, ValueKind};
use minijinja::{Error, ErrorKind, State, Value};

use super::allowance::{allowance, take};
use super::values::{ITEM, check_item, settle, settle_map};

/// Longest escape of a character, in bytes.
const ESCAPED: u64 = 6;
/// Longest text of an integer, in bytes.
const INTEGER: u64 = 40;
/// Longest text of another number, in bytes.
const FLOAT: u64 = 330;

/// A function that the instructions of a template call before or after an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Charge {
    Add,
    Arguments,
    Compare,
    Concat,
    Contains,
    Entries,
    Item,
    Loop,
    Method,
    MethodFormat,
    MethodItems,
    MethodJoin,
    MethodReplace,
    MethodSplit,
    MethodStrip,
    Mul,
    /// Fails with a message.
    Refuse,
    SetAttribute,
    Settle,
    SettleMap,
    Slice,
}

impl Charge {
    pub(super) const ALL: [Self; 21] = [
        Self::Add,
        Self::Arguments,
        Self::Compare,
        Self::Concat,
        Self::Contains,
        Self::Entries,
        Self::Item,
        Self::Loop,
        Self::Method,
        Self::MethodFormat,
        Self::MethodItems,
        Self::MethodJoin,
        Self::MethodReplace,
        Self::MethodSplit,
        Self::MethodStrip,
        Self::Mul,
        Self::Refuse,
        Self::SetAttribute,
        Self::Settle,
        Self::SettleMap,
        Self::Slice,
    ];

    /// Returns the name of the function. No template can write it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Arguments => "()",
            Self::Compare => "==",
            Self::Concat => "~",
            Self::Contains => "in ",
            Self::Entries => "{}",
            Self::Item => "[]",
            Self::Loop => "for ",
            Self::Method => ".()",
            Self::MethodFormat => ".format",
            Self::MethodItems => ".items",
            Self::MethodJoin => ".join",
            Self::MethodReplace => ".replace",
            Self::MethodSplit => ".split",
            Self::MethodStrip => ".strip",
            Self::Mul => "*",
            Self::Refuse => "!",
            Self::SetAttribute => ".=",
            Self::Settle => "=",
            Self::SettleMap => "={}",
            Self::Slice => "[:]",
        }
    }

    /// Returns the charge for a call of a method.
    pub(super) fn of_method(name: &str) -> Self {
        match name {
            "format" => Self::MethodFormat,
            "items" | "keys" | "values" => Self::MethodItems,
            "join" => Self::MethodJoin,
            "replace" => Self::MethodReplace,
            "split" | "splitlines" => Self::MethodSplit,
            "strip" | "lstrip" | "rstrip" => Self::MethodStrip,
            _ => Self::Method,
        }
    }

    /// Returns whether a test reads more than the kind of its value.
    pub(super) fn is_costly_test(name: &str) -> bool {
        !matches!(
            name,
            "defined"
                | "undefined"
                | "none"
                | "boolean"
                | "number"
                | "integer"
                | "int"
                | "float"
                | "string"
                | "sequence"
                | "iterable"
                | "mapping"
                | "true"
                | "false"
                | "safe"
                | "escaped"
        )
    }
}

impl Object for Charge {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn call(self: &Arc<Self>, state: &mut State<'_, '_>, values: &[Value]) -> Result<Value, Error> {
        match (**self, values) {
            (Self::Refuse, [reason]) => return Err(Error::new(ErrorKind::InvalidOperation, reason.to_string())),
            (Self::Settle, [value]) => return settle(state, value.clone()),
            (Self::SettleMap, [value]) => return settle_map(state, value.clone()),
            (Self::Item, [value, key]) => {
                // An item of a text is found by counting characters.
                take(state, text(value).map_or(0, |text| text.len() as u64))?;
                weigh(state, key, 1)?;
                return value.get_item(key);
            }
            (Self::Loop, [value]) => {
                take(state, text(value).map_or(0, |text| text.len() as u64))?;
                return settle(state, value.clone());
            }
            (Self::Add, [left, right]) => sum(state, left, right)?,
            (Self::Mul, [left, right]) => product(state, left, right)?,
            (Self::Compare, [left, right]) => match (text(left), text(right)) {
                (Some(left), Some(right)) => take(state, left.len().min(right.len()) as u64)?,
                _ => weigh_all(state, values, 1)?,
            },
            (Self::Contains, [value, container]) => {
                shown(state, value)?;
                // A map looks its key up.
                if container.kind() != ValueKind::Map {
                    let items = container.len().unwrap_or(0) as u64 + 1;
                    let each = if text(container).is_some() { 0 } else { text(value).map_or(0, str::len) as u64 };
                    take(state, items.saturating_mul(each))?;
                    weigh(state, container, 1)?;
                }
            }
            (Self::Slice, [value, ..]) => take(state, 4 * size(value))?,
            (Self::SetAttribute, [value, _]) => check_item(value)?,
            (Self::Entries, entries) => {
                for key in entries.iter().step_by(2) {
                    weigh(state, key, 1)?;
                }
            }
            (Self::Concat, values) => values.iter().try_for_each(|value| shown(state, value))?,
            (Self::MethodFormat, [format, arguments @ ..]) => formatted(state, format, arguments)?,
            (Self::MethodJoin, [separator, items, ..]) => joined(state, items, Some(separator))?,
            (Self::MethodReplace, [whole, from, to, ..]) => replaced(state, whole, from, to)?,
            (Self::MethodSplit, [whole, arguments @ ..]) => pieces(state, whole, arguments.first())?,
            (Self::MethodStrip, [whole, characters, ..]) => stripped(state, whole, Some(characters))?,
            (Self::MethodItems, [map, ..]) => take(state, size(map))?,
            (_, [value, arguments @ ..])
                if value.as_object().is_some() && **self != Self::Arguments && self.is_method() =>
            {
                // A list counts equal items; other methods of objects look something up.
                let items = if value.kind() == ValueKind::Map { 0 } else { value.len().unwrap_or(0) as u64 };
                weigh_all(state, arguments, items + 1)?;
                if items > 0 {
                    weigh(state, value, 1)?;
                }
            }
            (_, values) => weigh_all(state, values, if self.is_method() { 3 } else { 1 })?,
        }
        // The next instruction takes the items of this list, the first one first.
        Ok(Value::from(values.iter().rev().cloned().collect::<Vec<Value>>()))
    }
}

impl Charge {
    fn is_method(self) -> bool {
        self.name().starts_with('.')
    }
}

/// Returns the text of a value.
fn text(value: &Value) -> Option<&str> {
    value.as_str()
}

/// Returns the charge for a copy of a value whose items are not copied.
pub(super) fn size(value: &Value) -> u64 {
    match text(value) {
        Some(text) => text.len() as u64,
        None if value.as_object().is_some() => ITEM * value.len().unwrap_or(0) as u64,
        None => 0,
    }
}

/// Charges for the whole value, with items of items, `times` times. Shared items are charged as often as they occur,
/// as a reader meets them.
///
/// # Errors
/// The allowance is exceeded.
pub(crate) fn weigh(state: &mut State, value: &Value, times: u64) -> Result<(), Error> {
    if let Some(text) = text(value) {
        return take(state, times.saturating_mul(text.len() as u64));
    }
    let Some(object) = value.as_object() else {
        return match value.kind() {
            ValueKind::Number if value.is_integer() => take(state, times.saturating_mul(INTEGER)),
            ValueKind::Number => take(state, times.saturating_mul(FLOAT)),
            _ => Ok(()),
        };
    };
    let item = times.saturating_mul(ITEM);
    match object.repr() {
        ObjectRepr::Map => {
            for (key, value) in object.try_iter_pairs().into_iter().flatten() {
                take(state, item)?;
                weigh(state, &key, times)?;
                weigh(state, &value, times)?;
            }
        }
        ObjectRepr::Seq | ObjectRepr::Iterable => {
            for value in object.try_iter().into_iter().flatten() {
                take(state, item)?;
                weigh(state, &value, times)?;
            }
        }
        _ => {}
    }
    Ok(())
}

/// Charges for the text of a value, in which texts of a list are quoted.
///
/// # Errors
/// The allowance is exceeded.
pub(crate) fn shown(state: &mut State, value: &Value) -> Result<(), Error> {
    weigh(state, value, if value.as_object().is_some() { ESCAPED } else { 1 })
}

/// Charges for each of the values, `times` times.
pub(super) fn weigh_all(state: &mut State, values: &[Value], times: u64) -> Result<(), Error> {
    values.iter().try_for_each(|value| weigh(state, value, times))
}

/// Returns the charge for a value.
pub(super) fn weight(state: &mut State, value: &Value) -> Result<u64, Error> {
    let before = allowance(state).left();
    weigh(state, value, 1)?;
    Ok(before - allowance(state).left())
}

fn sum(state: &mut State, left: &Value, right: &Value) -> Result<(), Error> {
    take(state, size(left).saturating_add(size(right)))
}

fn product(state: &mut State, left: &Value, right: &Value) -> Result<(), Error> {
    let (repeated, times) = if left.is_number() { (right, left) } else { (left, right) };
    if repeated.is_number() {
        return Ok(());
    }
    take(state, size(repeated).saturating_mul(times.as_usize().unwrap_or(0) as u64))
}

/// Charges for `whole` with each `from` replaced by `to`.
pub(super) fn replaced(state: &mut State, whole: &Value, from: &Value, to: &Value) -> Result<(), Error> {
    for value in [whole, from, to] {
        weigh(state, value, 1)?;
    }
    let (Some(whole), Some(from), Some(to)) = (text(whole), text(from), text(to)) else { return Ok(()) };
    take(state, (whole.matches(from).count() as u64).saturating_mul(to.len() as u64))
}

/// Charges for the items of a list with a separator between them.
pub(super) fn joined(state: &mut State, items: &Value, separator: Option<&Value>) -> Result<(), Error> {
    if text(items).is_some() {
        weigh(state, items, 1)?;
    }
    for item in items.as_object().and_then(|items| items.try_iter()).into_iter().flatten() {
        take(state, ITEM)?;
        shown(state, &item)?;
    }
    let separator = separator.map_or(0, size);
    take(state, (items.len().unwrap_or(0) as u64).saturating_mul(separator))
}

/// Charges for the pieces of a text between separators.
pub(super) fn pieces(state: &mut State, whole: &Value, separator: Option<&Value>) -> Result<(), Error> {
    weigh(state, whole, 2)?;
    let Some(whole) = text(whole) else { return Ok(()) };
    let pieces = match separator.and_then(text) {
        Some(separator) => whole.matches(separator).count(),
        None => whole.split_whitespace().count(),
    };
    take(state, (pieces as u64 + 1).saturating_mul(2 * ITEM))
}

/// Charges for a text without some characters at its ends.
pub(super) fn stripped(state: &mut State, whole: &Value, characters: Option<&Value>) -> Result<(), Error> {
    let characters = characters.and_then(text).map_or(1, |text| text.len() as u64 + 1);
    weigh(state, whole, characters)
}

/// Charges for a format with its arguments: each place of the format may show all of them, and each number in it may be
/// a width.
pub(super) fn formatted(state: &mut State, format: &Value, arguments: &[Value]) -> Result<(), Error> {
    weigh(state, format, 1)?;
    let Some(format) = text(format) else { return Ok(()) };
    let places = format.bytes().filter(|byte| matches!(byte, b'{' | b'%')).count() as u64;
    weigh_all(state, arguments, places.saturating_mul(ESCAPED))?;
    let widths = format.split(|character: char| !character.is_ascii_digit()).filter(|digits| !digits.is_empty());
    // Text of digits that is no number is longer than one.
    let widths = widths.map(|digits| digits.parse::<u64>().unwrap_or(u64::MAX)).fold(0, u64::saturating_add);
    take(state, widths.saturating_mul(4))?;
    // An argument is a width in `%*d` and `{:{}}`.
    let nested = format.split('{').any(|piece| piece.contains(':') && !piece.contains('}'));
    if format.contains('*') || nested {
        for argument in arguments {
            let width = argument.as_i64().map_or(0, i64::unsigned_abs);
            take(state, width.saturating_mul(4).saturating_mul(places))?;
        }
    }
    Ok(())
}
