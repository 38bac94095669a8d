//! Tokens in addresses: for tools that fetch or send a file from a plain URL, where no key can go along.
//!
//! A token stands for the key that it was made with, for an hour, at the operations that take one: some to fetch, others to
//! send. It is signed with what is stored of the key (HMAC-SHA256, RFC 2104), so every process that shares the database
//! knows it, and it ends with the key. Whoever can read the database can make one.

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use uuid::Uuid;

use super::authenticate::{AuthenticationError, Caller};
use crate::hexadecimal::hexadecimal;
use crate::store::metadata::{Metadata, StoreError};
use crate::store::records::KeyRecord;

/// How long a token is good: a large file may begin to be sent long after its URL was asked for.
const LIFE: Duration = Duration::from_secs(3600);

/// What a token is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transfer {
    /// To fetch what is there.
    Fetch,
    /// To send a file.
    Send,
}

/// A token that stands for `key` from now on.
pub fn transfer_token(key: &KeyRecord, transfer: Transfer, now: SystemTime) -> String {
    let until = unix(now) + LIFE.as_secs();
    let signature = hexadecimal(&signed(key, transfer, until).finalize().into_bytes());
    format!("{}.{until}.{signature}", key.id.simple())
}

/// Finds the caller that a token stands for.
pub async fn authenticate_transfer(
    store: &Arc<dyn Metadata>,
    token: &str,
    transfer: Transfer,
    now: SystemTime,
) -> Result<Caller, AuthenticationError> {
    let (key_id, until, signature) = parse(token).ok_or(AuthenticationError::InvalidKey)?;
    let key = match store.get_key(key_id).await {
        Ok(key) => key,
        Err(StoreError::NotFound(_)) => return Err(AuthenticationError::InvalidKey),
        Err(error) => return Err(error.into()),
    };
    let is_good = signed(&key, transfer, until).verify_slice(&signature).is_ok();
    if !is_good || until <= unix(now) || key.revoked_at.is_some() {
        return Err(AuthenticationError::InvalidKey);
    }
    Ok(key.into())
}

fn unix(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_secs())
}

fn signed(key: &KeyRecord, transfer: Transfer, until: u64) -> Hmac<Sha256> {
    let mut code = Hmac::<Sha256>::new_from_slice(&key.sha256).expect("a key of any length is taken");
    code.update(match transfer {
        Transfer::Fetch => b"trainyard token to fetch",
        Transfer::Send => b"trainyard token to send.",
    });
    code.update(key.id.as_bytes());
    code.update(&until.to_be_bytes());
    code
}

/// The key's id, the last second, and the signature.
fn parse(token: &str) -> Option<(Uuid, u64, Vec<u8>)> {
    let mut parts = token.split('.');
    let (key, until, signature) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() || signature.len() != 64 || !signature.is_ascii() {
        return None;
    }
    let bytes = (0..32).map(|at| u8::from_str_radix(&signature[2 * at..2 * at + 2], 16).ok());
    Some((key.parse().ok()?, until.parse().ok()?, bytes.collect::<Option<_>>()?))
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
        let token = transfer_token(&key, Transfer::Fetch, now);
        let ask = async |token: &str, after: u64| {
            authenticate_transfer(&store, token, Transfer::Fetch, now + Duration::from_secs(after)).await.ok()
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
            transfer_token(&key, Transfer::Send, now),
            String::new(),
        ] {
            assert_eq!(ask(&forged, 0).await, None, "{forged}");
        }
        revoke_key(&*store, &key.id.to_string()).await.unwrap();
        assert_eq!(ask(&token, 0).await, None, "the key is revoked");
    }
}
