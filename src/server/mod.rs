//! Placeholder of the server module.
