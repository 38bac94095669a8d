//! Recorded sessions: what any dialect samples in them is stored token by token, rewarded and trained on.

use std::time::{Duration, Instant};

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use super::seeded;
use crate::support::{JsonResponse, Model, SEEDLING, TestService, answer, http, merge, text};

const SESSIONS: &str = "/v1/preview/sessions";
const JOBS: &str = "/v1/preview/training-jobs";
const HEADER: &str = "x-trainyard-session";

/// Opens a session of a model; `more` is merged into the body.
async fn open(service: &TestService, model: &str, more: Value) -> Value {
    let mut body = json!({ "model": model });
    merge(&mut body, more);
    service.post(SESSIONS, &body).await.ok()
}

async fn session(service: &TestService, id: &str) -> Value {
    service.get(&format!("{SESSIONS}/{id}?requests=true")).await.ok()
}

async fn reward(service: &TestService, id: &str, reward: f64) -> Value {
    service.post(&format!("{SESSIONS}/{id}/reward"), &json!({ "reward": reward })).await.ok()
}

/// Status, warnings and body of an answer that need not be in the document under its path.
async fn plain(request: RequestBuilder) -> (u16, String, Value) {
    let response = request.send().await.expect("an answer");
    let warnings = response.headers().get("x-trainyard-warnings").map(|it| it.to_str().expect("ASCII").to_owned());
    let (status, body) = (response.status().as_u16(), response.text().await.expect("a text"));
    (status, warnings.unwrap_or_default(), serde_json::from_str(&body).unwrap_or(json!(body)))
}

/// A request of each dialect for a few tokens.
fn requests(model: &str, seed: u64) -> [(&'static str, &'static str, Value); 4] {
    let messages = json!([{"role": "user", "content": "Say something."}]);
    [
        (
            "create_chat_completion",
            "/v1/chat/completions",
            json!({"model": model, "messages": messages, "max_tokens": 6, "seed": seed, "n": 2}),
        ),
        (
            "create_message",
            "/v1/messages",
            json!({"model": model, "messages": messages, "max_tokens": 6, "seed": seed}),
        ),
        (
            "create_response",
            "/v1/responses",
            json!({"model": model, "input": "Say something.", "max_output_tokens": 6, "seed": seed}),
        ),
        (
            "create_completion",
            "/v1/completions",
            json!({"model": model, "prompt": ["Say", "Something else"], "max_tokens": 6, "seed": seed}),
        ),
    ]
}

