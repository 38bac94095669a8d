//! Grammar of OpenAPI 3.0.3: the allowed and the required keys of each object, and their values. The keys that 3.1 adds
//! stand apart.

use Expect::{Any, Count, Extra, Flag, List, Map, Number, One, PositiveNumber, Security, Text, TextMap, Texts, Word};
use Need::{May, Must, Should};

/// Kinds of objects in the specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    OpenApi,
    Info,
    Contact,
    License,
    Server,
    ServerVariable,
    Components,
    Paths,
    PathItem,
    Operation,
    ExternalDocs,
    Parameter,
    RequestBody,
    MediaType,
    Encoding,
    Responses,
    Response,
    Callback,
    Example,
    Link,
    Header,
    Tag,
    Schema,
    Discriminator,
    Xml,
    SecurityScheme,
    OAuthFlows,
    OAuthFlow,
}

/// Expected value of a key.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Expect {
    Any,
    Text,
    Flag,
    Number,
    /// A number above zero.
    PositiveNumber,
    /// An integer of at least zero.
    Count,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A list of strings.
    Texts,
    /// A list of anything.
    Values,
    /// An object of strings.
    TextMap,
    /// An object of anything.
    ValueMap,
    One(Kind),
    List(Kind),
    Map(Kind),
    /// `additionalProperties`: a boolean or a schema.
    Extra,
    /// A list of security requirements.
    Security,
}

/// Requirement of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// Required: without it the object has no meaning.
    Must,
    /// Required by the specification, but the meaning is clear without it.
    Should,
    May,
}

