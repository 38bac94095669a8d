//! What owners see of their jobs, and how they end one.

use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::process::{Process, Site};
use crate::support::{TestService, answer, event_types, row, text};

async fn job(service: &TestService, id: &str) -> Value {
    answer(service.request(Method::GET, &format!("/v1/preview/training-jobs/{id}"))).await.ok()
}

#[tokio::test]
async fn a_job_tells_how_far_it_is_and_what_it_was_asked() {
    let service = TestService::start().await;
    let model = service.model("told").await;
    let rows = [row("red?", "blue"), row("up?", "down"), row("one?", "two")];
    let id = service.start_sft(&model, &rows, json!({ "batch_size": 1, "learning_rate": 1e-3 })).await;
    let events = service.finished(&id).await;
    let done = job(&service, &id).await;
    assert_eq!(
        (&done["status"], &done["kind"], &done["model_id"]),
        (&json!("succeeded"), &json!("sft"), &json!(model.id))
    );
    assert_eq!(done["progress"], json!({ "steps": 3, "total_steps": 3 }));
    let trained: u64 =
        events.iter().filter_map(|event| event["data"]["num_trainable_tokens"].as_f64()).sum::<f64>() as u64;
    assert!(trained > 0 && done["trained_tokens"] == trained, "{done}");
    assert_eq!((&done["config"]["batch_size"], &done["config"]["overlong_rows"]), (&json!(1), &json!("drop")));
    let times = ["created_at", "started_at", "finished_at"].map(|name| done[name].as_i64().expect("a time"));
    assert!(times.is_sorted() && times[0] > 1_700_000_000, "{times:?}");
    assert_eq!((done.get("error"), done.get("queue_position")), (None, None), "{done}");
    let ended = &events.last().expect("an end")["data"];
    assert_eq!(ended, &json!({ "num_gradient_steps": 3, "num_trained_tokens": trained }));
    // Also where the events say less.
    let sparing = json!({ "batch_size": 1, "learning_rate": 1e-3, "metric_logging": { "enabled": false } });
    let id = service.start_sft(&model, &rows, sparing).await;
    service.finished(&id).await;
    assert_eq!(job(&service, &id).await["trained_tokens"], trained);

    let id = service.start_sft(&model, &[json!({ "no": "messages" })], json!(null)).await;
    let events = service.finished(&id).await;
    let failed = job(&service, &id).await;
    assert_eq!(failed["status"], "failed");
    let message = &events[0]["data"]["error_message"];
    assert_eq!(
        failed["error"],
        json!({ "code": "invalid_training_data", "message": message, "retryable": false, "step": null })
    );
    assert_eq!(failed.get("progress"), None, "{failed}");
    service.stop().await;
}

#[tokio::test]
async fn jobs_and_models_are_listed_by_page_and_filter() {
    let service = TestService::start().await;
    let [one, other] = [service.model("one").await, service.model("other").await];
    let mut ids = Vec::new();
    for model in [&one, &other, &one] {
        let id = service.start_rl(model, json!([]), Value::Null).await;
        service.finished(&id).await;
        ids.push(id);
    }
    let listed = async |query: &str| -> Vec<String> {
        let path = format!("/v1/preview/training-jobs?{query}");
        let page = answer(service.request(Method::GET, &path)).await.ok();
        page["data"].as_array().expect("a page").iter().map(|job| text(&job["id"]).to_owned()).collect()
    };
    assert_eq!(listed("").await, ids);
    assert_eq!(listed("order=desc&limit=2").await, [ids[2].clone(), ids[1].clone()]);
    assert_eq!(listed(&format!("after={}", ids[0])).await, ids[1..]);
    assert_eq!(listed(&format!("model_id={}", one.id)).await, [ids[0].clone(), ids[2].clone()]);
    assert_eq!(listed("status=succeeded&kind=rl").await, ids);
    assert!(listed("kind=sft").await.is_empty() && listed("status=queued").await.is_empty());
    for (query, status) in [
        (format!("model_id={}", Uuid::new_v4()), 404),
        ("model_id=x".to_owned(), 422),
        ("status=done".to_owned(), 422),
        (format!("after={}", Uuid::new_v4()), 422),
    ] {
        let path = format!("/v1/preview/training-jobs?{query}");
        assert_eq!(answer(service.request(Method::GET, &path)).await.status.as_u16(), status, "{query}");
    }
    let page = answer(service.request(Method::GET, "/v1/preview/models?project=tests&limit=1&order=desc")).await.ok();
    assert_eq!((&page["data"][0]["id"], &page["has_more"]), (&json!(other.id), &json!(true)), "{page}");
    assert_eq!(page["data"][0]["latest_step"], 1);
    let found = answer(service.request(Method::GET, &format!("/v1/preview/models/{}", other.id))).await.ok();
    assert_eq!(found, page["data"][0]);
    service.stop().await;
}

