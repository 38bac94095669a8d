//! Samples for TypeScript: `clients/typescript` for JSON, `fetch` for files, texts and other base addresses.

use serde_json::{Map, Value};

use crate::client::samples::layout::{JSON, Syntax, quoted};
use crate::client::samples::request::{Body, FILE, Field, Request, ResponseKind};

const TYPESCRIPT: Syntax = Syntax { padding: " ", trailing_comma: true, key, ..JSON };

const BASE: &str = "process.env[\"TRAINYARD_BASE_URL\"]";
const KEY: &str = "process.env[\"TRAINYARD_API_KEY\"]";

pub(super) fn sample(request: &Request<'_>) -> String {
    let is_json = request.response == ResponseKind::Json && matches!(request.body, None | Some(Body::Json(..)));
    if is_json && request.is_at_root { by_client(request) } else { by_fetch(request) }
}

/// Returns a key without quotes if it is an identifier.
fn key(name: &str) -> String {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_identifier = name.chars().all(is_part) && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if is_identifier { name.to_owned() } else { quoted(name) }
}

fn by_client(request: &Request<'_>) -> String {
    let mut options = Vec::new();
    if !request.values.is_empty() {
        let path: Map<_, _> =
            request.values.iter().map(|(name, value)| ((*name).to_owned(), (*value).clone())).collect();
        let path = TYPESCRIPT.write(&Value::from(path), 2, 20);
        options.push(format!("params: {{ path: {path} }}"));
    }
    if let Some(Body::Json(example, _)) = &request.body {
        options.push(format!("body: {}", TYPESCRIPT.write(example, 2, 12)));
    }
    let options =
        if options.is_empty() { String::new() } else { format!(", {{\n    {},\n  }}", options.join(",\n    ")) };
    format!(
        "import {{ createClient, unwrap }} from \"trainyard\";\n\n\
         const client = createClient({{\n  baseUrl: {BASE} ?? \"\",\n  apiKey: {KEY},\n}});\n\
         const response = await unwrap(\n  client.{}({}{options}),\n);\nconsole.log(response);",
        request.method(),
        quoted(&request.template),
    )
}

fn by_fetch(request: &Request<'_>) -> String {
    let (mut imports, mut statements, mut options) = (Vec::new(), String::new(), Vec::new());
    if request.method() != "GET" {
        options.push(format!("method: {}", quoted(&request.method())));
    }
    let mut headers = Vec::new();
    if request.is_secured() {
        headers.push(format!("Authorization: `Bearer ${{{KEY}}}`"));
    }
    if matches!(request.body, Some(Body::Json(..))) {
        headers.push("\"Content-Type\": \"application/json\"".to_owned());
    }
    if !headers.is_empty() {
        options.push(format!("headers: {{ {} }}", headers.join(", ")));
    }
    match &request.body {
        Some(Body::Json(example, _)) => {
            options.push(format!("body: JSON.stringify({})", TYPESCRIPT.write(example, 1, 24)));
        }
        Some(Body::Form(fields)) => {
            imports.push("import { openAsBlob } from \"node:fs\";");
            statements += "const form = new FormData();\n";
            for (name, field) in fields {
                statements += &match field {
                    Field::Text(text) => format!("form.append({}, {});\n", quoted(name), quoted(text)),
                    Field::File => {
                        format!(
                            "form.append({}, await openAsBlob({}), {});\n",
                            quoted(name),
                            quoted(FILE),
                            quoted(FILE)
                        )
                    }
                };
            }
            options.push("body: form".to_owned());
        }
        Some(Body::File) => {
            imports.push("import { openAsBlob } from \"node:fs\";");
            options.push(format!("body: await openAsBlob({})", quoted(FILE)));
        }
        None => {}
    }
    let result = match request.response {
        ResponseKind::Json => "console.log(await response.json());".to_owned(),
        ResponseKind::Text => "console.log(await response.text());".to_owned(),
        ResponseKind::Bytes => {
            imports.push("import { writeFile } from \"node:fs/promises\";");
            format!("await writeFile({}, Buffer.from(await response.arrayBuffer()));", quoted(&request.file_name()))
        }
    };
    let options = if options.is_empty() { String::new() } else { format!(", {{\n  {},\n}}", options.join(",\n  ")) };
    // A file without `import` or `export` is no module, in which `await` is allowed.
    let imports = if imports.is_empty() { "export {};".to_owned() } else { imports.join("\n") };
    format!(
        "{imports}\n\n{statements}const response = await fetch(`${{{BASE}}}{}`{options});\n\
         if (!response.ok) throw new Error(await response.text());\n{result}",
        request.path(),
    )
}
