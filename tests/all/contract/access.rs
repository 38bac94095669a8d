//! Who may do what: every operation of the document, asked by everybody.

use reqwest::{Method, RequestBuilder};
use serde_json::Value;
use trainyard::auth::{create_key, revoke_key};
use trainyard::server::open_metadata;

use super::requests::{self, Asked, Things};
use super::specification::rows;
use crate::support::{TestService, documented, http, settings};

fn request(service: &TestService, method: &str, asked: &Asked, key: Option<&str>) -> RequestBuilder {
    let method: Method = method.parse().expect("a method");
    let mut request = http().request(method, format!("{}{}", service.root, asked.path));
    if let Some(header) = key {
        request = request.header("authorization", header);
    }
    asked.on(request)
}

/// A key that was good.
async fn revoked_key(service: &TestService) -> String {
    let metadata = open_metadata(&settings(&service.directory).data_directory, None).await.expect("the database opens");
    let (key, record) = create_key(&*metadata, "acme", "revoked").await.expect("a key");
    revoke_key(&*metadata, &record.id.to_string()).await.expect("it is revoked");
    key.reveal().to_owned()
}

#[tokio::test]
async fn a_secured_operation_needs_a_good_key_and_an_open_one_none() {
    let service = TestService::start().await;
    let things = Things::of(&service, "guarded").await;
    let revoked = revoked_key(&service).await;
    let other = if service.key.ends_with('x') { 'y' } else { 'x' };
    let stranger = format!("{}{other}", &service.key[..service.key.len() - 1]);
    let (good, cut) = (&service.key, &service.key[..20]);
    let bad_headers: Vec<(&str, Option<String>)> = vec![
        ("no key", None),
        ("empty", Some(String::new())),
        ("no token", Some("Bearer".into())),
        ("another scheme", Some(format!("Basic {good}"))),
        ("no scheme", Some(good.clone())),
        ("two tokens", Some(format!("Bearer {good} {good}"))),
        ("the key in quotes", Some(format!("Bearer \"{good}\""))),
        ("cut", Some(format!("Bearer {cut}"))),
        ("longer", Some(format!("Bearer {good}x"))),
        ("wrong", Some(format!("Bearer {stranger}"))),
        ("lower case", Some(format!("Bearer {}", good.to_lowercase()))),
        ("revoked", Some(format!("Bearer {revoked}"))),
    ];
    for row in rows() {
        let asked = requests::about(row, &things);
        for (name, header) in &bad_headers {
            let what = format!("{} with {name}", row.id);
            let (status, body) = documented(request(&service, &row.method, &asked, header.as_deref())).await;
            if !row.secured {
                assert!(status.is_success(), "{what}: {status} {body}");
                continue;
            }
            assert_eq!(status.as_u16(), 401, "{what}: {body}");
            let body: Value = serde_json::from_str(&body).expect("JSON");
            assert_eq!(body["error"]["type"], "authentication_error", "{what}: {body}");
            assert_eq!(body["error"]["code"], "invalid_api_key", "{what}: {body}");
            if header.as_ref().is_some_and(|header| header.len() > 40 && header.starts_with("Bearer")) {
                let reason = body["error"]["message"].as_str().expect("a message");
                assert!(reason.contains("not valid"), "one reason for all bad keys: {what}: {reason}");
            }
        }
        // The key comes first: whoever has none learns nothing about the rest of the request.
        if row.secured && row.body.is_some() {
            let nonsense =
                request(&service, &row.method, &Asked { body: None, form: None, bytes: None, ..asked }, None)
                    .body("{nonsense");
            assert_eq!(documented(nonsense.header("content-type", "text/plain")).await.0.as_u16(), 401, "{}", row.id);
        }
    }
    service.stop().await;
}

/// An answer that repeats what it was asked for, without that.
fn without_names(text: &str, things: &Things) -> String {
    things.names().iter().fold(text.to_owned(), |text, name| text.replace(name, "NAME"))
}

#[tokio::test]
async fn objects_of_another_entity_are_404() {
    let service = TestService::start().await;
    let rival = format!("Bearer {}", service.rival_key);
    for row in rows().iter().filter(|row| row.secured) {
        let things = Things::of(&service, &format!("of-{}", row.id)).await;
        let nothing = Things::absent();
        let (asked, absent) = (requests::about(row, &things), requests::about(row, &nothing));
        let (status, body) = documented(request(&service, &row.method, &asked, Some(&rival))).await;
        if row.path.contains("/admin/") {
            assert_eq!(status.as_u16(), 403, "{}: {body}", row.id);
            assert!(body.contains("admin_key_required"), "{}: {body}", row.id);
        } else if asked.names_things {
            assert_eq!(status.as_u16(), 404, "{} on another's: {body}", row.id);
            let (status, unknown) = documented(request(&service, &row.method, &absent, Some(&rival))).await;
            assert_eq!(status.as_u16(), 404, "{} on nothing: {unknown}", row.id);
            // Those of Anthropic's API have the id of their request.
            let lasting = |body: String| body.split(",\"request_id\"").next().unwrap_or_default().to_owned();
            let (body, unknown) = (without_names(&body, &things), without_names(&unknown, &nothing));
            assert_eq!(lasting(body), lasting(unknown), "{}", row.id);
        } else {
            assert!(status.is_success(), "{}: {body}", row.id);
            for name in things.names() {
                assert!(!body.contains(name), "{} shows another's {name}: {body}", row.id);
            }
        }
        // It was really there, and still is: the owner may do it.
        let owner = format!("Bearer {}", service.admin_key);
        let (status, body) = documented(request(&service, &row.method, &asked, Some(&owner))).await;
        assert!(status.is_success(), "{} by the owner: {status} {body}", row.id);
    }
    service.stop().await;
}
