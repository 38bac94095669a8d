//! Creates that their senders may repeat under an `Idempotency-Key`.

use axum::body::Bytes;
use sha2::{Digest, Sha256};

use crate::{http::Failure, store::records::IdempotentRequest};

/// Under what a request is recorded: its key, and a hash of all that it asks for. `None` without a key.
pub(super) async fn recorded_under(
    key: Option<String>,
    asked: Vec<Bytes>,
) -> Result<Option<IdempotentRequest>, Failure> {
    let Some(key) = key else { return Ok(None) };
    // Rollouts have many megabytes.
    let hashing = tokio::task::spawn_blocking(move || hash(&asked)).await;
    Ok(Some(IdempotentRequest { key, sha256: hashing.map_err(Failure::internal)? }))
}

/// SHA-256 of the parts, each behind its length, so that no two lists of parts run into the same bytes.
fn hash(parts: &[Bytes]) -> [u8; 32] {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_request_is_known_by_each_of_its_parts() {
        let of = async |key: Option<&str>, parts: &[&'static str]| {
            let parts = parts.iter().map(|part| Bytes::from_static(part.as_bytes())).collect();
            recorded_under(key.map(str::to_owned), parts).await.unwrap()
        };
        assert_eq!(of(None, &["a"]).await, None);
        let once = of(Some("key"), &["ab", "c"]).await.expect("a key");
        assert_eq!((&*once.key, Some(&once)), ("key", of(Some("key"), &["ab", "c"]).await.as_ref()));
        for other in [&["a", "bc"][..], &["abc"], &["ab", "c", ""], &["ab", "d"]] {
            assert_ne!(of(Some("key"), other).await.expect("a key").sha256, once.sha256, "{other:?}");
        }
    }
}
