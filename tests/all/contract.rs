//! The document, what is generated from it, and the wire between the generated client and the generated server.

#![allow(clippy::disallowed_methods, reason = "the server is in this process and answers at once")]

#[path = "../../src/codegen/mod.rs"]
mod codegen;
mod document;
mod double;
mod generator;
mod lint;
mod loopback;
mod mutation;
mod refusals;
mod source;
