//! Rollouts on their way back: what was sampled is what is trained, in the context it was sampled from.

use serde_json::{Value, json};

use crate::serving::chat_options::chunks;
use crate::support::{Model, TestService, event_types, text};

const CHAT: &str = "/v1/chat/completions";

fn tools() -> Value {
    // The order of keys in which the client library sends tools back; sampling sees another.
    json!([{"function": {"name": "weather", "description": "Of a city", "parameters": {"type": "object",
        "properties": {"city": {"type": "string", "enum": ["Rome", "Oslo"]}}, "required": ["city"],
        "additionalProperties": false}}, "type": "function"}])
}

/// Asks for answers to the messages; `extra` is merged into the request.
async fn ask(service: &TestService, model: &str, messages: &[Value], extra: Value) -> Vec<Value> {
    let mut body = json!({"model": model, "messages": messages, "tools": [{"type": "function", "function": tools()[0]["function"]}],
        "temperature": 1, "max_tokens": 12});
    body.as_object_mut().expect("an object").extend(extra.as_object().expect("an object").clone());
    service.post(CHAT, &body).await.ok()["choices"].as_array().expect("choices").clone()
}

/// A group of three rollouts of three turns each: a tool call, an answer to its result, and an answer to a question.
async fn group(service: &TestService, model: &str, seed: u64) -> Value {
    let start = [json!({"role": "system", "content": "be brief"}), json!({"role": "user", "content": "the weather?"})];
    let calls =
        ask(service, model, &start, json!({"n": 3, "seed": seed, "tool_choice": "required", "max_tokens": 60})).await;
    let mut trajectories = Vec::new();
    for (index, call) in calls.into_iter().enumerate() {
        let (mut messages, mut items) = (start.to_vec(), start.to_vec());
        let results = call["message"]["tool_calls"].as_array().cloned().unwrap_or_default();
        let results =
            results.iter().map(|call| json!({"role": "tool", "tool_call_id": call["id"], "content": "sunny ☃"}));
        let questions = [results.collect::<Vec<_>>(), vec![json!({"role": "user", "content": "sure?"})], vec![]];
        let mut choice = call;
        for question in questions {
            messages.push(choice["message"].clone());
            items.push(choice);
            if question.is_empty() {
                break;
            }
            messages.extend(question.clone());
            items.extend(question);
            choice = ask(service, model, &messages, json!({"seed": seed + index as u64})).await.remove(0);
        }
        items.push(json!({"role": "user", "content": "cut off"}));
        trajectories.push(json!({"messages_and_choices": items, "tools": tools(), "reward": index as f64}));
    }
    // A reward on the mean of its group would teach nothing.
    trajectories[1]["reward"] = json!(0.25);
    json!({"trajectories": trajectories, "exceptions": [{"type": "TimeoutError", "message": "", "traceback": ""}]})
}

/// Runs a job to its end: the data of `training_started` and of each step.
async fn train(service: &TestService, model: &Model, groups: Value, learning_rate: f64) -> (Value, Vec<Value>) {
    let job = service.start_rl(model, groups, json!({"learning_rate": learning_rate})).await;
    let events = service.finished(&job).await;
    assert_eq!(event_types(&events).last(), Some(&"training_ended"), "{events:?}");
    let steps = events.iter().filter(|event| event["type"] == "gradient_step").map(|event| event["data"].clone());
    (events[0]["data"].clone(), steps.collect())
}

/// Every token of the step has the very log-probability that it was sampled with.
#[track_caller]
fn assert_exact(step: &Value) {
    for (metric, expected) in [
        ("importance_ratio/min", 1.0),
        ("importance_ratio/max", 1.0),
        ("logprob_mismatch/max_abs", 0.0),
        ("logprob_mismatch/mean_abs", 0.0),
    ] {
        assert_eq!(step[metric].as_f64(), Some(expected), "{metric} of {step}");
    }
}

fn counts(drift: &Value) -> [&Value; 5] {
    [
        "edited_turns",
        "turns_without_token_ids",
        "turns_without_prompt_token_ids",
        "turns_without_logprobs",
        "trajectories",
    ]
    .map(|name| &drift[name])
}

