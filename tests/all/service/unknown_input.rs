//! Names that the service does not know: rejected with what was probably meant, or named in a warning.

use reqwest::Method;
use reqwest::header::HeaderMap;
use serde_json::{Value, json};

use crate::support::{SEEDLING, TestService, row, text};

const RL: &str = "/v1/preview/training-jobs";
const SFT: &str = "/v1/preview/sft-training-jobs";
const CHAT: &str = "/v1/chat/completions";

/// A request that must be rejected for this place, with the name that was meant.
async fn slip(service: &TestService, path: &str, body: Value, place: &str, meant: &str) {
    let error = service.post(path, &body).await.rejected(422);
    assert_eq!((&error["param"], &error["code"]), (&json!(place), &json!("unknown_parameter")), "{error}");
    let expected = format!("did you mean `{meant}`?");
    assert!(text(&error["message"]).contains(&expected), "{error}");
}

/// Status, headers and body of an answer.
async fn whole(service: &TestService, path: &str, body: &Value) -> (u16, HeaderMap, String) {
    let answer = service.request(Method::POST, path).json(body).send().await.expect("an answer");
    (answer.status().as_u16(), answer.headers().clone(), answer.text().await.expect("a body"))
}

fn warnings(headers: &HeaderMap) -> Option<&str> {
    headers.get("x-trainyard-warnings").map(|value| value.to_str().expect("ASCII"))
}

#[tokio::test]
async fn a_misspelt_option_of_training_is_rejected_with_the_name_that_was_meant() {
    let service = TestService::start().await;
    let model = service.model("agent").await;
    let rl = |config: Value| json!({ "model_id": model.id, "trajectory_groups": [], "experimental_config": config });
    let sft =
        |config: Value| json!({ "model_id": model.id, "training_data_url": "https://x.example", "config": config });
    let options = "experimental_config";
    for (option, meant) in [
        ("learning_rat", "learning_rate"),
        ("learningRate", "learning_rate"),
        ("kl_penalty_coeff", "kl_penalty_coef"),
        ("normalise_advantages", "normalize_advantages"),
    ] {
        slip(&service, RL, rl(json!({ option: 1 })), &format!("{options}.{option}"), meant).await;
    }
    slip(&service, SFT, sft(json!({ "batchsize": 4 })), "config.batchsize", "batch_size").await;
    let nested = json!({ "metric_logging": { "evry": 4 } });
    slip(&service, SFT, sft(nested), "config.metric_logging.evry", "every").await;
    let mut body = rl(json!({}));
    body["experimental_confg"] = json!({ "learning_rate": 1 });
    slip(&service, RL, body, "experimental_confg", "experimental_config").await;
    let mut body = sft(json!({}));
    body["training_data_uri"] = json!("x");
    slip(&service, SFT, body, "training_data_uri", "training_data_url").await;
    // What resembles nothing is rejected as well, with all there is.
    let error = service.post(RL, &rl(json!({ "loss_fn_config": {} }))).await.rejected(422);
    assert_eq!(error["param"], "experimental_config.loss_fn_config");
    assert!(text(&error["message"]).contains("`learning_rate`"), "{error}");
    let mut body = sft(json!({}));
    body["experimental_config"] = json!({ "learning_rate": 1 });
    assert_eq!(service.post(SFT, &body).await.rejected(422)["param"], "experimental_config.learning_rate");
    assert_eq!(service.get(RL).await.ok()["data"], json!([]), "no job was made");
    // A null asks for nothing: clients send every option that they know so.
    let nothing = rl(json!({ "learning_rat": null, "future_option": null, "learning_rate": null }));
    let job = service.post(RL, &nothing).await.ok();
    assert_eq!(job.get("warnings"), None, "{job}");
    service.finished(text(&job["id"])).await;
    service.stop().await;
}

