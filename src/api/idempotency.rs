//! Idempotent create requests (`Idempotency-Key`).

use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::http::ApiError;
use crate::store::metadata::StoreError;
use crate::store::records::IdempotentRequest;

/// Returns the record of a request: its key and a SHA-256 of its content. The length precedes each part, so that
/// different requests never hash the same bytes. A large part is passed as its own hash.
pub(super) fn record(key: String, asked: &[&[u8]]) -> IdempotentRequest {
    let mut hash = Sha256::new();
    for part in asked {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    IdempotentRequest { key, sha256: hash.finalize().into() }
}

/// Returns the record of a request with an optional key: its kind, what its path names, and its body.
pub(super) fn record_of_body(
    key: Option<String>,
    asked: &[&[u8]],
    body: &impl Serialize,
) -> Result<Option<IdempotentRequest>, ApiError> {
    let Some(key) = key else { return Ok(None) };
    let body = serde_json::to_vec(body).map_err(ApiError::internal)?;
    Ok(Some(record(key, &[asked, &[&body]].concat())))
}

/// Returns whether no row uses the artifacts stored for a create request: the request was rejected or
/// `was_done_before`. After any other error the row may have been written although the response was lost; a sweep
/// resolves this case.
pub(super) fn is_unused<T>(made: &Result<T, StoreError>, was_done_before: impl FnOnce(&T) -> bool) -> bool {
    match made {
        Ok(made) => was_done_before(made),
        Err(error) => error.is_rejection(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_known_by_each_of_its_parts() {
        let of = |parts: &[&str]| {
            let parts: Vec<_> = parts.iter().map(|part| part.as_bytes()).collect();
            record("key".to_owned(), &parts)
        };
        let once = of(&["ab", "c"]);
        assert_eq!((&*once.key, &once), ("key", &of(&["ab", "c"])));
        for other in [&["a", "bc"][..], &["abc"], &["ab", "c", ""], &["ab", "d"]] {
            assert_ne!(of(other).sha256, once.sha256, "{other:?}");
        }
    }
}
