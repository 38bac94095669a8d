//! Who is calling: API keys and the entities they act for.

mod authenticate;
mod key_text;
mod keys;
mod transfer;

pub use authenticate::{AuthenticationError, Caller, authenticate};
pub use key_text::{ApiKey, InvalidApiKey};
pub use keys::{
    InvalidEntity, KeyError, check_entity, create_key, create_limited_key, limit_key, list_keys, revoke_key,
};
pub use transfer::{Transfer, authenticate_transfer, transfer_token};
