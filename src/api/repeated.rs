//! Creates that their senders may repeat under an `Idempotency-Key`.

use sha2::{Digest, Sha256};

use crate::store::{metadata::StoreError, records::IdempotentRequest};

/// Under what a request is recorded: its key, and SHA-256 of all that it asks for, each part behind its length, so that
/// no two requests run into the same bytes. A large part is given by a hash of its own.
pub(super) fn recorded_under(key: String, asked: &[&[u8]]) -> IdempotentRequest {
    let mut hash = Sha256::new();
    for part in asked {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    IdempotentRequest { key, sha256: hash.finalize().into() }
}

/// Whether no row uses what was stored for a create: it was refused, or `was_done_before`. Otherwise the row may have been
/// written and only the answer was lost: a sweep will know.
pub(super) fn is_unused<T>(made: &Result<T, StoreError>, was_done_before: impl FnOnce(&T) -> bool) -> bool {
    match made {
        Ok(made) => was_done_before(made),
        Err(error) => error.is_refusal(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_known_by_each_of_its_parts() {
        let of = |parts: &[&str]| {
            let parts: Vec<_> = parts.iter().map(|part| part.as_bytes()).collect();
            recorded_under("key".to_owned(), &parts)
        };
        let once = of(&["ab", "c"]);
        assert_eq!((&*once.key, &once), ("key", &of(&["ab", "c"])));
        for other in [&["a", "bc"][..], &["abc"], &["ab", "c", ""], &["ab", "d"]] {
            assert_ne!(of(other).sha256, once.sha256, "{other:?}");
        }
    }
}
