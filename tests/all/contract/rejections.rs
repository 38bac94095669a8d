//! Whatever is thrown at the server: the documented error body, never a 5xx.

use reqwest::{RequestBuilder, Response};
use serde_json::{Value, json};
use trainyard::generated::server::OPERATIONS;

use super::double::{ID, KEY, serve};
use crate::support::http;

const JSON: &str = "application/json";

/// Asserts the shape that every rejection has; gives the status and the error.
async fn rejection(answer: Response, what: &str) -> (u16, Value) {
    let status = answer.status().as_u16();
    assert!((400..500).contains(&status), "{what}: {status}");
    assert_eq!(answer.headers()["content-type"], JSON, "{what}");
    let mut body: Value = answer.json().await.unwrap_or_else(|error| panic!("{what}: {error}"));
    let error = body["error"].take();
    let keys: Vec<_> = error.as_object().into_iter().flatten().map(|(key, _)| key.as_str()).collect();
    assert_eq!(keys.len(), 4, "{what}: {keys:?}");
    assert!(error["message"].as_str().is_some_and(|message| !message.is_empty()), "{what}: {error}");
    assert!(error["type"].as_str().is_some_and(|kind| kind.ends_with("_error")), "{what}: {error}");
    for key in ["param", "code"] {
        assert!(error[key].is_null() || error[key].is_string(), "{what}: {error}");
    }
    (status, error)
}

fn post(base: &str, path: &str, body: impl Into<reqwest::Body>) -> RequestBuilder {
    http().post(format!("{base}{path}")).bearer_auth(KEY).header("content-type", JSON).body(body)
}

