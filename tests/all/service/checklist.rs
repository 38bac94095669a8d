//! The ways in which a naive server breaks real clients, one test each.

use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{SEEDLING, TestService, answer, event_types, row, text};

#[tokio::test]
async fn logprobs_are_there_without_asking_and_token_ids_can_be_recovered() {
    let service = TestService::start().await;
    let completion = service.chat(SEEDLING, "hello", json!({ "max_tokens": 4 })).await;
    let entries = completion["choices"][0]["logprobs"]["content"].as_array().expect("logprobs");
    assert!(!entries.is_empty());
    for entry in entries {
        let id = text(&entry["token"]).strip_prefix("token_id:").expect("token_id:N");
        id.parse::<u32>().expect("a token id");
        assert!(entry["logprob"].as_f64().expect("a number") <= 0.0);
        assert!(entry["bytes"].is_array());
    }
}

#[tokio::test]
async fn a_body_of_several_megabytes_is_ordinary() {
    let service = TestService::start().await;
    let model = service.model("large").await;
    let mut group = service.rollouts(&model.name, "q", &[0.0, 1.0]).await;
    group["logs"] = json!(vec!["x".repeat(1000); 6000]);
    let job = service.start_rl(&model, json!([group]), json!(null)).await;
    assert_eq!(event_types(&service.finished(&job).await).last(), Some(&"training_ended"));
}

#[tokio::test]
async fn the_entity_is_chosen_by_the_server_and_stays() {
    let service = TestService::start().await;
    let body = json!({ "entity": null, "project": "p", "name": "n", "base_model": SEEDLING, "return_existing": true });
    let first = service.post("/v1/preview/models", &body).await.ok();
    let second = service.post("/v1/preview/models", &body).await.ok();
    assert_eq!(first["entity"], "acme");
    assert_eq!(first, second);
}

#[tokio::test]
async fn pages_end_follow_their_cursor_and_keep_their_ids() {
    let service = TestService::start().await;
    let model = service.model("pages").await;
    let job = service.start_sft(&model, &vec![row("q", "a"); 9], json!({ "batch_size": 1 })).await;
    let all = service.finished(&job).await;
    assert_eq!(all.len(), 11);
    let path = format!("/v1/preview/training-jobs/{job}/events?limit=4");
    let mut seen: Vec<Value> = Vec::new();
    let mut after = String::new();
    for expected_more in [true, true, false] {
        let page = service.get(&format!("{path}{after}")).await.ok();
        assert_eq!(page["has_more"], json!(expected_more));
        seen.extend(page["data"].as_array().expect("data").iter().cloned());
        after = format!("&after={}", text(&page["last_id"]));
    }
    assert_eq!(seen, all, "the same items under the same ids, each once");
    let end = service.get(&format!("{path}{after}")).await.ok();
    assert_eq!((&end["data"], &end["has_more"]), (&json!([]), &json!(false)));
}

#[tokio::test]
async fn the_newest_checkpoint_comes_first_when_asked_so() {
    let service = TestService::start().await;
    let model = service.model("order").await;
    for _ in 0..2 {
        let job = service.start_sft(&model, &[row("q", "a")], json!(null)).await;
        service.finished(&job).await;
    }
    let path = format!("/v1/preview/models/{}/checkpoints?limit=1&order=desc", model.id);
    assert_eq!(service.get(&path).await.ok()["data"][0]["step"], 2);
    assert_eq!(service.steps(&model).await, [0, 1, 2]);
}

#[tokio::test]
async fn the_checkpoint_is_served_when_training_has_ended() {
    let service = TestService::start().await;
    let model = service.model("ended").await;
    for step in 1..=3 {
        let job = service.start_sft(&model, &[row("q", "a")], json!({ "learning_rate": 1e-3 })).await;
        let deadline = Instant::now() + Duration::from_secs(60);
        // No pause: the checkpoint has to be there the moment the event is.
        while !event_types(&service.events(&job).await).contains(&"training_ended") {
            assert!(Instant::now() < deadline, "the job did not end");
        }
        assert_eq!(service.steps(&model).await.last(), Some(&step));
        service.chat(&model.at(step), "q", json!({ "max_tokens": 1 })).await;
    }
}

