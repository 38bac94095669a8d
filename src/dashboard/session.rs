//! Sessions of the dashboard: `/dashboard/session`, and the authentication of requests by the cookie of a session.
//!
//! | Request | Effect |
//! |---|---|
//! | `POST {"api_key": …}` or `POST {"code": …}` | starts a session and sets its cookie |
//! | `GET` | returns the session, or null |
//! | `DELETE` | ends all sessions of the key, and removes the cookie |
//!
//! The cookie is `HttpOnly` and `SameSite=Strict`, and holds a token signed under the key's hash (see
//! [`presigned_token`]) and the number of times that the key's sessions were ended: a session ends with its key, when
//! somebody signs out of a session of the same key, and after twelve hours at the latest. Each request with a session
//! passes [`guard::check`]. A request with `Authorization` is never authenticated by a cookie.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use axum::body::to_bytes;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{AppendHeaders, IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde::{Deserialize, Serialize};

use super::guard;
use crate::auth::{
    AuthenticationError, Caller, PresignedUse, SignInCodes, authenticate, authenticate_hash, authenticate_presigned,
    presigned_token,
};
use crate::http::ApiError;
use crate::store::background::LastOutcome;
use crate::store::metadata::Metadata;
use crate::store::records::KeyRecord;

/// Beginning of the bearer token that represents a session. No API key begins with it.
pub(crate) const SESSION_PREFIX: &str = "session.";
/// Maximum size of the body of a sign-in in bytes.
const MAX_BODY: usize = 4096;

/// Sessions of the dashboard.
pub(crate) struct Sessions {
    /// Metadata store.
    pub(crate) metadata: Arc<dyn Metadata>,
    /// One-time codes of this process.
    pub(crate) codes: Arc<SignInCodes>,
    /// Outcome of the notes that a key is in use.
    pub(crate) uses: LastOutcome,
    /// Whether the server listens on a loopback address.
    pub(crate) is_loopback: bool,
}

/// Body of a sign-in; exactly one of the two.
#[derive(Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub(super) struct SignIn {
    api_key: Option<String>,
    code: Option<String>,
}

/// Body of a session.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct Session {
    entity: String,
    key_name: String,
    /// Last characters of the key.
    key_suffix: String,
    /// Latest end of a session that starts now, in Unix seconds.
    expires_at: u64,
}

pub(super) fn with_sessions(routes: Router, sessions: Arc<Sessions>) -> Router {
    routes.route("/dashboard/session", get(read).post(sign_in).delete(sign_out).with_state(sessions))
}

async fn read(State(sessions): State<Arc<Sessions>>, headers: HeaderMap) -> Result<Response, ApiError> {
    guard::check(&headers, sessions.is_loopback)?;
    let Some(token) = cookie(&headers) else { return Ok(uncached(Json(None::<Session>))) };
    let now = SystemTime::now();
    let session = match authenticate_presigned(&sessions.metadata, &token, PresignedUse::Session, now).await {
        Err(AuthenticationError::InvalidKey) => None,
        caller => Some(Session::of(sessions.key_of(caller, "").await?, now)),
    };
    Ok(uncached(Json(session)))
}

async fn sign_in(State(sessions): State<Arc<Sessions>>, request: Request) -> Result<Response, ApiError> {
    let (parts, body) = request.into_parts();
    guard::check(&parts.headers, sessions.is_loopback)?;
    let body = to_bytes(body, MAX_BODY).await.map_err(|_| ApiError::bad_request("the body cannot be read"))?;
    // The message of the parser could repeat a part of the key.
    let body: SignIn = serde_json::from_slice(&body)
        .map_err(|_| ApiError::bad_request("the body must be an object with `api_key` or `code`, each a text"))?;
    let metadata = &sessions.metadata;
    let (caller, message) = match (body.api_key, body.code) {
        (Some(key), None) => (authenticate(metadata, key.trim(), &sessions.uses).await, "the API key is not valid"),
        (None, Some(code)) => {
            let caller = match sessions.codes.take(&code) {
                Some(hash) => authenticate_hash(metadata, hash, &sessions.uses).await,
                None => Err(AuthenticationError::InvalidKey),
            };
            (caller, "the link was used or has expired: sign in with an API key")
        }
        _ => return Err(ApiError::bad_request("the body must have either `api_key` or `code`")),
    };
    let key = sessions.key_of(caller, message).await?;
    let now = SystemTime::now();
    let token = presigned_token(&key, PresignedUse::Session, now);
    let cookie = set_cookie(&parts.headers, &token, PresignedUse::Session.life().as_secs());
    Ok((AppendHeaders([(header::SET_COOKIE, cookie)]), uncached(Json(Session::of(key, now)))).into_response())
}

