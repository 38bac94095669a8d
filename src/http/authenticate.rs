//! From a bearer token to whoever calls.

use axum::http::{HeaderMap, header};

use super::Failure;

/// Turns a bearer token into a caller. A secured operation cannot be reached, or implemented, without one.
pub trait Authenticate: Send + Sync + 'static {
    /// Whoever calls.
    type Caller: Send;

    /// Looks the token up. `headers` are those of the request, for what else names the caller.
    fn authenticate(
        &self,
        token: &str,
        headers: &HeaderMap,
    ) -> impl Future<Output = Result<Self::Caller, Failure>> + Send;
}

/// The caller of a request, before anything else of it is read.
pub async fn authenticate<A: Authenticate>(api: &A, headers: &HeaderMap) -> Result<A::Caller, Failure> {
    match bearer_token(headers) {
        Some(token) => api.authenticate(token, headers).await,
        None => Err(Failure::unauthorized("this needs an API key: send the header `Authorization: Bearer <API_KEY>`")),
    }
}

fn bearer_token(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    let token = token.trim();
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then_some(token)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_bearer_token_counts() {
        let token = |value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::AUTHORIZATION, value.parse().unwrap());
            bearer_token(&headers).map(str::to_owned)
        };
        assert_eq!(token("Bearer abc").as_deref(), Some("abc"));
        assert_eq!(token("bearer  abc ").as_deref(), Some("abc"));
        for bad in ["Bearer", "Bearer ", "abc", "Basic abc", "", "Bearerabc"] {
            assert_eq!(token(bad), None, "{bad:?}");
        }
    }
}
