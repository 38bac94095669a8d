//! The filters and functions of templates, each with its charge.

use std::sync::Arc;

use minijinja::value::{Object, ObjectRepr, ValueKind};
use minijinja::{Environment, Error, ErrorKind, State, Value, filters, functions};

use super::allowance::take;
use super::costs::{Charge, formatted, joined, pieces, replaced, size, stripped, weigh, weigh_all, weight};
use super::source::ONE;
use super::values::{ITEM, check_item, settle, settle_map};
use crate::environment::{tojson, trim};

/// Maximum number of names in a new namespace.
const MAX_NAMES: usize = 1024;

/// Charge for a filter, from its arguments.
#[derive(Debug, Clone, Copy)]
enum Cost {
    /// The time does not depend on the arguments.
    Constant,
    /// Every argument is read, as often as stated.
    Whole(u64),
    /// The items are copied, not read.
    Items,
    /// Each item is compared with the other arguments.
    Each,
    /// Each item is added to those before it.
    Sum,
    Batch,
    Format,
    Indent,
    Join,
    Length,
    Map,
    Replace,
    Slice,
    Split,
    Strip,
}

macro_rules! table {
    ($($name:literal => $cost:expr, $function:path;)*) => {
        /// Returns the names of the functions that implement filters; no template can write them.
        fn metered_name(name: &str) -> Option<&'static str> {
            match name {
                $($name => Some(concat!("|", $name)),)*
                _ => None,
            }
        }

        /// Adds the filters to an environment.
        fn add_filters(environment: &mut Environment<'static>) {
            $(environment.add_global(
                concat!("|", $name),
                Value::from_object(Filter { cost: $cost, function: Value::from_function($function) }),
            );)*
        }
    };
}

table! {
    "abs" => Cost::Constant, filters::abs;
    "attr" => Cost::Whole(1), filters::attr;
    "batch" => Cost::Batch, filters::batch;
    "bool" => Cost::Constant, filters::bool;
    "capitalize" => Cost::Whole(3), filters::capitalize;
    "chain" => Cost::Items, filters::chain;
    "count" => Cost::Length, filters::length;
    "d" => Cost::Constant, filters::default;
    "default" => Cost::Constant, filters::default;
    "dictsort" => Cost::Whole(20), filters::dictsort;
    "e" => Cost::Whole(6), filters::escape;
    "escape" => Cost::Whole(6), filters::escape;
    "first" => Cost::Constant, filters::first;
    "float" => Cost::Whole(1), filters::float;
    "format" => Cost::Format, filters::format;
    "indent" => Cost::Indent, filters::indent;
    "int" => Cost::Whole(1), filters::int;
    "items" => Cost::Items, filters::items;
    "join" => Cost::Join, filters::join;
    "last" => Cost::Constant, last;
    "length" => Cost::Length, filters::length;
    "lines" => Cost::Split, filters::lines;
    "list" => Cost::Items, filters::list;
    "lower" => Cost::Whole(3), filters::lower;
    "map" => Cost::Map, filters::map;
    "max" => Cost::Whole(2), filters::max;
    "min" => Cost::Whole(2), filters::min;
    "reject" => Cost::Each, filters::reject;
    "rejectattr" => Cost::Each, filters::rejectattr;
    "replace" => Cost::Replace, filters::replace;
    "reverse" => Cost::Items, filters::reverse;
    "round" => Cost::Constant, filters::round;
    "safe" => Cost::Whole(6), filters::safe;
    "select" => Cost::Each, filters::select;
    "selectattr" => Cost::Each, filters::selectattr;
    "slice" => Cost::Slice, filters::slice;
    "sort" => Cost::Whole(20), filters::sort;
    "split" => Cost::Split, filters::split;
    "string" => Cost::Whole(6), filters::string;
    "sum" => Cost::Sum, filters::sum;
    "title" => Cost::Whole(3), filters::title;
    "tojson" => Cost::Whole(6), tojson;
    "trim" => Cost::Strip, trim;
    "unique" => Cost::Whole(20), filters::unique;
    "upper" => Cost::Whole(3), filters::upper;
    "zip" => Cost::Items, filters::zip;
}

/// Returns the name of the function that implements a filter, if there is one.
pub(super) fn filter_function(name: &str) -> Option<&'static str> {
    metered_name(name.trim())
}

/// Adds filters, functions and charges to an environment, in place of minijinja's.
pub(crate) fn install(environment: &mut Environment<'static>) {
    let own: Vec<String> = environment.globals().map(|(name, _)| name.to_owned()).collect();
    own.iter().for_each(|name| environment.remove_global(name));
    add_filters(environment);
    for charge in Charge::ALL {
        environment.add_global(charge.name(), Value::from_object(charge));
    }
    environment.add_global(ONE, 1);
    environment.add_global("range", Value::from_function(functions::range));
    environment.add_global("dict", Value::from_object(Dict(Value::from_function(functions::dict))));
    environment.add_global("namespace", Value::from_object(Namespace(Value::from_function(functions::namespace))));
}

