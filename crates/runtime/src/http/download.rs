//! Binary responses: from memory or streamed, whole or one range.

use std::fmt;

use axum::body::{Body, Bytes};
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use futures_core::Stream;

use crate::http::ApiError;
use crate::http::response::Status;

/// A binary response. The document declares the media type, unless it declares a range such as `image/*`.
pub struct Download {
    body: Body,
    length: Option<u64>,
    content_type: Option<HeaderValue>,
    headers: Vec<(HeaderName, Result<HeaderValue, String>)>,
}

impl Download {
    /// Creates a response from bytes in memory.
    pub fn bytes(bytes: impl Into<Bytes>) -> Self {
        let bytes = bytes.into();
        let length = u64::try_from(bytes.len()).ok();
        Self { body: Body::from(bytes), length, content_type: None, headers: Vec::new() }
    }

    /// Creates a streamed response; `length` is its length in bytes, if known. An error aborts the connection, so that
    /// the client detects that the bytes are incomplete.
    pub fn stream<S, E>(stream: S, length: Option<u64>) -> Self
    where
        S: Stream<Item = Result<Bytes, E>> + Send + 'static,
        E: Into<Box<dyn std::error::Error + Send + Sync>> + 'static,
    {
        Self { body: Body::from_stream(stream), length, content_type: None, headers: Vec::new() }
    }

    /// Sets the media type; used where the document declares a range.
    #[must_use]
    pub fn with_content_type(mut self, media_type: HeaderValue) -> Self {
        self.content_type = Some(media_type);
        self
    }

    /// Sets `Content-Disposition`: a download with this file name.
    #[must_use]
    pub fn with_file_name(self, name: &str) -> Self {
        // A name that is not ASCII is sent percent-encoded, beside an ASCII fallback (RFC 6266).
        let plain: String = name
            .chars()
            .map(|c| if c.is_ascii_graphic() && !"\"\\%/".contains(c) || c == ' ' { c } else { '_' })
            .collect();
        let encoded = percent_encoding::utf8_percent_encode(name, percent_encoding::NON_ALPHANUMERIC);
        self.with(header::CONTENT_DISPOSITION, format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{encoded}"))
    }

    /// Sets `Content-Range` of a 206: the bytes from `first` to `last`, both included, of `total`.
    #[must_use]
    pub fn with_range(self, first: u64, last: u64, total: u64) -> Self {
        self.with(header::CONTENT_RANGE, format!("bytes {first}-{last}/{total}"))
    }

    /// Sets `Accept-Ranges: bytes`.
    #[must_use]
    pub fn with_ranges_accepted(self) -> Self {
        self.with(header::ACCEPT_RANGES, "bytes".to_owned())
    }

    fn with(mut self, name: HeaderName, value: String) -> Self {
        self.headers.push((name, HeaderValue::from_str(&value).map_err(|_| value)));
        self
    }

    /// Creates the response; `media_type` is the document's, which can be a range.
    pub fn response(self, status: impl Into<Status>, media_type: &str) -> Response {
        let documented = HeaderValue::from_str(media_type).ok().filter(|_| !media_type.contains('*'));
        let content_type = self.content_type.filter(|_| documented.is_none()).or(documented);
        let mut response = match status.into().response(self.body) {
            Ok(response) => response,
            Err(failure) => return failure.into_response(),
        };
        let headers = response.headers_mut();
        let unknown = HeaderValue::from_static("application/octet-stream");
        headers.insert(header::CONTENT_TYPE, content_type.unwrap_or(unknown));
        if let Some(length) = self.length {
            headers.insert(header::CONTENT_LENGTH, HeaderValue::from(length));
        }
        for (name, value) in self.headers {
            match value {
                Ok(value) => headers.insert(name, value),
                Err(value) => {
                    return ApiError::internal(format_args!("{name} cannot be {value:?}")).into_response();
                }
            };
        }
        response
    }
}

impl From<Bytes> for Download {
    fn from(bytes: Bytes) -> Self {
        Self::bytes(bytes)
    }
}

impl From<Vec<u8>> for Download {
    fn from(bytes: Vec<u8>) -> Self {
        Self::bytes(bytes)
    }
}

impl fmt::Debug for Download {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Download").field("length", &self.length).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_file_says_so() {
        let download = Download::bytes(vec![1, 2, 3]).with_range(0, 2, 10).with_file_name("naïve \"x\".bin");
        let response = download.response(Status::Fixed(206), "application/zip");
        let header = |name: &str| response.headers()[name].to_str().unwrap();
        assert_eq!(response.status().as_u16(), 206);
        assert_eq!(header("content-type"), "application/zip");
        assert_eq!((header("content-length"), header("content-range")), ("3", "bytes 0-2/10"));
        assert!(
            header("content-disposition")
                .starts_with("attachment; filename=\"na_ve _x_.bin\"; filename*=UTF-8''na%C3%AFve")
        );
    }

    #[test]
    fn an_open_media_type_is_the_handlers() {
        let png = HeaderValue::from_static("image/png");
        let response = Download::bytes(vec![]).with_content_type(png).response(Status::Fixed(200), "image/*");
        assert_eq!(response.headers()["content-type"], "image/png");
        let response = Download::bytes(vec![]).response(Status::Fixed(200), "*/*");
        assert_eq!(response.headers()["content-type"], "application/octet-stream");
    }
}
