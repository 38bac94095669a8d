//! OpenTelemetry traces: a span for each request and each attempt at a job, exported by OTLP over HTTP.
//!
//! Off unless an endpoint is configured. Without one, every function here returns after the read of one flag. Attributes
//! have the names of OpenTelemetry's semantic conventions for HTTP servers and for generative AI.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use http::HeaderMap;
use opentelemetry::{
    propagation::TextMapPropagator,
    trace::{Status, TraceContextExt, TracerProvider},
};
use opentelemetry_http::{HeaderExtractor, HeaderInjector};
use opentelemetry_otlp::{ExporterBuildError, Protocol, SpanExporter, WithExportConfig};
use opentelemetry_sdk::{
    Resource,
    propagation::TraceContextPropagator,
    trace::{SdkTracer, SdkTracerProvider},
};
use tracing::{Span, Subscriber};
use tracing_opentelemetry::{OpenTelemetryLayer, OpenTelemetrySpanExt};
use tracing_subscriber::registry::LookupSpan;

use crate::store::records::UsageCount;

/// Path of traces below an endpoint, from the specification of OTLP.
const TRACES_PATH: &str = "/v1/traces";
/// Time limit of one export, and of the last one at shutdown.
const EXPORT_TIME: Duration = Duration::from_secs(5);

/// Whether spans are exported.
static ON: AtomicBool = AtomicBool::new(false);

/// Target of spans that log lines have and that are not exported.
pub(crate) const LOGGED_ONLY: &str = "trainyard::logged_only";

fn is_on() -> bool {
    ON.load(Ordering::Relaxed)
}

/// Returns whether a request gets a span. Reads get one only in the trace of a caller: most reads are polls and health
/// checks.
pub(crate) fn is_exported(method: &http::Method, headers: &HeaderMap) -> bool {
    is_on() && (!method.is_safe() || headers.contains_key("traceparent"))
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
        let resource =
            resource.with_attribute(opentelemetry::KeyValue::new("service.version", env!("CARGO_PKG_VERSION")));
        let provider =
            SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource.build()).build();
        ON.store(true, Ordering::Relaxed);
        Ok(Self { provider })
    }

    /// Returns the layer that turns spans of `tracing` into those of OpenTelemetry.
    pub(crate) fn layer<S: Subscriber + for<'a> LookupSpan<'a>>(&self) -> OpenTelemetryLayer<S, SdkTracer> {
        tracing_opentelemetry::layer()
            .with_tracer(self.provider.tracer("trainyard"))
            .with_location(false)
            .with_threads(false)
            .with_tracked_inactivity(false)
            .with_target(false)
            // No other library asks for the context of the current thread; setting it takes time at each poll of a request.
            .with_context_activation(false)
    }

    /// Exports the spans that have ended, within a time limit.
    pub(crate) fn shut_down(self) {
        if let Err(error) = self.provider.shutdown_with_timeout(EXPORT_TIME) {
            tracing::warn!(%error, "the last spans were not exported");
        }
    }
}

/// Makes the span of a request a child of the caller's span, which the header `traceparent` names, and writes the id of
/// the trace to the field `trace_id` of the span, so that log lines have it. The request must be one that
/// [`is_exported`].
pub(crate) fn begin_request(span: &Span, method: &http::Method, path: &str, headers: &HeaderMap) {
    let parent = TraceContextPropagator::new().extract(&HeaderExtractor(headers));
    // Fails for a span that the log filter dropped; then there is nothing to export.
    let _ = span.set_parent(parent);
    // Before the id of the trace is read, which starts the span: the kind of a started span is fixed.
    span.record("otel.kind", "server");
    span.set_attribute("http.request.method", method.as_str().to_owned());
    span.set_attribute("url.path", path.to_owned());
    record_trace_id(span);
}

/// Writes operation and status to the span of a request.
pub(crate) fn end_request(span: &Span, operation: Option<&'static str>, status: u16) {
    if !is_on() {
        return;
    }
    if let Some(operation) = operation {
        // The field `otel.name` would have no effect on a started span.
        span.context().span().update_name(operation);
        span.set_attribute("trainyard.operation", operation);
    }
    span.set_attribute("http.response.status_code", i64::from(status));
    if status >= 500 {
        span.set_status(Status::error(""));
    }
}

/// Writes the id of the trace to the span of a job.
pub(crate) fn begin_job(span: &Span) {
    if is_on() {
        record_trace_id(span);
    }
}

fn record_trace_id(span: &Span) {
    let context = span.context();
    let trace_id = context.span().span_context().trace_id();
    span.record("trace_id", tracing::field::display(trace_id));
}

/// Writes the model and the tokens of a chat completion to the span of its request.
pub(crate) fn chat_usage(span: &Span, model: &str, count: UsageCount) {
    if !is_on() {
        return;
    }
    span.set_attribute("gen_ai.operation.name", "chat");
    span.set_attribute("gen_ai.provider.name", "trainyard");
    span.set_attribute("gen_ai.request.model", model.to_owned());
    span.set_attribute("gen_ai.usage.input_tokens", count.prompt_tokens);
    span.set_attribute("gen_ai.usage.output_tokens", count.completion_tokens);
}

/// Adds `traceparent` of the current span to the headers of a request to another server.
pub(crate) fn propagate(headers: &mut HeaderMap) {
    if is_on() {
        TraceContextPropagator::new().inject_context(&Span::current().context(), &mut HeaderInjector(headers));
    }
}