/// A filter with its charge.
#[derive(Debug)]
struct Filter {
    cost: Cost,
    function: Value,
}

impl Object for Filter {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn call(self: &Arc<Self>, state: &mut State<'_, '_>, arguments: &[Value]) -> Result<Value, Error> {
        if let (Cost::Map, [items, name, others @ ..]) = (self.cost, arguments)
            && let Some(name) = name.as_str()
        {
            return map(state, items, name, others);
        }
        self.cost.charge(state, arguments)?;
        let result = self.function.call(state, arguments)?;
        take(state, result.as_str().map_or(0, |text| text.len() as u64))?;
        settle(state, result)
    }
}

impl Cost {
    fn charge(self, state: &mut State, arguments: &[Value]) -> Result<(), Error> {
        let Some((value, others)) = arguments.split_first() else { return Ok(()) };
        let count = || others.first().and_then(Value::as_usize).unwrap_or(0) as u64;
        match self {
            Self::Constant => Ok(()),
            Self::Whole(times) => weigh_all(state, arguments, times),
            Self::Items => {
                let text = value.kind() == ValueKind::String;
                take(state, size(value).saturating_mul(if text { ITEM } else { 1 }))?;
                others.iter().try_for_each(|other| take(state, size(other)))
            }
            Self::Each | Self::Map => {
                let mut other = 1;
                for value in others {
                    other += weight(state, value)?;
                }
                weigh(state, value, ITEM)?;
                take(state, (value.len().unwrap_or(0) as u64 + 1).saturating_mul(other))
            }
            Self::Sum => {
                let whole = weight(state, value)?;
                take(state, (value.len().unwrap_or(0) as u64 + 1).saturating_mul(whole))
            }
            Self::Batch => {
                weigh(state, value, ITEM)?;
                take(state, if others.len() > 1 { count().saturating_mul(ITEM) } else { 0 })
            }
            Self::Slice => {
                weigh(state, value, ITEM)?;
                take(state, count().saturating_mul(2 * ITEM))
            }
            Self::Format => formatted(state, value, others),
            Self::Indent => {
                weigh(state, value, 2)?;
                let named =
                    others.last().filter(|last| last.is_kwargs()).and_then(|named| named.get_attr("width").ok());
                let width =
                    named.as_ref().and_then(Value::as_usize).unwrap_or(4).max(usize::try_from(count()).unwrap_or(0));
                let lines = value.as_str().map_or(0, |text| text.matches('\n').count()) as u64 + 2;
                take(state, lines.saturating_mul(width as u64))
            }
            Self::Join => {
                let named = others.last().filter(|last| last.is_kwargs()).and_then(|named| named.get_attr("d").ok());
                joined(state, value, named.as_ref().filter(|named| named.as_str().is_some()).or(others.first()))
            }
            Self::Length => take(state, value.as_str().map_or(0, str::len) as u64),
            Self::Replace => match others {
                [from, to, ..] => replaced(state, value, from, to),
                _ => Ok(()),
            },
            Self::Split => pieces(state, value, others.first()),
            Self::Strip => stripped(state, value, others.first()),
        }
    }
}

/// Implements `last` without a copy of the list.
fn last(value: Value) -> Result<Value, Error> {
    match value.len() {
        Some(length) if length > 0 && value.kind() == ValueKind::Seq => value.get_item_by_index(length - 1),
        _ => filters::last(value),
    }
}

/// Implements `map` with the name of a filter.
fn map(state: &mut State, items: &Value, name: &str, others: &[Value]) -> Result<Value, Error> {
    let filter = metered_name(name).and_then(|name| state.lookup(name));
    let filter = filter.ok_or_else(|| Error::new(ErrorKind::UnknownFilter, format!("filter {name} is unknown")))?;
    let mut arguments = vec![Value::UNDEFINED];
    arguments.extend_from_slice(others);
    let mut results = Vec::new();
    for item in items.try_iter()? {
        take(state, ITEM)?;
        arguments[0] = item;
        results.push(filter.call(state, &arguments)?);
    }
    settle(state, Value::from(results))
}

/// The function `dict`.
#[derive(Debug)]
struct Dict(Value);

impl Object for Dict {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn call(self: &Arc<Self>, state: &mut State<'_, '_>, arguments: &[Value]) -> Result<Value, Error> {
        let map = self.0.call(state, arguments)?;
        settle_map(state, map)
    }
}

/// The function `namespace`.
#[derive(Debug)]
struct Namespace(Value);

impl Object for Namespace {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn call(self: &Arc<Self>, state: &mut State<'_, '_>, arguments: &[Value]) -> Result<Value, Error> {
        for argument in arguments.iter().filter_map(Value::as_object) {
            for (index, (_, value)) in argument.try_iter_pairs().into_iter().flatten().enumerate() {
                check_item(&value)?;
                if index >= MAX_NAMES {
                    let reason = format!("a namespace begins with at most {MAX_NAMES} names");
                    return Err(Error::new(ErrorKind::InvalidOperation, reason));
                }
            }
        }
        self.0.call(state, arguments)
    }
}