#[tokio::test]
async fn options_without_effect_are_named_by_the_job_for_as_long_as_it_is_known() {
    let service = TestService::start().await;
    let model = service.model("agent").await;
    let config = json!({ "save_checkpoint": true, "optimizer_save_interval": 5, "plot_tensors": false });
    let body = json!({ "model_id": model.id, "trajectory_groups": [], "experimental_config": config });
    let named = |job: &Value| -> Vec<String> {
        let warnings = job["warnings"].as_array().expect("warnings").iter();
        let of_options = warnings.filter(|warning| warning["code"] == "ignored_option");
        of_options.map(|warning| text(&warning["message"]).to_owned()).collect()
    };
    let dry = service.post(&format!("{RL}?dry_run=true"), &body).await.ok();
    let job = service.post(RL, &body).await.ok();
    let id = text(&job["id"]).to_owned();
    service.finished(&id).await;
    let service = service.restart().await;
    let later = service.get(&format!("{RL}/{id}")).await.ok();
    for job in [&dry, &job, &later] {
        let named = named(job);
        assert_eq!(named.len(), 2, "{job}");
        assert!(named[0].contains("`optimizer_save_interval`") && named[1].contains("`save_checkpoint`"), "{job}");
    }
    service.stop().await;
}

#[tokio::test]
async fn chat_rejects_slips_and_names_what_it_ignores() {
    let service = TestService::start().await;
    let ask = |extra: Value| {
        let mut body =
            json!({ "model": SEEDLING, "messages": [{ "role": "user", "content": "red?" }], "max_tokens": 2 });
        body.as_object_mut().expect("an object").extend(extra.as_object().expect("an object").clone());
        body
    };
    for (field, value, meant) in [
        ("temprature", json!(0), "temperature"),
        ("max_new_tokens", json!(1), "max_tokens"),
        ("maxTokens", json!(1), "max_tokens"),
        ("bad_word", json!(["x"]), "bad_words"),
        ("servicetier", json!("x"), "service_tier"),
    ] {
        slip(&service, CHAT, ask(json!({ field: value })), field, meant).await;
    }
    let nested = ask(json!({ "stream": true, "stream_options": { "include_usge": true } }));
    slip(&service, CHAT, nested, "stream_options.include_usge", "include_usage").await;
    let nested = ask(json!({ "structured_outputs": { "choices": ["a"] } }));
    slip(&service, CHAT, nested, "structured_outputs.choices", "choice").await;
    // Where an ignored key would change the answer, it is rejected whatever it looks like.
    let format = json!({ "type": "json_object", "grammar": "root ::= object" });
    let error = service.post(CHAT, &ask(json!({ "response_format": format }))).await.rejected(422);
    assert_eq!((&error["param"], &error["code"]), (&json!("response_format.grammar"), &json!("unknown_parameter")));
    service.post(CHAT, &ask(json!({ "response_format": { "type": "text", "json_schema": null } }))).await.ok();
    // As ART 0.5.23 asks, and what others send.
    let art = ask(json!({
        "return_token_ids": true, "return_tokens_as_token_ids": true, "nvext": { "extra_fields": ["engine_data"] },
        "chat_template_kwargs": { "preserve_thinking": true },
    }));
    let (status, headers, text) = whole(&service, CHAT, &art).await;
    assert_eq!((status, warnings(&headers)), (200, Some("ignored: nvext")), "{text}");
    let plain = ask(json!({ "store": false, "user": null, "temprature": null, "return_tokens_as_token_ids": true }));
    let (status, headers, text) = whole(&service, CHAT, &plain).await;
    assert_eq!((status, warnings(&headers)), (200, None), "{text}");
    let many = ask(json!({
        "stream": true, "stream_options": { "include_usage": true, "include_obfuscation": true }, "user": "x",
        "future\r\nx-evil": 1,
    }));
    let (status, headers, text) = whole(&service, CHAT, &many).await;
    let named = "ignored: user, future%0D%0Ax-evil, stream_options.include_obfuscation";
    assert_eq!((status, warnings(&headers), headers.get("x-evil")), (200, Some(named), None), "{text}");
    let crowd: serde_json::Map<String, Value> = (0..300).map(|index| (format!("k{index}"), json!(1))).collect();
    service.post(CHAT, &ask(crowd.into())).await.rejected(422);
    service.stop().await;
}

