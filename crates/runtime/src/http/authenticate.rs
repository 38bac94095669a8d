//! Authentication: from the credentials of a request to its caller.

use std::borrow::Cow;
use std::fmt;

use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use axum::response::Response;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::http::{ApiError, ErrorStatus, decode};

/// A credential that an operation requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Requirement {
    /// Name of the security scheme in the document.
    pub scheme: &'static str,
    /// Location of the credential in the request.
    pub carrier: Carrier,
    /// Scopes that the credential must have. [`Authenticate`] checks them.
    pub scopes: &'static [&'static str],
}

/// Location of a credential in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carrier {
    /// `Authorization: Bearer`; OAuth 2 and OpenID Connect too.
    Bearer,
    /// `Authorization: Basic`.
    Basic,
    /// `Authorization` with this scheme.
    Other(&'static str),
    /// A header of this name.
    Header(&'static str),
    /// A query parameter of this name.
    Query(&'static str),
    /// A cookie of this name.
    Cookie(&'static str),
}

/// Alternatives, each a set of credentials that are required together. An empty alternative allows anonymous requests.
pub type Security = &'static [&'static [Requirement]];

/// Credentials of one alternative: all present, none checked yet.
#[derive(Debug)]
pub struct Credentials<'a> {
    /// Credentials in the order of the document.
    pub presented: Vec<Presented<'a>>,
}

/// A credential that a request carries.
#[derive(Debug)]
pub struct Presented<'a> {
    /// Requirement that the credential satisfies.
    pub requirement: &'static Requirement,
    /// Secret that was sent.
    pub secret: Secret<'a>,
}

/// Secret of a credential. `Debug` shows its kind only.
pub enum Secret<'a> {
    /// A bearer token.
    Bearer(&'a str),
    /// A user and a password.
    Basic {
        /// User name: the text before the first colon.
        user: String,
        /// Password: the text after the first colon.
        password: String,
    },
    /// An API key.
    Key(Cow<'a, str>),
    /// Text after the scheme's name in `Authorization`.
    Other(&'a str),
}

impl fmt::Debug for Secret<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bearer(_) => "Bearer",
            Self::Basic { .. } => "Basic",
            Self::Key(_) => "Key",
            Self::Other(_) => "Other",
        })
    }
}

impl Credentials<'_> {
    /// Returns the bearer token; `None` if the alternative requires another credential.
    pub fn bearer(&self) -> Option<&str> {
        self.presented.iter().find_map(|presented| match presented.secret {
            Secret::Bearer(token) => Some(token),
            _ => None,
        })
    }
}

/// Authentication: maps credentials to a caller. The generated handlers of secured operations receive that caller.
pub trait Authenticate: Send + Sync + 'static {
    /// Authenticated caller.
    type Caller: Send;

    /// Looks up the credentials. `headers` are the headers of the request, for implementations that need others too.
    fn authenticate(
        &self,
        credentials: &Credentials<'_>,
        headers: &HeaderMap,
    ) -> impl Future<Output = Result<Self::Caller, ApiError>> + Send;

    /// Responds to an authenticated request: `run` reads it and calls the operation of this id. An implementation that
    /// knows the response need not run it.
    fn respond<F: Future<Output = Response> + Send>(
        &self,
        caller: Self::Caller,
        _operation: &'static str,
        _request: &Parts,
        run: impl FnOnce(Self::Caller) -> F + Send,
    ) -> impl Future<Output = Response> + Send {
        run(caller)
    }
}

/// Returns the caller of a request. It runs before parameters and body are read.
///
/// # Errors
/// 401 when the request has the credentials of no alternative; otherwise the error of `api`.
pub async fn authenticate<A: Authenticate>(api: &A, parts: &Parts, security: Security) -> Result<A::Caller, ApiError> {
    first_accepted(api, parts, security).await?.ok_or_else(|| missing(security))
}

/// Returns the caller of a request that may be anonymous.
///
/// # Errors
/// The error of `api` for the credentials that are present; 401 for an `Authorization` header that cannot be read.
pub async fn authenticate_optional<A: Authenticate>(
    api: &A,
    parts: &Parts,
    security: Security,
) -> Result<Option<A::Caller>, ApiError> {
    let caller = first_accepted(api, parts, security).await?;
    // A request with broken credentials must not be handled as an anonymous one.
    if caller.is_none() && security.iter().copied().flatten().any(|requirement| is_broken(parts, requirement.carrier)) {
        return Err(missing(security));
    }
    Ok(caller)
}

/// Returns the caller of the first alternative that is complete and accepted. If complete alternatives were all
/// rejected, returns the last one's error; if none is complete, `None`.
async fn first_accepted<A: Authenticate>(
    api: &A,
    parts: &Parts,
    security: Security,
) -> Result<Option<A::Caller>, ApiError> {
    let mut rejection = None;
    for alternative in security.iter().filter(|alternative| !alternative.is_empty()) {
        let Some(credentials) = credentials(parts, alternative)? else { continue };
        match api.authenticate(&credentials, &parts.headers).await {
            Ok(caller) => return Ok(Some(caller)),
            Err(failure) => {
                let says_no = [ErrorStatus::UNAUTHORIZED, ErrorStatus::FORBIDDEN].contains(&failure.status());
                // The error of an unavailable key store is not a rejection of the caller.
                if !says_no {
                    return Err(failure);
                }
                rejection = Some(failure);
            }
        }
    }
    rejection.map_or(Ok(None), Err)
}

