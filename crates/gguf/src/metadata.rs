//! Metadata: values by key, read in place.

use std::collections::HashMap;

use crate::reader::{HeaderError, Reader};

/// Part of a header that is read, for messages.
const PART: &str = "a metadata value";

/// Error of a metadata value that is not there, or not of its kind.
#[derive(Debug, thiserror::Error, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum MetadataError {
    #[error("the metadata has no {0}")]
    Missing(String),
    #[error("{key} is {found}, not {expected}")]
    Kind { key: String, found: String, expected: &'static str },
}

/// A metadata value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// A number of an unsigned type.
    Unsigned(u64),
    /// A number of a signed type.
    Signed(i64),
    /// A number of a floating-point type.
    Float(f64),
    /// A boolean.
    Flag(bool),
    /// A text.
    Text(&'a str),
    /// A list of values of one kind.
    List(List<'a>),
}

/// A list, whose items are read when they are asked for. A list of lists is not read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct List<'a> {
    /// Number of the items' type.
    kind: u32,
    count: usize,
    /// The items, which were checked.
    bytes: &'a [u8],
}

/// Number of the type of a text, and of a list.
const TEXT: u32 = 8;
const LIST: u32 = 9;

/// Conversion of a value's bytes, with zeros after them.
type Convert = fn([u8; 8]) -> Value<'static>;

/// Types without parts: number, size in bytes, conversion.
static SCALARS: [(u32, usize, Convert); 11] = [
    (0, 1, |bytes| Value::Unsigned(bytes[0].into())),
    (1, 1, |bytes| Value::Signed(i64::from(bytes[0].cast_signed()))),
    (2, 2, |bytes| Value::Unsigned(u16::from_le_bytes([bytes[0], bytes[1]]).into())),
    (3, 2, |bytes| Value::Signed(i16::from_le_bytes([bytes[0], bytes[1]]).into())),
    (4, 4, |bytes| Value::Unsigned(u32::from_le_bytes(half(bytes)).into())),
    (5, 4, |bytes| Value::Signed(i32::from_le_bytes(half(bytes)).into())),
    (6, 4, |bytes| Value::Float(f32::from_le_bytes(half(bytes)).into())),
    (7, 1, |bytes| Value::Flag(bytes[0] != 0)),
    (10, 8, |bytes| Value::Unsigned(u64::from_le_bytes(bytes))),
    (11, 8, |bytes| Value::Signed(i64::from_le_bytes(bytes))),
    (12, 8, |bytes| Value::Float(f64::from_le_bytes(bytes))),
];

fn half(bytes: [u8; 8]) -> [u8; 4] {
    [bytes[0], bytes[1], bytes[2], bytes[3]]
}

fn scalar_bytes(kind: u32) -> Option<usize> {
    SCALARS.iter().find(|(number, ..)| *number == kind).map(|(_, bytes, _)| *bytes)
}

/// Reads a value without parts. `bytes` has its size.
fn scalar(kind: u32, bytes: &[u8]) -> Option<Value<'static>> {
    let (.., convert) = SCALARS.iter().find(|(number, ..)| *number == kind)?;
    let mut padded = [0; 8];
    padded.get_mut(..bytes.len())?.copy_from_slice(bytes);
    Some(convert(padded))
}

impl<'a> Value<'a> {
    fn read(reader: &mut Reader<'a>) -> Result<Self, HeaderError> {
        match reader.u32(PART)? {
            TEXT => Ok(Self::Text(reader.text(PART)?)),
            LIST => {
                let (kind, count) = (reader.u32(PART)?, reader.size(PART)?);
                let start = reader.position();
                match scalar_bytes(kind) {
                    Some(bytes) => {
                        let size = count.checked_mul(bytes).ok_or_else(|| HeaderError::Short(PART.to_owned()))?;
                        reader.take(size, PART)?;
                    }
                    // Every text takes eight bytes at least, so the file's length bounds this loop.
                    None if kind == TEXT => (0..count).try_for_each(|_| reader.text(PART).map(|_| ()))?,
                    None => return Err(HeaderError::Invalid(format!("{PART} is a list of type {kind}"))),
                }
                Ok(Self::List(List { kind, count, bytes: reader.since(start) }))
            }
            kind => {
                let bytes = scalar_bytes(kind)
                    .ok_or_else(|| HeaderError::Invalid(format!("{PART} has the unknown type {kind}")))?;
                let bytes = reader.take(bytes, PART)?;
                scalar(kind, bytes).ok_or_else(|| HeaderError::Short(PART.to_owned()))
            }
        }
    }

    /// Returns a whole number of at least 0, of whatever type.
    pub fn as_count(&self) -> Option<usize> {
        match *self {
            Self::Unsigned(number) => usize::try_from(number).ok(),
            Self::Signed(number) => usize::try_from(number).ok(),
            _ => None,
        }
    }

    /// Returns a finite number, of whatever type.
    pub fn as_number(&self) -> Option<f64> {
        match *self {
            Self::Unsigned(number) => Some(number as f64),
            Self::Signed(number) => Some(number as f64),
            Self::Float(number) => Some(number).filter(|number| number.is_finite()),
            _ => None,
        }
    }

