//! Metrics of a job's and of a model's optimizer steps, as columns and as CSV.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Model, TestService, row, text};

/// Trains a model for as many steps; the job and the metrics of its events.
async fn train(service: &TestService, model: &Model, steps: usize) -> (String, Vec<Value>) {
    let rows: Vec<Value> = (0..steps).map(|number| row("count", &format!("to {number}"))).collect();
    let job = service.start_sft(model, &rows, json!({ "batch_size": 1, "learning_rate": 1e-4 })).await;
    let events = service.finished(&job).await;
    let steps = events.iter().filter(|event| event["type"] == "gradient_step");
    (job, steps.map(|event| event["data"].clone()).collect())
}

fn column<'a>(metrics: &'a Value, name: &str) -> &'a Value {
    let columns = metrics["metrics"].as_array().expect("columns");
    columns.iter().find(|column| column["name"] == name).unwrap_or_else(|| panic!("no {name} in {metrics}"))
}

fn numbers(values: &Value) -> Vec<f64> {
    values.as_array().expect("a list").iter().map(|value| value.as_f64().expect("a number")).collect()
}

#[tokio::test]
async fn columns_have_every_step_or_means_with_their_range() {
    let service = TestService::start().await;
    let model = service.model("agent").await;
    let (job, steps) = train(&service, &model, 10).await;
    let path = format!("/v1/preview/training-jobs/{job}/metrics");
    let losses: Vec<f64> = steps.iter().map(|step| step["loss/train"].as_f64().expect("a loss")).collect();

    let all = service.get(&path).await.ok();
    assert_eq!((&all["num_steps"], numbers(&all["steps"])), (&json!(10), (1..=10).map(f64::from).collect()));
    let loss = column(&all, "loss/train");
    assert_eq!(numbers(&loss["values"]), losses);
    assert_eq!((loss.get("min"), loss.get("max")), (None, None), "each point is a step");
    let names: Vec<&str> = all["metrics"].as_array().expect("columns").iter().map(|it| text(&it["name"])).collect();
    let known: Vec<&String> = steps[0].as_object().expect("metrics").keys().collect();
    assert_eq!(names, known);
    let tokens: f64 = steps.iter().map(|step| step["num_trainable_tokens"].as_f64().expect("a number")).sum();
    assert_eq!(numbers(&all["tokens"]).last(), Some(&tokens));
    assert!(numbers(&all["times"]).is_sorted());
    let after = format!("/v1/preview/training-jobs/{job}/events?after={}", text(&all["last_event_id"]));
    let followed = service.get(&after).await.ok();
    assert_eq!(followed["data"][0]["type"], "training_ended", "the id is that of the last step");

    let thinned = service.get(&format!("{path}?name=loss/train&points=3")).await.ok();
    assert_eq!(thinned["metrics"].as_array().map(Vec::len), Some(1));
    assert_eq!(numbers(&thinned["steps"]), [4.0, 7.0, 10.0]);
    let loss = column(&thinned, "loss/train");
    for (point, range) in [0..4, 4..7, 7..10].into_iter().enumerate() {
        let steps = &losses[range];
        let mean = steps.iter().sum::<f64>() / steps.len() as f64;
        assert!((numbers(&loss["values"])[point] - mean).abs() < 1e-12);
        assert_eq!(numbers(&loss["min"])[point], steps.iter().copied().fold(f64::INFINITY, f64::min));
        assert_eq!(numbers(&loss["max"])[point], steps.iter().copied().fold(f64::NEG_INFINITY, f64::max));
    }
    let part = service.get(&format!("{path}?name=loss/train&first_step=3&last_step=5")).await.ok();
    assert_eq!((numbers(&part["steps"]), &part["num_steps"]), (vec![3.0, 4.0, 5.0], &json!(10)));
    assert_eq!(numbers(&column(&part, "loss/train")["values"]), losses[2..5]);
    assert_eq!(numbers(&part["tokens"]), numbers(&all["tokens"])[2..5], "tokens count from the first step");
    let beyond = service.get(&format!("{path}?first_step=11")).await.ok();
    assert_eq!((&beyond["steps"], &beyond["num_steps"]), (&json!([]), &json!(10)));
    let swapped = service.get(&format!("{path}?first_step=5&last_step=3")).await.rejected(422);
    assert_eq!(swapped["param"], "last_step");
    let absent = service.get(&format!("{path}?name=absent&points=2")).await.ok();
    assert_eq!(column(&absent, "absent")["values"], json!([null, null]));
    service.stop().await;
}

