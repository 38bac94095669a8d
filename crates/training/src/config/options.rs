//! Typed access to the options of a configuration.

use serde_json::{Map, Value};

use super::{AssistantTurns, ConfigError, OverlongRows};
use crate::loss::{ImportanceSampling, KlSource, Objective};

/// Returns the value as a whole number; JSON may write one as `2` or `2.0`.
pub(super) fn whole_number(value: &Value) -> Option<usize> {
    if let Some(number) = value.as_u64() {
        return usize::try_from(number).ok();
    }
    value.as_f64().filter(|number| number.fract() == 0.0 && (0.0..1e15).contains(number)).map(|number| number as usize)
}

/// A value of an option that is one of some words.
pub(super) trait Word: Copy + PartialEq + 'static {
    /// Description of the words.
    const EXPECTED: &'static str;
    /// The words with their values.
    const WORDS: &'static [(&'static str, Self)];

    /// Returns the word of the value.
    fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(_, value)| *value == self).map_or("", |(word, _)| word)
    }
}

impl Word for ImportanceSampling {
    const EXPECTED: &'static str = "one of token, sequence, average, geometric_average";
    const WORDS: &'static [(&'static str, Self)] = &[
        ("token", Self::Token),
        ("sequence", Self::Sequence),
        ("average", Self::Average),
        ("geometric_average", Self::GeometricAverage),
    ];
}

impl Word for KlSource {
    const EXPECTED: &'static str = "current_learner or sample";
    const WORDS: &'static [(&'static str, Self)] =
        &[("current_learner", Self::CurrentWeights), ("sample", Self::Sampled)];
}

impl Word for Objective {
    const EXPECTED: &'static str = "cispo or ppo";
    const WORDS: &'static [(&'static str, Self)] = &[("cispo", Self::Cispo), ("ppo", Self::Ppo)];
}

impl Word for AssistantTurns {
    const EXPECTED: &'static str = "all or last";
    const WORDS: &'static [(&'static str, Self)] = &[("all", Self::All), ("last", Self::Last)];
}

impl Word for OverlongRows {
    const EXPECTED: &'static str = "drop or truncate";
    const WORDS: &'static [(&'static str, Self)] = &[("drop", Self::Drop), ("truncate", Self::Truncate)];
}

impl ConfigError {
    pub(super) fn invalid(option: &'static str, expected: &'static str, found: &Value) -> Self {
        let mut text = found.to_string();
        if let Some((end, _)) = text.char_indices().nth(60) {
            text.truncate(end);
            text.push('…');
        }
        Self::Invalid { option, expected, found: text }
    }
}

/// Typed access to the options that are not null.
pub(super) struct Options<'a>(&'a Map<String, Value>);

impl<'a> Options<'a> {
    pub(super) fn new(config: Option<&'a Value>) -> Result<Option<Self>, ConfigError> {
        let found = match config {
            None | Some(Value::Null) => return Ok(None),
            Some(Value::Object(options)) => return Ok(Some(Self(options))),
            Some(Value::Bool(_)) => "a boolean",
            Some(Value::Number(_)) => "a number",
            Some(Value::String(_)) => "a string",
            Some(Value::Array(_)) => "a list",
        };
        Err(ConfigError::NotAnObject { found })
    }

    pub(super) fn get(&self, option: &str) -> Option<&'a Value> {
        self.0.get(option).filter(|value| !value.is_null())
    }

    /// Returns what `read` makes of a value; `expected` describes the values of which it makes something.
    pub(super) fn read<T>(
        &self,
        option: &'static str,
        expected: &'static str,
        read: impl Fn(&'a Value) -> Option<T>,
    ) -> Result<Option<T>, ConfigError> {
        let read = |value: &'a Value| read(value).ok_or_else(|| ConfigError::invalid(option, expected, value));
        self.get(option).map(read).transpose()
    }

    pub(super) fn boolean(&self, option: &'static str) -> Result<Option<bool>, ConfigError> {
        self.read(option, "true or false", Value::as_bool)
    }

    pub(super) fn text(&self, option: &'static str, expected: &'static str) -> Result<Option<&'a str>, ConfigError> {
        self.read(option, expected, Value::as_str)
    }

    pub(super) fn word<T: Word>(&self, option: &'static str) -> Result<Option<T>, ConfigError> {
        let value = |value: &Value| T::WORDS.iter().find(|(word, _)| value == word).map(|(_, value)| *value);
        self.read(option, T::EXPECTED, value)
    }

    pub(super) fn number(
        &self,
        option: &'static str,
        range: std::ops::RangeInclusive<f64>,
        expected: &'static str,
    ) -> Result<Option<f64>, ConfigError> {
        self.read(option, expected, |value| value.as_f64().filter(|number| range.contains(number)))
    }

    pub(super) fn not_negative(&self, option: &'static str) -> Result<Option<f64>, ConfigError> {
        self.number(option, 0.0..=f64::MAX, "a number that is not negative")
    }

    /// Returns a whole number in a range; `expected` describes the range.
    pub(super) fn whole(
        &self,
        option: &'static str,
        range: std::ops::RangeInclusive<usize>,
        expected: &'static str,
    ) -> Result<Option<usize>, ConfigError> {
        self.read(option, expected, |value| whole_number(value).filter(|number| range.contains(number)))
    }
}
