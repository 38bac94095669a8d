//! The dashboard's files, and sessions: cookie, expiry with the key, and the guards against other pages.

use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{Client, Method, RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};
use trainyard::auth::revoke_key;
use trainyard::server::open_metadata;

use crate::support::{TestService, settings};

const MARK: &str = "x-trainyard-dashboard";

/// Sends requests as a browser would, without following redirects.
struct Browser<'a> {
    service: &'a TestService,
    http: Client,
}

impl<'a> Browser<'a> {
    fn of(service: &'a TestService) -> Self {
        Self {
            service,
            http: Client::builder()
                .redirect(Policy::none())
                .timeout(Duration::from_secs(60))
                .build()
                .expect("a client"),
        }
    }

    /// A request without the headers of the dashboard.
    fn plain(&self, method: Method, path: &str) -> RequestBuilder {
        self.http.request(method, format!("{}{path}", self.service.root))
    }

    /// A request of the dashboard.
    fn marked(&self, method: Method, path: &str) -> RequestBuilder {
        self.plain(method, path).header(MARK, "1").header("sec-fetch-site", "same-origin")
    }

    /// Signs in and returns the whole `Set-Cookie`, and the name and value in it.
    async fn sign_in(&self) -> (String, String) {
        let body = json!({ "api_key": self.service.key });
        let response = self.marked(Method::POST, "/dashboard/session").json(&body).send().await.expect("a response");
        assert_eq!(response.status(), StatusCode::OK);
        let cookie = header(&response, "set-cookie");
        assert_eq!(header(&response, "cache-control"), "no-store");
        let session: Value = response.json().await.expect("JSON");
        assert_eq!((&session["entity"], &session["key_name"]), (&json!("acme"), &json!("test")));
        assert!(!session.to_string().contains(&self.service.key), "the key is not repeated");
        let pair = cookie.split(';').next().expect("a first part").to_owned();
        (cookie, pair)
    }
}

fn header(response: &Response, name: &str) -> String {
    let value = response.headers().get(name).unwrap_or_else(|| panic!("no {name}: {response:?}"));
    value.to_str().expect("ASCII").to_owned()
}

async fn status(request: RequestBuilder) -> u16 {
    request.send().await.expect("a response").status().as_u16()
}

