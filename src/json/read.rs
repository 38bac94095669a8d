//! How generated types are read: each as its schema means it, where serde's own way would take more or less.

use std::{collections::BTreeMap, fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer,
    de::{DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use serde_json::{Map, Value};

use super::{
    nearest::{instead, shown},
    place::PLACE,
};

/// A way of reading a `T`.
pub trait Read<T> {
    /// Reads one value.
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error>;

    /// Reads the value of a field, which must not have one yet.
    fn fill<'de, A: MapAccess<'de>>(slot: &mut Option<T>, name: &'static str, map: &mut A) -> Result<(), A::Error>
    where
        Self: Sized,
    {
        if slot.is_some() {
            return Err(A::Error::duplicate_field(name));
        }
        *slot = Some(map.next_value_seed(Seed::<Self, T>::new())?);
        Ok(())
    }

    /// Reads the value of a key that no field has.
    fn keep<'de, M: Keep<T>, A: MapAccess<'de>>(entries: &mut M, key: String, map: &mut A) -> Result<(), A::Error>
    where
        Self: Sized,
    {
        if entries.has(&key) {
            return Err(A::Error::custom(format_args!("duplicate field `{key}`")));
        }
        entries.insert_new(key, map.next_value_seed(Seed::<Self, T>::new())?);
        Ok(())
    }
}

/// Reads by [`Read`] where serde asks for a seed.
struct Seed<R, T>(PhantomData<fn() -> (R, T)>);

impl<R, T> Seed<R, T> {
    fn new() -> Self {
        Self(PhantomData)
    }
}

impl<'de, T, R: Read<T>> DeserializeSeed<'de> for Seed<R, T> {
    type Value = T;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        R::read(deserializer)
    }
}

/// As the type's own `Deserialize`.
pub struct Same;

impl<T: for<'de> Deserialize<'de>> Read<T> for Same {
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        T::deserialize(deserializer)
    }
}

/// In a box.
pub struct Boxed<R>(PhantomData<R>);

impl<T, R: Read<T>> Read<Box<T>> for Boxed<R> {
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Box<T>, D::Error> {
        R::read(deserializer).map(Box::new)
    }
}

/// Or null.
pub struct Nullable<R>(PhantomData<R>);

impl<T, R: Read<T>> Read<Option<T>> for Nullable<R> {
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
        struct OrNull<R, T>(PhantomData<fn() -> (R, T)>);
        impl<'de, T, R: Read<T>> Visitor<'de> for OrNull<R, T> {
            type Value = Option<T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value or null")
            }
            fn visit_none<E>(self) -> Result<Option<T>, E> {
                Ok(None)
            }
            fn visit_unit<E>(self) -> Result<Option<T>, E> {
                Ok(None)
            }
            fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<T>, D::Error> {
                R::read(deserializer).map(Some)
            }
        }
        deserializer.deserialize_option(OrNull::<R, T>(PhantomData))
    }
}

/// An integer, also one written like `1.0`: JSON Schema does not tell them apart.
pub struct Whole;

/// An integer type of the generated code.
pub trait Integer: Sized + TryFrom<i64> + TryFrom<u64> {
    /// As refusals call it.
    const NAME: &'static str;
}

macro_rules! integers {
    ($($name:ident)*) => { $(impl Integer for $name { const NAME: &'static str = stringify!($name); })* };
}
integers!(i8 i16 i32 i64 u8 u16 u32 u64);

impl<T: Integer> Read<T> for Whole {
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        struct WholeNumber<T>(PhantomData<T>);
        impl<'de, T: Integer> Visitor<'de> for WholeNumber<T> {
            type Value = T;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(T::NAME)
            }
            fn visit_i64<E: Error>(self, value: i64) -> Result<T, E> {
                T::try_from(value).map_err(|_| E::invalid_value(serde::de::Unexpected::Signed(value), &self))
            }
            fn visit_u64<E: Error>(self, value: u64) -> Result<T, E> {
                T::try_from(value).map_err(|_| E::invalid_value(serde::de::Unexpected::Unsigned(value), &self))
            }
            fn visit_f64<E: Error>(self, value: f64) -> Result<T, E> {
                // Beyond 2^53 a float stands for many integers.
                if value.fract() == 0.0 && value.abs() <= 9_007_199_254_740_992.0 {
                    return self.visit_i64(value as i64);
                }
                Err(E::invalid_type(serde::de::Unexpected::Float(value), &self))
            }
        }
        deserializer.deserialize_any(WholeNumber(PhantomData))
    }
}

/// A number of single precision; one beyond it is refused, where serde would store infinity.
pub struct Single;

impl Read<f32> for Single {
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f32, D::Error> {
        let number = f64::deserialize(deserializer)?;
        let single = number as f32;
        if number.is_finite() && !single.is_finite() {
            return Err(D::Error::custom(format_args!("{number:e} is too large for a number of single precision")));
        }
        Ok(single)
    }
}

/// A list. One with more than `MOST` items is read to its end and only one item too many is kept: so it is refused for its
/// length, and takes no memory for it.
pub struct List<R, const MOST: usize = { usize::MAX }>(PhantomData<R>);

impl<T, R: Read<T>, const MOST: usize> Read<Vec<T>> for List<R, MOST> {
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
        struct Items<R, T, const MOST: usize>(PhantomData<fn() -> (R, T)>);
        impl<'de, T, R: Read<T>, const MOST: usize> Visitor<'de> for Items<R, T, MOST> {
            type Value = Vec<T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an array")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Vec<T>, A::Error> {
                let mut list = Vec::new();
                while list.len() <= MOST {
                    match items.next_element_seed(Seed::<R, T>::new())? {
                        Some(item) => list.push(item),
                        None => return Ok(list),
                    }
                }
                while items.next_element::<IgnoredAny>()?.is_some() {}
                Ok(list)
            }
        }
        deserializer.deserialize_seq(Items::<R, T, MOST>(PhantomData))
    }
}

