//! Creates, lists, limits and revokes API keys.

use uuid::Uuid;

use super::key_text::ApiKey;
use crate::store::metadata::{Metadata, OptionalExtension, StoreError};
use crate::store::records::{KeyLimits, KeyRecord, NewKey};

const MAX_ENTITY: usize = 128;
const MAX_NAME: usize = 128;

/// The text is not a valid entity name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} cannot name an entity: use 1 to {MAX_ENTITY} letters, digits, '.', '_' or '-', beginning with a letter or digit"
)]
pub struct InvalidEntity(pub String);

/// Error of an operation on keys.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// The entity's name is invalid.
    #[error(transparent)]
    Entity(#[from] InvalidEntity),
    /// The key's name is invalid.
    #[error("{0:?} cannot name a key: use 1 to {MAX_NAME} characters without control characters")]
    Name(String),
    /// No key has this id or suffix.
    #[error("no key has the id or suffix {0:?}; `trainyard keys list` shows all")]
    Unknown(String),
    /// Several valid keys have this suffix.
    #[error("{count} keys end in {suffix:?}; name one by its id")]
    Ambiguous {
        /// The given suffix.
        suffix: String,
        /// Number of keys with this suffix.
        count: usize,
    },
    /// The operating system returned no random bytes.
    #[error("the operating system gave no random bytes")]
    Random(#[source] getrandom::Error),
    /// The metadata store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Validates the name of an entity. It becomes part of model names, which are split at `/` and `:`.
pub fn check_entity(entity: &str) -> Result<(), InvalidEntity> {
    let fine = entity.len() <= MAX_ENTITY
        && entity.starts_with(|first: char| first.is_ascii_alphanumeric())
        && entity.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte));
    if fine { Ok(()) } else { Err(InvalidEntity(entity.to_owned())) }
}

/// Creates a key for an entity. The text of the key is not stored: show it once.
pub async fn create_key(store: &dyn Metadata, entity: &str, name: &str) -> Result<(ApiKey, KeyRecord), KeyError> {
    create_limited_key(store, entity, name, KeyLimits::default(), false).await
}

/// Creates a key with `limits`, which may use the operations of operators if it `is_admin`; see [`create_key`].
pub async fn create_limited_key(
    store: &dyn Metadata,
    entity: &str,
    name: &str,
    limits: KeyLimits,
    is_admin: bool,
) -> Result<(ApiKey, KeyRecord), KeyError> {
    check_entity(entity)?;
    if name.is_empty() || name.chars().count() > MAX_NAME || name.contains(char::is_control) {
        return Err(KeyError::Name(name.to_owned()));
    }
    let key = ApiKey::generate().map_err(KeyError::Random)?;
    let record = store
        .create_key(NewKey {
            entity: entity.to_owned(),
            name: name.to_owned(),
            suffix: key.suffix().to_owned(),
            sha256: key.sha256(),
            limits,
            is_admin,
        })
        .await?;
    Ok((key, record))
}

/// Revokes the key with this id, or the only valid key with this suffix. Running servers reject the key within a second.
pub async fn revoke_key(store: &dyn Metadata, id_or_suffix: &str) -> Result<KeyRecord, KeyError> {
    let key = find_key(store, id_or_suffix).await?;
    Ok(store.revoke_key(key.id).await?)
}

/// Changes the limits of the key with this id, or of the only valid key with this suffix. Running servers apply the new
/// limits within a second.
pub async fn limit_key(
    store: &dyn Metadata,
    id_or_suffix: &str,
    change: impl FnOnce(KeyLimits) -> KeyLimits,
) -> Result<KeyRecord, KeyError> {
    let key = find_key(store, id_or_suffix).await?;
    Ok(store.set_key_limits(key.id, change(key.limits)).await?)
}

