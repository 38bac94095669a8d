//! Comparison of limits on numbers, lengths and counts.

use std::cmp::Ordering;

use serde_json::Number;

use crate::diff::Comparison;
use crate::diff::document::Node;
use crate::diff::schemas::{Change, Shape};
use crate::ir::schema::{Direction, integer};

/// A lower or upper bound.
struct Bound<'a> {
    value: &'a Number,
    /// Whether the value itself is excluded.
    exclusive: bool,
    at: Node<'a>,
}

/// Side of a bound.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Lower,
    Upper,
}

/// Keyword, keyword that makes the bound exclusive, side, name in messages.
const BOUNDS: [(&str, Option<&str>, End, &str); 8] = [
    ("minimum", Some("exclusiveMinimum"), End::Lower, "the least value"),
    ("maximum", Some("exclusiveMaximum"), End::Upper, "the greatest value"),
    ("minLength", None, End::Lower, "the least length"),
    ("maxLength", None, End::Upper, "the greatest length"),
    ("minItems", None, End::Lower, "the least number of items"),
    ("maxItems", None, End::Upper, "the greatest number of items"),
    ("minProperties", None, End::Lower, "the least number of properties"),
    ("maxProperties", None, End::Upper, "the greatest number of properties"),
];

impl<'a> Comparison<'a> {
    pub(super) fn limits(&mut self, old: &Shape<'a>, new: &Shape<'a>, direction: Direction) {
        for (key, exclusive, end, name) in BOUNDS {
            let (older, newer) = (bound(old, key, exclusive, end), bound(new, key, exclusive, end));
            let (change, at, message) = match (&older, &newer) {
                (None, None) => continue,
                (None, Some(newer)) if implied(old, key, newer.value) => continue,
                (Some(older), None) if implied(new, key, older.value) => continue,
                (None, Some(newer)) => (Change::Narrowed, &newer.at, format!("{name} is {} now", newer.shown())),
                (Some(older), None) => {
                    (Change::Widened, &older.at, format!("{name} was {} and has no limit now", older.shown()))
                }
                (Some(older), Some(newer)) => {
                    let change = match tighter(newer, older, end) {
                        Ordering::Equal => continue,
                        Ordering::Greater => Change::Narrowed,
                        Ordering::Less => Change::Widened,
                    };
                    (change, &newer.at, format!("{name} went from {} to {}", older.shown(), newer.shown()))
                }
            };
            self.judge(direction, change, at, "limit", message);
        }
        self.multiples(old, new, direction);
        let unique = |shape: &Shape<'a>| shape.all("uniqueItems").iter().any(|node| node.value == true);
        match (unique(old), unique(new)) {
            (false, true) => {
                let message = "items must differ from each other now";
                self.judge(direction, Change::Narrowed, new.node("uniqueItems"), "unique-items", message);
            }
            (true, false) => {
                let message = "items may be equal now";
                self.judge(direction, Change::Widened, new.node("uniqueItems"), "unique-items", message);
            }
            _ => {}
        }
    }

    fn multiples(&mut self, old: &Shape<'a>, new: &Shape<'a>, direction: Direction) {
        const KEY: &str = "multipleOf";
        let factor = |shape: &Shape<'a>| shape.first(KEY).and_then(|node| node.value.as_number());
        let (change, message) = match (factor(old), factor(new)) {
            (None, None) => return,
            (Some(older), Some(newer)) if compare(older, newer) == Ordering::Equal => return,
            (None, Some(newer)) => (Change::Narrowed, format!("the value must be a multiple of {newer} now")),
            (Some(older), Some(newer)) => {
                let change = match (divides(older, newer), divides(newer, older)) {
                    (true, _) => Change::Narrowed,
                    (_, true) => Change::Widened,
                    _ => Change::Altered,
                };
                (change, format!("the value must be a multiple of {newer} and no longer of {older}"))
            }
            (_, None) => (Change::Widened, "the value need not be a multiple any more".to_owned()),
        };
        let at = new.first(KEY).or(old.first(KEY)).unwrap_or(&new.at);
        self.judge(direction, change, at, "multiple", message);
    }
}

impl Bound<'_> {
    fn shown(&self) -> String {
        format!("{}{}", self.value, if self.exclusive { " (not included)" } else { "" })
    }
}

/// Returns the tightest bound among the parts of a schema.
fn bound<'a>(shape: &Shape<'a>, key: &str, exclusive: Option<&str>, end: End) -> Option<Bound<'a>> {
    // The exclusive keyword is either `true`, which excludes the bound beside it, or a number, which is an excluded
    // bound itself.
    let flags = exclusive.map_or(&[][..], |key| shape.all(key));
    let plain = shape.all(key).iter().filter_map(|at| {
        let parent = at.pointer.strip_suffix(key)?;
        let excluded = flags.iter().any(|flag| {
            flag.value == true
                && flag.pointer.starts_with(parent)
                && flag.pointer.len() == parent.len() + exclusive.map_or(0, str::len)
        });
        Some(Bound { value: at.value.as_number()?, exclusive: excluded, at: at.clone() })
    });
    let strict =
        flags.iter().filter_map(|at| Some(Bound { value: at.value.as_number()?, exclusive: true, at: at.clone() }));
    plain
        .chain(strict)
        .reduce(|best, other| if tighter(&other, &best, end) == Ordering::Greater { other } else { best })
}

/// Returns whether this bound says nothing: no length or number is below 0, and an integer format has bounds of its own.
fn implied(shape: &Shape<'_>, key: &str, bound: &Number) -> bool {
    if matches!(key, "minLength" | "minItems" | "minProperties") && float(bound) <= 0.0 {
        return true;
    }
    let format = shape.first("format").and_then(|node| node.value.as_str());
    let (Some((least, greatest)), Some(bound)) = (format.and_then(super::values::range), integer(bound)) else {
        return false;
    };
    (key == "minimum" && bound <= least) || (key == "maximum" && bound >= greatest)
}

/// Returns `Greater` if `one` allows less than `other`.
fn tighter(one: &Bound<'_>, other: &Bound<'_>, end: End) -> Ordering {
    let by_value = compare(one.value, other.value);
    let by_value = if end == End::Lower { by_value } else { by_value.reverse() };
    by_value.then(one.exclusive.cmp(&other.exclusive))
}

/// Compares numbers. Integers are compared exactly, in any notation: as floats, 2^63 - 1 and 2^63 would be equal.
fn compare(one: &Number, other: &Number) -> Ordering {
    match (integer(one), integer(other)) {
        (Some(one), Some(other)) => one.cmp(&other),
        _ => float(one).total_cmp(&float(other)),
    }
}

fn float(number: &Number) -> f64 {
    number.as_f64().unwrap_or(f64::NAN)
}

/// Returns whether each multiple of `whole` is a multiple of `part`.
fn divides(part: &Number, whole: &Number) -> bool {
    match (integer(part), integer(whole)) {
        (Some(part), Some(whole)) => part > 0 && whole % part == 0,
        _ => float(part) > 0.0 && (float(whole) / float(part)).fract() == 0.0,
    }
}