/// Rows enough for a job that is still running when it is cancelled.
fn long_lesson() -> Vec<Value> {
    (0..2000).map(|number| row(&format!("{number}?"), "left right up down")).collect()
}

#[tokio::test]
async fn a_running_job_is_cancelled_and_the_next_one_goes_on() {
    let site = Site::new();
    let server = Process::serve(site.path(), &[]);
    let model = site.model(&server, "stopped").await;
    let running = site.start_sft(&server, &model, &long_lesson()).await;
    let waiting = site.start_sft(&server, &model, &long_lesson()).await;
    let next = site.start_sft(&server, &model, &[row("up?", "down")]).await;
    site.reaches(&server, &running, 3).await;
    let ask = async |method: Method, id: &str, path: &str| {
        answer(site.request(&server, method, &format!("/v1/preview/training-jobs/{id}{path}"))).await
    };
    assert_eq!(ask(Method::GET, &waiting, "").await.ok()["queue_position"], 0);
    let before_its_turn = ask(Method::POST, &waiting, "/cancel").await.ok();
    assert_eq!((&before_its_turn["status"], before_its_turn.get("started_at")), (&json!("cancelled"), None));
    let cancelled = ask(Method::POST, &running, "/cancel").await.ok();
    assert_eq!((&cancelled["status"], &cancelled["error"]["code"]), (&json!("cancelled"), &json!("cancelled")));
    let steps = cancelled["progress"]["steps"].as_u64().expect("a number");
    assert!((2..1000).contains(&steps) && cancelled["error"]["step"] == steps + 1, "{cancelled}");
    assert_eq!(ask(Method::POST, &running, "/cancel").await.ok(), cancelled, "once is enough");

    let events = site.finished(&server, &next).await;
    assert_eq!(event_types(&events).last(), Some(&"training_ended"));
    let events = site.events(&server, &running).await;
    assert_eq!(events.len() as u64, steps + 2, "nothing was written behind the end");
    let last = events.last().expect("an event");
    assert_eq!(
        (&last["type"], &last["data"]["error_message"]),
        (&json!("training_failed"), &cancelled["error"]["message"])
    );
    assert_eq!(last["data"]["num_gradient_steps"], steps, "what it came to");
    let model = answer(site.request(&server, Method::GET, &format!("/v1/preview/models/{}", model.id))).await.ok();
    assert_eq!(model["latest_step"], 1, "what was cancelled made no checkpoint");
    assert_eq!(ask(Method::POST, &next, "/cancel").await.status.as_u16(), 409);
    server.stop();
}

/// Reads server-sent events until there are so many, or the stream ends: id, type and data of each.
async fn read_events(mut answer: reqwest::Response, most: usize) -> Vec<(String, String, Value)> {
    let mut text = String::new();
    loop {
        let whole = text.rfind("\n\n").map_or("", |end| &text[..end]);
        let events: Vec<_> = whole.split("\n\n").filter(|event| event.starts_with("id: ")).map(read_event).collect();
        if events.len() >= most {
            return events;
        }
        match answer.chunk().await.expect("the stream goes on") {
            Some(chunk) => text.push_str(std::str::from_utf8(&chunk).expect("text")),
            None => return events,
        }
    }
}

fn read_event(event: &str) -> (String, String, Value) {
    let field = |name: &str| event.lines().find_map(|line| line.strip_prefix(name)).expect("a field");
    (field("id: ").to_owned(), field("event: ").to_owned(), serde_json::from_str(field("data: ")).expect("JSON"))
}

#[tokio::test]
async fn a_stream_of_events_goes_on_where_it_was_cut_off() {
    let site = Site::new();
    let server = Process::serve(site.path(), &[]);
    let model = site.model(&server, "followed").await;
    let rows: Vec<Value> = (0..60).map(|number| row(&format!("{number}?"), "left right up down")).collect();
    let job = site.start_sft(&server, &model, &rows).await;
    let path = format!("/v1/preview/training-jobs/{job}/events");
    let stream = async |server: &Process, last: Option<&str>| {
        let request = site.request(server, Method::GET, &path).header("accept", "text/event-stream");
        let request = last.iter().fold(request, |request, last| request.header("last-event-id", *last));
        let answer = request.send().await.expect("an answer");
        assert_eq!(
            (answer.status().as_u16(), &answer.headers()["content-type"]),
            (200, &"text/event-stream".parse().unwrap())
        );
        answer
    };
    // Followed from before its first event; then by others, through another process, until its end.
    let mut seen = read_events(stream(&server, None).await, 3).await;
    server.kill();
    let server = Process::serve(site.path(), &[]);
    while seen.last().is_none_or(|(_, kind, _)| kind != "training_ended") {
        let last = seen.last().map(|(id, ..)| id.clone());
        let more = read_events(stream(&server, last.as_deref()).await, 7).await;
        assert!(!more.is_empty(), "the stream ended before the job: {seen:?}");
        seen.extend(more);
    }
    let listed = site.events(&server, &job).await;
    assert_eq!(seen.iter().map(|(.., data)| data.clone()).collect::<Vec<_>>(), listed);
    for ((id, kind, _), event) in seen.iter().zip(&listed) {
        assert_eq!((json!(id), json!(kind)), (event["id"].clone(), event["type"].clone()));
    }
    let last = seen.last().map(|(id, ..)| id.as_str());
    assert!(read_events(stream(&server, last).await, 1).await.is_empty(), "nothing comes behind the end");
    let request = site.request(&server, Method::GET, &path).header("accept", "text/event-stream");
    let rejected = answer(request.header("last-event-id", Uuid::new_v4().to_string())).await;
    assert_eq!((rejected.status.as_u16(), &rejected.body["error"]["param"]), (422, &json!("Last-Event-ID")));
    server.stop();
}