/// An object without known fields, no key twice. Of one with more than `MOST` entries only one too many is kept, as of a
/// [`List`].
pub struct Entries<R, const MOST: usize = { usize::MAX }>(PhantomData<R>);

/// A map that takes each key once.
pub trait Keep<T>: Default {
    /// Adds an entry whose key is new.
    fn insert_new(&mut self, key: String, value: T);
    /// Whether the key is there.
    fn has(&self, key: &str) -> bool;
    /// How many entries there are.
    fn count(&self) -> usize;
}

impl<T> Keep<T> for BTreeMap<String, T> {
    fn insert_new(&mut self, key: String, value: T) {
        self.insert(key, value);
    }
    fn has(&self, key: &str) -> bool {
        self.contains_key(key)
    }
    fn count(&self) -> usize {
        self.len()
    }
}

impl Keep<Value> for Map<String, Value> {
    fn insert_new(&mut self, key: String, value: Value) {
        self.insert(key, value);
    }
    fn has(&self, key: &str) -> bool {
        self.contains_key(key)
    }
    fn count(&self) -> usize {
        self.len()
    }
}

fn read_entries<'de, T, R, M, D>(deserializer: D, most: usize) -> Result<M, D::Error>
where
    R: Read<T>,
    M: Keep<T>,
    D: Deserializer<'de>,
{
    struct Object<R, T, M>(usize, PhantomData<fn() -> (R, T, M)>);
    impl<'de, T, R: Read<T>, M: Keep<T>> Visitor<'de> for Object<R, T, M> {
        type Value = M;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }
        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<M, A::Error> {
            let mut entries = M::default();
            while entries.count() <= self.0 {
                match map.next_key::<String>()? {
                    Some(key) => R::keep(&mut entries, key, &mut map)?,
                    None => return Ok(entries),
                }
            }
            while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            Ok(entries)
        }
    }
    deserializer.deserialize_map(Object::<R, T, M>(most, PhantomData))
}

impl<T, R: Read<T>, const MOST: usize> Read<BTreeMap<String, T>> for Entries<R, MOST> {
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, T>, D::Error> {
        read_entries::<T, R, _, _>(deserializer, MOST)
    }
}

impl<R: Read<Value>, const MOST: usize> Read<Map<String, Value>> for Entries<R, MOST> {
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Map<String, Value>, D::Error> {
        read_entries::<Value, R, _, _>(deserializer, MOST)
    }
}

/// Any JSON, no key of any object twice.
pub struct Any;

impl Read<Value> for Any {
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(AnyValue)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }
    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }
    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }
    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }
    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }
    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }
    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }
    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(Seed::<Any, Value>::new())? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut entries = Map::new();
        while let Some(key) = map.next_key::<String>()? {
            Any::keep(&mut entries, key, &mut map)?;
        }
        Ok(Value::Object(entries))
    }
}

/// A value that is read by `R`, where only its type is asked for.
#[derive(Clone, Debug)]
pub struct Typed<R, T>(pub T, PhantomData<fn() -> R>);

impl<'de, T, R: Read<T>> Deserialize<'de> for Typed<R, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        R::read(deserializer).map(|value| Self(value, PhantomData))
    }
}

/// A key of an object with known fields.
pub enum Key {
    /// Index into the names.
    Known(usize),
    /// Another key.
    Other(String),
}