/// Key, expected value, requirement.
pub(crate) type Key = (&'static str, Expect, Need);

impl Kind {
    /// Returns the specification's name, such as "an Operation Object".
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::OpenApi => "an OpenAPI Object",
            Self::Info => "an Info Object",
            Self::Contact => "a Contact Object",
            Self::License => "a License Object",
            Self::Server => "a Server Object",
            Self::ServerVariable => "a Server Variable Object",
            Self::Components => "a Components Object",
            Self::Paths => "a Paths Object",
            Self::PathItem => "a Path Item Object",
            Self::Operation => "an Operation Object",
            Self::ExternalDocs => "an External Documentation Object",
            Self::Parameter => "a Parameter Object",
            Self::RequestBody => "a Request Body Object",
            Self::MediaType => "a Media Type Object",
            Self::Encoding => "an Encoding Object",
            Self::Responses => "a Responses Object",
            Self::Response => "a Response Object",
            Self::Callback => "a Callback Object",
            Self::Example => "an Example Object",
            Self::Link => "a Link Object",
            Self::Header => "a Header Object",
            Self::Tag => "a Tag Object",
            Self::Schema => "a Schema Object",
            Self::Discriminator => "a Discriminator Object",
            Self::Xml => "an XML Object",
            Self::SecurityScheme => "a Security Scheme Object",
            Self::OAuthFlows => "an OAuth Flows Object",
            Self::OAuthFlow => "an OAuth Flow Object",
        }
    }

    /// Returns whether a Reference Object may replace it.
    pub(crate) fn by_reference(self) -> bool {
        matches!(
            self,
            Self::Parameter
                | Self::RequestBody
                | Self::Response
                | Self::Callback
                | Self::Example
                | Self::Link
                | Self::Header
                | Self::Schema
                | Self::SecurityScheme
        )
    }

    /// Returns the expected value of every key, for objects whose keys are names that the author chooses.
    pub(crate) fn values(self) -> Option<Expect> {
        match self {
            Self::Paths | Self::Callback => Some(One(Self::PathItem)),
            Self::Responses => Some(One(Self::Response)),
            _ => None,
        }
    }

    /// Returns the keys of the object.
    pub(crate) fn keys(self) -> &'static [Key] {
        match self {
            Self::OpenApi => &[
                ("openapi", Text, Must),
                ("info", One(Self::Info), Should),
                ("servers", List(Self::Server), May),
                ("paths", One(Self::Paths), Must),
                ("components", One(Self::Components), May),
                ("security", Security, May),
                ("tags", List(Self::Tag), May),
                ("externalDocs", One(Self::ExternalDocs), May),
            ],
            Self::Info => &[
                ("title", Text, Should),
                ("description", Text, May),
                ("termsOfService", Text, May),
                ("contact", One(Self::Contact), May),
                ("license", One(Self::License), May),
                ("version", Text, Should),
            ],
            Self::Contact => &[("name", Text, May), ("url", Text, May), ("email", Text, May)],
            Self::License => &[("name", Text, Should), ("url", Text, May)],
            Self::Server => {
                &[("url", Text, Must), ("description", Text, May), ("variables", Map(Self::ServerVariable), May)]
            }
            Self::ServerVariable => &[("enum", Texts, May), ("default", Text, Must), ("description", Text, May)],
            Self::Components => &[
                ("schemas", Map(Self::Schema), May),
                ("responses", Map(Self::Response), May),
                ("parameters", Map(Self::Parameter), May),
                ("examples", Map(Self::Example), May),
                ("requestBodies", Map(Self::RequestBody), May),
                ("headers", Map(Self::Header), May),
                ("securitySchemes", Map(Self::SecurityScheme), May),
                ("links", Map(Self::Link), May),
                ("callbacks", Map(Self::Callback), May),
            ],
            Self::Paths | Self::Callback | Self::Responses => &[],
            Self::PathItem => &[
                ("$ref", Text, May),
                ("summary", Text, May),
                ("description", Text, May),
                ("get", One(Self::Operation), May),
                ("put", One(Self::Operation), May),
                ("post", One(Self::Operation), May),
                ("delete", One(Self::Operation), May),
                ("options", One(Self::Operation), May),
                ("head", One(Self::Operation), May),
                ("patch", One(Self::Operation), May),
                ("trace", One(Self::Operation), May),
                ("servers", List(Self::Server), May),
                ("parameters", List(Self::Parameter), May),
            ],
            Self::Operation => &[
                ("tags", Texts, May),
                ("summary", Text, May),
                ("description", Text, May),
                ("externalDocs", One(Self::ExternalDocs), May),
                ("operationId", Text, May),
                ("parameters", List(Self::Parameter), May),
                ("requestBody", One(Self::RequestBody), May),
                ("responses", One(Self::Responses), Must),
                ("callbacks", Map(Self::Callback), May),
                ("deprecated", Flag, May),
                ("security", Security, May),
                ("servers", List(Self::Server), May),
            ],
            Self::ExternalDocs => &[("description", Text, May), ("url", Text, Should)],
            Self::Parameter => &[
                ("name", Text, Must),
                ("in", Word(&["path", "query", "header", "cookie"]), Must),
                ("description", Text, May),
                ("required", Flag, May),
                ("deprecated", Flag, May),
                ("allowEmptyValue", Flag, May),
                ("style", Word(STYLES), May),
                ("explode", Flag, May),
                ("allowReserved", Flag, May),
                ("schema", One(Self::Schema), May),
                ("example", Any, May),
                ("examples", Map(Self::Example), May),
                ("content", Map(Self::MediaType), May),
            ],
            Self::Header => &[
                ("description", Text, May),
                ("required", Flag, May),
                ("deprecated", Flag, May),
                ("allowEmptyValue", Flag, May),
                ("style", Word(&["simple"]), May),
                ("explode", Flag, May),
                ("allowReserved", Flag, May),
                ("schema", One(Self::Schema), May),
                ("example", Any, May),
                ("examples", Map(Self::Example), May),
                ("content", Map(Self::MediaType), May),
            ],
            Self::RequestBody => {
                &[("description", Text, May), ("content", Map(Self::MediaType), Must), ("required", Flag, May)]
            }
            Self::MediaType => &[
                ("schema", One(Self::Schema), May),
                ("example", Any, May),
                ("examples", Map(Self::Example), May),
                ("encoding", Map(Self::Encoding), May),
            ],
            Self::Encoding => &[
                ("contentType", Text, May),
                ("headers", Map(Self::Header), May),
                ("style", Word(&["form", "spaceDelimited", "pipeDelimited", "deepObject"]), May),
                ("explode", Flag, May),
                ("allowReserved", Flag, May),
            ],
            Self::Response => &[
                ("description", Text, Should),
                ("headers", Map(Self::Header), May),
                ("content", Map(Self::MediaType), May),
                ("links", Map(Self::Link), May),
            ],
            Self::Example => {
                &[("summary", Text, May), ("description", Text, May), ("value", Any, May), ("externalValue", Text, May)]
            }
            Self::Link => &[
                ("operationRef", Text, May),
                ("operationId", Text, May),
                ("parameters", Expect::ValueMap, May),
                ("requestBody", Any, May),
                ("description", Text, May),
                ("server", One(Self::Server), May),
            ],
            Self::Tag => {
                &[("name", Text, Must), ("description", Text, May), ("externalDocs", One(Self::ExternalDocs), May)]
            }
            Self::Schema => SCHEMA,
            Self::Discriminator => &[("propertyName", Text, Must), ("mapping", TextMap, May)],
            Self::Xml => &[
                ("name", Text, May),
                ("namespace", Text, May),
                ("prefix", Text, May),
                ("attribute", Flag, May),
                ("wrapped", Flag, May),
            ],
            Self::SecurityScheme => &[
                ("type", Word(&["apiKey", "http", "oauth2", "openIdConnect"]), Must),
                ("description", Text, May),
                ("name", Text, May),
                ("in", Word(&["query", "header", "cookie"]), May),
                ("scheme", Text, May),
                ("bearerFormat", Text, May),
                ("flows", One(Self::OAuthFlows), May),
                ("openIdConnectUrl", Text, May),
            ],
            Self::OAuthFlows => &[
                ("implicit", One(Self::OAuthFlow), May),
                ("password", One(Self::OAuthFlow), May),
                ("clientCredentials", One(Self::OAuthFlow), May),
                ("authorizationCode", One(Self::OAuthFlow), May),
            ],
            Self::OAuthFlow => &[
                ("authorizationUrl", Text, May),
                ("tokenUrl", Text, May),
                ("refreshUrl", Text, May),
                ("scopes", TextMap, Should),
            ],
        }
    }

    /// Returns the keys that OpenAPI 3.1 adds, as far as [`crate::openapi_3_1`] does not replace them.
    pub(crate) fn keys_of_3_1(self) -> &'static [Key] {
        match self {
            Self::OpenApi => &[("webhooks", Map(Self::PathItem), May)],
            Self::Info => &[("summary", Text, May)],
            Self::License => &[("identifier", Text, May)],
            Self::Components => &[("pathItems", Map(Self::PathItem), May)],
            Self::Schema => &[("$defs", Map(Self::Schema), May), ("unevaluatedProperties", Extra, May)],
            _ => &[],
        }
    }
}

