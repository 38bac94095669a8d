//! Routers of generated servers.
//!
//! Endpoints have no type parameter for their operation, so that axum's routing is compiled once for an API and not once
//! for each operation.

use std::collections::BTreeMap;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::handler::Handler;
use axum::http::request::Parts;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, MethodRouter};

use crate::http::call::{Call, Input};
use crate::http::template::Template;
use crate::http::{ApiError, Authenticate, authenticate, authenticate_optional, response, unknown_path, wrong_method};

type ResponseFuture = Pin<Box<dyn Future<Output = Response> + Send>>;
type Serve<A> = dyn Fn(Arc<A>, Arc<Template>, Request) -> ResponseFuture + Send + Sync;

/// Method of a trait without a caller: `fn(&A, I) -> impl Future<Output = Result<O, ApiError>> + Send`.
pub trait Method<'a, A, I>: Copy + Send + Sync + 'static {
    /// Output of the operation.
    type Output: IntoResponse;
    /// Calls the method.
    fn call(self, api: &'a A, input: I) -> impl Future<Output = Result<Self::Output, ApiError>> + Send;
}

impl<'a, A: 'a, I, O: IntoResponse, W, F> Method<'a, A, I> for F
where
    F: Fn(&'a A, I) -> W + Copy + Send + Sync + 'static,
    W: Future<Output = Result<O, ApiError>> + Send + 'a,
{
    type Output = O;
    fn call(self, api: &'a A, input: I) -> impl Future<Output = Result<O, ApiError>> + Send {
        self(api, input)
    }
}

/// Method of a trait with a caller: `fn(&A, C, I) -> impl Future<Output = Result<O, ApiError>> + Send`.
pub trait MethodOfCaller<'a, A, C, I>: Copy + Send + Sync + 'static {
    /// Output of the operation.
    type Output: IntoResponse;
    /// Calls the method.
    fn call(self, api: &'a A, caller: C, input: I) -> impl Future<Output = Result<Self::Output, ApiError>> + Send;
}

impl<'a, A: 'a, C, I, O: IntoResponse, W, F> MethodOfCaller<'a, A, C, I> for F
where
    F: Fn(&'a A, C, I) -> W + Copy + Send + Sync + 'static,
    W: Future<Output = Result<O, ApiError>> + Send + 'a,
{
    type Output = O;
    fn call(self, api: &'a A, caller: C, input: I) -> impl Future<Output = Result<O, ApiError>> + Send {
        self(api, caller, input)
    }
}

/// An operation: from a request to a response.
pub struct Endpoint<A> {
    id: &'static str,
    method: &'static str,
    path: &'static str,
    serve: Arc<Serve<A>>,
}

impl<A> fmt::Debug for Endpoint<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Endpoint").field(&self.id).finish()
    }
}

impl<A> Endpoint<A> {
    fn of<I: Input>(serve: impl Fn(Arc<A>, Arc<Template>, Request) -> ResponseFuture + Send + Sync + 'static) -> Self {
        let operation = I::OPERATION;
        Self { id: operation.id, method: operation.method, path: operation.path, serve: Arc::new(serve) }
    }
}

async fn read<'a, I: Input>(parts: &'a Parts, body: Body, template: &Template) -> Result<(I, Call<'a>), ApiError> {
    let mut call = Call::of::<I>(parts, body, template)?;
    let input = I::read(&mut call).await?;
    call.finish()?;
    Ok((input, call))
}

/// Creates the endpoint of an operation without authentication.
pub fn open<A, I, O, F>(method: F) -> Endpoint<A>
where
    A: Send + Sync + 'static,
    I: Input,
    O: IntoResponse + 'static,
    F: for<'a> Method<'a, A, I, Output = O>,
{
    Endpoint::of::<I>(move |api, template, request| {
        Box::pin(response::run(I::OPERATION.id, async move {
            let (parts, body) = request.into_parts();
            // A body that nobody reads is kept until the method ends.
            let (input, _call) = read(&parts, body, &template).await?;
            method.call(&*api, input).await
        }))
    })
}

/// Creates the endpoint of an operation with optional authentication.
pub fn optional<A, I, O, F>(method: F) -> Endpoint<A>
where
    A: Authenticate,
    I: Input,
    O: IntoResponse + 'static,
    F: for<'a> MethodOfCaller<'a, A, Option<A::Caller>, I, Output = O>,
{
    Endpoint::of::<I>(move |api, template, request| {
        Box::pin(response::run(I::OPERATION.id, async move {
            let (parts, body) = request.into_parts();
            let caller = authenticate_optional(&*api, &parts, I::OPERATION.security).await?;
            let (input, _call) = read(&parts, body, &template).await?;
            method.call(&*api, caller, input).await
        }))
    })
}

/// Creates the endpoint of an operation with authentication.
pub fn secured<A, I, O, F>(method: F) -> Endpoint<A>
where
    A: Authenticate,
    I: Input,
    O: IntoResponse + 'static,
    F: for<'a> MethodOfCaller<'a, A, A::Caller, I, Output = O>,
{
    Endpoint::of::<I>(move |api, template, request| {
        Box::pin(response::run(I::OPERATION.id, async move {
            let (parts, body) = request.into_parts();
            let caller = authenticate(&*api, &parts, I::OPERATION.security).await?;
            let run = async |caller| {
                let (input, _call) = read(&parts, body, &template).await?;
                method.call(&*api, caller, input).await
            };
            let run = async |caller| response::of_result(run(caller).await);
            Ok(api.respond(caller, I::OPERATION.id, &parts, run).await)
        }))
    })
}

/// Routes of an API.
///
/// axum matches whole segments. Templates that differ within a segment share a route; there the most specific template
/// that fits the path is selected.
pub struct Routes<A> {
    api: Arc<A>,
    endpoints: Vec<(Template, Endpoint<A>)>,
    shared: BTreeMap<String, Shared>,
}

impl<A> fmt::Debug for Routes<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.endpoints.iter().map(|(_, endpoint)| endpoint)).finish()
    }
}