#[tokio::test]
async fn nulls_in_the_configuration_mean_defaults() {
    let service = TestService::start().await;
    let model = service.model("nulls").await;
    let group = service.rollouts(&model.name, "q", &[0.0, 1.0]).await;
    let config = json!({
        "advantage_balance": null, "epsilon": null, "epsilon_high": null, "importance_sampling_level": null,
        "kimi_k2_tau": null, "learning_rate": null, "mask_prob_ratio": null, "ppo": null,
        "max_negative_advantage_importance_sampling_weight": null, "precalculate_logprobs": null,
        "scale_rewards": null, "kl_penalty_coef": null,
    });
    let job = service.start_rl(&model, json!([group]), config).await;
    let events = service.finished(&job).await;
    let rate = events[1]["data"]["loss/learning_rate"].as_f64().expect("a rate");
    assert!((rate - 5e-6).abs() < 1e-12, "{rate}");
}

#[tokio::test]
async fn unknown_fields_of_rollouts_are_kept_and_those_of_requests_rejected() {
    let service = TestService::start().await;
    let model = service.model("unknown").await;
    let mut group = service.rollouts(&model.name, "q", &[0.0, 1.0]).await;
    group["future"] = json!(1);
    group["exceptions"] = json!([{ "type": "<class 'E'>", "message": "m", "traceback": "t" }]);
    for trajectory in group["trajectories"].as_array_mut().expect("trajectories") {
        trajectory["start_time"] = json!("2026-01-01T00:00:00Z");
        trajectory["messages_and_choices"][1]["message"]["annotations"] = json!(null);
        trajectory["messages_and_choices"][1]["stop_reason"] = json!(null);
        trajectory["messages_and_choices"][1]["logprobs"]["content"][0]["rank"] = json!(3);
    }
    let log = json!({ "model_id": model.id, "split": "val", "trajectory_groups": [group], "future": null });
    service.post(&format!("/v1/preview/models/{}/log", model.id), &log).await.ok();
    let unknown =
        json!({ "model_id": model.id, "trajectory_groups": [], "experimental_config": { "future_option": [1] } });
    let error = service.post("/v1/preview/training-jobs", &unknown).await.rejected(422);
    assert_eq!(error["param"], "experimental_config.future_option", "{error}");
    let job = service.start_rl(&model, json!([group]), json!({ "future_option": null })).await;
    assert_eq!(event_types(&service.finished(&job).await).last(), Some(&"training_ended"));
}

#[tokio::test]
async fn gradient_steps_carry_numbers_only() {
    let service = TestService::start().await;
    let model = service.model("numbers").await;
    let group = service.rollouts(&model.name, "q", &[0.0, 0.5, 1.0, 1.0]).await;
    let job = service.start_rl(&model, json!([group]), json!(null)).await;
    let events = service.finished(&job).await;
    assert_eq!(events[0]["data"]["num_sequences"].as_u64(), Some(events.len() as u64 - 2));
    for event in &events[1..events.len() - 1] {
        let data = event["data"].as_object().expect("an object");
        assert!(!data.is_empty() && data.values().all(|value| value.as_f64().is_some_and(f64::is_finite)), "{event}");
    }
}

#[tokio::test]
async fn with_nothing_to_learn_the_step_advances_and_the_weights_do_not() {
    let service = TestService::start().await;
    let model = service.model("nothing").await;
    let before = service.first_tokens(&model.name, "q").await;
    // The mean of equal floats may differ from them by one rounding; that residue must not become an update.
    let equal = service.rollouts(&model.name, "q", &[0.1, 0.1, 0.1]).await;
    for groups in [json!([equal]), json!([]), json!([{ "trajectories": [] }])] {
        let job = service.start_rl(&model, groups, json!({ "learning_rate": 1e-3 })).await;
        let events = service.finished(&job).await;
        assert_eq!(event_types(&events), ["training_started", "training_ended"]);
        assert_eq!(events[0]["data"]["num_sequences"], 0);
    }
    assert_eq!(service.steps(&model).await, [0, 1, 2, 3]);
    assert_eq!(service.first_tokens(&model.at(3), "q").await, before);
}

#[tokio::test]
async fn an_untrained_model_is_served_by_both_of_its_names() {
    let service = TestService::start().await;
    let model = service.model("untrained").await;
    let base = service.first_tokens(SEEDLING, "hi").await;
    let plain = model.name.trim_start_matches("wandb-artifact:///").to_owned();
    for name in [model.name.clone(), model.at(0), plain] {
        assert_eq!(service.first_tokens(&name, "hi").await, base, "{name}");
    }
}

