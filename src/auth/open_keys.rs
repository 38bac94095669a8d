//! Ends the open streams and the responses of revoked keys.

use std::collections::HashMap;

use std::sync::{Arc, Weak};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::watch;
use uuid::Uuid;

use crate::store::background::LastOutcome;
use crate::store::metadata::Metadata;

/// Interval of looks at the keys with open streams.
const INTERVAL: Duration = Duration::from_millis(500);

/// Keys with open streams in this process. One query per interval looks which of them are revoked, whichever process
/// revoked them.
#[derive(Default)]
pub(crate) struct OpenKeys {
    outcome: LastOutcome,
    open: Mutex<HashMap<Uuid, Weak<watch::Sender<bool>>>>,
}

/// The revocation of a key with an open stream. The key is open until every one is dropped.
#[derive(Clone)]
pub(crate) struct Revocation(Arc<watch::Sender<bool>>);

impl Revocation {
    /// Returns whether the key is revoked.
    pub(crate) fn is_known(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits until the key is revoked.
    pub(crate) async fn happens(self) {
        let mut revoked = self.0.subscribe();
        // The sender lives as long as `self`.
        let _ = revoked.wait_for(|revoked| *revoked).await;
    }
}

impl OpenKeys {
    /// Returns keys whose revocation is looked for until the result is dropped.
    pub(crate) fn start(store: Arc<dyn Metadata>) -> Arc<Self> {
        let keys = Arc::new(Self::default());
        let weak = Arc::downgrade(&keys);
        keys.outcome.spawn(async move {
            loop {
                tokio::time::sleep(INTERVAL).await;
                let Some(keys) = weak.upgrade() else { return };
                keys.look(&*store).await;
            }
        });
        keys
    }

    /// Returns why the revocations are not known; `None` if they are.
    pub(crate) fn failure(&self) -> Option<String> {
        self.outcome.failure()
    }

    /// Opens a key until the revocation is dropped.
    pub(crate) fn open(&self, key: Uuid) -> Revocation {
        let mut open = self.open.lock();
        let sender = open.get(&key).and_then(Weak::upgrade).unwrap_or_else(|| Arc::new(watch::Sender::new(false)));
        open.insert(key, Arc::downgrade(&sender));
        Revocation(sender)
    }

    /// Looks which of the open keys are revoked. A store that fails is asked again at the next look.
    async fn look(&self, store: &dyn Metadata) {
        let ids: Vec<Uuid> = {
            let mut open = self.open.lock();
            open.retain(|_, sender| sender.strong_count() > 0);
            open.keys().copied().collect()
        };
        if ids.is_empty() {
            self.outcome.record(&Ok::<_, String>(()));
            return;
        }
        let revoked = store.revoked_keys(&ids).await;
        self.outcome.record(&revoked);
        match revoked {
            Ok(revoked) => {
                let open = self.open.lock();
                for sender in revoked.iter().filter_map(|id| open.get(id)?.upgrade()) {
                    sender.send_replace(true);
                }
            }
            Err(error) => tracing::debug!(%error, "the keys of open streams were not looked up"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::{create_key, revoke_key};
    use crate::store::sqlite::SqliteMetadata;

    #[tokio::test]
    async fn only_open_keys_are_looked_up_and_told() {
        let directory = tempfile::tempdir().unwrap();
        let store = SqliteMetadata::open(&directory.path().join("metadata.db")).await.unwrap();
        let (_, one) = create_key(&store, "acme", "one").await.unwrap();
        let (_, two) = create_key(&store, "acme", "two").await.unwrap();
        let keys = OpenKeys::default();
        let (first, again, other) = (keys.open(one.id), keys.open(one.id), keys.open(two.id));
        revoke_key(&store, &one.id.to_string()).await.unwrap();
        assert!(!first.is_known());
        keys.look(&store).await;
        assert!(first.is_known() && again.is_known() && !other.is_known());
        first.happens().await;
        drop((again, other));
        keys.look(&store).await;
        assert!(keys.open.lock().is_empty());
    }
}
