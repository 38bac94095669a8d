//! Artifacts in a bucket of an S3-compatible store.
//!
//! Endpoint, region and credentials come from the environment variables of AWS's own tools (`AWS_ENDPOINT_URL`,
//! `AWS_REGION`, `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`, web identity, container and
//! instance credentials). Every request with a body is signed with the body's SHA-256, so the server rejects bytes
//! damaged in transit. Reads are verified by the artifact's name.

use std::sync::Arc;
use std::time::Duration;

use object_store::aws::AmazonS3Builder;
use object_store::path::Path;
use object_store::prefix::PrefixStore;
use object_store::{BackoffConfig, ClientOptions, RetryConfig};
use tokio::sync::Semaphore;

use super::retry::RetryDeadline;
use super::{ArtifactError, Artifacts, PART_SIZE};

/// Concurrent requests of one process.
const PARALLEL_REQUESTS: usize = 32;

/// Time limits of requests to a bucket.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timeouts {
    /// Limit of one connection attempt.
    pub(super) connect: Duration,
    /// Limit of one attempt at one request, including its body of at most 8 MiB.
    pub(super) request: Duration,
    /// Limit of one request with all its attempts.
    pub(super) total: Duration,
}

const TIMEOUTS: Timeouts =
    Timeouts { connect: Duration::from_secs(5), request: Duration::from_secs(20), total: Duration::from_secs(60) };

impl Artifacts {
    /// Opens artifacts in a bucket, under a prefix.
    ///
    /// # Errors
    /// When the environment's settings are invalid, or the bucket does not respond.
    pub async fn open_bucket(name: &str, prefix: &Path) -> Result<Self, ArtifactError> {
        // http only on request: requests are signed, but not encrypted.
        let from_environment = AmazonS3Builder::from_env();
        let plain = std::env::var("AWS_ENDPOINT_URL_S3")
            .or_else(|_| std::env::var("AWS_ENDPOINT_URL"))
            .or_else(|_| std::env::var("AWS_ENDPOINT"))
            .is_ok_and(|endpoint| endpoint.starts_with("http://"));
        let bucket = Self::bucket(from_environment, plain, name, prefix, TIMEOUTS)?;
        bucket.ping().await?;
        Ok(bucket)
    }

    pub(super) fn bucket(
        builder: AmazonS3Builder,
        plain: bool,
        name: &str,
        prefix: &Path,
        timeouts: Timeouts,
    ) -> Result<Self, ArtifactError> {
        let client = ClientOptions::new()
            .with_allow_http(plain)
            .with_connect_timeout(timeouts.connect)
            .with_timeout(timeouts.request);
        let retry = RetryConfig {
            backoff: BackoffConfig { max_backoff: Duration::from_secs(3), ..Default::default() },
            max_retries: 10,
            retry_timeout: timeouts.total / 2,
        };
        let storage = builder
            .with_bucket_name(name)
            .with_client_options(client)
            .with_retry(retry)
            // One by one: not every compatible server supports bulk deletion.
            .with_disable_bulk_delete(true)
            .build()
            .map_err(|source| ArtifactError::Storage { action: "use its settings", source })?;
        Ok(Self {
            storage: Arc::new(PrefixStore::new(storage, prefix.clone())),
            directory: None,
            synced: Arc::default(),
            retry_deadline: RetryDeadline { total: timeouts.total },
            uncollected: Arc::default(),
            requests: Arc::new(Semaphore::new(PARALLEL_REQUESTS)),
            part_size: PART_SIZE,
        })
    }
}

#[cfg(test)]
mod tests;
