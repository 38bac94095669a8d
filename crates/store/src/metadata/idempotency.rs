//! Results of idempotent requests.

use async_trait::async_trait;

use super::Result;
use crate::records::{IdempotentRequest, IdempotentResult};

/// Results of requests with an idempotency key.
///
/// Every create that takes an [`IdempotentRequest`] looks up its key first. A repeated request returns the object of the
/// first one in its present state, or [`StoreError::NotFound`] if that object was deleted. The result is recorded in the
/// transaction of the create; a rejected request records nothing.
///
/// [`StoreError::NotFound`]: super::StoreError::NotFound
#[async_trait]
pub trait Idempotency: Send + Sync {
    /// Finds the result of a request with this idempotency key, if it is at most [`IDEMPOTENT_RESULT_LIFE`] old.
    ///
    /// # Errors
    /// [`StoreError::KeyReused`] if the key belongs to another request.
    ///
    /// [`IDEMPOTENT_RESULT_LIFE`]: super::IDEMPOTENT_RESULT_LIFE
    /// [`StoreError::KeyReused`]: super::StoreError::KeyReused
    async fn find_idempotent_result(
        &self,
        entity: &str,
        request: &IdempotentRequest,
    ) -> Result<Option<IdempotentResult>>;
}
