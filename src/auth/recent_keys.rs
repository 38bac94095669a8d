//! Keys that were authenticated a moment ago.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::authenticate::{AuthenticationError, Caller, authenticate_hash, authenticate_session, token_hash};
use crate::store::background::LastOutcome;
use crate::store::metadata::Metadata;

/// Age at which a key is read from the store again. A revocation or a new limit, set by any process, takes effect within
/// this time.
const LIFE: Duration = Duration::from_millis(250);
/// Maximum number of keys.
const CAPACITY: usize = 4096;

/// Callers of the keys that were authenticated a moment ago, by the hash of the key: most requests need no query for
/// their key. Rejected keys are not kept.
#[derive(Default)]
pub(crate) struct RecentKeys {
    keys: Mutex<HashMap<[u8; 32], RecentKey>>,
    /// Outcome of the notes that a key is in use.
    pub(crate) uses: LastOutcome,
}

struct RecentKey {
    caller: Caller,
    /// Time before the read of the store.
    read_at: Instant,
}

impl RecentKeys {
    /// Returns the caller of a bearer token, as [`authenticate`](super::authenticate()) does, up to [`LIFE`] late. The own key
    /// of a recorded session is accepted too.
    pub(crate) async fn authenticate(
        &self,
        store: &Arc<dyn Metadata>,
        token: &str,
    ) -> Result<Caller, AuthenticationError> {
        let hash = token_hash(token)?;
        let now = Instant::now();
        if let Some(caller) = self.find(&hash, now) {
            return Ok(caller);
        }
        let caller = match authenticate_hash(store, hash, &self.uses).await {
            Err(AuthenticationError::InvalidKey) => authenticate_session(store, hash, &self.uses).await?,
            found => found?,
        };
        self.keep(hash, caller.clone(), now);
        Ok(caller)
    }

    fn find(&self, hash: &[u8; 32], now: Instant) -> Option<Caller> {
        let keys = self.keys.lock();
        let key = keys.get(hash)?;
        (now.saturating_duration_since(key.read_at) < LIFE).then(|| key.caller.clone())
    }

    fn keep(&self, hash: [u8; 32], caller: Caller, read_at: Instant) {
        let mut keys = self.keys.lock();
        if keys.len() >= CAPACITY && !keys.contains_key(&hash) {
            // Each key is read again soon, so it does no harm to forget all of them.
            keys.clear();
        }
        keys.insert(hash, RecentKey { caller, read_at });
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::auth::{ApiKey, create_key, revoke_key};
    use crate::store::records::KeyLimits;
    use crate::store::sqlite::SqliteMetadata;

    fn caller(entity: &str) -> Caller {
        let (key_id, entity, limits) = (Uuid::now_v7(), entity.to_owned(), KeyLimits::default());
        Caller { key_id, entity, limits, is_admin: false, session: None }
    }

    #[test]
    fn a_key_is_kept_for_its_life() {
        let (keys, begin, caller) = (RecentKeys::default(), Instant::now(), caller("acme"));
        keys.keep([1; 32], caller.clone(), begin);
        assert_eq!(keys.find(&[1; 32], begin + LIFE / 2), Some(caller));
        assert_eq!(keys.find(&[1; 32], begin + LIFE), None, "its life is over");
        assert_eq!(keys.find(&[2; 32], begin), None, "another key");
    }

    #[test]
    fn their_number_is_bounded() {
        let (keys, begin, caller) = (RecentKeys::default(), Instant::now(), caller("acme"));
        for number in 0..CAPACITY + 10 {
            let mut hash = [0; 32];
            hash[..8].copy_from_slice(&number.to_le_bytes());
            keys.keep(hash, caller.clone(), begin);
        }
        assert_eq!(keys.keys.lock().len(), 10);
    }

    #[tokio::test]
    async fn only_accepted_keys_are_kept() {
        let directory = tempfile::tempdir().unwrap();
        let store: Arc<dyn Metadata> =
            Arc::new(SqliteMetadata::open(&directory.path().join("metadata.db")).await.unwrap());
        let (good, _) = create_key(&*store, "acme", "good").await.unwrap();
        let (revoked, record) = create_key(&*store, "acme", "revoked").await.unwrap();
        revoke_key(&*store, &record.id.to_string()).await.unwrap();
        let keys = RecentKeys::default();
        for rejected in [revoked, ApiKey::generate().unwrap()] {
            let rejected = keys.authenticate(&store, rejected.reveal()).await;
            assert!(matches!(rejected, Err(AuthenticationError::InvalidKey)));
        }
        assert!(keys.authenticate(&store, "ty_").await.is_err());
        assert!(keys.keys.lock().is_empty());
        for _ in 0..2 {
            assert_eq!(keys.authenticate(&store, good.reveal()).await.unwrap().entity, "acme");
        }
        assert_eq!(keys.keys.lock().keys().collect::<Vec<_>>(), [&good.sha256()]);
    }
}
