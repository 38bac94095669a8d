//! What each option of a dialect does, in one table for each object of its requests.
//!
//! An option that the document does not type has one of three effects. The rule: what cannot change a completion is accepted, and named
//! in `x-trainyard-warnings` unless it is always so; what would change it is rejected by name. The acceptance suite compares the tables
//! with the types of the client libraries, so that each new release shows what it adds.

use serde_json::{Map, Value};

use super::super::ignored::{Ignored, Names};
use super::read::reject;
use crate::http::ApiError;

/// Effect of an option.
pub(super) enum Effect {
    /// The service does this always, or reads the field with others.
    Honoured,
    /// None; the response names the option in a header.
    Ignored,
    /// A 422, unless the value is null or this one, as JSON.
    Rejected(Option<&'static str>),
}
use Effect::{Honoured, Ignored as NoEffect, Rejected};

/// Options by name.
type Options = [(&'static str, Effect)];

/// Options of Anthropic's Messages API, by the object that has them.
pub(super) mod messages {
    use super::{Honoured, NoEffect, Options, Rejected};

    pub(in super::super) const REQUEST: &Options = &[
        ("betas", NoEffect),
        ("billing_policy", NoEffect),
        ("cache_control", Honoured),
        ("compaction", Rejected(None)),
        ("container", Rejected(None)),
        // Agent programs always send it. Its edits only shorten a conversation; without them the model sees all of it.
        ("context_management", NoEffect),
        ("diagnostics", NoEffect),
        ("fallback_credit_token", NoEffect),
        ("fallbacks", NoEffect),
        ("inference_geo", NoEffect),
        ("mcp_servers", Rejected(Some("[]"))),
        ("metadata", NoEffect),
        ("service_tier", NoEffect),
        ("speed", NoEffect),
        ("thread", Rejected(None)),
        ("user_profile_id", NoEffect),
        ("workspace_id", NoEffect),
    ];
    pub(in super::super) const MESSAGE: &Options = &[("clear_at", Rejected(None)), ("output_config", NoEffect)];
    pub(in super::super) const BLOCK: &Options = &[
        ("cache_control", Honoured),
        ("caller", NoEffect),
        ("citations", NoEffect),
        // Fields of blocks that are left out or rejected by their type.
        ("context", Honoured),
        ("data", Honoured),
        ("file_id", Honoured),
        ("source", Honoured),
        ("title", Honoured),
        ("tool_name", Honoured),
        ("toolset_name", NoEffect),
        ("transformations", Honoured),
    ];
    pub(in super::super) const TOOL: &Options = &[
        ("allowed_callers", Rejected(Some(r#"["direct"]"#))),
        ("cache_control", Honoured),
        // The model sees the tool from the start.
        ("defer_loading", NoEffect),
        ("eager_input_streaming", Honoured),
        ("input_examples", NoEffect),
        ("strict", NoEffect),
        // Fields of tools that are left out or rejected by their type, or that only the client reads.
        ("allowed_domains", Honoured),
        ("blocked_domains", Honoured),
        ("caching", Honoured),
        ("citations", Honoured),
        ("configs", Honoured),
        ("default_config", Honoured),
        ("display_height_px", Honoured),
        ("display_number", Honoured),
        ("display_width_px", Honoured),
        ("enable_zoom", Honoured),
        ("max_characters", Honoured),
        ("max_content_tokens", Honoured),
        ("max_tokens", Honoured),
        ("max_uses", Honoured),
        ("mcp_server_name", Honoured),
        ("model", Honoured),
        ("response_inclusion", Honoured),
        ("tools", Honoured),
        ("url_sources", Honoured),
        ("use_cache", Honoured),
        ("user_location", Honoured),
    ];
    pub(in super::super) const THINKING: &Options = &[("block_binding", NoEffect), ("budget_tokens", NoEffect)];
    pub(in super::super) const OUTPUT_CONFIG: &Options = &[("task_budget", NoEffect)];
    pub(in super::super) const TOOL_CHOICE: &Options = &[];
}

/// Options of OpenAI's Responses API, by the object that has them.
pub(super) mod responses {
    use super::{Honoured, NoEffect, Options, Rejected};

    pub(in super::super) const REQUEST: &Options = &[
        ("access_programs", NoEffect),
        ("background_options", NoEffect),
        // It only shortens a conversation; without it the model sees all of it.
        ("context_management", NoEffect),
        ("conversation", Rejected(None)),
        ("image", NoEffect),
        // The limit of calls that OpenAI's servers make.
        ("max_tool_calls", NoEffect),
        ("moderation", Rejected(None)),
        ("nvext", NoEffect),
        ("personality", Rejected(None)),
        ("prompt", Rejected(None)),
        ("prompt_cache_key", NoEffect),
        ("prompt_cache_options", NoEffect),
        ("prompt_cache_retention", NoEffect),
        ("safety_identifier", NoEffect),
        ("service_tier", NoEffect),
        ("stream_options", NoEffect),
        ("truncation", Rejected(Some(r#""disabled""#))),
        // Options of chat completions.
        ("frequency_penalty", Rejected(Some("0"))),
        ("function_call", Rejected(None)),
        ("functions", Rejected(None)),
        ("logit_bias", Rejected(Some("{}"))),
        ("logprobs", Rejected(Some("false"))),
        ("max_completion_tokens", Rejected(None)),
        ("max_tokens", Rejected(None)),
        ("messages", Rejected(None)),
        ("n", Rejected(Some("1"))),
        ("presence_penalty", Rejected(Some("0"))),
        ("reasoning_effort", Rejected(None)),
        ("response_format", Rejected(None)),
        ("stop", Rejected(None)),
    ];
    pub(in super::super) const REASONING: &Options =
        &[("context", NoEffect), ("generate_summary", NoEffect), ("mode", NoEffect), ("summary", NoEffect)];
    pub(in super::super) const TOOL: &Options = &[
        ("allowed_callers", Rejected(Some(r#"["direct"]"#))),
        ("async", NoEffect),
        // The model sees the tool from the start.
        ("defer_loading", NoEffect),
        ("output_schema", Rejected(None)),
        // Fields of tools that are left out or rejected by their type.
        ("action", Honoured),
        ("allowed_tools", Honoured),
        ("authorization", Honoured),
        ("background", Honoured),
        ("complexity", Honoured),
        ("connector_id", Honoured),
        ("container", Honoured),
        ("display_height", Honoured),
        ("display_width", Honoured),
        ("environment", Honoured),
        ("execution", Honoured),
        ("external_web_access", Honoured),
        ("filters", Honoured),
        ("frame_count", Honoured),
        ("frame_duration_ms", Honoured),
        ("headers", Honoured),
        ("index_gated_web_access", Honoured),
        ("input_fidelity", Honoured),
        ("input_image_mask", Honoured),
        ("max_num_results", Honoured),
        ("model", Honoured),
        ("moderation", Honoured),
        ("output_compression", Honoured),
        ("output_format", Honoured),
        ("partial_images", Honoured),
        ("quality", Honoured),
        ("ranking_options", Honoured),
        ("require_approval", Honoured),
        ("return_token_budget", Honoured),
        ("search_content_types", Honoured),
        ("search_context_size", Honoured),
        ("server_description", Honoured),
        ("server_label", Honoured),
        ("server_url", Honoured),
        ("size", Honoured),
        ("svg", Honoured),
        ("tunnel_id", Honoured),
        ("user_location", Honoured),
        ("vector_store_ids", Honoured),
    ];
    pub(in super::super) const TOOL_CHOICE: &Options = &[("server_label", Honoured)];
}

/// Applies a table to the objects of a request.
pub(super) struct Checker {
    names: Names,
    rejected: Vec<(&'static str, Option<&'static str>)>,
}

impl Checker {
    /// Creates a checker of objects with these typed properties.
    pub(super) fn new(properties: &'static [&'static str], options: &'static Options) -> Self {
        let named = |wanted: fn(&Effect) -> bool| {
            options.iter().filter(move |(_, effect)| wanted(effect)).map(|(name, _)| *name).collect()
        };
        let rejected = options.iter().filter_map(|(name, effect)| match effect {
            Rejected(neutral) => Some((*name, *neutral)),
            Honoured | NoEffect => None,
        });
        Self {
            names: Names {
                properties,
                read_elsewhere: named(|effect| !matches!(effect, NoEffect)),
                without_effect: named(|effect| matches!(effect, NoEffect)).into(),
            },
            rejected: rejected.collect(),
        }
    }

    /// Adds the fields of an object that have no effect. `at` is the path of the object: empty or ending in a dot.
    ///
    /// # Errors
    /// Returns 422 for an option that is rejected, or whose name is similar to a known one.
    pub(super) fn check(&self, extra: &Map<String, Value>, at: &str, ignored: &mut Ignored) -> Result<(), ApiError> {
        reject(extra, at, &self.rejected)?;
        ignored.add(extra, at, &self.names)
    }
}
