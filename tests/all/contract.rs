//! The document, what is generated from it, and the wire between the generated client and the generated server.

#[path = "../../src/codegen/mod.rs"]
mod codegen;
mod document;
mod double;
mod generator;
mod loopback;
mod refusals;