/// Operations at a route with split segments, those of other routers included.
#[derive(Clone)]
struct Shared {
    operations: Arc<[(&'static str, Template)]>,
    /// Whether this router has all of them. Only one router can respond to the other methods of a route.
    alone: bool,
}

impl<A: Send + Sync + 'static> Routes<A> {
    /// Creates routes of `api` without an endpoint.
    pub fn new(api: Arc<A>) -> Self {
        Self { api, endpoints: Vec::new(), shared: BTreeMap::new() }
    }

    /// Adds an operation.
    #[must_use]
    #[expect(clippy::should_implement_trait, reason = "the routes are no number")]
    pub fn add(mut self, endpoint: Endpoint<A>) -> Self {
        self.endpoints.push((Template::of(endpoint.path), endpoint));
        self
    }

    /// Adds an operation at another route than its own.
    #[must_use]
    pub fn alias(self, method: &'static str, path: &'static str, endpoint: Endpoint<A>) -> Self {
        self.add(Endpoint { method, path, ..endpoint })
    }

    /// Declares every operation, by method and path, of a route that paths with split segments share. `alone` is whether
    /// these routes have all of them.
    #[must_use]
    pub fn shared(mut self, alone: bool, operations: &[(&'static str, &'static str)]) -> Self {
        let operations: Arc<[_]> = operations.iter().map(|(method, path)| (*method, Template::of(path))).collect();
        if let Some((_, first)) = operations.first() {
            self.shared.insert(first.route(), Shared { operations, alone });
        }
        self
    }

    /// Creates the router.
    pub fn router(self) -> Router {
        let mut routes: BTreeMap<String, BTreeMap<&str, Vec<One<A>>>> = BTreeMap::new();
        for (template, endpoint) in self.endpoints {
            let methods = routes.entry(template.route()).or_default();
            let one = One { api: self.api.clone(), template: Arc::new(template), serve: endpoint.serve };
            methods.entry(endpoint.method).or_default().push(one);
        }
        let mut router = Router::new();
        // axum rejects paths that look like captures of its older versions.
        if routes.keys().any(|path| path.contains("/:") || path.contains("/*")) {
            router = router.without_v07_checks();
        }
        for (path, methods) in routes {
            let shared = self.shared.get(&path);
            let mut filters = MethodRouter::new();
            for (method, mut several) in methods {
                several.sort_by_key(|one| std::cmp::Reverse(one.template.literal_length()));
                filters = match several.as_slice() {
                    [one] if !one.template.is_split() => filters.on(filter(method), one.clone()),
                    _ => {
                        let operations = shared.map(|shared| shared.operations.clone()).unwrap_or_default();
                        filters.on(filter(method), Several { choices: several.into(), operations })
                    }
                };
            }
            if let Some(Shared { operations, alone: true }) = shared.cloned() {
                filters =
                    filters.fallback(move |request: Request| async move { other_method(request, &operations).await });
            }
            router = router.route(&path, filters);
        }
        router
    }
}

fn filter(method: &str) -> MethodFilter {
    match method {
        "DELETE" => MethodFilter::DELETE,
        "HEAD" => MethodFilter::HEAD,
        "OPTIONS" => MethodFilter::OPTIONS,
        "PATCH" => MethodFilter::PATCH,
        "POST" => MethodFilter::POST,
        "PUT" => MethodFilter::PUT,
        "TRACE" => MethodFilter::TRACE,
        _ => MethodFilter::GET,
    }
}

/// An endpoint at a route of its own.
struct One<A> {
    api: Arc<A>,
    template: Arc<Template>,
    serve: Arc<Serve<A>>,
}

impl<A> Clone for One<A> {
    fn clone(&self) -> Self {
        Self { api: self.api.clone(), template: self.template.clone(), serve: self.serve.clone() }
    }
}

impl<A: Send + Sync + 'static> Handler<(), ()> for One<A> {
    type Future = ResponseFuture;
    fn call(self, request: Request, (): ()) -> ResponseFuture {
        (self.serve)(self.api, self.template, request)
    }
}

