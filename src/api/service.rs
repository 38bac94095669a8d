//! Liveness and self-checks.

use super::Api;
use crate::{
    auth::Caller,
    generated::{
        server::service::{
            GetHealthInput, GetHealthOutput, GetMetricsInput, GetMetricsOutput, GetSystemCheckInput,
            GetSystemCheckOutput, ReadRootHealthGetInput, ReadRootHealthGetOutput, Service,
        },
        types::{HealthResponse, HealthStatus, SystemCheckResponse},
    },
    http::Failure,
};

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
