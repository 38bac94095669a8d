//! Comparison of request bodies and responses: statuses, media types, headers.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::diff::Comparison;
use crate::diff::document::Node;
use crate::ir::schema::Direction;

/// Schema that allows every value: the meaning of a missing schema.
static ANYTHING: Value = Value::Bool(true);

impl<'a> Comparison<'a> {
    pub(super) fn request_body(&mut self, old: &Node<'a>, new: &Node<'a>) {
        let required = |node: &Node<'a>| node.flag("required") == Some(true);
        match (old.get("requestBody"), new.get("requestBody")) {
            (None, None) => {}
            (Some(older), None) => {
                let reason = "what clients send is ignored, and generated clients lose the argument";
                self.breaking(&older, "request-body-removed", "the request has no body any more", reason);
            }
            (None, Some(newer)) if required(&newer) => {
                let message = "the request needs a body now";
                self.breaking(&newer, "request-body-added", message, "clients that send none are refused");
            }
            (None, Some(newer)) => {
                self.safe(&newer, "request-body-added", "the request may have a body now", "it may be left out");
            }
            (Some(older), Some(newer)) => {
                match (required(&older), required(&newer)) {
                    (false, true) => {
                        let message = "the body must be given now";
                        self.breaking(&newer, "request-body-required", message, "clients that send none are refused");
                    }
                    (true, false) => {
                        let message = "the body may be left out now";
                        self.safe(
                            &newer,
                            "request-body-optional",
                            message,
                            "clients that send it are served as before",
                        );
                    }
                    _ => {}
                }
                self.content(&older, &newer, Direction::Request);
                self.rest(&older, &newer, &["required", "content"]);
            }
        }
    }

    pub(super) fn responses(&mut self, old: &Node<'a>, new: &Node<'a>) {
        let statuses = |node: &Node<'a>| -> BTreeMap<String, Node<'a>> {
            let responses = node.map("responses").into_iter().filter(|(status, _)| !status.starts_with("x-"));
            responses.map(|(status, response)| (status.to_ascii_uppercase(), response)).collect()
        };
        let (older, newer) = (statuses(old), statuses(new));
        for (status, response) in &older {
            match newer.get(status) {
                Some(newer) => self.response(response, newer),
                None => {
                    let message = format!("the answer {} is no longer documented", shown(status));
                    let reason = "clients that wait for it, or name it, do not know what comes instead";
                    let at =
                        old.child("responses").and_then(|all| all.child(status)).unwrap_or_else(|| response.clone());
                    self.breaking(&at, "status-removed", message, reason);
                }
            }
        }
        for (status, response) in newer.iter().filter(|(status, _)| !older.contains_key(*status)) {
            let at = new.child("responses").and_then(|all| all.child(status)).unwrap_or_else(|| response.clone());
            let reason = "clients of the old document treat it as any other status";
            self.safe(&at, "status-added", format!("the answer {} is documented now", shown(status)), reason);
            // Old clients read it as the entry that covered this status.
            if let Some(cover) = cover(status).into_iter().find_map(|cover| older.get(&cover)) {
                self.content(cover, response, Direction::Response);
            }
        }
        if let (Some(older), Some(newer)) = (old.child("responses"), new.child("responses")) {
            let looked_at: Vec<&str> =
                older.object().chain(newer.object()).map(|(key, _)| key).filter(|key| !key.starts_with("x-")).collect();
            self.rest(&older, &newer, &looked_at);
        }
    }

    fn response(&mut self, old: &Node<'a>, new: &Node<'a>) {
        self.headers(old, new);
        self.content(old, new, Direction::Response);
        if old.value.get("links") != new.value.get("links") {
            let reason = "links are hints; the operations they lead to are compared on their own";
            self.safe(&new.child_or_self("links"), "links", "the links changed", reason);
        }
        self.rest(old, new, &["headers", "content", "links"]);
    }

