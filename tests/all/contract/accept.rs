//! What real clients send as `Accept` never costs them an answer: the body decides in which media type it comes.

use serde_json::json;

use crate::support::{SEEDLING, TestService, http};

#[tokio::test]
async fn one_media_type_that_is_offered_is_enough() {
    let service = TestService::start().await;
    for (accept, status) in [
        (Some("*/*"), 200),
        (Some("application/json"), 200),
        (Some("application/json, text/plain, */*"), 200),
        (Some("text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"), 200),
        (Some("text/event-stream"), 200),
        (Some("application/json;q=0, text/event-stream"), 200),
        (Some("text/*"), 200),
        (Some(""), 200),
        (None, 200),
        (Some("image/png"), 406),
        (Some("*/*;q=0"), 406),
    ] {
        for stream in [false, true] {
            let body = json!({
                "model": SEEDLING, "messages": [{"role": "user", "content": "hi"}], "max_tokens": 1, "stream": stream,
            });
            let request = http().post(format!("{}/v1/chat/completions", service.root));
            let request = request.bearer_auth(&service.key).json(&body);
            let request = accept.map_or(request.try_clone(), |accept| Some(request.header("accept", accept)));
            let answer = request.expect("no stream").send().await.expect("an answer");
            assert_eq!(answer.status(), status, "{accept:?}");
            let expected = if stream && status == 200 { "text/event-stream" } else { "application/json" };
            let media = answer.headers()["content-type"].to_str().expect("ASCII");
            assert_eq!(media.split(';').next(), Some(expected), "{accept:?}");
        }
    }
    service.stop().await;
}
