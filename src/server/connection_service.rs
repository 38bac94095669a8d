//! The service that hyper calls, one for each connection.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::http::{HeaderValue, Request, Response, header};
use hyper::body::{Frame, Incoming, SizeHint};
use tower::ServiceExt;

use super::connection::{ConnectionState, InFlightGuard};
use super::drain_body::RequestBody;
use crate::stop::Stop;

/// Responds to the requests of one connection.
pub(super) struct ConnectionService {
    /// Routes with their middleware.
    pub router: Router,
    /// State of the connection.
    pub connection: Arc<ConnectionState>,
    /// Once it is true, each response is the connection's last: the client opens the next one elsewhere.
    pub stop: Stop,
}

impl hyper::service::Service<Request<Incoming>> for ConnectionService {
    type Response = Response<ResponseBody>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn call(&self, request: Request<Incoming>) -> Self::Future {
        let in_flight = self.connection.begin(request.version());
        let request = request.map(|body| RequestBody::new(body, in_flight.clone()));
        let response = self.router.clone().oneshot(request);
        let stop = self.stop.clone();
        Box::pin(async move {
            let mut response = response.await?;
            if *stop.borrow() {
                response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
            }
            Ok(response.map(|body| ResponseBody { body, _in_flight: in_flight }))
        })
    }
}

/// The body of a response. The response is in flight until it is dropped.
pub(super) struct ResponseBody {
    body: Body,
    _in_flight: Arc<InFlightGuard>,
}

impl HttpBody for ResponseBody {
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
