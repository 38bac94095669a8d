//! Limits of the document, checked on typed values; every fault carries its place.

use std::fmt;

use super::Failure;
use crate::json::Verbatim;

/// A type whose schema has limits.
pub trait Validate {
    /// Adds a fault for each limit that the value, which lies at `at`, breaks.
    fn validate(&self, at: &Location<'_>, faults: &mut Faults);
}

impl<T: Validate> Validate for Verbatim<T> {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        self.typed().validate(at, faults);
    }
}

/// A place in a request; costs nothing until a fault is written down.
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
    /// The body itself.
    pub const BODY: Location<'static> = Location { parent: None, step: Step::Root };

    /// A path, query or header parameter.
    pub fn parameter(name: &'a str) -> Self {
        Self { parent: None, step: Step::Field(name) }
    }

    /// A field of the object here.
    pub fn field(&'a self, name: &'a str) -> Self {
        Self { parent: Some(self), step: Step::Field(name) }
    }

    /// An item of the array here.
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
            Step::Field(name) if self.parent.is_some_and(|parent| !matches!(parent.step, Step::Root)) => {
                write!(f, ".{name}")
            }
            Step::Field(name) => f.write_str(name),
            Step::Index(index) => write!(f, "[{index}]"),
        }
    }
}

/// Faults kept of one request; more would not help, and a body of a million faults must not become an answer of such.
const KEPT: usize = 8;

/// The faults found so far, the first few of them.
#[derive(Debug, Default)]
pub struct Faults {
    found: Vec<(String, String)>,
}

impl Faults {
    /// The faults as one refusal: `param` is the place of the first.
    pub fn into_result(self) -> Result<(), Failure> {
        match self.found.first() {
            None => Ok(()),
            Some((place, _)) => {
                let message: Vec<_> = self.found.iter().map(|(at, message)| format!("{at} {message}")).collect();
                Err(Failure::invalid(place.clone(), message.join("; ")))
            }
        }
    }

    fn add(&mut self, at: &Location<'_>, message: fmt::Arguments<'_>) {
        if self.found.len() < KEPT {
            self.found.push((at.to_string(), message.to_string()));
        }
    }

    /// `minimum`; a value that cannot be compared breaks it.
    pub fn minimum<T: PartialOrd + fmt::Display>(&mut self, at: &Location<'_>, value: T, limit: T) {
        if !matches!(value.partial_cmp(&limit), Some(ordering) if ordering.is_ge()) {
            self.add(at, format_args!("must be at least {limit}"));
        }
    }

    /// `maximum`; a value that cannot be compared breaks it.
    pub fn maximum<T: PartialOrd + fmt::Display>(&mut self, at: &Location<'_>, value: T, limit: T) {
        if !matches!(value.partial_cmp(&limit), Some(ordering) if ordering.is_le()) {
            self.add(at, format_args!("must be at most {limit}"));
        }
    }

    /// `minLength`, in characters.
    pub fn min_length(&mut self, at: &Location<'_>, value: &str, limit: usize) {
        if value.chars().take(limit).count() < limit {
            match limit {
                1 => self.add(at, format_args!("must not be empty")),
                _ => self.add(at, format_args!("must have at least {limit} characters")),
            }
        }
    }

    /// `maxLength`, in characters.
    pub fn max_length(&mut self, at: &Location<'_>, value: &str, limit: usize) {
        if value.len() > limit && value.chars().nth(limit).is_some() {
            self.add(at, format_args!("must have at most {limit} characters"));
        }
    }

    /// `minItems`.
    pub fn min_items(&mut self, at: &Location<'_>, length: usize, limit: usize) {
        if length < limit {
            match limit {
                1 => self.add(at, format_args!("must not be empty")),
                _ => self.add(at, format_args!("must have at least {limit} items")),
            }
        }
    }

    /// `maxItems`.
    pub fn max_items(&mut self, at: &Location<'_>, length: usize, limit: usize) {
        if length > limit {
            self.add(at, format_args!("must have at most {limit} items"));
        }
    }

    /// `pattern`; `message` says what it asks for.
    pub fn pattern(&mut self, at: &Location<'_>, value: &str, pattern: &regress::Regex, message: &str) {
        if pattern.find(value).is_none() {
            self.add(at, format_args!("{message}"));
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
        let failure = faults.into_result().unwrap_err();
        assert_eq!(failure.param(), Some("n"));
        assert_eq!(failure.message().matches("must be").count(), KEPT);
    }

    #[test]
    fn length_is_counted_in_characters() {
        let mut faults = Faults::default();
        faults.max_length(&Location::BODY, "éé", 2);
        faults.min_length(&Location::BODY, "éé", 2);
        assert!(faults.into_result().is_ok());
    }
}
