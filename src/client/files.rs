//! File uploads and downloads.

use reqwest::header::HeaderMap;
use reqwest::multipart::{Form, Part};
use reqwest::{Request, Response};

use bytes::Bytes;
use progenitor_client::ResponseValue;

use super::{Client, ClientError};
use crate::generated::types;

impl Client {
    /// Uploads a file from memory or from a stream (`POST /v1/files`).
    ///
    /// ```no_run
    /// # async fn example(client: trainyard::client::Client) -> Result<(), trainyard::client::ClientError> {
    /// use trainyard::client::types::FilePurpose;
    ///
    /// let lines = "{\"messages\": []}\n";
    /// let file = client.create_file(FilePurpose::FineTune, "train.jsonl", lines).await?;
    /// println!("train on {}", file.id);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the service rejects the file or the connection fails. The request is never retried, not even
    /// with an idempotency key, because a stream cannot be sent again.
    pub async fn create_file(
        &self,
        purpose: types::FilePurpose,
        file_name: &str,
        content: impl Into<reqwest::Body>,
    ) -> Result<ResponseValue<types::File>, ClientError> {
        let file = Part::stream(content).file_name(file_name.to_owned());
        let form = Form::new().text("purpose", purpose.to_string()).part("file", file);
        let request = self.client.post(format!("{}/v1/files", self.baseurl)).multipart(form).build()?;
        self.call(request).await
    }

    /// Sends the request of a generated method whose response is bytes.
    pub(crate) async fn download(&self, request: Request) -> Result<Download, ClientError> {
        self.send(request, |response| async move { Ok(Download { response }) }).await
    }
}

/// A response body, read chunk by chunk.
#[derive(Debug)]
pub struct Download {
    response: Response,
}

impl Download {
    /// Returns the headers of the response, such as `ETag` and `Content-Range`.
    pub fn headers(&self) -> &HeaderMap {
        self.response.headers()
    }

    /// Returns whether the body is a range of the content instead of the whole (206).
    pub fn is_part(&self) -> bool {
        self.response.status() == reqwest::StatusCode::PARTIAL_CONTENT
    }

    /// Returns whether the content matches the caller's `If-None-Match` tag (304). The body is empty then.
    pub fn is_unchanged(&self) -> bool {
        self.response.status() == reqwest::StatusCode::NOT_MODIFIED
    }

    /// Returns the length of the body in bytes, if the service sent it.
    pub fn length(&self) -> Option<u64> {
        self.response.content_length()
    }

    /// Returns the next chunk, or `None` at the end.
    ///
    /// # Errors
    ///
    /// Returns an error if the connection fails before the end. The chunks received before are the beginning of the
    /// content.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, ClientError> {
        Ok(self.response.chunk().await?)
    }
}