    fn describe(&self) -> String {
        match self {
            Self::Unsigned(number) => number.to_string(),
            Self::Signed(number) => number.to_string(),
            Self::Float(number) => number.to_string(),
            Self::Flag(flag) => flag.to_string(),
            Self::Text(text) => format!("{:?}", text.chars().take(100).collect::<String>()),
            Self::List(list) => format!("a list of {} values", list.count),
        }
    }
}

impl<'a> List<'a> {
    /// Returns the number of items.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Returns whether there are no items.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the items.
    pub fn iter(&self) -> impl Iterator<Item = Value<'a>> + use<'a> {
        let Self { kind, count, bytes } = *self;
        let mut reader = Reader::new(bytes, 0);
        (0..count).map_while(move |_| match scalar_bytes(kind) {
            Some(size) => scalar(kind, reader.take(size, PART).ok()?),
            None => reader.text(PART).ok().map(Value::Text),
        })
    }
}

/// Metadata of a file.
#[derive(Clone, Debug, Default)]
pub struct Metadata<'a> {
    values: HashMap<&'a str, Value<'a>>,
}

impl<'a> Metadata<'a> {
    pub(crate) fn read(reader: &mut Reader<'a>, entries: u64) -> Result<Self, HeaderError> {
        let mut values = HashMap::new();
        for _ in 0..entries {
            let key = reader.text("a metadata key")?;
            if values.insert(key, Value::read(reader)?).is_some() {
                return Err(HeaderError::Invalid(format!("the metadata has {key} twice")));
            }
        }
        Ok(Self { values })
    }

    /// Returns a value.
    pub fn get(&self, key: &str) -> Option<&Value<'a>> {
        self.values.get(key)
    }

    fn as_kind<T>(
        &self,
        key: &str,
        expected: &'static str,
        convert: impl Fn(&Value<'a>) -> Option<T>,
    ) -> Result<Option<T>, MetadataError> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let wrong = || MetadataError::Kind { key: key.to_owned(), found: value.describe(), expected };
        convert(value).map(Some).ok_or_else(wrong)
    }

    /// Returns a text.
    ///
    /// # Errors
    /// The value is no text.
    pub fn text(&self, key: &str) -> Result<Option<&'a str>, MetadataError> {
        self.as_kind(key, "a text", |value| if let Value::Text(text) = value { Some(*text) } else { None })
    }

    /// Returns a whole number of at least 0.
    ///
    /// # Errors
    /// The value is no such number.
    pub fn count(&self, key: &str) -> Result<Option<usize>, MetadataError> {
        self.as_kind(key, "a whole number of at least 0", Value::as_count)
    }

    /// Returns a finite number.
    ///
    /// # Errors
    /// The value is no such number.
    pub fn number(&self, key: &str) -> Result<Option<f64>, MetadataError> {
        self.as_kind(key, "a number", Value::as_number)
    }

    /// Returns a boolean.
    ///
    /// # Errors
    /// The value is no boolean.
    pub fn flag(&self, key: &str) -> Result<Option<bool>, MetadataError> {
        self.as_kind(key, "true or false", |value| if let Value::Flag(flag) = value { Some(*flag) } else { None })
    }

    /// Returns a list of texts.
    ///
    /// # Errors
    /// The value is no such list.
    pub fn texts(&self, key: &str) -> Result<Option<Vec<&'a str>>, MetadataError> {
        self.items(key, "a list of texts", |value| if let Value::Text(text) = value { Some(*text) } else { None })
    }

    /// Returns a list of whole numbers.
    ///
    /// # Errors
    /// The value is no such list.
    pub fn integers(&self, key: &str) -> Result<Option<Vec<i64>>, MetadataError> {
        self.items(key, "a list of whole numbers", |value| match *value {
            Value::Unsigned(number) => i64::try_from(number).ok(),
            Value::Signed(number) => Some(number),
            _ => None,
        })
    }

    /// Returns a list of finite numbers.
    ///
    /// # Errors
    /// The value is no such list.
    pub fn numbers(&self, key: &str) -> Result<Option<Vec<f64>>, MetadataError> {
        self.items(key, "a list of numbers", Value::as_number)
    }

    /// Returns a list of booleans.
    ///
    /// # Errors
    /// The value is no such list.
    pub fn flags(&self, key: &str) -> Result<Option<Vec<bool>>, MetadataError> {
        self.items(key, "a list of booleans", |value| if let Value::Flag(flag) = value { Some(*flag) } else { None })
    }

    fn items<T>(
        &self,
        key: &str,
        expected: &'static str,
        convert: impl Fn(&Value<'a>) -> Option<T>,
    ) -> Result<Option<Vec<T>>, MetadataError> {
        self.as_kind(key, expected, |value| match value {
            Value::List(list) => list.iter().map(|item| convert(&item)).collect(),
            _ => None,
        })
    }
}
