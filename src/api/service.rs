//! Liveness and self-checks.

use std::time::{Duration, Instant};

use super::Api;
use crate::{
    auth::Caller,
    generated::{
        server::service::{
            GetHealthInput, GetHealthOutput, GetMetricsInput, GetMetricsOutput, GetSystemCheckInput,
            GetSystemCheckOutput, ReadRootHealthGetInput, ReadRootHealthGetOutput, Service,
        },
        types::{HealthResponse, HealthStatus, QueueCheck, SystemCheckResponse},
    },
    http::Failure,
};

/// Longest time that one part may take to answer a check.
const CHECK_TIME: Duration = Duration::from_secs(10);

impl Service for Api {
    /// Touches nothing: it says that the process answers.
    async fn read_root_health_get(&self, _input: ReadRootHealthGetInput) -> Result<ReadRootHealthGetOutput, Failure> {
        Ok(serde_json::json!({ "status": "ok" }).into())
    }

    async fn get_health(&self, _caller: Caller, _input: GetHealthInput) -> Result<GetHealthOutput, Failure> {
        Ok(HealthResponse { status: HealthStatus::Ok }.into())
    }

    async fn get_metrics(&self, _input: GetMetricsInput) -> Result<GetMetricsOutput, Failure> {
        Ok(self.scrape().await.into())
    }

    async fn get_system_check(
        &self,
        _caller: Caller,
        _input: GetSystemCheckInput,
    ) -> Result<GetSystemCheckOutput, Failure> {
        let database = check(self.metadata.ping()).await;
        // Jobs wait in the store, one queue for both: what differs is who computes. The CPU queue is read here; the
        // other is the engine's, which has to run one token.
        let cpu_queue = check(self.metadata.queue_depth()).await;
        let gpu_queue = check(self.catalog.probe()).await;
        let passed = database.success && cpu_queue.success && gpu_queue.success;
        let answer = SystemCheckResponse { api: true, database: database.success, cpu_queue, gpu_queue };
        Ok(if passed {
            GetSystemCheckOutput::Ok(answer)
        } else {
            GetSystemCheckOutput::ServiceUnavailable(answer.into())
        })
    }
}

async fn check<T, E: std::fmt::Display>(work: impl Future<Output = Result<T, E>>) -> QueueCheck {
    let started = Instant::now();
    let errors = match tokio::time::timeout(CHECK_TIME, work).await {
        Ok(Ok(_)) => Vec::new(),
        Ok(Err(error)) => vec![error.to_string()],
        Err(_) => vec![format!("no answer within {} s", CHECK_TIME.as_secs())],
    };
    QueueCheck { success: errors.is_empty(), duration: started.elapsed().as_secs_f64(), errors }
}
