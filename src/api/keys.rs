//! Keys in the wire format.

use std::time::Instant;

use chrono::Utc;

use super::Api;
use super::job_view::seconds;
use super::limits::first_day;
use crate::auth::Caller;
use crate::generated::types::{self, KeyDetail, KeySummary, KeyUse};
use crate::http::ApiError;
use crate::store::records::{KeyLimits, KeyRecord};

impl Api {
    /// Returns the key of a caller, with its use.
    pub(super) async fn key_of(&self, caller: &Caller) -> Result<KeyDetail, ApiError> {
        let key = self.metadata.get_key(caller.key_id).await?;
        let reading = self.limiter.read(key.id, &key.limits, Instant::now());
        let (queued_jobs, stored_bytes, tokens_this_month) = tokio::try_join!(
            self.metadata.unfinished_jobs_of_key(&key.entity, key.id),
            self.metadata.stored_bytes(key.id),
            self.metadata.used_tokens(&key.entity, key.id, first_day(Utc::now())),
        )?;
        let key_use = KeyUse {
            requests_left: reading.requests.map(|reading| reading.remaining),
            tokens_left: reading.tokens.map(|reading| reading.remaining),
            streams: reading.streams,
            queued_jobs,
            stored_bytes,
            tokens_this_month,
        };
        let KeySummary { id, entity, name, suffix, admin, created_at, limits, .. } = summary(key);
        Ok(KeyDetail { id, entity, name, suffix, admin, created_at, limits, use_: key_use })
    }
}

pub(super) fn summary(key: KeyRecord) -> KeySummary {
    let KeyLimits { requests_per_minute, tokens_per_minute, streams, queued_jobs, stored_bytes, tokens_per_month } =
        key.limits;
    KeySummary {
        id: key.id.to_string(),
        entity: key.entity,
        name: key.name,
        suffix: key.suffix,
        admin: key.is_admin,
        created_at: seconds(key.created_at),
        last_used_at: key.last_used_at.map(seconds),
        revoked_at: key.revoked_at.map(seconds),
        limits: types::KeyLimits {
            requests_per_minute,
            tokens_per_minute,
            streams,
            queued_jobs,
            stored_bytes,
            tokens_per_month,
        },
    }
}

pub(super) fn wire_limits(limits: &types::KeyLimits) -> KeyLimits {
    let types::KeyLimits {
        requests_per_minute,
        tokens_per_minute,
        streams,
        queued_jobs,
        stored_bytes,
        tokens_per_month,
    } = *limits;
    KeyLimits { requests_per_minute, tokens_per_minute, streams, queued_jobs, stored_bytes, tokens_per_month }
}
