//! Legacy completions: what they say, that it is exact, and what is rejected.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{SEEDLING, TestService, row, text};

const PATH: &str = "/v1/completions";
const CHAT: &str = "/v1/chat/completions";

fn merged(mut body: Value, more: Value) -> Value {
    body.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    body
}

/// A request for a few tokens after `prompt`.
fn asked(prompt: impl Into<Value>, more: Value) -> Value {
    merged(json!({"model": SEEDLING, "prompt": prompt.into(), "max_tokens": 6, "seed": 3}), more)
}

async fn choices(service: &TestService, body: &Value) -> Vec<Value> {
    service.post(PATH, body).await.ok()["choices"].as_array().expect("choices").clone()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("not a list: {value}"))
}

/// The bits of log-probabilities; none for null.
fn bits(logprobs: &[Value]) -> Vec<Option<u64>> {
    logprobs.iter().map(|logprob| logprob.as_f64().map(f64::to_bits)).collect()
}

#[tokio::test]
async fn a_text_goes_on_as_at_openai() {
    let service = TestService::start().await;
    let body = json!({"model": SEEDLING, "prompt": "yes, no or"});
    let whole = service.post(PATH, &body).await.ok();
    assert!(text(&whole["id"]).starts_with("cmpl-") && whole["created"].as_i64() > Some(1_700_000_000), "{whole}");
    assert_eq!((text(&whole["object"]), text(&whole["model"])), ("text_completion", SEEDLING));
    let choice = &whole["choices"][0];
    assert_eq!((list(&whole["choices"]).len(), &choice["index"], &choice["logprobs"]), (1, &json!(0), &Value::Null));
    let ids = list(&choice["token_ids"]).len();
    assert!(ids <= 16, "16 tokens unless told otherwise: {choice}");
    assert_eq!(text(&choice["finish_reason"]), if ids == 16 { "length" } else { "stop" });
    assert_eq!(whole["usage"]["prompt_tokens"], list(&choice["prompt_token_ids"]).len());
    assert_eq!(whole["usage"]["completion_tokens"], ids);
    // The same at the other base address, and with everything null that may be.
    let nulls = json!({
        "echo": null, "logprobs": null, "n": null, "best_of": null, "suffix": null, "stop": null, "stream": null,
        "stream_options": null, "logit_bias": null, "user": null, "seed": 7, "max_tokens": 5,
    });
    let there = choices(&service, &merged(body.clone(), nulls.clone())).await;
    let elsewhere = service.post("/inference/v1/completions", &merged(body, nulls)).await.ok();
    assert_eq!(elsewhere["choices"], Value::Array(there));
    let silent = choices(&service, &asked("yes", json!({"return_token_ids": false}))).await;
    assert!(silent[0].get("token_ids").is_none() && silent[0].get("prompt_token_ids").is_none(), "{silent:?}");
    service.stop().await;
}

