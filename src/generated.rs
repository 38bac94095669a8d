//! Placeholder of the generated module.
