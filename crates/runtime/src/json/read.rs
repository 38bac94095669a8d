//! Readers of generated types: they follow the schema where serde's derived code would accept more or less.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use crate::json::allowance::{charge_entry, charge_item};

/// A reader of `T` from a deserializer.
pub trait Read<T> {
    /// Reads one value.
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error>;

    /// Reads the value of a key that is no known field; an error if the key occurs twice.
    fn keep<'de, M: Keep<T>, A: MapAccess<'de>>(entries: &mut M, key: String, map: &mut A) -> Result<(), A::Error>
    where
        Self: Sized,
    {
        if entries.has(&key) {
            return Err(A::Error::custom(format_args!("duplicate field `{key}`")));
        }
        charge_entry::<T, A::Error>(&key)?;
        entries.insert_new(key, map.next_value_seed(Seed::<Self, T>::new())?);
        Ok(())
    }
}

/// Adapter of a [`Read`] to serde's seed interface.
pub(super) struct Seed<R, T>(PhantomData<fn() -> (R, T)>);

impl<R, T> Seed<R, T> {
    pub(super) fn new() -> Self {
        Self(PhantomData)
    }
}

impl<'de, T, R: Read<T>> DeserializeSeed<'de> for Seed<R, T> {
    type Value = T;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        R::read(deserializer)
    }
}

/// Reader by the type's own `Deserialize`.
pub struct ViaDeserialize;

impl<T: for<'de> Deserialize<'de>> Read<T> for ViaDeserialize {
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        T::deserialize(deserializer)
    }
}

/// Reader of a boxed value by `R`.
pub struct Boxed<R>(PhantomData<R>);

impl<T, R: Read<T>> Read<Box<T>> for Boxed<R> {
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Box<T>, D::Error> {
        R::read(deserializer).map(Box::new)
    }
}

/// Reader of null or a value by `R`.
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

/// Reader of an integer, also one written like `1.0`: JSON Schema treats both as integers.
pub struct Whole;

/// An integer type of the generated code.
pub trait Integer: Sized + TryFrom<i64> + TryFrom<u64> {
    /// Name of the type in error messages.
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
                // Above 2^53, a float can stand for several integers.
                if value.fract() == 0.0 && value.abs() <= 9_007_199_254_740_992.0 {
                    return self.visit_i64(value as i64);
                }
                Err(E::invalid_type(serde::de::Unexpected::Float(value), &self))
            }
        }
        deserializer.deserialize_any(WholeNumber(PhantomData))
    }
}

/// Reader of a single-precision number. One out of range is an error, where serde would store infinity.
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

/// Reader of a list. One with more than `MAX` items is read to its end, but only `MAX` + 1 items are kept: the length
/// check rejects it, and its other items take no memory.
pub struct List<R, const MAX: usize = { usize::MAX }>(PhantomData<R>);

impl<T, R: Read<T>, const MAX: usize> Read<Vec<T>> for List<R, MAX> {
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
        struct Items<R, T, const MAX: usize>(PhantomData<fn() -> (R, T)>);
        impl<'de, T, R: Read<T>, const MAX: usize> Visitor<'de> for Items<R, T, MAX> {
            type Value = Vec<T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an array")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Vec<T>, A::Error> {
                let mut list = Vec::new();
                while list.len() <= MAX {
                    charge_item::<T, A::Error>()?;
                    match items.next_element_seed(Seed::<R, T>::new())? {
                        Some(item) => list.push(item),
                        None => return Ok(list),
                    }
                }
                while items.next_element::<IgnoredAny>()?.is_some() {}
                Ok(list)
            }
        }
        deserializer.deserialize_seq(Items::<R, T, MAX>(PhantomData))
    }
}

/// Reader of an object without known fields and without duplicate keys. Of an object with more than `MAX` entries, only
/// `MAX` + 1 are kept, as in a [`List`].
pub struct Entries<R, const MAX: usize = { usize::MAX }>(PhantomData<R>);

/// A map that [`Entries`] fills.
pub trait Keep<T>: Default {
    /// Inserts an entry whose key is not in the map.
    fn insert_new(&mut self, key: String, value: T);
    /// Returns whether the key is in the map.
    fn has(&self, key: &str) -> bool;
    /// Returns the number of entries.
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
    #[expect(clippy::type_complexity, reason = "a marker for the three type parameters")]
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

impl<T, R: Read<T>, const MAX: usize> Read<BTreeMap<String, T>> for Entries<R, MAX> {
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, T>, D::Error> {
        read_entries::<T, R, _, _>(deserializer, MAX)
    }
}

impl<R: Read<Value>, const MAX: usize> Read<Map<String, Value>> for Entries<R, MAX> {
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Map<String, Value>, D::Error> {
        read_entries::<Value, R, _, _>(deserializer, MAX)
    }
}

/// Reader of any JSON value; a duplicate key in any object is an error.
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
            charge_item::<Value, A::Error>()?;
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

/// A value whose `Deserialize` reads by `R`.
#[derive(Clone, Debug)]
pub struct Typed<R, T>(pub T, PhantomData<fn() -> R>);

impl<'de, T, R: Read<T>> Deserialize<'de> for Typed<R, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        R::read(deserializer).map(|value| Self(value, PhantomData))
    }
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
            assert_eq!(serde_json::from_str::<Typed<ViaDeserialize, f64>>(text).is_ok(), text != "1e999");
        }
    }
}
