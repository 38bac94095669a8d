//! Unions whose branches nothing tells apart: each is tried, against type and limits.

use super::{Faults, Location};
use crate::json::{Read, read_at_place, split_place};

/// Characters of a reason that a refusal repeats.
const SHOWN: usize = 160;

/// The branches of a union, tried in order.
pub struct Trial<U> {
    exactly_one: bool,
    found: Option<(U, &'static str)>,
    /// A second branch that fits where only one may.
    other: Option<&'static str>,
    failed: Vec<String>,
}

impl<U> Trial<U> {
    /// `oneOf` wants exactly one branch to fit, `anyOf` takes the first.
    pub fn new(exactly_one: bool) -> Self {
        Self { exactly_one, found: None, other: None, failed: Vec::new() }
    }

    /// Tries a branch; `check` adds the limits that a value of it breaks.
    pub fn branch<R: Read<T>, T>(
        &mut self,
        text: &str,
        name: &'static str,
        into: impl FnOnce(T) -> U,
        check: impl FnOnce(&T, &Location<'_>, &mut Faults),
    ) {
        if self.found.is_some() && (!self.exactly_one || self.other.is_some()) {
            return;
        }
        let value = match read_at_place::<R, T, serde_json::Error>(text) {
            Ok(value) => value,
            Err(error) => {
                let (place, reason) = split_place("", &error.to_string());
                return self.fails(name, &place, &reason);
            }
        };
        let mut faults = Faults::default();
        check(&value, &Location::BODY, &mut faults);
        if let Some((place, reason)) = faults.found().first() {
            return self.fails(name, place, reason);
        }
        match self.found {
            None => self.found = Some((into(value), name)),
            Some(_) => self.other = Some(name),
        }
    }

    fn fails(&mut self, name: &str, place: &str, reason: &str) {
        let reason: String = reason.chars().take(SHOWN).collect();
        let place = if place.is_empty() { String::new() } else { format!("{place}: ") };
        self.failed.push(format!("{name} ({place}{reason})"));
    }

    /// The value of the branch that fits, or why none does.
    pub fn result<E: serde::de::Error>(self) -> Result<U, E> {
        match (self.found, self.other) {
            (Some((value, _)), None) => Ok(value),
            (Some((_, first)), Some(second)) => {
                Err(E::custom(format_args!("fits {first} and {second}, and must fit exactly one")))
            }
            (None, _) => Err(E::custom(format_args!("fits none of {}", self.failed.join(", ")))),
        }
    }
}