#[tokio::test]
async fn scores_and_samples_are_those_of_chat_bit_for_bit() {
    let service = TestService::start().await;
    let model = service.model("scored").await;
    let job = service.start_sft(&model, &[row("q", "zebra")], json!({"learning_rate": 1e-2})).await;
    service.finished(&job).await;
    for name in [SEEDLING, &model.name, &model.at(0)] {
        let body = json!({
            "model": name, "messages": [{"role": "user", "content": "yes, no or maybe? ☃"}], "max_tokens": 12, "seed": 5,
            "n": 2, "prompt_logprobs": 3, "top_logprobs": 3, "return_token_ids": true,
        });
        let chat = service.post(CHAT, &body).await.ok();
        let prompt = &chat["prompt_token_ids"];
        let body = json!({
            "model": name, "prompt": prompt, "max_tokens": 12, "seed": 5, "n": 2, "echo": true, "logprobs": 3,
            "return_tokens_as_token_ids": true,
        });
        let completion = service.post(PATH, &body).await.ok();
        assert_eq!(completion["usage"], chat["usage"]);
        let length = list(prompt).len();
        for index in 0..2 {
            let (choice, answer) = (&completion["choices"][index], &chat["choices"][index]);
            assert_eq!(choice["prompt_token_ids"], *prompt);
            assert_eq!(choice["token_ids"], answer["token_ids"], "the same tokens and seed draw the same");
            let logprobs = list(&choice["logprobs"]["token_logprobs"]);
            let names: Vec<&str> = list(&choice["logprobs"]["tokens"]).iter().map(text).collect();
            assert_eq!((logprobs.len(), &logprobs[0]), (length + list(&choice["token_ids"]).len(), &Value::Null));
            let sampled: Vec<Value> =
                list(&answer["logprobs"]["content"]).iter().map(|token| token["logprob"].clone()).collect();
            assert_eq!(bits(&logprobs[length..]), bits(&sampled));
            // Of the prompt: each token's own, and the likeliest ones.
            for place in 1..length {
                let told = chat["prompt_logprobs"][place].as_object().expect("tokens");
                let own = &told[&list(prompt)[place].to_string()]["logprob"];
                assert_eq!(bits(&logprobs[place..=place]), bits(std::slice::from_ref(own)), "place {place}");
                assert_eq!(names[place], format!("token_id:{}", prompt[place]));
                let top = choice["logprobs"]["top_logprobs"][place].as_object().expect("tokens");
                assert_eq!(top.len(), told.len());
                for (id, entry) in told {
                    assert_eq!(top[&format!("token_id:{id}")], entry["logprob"]);
                }
            }
        }
        // A harness scores the same without generating anything.
        let scored = service.post(PATH, &merged(body, json!({"max_tokens": 0, "n": 1, "logprobs": 1}))).await.ok();
        let choice = &scored["choices"][0];
        assert_eq!(scored["usage"]["completion_tokens"], 0);
        assert_eq!((text(&choice["finish_reason"]), list(&choice["token_ids"]).len()), ("length", 0));
        let logprobs = list(&choice["logprobs"]["token_logprobs"]);
        assert_eq!(bits(logprobs), bits(&list(&completion["choices"][0]["logprobs"]["token_logprobs"])[..length]));
    }
    service.stop().await;
}

#[tokio::test]
async fn echoed_texts_have_their_tokens_and_places() {
    let service = TestService::start().await;
    let prompt = "Snow: ☃ and <|im_start|>é";
    let body = asked(prompt, json!({"echo": true, "logprobs": 2, "temperature": 0}));
    let choice = choices(&service, &body).await.remove(0);
    let answer = text(&choice["text"]);
    assert!(answer.starts_with(prompt), "{answer:?}");
    let logprobs = &choice["logprobs"];
    let lists = ["tokens", "token_logprobs", "top_logprobs", "text_offset"].map(|name| list(&logprobs[name]));
    let ids = list(&choice["prompt_token_ids"]).len() + list(&choice["token_ids"]).len();
    assert!(lists.iter().all(|list| list.len() == ids), "{logprobs}");
    let [tokens, own, top, offsets] = lists;
    assert_eq!((&own[0], &top[0], &offsets[0]), (&Value::Null, &Value::Null, &json!(0)));
    let characters: Vec<char> = answer.chars().collect();
    let (mut control, mut parts) = (0, 0);
    for (place, token) in tokens.iter().map(text).enumerate() {
        let at = usize::try_from(offsets[place].as_u64().expect("a place")).expect("a place");
        control += usize::from(token == "<|im_start|>");
        if token.starts_with("bytes:\\x") {
            parts += 1;
        } else if place < list(&choice["prompt_token_ids"]).len() {
            let here: String = characters[at..].iter().take(token.chars().count()).collect();
            assert_eq!(here, token, "place {place} in {answer:?}");
        }
        if place > 0 {
            let top = top[place].as_object().expect("tokens");
            assert!(top.len() <= 3 && top.contains_key(token), "the token itself is among them: {top:?}");
            assert!(top.values().all(|logprob| logprob.as_f64().is_some_and(|logprob| logprob <= 0.0)));
        }
    }
    assert_eq!(control, 1, "a spelling of a control token is that token: {tokens:?}");
    assert!(parts >= 2, "the snowman is no token of its own: {tokens:?}");
    // Without echo the places are those in the new text.
    let plain = choices(&service, &asked(prompt, json!({"logprobs": 0, "temperature": 0}))).await.remove(0);
    assert_eq!(format!("{prompt}{}", text(&plain["text"])), answer);
    assert_eq!(plain["logprobs"]["text_offset"][0], 0);
    assert_eq!(list(&plain["logprobs"]["top_logprobs"])[0].as_object().expect("a token").len(), 1);
    service.stop().await;
}

