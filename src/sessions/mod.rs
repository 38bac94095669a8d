//! Recorded sessions: what a program samples under one id is stored token by token, rewarded later, and trained on.
//!
//! Rejected: capture by a proxy or a client library. Neither knows the tokens, and text that is tokenised again trains on what
//! nobody sampled.

mod generation;
mod room;
mod trajectory;

pub(crate) use self::generation::{Origin, SampledSequence, recorded, sampled_sequences};
pub(crate) use self::room::SessionRoom;
pub(crate) use self::trajectory::{SessionGroups, TrajectoryError};

/// Time from the opening of a session to its end, in milliseconds.
pub(crate) const LIFE: i64 = 7 * 24 * 60 * 60 * 1000;
/// Number of an entity's sessions from which there is no further one.
pub(crate) const MAX_SESSIONS: i64 = 10_000;
/// Bytes of a session's generations from which it takes no further one.
pub(crate) const MAX_BYTES: i64 = 64 << 20;
/// Number of a session's generations from which it takes no further one.
pub(crate) const MAX_GENERATIONS: i64 = 1000;
