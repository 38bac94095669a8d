//! Media types: the representation of each body for a handler.

use std::collections::BTreeMap;

use heck::ToPascalCase;
use serde_json::{Map, Value};

use crate::fault::{Report, child};
use crate::ir::operation::{Content, Encoding, Media, ParameterLocation, PartRules, Style};
use crate::ir::schema::{Schema, Shape};
use crate::lower::operations::Lowering;
use crate::lower::operations::naming::Names;

/// Direction of a body.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Request { stream: bool },
    Response,
}

/// Returns a media type without its parameters.
pub(super) fn essence(media_type: &str) -> String {
    media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

pub(super) fn is_json(essence: &str) -> bool {
    matches!(essence, "application/json" | "text/json") || essence.ends_with("+json")
}

impl<'a> Lowering<'a, '_> {
    /// Returns every media type of a `content` map. JSON is first, since it is the default of a request without a
    /// content type.
    pub(super) fn media(
        &mut self,
        pointer: &str,
        content: &'a Map<String, Value>,
        hint: &str,
        direction: Direction,
    ) -> Vec<Media> {
        let mut names = Names::variants();
        let mut entries: Vec<_> = content.iter().filter(|(name, _)| !name.starts_with("x-")).collect();
        entries.sort_by_key(|(name, _)| {
            (essence(name) != "application/json", !is_json(&essence(name)), essence(name).contains('*'))
        });
        let several = entries.len() > 1;
        let mut media: Vec<Media> = Vec::new();
        for (media_type, node) in entries {
            let at = child(pointer, media_type);
            let essence = essence(media_type);
            if direction != Direction::Response && media.iter().any(|other| other.media_type == essence) {
                self.faults.warn(
                    &at,
                    format!("{essence} is there twice with other parameters; requests of both are read as the first"),
                );
                continue;
            }
            let hint =
                if several && !is_json(&essence) { format!("{hint}{}", variant(&essence)) } else { hint.to_owned() };
            let content = self.content(&at, &essence, node, &hint, direction);
            let media_type =
                if direction == Direction::Response { media_type.trim().to_owned() } else { essence.clone() };
            let variant = names.take(&variant(&media_type.to_ascii_lowercase()), "Other");
            media.push(Media { media_type, variant, content });
        }
        media
    }

    fn content(&mut self, pointer: &str, essence: &str, node: &'a Value, hint: &str, direction: Direction) -> Content {
        let schema = node.get("schema").filter(|schema| schema.as_object().is_some_and(|schema| !schema.is_empty()));
        let at = child(pointer, "schema");
        let plain = self.plain(&at, schema);
        let stream = direction == Direction::Request { stream: true };
        let bytes = if stream { Content::Stream } else { Content::Bytes };
        match essence {
            _ if is_json(essence) || (essence.ends_with("/*") && plain == Plain::No) => match schema {
                Some(_) if plain == Plain::Binary => bytes,
                Some(schema) => {
                    let schema = self.schemas.schema(&at, schema, hint);
                    if essence == "application/merge-patch+json" && direction != Direction::Response {
                        self.schemas.merge_patch(&schema);
                    }
                    Content::Json(Some(schema))
                }
                None => Content::Json(None),
            },
            "text/event-stream" if direction == Direction::Response && plain == Plain::No => match schema {
                Some(schema) => Content::EventStream(self.schemas.schema(&at, schema, hint)),
                None => bytes,
            },
            "application/x-www-form-urlencoded" if direction != Direction::Response => match schema {
                Some(schema) if plain == Plain::No => {
                    let encodings = form_encodings(node);
                    Content::Form { schema: self.schemas.schema(&at, schema, hint), encodings }
                }
                _ => Content::Form { schema: free_form(), encodings: BTreeMap::new() },
            },
            "multipart/form-data" if direction != Direction::Response => match schema {
                _ if stream => Content::PartStream,
                Some(schema) if plain == Plain::No => {
                    self.unchecked_parts(&at, schema);
                    let parts = part_rules(node);
                    Content::Multipart { schema: self.schemas.schema(&at, schema, hint), parts }
                }
                _ => Content::Parts,
            },
            _ => {
                let limited =
                    direction != Direction::Response && !essence.starts_with("text/") && self.limits_text(&at, schema);
                if plain == Plain::No && schema.is_some() || limited {
                    let what = if direction == Direction::Response { "writes" } else { "reads" };
                    self.faults.warn(
                        pointer,
                        format!(
                            "no code {what} {essence}; the handler deals in its bytes and the schema is not checked"
                        ),
                    );
                }
                match essence.starts_with("text/") && plain != Plain::Binary && !stream {
                    true if essence != "text/event-stream" && !essence.contains('*') => {
                        Content::Text(self.text_limits(
                            &at,
                            schema.filter(|_| direction != Direction::Response && plain == Plain::Text),
                            hint,
                        ))
                    }
                    _ => bytes,
                }
            }
        }
    }

    /// Returns the schema of a text body, if it limits the text.
    fn text_limits(&mut self, pointer: &str, schema: Option<&'a Value>, hint: &str) -> Option<Schema> {
        let schema = schema?;
        let (_, followed) = self.follow(pointer, schema)?;
        if followed.get("enum").is_some() {
            self.faults.warn(pointer, "which values a text body may have is not checked; the handler has to");
            return None;
        }
        Some(self.schemas.schema(pointer, schema, hint)).filter(|schema| schema.shape == Shape::String)
    }

    /// Warns about parts of a form's schema that are not checked.
    fn unchecked_parts(&mut self, pointer: &str, schema: &'a Value) {
        let Some((at, schema)) = self.follow(pointer, schema) else { return };
        let only_requires =
            |branch: &Value| branch.as_object().is_some_and(|map| map.keys().all(|key| key == "required"));
        let is_choice = ["oneOf", "anyOf"]
            .iter()
            .any(|key| schema[*key].as_array().is_some_and(|branches| !branches.iter().all(only_requires)));
        if is_choice || !["properties", "allOf"].iter().any(|key| schema.get(key).is_some()) {
            let message = "the parts are given to the handler as they come, and the schema is not checked; \
                           name the parts in properties";
            self.faults.warn(&at, message);
        } else if schema.get("additionalProperties").is_some_and(|rest| *rest != false) {
            let message = "parts that properties does not name are passed over; name those that matter";
            self.faults.warn(&child(&at, "additionalProperties"), message);
        }
    }

    /// Returns whether a schema is text, bytes or structured.
    fn plain(&mut self, pointer: &str, schema: Option<&'a Value>) -> Plain {
        let Some((_, schema)) = schema.and_then(|schema| self.follow(pointer, schema)) else { return Plain::Text };
        match (schema["type"].as_str(), schema["format"].as_str()) {
            (Some("string"), Some("binary")) => Plain::Binary,
            (Some("string"), _) => Plain::Text,
            (None, _)
                if !["properties", "allOf", "oneOf", "anyOf", "items", "additionalProperties", "enum"]
                    .iter()
                    .any(|key| schema.get(key).is_some()) =>
            {
                Plain::Text
            }
            _ => Plain::No,
        }
    }

    /// Returns whether a schema of text has limits.
    fn limits_text(&mut self, pointer: &str, schema: Option<&'a Value>) -> bool {
        let Some((_, schema)) = schema.and_then(|schema| self.follow(pointer, schema)) else { return false };
        ["minLength", "maxLength", "pattern", "enum"].iter().any(|key| schema.get(key).is_some())
    }
}