/// The next key of an object whose fields are called `names`, sorted.
pub fn next_key<'de, A: MapAccess<'de>>(map: &mut A, names: &'static [&'static str]) -> Result<Option<Key>, A::Error> {
    struct Names(&'static [&'static str]);
    impl<'de> DeserializeSeed<'de> for Names {
        type Value = Key;
        fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Key, D::Error> {
            deserializer.deserialize_identifier(self)
        }
    }
    impl<'de> Visitor<'de> for Names {
        type Value = Key;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a key")
        }
        fn visit_str<E>(self, key: &str) -> Result<Key, E> {
            Ok(match self.0.binary_search(&key) {
                Ok(index) => Key::Known(index),
                Err(_) => Key::Other(key.to_owned()),
            })
        }
    }
    map.next_key_seed(Names(names))
}

/// An object with known fields.
pub trait ReadObject: Sized {
    /// The keys of its fields, sorted.
    const NAMES: &'static [&'static str];
    /// Reads it from its entries.
    fn read_fields<'de, A: MapAccess<'de>>(map: A) -> Result<Self, A::Error>;
}

/// Reads an object; an array is none, though serde's derived code takes it.
pub fn read_object<'de, T: ReadObject, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    struct Object<T>(PhantomData<T>);
    impl<'de, T: ReadObject> Visitor<'de> for Object<T> {
        type Value = T;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }
        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
            T::read_fields(map)
        }
    }
    deserializer.deserialize_map(Object(PhantomData))
}

/// Reads the value of a key that nobody wants.
pub fn skip<'de, A: MapAccess<'de>>(map: &mut A) -> Result<(), A::Error> {
    map.next_value::<IgnoredAny>().map(|_| ())
}

/// The value of a field that must be there.
pub fn required<T, E: Error>(slot: Option<T>, name: &'static str) -> Result<T, E> {
    slot.ok_or_else(|| E::missing_field(name))
}

/// The refusal of a key that an object must not have; it names the key that was probably meant.
pub fn unknown_field<E: Error>(key: &str, names: &'static [&'static str]) -> E {
    let instead = instead(key, names.iter().copied());
    let key = shown(key);
    E::custom(format_args!("{PLACE}{key}{PLACE}unknown field `{key}`; {instead}"))
}

/// Reads the value of an unknown key of an object that allows such keys only where they ask for nothing.
pub fn only_null<'de, A: MapAccess<'de>>(
    key: &str,
    names: &'static [&'static str],
    map: &mut A,
) -> Result<(), A::Error> {
    match map.next_value::<Option<IgnoredAny>>()? {
        None => Ok(()),
        Some(_) => Err(unknown_field(key, names)),
    }
}

/// `minProperties` and `maxProperties`.
pub fn count<E: Error>(count: u64, least: u64, most: u64) -> Result<(), E> {
    if count < least {
        return Err(E::custom(format_args!("must have at least {least} fields, not {count}")));
    }
    if count > most {
        return Err(E::custom(format_args!("must have at most {most} fields, not {count}")));
    }
    Ok(())
}

/// Of sets of fields, each with whether it is there, at least one (or exactly one) must be.
pub fn presence<E: Error>(exactly_one: bool, sets: &[(&str, bool)]) -> Result<(), E> {
    let there = sets.iter().filter(|(_, there)| *there).count();
    if there == 1 || there > 1 && !exactly_one {
        return Ok(());
    }
    let sets: Vec<_> = sets.iter().map(|(fields, _)| format!("`{fields}`")).collect();
    let sets = sets.join(" or ");
    match exactly_one {
        true => Err(E::custom(format_args!("must have exactly one of {sets}"))),
        false => Err(E::custom(format_args!("must have {sets}"))),
    }
}

/// The index of a string among `names`, of which it must be one.
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

/// A text that is none of the values of an enumeration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` is not known; write one of {}", choices(known))]
pub struct UnknownValue {
    found: String,
    known: &'static [&'static str],
}

impl UnknownValue {
    /// `found` is none of `known`.
    pub fn new(found: &str, known: &'static [&'static str]) -> Self {
        Self { found: found.chars().take(64).collect(), known }
    }
}

fn choices(known: &[&str]) -> String {
    known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_number_becomes_infinity() {
        let single = |text| serde_json::from_str::<Typed<Single, f32>>(text).map(|number| number.0);
        assert_eq!(single("0.1").unwrap(), 0.1_f32);
        assert_eq!(single("3").unwrap(), 3.0);
        assert_eq!(single("-3.4028234e38").unwrap(), f32::MIN);
        for text in ["1e39", "-1e39", "1e999"] {
            let error = single(text).unwrap_err().to_string();
            assert!(error.contains("too large") || error.contains("out of range"), "{text}: {error}");
            assert_eq!(serde_json::from_str::<Typed<Same, f64>>(text).is_ok(), text != "1e999");
        }
    }
}
