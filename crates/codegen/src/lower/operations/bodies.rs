//! Request bodies and responses.

use heck::{ToPascalCase, ToSnakeCase};
use serde_json::{Map, Value};

use crate::fault::{Report, child};
use crate::ir::operation::{Body, Content, Header, Media, ParameterLocation, Response, Status};
use crate::ir::schema::{Schema, Shape};
use crate::lower::operations::media::{Direction, essence, is_json};
use crate::lower::operations::naming::Names;
use crate::lower::operations::{Lowering, Source};

/// Default limit of a request body, in bytes.
const DEFAULT_LIMIT: u64 = 8 * 1024 * 1024;

impl<'a> Lowering<'a, '_> {
    pub(super) fn body(&mut self, source: &Source<'a>, type_name: &str) -> Option<Body> {
        let pointer = child(&source.pointer, "requestBody");
        let (pointer, node) = self.follow(&pointer, source.node.get("requestBody")?)?;
        let content = node["content"].as_object()?;
        let hint = format!("{type_name}Request");
        let stream = source.node["x-stream"] == true;
        let mut media = self.media(&child(&pointer, "content"), content, &hint, Direction::Request { stream });
        if let Some(property) = source.node["x-stream-items"].as_str() {
            self.stream_items(source, &child(&pointer, "content"), content, &mut media, property);
        }
        (!media.is_empty()).then(|| Body {
            required: node["required"] == true,
            description: node["description"].as_str().unwrap_or_default().to_owned(),
            media,
            limit_bytes: source.node["x-body-limit-bytes"].as_u64().unwrap_or(DEFAULT_LIMIT),
        })
    }

    /// Makes one array of a JSON body be read item by item (`x-stream-items`).
    fn stream_items(
        &mut self,
        source: &Source<'a>,
        pointer: &str,
        content: &'a Map<String, Value>,
        media: &mut [Media],
        property: &str,
    ) {
        let at = child(&source.pointer, "x-stream-items");
        let [Media { media_type, content: taken, .. }] = media else {
            return self.faults.error(&at, "a body with a streamed array has one media type, application/json");
        };
        let Content::Json(Some(schema)) = taken else {
            return self
                .faults
                .error(&at, format!("{media_type} has no array to stream; the body has to be application/json"));
        };
        let written = content.iter().find(|(name, _)| essence(name) == *media_type);
        let Some((name, written)) = written else { return };
        let pointer = child(&child(pointer, name), "schema");
        let array = self.follow(&pointer, &written["schema"]).and_then(|(pointer, object)| {
            let pointer = child(&child(&pointer, "properties"), property);
            self.follow(&pointer, object["properties"].get(property)?)
        });
        let Some((pointer, array)) = array.filter(|(_, array)| array["type"] == "array") else {
            return self.faults.error(&at, format!("{property} is no array among the properties of the body"));
        };
        if array["items"].get("$ref").is_none() {
            return self
                .faults
                .error(&at, format!("the items of {property} need a name: move their schema to components"));
        }
        if let Some(limit) = ["minItems", "maxItems", "uniqueItems"].iter().find(|key| array.get(**key).is_some()) {
            let message = format!("{limit} of {property} cannot be checked as its items come; leave it to the handler");
            return self.faults.error(&at, message);
        }
        let items = self.schemas.schema(&child(&pointer, "items"), &array["items"], "Item");
        *taken = Content::JsonItems { schema: schema.clone(), property: property.to_owned(), items };
    }

    /// Returns the responses, with explicit statuses before ranges before `default`, and every status as spelt in the
    /// document.
    pub(super) fn responses(&mut self, source: &Source<'a>, type_name: &str) -> (Vec<Response>, Vec<String>) {
        let pointer = child(&source.pointer, "responses");
        let mut responses = Vec::new();
        let mut statuses = Vec::new();
        for (key, node) in source.node["responses"].as_object().into_iter().flatten() {
            let Some(status) = status(key) else { continue };
            let Some((at, node)) = self.follow(&child(&pointer, key), node) else { continue };
            statuses.push(key.clone());
            responses.push(self.response(&at, node, status, type_name));
        }
        responses.sort_by_key(|response| response.status);
        (responses, statuses)
    }

    fn response(&mut self, pointer: &str, node: &'a Value, status: Status, type_name: &str) -> Response {
        let hint = match status {
            Status::Code(200..300) => format!("{type_name}Response"),
            Status::Code(code) => format!("{type_name}Response{code}"),
            Status::Range(digit) => format!("{type_name}Response{digit}xx"),
            Status::Default => format!("{type_name}DefaultResponse"),
        };
        let at = child(pointer, "content");
        let content = node["content"].as_object();
        let media = content.map(|content| self.media(&at, content, &hint, Direction::Response)).unwrap_or_default();
        let failure = content.into_iter().flatten().any(|(media_type, media)| {
            is_json(&essence(media_type))
                && media.get("schema").is_some_and(|schema| {
                    let schema = self.follow(&child(&child(&at, media_type), "schema"), schema);
                    schema.is_some_and(|(_, schema)| schema["x-failure"] == true)
                })
        });
        let mut names = Names::functions();
        let mut headers = Vec::new();
        for (name, header) in node["headers"].as_object().into_iter().flatten() {
            // The specification ignores this header: the media type determines it.
            if name.eq_ignore_ascii_case("content-type") {
                continue;
            }
            let at = child(&child(pointer, "headers"), name);
            let Some((at, header)) = self.follow(&at, header) else { continue };
            if header["x-middleware"] == true {
                continue;
            }
            let (encoding, schema_pointer, schema) = self.encoding(&at, header, ParameterLocation::Header);
            let hint = format!("{hint} {name}").to_pascal_case();
            headers.push(Header {
                wire_name: name.clone(),
                rust_name: names.take(&name.to_snake_case(), "header"),
                description: header["description"].as_str().unwrap_or_default().to_owned(),
                required: header["required"] == true,
                encoding,
                schema: match schema {
                    Some(schema) => self.schemas.schema(&schema_pointer, schema, &hint),
                    None => Schema::of(Shape::String),
                },
            });
        }
        let description = node["description"].as_str().unwrap_or_default().to_owned();
        Response { status, description, headers, media, failure }
    }
}

fn status(key: &str) -> Option<Status> {
    if key == "default" {
        return Some(Status::Default);
    }
    if let [digit @ b'1'..=b'5', b'X', b'X'] = key.as_bytes() {
        return Some(Status::Range(digit - b'0'));
    }
    key.parse().ok().filter(|code| (100..600).contains(code)).map(Status::Code)
}