#[tokio::test]
async fn several_prompts_have_the_completions_that_each_has_alone() {
    let service = TestService::start().await;
    let texts = ["yes, no or", "hello", "yes, no or maybe"];
    let more = json!({"n": 2, "temperature": 1, "echo": true, "logprobs": 1});
    let together = choices(&service, &asked(json!(texts), more.clone())).await;
    assert_eq!(together.len(), 6);
    let mut ids = Vec::new();
    for (prompt, text) in texts.iter().enumerate() {
        let alone = choices(&service, &asked(*text, more.clone())).await;
        for (index, mut choice) in alone.into_iter().enumerate() {
            choice["index"] = json!(2 * prompt + index);
            assert_eq!(together[2 * prompt + index], choice);
        }
        ids.push(together[2 * prompt]["prompt_token_ids"].clone());
    }
    assert_eq!(choices(&service, &asked(Value::Array(ids.clone()), more.clone())).await, together);
    assert_eq!(choices(&service, &asked(json!([texts[0]]), more.clone())).await, together[..2]);
    assert_eq!(choices(&service, &asked(ids.remove(0), more)).await, together[..2]);
    service.stop().await;
}

/// The chunks of a streamed answer, and that it ended well.
async fn chunks(service: &TestService, request: &Value) -> Vec<Value> {
    crate::serving::chat_options::chunks_of(service, PATH, request.clone()).await
}

#[tokio::test]
async fn a_stream_says_what_the_whole_answer_says() {
    let service = TestService::start().await;
    let stop = json!({"prompt": "a b c", "max_tokens": 40, "stop": ["e", "o"], "temperature": 1});
    let snow = json!({"prompt": ["☃ snow", "hello"], "n": 3, "echo": true, "logprobs": 2, "temperature": 1});
    let score = json!({"prompt": "hello there", "max_tokens": 0, "echo": true, "logprobs": 1});
    for more in [json!({}), json!({"logprobs": 1}), json!({"echo": true}), stop, snow, score] {
        let body = asked("yes, no or", merged(more, json!({"return_token_ids": true})));
        // Prompts of before are in the cache: not the first choice of a prompt is the first with a token then.
        for _ in 0..2 {
            let whole = service.post(PATH, &body).await.ok();
            let usage = json!({"stream_options": {"include_usage": true}});
            let mut chunks = chunks(&service, &merged(body.clone(), usage)).await;
            let last = chunks.pop().expect("the usage");
            assert_eq!((&last["usage"], list(&last["choices"]).len()), (&whole["usage"], 0));
            let mut joined: Vec<Value> = Vec::new();
            joined.resize(list(&whole["choices"]).len(), Value::Null);
            for chunk in &chunks {
                assert_eq!((text(&chunk["object"]), chunk.get("usage")), ("text_completion", None));
                for choice in list(&chunk["choices"]) {
                    let place = choice["index"].as_u64().expect("an index") as usize;
                    join(&mut joined[place], choice);
                }
            }
            assert_eq!(Value::Array(joined), whole["choices"], "{body}");
        }
    }
    service.stop().await;
}

