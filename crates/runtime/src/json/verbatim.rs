//! Values kept as their original text.

use std::any::TypeId;
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashSet;
use std::fmt;

use serde::de::{DeserializeOwned, DeserializeSeed, Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::json::object::whole;
use crate::json::parse_at_path;

/// A JSON value that was validated against `T` and is kept as its original text.
///
/// The text preserves the order of keys, nulls and unknown keys, which a prompt template or a log may depend on.
/// Deserialisation requires `serde_json`, and does not work beneath a flattened field.
#[derive(Clone, Debug)]
pub struct Verbatim<T> {
    text: Box<RawValue>,
    typed: T,
}

impl<T> Verbatim<T> {
    /// Returns the JSON text.
    pub fn text(&self) -> &str {
        self.text.get()
    }

    /// Returns the value as its schema describes it.
    pub fn typed(&self) -> &T {
        &self.typed
    }

    /// Parses the text as another type, such as [`serde_json::Value`].
    pub fn read<U: DeserializeOwned>(&self) -> Result<U, serde_json::Error> {
        serde_json::from_str(self.text.get())
    }
}

impl<T: DeserializeOwned> Verbatim<T> {
    /// Serialises a value and parses the result as `T`.
    pub fn of(value: &impl Serialize) -> Result<Self, serde_json::Error> {
        let text = serde_json::value::to_raw_value(value)?;
        let typed = whole(|| serde_json::from_str(text.get()))?;
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

impl<'de, T: DeserializeOwned + 'static> Deserialize<'de> for Verbatim<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Box::<RawValue>::deserialize(deserializer)?;
        let typed = whole(|| parse_at_path(text.get()))?;
        // `AnyObject` has checked the whole text already.
        if TypeId::of::<T>() != TypeId::of::<AnyObject>() {
            check_to_the_end(text.get()).map_err(D::Error::custom)?;
        }
        Ok(Self { text, typed })
    }
}

/// Any JSON object that can be parsed again as any type: no duplicate keys, only valid strings and numbers.
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
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<AnyObject, A::Error> {
                let keys = Keys::default();
                Anything(&keys).visit_map(map).map(|()| AnyObject)
            }
        }
        deserializer.deserialize_map(Object)
    }
}

/// Decodes every string and number of a text and checks its nesting, so that the text can be parsed again as any type.
/// serde skips the values of fields that a type does not have, and would accept invalid strings and numbers there.
fn check_to_the_end(text: &str) -> Result<(), serde_json::Error> {
    let keys = Keys::default();
    Anything(&keys).deserialize(&mut serde_json::Deserializer::from_str(text))
}

/// Keys of the open objects, outermost first.
#[derive(Default)]
struct Keys<'de>(RefCell<Vec<Cow<'de, str>>>);

/// Number of keys above which an object looks them up in a hash set.
const FEW: usize = 16;

/// Reader that discards a value; a duplicate key in any object is an error.
struct Anything<'k, 'de>(&'k Keys<'de>);

impl Clone for Anything<'_, '_> {
    fn clone(&self) -> Self {
        *self
    }
}
impl Copy for Anything<'_, '_> {}

impl<'de> DeserializeSeed<'de> for Anything<'_, 'de> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Anything<'_, 'de> {
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
        let first = self.0.0.borrow().len();
        let mut many: HashSet<Cow<'de, str>> = HashSet::new();
        while let Some(key) = entries.next_key_seed(TextOf)? {
            let known = {
                let mut keys = self.0.0.borrow_mut();
                if keys.len() - first < FEW {
                    let known = keys[first..].contains(&key);
                    if known {
                        Some(key)
                    } else {
                        keys.push(key);
                        None
                    }
                } else {
                    if many.is_empty() {
                        many.extend(keys[first..].iter().cloned());
                    }
                    if many.contains(&key) {
                        Some(key)
                    } else {
                        many.insert(key);
                        None
                    }
                }
            };
            if let Some(key) = known {
                return Err(A::Error::custom(format_args!("duplicate field `{key}`")));
            }
            entries.next_value_seed(self)?;
        }
        self.0.0.borrow_mut().truncate(first);
        Ok(())
    }
}

/// Reader of a string, borrowed if it has no escapes.
struct TextOf;

impl<'de> DeserializeSeed<'de> for TextOf {
    type Value = Cow<'de, str>;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Cow<'de, str>, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for TextOf {
    type Value = Cow<'de, str>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }
    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Cow<'de, str>, E> {
        Ok(Cow::Borrowed(text))
    }
    fn visit_str<E>(self, text: &str) -> Result<Cow<'de, str>, E> {
        Ok(Cow::Owned(text.to_owned()))
    }
}

#[cfg(feature = "schemars")]
mod schema {
    use schemars::{JsonSchema, Schema, SchemaGenerator};

    use super::{AnyObject, Cow, Verbatim};

    impl JsonSchema for AnyObject {
        fn schema_name() -> Cow<'static, str> {
            "AnyObject".into()
        }
        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            serde_json::Map::<String, serde_json::Value>::json_schema(generator)
        }
    }

    impl<T: JsonSchema> JsonSchema for Verbatim<T> {
        fn schema_name() -> Cow<'static, str> {
            T::schema_name()
        }
        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            T::json_schema(generator)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_twice_is_rejected_at_any_depth_and_size() {
        for bad in [r#"{"a":1,"a":2}"#.to_owned(), r#"{"x":[{"a":{},"\u0061":2}]}"#.to_owned(), {
            let keys: Vec<_> = (0..40).map(|index| format!(r#""k{}":{{"k1":1}}"#, index % 39)).collect();
            format!("{{{}}}", keys.join(","))
        }] {
            let error = serde_json::from_str::<Verbatim<AnyObject>>(&bad).unwrap_err().to_string();
            assert!(error.contains("duplicate field"), "{bad}: {error}");
        }
        let good = r#"{"a":{"a":1},"b":[{"a":1},{"a":2}],"c":{"b":1}}"#;
        assert!(serde_json::from_str::<Verbatim<AnyObject>>(good).is_ok());
    }
}