/// Endpoints that share a route and a method, the most specific first.
struct Several<A> {
    choices: Arc<[One<A>]>,
    operations: Arc<[(&'static str, Template)]>,
}

impl<A> Clone for Several<A> {
    fn clone(&self) -> Self {
        Self { choices: self.choices.clone(), operations: self.operations.clone() }
    }
}

impl<A: Send + Sync + 'static> Handler<(), ()> for Several<A> {
    type Future = ResponseFuture;
    fn call(self, request: Request, (): ()) -> ResponseFuture {
        match self.choices.iter().find(|one| one.template.fits(request.uri())) {
            Some(one) => one.clone().call(request, ()),
            None => Box::pin(async move { other_method(request, &self.operations).await }),
        }
    }
}

/// Responds to a request whose method no matching template has: 405 with the methods of the templates that match the
/// path, 404 if none does. Several templates can share a route.
async fn other_method(request: Request, operations: &[(&'static str, Template)]) -> Response {
    let fitting = operations.iter().filter(|(_, template)| template.fits(request.uri()));
    let mut methods: Vec<&str> = fitting.map(|(method, _)| *method).collect();
    if methods.contains(&"GET") {
        methods.push("HEAD");
    }
    methods.sort_unstable();
    methods.dedup();
    if methods.is_empty() {
        return unknown_path(request).await;
    }
    let mut response = wrong_method(request).await;
    if let Ok(methods) = HeaderValue::from_str(&methods.join(",")) {
        response.headers_mut().insert(header::ALLOW, methods);
    }
    response
}
