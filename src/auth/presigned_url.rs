//! Tokens in URLs, for tools that download or upload a file with a plain URL and cannot send an API key.
//!
//! A token represents the key that created it: for one hour in a URL, for twelve hours in the session cookie of the
//! dashboard. It is valid only for its use: downloads, uploads, or sessions. Its signature is an HMAC-SHA256 (RFC 2104) under the stored hash of the key, so every
//! process that shares the database can verify it, and it becomes invalid with the key. The signature of a session also
//! covers the number of times that the key's sessions were ended, so that signing out makes copies of a cookie invalid.
//! Anyone who can read the database can create tokens.

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use uuid::Uuid;

use super::authenticate::{AuthenticationError, Caller};
use crate::store::metadata::{Metadata, OptionalExtension};
use crate::store::records::KeyRecord;

/// Validity period of a token in a URL. It is long because an upload of a large file may begin long after the URL was
/// requested.
const LIFE: Duration = Duration::from_secs(3600);
/// Validity period of a session.
const SESSION_LIFE: Duration = Duration::from_secs(12 * 3600);

/// Permitted use of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PresignedUse {
    /// Download a file.
    Fetch,
    /// Upload a file.
    Send,
    /// Send requests from the dashboard.
    Session,
}

impl PresignedUse {
    /// Returns the validity period of a token for this use.
    pub fn life(self) -> Duration {
        match self {
            Self::Fetch | Self::Send => LIFE,
            Self::Session => SESSION_LIFE,
        }
    }
}

/// Creates a token for `key` that is valid from now on.
pub fn presigned_token(key: &KeyRecord, transfer: PresignedUse, now: SystemTime) -> String {
    let until = unix(now) + transfer.life().as_secs();
    let signature = hex::encode(signed(key, transfer, until).finalize().into_bytes());
    format!("{}.{until}.{signature}", key.id.simple())
}

/// Returns the caller that a token represents.
pub async fn authenticate_presigned(
    store: &Arc<dyn Metadata>,
    token: &str,
    transfer: PresignedUse,
    now: SystemTime,
) -> Result<Caller, AuthenticationError> {
    let (key_id, until, signature) = parse(token).ok_or(AuthenticationError::InvalidKey)?;
    let key = store.get_key(key_id).await.optional()?.ok_or(AuthenticationError::InvalidKey)?;
    let is_good = signed(&key, transfer, until).verify_slice(&signature).is_ok();
    if !is_good || until <= unix(now) || key.revoked_at.is_some() {
        return Err(AuthenticationError::InvalidKey);
    }
    Ok(key.into())
}

fn unix(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_secs())
}

fn signed(key: &KeyRecord, transfer: PresignedUse, until: u64) -> Hmac<Sha256> {
    let mut code = Hmac::<Sha256>::new_from_slice(&key.sha256).expect("a key of any length is taken");
    code.update(match transfer {
        PresignedUse::Fetch => b"trainyard token to fetch",
        PresignedUse::Send => b"trainyard token to send.",
        PresignedUse::Session => b"trainyard session token.",
    });
    code.update(key.id.as_bytes());
    code.update(&until.to_be_bytes());
    if transfer == PresignedUse::Session {
        code.update(&key.session_ends.to_be_bytes());
    }
    code
}

/// Parses a token into the key's id, the expiry in Unix seconds, and the signature.
fn parse(token: &str) -> Option<(Uuid, u64, [u8; 32])> {
    let (key, rest) = token.split_once('.')?;
    let (until, signature) = rest.split_once('.')?;
    let mut code = [0; 32];
    hex::decode_to_slice(signature, &mut code).ok()?;
    Some((key.parse().ok()?, until.parse().ok()?, code))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::{create_key, revoke_key};
    use crate::store::sqlite::SqliteMetadata;

    #[tokio::test]
    async fn a_token_stands_for_its_key_for_an_hour() {
        let directory = tempfile::tempdir().unwrap();
        let store: Arc<dyn Metadata> =
            Arc::new(SqliteMetadata::open(&directory.path().join("metadata.db")).await.unwrap());
        let (_, key) = create_key(&*store, "acme", "laptop").await.unwrap();
        let (_, other) = create_key(&*store, "rival", "laptop").await.unwrap();
        let now = UNIX_EPOCH + Duration::from_secs(1_000_000);
        let token = presigned_token(&key, PresignedUse::Fetch, now);
        let ask = async |token: &str, after: u64| {
            authenticate_presigned(&store, token, PresignedUse::Fetch, now + Duration::from_secs(after)).await.ok()
        };
        let caller = Caller::from(key.clone());
        assert_eq!(ask(&token, 3599).await, Some(caller));
        assert_eq!(ask(&token, 3600).await, None, "its hour is over");
        let (id, rest) = token.split_once('.').unwrap();
        let (until, signature) = rest.split_once('.').unwrap();
        for forged in [
            format!("{}.{rest}", other.id.simple()),
            format!("{}.{rest}", Uuid::now_v7().simple()),
            format!("{id}.{}.{signature}", until.parse::<u64>().unwrap() + 1),
            format!("{id}.{until}.{}", "0".repeat(64)),
            format!("{id}.{until}.{}", "é".repeat(32)),
            format!("{token}.x"),
            format!("{id}.{until}"),
            presigned_token(&key, PresignedUse::Send, now),
            presigned_token(&key, PresignedUse::Session, now),
            String::new(),
        ] {
            assert_eq!(ask(&forged, 0).await, None, "{forged}");
        }
        let session = presigned_token(&key, PresignedUse::Session, now);
        let signed_in =
            async |token: &str| authenticate_presigned(&store, token, PresignedUse::Session, now).await.is_ok();
        assert!(signed_in(&session).await);
        let key = store.end_sessions(key.id).await.unwrap();
        assert!(!signed_in(&session).await, "the sessions of the key were ended");
        assert!(signed_in(&presigned_token(&key, PresignedUse::Session, now)).await);
        assert!(ask(&token, 0).await.is_some(), "it is no session");
        revoke_key(&*store, &key.id.to_string()).await.unwrap();
        assert_eq!(ask(&token, 0).await, None, "the key is revoked");
    }
}