#[tokio::test]
async fn a_model_has_one_curve_over_its_jobs() {
    let service = TestService::start().await;
    let model = service.model("agent").await;
    let (first, first_steps) = train(&service, &model, 3).await;
    // A failed job changes no weights.
    let rows = [row("a", "b"), row("c", "d")];
    let failed = service.start_sft(&model, &rows, json!({ "learning_rate": 1e30, "batch_size": 1 })).await;
    service.finished(&failed).await;
    let failed = service.get(&format!("/v1/preview/training-jobs/{failed}")).await.ok();
    assert_eq!(failed["error"]["code"], "diverged", "{failed}");
    let (second, second_steps) = train(&service, &model, 2).await;
    let path = format!("/v1/preview/models/{}/metrics", model.id);
    let curve = service.get(&path).await.ok();
    assert_eq!((&curve["num_steps"], numbers(&curve["steps"])), (&json!(5), vec![1.0, 2.0, 3.0, 4.0, 5.0]));
    let losses = first_steps.iter().chain(&second_steps).map(|step| step["loss/train"].as_f64().expect("a loss"));
    assert_eq!(numbers(&column(&curve, "loss/train")["values"]), losses.collect::<Vec<_>>());
    let marks = json!([
        {"training_job_id": first, "kind": "sft", "first_step": 1, "num_steps": 3, "checkpoint": 1},
        {"training_job_id": second, "kind": "sft", "first_step": 4, "num_steps": 2, "checkpoint": 2},
    ]);
    assert_eq!(curve["jobs"], marks);
    let empty = service.model("other").await;
    let none = service.get(&format!("/v1/preview/models/{}/metrics", empty.id)).await.ok();
    assert_eq!((&none["num_steps"], &none["jobs"], &none["metrics"]), (&json!(0), &json!([]), &json!([])));

    // The rewards of an RL job are those of all its trajectories.
    let trained = service.rollouts(&model.name, "yes?", &[0.0, 2.0]).await;
    let equal = service.rollouts(&model.name, "no?", &[3.0, 3.0]).await;
    let rl = service.start_rl(&model, json!([trained, equal]), json!({ "packed_sequence_length": 512 })).await;
    let events = service.finished(&rl).await;
    let rewards = json!({ "reward/mean": 2.0, "reward/std": 1.5_f64.sqrt(), "reward/zero_signal": 0.5 });
    for (name, value) in rewards.as_object().expect("metrics") {
        let steps: Vec<&Value> = events.iter().filter(|event| event["type"] == "gradient_step").collect();
        assert!(!steps.is_empty() && steps.iter().all(|step| step["data"][name] == *value), "{name}: {events:?}");
        let checkpoint = service.get(&format!("/v1/preview/models/{}/checkpoints/3", model.id)).await.ok();
        assert_eq!(checkpoint["metrics"][name], *value);
    }
    let curve = service.get(&format!("{path}?name=reward/mean")).await.ok();
    assert_eq!(column(&curve, "reward/mean")["values"].as_array().and_then(|values| values.last()), Some(&json!(2.0)));
    let curve = service.get(&format!("{path}?name=loss/train&points=1")).await.ok();
    let mark = &curve["jobs"][2];
    assert_eq!((&mark["training_job_id"], &mark["rewards"]["mean"]), (&json!(rl), &json!(2.0)));
    assert_eq!((&mark["share_without_signal"], &mark["checkpoint"]), (&json!(0.5), &json!(3)));
    assert!(mark["completion_tokens"]["mean"].as_f64() > Some(0.0), "{mark}");
    service.stop().await;
}

#[tokio::test]
async fn tables_have_a_row_for_each_step() {
    let service = TestService::start().await;
    let model = service.model("agent").await;
    let (job, steps) = train(&service, &model, 3).await;
    let csv = async |path: &str| {
        let request = service.request(Method::GET, path).header("accept", "text/csv");
        let response = request.send().await.expect("a response");
        assert_eq!(response.headers()["content-type"], "text/csv");
        response.text().await.expect("text").lines().map(str::to_owned).collect::<Vec<String>>()
    };
    let lines = csv(&format!("/v1/preview/training-jobs/{job}/metrics?name=loss/train&name=absent")).await;
    assert_eq!((lines.len(), lines[0].as_str()), (4, "step,tokens,time,loss/train,absent"));
    for (number, (line, step)) in lines[1..].iter().zip(&steps).enumerate() {
        let cells: Vec<&str> = line.split(',').collect();
        assert_eq!((cells[0], cells[4]), ((number + 1).to_string().as_str(), ""));
        assert_eq!(cells[3].parse::<f64>().ok(), step["loss/train"].as_f64());
    }
    let all = csv(&format!("/v1/preview/training-jobs/{job}/metrics")).await;
    assert_eq!(all[0].split(',').count(), 3 + steps[0].as_object().expect("metrics").len());
    let of_model = csv(&format!("/v1/preview/models/{}/metrics?name=loss/train", model.id)).await;
    assert_eq!(of_model[0], "training_job_id,step,tokens,time,loss/train");
    assert!(of_model[3].starts_with(&format!("{job},3,")), "{of_model:?}");
    let waiting = service.model("other").await;
    let none = csv(&format!("/v1/preview/models/{}/metrics", waiting.id)).await;
    assert_eq!(none, ["training_job_id,step,tokens,time"]);
    service.stop().await;
}

#[tokio::test]
async fn manifests_are_listed_by_step() {
    let service = TestService::start().await;
    let model = service.model("agent").await;
    train(&service, &model, 1).await;
    train(&service, &model, 1).await;
    let path = format!("/v1/preview/models/{}/manifests", model.id);
    let first = service.get(&format!("{path}?limit=2")).await.ok();
    assert_eq!((&first["first_id"], &first["last_id"], &first["has_more"]), (&json!("0"), &json!("1"), &json!(true)));
    let rest = service.get(&format!("{path}?limit=2&after=1")).await.ok();
    assert_eq!((&rest["data"][0]["step"], &rest["has_more"]), (&json!(2), &json!(false)));
    let alone = service.get(&format!("/v1/preview/models/{}/checkpoints/2/manifest", model.id)).await.ok();
    assert_eq!(rest["data"], json!([alone]));
    service.stop().await;
}
