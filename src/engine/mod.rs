//! Placeholder of the engine module.
