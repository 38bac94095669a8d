//! Placeholder of the client module.
