//! Options of a job: ignored ones, and values with defaults.

use serde_json::{Map, Value};

use crate::store::records::{JobKind, RemoteSampler};
use crate::training::{RlConfig, SftConfig};

/// Parses the stored options of a job, as they were sent.
pub(crate) fn sent_config(stored: &str) -> Value {
    serde_json::from_str(stored).unwrap_or_default()
}

/// Returns the options in their wire form that have no effect.
pub(crate) fn ignored_options(kind: JobKind, sent: &Value) -> Vec<&'static str> {
    match kind {
        JobKind::Rl => RlConfig::ignored(sent),
        // Every option is either rejected or has an effect.
        JobKind::Sft => Vec::new(),
    }
}

/// Returns the options with the defaults filled in, which depend on the kind of the base model's sampler; the original
/// options if they can no longer be parsed.
pub(crate) fn resolved_config(kind: JobKind, sampler: Option<RemoteSampler>, sent: Value) -> Map<String, Value> {
    let resolved = match kind {
        JobKind::Rl => RlConfig::of_job(Some(&sent), sampler.is_some()).map(|config| config.to_wire()),
        JobKind::Sft => SftConfig::from_wire(Some(&sent)).map(|config| config.to_wire()),
    };
    resolved.unwrap_or_else(|_| match sent {
        Value::Object(options) => options,
        _ => Map::new(),
    })
}
