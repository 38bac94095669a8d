//! The generated client against the generated server, over a socket.

use axum::body::Body;
use axum::http::{Request, StatusCode};
use futures_util::StreamExt;
use serde_json::{Value, json};
use tower::ServiceExt;
use trainyard::client::{self, ClientError};
use trainyard::generated::types;
use trainyard::http::{ErrorReport, OperationId};
use trainyard::json::Verbatim;

use super::double::{self, FAILING_MODEL, ID, KEY, serve};
use super::requests::{self, Things};
use super::specification::{Seen, judge, rows};
use crate::support::http;

const TRAINING_JOB_BODY: &str = include_str!("fixtures/training_job_body.json");

fn completion_request(model: &str) -> types::ChatCompletionRequest {
    let body =
        json!({"model": model, "messages": [{"role": "user", "content": "hi", "zebra": null, "apple": 1}], "knob": 3});
    serde_json::from_value(body).expect("a request")
}

#[tokio::test]
async fn every_operation_goes_through() {
    let base = serve().await;
    let client = client::connect(&base, KEY).unwrap();
    let create = types::ModelCreate {
        base_model: "b".into(),
        entity: None,
        name: "naïve ☃".into(),
        project: "p".into(),
        return_existing: Some(true),
        training_method: None,
        lora: None,
        extra: Default::default(),
    };
    let model = client.create_model(&create).await.unwrap();
    assert_eq!((model.entity.as_str(), model.name.as_str(), &model.run_id), ("acme", "naïve ☃", &None));
    assert_eq!(client.delete_model(ID).await.unwrap().deleted_checkpoints, 1);

    let page = client.list_checkpoints(ID).after(ID).limit(7).order(types::SortOrder::Desc).await.unwrap();
    assert_eq!(page.first_id, format!("7 desc Some({ID:?})"));
    let page = client.list_checkpoints(ID).await.unwrap();
    assert_eq!(page.first_id, "20 asc None", "the defaults of the document");
    let nothing = types::DeleteCheckpointsRequest { steps: vec![], allow_latest: None };
    let deleted = client.delete_checkpoints(ID, &nothing).await.unwrap();
    assert_eq!((deleted.deleted_count, &deleted.not_found_steps[..]), (1, &[2][..]), "the example of the document");

    let job: types::CreateTrainingJob = serde_json::from_str(TRAINING_JOB_BODY).unwrap();
    let job = types::CreateTrainingJob { model_id: ID.into(), ..job };
    assert_eq!(client.create_training_job(&job).await.unwrap().id, ID);
    let log = types::LogRequest {
        model_id: None,
        split: "val".into(),
        trajectory_groups: job.trajectory_groups.unwrap_or_default(),
    };
    let logged = client.log_trajectories(ID, &log).await.unwrap();
    assert_eq!((logged.logged_groups, logged.logged_trajectories), (1, 2));
    let sft = types::CreateSftTrainingJob {
        config: Some(types::SftTrainingConfig {
            batch_size: Some(types::BatchSize::Integer(4)),
            learning_rate: Some(types::LearningRate::Array(vec![1e-4, 1e-5])),
            ..Default::default()
        }),
        experimental_config: None,
        model_id: ID.into(),
        name: None,
        tags: None,
        training_data_url: "file:///data.jsonl".into(),
    };
    assert_eq!(client.create_sft_training_job(&sft).await.unwrap().status, Some(types::TrainingJobStatus::Queued));
    assert_eq!(client.get_training_job(ID).await.unwrap().id, ID);
    let events = client.list_training_job_events(ID).await.unwrap();
    assert_eq!(events.data[0].data["num_gradient_steps"], 0);

    assert_eq!(client.check_key().await.unwrap().status, types::HealthStatus::Ok);
    assert_eq!(client.health().await.unwrap()["status"], "ok");
    let models = client.list_inference_models().vendor_project("team/project").await.unwrap();
    assert_eq!(models.data[0].owned_by, "team/project");
}

#[tokio::test]
async fn a_message_arrives_as_it_was_written() {
    let client = client::connect(&serve().await, KEY).unwrap();
    let completion = client.create_chat_completion(&completion_request("m")).await.unwrap();
    let text = completion.choices[0].message.content.clone().unwrap();
    assert_eq!(
        serde_json::from_str::<Value>(&text).unwrap(),
        json!({"role": "user", "content": "hi", "zebra": null, "apple": 1})
    );
}

