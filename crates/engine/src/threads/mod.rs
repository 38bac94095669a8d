//! Who has the compute threads: chat and training take turns at them.
//!
//! The policy has neither locks nor a clock ([`chat_share`]); a lock applies it ([`turns`]). The threads themselves are in
//! [`kernels::pool`](crate::kernels::pool), which names this module, not the other way round: so both are tested without
//! computing anything.
//!
//! Rejected: priorities of the operating system. A lower one makes training slower when chat runs, but leaves a decoding step to
//! wait for a whole operation, and needs privileges to be raised again.

pub(crate) mod chat_share;
mod panic;
pub(crate) mod turns;

pub use chat_share::{ChatShare, ChatShareError};
pub use panic::panic_text;
pub use turns::{Training, Turn};
