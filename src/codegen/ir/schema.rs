//! What a schema says, free of the ways of saying it: references followed, `allOf` merged, every type named.

use serde_json::{Number, Value};

/// A type with a name of its own in the generated code.
#[derive(Clone, Debug)]
pub struct NamedType {
    /// The Rust name, PascalCase, unique within the document.
    pub name: String,
    /// JSON pointer of the schema it was read from.
    pub pointer: String,
    /// The component's name as the document spells it; none for a type named after its place.
    pub component: Option<String>,
    pub description: String,
    pub deprecated: bool,
    pub kind: Kind,
}

/// What a named type is.
#[derive(Clone, Debug)]
pub enum Kind {
    Object(Object),
    Enumeration(Enumeration),
    Union(Union),
    /// A named scalar, array or map, or another name of a type: a type alias. A reference to it is lowered to what it
    /// stands for, limits and all, so no [`Shape::Named`] names it.
    Alias(Schema),
    /// An array or map that holds itself, which an alias cannot: a struct around it.
    Wrapper(Schema),
    /// Checked against the schema, kept as the text that came in (`x-verbatim`, or an `anyOf` of objects, of which
    /// no single branch need hold every field).
    Verbatim(Schema),
    /// Written by hand (`x-rust-type`): the path of the type.
    External(String),
}

/// A JSON object with known fields.
#[derive(Clone, Debug, Default)]
pub struct Object {
    /// In the order of the document's keys, sorted.
    pub fields: Vec<Field>,
    pub additional: Additional,
    pub min_properties: Option<u64>,
    pub max_properties: Option<u64>,
    /// `oneOf` or `anyOf` whose branches only say `required`: which sets of fields must be there.
    pub presence: Vec<Presence>,
}

/// What becomes of the fields that an object does not name.
#[derive(Clone, Debug, Default)]
pub enum Additional {
    /// The document is silent: taken, not kept.
    #[default]
    Ignored,
    /// `additionalProperties: false`.
    Refused,
    /// `additionalProperties` allows null alone: others may come if they ask for nothing.
    Null,
    /// `additionalProperties` is true or a schema: kept beside the fields.
    Kept(Box<Schema>),
}

/// Of these sets of wire names, at least one (`anyOf`) or exactly one (`oneOf`) must be present in full.
#[derive(Clone, Debug)]
pub struct Presence {
    pub exactly_one: bool,
    pub sets: Vec<Vec<String>>,
}

/// One field of an object.
#[derive(Clone, Debug)]
pub struct Field {
    /// The key in JSON.
    pub wire_name: String,
    /// The Rust name, unique within the object.
    pub rust_name: String,
    pub description: String,
    pub deprecated: bool,
    pub required: bool,
    /// Taken when the field is absent.
    pub default: Option<Value>,
    /// In answers only: in a request it may be absent even when it is required.
    pub read_only: bool,
    /// In requests only.
    pub write_only: bool,
    /// The type leads back to the object that holds it.
    pub boxed: bool,
    pub schema: Schema,
}

/// A use of a type: its shape and what else holds here.
#[derive(Clone, Debug, PartialEq)]
pub struct Schema {
    pub shape: Shape,
    pub nullable: bool,
    pub limits: Limits,
}

/// The shape of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// Any JSON.
    Any,
    Boolean,
    Integer(Integer),
    /// `format: float` is 32 bits wide.
    Number {
        single: bool,
    },
    String,
    /// `format: binary`: bytes outside JSON.
    Binary,
    Array(Box<Schema>),
    /// An object without known fields.
    Map(Box<Schema>),
    /// A [`NamedType`] by its Rust name.
    Named(String),
}

/// Width of an integer; a document that names none means 64 signed bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Integer {
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
}