#[tokio::test]
async fn whoever_waits_for_an_event_is_answered_when_it_comes() {
    let service = TestService::start().await;
    let model = service.model("awaited").await;
    let id = service.start_sft(&model, &[row("up?", "down")], json!(null)).await;
    let path = format!("/v1/preview/training-jobs/{id}/events");
    let (mut events, mut after) = (Vec::new(), String::new());
    for _ in 0..10 {
        let page = answer(service.request(Method::GET, &format!("{path}?wait=30{after}"))).await.ok();
        let items = page["data"].as_array().expect("a page").clone();
        if items.is_empty() {
            break;
        }
        after = format!("&after={}", text(&page["last_id"]));
        events.extend(items);
    }
    assert_eq!(event_types(&events), ["training_started", "gradient_step", "training_ended"]);
    let ended = std::time::Instant::now();
    let page = answer(service.request(Method::GET, &format!("{path}?wait=30{after}"))).await.ok();
    assert!(page["data"].as_array().is_some_and(Vec::is_empty), "{page}");
    assert!(ended.elapsed().as_secs() < 20, "nobody waits for what cannot come");
    service.stop().await;
}

#[tokio::test]
async fn usage_is_listed_by_day_key_and_model() {
    let service = TestService::start().await;
    let model = service.model("charged").await;
    let config = json!({ "batch_size": 1, "learning_rate": 1e-3 });
    let (mut trained, mut jobs) = (0, Vec::new());
    for rows in [[row("red?", "blue"), row("up?", "down")], [row("one?", "two"), json!({ "no": "messages" })]] {
        let id = service.start_sft(&model, &rows, config.clone()).await;
        service.finished(&id).await;
        trained += job(&service, &id).await["trained_tokens"].as_u64().expect("a count");
        jobs.push(id);
    }
    let chat = service.chat(&model.name, "red?", json!({ "max_tokens": 3, "ignore_eos": true })).await;
    // Chat is counted beside the answer.
    let report = loop {
        let report = service.get("/v1/preview/usage").await.ok();
        if report["total"]["requests"] == 1 {
            break report;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    };
    let (today, end) = (&report["data"][0]["day"], &report["end_date"]);
    assert_eq!(today, end, "{report}");
    let prompt = &chat["usage"]["prompt_tokens"];
    let total = json!({ "requests": 1, "prompt_tokens": prompt, "completion_tokens": 3, "trained_tokens": trained });
    assert!(trained > 0 && report["total"] == total, "{report}");
    let training = report["data"].as_array().expect("sums").iter().find(|sum| sum["trained_tokens"] == trained);
    let training = training.expect("what the jobs learned from");
    assert_eq!((&training["model"], &training["project"]), (&json!(model.name), &json!("tests")), "{report}");
    assert_eq!(training["job_id"], jobs[0], "{report}");
    let of_chat = report["data"].as_array().expect("sums").iter().find(|sum| sum["requests"] == 1);
    assert!(of_chat.is_some_and(|sum| sum.get("job_id").is_none_or(Value::is_null)), "{report}");
    // Another entity used nothing, and neither did anybody yesterday.
    let theirs = service.send_as(&service.rival_key, Method::GET, "/v1/preview/usage", None).await.ok();
    assert_eq!(theirs["data"], json!([]));
    let earlier = service.get("/v1/preview/usage?start_date=2020-01-01&end_date=2020-12-31").await.ok();
    assert_eq!((&earlier["data"], &earlier["start_date"]), (&json!([]), &json!("2020-01-01")));
    for (query, place) in [
        ("start_date=2026-02-30", "start_date"),
        ("end_date=tomorrow", "end_date"),
        ("start_date=2026-02-02&end_date=2026-02-01", "start_date"),
    ] {
        let error = service.get(&format!("/v1/preview/usage?{query}")).await.rejected(422);
        assert_eq!(error["param"], place, "{query}: {error}");
    }
    service.stop().await;
}
