//! The options of a job as it understands them.

use serde_json::{Map, Value};

use crate::{
    store::records::{JobKind, JobRecord},
    training::{RlConfig, SftConfig},
};

/// The options that a job was sent and that have no effect.
pub fn ignored_options(job: &JobRecord) -> Vec<&'static str> {
    ignored_options_of(job.kind, &serde_json::from_str(&job.config).unwrap_or_default())
}

/// As [`ignored_options`], of options as they were sent.
pub fn ignored_options_of(kind: JobKind, sent: &Value) -> Vec<&'static str> {
    match kind {
        JobKind::Rl => RlConfig::ignored(sent),
        // Each is refused, or has its effect.
        JobKind::Sft => Vec::new(),
    }
}

/// The options with the defaults filled in; as they were sent, should they mean nothing any more.
pub fn resolved_config(job: &JobRecord) -> Map<String, Value> {
    let sent: Value = serde_json::from_str(&job.config).unwrap_or_default();
    let resolved = match job.kind {
        JobKind::Rl => RlConfig::from_wire(Some(&sent)).map(|config| config.to_wire()),
        JobKind::Sft => SftConfig::from_wire(Some(&sent)).map(|config| config.to_wire()),
    };
    resolved.unwrap_or_else(|_| sent.as_object().cloned().unwrap_or_default())
}
