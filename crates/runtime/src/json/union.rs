//! Discriminators of unions, read from the text of a value.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Error as _, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::json::path::PATH;

/// JSON type of a text, by its first character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonType {
    /// `{…}`
    Object,
    /// `[…]`
    Array,
    /// `"…"`
    String,
    /// `1`, `-0.5e3`
    Number,
    /// `true`, `false`
    Boolean,
    /// `null`
    Null,
}

impl JsonType {
    /// Returns the type of a JSON text; meaningless for a text that is not JSON.
    pub fn of(text: &str) -> Self {
        match text.trim_start().as_bytes().first() {
            Some(b'{') => Self::Object,
            Some(b'[') => Self::Array,
            Some(b'"') => Self::String,
            Some(b't' | b'f') => Self::Boolean,
            Some(b'n') => Self::Null,
            _ => Self::Number,
        }
    }
}

impl fmt::Display for JsonType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Object => "an object",
            Self::Array => "an array",
            Self::String => "a string",
            Self::Number => "a number",
            Self::Boolean => "a boolean",
            Self::Null => "null",
        })
    }
}

/// Creates the error of a union that has no branch for this JSON type.
pub fn expected_type<E: serde::de::Error>(choices: &str, found: JsonType) -> E {
    E::custom(format_args!("must be {choices}, not {found}"))
}

/// Creates the error of a union whose discriminator, the field `property`, has an unknown value.
pub fn unknown_discriminator<E: serde::de::Error>(property: &str, found: &str, choices: &[&str]) -> E {
    let choices: Vec<_> = choices.iter().map(|choice| format!("`{choice}`")).collect();
    let choices = choices.join(", ");
    E::custom(format_args!("{PATH}{property}{PATH}unknown value `{found}`, expected one of {choices}"))
}

/// Creates the error of a union without any of its discriminating fields.
pub fn missing_discriminating_field<E: serde::de::Error>(choices: &str) -> E {
    E::custom(format_args!("must have one of {choices}"))
}

/// Reads the text of a value.
pub fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Box<RawValue>, D::Error> {
    Box::deserialize(deserializer)
}

/// Returns the value of the discriminator, the field `property`.
pub fn discriminator<E: serde::de::Error>(text: &str, property: &'static str) -> Result<String, E> {
    struct Tag(&'static str);
    impl<'de> Visitor<'de> for Tag {
        type Value = String;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }
        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<String, A::Error> {
            let mut found = None;
            while let Some(key) = map.next_key::<String>()? {
                if key == self.0 {
                    if found.is_some() {
                        return Err(A::Error::duplicate_field(self.0));
                    }
                    found = Some(map.next_value::<String>()?);
                } else {
                    map.next_value::<IgnoredAny>()?;
                }
            }
            found.ok_or_else(|| A::Error::missing_field(self.0))
        }
    }
    let read = |text| serde_json::Deserializer::from_str(text);
    match read(text).deserialize_map(Tag(property)) {
        Ok(tag) => Ok(tag),
        Err(error) => {
            let wrong_type = error.classify() == serde_json::error::Category::Data
                && JsonType::of(text) == JsonType::Object
                && error.to_string().contains("expected a string");
            let path = if wrong_type { property } else { "." };
            Err(E::custom(format_args!("{PATH}{path}{PATH}{error}")))
        }
    }
}

/// Fields of an object, by name, with their values not parsed.
pub struct Members<'a>(BTreeMap<String, &'a RawValue>);

impl<'a> Members<'a> {
    /// Splits the object in `text` into its fields.
    pub fn of<E: serde::de::Error>(text: &'a str) -> Result<Self, E> {
        match serde_json::from_str(text) {
            Ok(members) => Ok(Self(members)),
            // This error has the path, and "an object" as the expected type.
            Err(error) => Err(match JsonType::of(text) {
                JsonType::Object => E::custom(error),
                other => expected_type("an object", other),
            }),
        }
    }

    /// Returns whether the field is present.
    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Returns whether the field is this string.
    pub fn is(&self, name: &str, value: &str) -> bool {
        let text = self.0.get(name).and_then(|text| serde_json::from_str::<String>(text.get()).ok());
        text.is_some_and(|text| text == value)
    }
}
