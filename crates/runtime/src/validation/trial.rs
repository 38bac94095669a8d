//! Unions without a discriminator: each branch is tried, against its type and its limits.

use crate::json::{Read, charge_trial, read_at_path, split_path, trial_budget_exhausted};
use crate::validation::{Faults, Location};

/// Maximum length of a reason in the error message, in characters.
const SHOWN: usize = 160;

/// Branches of a union, tried in order.
pub struct Trial<U> {
    exactly_one: bool,
    found: Option<(U, &'static str)>,
    /// A second matching branch, where only one may match.
    other: Option<&'static str>,
    failed: Vec<String>,
    /// The trial budget is exhausted: too many nested trials for the length of the text.
    gave_up: bool,
}

impl<U> Trial<U> {
    /// Creates a trial. `oneOf` requires exactly one matching branch; `anyOf` takes the first.
    pub fn new(exactly_one: bool) -> Self {
        Self { exactly_one, found: None, other: None, failed: Vec::new(), gave_up: false }
    }

    /// Tries a branch; `check` adds the limits that its value exceeds.
    pub fn branch<R: Read<T>, T>(
        &mut self,
        text: &str,
        name: &'static str,
        into: impl FnOnce(T) -> U,
        check: impl FnOnce(&T, &Location<'_>, &mut Faults),
    ) {
        if self.gave_up || self.found.is_some() && (!self.exactly_one || self.other.is_some()) {
            return;
        }
        if !charge_trial(text) {
            self.gave_up = true;
            return;
        }
        let value = match read_at_path::<R, T, serde_json::Error>(text) {
            Ok(value) => value,
            Err(_) if trial_budget_exhausted() => {
                self.gave_up = true;
                return;
            }
            Err(error) => {
                let (path, reason) = split_path("", &error.to_string());
                return self.fails(name, &path, &reason);
            }
        };
        let mut faults = Faults::default();
        check(&value, &Location::BODY, &mut faults);
        if let Some((path, reason)) = faults.found().first() {
            return self.fails(name, path, reason);
        }
        match self.found {
            None => self.found = Some((into(value), name)),
            Some(_) => self.other = Some(name),
        }
    }

    fn fails(&mut self, name: &str, path: &str, reason: &str) {
        let reason: String = reason.chars().take(SHOWN).collect();
        let path = if path.is_empty() { String::new() } else { format!("{path}: ") };
        self.failed.push(format!("{name} ({path}{reason})"));
    }

    /// Returns the value of the matching branch, or the error that none matches.
    pub fn result<E: serde::de::Error>(self) -> Result<U, E> {
        if self.gave_up {
            return Err(E::custom(
                "holds too many unions within each other, whose branches only trial tells apart; nest them less deeply",
            ));
        }
        match (self.found, self.other) {
            (Some((value, _)), None) => Ok(value),
            (Some((_, first)), Some(second)) => {
                Err(E::custom(format_args!("fits {first} and {second}, and must fit exactly one")))
            }
            (None, _) => Err(E::custom(format_args!("fits none of {}", self.failed.join(", ")))),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use serde::de::Error;
    use serde::{Deserialize, Deserializer};
    use serde_json::value::RawValue;

    use super::*;
    use crate::json::{Verbatim, ViaDeserialize};

    thread_local!(static TRIED: Cell<usize> = const { Cell::new(0) });

    /// `oneOf: [{c: Node}, {c: Node, d: string}]`.
    #[derive(Debug)]
    enum Node {
        Short(#[allow(dead_code)] Box<Short>),
        Long(#[allow(dead_code)] Box<Long>),
    }

    #[derive(Debug, Deserialize)]
    struct Short {
        #[allow(dead_code)]
        c: Option<Node>,
    }

    #[derive(Debug, Deserialize)]
    struct Long {
        #[allow(dead_code)]
        c: Option<Node>,
        #[allow(dead_code)]
        d: String,
    }

    impl<'de> Deserialize<'de> for Node {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let text = Box::<RawValue>::deserialize(deserializer)?;
            let mut trial = Trial::new(true);
            let tried = |_: &Location<'_>, _: &mut Faults| TRIED.set(TRIED.get() + 1);
            trial.branch::<ViaDeserialize, Box<Short>>(text.get(), "Short", Node::Short, |_, at, faults| {
                tried(at, faults)
            });
            trial
                .branch::<ViaDeserialize, Box<Long>>(text.get(), "Long", Node::Long, |_, at, faults| tried(at, faults));
            trial.result().map_err(|error: D::Error| {
                TRIED.set(TRIED.get() + 1);
                D::Error::custom(error)
            })
        }
    }

    fn nested(depth: usize, innermost: &str) -> String {
        format!("{}{innermost}{}", r#"{"c":"#.repeat(depth), "}".repeat(depth))
    }

    #[test]
    fn trials_within_trials_are_bounded_by_the_length_of_the_text() {
        for (depth, innermost) in [(16, "5"), (16, "{}"), (60, "5"), (60, "{}"), (100, "null")] {
            TRIED.set(0);
            let text = nested(depth, innermost);
            let error = serde_json::from_str::<Node>(&text).unwrap_err().to_string();
            assert!(error.contains("too many unions within each other"), "{depth} {innermost}: {error}");
            let tried = TRIED.get();
            assert!(tried < 40 * text.len() + 2_000, "{depth} {innermost}: {tried} for {} bytes", text.len());
        }
    }

    #[test]
    fn a_few_levels_are_told_apart() {
        assert!(matches!(serde_json::from_str(&nested(5, "{}")), Ok(Node::Short(_))));
        let long = r#"{"c":{"c":{},"d":"x"}}"#;
        let error = serde_json::from_str::<Node>(long).unwrap_err().to_string();
        assert!(error.contains("fits Short and Long"), "{error}");
        let error = serde_json::from_str::<Node>(&nested(4, "5")).unwrap_err().to_string();
        assert!(error.contains("fits none of"), "{error}");
        // Each value has a budget of its own.
        let _ = serde_json::from_str::<Node>(&nested(60, "5"));
        assert!(serde_json::from_str::<Vec<Node>>("[{},{\"c\":{}}]").is_ok());
        assert!(serde_json::from_str::<Verbatim<Short>>(&nested(4, "{}")).is_ok());
    }
}