/// Returns the credentials of an alternative if all of them are present.
fn credentials<'a>(parts: &'a Parts, alternative: &'static [Requirement]) -> Result<Option<Credentials<'a>>, ApiError> {
    let mut presented = Vec::new();
    for requirement in alternative {
        let Some(secret) = secret(parts, requirement.carrier)? else { return Ok(None) };
        presented.push(Presented { requirement, secret });
    }
    Ok(Some(Credentials { presented }))
}

/// Returns whether a header cannot be read, or names the scheme of this credential without a usable value.
fn is_broken(parts: &Parts, carrier: Carrier) -> bool {
    let scheme = match carrier {
        Carrier::Bearer => "bearer",
        Carrier::Basic => "basic",
        Carrier::Other(scheme) => scheme,
        Carrier::Header(name) => return parts.headers.get(name).is_some_and(|value| value.to_str().is_err()),
        Carrier::Query(_) | Carrier::Cookie(_) => return false,
    };
    let Some(value) = parts.headers.get(header::AUTHORIZATION) else { return false };
    let Ok(text) = value.to_str() else { return true };
    let named = text.split(' ').next().unwrap_or_default().eq_ignore_ascii_case(scheme);
    named && matches!(secret(parts, carrier), Ok(None) | Err(_))
}

fn secret(parts: &Parts, carrier: Carrier) -> Result<Option<Secret<'_>>, ApiError> {
    Ok(match carrier {
        Carrier::Bearer => authorization(&parts.headers, "bearer").map(Secret::Bearer),
        Carrier::Basic => authorization(&parts.headers, "basic").and_then(basic),
        Carrier::Other(scheme) => authorization(&parts.headers, scheme).map(Secret::Other),
        Carrier::Header(name) => {
            let value = parts.headers.get(name).and_then(|value| value.to_str().ok());
            value.filter(|value| !value.is_empty()).map(|value| Secret::Key(value.into()))
        }
        Carrier::Query(name) => {
            let value = decode::query_value(&parts.uri, name)?;
            value.filter(|value| !value.is_empty()).map(Secret::Key)
        }
        Carrier::Cookie(name) => {
            let value = decode::cookies(&parts.headers).find(|(key, _)| *key == name).map(|(_, value)| value);
            value.filter(|value| !value.is_empty()).map(|value| Secret::Key(value.into()))
        }
    })
}

fn authorization<'a>(headers: &'a HeaderMap, wanted: &str) -> Option<&'a str> {
    let (scheme, rest) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    let rest = rest.trim();
    (scheme.eq_ignore_ascii_case(wanted) && !rest.is_empty()).then_some(rest)
}

fn basic(text: &str) -> Option<Secret<'static>> {
    let text = String::from_utf8(STANDARD.decode(text).ok()?).ok()?;
    let (user, password) = text.split_once(':')?;
    Some(Secret::Basic { user: user.to_owned(), password: password.to_owned() })
}

