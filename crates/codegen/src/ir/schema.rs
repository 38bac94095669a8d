//! Schemas in a normal form: references resolved, `allOf` merged, every type named.

use serde_json::{Number, Value};
use trainyard_runtime::validation::Format;

/// A type with its own name in the generated code.
#[derive(Clone, Debug)]
pub struct NamedType {
    /// Rust name: PascalCase, unique within the document.
    pub name: String,
    /// JSON pointer of its schema.
    pub pointer: String,
    /// Component name, spelt as in the document; `None` for a type named after its place.
    pub component: Option<String>,
    pub description: String,
    pub deprecated: bool,
    /// Direction that the type is for, if the schema has another type for the other direction.
    pub direction: Option<Direction>,
    pub kind: Kind,
}

/// Direction of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From client to server.
    Request,
    /// From server to client.
    Response,
}

impl Direction {
    /// Both directions.
    pub const BOTH: [Self; 2] = [Self::Request, Self::Response];
}

/// Kind of a named type.
#[derive(Clone, Debug)]
pub enum Kind {
    Object(Object),
    Enumeration(Enumeration),
    Union(Union),
    /// A type alias: a named scalar, array or map, or another name of a type. References to it are replaced by its
    /// schema, limits included, so no [`Shape::Named`] refers to it.
    Alias(Schema),
    /// A struct around an array or map that contains itself, which an alias cannot express.
    Wrapper(Schema),
    /// A value that is validated against the schema and keeps its original text: `x-verbatim`, or an `anyOf` of
    /// objects, of which no single branch needs to have every field.
    Verbatim(Schema),
    /// A hand-written type (`x-rust-type`), by its path.
    External(String),
}

/// A JSON object with known fields.
#[derive(Clone, Debug, Default)]
pub struct Object {
    /// Fields, sorted by the document's keys.
    pub fields: Vec<Field>,
    /// Keys of the fields of the other direction, sorted: a reader drops their values.
    pub dropped: Vec<String>,
    pub additional: Additional,
    pub min_properties: Option<u64>,
    pub max_properties: Option<u64>,
    /// Sets of fields that must be present: a `oneOf` or `anyOf` whose branches have `required` only.
    pub presence: Vec<Presence>,
}

/// Treatment of fields that an object does not name.
#[derive(Clone, Debug, Default)]
pub enum Additional {
    /// Accepted and dropped: the document does not mention them.
    #[default]
    Ignored,
    /// Rejected: `additionalProperties: false`.
    Rejected,
    /// Accepted if null: `additionalProperties` allows null only.
    Null,
    /// Kept beside the fields: `additionalProperties` is true or a schema.
    Kept(Box<Schema>),
}

/// Sets of wire names, of which at least one (`anyOf`) or exactly one (`oneOf`) must be fully present.
#[derive(Clone, Debug)]
pub struct Presence {
    pub exactly_one: bool,
    pub sets: Vec<Vec<String>>,
}

/// One field of an object.
#[derive(Clone, Debug)]
pub struct Field {
    /// Key in JSON.
    pub wire_name: String,
    /// Rust name, unique within the object.
    pub rust_name: String,
    pub description: String,
    pub deprecated: bool,
    pub required: bool,
    /// Value of the field if it is absent.
    pub default: Option<Value>,
    /// The only direction of the field: responses for `readOnly`, requests for `writeOnly`.
    pub direction: Option<Direction>,
    /// Whether the type contains the object itself, so that the field needs a box.
    pub boxed: bool,
    /// Whether null means another thing than absence. The field is optional and nullable, and has no default.
    pub distinct_null: bool,
    pub schema: Schema,
}

/// A use of a type: its shape, nullability and limits.
#[derive(Clone, Debug, PartialEq)]
pub struct Schema {
    pub shape: Shape,
    pub nullable: bool,
    pub limits: Limits,
}

/// Shape of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// Any JSON value.
    Any,
    Boolean,
    Integer(Integer),
    /// `single` for `format: float`, which has 32 bits.
    Number {
        single: bool,
    },
    String,
    /// `format: binary`: bytes outside JSON.
    Binary,
    Array(Box<Schema>),
    /// An object without known fields.
    Map(Box<Schema>),
    /// A [`NamedType`], by its Rust name.
    Named(String),
}

/// Width of an integer; 64 signed bits without a `format`.
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
    /// Returns the range of integers of this width.
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

/// Keywords that limit a value beyond its type.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limits {
    pub minimum: Option<Bound>,
    pub maximum: Option<Bound>,
    /// Several if `allOf` combines them; all apply.
    pub multiple_of: Vec<Number>,
    pub min_length: Option<u64>,
    pub max_length: Option<u64>,
    /// Several if `allOf` combines them; all apply.
    pub patterns: Vec<Pattern>,
    pub min_items: Option<u64>,
    pub max_items: Option<u64>,
    pub unique_items: bool,
    /// Limits of maps; objects have their own.
    pub min_properties: Option<u64>,
    pub max_properties: Option<u64>,
    /// String `format` to validate; other formats are documentation only.
    pub format: Option<Format>,
    /// Values of an `enum` that are not all strings.
    pub one_of: Vec<Value>,
}

/// A `minimum` or `maximum`.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    pub value: Number,
    pub exclusive: bool,
}

