//! The models of a service: base models in memory, perhaps with samplers elsewhere, and the adapters or weights of trained models.
//!
//! A name is resolved at each request, so that a checkpoint is servable as soon as the store has it, whichever process made
//! it. Adapters are read at their first use, and the least recently used ones are dropped.

mod adapters;
mod base;
mod catalog;
mod memory;
mod name;
mod remote;

pub(crate) use adapters::AdapterLoad;
pub(crate) use base::{Base, BaseError, FileWork, NoWeights, WeightsError};
pub(crate) use catalog::{Catalog, Found, ResolveError, Servable, Target};
pub(crate) use memory::{JobMemory, MemoryNeeds, Workload};
pub(crate) use name::{ModelName, SCHEME, at_step, names_model, trained_name};
pub(crate) use remote::RemoteError;