fn missing(security: Security) -> ApiError {
    let way = |requirement: &Requirement| match requirement.carrier {
        Carrier::Bearer => "the header `Authorization: Bearer <API_KEY>`".to_owned(),
        Carrier::Basic => "the header `Authorization: Basic <user:password in base64>`".to_owned(),
        Carrier::Other(scheme) => format!("the header `Authorization: {scheme} …`"),
        Carrier::Header(name) => format!("the header `{name}`"),
        Carrier::Query(name) => format!("the query parameter `{name}`"),
        Carrier::Cookie(name) => format!("the cookie `{name}`"),
    };
    let mut ways: Vec<String> = Vec::new();
    for alternative in security.iter().filter(|alternative| !alternative.is_empty()) {
        let together = alternative.iter().map(way).collect::<Vec<_>>().join(" and ");
        if !ways.contains(&together) {
            ways.push(together);
        }
    }
    let first = security.iter().find_map(|alternative| alternative.first());
    let (what, challenge) = match first.map(|requirement| requirement.carrier) {
        Some(Carrier::Basic) => ("a user and a password", "Basic realm=\"api\", charset=\"UTF-8\""),
        Some(Carrier::Header(_) | Carrier::Query(_) | Carrier::Cookie(_)) => ("an API key", "ApiKey"),
        Some(Carrier::Other(_)) => ("credentials", "Bearer"),
        _ => ("an API key", "Bearer"),
    };
    ApiError::unauthorized(format!("this needs {what}: send {}", ways.join(", or "))).with_challenge(challenge)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn required(carrier: Carrier) -> Requirement {
        Requirement { scheme: "scheme", carrier, scopes: &[] }
    }

    fn parts(uri: &str, headers: &[(&str, &str)]) -> Parts {
        let mut request = axum::http::Request::get(uri);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.body(()).unwrap().into_parts().0
    }

    fn found(parts: &Parts, security: Security) -> Option<String> {
        let mut alternatives = security.iter().filter(|alternative| !alternative.is_empty());
        let credentials = alternatives.find_map(|alternative| credentials(parts, alternative).unwrap())?;
        let words: Vec<_> = credentials
            .presented
            .iter()
            .map(|presented| match &presented.secret {
                Secret::Bearer(token) => format!("bearer {token}"),
                Secret::Basic { user, password } => format!("basic {user}/{password}"),
                Secret::Key(key) => format!("key {key}"),
                Secret::Other(rest) => format!("other {rest}"),
            })
            .collect();
        Some(words.join(", "))
    }

    #[test]
    fn only_a_bearer_token_counts() {
        const SECURITY: Security = &[&[required(Carrier::Bearer)]];
        let token = |value: &str| found(&parts("/", &[("authorization", value)]), SECURITY);
        assert_eq!(token("Bearer abc").as_deref(), Some("bearer abc"));
        assert_eq!(token("bearer  abc ").as_deref(), Some("bearer abc"));
        for bad in ["Bearer", "Bearer ", "abc", "Basic abc", "", "Bearerabc"] {
            assert_eq!(token(bad), None, "{bad:?}");
        }
    }

    /// Key store that accepts the bearer token `good`.
    struct Store;

    impl Authenticate for Store {
        type Caller = ();

        async fn authenticate(&self, credentials: &Credentials<'_>, _: &HeaderMap) -> Result<(), ApiError> {
            match &credentials.presented[0].secret {
                Secret::Bearer("good") => Ok(()),
                Secret::Key(key) if key == "down" => Err(ApiError::unavailable("down", std::time::Duration::ZERO)),
                secret => Err(ApiError::unauthorized(format!("{secret:?}"))),
            }
        }
    }

    #[tokio::test]
    async fn a_stale_key_does_not_hide_a_good_token() {
        const SECURITY: Security = &[&[required(Carrier::Header("X-Key"))], &[required(Carrier::Bearer)]];
        for (headers, expected) in [
            (vec![("x-key", "stale"), ("authorization", "Bearer good")], Ok(())),
            (vec![("x-key", "stale"), ("authorization", "Bearer bad")], Err((401, "Bearer"))),
            (vec![("x-key", "stale")], Err((401, "Key"))),
            (vec![("x-key", "down"), ("authorization", "Bearer good")], Err((503, "down"))),
        ] {
            let outcome = authenticate(&Store, &parts("/", &headers), SECURITY).await;
            let outcome = outcome.map_err(|failure| (failure.status().code().as_u16(), failure.message().to_owned()));
            assert_eq!(outcome, expected.map_err(|(status, text)| (status, text.to_owned())), "{headers:?}");
        }
    }

    #[tokio::test]
    async fn malformed_credentials_are_not_anonymous() {
        const SECURITY: Security = &[&[], &[required(Carrier::Bearer)], &[required(Carrier::Basic)]];
        for (headers, expected) in [
            (vec![], Ok(None)),
            (vec![("authorization", "Digest a=b")], Ok(None)),
            (vec![("authorization", "Bearer good")], Ok(Some(()))),
            (vec![("authorization", "Bearer")], Err(401)),
            (vec![("authorization", "Bearer ")], Err(401)),
            (vec![("authorization", "Basic !!")], Err(401)),
            (vec![("authorization", "Bearer bad")], Err(401)),
        ] {
            let outcome = authenticate_optional(&Store, &parts("/", &headers), SECURITY).await;
            assert_eq!(outcome.map_err(|failure| failure.status().code().as_u16()), expected, "{headers:?}");
        }
    }

    #[test]
    fn the_first_alternative_that_is_all_there_counts() {
        const SECURITY: Security = &[
            &[],
            &[required(Carrier::Header("X-Key")), required(Carrier::Cookie("session"))],
            &[required(Carrier::Basic)],
            &[required(Carrier::Query("key"))],
            &[required(Carrier::Other("digest"))],
        ];
        for (uri, headers, expected) in [
            ("/", vec![("x-key", "k")], None),
            ("/", vec![("x-key", "k"), ("cookie", "a=b; session=s")], Some("key k, key s")),
            ("/?key=q%20", vec![("x-key", "k")], Some("key q ")),
            ("/?key=q", vec![("authorization", "Basic dTpwOnA=")], Some("basic u/p:p")),
            ("/", vec![("authorization", "Basic !!")], None),
            ("/", vec![("authorization", "Digest a=b")], Some("other a=b")),
        ] {
            assert_eq!(found(&parts(uri, &headers), SECURITY).as_deref(), expected, "{uri} {headers:?}");
        }
        let failure = missing(SECURITY);
        assert!(
            failure.message().contains("`X-Key` and the cookie `session`, or the header `Authorization: Basic"),
            "{failure}"
        );
    }
}
