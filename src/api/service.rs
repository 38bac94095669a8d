//! Liveness and self-checks.

use std::time::Duration;

use super::Api;
use crate::{
    auth::Caller,
    generated::{
        server::service::{
            CheckKeyInput, CheckKeyOutput, CheckSystemInput, CheckSystemOutput, GetMetricsInput, GetMetricsOutput,
            GetUsageInput, GetUsageOutput, HealthInput, HealthOutput, Service,
        },
        types::{HealthResponse, HealthStatus, SystemCheckResponse},
    },
    http::ApiError,
};

/// `Retry-After` of a stopping service: about the start-up time of its replacement.
const RESTART: Duration = Duration::from_secs(5);

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

    async fn get_usage(&self, caller: Caller, input: GetUsageInput) -> Result<GetUsageOutput, ApiError> {
        Ok(self.usage_report(&caller.entity, input).await?.into())
    }

    async fn check_system(&self, _caller: Caller, _input: CheckSystemInput) -> Result<CheckSystemOutput, ApiError> {
        let checks = self.check_system().await;
        let passed = checks.all_passed();
        let answer = SystemCheckResponse {
            api: true,
            database: checks.database.success,
            // Jobs wait in the store, in one queue for both. They differ in the compute resource: the CPU queue check
            // reads the queue, the GPU queue check runs one token in the engine.
            cpu_queue: checks.queue,
            gpu_queue: checks.engine,
            artifacts: checks.artifacts,
            disk: checks.disk,
        };
        Ok(if passed { CheckSystemOutput::Ok(answer) } else { CheckSystemOutput::ServiceUnavailable(answer.into()) })
    }
}
