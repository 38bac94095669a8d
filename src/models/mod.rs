//! The models of a service: base models in memory, and the adapters or weights of trained models.

mod adapters;
mod base;
mod catalog;
mod name;

pub(crate) use adapters::AdapterLoad;
pub(crate) use base::{Base, BaseError, WeightsError};
pub(crate) use catalog::{Catalog, Found, ResolveError, Servable, Target};
pub(crate) use name::{ModelName, trained_name};
