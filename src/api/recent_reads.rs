//! Responses to reads, kept until the store changes.
//!
//! Clients poll: most reads ask again for something that has not changed. Encoding a page costs far more than the version of
//! the store, so a read with the same question and version gets the same response again. The version counts the
//! writes of every process, so the response is the one that the store would give.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes, HttpBody};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use http_body_util::BodyExt;
use parking_lot::Mutex;

use crate::auth::Caller;
use crate::http::ApiError;
use crate::store::metadata::Metadata;
use crate::store::records::StoreVersion;

/// Operations whose responses depend on nothing but the entity, the request and the metadata store; those of
/// [`TIMED_OPERATIONS`] on the clock too.
const OPERATIONS: [&str; 16] = [
    "get_file",
    "get_fine_tuning_job",
    "get_inference_model",
    "get_model",
    "get_served_model",
    "get_training_job",
    "list_checkpoints",
    "list_files",
    "list_fine_tuning_job_checkpoints",
    "list_fine_tuning_job_events",
    "list_fine_tuning_jobs",
    "list_inference_models",
    "list_models",
    "list_served_models",
    "list_training_job_events",
    "list_training_jobs",
];
/// Operations whose responses say why a job waits: a worker that falls silent writes nothing.
const TIMED_OPERATIONS: [&str; 2] = ["get_training_job", "list_training_jobs"];
/// Headers that these operations do not read: the credentials, which are the caller, and those that differ between requests
/// of one client or between clients.
const UNREAD_HEADERS: [&str; 7] =
    ["authorization", "cookie", "traceparent", "tracestate", "user-agent", "x-api-key", "x-request-id"];
/// Maximum age of their kept responses.
const MAX_AGE: Duration = Duration::from_secs(1);
/// Maximum size of a kept body in bytes.
const MAX_BODY: u64 = 256 << 10;
/// Maximum size of everything that is kept, in bytes.
const MAX_BYTES: usize = 8 << 20;

/// Responses to the latest reads.
#[derive(Default)]
pub(crate) struct RecentReads(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    responses: HashMap<Question, StoredResponse>,
    bytes: usize,
}

/// Everything that a response depends on, apart from the store.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Question {
    operation: &'static str,
    entity: String,
    /// Path and query.
    target: String,
    /// Headers that a response may depend on, in the order of the request.
    headers: Vec<(HeaderName, HeaderValue)>,
}

struct StoredResponse {
    version: StoreVersion,
    made_at: Instant,
    headers: HeaderMap,
    body: Bytes,
}

impl Question {
    /// Returns the question of a request; `None` if its response may depend on anything else.
    pub(super) fn of(caller: &Caller, operation: &'static str, request: &Parts) -> Option<Self> {
        let Parts { method, uri, headers, .. } = request;
        let has_body =
            [header::CONTENT_LENGTH, header::TRANSFER_ENCODING].iter().any(|name| headers.contains_key(name));
        // A request may wait for events that are not there yet. A name may be written with percent signs.
        let waits = uri.query().is_some_and(|query| query.contains("wait") || query.contains('%'));
        let target = uri.path_and_query().filter(|_| method == Method::GET && !has_body && !waits)?;
        OPERATIONS.contains(&operation).then(|| Self {
            operation,
            entity: caller.entity.clone(),
            target: target.as_str().to_owned(),
            headers: headers
                .iter()
                .filter(|(name, _)| !UNREAD_HEADERS.contains(&name.as_str()))
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect(),
        })
    }

    /// Returns whether a stored response is the one that a store of the version would give now.
    fn is_current(&self, stored: &StoredResponse, version: StoreVersion) -> bool {
        let is_new = !TIMED_OPERATIONS.contains(&self.operation) || stored.made_at.elapsed() < MAX_AGE;
        is_new && stored.version == version
    }

    /// Returns the bytes that the question takes, about.
    fn size(&self) -> usize {
        let headers = self.headers.iter().map(|(name, value)| 64 + name.as_str().len() + value.len()).sum::<usize>();
        256 + self.entity.len() + self.target.len() + headers
    }
}

