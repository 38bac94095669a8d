//! An operation of the document, as the generators need it.

use serde_json::{Map, Value};

use super::{document::resolve, lint::Fault};

/// The HTTP methods that OpenAPI 3.0 knows and axum routes.
pub const METHODS: [&str; 7] = ["delete", "get", "head", "options", "patch", "post", "put"];

/// Bytes of a request body where the operation says nothing.
const DEFAULT_BODY_LIMIT: u64 = 8 * 1024 * 1024;

/// One method of one path.
pub struct Operation {
    pub id: String,
    /// Lower case.
    pub method: &'static str,
    pub path: String,
    pub tag: String,
    pub summary: String,
    pub description: String,
    /// Whether a caller must be authenticated.
    pub secured: bool,
    /// The operation that this path answers as well.
    pub alias_of: Option<String>,
    /// Not part of the service that this one is compatible with.
    pub extension: bool,
    /// Name of the base address, from the first variable of the path's own `servers`; none means the document's.
    pub base: Option<String>,
    pub parameters: Vec<Parameter>,
    pub body: Option<Body>,
    pub responses: Vec<Reply>,
}

/// Where a parameter is carried.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Place {
    Path,
    Query,
    Header,
}

/// A path, query or header parameter.
pub struct Parameter {
    pub name: String,
    pub place: Place,
    pub required: bool,
    pub description: String,
    pub schema: Map<String, Value>,
}

/// A JSON request body of a named schema.
pub struct Body {
    pub schema: String,
    pub limit_bytes: u64,
}

/// One documented answer other than `default`.
pub struct Reply {
    pub status: u16,
    pub description: String,
    pub content: Content,
}

/// What an answer carries.
pub enum Content {
    Empty,
    /// JSON of the named schema, or of any shape.
    Json(Option<String>),
    /// Server-sent events, each a JSON document of the named schema.
    EventStream(String),
}

impl Operation {
    /// Every operation of a document that passed the linter.
    pub fn all(root: &Value) -> Result<Vec<Self>, Fault> {
        let secured_by_default = is_secured(&root["security"]).unwrap_or(false);
        let mut operations = Vec::new();
        for (path, item) in root["paths"].as_object().into_iter().flatten() {
            for method in METHODS {
                if let Some(operation) = item.get(method).and_then(Value::as_object) {
                    operations.push(Self::read(root, path, item, method, operation, secured_by_default)?);
                }
            }
        }
        Ok(operations)
    }

    fn read(
        root: &Value,
        path: &str,
        item: &Value,
        method: &'static str,
        operation: &Map<String, Value>,
        secured_by_default: bool,
    ) -> Result<Self, Fault> {
        let text = |key: &str| operation.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let at = format!("/paths/{}/{method}", path.replace('~', "~0").replace('/', "~1"));
        let servers = operation.get("servers").or_else(|| item.get("servers"));
        let parameters = [item.get("parameters"), operation.get("parameters")];
        let parameters = parameters.into_iter().flatten().filter_map(Value::as_array).flatten();
        let documented = operation.get("responses").and_then(Value::as_object);
        let mut responses = Vec::new();
        for (status, reply) in documented.into_iter().flatten() {
            // `default`, ranges and statuses with that body are the documented error: handlers answer it as a `Failure`.
            if let Ok(status) = status.parse()
                && !is_failure(root, reply)
            {
                responses.extend(Reply::read(status, resolve(root, reply), &at)?);
            }
        }
        Ok(Self {
            id: text("operationId"),
            method,
            path: path.to_owned(),
            tag: operation.get("tags").and_then(|tags| tags[0].as_str()).unwrap_or_default().to_owned(),
            summary: text("summary"),
            description: text("description"),
            secured: operation.get("security").and_then(is_secured).unwrap_or(secured_by_default),
            alias_of: operation.get("x-alias-of").and_then(Value::as_str).map(str::to_owned),
            extension: operation.get("x-extension") == Some(&Value::Bool(true)),
            base: servers.and_then(base_name),
            parameters: parameters
                .map(|parameter| Parameter::read(resolve(root, parameter), &at))
                .collect::<Result<_, _>>()?,
            body: operation
                .get("requestBody")
                .map(|body| Body::read(resolve(root, body), operation, &at))
                .transpose()?,
            responses,
        })
    }
}

/// Whether a `security` list asks for anything; an entry `{}` makes it optional, which handlers cannot express.
fn is_secured(security: &Value) -> Option<bool> {
    Some(!security.as_array()?.is_empty())
}

/// Whether an answer carries the body that every refusal has.
fn is_failure(root: &Value, reply: &Value) -> bool {
    let schema = &resolve(root, reply)["content"]["application/json"]["schema"];
    resolve(root, schema)["x-failure"] == true
}

/// `{inference_url}` names the base `inference`.
fn base_name(servers: &Value) -> Option<String> {
    let variable = servers[0]["variables"].as_object()?.keys().next()?;
    Some(variable.strip_suffix("_url").unwrap_or(variable).to_owned())
}

impl Parameter {
    fn read(node: &Value, at: &str) -> Result<Self, Fault> {
        let name = node["name"].as_str().unwrap_or_default().to_owned();
        let place = match node["in"].as_str() {
            Some("path") => Place::Path,
            Some("query") => Place::Query,
            Some("header") => Place::Header,
            other => {
                return Err(Fault::new(at, format!("parameter {name} lies in {other:?}; use path, query or header")));
            }
        };
        let schema = node["schema"].as_object().cloned();
        Ok(Self {
            required: node["required"] == true,
            description: node["description"].as_str().unwrap_or_default().to_owned(),
            schema: schema.ok_or_else(|| Fault::new(at, format!("parameter {name} has no schema")))?,
            name,
            place,
        })
    }
}

impl Body {
    fn read(node: &Value, operation: &Map<String, Value>, at: &str) -> Result<Self, Fault> {
        let schema =
            node["content"]["application/json"]["schema"].as_object().and_then(super::document::reference_name);
        Ok(Self {
            schema: schema
                .ok_or_else(|| Fault::new(at, "the request body must be application/json of a named schema"))?
                .to_owned(),
            limit_bytes: operation.get("x-body-limit-bytes").and_then(Value::as_u64).unwrap_or(DEFAULT_BODY_LIMIT),
        })
    }
}

impl Reply {
    fn read(status: u16, node: &Value, at: &str) -> Result<Vec<Self>, Fault> {
        let description = node["description"].as_str().unwrap_or_default().to_owned();
        let mut replies = Vec::new();
        for (media, content) in node["content"].as_object().into_iter().flatten() {
            let name = content["schema"].as_object().and_then(super::document::reference_name).map(str::to_owned);
            let content = match media.as_str() {
                "application/json" => Content::Json(name),
                "text/event-stream" => Content::EventStream(
                    name.ok_or_else(|| Fault::new(at, "an event stream needs a named schema for its events"))?,
                ),
                other => {
                    return Err(Fault::new(
                        at,
                        format!("answers of type {other} are unsupported; use application/json or text/event-stream"),
                    ));
                }
            };
            replies.push(Self { status, description: description.clone(), content });
        }
        if replies.is_empty() {
            replies.push(Self { status, description, content: Content::Empty });
        }
        Ok(replies)
    }
}
