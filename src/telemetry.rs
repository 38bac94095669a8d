//! OpenTelemetry traces: a span for each request and each attempt at a job, exported by OTLP over HTTP.
//!
//! Off unless an endpoint is configured. Without one, every function here returns after the read of one flag. Attributes
//! have the names of OpenTelemetry's semantic conventions for HTTP servers and for generative AI.
//!
//! Spans are made here and not from those of `tracing`: a second layer would cost each request at each of its polls, also
//! requests that are not exported.

use std::sync::OnceLock;
use std::time::Duration;

use http::HeaderMap;
use opentelemetry::propagation::TextMapPropagator;
use opentelemetry::trace::{SpanKind, Status, TraceContextExt, Tracer, TracerProvider};
use opentelemetry::{Context, KeyValue, TraceId};
use opentelemetry_http::{HeaderExtractor, HeaderInjector};
use opentelemetry_otlp::{ExporterBuildError, Protocol, SpanExporter, WithExportConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{SdkTracer, SdkTracerProvider};

use crate::store::records::UsageCount;

/// Path of traces below an endpoint, from the specification of OTLP.
const TRACES_PATH: &str = "/v1/traces";
/// Time limit of one export, and of the last one at shutdown.
const EXPORT_TIME: Duration = Duration::from_secs(5);

/// Maker of spans, if they are exported.
static TRACER: OnceLock<SdkTracer> = OnceLock::new();

tokio::task_local! {
    /// Trace of the request or job that the current task works for.
    static CURRENT: Trace;
}

/// Exporter of the spans of a process.
pub(crate) struct Telemetry {
    provider: SdkTracerProvider,
}

impl Telemetry {
    /// Starts the export to an OTLP endpoint, such as `http://127.0.0.1:4318`. The variables `OTEL_SERVICE_NAME`,
    /// `OTEL_RESOURCE_ATTRIBUTES`, `OTEL_EXPORTER_OTLP_HEADERS` and `OTEL_TRACES_SAMPLER` are honoured. Spans that find
    /// the export queue full are dropped.
    ///
    /// # Errors
    /// Returns an error if the endpoint is no URL.
    pub(crate) fn start(endpoint: &str) -> Result<Self, ExporterBuildError> {
        let exporter = SpanExporter::builder()
            .with_http()
            .with_protocol(Protocol::HttpBinary)
            .with_endpoint(format!("{}{TRACES_PATH}", endpoint.trim_end_matches('/')))
            .with_timeout(EXPORT_TIME)
            .build()?;
        let mut resource = Resource::builder();
        if std::env::var_os("OTEL_SERVICE_NAME").is_none() {
            resource = resource.with_service_name("trainyard");
        }
        let resource = resource.with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")));
        let provider =
            SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource.build()).build();
        let _ = TRACER.set(provider.tracer("trainyard")); // Only tests start twice, and they need one tracer.
        Ok(Self { provider })
    }

    /// Exports the spans that have ended, within a time limit.
    pub(crate) fn shut_down(self) {
        if let Err(error) = self.provider.shutdown_with_timeout(EXPORT_TIME) {
            tracing::warn!(%error, "the last spans were not exported");
        }
    }
}

/// Span of a request or of an attempt at a job, or nothing if it is not exported. It ends when its last copy is dropped.
#[derive(Clone, Default)]
pub(crate) struct Trace(Option<Context>);

impl Trace {
    /// Starts the span of a request, as a child of the caller's span, which the header `traceparent` names. Reads get one
    /// only in the trace of a caller: most reads are polls and health checks.
    pub(crate) fn of_request(method: &http::Method, path: &str, headers: &HeaderMap) -> Self {
        let Some(tracer) = TRACER.get() else { return Self(None) };
        if method.is_safe() && !headers.contains_key("traceparent") {
            return Self(None);
        }
        let parent = TraceContextPropagator::new().extract_with_context(&Context::new(), &HeaderExtractor(headers));
        let attributes = [
            KeyValue::new("http.request.method", method.as_str().to_owned()),
            KeyValue::new("url.path", path.to_owned()),
        ];
        // The operation is known at the end.
        let span = tracer.span_builder("request").with_kind(SpanKind::Server).with_attributes(attributes);
        Self(Some(parent.with_span(span.start_with_context(tracer, &parent))))
    }

    /// Starts the span of an attempt at a job.
    pub(crate) fn of_job(id: uuid::Uuid, kind: &'static str) -> Self {
        let Some(tracer) = TRACER.get() else { return Self(None) };
        let attributes = [KeyValue::new("trainyard.job.id", id.to_string()), KeyValue::new("trainyard.job.kind", kind)];
        let root = Context::new();
        Self(Some(
            root.with_span(tracer.span_builder("job").with_attributes(attributes).start_with_context(tracer, &root)),
        ))
    }

    /// Returns the trace of the current task.
    pub(crate) fn current() -> Self {
        CURRENT.try_with(Self::clone).unwrap_or_default()
    }

    /// Returns the id of the trace, for log lines.
    pub(crate) fn id(&self) -> Option<TraceId> {
        self.0.as_ref().map(|context| context.span().span_context().trace_id())
    }

    /// Runs a future in this trace.
    pub(crate) async fn scope<F: Future>(self, future: F) -> F::Output {
        CURRENT.scope(self, future).await
    }

    /// Runs a function in this trace.
    pub(crate) fn sync_scope<R>(self, function: impl FnOnce() -> R) -> R {
        CURRENT.sync_scope(self, function)
    }

    /// Writes operation, status and the cause of a server error to the span of a request.
    pub(crate) fn end_request(&self, operation: Option<&'static str>, status: u16, cause: Option<&str>) {
        let Some(context) = &self.0 else { return };
        let span = context.span();
        if let Some(operation) = operation {
            span.update_name(operation);
            span.set_attribute(KeyValue::new("trainyard.operation", operation));
        }
        span.set_attribute(KeyValue::new("http.response.status_code", i64::from(status)));
        if status >= 500 {
            self.failed(cause.unwrap_or_default());
        }
    }

    /// Marks the span as failed.
    pub(crate) fn failed(&self, cause: &str) {
        if let Some(context) = &self.0 {
            context.span().set_status(Status::error(cause.to_owned()));
        }
    }

    /// Writes the model and the tokens of a chat completion to the span of its request.
    pub(crate) fn chat_usage(&self, model: &str, count: UsageCount) {
        let Some(context) = &self.0 else { return };
        context.span().set_attributes([
            KeyValue::new("gen_ai.operation.name", "chat"),
            KeyValue::new("gen_ai.provider.name", "trainyard"),
            KeyValue::new("gen_ai.request.model", model.to_owned()),
            KeyValue::new("gen_ai.usage.input_tokens", count.prompt_tokens),
            KeyValue::new("gen_ai.usage.output_tokens", count.completion_tokens),
        ]);
    }
}

/// Adds `traceparent` of the current span to the headers of a request to another server.
pub(crate) fn propagate(headers: &mut HeaderMap) {
    if let Trace(Some(context)) = Trace::current() {
        TraceContextPropagator::new().inject_context(&context, &mut HeaderInjector(headers));
    }
}
