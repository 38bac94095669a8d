//! Jobs on learners that a Ray cluster starts: the cluster and its learners are doubles. `tests/ray` runs the real ones.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use trainyard::server::{LaunchOptions, LearnerServers};

use crate::ray::FakeRay;
use crate::support::{Model, TestService, row, text};

/// Time in which something happens that waits for nothing.
const AT_ONCE: Duration = Duration::from_secs(5);

fn rows() -> Vec<Value> {
    (0..6).map(|number| row(&format!("question {number}"), ["yes", "no", "maybe"][number % 3])).collect()
}

fn trainers(ray: &FakeRay, key_file: Option<&std::path::Path>) -> LearnerServers {
    let launch = LaunchOptions { gpus: 2, python: "/opt/python".to_owned(), ..LaunchOptions::default() };
    let key_file = key_file.map(ToOwned::to_owned);
    LearnerServers::parse(&[ray.trainer()], key_file.as_ref(), &launch, None).expect("valid")
}

async fn service(ray: &FakeRay) -> (TestService, Model) {
    let service = TestService::start_with(|settings| settings.trainers = trainers(ray, None)).await;
    let model = service.model("agent").await;
    (service, model)
}

async fn start(service: &TestService, model: &Model) -> String {
    service.start_sft(model, &rows(), json!({ "batch_size": 2, "learning_rate": 1e-3 })).await
}

async fn job(service: &TestService, id: &str) -> Value {
    service.get(&format!("/v1/preview/training-jobs/{id}")).await.ok()
}

/// Waits until a job says that it waits, with these words.
async fn waiting(service: &TestService, id: &str, words: &str) -> Value {
    eventually(async || {
        let job = job(service, id).await;
        job["waiting_for"]["message"].as_str().is_some_and(|reason| reason.contains(words)).then_some(job)
    })
    .await
}

