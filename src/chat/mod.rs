//! Placeholder of the chat module.
