//! Validation of typed values against the limits of a schema. Every fault has its path.

mod decimal;
mod format;
#[cfg(feature = "pattern")]
mod pattern;
mod trial;
mod unique;

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;
use serde_json::Value;

pub use format::Format;
/// Servers check patterns; clients do not, so they need no regular-expression engine.
#[cfg(feature = "pattern")]
pub use pattern::{LazyPattern, Pattern};
pub use trial::Trial;

use crate::json::Verbatim;

/// A type whose schema has limits.
pub trait Validate {
    /// Adds a fault for each limit that the value exceeds; `at` is its path.
    fn validate(&self, at: &Location<'_>, faults: &mut Faults);
}

impl<T: Validate> Validate for Verbatim<T> {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        self.typed().validate(at, faults);
    }
}

impl<T: Validate> Validate for Box<T> {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        (**self).validate(at, faults);
    }
}

impl<T: Validate> Validate for Option<T> {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        if let Some(value) = self {
            value.validate(at, faults);
        }
    }
}

impl<T: Validate> Validate for Vec<T> {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        for (index, item) in self.iter().enumerate() {
            item.validate(&at.index(index), faults);
        }
    }
}

impl<T: Validate> Validate for BTreeMap<String, T> {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        for (key, item) in self {
            item.validate(&at.field(key), faults);
        }
    }
}

/// Place in a request. It is formatted only when a fault is added.
#[derive(Clone, Copy)]
pub struct Location<'a> {
    parent: Option<&'a Location<'a>>,
    step: Step<'a>,
}

#[derive(Clone, Copy)]
enum Step<'a> {
    Root,
    Field(&'a str),
    Index(usize),
}

impl<'a> Location<'a> {
    /// Root of the body.
    pub const BODY: Location<'static> = Location { parent: None, step: Step::Root };

    /// Returns the root of a path, query or header parameter.
    pub fn parameter(name: &'a str) -> Self {
        Self { parent: None, step: Step::Field(name) }
    }

    /// Returns the path of a field of the object here.
    pub fn field(&'a self, name: &'a str) -> Self {
        Self { parent: Some(self), step: Step::Field(name) }
    }

    /// Returns the path of an item of the array here.
    pub fn index(&'a self, index: usize) -> Self {
        Self { parent: Some(self), step: Step::Index(index) }
    }
}

impl fmt::Display for Location<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(parent) = self.parent {
            parent.fmt(f)?;
        }
        match self.step {
            Step::Root => Ok(()),
            // A property can have an empty name.
            Step::Field("") => f.write_str("\"\""),
            Step::Field(name) if self.parent.is_some_and(|parent| !matches!(parent.step, Step::Root)) => {
                write!(f, ".{name}")
            }
            Step::Field(name) => f.write_str(name),
            Step::Index(index) => write!(f, "[{index}]"),
        }
    }
}

/// Maximum number of faults kept for one request, so that a body of a million faults does not cause a response of that
/// size.
const KEPT: usize = 8;

/// The first faults that were found, up to a maximum.
///
/// ```
/// use trainyard_runtime::validation::{Faults, Location};
///
/// let mut faults = Faults::default();
/// let messages = Location::BODY.field("messages");
/// faults.maximum(&messages.index(1).field("weight"), 3, 1);
/// assert_eq!(faults.found()[0].0, "messages[1].weight");
/// ```
#[derive(Debug, Default)]
pub struct Faults {
    found: Vec<(String, String)>,
}

impl Faults {
    /// Returns whether one more fault would be kept.
    fn is_open(&self) -> bool {
        self.found.len() < KEPT
    }

    /// Returns the faults as path and message, in the order of discovery.
    pub fn found(&self) -> &[(String, String)] {
        &self.found
    }

    /// Adds a fault, unless the maximum is reached.
    pub fn add(&mut self, at: &Location<'_>, message: fmt::Arguments<'_>) {
        if self.is_open() {
            self.found.push((at.to_string(), message.to_string()));
        }
    }

    /// Checks `minimum`; an incomparable value (NaN) is a fault.
    pub fn minimum<T: PartialOrd + fmt::Display>(&mut self, at: &Location<'_>, value: T, limit: T) {
        if !matches!(value.partial_cmp(&limit), Some(ordering) if ordering.is_ge()) {
            self.add(at, format_args!("must be at least {limit}"));
        }
    }

    /// Checks `maximum`; an incomparable value (NaN) is a fault.
    pub fn maximum<T: PartialOrd + fmt::Display>(&mut self, at: &Location<'_>, value: T, limit: T) {
        if !matches!(value.partial_cmp(&limit), Some(ordering) if ordering.is_le()) {
            self.add(at, format_args!("must be at most {limit}"));
        }
    }

    /// Checks `minimum` with `exclusiveMinimum`.
    pub fn above<T: PartialOrd + fmt::Display>(&mut self, at: &Location<'_>, value: T, limit: T) {
        if !matches!(value.partial_cmp(&limit), Some(ordering) if ordering.is_gt()) {
            self.add(at, format_args!("must be above {limit}"));
        }
    }