/// Styles of parameters.
pub(crate) const STYLES: &[&str] =
    &["matrix", "label", "simple", "form", "spaceDelimited", "pipeDelimited", "deepObject"];

const SCHEMA: &[Key] = &[
    ("title", Text, May),
    ("multipleOf", PositiveNumber, May),
    ("maximum", Number, May),
    ("exclusiveMaximum", Flag, May),
    ("minimum", Number, May),
    ("exclusiveMinimum", Flag, May),
    ("maxLength", Count, May),
    ("minLength", Count, May),
    ("pattern", Text, May),
    ("maxItems", Count, May),
    ("minItems", Count, May),
    ("uniqueItems", Flag, May),
    ("maxProperties", Count, May),
    ("minProperties", Count, May),
    ("required", Texts, May),
    ("enum", Expect::Values, May),
    ("type", Word(&["array", "boolean", "integer", "number", "object", "string"]), May),
    ("allOf", List(Kind::Schema), May),
    ("oneOf", List(Kind::Schema), May),
    ("anyOf", List(Kind::Schema), May),
    ("not", One(Kind::Schema), May),
    ("items", One(Kind::Schema), May),
    ("properties", Map(Kind::Schema), May),
    ("additionalProperties", Extra, May),
    ("description", Text, May),
    ("format", Text, May),
    ("default", Any, May),
    ("nullable", Flag, May),
    ("discriminator", One(Kind::Discriminator), May),
    ("readOnly", Flag, May),
    ("writeOnly", Flag, May),
    ("xml", One(Kind::Xml), May),
    ("externalDocs", One(Kind::ExternalDocs), May),
    ("example", Any, May),
    ("deprecated", Flag, May),
];