#[tokio::test]
async fn each_step_keeps_its_own_weights() {
    let service = TestService::start().await;
    let model = service.model("steps").await;
    let mut seen = vec![service.first_tokens(&model.at(0), "q").await];
    for step in 1..=2 {
        let job = service.start_sft(&model, &vec![row("q", "zebra"); 4], json!({ "learning_rate": 1e-2 })).await;
        service.finished(&job).await;
        let now = service.first_tokens(&model.at(step), "q").await;
        assert!(!seen.contains(&now), "step {step} has weights of its own");
        seen.push(now);
        for (step, tokens) in seen.iter().enumerate() {
            assert_eq!(&service.first_tokens(&model.at(step as i64), "q").await, tokens, "step {step}");
        }
        assert_eq!(&service.first_tokens(&model.name, "q").await, seen.last().expect("one"));
    }
}

#[tokio::test]
async fn deletes_come_without_a_body_and_with_one() {
    let service = TestService::start().await;
    let model = service.model("deletes").await;
    let path = format!("/v1/preview/models/{}", model.id);
    let steps = json!({ "steps": [0, 7], "allow_latest": true });
    let deleted = service.send(Method::DELETE, &format!("{path}/checkpoints"), Some(&steps)).await.ok();
    assert_eq!(deleted, json!({ "deleted_count": 1, "not_found_steps": [7] }));
    answer(service.request(Method::DELETE, &path).header("content-type", "application/json")).await.ok();
    service.send(Method::DELETE, &path, None).await.rejected(404);
}

#[tokio::test]
async fn chat_is_also_at_the_path_with_a_slash_and_at_the_inference_address() {
    let service = TestService::start().await;
    let body = json!({ "model": SEEDLING, "messages": [{ "role": "user", "content": "hi" }], "temperature": 0, "max_tokens": 3 });
    let mut contents = Vec::new();
    for path in ["/v1/chat/completions", "/v1/chat/completions/", "/inference/v1/chat/completions"] {
        contents.push(service.post(path, &body).await.ok()["choices"][0]["message"]["content"].clone());
    }
    assert!(contents.windows(2).all(|pair| pair[0] == pair[1]), "{contents:?}");
}

#[tokio::test]
async fn keys_are_long_enough_for_every_client() {
    let service = TestService::start().await;
    let last = service.key.rsplit('-').next().expect("a part");
    assert!(last.len() >= 40, "{} characters", last.len());
    service.stop().await;
}

#[tokio::test]
async fn the_order_of_keys_in_a_tool_does_not_change_the_prompt() {
    let service = TestService::start().await;
    let function = json!({ "name": "f", "description": "d", "parameters": { "type": "object", "properties": {} } });
    // Written by hand: a map would order the keys.
    let spellings = [
        format!(r#"{{"type":"function","function":{function}}}"#),
        format!(r#"{{"function":{function},"type":"function"}}"#),
    ];
    let mut prompts = Vec::new();
    for tool in spellings {
        let body = format!(
            r#"{{"model":"{SEEDLING}","messages":[{{"role":"user","content":"q"}}],"tools":[{tool}],"tool_choice":"none",
                "temperature":0,"max_tokens":1,"top_logprobs":5,"logprobs":true}}"#
        );
        let request = service.request(Method::POST, "/v1/chat/completions").header("content-type", "application/json");
        let completion = answer(request.body(body)).await.ok();
        prompts.push((completion["usage"].clone(), completion["choices"][0]["logprobs"].clone()));
    }
    assert_eq!(prompts[0], prompts[1]);
}

#[tokio::test]
async fn chat_goes_on_while_a_job_runs() {
    let service = TestService::start().await;
    let model = service.model("busy").await;
    let job = service.start_sft(&model, &vec![row("q", "a b c d"); 60], json!({ "batch_size": 1 })).await;
    let deadline = Instant::now() + Duration::from_secs(60);
    while !event_types(&service.events(&job).await).contains(&"training_started") {
        assert!(Instant::now() < deadline, "the job did not start");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let mut answers = 0;
    while !event_types(&service.events(&job).await).contains(&"training_ended") {
        assert!(Instant::now() < deadline, "the job did not end");
        service.chat(&model.name, "q", json!({ "max_tokens": 2 })).await;
        answers += 1;
    }
    assert!(answers > 1, "chat was answered {answers} times during the job");
}
