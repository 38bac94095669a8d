//! What can be sampled and trained: base models in memory, and the adapters of trained ones.

mod adapters;
mod base;
mod catalog;
mod name;

pub use adapters::AdapterLoad;
pub use base::{Base, BaseError};
pub use catalog::{Catalog, ResolveError, Target};
pub use name::{ModelName, SCHEME, trained_name};
