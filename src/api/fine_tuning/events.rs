//! Converts the events of jobs to readable messages.

use serde_json::{Map, Value};

use super::EVENT;
use crate::api::job_events;
use crate::api::job_view::{seconds, total_steps};
use crate::api::paging::prefixed_id;
use crate::generated::types::{
    FineTuningEvent, FineTuningEventLevel, FineTuningEventObject, FineTuningEventType, TrainingJobEventType,
};
use crate::http::ApiError;
use crate::store::records::{EventRecord, JobState, JobStatus};

/// Converts an event of a job. `name` is the inference name of the step that the job created.
pub(super) fn event(record: &EventRecord, state: &JobState, name: Option<&str>) -> Result<FineTuningEvent, ApiError> {
    let event = job_events::event(record)?;
    let mut type_ = FineTuningEventType::Message;
    let mut data = event.data;
    let (level, message) = match event.type_ {
        TrainingJobEventType::TrainingStarted => started(&data),
        TrainingJobEventType::GradientStep => {
            type_ = FineTuningEventType::Metrics;
            data = metrics(&data, record.sequence - 1, total_steps(state));
            (FineTuningEventLevel::Info, step(&data))
        }
        TrainingJobEventType::TrainingEnded => ended(&data, name),
        TrainingJobEventType::TrainingFailed => {
            let is_cancelled = state.job.status == JobStatus::Cancelled;
            let level = if is_cancelled { FineTuningEventLevel::Warn } else { FineTuningEventLevel::Error };
            (level, data.get("error_message").and_then(Value::as_str).unwrap_or("the job has failed").to_owned())
        }
    };
    Ok(FineTuningEvent {
        id: prefixed_id(EVENT, record.id),
        object: FineTuningEventObject::FineTuningJobEvent,
        created_at: seconds(record.created_at),
        level,
        message,
        type_,
        data,
    })
}

fn count(data: &Map<String, Value>, name: &str) -> u64 {
    data.get(name).and_then(Value::as_u64).unwrap_or_default()
}

fn started(data: &Map<String, Value>) -> (FineTuningEventLevel, String) {
    let (steps, rows) = (count(data, "num_sequences"), count(data, "num_rows"));
    let (dropped, truncated) = (count(data, "num_dropped_trajectories"), count(data, "num_truncated_trajectories"));
    let mut message = format!("training has started: optimizer steps: {steps}, rows: {rows}");
    for (what, rows) in [("left out", dropped), ("cut", truncated)] {
        if rows > 0 {
            message += &format!(", of which {what}: {rows}");
        }
    }
    let is_whole = dropped == 0 && truncated == 0;
    (if is_whole { FineTuningEventLevel::Info } else { FineTuningEventLevel::Warn }, message)
}

/// Returns the metrics of a step under OpenAI's names.
fn metrics(data: &Map<String, Value>, step: i64, total: Option<u64>) -> Map<String, Value> {
    let names = [
        ("train_loss", "loss/train"),
        ("valid_loss", "loss/val"),
        ("full_valid_loss", "loss/val"),
        ("learning_rate", "loss/learning_rate"),
    ];
    let metrics = names.iter().filter_map(|(name, own)| Some(((*name).to_owned(), data.get(*own)?.clone())));
    let total = total.map(|total| ("total_steps".to_owned(), total.into()));
    metrics.chain([("step".to_owned(), step.into())]).chain(total).collect()
}

fn step(metrics: &Map<String, Value>) -> String {
    let number = |name: &str| metrics.get(name).and_then(Value::as_f64);
    let mut message = format!("step {}", count(metrics, "step"));
    if let Some(total) = metrics.get("total_steps") {
        message += &format!("/{total}");
    }
    if let Some(loss) = number("train_loss") {
        message += &format!(": training loss={loss:.4}");
    }
    if let Some(loss) = number("valid_loss") {
        message += &format!(", validation loss={loss:.4}");
    }
    message
}

fn ended(data: &Map<String, Value>, name: Option<&str>) -> (FineTuningEventLevel, String) {
    let model = name.map(|name| format!("; the new model is {name}")).unwrap_or_default();
    if count(data, "num_gradient_steps") == 0 {
        let message = format!("the job had no row to learn from, so nothing was trained{model}");
        return (FineTuningEventLevel::Warn, message);
    }
    (FineTuningEventLevel::Info, format!("the job has succeeded{model}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn map(value: Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn a_step_says_its_losses() {
        let data = map(json!({"loss/train": 1.25, "loss/val": 1.5, "loss/learning_rate": 5e-5, "num_tokens": 3}));
        let told = metrics(&data, 2, Some(8));
        assert_eq!(
            Value::from(told.clone()),
            json!({"step": 2, "total_steps": 8, "train_loss": 1.25, "valid_loss": 1.5, "full_valid_loss": 1.5,
                   "learning_rate": 5e-5})
        );
        assert_eq!(step(&told), "step 2/8: training loss=1.2500, validation loss=1.5000");
        assert_eq!(step(&metrics(&map(json!({"loss/train": 0.5})), 1, None)), "step 1: training loss=0.5000");
    }

    #[test]
    fn rows_that_are_left_out_and_jobs_that_learn_nothing_are_warnings() {
        let (level, message) = started(&map(json!({"num_sequences": 2, "num_rows": 3, "num_dropped_trajectories": 1})));
        assert_eq!(level, FineTuningEventLevel::Warn);
        assert_eq!(message, "training has started: optimizer steps: 2, rows: 3, of which left out: 1");
        assert_eq!(started(&map(json!({"num_sequences": 2, "num_rows": 3}))).0, FineTuningEventLevel::Info);
        assert_eq!(ended(&map(json!({"num_gradient_steps": 0})), None).0, FineTuningEventLevel::Warn);
        let (level, message) = ended(&map(json!({"num_gradient_steps": 2})), Some("e/p/n:step1"));
        assert_eq!(
            (level, &*message),
            (FineTuningEventLevel::Info, "the job has succeeded; the new model is e/p/n:step1")
        );
    }
}
