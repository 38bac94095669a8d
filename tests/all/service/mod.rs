//! The service: the dashboard and its sessions, keys and their limits, idempotency, unknown and hostile input, memory of
//! answers, examples.

mod admin;
mod checklist;
mod dashboard;
mod endpoints;
mod examples;
mod idempotency;
mod key_limits;
mod recent_reads;
mod resource_exhaustion;
mod response_memory;
mod revoked_keys;
mod telemetry;
mod unknown_input;
