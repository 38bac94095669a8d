//! Counts the memory of a collected answer until its response is sent: a client may leave it unread for minutes.

use axum::body::{Body, Bytes};
use http_body_util::BodyExt;

use crate::{chat::AnswerBytes, http::change_response_body};

/// Counts the bytes of the answer until the response of the current request is sent or dropped.
pub(super) fn count_until_sent(answer: AnswerBytes) {
    change_response_body(|body| counted(body, answer));
}

/// Bytes of a response that are not sent yet.
struct Unsent {
    data: Bytes,
    _answer: AnswerBytes,
}

impl AsRef<[u8]> for Unsent {
    fn as_ref(&self) -> &[u8] {
        &self.data
    }
}

/// Returns a body of one piece whose data holds the answer's bytes: the connection drops the body before it has written
/// the data.
fn counted(body: Body, answer: AnswerBytes) -> Body {
    let mut answer = Some(answer);
    Body::new(body.map_frame(move |frame| {
        frame.map_data(|data| match answer.take() {
            // Only the text is left of the answer.
            Some(answer) => {
                let answer = answer.reduced_to(data.len());
                Bytes::from_owner(Unsent { data, _answer: answer })
            }
            None => data,
        })
    }))
}

#[cfg(test)]
mod tests {
    use axum::response::Response;

    use super::*;
    use crate::{chat::AnswerMemory, http::with_response_headers};

    #[tokio::test]
    async fn an_answer_counts_until_its_bytes_are_dropped() {
        let memory = AnswerMemory::leaked(1000);
        let handler = async {
            count_until_sent(AnswerBytes::of(memory, 100));
            Response::new(Body::from("0123456789"))
        };
        let response = with_response_headers(handler).await;
        assert_eq!(memory.used(), 100);
        let mut body = response.into_body();
        let frame = body.frame().await.unwrap().unwrap();
        assert!(body.frame().await.is_none());
        drop(body);
        assert_eq!(memory.used(), 10, "the connection has still to write the text");
        let data = frame.into_data().unwrap();
        assert_eq!(data, "0123456789");
        drop(data);
        assert_eq!(memory.used(), 0);
        let unread = async {
            count_until_sent(AnswerBytes::of(memory, 100));
            Response::new(Body::from("0123456789"))
        };
        drop(with_response_headers(unread).await);
        assert_eq!(memory.used(), 0);
    }
}
