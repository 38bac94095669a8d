//! Lists, tuples and maps that know their depth, so that no chain of them exceeds the stack.

use std::fmt;
use std::sync::Arc;

use minijinja::value::{Enumerator, Object, ObjectRepr};
use minijinja::{Error, ErrorKind, State, Value};

use super::allowance::allowance;

/// Maximum depth of lists in lists. JSON that a caller sends is at most 128 levels deep.
const MAX_DEPTH: u32 = 192;
/// Charge for an item of a list or a map.
pub(super) const ITEM: u64 = 32;
/// Charge for a macro, with the variables that it encloses.
const OBJECT: u64 = 512;

/// A list.
pub(super) struct List {
    items: Vec<Value>,
    depth: u32,
}

/// A list that is shown in parentheses.
pub(super) struct Tuple(List);

/// A map.
pub(super) struct Map {
    /// A map of minijinja's.
    entries: Value,
    depth: u32,
}

impl fmt::Debug for List {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.items).finish()
    }
}

impl fmt::Debug for Tuple {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        for (index, item) in self.0.items.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { ", " })?;
            fmt::Debug::fmt(item, f)?;
        }
        f.write_str(if self.0.items.len() == 1 { ",)" } else { ")" })
    }
}

impl fmt::Debug for Map {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.entries, f)
    }
}

impl Object for List {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Seq
    }

    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        self.items.get(key.as_usize()?).cloned()
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::Seq(self.items.len())
    }
}

impl Object for Tuple {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Seq
    }

    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        self.0.items.get(key.as_usize()?).cloned()
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::Seq(self.0.items.len())
    }

    fn render(self: &Arc<Self>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

impl Object for Map {
    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        self.entries.as_object()?.get_value(key)
    }

    fn get_value_by_str(self: &Arc<Self>, key: &str) -> Option<Value> {
        self.entries.as_object()?.get_value_by_str(key)
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        self.entries.as_object().map_or(Enumerator::Empty, |entries| entries.enumerate())
    }

    fn enumerator_len(self: &Arc<Self>) -> Option<usize> {
        self.entries.len()
    }
}

/// Returns a JSON value as a template's value.
pub(crate) fn of_json(value: &serde_json::Value) -> Value {
    use serde_json::Value as Json;

    match value {
        Json::Null => Value::from(()),
        Json::Bool(value) => Value::from(*value),
        Json::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(number), _) => Value::from(number),
            (None, Some(number)) => Value::from(number),
            (None, None) => Value::from(number.as_f64().unwrap_or_default()),
        },
        Json::String(text) => Value::from(text.as_str()),
        Json::Array(items) => {
            let items: Vec<Value> = items.iter().map(of_json).collect();
            let depth = 1 + items.iter().map(depth).max().unwrap_or(0);
            Value::from_object(List { items, depth })
        }
        Json::Object(entries) => {
            map(Value::from_pairs(entries.iter().map(|(key, value)| (key.as_str(), of_json(value)))))
        }
    }
}

/// Returns the levels of lists and maps in a value.
fn depth(value: &Value) -> u32 {
    let Some(object) = value.as_object() else { return 0 };
    let list = object.downcast_ref::<List>().or_else(|| object.downcast_ref::<Tuple>().map(|tuple| &tuple.0));
    list.map(|list| list.depth).or_else(|| object.downcast_ref::<Map>().map(|map| map.depth)).unwrap_or(0)
}

/// Returns minijinja's map as one that knows its depth.
fn map(entries: Value) -> Value {
    let pairs = entries.as_object().and_then(|object| object.try_iter_pairs());
    let deepest = pairs.into_iter().flatten().map(|(key, value)| depth(&key).max(depth(&value))).max();
    Value::from_object(Map { depth: 1 + deepest.unwrap_or(0), entries })
}

fn is_known(value: &Value) -> bool {
    value.as_object().is_some_and(|object| object.is::<List>() || object.is::<Tuple>() || object.is::<Map>())
}

/// Checks that a value may be an item of a list or a namespace: text, a number, a list or a map. A macro, a loop or a
/// namespace may not; it could contain itself.
///
/// # Errors
/// It may not.
pub(super) fn check_item(value: &Value) -> Result<(), Error> {
    if value.as_object().is_none() || is_known(value) {
        return Ok(());
    }
    let reason = format!("{} cannot be an item of a list, a map or a namespace here", value.kind());
    Err(Error::new(ErrorKind::InvalidOperation, reason))
}

fn check_depth(depth: u32) -> Result<u32, Error> {
    if depth <= MAX_DEPTH {
        return Ok(depth);
    }
    Err(Error::new(ErrorKind::InvalidOperation, format!("lists are nested deeper than {MAX_DEPTH} levels")))
}

fn list(state: &mut State, value: &Value) -> Result<List, Error> {
    let (mut items, mut deepest) = (Vec::new(), 0);
    for item in value.try_iter()? {
        // A pair of a map is minijinja's own tuple, a batch its own list.
        let item = settle(state, item)?;
        check_item(&item)?;
        allowance(state).take(ITEM)?;
        deepest = deepest.max(depth(&item));
        items.push(item);
    }
    Ok(List { items, depth: check_depth(deepest + 1)? })
}

/// Returns the result of an operation without lazy parts: each step of a lazy list would cost as much as all lists
/// below it.
///
/// # Errors
/// The allowance is exceeded, or a list contains itself.
pub(super) fn settle(state: &mut State, value: Value) -> Result<Value, Error> {
    let Some(object) = value.as_object() else { return Ok(value) };
    if is_known(&value) || value.is_kwargs() {
        return Ok(value);
    }
    match object.repr() {
        ObjectRepr::Seq | ObjectRepr::Iterable if value.is_tuple() => {
            Ok(Value::from_object(Tuple(list(state, &value)?)))
        }
        ObjectRepr::Seq | ObjectRepr::Iterable => Ok(Value::from_object(list(state, &value)?)),
        _ => {
            allowance(state).take(OBJECT)?;
            Ok(value)
        }
    }
}

/// Like [`settle`], for a new map; other maps are namespaces.
///
/// # Errors
/// Same as [`settle`].
pub(super) fn settle_map(state: &mut State, value: Value) -> Result<Value, Error> {
    if is_known(&value) {
        return Ok(value);
    }
    let Some(object) = value.as_object() else { return Ok(value) };
    for (key, item) in object.try_iter_pairs().into_iter().flatten() {
        check_item(&key)?;
        check_item(&item)?;
        allowance(state).take(2 * ITEM)?;
    }
    let map = map(value);
    check_depth(depth(&map))?;
    Ok(map)
}

/// Returns a constant of a template as a value that knows its depth. The source limits its size.
pub(super) fn constant(value: &Value) -> Value {
    let Some(object) = value.as_object().filter(|_| !value.is_kwargs()) else { return value.clone() };
    match object.repr() {
        ObjectRepr::Map => map(Value::from_pairs(
            object.try_iter_pairs().into_iter().flatten().map(|(key, value)| (constant(&key), constant(&value))),
        )),
        ObjectRepr::Seq | ObjectRepr::Iterable => {
            let items: Vec<Value> = object.try_iter().into_iter().flatten().map(|item| constant(&item)).collect();
            let list = List { depth: 1 + items.iter().map(depth).max().unwrap_or(0), items };
            if value.is_tuple() { Value::from_object(Tuple(list)) } else { Value::from_object(list) }
        }
        _ => value.clone(),
    }
}