impl RecentReads {
    /// Returns the response to a question, by `run` unless the store is as it was when `run` last responded.
    pub(super) async fn respond(
        &self,
        store: &dyn Metadata,
        question: Question,
        run: impl Future<Output = Response>,
    ) -> Response {
        // Before the store is read: a write in between makes the response newer than its version, which is then not the
        // store's any more.
        let Some(version) = store.version() else { return run.await };
        if let Some(response) = self.find(&question, version) {
            return response;
        }
        let made_at = Instant::now();
        let response = run.await;
        let is_small = response.body().size_hint().exact().is_some_and(|size| size <= MAX_BODY);
        if response.status() != StatusCode::OK || !is_small {
            return response;
        }
        let (parts, body) = response.into_parts();
        let body = match body.collect().await {
            Ok(body) => body.to_bytes(),
            Err(error) => return ApiError::internal(error).into_response(),
        };
        self.keep(question, StoredResponse { version, made_at, headers: parts.headers.clone(), body: body.clone() });
        Response::from_parts(parts, Body::from(body))
    }

    fn find(&self, question: &Question, version: StoreVersion) -> Option<Response> {
        let kept = self.0.lock();
        let stored = kept.responses.get(question).filter(|stored| question.is_current(stored, version))?;
        let mut response = Response::new(Body::from(stored.body.clone()));
        *response.headers_mut() = stored.headers.clone();
        Some(response)
    }

    fn keep(&self, question: Question, stored: StoredResponse) {
        let mut kept = self.0.lock();
        if let Some(older) = kept.responses.remove(&question) {
            kept.bytes -= question.size() + older.body.len();
        }
        kept.bytes += question.size() + stored.body.len();
        if kept.bytes > MAX_BYTES {
            // Most are of older versions.
            kept.responses.clear();
            kept.bytes = question.size() + stored.body.len();
        }
        kept.responses.insert(question, stored);
    }
}

#[cfg(test)]
mod tests {
    use axum::http::Request;
    use uuid::Uuid;

    use super::*;
    use crate::auth::create_key;
    use crate::store::records::KeyLimits;
    use crate::store::sqlite::SqliteMetadata;

    fn caller(entity: &str) -> Caller {
        let (key_id, entity, limits) = (Uuid::now_v7(), entity.to_owned(), KeyLimits::default());
        Caller { key_id, entity, limits, is_admin: false, session: None }
    }

    fn request(method: Method, target: &str, headers: &[(&str, &str)]) -> Parts {
        let mut request = Request::builder().method(method).uri(target);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.body(()).unwrap().into_parts().0
    }

    fn question(entity: &str, target: &str) -> Question {
        Question::of(&caller(entity), "list_models", &request(Method::GET, target, &[])).unwrap()
    }

    #[test]
    fn only_plain_reads_of_the_metadata_are_kept() {
        let asks = |operation, method, target, headers: &[_]| {
            Question::of(&caller("acme"), operation, &request(method, target, headers)).is_some()
        };
        assert!(asks("list_models", Method::GET, "/v1/preview/models?limit=1", &[]));
        assert!(asks("list_models", Method::GET, "/v1/preview/models", &[("accept", "*/*")]));
        assert!(!asks("get_usage", Method::GET, "/v1/preview/usage", &[]), "it depends on the day");
        assert!(!asks("list_models", Method::HEAD, "/v1/preview/models", &[]));
        assert!(!asks("list_models", Method::GET, "/v1/preview/models", &[("content-length", "2")]));
        assert!(!asks("list_training_job_events", Method::GET, "/v1/preview/training-jobs/1/events?wait=9", &[]));
        assert!(!asks("list_training_job_events", Method::GET, "/v1/preview/training-jobs/1/events?w%61it=9", &[]));
    }

    /// Asks for `body`; returns the response's body, and whether it had to be made.
    async fn ask(reads: &RecentReads, store: &SqliteMetadata, question: Question, body: &str) -> (String, bool) {
        let mut made = false;
        let run = async {
            made = true;
            Response::new(Body::from(body.to_owned()))
        };
        let response = reads.respond(store, question, run).await;
        let body = response.into_body().collect().await.unwrap().to_bytes();
        (String::from_utf8(body.to_vec()).unwrap(), made)
    }