/// Returns the key with this id, or the only valid key with this suffix.
async fn find_key(store: &dyn Metadata, id_or_suffix: &str) -> Result<KeyRecord, KeyError> {
    let unknown = || KeyError::Unknown(id_or_suffix.to_owned());
    if let Ok(id) = id_or_suffix.parse::<Uuid>() {
        return store.get_key(id).await.optional()?.ok_or_else(unknown);
    }
    let mut keys = store.list_keys(None).await?;
    keys.retain(|key| key.revoked_at.is_none() && key.suffix == id_or_suffix);
    match keys.len() {
        0 => Err(unknown()),
        1 => Ok(keys.remove(0)),
        count => Err(KeyError::Ambiguous { suffix: id_or_suffix.to_owned(), count }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::metadata::Keys;
    use crate::store::sqlite::SqliteMetadata;

    async fn store() -> (tempfile::TempDir, SqliteMetadata) {
        let directory = tempfile::tempdir().unwrap();
        let store = SqliteMetadata::open(&directory.path().join("metadata.db")).await.unwrap();
        (directory, store)
    }

    #[test]
    fn entity_names_follow_the_rules() {
        for fine in ["acme", "a", "9", "Acme-Labs_2.x", &"e".repeat(128)] {
            assert_eq!(check_entity(fine), Ok(()));
        }
        for bad in ["", "-a", ".a", "_a", "a/b", "a:b", "a b", "ä", "a\n", "a\0", &"e".repeat(129)] {
            assert_eq!(check_entity(bad), Err(InvalidEntity(bad.to_owned())));
        }
    }

    #[tokio::test]
    async fn the_database_never_holds_a_key() {
        let (directory, store) = store().await;
        let (key, _) = create_key(&store, "acme", "laptop").await.unwrap();
        store.close().await;
        let mut bytes = 0;
        for file in std::fs::read_dir(directory.path()).unwrap() {
            let content = std::fs::read(file.unwrap().path()).unwrap();
            bytes += content.len();
            let secret = &key.reveal().as_bytes()[..40];
            assert!(!content.windows(secret.len()).any(|window| window == secret));
        }
        assert!(bytes > 0);
    }

    #[tokio::test]
    async fn bad_names_are_rejected() {
        let (_directory, store) = store().await;
        assert!(matches!(create_key(&store, "a/b", "k").await, Err(KeyError::Entity(_))));
        for bad in ["", "a\nb", &"k".repeat(129)] {
            assert!(matches!(create_key(&store, "acme", bad).await, Err(KeyError::Name(_))));
        }
        assert!(store.list_keys(None).await.unwrap().is_empty());
    }

    #[tokio::test]
    async fn a_key_is_revoked_by_id_or_by_suffix() {
        let (_directory, store) = store().await;
        let (first_key, first) = create_key(&store, "acme", "first").await.unwrap();
        let (_, second) = create_key(&store, "acme", "second").await.unwrap();
        let revoked = revoke_key(&store, first_key.suffix()).await.unwrap();
        assert_eq!(revoked.id, first.id);
        assert!(revoked.revoked_at.is_some());
        assert_eq!(revoke_key(&store, &second.id.to_string()).await.unwrap().id, second.id);
        for unknown in ["none", first_key.suffix(), &Uuid::now_v7().to_string()] {
            assert!(matches!(revoke_key(&store, unknown).await, Err(KeyError::Unknown(_))));
        }
    }

    #[tokio::test]
    async fn a_suffix_of_two_keys_revokes_neither() {
        let (_directory, store) = store().await;
        for hash in [1, 2] {
            let key = NewKey {
                entity: "acme".into(),
                name: "k".into(),
                suffix: "same".into(),
                sha256: [hash; 32],
                limits: KeyLimits::default(),
                is_admin: false,
            };
            store.create_key(key).await.unwrap();
        }
        let rejected = revoke_key(&store, "same").await;
        assert!(matches!(rejected, Err(KeyError::Ambiguous { count: 2, .. })));
        assert!(store.list_keys(None).await.unwrap().iter().all(|key| key.revoked_at.is_none()));
    }
}
