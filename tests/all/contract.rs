//! The document, what is generated from it, and the wire between the generated client and the generated server.

#![allow(clippy::disallowed_methods, reason = "the server is in this process and answers at once")]

#[path = "../../src/codegen/client/mod.rs"]
mod client;
use trainyard::codegen;
mod document;
mod double;
mod fixtures;
mod generator;
mod lint;
mod loopback;
mod random;
mod refusals;
mod source;
