//! Checkpoints in the forms of other programs, over HTTP.

use std::collections::BTreeMap;
use std::io::Read;

use reqwest::{Method, Response, StatusCode};
use serde_json::json;
use trainyard::client::connect;
use trainyard::client::types::ExportForm;

use crate::support::{Model, TestService, answer, row, text};

async fn trained(service: &TestService) -> Model {
    let model = service.model("agent").await;
    let job =
        service.start_sft(&model, &[row("red?", "blue")], json!({ "batch_size": 1, "learning_rate": 5e-3 })).await;
    service.finished(&job).await;
    model
}

fn path(model: &Model, step: u64, query: &str) -> String {
    format!("/v1/preview/models/{}/checkpoints/{step}/export?{query}", model.id)
}

async fn get(service: &TestService, path: &str, headers: &[(&str, &str)]) -> Response {
    let request =
        headers.iter().fold(service.request(Method::GET, path), |request, (name, value)| request.header(*name, *value));
    request.send().await.expect("a response")
}

/// Returns the paths and contents of an archive.
fn unpacked(archive: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let mut archive = tar::Archive::new(archive);
    let file = |entry: std::io::Result<tar::Entry<'_, &[u8]>>| {
        let mut entry = entry.expect("an entry");
        let mut content = Vec::new();
        entry.read_to_end(&mut content).expect("its content");
        (entry.path().expect("a path").display().to_string(), content)
    };
    archive.entries().expect("entries").map(file).collect()
}

#[tokio::test]
async fn an_export_is_downloaded_resumed_and_the_same_again() {
    let service = TestService::start().await;
    let model = trained(&service).await;
    let url = path(&model, 1, "form=merged&weights=f32");
    let whole = get(&service, &url, &[]).await;
    assert_eq!(whole.status(), StatusCode::OK);
    assert_eq!(whole.headers()["accept-ranges"], "bytes");
    assert_eq!(whole.headers()["content-type"], "application/x-tar");
    let disposition = whole.headers()["content-disposition"].to_str().expect("text");
    assert!(disposition.contains("agent-step1-merged.tar"), "{disposition}");
    let tag = whole.headers()["etag"].to_str().expect("text").to_owned();
    let length = whole.content_length().expect("a length");
    let bytes = whole.bytes().await.expect("a body");
    assert_eq!(bytes.len() as u64, length);
    let files = unpacked(&bytes);
    assert!(files.keys().all(|path| path.starts_with("agent-step1-merged/")), "{:?}", files.keys());
    for name in ["README.md", "LICENSE", "config.json", "tokenizer.json", "model.safetensors"] {
        assert!(!files[&format!("agent-step1-merged/{name}")].is_empty(), "{name}");
    }

    // The rest of an interrupted download, and a tag that is known.
    let half = length / 2 + 7;
    let rest = get(&service, &url, &[("Range", &format!("bytes={half}-")), ("If-Range", &tag)]).await;
    assert_eq!(rest.status(), StatusCode::PARTIAL_CONTENT);
    assert_eq!(rest.headers()["content-range"], format!("bytes {half}-{}/{length}", length - 1));
    assert!(rest.bytes().await.expect("a body") == bytes[half as usize..]);
    assert_eq!(get(&service, &url, &[("If-None-Match", &tag)]).await.status(), StatusCode::NOT_MODIFIED);
    let beyond = get(&service, &url, &[("Range", &format!("bytes={length}-"))]).await;
    assert_eq!(beyond.status(), StatusCode::RANGE_NOT_SATISFIABLE);

    // The files of a process that is gone are removed, and another one prepares the same bytes.
    let service = service.restart().await;
    let again = get(&service, &url, &[("Range", "bytes=0-")]).await;
    assert_eq!(again.headers()["etag"], tag.as_str());
    assert!(again.bytes().await.expect("a body") == bytes);
    let kept = || std::fs::read_dir(service.directory.path().join("data/exports")).map_or(0, Iterator::count);
    assert_eq!(kept(), 1);

    // With a step that may be in them, exports go.
    let body = json!({ "steps": [1], "allow_latest": true });
    let deleted = service.request(Method::DELETE, &format!("/v1/preview/models/{}/checkpoints", model.id)).json(&body);
    answer(deleted).await.ok();
    assert_eq!(get(&service, &url, &[]).await.status(), StatusCode::NOT_FOUND);
    assert_eq!(kept(), 0);
    service.stop().await;
}

#[tokio::test]
async fn forms_that_a_checkpoint_cannot_have_are_rejected_by_name() {
    let service = TestService::start().await;
    let model = trained(&service).await;
    for (step, query, param, message) in [
        (1, "form=peft&weights=bf16", "weights", "leave --weights out"),
        (1, "form=merged&weights=q8_0", "weights", "safetensors have no element type q8_0"),
        (1, "form=adapter-gguf&weights=q4_0", "weights", "an adapter for llama.cpp is f32, f16 or bf16"),
        (0, "form=peft", "form", "step 0 is the base model itself"),
        (1, "form=onnx", "form", ""),
    ] {
        let error = service.get(&path(&model, step, query)).await.rejected(422);
        assert_eq!(error["param"], param, "{query}: {error}");
        assert!(text(&error["message"]).contains(message), "{query}: {error}");
    }
    service.get(&path(&model, 7, "form=peft")).await.rejected(404);
    service.stop().await;
}

/// The generated client, and requests for the same export at once.
#[tokio::test]
async fn every_form_has_its_files_and_one_preparation() {
    let service = TestService::start().await;
    let model = trained(&service).await;
    let client = connect(&service.root, &service.key).expect("a client");
    let adapter = ["LICENSE", "README.md", "adapter_config.json", "adapter_model.safetensors"];
    for (form, step, expected) in [
        (ExportForm::Peft, 1, &adapter[..]),
        (ExportForm::AdapterGguf, 1, &["LICENSE", "Modelfile", "README.md", "agent-step1-adapter-f16.gguf"]),
        (ExportForm::Gguf, 0, &["LICENSE", "Modelfile", "README.md", "agent-step0-f16.gguf"]),
    ] {
        let download = async || {
            let mut download = client.get_checkpoint_export(&model.id, step).form(form).await.expect("an export");
            let mut bytes = Vec::new();
            while let Some(chunk) = download.chunk().await.expect("a chunk") {
                bytes.extend_from_slice(&chunk);
            }
            bytes
        };
        let (one, other) = tokio::join!(download(), download());
        assert!(one == other, "{expected:?}");
        let files = unpacked(&one);
        let names: Vec<&str> = files.keys().filter_map(|path| path.rsplit('/').next()).collect();
        assert_eq!(names, expected);
        if form == ExportForm::Peft {
            for (name, content) in adapter.iter().zip(files.values()).skip(2) {
                let stored = client.get_checkpoint_file(&model.id, 1, *name).await.expect("a file");
                assert_eq!(stored.headers()["content-length"], content.len().to_string(), "{name}");
            }
        }
    }
    service.stop().await;
}