/// Adds a chunk's choice to what there is of it.
fn join(whole: &mut Value, choice: &Value) {
    if whole.is_null() {
        whole.clone_from(choice);
        return;
    }
    assert!(whole["finish_reason"].is_null(), "nothing follows the end: {choice}");
    assert!(choice.get("prompt_token_ids").is_none(), "the prompt is told once: {choice}");
    whole["text"] = json!(format!("{}{}", text(&whole["text"]), text(&choice["text"])));
    whole["finish_reason"] = choice["finish_reason"].clone();
    let extend = |whole: &mut Value, more: &Value| {
        whole.as_array_mut().expect("a list").extend(more.as_array().cloned().unwrap_or_default());
    };
    extend(&mut whole["token_ids"], &choice["token_ids"]);
    if choice["logprobs"].is_object() {
        if whole["logprobs"].is_null() {
            whole["logprobs"] = json!({"tokens": [], "token_logprobs": [], "top_logprobs": [], "text_offset": []});
        }
        for name in ["tokens", "token_logprobs", "top_logprobs", "text_offset"] {
            extend(&mut whole["logprobs"][name], &choice["logprobs"][name]);
        }
    }
}

#[tokio::test]
async fn unsupported_options_are_rejected_by_name() {
    let service = TestService::start().await;
    let long = "hello ".repeat(5000);
    for (more, status, param) in [
        (json!({"suffix": "x"}), 422, "suffix"),
        (json!({"best_of": 2}), 422, "best_of"),
        (json!({"best_of": 1, "n": 2}), 422, "best_of"),
        (json!({"logprobs": 6}), 422, "logprobs"),
        (json!({"logprobs": true}), 422, "logprobs"),
        (json!({"max_tokens": -1}), 422, "max_tokens"),
        (json!({"min_tokens": 7}), 422, "min_tokens"),
        (json!({"n": 0}), 422, "n"),
        (json!({"use_beam_search": true}), 422, "use_beam_search"),
        (json!({"response_format": {"type": "json_object"}}), 422, "response_format"),
        (json!({"prompt_logprobs": 1}), 422, "prompt_logprobs"),
        (json!({"prompt": ""}), 422, "prompt"),
        (json!({"prompt": []}), 422, "prompt"),
        (json!({"prompt": null}), 422, "prompt"),
        (json!({"prompt": {}}), 422, "prompt"),
        (json!({"prompt": ["a", ""]}), 422, "prompt[1]"),
        (json!({"prompt": [[1], []]}), 422, "prompt[1]"),
        (json!({"prompt": ["a", 1]}), 422, "prompt[1]"),
        (json!({"prompt": [1, "a"]}), 422, "prompt[1]"),
        (json!({"prompt": [1, -1]}), 422, "prompt[1]"),
        (json!({"prompt": [1, 99999999]}), 422, "prompt"),
        (json!({"prompt": vec!["a"; 65], "n": 2}), 422, "prompt"),
        (json!({"prompt": long}), 400, "prompt"),
        (json!({"prompt": ["a", long]}), 400, "prompt"),
        (json!({"logit_bias": {"x": 1}}), 422, "logit_bias.x"),
        (json!({"model": "acme/tests/absent"}), 404, "model"),
    ] {
        let error = service.post(PATH, &asked("hello", more.clone())).await.rejected(status);
        assert_eq!(text(&error["param"]), param, "{more}: {error}");
        if status == 400 {
            assert_eq!(text(&error["code"]), "context_length_exceeded");
        }
    }
    for neutral in
        [json!({"suffix": ""}), json!({"best_of": 2, "n": 2}), json!({"user": "u", "use_beam_search": false})]
    {
        service.post(PATH, &asked("hello", neutral)).await.ok();
    }
    let answer = service.send_as("ty_wrong", Method::POST, PATH, Some(&json!({"nonsense": true}))).await;
    answer.rejected(401);
    service.stop().await;
}