async fn sign_out(State(sessions): State<Arc<Sessions>>, headers: HeaderMap) -> Result<Response, ApiError> {
    guard::check(&headers, sessions.is_loopback)?;
    if let Some(token) = cookie(&headers) {
        match authenticate_presigned(&sessions.metadata, &token, PresignedUse::Session, SystemTime::now()).await {
            Ok(caller) => drop(sessions.metadata.end_sessions(caller.key_id).await?),
            Err(AuthenticationError::InvalidKey) => {}
            Err(AuthenticationError::Store(error)) => return Err(error.into()),
        }
    }
    let cookie = set_cookie(&headers, "", 0);
    Ok((StatusCode::NO_CONTENT, AppendHeaders([(header::SET_COOKIE, cookie)])).into_response())
}

impl Sessions {
    /// Turns the cookie of a session into the bearer token that the operations authenticate. Looks up one header of a
    /// request that is not from the dashboard.
    ///
    /// # Errors
    /// 403 for a request that does not come from the dashboard of this server.
    pub(crate) fn admit(&self, headers: &mut HeaderMap) -> Result<(), ApiError> {
        if !headers.contains_key(guard::MARK) || headers.contains_key(header::AUTHORIZATION) {
            return Ok(());
        }
        let Some(token) = cookie(headers) else { return Ok(()) };
        guard::check(headers, self.is_loopback)?;
        if let Ok(value) = HeaderValue::from_str(&format!("Bearer {SESSION_PREFIX}{token}")) {
            headers.insert(header::AUTHORIZATION, value);
        }
        Ok(())
    }

    /// Returns the key of a caller.
    async fn key_of(
        &self,
        caller: Result<Caller, AuthenticationError>,
        message: &'static str,
    ) -> Result<KeyRecord, ApiError> {
        let caller = caller.map_err(|error| match error {
            AuthenticationError::InvalidKey => ApiError::unauthorized(message),
            AuthenticationError::Store(error) => error.into(),
        })?;
        Ok(self.metadata.get_key(caller.key_id).await?)
    }
}

impl Session {
    fn of(key: KeyRecord, now: SystemTime) -> Self {
        let end = now + PresignedUse::Session.life();
        let expires_at = end.duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        Self { entity: key.entity, key_name: key.name, key_suffix: key.suffix, expires_at }
    }
}

fn uncached(response: impl IntoResponse) -> Response {
    ([(header::CACHE_CONTROL, "no-store")], response).into_response()
}

/// Name of the cookie. Browsers share cookies among the ports of a host, so servers on one host need names of their own.
fn cookie_name(headers: &HeaderMap) -> String {
    guard::port(headers).map_or_else(|| "trainyard".to_owned(), |port| format!("trainyard-{port}"))
}

/// Returns the token in the cookie of a session.
fn cookie(headers: &HeaderMap) -> Option<String> {
    let name = cookie_name(headers);
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(key, value)| *key == name && !value.is_empty()).map(|(_, value)| value.to_owned())
}

fn set_cookie(headers: &HeaderMap, value: &str, seconds: u64) -> String {
    let name = cookie_name(headers);
    // Browsers reject `Secure` cookies of plain HTTP, except on some loopback names.
    let is_https = headers.get(header::ORIGIN).is_some_and(|origin| origin.as_bytes().starts_with(b"https://"));
    let secure = if is_https { "; Secure" } else { "" };
    format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}")
}
