//! The request that the samples of an operation send.

use serde_json::{Map, Value};
use trainyard_runtime::percent;

use crate::client::methods::below_root;
use crate::ir::operation::{Access, Content, Operation, ParameterLocation};
use crate::ir::schema::Schema;
use crate::reference::resolve;

/// A request: the required parameters and the body of an operation, at the document's examples.
pub(super) struct Request<'a> {
    pub operation: &'a Operation,
    /// Node of the operation in the document.
    pub node: &'a Value,
    /// Path template from the root of the service.
    pub template: String,
    /// Whether the operation has the root of the service as its base.
    pub is_at_root: bool,
    /// Values of the path parameters, in the order of the template.
    pub values: Vec<(&'a str, &'a Value)>,
    pub body: Option<Body<'a>>,
    pub response: ResponseKind,
}

/// A request body.
pub(super) enum Body<'a> {
    Json(&'a Value, &'a Schema),
    /// Fields of a form; one of them is the file.
    Form(Vec<(&'a str, Field<'a>)>),
    /// A file.
    File,
}

/// A field of a form.
pub(super) enum Field<'a> {
    Text(&'a str),
    File,
}

/// Kind of a response.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ResponseKind {
    Json,
    Text,
    /// A file.
    Bytes,
}

/// Name of the file that samples upload.
pub(super) const FILE: &str = "train.jsonl";

impl<'a> Request<'a> {
    pub(super) fn of(document: &'a Value, operation: &'a Operation) -> Result<Self, String> {
        let id = &operation.id;
        let (item_at, _) = operation.pointer.rsplit_once('/').unwrap_or_default();
        let node_at = |pointer: &str| document.pointer(pointer).ok_or_else(|| format!("{id}: there is no {pointer}"));
        let (item, node) = (node_at(item_at)?, node_at(&operation.pointer)?);
        if operation
            .parameters
            .iter()
            .any(|parameter| parameter.required && parameter.location != ParameterLocation::Path)
        {
            return Err(format!("{id}: samples have no required parameter outside the path yet"));
        }
        let lists = [&item["parameters"], &node["parameters"]];
        let parameters: Vec<&Value> =
            lists.into_iter().filter_map(Value::as_array).flatten().map(|entry| resolve(document, entry)).collect();
        let value = |name: &'a str| {
            let parameter = parameters.iter().find(|parameter| parameter["in"] == "path" && parameter["name"] == name);
            let example = parameter.and_then(|parameter| parameter.get("example"));
            example.map(|example| (name, example)).ok_or_else(|| format!("{id}: {name} has no example"))
        };
        let values = operation.path.values().map(value).collect::<Result<_, _>>()?;
        let success = operation.responses.iter().find(|response| response.status.is_success());
        let response = match success.and_then(|response| response.media.first()).map(|media| &media.content) {
            Some(Content::Text(_)) => ResponseKind::Text,
            Some(Content::Bytes | Content::Stream) => ResponseKind::Bytes,
            _ => ResponseKind::Json,
        };
        let below = below_root(document, item);
        Ok(Self {
            operation,
            node,
            template: format!("{}{}", below.unwrap_or_default(), operation.path.text),
            is_at_root: item.get("servers").is_none(),
            values,
            body: body(document, operation, node)?,
            response,
        })
    }

    /// Returns the path with the values of its parameters.
    pub(super) fn path(&self) -> String {
        self.values.iter().fold(self.template.clone(), |path, (name, value)| {
            path.replace(&format!("{{{name}}}"), &percent::encode(&plain(value), b"-._~:"))
        })
    }

    pub(super) fn is_secured(&self) -> bool {
        self.operation.access() == Access::Secured
    }

    /// Returns the name for a downloaded file: the end of the path.
    pub(super) fn file_name(&self) -> String {
        self.path().rsplit('/').next().unwrap_or_default().to_owned()
    }

    /// Returns the method in capitals.
    pub(super) fn method(&self) -> String {
        self.operation.method.key().to_uppercase()
    }
}

fn body<'a>(document: &'a Value, operation: &'a Operation, node: &'a Value) -> Result<Option<Body<'a>>, String> {
    let Some(media) = operation.body.as_ref().and_then(|body| body.media.first()) else { return Ok(None) };
    let content = &resolve(document, &node["requestBody"])["content"];
    let entry = content.as_object().and_then(|content| content.values().next()).unwrap_or(&Value::Null);
    let first = || resolve(document, entry["examples"].as_object()?.values().next()?).get("value");
    let example = entry.get("example").or_else(first);
    let example = example.ok_or_else(|| format!("{}: the body has no example", operation.id))?;
    Ok(Some(match &media.content {
        Content::Json(Some(schema)) | Content::JsonItems { schema, .. } => Body::Json(example, schema),
        Content::Form { .. } | Content::Multipart { .. } | Content::Parts | Content::PartStream => {
            let properties = &resolve(document, &entry["schema"])["properties"];
            Body::Form(fields(document, properties, example.as_object()))
        }
        Content::Bytes | Content::Stream => Body::File,
        _ => return Err(format!("{}: samples cannot send {}", operation.id, media.media_type)),
    }))
}

fn fields<'a>(
    document: &Value,
    properties: &Value,
    example: Option<&'a Map<String, Value>>,
) -> Vec<(&'a str, Field<'a>)> {
    let field = |(name, value): (&'a String, &'a Value)| {
        let schema = resolve(document, &properties[name.as_str()]);
        let parts = schema["allOf"].as_array().into_iter().flatten().map(|part| resolve(document, part));
        let is_file = parts.chain([schema]).any(|part| part["format"] == "binary");
        let field = if is_file { Field::File } else { Field::Text(value.as_str().unwrap_or_default()) };
        (name.as_str(), field)
    };
    example.into_iter().flatten().map(field).collect()
}

/// Returns a parameter's value without quotes.
pub(super) fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
