//! Files on their way to the service and from it.

use reqwest::{
    Request, Response,
    header::HeaderMap,
    multipart::{Form, Part},
};

use bytes::Bytes;
use progenitor_client::ResponseValue;

use super::{Client, ClientError};
use crate::generated::types;

impl Client {
    /// `POST /v1/files`: uploads a file, from memory or as a stream.
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
    /// When the service refuses the file or the connection fails. It is sent once, also where an idempotency key is set:
    /// a stream cannot be sent again.
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

    /// Sends a request of a generated method that answers bytes.
    pub(crate) async fn download(&self, request: Request) -> Result<Download, ClientError> {
        self.send(request, |response| async move { Ok(Download { response }) }).await
    }
}

/// The bytes of an answer as they come.
#[derive(Debug)]
pub struct Download {
    response: Response,
}

impl Download {
    /// The headers of the answer, such as `ETag` and `Content-Range`.
    pub fn headers(&self) -> &HeaderMap {
        self.response.headers()
    }

    /// Whether these are a range of the content instead of the whole.
    pub fn is_part(&self) -> bool {
        self.response.status() == reqwest::StatusCode::PARTIAL_CONTENT
    }

    /// Whether the caller has it already, by the tag that it named in `If-None-Match`; then nothing comes.
    pub fn is_unchanged(&self) -> bool {
        self.response.status() == reqwest::StatusCode::NOT_MODIFIED
    }

    /// How many bytes come, if the service says so.
    pub fn length(&self) -> Option<u64> {
        self.response.content_length()
    }

    /// The next bytes; none at the end.
    ///
    /// # Errors
    ///
    /// When the connection breaks before the end; what came is the beginning of the content.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, ClientError> {
        Ok(self.response.chunk().await?)
    }
}