#[test]
fn tools_and_schemas_keep_the_order_of_their_keys() {
    let tool = r#"{"type":"function","function":{"parameters":{"z":1,"a":{"y":1,"b":2}},"name":"f","later":null}}"#;
    let text = format!(r#"{{"model":"m","messages":[{{"role":"user","content":"x"}}],"tools":[{tool}]}}"#);
    let request: types::ChatCompletionRequest = serde_json::from_str(&text).unwrap();
    let tools = request.tools.unwrap();
    assert_eq!(tools[0].text(), tool);
    assert_eq!(tools[0].typed().function.name, "f");
}

#[test]
fn requests_of_a_real_client_survive_the_types() {
    let original: Value = serde_json::from_str(TRAINING_JOB_BODY).unwrap();
    let typed: types::CreateTrainingJob = serde_json::from_str(TRAINING_JOB_BODY).unwrap();
    let again = serde_json::to_value(&typed).unwrap();
    let messages = "/trajectory_groups/0/trajectories/1/messages_and_choices";
    assert_eq!(again.pointer(messages), original.pointer(messages));
    let histories = "/trajectory_groups/0/trajectories/1/additional_histories/0/messages_and_choices/1";
    assert_eq!(again.pointer(histories), original.pointer(histories));
    let config = typed.experimental_config.unwrap();
    assert_eq!((config.ppo, config.epsilon_high, config.learning_rate), (Some(true), None, Some(1e-5)));
}

#[test]
fn a_choice_goes_back_as_training_material() {
    let item: types::MessageOrChoice = Verbatim::of(&double::choice("hello")).unwrap();
    let back: types::Choice = item.read().unwrap();
    assert_eq!(back, double::choice("hello"));
    assert!(types::MessageOrChoice::of(&5).is_err(), "only objects");
}

#[tokio::test]
async fn chunks_arrive_one_by_one() {
    let client = client::connect(&serve().await, KEY).unwrap();
    let chunks: Vec<_> = client.stream_chat_completion(&completion_request("m")).await.unwrap().collect().await;
    let texts: Vec<_> =
        chunks.into_iter().map(|chunk| chunk.unwrap().choices[0].delta.content.clone().unwrap()).collect();
    assert_eq!(texts, ["one\r\n", " two\n\n☃"]);
}

#[tokio::test]
async fn an_error_ends_a_stream() {
    let client = client::connect(&serve().await, KEY).unwrap();
    let chunks: Vec<_> =
        client.stream_chat_completion(&completion_request(FAILING_MODEL)).await.unwrap().collect().await;
    assert_eq!(chunks.len(), 2);
    assert!(chunks[0].is_ok());
    let message = chunks[1].as_ref().unwrap_err().to_string();
    assert!(message.contains("on our side") && !message.contains("cache"), "{message}");
}

#[tokio::test]
async fn rejections_keep_their_status_and_place() {
    let base = serve().await;
    let client = client::connect(&base, KEY).unwrap();
    let rejected = |error: ClientError| match error {
        ClientError::Rejected(rejection) => {
            let detail = rejection.detail.expect("the service's words");
            (rejection.status, detail.param, detail.code)
        }
        other => panic!("{other}"),
    };
    let error = client.create_chat_completion(&completion_request("none")).await.unwrap_err();
    assert_eq!(rejected(error), (404, Some("model".into()), Some("model_not_found".into())));
    let error = client.stream_chat_completion(&completion_request("none")).await.err().unwrap();
    assert_eq!(rejected(error), (404, Some("model".into()), Some("model_not_found".into())));
    let error = client.delete_model("gone").await.unwrap_err();
    assert_eq!(rejected(error).0, 404);
    let stranger = client::connect(&base, "another-key").unwrap();
    assert_eq!(stranger.check_key().await.unwrap_err().status(), Some(401));
    // A documented answer that is not the error body keeps its status, and its text becomes the message.
    let error = client.check_system().await.unwrap_err();
    assert_eq!(error.status(), Some(503));
    assert!(error.to_string().contains("no worker"), "{error}");
    let nobody = client::connect("http://127.0.0.1:1", KEY).unwrap();
    let error = nobody.create_chat_completion(&completion_request("m")).await.unwrap_err();
    assert!(matches!(error, ClientError::Transport(_)), "{error}");
}

#[tokio::test]
async fn an_answer_names_its_operation_and_its_cause() {
    let ask = |method: &str, path: &str, body: &str| {
        let request = Request::builder().method(method).uri(path).header("authorization", format!("Bearer {KEY}"));
        double::router().oneshot(request.body(Body::from(body.to_owned())).unwrap())
    };
    let answer = ask("POST", "/v1/chat/completions/", "{}").await.unwrap();
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(answer.extensions().get(), Some(&OperationId("create_chat_completion")));
    let report: &ErrorReport = answer.extensions().get().unwrap();
    assert!(
        report.message.contains("model is missing") || report.message.contains("messages is missing"),
        "{report:?}"
    );
    let answer = ask("GET", "/health", "").await.unwrap();
    assert_eq!(answer.extensions().get(), Some(&OperationId("read_root_health_get")));
}

/// Every response of the double is what the document says, to a reader that only has the document.
#[tokio::test]
async fn answers_keep_to_the_document() {
    let base = serve().await;
    let http = http();
    let ids = [(); 11].map(|()| ID.to_owned());
    let [
        model_id,
        job_id,
        rl_job_id,
        waiting_job_id,
        file_id,
        log_id,
        session_id,
        response_id,
        key_id,
        model_name,
        data_url,
    ] = ids;
    let entity = "acme".to_owned();
    let things = Things {
        model_id,
        job_id,
        rl_job_id,
        waiting_job_id,
        model_name,
        data_url,
        file_id,
        log_id,
        response_id,
        session_id,
        key_id,
        entity,
        ..Things::absent()
    };
    for row in rows() {
        let asked = requests::about(row, &things);
        let request = http.request(row.method.parse().unwrap(), format!("{base}{}", asked.path)).bearer_auth(KEY);
        // There is no middleware around the double that would give an id.
        let answer = asked.on(request).send().await.unwrap();
        let status = answer.status().as_u16();
        let expected = if row.id.contains("system_check") { 503 } else { 200 };
        let mut headers: Vec<_> = answer.headers().keys().map(|name| header(&answer, name.as_str())).collect();
        headers.push(("x-request-id".to_owned(), "none".to_owned()));
        let body = answer.bytes().await.unwrap();
        assert_eq!(status, expected, "{}: {}", row.id, String::from_utf8_lossy(&body));
        let seen = Seen { method: &row.method, path: &asked.path, status, headers, body: &body };
        assert!(judge(&seen).unwrap_or_else(|fault| panic!("{}: {fault}", row.id)).is_some());
    }
}

fn header(answer: &reqwest::Response, name: &str) -> (String, String) {
    (name.to_owned(), answer.headers()[name].to_str().expect("ASCII").to_owned())
}
