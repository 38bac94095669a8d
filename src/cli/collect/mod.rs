//! `trainyard collect`: runs an agent program several times, a recorded session each, and rewards the sessions.

mod child;

use std::io::ErrorKind;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use futures_util::{StreamExt, stream};
use indicatif::ProgressBar;
use serde_json::{Map, Value, json};

use self::child::{Access, Ended, last_number, without_keys};
use super::progress::progress_bar;
use super::remote::{Remote, existing_model, short_name};
use super::signals::wait_for_signal;
use super::training_options::{RlFlags, config, merged};
use super::watch::watch;
use super::{CommandError, INTERRUPTED, print};
use crate::client::types::{CreateRecordedSession, RecordedSession};
use crate::client::{Client, ClientError, from_json};

/// Time in which programs end after an interruption.
const END: Duration = Duration::from_millis(200);
/// Longest pause before something is tried again.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// Tag of the sessions that this command opens.
const TAG: &str = "collect";

#[derive(Args)]
#[command(after_help = "\
Each attempt has a recorded session and gets its key, in the variables that programs read (OPENAI_BASE_URL, OPENAI_API_KEY, \
OPENAI_MODEL, ANTHROPIC_BASE_URL, ANTHROPIC_AUTH_TOKEN, ANTHROPIC_API_KEY, ANTHROPIC_MODEL) and for {base_url}, {key} and \
{model} in its arguments. Other variables whose names end in _KEY, _TOKEN or _SECRET are removed; `-- env NAME=VALUE \
PROGRAM` passes one on.\n\n\
The reward is 1 if the program exits with 0, else 0. A command of --grade gets the output as its input, and EXIT_CODE; the \
last number that it prints is the reward. A group that was interrupted goes on with the same --group: attempts with a \
reward count.\n\n\
Examples:\n  \
    trainyard collect --model demo/agent -- ./agent.sh\n  \
    trainyard collect --model demo/agent --n 16 --train -- claude -p \"Make the tests pass\"\n  \
    trainyard collect --model demo/agent --grade ./grade.py -- ./agent.py --model {model} --url {base_url}\n\n\
Exit codes: 0 all attempts have a reward, and with --train the job succeeded, 1 an attempt has none, 3 the job failed, 4 it \
was cancelled.")]
pub(super) struct Options {
    /// Model to sample, and to train with --train.
    #[arg(long)]
    model: String,
    /// Group of the sessions [default: a new one].
    #[arg(long)]
    group: Option<String>,
    /// Number of attempts.
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=1000))]
    n: u32,
    /// Number of attempts at a time.
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=64))]
    parallel: u32,
    /// Time limit of an attempt in seconds; one that exceeds it is stopped, and counts as an exit with another code than 0.
    #[arg(long, value_name = "SECONDS", default_value_t = 600, value_parser = clap::value_parser!(u64).range(1..=604_800))]
    timeout: u64,
    /// Number of times that an attempt is made again whose program could not be started or was killed, and that a request
    /// to the service is repeated that fails for the moment.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(0..=100))]
    retries: u32,
    /// Shell command whose output ends with the reward of an attempt.
    #[arg(long, value_name = "COMMAND")]
    grade: Option<String>,
    /// Take the last number in the program's output as the reward; the model may have written it.
    #[arg(long, conflicts_with = "grade")]
    reward_from_output: bool,
    /// Keep the step that is newest when an attempt begins for the whole attempt.
    #[arg(long)]
    pin: bool,
    /// Train the model on the group, and follow the job to its end.
    #[arg(long)]
    train: bool,
    #[command(flatten)]
    flags: RlFlags,
    /// Further training options as JSON, or a file with them.
    #[arg(long, value_name = "JSON", value_parser = config, help_heading = "Training")]
    config: Option<Map<String, Value>>,
    #[command(flatten)]
    remote: Remote,
    /// Program with its arguments.
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    program: Vec<String>,
}

/// A rewarded attempt.
struct Attempt {
    session: String,
    reward: f64,
}