#[tokio::test]
async fn every_dialect_is_recorded_however_the_session_is_named() {
    let service = TestService::start().await;
    let model = service.model("agent").await;
    let opened = open(&service, &model.name, json!({"name": "one", "metadata": {"task": 1}})).await;
    let (id, key) = (text(&opened["id"]).to_owned(), text(&opened["key"]).to_owned());
    assert_eq!(opened["model"], json!(model.name));
    assert_eq!(opened["base_url"], json!(format!("{}/sessions/{id}/v1", service.root)));
    let mut expected = Vec::new();
    for (index, (operation, path, body)) in requests(&model.name, 5).into_iter().enumerate() {
        for streamed in [false, true] {
            let mut body = body.clone();
            body["stream"] = json!(streamed);
            let url = |base: &str| format!("{}{base}{path}", service.root);
            let request = match (index + usize::from(streamed)) % 4 {
                1 if operation != "create_message" => http().post(url("")).bearer_auth(&key),
                0 => http().post(url("")).bearer_auth(&key),
                1 => http().post(url("")).header("x-api-key", &key),
                2 => http().post(url("")).bearer_auth(&service.key).header(HEADER, &id),
                _ => http().post(url(&format!("/sessions/{id}"))).bearer_auth(&service.key),
            };
            let (status, _, said) = plain(request.json(&body)).await;
            assert_eq!(status, 200, "{operation}: {said}");
            // It is stored before the answer ends.
            expected.push(operation);
            let recorded = session(&service, &id).await;
            let generations = recorded["generations"].as_array().expect("a list");
            let operations: Vec<&str> = generations.iter().map(|generation| text(&generation["operation"])).collect();
            assert_eq!(operations, expected);
            let last = generations.last().expect("one");
            assert_eq!((&last["status"], &last["step"]), (&json!("completed"), &json!(0)), "{last}");
            if !streamed {
                let used = &said["usage"];
                let count = |names: [&str; 2]| names.iter().find_map(|name| used[*name].as_u64()).expect("a count");
                let sampled = count(["completion_tokens", "output_tokens"]);
                assert_eq!(last["completion_tokens"], json!(sampled), "{operation}: {said}");
            }
            assert_eq!(last["request"]["options"]["seed"], json!(5), "{last}");
        }
    }
    let recorded = session(&service, &id).await;
    let generations = recorded["generations"].as_array().expect("a list");
    for pair in generations.chunks(2) {
        assert_eq!(pair[0]["choices"], pair[1]["choices"], "whole and streamed");
    }
    assert_eq!(generations[0]["request"]["messages"][0]["content"], "Say something.");
    assert_eq!(generations[0]["choices"].as_array().map(Vec::len), Some(2));
    assert_eq!((&recorded["num_generations"], &recorded["metadata"]), (&json!(8), &json!({"task": 1})));
    assert!(recorded["bytes"].as_u64() > Some(1000) && recorded.get("key").is_none(), "{recorded}");
    // Each choice of a chat and of the two prompts has its tokens, each sampled one with its text and log-probability.
    for (index, said) in [(0, ["Say something."; 2]), (6, ["Say", "Something else"])] {
        let generation = &generations[index];
        let path = format!("{SESSIONS}/{id}?tokens=true&generation_id={}", text(&generation["id"]));
        let found = service.get(&path).await.ok()["generations"].clone();
        let [found] = found.as_array().expect("a list").as_slice() else { panic!("one generation: {found}") };
        assert!(found["id"] == generation["id"] && found.get("request").is_none(), "{found}");
        let sequences = found["sequences"].as_array().expect("a list");
        let mut sampled = 0;
        let choices = generation["choices"].as_array().expect("a list");
        for ((sequence, choice), said) in sequences.iter().zip(choices).zip(said) {
            let list = |name: &str| sequence[name].as_array().expect("a list").clone();
            let (texts, trained) = (list("texts"), list("trained"));
            let known: Vec<Value> = list("logprobs").iter().map(|it| json!(it.is_number())).collect();
            assert!(known == trained && texts.len() == list("token_ids").len(), "{sequence}");
            sampled += trained.iter().filter(|is| **is == json!(true)).count();
            let all: String = texts.iter().map(text).collect();
            assert!(all.contains(said) && all.contains(text(&choice["text"]).trim()), "{all}: {choice}");
        }
        assert_eq!((sequences.len(), json!(sampled)), (2, generation["completion_tokens"].clone()), "{found}");
    }
    let none = service.get(&format!("{SESSIONS}/{id}?generation_id={id}")).await.ok();
    assert_eq!(none["generations"], json!([]));
    // Another server reads the same, and the key still works.
    let service = service.restart().await;
    assert_eq!(session(&service, &id).await["generations"], recorded["generations"]);
    let chat = http().post(format!("{}/v1/chat/completions", service.root)).bearer_auth(&key);
    assert_eq!(plain(chat.json(&seeded(&model.name, "x", 1, 2))).await.0, 200);
    service.stop().await;
}

