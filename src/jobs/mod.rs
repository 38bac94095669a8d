//! Placeholder of the jobs module.