/// Reason why an attempt has no reward.
enum Unrewarded {
    /// Another attempt may have one: the program could not be started, or was killed.
    Broken(String),
    /// The reward cannot be told.
    Ungraded(String),
}

pub(super) async fn run(options: Options) -> Result<ExitCode, CommandError> {
    let config = merged(&options.flags, options.config.as_ref())?;
    let client = options.remote.client()?;
    let model = existing_model(&client, &options.model).await?;
    let name = format!("{}/{}", model.entity, short_name(&model));
    let group = match &options.group {
        Some(group) => group.clone(),
        None => format!("collect-{}", &uuid::Uuid::new_v4().simple().to_string()[..8]),
    };
    let bar = progress_bar("{prefix} {bar:30} {pos}/{len} {msg}", options.n.into());
    let retries = Retries { most: options.retries, bar: &bar };
    let mut attempts = retries.of("the list of sessions", || rewarded(&client, &group)).await?;
    if !attempts.is_empty() {
        note!("group {group} has {} attempts with a reward", attempts.len());
    }
    let begun = u32::try_from(attempts.len()).unwrap_or(u32::MAX);
    bar.set_prefix(group.clone());
    bar.set_position(begun.into());
    let stop = Arc::new(AtomicBool::new(false));
    let (client, options) = (&client, &options);
    let collection = Collection { client, options, model: &name, group: &group, stop: &stop, retries };
    let mut failed = 0;
    let collecting = async {
        let runs = (begun..options.n).map(|number| collection.attempt(number + 1));
        let mut runs = stream::iter(runs).buffer_unordered(options.parallel as usize);
        while let Some(ended) = runs.next().await {
            let line = match ended? {
                Ok((attempt, line)) => {
                    attempts.push(attempt);
                    line
                }
                Err(line) => {
                    failed += 1;
                    line
                }
            };
            bar.suspend(|| note!("{line}"));
            bar.inc(1);
            bar.set_message(format!("mean reward {:.3}", mean(&attempts)));
        }
        Ok::<_, CommandError>(())
    };
    let outcome = tokio::select! {
        collected = collecting => collected.map(|()| false),
        () = wait_for_signal() => Ok(true),
    };
    bar.finish_and_clear();
    stop.store(true, Ordering::Relaxed);
    if outcome.is_err() {
        note!("`--group {group}` goes on with the group");
    }
    if outcome? {
        // The programs see it soon, and end with all of their processes.
        tokio::time::sleep(END).await;
        note!("interrupted; `--group {group}` goes on with the group");
        return Ok(ExitCode::from(INTERRUPTED));
    }
    print(&format!("group {group}: {} sessions, mean reward {:.4}\n", attempts.len(), mean(&attempts)))?;
    if !options.train || attempts.is_empty() {
        return Ok(if failed > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS });
    }
    let sessions: Vec<&str> = attempts.iter().map(|attempt| attempt.session.as_str()).collect();
    let body = json!({ "model_id": model.id, "sessions": sessions, "experimental_config": config, "name": group });
    let (body, keyed) = (from_json(body)?, client.with_idempotency_key(&uuid::Uuid::new_v4().to_string())?);
    let job = retries.of("the training job", || keyed.create_training_job(&body)).await?;
    print(&format!("{}\n", job.id))?;
    for warning in job.warnings.iter().flatten() {
        note!("warning: {}", warning.message);
    }
    watch(&job.id, false, &options.remote).await
}

/// Returns the rewarded sessions of a group. Those without a reward are left of an attempt that was interrupted, and are deleted.
async fn rewarded(client: &Client, group: &str) -> Result<Vec<Attempt>, ClientError> {
    let (mut attempts, mut left) = (Vec::new(), Vec::new());
    let mut sessions = client.list_sessions().group(group).limit(100).into_stream();
    while let Some(session) = sessions.try_next().await? {
        match session.reward {
            Some(reward) => attempts.push(Attempt { session: session.id, reward }),
            None if session.tags.iter().any(|tag| tag == TAG) => left.push(session.id),
            None => {}
        }
    }
    for session in left {
        client.delete_session(&session).await?;
    }
    Ok(attempts)
}

