//! The document, what is generated from it, and the wire between the generated client and the generated server.

#![allow(clippy::disallowed_methods, reason = "the server is in this process and answers at once")]

use trainyard::codegen;

mod accept;
mod access;
mod captured;
mod changes;
mod client;
mod coverage;
mod descriptions;
mod document;
mod double;
mod emitted;
mod examples;
mod fixture_servers;
mod fixtures;
mod framing;
mod generated_code;
mod generator;
mod half_close;
mod hostile;
mod json_schema;
mod limits;
mod lint;
mod loopback;
mod memory;
mod mutation;
mod openapi_3_1;
mod packaging;
mod published;
mod random;
mod refusals;
pub(crate) mod requests;
mod routes;
mod runtime_types;
mod samples;
mod scripted;
mod slim;
mod source;
pub(crate) mod specification;
mod status_codes;
mod written_crate;
