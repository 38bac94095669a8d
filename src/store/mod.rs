//! Placeholder of the store module.
