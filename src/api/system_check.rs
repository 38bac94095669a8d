//! Self-checks of the service's parts, run concurrently and within a second.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use tokio::time::timeout;

use super::Api;
use crate::{error_chain::error_chain, generated::types::QueueCheck, models::Catalog};

/// Time limit per check, so that the response takes at most a second.
const CHECK_TIME: Duration = Duration::from_millis(900);
/// Minimum free disk space in bytes: about the size that one step of a small adapter stores. Below it a running job
/// would soon fill the disk.
const MIN_FREE_BYTES: u64 = 64 << 20;

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
        let (database, artifacts, queue, engine, disk) = tokio::join!(
            measured("database", answer(self.metadata.ping())),
            measured("artifacts", answer(self.artifacts.probe())),
            measured("queue", answer(self.metadata.queue_depth())),
            measured("engine", engine(&self.catalog)),
            measured("disk", disk(&self.data_directory)),
        );
        Checks { database, artifacts, queue, engine, disk }
    }
}

/// Error of a failed check.
#[derive(Debug, PartialEq, thiserror::Error)]
enum Reason {
    #[error("no answer within {} s", CHECK_TIME.as_secs_f64())]
    Silent,
    #[error("{0}")]
    Said(String),
}

async fn measured(part: &str, check: impl Future<Output = Result<(), Reason>>) -> QueueCheck {
    let started = Instant::now();
    let errors: Vec<String> = check.await.err().iter().map(Reason::to_string).collect();
    let duration = started.elapsed().as_secs_f64();
    if let [reason] = &errors[..] {
        tracing::warn!(part, duration, reason, "a part of the service failed its check");
    }
    QueueCheck { success: errors.is_empty(), duration, errors }
}

/// Runs a check with the time limit. The cause of an error is only logged, because any key may call this operation.
async fn answer<T, E: std::error::Error + 'static>(work: impl Future<Output = Result<T, E>>) -> Result<(), Reason> {
    match timeout(CHECK_TIME, work).await {
        Ok(Ok(_)) => Ok(()),
        Ok(Err(error)) => {
            tracing::warn!(error = %error_chain(&error), "a part of the service does not work");
            Err(Reason::Said(error.to_string()))
        }
        Err(_) => Err(Reason::Silent),
    }
}

/// Checks that every sampler generates a token, or at least makes progress with other requests.
async fn engine(catalog: &Catalog) -> Result<(), Reason> {
    let before = catalog.sampler_steps();
    match answer(catalog.probe()).await {
        Err(Reason::Silent) if catalog.sampler_steps() > before => Ok(()),
        answered => answered,
    }
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

    #[tokio::test]
    async fn a_part_that_is_silent_fails_in_time() {
        let check = measured("test", answer(std::future::pending::<Result<(), std::io::Error>>())).await;
        assert_eq!((check.success, &check.errors[..]), (false, &["no answer within 0.9 s".to_owned()][..]));
        assert!((0.9..1.0).contains(&check.duration), "{}", check.duration);
    }
}
