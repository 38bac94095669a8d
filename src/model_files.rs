//! Placeholder of the model_files module.
