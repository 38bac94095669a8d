//! The document, what is generated from it, and the wire between the generated client and the generated server.

#![allow(clippy::disallowed_methods, reason = "the server is in this process and answers at once")]

use trainyard::codegen;

mod accept;
mod access;
mod captured;
mod client;
mod coverage;
mod descriptions;
mod document;
mod double;
mod examples;
mod framing;
mod half_close;
mod hostile;
mod json_schema;
mod limits;
mod loopback;
mod memory;
mod openapi_3_1;
mod packaging;
mod published;
mod rejections;
pub(crate) mod requests;
mod routes;
mod runtime_types;
mod samples;
mod scripted;
mod slim;
pub(crate) mod specification;
mod status_codes;
