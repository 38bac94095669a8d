//! Typed access to the options of a configuration.

use serde_json::{Map, Value};

use super::ConfigError;

/// Returns the value as a whole number; JSON may write one as `2` or `2.0`.
pub(super) fn whole_number(value: &Value) -> Option<usize> {
    if let Some(number) = value.as_u64() {
        return usize::try_from(number).ok();
    }
    value.as_f64().filter(|number| number.fract() == 0.0 && (0.0..1e15).contains(number)).map(|number| number as usize)
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

    pub(super) fn boolean(&self, option: &'static str) -> Result<Option<bool>, ConfigError> {
        let read = |value: &Value| value.as_bool().ok_or_else(|| ConfigError::invalid(option, "true or false", value));
        self.get(option).map(read).transpose()
    }

    pub(super) fn text(&self, option: &'static str, expected: &'static str) -> Result<Option<&'a str>, ConfigError> {
        let read = |value: &'a Value| value.as_str().ok_or_else(|| ConfigError::invalid(option, expected, value));
        self.get(option).map(read).transpose()
    }

    pub(super) fn number(
        &self,
        option: &'static str,
        range: std::ops::RangeInclusive<f64>,
        expected: &'static str,
    ) -> Result<Option<f64>, ConfigError> {
        let read = |value: &Value| {
            let number = value.as_f64().filter(|number| range.contains(number));
            number.ok_or_else(|| ConfigError::invalid(option, expected, value))
        };
        self.get(option).map(read).transpose()
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
        let read = |value: &Value| {
            let number = whole_number(value).filter(|number| range.contains(number));
            number.ok_or_else(|| ConfigError::invalid(option, expected, value))
        };
        self.get(option).map(read).transpose()
    }
}
