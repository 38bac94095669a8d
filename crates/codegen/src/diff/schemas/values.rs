//! Comparison of single values: types, formats, enumerations, patterns, defaults.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::diff::Comparison;
use crate::diff::document::Node;
use crate::diff::schemas::{Change, Shape};
use crate::ir::schema::Direction;

impl<'a> Comparison<'a> {
    pub(super) fn nullable(&mut self, old: &Shape<'a>, new: &Shape<'a>, direction: Direction) {
        match (old.nullable, new.nullable) {
            (true, false) => {
                // The finding is at the schema: the old `nullable` may be gone, or overridden by another keyword.
                self.judge(direction, Change::Narrowed, &new.at, "null-forbidden", "null is not allowed any more");
            }
            (false, true) => {
                self.judge(direction, Change::Widened, new.node("nullable"), "null-allowed", "null is allowed now");
            }
            _ => {}
        }
    }

    /// Compares the types. Returns whether the schemas have anything else to compare.
    pub(super) fn types(&mut self, old: &Shape<'a>, new: &Shape<'a>, direction: Direction) -> bool {
        let (older, newer) = (old.types(), new.types());
        let change = match (&older, &newer) {
            (None, None) => return true,
            (None, Some(_)) => Change::Narrowed,
            (Some(_), None) => Change::Widened,
            (Some(older), Some(newer)) if older == newer => return true,
            (Some(older), Some(newer)) => match (covers(newer, older), covers(older, newer)) {
                (true, _) => Change::Widened,
                (_, true) => Change::Narrowed,
                _ => Change::Altered,
            },
        };
        let name = |types: &Option<BTreeSet<&str>>| match types {
            Some(types) => types.iter().copied().collect::<Vec<_>>().join(" or "),
            None => "anything".to_owned(),
        };
        let message = format!("the type went from {} to {}", name(&older), name(&newer));
        self.judge(direction, change, new.node("type"), "type", message);
        change != Change::Altered
    }

    pub(super) fn formats(&mut self, old: &Shape<'a>, new: &Shape<'a>, direction: Direction) {
        let format = |shape: &Shape<'a>| shape.first("format").and_then(|node| node.value.as_str()).map(str::to_owned);
        let (older, newer) = (format(old), format(new));
        let change = match (older.as_deref(), newer.as_deref()) {
            (None, None) => return,
            (None, Some(_)) => Change::Narrowed,
            (Some(_), None) => Change::Widened,
            (Some(older), Some(newer)) if older == newer => return,
            (Some(older), Some(newer)) => match (range(older), range(newer)) {
                (Some(old), Some(new)) if new.0 <= old.0 && old.1 <= new.1 => Change::Widened,
                (Some(old), Some(new)) if old.0 <= new.0 && new.1 <= old.1 => Change::Narrowed,
                _ if (older, newer) == ("float", "double") => Change::Widened,
                _ if (older, newer) == ("double", "float") => Change::Narrowed,
                _ => Change::Altered,
            },
        };
        let name = |format: Option<String>| format.map_or("none".to_owned(), |format| format!("`{format}`"));
        let message = format!("the format went from {} to {}", name(older), name(newer));
        self.judge(direction, change, new.node("format"), "format", message);
    }

    pub(super) fn enumerations(&mut self, old: &Shape<'a>, new: &Shape<'a>, direction: Direction) {
        match (Enumeration::of(old), Enumeration::of(new)) {
            (None, None) => {}
            (None, Some(newer)) => {
                let message = "only listed values are allowed now";
                let change = if newer.open { Change::Widened } else { Change::Narrowed };
                if !newer.open || direction == Direction::Request {
                    self.judge(direction, change, &newer.at, "enum-added", message);
                }
            }
            (Some(older), None) if older.open => {
                let reason = "the list was said to be open";
                self.safe(&older.at, "enum-removed", "the open list of values is gone", reason);
            }
            (Some(older), None) => {
                let message = "values that are not listed are allowed now";
                self.judge(direction, Change::Widened, &older.at, "enum-removed", message);
            }
            (Some(older), Some(newer)) => {
                // Otherwise the change of `nullable` is the finding.
                let null_is_listed = old.nullable && new.nullable;
                self.values(&older, &newer, direction, null_is_listed);
            }
        }
    }

    fn values(&mut self, old: &Enumeration<'a>, new: &Enumeration<'a>, direction: Direction, null_is_listed: bool) {
        let lacks = |list: &Enumeration<'a>, value: &Value| (null_is_listed || !value.is_null()) && !list.has(value);
        match (old.open, new.open) {
            (true, false) => {
                self.judge(direction, Change::Narrowed, &new.at, "enum-closed", "the list of values is closed now");
            }
            (false, true) => {
                self.judge(direction, Change::Widened, &new.at, "enum-opened", "the list of values is open now");
            }
            _ => {}
        }
        for (value, at) in old.values.iter().filter(|(value, _)| lacks(new, value)) {
            let message = format!("the value {value} is gone");
            self.judge(direction, Change::Narrowed, at, "enum-value-removed", message);
        }
        for (value, at) in new.values.iter().filter(|(value, _)| lacks(old, value)) {
            let message = format!("the value {value} is new");
            if old.open {
                let reason = "clients were told that further values would come";
                self.safe(at, "enum-value-added", message, reason);
            } else {
                self.judge(direction, Change::Widened, at, "enum-value-added", message);
            }
        }
    }

