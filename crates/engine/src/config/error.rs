//! Errors of a `config.json`, and the checks that make them.

/// Error of a `config.json` that cannot be used.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum ConfigError {
    #[error("config.json: {0}")]
    Json(#[from] serde_json::Error),
    #[error("config.json: {field} = {value} is not supported: {reason}")]
    Unsupported {
        /// Name of the field, with the names of enclosing objects and dots before it.
        field: String,
        value: String,
        reason: &'static str,
    },
}

impl ConfigError {
    /// Returns the error of a field inside an object.
    pub(super) fn inside(self, object: &str) -> Self {
        match self {
            Self::Unsupported { field, value, reason } => {
                Self::Unsupported { field: format!("{object}.{field}"), value, reason }
            }
            other => other,
        }
    }
}

/// Maximum of any dimension: products of three fit into `u64`, and a damaged file fails before memory is allocated.
pub(super) const MAX_DIMENSION: usize = 1 << 20;

pub(super) fn reject(field: impl Into<String>, value: impl serde::Serialize, reason: &'static str) -> ConfigError {
    let value = serde_json::to_string(&value).unwrap_or_else(|_| "?".into());
    ConfigError::Unsupported { field: field.into(), value, reason }
}

pub(super) fn require(
    holds: bool,
    field: impl Into<String>,
    value: impl serde::Serialize,
    reason: &'static str,
) -> Result<(), ConfigError> {
    if holds { Ok(()) } else { Err(reject(field, value, reason)) }
}
