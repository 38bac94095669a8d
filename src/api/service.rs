//! Liveness and self-checks.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::Api;
use crate::auth::Caller;
use crate::generated::server::service::*;
use crate::generated::types::{
    ArtifactStoreKind, DatabaseKind, HealthResponse, HealthStatus, ServerDetail, SystemCheckResponse,
};
use crate::http::ApiError;
use crate::store::metadata::MAX_UNFINISHED_JOBS;

/// `Retry-After` of a stopping service: about the start-up time of its replacement.
const RESTART: Duration = Duration::from_secs(5);

/// Facts about a process that do not change while it runs.
#[derive(Clone, Debug)]
pub(crate) struct ServerFacts {
    /// Start of the process.
    pub started_at: SystemTime,
    /// Whether the database is PostgreSQL.
    pub is_postgres: bool,
    /// Whether artifacts are in a bucket.
    pub has_bucket: bool,
    /// Whether the process runs jobs.
    pub trains: bool,
    /// Number of engine threads.
    pub threads: usize,
    /// Instruction set of the engine.
    pub instruction_set: &'static str,
    /// Time for which responses are stored; zero if none is.
    pub response_life: Duration,
}

impl Service for Api {
    /// Returns whether this process accepts requests. Does not access any other part of the service.
    async fn health(&self, _input: HealthInput) -> Result<HealthOutput, ApiError> {
        if *self.stop.borrow() {
            return Err(ApiError::unavailable("the service is stopping; send requests to another one", RESTART));
        }
        Ok(serde_json::json!({ "status": "ok" }).into())
    }

    async fn check_key(&self, _caller: Caller, _input: CheckKeyInput) -> Result<CheckKeyOutput, ApiError> {
        Ok(HealthResponse { status: HealthStatus::Ok }.into())
    }

    async fn get_metrics(&self, _input: GetMetricsInput) -> Result<GetMetricsOutput, ApiError> {
        Ok(self.scrape().await.into())
    }

    async fn get_key(&self, caller: Caller, _input: GetKeyInput) -> Result<GetKeyOutput, ApiError> {
        Ok(self.key_of(&caller).await?.into())
    }

    async fn get_server(&self, _caller: Caller, _input: GetServerInput) -> Result<GetServerOutput, ApiError> {
        let ServerFacts { started_at, is_postgres, has_bucket, trains, threads, instruction_set, response_life: _ } =
            &self.facts;
        let started_at = started_at.duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        Ok(ServerDetail {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            started_at: i64::try_from(started_at).unwrap_or(i64::MAX),
            database: if *is_postgres { DatabaseKind::Postgresql } else { DatabaseKind::Sqlite },
            artifacts: if *has_bucket { ArtifactStoreKind::Bucket } else { ArtifactStoreKind::Directory },
            trains: *trains,
            threads: *threads as u64,
            instruction_set: (*instruction_set).to_owned(),
            max_unfinished_jobs: MAX_UNFINISHED_JOBS.unsigned_abs(),
        }
        .into())
    }

    async fn get_usage(&self, caller: Caller, input: GetUsageInput) -> Result<GetUsageOutput, ApiError> {
        Ok(self.usage_report(&caller.entity, input).await?.into())
    }

    async fn check_system(&self, _caller: Caller, _input: CheckSystemInput) -> Result<CheckSystemOutput, ApiError> {
        let checks = self.check_system().await;
        let passed = checks.all_passed();
        let body = SystemCheckResponse {
            api: true,
            database: checks.database.success,
            // Jobs wait in the store, in one queue for both. They differ in the compute resource: the CPU queue check
            // reads the queue, the GPU queue check runs one token in the engine.
            cpu_queue: checks.queue,
            gpu_queue: checks.engine,
            artifacts: checks.artifacts,
            disk: checks.disk,
            instruction_set: self.facts.instruction_set.to_owned(),
        };
        Ok(if passed { CheckSystemOutput::Ok(body) } else { CheckSystemOutput::ServiceUnavailable(body.into()) })
    }
}
