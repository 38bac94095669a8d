//! What can be sampled and trained: base models in memory, and the adapters or weights of trained ones.

mod adapters;
mod base;
mod catalog;
mod name;

pub use adapters::AdapterLoad;
pub use base::{Base, BaseError, WeightsError};
pub use catalog::{Catalog, Found, ResolveError, Servable, Target};
pub use name::{ModelName, SCHEME, trained_name};
