//! Samples for Python with httpx.

use crate::client::samples::layout::{JSON, Syntax, quoted};
use crate::client::samples::request::{Body, FILE, Field, Request, ResponseKind};

const PYTHON: Syntax = Syntax { null: "None", booleans: ["False", "True"], indent: 4, trailing_comma: true, ..JSON };

pub(super) fn sample(request: &Request<'_>) -> String {
    let mut arguments = vec![quoted(&request.method()), quoted(&request.path())];
    match &request.body {
        Some(Body::Json(example, _)) => arguments.push(format!("json={}", PYTHON.write(example, 1, 10))),
        Some(Body::Form(fields)) => {
            for (name, field) in fields {
                arguments.push(match field {
                    Field::Text(text) => format!("data={{{}: {}}}", quoted(name), quoted(text)),
                    Field::File => format!("files={{{}: open({}, \"rb\")}}", quoted(name), quoted(FILE)),
                });
            }
        }
        Some(Body::File) => arguments.push(format!("content=open({}, \"rb\")", quoted(FILE))),
        None => {}
    }
    let short = arguments.join(", ");
    let call = if short.contains('\n') || short.len() > 70 {
        format!("client.request(\n    {},\n)", arguments.join(",\n    "))
    } else {
        format!("client.request({short})")
    };
    let headers = if request.is_secured() {
        "    headers={\"Authorization\": f\"Bearer {os.environ['TRAINYARD_API_KEY']}\"},\n"
    } else {
        ""
    };
    let result = match request.response {
        ResponseKind::Json => "print(response.json())".to_owned(),
        ResponseKind::Text => "print(response.text)".to_owned(),
        ResponseKind::Bytes => format!("open({}, \"wb\").write(response.content)", quoted(&request.file_name())),
    };
    format!(
        "import os\n\nimport httpx\n\nclient = httpx.Client(\n    base_url=os.environ[\"TRAINYARD_BASE_URL\"],\n{headers}    \
         timeout=600,\n)\nresponse = {call}\nresponse.raise_for_status()\n{result}"
    )
}