#[tokio::test]
async fn rollouts_with_tools_are_trained_in_the_contexts_they_were_sampled_from() {
    let service = TestService::start().await;
    let model = service.model("agent").await;
    // From new weights, then from trained ones.
    for (round, learning_rate) in [1e-3, 0.0].into_iter().enumerate() {
        let groups = [group(&service, &model.name, 1).await, group(&service, &model.name, 50).await];
        let turns = groups.iter().flat_map(|group| group["trajectories"].as_array().expect("a list"));
        let choices = turns.flat_map(|member| member["messages_and_choices"].as_array().expect("items"));
        for choice in choices.filter(|item| item.get("finish_reason").is_some()) {
            assert!(!choice["prompt_token_ids"].as_array().expect("ids").is_empty());
            let entries = choice["logprobs"]["content"].as_array().expect("entries");
            assert_eq!(choice["token_ids"].as_array().expect("ids").len(), entries.len());
        }
        let (started, steps) = train(&service, &model, json!(groups), learning_rate).await;
        let drift = &started["drift"];
        assert_eq!(started["dropped"], json!({}), "{started}");
        let told = counts(drift).map(|count| count.as_u64().expect("a number"));
        assert_eq!(told[..4], [0; 4], "{started}");
        // Where the model divided its text in another way than the tokenizer does, the next prompt tells it otherwise.
        let own = drift["discontinued_turns"].as_u64().expect("a number");
        assert!(told[4] <= own && own <= 6 * 2, "{started}");
        assert_eq!(started["num_sequences"].as_u64(), Some(6 + own));
        assert_eq!(steps.len() as u64, 6 + own);
        assert_exact(&steps[0]);
        if learning_rate == 0.0 {
            steps.iter().for_each(assert_exact);
        }
        assert_eq!(service.steps(&model).await.iter().max(), Some(&(round as i64 + 1)));
    }
}

#[tokio::test]
async fn edited_rollouts_are_counted_and_untrainable_ones_dropped() {
    let service = TestService::start().await;
    let model = service.model("agent").await;
    let mut group = service.rollouts(&model.name, "yes, no or maybe?", &[0.0, 1.0, 2.0, 4.0]).await;
    let choice = |member: usize| format!("/trajectories/{member}/messages_and_choices/1");
    *group.pointer_mut(&format!("{}/message/content", choice(0))).expect("content") = json!("I never said this.");
    for field in ["token_ids", "prompt_token_ids"] {
        group.pointer_mut(&choice(1)).and_then(Value::as_object_mut).expect("a choice").remove(field);
    }
    *group.pointer_mut(&format!("{}/token_ids/0", choice(2))).expect("an id") = json!(4_000_000);
    let single = service.rollouts(&model.name, "no?", &[1.0]).await;
    let (started, steps) = train(&service, &model, json!([group, single]), 0.0).await;
    assert_eq!(counts(&started["drift"]), [&json!(1), &json!(0), &json!(1), &json!(0), &json!(2)], "{started}");
    let place = |list: &str, index: usize| text(&started[list][index]["place"]).to_owned();
    assert_eq!(place("drift_places", 0), "trajectory_groups[0].trajectories[0].messages_and_choices[1]");
    assert_eq!(place("drift_places", 1), "trajectory_groups[0].trajectories[1].messages_and_choices[1]");
    assert_eq!(started["dropped"], json!({"outside_vocabulary": 1, "too_few_trajectories": 1}));
    assert_eq!(place("dropped_places", 0), "trajectory_groups[0].trajectories[2]");
    assert!(
        text(&started["dropped_places"][0]["reason"]).contains("messages_and_choices[1].token_ids[0]: token 4000000")
    );
    assert_eq!(place("dropped_places", 1), "trajectory_groups[1]");
    assert_eq!(steps.len(), 3);
    steps.iter().for_each(assert_exact);
}

/// Parts of a stream that the client library's helper keeps: the entries of `logprobs` and the text, choice by choice.
fn put_together(chunks: &[Value], index: usize) -> Value {
    let (mut entries, mut content, mut finish) = (Vec::new(), String::new(), Value::Null);
    for choice in chunks.iter().map(|chunk| &chunk["choices"][index]) {
        entries.extend(choice["logprobs"]["content"].as_array().cloned().unwrap_or_default());
        content += choice["delta"]["content"].as_str().unwrap_or_default();
        finish = choice["finish_reason"].clone();
    }
    json!({"finish_reason": finish, "index": index, "logprobs": {"content": entries, "refusal": null},
        "message": {"role": "assistant", "content": content, "refusal": null}})
}

