//! The client against servers and proxies that fail.

use std::time::Duration;

use serde_json::{Value, json};
use trainyard::client::{Client, ClientBuilder, ClientError, RetryPolicy, from_json, types};

use super::scripted::{self, EVENTS, Scripted, ScriptedResponse, answer, events};

const PAGE: &str = "<html><body><h1>502 Bad Gateway</h1>\r\n<hr>nginx</body></html>";

/// Retries without waiting.
fn builder(server: &Scripted) -> ClientBuilder {
    let retries = RetryPolicy { first_delay: Duration::ZERO, ..RetryPolicy::default() };
    Client::builder().base_url(&server.base).api_key("a-key").retries(retries)
}

fn client(server: &Scripted) -> Client {
    builder(server).build().unwrap()
}

fn health() -> ScriptedResponse {
    scripted::json(&json!({"status": "ok"}))
}

fn rejected(status: u16, headers: &str) -> ScriptedResponse {
    let body = json!({"error": {"message": "not now", "type": "overloaded_error", "param": null, "code": "busy"}});
    answer(status, headers, &body.to_string())
}

fn model() -> types::ModelCreate {
    from_json(json!({"project": "p", "name": "n", "base_model": "b"})).unwrap()
}

fn question() -> types::ChatCompletionRequest {
    from_json(json!({"model": "m", "messages": [{"role": "user", "content": "hi"}]})).unwrap()
}

fn chunk(text: &str) -> String {
    let chunk = json!({
        "id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m",
        "choices": [{"index": 0, "delta": {"content": text}, "finish_reason": null, "logprobs": null}],
    });
    format!("data: {chunk}\n\n")
}

fn page(ids: &[&str], has_more: bool) -> Value {
    let data: Vec<_> = ids.iter().map(|id| json!({"id": id, "step": 1, "metrics": {}})).collect();
    json!({"object": "list", "data": data, "first_id": "", "last_id": "", "has_more": has_more})
}

fn job_events(ids: &[(&str, &str)], has_more: bool) -> ScriptedResponse {
    let data: Vec<_> = ids.iter().map(|(id, kind)| json!({"id": id, "type": kind, "data": {}})).collect();
    scripted::json(&json!({"object": "list", "data": data, "first_id": "", "last_id": "", "has_more": has_more}))
}

#[tokio::test]
async fn a_read_is_tried_again_until_it_works() {
    let broken = ScriptedResponse::Bytes(b"HTTP/1.1 200 OK\r\ncontent-length: 15\r\n\r\n{\"stat".to_vec());
    let lost = ScriptedResponse::Bytes(Vec::new());
    for fault in [rejected(503, "retry-after: 0\r\n"), rejected(429, ""), answer(502, "", PAGE), broken, lost] {
        let server = scripted::serve(vec![fault.clone(), fault, health()]).await;
        assert_eq!(client(&server).check_key().await.unwrap().status, types::HealthStatus::Ok);
        assert_eq!(server.targets(), ["/v1/health"; 3]);
    }
}

#[tokio::test]
async fn retries_end_and_the_last_error_is_told() {
    let server = scripted::serve(vec![rejected(503, "")]).await;
    let error = client(&server).check_key().await.unwrap_err();
    assert_eq!((error.status(), error.code(), error.request_id()), (Some(503), Some("busy"), Some("r-1")));
    assert!(error.is_retryable());
    assert_eq!(server.requests().len(), 3);
    let once = builder(&server).retries(RetryPolicy::none()).build().unwrap();
    once.check_key().await.unwrap_err();
    assert_eq!(server.requests().len(), 4);
}

#[tokio::test]
async fn the_service_decides_on_retries() {
    let later = "retry-after: 7200\r\n";
    for (fault, requests) in [
        (rejected(503, "x-should-retry: false\r\n"), 1),
        (rejected(409, "x-should-retry: true\r\n"), 3),
        (rejected(422, ""), 1),
        (rejected(503, later), 1),
    ] {
        let server = scripted::serve(vec![fault]).await;
        let error = client(&server).delete_model("m").await.unwrap_err();
        assert_eq!(server.requests().len(), requests, "{error}");
    }
    let server = scripted::serve(vec![rejected(503, later)]).await;
    let error = client(&server).check_key().await.unwrap_err();
    assert_eq!(error.retry_after(), Some(Duration::from_secs(7200)));
    assert!(error.to_string().contains("try again in 7200 s"), "{error}");
}

