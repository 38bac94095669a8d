//! Server-sent events, of `markets`.

use serde_json::{Value, json};

use crate::fixture_servers::markets::market;
use crate::fixture_servers::{Answered, Ask, ask};

fn watch(line: &str) -> Ask<'_> {
    ask(line).header("x-key", "k")
}

/// Content of `data: ` in each event.
fn events(text: &str) -> Vec<&str> {
    text.split_terminator("\n\n").map(|event| event.strip_prefix("data: ").expect("one line of data")).collect()
}

#[tokio::test]
async fn events_are_the_items_and_then_the_end() {
    let root = market().await;
    let answer = watch("GET /prices?symbol=A&symbol=B").of(&root).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("text/event-stream")));
    let events = events(answer.text());
    assert_eq!((events.len(), events[2]), (3, "[DONE]"));
    let halt: Value = serde_json::from_str(events[1]).unwrap();
    assert_eq!(halt, json!({"symbol": "AB", "reason": "a\n\nb"}));
    let rejected = watch("GET /prices?symbol=a").of(&root).await;
    assert_eq!(rejected.rejection(), (422, "symbol[0]".to_owned()));
    assert_eq!(watch("GET /prices").of(&root).await.rejection(), (422, "symbol".to_owned()));
    assert_eq!(ask("GET /prices?symbol=A").of(&root).await.rejection().0, 401);
}

#[tokio::test]
async fn an_error_during_a_stream_is_its_last_event() {
    let root = market().await;
    for how in ["fail", "panic"] {
        let answer = watch("GET /prices?symbol=A").header("last-event-id", how).of(&root).await;
        assert!(!answer.cut, "{how}");
        let events = events(answer.text());
        assert_eq!((events.len(), events[2]), (3, "[DONE]"), "{how}");
        let error: Value = serde_json::from_str(events[1]).unwrap();
        assert_eq!(error["error"]["type"], "internal_error", "{how}");
        assert!(!answer.text().contains("feed") && !answer.text().contains("handler"), "{how}");
    }
}

#[tokio::test]
async fn an_operation_answers_once_or_as_a_stream() {
    let root = market().await;
    assert_eq!(watch("GET /prices/ACME").of(&root).await.json()["value"], 1.0);
    let streamed = watch("GET /prices/ACME?stream=true").of(&root).await;
    assert_eq!(events(streamed.text()).len(), 2);
    let log = ask("GET /log").of(&root).await;
    assert_eq!((log.header("content-type"), log.text()), (Some("application/x-ndjson"), "{}\n"));
}
