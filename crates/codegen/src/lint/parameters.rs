//! Rules of parameters and headers: location, serialisation, content.

use serde_json::{Map, Value};

use crate::fault::{Fault, Report, child, unescaped};
use crate::lint::grammar::{Kind, STYLES};
use crate::lint::messages::either;
use crate::lint::schemas::follow;
use crate::lint::structure::{Index, Site};
use crate::lint::values::misfit;
use crate::reference::resolve;

pub(super) fn check(index: &Index, faults: &mut Vec<Fault>) {
    for site in index.sites.iter().filter(|site| matches!(site.kind, Kind::Parameter | Kind::Header)) {
        carried(index.root, site, faults);
        if site.kind == Kind::Parameter {
            placed(index.root, site, faults);
        }
    }
    for site in index.of_kind(Kind::MediaType) {
        examples(index.root, site, is_json_path(&site.pointer), faults);
        encodings(index.root, site, faults);
    }
    for site in index.of_kind(Kind::Example) {
        if site.object.contains_key("value") && site.object.contains_key("externalValue") {
            faults.warn(&site.pointer, "`value` and `externalValue` exclude each other; keep one");
        }
    }
    for site in index.sites.iter().filter(|site| matches!(site.kind, Kind::RequestBody | Kind::Response)) {
        contents(site, faults);
    }
}

/// Checks that there is either a schema or one media type.
fn carried(root: &Value, site: &Site, faults: &mut Vec<Fault>) {
    let content = site.object.get("content").and_then(Value::as_object);
    match (site.object.contains_key("schema"), content) {
        (true, Some(_)) => {
            faults.error(&site.pointer, "`schema` and `content` exclude each other; keep one");
        }
        // The grammar check reports a `type` outside the schema.
        (false, None) if !["content", "type"].iter().any(|key| site.object.contains_key(*key)) => {
            let message = "neither `schema` nor `content` says what it carries; write `schema: {type: string}`";
            faults.error(&site.pointer, message);
        }
        (false, Some(content)) if content.len() != 1 => faults.error(
            &child(&site.pointer, "content"),
            format!("a parameter or header has one media type, not {}", content.len()),
        ),
        _ => {}
    }
    examples(root, site, true, faults);
}

fn placed(root: &Value, site: &Site, faults: &mut Vec<Fault>) {
    let object = site.object;
    let (Some(name), Some(location)) =
        (object.get("name").and_then(Value::as_str), object.get("in").and_then(Value::as_str))
    else {
        return;
    };
    let pointer = site.pointer.as_str();
    if location == "header" && ["accept", "content-type", "authorization"].contains(&name.to_ascii_lowercase().as_str())
    {
        let message = format!(
            "the specification ignores a header parameter `{name}`: media types and `security` say it; remove it"
        );
        faults.warn(pointer, message);
    }
    if location == "path" && object.get("required") != Some(&Value::Bool(true)) {
        faults.warn(pointer, format!("the path parameter `{name}` is always there; write `required: true`"));
    }
    for key in ["allowEmptyValue", "allowReserved"] {
        if location != "query" && object.get(key) == Some(&Value::Bool(true)) {
            faults.warn(&child(pointer, key), format!("`{key}` means something for query parameters only"));
        }
    }
    let Some(style) = object.get("style").and_then(Value::as_str) else { return };
    let allowed: &[&str] = match location {
        "path" => &["simple", "label", "matrix"],
        "query" => &["form", "spaceDelimited", "pipeDelimited", "deepObject"],
        "header" => &["simple"],
        "cookie" => &["form"],
        _ => return,
    };
    if !STYLES.contains(&style) {
        return;
    }
    if !allowed.contains(&style) {
        let message =
            format!("a {location} parameter is written in style {}, not `{style}`", either(allowed.iter().copied()));
        return faults.error(&child(pointer, "style"), message);
    }
    let json_type =
        object.get("schema").and_then(|schema| follow(root, schema)).and_then(|schema| schema.get("type")?.as_str());
    let fits: &[&str] = match style {
        "deepObject" => &["object"],
        "spaceDelimited" | "pipeDelimited" => &["array", "object"],
        _ => return,
    };
    if let Some(json_type) = json_type.filter(|json_type| !fits.contains(json_type)) {
        let message = format!(
            "style {style} is defined for type {}, not for {json_type}: how it looks is left open",
            either(fits.iter().copied())
        );
        faults.warn(&child(pointer, "style"), message);
    }
}