#[tokio::test]
async fn the_key_of_a_session_does_nothing_else() {
    let service = TestService::start().await;
    let model = service.model("agent").await;
    let [one, other] = [open(&service, &model.name, json!({})).await, open(&service, &model.name, json!({})).await];
    let (id, key) = (text(&one["id"]), text(&one["key"]));
    let path = format!("{SESSIONS}/{id}");
    for (method, path, body) in [
        (Method::GET, path.as_str(), None),
        (Method::DELETE, &path, None),
        (Method::POST, &format!("{path}/reward"), Some(json!({"reward": 1}))),
        (Method::POST, SESSIONS, Some(json!({"model": model.name}))),
        (Method::GET, "/v1/preview/models", None),
        (Method::GET, "/v1/models", None),
        (Method::GET, "/v1/preview/key", None),
        (Method::POST, JOBS, Some(json!({"model_id": model.id, "sessions": [id]}))),
    ] {
        let error = service.send_as(key, method.clone(), path, body.as_ref()).await.rejected(403);
        assert!(text(&error["message"]).contains("does nothing else"), "{method} {path}: {error}");
        assert_eq!(error["code"], "session_key");
    }
    // An evaluation program reads the tokenizer of the session's model, whatever it names.
    let info = service.send_as(key, Method::GET, "/tokenizer_info?model=nobody/knows", None).await.ok();
    assert_eq!(info["eos_token"], "<|im_end|>");
    let tokens = service.send_as(key, Method::POST, "/tokenize", Some(&json!({"prompt": "yes"}))).await.ok();
    let back = json!({"tokens": tokens["tokens"]});
    assert_eq!(service.send_as(key, Method::POST, "/detokenize", Some(&back)).await.ok()["prompt"], "yes");
    let chat = json!({"model": model.name, "messages": [{"role": "user", "content": "x"}], "max_tokens": 2});
    let ask = |key: &str| http().post(format!("{}/v1/chat/completions", service.root)).bearer_auth(key).json(&chat);
    let rejected = async |request: RequestBuilder, status: u16| answer(request).await.rejected(status);
    rejected(ask(key).header(HEADER, text(&other["id"])), 403).await;
    rejected(ask(&service.key).header(HEADER, text(&one["id"])).header(HEADER, text(&other["id"])), 400).await;
    rejected(ask(&service.key).header(HEADER, "nonsense"), 404).await;
    rejected(ask(&service.rival_key).header(HEADER, id), 404).await;
    rejected(ask(key).header("x-api-key", &service.key), 401).await;
    rejected(ask(&service.key).header("x-api-key", key), 401).await;
    rejected(ask(&service.key).header("x-api-key", &service.admin_key).header(HEADER, id), 401).await;
    assert_eq!(plain(ask(key).header("x-api-key", key)).await.0, 200, "one key, sent twice");
    assert_eq!(plain(ask(&service.key).header("x-api-key", &service.admin_key)).await.0, 200, "no session");
    // The id in a URL authorises nothing.
    let url = format!("{}/sessions/{id}/v1/chat/completions", service.root);
    assert_eq!(plain(http().post(&url).json(&chat)).await.0, 401);
    assert_eq!(plain(http().post(&url).bearer_auth(&service.rival_key).json(&chat)).await.0, 404);
    assert_eq!(plain(http().get(format!("{}/sessions/{id}/v2/x", service.root))).await.0, 404);
    for (method, path) in [(Method::GET, path.clone()), (Method::DELETE, path.clone())] {
        service.send_as(&service.rival_key, method, &path, None).await.rejected(404);
    }
    let (body, path) = (json!({"reward": 1}), format!("{path}/reward"));
    service.send_as(&service.rival_key, Method::POST, &path, Some(&body)).await.rejected(404);
    // It is deleted for good, with its key.
    service.send(Method::DELETE, &format!("{SESSIONS}/{id}"), None).await.ok();
    service.get(&format!("{SESSIONS}/{id}")).await.rejected(404);
    let deadline = Instant::now() + Duration::from_secs(10);
    while plain(ask(key)).await.0 != 401 {
        assert!(Instant::now() < deadline, "the key of a deleted session ends");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    service.stop().await;
}

#[tokio::test]
async fn every_name_in_a_session_means_its_model() {
    let service = TestService::start().await;
    let model = service.model("agent").await;
    let opened = open(&service, &model.name, json!({})).await;
    let pinned = open(&service, &model.name, json!({"pin": true})).await;
    assert_eq!(pinned["model"], json!(model.at(0)));
    let short = model.name.trim_start_matches("wandb-artifact:///").to_owned();
    let ask = async |session: &Value, name: &str| {
        let body = json!({"model": name, "messages": [{"role": "user", "content": "x"}], "max_tokens": 2});
        let request = http().post(format!("{}/v1/messages", service.root)).header("x-api-key", text(&session["key"]));
        let (status, warnings, said) = plain(request.json(&body)).await;
        assert_eq!(status, 200, "{said}");
        warnings
    };
    for (name, warning) in
        [(model.name.as_str(), ""), (&short, ""), ("claude-haiku-4-5", "ignored: model"), (SEEDLING, "ignored: model")]
    {
        assert_eq!(ask(&opened, name).await, warning, "{name}");
    }
    assert_eq!(ask(&pinned, &model.name).await, "");
    // A newer step: the session that is not pinned takes it.
    let (config, weights) = crate::support::seedling_adapter(1);
    let file = service.upload("user_data", "adapter_model.safetensors", weights).await;
    let body = json!({"type": "import", "adapter_config": config, "weights_file_id": file});
    service.post(&format!("/v1/preview/models/{}/add-checkpoint", model.id), &body).await.ok();
    ask(&opened, &short).await;
    ask(&pinned, &short).await;
    let steps = async |opened: &Value| {
        let recorded = session(&service, text(&opened["id"])).await;
        let generations = recorded["generations"].as_array().expect("a list").clone();
        generations.iter().map(|generation| generation["step"].as_i64().expect("a step")).collect::<Vec<_>>()
    };
    assert_eq!((steps(&opened).await, steps(&pinned).await), (vec![0, 0, 0, 0, 1], vec![0, 0]));
    let base = open(&service, SEEDLING, json!({"pin": true})).await;
    assert_eq!(base["model"], SEEDLING);
    service.post(SESSIONS, &json!({"model": "acme/tests/none"})).await.rejected(404);
    service.stop().await;
}

#[tokio::test]
async fn what_is_abandoned_is_recorded_as_far_as_it_was_sampled() {
    let service = TestService::start().await;
    let model = service.model("agent").await;
    let opened = open(&service, &model.name, json!({})).await;
    let mut body = seeded(&model.name, "hello", 1, 100_000);
    body["stream"] = json!(true);
    let url = format!("{}/v1/chat/completions", service.root);
    let mut response = http().post(&url).bearer_auth(text(&opened["key"])).json(&body).send().await.expect("an answer");
    let mut received = 0;
    while received < 2000 {
        received += response.chunk().await.expect("a chunk").expect("more").len();
    }
    drop(response);
    let deadline = Instant::now() + Duration::from_secs(20);
    let generation = loop {
        let recorded = session(&service, text(&opened["id"])).await;
        if let Some(generation) = recorded["generations"].as_array().expect("a list").first() {
            break generation.clone();
        }
        assert!(Instant::now() < deadline, "nothing was recorded");
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    assert_eq!(generation["status"], "abandoned");
    assert!(generation["completion_tokens"].as_u64() > Some(3), "{generation}");
    assert!(generation["choices"][0].get("finish_reason").is_none(), "{generation}");
    service.stop().await;
}

/// Samples once in a new session of a group, and rewards it.
async fn attempt(service: &TestService, model: &Model, group: Option<&str>, seed: usize, value: f64) -> String {
    let opened = open(service, &model.name, json!({"group": group})).await;
    let url = format!("{}/v1/chat/completions", service.root);
    let body = seeded(&model.name, "yes or no?", seed, 5);
    let chat = http().post(url).bearer_auth(text(&opened["key"])).json(&body);
    assert_eq!(plain(chat).await.0, 200);
    let id = text(&opened["id"]).to_owned();
    reward(service, &id, value).await;
    id
}

#[tokio::test]
async fn rewarded_sessions_are_trained_on_exactly_the_tokens_that_were_sampled() {
    let service = TestService::start().await;
    let model = service.model("agent").await;
    let mut ids = Vec::new();
    for (seed, value) in [1.0, 0.0, 0.5].into_iter().enumerate() {
        ids.push(attempt(&service, &model, Some("g"), seed, value).await);
    }
    let loose = [attempt(&service, &model, None, 7, 1.0).await, attempt(&service, &model, None, 8, 0.0).await];
    // Several turns of several dialects, of which one goes on with what another one said.
    let opened = open(&service, &model.name, json!({"group": "g"})).await;
    let key = text(&opened["key"]);
    let mut messages = json!([{"role": "user", "content": "yes or no?"}]);
    for seed in 0..2 {
        let body = json!({"model": model.name, "messages": messages, "max_tokens": 5, "seed": seed});
        let url = format!("{}/v1/chat/completions", service.root);
        let said = plain(http().post(url).bearer_auth(key).json(&body)).await.2;
        let list = messages.as_array_mut().expect("a list");
        list.push(json!({"role": "assistant", "content": said["choices"][0]["message"]["content"]}));
        list.push(json!({"role": "user", "content": "sure?"}));
    }
    for (_, path, body) in requests(&model.name, 9) {
        let (status, _, said) =
            plain(http().post(format!("{}{path}", service.root)).bearer_auth(key).json(&body)).await;
        assert_eq!(status, 200, "{said}");
    }
    let id = text(&opened["id"]).to_owned();
    let generation = session(&service, &id).await["generations"][0]["id"].clone();
    let body = json!({"reward": 0.25, "generation_id": generation, "metrics": {"turns": 2}});
    service.post(&format!("{SESSIONS}/{id}/reward"), &body).await.ok();
    assert_eq!(session(&service, &id).await["generations"][0]["metrics"], json!({"turns": 2}));

    let body = json!({
        "model_id": model.id, "group": "g", "sessions": loose, "trajectory_groups": [],
        "experimental_config": {"learning_rate": 0.0001, "packed_sequence_length": 4096},
    });
    let estimate = service.post(&format!("{JOBS}?dry_run=true"), &body).await.ok();
    assert!(estimate["estimate"]["trained_tokens"].as_u64() > Some(40), "{estimate}");
    let job = service.post(JOBS, &body).await.ok();
    let events = service.finished(text(&job["id"])).await;
    let started = &events[0]["data"];
    assert_eq!(events.last().map(|event| text(&event["type"])), Some("training_ended"), "{events:?}");
    assert_eq!(
        (&started["num_groups_submitted"], &started["num_groups_trainable"]),
        (&json!(2), &json!(2)),
        "{started}"
    );
    let steps: Vec<&Value> = events.iter().filter(|event| event["type"] == "gradient_step").collect();
    assert!(!steps.is_empty());
    // The first step has the weights that sampled.
    for (name, expected) in [
        ("importance_ratio/min", 1.0),
        ("importance_ratio/max", 1.0),
        ("logprob_mismatch/max_abs", 0.0),
        ("logprob_mismatch/mean_abs", 0.0),
    ] {
        assert_eq!(steps[0]["data"][name], expected, "{name}: {}", steps[0]["data"]);
    }
    // The page shows them as rollouts.
    let groups = service.get(&format!("{JOBS}/{}/groups", text(&job["id"]))).await.ok();
    let rewards: Vec<&Value> = groups["data"].as_array().expect("a list").iter().map(|it| &it["rewards"]).collect();
    assert_eq!(rewards, [&json!([1.0, 0.0]), &json!([1.0, 0.0, 0.5, 0.25])]);
    let members = service.get(&format!("{JOBS}/{}/groups/1/trajectories", text(&job["id"]))).await.ok();
    let sessions: Vec<&str> =
        members["data"].as_array().expect("a list").iter().map(|it| text(&it["session_id"])).collect();
    assert_eq!((&job["name"], sessions), (&json!("g"), [&ids[0], &ids[1], &ids[2], &id].map(String::as_str).to_vec()));
    let texts: String =
        members["data"][0]["sequences"][0]["texts"].as_array().expect("texts").iter().map(text).collect();
    assert!(texts.contains("yes or no?"), "{texts}");
    // The job keeps its data.
    service.send(Method::DELETE, &format!("{SESSIONS}/{}", ids[0]), None).await.ok();
    let again = service.get(&format!("{JOBS}/{}/groups", text(&job["id"]))).await.ok();
    assert_eq!(again, groups);
    service.stop().await;
}

#[tokio::test]
async fn sessions_that_cannot_be_trained_on_are_named() {
    let service = TestService::start().await;
    let (model, other) = (service.model("agent").await, service.model("other").await);
    let good = attempt(&service, &model, Some("g"), 1, 1.0).await;
    let bare = text(&open(&service, &model.name, json!({"group": "bare"})).await["id"]).to_owned();
    let foreign = attempt(&service, &other, None, 1, 1.0).await;
    let base = text(&open(&service, SEEDLING, json!({})).await["id"]).to_owned();
    reward(&service, &base, 1.0).await;
    let ask = async |more: Value| -> JsonResponse {
        let mut body = json!({"model_id": model.id});
        merge(&mut body, more);
        service.post(JOBS, &body).await
    };
    let absent = uuid::Uuid::new_v4().to_string();
    for (more, status, param, message) in [
        (json!({}), 422, "trajectory_groups", "send them, or `sessions`"),
        (json!({"sessions": [bare]}), 422, "sessions", bare.as_str()),
        (json!({"group": "bare"}), 422, "sessions", "without a reward"),
        (json!({"group": "nobody"}), 422, "group", "no session has the group"),
        (json!({"sessions": [good, good]}), 422, "sessions", "named twice"),
        (json!({"sessions": [foreign]}), 422, "sessions", "not the model of this job"),
        (json!({"sessions": [base]}), 422, "sessions", "not the model of this job"),
        (json!({"sessions": [absent]}), 404, "sessions", absent.as_str()),
        (json!({"sessions": ["x"]}), 404, "sessions", "there is no session x"),
    ] {
        let error = ask(more.clone()).await.rejected(status);
        assert!(error["param"] == param && text(&error["message"]).contains(message), "{more}: {error}");
    }
    // A session of a group is one trajectory, however often the request names it.
    let job = ask(json!({"sessions": [good], "group": "g"})).await.ok();
    let started = service.finished(text(&job["id"])).await[0]["data"].clone();
    assert_eq!(
        (&started["num_groups_submitted"], &started["dropped"]),
        (&json!(1), &json!({"too_few_trajectories": 1})),
        "{started}"
    );
    // Another one by the same idempotency key is the same job.
    let body = json!({"model_id": model.id, "sessions": [good]});
    let request = || service.request(Method::POST, JOBS).header("Idempotency-Key", "once").json(&body);
    let [first, second] = [answer(request()).await.ok(), answer(request()).await.ok()];
    assert_eq!(first["id"], second["id"]);
    service.stop().await;
}

#[tokio::test]
async fn sessions_are_listed_by_group_and_model() {
    let service = TestService::start().await;
    let (model, other) = (service.model("agent").await, service.model("other").await);
    for (name, group) in [(&model, "a"), (&other, "a"), (&model, "b")] {
        open(&service, &name.name, json!({"group": group, "tags": ["x"]})).await;
    }
    let count = async |query: &str| {
        let page = service.get(&format!("{SESSIONS}?{query}")).await.ok();
        (page["data"].as_array().expect("a list").len(), page["has_more"] == json!(true))
    };
    assert_eq!(count("").await, (3, false));
    assert_eq!(count("limit=2").await, (2, true));
    assert_eq!(count("group=a").await, (2, false));
    let short = model.name.trim_start_matches("wandb-artifact:///");
    assert_eq!(count(&format!("group=a&model={short}")).await, (1, false));
    let page = service.send_as(&service.rival_key, Method::GET, SESSIONS, None).await.ok();
    assert_eq!(page["data"], json!([]));
    service.stop().await;
}
