//! JSON support for generated types: reading, values kept as their original text, and errors with their path.

mod allowance;
mod binary;
mod enumeration;
mod formatted;
mod nearest;
mod object;
mod path;
mod read;
mod scan;
mod union;
mod verbatim;

#[cfg(feature = "server")]
pub(crate) use allowance::within;
pub use binary::Binary;
pub use enumeration::{UnknownValue, known_value};
pub use formatted::{DateTime, FormatError, Uuid};
pub use nearest::{instead, nearest, shown};
pub use object::{Fields, ReadObject, presence, read_object, required};
pub(crate) use path::{charge_trial, trial_budget_exhausted};
pub use path::{parse_at_path, read_at_path, split_path};
pub use read::{Any, Boxed, Entries, Integer, Keep, List, Nullable, Read, Single, Typed, ViaDeserialize, Whole};
pub use scan::{Scan, Step, ValueCount};
pub use union::{
    JsonType, Members, discriminator, expected_type, missing_discriminating_field, text, unknown_discriminator,
};
pub use verbatim::{AnyObject, Verbatim};

// For the macros and for generated code.
pub use crate::{json_enumeration as enumeration, json_object as object};
#[doc(hidden)]
pub use serde;
pub use serde::de::MapAccess;

/// Parses a constant of the document; null if the text is not JSON.
pub fn constant(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use serde_json::Value;

    #[derive(Debug, Deserialize)]
    struct Point {
        #[allow(dead_code)]
        x: Vec<u8>,
    }

    #[derive(Debug, Deserialize)]
    struct Outer {
        points: Vec<Verbatim<Point>>,
        #[serde(flatten)]
        extra: serde_json::Map<String, Value>,
    }

    #[test]
    fn the_text_survives_beside_a_flattened_field() {
        let outer: Outer = serde_json::from_str(r#"{"points":[{"z":1,"x":[7],"a":null}],"more":1}"#).unwrap();
        assert_eq!(outer.points[0].text(), r#"{"z":1,"x":[7],"a":null}"#);
        assert_eq!(outer.extra["more"], 1);
    }

    #[test]
    fn an_error_inside_carries_its_place() {
        let text = r#"{"points":[{"x":[]},{"x":[1,300]}]}"#;
        let error =
            serde_path_to_error::deserialize::<_, Outer>(&mut serde_json::Deserializer::from_str(text)).unwrap_err();
        let (path, reason) = split_path(&error.path().to_string(), &error.inner().to_string());
        assert_eq!(path, "points[1].x[1]");
        assert_eq!(reason, "invalid value: integer `300`, expected u8");
    }

    #[test]
    fn values_that_cannot_be_read_back_are_rejected() {
        for bad in ["[]", "5", "null", r#"{"a":"\ud800"}"#, r#"{"a":1e999}"#] {
            assert!(serde_json::from_str::<Verbatim<AnyObject>>(bad).is_err(), "{bad}");
        }
        let deep = format!(r#"{{"a":{}{}}}"#, "[".repeat(20_000), "]".repeat(20_000));
        assert!(serde_json::from_str::<Verbatim<AnyObject>>(&deep).is_err());
        let unknown_field = r#"{"x":[1],"y":"\ud800"}"#;
        assert!(serde_json::from_str::<Verbatim<Point>>(unknown_field).is_err());
        let good = r#"{"b":[1,2.5,{"a":"\u00e9"}],"a":null}"#;
        assert_eq!(serde_json::from_str::<Verbatim<AnyObject>>(good).unwrap().text(), good);
    }
}