#[tokio::test]
async fn streamed_rollouts_carry_their_prompts_too() {
    let service = TestService::start().await;
    let model = service.model("agent").await;
    let question = json!({"role": "user", "content": "yes, no or maybe?"});
    let mut body =
        json!({"model": model.name, "messages": [question], "n": 2, "seed": 7, "temperature": 1, "max_tokens": 6});
    let streamed = chunks(&service, body.clone()).await;
    let members = [0, 1].map(|index| {
        let choice = put_together(&streamed, index);
        json!({"messages_and_choices": [{"role": "user", "content": "edited since"}, choice], "reward": index as f64})
    });
    let (started, steps) = train(&service, &model, json!([{"trajectories": members}]), 0.0).await;
    assert_eq!(counts(&started["drift"]), [&json!(0); 5], "{started}");
    assert_eq!(steps.len(), 2);
    steps.iter().for_each(assert_exact);
    // Nothing of it where it is not wanted.
    body["return_token_ids"] = json!(false);
    let whole = service.post(CHAT, &body).await.ok();
    assert!(!whole.to_string().contains("token_ids"), "{whole}");
    assert!(chunks(&service, body).await.iter().all(|chunk| !chunk.to_string().contains("token_ids")));
}

/// Asks as [`ask`] does, and keeps request and response as a client captures them.
async fn capture(
    service: &TestService,
    model: &str,
    messages: &[Value],
    extra: Value,
    captured: &mut Vec<Value>,
) -> Vec<Value> {
    let mut request =
        json!({"model": model, "messages": messages, "tools": tools(), "temperature": 1, "max_tokens": 12});
    request.as_object_mut().expect("an object").extend(extra.as_object().expect("an object").clone());
    let response = service.post(CHAT, &request).await.ok();
    let time = format!("2026-11-22T19:{:02}:{:02}.5Z", captured.len() / 60, captured.len() % 60);
    captured
        .push(json!({"start_time": time, "end_time": time, "request": request, "response": response, "model": model}));
    response["choices"].as_array().expect("choices").clone()
}

/// A captured rollout: a tool call, two answers to its result of which one is continued, and the word of another model.
async fn captured_rollout(service: &TestService, model: &str, seed: u64) -> Value {
    let mut captured = Vec::new();
    let mut messages = vec![json!({"role": "user", "content": "the weather?"})];
    let required = json!({"seed": seed, "tool_choice": "required", "max_tokens": 60});
    let call = capture(service, model, &messages, required, &mut captured).await.remove(0);
    let id = call["message"]["tool_calls"][0]["id"].clone();
    messages.extend([call["message"].clone(), json!({"role": "tool", "tool_call_id": id, "content": "sunny ☃"})]);
    let answers = capture(service, model, &messages, json!({"seed": seed, "n": 2}), &mut captured).await;
    messages.extend([answers[1]["message"].clone(), json!({"role": "user", "content": "sure?"})]);
    capture(service, model, &messages, json!({"seed": seed}), &mut captured).await;
    capture(service, "trainyard/seedling", &messages, json!({"seed": seed}), &mut captured).await;
    captured.reverse();
    json!({"exchanges": {"chat_completions": captured}, "metrics": {"duration": 0.5}})
}

#[tokio::test]
async fn captured_rollouts_are_trained_on_exactly_the_tokens_that_were_sampled() {
    let service = TestService::start().await;
    let model = service.model("agent").await;
    for (round, learning_rate) in [1e-3, 0.0].into_iter().enumerate() {
        // The plain name and the name of the step are one model.
        let step = format!("{}:step{round}", model.name);
        let mut members = vec![
            captured_rollout(&service, &model.name, 1).await,
            captured_rollout(&service, &step, 2).await,
            captured_rollout(&service, &model.name, 3).await,
        ];
        // The first has reward 0, which clients do not send.
        members[1]["reward"] = json!(1.0);
        members[2]["reward"] = json!(4.0);
        let sampled: u64 = members
            .iter()
            .flat_map(|member| member["exchanges"]["chat_completions"].as_array().expect("a list"))
            .filter(|exchange| exchange["model"] != "trainyard/seedling")
            .flat_map(|exchange| exchange["response"]["choices"].as_array().expect("choices"))
            .map(|choice| choice["token_ids"].as_array().expect("ids").len() as u64)
            .sum();
        let failed = json!({"exceptions": [{"type": "TimeoutError", "message": "", "traceback": ""}]});
        let (started, steps) = train(&service, &model, json!([{"trajectories": members}, failed]), learning_rate).await;
        assert_eq!(started["dropped"], json!({"no_trajectories": 1}), "{started}");
        assert_eq!(started["num_groups_submitted"], 2);
        assert_eq!(counts(&started["drift"]), [&json!(0); 5], "{started}");
        let trained: f64 = steps.iter().map(|step| step["row/num_trained_tokens"].as_f64().expect("a number")).sum();
        // Two answers to one prompt may begin alike; what they share is trained once.
        assert!(trained > 0.5 * sampled as f64 && trained <= sampled as f64, "{trained} of {sampled}");
        assert!(steps.len() >= 2 * 3, "a branch for each of two answers");
        assert_exact(&steps[0]);
        if learning_rate == 0.0 {
            steps.iter().for_each(assert_exact);
        }
    }
}

