//! The router as hyper calls it, one for each connection.

use std::{
    convert::Infallible,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use axum::{
    Router,
    body::{Body, Bytes, HttpBody},
    http::{HeaderValue, Request, Response, header},
};
use hyper::body::{Frame, Incoming, SizeHint};
use tower::ServiceExt;

use super::{
    intake::{Answering, Turn},
    leftover::RequestBody,
};
use crate::{http::Failure, stop::Stop};

/// An extension of a request that stands for one that was refused before it could be read.
#[derive(Clone, Debug)]
pub(super) struct Refused(pub Failure);

/// Answers the requests of one connection.
pub(super) struct Answers {
    /// With its middleware, which answers [`Refused`].
    pub router: Router,
    /// What the read side knows.
    pub turn: Arc<Turn>,
    /// Once it is true, each answer is the connection's last: the client opens the next one elsewhere.
    pub stop: Stop,
}

impl hyper::service::Service<Request<Incoming>> for Answers {
    type Response = Response<AnswerBody>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn call(&self, mut request: Request<Incoming>) -> Self::Future {
        let answering = self.turn.begin();
        // It is noted when its stand-in is handed to hyper, which by then has called for every head before it.
        if let Some(failure) = self.turn.refusal() {
            request.extensions_mut().insert(Refused(failure));
        }
        let answer = self.router.clone().oneshot(request.map(RequestBody::new));
        let stop = self.stop.clone();
        Box::pin(async move {
            let mut answer = answer.await?;
            if *stop.borrow() {
                answer.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
            }
            Ok(answer.map(|body| AnswerBody { body, _answering: answering }))
        })
    }
}

/// The body of an answer; the answer ends with it.
pub(super) struct AnswerBody {
    body: Body,
    _answering: Answering,
}

impl HttpBody for AnswerBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
