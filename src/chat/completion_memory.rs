//! Limit of the memory of completions that are collected before they are sent.
//!
//! A request of two hundred bytes can ask for a hundred thousand tokens with twenty alternatives each. So the bytes are
//! counted as the tokens arrive, over all requests of the process, until the response is sent.

use std::sync::LazyLock;

use super::ChatError;
use super::delta::ChatDelta;
use crate::budget::{Budget, Share};
use crate::engine::machine_memory;

/// Least limit in bytes.
const LEAST: usize = 1 << 30;
/// Bytes that a token or an alternative takes, in the completion and in the text of the response: 410 were measured.
pub(super) const ENTRY_BYTES: usize = 420;
/// Bytes that a recorded token takes: its id, its logprob, and both as text.
const RECORDED_BYTES: usize = 40;
/// Memory of all completions that are collected or sent: an eighth of the machine's, at least 1 GiB.
static COMPLETIONS: LazyLock<Budget> = LazyLock::new(|| Budget::new(LEAST.max(machine_memory().unwrap_or(0) / 8)));

/// Creates the share of a completion that is not collected yet.
pub(super) fn none() -> Share {
    Share::none_of(&COMPLETIONS)
}

/// Adds the bytes of a delta whose tokens and texts are recorded.
///
/// # Errors
/// Same as [`add`].
pub(super) fn add_recorded(kept: &mut Share, delta: &ChatDelta) -> Result<(), ChatError> {
    let texts = delta.reasoning.len() + delta.content.len();
    add_bytes(kept, delta.tokens.len() * RECORDED_BYTES + texts)
}

/// Adds the bytes of a delta that is kept.
///
/// # Errors
/// All completions together would take more than they may.
pub(super) fn add(kept: &mut Share, delta: &ChatDelta) -> Result<(), ChatError> {
    let entries: usize = delta.tokens.iter().map(|token| 1 + token.top.len()).sum();
    add_bytes(kept, entries * ENTRY_BYTES)
}

/// Adds bytes.
///
/// # Errors
/// Same as [`add`].
pub(super) fn add_bytes(kept: &mut Share, bytes: usize) -> Result<(), ChatError> {
    kept.add(bytes).map_err(|_| {
        ChatError::Unavailable(format!(
            "the answers under way take the {} MiB of memory that they may; ask for fewer choices, tokens or `top_logprobs` \
             at a time, or set `stream`",
            kept.budget().limit() >> 20
        ))
    })
}
