//! Artifacts in a bucket of an S3-compatible store.
//!
//! Endpoint, region and credentials come from the environment, under the names that AWS's own tools read
//! (`AWS_ENDPOINT_URL`, `AWS_REGION`, `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`, web identity,
//! container and instance credentials). Every request with a body is signed with the body's SHA-256, so the server
//! refuses bytes that were damaged on their way; what is read is proven by the artifact's name.

use std::sync::Arc;
use std::time::Duration;

use object_store::aws::AmazonS3Builder;
use object_store::path::Path;
use object_store::prefix::PrefixStore;
use object_store::{BackoffConfig, ClientOptions, RetryConfig};
use tokio::sync::Semaphore;

use super::patience::Patience;
use super::{ArtifactError, Artifacts, PIECE};

/// Requests that one process has under way.
const PARALLEL_REQUESTS: usize = 32;

/// How long to wait for a bucket.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waits {
    /// For a connection.
    pub(super) connect: Duration,
    /// For one try of one request, body included: at most 8 MiB.
    pub(super) request: Duration,
    /// For one request with all its tries.
    pub(super) deadline: Duration,
}

const WAITS: Waits =
    Waits { connect: Duration::from_secs(5), request: Duration::from_secs(20), deadline: Duration::from_secs(60) };

impl Artifacts {
    /// Opens artifacts in a bucket, under a prefix.
    ///
    /// # Errors
    /// When the settings in the environment cannot be used, or the bucket does not answer.
    pub async fn open_bucket(name: &str, prefix: &Path) -> Result<Self, ArtifactError> {
        // http only where somebody says so: requests are signed, but what they carry could be read.
        let from_environment = AmazonS3Builder::from_env();
        let plain = std::env::var("AWS_ENDPOINT_URL_S3")
            .or_else(|_| std::env::var("AWS_ENDPOINT_URL"))
            .or_else(|_| std::env::var("AWS_ENDPOINT"))
            .is_ok_and(|endpoint| endpoint.starts_with("http://"));
        let bucket = Self::bucket(from_environment, plain, name, prefix, WAITS)?;
        bucket.ping().await?;
        Ok(bucket)
    }

    pub(super) fn bucket(
        builder: AmazonS3Builder,
        plain: bool,
        name: &str,
        prefix: &Path,
        waits: Waits,
    ) -> Result<Self, ArtifactError> {
        let client =
            ClientOptions::new().with_allow_http(plain).with_connect_timeout(waits.connect).with_timeout(waits.request);
        let retry = RetryConfig {
            backoff: BackoffConfig { max_backoff: Duration::from_secs(3), ..Default::default() },
            max_retries: 10,
            retry_timeout: waits.deadline / 2,
        };
        let storage = builder
            .with_bucket_name(name)
            .with_client_options(client)
            .with_retry(retry)
            // One by one: the request for many at once is not part of what every compatible server knows.
            .with_disable_bulk_delete(true)
            .build()
            .map_err(|source| ArtifactError::Storage { action: "use its settings", source })?;
        Ok(Self {
            storage: Arc::new(PrefixStore::new(storage, prefix.clone())),
            directory: None,
            patience: Patience { deadline: waits.deadline },
            requests: Arc::new(Semaphore::new(PARALLEL_REQUESTS)),
            piece: PIECE,
        })
    }
}

#[cfg(test)]
mod fault_proxy;
#[cfg(test)]
mod tests;
