//! Self-checks of the service's parts, run concurrently and within a second.
//!
//! A background task that failed fails the check of the part that it works on, until a later run succeeds. Tasks that belong
//! to a request, such as the readers of followed jobs, tell their requests instead.

use std::path::Path;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::time::timeout;

use super::Api;
use crate::error_chain;
use crate::generated::types::QueueCheck;
use crate::models::Catalog;
use crate::store::background::LastOutcome;

/// Time limit per check, so that the response takes at most a second.
const CHECK_TIME: Duration = Duration::from_millis(900);
/// Minimum free disk space in bytes: about the size that one step of a small adapter stores. Below it a running job
/// would soon fill the disk.
const MIN_FREE_BYTES: u64 = 64 << 20;

/// The checks that did not end in time when they last ran.
#[derive(Default)]
pub(crate) struct MissedChecks {
    database: LastMiss,
    artifacts: LastMiss,
    queue: LastMiss,
    engine: LastMiss,
    disk: LastMiss,
}

/// End of the first of the latest checks of a part that did not end in time.
#[derive(Default)]
struct LastMiss(Mutex<Option<Instant>>);

impl LastMiss {
    /// Notes a check that ended in time.
    fn clear(&self) {
        *self.0.lock() = None;
    }

    /// Notes a check that did not end in time, and returns whether it is the second in a row. Checks that ran at
    /// the same time count as one.
    fn is_second(&self, started: Instant) -> bool {
        let mut first = self.0.lock();
        *first.get_or_insert_with(Instant::now) <= started
    }
}

/// Outcomes of the background tasks that have no other owner.
pub(crate) struct BackgroundTasks {
    /// The worker.
    pub worker: LastOutcome,
    /// The removal of unused artifacts.
    pub sweeper: LastOutcome,
    /// The removal of adapters that replicas no longer use.
    pub adapter_files: LastOutcome,
}

/// Results of the checks.
pub(super) struct Checks {
    pub(super) database: QueueCheck,
    pub(super) artifacts: QueueCheck,
    pub(super) queue: QueueCheck,
    pub(super) engine: QueueCheck,
    pub(super) disk: QueueCheck,
}

impl Checks {
    pub(super) fn all_passed(&self) -> bool {
        [&self.database, &self.artifacts, &self.queue, &self.engine, &self.disk].iter().all(|check| check.success)
    }
}

impl Api {
    /// Runs every check.
    pub(super) async fn check_system(&self) -> Checks {
        let missed = &self.missed_checks;
        let (database, artifacts, queue, engine, disk) = tokio::join!(
            measured("database", &missed.database, in_time(self.metadata.ping())),
            measured("artifacts", &missed.artifacts, async {
                none_of(&self.artifact_tasks())?;
                in_time(self.artifacts.probe()).await
            }),
            measured("queue", &missed.queue, async {
                none_of(&self.row_tasks())?;
                in_time(self.metadata.queue_depth()).await
            }),
            measured("engine", &missed.engine, engine(&self.catalog)),
            measured("disk", &missed.disk, disk(&self.data_directory)),
        );
        Checks { database, artifacts, queue, engine, disk }
    }

    /// Returns the failures of the background tasks that remove artifacts and files.
    fn artifact_tasks(&self) -> Vec<String> {
        let tasks = [
            ("deleted data is not removed and takes space", self.artifacts.collection_failure()),
            ("the removal of unused artifacts", self.tasks.sweeper.failure()),
            ("unused adapters of vLLM are not removed and take space", self.tasks.adapter_files.failure()),
        ];
        failures(tasks)
    }

    /// Returns the failures of the background tasks that read and write rows.
    fn row_tasks(&self) -> Vec<String> {
        let tasks = [
            ("the worker", self.tasks.worker.failure()),
            ("the usage of the last request was not written", self.usage.failure()),
            ("open streams of revoked keys do not end", self.open_keys.failure()),
            ("the last use of a key was not noted", self.recent_keys.uses.failure()),
        ];
        failures(tasks)
    }
}

/// Error of a failed check.
#[derive(Debug, PartialEq, thiserror::Error)]
enum Reason {
    #[error("no answer within {} s, twice in a row", CHECK_TIME.as_secs_f64())]
    Silent,
    #[error("{0}")]
    Said(String),
}

/// Runs a check and measures its time. A part fails if its check fails, or does not end in time twice in a row: a
/// disk that is busy for a second needs nobody's attention.
async fn measured(part: &str, last_miss: &LastMiss, check: impl Future<Output = Result<(), Reason>>) -> QueueCheck {
    let started = Instant::now();
    let outcome = check.await;
    let duration = started.elapsed().as_secs_f64();
    let errors: Vec<String> = match outcome {
        Err(Reason::Silent) if !last_miss.is_second(started) => {
            tracing::warn!(part, duration, "a part of the service did not answer its check in time");
            Vec::new()
        }
        Err(reason @ Reason::Silent) => vec![reason.to_string()],
        Ok(()) => {
            last_miss.clear();
            Vec::new()
        }
        Err(reason @ Reason::Said(_)) => {
            last_miss.clear();
            vec![reason.to_string()]
        }
    };
    if let [reason] = &errors[..] {
        tracing::warn!(part, duration, reason, "a part of the service failed its check");
    }
    QueueCheck { success: errors.is_empty(), duration, errors }
}

