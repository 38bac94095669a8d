//! `trainyard worker`: runs jobs until a signal stops it, and responds to no requests.

use super::options::WorkerOptions;
use super::progress::LoadProgress;
use super::signals::stop_on_signal;
use super::{CommandError, service_manager};
use crate::server::StandaloneWorker;

pub(super) async fn run(options: WorkerOptions) -> Result<(), CommandError> {
    let settings = options.settings()?;
    let mut progress = LoadProgress::default();
    let worker = StandaloneWorker::open(&settings, &mut |stage, done, total| progress.show(stage, done, total)).await?;
    progress.finish();
    let stopped = stop_on_signal("stopping: a running job is given back to the queue");
    // Scripts wait for this line.
    match &settings.database {
        Some(_) => note!("working on the jobs of the PostgreSQL database"),
        None => note!("working on the jobs of {}", settings.data_directory.display()),
    }
    service_manager::ready();
    worker.run(stopped).await;
    Ok(())
}
