//! `multipart/form-data` bodies: files and values, in memory or streamed.
//!
//! Limits: the operation's body limit, the number of parts, and the bytes of each part's headers and names.

mod form;

pub use form::Form;

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Poll;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, header};
use futures_util::{StreamExt, stream};
use multer::{Field, Multipart};

use crate::budget::Share;
use crate::http::body::{self, BodyLimits};
use crate::http::{ApiError, BodyStream, ErrorStatus};

/// Maximum number of parts.
const MAX_PARTS: usize = 1024;
/// Maximum size of a part's headers, in bytes.
const HEADER_BYTES: usize = 16 << 10;
/// Maximum length of a part's name or file name, in bytes.
const NAME_BYTES: usize = 1024;

/// A part in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePart {
    /// Field name.
    pub name: String,
    /// File name that the sender chose. Never use it as a path.
    pub file_name: Option<String>,
    /// Media type that the sender declared.
    pub content_type: Option<String>,
    /// Content.
    pub bytes: Bytes,
}

/// Reads every part of a body of at most `limit` bytes.
///
/// # Errors
/// 413 above a limit, 400 for an invalid multipart body.
pub async fn parts(headers: &HeaderMap, body: Body, limit: usize) -> Result<Vec<FilePart>, ApiError> {
    let limits = BodyLimits::of_size(limit);
    let mut share = Share::of(limits.budget, body::check_declared(headers, limit)?)?;
    // The bytes held are counted here, so the stream needs no share of its own.
    let mut stream = read(boundary(headers)?, BodyStream::within(headers, body, limits)?);
    let mut received = Vec::new();
    let mut held = 0;
    while let Some(mut part) = stream.next().await? {
        let mut bytes = Vec::new();
        while let Some(chunk) = part.chunk().await? {
            held += chunk.len();
            share.grow_to(held)?;
            bytes.extend_from_slice(&chunk);
        }
        received.push((part.name, part.file_name, part.content_type, bytes));
    }
    // Each part keeps the share until it is dropped.
    let share = Arc::new(share);
    let parts = received.into_iter().map(|(name, file_name, content_type, bytes)| {
        let bytes = body::sharing(bytes, &share);
        FilePart { name, file_name, content_type, bytes }
    });
    Ok(parts.collect())
}

/// Reads a body of at most `limit` bytes part by part.
///
/// # Errors
/// 413 when the declared length is above `limit`, 400 without a boundary.
pub fn stream(headers: &HeaderMap, body: Body, limit: usize) -> Result<PartStream, ApiError> {
    Ok(read(boundary(headers)?, BodyStream::of(headers, body, limit)?))
}

