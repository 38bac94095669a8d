//! A directory of artifacts that is gone for a time, as when its disk is not mounted.

use reqwest::Method;
use serde_json::json;

use crate::support::{TestService, answer, row, text};

#[tokio::test]
async fn reads_and_writes_are_told_to_come_back() {
    let service = TestService::start().await;
    let model = service.model("stored").await;
    let job = service.start_sft(&model, &[row("red?", "blue")], json!({ "learning_rate": 1e-3 })).await;
    service.finished(&job).await;
    let file = service.upload("user_data", "notes", "some bytes").await;
    let checkpoint = format!("/v1/preview/models/{}/checkpoints/1", model.id);
    let reads = [
        format!("/v1/files/{file}/content"),
        checkpoint.clone(),
        format!("{checkpoint}/files/adapter_config.json"),
        format!("{checkpoint}/archive"),
    ];
    let artifacts = service.directory.path().join("data/artifacts");
    let away = service.directory.path().join("away");
    std::fs::rename(&artifacts, &away).expect("ours");
    for path in &reads {
        let response = service.request(Method::GET, path).send().await.expect("an answer");
        assert!(response.headers().contains_key("retry-after"), "{path}");
        answer(service.request(Method::GET, path)).await.rejected(503);
    }
    let upload = reqwest::multipart::Part::bytes(vec![b'x'; 9 << 20]).file_name("large");
    let upload = reqwest::multipart::Form::new().text("purpose", "user_data").part("file", upload);
    answer(service.request(Method::POST, "/v1/files").multipart(upload)).await.rejected(503);
    let checked = service.get("/v1/system-check").await;
    assert_eq!(checked.status.as_u16(), 503, "{}", checked.body);
    let part = &checked.body["artifacts"];
    assert_eq!(part["success"], false, "{part}");
    assert!(text(&part["errors"][0]).contains("directory of the artifacts is missing"), "{part}");
    assert!(!artifacts.exists(), "nothing makes it anew, and empty");
    std::fs::rename(&away, &artifacts).expect("ours");
    for path in &reads {
        let response = service.request(Method::GET, path).send().await.expect("an answer");
        assert!(response.status().is_success(), "{path}: {}", response.status());
    }
    service.get("/v1/system-check").await.ok();
    service.stop().await;
}
