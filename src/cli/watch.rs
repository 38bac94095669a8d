//! Follows a training job to its end.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::time::Duration;

use serde_json::Value;

use super::explain::is_closed_pipe;
use super::plot::line_plot;
use super::remote::Remote;
use super::{CommandError, INTERRUPTED, print};
use crate::client::types::{TrainingFinding, TrainingJobEvent, TrainingJobEventType, TrainingJobStatus};
use crate::client::{Client, from_json};

/// Exit code for a job that failed.
const FAILED: u8 = 3;
/// Exit code for a job that was cancelled.
const CANCELLED: u8 = 4;
/// Exit code if the reader of standard output closes it before the job's end: the same as for a program that SIGPIPE
/// ends.
const UNREAD: u8 = 141;
/// Time without an event after which the job is asked for a reason.
const SILENCE: Duration = Duration::from_secs(3);
/// Width of a progress bar in characters.
const BAR: usize = 30;
/// Maximum number of dropped conversations that are listed individually.
const NAMED_ROWS: usize = 5;

/// Progress and outcome of a job, collected from its events.
#[derive(Default)]
pub(super) struct Seen {
    pub(super) steps: usize,
    pub(super) total: usize,
    pub(super) losses: Vec<f64>,
    /// Mean reward of the rollouts of an RL job.
    reward: Option<f64>,
    /// Message of `training_failed`.
    pub(super) failure: Option<String>,
    /// Dropped data and other findings, one per line.
    remarks: Vec<String>,
}

impl Seen {
    pub(super) fn take(&mut self, event: &TrainingJobEvent) {
        match event.type_ {
            TrainingJobEventType::TrainingStarted => {
                let total = event.data.get("num_sequences").and_then(Value::as_u64);
                self.total = total.and_then(|total| usize::try_from(total).ok()).unwrap_or_default();
                self.reward = event.data.get("rewards").and_then(|rewards| rewards.get("mean")?.as_f64());
                self.remarks = left_out(&event.data);
            }
            TrainingJobEventType::GradientStep => {
                self.steps += 1;
                self.losses.extend(event.data.get("loss/train").and_then(Value::as_f64));
            }
            TrainingJobEventType::TrainingFailed => {
                let message = event.data.get("error_message").and_then(Value::as_str);
                self.failure = Some(message.unwrap_or("no reason is given").to_owned());
            }
            TrainingJobEventType::TrainingEnded => {
                let findings = event.data.get("findings").cloned().and_then(|found| from_json(found).ok());
                let findings: Vec<TrainingFinding> = findings.unwrap_or_default();
                if !findings.is_empty() {
                    // The findings have the same content as sentences.
                    self.remarks = findings.into_iter().map(|finding| finding.message).collect();
                }
            }
        }
    }

    /// Returns one line: a bar, the steps, the mean reward, the last loss.
    fn line(&self) -> String {
        let filled = (self.steps * BAR).checked_div(self.total).unwrap_or_default().min(BAR);
        let reward = self.reward.map(|reward| format!("  reward {reward:.4}")).unwrap_or_default();
        let loss = self.losses.last().map(|loss| format!("  loss {loss:.4}")).unwrap_or_default();
        format!("[{}{}] {}/{}{reward}{loss}", "#".repeat(filled), "-".repeat(BAR - filled), self.steps, self.total)
    }

    /// Describes a job that succeeded; for a job without steps, with the reasons why it trained nothing.
    pub(super) fn success(&self) -> String {
        let mut text = match (self.steps, &self.remarks[..]) {
            (0, []) => "the job ended, and there was nothing to train on".to_owned(),
            (0, _) => "the job ended, and there was nothing to train on:".to_owned(),
            (1, _) => "succeeded: 1 step".to_owned(),
            (steps, _) => format!("succeeded: {steps} steps"),
        };
        for remark in &self.remarks {
            text = format!("{text}\n  {remark}");
        }
        text
    }
}

/// Lists the data that `training_started` reports as dropped.
fn left_out(data: &serde_json::Map<String, Value>) -> Vec<String> {
    let words = |name: &str| name.replace('_', " ");
    let counts = data.get("dropped").cloned().and_then(|counts| serde_json::from_value(counts).ok());
    let counts: BTreeMap<String, u64> = counts.unwrap_or_default();
    let mut remarks: Vec<String> = counts
        .iter()
        .filter(|(_, count)| **count > 0)
        .map(|(name, count)| format!("{} left out: {}", count, words(name)))
        .collect();
    let rows = data.get("dropped_rows").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    remarks.extend(rows.iter().take(NAMED_ROWS).map(|row| {
        let reason = row["reason"].as_str().map(words).unwrap_or_default();
        format!("line {} is left out: {reason}", row["line"])
    }));
    let dropped = data.get("num_dropped_trajectories").and_then(Value::as_u64).unwrap_or_default();
    match dropped.saturating_sub(rows.len().min(NAMED_ROWS) as u64) {
        0 => {}
        more => remarks.push(format!("and {more} more")),
    }
    remarks
}

