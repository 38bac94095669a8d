//! Objects with known fields.

use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;

use serde::Deserializer;
use serde::de::{DeserializeSeed, Error, IgnoredAny, MapAccess, Visitor};

use crate::json::nearest::{instead, shown};
use crate::json::path::PATH;
use crate::json::read::{Keep, Read, Seed};

/// Entries of an object with known fields.
pub struct Fields<A> {
    map: A,
    /// Names of the fields, sorted.
    names: &'static [&'static str],
    /// Index of the last key's name; the number of names for any other key.
    index: usize,
    /// Last key that is no name.
    other: String,
    /// Keys read so far, without those of dropped fields.
    read: u64,
}

impl<'de, A: MapAccess<'de>> Fields<A> {
    /// Creates the reader of an object whose field names are `names`, sorted.
    pub fn of(map: A, names: &'static [&'static str]) -> Self {
        Self { map, names, index: names.len(), other: String::new(), read: 0 }
    }

    /// Reads the next key, and returns the index of its name; the number of names for any other key.
    pub fn next_field(&mut self) -> Result<Option<usize>, A::Error> {
        match self.map.next_key_seed(Names(self.names))? {
            Some(Key::Known(index)) => self.index = index,
            Some(Key::Other(key)) => (self.index, self.other) = (self.names.len(), key),
            None => return Ok(None),
        }
        self.read += 1;
        Ok(Some(self.index))
    }

    /// Reads the value of a field; an error if the field already has one.
    pub fn fill<R: Read<T>, T>(&mut self, slot: &mut Option<T>) -> Result<(), A::Error> {
        if slot.is_some() {
            return Err(A::Error::duplicate_field(self.names[self.index]));
        }
        *slot = Some(self.map.next_value_seed(Seed::<R, T>::new())?);
        Ok(())
    }

    /// Reads the value of another key; an error if the key occurs twice.
    pub fn keep<R: Read<T>, T, M: Keep<T>>(&mut self, entries: &mut M) -> Result<(), A::Error> {
        R::keep(entries, std::mem::take(&mut self.other), &mut self.map)
    }

    /// Reads and discards a value.
    pub fn skip(&mut self) -> Result<(), A::Error> {
        skip(&mut self.map)
    }

    /// Reads and discards the value of a field that the document has in the other direction only.
    pub fn drop_field(&mut self) -> Result<(), A::Error> {
        DROPPED.set(Some(self.names[self.index]));
        self.read -= 1;
        self.skip()
    }

    /// Creates the error for an unknown key; it suggests the most similar known key.
    pub fn unknown_field(&self) -> A::Error {
        unknown_field(&self.other, self.names)
    }

    /// Reads the value of an unknown key in an object that allows such keys with null only.
    pub fn only_null(&mut self) -> Result<(), A::Error> {
        match self.map.next_value::<Option<IgnoredAny>>()? {
            None => Ok(()),
            Some(_) => Err(self.unknown_field()),
        }
    }

    /// Checks `minProperties` and `maxProperties`.
    pub fn count(&self, least: u64, most: u64) -> Result<(), A::Error> {
        let count = self.read;
        if count < least {
            return Err(A::Error::custom(format_args!("must have at least {least} fields, not {count}")));
        }
        if count > most {
            return Err(A::Error::custom(format_args!("must have at most {most} fields, not {count}")));
        }
        Ok(())
    }
}

/// A key of an object with known fields.
enum Key {
    /// Known field, as an index into the names.
    Known(usize),
    /// Any other key.
    Other(String),
}

/// Reader of a key by the sorted names of the fields.
struct Names(&'static [&'static str]);

impl<'de> DeserializeSeed<'de> for Names {
    type Value = Key;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Key, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Names {
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

/// An object with known fields.
pub trait ReadObject: Sized {
    /// Names of the fields, sorted.
    const NAMES: &'static [&'static str];
    /// Reads the object from its entries.
    fn read_fields<'de, A: MapAccess<'de>>(map: A) -> Result<Self, A::Error>;
}

/// Implements `Deserialize` for a [`ReadObject`].
#[doc(hidden)]
#[macro_export]
macro_rules! json_object {
    ($name:ident) => {
        impl<'de> $crate::json::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::json::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::std::result::Result<Self, D::Error> {
                $crate::json::read_object(deserializer)
            }
        }
    };
}

/// Reads an object. An array is an error, though serde's derived code accepts one.
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

/// Reads and discards the value of a key.
fn skip<'de, A: MapAccess<'de>>(map: &mut A) -> Result<(), A::Error> {
    map.next_value::<IgnoredAny>().map(|_| ())
}

thread_local! {
    /// A field that was dropped since the text of a [`Verbatim`](super::Verbatim) was begun.
    static DROPPED: Cell<Option<&'static str>> = const { Cell::new(None) };
}

/// Reads a value whose text is kept. A field that would be dropped is an error, since the text would keep it.
pub(super) fn whole<T, E: Error>(read: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    let outer = DROPPED.take();
    let result = read();
    match DROPPED.replace(outer) {
        Some(name) if result.is_ok() => Err(E::custom(format_args!(
            "`{name}` is readOnly or writeOnly and has no place in this direction; leave it out"
        ))),
        _ => result,
    }
}

/// Returns the value of a required field, or the error that it is missing.
pub fn required<T, E: Error>(slot: Option<T>, name: &'static str) -> Result<T, E> {
    slot.ok_or_else(|| E::missing_field(name))
}

/// Creates the error for an unknown key; it suggests the most similar known key.
fn unknown_field<E: Error>(key: &str, names: &'static [&'static str]) -> E {
    let instead = instead(key, names.iter().copied());
    let key = shown(key);
    E::custom(format_args!("{PATH}{key}{PATH}unknown field `{key}`; {instead}"))
}

/// Checks that at least one of the sets of fields, or exactly one, is present. Each set has its names and whether it is
/// present.
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