#[tokio::test]
async fn a_trajectory_is_captured_or_written_down_and_not_both() {
    let service = TestService::start().await;
    let model = service.model("agent").await;
    let captured = captured_rollout(&service, &model.name, 1).await;
    let written = service.rollouts(&model.name, "yes, no or maybe?", &[0.5]).await["trajectories"][0].clone();
    let job =
        |trajectories: Value| json!({"model_id": model.id, "trajectory_groups": [{"trajectories": trajectories}]});
    let mut both = captured.clone();
    both["messages_and_choices"] = written["messages_and_choices"].clone();
    let rejected = service.post("/v1/preview/training-jobs", &job(json!([written, both]))).await;
    let error = rejected.rejected(422);
    assert_eq!(error["param"], "trajectory_groups[0].trajectories[1]", "{error}");
    // In one group each is read by its own rules; a trajectory of neither counts in the mean.
    let mut good = captured;
    good["reward"] = json!(1.0);
    let (started, steps) = train(&service, &model, json!([{"trajectories": [good, written, {}]}]), 1e-3).await;
    assert_eq!(started["dropped"], json!({"mean_reward": 1, "nothing_trained": 1}), "{started}");
    assert!(steps.len() >= 2);
}

#[tokio::test]
async fn captured_rollouts_without_token_ids_are_left_out_with_their_place() {
    let service = TestService::start().await;
    let model = service.model("agent").await;
    let mut members = Vec::new();
    for (seed, reward) in [(1, 0.0), (2, 1.0), (3, 2.5), (4, 5.0)] {
        let mut member = captured_rollout(&service, &model.name, seed).await;
        member["reward"] = json!(reward);
        members.push(member);
    }
    // In order of time the first exchange is the last of the list.
    for (member, field) in [(0, "prompt_token_ids"), (1, "logprobs")] {
        let response = &mut members[member]["exchanges"]["chat_completions"][3]["response"];
        response.as_object_mut().expect("a response").remove(field);
        response["choices"][0].as_object_mut().expect("a choice").remove(field);
    }
    for exchange in members[2]["exchanges"]["chat_completions"].as_array_mut().expect("a list") {
        exchange["model"] = json!("openai/some-judge");
    }
    let (started, _) = train(&service, &model, json!([{"trajectories": members}]), 0.0).await;
    let dropped = json!({"exchange_without_logprobs": 1, "exchange_without_token_ids": 1, "other_models_only": 1});
    assert_eq!(started["dropped"], dropped, "{started}");
    let reason = text(&started["dropped_places"][0]["reason"]);
    assert!(reason.starts_with("exchanges.chat_completions[3].response.choices[0]: the response has no"), "{reason}");
}