fn form_encodings(node: &Value) -> BTreeMap<String, Encoding> {
    let encodings = node["encoding"].as_object().into_iter().flatten();
    encodings
        .map(|(property, encoding)| {
            let is_json = encoding["contentType"].as_str().is_some_and(|media_type| is_json(&essence(media_type)));
            let style = Style::of(encoding["style"].as_str(), ParameterLocation::Query);
            let explode = encoding["explode"].as_bool().unwrap_or(style == Style::Form);
            (property.clone(), if is_json { Encoding::Json } else { Encoding::Styled { style, explode } })
        })
        .collect()
}

fn part_rules(node: &Value) -> BTreeMap<String, PartRules> {
    let encodings = node["encoding"].as_object().into_iter().flatten();
    encodings
        .map(|(property, encoding)| {
            let types = encoding["contentType"].as_str().unwrap_or_default().split(',').map(essence);
            let content_types = types.filter(|media_type| !media_type.is_empty()).collect();
            (property.clone(), PartRules { content_types })
        })
        .collect()
}

/// Returns the schema of a form without documented fields.
fn free_form() -> Schema {
    Schema::of(Shape::Map(Box::new(Schema::of(Shape::Any))))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Plain {
    Text,
    Binary,
    No,
}

/// Returns the variant name of a media type.
fn variant(media_type: &str) -> String {
    match media_type {
        "application/json" => "Json".to_owned(),
        "application/x-www-form-urlencoded" => "Form".to_owned(),
        "multipart/form-data" => "Multipart".to_owned(),
        "application/octet-stream" => "Bytes".to_owned(),
        "text/plain" => "Text".to_owned(),
        "text/event-stream" => "EventStream".to_owned(),
        "*/*" => "Other".to_owned(),
        other => match other.split_once('/') {
            Some(("application", subtype)) => subtype.trim_start_matches("x-").to_pascal_case(),
            Some((kind, "*")) => kind.to_pascal_case(),
            Some((kind, subtype)) => format!("{kind} {subtype}").to_pascal_case(),
            None => other.to_pascal_case(),
        },
    }
}
