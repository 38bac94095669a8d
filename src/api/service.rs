//! Liveness and self-checks.

use std::time::Duration;

use super::Api;
use crate::{
    auth::Caller,
    generated::{
        server::service::{
            GetHealthInput, GetHealthOutput, GetMetricsInput, GetMetricsOutput, GetSystemCheckInput,
            GetSystemCheckOutput, GetUsageInput, GetUsageOutput, ReadRootHealthGetInput, ReadRootHealthGetOutput,
            Service,
        },
        types::{HealthResponse, HealthStatus, SystemCheckResponse},
    },
    http::Failure,
};

/// When to ask a service again that is stopping: one that is started in its place needs as long.
const RESTART: Duration = Duration::from_secs(5);

impl Service for Api {
    /// Touches nothing: it says whether requests may be sent to this process.
    async fn read_root_health_get(&self, _input: ReadRootHealthGetInput) -> Result<ReadRootHealthGetOutput, Failure> {
        if *self.stop.borrow() {
            return Err(Failure::unavailable("the service is stopping; send requests to another one", RESTART));
        }
        Ok(serde_json::json!({ "status": "ok" }).into())
    }

    async fn get_health(&self, _caller: Caller, _input: GetHealthInput) -> Result<GetHealthOutput, Failure> {
        Ok(HealthResponse { status: HealthStatus::Ok }.into())
    }

    async fn get_metrics(&self, _input: GetMetricsInput) -> Result<GetMetricsOutput, Failure> {
        Ok(self.scrape().await.into())
    }

    async fn get_usage(&self, caller: Caller, input: GetUsageInput) -> Result<GetUsageOutput, Failure> {
        Ok(self.usage_report(&caller.entity, input).await?.into())
    }

    async fn get_system_check(
        &self,
        _caller: Caller,
        _input: GetSystemCheckInput,
    ) -> Result<GetSystemCheckOutput, Failure> {
        let checks = self.check_system().await;
        let passed = checks.all_passed();
        let answer = SystemCheckResponse {
            api: true,
            database: checks.database.success,
            // Jobs wait in the store, one queue for both: what differs is who computes. The CPU queue is read there; the
            // other is the engine's, which has to run one token.
            cpu_queue: checks.queue,
            gpu_queue: checks.engine,
            artifacts: checks.artifacts,
            disk: checks.disk,
        };
        Ok(if passed {
            GetSystemCheckOutput::Ok(answer)
        } else {
            GetSystemCheckOutput::ServiceUnavailable(answer.into())
        })
    }
}