/// One line for each rejection: request, status, `Allow`, place, message.
#[tokio::test]
async fn error_messages_match_the_snapshot() {
    let base = serve().await;
    let checkpoints = format!("/v1/preview/models/{ID}/checkpoints");
    let chat = |field: &str| format!(r#"{{"model":"m","messages":[{{"role":"user","content":"x"}}],{field}}}"#);
    let jobs = |groups: &str| format!(r#"{{"model_id":"m","trajectory_groups":{groups}}}"#);
    let cases: Vec<(&str, String, String)> = vec![
        ("GET", "/nowhere".into(), String::new()),
        ("PUT", "/v1/health".into(), String::new()),
        ("PUT", "/inference/v1/models".into(), String::new()),
        ("GET", "/v1/preview/models/%FF/checkpoints".into(), String::new()),
        ("GET", format!("{checkpoints}?limit=0"), String::new()),
        ("GET", format!("{checkpoints}?limit="), String::new()),
        ("GET", format!("{checkpoints}?limit=1e2"), String::new()),
        ("GET", format!("{checkpoints}?order="), String::new()),
        ("GET", format!("{checkpoints}?limit=500&after={}", "x".repeat(300)), String::new()),
        ("DELETE", checkpoints.clone(), String::new()),
        ("DELETE", checkpoints.clone(), r#"{"steps":[1.5]}"#.into()),
        ("DELETE", checkpoints.clone(), r#"{"steps":{"0":1}}"#.into()),
        ("DELETE", checkpoints.clone(), "[[1]]".into()),
        ("POST", "/v1/preview/models".into(), "{".into()),
        ("POST", "/v1/preview/models".into(), "{}".into()),
        ("POST", "/v1/preview/models".into(), r#"{"project":"","name":"a/b","base_model":"b"}"#.into()),
        ("POST", "/v1/preview/models".into(), r#"{"project":"p","name":"taken","base_model":"b"}"#.into()),
        ("POST", "/v1/chat/completions".into(), chat(r#""messages":[]"#)),
        ("POST", "/v1/chat/completions".into(), chat(r#""temperature":9,"n":0"#)),
        ("POST", "/v1/chat/completions".into(), chat(r#""stop":5"#)),
        ("POST", "/v1/chat/completions".into(), chat(r#""tool_choice":"sometimes""#)),
        ("POST", "/v1/chat/completions".into(), chat(r#""response_format":{"type":"xml"}"#)),
        ("POST", "/v1/chat/completions".into(), chat(r#""tools":[{"type":"function","function":{"name":""}}]"#)),
        ("POST", "/v1/chat/completions".into(), r#"{"model":"m","messages":[{"role":"wizard"}]}"#.into()),
        (
            "POST",
            "/v1/chat/completions".into(),
            r#"{"model":"m","messages":[{"role":"user","content":[{"text":"x"}]}]}"#.into(),
        ),
        (
            "POST",
            "/v1/preview/training-jobs".into(),
            jobs(r#"[{"trajectories":[{"reward":1,"messages_and_choices":[5]}]}]"#),
        ),
        (
            "POST",
            "/v1/preview/training-jobs".into(),
            jobs(r#"[{"trajectories":[{"reward":"high","messages_and_choices":[]}]}]"#),
        ),
        (
            "POST",
            "/v1/preview/training-jobs".into(),
            jobs(r#"[],"experimental_config":{"importance_sampling_level":"galaxy"}"#),
        ),
        (
            "POST",
            "/v1/preview/sft-training-jobs".into(),
            r#"{"model_id":"m","training_data_url":"x","config":{"batch_size":"many"}}"#.into(),
        ),
        (
            "POST",
            "/v1/preview/sft-training-jobs".into(),
            r#"{"model_id":"m","training_data_url":"x","config":{"batch_size":0}}"#.into(),
        ),
        (
            "POST",
            "/v1/preview/sft-training-jobs".into(),
            r#"{"model_id":"m","training_data_url":"x","config":{"learning_rate":{}}}"#.into(),
        ),
        (
            "POST",
            "/v1/preview/sft-training-jobs".into(),
            r#"{"model_id":"m","training_data_url":"x","config":{"assistant_turns":"first"}}"#.into(),
        ),
    ];
    let mut transcript = Vec::new();
    for (method, path, body) in cases {
        let request = http().request(method.parse().unwrap(), format!("{base}{path}")).bearer_auth(KEY);
        let answer = request.header("content-type", JSON).body(body.clone()).send().await.unwrap();
        let allow = answer.headers().get("allow").map(|allow| format!(" allow={}", allow.to_str().unwrap()));
        let should_retry =
            answer.headers().get("x-should-retry").map(|value| format!(" x-should-retry={}", value.to_str().unwrap()));
        let (status, error) = rejection(answer, &path).await;
        let shown: String = format!("{path} {body}").replace(ID, "ID").chars().take(150).collect();
        transcript.push(format!(
            "{method} {}\n  {status}{}{} {} param={}\n  {}",
            shown.trim(),
            allow.unwrap_or_default(),
            should_retry.unwrap_or_default(),
            error["type"].as_str().unwrap(),
            error["param"],
            error["message"].as_str().unwrap()
        ));
    }
    insta::assert_snapshot!(transcript.join("\n"));
}

#[tokio::test]
async fn garbage_is_rejected_by_every_operation_with_a_body() {
    let base = serve().await;
    let deep = format!(r#"{{"messages": {}{}}}"#, "[".repeat(20_000), "]".repeat(20_000));
    let deep_inside = format!(
        r#"{{"model_id":"m","split":"s","trajectory_groups":[{{"trajectories":[{{"reward":1,"messages_and_choices":[{{"a":{}{}}}]}}]}}]}}"#,
        "[".repeat(20_000),
        "]".repeat(20_000)
    );
    let garbage: Vec<(&str, Vec<u8>)> = vec![
        ("truncated", br#"{"model": "x", "messages": ["#.to_vec()),
        ("not JSON", b"hello".to_vec()),
        ("empty", b"".to_vec()),
        ("invalid UTF-8", b"{\"model\": \"\xff\xfe\"}".to_vec()),
        ("NaN", br#"{"model": NaN, "steps": NaN}"#.to_vec()),
        ("trailing junk", b"{} {}".to_vec()),
        ("array", b"[]".to_vec()),
        ("string", br#""x""#.to_vec()),
        ("number", b"5".to_vec()),
        ("null", b"null".to_vec()),
        ("empty object", b"{}".to_vec()),
        ("deep nesting", deep.into_bytes()),
        ("deep nesting inside", deep_inside.into_bytes()),
        ("lone surrogate", br#"{"model": "\ud800", "messages": "\ud800"}"#.to_vec()),
        ("NUL", br#"{"model": "a\u0000b", "input": 5}"#.to_vec()),
        ("byte order mark", b"\xef\xbb\xbf{}".to_vec()),
        ("number out of range", br#"{"model": 1e999}"#.to_vec()),
    ];
    let with_body = OPERATIONS.iter().filter(|operation| operation.method == "POST" && operation.base.is_none());
    // Those that cancel and revoke have no body, one has a form, one takes any object, and
    // one takes either of two fields.
    let others = ["revoke_key", "create_file", "stream_wandb_run", "tokenize"];
    let with_body =
        with_body.filter(|operation| !others.contains(&operation.id) && !operation.path.ends_with("/cancel"));
    let path = |template: &str| template.replace("{model_id}", ID).replace("{session_id}", ID);
    let mut operations: Vec<_> = with_body.map(|operation| ("POST", path(operation.path))).collect();
    operations.push(("DELETE", format!("/v1/preview/models/{ID}/checkpoints")));
    assert_eq!(operations.len(), 23, "{operations:?}");
    for (method, path) in operations {
        for (name, body) in &garbage {
            let request = http().request(method.parse().unwrap(), format!("{base}{path}")).bearer_auth(KEY);
            let answer = request.header("content-type", JSON).body(body.clone()).send().await.unwrap();
            let (status, error) = rejection(answer, &format!("{name} to {path}")).await;
            assert!(matches!(status, 400 | 422), "{name} to {path}: {status} {error}");
        }
    }
}

/// Everything that the document alone can reject; what needs two fields at once is the handler's.
#[tokio::test]
async fn bad_chat_parameters() {
    let base = serve().await;
    let bad = [
        json!({"messages": []}),
        json!({"messages": null}),
        json!({"messages": "hi"}),
        json!({"messages": {}}),
        json!({"messages": ["hi"]}),
        json!({"messages": [{}]}),
        json!({"messages": [{"content": "no role"}]}),
        json!({"messages": [{"role": 5, "content": "x"}]}),
        json!({"messages": [{"role": "user", "content": 5}]}),
        json!({"messages": [{"role": "user", "content": ["x"]}]}),
        json!({"messages": [{"role": "user"}]}),
        json!({"model": null}),
        json!({"model": 5}),
        json!({"model": ["x"]}),
        json!({"temperature": "hot"}),
        json!({"temperature": -0.1}),
        json!({"temperature": [1]}),
        json!({"top_p": 1.5}),
        json!({"top_p": -0.1}),
        json!({"top_p": "x"}),
        json!({"n": 0}),
        json!({"n": -1}),
        json!({"n": "two"}),
        json!({"n": 1.5}),
        json!({"n": 1_000_000_000}),
        json!({"max_tokens": 0}),
        json!({"max_tokens": -1}),
        json!({"max_tokens": "x"}),
        json!({"max_tokens": 1.5}),
        json!({"max_completion_tokens": 0}),
        json!({"max_completion_tokens": -5}),
        json!({"max_completion_tokens": "many"}),
        json!({"presence_penalty": 9}),
        json!({"frequency_penalty": -9}),
        json!({"presence_penalty": "x"}),
        json!({"seed": "abc"}),
        json!({"seed": 1.5}),
        json!({"stop": 5}),
        json!({"stop": [5]}),
        json!({"stop": {}}),
        json!({"logprobs": "yes"}),
        json!({"top_logprobs": -1}),
        json!({"top_logprobs": 10000}),
        json!({"top_logprobs": "x"}),
        json!({"stream": "yes"}),
        json!({"stream": 1.5}),
        json!({"tools": "x"}),
        json!({"tools": [{}]}),
        json!({"tools": [{"type": "function"}]}),
        json!({"tools": [{"type": "function", "function": {}}]}),
        json!({"tool_choice": "sometimes"}),
        json!({"tool_choice": 5}),
        json!({"response_format": {"type": "xml"}}),
        json!({"response_format": "json"}),
        json!({"response_format": {}}),
        json!({"response_format": {"type": "json_schema"}}),
        json!({"response_format": {"type": "json_schema", "json_schema": {"name": "x", "schema": "nope"}}}),
        json!({"logit_bias": {"5": "x"}}),
        json!({"logit_bias": {"5": 101}}),
        json!({"chat_template_kwargs": 5}),
    ];
    for case in bad {
        let mut body = json!({"model": "m", "messages": [{"role": "user", "content": "x"}]});
        let (field, value) = case.as_object().unwrap().iter().next().unwrap();
        body[field] = value.clone();
        let (status, error) =
            rejection(post(&base, "/v1/chat/completions", body.to_string()).send().await.unwrap(), &case.to_string())
                .await;
        assert_eq!(status, 422, "{case}: {error}");
        let place = error["param"].as_str().unwrap_or_else(|| panic!("{case}: {error}"));
        assert!(place.starts_with(field.as_str()), "{case}: {error}");
    }
}

#[tokio::test]
async fn nulls_fields_of_later_clients_and_large_numbers_are_accepted() {
    let base = serve().await;
    let good = json!({
        "model": "m", "future": {"x": [1]}, "metadata": {"a": "b"}, "store": false, "user": "me",
        "messages": [
            {"role": "developer", "content": [{"type": "text", "text": "x"}]},
            {"role": "assistant", "content": null, "tool_calls": [{"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}]},
            {"role": "tool", "tool_call_id": "1", "content": "y", "extra": 1}],
        "temperature": null, "top_p": null, "stop": ["a", "b"], "tools": null, "tool_choice": null, "response_format": {"type": "text"},
        "seed": -9_223_372_036_854_775_808_i64, "n": null, "logprobs": null, "top_logprobs": null, "stream": null, "stream_options": null,
        "max_tokens": i64::MAX, "chat_template_kwargs": {"enable_thinking": false},
    });
    let answer = post(&base, "/v1/chat/completions", good.to_string()).send().await.unwrap();
    assert_eq!(answer.status(), 200, "{}", answer.text().await.unwrap());
    let groups = json!([{"trajectories": [], "exceptions": [{"type": "x"}], "future": 1},
        {"trajectories": [{"reward": 1, "messages_and_choices": [{"anything": [1]}], "start_time": "x", "exchanges": null, "tools": null}, {}]}, {}]);
    for config in [json!(null), json!({}), json!({"ppo": null, "kl_penalty_coef": null, "future_option": null})] {
        let body = json!({"model_id": ID, "trajectory_groups": groups, "experimental_config": config});
        let answer = post(&base, "/v1/preview/training-jobs", body.to_string()).send().await.unwrap();
        assert_eq!(answer.status(), 200, "{}", answer.text().await.unwrap());
    }
}

#[tokio::test]
async fn project_headers_have_a_limit_and_may_be_empty() {
    let base = serve().await;
    for header in ["Vendor-Project", "OpenAI-Project"] {
        for (path, body) in [
            ("/v1/chat/completions", Some(r#"{"model":"m","messages":[{"role":"user","content":"x"}]}"#)),
            ("/inference/v1/models", None),
        ] {
            let ask = |value: String| {
                let request = match body {
                    Some(body) => post(&base, path, body),
                    None => http().get(format!("{base}{path}")).bearer_auth(KEY),
                };
                request.header(header, value).send()
            };
            for length in [0, 256] {
                assert_eq!(ask("p".repeat(length)).await.unwrap().status(), 200, "{header} of {length} to {path}");
            }
            let (status, error) = rejection(ask("p".repeat(257)).await.unwrap(), path).await;
            assert_eq!((status, error["param"].as_str()), (422, Some(header)), "{error}");
        }
    }
}

#[tokio::test]
async fn assistant_turns_are_null_all_or_last() {
    let base = serve().await;
    for turns in [json!(null), json!("all"), json!("last")] {
        let body = json!({"model_id": ID, "training_data_url": "x", "config": {"assistant_turns": turns}});
        let answer = post(&base, "/v1/preview/sft-training-jobs", body.to_string()).send().await.unwrap();
        assert_eq!(answer.status(), 200, "{turns}: {}", answer.text().await.unwrap());
    }
}

#[tokio::test]
async fn the_key_comes_before_everything_else() {
    let base = serve().await;
    for operation in OPERATIONS.iter().filter(|operation| operation.secured) {
        let prefix = operation.base.map_or("", |_| "/inference/v1");
        let url =
            format!("{base}{prefix}{}", operation.path.replace("{model_id}", "%FF").replace("{training_job_id}", "x"));
        let ask = || {
            http()
                .request(operation.method.parse().unwrap(), &url)
                .header("content-type", "text/plain")
                .body("{not json")
        };
        let answer = ask().send().await.unwrap();
        assert_eq!(answer.headers()["www-authenticate"], "Bearer");
        for answer in [
            answer,
            ask().bearer_auth("wrong").send().await.unwrap(),
            ask().basic_auth("a", Some(KEY)).send().await.unwrap(),
        ] {
            assert_eq!(rejection(answer, operation.id).await.0, 401, "{}", operation.id);
        }
    }
    let open = http().get(format!("{base}/health")).bearer_auth("wrong").send().await.unwrap();
    assert_eq!(open.status(), 200);
}

#[tokio::test]
async fn content_types_and_sizes() {
    let base = serve().await;
    let body = || json!({"project": "p", "name": "n", "base_model": "b"}).to_string();
    let ask = |content_type: Option<&str>| {
        let request = http().post(format!("{base}/v1/preview/models")).bearer_auth(KEY).body(body());
        content_type.map_or(request.try_clone().unwrap(), |value| request.header("content-type", value)).send()
    };
    for good in [None, Some("application/json"), Some("application/json; charset=utf-8")] {
        assert_eq!(ask(good).await.unwrap().status(), 200, "{good:?}");
    }
    for bad in ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=utf-16"] {
        assert_eq!(rejection(ask(Some(bad)).await.unwrap(), bad).await.0, 415);
    }
    // Declared and undeclared length.
    let large = vec![b' '; 2 << 20];
    let chunks = futures_util::stream::iter(
        large.chunks(1 << 16).map(|chunk| Ok::<_, std::io::Error>(chunk.to_vec())).collect::<Vec<_>>(),
    );
    for body in [reqwest::Body::from(large), reqwest::Body::wrap_stream(chunks)] {
        let (status, error) =
            rejection(post(&base, "/v1/preview/models", body).send().await.unwrap(), "too large").await;
        assert_eq!((status, error["code"].as_str()), (413, Some("body_too_large")));
    }
    let delete = http().delete(format!("{base}/v1/preview/models/{ID}")).bearer_auth(KEY).header("content-type", JSON);
    assert_eq!(delete.send().await.unwrap().status(), 200, "a content type without a body");
}

#[tokio::test]
async fn odd_ids_are_unknown_ids() {
    let base = serve().await;
    for id in ["%00", "%F0%9F%98%80", "..%2F..%2Fetc%2Fpasswd", "%27%20OR%201%3D1--", "*", "null", &"a".repeat(2000)] {
        for path in [format!("/v1/preview/training-jobs/{id}"), format!("/v1/preview/models/{id}/checkpoints")] {
            let answer = http().get(format!("{base}{path}")).bearer_auth(KEY).send().await.unwrap();
            assert_eq!(rejection(answer, &path).await.0, 404, "{path}");
        }
    }
}

#[tokio::test]
async fn malformed_percent_encoding_is_400() {
    let base = serve().await;
    for path in [
        "/v1/preview/training-jobs/%FF".to_owned(),
        format!("/v1/preview/models/{ID}%C3/checkpoints"),
        format!("/v1/preview/models/{ID}/checkpoints?after=%FF"),
        format!("/v1/preview/models/{ID}/checkpoints?%FF=1"),
    ] {
        let answer = http().get(format!("{base}{path}")).bearer_auth(KEY).send().await.unwrap();
        let (status, error) = rejection(answer, &path).await;
        assert_eq!((status, error["code"].as_str()), (400, Some("invalid_percent_encoding")), "{path}: {error}");
    }
}

#[tokio::test]
async fn a_parameter_is_given_once_and_a_body_uncompressed() {
    let base = serve().await;
    let url = format!("{base}/v1/preview/models/{ID}/checkpoints?limit=1&limit=2");
    let answer = http().get(url).bearer_auth(KEY).send().await.unwrap();
    let (status, error) = rejection(answer, "twice").await;
    assert_eq!((status, error["param"].as_str()), (422, Some("limit")), "{error}");
    let compressed = post(&base, "/v1/preview/models", "{}").header("content-encoding", "gzip");
    assert_eq!(rejection(compressed.send().await.unwrap(), "gzip").await.0, 415);
}

#[tokio::test]
async fn a_body_of_many_megabytes_is_ordinary() {
    let base = serve().await;
    let trajectory = json!({"reward": 0.5, "messages_and_choices": [{"role": "user", "content": "x".repeat(1 << 20)}]});
    let groups = json!([{"trajectories": vec![trajectory; 12]}]);
    let body = json!({"split": "val", "trajectory_groups": groups}).to_string();
    let answer = post(&base, &format!("/v1/preview/models/{ID}/log"), body).send().await.unwrap();
    assert_eq!(answer.json::<Value>().await.unwrap()["logged_trajectories"], 12);
}

#[tokio::test]
async fn the_document_is_served() {
    let base = serve().await;
    let document: Value = http().get(format!("{base}/openapi.json")).send().await.unwrap().json().await.unwrap();
    assert_eq!(document["info"]["version"], "0.1.0");
    assert!(document["paths"]["/v1/preview/training-jobs"].is_object());
}

#[tokio::test]
async fn the_place_of_a_fault_reaches_through_unions_and_verbatim_values() {
    let base = serve().await;
    let path = "/v1/chat/completions";
    let body = r#"{"model":"m","messages":[{"role":"user","content":"x"},{"role":"wizard"}]}"#;
    let (status, error) = rejection(post(&base, path, body).send().await.unwrap(), body).await;
    assert_eq!((status, &error["param"]), (422, &json!("messages[1].role")), "{error}");
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("wizard") && message.contains("assistant"), "{message}");
    let body = r#"{"model":"m","messages":[{"role":"user","content":["x"]}]}"#;
    let (status, error) = rejection(post(&base, path, body).send().await.unwrap(), body).await;
    assert_eq!((status, &error["param"]), (422, &json!("messages[0].content[0]")), "{error}");
}
