//! Authentication: API keys and their entities.
//!
//! The store has the SHA-256 of a key, never the key: 256 random bits need no slow hash. Processes keep keys that were
//! authenticated a moment ago, for so short a time that a revocation needs no message between them.
//!
//! Rejected: signed tokens. They need no store, and cannot be revoked without one.

mod authenticate;
mod key_text;
mod keys;
mod open_keys;
mod presigned_url;
mod recent_keys;
mod sign_in_codes;

pub use authenticate::{AuthenticationError, Caller, Recording};
pub(crate) use authenticate::{authenticate, authenticate_hash};
pub use key_text::{ApiKey, InvalidApiKey};
pub use keys::{InvalidEntity, KeyError, check_entity, create_key, create_limited_key, limit_key, revoke_key};
pub(crate) use open_keys::{OpenKeys, Revocation};
pub use presigned_url::{PresignedUse, authenticate_presigned, presigned_token};
pub(crate) use recent_keys::RecentKeys;
pub(crate) use sign_in_codes::SignInCodes;