#[tokio::test]
async fn browsers_are_led_to_the_page_and_its_files_are_guarded() {
    let service = TestService::start().await;
    let browser = Browser::of(&service);
    for method in [Method::GET, Method::HEAD] {
        let html = browser.plain(method, "/").header("accept", "text/html,*/*;q=0.8").send().await.expect("a response");
        assert_eq!((html.status().as_u16(), header(&html, "location").as_str()), (307, "dashboard/"));
    }
    for accept in ["application/json", "*/*"] {
        let other = browser.plain(Method::GET, "/").header("accept", accept).send().await.expect("a response");
        assert_eq!(other.status().as_u16(), 404);
        let body: Value = other.json().await.expect("JSON");
        assert!(body["error"]["message"].is_string(), "{body}");
    }
    assert_eq!(status(browser.plain(Method::POST, "/").header("accept", "text/html")).await, 404);
    for (path, media_type) in [
        ("/dashboard/", "text/html; charset=utf-8"),
        ("/dashboard/dashboard.js", "text/javascript; charset=utf-8"),
        ("/dashboard/dashboard.css", "text/css; charset=utf-8"),
        ("/dashboard/icon.svg", "image/svg+xml"),
    ] {
        let file = browser.plain(Method::GET, path).send().await.expect("a response");
        assert_eq!((file.status().as_u16(), header(&file, "content-type").as_str()), (200, media_type), "{path}");
        let policy = header(&file, "content-security-policy");
        assert!(policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self';"), "{policy}");
        assert!(policy.contains("require-trusted-types-for 'script'") && !policy.contains("unsafe"), "{policy}");
        assert_eq!(header(&file, "x-content-type-options"), "nosniff");
        assert_eq!(header(&file, "referrer-policy"), "no-referrer");
        let again = browser.plain(Method::GET, path).header("if-none-match", header(&file, "etag"));
        assert_eq!(status(again).await, 304, "{path}");
    }
    let page = browser.plain(Method::GET, "/dashboard").send().await.expect("a response");
    assert_eq!((page.status().as_u16(), header(&page, "location").as_str()), (307, "dashboard/"));
    service.stop().await;
}

#[tokio::test]
async fn a_session_counts_for_the_dashboard_only_and_ends_with_its_key() {
    let service = TestService::start().await;
    let browser = Browser::of(&service);
    let read = |request: RequestBuilder| async { request.send().await.unwrap().json::<Value>().await.unwrap() };
    assert_eq!(read(browser.marked(Method::GET, "/dashboard/session")).await, Value::Null);
    let (cookie, pair) = browser.sign_in().await;
    for part in ["; HttpOnly", "; SameSite=Strict", "; Path=/", "; Max-Age=43200"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert!(!cookie.contains("Secure") && !cookie.contains(&service.key), "{cookie}");

    let models = |request: RequestBuilder| request.header("cookie", &pair);
    let path = "/v1/preview/models";
    assert_eq!(status(models(browser.marked(Method::GET, path))).await, 200);
    let session = read(models(browser.marked(Method::GET, "/dashboard/session"))).await;
    assert_eq!(session["entity"], "acme");
    // A form or a link of another page sends the cookie without the header.
    assert_eq!(status(models(browser.plain(Method::GET, path))).await, 401);
    for (name, value) in
        [("sec-fetch-site", "cross-site"), ("sec-fetch-site", "none"), ("origin", "http://evil.example")]
    {
        let request = models(browser.plain(Method::GET, path)).header(MARK, "1").header(name, value);
        assert_eq!(status(request).await, 403, "{name}: {value}");
    }
    // A name that another server's DNS made point to this machine.
    let rebound = models(browser.marked(Method::GET, path)).header("host", "evil.example:8000");
    assert!([401, 403].contains(&status(rebound).await));
    let rebound = browser.marked(Method::POST, "/dashboard/session").header("host", "evil.example:8000");
    assert_eq!(status(rebound.json(&json!({ "api_key": service.key }))).await, 403);
    // The key of a request decides, not the cookie.
    let rival = models(browser.marked(Method::GET, path)).bearer_auth("ty_wrong");
    assert_eq!(status(rival).await, 401);
    // The other entity's objects stay hidden.
    let model = service.model("mine").await;
    let own = models(browser.marked(Method::GET, &format!("{path}/{}", model.id)));
    assert_eq!(status(own).await, 200);

    let forged = format!("{}x", &pair[..pair.len() - 1]);
    assert_eq!(status(browser.marked(Method::GET, path).header("cookie", forged)).await, 401);

    let metadata = open_metadata(&settings(&service.directory).data_directory, None).await.expect("the database opens");
    let keys = metadata.list_keys(Some("acme")).await.expect("keys");
    revoke_key(&*metadata, &keys[0].id.to_string()).await.expect("revoked");
    assert_eq!(status(models(browser.marked(Method::GET, path))).await, 401, "its key is revoked");
    assert_eq!(read(models(browser.marked(Method::GET, "/dashboard/session"))).await, Value::Null);
    service.stop().await;
}

#[tokio::test]
async fn signing_out_ends_copies_of_the_cookie_too() {
    let service = TestService::start().await;
    let browser = Browser::of(&service);
    let (_, pair) = browser.sign_in().await;
    let models = || browser.marked(Method::GET, "/v1/preview/models").header("cookie", &pair);
    let sign_out = || browser.marked(Method::DELETE, "/dashboard/session");
    // Nobody else ends the session.
    assert_eq!(status(sign_out()).await, 204);
    let forged = format!("{}x", &pair[..pair.len() - 1]);
    assert_eq!(status(sign_out().header("cookie", forged)).await, 204);
    let foreign = browser.plain(Method::DELETE, "/dashboard/session").header("cookie", &pair);
    assert_eq!(status(foreign).await, 403);
    assert_eq!(status(models()).await, 200);
    let answer = sign_out().header("cookie", &pair).send().await.expect("a response");
    assert!(header(&answer, "set-cookie").contains("Max-Age=0"));
    assert_eq!(status(models()).await, 401, "a copy of the cookie is left");
    let (_, new) = browser.sign_in().await;
    assert_eq!(status(browser.marked(Method::GET, "/v1/preview/models").header("cookie", new)).await, 200);
    service.stop().await;
}

#[tokio::test]
async fn sign_ins_that_are_wrong_are_rejected() {
    let service = TestService::start().await;
    let browser = Browser::of(&service);
    let path = "/dashboard/session";
    for (body, expected) in [
        (json!({ "api_key": "ty_wrong" }), 401),
        (json!({ "code": "00000000000000000000000000000000" }), 401),
        (json!({}), 400),
        (json!({ "api_key": service.key, "code": "0" }), 400),
        (json!({ "api_key": 5 }), 400),
        (json!([]), 400),
        (json!({ "api_key": "x".repeat(5000) }), 400),
    ] {
        let response = browser.marked(Method::POST, path).json(&body).send().await.expect("a response");
        assert_eq!(response.status().as_u16(), expected, "{body}");
        assert!(response.headers().get("set-cookie").is_none(), "{body}");
        let answer: Value = response.json().await.expect("JSON");
        assert!(answer["error"]["message"].is_string(), "{answer}");
    }
    let body = json!({ "api_key": service.key });
    assert_eq!(status(browser.plain(Method::POST, path).json(&body)).await, 403, "without the header");
    assert_eq!(status(browser.plain(Method::GET, path)).await, 403);
    let https = browser.marked(Method::POST, path).header("origin", "https://yard.example").json(&body);
    let cookie = header(&https.send().await.expect("a response"), "set-cookie");
    assert!(cookie.ends_with("; Secure"), "{cookie}");
    let ended = browser.marked(Method::DELETE, path).send().await.expect("a response");
    assert_eq!(ended.status().as_u16(), 204);
    assert!(header(&ended, "set-cookie").contains("=; Path=/; Max-Age=0;"));
    assert_eq!(status(browser.marked(Method::PUT, path)).await, 405);
    service.stop().await;
}
