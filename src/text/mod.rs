//! Placeholder of the text module.
