//! Placeholder of the api module.