impl Integer {
    /// All integers of this width.
    pub fn range(self) -> std::ops::RangeInclusive<i128> {
        match self {
            Self::I8 => i8::MIN.into()..=i8::MAX.into(),
            Self::I16 => i16::MIN.into()..=i16::MAX.into(),
            Self::I32 => i32::MIN.into()..=i32::MAX.into(),
            Self::I64 => i64::MIN.into()..=i64::MAX.into(),
            Self::U8 => 0..=u8::MAX.into(),
            Self::U16 => 0..=u16::MAX.into(),
            Self::U32 => 0..=u32::MAX.into(),
            Self::U64 => 0..=u64::MAX.into(),
        }
    }
}

/// The keywords that limit a value beyond its type.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limits {
    pub minimum: Option<Bound>,
    pub maximum: Option<Bound>,
    /// Several where `allOf` joins them; all hold.
    pub multiple_of: Vec<Number>,
    pub min_length: Option<u64>,
    pub max_length: Option<u64>,
    /// Several where `allOf` joins them; all hold.
    pub patterns: Vec<Pattern>,
    pub min_items: Option<u64>,
    pub max_items: Option<u64>,
    pub unique_items: bool,
    /// Of maps; objects carry theirs themselves.
    pub min_properties: Option<u64>,
    pub max_properties: Option<u64>,
    /// A `format` of strings that is checked.
    pub format: Option<Format>,
    /// `enum` of values that are not all strings.
    pub one_of: Vec<Value>,
}

/// A `minimum` or `maximum`.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    pub value: Number,
    pub exclusive: bool,
}

/// A regular expression of ECMA 262.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    pub source: String,
    /// `x-pattern-message`: what the pattern asks for, in words.
    pub message: Option<String>,
}

/// The formats of strings that are checked; others describe and do not limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Byte,
    Date,
    DateTime,
    Uuid,
    Ipv4,
    Ipv6,
    Email,
    Uri,
    Hostname,
}

/// An `enum` of strings.
#[derive(Clone, Debug)]
pub struct Enumeration {
    pub variants: Vec<EnumerationVariant>,
    /// Index of the `default`.
    pub default: Option<usize>,
}

/// One value of an enumeration.
#[derive(Clone, Debug)]
pub struct EnumerationVariant {
    pub wire_name: String,
    pub rust_name: String,
}

/// `oneOf` or `anyOf`.
#[derive(Clone, Debug)]
pub struct Union {
    pub branches: Vec<Branch>,
    pub tell: Tell,
}

/// One branch of a union.
#[derive(Clone, Debug)]
pub struct Branch {
    /// The variant, unique within the union.
    pub rust_name: String,
    /// The type leads back to the union that holds it.
    pub boxed: bool,
    pub schema: Schema,
}

/// How the branches of a union are told apart; indices are those of the branches.
#[derive(Clone, Debug)]
pub enum Tell {
    /// By the value of a string field: value, branch. Several values may mean one branch.
    Discriminator { property: String, mapping: Vec<(String, usize)> },
    /// By the JSON type: `boolean`, `number`, `string`, `array`, `object`; null belongs to the use of the union.
    JsonType(Vec<(&'static str, usize)>),
    /// All objects, told by a field that only that branch requires, or by the value of a field that is constant there;
    /// tried in order, a branch without marks comes last.
    Fields(Vec<(Vec<Mark>, usize)>),
    /// Nothing tells them apart: every branch is tried against type and limits. `oneOf` wants exactly one to fit,
    /// `anyOf` takes the first.
    Trial { exactly_one: bool },
}

/// What marks a branch.
#[derive(Clone, Debug)]
pub enum Mark {
    /// The field is there.
    Present(String),
    /// The field is this string.
    Equals(String, String),
}

impl Schema {
    /// A schema of this shape that says nothing else.
    pub fn of(shape: Shape) -> Self {
        Self { shape, nullable: false, limits: Limits::default() }
    }

    /// The name of the type this refers to.
    pub fn name(&self) -> Option<&str> {
        match &self.shape {
            Shape::Named(name) => Some(name),
            _ => None,
        }
    }
}

impl Field {
    /// Whether the field may be absent from JSON: not required, or required in one direction only.
    pub fn may_be_absent(&self) -> bool {
        !self.required || self.read_only || self.write_only
    }
}
