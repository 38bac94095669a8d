//! What an operation takes and answers, free of the ways of saying it: references followed, inherited keys filled in,
//! every Rust name chosen.

use std::collections::BTreeMap;

use serde_json::Value;

use super::schema::Schema;

/// A group of operations: one trait and one module of the generated server.
#[derive(Clone, Debug)]
pub struct Tag {
    /// As the document spells it.
    pub name: String,
    pub description: String,
    /// snake_case, unique within the document.
    pub module: String,
    /// PascalCase, unique within the document and no name of the prelude.
    pub trait_name: String,
}

/// One method of one path.
#[derive(Clone, Debug)]
pub struct Operation {
    /// As the document spells it, or made of method and path where it says nothing.
    pub id: String,
    /// JSON pointer of the operation.
    pub pointer: String,
    /// The method of the trait: snake_case, unique within the document.
    pub rust_name: String,
    /// What the names of its types begin with: PascalCase, unique within the document.
    pub type_name: String,
    pub method: Method,
    pub path: Template,
    /// Index into the tags of the API.
    pub tag: usize,
    pub summary: String,
    pub description: String,
    pub deprecated: bool,
    /// The id of the operation that this path answers as well.
    pub alias_of: Option<String>,
    /// Not part of the service that this one is compatible with (`x-extension`).
    pub extension: bool,
    /// Name of its own base address; none means the document's.
    pub base: Option<String>,
    pub security: Vec<Alternative>,
    pub parameters: Vec<Parameter>,
    pub body: Option<Body>,
    pub responses: Vec<Response>,
    /// Statuses as the document writes them, `default` included.
    pub statuses: Vec<String>,
}

impl Operation {
    /// Whether a caller must be known, may be known, or is never asked for.
    pub fn access(&self) -> Access {
        match (self.security.is_empty(), self.security.iter().any(|alternative| alternative.0.is_empty())) {
            (true, _) => Access::Open,
            (false, true) => Access::Optional,
            (false, false) => Access::Secured,
        }
    }

    /// Whether one of its success answers comes in several media types, so that the caller's wish counts.
    pub fn negotiates(&self) -> bool {
        self.responses.iter().any(|response| response.status.is_success() && response.media.len() > 1)
    }
}

/// Whether an operation asks who calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Open,
    Optional,
    Secured,
}

/// A method of HTTP that OpenAPI 3.0 knows.
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
    /// All of them, as a document's keys are sorted.
    pub const ALL: [Self; 8] =
        [Self::Delete, Self::Get, Self::Head, Self::Options, Self::Patch, Self::Post, Self::Put, Self::Trace];

    /// The key in a document.
    pub fn key(self) -> &'static str {
        match self {
            Self::Delete => "delete",
            Self::Get => "get",
            Self::Head => "head",
            Self::Options => "options",
            Self::Patch => "patch",
            Self::Post => "post",
            Self::Put => "put",
            Self::Trace => "trace",
        }
    }
}

/// A path with places for parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// As the document writes it.
    pub text: String,
    pub segments: Vec<Vec<Part>>,
}

/// A part of a path segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// As it stands on the wire, percent-encoded.
    Text(String),
    Value(String),
}

impl Template {
    /// The path with each segment that holds a parameter as a whole capture: what a router can match.
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

    /// The names of the parameters, in order.
    pub fn values(&self) -> impl Iterator<Item = &str> {
        self.segments.iter().flatten().filter_map(|part| match part {
            Part::Value(name) => Some(name.as_str()),
            Part::Text(_) => None,
        })
    }

    /// Characters that are not a parameter's: the more, the more specific the template.
    pub fn literal_length(&self) -> usize {
        let parts = self.segments.iter().flatten();
        parts.map(|part| if let Part::Text(text) = part { text.len() } else { 0 }).sum()
    }

    /// Whether a segment has to be taken apart.
    pub fn is_mixed(&self) -> bool {
        self.segments.iter().any(|parts| parts.len() > 1)
    }

    /// The template without the names of its parameters.
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

/// Requirements that together identify a caller; none of them: nobody is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternative(pub Vec<Requirement>);

/// One credential.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirement {
    /// The security scheme's name in the document.
    pub scheme: String,
    pub carrier: Carrier,
    pub scopes: Vec<String>,
}

/// How a credential travels.
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

/// Where a parameter is carried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    Path,
    Query,
    Header,
    Cookie,
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Parameter {
    pub wire_name: String,
    /// The field of the input: snake_case, unique within the operation.
    pub rust_name: String,
    pub place: Place,
    pub required: bool,
    pub description: String,
    pub deprecated: bool,
    pub default: Option<Value>,
    /// An empty value stands for none.
    pub allow_empty: bool,
    pub encoding: Encoding,
    pub schema: Schema,
}

/// How a value is written outside a JSON body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Styled { style: Style, explode: bool },
    Json,
}

/// The styles of OpenAPI 3.0.3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    Simple,
    Label,
    Matrix,
    Form,
    SpaceDelimited,
    PipeDelimited,
    DeepObject,
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
    /// Without parameters, lower case; may be a range such as `image/*`.
    pub media_type: String,
    /// What tells it from the others: PascalCase, unique within the body or answer.
    pub variant: String,
    pub content: Content,
}

/// What a body is to the handler.
#[derive(Clone, Debug)]
pub enum Content {
    /// JSON; any value without a schema.
    Json(Option<Schema>),
    /// A JSON object of which one array, of a named type, comes item by item: for what is larger than memory.
    JsonItems {
        schema: Schema,
        property: String,
        items: Schema,
    },
    /// `application/x-www-form-urlencoded`, with the encoding of the properties that have their own.
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
    /// Parts as they come, for uploads larger than memory.
    PartStream,
    /// Server-sent events, each a JSON document.
    EventStream(Schema),
    /// Text, with the limits of a request's.
    Text(Option<Schema>),
    Bytes,
    /// Bytes as they come, for uploads larger than memory.
    Stream,
}

/// What `encoding` says of a part.
#[derive(Clone, Debug, Default)]
pub struct PartRules {
    /// Media types or ranges it may have; empty: any.
    pub content_types: Vec<String>,
}

/// One documented answer.
#[derive(Clone, Debug)]
pub struct Response {
    pub status: Status,
    pub description: String,
    pub headers: Vec<Header>,
    /// Empty: no body.
    pub media: Vec<Media>,
    /// The body is the envelope of refusals (`x-failure`): handlers answer it as a failure.
    pub failure: bool,
}

/// The status of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    Code(u16),
    /// `4XX`: the first digit.
    Range(u8),
    Default,
}

impl Status {
    /// Whether it is a success.
    pub fn is_success(self) -> bool {
        matches!(self, Self::Code(200..300) | Self::Range(2))
    }
}

/// A header of an answer.
#[derive(Clone, Debug)]
pub struct Header {
    pub wire_name: String,
    pub rust_name: String,
    pub description: String,
    pub required: bool,
    pub encoding: Encoding,
    pub schema: Schema,
}