/// Runs a check with the time limit. The cause of an error is only logged, because any key may call this operation.
async fn in_time<T, E: std::error::Error + 'static>(work: impl Future<Output = Result<T, E>>) -> Result<(), Reason> {
    match timeout(CHECK_TIME, work).await {
        Ok(Ok(_)) => Ok(()),
        Ok(Err(error)) => {
            tracing::warn!(error = %error_chain(&error), "a part of the service does not work");
            Err(Reason::Said(error.to_string()))
        }
        Err(_) => Err(Reason::Silent),
    }
}

/// Checks that every replica applies the adapters that it has loaded, and that every sampler generates a token, or at
/// least makes progress with other requests.
async fn engine(catalog: &Catalog) -> Result<(), Reason> {
    // First, for it is known: a replica that does not respond must not hide it.
    none_of(&catalog.bad_adapters())?;
    let before = catalog.sampler_steps();
    match in_time(catalog.probe()).await {
        Err(Reason::Silent) if catalog.sampler_steps() > before => Ok(()),
        // A sampler of which no replica is ready is not merely busy.
        Err(Reason::Silent) => none_of(&catalog.samplers_away()).and(Err(Reason::Silent)),
        ended => ended,
    }
}

/// Returns the failures of tasks, each with what does not work.
fn failures<const N: usize>(tasks: [(&str, Option<String>); N]) -> Vec<String> {
    tasks.into_iter().filter_map(|(what, failure)| Some(format!("{what}: {}", failure?))).collect()
}

/// Fails with all faults, if there are any.
fn none_of(faults: &[String]) -> Result<(), Reason> {
    if faults.is_empty() { Ok(()) } else { Err(Reason::Said(faults.join("; "))) }
}

/// Checks the free space on the disk of the data directory.
async fn disk(directory: &Path) -> Result<(), Reason> {
    let directory = directory.to_owned();
    let looking = tokio::task::spawn_blocking(move || rustix::fs::statvfs(&directory));
    match timeout(CHECK_TIME, looking).await {
        Ok(Ok(Ok(space))) => enough(space.f_bavail.saturating_mul(space.f_frsize)),
        Ok(Ok(Err(error))) => Err(Reason::Said(format!("the data directory cannot be looked at: {error}"))),
        Ok(Err(error)) => Err(Reason::Said(format!("the data directory cannot be looked at: {error}"))),
        Err(_) => Err(Reason::Silent),
    }
}

fn enough(free: u64) -> Result<(), Reason> {
    if free >= MIN_FREE_BYTES {
        return Ok(());
    }
    let mebibytes = |bytes: u64| bytes >> 20;
    Err(Reason::Said(format!(
        "{} MiB are free on the disk of the data directory, less than {}: jobs pause when they cannot store their state, \
         and go on when there is room",
        mebibytes(free),
        mebibytes(MIN_FREE_BYTES)
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn room_on_a_disk_is_judged_in_words() {
        assert_eq!(enough(MIN_FREE_BYTES), Ok(()));
        let words = enough(MIN_FREE_BYTES - 1).unwrap_err().to_string();
        assert!(words.contains("63 MiB") && words.contains("64"), "{words}");
        let missing = disk(Path::new("/nowhere/at/all")).await.unwrap_err().to_string();
        assert!(missing.contains("cannot be looked at"), "{missing}");
    }

    async fn silence() -> Result<(), Reason> {
        in_time(std::future::pending::<Result<(), std::io::Error>>()).await
    }

    #[tokio::test]
    async fn a_part_that_is_silent_twice_in_a_row_fails_in_time() {
        let last_miss = LastMiss::default();
        let check = measured("test", &last_miss, silence()).await;
        assert_eq!((check.success, &check.errors[..]), (true, &[][..]), "it may have been busy");
        assert!(check.duration >= 0.9, "{}", check.duration);
        let check = measured("test", &last_miss, silence()).await;
        let errors = ["no answer within 0.9 s, twice in a row".to_owned()];
        assert_eq!((check.success, &check.errors[..]), (false, &errors[..]));
        assert!((0.9..1.0).contains(&check.duration), "{}", check.duration);
        // A result in between, in words or not, ends the row.
        for answered in [Ok(()), Err(Reason::Said("broken".to_owned()))] {
            let success = answered.is_ok();
            assert_eq!(measured("test", &last_miss, async { answered }).await.success, success);
            assert!(measured("test", &last_miss, silence()).await.success);
        }
    }

    #[tokio::test]
    async fn checks_at_the_same_time_count_as_one() {
        let last_miss = LastMiss::default();
        let check = || measured("test", &last_miss, silence());
        let (one, two) = tokio::join!(check(), check());
        assert!(one.success && two.success);
        assert!(!check().await.success);
    }
}
