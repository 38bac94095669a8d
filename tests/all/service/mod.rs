//! The service: keys and their limits, idempotency, unknown and hostile input, examples.

mod checklist;
mod endpoints;
mod examples;
mod idempotency;
mod key_limits;
mod resource_exhaustion;
mod revoked_keys;
mod unknown_input;
