//! Placeholder of the auth module.
