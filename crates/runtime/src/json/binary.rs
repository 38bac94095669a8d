//! Bytes of `format: binary`, which are a string in JSON.

use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Bytes. In JSON they must be UTF-8 text; elsewhere they are arbitrary.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Binary(pub Vec<u8>);

impl Binary {
    /// Returns the bytes up to the first that is not UTF-8.
    pub fn as_text(&self) -> &str {
        match std::str::from_utf8(&self.0) {
            Ok(text) => text,
            Err(error) => std::str::from_utf8(&self.0[..error.valid_up_to()]).unwrap_or_default(),
        }
    }
}

impl From<&str> for Binary {
    fn from(text: &str) -> Self {
        Self(text.as_bytes().to_owned())
    }
}

impl From<Vec<u8>> for Binary {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }
}

impl Serialize for Binary {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = std::str::from_utf8(&self.0);
        serializer.serialize_str(text.map_err(|_| S::Error::custom("bytes that are no text cannot be JSON"))?)
    }
}

impl<'de> Deserialize<'de> for Binary {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|text| Self(text.into_bytes()))
    }
}
