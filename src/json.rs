//! JSON helpers of the generated types: values kept as the text they came in, and errors that know their place.

use std::fmt;

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{DeserializeOwned, DeserializeSeed, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use serde_json::value::RawValue;

/// A JSON value that was checked against `T` and is kept as the text it came in.
///
/// The order of keys, nulls and unknown keys survive, which a prompt template or a log may depend on. Reading goes
/// through the text, so it works from `serde_json` only, and not beneath a flattened field.
#[derive(Clone, Debug)]
pub struct Verbatim<T> {
    text: Box<RawValue>,
    typed: T,
}

impl<T> Verbatim<T> {
    /// The JSON text.
    pub fn text(&self) -> &str {
        self.text.get()
    }

    /// The value as its schema describes it.
    pub fn typed(&self) -> &T {
        &self.typed
    }

    /// Reads the text as another type, say [`serde_json::Value`].
    pub fn read<U: DeserializeOwned>(&self) -> Result<U, serde_json::Error> {
        serde_json::from_str(self.text.get())
    }
}

impl<T: DeserializeOwned> Verbatim<T> {
    /// Serialises a value and checks it.
    pub fn of(value: &impl Serialize) -> Result<Self, serde_json::Error> {
        let text = serde_json::value::to_raw_value(value)?;
        let typed = serde_json::from_str(text.get())?;
        Ok(Self { text, typed })
    }
}

impl<T> PartialEq for Verbatim<T> {
    fn eq(&self, other: &Self) -> bool {
        self.text.get() == other.text.get()
    }
}

impl<T> Serialize for Verbatim<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.text.serialize(serializer)
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Verbatim<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Box::<RawValue>::deserialize(deserializer)?;
        let typed = parse_at_place(text.get())?;
        check_to_the_end(text.get()).map_err(D::Error::custom)?;
        Ok(Self { text, typed })
    }
}

/// Any JSON object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AnyObject;

impl<'de> Deserialize<'de> for AnyObject {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = AnyObject;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<AnyObject, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(AnyObject)
            }
        }
        deserializer.deserialize_map(Object)
    }
}

/// Decodes every string and number of a text and counts its nesting: what passes can be read again as any type.
/// serde only skips over fields that a type does not have, and would let through what is no text or number there.
fn check_to_the_end(text: &str) -> Result<(), serde_json::Error> {
    Anything.deserialize(&mut serde_json::Deserializer::from_str(text))
}

/// Reads a value to its end and drops it.
#[derive(Clone, Copy)]
struct Anything;

impl<'de> DeserializeSeed<'de> for Anything {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Anything {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }
    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }
    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }
    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }
    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }
    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }
    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        while items.next_element_seed(self)?.is_some() {}
        Ok(())
    }
    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        while entries.next_key_seed(self)?.is_some() {
            entries.next_value_seed(self)?;
        }
        Ok(())
    }
}

/// The JSON type of a text, by its first character.
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
    /// The type of a JSON text; meaningless for a text that is not JSON.
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

/// The refusal of a union: no choice has this JSON type.
pub fn expected_type<E: serde::de::Error>(choices: &str, found: JsonType) -> E {
    E::custom(format_args!("must be {choices}, not {found}"))
}

/// The refusal of a union: its discriminator, the field `property`, has none of the known values.
pub fn unknown_discriminator<E: serde::de::Error>(property: &str, found: &str, choices: &[&str]) -> E {
    let choices: Vec<_> = choices.iter().map(|choice| format!("`{choice}`")).collect();
    let choices = choices.join(", ");
    E::custom(format_args!("{PLACE}{property}{PLACE}unknown value `{found}`, expected one of {choices}"))
}

/// Reads a text; when that fails, reads it again to learn the place, which goes into the message where
/// [`split_place`] finds it.
pub fn parse_at_place<T: DeserializeOwned, E: serde::de::Error>(text: &str) -> Result<T, E> {
    match serde_json::from_str(text) {
        Ok(value) => Ok(value),
        Err(error) => {
            let mut reader = serde_json::Deserializer::from_str(text);
            match serde_path_to_error::deserialize::<_, T>(&mut reader) {
                Ok(_) => Err(E::custom(error)),
                Err(error) => Err(E::custom(format_args!("{PLACE}{}{PLACE}{}", error.path(), error.inner()))),
            }
        }
    }
}

/// Stands around the place within an error message; no JSON path of ours holds it.
const PLACE: char = '\u{1}';

/// The place of an error, from the outermost value inwards, and its reason without line and column.
pub fn split_place(outer: &str, message: &str) -> (String, String) {
    let mut place = if outer == "." { String::new() } else { outer.to_owned() };
    let mut rest = message;
    while let Some((inner, tail)) = rest.strip_prefix(PLACE).and_then(|rest| rest.split_once(PLACE)) {
        if !matches!(inner, "." | "") {
            if !place.is_empty() && !inner.starts_with('[') {
                place.push('.');
            }
            place.push_str(inner);
        }
        rest = tail;
    }
    (place, without_position(rest).to_owned())
}

/// Cuts the " at line 1 column 7" of `serde_json`, once for each level of nesting.
fn without_position(mut message: &str) -> &str {
    while let Some((head, tail)) = message.rsplit_once(" at line ") {
        if !tail.bytes().all(|byte| byte.is_ascii_digit() || b" column".contains(&byte)) {
            break;
        }
        message = head;
    }
    message
}

#[cfg(test)]
mod tests {
    use super::*;
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
        let (place, reason) = split_place(&error.path().to_string(), &error.inner().to_string());
        assert_eq!(place, "points[1].x[1]");
        assert_eq!(reason, "invalid value: integer `300`, expected u8");
    }

    #[test]
    fn what_could_not_be_read_again_is_refused() {
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
