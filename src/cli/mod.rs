//! Placeholder of the cli module.