#[tokio::test]
async fn other_requests_are_held_to_the_same() {
    let service = TestService::start().await;
    let create = |extra: Value| {
        let mut body = json!({ "project": "tests", "name": "agent", "base_model": SEEDLING, "return_existing": true });
        body.as_object_mut().expect("an object").extend(extra.as_object().expect("an object").clone());
        body
    };
    let models = "/v1/preview/models";
    slip(&service, models, create(json!({ "return_exsting": true })), "return_exsting", "return_existing").await;
    slip(&service, models, create(json!({ "lora": { "rnk": 4 } })), "lora.rnk", "rank").await;
    let (status, headers, text) = whole(&service, models, &create(json!({ "future_field": { "a": 1 } }))).await;
    assert_eq!((status, warnings(&headers)), (200, Some("ignored: future_field")), "{text}");
    let model = service.post(models, &create(json!({}))).await.ok();
    let id = crate::support::text(&model["id"]);
    let log = json!({ "split": "val", "trajectory_groups": [], "splt": "x" });
    slip(&service, &format!("{models}/{id}/log"), log, "splt", "split").await;
    let copy = json!({ "type": "copy", "model_id": id, "step": 0, "stp": 1 });
    slip(&service, &format!("{models}/{id}/add-checkpoint"), copy, "stp", "step").await;
    // A parameter of the query too: a dry run that is misspelt would be a real one.
    let sft = json!({ "model_id": id, "training_data_url": "https://x.example" });
    slip(&service, &format!("{SFT}?dryrun=true"), sft, "dryrun", "dry_run").await;
    let error = service.get("/v1/preview/models?page=2").await.rejected(422);
    assert_eq!((&error["param"], &error["code"]), (&json!("page"), &json!("unknown_parameter")), "{error}");
    // Whoever checks for health may ask as is customary there.
    service.get("/health?probe=1").await.ok();
    service.stop().await;
}

#[tokio::test]
async fn a_job_with_nothing_to_learn_says_why_at_its_end() {
    let service = TestService::start().await;
    let model = service.model("agent").await;
    let equal = service.rollouts(&model.name, "up?", &[0.5, 0.5]).await;
    let lonely = service.rollouts(&model.name, "one?", &[1.0]).await;
    let rl = service.start_rl(&model, json!([equal, lonely]), json!({})).await;
    let silent = json!({ "messages": [{ "role": "user", "content": "nobody answers" }] });
    let sft = service.start_sft(&model, &[silent], json!({})).await;
    for (job, reasons) in [(rl, &["too_few_trajectories", "equal_rewards"][..]), (sft, &["dropped_rows"])] {
        let events = service.finished(&job).await;
        let end = &events.last().expect("an end")["data"];
        assert_eq!(end["num_trained_tokens"], 0);
        let state = service.get(&format!("{RL}/{job}")).await.ok();
        assert_eq!((&state["status"], &state["warnings"]), (&json!("succeeded"), &end["findings"]));
        let codes: Vec<&str> =
            end["findings"].as_array().expect("findings").iter().map(|finding| text(&finding["code"])).collect();
        assert!(reasons.iter().chain(&["nothing_to_learn"]).all(|reason| codes.contains(reason)), "{codes:?}");
    }
    // One that learned from all it was given has nothing to say.
    let job = service.start_sft(&model, &[row("red?", "blue")], json!({})).await;
    let events = service.finished(&job).await;
    assert_eq!(events.last().expect("an end")["data"].get("findings"), None);
    assert_eq!(service.get(&format!("{RL}/{job}")).await.ok().get("warnings"), None);
    service.stop().await;
}
