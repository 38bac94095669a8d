//! Operations in a normal form: references resolved, inherited keys filled in, Rust names assigned.

pub use trainyard_runtime::parameter::{ParameterLocation, Style};

use std::collections::BTreeMap;

use serde_json::Value;

use crate::ir::schema::Schema;

/// A group of operations: one trait and one module of the generated server.
#[derive(Clone, Debug)]
pub struct Tag {
    /// Name, spelt as in the document.
    pub name: String,
    pub description: String,
    /// Module name: snake_case, unique within the document.
    pub module: String,
    /// Trait name: PascalCase, unique within the document, not in the prelude.
    pub trait_name: String,
}

/// One method of one path.
#[derive(Clone, Debug)]
pub struct Operation {
    /// Operation id of the document, or an id derived from method and path.
    pub id: String,
    /// JSON pointer of the operation.
    pub pointer: String,
    /// Method name of the trait: snake_case, unique within the document.
    pub rust_name: String,
    /// Prefix of its type names: PascalCase, unique within the document.
    pub type_name: String,
    pub method: Method,
    pub path: Template,
    /// Index into the tags of the API.
    pub tag: usize,
    pub summary: String,
    pub description: String,
    pub deprecated: bool,
    /// Id of the operation that handles this path.
    pub alias_of: Option<String>,
    /// Whether the operation is an extension (`x-extension`), absent from the service that this one is compatible with.
    pub extension: bool,
    /// Name of its own base address; `None` for the document's.
    pub base: Option<String>,
    pub security: Vec<Alternative>,
    pub parameters: Vec<Parameter>,
    pub body: Option<Body>,
    pub responses: Vec<Response>,
    /// Statuses as spelt in the document, including `default`.
    pub statuses: Vec<String>,
}

impl Operation {
    /// Returns whether authentication is required, optional or absent.
    pub fn access(&self) -> Access {
        match (self.security.is_empty(), self.security.iter().any(|alternative| alternative.0.is_empty())) {
            (true, _) => Access::Open,
            (false, true) => Access::Optional,
            (false, false) => Access::Secured,
        }
    }

    /// Returns whether a success response has several media types, so that `Accept` selects one.
    pub fn negotiates(&self) -> bool {
        self.responses.iter().any(|response| response.status.is_success() && response.media.len() > 1)
    }
}

/// Authentication of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Open,
    Optional,
    Secured,
}

/// HTTP methods of OpenAPI 3.0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Method {
    Delete,
    Get,
    Head,
    Options,
    Patch,
    Post,
    Put,
    Trace,
}

impl Method {
    /// Every method, in the order of a document's sorted keys.
    pub const ALL: [Self; 8] =
        [Self::Delete, Self::Get, Self::Head, Self::Options, Self::Patch, Self::Post, Self::Put, Self::Trace];

    /// The key of every method in a document.
    pub const KEYS: [&str; 8] = ["delete", "get", "head", "options", "patch", "post", "put", "trace"];

    /// Returns the method's key in a document.
    pub fn key(self) -> &'static str {
        Self::KEYS[self as usize]
    }
}

/// A path with parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// Text, as spelt in the document.
    pub text: String,
    pub segments: Vec<Vec<Part>>,
}

/// A part of a path segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Fixed text, percent-encoded as in a request.
    Text(String),
    Value(String),
}

impl Template {
    /// Returns the router's path: a segment with parameters becomes one capture.
    pub fn route(&self) -> String {
        let mut captures = 0;
        self.segments
            .iter()
            .map(|parts| match parts.as_slice() {
                [Part::Text(text)] => format!("/{text}"),
                [] => "/".to_owned(),
                _ => {
                    captures += 1;
                    format!("/{{{captures}}}")
                }
            })
            .collect()
    }

    /// Returns the names of the parameters, in order.
    pub fn values(&self) -> impl Iterator<Item = &str> {
        self.segments.iter().flatten().filter_map(|part| match part {
            Part::Value(name) => Some(name.as_str()),
            Part::Text(_) => None,
        })
    }

    /// Returns the length of the fixed text in bytes; a template with more is more specific.
    pub fn literal_length(&self) -> usize {
        let parts = self.segments.iter().flatten();
        parts.map(|part| if let Part::Text(text) = part { text.len() } else { 0 }).sum()
    }