    fn headers(&mut self, old: &Node<'a>, new: &Node<'a>) {
        let headers = |node: &Node<'a>| -> BTreeMap<String, Node<'a>> {
            node.map("headers").into_iter().map(|(name, header)| (name.to_ascii_lowercase(), header)).collect()
        };
        let required = |node: &Node<'a>| node.flag("required") == Some(true);
        let (older, newer) = (headers(old), headers(new));
        for (name, header) in &older {
            let Some(newer) = newer.get(name) else {
                let message = format!("the response header `{name}` is gone");
                self.breaking(header, "response-header-removed", message, "clients that read it find nothing");
                continue;
            };
            match (required(header), required(newer)) {
                (true, false) => {
                    let message = format!("the response header `{name}` may be missing now");
                    self.breaking(newer, "response-header-optional", message, "clients that rely on it find nothing");
                }
                (false, true) => {
                    let message = format!("the response header `{name}` is always there now");
                    self.safe(newer, "response-header-required", message, "clients that read it find it");
                }
                _ => {}
            }
            if header.child("content").is_some() || newer.child("content").is_some() {
                self.content(header, newer, Direction::Response);
            }
            self.optional_schema(header, newer, Direction::Response);
            self.rest(header, newer, &["required", "schema", "content"]);
        }
        for (name, header) in newer.iter().filter(|(name, _)| !older.contains_key(*name)) {
            let message = format!("the response header `{name}` is new");
            self.safe(header, "response-header-added", message, "clients that do not know it ignore it");
        }
    }

    /// Compares the media types under `content`.
    pub(super) fn content(&mut self, old: &Node<'a>, new: &Node<'a>, direction: Direction) {
        let types = |node: &Node<'a>| -> BTreeMap<String, Node<'a>> {
            node.map("content").into_iter().map(|(name, media)| (plain(&name), media)).collect()
        };
        let (older, newer) = (types(old), types(new));
        for (name, media) in &older {
            match newer.get(name) {
                Some(newer) => {
                    self.optional_schema(media, newer, direction);
                    if media.value.get("encoding") != newer.value.get("encoding") {
                        let reason = "the parts of the body are written in another way than the other side expects";
                        self.breaking(&newer.child_or_self("encoding"), "encoding", "the encoding changed", reason);
                    }
                    self.rest(media, newer, &["schema", "encoding"]);
                }
                None => {
                    let reason = match direction {
                        Direction::Request => "clients that send it get 415",
                        Direction::Response => "clients that ask for it, or read it, no longer get it",
                    };
                    self.breaking(media, "media-type-removed", format!("the media type {name} is gone"), reason);
                }
            }
        }
        for (name, media) in newer.iter().filter(|(name, _)| !older.contains_key(*name)) {
            let reason = match direction {
                Direction::Request => "what was accepted still is",
                Direction::Response => "clients that ask for what they know still get it",
            };
            self.safe(media, "media-type-added", format!("the media type {name} is new"), reason);
        }
    }

    /// Compares the schemas of two objects, each optional.
    pub(super) fn optional_schema(&mut self, old: &Node<'a>, new: &Node<'a>, direction: Direction) {
        let schema = |node: &Node<'a>| match node.get("schema") {
            Some(schema) => vec![schema],
            None => vec![Node { value: &ANYTHING, ..node.clone() }],
        };
        // Each borrows from its own document only.
        let (older, newer) = (schema(old), schema(new));
        self.schema(&older, &newer, direction);
    }
}

/// Returns the entries that cover a status that is not listed itself, nearest first.
fn cover(status: &str) -> Vec<String> {
    match status.as_bytes() {
        // `default` describes errors, so it never covers a new success status.
        [class @ (b'4' | b'5'), second, _] if second.is_ascii_digit() => {
            vec![format!("{}XX", char::from(*class)), "DEFAULT".to_owned()]
        }
        [b'4' | b'5', b'X', b'X'] => vec!["DEFAULT".to_owned()],
        _ => Vec::new(),
    }
}

fn shown(status: &str) -> String {
    if status == "DEFAULT" { "`default`".to_owned() } else { status.to_owned() }
}

fn plain(media_type: &str) -> String {
    media_type.to_ascii_lowercase().split(';').map(str::trim).collect::<Vec<_>>().join(";")
}