#[tokio::test]
async fn a_post_is_repeated_with_an_idempotency_key_only() {
    let created = json!({"id": "1", "entity": "e", "project": "p", "name": "n", "base_model": "b", "run_id": null});
    let server = scripted::serve(vec![rejected(503, ""), scripted::json(&created)]).await;
    let client = client(&server);
    assert_eq!(client.create_model(&model()).await.unwrap_err().status(), Some(503));
    assert_eq!(server.requests().len(), 1);

    let server =
        scripted::serve(vec![ScriptedResponse::Bytes(Vec::new()), rejected(503, ""), scripted::json(&created)]).await;
    let keyed = builder(&server).user_agent("probe/1").build().unwrap().with_idempotency_key("k-1").unwrap();
    assert_eq!(keyed.create_model(&model()).await.unwrap().id, "1");
    let requests = server.requests();
    assert_eq!(requests.len(), 3);
    assert!(requests.iter().all(|request| *request == requests[0]), "each attempt sends the same: {requests:#?}");
    for header in ["idempotency-key: k-1\r\n", "authorization: Bearer a-key\r\n", "user-agent: probe/1\r\n"] {
        assert!(requests[0].contains(header), "{}", requests[0]);
    }
    keyed.check_key().await.unwrap_err();
    assert!(!server.requests()[3].contains("idempotency-key"), "a read needs none");
    assert!(client.with_idempotency_key("").is_err() && client.with_idempotency_key("a\nb").is_err());
}

#[tokio::test]
async fn a_proxys_page_keeps_its_status_and_its_beginning() {
    let long = format!("{PAGE}{}", "x".repeat(1 << 20));
    let server = scripted::serve(vec![answer(502, "content-type: text/html\r\n", &long)]).await;
    let error = client(&server).create_model(&model()).await.unwrap_err();
    assert_eq!((error.status(), error.detail()), (Some(502), None));
    let text = error.to_string();
    assert!(text.contains("<h1>502 Bad Gateway</h1> <hr>nginx") && text.len() < 700, "{text}");

    let server = scripted::serve(vec![answer(200, "content-type: text/html\r\n", PAGE)]).await;
    let error = client(&server).create_model(&model()).await.unwrap_err();
    assert!(matches!(error, ClientError::UnexpectedAnswer { status: 200, .. }), "{error}");
    let error = client(&server).stream_chat_completion(&question()).await.unwrap_err();
    assert!(error.to_string().contains("`text/html`, not a stream"), "{error}");
}

#[tokio::test]
async fn answers_are_read_up_to_a_bound() {
    let endless = |status: u16| {
        let head = format!("HTTP/1.1 {status} X\r\ntransfer-encoding: chunked\r\n\r\n");
        ScriptedResponse::Endless(head, format!("1000\r\n{}\r\n", "[".repeat(0x1000)).into_bytes())
    };
    let claimed = ScriptedResponse::Endless(
        "HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\n".to_owned(),
        vec![b' '; 4096],
    );
    for large in [endless(200), claimed] {
        let server = scripted::serve(vec![large]).await;
        let small = builder(&server).largest_answer(100_000).build().unwrap();
        let error = small.check_key().await.unwrap_err();
        assert!(matches!(error, ClientError::AnswerTooLarge { limit: 100_000 }), "{error}");
        assert_eq!(server.requests().len(), 1, "it would be as large again");
    }
    let server = scripted::serve(vec![endless(404)]).await;
    assert_eq!(client(&server).check_key().await.unwrap_err().status(), Some(404));
}

#[tokio::test]
async fn silence_ends_at_the_read_timeout() {
    let begun = ScriptedResponse::Silence(format!("{EVENTS}{}", chunk("a")));
    let server = scripted::serve(vec![ScriptedResponse::Silence(String::new()), begun]).await;
    let hasty = builder(&server).read_timeout(Duration::from_millis(200)).build().unwrap();
    let error = hasty.create_model(&model()).await.unwrap_err();
    assert!(matches!(&error, ClientError::Transport(_)) && error.is_retryable(), "{error}");
    assert!(error.to_string().contains("silent"), "{error}");
    let mut stream = hasty.stream_chat_completion(&question()).await.unwrap();
    assert!(stream.try_next().await.unwrap().is_some());
    let error = stream.try_next().await.unwrap_err();
    assert!(error.to_string().contains("silent"), "{error}");
}

