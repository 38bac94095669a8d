//! Options of a job: ignored ones, and values with defaults.

use serde_json::{Map, Value};

use crate::{
    store::records::{JobKind, JobRecord},
    training::{RlConfig, SftConfig},
};

/// Returns the options of a job that have no effect.
pub(crate) fn ignored_options(job: &JobRecord) -> Vec<&'static str> {
    ignored_options_of(job.kind, &serde_json::from_str(&job.config).unwrap_or_default())
}

/// Like [`ignored_options`], for options in their wire form.
pub(crate) fn ignored_options_of(kind: JobKind, sent: &Value) -> Vec<&'static str> {
    match kind {
        JobKind::Rl => RlConfig::ignored(sent),
        // Every option is either rejected or has an effect.
        JobKind::Sft => Vec::new(),
    }
}

/// Returns the options with the defaults filled in; the original options if they can no longer be parsed.
pub(crate) fn resolved_config(job: &JobRecord) -> Map<String, Value> {
    let sent: Value = serde_json::from_str(&job.config).unwrap_or_default();
    let resolved = match job.kind {
        JobKind::Rl => RlConfig::from_wire(Some(&sent)).map(|config| config.to_wire()),
        JobKind::Sft => SftConfig::from_wire(Some(&sent)).map(|config| config.to_wire()),
    };
    resolved.unwrap_or_else(|_| sent.as_object().cloned().unwrap_or_default())
}