/// Follows a job and prints its progress and, at the end, its mean reward or else a plot of its loss; with `json`, each event as a line of JSON.
pub(super) async fn watch(id: &str, json: bool, remote: &Remote) -> Result<ExitCode, CommandError> {
    let client = remote.client()?;
    let outcome = tokio::select! {
        outcome = follow(&client, id, json) => outcome,
        _ = tokio::signal::ctrl_c() => {
            note!(
                "\nthe job runs on\n  follow it again:  trainyard jobs watch {id}\n  \
                 end it:           trainyard jobs cancel {id}"
            );
            return Ok(ExitCode::from(INTERRUPTED));
        }
    };
    match outcome {
        Err(error) if is_closed_pipe(&*error) => Ok(ExitCode::from(UNREAD)),
        outcome => outcome,
    }
}

/// Prints the reason for which a job waits, if it is another one than before. A failure is the event stream's to report.
async fn tell_reason(client: &Client, id: &str, told: &mut Option<String>) {
    let Ok(job) = client.get_training_job(id).await else { return };
    let reason = job.into_inner().waiting_for.map(|waiting| waiting.message);
    if let Some(reason) = &reason
        && told.as_ref() != Some(reason)
    {
        note!("waiting: {reason}");
    }
    *told = reason;
}

async fn follow(client: &Client, id: &str, json: bool) -> Result<ExitCode, CommandError> {
    let mut events = client.watch_training_job(id);
    let mut seen = Seen::default();
    let live = !json && std::io::stderr().is_terminal();
    let mut told = None;
    loop {
        let event = tokio::select! {
            event = events.try_next() => event?,
            () = tokio::time::sleep(SILENCE) => {
                tell_reason(client, id, &mut told).await;
                continue;
            }
        };
        let Some(event) = event else { break };
        seen.take(&event);
        if json {
            print(&format!("{}\n", serde_json::to_string(&event)?))?;
        } else if live {
            // The terminal's line is overwritten; a failed write is harmless.
            let _ = write!(std::io::stderr(), "\r\x1b[K{}", seen.line());
        } else if event.type_ == TrainingJobEventType::GradientStep {
            print(&format!("{}\n", seen.line()))?;
        }
    }
    if live {
        note!();
    }
    let job = client.get_training_job(id).await?.into_inner();
    if !json {
        // The loss of reinforcement learning tells nothing about its success.
        match seen.reward {
            Some(reward) => print(&format!("mean reward of the rollouts: {reward:.4}\n"))?,
            None => print(&line_plot("loss/train", &seen.losses))?,
        }
        match (&job.error, &seen.failure) {
            (Some(error), _) => {
                let status = job.status.map_or("failed", |status| status.as_str());
                note!("{status}: {} ({})", error.message, error.code);
            }
            (None, Some(message)) => note!("failed: {message}"),
            (None, None) => note!("{}", seen.success()),
        }
    }
    Ok(match job.status {
        Some(TrainingJobStatus::Cancelled) => ExitCode::from(CANCELLED),
        _ if seen.failure.is_some() => ExitCode::from(FAILED),
        _ => ExitCode::SUCCESS,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn seen(events: &[(&str, Value)]) -> Seen {
        let mut seen = Seen::default();
        for (kind, data) in events {
            let event = json!({ "id": "e", "type": kind, "data": data });
            seen.take(&serde_json::from_value(event).expect("an event"));
        }
        seen
    }

    #[test]
    fn a_job_is_one_line_while_it_runs() {
        assert_eq!(Seen::default().line(), format!("[{}] 0/0", "-".repeat(BAR)));
        let seen = seen(&[
            ("training_started", json!({ "num_sequences": 3 })),
            ("gradient_step", json!({ "loss/train": 2.5 })),
            ("gradient_step", json!({ "loss/train": 1.25 })),
        ]);
        assert_eq!(seen.line(), format!("[{}{}] 2/3  loss 1.2500", "#".repeat(20), "-".repeat(10)));
        assert_eq!(seen.success(), "succeeded: 2 steps");
        let rewards = json!({ "num_sequences": 1, "rewards": { "mean": 0.5 } });
        let line = super::tests::seen(&[("training_started", rewards)]).line();
        assert!(line.ends_with(" 0/1  reward 0.5000"), "{line}");
    }

    #[test]
    fn a_job_that_trained_nothing_says_why() {
        let rollouts = json!({ "num_sequences": 0, "dropped": { "equal_rewards": 2, "too_long": 0 } });
        assert_eq!(
            seen(&[("training_started", rollouts.clone()), ("training_ended", json!({}))]).success(),
            "the job ended, and there was nothing to train on:\n  2 left out: equal rewards"
        );
        let finding = json!({ "code": "equal_rewards", "count": 2, "message": "2 groups have equal rewards" });
        let ended = json!({ "num_gradient_steps": 0, "findings": [finding] });
        assert_eq!(
            seen(&[("training_started", rollouts), ("training_ended", ended)]).success(),
            "the job ended, and there was nothing to train on:\n  2 groups have equal rewards"
        );
        let rows: Vec<Value> = (1..=7).map(|line| json!({ "line": line, "reason": "no_assistant_turn" })).collect();
        let examples = json!({ "num_dropped_trajectories": 30, "dropped_rows": rows });
        let told = seen(&[("training_started", examples)]).success();
        assert!(told.contains("line 5 is left out: no assistant turn\n  and 25 more"), "{told}");
        assert_eq!(Seen::default().success(), "the job ended, and there was nothing to train on");
    }
}