#[tokio::test]
async fn a_stream_ends_with_done_or_with_an_error() {
    let good = format!(": hello\r\n\r\n{}{}data: [DONE]\n\n{}", chunk("a"), chunk("☃"), chunk("after the end"));
    let failure = r#"{"error":{"message":"out of memory","type":"internal_error","param":null,"code":"oom"}}"#;
    let server = scripted::serve(vec![
        events(&good),
        events(&chunk("a")),
        events(&format!("{}data: {failure}\n\n", chunk("a"))),
        events(&format!("{}data: 5\n\n", chunk("a"))),
        ScriptedResponse::Endless(format!("{EVENTS}{}data: ", chunk("a")), vec![b'x'; 1 << 16]),
    ])
    .await;
    let client = client(&server);
    let texts = client.stream_chat_completion(&question()).await.unwrap().try_collect().await.unwrap();
    let texts: Vec<_> = texts.iter().map(|chunk| chunk.choices[0].delta.content.as_deref().unwrap()).collect();
    assert_eq!(texts, ["a", "☃"]);
    let mut told = Vec::new();
    for number in 2..=5 {
        let mut stream = client.stream_chat_completion(&question()).await.unwrap();
        assert!(stream.try_next().await.unwrap().is_some());
        let error = stream.try_next().await.unwrap_err();
        assert!(stream.try_next().await.unwrap().is_none(), "an error is the last item");
        assert_eq!(server.requests().len(), number, "a stream that has begun is not tried again");
        told.push(error);
    }
    assert!(matches!(&told[0], ClientError::StreamCut { request_id } if request_id.as_deref() == Some("r-1")));
    assert!(matches!(&told[1], ClientError::StreamFailed { .. }) && told[1].code() == Some("oom"), "{}", told[1]);
    assert!(matches!(&told[2], ClientError::UnexpectedAnswer { .. }), "{}", told[2]);
    assert!(matches!(&told[3], ClientError::EventTooLarge(_)), "{}", told[3]);
}

#[tokio::test]
async fn a_listing_goes_over_its_pages_and_not_in_circles() {
    let pages = [page(&["a", "b"], true), page(&["c"], true), page(&["d"], false)];
    let server = scripted::serve(pages.iter().map(scripted::json).collect()).await;
    let items = client(&server).list_checkpoints("m/1").order(types::SortOrder::Desc).limit(100).into_stream();
    let items = items.try_collect().await;
    let ids: Vec<_> = items.unwrap().into_iter().map(|item| item.id).collect();
    assert_eq!(ids, ["a", "b", "c", "d"]);
    let path = "/v1/preview/models/m%2F1/checkpoints?";
    let asked = ["limit=100&order=desc", "after=b&limit=100&order=desc", "after=c&limit=100&order=desc"];
    assert_eq!(server.targets(), asked.map(|query| format!("{path}{query}")));

    let server = scripted::serve(vec![scripted::json(&page(&["a"], true))]).await;
    let error = client(&server).list_checkpoints("m").into_stream().try_collect().await.unwrap_err();
    assert!(matches!(&error, ClientError::RepeatedCursor { cursor } if cursor == "a"), "{error}");
    assert_eq!(server.requests().len(), 2);

    let server = scripted::serve(vec![scripted::json(&page(&[], true))]).await;
    let error = client(&server).list_checkpoints("m").into_stream().try_collect().await.unwrap_err();
    assert!(matches!(error, ClientError::EmptyPage), "{error}");
    let server = scripted::serve(vec![scripted::json(&page(&[], false))]).await;
    assert!(client(&server).list_checkpoints("m").into_stream().try_collect().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_job_is_watched_to_its_end() {
    let server = scripted::serve(vec![
        job_events(&[("1", "training_started")], false),
        job_events(&[], false),
        // More in a row than one call takes: the service is started anew.
        rejected(503, ""),
        rejected(503, ""),
        rejected(503, ""),
        ScriptedResponse::Bytes(Vec::new()),
        job_events(&[("2", "gradient_step")], true),
        job_events(&[("3", "gradient_step"), ("4", "training_ended"), ("5", "gradient_step")], true),
    ])
    .await;
    let events = client(&server).watch_training_job("j").try_collect().await.unwrap();
    assert_eq!(events.iter().map(|event| event.id.as_str()).collect::<Vec<_>>(), ["1", "2", "3", "4"]);
    let path = "/v1/preview/training-jobs/j/events?";
    let mut asked = vec!["limit=100"];
    asked.extend(["after=1&limit=100"; 6]);
    asked.push("after=2&limit=100");
    let asked: Vec<_> = asked.iter().map(|query| format!("{path}{query}")).collect();
    assert_eq!(server.targets(), asked);

    // A service that ignores `after` would tell the same for ever.
    let server = scripted::serve(vec![job_events(&[("1", "training_started")], false)]).await;
    let error = client(&server).watch_training_job("j").try_collect().await.unwrap_err();
    assert!(matches!(error, ClientError::RepeatedCursor { .. }), "{error}");
    let server = scripted::serve(vec![job_events(&[], true)]).await;
    let error = client(&server).watch_training_job("j").try_collect().await.unwrap_err();
    assert!(matches!(error, ClientError::EmptyPage), "{error}");
    let server = scripted::serve(vec![rejected(404, "")]).await;
    assert_eq!(client(&server).watch_training_job("j").try_collect().await.unwrap_err().status(), Some(404));
}