fn mean(attempts: &[Attempt]) -> f64 {
    match attempts.len() {
        0 => 0.0,
        count => attempts.iter().map(|attempt| attempt.reward).sum::<f64>() / count as f64,
    }
}

/// Bound of repeated requests and attempts.
#[derive(Clone, Copy)]
struct Retries<'a> {
    most: u32,
    bar: &'a ProgressBar,
}

impl Retries<'_> {
    /// Makes a request, and repeats it while it fails for the moment.
    async fn of<T, F>(&self, what: &str, request: impl Fn() -> F) -> Result<T, ClientError>
    where
        F: IntoFuture<Output = Result<T, ClientError>>,
    {
        let mut made = 0;
        loop {
            let error = match request().await {
                Err(error) if error.is_retryable() => error,
                outcome => return outcome,
            };
            if !self.again(what, &mut made, &error.to_string(), error.retry_after()).await {
                return Err(error);
            }
        }
    }

    /// Waits before something is tried again. Returns false if it was tried often enough.
    async fn again(&self, what: &str, made: &mut u32, reason: &str, asked: Option<Duration>) -> bool {
        if *made == self.most {
            return false;
        }
        let pause = asked.unwrap_or(Duration::from_secs(1 << (*made).min(6))).min(LONGEST_PAUSE);
        *made += 1;
        let line = format!("{what}: {reason}; again in {} s ({made} of {})", pause.as_secs(), self.most);
        self.bar.suspend(|| note!("{line}"));
        tokio::time::sleep(pause).await;
        true
    }
}

/// What the attempts of a group share.
struct Collection<'a> {
    client: &'a Client,
    options: &'a Options,
    /// Name of the model with its entity.
    model: &'a str,
    group: &'a str,
    /// Turns true when the programs must end.
    stop: &'a Arc<AtomicBool>,
    retries: Retries<'a>,
}

