//! Authenticates the API key of a request.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use subtle::ConstantTimeEq;
use uuid::Uuid;

use super::key_text::ApiKey;
use crate::store::background::LastOutcome;
use crate::store::metadata::{Metadata, StoreError};
use crate::store::records::{KeyLimits, KeyRecord, SessionRecord};

/// The authenticated caller of a request.
#[derive(Clone, Debug, PartialEq)]
pub struct Caller {
    /// Id of the API key.
    pub key_id: Uuid,
    /// Entity of the key. Every read of the store is restricted to it.
    pub entity: String,
    /// Limits of the key.
    pub limits: KeyLimits,
    /// Whether the key may use the operations of operators.
    pub is_admin: bool,
    /// The recorded session that the request belongs to.
    pub session: Option<Recording>,
}

/// A recorded session that a request belongs to.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    /// The session.
    pub session: Arc<SessionRecord>,
    /// Whether the request has the session's own key, which does nothing but sample.
    pub is_own_key: bool,
    /// Operation of the request; empty before it is known.
    pub operation: &'static str,
}

impl Recording {
    /// Creates the recording of a request whose operation is not known yet.
    pub(crate) fn new(session: SessionRecord, is_own_key: bool) -> Self {
        Self { session: Arc::new(session), is_own_key, operation: "" }
    }
}

impl From<KeyRecord> for Caller {
    fn from(key: KeyRecord) -> Self {
        Self { key_id: key.id, entity: key.entity, limits: key.limits, is_admin: key.is_admin, session: None }
    }
}

/// Error of a failed authentication.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum AuthenticationError {
    #[error("the API key is not valid")]
    InvalidKey,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Returns the caller of a bearer token. A malformed token is rejected without a store query. That the key is in use is
/// noted in the background, with its outcome in `uses`.
pub(crate) async fn authenticate(
    store: &Arc<dyn Metadata>,
    token: &str,
    uses: &LastOutcome,
) -> Result<Caller, AuthenticationError> {
    authenticate_hash(store, token_hash(token)?, uses).await
}

/// Returns the hash of a bearer token.
pub(super) fn token_hash(token: &str) -> Result<[u8; 32], AuthenticationError> {
    let key: ApiKey = token.parse().map_err(|_| AuthenticationError::InvalidKey)?;
    Ok(key.sha256())
}

/// Returns the caller of a key with this hash.
pub(crate) async fn authenticate_hash(
    store: &Arc<dyn Metadata>,
    hash: [u8; 32],
    uses: &LastOutcome,
) -> Result<Caller, AuthenticationError> {
    let found = store.find_key_by_hash(&hash).await?;
    // Compare also for an unknown key, so that the time does not reveal whether the key exists.
    let stored = found.as_ref().map_or([0; 32], |record| record.sha256);
    let equal = bool::from(stored.ct_eq(&hash));
    let record = found.filter(|record| equal && record.revoked_at.is_none()).ok_or(AuthenticationError::InvalidKey)?;
    note_use(store, &record, uses);
    Ok(record.into())
}

/// Returns the caller of the own key of a recorded session, whose hash this is: the key that opened the session, restricted to
/// the session.
pub(super) async fn authenticate_session(
    store: &Arc<dyn Metadata>,
    hash: [u8; 32],
    uses: &LastOutcome,
) -> Result<Caller, AuthenticationError> {
    let found = store.find_session_by_key(&hash).await?;
    let (session, key) = found.filter(|(_, key)| key.revoked_at.is_none()).ok_or(AuthenticationError::InvalidKey)?;
    note_use(store, &key, uses);
    Ok(Caller { session: Some(Recording::new(session, true)), is_admin: false, ..key.into() })
}

/// Records in the background that a key is in use, at most once a minute. The request neither waits for it nor fails
/// with it.
fn note_use(store: &Arc<dyn Metadata>, record: &KeyRecord, uses: &LastOutcome) {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_millis());
    let noted = record.last_used_at.and_then(|at| u128::try_from(at).ok()).unwrap_or(0);
    if now.abs_diff(noted) < 60_000 {
        return;
    }
    let (store, id, uses) = (Arc::clone(store), record.id, uses.clone());
    tokio::spawn(async move {
        let noted = store.touch_key(id).await;
        uses.record(&noted);
        if let Err(error) = noted {
            tracing::warn!(key = %id, %error, "could not note the use of a key");
        }
    });
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::auth::{create_key, revoke_key};
    use crate::store::sqlite::SqliteMetadata;

    async fn store() -> (tempfile::TempDir, Arc<dyn Metadata>) {
        let directory = tempfile::tempdir().unwrap();
        let store = SqliteMetadata::open(&directory.path().join("metadata.db")).await.unwrap();
        (directory, Arc::new(store))
    }

    #[tokio::test]
    async fn a_key_stands_for_its_entity_until_it_is_revoked() {
        let (_directory, store) = store().await;
        let (key, record) = create_key(&*store, "acme", "laptop").await.unwrap();
        let (_, other) = create_key(&*store, "rival", "laptop").await.unwrap();
        let caller = authenticate(&store, key.reveal(), &LastOutcome::default()).await.unwrap();
        let limits = KeyLimits::default();
        assert_eq!(caller, Caller { key_id: record.id, entity: "acme".into(), limits, is_admin: false, session: None });
        revoke_key(&*store, &other.id.to_string()).await.unwrap();
        authenticate(&store, key.reveal(), &LastOutcome::default()).await.unwrap();
        revoke_key(&*store, &record.id.to_string()).await.unwrap();
        assert!(matches!(
            authenticate(&store, key.reveal(), &LastOutcome::default()).await,
            Err(AuthenticationError::InvalidKey)
        ));
    }

    #[tokio::test]
    async fn unknown_and_malformed_keys_get_the_same_answer() {
        let (_directory, store) = store().await;
        let (key, _) = create_key(&*store, "acme", "laptop").await.unwrap();
        let stranger = ApiKey::generate().unwrap();
        let cut = &key.reveal()[..40];
        for token in ["", "ty_", cut, stranger.reveal(), &key.reveal().to_lowercase()] {
            let rejected = authenticate(&store, token, &LastOutcome::default()).await.unwrap_err();
            assert_eq!(rejected.to_string(), AuthenticationError::InvalidKey.to_string());
        }
    }

    #[tokio::test]
    async fn the_use_of_a_key_is_noted() {
        let (_directory, store) = store().await;
        let (key, _) = create_key(&*store, "acme", "laptop").await.unwrap();
        authenticate(&store, key.reveal(), &LastOutcome::default()).await.unwrap();
        let noted = async {
            while store.list_keys(None).await.unwrap()[0].last_used_at.is_none() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(10), noted).await.expect("the use is noted soon");
    }
}