impl Bound {
    /// Returns the least integer that it allows as a `minimum`.
    pub fn least(&self) -> Option<i128> {
        self.integer(1, f64::ceil)
    }

    /// Returns the greatest integer that it allows as a `maximum`.
    pub fn greatest(&self) -> Option<i128> {
        self.integer(-1, f64::floor)
    }

    fn integer(&self, step: i128, rounded: fn(f64) -> f64) -> Option<i128> {
        match integer(&self.value) {
            Some(limit) => Some(if self.exclusive { limit.saturating_add(step) } else { limit }),
            None => self.value.as_f64().filter(|limit| limit.abs() < 1e30).map(|limit| rounded(limit) as i128),
        }
    }
}

/// Returns the number as an integer, also if it is written `1.0` or `1e3`; `None` if it has a fraction.
pub fn integer(number: &Number) -> Option<i128> {
    // ±2^127 are floats, and every integral float in between is an `i128`.
    const END: f64 = 170_141_183_460_469_231_731_687_303_715_884_105_728.0;
    number.as_i128().or_else(|| {
        let float = number.as_f64().filter(|float| float.fract() == 0.0 && (-END..END).contains(float));
        float.map(|float| float as i128)
    })
}

/// A regular expression of ECMA-262.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    pub source: String,
    /// Description of the expected value (`x-pattern-message`).
    pub message: Option<String>,
}

/// An `enum` of strings.
#[derive(Clone, Debug)]
pub struct Enumeration {
    pub variants: Vec<EnumerationVariant>,
    /// Index of the `default`.
    pub default: Option<usize>,
}

/// A value of an enumeration.
#[derive(Clone, Debug)]
pub struct EnumerationVariant {
    pub wire_name: String,
    pub rust_name: String,
}

/// `oneOf` or `anyOf`.
#[derive(Clone, Debug)]
pub struct Union {
    pub branches: Vec<Branch>,
    pub tell: Discrimination,
}

/// A branch of a union.
#[derive(Clone, Debug)]
pub struct Branch {
    /// Variant name, unique within the union.
    pub rust_name: String,
    /// Whether the type contains the union itself, so that the branch needs a box.
    pub boxed: bool,
    pub schema: Schema,
}

/// Discrimination of a union's branches, which are referred to by index.
#[derive(Clone, Debug)]
pub enum Discrimination {
    /// By the value of a string field: value, branch. Several values can select one branch.
    Discriminator { property: String, mapping: Vec<(String, usize)> },
    /// By the JSON type: `boolean`, `number`, `string`, `array`, `object`. Null belongs to the use of the union.
    JsonType(Vec<(&'static str, usize)>),
    /// All branches are objects, discriminated by a field that only one branch requires, or by the value of a field
    /// that is constant there. They are tested in order; a branch without marks comes last.
    Fields(Vec<(Vec<Mark>, usize)>),
    /// No discrimination: every branch is tried against its type and limits. `oneOf` requires exactly one match,
    /// `anyOf` takes the first.
    Trial { exactly_one: bool },
}

/// Mark of a branch.
#[derive(Clone, Debug)]
pub enum Mark {
    /// The field is present.
    Present(String),
    /// The field is this string.
    Equals(String, String),
}

impl Kind {
    /// Returns whether it is a type of several forms, whose code is in `unions.rs`.
    pub fn is_choice(&self) -> bool {
        matches!(self, Self::Union(_) | Self::Verbatim(_))
    }

    /// Returns the schemas that the type consists of.
    pub fn schemas(&self) -> Vec<&Schema> {
        match self {
            Self::Object(object) => {
                let extra = match &object.additional {
                    Additional::Kept(schema) => Some(schema.as_ref()),
                    _ => None,
                };
                object.fields.iter().map(|field| &field.schema).chain(extra).collect()
            }
            Self::Union(union) => union.branches.iter().map(|branch| &branch.schema).collect(),
            Self::Alias(schema) | Self::Wrapper(schema) | Self::Verbatim(schema) => vec![schema],
            Self::Enumeration(_) | Self::External(_) => Vec::new(),
        }
    }
}

impl Schema {
    /// Creates a schema of this shape without limits.
    pub fn of(shape: Shape) -> Self {
        Self { shape, nullable: false, limits: Limits::default() }
    }

    /// Returns the name of the type that it, its items or its values refer to, at any depth.
    pub fn target(&self) -> Option<&str> {
        match &self.shape {
            Shape::Array(inner) | Shape::Map(inner) => inner.target(),
            _ => self.name(),
        }
    }

    /// Returns the name of the type that it refers to.
    pub fn name(&self) -> Option<&str> {
        match &self.shape {
            Shape::Named(name) => Some(name),
            _ => None,
        }
    }
}

impl Object {
    /// Returns whether the object has a field with this key, in one direction at least.
    pub fn knows(&self, key: &str) -> bool {
        self.fields.iter().any(|field| field.wire_name == key) || self.dropped.iter().any(|dropped| dropped == key)
    }
}

impl Field {
    /// Returns whether the field occurs in this direction.
    pub fn occurs_in(&self, direction: Direction) -> bool {
        self.direction.is_none_or(|only| only == direction)
    }
}
