//! Fields of a JSON object; errors have the field's name.

use serde_json::{Map, Value};

use super::error::{ConfigError, reject};

/// An object of `config.json`.
pub(super) struct Fields<'a> {
    /// Prefix of a field's name in messages: empty, or the object's name and a dot.
    prefix: &'static str,
    object: Option<&'a Map<String, Value>>,
}

impl<'a> Fields<'a> {
    /// Returns the fields of the whole document.
    pub(super) fn document(document: &'a Value) -> Result<Self, ConfigError> {
        let object = document.as_object().ok_or_else(|| reject("document", document, "it must be an object"))?;
        Ok(Self { prefix: "", object: Some(object) })
    }

    /// Returns the fields of an inner object; none if it is absent. `prefix` is its name and a dot.
    pub(super) fn inner(&self, field: &'static str, prefix: &'static str) -> Result<Self, ConfigError> {
        let value = self.get(field);
        let object =
            value.map(|value| value.as_object().ok_or_else(|| reject(self.name(field), value, "it must be an object")));
        Ok(Self { prefix, object: object.transpose()? })
    }

    /// Returns the name of a field for a message.
    pub(super) fn name(&self, field: &str) -> String {
        format!("{}{field}", self.prefix)
    }

    /// Returns all fields.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&'a String, &'a Value)> {
        self.object.into_iter().flatten()
    }

    /// Returns whether the field is present, including as null.
    pub(super) fn has(&self, field: &str) -> bool {
        self.object.is_some_and(|object| object.contains_key(field))
    }

    /// Returns a value; null counts as absent.
    pub(super) fn get(&self, field: &str) -> Option<&'a Value> {
        self.object?.get(field).filter(|value| !value.is_null())
    }

    fn read<T>(
        &self,
        field: &str,
        read: impl Fn(&'a Value) -> Option<T>,
        reason: &'static str,
    ) -> Result<Option<T>, ConfigError> {
        let Some(value) = self.get(field) else { return Ok(None) };
        read(value).map(Some).ok_or_else(|| reject(self.name(field), value, reason))
    }

    /// Returns a count.
    pub(super) fn count(&self, field: &str) -> Result<Option<usize>, ConfigError> {
        let count = |value: &Value| value.as_u64().and_then(|count| usize::try_from(count).ok());
        self.read(field, count, "it must be a whole number of at least 0")
    }

    /// Returns a list of layers.
    pub(super) fn layers(&self, field: &str) -> Result<Option<Vec<usize>>, ConfigError> {
        let layer = |value: &Value| usize::try_from(value.as_u64()?).ok();
        self.read(field, |value| value.as_array()?.iter().map(layer).collect(), "it must list layers")
    }

    /// Returns a finite number.
    pub(super) fn number(&self, field: &str) -> Result<Option<f64>, ConfigError> {
        self.read(field, |value| value.as_f64().filter(|number| number.is_finite()), "it must be a number")
    }

    /// Returns a boolean.
    pub(super) fn flag(&self, field: &str) -> Result<Option<bool>, ConfigError> {
        self.read(field, Value::as_bool, "it must be true or false")
    }

    /// Returns a string.
    pub(super) fn text(&self, field: &str) -> Result<Option<&'a str>, ConfigError> {
        self.read(field, Value::as_str, "it must be text")
    }
}