    pub(super) fn patterns(&mut self, old: &Shape<'a>, new: &Shape<'a>, direction: Direction) {
        let patterns = |shape: &Shape<'a>| -> BTreeSet<String> {
            shape.all("pattern").iter().filter_map(|node| node.value.as_str()).map(str::to_owned).collect()
        };
        let (older, newer) = (patterns(old), patterns(new));
        let (change, message) = match (older.is_subset(&newer), newer.is_subset(&older)) {
            (true, true) => return,
            (true, false) => (Change::Narrowed, "a pattern was added"),
            (false, true) => (Change::Widened, "a pattern was removed"),
            (false, false) => (Change::Altered, "the pattern changed"),
        };
        let at = if change == Change::Widened { old.node("pattern") } else { new.node("pattern") };
        self.judge(direction, change, at, "pattern", message);
    }

    /// Compares defaults: a default is the meaning of an absent value, in both directions.
    pub(super) fn defaults(&mut self, old: &Shape<'a>, new: &Shape<'a>) {
        match (old.first("default"), new.first("default")) {
            (Some(older), Some(newer)) if older.value != newer.value => {
                let message = format!("the default went from {} to {}", older.value, newer.value);
                let reason = "leaving the value out means something else now";
                self.breaking(newer, "default-changed", message, reason);
            }
            (Some(older), None) => {
                let message = format!("the default {} is gone", older.value);
                self.breaking(older, "default-removed", message, "what leaving the value out means is open now");
            }
            (None, Some(newer)) => {
                let message = format!("the default {} is documented", newer.value);
                self.safe(newer, "default-added", message, "leaving the value out was and is allowed");
            }
            _ => {}
        }
    }

    pub(super) fn negations(&mut self, old: &Shape<'a>, new: &Shape<'a>, direction: Direction) {
        match (old.all("not"), new.all("not")) {
            ([], []) => {}
            ([], [added, ..]) => self.judge(direction, Change::Narrowed, added, "not-added", "`not` was added"),
            ([removed, ..], []) => self.judge(direction, Change::Widened, removed, "not-removed", "`not` was removed"),
            (older, newer) => {
                let schema = |node: &Node<'a>| [node.clone().resolved()];
                let equal = older.len() == newer.len()
                    && older.iter().zip(newer).all(|(old, new)| self.same(&schema(old), &schema(new), direction));
                if !equal {
                    self.judge(direction, Change::Altered, &newer[0], "not-changed", "what `not` forbids changed");
                }
            }
        }
    }
}

/// A list of values. An open one (`x-extensible-enum`) may grow without breaking clients that read it.
struct Enumeration<'a> {
    values: Vec<(Value, Node<'a>)>,
    open: bool,
    at: Node<'a>,
}

impl<'a> Enumeration<'a> {
    fn of(shape: &Shape<'a>) -> Option<Self> {
        let extension = shape.first("x-extensible-enum");
        let open = extension.is_some_and(|node| node.value == true || node.value.is_array());
        let listed = shape.all("enum").iter().chain(extension.filter(|node| node.value.is_array()));
        let mut sum: Option<Self> = None;
        for at in listed.chain(shape.all("const")) {
            let one = std::slice::from_ref(at.value);
            let values = at.value.as_array().filter(|_| !at.pointer.ends_with("/const")).map_or(one, Vec::as_slice);
            match &mut sum {
                Some(sum) => sum.values.retain(|(value, _)| values.contains(value)),
                None => {
                    let values = values.iter().enumerate().map(|(index, value)| {
                        let node = at.child_at(index).unwrap_or_else(|| at.clone());
                        (value.clone(), node)
                    });
                    sum = Some(Self { values: values.collect(), open, at: at.clone() });
                }
            }
        }
        sum
    }

    fn has(&self, value: &Value) -> bool {
        self.values.iter().any(|(other, _)| other == value)
    }
}

/// Returns the listed values of a schema; `None` if others are allowed too.
pub(super) fn listed(shape: &Shape<'_>) -> Option<Vec<Value>> {
    let enumeration = Enumeration::of(shape).filter(|enumeration| !enumeration.open)?;
    Some(enumeration.values.into_iter().map(|(value, _)| value).collect())
}

/// Returns whether every value of the types `inner` has one of the types `outer`.
fn covers(outer: &BTreeSet<&str>, inner: &BTreeSet<&str>) -> bool {
    inner.iter().all(|one| outer.contains(one) || (*one == "integer" && outer.contains("number")))
}

/// Returns the least and the greatest value of an integer format.
pub(super) fn range(format: &str) -> Option<(i128, i128)> {
    let (signed, bits) = match format.strip_prefix("uint") {
        Some(bits) => (false, bits),
        None => (true, format.strip_prefix("int")?),
    };
    let bits: u32 = bits.parse().ok().filter(|bits| (1..=64).contains(bits))?;
    Some(if signed { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) })
}