fn read(boundary: String, chunks: BodyStream) -> PartStream {
    let guard = Arc::new(HeaderGuard::default());
    let watched = guard.clone();
    let mut chunks = chunks.map(move |chunk| {
        if watched.in_header.load(Ordering::Relaxed) {
            if watched.pulled.load(Ordering::Relaxed) > HEADER_BYTES {
                return Err(long_headers());
            }
            let length = chunk.as_ref().map_or(0, Bytes::len);
            watched.pulled.fetch_add(length, Ordering::Relaxed);
        }
        chunk
    });
    // The parser polls as many chunks as are ready before it parses them. One chunk per wake-up keeps it from buffering
    // the whole body.
    let mut given = false;
    let chunks = stream::poll_fn(move |context| {
        if std::mem::take(&mut given) {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let next = chunks.poll_next_unpin(context);
        given = matches!(next, Poll::Ready(Some(_)));
        next
    });
    PartStream { multipart: Multipart::new(chunks, boundary), guard, count: 0, returned: Returned::default() }
}

/// Slot for the unread content of a part that was dropped.
type Returned = Arc<Mutex<Option<Field<'static>>>>;

/// Content of a part; on drop, the unread content returns to the stream.
struct Content {
    field: Option<Field<'static>>,
    returned: Returned,
}

impl Drop for Content {
    fn drop(&mut self) {
        *self.returned.lock().unwrap_or_else(PoisonError::into_inner) = self.field.take();
    }
}

/// Counter of the bytes read while the parser looks for the headers of a part, since it would buffer without a limit.
#[derive(Default)]
struct HeaderGuard {
    in_header: AtomicBool,
    pulled: AtomicUsize,
}

/// Parts of a body that is read as it arrives, for uploads larger than memory.
pub struct PartStream {
    multipart: Multipart<'static>,
    guard: Arc<HeaderGuard>,
    count: usize,
    returned: Returned,
}

impl PartStream {
    /// Returns the next part; `None` at the end. Unread content of the previous part is skipped.
    ///
    /// # Errors
    /// 413 above a limit, 408 on a time-out, 400 for an invalid multipart body.
    pub async fn next(&mut self) -> Result<Option<PartReader>, ApiError> {
        // The previous part's content must not count as headers of the next.
        let returned = self.returned.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(mut field) = returned {
            while field.chunk().await.map_err(rejected)?.is_some() {}
        }
        self.guard.pulled.store(0, Ordering::Relaxed);
        self.guard.in_header.store(true, Ordering::Relaxed);
        let field = self.multipart.next_field().await.map_err(rejected);
        self.guard.in_header.store(false, Ordering::Relaxed);
        let Some(field) = field? else { return Ok(None) };
        if self.count == MAX_PARTS {
            return Err(too_many());
        }
        self.count += 1;
        // The guard does not see headers that arrived within one chunk.
        let length = field.headers().iter().map(|(name, value)| name.as_str().len() + value.len()).sum::<usize>();
        if length > HEADER_BYTES {
            return Err(long_headers());
        }
        let (name, file_name) = names(&field)?;
        let content_type = field.content_type().map(ToString::to_string);
        let content = Content { field: Some(field), returned: self.returned.clone() };
        Ok(Some(PartReader { name, file_name, content_type, content }))
    }
}

impl fmt::Debug for PartStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PartStream").field("count", &self.count).finish_non_exhaustive()
    }
}

/// A part that is read as it arrives. Read it to its end or drop it before you request the next one.
pub struct PartReader {
    /// Field name.
    pub name: String,
    /// File name that the sender chose. Never use it as a path.
    pub file_name: Option<String>,
    /// Media type that the sender declared.
    pub content_type: Option<String>,
    content: Content,
}

impl PartReader {
    /// Returns the next bytes; `None` at the end.
    ///
    /// # Errors
    /// The same as [`PartStream::next`].
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, ApiError> {
        match &mut self.content.field {
            Some(field) => field.chunk().await.map_err(rejected),
            None => Ok(None),
        }
    }
}

impl fmt::Debug for PartReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PartReader").field("name", &self.name).finish_non_exhaustive()
    }
}

fn boundary(headers: &HeaderMap) -> Result<String, ApiError> {
    let value = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    multer::parse_boundary(value)
        .map_err(|_| ApiError::bad_request("the content type has no boundary; write `multipart/form-data; boundary=…`"))
}

fn names(field: &Field<'_>) -> Result<(String, Option<String>), ApiError> {
    let name = field
        .name()
        .ok_or_else(|| ApiError::bad_request("a part has no name; give each a Content-Disposition with one"))?;
    let file_name = field.file_name();
    if name.len() > NAME_BYTES || file_name.is_some_and(|name| name.len() > NAME_BYTES) {
        return Err(ApiError::bad_request(format!("a part has a name of more than {NAME_BYTES} bytes")));
    }
    Ok((name.to_owned(), file_name.map(str::to_owned)))
}

fn long_headers() -> ApiError {
    let message = format!("the headers of a part are longer than {HEADER_BYTES} bytes");
    ApiError::new(ErrorStatus::CONTENT_TOO_LARGE, message).with_code("body_too_large")
}

fn too_many() -> ApiError {
    ApiError::new(ErrorStatus::CONTENT_TOO_LARGE, format!("there are more than {MAX_PARTS} parts; send fewer"))
        .with_code("body_too_large")
}

