//! Constructs that progenitor 0.15 does not support: it would panic, or silently omit them.

use std::collections::BTreeSet;

use crate::client::view;
use crate::fault::Report;
use crate::ir::operation::{Content, Encoding, Operation, ParameterLocation, Style};
use crate::{Document, Fault};

/// Names that progenitor uses for its own arguments and locals.
const RESERVED: [&str; 8] = ["header_map", "request", "response", "result", "client", "url", "body", "info"];

/// Returns a fault for each construct that prevents the generation of a client.
pub(super) fn of(document: &Document) -> Vec<Fault> {
    let mut faults = Vec::new();
    let by_hand = |operation: &&Operation| {
        document.value.pointer(&operation.pointer).is_some_and(view::is_by_hand) || operation.alias_of.is_some()
    };
    for operation in document.api.operations.iter().filter(|operation| !by_hand(operation)) {
        parameters(operation, &mut faults);
        body(operation, &mut faults);
        answers(operation, &mut faults);
    }
    faults
}

fn parameters(operation: &Operation, faults: &mut Vec<Fault>) {
    let at = format!("{}/parameters", operation.pointer);
    for parameter in &operation.parameters {
        let name = &parameter.wire_name;
        if parameter.location == ParameterLocation::Cookie {
            faults.error(&at, format!("the client cannot send the cookie {name}; use path, query or header"));
        }
        let plain = match parameter.encoding {
            Encoding::Json => false,
            Encoding::Styled { style, .. } => matches!(style, Style::Simple | Style::Form),
        };
        if !plain {
            faults.error(&at, format!("the client cannot write {name} in its style; use the place's own style"));
        }
        if RESERVED.contains(&parameter.rust_name.as_str()) {
            faults.error(&at, format!("{name} is a name that the client uses itself; choose another"));
        }
    }
}

fn body(operation: &Operation, faults: &mut Vec<Fault>) {
    let Some(body) = &operation.body else { return };
    let at = format!("{}/requestBody", operation.pointer);
    if body.media.len() > 1 {
        faults.error(&at, "the client sends one media type; keep one, or write another operation");
    }
    if !body.required {
        faults.error(&at, "the client would always send the optional body; write `required: true`");
    }
    for media in &body.media {
        let is_sent = matches!(
            media.content,
            Content::Json(Some(_)) | Content::JsonItems { .. } | Content::Bytes | Content::Stream
        );
        if !is_sent {
            let media_type = &media.media_type;
            faults.error(
                &at,
                format!(
                    "the client cannot send {media_type} here; use application/json with a schema, or write the method by \
                     hand and `x-client-by-hand: true` at the operation"
                ),
            );
        }
    }
}

fn answers(operation: &Operation, faults: &mut Vec<Fault>) {
    let at = format!("{}/responses", operation.pointer);
    let bodies: BTreeSet<String> = operation
        .responses
        .iter()
        .filter(|response| response.status.is_success())
        .map(|response| {
            let json = response.media.iter().find_map(|media| match &media.content {
                Content::Json(schema) => Some(format!("{schema:?}")),
                _ => None,
            });
            json.or_else(|| response.media.first().map(|media| media.media_type.clone())).unwrap_or_default()
        })
        .collect();
    if bodies.len() > 1 {
        let count = bodies.len();
        faults.error(&at, format!("{count} kinds of success; the client can return exactly one"));
    }
}