/// Returns whether the media type at the end of the pointer is JSON. Examples of other media types can be plain text.
fn is_json_path(pointer: &str) -> bool {
    let media = unescaped(pointer.rsplit('/').next().unwrap_or_default());
    let media = media.split(';').next().unwrap_or_default().trim();
    media.ends_with("/json") || media.ends_with("+json")
}

fn examples(root: &Value, site: &Site, json: bool, faults: &mut Vec<Fault>) {
    let example = site.object.get("example");
    let examples = site.object.get("examples").and_then(Value::as_object);
    if example.is_some() && examples.is_some() {
        faults.warn(&site.pointer, "`example` and `examples` exclude each other; keep one");
    }
    let Some(schema) = site.object.get("schema") else { return };
    let mut told = |pointer: String, value: &Value| {
        if value.get("$ref").is_some_and(Value::is_string) {
            let message =
                "a `$ref` within the value of an example is not followed; write it in place of the Example Object";
            return faults.warn(&pointer, message);
        }
        if json && let Some(why) = misfit(root, value, schema) {
            faults.warn(&pointer, format!("the example does not fit its schema: {why}"));
        }
    };
    if let Some(example) = example {
        told(child(&site.pointer, "example"), example);
    }
    for (name, example) in examples.into_iter().flatten() {
        let pointer = child(&child(&site.pointer, "examples"), name);
        if let Some(value) = resolve(root, example).get("value") {
            let pointer = if example.get("$ref").is_some() { pointer } else { child(&pointer, "value") };
            told(pointer, value);
        }
    }
}

fn encodings(root: &Value, site: &Site, faults: &mut Vec<Fault>) {
    let Some(encodings) = site.object.get("encoding").and_then(Value::as_object) else { return };
    let pointer = child(&site.pointer, "encoding");
    let media = site.pointer.rsplit('/').next().unwrap_or_default();
    if !media.starts_with("multipart~1") && !media.starts_with("application~1x-www-form-urlencoded") {
        let message = "`encoding` means something for multipart and form-urlencoded bodies only; remove it";
        return faults.warn(&pointer, message);
    }
    let Some(schema) = site.object.get("schema").and_then(|schema| follow(root, schema)) else { return };
    let composed = ["allOf", "oneOf", "anyOf"].iter().any(|key| schema.contains_key(*key));
    let Some(properties) = schema.get("properties").and_then(Value::as_object).filter(|_| !composed) else { return };
    for name in encodings.keys().filter(|name| !properties.contains_key(*name)) {
        faults.warn(&child(&pointer, name), format!("the schema has no property `{name}`"));
    }
}

/// Returns whether a key of `content` is a media type or a range of them.
pub(super) fn is_media_type(media: &str) -> bool {
    let name = media.split(';').next().unwrap_or_default().trim();
    name.split_once('/').is_some_and(|(main, sub)| is_token(main) && is_token(sub))
}

/// Checks the media types of a body.
fn contents(site: &Site, faults: &mut Vec<Fault>) {
    let content = site.object.get("content").and_then(Value::as_object);
    let pointer = child(&site.pointer, "content");
    if site.kind == Kind::RequestBody && content.is_some_and(Map::is_empty) {
        faults.error(&pointer, "the body has no media type; write `application/json`, or remove the body");
    }
    for media in content.into_iter().flatten().map(|(media, _)| media).filter(|media| !media.starts_with("x-")) {
        if !is_media_type(media) {
            faults.error(&child(&pointer, media), format!("`{media}` is no media type; write type/subtype"));
        }
    }
    let headers = site.object.get("headers").and_then(Value::as_object).into_iter().flatten();
    for (name, _) in headers.filter(|(name, _)| name.eq_ignore_ascii_case("content-type")) {
        let message =
            format!("the specification ignores a response header `{name}`: the media type says it; remove it");
        faults.warn(&child(&child(&site.pointer, "headers"), name), message);
    }
}

/// Returns whether the text is an HTTP token.
fn is_token(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}
