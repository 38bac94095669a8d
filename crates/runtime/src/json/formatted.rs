//! Texts with a `format` that Rust has types for: times and UUIDs.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::validation::Format;

/// Error of a text that does not have its format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not {format}")]
pub struct FormatError {
    format: Format,
    text: String,
}

macro_rules! formatted {
    ($(#[$attribute:meta])* $name:ident, $wire:literal) => {
        $(#[$attribute])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// Creates the value of a document's `default`, which was validated with the document.
            #[doc(hidden)]
            pub fn of_document(text: &str) -> Self {
                Self(text.to_owned())
            }

            /// Returns the text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.0, f)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl From<$name> for String {
            fn from(value: $name) -> Self {
                value.0
            }
        }

        impl FromStr for $name {
            type Err = FormatError;

            fn from_str(text: &str) -> Result<Self, FormatError> {
                Self::try_from(text.to_owned())
            }
        }

        impl TryFrom<String> for $name {
            type Error = FormatError;

            fn try_from(text: String) -> Result<Self, FormatError> {
                let format = Format::$name;
                if format.matches(&text) { Ok(Self(text)) } else { Err(FormatError { format, text }) }
            }
        }

        #[cfg(feature = "schemars")]
        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({"type": "string", "format": $wire})
            }

            fn inline_schema() -> bool {
                true
            }
        }
    };
}

formatted! {
    /// Time with an offset (`format: date-time`), as RFC 3339 writes it.
    ///
    /// The text is kept as received, so it is sent on unchanged. Decoding accepts every text; validation of the value
    /// around it rejects a wrong one, with its path.
    ///
    /// ```
    /// use trainyard_runtime::json::DateTime;
    ///
    /// let time: DateTime = "2024-02-29T12:00:00+01:00".parse()?;
    /// assert_eq!(time.as_str(), "2024-02-29T12:00:00+01:00");
    /// assert!("2023-02-29T12:00:00Z".parse::<DateTime>().is_err());
    /// # Ok::<(), trainyard_runtime::json::FormatError>(())
    /// ```
    DateTime, "date-time"
}

formatted! {
    /// UUID (`format: uuid`, RFC 9562) with hyphens.
    ///
    /// The text is kept as received, so it is sent on unchanged. Decoding accepts every text; validation of the value
    /// around it rejects a wrong one, with its path.
    Uuid, "uuid"
}

#[cfg(feature = "chrono")]
impl DateTime {
    /// Returns the time as a value of the `chrono` crate.
    ///
    /// # Errors
    /// Returns an error if the text was decoded and not validated.
    pub fn to_chrono(&self) -> Result<chrono::DateTime<chrono::FixedOffset>, FormatError> {
        let error = |_| FormatError { format: Format::DateTime, text: self.0.clone() };
        chrono::DateTime::parse_from_rfc3339(&self.0).map_err(error)
    }
}

#[cfg(feature = "chrono")]
impl<Z: chrono::TimeZone> From<chrono::DateTime<Z>> for DateTime {
    fn from(time: chrono::DateTime<Z>) -> Self {
        Self(time.to_rfc3339())
    }
}

#[cfg(feature = "uuid")]
impl Uuid {
    /// Returns the value of the `uuid` crate.
    ///
    /// # Errors
    /// Returns an error if the text was decoded and not validated.
    pub fn to_uuid(&self) -> Result<uuid::Uuid, FormatError> {
        uuid::Uuid::try_parse(&self.0).map_err(|_| FormatError { format: Format::Uuid, text: self.0.clone() })
    }
}

#[cfg(feature = "uuid")]
impl From<uuid::Uuid> for Uuid {
    fn from(value: uuid::Uuid) -> Self {
        Self(value.hyphenated().to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_kept_as_received_and_checked_when_parsed() {
        let text = "2024-02-29t12:00:00.5+01:00";
        assert_eq!(text.parse::<DateTime>().unwrap().to_string(), text);
        let decoded: DateTime = serde_json::from_str(r#""yesterday""#).unwrap();
        assert_eq!(serde_json::to_string(&decoded).unwrap(), r#""yesterday""#);
        let error = "yesterday".parse::<DateTime>().unwrap_err().to_string();
        assert_eq!(error, "`yesterday` is not a time like 2024-02-29T12:00:00Z");
        assert!("0F8FAD5B-d9cb-469f-a165-70867728950e".parse::<Uuid>().is_ok());
        assert_eq!("0f8fad5b".parse::<Uuid>().unwrap_err().to_string(), "`0f8fad5b` is not a UUID");
    }

    #[cfg(feature = "chrono")]
    #[test]
    fn times_convert_from_and_to_chrono() {
        let time = chrono::DateTime::from_timestamp(1_709_208_000, 250_000_000).unwrap();
        let text = DateTime::from(time);
        assert_eq!(text.as_str().parse::<DateTime>(), Ok(text.clone()));
        assert_eq!(text.to_chrono().unwrap(), time);
        assert!(DateTime::of_document("yesterday").to_chrono().is_err());
    }

    #[cfg(feature = "uuid")]
    #[test]
    fn uuids_convert_from_and_to_the_crate_uuid() {
        let uuid = uuid::Uuid::from_u128(0x0f8f_ad5b_d9cb_469f_a165_7086_7728_950e);
        assert_eq!(Uuid::from(uuid).to_uuid(), Ok(uuid));
        assert_eq!(Uuid::from(uuid).as_str().parse(), Ok(Uuid::from(uuid)));
    }
}
