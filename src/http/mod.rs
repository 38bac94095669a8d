//! Placeholder of the http module.
