//! Requests in recorded sessions: which session a request belongs to, what it may do, which model it samples, and how its tokens
//! are stored.

use std::time::{Duration, Instant};

use axum::http::{HeaderMap, HeaderName, header};
use chrono::Utc;

use super::Api;
use super::ignored::Ignored;
use crate::auth::{Caller, Recording};
use crate::chat::{ChatError, StoreRecording};
use crate::error_chain;
use crate::http::ApiError;
use crate::models::{SCHEME, Target};
use crate::sessions::{self, MAX_BYTES, MAX_GENERATIONS, Origin};
use crate::store::metadata::StoreError;

/// Header with the id of a session.
pub(super) const SESSION: HeaderName = HeaderName::from_static("x-trainyard-session");
/// Header of a key, as Anthropic's client libraries send it.
const X_API_KEY: HeaderName = HeaderName::from_static("x-api-key");

/// `Retry-After` of a session that takes no further generation.
const FULL: Duration = Duration::from_secs(3600);

/// Operations that a session's own key may use. Each samples the session's model or has to do with its tokens alone.
const OPERATIONS: [&str; 10] = [
    "compact_response",
    "count_message_tokens",
    "count_response_tokens",
    "create_chat_completion",
    "create_completion",
    "create_message",
    "create_response",
    "detokenize",
    "get_tokenizer_info",
    "tokenize",
];

/// Notes the operation of a request in a session.
///
/// # Errors
/// 403 for an operation that a session's own key may not use.
pub(super) fn begin(caller: &mut Caller, operation: &'static str) -> Result<(), ApiError> {
    let Some(Recording { is_own_key, operation: noted, .. }) = &mut caller.session else { return Ok(()) };
    if *is_own_key && !OPERATIONS.contains(&operation) {
        let message = format!(
            "the key of a session samples the session's model and does nothing else, and this is {operation}; use a key of \
             `trainyard keys create`"
        );
        return Err(ApiError::forbidden(message).with_code("session_key"));
    }
    *noted = operation;
    Ok(())
}

impl Api {
    /// Finds the session that a request names beside its key.
    ///
    /// # Errors
    /// 401 for two keys of which one belongs to a session, 403 for a session's key with another session's id, 404 for an unknown
    /// session.
    pub(super) async fn in_session(&self, caller: Caller, headers: &HeaderMap) -> Result<Caller, ApiError> {
        self.check_single_key(&caller, headers).await?;
        let mut named = headers.get_all(SESSION).iter().map(|value| value.to_str().unwrap_or_default());
        let Some(id) = named.next() else { return Ok(caller) };
        if named.any(|other| other != id) {
            return Err(ApiError::bad_request("the request names two sessions; name one, in the URL or in the header"));
        }
        let id = super::paging::id(id, "session")?;
        match &caller.session {
            Some(own) if own.session.id == id => Ok(caller),
            Some(_) => Err(ApiError::forbidden("this is the key of another session").with_code("session_key")),
            None => {
                let session = self.metadata.get_session(&caller.entity, id).await?;
                Ok(Caller { session: Some(Recording::new(session, false)), ..caller })
            }
        }
    }

    /// Rejects a request with two keys if one of them belongs to a session: a program that has another key besides would sample
    /// outside of the session without a sign of it.
    async fn check_single_key(&self, caller: &Caller, headers: &HeaderMap) -> Result<(), ApiError> {
        let Some(key) = headers.get(X_API_KEY).and_then(|key| key.to_str().ok()).filter(|key| !key.is_empty()) else {
            return Ok(());
        };
        let authorization = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let Some(bearer) = authorization.map(|text| text.split_once(' ').map_or(text, |(_, token)| token.trim()))
        else {
            return Ok(());
        };
        if bearer == key {
            return Ok(());
        }
        let mut is_recorded = caller.session.is_some() || headers.contains_key(SESSION);
        for token in [key, bearer] {
            is_recorded |= self.is_session_key(token).await?;
        }
        if !is_recorded {
            return Ok(());
        }
        Err(ApiError::unauthorized(
            "the request has two keys, in `x-api-key` and in `Authorization`, and one belongs to a session; send the \
             session's key alone",
        ))
    }

    async fn is_session_key(&self, token: &str) -> Result<bool, ApiError> {
        match self.recent_keys.authenticate(&self.metadata, token).await {
            Ok(caller) => Ok(caller.session.is_some()),
            Err(crate::auth::AuthenticationError::InvalidKey) => Ok(false),
            Err(crate::auth::AuthenticationError::Store(error)) => Err(error.into()),
        }
    }

    /// Resolves the model of a request: in a session that of the session, whatever the request names. Another name is a warning.
    pub(super) async fn target(
        &self,
        caller: &Caller,
        named: &str,
        mut ignored: Ignored,
    ) -> Result<(Target, Ignored), ApiError> {
        let Some(Recording { session, .. }) = &caller.session else {
            return Ok((self.catalog.resolve(&caller.entity, named).await?, ignored));
        };
        let model = &session.labels.model;
        let short = |name: &str| name.strip_prefix(SCHEME).unwrap_or(name).to_owned();
        let (own, named) = (short(model), short(named));
        ignored.add_if(own != named && own.rsplit_once(":step").is_none_or(|(own, _)| own != named), "model");
        Ok((self.catalog.resolve(&caller.entity, model).await?, ignored))
    }

    /// Returns what stores the tokens of a request in its session; `None` outside of sessions.
    ///
    /// # Errors
    /// 429 for a session that takes no further generation.
    pub(super) async fn recorder(
        &self,
        caller: &Caller,
        target: &Target,
        arrived: Instant,
    ) -> Result<Option<StoreRecording>, ApiError> {
        let Some(Recording { session, operation, .. }) = caller.session.clone() else { return Ok(None) };
        let full = |what: String| {
            let failure = ApiError::too_many_requests(what, FULL).with_code("session_full");
            Err(failure.with_should_retry(false))
        };
        if session.bytes >= MAX_BYTES || session.generations >= MAX_GENERATIONS {
            return full(format!(
                "the session has {} generations with {} bytes and takes no more; open another one",
                session.generations, session.bytes
            ));
        }
        if let Some(stored) = self.session_room.exceeded(&*self.metadata, &caller.entity).await? {
            return full(format!("the sessions of this entity have {stored} bytes; delete those that are not needed"));
        }
        let waited = chrono::TimeDelta::from_std(arrived.elapsed()).unwrap_or_default();
        let started_at = (Utc::now() - waited).timestamp_millis();
        let origin = Origin { operation, model: target.name.clone(), step: target.step, started_at };
        let (metadata, session) = (self.metadata.clone(), session.id);
        Ok(Some(Box::new(move |sample| {
            Box::pin(async move {
                let recorded = sessions::recorded(origin, sample, Utc::now().timestamp_millis());
                let recorded = recorded.map_err(|error| ChatError::Failed(error.to_string()))?;
                metadata.add_generation(session, recorded).await.map_err(|error| match error {
                    StoreError::NotFound(_) => {
                        ChatError::Unavailable("the session was deleted or has expired meanwhile".to_owned())
                    }
                    StoreError::Unavailable(_) | StoreError::Frozen(_) => {
                        tracing::error!(error = %error_chain(&error), "a generation could not be recorded");
                        ChatError::Unavailable("the store is busy, so nothing was recorded; try again".to_owned())
                    }
                    error => ChatError::Failed(error_chain(&error)),
                })
            })
        })))
    }
}
