//! Supervised jobs in the format of OpenAI's fine-tuning API.

use std::process::Command;

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{SEEDLING, TestService, answer, row, text};
use crate::time_limits::Limited;

const JOBS: &str = "/v1/fine_tuning/jobs";
/// A learning rate at which the built-in model learns a new answer, as a multiple of the default.
const FAST: f64 = 100.0;

fn lines(rows: &[Value]) -> String {
    rows.iter().map(|row| format!("{row}\n")).collect()
}

async fn upload(service: &TestService, rows: &[Value]) -> String {
    service.upload("fine-tune", "rows.jsonl", lines(rows)).await
}

async fn create(service: &TestService, body: Value) -> Value {
    service.post(JOBS, &body).await.ok()
}

/// Asks for a job until it has ended.
async fn ended(service: &TestService, job: &Value) -> Value {
    let path = format!("{JOBS}/{}", text(&job["id"]));
    for _ in 0..6000 {
        let job = service.get(&path).await.ok();
        if ["succeeded", "failed", "cancelled"].contains(&text(&job["status"])) {
            return job;
        }
        assert!(["queued", "validating_files", "running"].contains(&text(&job["status"])), "{job}");
        assert_eq!(
            (&job["finished_at"], &job["fine_tuned_model"], &job["trained_tokens"]),
            (&Value::Null, &Value::Null, &Value::Null)
        );
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("the job did not end")
}

/// All items of a listing, two a page.
async fn all(service: &TestService, path: &str) -> Vec<Value> {
    let mut items: Vec<Value> = Vec::new();
    loop {
        let after = items.last().map(|item| format!("&after={}", text(&item["id"]))).unwrap_or_default();
        let page = service.get(&format!("{path}?limit=2{after}")).await.ok();
        let data = page["data"].as_array().expect("a page");
        assert!(data.len() <= 2 && (page["has_more"] == false || data.len() == 2), "{page}");
        items.extend(data.iter().cloned());
        if page["has_more"] == false {
            return items;
        }
    }
}

async fn said(service: &TestService, model: &Value, prompt: &str) -> String {
    let options = json!({ "temperature": 0, "max_tokens": 12 });
    let completion = service.chat(text(model), prompt, options).await;
    text(&completion["choices"][0]["message"]["content"]).to_owned()
}

#[tokio::test]
async fn a_file_becomes_a_model_that_answers() {
    let service = TestService::start().await;
    let file = upload(&service, &[row("what is the code word", "the quick brown fox"), row("hello", "world")]).await;
    let options = json!({ "n_epochs": 20, "batch_size": 1, "learning_rate_multiplier": FAST });
    let job = create(
        &service,
        json!({ "model": SEEDLING, "training_file": file, "suffix": "my words", "seed": 7, "metadata": {"team": "x"},
                "method": {"type": "supervised", "supervised": {"hyperparameters": options}} }),
    )
    .await;
    assert!(text(&job["id"]).starts_with("ftjob-") && job["object"] == "fine_tuning.job", "{job}");
    let done = ended(&service, &job).await;
    assert_eq!(done["status"], "succeeded", "{done}");
    let name = text(&done["fine_tuned_model"]);
    let unique = &text(&job["id"])[text(&job["id"]).len() - 12..];
    assert_eq!(name, format!("wandb-artifact:///acme/fine-tuning/my-words-{unique}:step1"));
    assert_eq!(said(&service, &done["fine_tuned_model"], "what is the code word").await, "the quick brown fox");
    for (field, value) in [
        ("model", json!(SEEDLING)),
        ("organization_id", json!("acme")),
        ("training_file", json!(file)),
        ("validation_file", Value::Null),
        ("hyperparameters", options.clone()),
        ("method", json!({"type": "supervised", "supervised": {"hyperparameters": options}})),
        ("result_files", json!([])),
        ("seed", json!(7)),
        ("error", Value::Null),
        ("metadata", json!({"team": "x"})),
        ("user_provided_suffix", json!("my words")),
    ] {
        let same =
            |left: &Value, right: &Value| left == right || left.as_f64().is_some_and(|l| Some(l) == right.as_f64());
        let equal = match (&done[field], &value) {
            (Value::Object(found), Value::Object(wanted)) if field == "hyperparameters" => {
                found.len() == wanted.len() && found.iter().all(|(key, found)| same(found, &wanted[key]))
            }
            (found, _) if field == "method" => {
                found["type"] == "supervised" && found["supervised"]["hyperparameters"] == done["hyperparameters"]
            }
            (found, wanted) => found == wanted,
        };
        assert!(equal, "{field}: {}", done[field]);
    }
    let native = service.get(&format!("/v1/preview/training-jobs/{}", uuid_of(&job))).await.ok();
    assert_eq!((&native["kind"], &native["trained_tokens"]), (&json!("sft"), &done["trained_tokens"]));
    assert_eq!((&native["config"]["epochs"], &native["config"]["learning_rate"]), (&json!(20), &json!(5e-3)));

    let events = all(&service, &format!("{JOBS}/{}/events", text(&job["id"]))).await;
    assert_eq!(events.len(), 42, "start, two batches in twenty epochs, end");
    assert_eq!(text(&events[0]["message"]), format!("the job has succeeded; the new model is {name}"));
    assert_eq!(text(&events[41]["message"]), "training has started: optimizer steps: 40, rows: 2");
    for (index, event) in events[1..41].iter().enumerate() {
        assert_eq!(
            (&event["type"], &event["object"], &event["level"]),
            (&json!("metrics"), &json!("fine_tuning.job.event"), &json!("info"))
        );
        assert_eq!(
            (&event["data"]["step"], &event["data"]["total_steps"]),
            (&json!(40 - index), &json!(40)),
            "newest first"
        );
        assert!(event["data"]["train_loss"].is_f64() && event["data"].get("valid_loss").is_none(), "{event}");
    }
    let checkpoints = all(&service, &format!("{JOBS}/{}/checkpoints", text(&job["id"]))).await;
    assert_eq!(checkpoints.len(), 1);
    assert_eq!(checkpoints[0]["fine_tuned_model_checkpoint"], done["fine_tuned_model"]);
    assert_eq!((&checkpoints[0]["step_number"], &checkpoints[0]["fine_tuning_job_id"]), (&json!(40), &job["id"]));
    assert!(checkpoints[0]["metrics"]["train_loss"].as_f64().is_some_and(|loss| loss > 0.0), "{}", checkpoints[0]);
    let after = format!("{JOBS}/{}/checkpoints?after={}", text(&job["id"]), text(&checkpoints[0]["id"]));
    assert_eq!(service.get(&after).await.ok()["data"], json!([]));
    service.stop().await;
}

/// The id of a job as the other API writes it.
fn uuid_of(job: &Value) -> String {
    let digits = text(&job["id"]).strip_prefix("ftjob-").expect("a prefix");
    digits.parse::<uuid::Uuid>().expect("a UUID").to_string()
}

#[tokio::test]
async fn a_validation_file_is_scored_and_not_trained() {
    let service = TestService::start().await;
    let rows = [row("red?", "blue"), row("up?", "down")];
    let file = upload(&service, &rows).await;
    let held_out =
        upload(&service, &[row("red?", "green"), json!({"messages": [{"role": "user", "content": "?"}]})]).await;
    let options = json!({ "n_epochs": 2, "batch_size": 1, "learning_rate_multiplier": FAST });
    let body = json!({ "model": SEEDLING, "training_file": file, "hyperparameters": options });
    let with = |extra: Value| {
        let mut body = body.clone();
        body.as_object_mut().expect("an object").extend(extra.as_object().expect("an object").clone());
        body
    };
    let plain = ended(&service, &create(&service, body.clone()).await).await;
    let job = create(&service, with(json!({ "validation_file": held_out }))).await;
    let done = ended(&service, &job).await;
    assert_eq!((&done["status"], &done["validation_file"]), (&json!("succeeded"), &json!(held_out)), "{done}");
    assert_eq!(done["trained_tokens"], plain["trained_tokens"]);
    let [with_file, without] = [&done, &plain].map(|job| text(&job["fine_tuned_model"]).to_owned());
    let tokens = [service.first_tokens(&with_file, "red?").await, service.first_tokens(&without, "red?").await];
    assert_eq!(tokens[0], tokens[1], "validation changes nothing");
    let events = all(&service, &format!("{JOBS}/{}/events", text(&job["id"]))).await;
    let losses: Vec<f64> = events.iter().filter_map(|event| event["data"]["valid_loss"].as_f64()).collect();
    assert_eq!(losses.len(), 4, "after each of four steps");
    let last = &events[events.len() - 1];
    assert_eq!(last["level"], "warn", "a row without an answer is left out: {last}");
    assert_eq!(last["data"]["dropped_rows"], json!([{"line": 2, "reason": "no_assistant_turn", "file": "validation"}]));
    let checkpoint = &all(&service, &format!("{JOBS}/{}/checkpoints", text(&job["id"]))).await[0];
    assert_eq!(checkpoint["metrics"]["valid_loss"].as_f64(), losses.first().copied());
    // The loss is the trainer's on that row: a job that learns nothing from it says the same before its first step.
    let native = service.events(&uuid_of(&job)).await;
    let before = native[1]["data"]["loss/val_before"].as_f64().expect("a loss");
    let alone = upload(&service, &[row("red?", "green")]).await;
    let once = with(json!({ "training_file": alone, "hyperparameters": {"n_epochs": 1} }));
    let alone = create(&service, once).await;
    ended(&service, &alone).await;
    let first = service.events(&uuid_of(&alone)).await[1]["data"]["loss/train"].as_f64().expect("a loss");
    assert!((first - before).abs() < 1e-6, "{first} {before}");

    let broken = service.upload("fine-tune", "broken.jsonl", format!("{}{{\n", lines(&rows))).await;
    let failed = ended(&service, &create(&service, with(json!({ "validation_file": broken }))).await).await;
    assert_eq!((&failed["status"], &failed["fine_tuned_model"]), (&json!("failed"), &Value::Null));
    assert_eq!(failed["error"]["param"], "validation_file");
    let message = text(&failed["error"]["message"]);
    assert!(message.starts_with("line 3 of the validation data is not valid JSON"), "{message}");

    // A job that validated on a file can be verified and run again, also when the file is gone.
    service.send(Method::DELETE, &format!("/v1/files/{held_out}"), None).await.ok();
    let data = service.directory.path().join("data");
    let model = service.get(&format!("/v1/preview/training-jobs/{}", uuid_of(&job))).await.ok()["model_id"].clone();
    for arguments in [["verify", text(&model)], ["replay", &uuid_of(&job)]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_trainyard"));
        command.args(arguments).arg("--data-dir").arg(&data);
        let output = tokio::task::spawn_blocking(move || command.output_limited()).await.expect("no panic");
        let told = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
        assert!(output.status.success(), "{arguments:?}: {told}");
    }
    service.stop().await;
}

#[tokio::test]
async fn a_trained_model_is_gone_on_from_in_a_new_one() {
    let service = TestService::start().await;
    let file = upload(&service, &[row("red?", "blue"), row("up?", "down")]).await;
    let options = json!({ "n_epochs": 2, "learning_rate_multiplier": FAST });
    let first = create(&service, json!({ "model": SEEDLING, "training_file": file, "hyperparameters": options })).await;
    let first = ended(&service, &first).await;
    let name = text(&first["fine_tuned_model"]).to_owned();
    let before = service.first_tokens(&name, "red?").await;
    let body = json!({ "model": name, "training_file": file, "hyperparameters": options });
    let second = ended(&service, &create(&service, body).await).await;
    assert_eq!((&second["status"], &second["model"]), (&json!("succeeded"), &json!(name)), "{second}");
    let continued = text(&second["fine_tuned_model"]).to_owned();
    assert!(continued.ends_with(":step2") && continued.split(':').nth(1) != name.split(':').nth(1), "{continued}");
    // Step 1 is where it began, and the older model is as it was.
    let start = continued.replace(":step2", ":step1");
    assert_eq!(service.first_tokens(&start, "red?").await, before);
    assert_ne!(service.first_tokens(&continued, "red?").await, before);
    assert_eq!(service.first_tokens(name.trim_end_matches(":step1"), "red?").await, before);
    // The optimizer goes on too: two jobs of one model give what one model and its successor give.
    let model = service.model("twice").await;
    for _ in 0..2 {
        let config = json!({ "epochs": 2, "learning_rate": 5e-3 });
        let body = json!({ "model_id": model.id, "training_data_url": file, "config": config });
        let job = service.post("/v1/preview/sft-training-jobs", &body).await.ok();
        service.finished(text(&job["id"])).await;
    }
    assert_eq!(service.first_tokens(&model.name, "red?").await, service.first_tokens(&continued, "red?").await);
    service.stop().await;
}

#[tokio::test]
async fn unsupported_options_are_rejected_by_name_and_leave_no_model() {
    let service = TestService::start().await;
    let file = upload(&service, &[row("red?", "blue")]).await;
    let other = service.upload("user_data", "rows.jsonl", "{}").await;
    let model = service.model("mine").await;
    let absent = format!("file-{}", uuid::Uuid::new_v4().simple());
    let body = |extra: Value| {
        let mut body = json!({ "model": SEEDLING, "training_file": file });
        body.as_object_mut().expect("an object").extend(extra.as_object().expect("an object").clone());
        body
    };
    let long_key = "k".repeat(65);
    let many: Value = (0..17).map(|key| (key.to_string(), json!("v"))).collect::<serde_json::Map<_, _>>().into();
    for (extra, status, param, part) in [
        (json!({ "model": "nobody/knows" }), 404, "model", "no model"),
        (json!({ "model": "gpt-4o-mini" }), 404, "model", "no model"),
        (json!({ "model": "wandb-artifact:///rival/tests/mine" }), 404, "model", "no model"),
        (json!({ "model": model.at(9) }), 404, "model", "no model"),
        (json!({ "training_file": absent }), 422, "training_file", "no such file"),
        (json!({ "training_file": "https://data.example.com/x" }), 422, "training_file", "no such file"),
        (json!({ "training_file": other }), 422, "training_file", "another purpose"),
        (json!({ "validation_file": absent }), 422, "validation_file", "no such file"),
        (json!({ "validation_file": other }), 422, "validation_file", "another purpose"),
        (json!({ "method": {"type": "dpo", "dpo": {}} }), 422, "method.type", "dpo"),
        (json!({ "method": {"type": "reinforcement"} }), 422, "method.type", "reinforcement"),
        (json!({ "method": {"type": "grpo"} }), 422, "method.type", "supervised"),
        (
            json!({ "integrations": [{"type": "wandb", "wandb": {"project": "p"}}] }),
            422,
            "integrations",
            "not supported",
        ),
        (json!({ "hyperparameters": {"n_epochs": 0} }), 422, "hyperparameters.n_epochs", "1"),
        (json!({ "hyperparameters": {"n_epochs": 1001} }), 422, "hyperparameters.n_epochs", "1000"),
        (json!({ "hyperparameters": {"batch_size": 0} }), 422, "hyperparameters.batch_size", "1"),
        (
            json!({ "hyperparameters": {"learning_rate_multiplier": 0} }),
            422,
            "hyperparameters.learning_rate_multiplier",
            "0",
        ),
        (json!({ "suffix": "x".repeat(65) }), 422, "suffix", "64"),
        (json!({ "metadata": {long_key: "v"} }), 422, "metadata", "64"),
        (json!({ "metadata": many }), 422, "metadata", "16"),
    ] {
        let error = service.post(JOBS, &body(extra.clone())).await.rejected(status);
        assert_eq!(error["param"], param, "{extra}: {error}");
        assert!(text(&error["message"]).contains(part), "{extra}: {error}");
    }
    let models = service.get("/v1/preview/models?project=fine-tuning").await.ok();
    assert_eq!(models["data"], json!([]));
    assert_eq!(service.get(JOBS).await.ok()["data"], json!([]));
    for action in ["pause", "resume"] {
        let path = format!("{JOBS}/ftjob-{}/{action}", uuid::Uuid::new_v4().simple());
        service.post(&path, &json!({})).await.rejected(404);
    }
    service.stop().await;
}

#[tokio::test]
async fn jobs_are_those_of_the_entity_whichever_api_created_them() {
    let service = TestService::start().await;
    let file = upload(&service, &[row("red?", "blue")]).await;
    let model = service.model("mixed").await;
    let native = service.start_sft(&model, &[row("up?", "down")], json!({ "learning_rate": [1e-4] })).await;
    let rl = service.start_rl(&model, json!([]), json!(null)).await;
    let mut created = Vec::new();
    for _ in 0..3 {
        let job = create(&service, json!({ "model": SEEDLING, "training_file": file })).await;
        created.insert(0, text(&ended(&service, &job).await["id"]).to_owned());
    }
    service.finished(&rl).await;
    let listed = all(&service, JOBS).await;
    let ids: Vec<&str> = listed.iter().map(|job| text(&job["id"])).collect();
    assert_eq!(ids[..3], created, "newest first");
    assert_eq!(uuid_of(&listed[3]), native);
    assert_eq!(ids.len(), 4, "the RL job is none of them");
    let shown = service.get(&format!("{JOBS}/{native}")).await.ok();
    assert_eq!(shown, listed[3], "either form of the id names it");
    assert_eq!((&shown["model"], &shown["fine_tuned_model"]), (&json!(SEEDLING), &json!(model.at(1))));
    assert_eq!(shown["hyperparameters"].get("learning_rate_multiplier"), None);
    assert!(text(&shown["training_file"]).starts_with("file:///"), "{shown}");
    for path in [rl.clone(), format!("ftjob-{}", rl.replace('-', "")), "ftjob-x".to_owned(), "x".to_owned()] {
        for part in ["", "/events", "/checkpoints"] {
            service.get(&format!("{JOBS}/{path}{part}")).await.rejected(404);
        }
        service.post(&format!("{JOBS}/{path}/cancel"), &json!({})).await.rejected(404);
    }
    // To another entity there are none.
    for part in ["", "/events", "/checkpoints"] {
        let path = format!("{JOBS}/{}{part}", created[0]);
        service.send_as(&service.rival_key, Method::GET, &path, None).await.rejected(404);
    }
    let cancel = format!("{JOBS}/{}/cancel", created[0]);
    service.send_as(&service.rival_key, Method::POST, &cancel, None).await.rejected(404);
    let theirs = service.send_as(&service.rival_key, Method::GET, JOBS, None).await.ok();
    assert_eq!(theirs["data"], json!([]));
    let body = json!({ "model": SEEDLING, "training_file": file });
    let error = service.send_as(&service.rival_key, Method::POST, JOBS, Some(&body)).await.rejected(422);
    assert_eq!(error["param"], "training_file");
    let foreign = format!("{JOBS}?after=ftjob-{}", uuid::Uuid::new_v4().simple());
    assert_eq!(service.get(&foreign).await.rejected(422)["param"], "after");
    service.stop().await;
}

#[tokio::test]
async fn a_create_that_is_repeated_makes_one_model_and_one_job() {
    let service = TestService::start().await;
    let file = upload(&service, &[row("red?", "blue")]).await;
    let body = json!({ "model": SEEDLING, "training_file": file });
    let create = |body: Value| service.request(Method::POST, JOBS).header("Idempotency-Key", "once").json(&body);
    let first = answer(create(body.clone())).await.ok();
    ended(&service, &first).await;
    // Also when the file is gone since.
    service.send(Method::DELETE, &format!("/v1/files/{file}"), None).await.ok();
    let again = create(body.clone()).send().await.expect("an answer");
    assert_eq!(again.headers()["idempotency-replayed"], "true");
    let again: Value = again.json().await.expect("JSON");
    assert_eq!((&again["id"], &again["status"]), (&first["id"], &json!("succeeded")));
    let models = service.get("/v1/preview/models?project=fine-tuning").await.ok();
    assert_eq!(models["data"].as_array().map(Vec::len), Some(1));
    let other = answer(create(json!({ "model": SEEDLING, "training_file": file, "suffix": "other" }))).await;
    assert_eq!(other.rejected(422)["param"], "Idempotency-Key");
    service.stop().await;
}

#[tokio::test]
async fn a_job_is_cancelled_and_a_failed_one_says_why() {
    let service = TestService::start().await;
    let many: Vec<Value> = (0..200).map(|_| row("count", "one two three four five six seven eight nine ten")).collect();
    let file = upload(&service, &many).await;
    let job =
        create(&service, json!({ "model": SEEDLING, "training_file": file, "hyperparameters": {"n_epochs": 500} }))
            .await;
    let cancel = format!("{JOBS}/{}/cancel", text(&job["id"]));
    let cancelled = service.post(&cancel, &json!({})).await.ok();
    assert_eq!((&cancelled["status"], &cancelled["error"]), (&json!("cancelled"), &Value::Null), "{cancelled}");
    assert!(cancelled["finished_at"].is_i64() && cancelled["trained_tokens"].is_u64(), "{cancelled}");
    assert_eq!(service.post(&cancel, &json!({})).await.ok(), cancelled, "once more is as it is");
    let events = service.get(&format!("{JOBS}/{}/events", text(&job["id"]))).await.ok();
    assert_eq!((&events["data"][0]["level"], &events["data"][0]["type"]), (&json!("warn"), &json!("message")));
    assert_eq!(all(&service, &format!("{JOBS}/{}/checkpoints", text(&job["id"]))).await, [json!(null); 0]);

    let broken = upload(&service, &[row("red?", "blue"), json!({ "prompt": "red?", "completion": "blue" })]).await;
    let failed = ended(&service, &create(&service, json!({ "model": SEEDLING, "training_file": broken })).await).await;
    let message = "line 2 of the training data: `messages` is missing";
    assert_eq!(
        failed["error"],
        json!({ "code": "invalid_training_data", "message": message, "param": "training_file" })
    );
    let events = service.get(&format!("{JOBS}/{}/events", text(&failed["id"]))).await.ok();
    assert_eq!((&events["data"][0]["level"], &events["data"][0]["message"]), (&json!("error"), &json!(message)));
    let rejected = service.post(&format!("{JOBS}/{}/cancel", text(&failed["id"])), &json!({})).await.rejected(409);
    assert_eq!(rejected["type"], "conflict_error");
    service.stop().await;
}

#[tokio::test]
async fn rows_of_openais_format_are_honoured_or_rejected() {
    let service = TestService::start().await;
    // What a message of weight 0 says is not learned.
    let weighted = |weight: u8| {
        json!({ "messages": [
            { "role": "user", "content": "red?" }, { "role": "assistant", "content": "blue", "weight": weight },
            { "role": "user", "content": "up?" }, { "role": "assistant", "content": "down", "weight": 1 },
        ], "parallel_tool_calls": false })
    };
    let mut tokens = Vec::new();
    for weight in [0, 1] {
        let file = upload(&service, &[weighted(weight)]).await;
        let job =
            create(&service, json!({ "model": SEEDLING, "training_file": file, "hyperparameters": {"n_epochs": 1} }))
                .await;
        let done = ended(&service, &job).await;
        assert_eq!(done["status"], "succeeded", "{done}");
        tokens.push(done["trained_tokens"].as_u64().expect("a count"));
    }
    assert!(0 < tokens[0] && tokens[0] < tokens[1], "{tokens:?}");
    let asked = json!({ "role": "user", "content": "red?" });
    for (row, part) in [
        (
            json!({ "messages": [asked, {"role": "assistant", "function_call": {"name": "f", "arguments": "{}"}}] }),
            "function_call",
        ),
        (
            json!({ "messages": [asked, {"role": "assistant", "content": "blue"}], "functions": [{"name": "f"}] }),
            "functions",
        ),
        (json!({ "messages": [asked, {"role": "assistant", "content": "blue", "weight": 2}] }), "weight"),
    ] {
        let file = upload(&service, &[row]).await;
        let failed =
            ended(&service, &create(&service, json!({ "model": SEEDLING, "training_file": file })).await).await;
        assert!(
            text(&failed["error"]["message"]).contains(&format!("`{part}`"))
                || text(&failed["error"]["message"]).contains(&format!(".{part}`")),
            "{failed}"
        );
    }
    service.stop().await;
}