#[tokio::test]
async fn groups_and_trajectories_are_read_as_they_are_trained() {
    let service = TestService::start().await;
    let model = service.model("agent").await;
    let mut groups = vec![group(&service, &model.name, 1).await, group(&service, &model.name, 9).await];
    for trajectory in groups[1]["trajectories"].as_array_mut().expect("a list") {
        trajectory["reward"] = json!(1);
    }
    let unknown = json!({"trajectories": [
        {"messages_and_choices": [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}], "reward": 2},
        {"messages_and_choices": [{"role": "user", "content": "q"}, {"role": "assistant", "content": "b"}], "reward": 4},
        {"messages_and_choices": [{"role": "user", "content": "q"}, {"role": "assistant", "content": "c"}], "reward": 3},
    ]});
    groups.push(unknown);
    let job = service.start_rl(&model, json!(groups), json!({"scale_rewards": false})).await;
    let path = format!("/v1/preview/training-jobs/{job}/groups");

    let page = service.get(&format!("{path}?limit=2")).await.ok();
    assert_eq!((&page["first_id"], &page["last_id"], &page["has_more"]), (&json!("0"), &json!("1"), &json!(true)));
    let first = &page["data"][0];
    assert_eq!(first["rewards"], json!([0.0, 0.25, 2.0]));
    assert_eq!(first["advantages"], json!([-0.75, -0.5, 1.25]), "the reward less the mean");
    assert_eq!((&first["reward_mean"], &first["dropped"]), (&json!(0.75), &Value::Null));
    assert_eq!(first["num_trajectories"], 3);
    let equal = &page["data"][1];
    assert_eq!((&equal["advantages"], &equal["reward_deviation"]), (&json!([null, null, null]), &json!(0.0)));
    assert_eq!(equal["dropped"]["code"], "equal_rewards");
    assert_eq!(equal["dropped"]["place"], "trajectory_groups[1]");
    let rest = service.get(&format!("{path}?after=1")).await.ok();
    assert_eq!((rest["data"].as_array().map(Vec::len), &rest["has_more"]), (Some(1), &json!(false)));
    assert_eq!(rest["data"][0]["advantages"], json!([-1.0, 1.0, null]));
    assert_eq!(service.get(&format!("{path}?after=2")).await.ok()["data"], json!([]));

    let read = service.get(&format!("{path}/0/trajectories")).await.ok();
    for (trajectory, sent) in
        read["data"].as_array().expect("a list").iter().zip(groups[0]["trajectories"].as_array().expect("a list"))
    {
        assert_eq!(trajectory["reward"].as_f64(), sent["reward"].as_f64());
        assert_eq!((&trajectory["dropped"], &trajectory["omitted_sequences"]), (&json!([]), &json!(0)));
        let items = trajectory["items"].as_array().expect("items");
        assert_eq!(items.len(), sent["messages_and_choices"].as_array().expect("items").len());
        assert!(items.iter().all(|item| item.get("token_ids").is_none() && item.get("logprobs").is_none()));
        // Each sampled token is there once, with the log-probability that it was sampled with.
        let sampled = sent["messages_and_choices"].as_array().expect("items").iter();
        let sampled = sampled.flat_map(|item| item["logprobs"]["content"].as_array().into_iter().flatten());
        let mut sampled: Vec<f32> = sampled.map(|entry| entry["logprob"].as_f64().expect("a number") as f32).collect();
        let mut trained = Vec::new();
        for sequence in trajectory["sequences"].as_array().expect("sequences") {
            let column = |name: &str| sequence[name].as_array().expect("a column").clone();
            let (ids, texts, mask, logprobs) =
                (column("token_ids"), column("texts"), column("trained"), column("logprobs"));
            assert!([texts.len(), mask.len(), logprobs.len()] == [ids.len(); 3], "{sequence}");
            let whole: String = texts.iter().map(text).collect();
            assert!(whole.contains("be brief") && whole.contains("the weather?"), "{whole}");
            for (logprob, is_trained) in logprobs.iter().zip(&mask) {
                assert_eq!(logprob.is_number(), is_trained == &json!(true), "{sequence}");
                trained.extend(logprob.as_f64().map(|logprob| logprob as f32));
            }
        }
        sampled.sort_by(f32::total_cmp);
        trained.sort_by(f32::total_cmp);
        assert_eq!(trained, sampled);
    }
    let one = service.get(&format!("{path}/0/trajectories?limit=1&after=0")).await.ok();
    assert_eq!((&one["first_id"], &one["has_more"]), (&json!("1"), &json!(true)));
    let without = service.get(&format!("{path}/2/trajectories")).await.ok();
    let codes = |trajectory: &Value| -> Vec<String> {
        trajectory["dropped"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|remark| text(&remark["code"]).to_owned())
            .collect()
    };
    assert_eq!(codes(&without["data"][0]), ["nothing_trained"]);
    assert_eq!(codes(&without["data"][2]), ["mean_reward", "nothing_trained"]);
    assert_eq!(service.get(&format!("{path}/3/trajectories")).await.status, 404);
    assert_eq!(service.get(&format!("{path}/x/trajectories")).await.status, 404);
    let supervised = service.start_sft(&model, &[], Value::Null).await;
    assert_eq!(service.get(&format!("/v1/preview/training-jobs/{supervised}/groups")).await.status, 404);
    service.stop().await;
}
