//! Samples for a shell with curl.

use crate::client::samples::layout::JSON;
use crate::client::samples::request::{Body, FILE, Field, Request, ResponseKind};

pub(super) fn sample(request: &Request<'_>) -> String {
    let mut lines = vec![format!("curl --fail-with-body \"$TRAINYARD_BASE_URL{}\"", request.path())];
    let method = request.method();
    // curl sends POST by itself when there is a body.
    if method != if request.body.is_some() { "POST" } else { "GET" } {
        lines.push(format!("--request {method}"));
    }
    if request.is_secured() {
        lines.push("--header \"Authorization: Bearer $TRAINYARD_API_KEY\"".to_owned());
    }
    match &request.body {
        Some(Body::Json(example, _)) => {
            let json = JSON.write(example, 1, 12).replace('\'', r"'\''");
            lines.push("--header 'Content-Type: application/json'".to_owned());
            lines.push(format!("--data '{json}'"));
        }
        Some(Body::Form(fields)) => lines.extend(fields.iter().map(|(name, field)| match field {
            Field::Text(text) => format!("--form {name}={text}"),
            Field::File => format!("--form {name}=@{FILE}"),
        })),
        Some(Body::File) => {
            lines.push("--header 'Content-Type: application/octet-stream'".to_owned());
            lines.push(format!("--data-binary @{FILE}"));
        }
        None => {}
    }
    if request.response == ResponseKind::Bytes {
        lines.push("--remote-name".to_owned());
    }
    lines.join(" \\\n  ")
}
