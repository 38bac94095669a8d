//! Reads whose responses a server keeps: they are those of the store, whichever process writes to it.

use serde_json::Value;
use trainyard::server::open_metadata;

use crate::support::{TestService, http, text};

/// Names of the models of a page.
async fn names(service: &TestService, key: &str, query: &str) -> Vec<String> {
    let path = format!("/v1/preview/models?{query}");
    let page = service.send_as(key, reqwest::Method::GET, &path, None).await.ok();
    let data = page["data"].as_array().expect("a list");
    data.iter().map(|model| text(&model["name"]).to_owned()).collect()
}

#[tokio::test]
async fn a_write_of_another_process_is_in_the_next_read() {
    let service = TestService::start().await;
    // Connections of their own, as in another process.
    let other = open_metadata(&service.directory.path().join("data"), None).await.expect("the database");
    for number in 0..50 {
        let name = format!("agent-{number}");
        let model = service.model(&name).await;
        for _ in 0..2 {
            assert_eq!(names(&service, &service.key, "order=desc&limit=1").await, [name.as_str()]);
            assert!(
                names(&service, &service.rival_key, "order=desc&limit=1").await.is_empty(),
                "those of another entity"
            );
        }
        other.delete_model("acme", model.id.parse().expect("a UUID")).await.expect("deleted");
        for _ in 0..2 {
            assert!(names(&service, &service.key, "order=desc&limit=1").await.is_empty(), "{name} was deleted");
        }
    }
    service.stop().await;
}

#[tokio::test]
async fn a_kept_response_is_equal_for_the_same_media_type() {
    let service = TestService::start().await;
    service.model("agent").await;
    let ask = async |accept: &str| {
        let request = http().get(format!("{}/v1/preview/models", service.root));
        let response = request.bearer_auth(&service.key).header("accept", accept).send().await.expect("a response");
        let media_type = response.headers().get("content-type").cloned();
        (response.status().as_u16(), media_type, response.text().await.expect("a body"))
    };
    let (status, media_type, body) = ask("application/json").await;
    assert_eq!(status, 200);
    let page: Value = serde_json::from_str(&body).expect("JSON");
    assert_eq!(page["data"][0]["name"], "agent");
    for _ in 0..3 {
        assert_eq!(ask("application/json").await, (status, media_type.clone(), body.clone()));
        assert_eq!(ask("text/event-stream").await.0, ask("text/event-stream").await.0);
    }
    service.stop().await;
}