impl Collection<'_> {
    /// Makes an attempt, again while its program is broken off. Returns it with a line about it, or a line about why it has no
    /// reward.
    ///
    /// # Errors
    /// The service or the program cannot be used at all.
    async fn attempt(&self, number: u32) -> Result<Result<(Attempt, String), String>, CommandError> {
        let name = format!("attempt {number}");
        let mut made = 0;
        loop {
            let reason = match self.attempt_once(&name).await? {
                Ok(attempt) => return Ok(Ok(attempt)),
                Err(Unrewarded::Ungraded(reason)) => reason,
                Err(Unrewarded::Broken(reason)) => match self.retries.again(&name, &mut made, &reason, None).await {
                    true => continue,
                    false => reason,
                },
            };
            return Ok(Err(format!("{name}: no reward: {reason}")));
        }
    }

    async fn attempt_once(&self, name: &str) -> Result<Result<(Attempt, String), Unrewarded>, CommandError> {
        let begun = Instant::now();
        let session = self.open(name).await?;
        let result = self.reward(&session).await;
        if !matches!(result, Ok(Ok(_))) {
            // A session without a reward would keep its group from being trained.
            self.retries.of(name, || self.client.delete_session(&session.id)).await?;
        }
        let (reward, exit) = match result? {
            Ok(rewarded) => rewarded,
            Err(reason) => return Ok(Err(reason)),
        };
        let seconds = begun.elapsed().as_secs_f64();
        let body = from_json(json!({ "reward": reward, "metrics": { "exit_code": exit, "seconds": seconds } }))?;
        let session = self.retries.of(name, || self.client.reward_session(&session.id, &body)).await?.into_inner();
        let exit = exit.map_or_else(|| "stopped at its time limit".to_owned(), |code| format!("exit code {code}"));
        let requests = session.num_generations;
        let line = format!("{name}: reward {reward}, {exit}, {requests} requests, {seconds:.1} s");
        Ok(Ok((Attempt { session: session.id, reward }, line)))
    }

    async fn open(&self, name: &str) -> Result<RecordedSession, CommandError> {
        let body = json!({
            "model": self.model, "name": name, "group": self.group, "tags": [TAG], "pin": self.options.pin,
        });
        let body: CreateRecordedSession = from_json(body)?;
        // A session whose response is lost has no reward, and is deleted when the group goes on.
        Ok(self.retries.of(name, || self.client.create_session(&body)).await?.into_inner())
    }

    /// Runs the program. Returns its reward and its exit code, or why there is no reward.
    async fn reward(&self, session: &RecordedSession) -> Result<Result<(f64, Option<i32>), Unrewarded>, CommandError> {
        let key = session.key.as_deref().ok_or("the service returned a session without a key")?;
        let root = self.client.base_url().trim_end_matches('/');
        let access = Access { root, key, model: self.model, session: &session.id };
        let limit = Duration::from_secs(self.options.timeout);
        let command = access.command(&self.options.program);
        let ended = match child::run(command, Vec::new(), limit, self.stop.clone()).await {
            Ok(ended) => ended,
            // Each attempt would fail alike.
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::PermissionDenied) => {
                return Err(error.into());
            }
            Err(error) => return Ok(Err(Unrewarded::Broken(error.to_string()))),
        };
        if let Some(signal) = ended.killed_by() {
            return Ok(Err(Unrewarded::Broken(format!("the program was killed by signal {signal}"))));
        }
        let Ended { status, output, errors } = ended;
        // A program that a signal ended has no code; shells report it so.
        let exit = status.map(|status| status.code().unwrap_or(128));
        let said = |text: &[u8]| {
            let text = String::from_utf8_lossy(text).trim_end().to_owned();
            text.lines().last().unwrap_or_default().chars().take(200).collect::<String>()
        };
        let reward = match &self.options.grade {
            Some(grade) => {
                let mut command = std::process::Command::new("sh");
                command.args(["-c", grade]);
                without_keys(&mut command);
                command.env("EXIT_CODE", exit.unwrap_or(124).to_string()).env("TRAINYARD_SESSION", &session.id);
                let graded = child::run(command, output, limit, self.stop.clone()).await?;
                match graded.status {
                    Some(status) if status.success() => last_number(&graded.output)
                        .ok_or_else(|| format!("--grade printed no number: {}", said(&graded.output))),
                    _ => Err(format!("--grade failed: {}", said(&graded.errors))),
                }
            }
            None if self.options.reward_from_output => {
                last_number(&output).ok_or_else(|| format!("the program printed no number: {}", said(&errors)))
            }
            None => Ok(f64::from(exit == Some(0))),
        };
        Ok(reward.map(|reward| (reward, exit)).map_err(Unrewarded::Ungraded))
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::client::Rejection;

    fn rejected(status: u16) -> ClientError {
        let (request_id, detail, body_start, should_retry) = (None, None, String::new(), None);
        let retry_after = Some(Duration::ZERO);
        ClientError::Rejected(Box::new(Rejection { status, request_id, detail, body_start, retry_after, should_retry }))
    }

    #[tokio::test]
    async fn a_request_is_repeated_while_it_fails_for_the_moment() {
        let bar = ProgressBar::hidden();
        for (status, failures, most, requests, is_ok) in
            [(503, 2, 2, 3, true), (503, 3, 2, 3, false), (503, 1, 0, 1, false), (422, 1, 9, 1, false)]
        {
            let made = Cell::new(0);
            let request = || {
                made.set(made.get() + 1);
                let outcome = if made.get() > failures { Ok(()) } else { Err(rejected(status)) };
                async { outcome }
            };
            let outcome = Retries { most, bar: &bar }.of("a request", request).await;
            assert_eq!(
                (made.get(), outcome.is_ok()),
                (requests, is_ok),
                "{status}, {failures} failures, {most} retries"
            );
        }
    }
}