    /// Checks `maximum` with `exclusiveMaximum`.
    pub fn below<T: PartialOrd + fmt::Display>(&mut self, at: &Location<'_>, value: T, limit: T) {
        if !matches!(value.partial_cmp(&limit), Some(ordering) if ordering.is_lt()) {
            self.add(at, format_args!("must be below {limit}"));
        }
    }

    /// Checks `multipleOf`, exact in decimals: 0.3 is a multiple of 0.1.
    pub fn multiple_of<T: fmt::Display>(&mut self, at: &Location<'_>, value: T, step: &str) {
        if !decimal::is_multiple(&value.to_string(), step) {
            self.add(at, format_args!("must be a multiple of {step}"));
        }
    }

    /// Checks `enum` of numbers or booleans.
    pub fn one_of<T: PartialEq + fmt::Display>(&mut self, at: &Location<'_>, value: &T, values: &[T]) {
        if !values.contains(value) {
            let values: Vec<_> = values.iter().map(T::to_string).collect();
            self.add(at, format_args!("must be one of {}", values.join(", ")));
        }
    }

    /// Checks `enum` of values of several types; `values` is an array.
    pub fn one_of_values(&mut self, at: &Location<'_>, value: &Value, values: &Value) {
        let wanted = unique::canonical(value);
        let values = values.as_array().map(Vec::as_slice).unwrap_or_default();
        if !values.iter().any(|known| unique::canonical(known) == wanted) {
            let values: Vec<_> = values.iter().map(Value::to_string).collect();
            self.add(at, format_args!("must be one of {}", values.join(", ")));
        }
    }

    /// Checks `minLength`, in characters.
    pub fn min_length(&mut self, at: &Location<'_>, value: &str, limit: u64) {
        let wanted = usize::try_from(limit).unwrap_or(usize::MAX);
        if value.chars().take(wanted).count() < wanted {
            match limit {
                1 => self.add(at, format_args!("must not be empty")),
                _ => self.add(at, format_args!("must have at least {limit} characters")),
            }
        }
    }

    /// Checks `maxLength`, in characters.
    pub fn max_length(&mut self, at: &Location<'_>, value: &str, limit: u64) {
        let allowed = usize::try_from(limit).unwrap_or(usize::MAX);
        if value.len() > allowed && value.chars().nth(allowed).is_some() {
            self.add(at, format_args!("must have at most {limit} characters"));
        }
    }

    /// Checks `minItems`.
    pub fn min_items(&mut self, at: &Location<'_>, length: usize, limit: u64) {
        if (length as u64) < limit {
            match limit {
                1 => self.add(at, format_args!("must not be empty")),
                _ => self.add(at, format_args!("must have at least {limit} items")),
            }
        }
    }

    /// Checks `maxItems`.
    pub fn max_items(&mut self, at: &Location<'_>, length: usize, limit: u64) {
        if length as u64 > limit {
            self.add(at, format_args!("must have at most {limit} items"));
        }
    }

    /// Checks `uniqueItems`, with the equality of JSON Schema: 1 equals 1.0, and the order of keys is ignored.
    pub fn unique_items<T: Serialize>(&mut self, at: &Location<'_>, items: &[T]) {
        if let Some((first, second)) = unique::equal_pair(items) {
            self.add(at, format_args!("must not have equal items; items {first} and {second} are"));
        }
    }

    /// Checks `minProperties`.
    pub fn min_properties(&mut self, at: &Location<'_>, length: usize, limit: u64) {
        if (length as u64) < limit {
            self.add(at, format_args!("must have at least {limit} fields"));
        }
    }

    /// Checks `maxProperties`.
    pub fn max_properties(&mut self, at: &Location<'_>, length: usize, limit: u64) {
        if length as u64 > limit {
            self.add(at, format_args!("must have at most {limit} fields"));
        }
    }

    /// Checks `pattern`; `message` describes the expected value.
    #[cfg(feature = "pattern")]
    pub fn pattern(&mut self, at: &Location<'_>, value: &str, pattern: &LazyPattern, message: &str) {
        if !pattern.matches(value) {
            self.add(at, format_args!("{message}"));
        }
    }

    /// Checks `format`.
    pub fn format(&mut self, at: &Location<'_>, value: &str, format: Format) {
        if !format.matches(value) {
            self.add(at, format_args!("must be {format}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_reads_like_code() {
        let body = Location::BODY;
        let messages = body.field("messages");
        let first = messages.index(0);
        assert_eq!(first.field("role").to_string(), "messages[0].role");
        assert_eq!(Location::parameter("limit").to_string(), "limit");
    }

    #[test]
    fn faults_are_bounded_and_joined() {
        let mut faults = Faults::default();
        for limit in 0..20 {
            faults.maximum(&Location::parameter("n"), 100, limit);
        }
        faults.minimum(&Location::parameter("x"), f64::NAN, 0.0);
        assert_eq!(faults.found()[0], ("n".to_owned(), "must be at most 0".to_owned()));
        assert_eq!(faults.found().len(), KEPT);
    }

    #[test]
    fn length_is_counted_in_characters() {
        let mut faults = Faults::default();
        faults.max_length(&Location::BODY, "éé", 2);
        faults.min_length(&Location::BODY, "éé", 2);
        assert!(faults.found().is_empty());
    }
}
