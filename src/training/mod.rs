//! Placeholder of the training module.
