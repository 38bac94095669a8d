//! Enumerations of strings.

use std::fmt;

use serde::Deserializer;
use serde::de::{Error, Visitor};

/// Implements `as_str`, `Display`, `FromStr`, `Serialize` and `Deserialize` for an enum without fields that has `ALL` and
/// `NAMES`: its values and their texts, in the order of the enum.
#[doc(hidden)]
#[macro_export]
macro_rules! json_enumeration {
    ($name:ident) => {
        impl $name {
            /// The value as JSON spells it.
            pub fn as_str(&self) -> &'static str {
                Self::NAMES[*self as usize]
            }
        }
        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
        impl ::std::str::FromStr for $name {
            type Err = $crate::json::UnknownValue;
            fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
                match Self::NAMES.iter().position(|name| *name == text) {
                    Some(index) => Ok(Self::ALL[index]),
                    None => Err($crate::json::UnknownValue::new(text, Self::NAMES)),
                }
            }
        }
        impl $crate::json::serde::Serialize for $name {
            fn serialize<S: $crate::json::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::std::result::Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }
        impl<'de> $crate::json::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::json::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::std::result::Result<Self, D::Error> {
                $crate::json::known_value(deserializer, Self::NAMES).map(|index| Self::ALL[index])
            }
        }
    };
}

/// Reads a string and returns its index in `names`; an error if it is not among them.
pub fn known_value<'de, D: Deserializer<'de>>(
    deserializer: D,
    names: &'static [&'static str],
) -> Result<usize, D::Error> {
    struct OneOf(&'static [&'static str]);
    impl<'de> Visitor<'de> for OneOf {
        type Value = usize;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a string")
        }
        fn visit_str<E: Error>(self, text: &str) -> Result<usize, E> {
            let known = self.0.iter().position(|name| *name == text);
            known.ok_or_else(|| E::unknown_variant(text, self.0))
        }
    }
    deserializer.deserialize_str(OneOf(names))
}

/// Error of a text that is not a value of an enumeration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` is not known; write one of {}", choices(known))]
pub struct UnknownValue {
    found: String,
    known: &'static [&'static str],
}

impl UnknownValue {
    /// Creates the error for `found`, with the values in `known`.
    pub fn new(found: &str, known: &'static [&'static str]) -> Self {
        Self { found: found.chars().take(64).collect(), known }
    }
}

fn choices(known: &[&str]) -> String {
    known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