    /// Returns whether a segment has several parts.
    pub fn is_mixed(&self) -> bool {
        self.segments.iter().any(|parts| parts.len() > 1)
    }

    /// Returns the template without the names of its parameters.
    pub fn shape(&self) -> Vec<Vec<Option<&str>>> {
        self.segments
            .iter()
            .map(|parts| {
                parts
                    .iter()
                    .map(|part| match part {
                        Part::Text(text) => Some(text.as_str()),
                        Part::Value(_) => None,
                    })
                    .collect()
            })
            .collect()
    }
}

/// Credentials that are required together; empty for anonymous requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternative(pub Vec<Requirement>);

/// A required credential.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirement {
    /// Name of the security scheme in the document.
    pub scheme: String,
    pub carrier: Carrier,
    pub scopes: Vec<String>,
}

/// Location of a credential in a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Carrier {
    /// `Authorization: Bearer`; OAuth 2 and OpenID Connect too.
    Bearer,
    /// `Authorization: Basic`.
    Basic,
    /// `Authorization` with another scheme.
    Other(String),
    Header(String),
    Query(String),
    Cookie(String),
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Parameter {
    pub wire_name: String,
    /// Field name in the input: snake_case, unique within the operation.
    pub rust_name: String,
    pub location: ParameterLocation,
    pub required: bool,
    pub description: String,
    pub deprecated: bool,
    pub default: Option<Value>,
    /// Whether an empty value counts as absent.
    pub allow_empty: bool,
    pub encoding: Encoding,
    pub schema: Schema,
}

/// Serialisation of a value outside a JSON body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Styled { style: Style, explode: bool },
    Json,
}

/// A request body.
#[derive(Clone, Debug)]
pub struct Body {
    pub required: bool,
    pub description: String,
    pub media: Vec<Media>,
    pub limit_bytes: u64,
}

/// A body in one media type.
#[derive(Clone, Debug)]
pub struct Media {
    /// Media type without parameters, in lower case; it can be a range such as `image/*`.
    pub media_type: String,
    /// Variant name: PascalCase, unique within the body or response.
    pub variant: String,
    pub content: Content,
}

/// Representation of a body for the handler.
#[derive(Clone, Debug)]
pub enum Content {
    /// JSON; without a schema, any value.
    Json(Option<Schema>),
    /// A JSON object of which one array, of a named type, is read item by item, for bodies larger than memory.
    JsonItems {
        schema: Schema,
        property: String,
        items: Schema,
    },
    /// `application/x-www-form-urlencoded`, with the encodings of the properties that have their own.
    Form {
        schema: Schema,
        encodings: BTreeMap<String, Encoding>,
    },
    /// `multipart/form-data` of an object with known fields.
    Multipart {
        schema: Schema,
        parts: BTreeMap<String, PartRules>,
    },
    /// Parts of any name.
    Parts,
    /// Parts read as they arrive, for uploads larger than memory.
    PartStream,
    /// Server-sent events, each a JSON document.
    EventStream(Schema),
    /// Text; in requests, with the limits of its schema.
    Text(Option<Schema>),
    Bytes,
    /// Bytes read as they arrive, for uploads larger than memory.
    Stream,
}

/// Rules of a part from `encoding`.
#[derive(Clone, Debug, Default)]
pub struct PartRules {
    /// Allowed media types or ranges; empty for any.
    pub content_types: Vec<String>,
}

/// A documented response.
#[derive(Clone, Debug)]
pub struct Response {
    pub status: Status,
    pub description: String,
    pub headers: Vec<Header>,
    /// Media types of the body; empty for no body.
    pub media: Vec<Media>,
    /// Whether the body is the error envelope (`x-failure`), so that handlers return it as an error.
    pub failure: bool,
}

/// Status of a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    Code(u16),
    /// Range such as `4XX`, by its first digit.
    Range(u8),
    Default,
}

impl Status {
    /// Returns whether the status is a success.
    pub fn is_success(self) -> bool {
        matches!(self, Self::Code(200..300) | Self::Range(2))
    }
}

/// A response header.
#[derive(Clone, Debug)]
pub struct Header {
    pub wire_name: String,
    pub rust_name: String,
    pub description: String,
    pub required: bool,
    pub encoding: Encoding,
    pub schema: Schema,
}