/// Waits until something is the case.
async fn eventually<T>(mut look: impl AsyncFnMut() -> Option<T>) -> T {
    let begin = Instant::now();
    loop {
        if let Some(found) = look().await {
            return found;
        }
        assert!(begin.elapsed() < Duration::from_secs(60), "it never is");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Waits for the end of a job that succeeds, and returns its events.
async fn succeeded(service: &TestService, id: &str) -> Vec<Value> {
    let events = service.finished(id).await;
    assert_eq!(events.last().expect("an end")["type"], "training_ended", "{events:?}");
    events
}

/// The values of the steps without the speed.
fn losses(events: &[Value]) -> Vec<Value> {
    let steps = events.iter().filter(|event| event["type"] == "gradient_step");
    steps.map(|event| json!([event["data"]["loss/train"], event["data"]["loss/grad_norm"]])).collect()
}

#[tokio::test]
async fn a_learner_is_started_once_and_serves_the_next_job() {
    let ray = FakeRay::start();
    let (service, model) = service(&ray).await;
    let embedded = TestService::start().await;
    let beside = embedded.model("agent").await;
    let expected = losses(&succeeded(&embedded, &start(&embedded, &beside).await).await);

    let events = succeeded(&service, &start(&service, &model).await).await;
    assert_eq!(losses(&events), expected, "the engine is behind both");
    let id = start(&service, &model).await;
    succeeded(&service, &id).await;
    assert_eq!(job(&service, &id).await.get("waiting_for"), None);
    let jobs = ray.jobs();
    assert!(matches!(&jobs[..], [(name, "RUNNING")] if name.ends_with("-1")), "{jobs:?}");
    eventually(async || (ray.sessions() == 0).then_some(())).await;

    let [submission] = &ray.submissions()[..] else { panic!("one submission") };
    let command = text(&submission["entrypoint"]);
    assert!(
        command.starts_with("exec /opt/python -m torch.distributed.run --standalone --nproc-per-node 2 -m"),
        "{command}"
    );
    assert!(command.contains("--model seedling --dtype auto --host auto --idle 600"), "{command}");
    assert_eq!((&submission["entrypoint_num_gpus"], &submission["entrypoint_num_cpus"]), (&json!(2), &json!(0)));
    assert_eq!(submission["metadata"]["trainyard_base_model"], "trainyard/seedling");
    assert_eq!(ray.packages().len(), 1);
    assert_eq!(ray.count("PUT", ".zip"), 1);
}

#[tokio::test]
async fn a_killed_learner_is_replaced_and_a_lost_head_waited_for() {
    let ray = FakeRay::start();
    let (service, model) = service(&ray).await;
    succeeded(&service, &start(&service, &model).await).await;
    ray.kill_learners();
    succeeded(&service, &start(&service, &model).await).await;
    let states: Vec<_> = ray.jobs().into_iter().map(|(_, status)| status).collect();
    assert_eq!(states, ["FAILED", "RUNNING"], "a number is used once");

    ray.change(|behaviour| behaviour.fails = true);
    ray.replace_head();
    let id = start(&service, &model).await;
    let state = waiting(&service, &id, "status 500").await;
    assert_eq!(state["status"], "running");
    ray.change(|behaviour| behaviour.fails = false);
    succeeded(&service, &id).await;
    assert_eq!(job(&service, &id).await.get("waiting_for"), None);
    assert!(matches!(&ray.jobs()[..], [(_, "RUNNING")]), "the package was stored again: {:?}", ray.jobs());
}

#[tokio::test]
async fn a_job_without_gpus_says_so_and_is_cancelled_at_once() {
    let ray = FakeRay::start();
    ray.change(|behaviour| behaviour.full = true);
    let (service, model) = service(&ray).await;
    let id = start(&service, &model).await;
    let state = waiting(&service, &id, "waiting for resources").await;
    assert_eq!(state["status"], "running");
    // Ray gives it up, and the job goes on to wait under the next number.
    ray.give_up_pending();
    eventually(async || (ray.jobs().len() == 2).then_some(())).await;

    // Nothing answers now, and the job is not held up by that.
    ray.change(|behaviour| behaviour.hangs = true);
    tokio::time::sleep(Duration::from_secs(3)).await;
    let begin = Instant::now();
    let cancelled = service.post(&format!("/v1/preview/training-jobs/{id}/cancel"), &json!({})).await.ok();
    assert_eq!((&cancelled["status"], cancelled.get("waiting_for")), (&json!("cancelled"), None));
    let next = start(&service, &model).await;
    eventually(async || (job(&service, &next).await["status"] == "running").then_some(())).await;
    assert!(begin.elapsed() < AT_ONCE, "{:?}", begin.elapsed());
    ray.change(|behaviour| (behaviour.hangs, behaviour.full) = (false, false));
    // The last number waits as before; it is the first worker's again.
    ray.give_up_pending();
    succeeded(&service, &next).await;
    assert_eq!(ray.jobs().last().map(|(_, status)| *status), Some("RUNNING"));
}

#[tokio::test]
async fn a_job_that_began_on_a_learner_waits_for_one_and_says_so() {
    let ray = FakeRay::start();
    let (service, model) = service(&ray).await;
    let rows: Vec<_> = (0..200).map(|number| row(&format!("question {number}"), "maybe")).collect();
    let id = service.start_sft(&model, &rows, json!({ "batch_size": 1, "learning_rate": 1e-3 })).await;
    eventually(async || (job(&service, &id).await["progress"]["steps"].as_u64()? > 2).then_some(())).await;
    // The engine's worker leaves it, and trains another model.
    let service = service.restart_with(|settings| settings.trainers = LearnerServers::default()).await;
    let state = waiting(&service, &id, "its base model and a learner (--trainer").await;
    assert_eq!((&state["status"], &state["trainer"]), (&json!("queued"), &json!("learner")), "{state}");
    let other = service.model("other").await;
    succeeded(&service, &start(&service, &other).await).await;
    waiting(&service, &id, "its base model and a learner").await;
    let service = service.restart_with(|settings| settings.trainers = trainers(&ray, None)).await;
    let events = succeeded(&service, &id).await;
    assert_eq!(losses(&events).len(), 200, "each step once");
    assert_eq!(job(&service, &id).await.get("waiting_for"), None);
}

#[tokio::test]
async fn a_name_that_is_used_and_an_answer_that_is_lost_lead_to_one_learner() {
    let ray = FakeRay::start();
    ray.change(|behaviour| behaviour.lost_answers = 1);
    let (service, model) = service(&ray).await;
    succeeded(&service, &start(&service, &model).await).await;
    let [(name, "RUNNING")] = &ray.jobs()[..] else { panic!("{:?}", ray.jobs()) };
    ray.replace_head();
    ray.use_name(name);
    succeeded(&service, &start(&service, &model).await).await;
    let jobs = ray.jobs();
    let second = name.strip_suffix("-1").map(|prefix| format!("{prefix}-2"));
    assert_eq!(jobs[1], (second.expect("a number"), "RUNNING"), "{jobs:?}");
}

#[tokio::test]
async fn a_learner_that_cannot_start_fails_its_job_with_its_words() {
    let ray = FakeRay::start();
    let log = "Traceback\nModuleNotFoundError: No module named 'torch'\n".to_owned();
    ray.change(|behaviour| behaviour.exits = Some((1, log)));
    let (service, model) = service(&ray).await;
    let events = service.finished(&start(&service, &model).await).await;
    let message = text(&events.last().expect("an end")["data"]["error_message"]);
    assert!(message.contains("exit code 1: ModuleNotFoundError: No module named 'torch'"), "{message}");
    assert_eq!(ray.jobs().len(), 3, "three attempts");
}

#[tokio::test]
async fn the_token_of_the_cluster_is_read_again() {
    let ray = FakeRay::start();
    ray.change(|behaviour| behaviour.token = Some("right".to_owned()));
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), "wrong\n").expect("it can be written");
    let service = TestService::start_with(|settings| settings.trainers = trainers(&ray, Some(file.path()))).await;
    let model = service.model("agent").await;
    let id = start(&service, &model).await;
    waiting(&service, &id, "Invalid authentication token").await;
    std::fs::write(file.path(), "right").expect("it can be written");
    succeeded(&service, &id).await;
}

#[tokio::test]
async fn a_slow_head_is_no_lost_one() {
    let ray = FakeRay::start();
    ray.change(|behaviour| behaviour.delay = Duration::from_secs(1));
    let (service, model) = service(&ray).await;
    succeeded(&service, &start(&service, &model).await).await;
    assert_eq!(ray.jobs().len(), 1);
}