/// Converts an error of the parser. An [`ApiError`] of the body passes through unchanged.
fn rejected(error: multer::Error) -> ApiError {
    match error {
        multer::Error::StreamReadFailed(source) => match source.downcast::<ApiError>() {
            Ok(failure) => *failure,
            Err(source) => ApiError::bad_request("the body broke off before its end").with_cause(source),
        },
        error => ApiError::bad_request(format!("the body is no multipart form: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;
    use crate::http::decode::{Scalar, Shape};

    fn headers() -> HeaderMap {
        [(header::CONTENT_TYPE, "multipart/form-data; boundary=b".parse().unwrap())].into_iter().collect()
    }

    fn part(head: &str, content: &str) -> String {
        format!("--b\r\nContent-Disposition: form-data; {head}\r\n\r\n{content}\r\n")
    }

    async fn form(parts: &[String], closed: bool) -> Result<Form, ApiError> {
        let body = format!("{}--b--\r\n", parts.concat());
        Form::read(&headers(), Body::from(body), 1 << 20, &["file", "n", "tags", "meta"], closed).await
    }

    #[tokio::test]
    async fn files_and_values_are_told_apart_by_name() {
        let parts = [
            part("name=\"file\"; filename=\"a.png\"\r\nContent-Type: image/png", "\u{1}\u{2}"),
            part("name=n", "5"),
            part("name=tags", "a"),
            part("name=tags", "b"),
            part("name=meta\r\nContent-Type: application/json", r#"{"x":1}"#),
            part("name=other", "?"),
        ];
        let mut form = form(&parts, false).await.unwrap();
        let file = form.file("file", &["image/*"]).unwrap().unwrap();
        assert_eq!((file.file_name.as_deref(), &*file.bytes), (Some("a.png"), &[1, 2][..]));
        let integer = Shape::Scalar(Scalar::Integer, "an integer");
        let text = Shape::Scalar(Scalar::String, "a string");
        assert_eq!(form.value::<u8>("n", &integer).unwrap(), Some(5));
        assert_eq!(form.value::<u8>("n", &integer).unwrap(), None, "it is taken out");
        let tags: Vec<String> = form.value("tags", &Shape::Array(Box::leak(Box::new(text)))).unwrap().unwrap();
        assert_eq!(tags, ["a", "b"]);
        let meta: serde_json::Value = form.value("meta", &Shape::Json).unwrap().unwrap();
        assert_eq!(meta["x"], 1);
    }

    #[tokio::test]
    async fn undocumented_parts_are_422_with_their_places() {
        let integer = Shape::Scalar(Scalar::Integer, "an integer");
        let rejected = |failure: ApiError| (failure.status().code().as_u16(), failure.param().map(str::to_owned));
        let mut wrong =
            form(&[part("name=n", "x"), part("name=file", "a"), part("name=file", "b")], true).await.unwrap();
        assert_eq!(rejected(wrong.value::<u8>("n", &integer).unwrap_err()), (422, Some("n".to_owned())));
        assert_eq!(rejected(wrong.file("file", &[]).unwrap_err()), (422, Some("file".to_owned())));
        let failure = form(&[part("name=other", "a")], true).await.unwrap_err();
        assert_eq!(rejected(failure), (422, Some("other".to_owned())));
        let mut typed = form(&[part("name=file\r\nContent-Type: text/html", "a")], true).await.unwrap();
        assert_eq!(rejected(typed.file("file", &["image/png"]).unwrap_err()), (422, Some("file".to_owned())));
    }

    #[tokio::test]
    async fn sets_of_parts_and_their_number_are_checked() {
        let either: &[&[&str]] = &[&["n"], &["file", "meta"]];
        for (names, exactly_one, any) in [
            (&["n"][..], true, true),
            (&["file", "meta"], true, true),
            (&["file"], false, false),
            (&["n", "file", "meta"], false, true),
        ] {
            let parts: Vec<_> = names.iter().map(|name| part(&format!("name={name}"), "1")).collect();
            let form = form(&parts, false).await.unwrap();
            assert_eq!(form.check_presence(true, either).is_ok(), exactly_one, "{names:?}");
            assert_eq!(form.check_presence(false, either).is_ok(), any, "{names:?}");
            assert_eq!(form.check_count(2, 2).is_ok(), names.len() == 2, "{names:?}");
        }
    }

    #[tokio::test]
    async fn a_broken_form_is_400_and_a_large_one_413() {
        let cut = Body::from("--b\r\nContent-Disposition: form-da");
        let failure = parts(&headers(), cut, 1 << 20).await.unwrap_err();
        assert_eq!(failure.status(), ErrorStatus::BAD_REQUEST);
        let none = parts(&HeaderMap::new(), Body::empty(), 10).await.unwrap_err();
        assert_eq!(none.status(), ErrorStatus::BAD_REQUEST);
        let many: Vec<_> = (0..=MAX_PARTS).map(|_| part("name=n", "")).collect();
        assert_eq!(form(&many, false).await.unwrap_err().status(), ErrorStatus::CONTENT_TOO_LARGE);
    }

    fn endless(head: &'static str) -> Body {
        let chunks = stream::iter([head.to_owned()]).chain(stream::repeat("x".repeat(4096)));
        Body::from_stream(chunks.map(Ok::<_, Infallible>))
    }

    #[tokio::test]
    async fn parts_stream_within_the_limit() {
        let head = "--b\r\nContent-Disposition: form-data; name=file\r\n\r\n";
        let mut parts = stream(&headers(), endless(head), 1 << 20).unwrap();
        let mut part = parts.next().await.unwrap().unwrap();
        assert_eq!(part.name, "file");
        let mut received = 0;
        let failure = loop {
            match part.chunk().await {
                Ok(Some(bytes)) => received += bytes.len(),
                Ok(None) => panic!("the body has no end"),
                Err(failure) => break failure,
            }
        };
        assert_eq!(failure.status(), ErrorStatus::CONTENT_TOO_LARGE);
        assert!(received > 1 << 19, "{received}");
    }

    #[tokio::test]
    async fn headers_without_end_are_rejected_before_they_fill_the_memory() {
        let mut parts = stream(&headers(), endless("--b\r\nX-Long: "), 1 << 30).unwrap();
        let failure = parts.next().await.unwrap_err();
        assert_eq!(failure.status(), ErrorStatus::CONTENT_TOO_LARGE);
        assert!(parts.guard.pulled.load(Ordering::Relaxed) < 64 << 10);
    }

    #[tokio::test]
    async fn headers_of_one_chunk_are_bounded_too() {
        let long = part(&format!("name=file\r\nX-Long: {}", "x".repeat(64 << 10)), "a");
        assert_eq!(form(&[long], false).await.unwrap_err().status(), ErrorStatus::CONTENT_TOO_LARGE);
        let short = part(&format!("name=file\r\nX-Long: {}", "x".repeat(8 << 10)), "a");
        assert!(form(&[short], false).await.is_ok());
    }

    #[tokio::test]
    async fn a_large_part_that_is_not_read_is_passed_over() {
        let body = [part("name=file", &"x".repeat(200 << 10)), part("name=n", "5"), "--b--\r\n".to_owned()].concat();
        for read in [0, 1] {
            let chunks: Vec<_> = body.as_bytes().chunks(4096).map(<[u8]>::to_vec).collect();
            let body = Body::from_stream(stream::iter(chunks.into_iter().map(Ok::<_, Infallible>)));
            let mut parts = stream(&headers(), body, 1 << 20).unwrap();
            let mut first = parts.next().await.unwrap().unwrap();
            for _ in 0..read {
                assert!(first.chunk().await.unwrap().is_some());
            }
            drop(first);
            let mut second = parts.next().await.unwrap().unwrap();
            assert_eq!(second.chunk().await.unwrap().as_deref(), Some(&b"5"[..]));
            assert_eq!(second.name, "n");
            drop(second);
            assert!(parts.next().await.unwrap().is_none());
        }
    }
}