    #[tokio::test]
    async fn a_response_is_kept_until_any_process_writes() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("metadata.db");
        let store = SqliteMetadata::open(&file).await.unwrap();
        // Connections of their own, as in another process.
        let other = SqliteMetadata::open(&file).await.unwrap();
        let reads = RecentReads::default();
        for (number, writer) in [&store, &other, &store].into_iter().enumerate() {
            create_key(writer, "acme", "test").await.unwrap();
            let (new, old) = (number.to_string(), (number + 10).to_string());
            assert_eq!(ask(&reads, &store, question("acme", "/a"), &new).await, (new.clone(), true));
            assert_eq!(ask(&reads, &store, question("rival", "/a"), &old).await, (old.clone(), true), "another entity");
            assert_eq!(ask(&reads, &store, question("acme", "/b"), &old).await, (old.clone(), true), "another target");
            assert_eq!(ask(&reads, &store, question("acme", "/a"), "").await, (new, false));
        }
    }

    #[tokio::test]
    async fn a_request_with_another_header_is_another_question() {
        let directory = tempfile::tempdir().unwrap();
        let store = SqliteMetadata::open(&directory.path().join("metadata.db")).await.unwrap();
        create_key(&store, "acme", "test").await.unwrap();
        let reads = RecentReads::default();
        let asked = |headers: &[(&str, &str)]| {
            Question::of(&caller("acme"), "list_served_models", &request(Method::GET, "/", headers)).unwrap()
        };
        let asks = async |headers: &[(&str, &str)]| ask(&reads, &store, asked(headers), "").await.1;
        assert!(asks(&[("vendor-project", "a")]).await);
        assert!(asks(&[("vendor-project", "a/too/long/project")]).await, "it may be refused");
        assert!(asks(&[]).await);
        assert!(!asks(&[("vendor-project", "a"), ("user-agent", "curl"), ("traceparent", "00-1-2-00")]).await);
    }

    #[tokio::test]
    async fn a_response_that_says_why_a_job_waits_is_kept_briefly() {
        let directory = tempfile::tempdir().unwrap();
        let store = SqliteMetadata::open(&directory.path().join("metadata.db")).await.unwrap();
        create_key(&store, "acme", "test").await.unwrap();
        let reads = RecentReads::default();
        let asked = |operation| Question::of(&caller("acme"), operation, &request(Method::GET, "/", &[])).unwrap();
        for operation in ["get_training_job", "list_models"] {
            ask(&reads, &store, asked(operation), "old").await;
        }
        tokio::time::sleep(MAX_AGE).await;
        assert_eq!(ask(&reads, &store, asked("get_training_job"), "new").await, ("new".to_owned(), true));
        assert_eq!(ask(&reads, &store, asked("list_models"), "new").await, ("old".to_owned(), false));
    }

    #[tokio::test]
    async fn a_write_while_a_response_is_made_outdates_it() {
        let directory = tempfile::tempdir().unwrap();
        let store = SqliteMetadata::open(&directory.path().join("metadata.db")).await.unwrap();
        create_key(&store, "acme", "test").await.unwrap();
        let reads = RecentReads::default();
        let run = async {
            create_key(&store, "acme", "test").await.unwrap();
            Response::new(Body::from("old or new"))
        };
        reads.respond(&store, question("acme", "/a"), run).await;
        assert_eq!(ask(&reads, &store, question("acme", "/a"), "new").await, ("new".to_owned(), true));
    }

    #[tokio::test]
    async fn errors_and_long_bodies_are_not_kept_and_the_rest_is_bounded() {
        let directory = tempfile::tempdir().unwrap();
        let store = SqliteMetadata::open(&directory.path().join("metadata.db")).await.unwrap();
        create_key(&store, "acme", "test").await.unwrap();
        let reads = RecentReads::default();
        reads.respond(&store, question("acme", "/a"), async { ApiError::not_found("a").into_response() }).await;
        ask(&reads, &store, question("acme", "/a"), &"a".repeat(300_000)).await;
        assert!(reads.0.lock().responses.is_empty());
        let body = "a".repeat(200_000);
        for number in 0..100 {
            ask(&reads, &store, question("acme", &format!("/{number}")), &body).await;
            ask(&reads, &store, question("acme", "/same"), &body).await;
            let kept = reads.0.lock();
            let bytes: usize =
                kept.responses.iter().map(|(question, stored)| question.size() + stored.body.len()).sum();
            assert!(bytes == kept.bytes && bytes <= MAX_BYTES, "{bytes}");
        }
        assert!(reads.0.lock().responses.len() > 10);
    }
}
