//! Limit of the memory that answers take which are collected before they are sent.
//!
//! A request of two hundred bytes can ask for a hundred thousand tokens with twenty alternatives each. So the bytes are
//! counted as the tokens arrive, over all requests of the process, until the response is sent.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::ChatError;
use super::delta::ChatDelta;
use crate::engine::machine_memory;

/// Least limit in bytes.
const LEAST: usize = 1 << 30;
/// Bytes that a token or an alternative takes, in the answer and in the text of the response: 410 were measured.
pub(super) const ENTRY_BYTES: usize = 420;

/// Limit of the bytes of all answers that are being collected or sent.
#[derive(Debug)]
pub(crate) struct AnswerMemory {
    limit: usize,
    used: AtomicUsize,
}

impl AnswerMemory {
    /// Returns the limit of this process: an eighth of the machine's memory, at least 1 GiB.
    pub(super) fn of_process() -> &'static Self {
        static MEMORY: OnceLock<AnswerMemory> = OnceLock::new();
        MEMORY.get_or_init(|| Self::new(LEAST.max(machine_memory().unwrap_or(0) / 8)))
    }

    const fn new(limit: usize) -> Self {
        Self { limit, used: AtomicUsize::new(0) }
    }

    /// Creates a limit for a test.
    #[cfg(test)]
    pub(crate) fn leaked(limit: usize) -> &'static Self {
        Box::leak(Box::new(Self::new(limit)))
    }

    /// Returns the bytes of all answers.
    #[cfg(test)]
    pub(crate) fn used(&self) -> usize {
        self.used.load(Ordering::Relaxed)
    }
}

/// Bytes of one request's answer; released on drop.
#[derive(Debug)]
pub(crate) struct AnswerBytes {
    memory: &'static AnswerMemory,
    bytes: usize,
}

impl AnswerBytes {
    pub(super) fn none_of(memory: &'static AnswerMemory) -> Self {
        Self { memory, bytes: 0 }
    }

    /// Creates bytes for a test.
    #[cfg(test)]
    pub(crate) fn of(memory: &'static AnswerMemory, bytes: usize) -> Self {
        memory.used.fetch_add(bytes, Ordering::Relaxed);
        Self { memory, bytes }
    }

    /// Takes the bytes, of which there are none afterwards.
    pub(super) fn take(&mut self) -> Self {
        Self { memory: self.memory, bytes: std::mem::take(&mut self.bytes) }
    }

    /// Releases all bytes but so many.
    pub(crate) fn reduced_to(mut self, bytes: usize) -> Self {
        let released = self.bytes.saturating_sub(bytes);
        self.memory.used.fetch_sub(released, Ordering::Relaxed);
        self.bytes -= released;
        self
    }

    /// Adds the bytes of a delta that is kept.
    ///
    /// # Errors
    /// All answers together would take more than they may.
    pub(super) fn add(&mut self, delta: &ChatDelta) -> Result<(), ChatError> {
        let entries: usize = delta.tokens.iter().map(|token| 1 + token.top.len()).sum();
        let bytes = entries * ENTRY_BYTES;
        self.bytes += bytes;
        if self.memory.used.fetch_add(bytes, Ordering::Relaxed) + bytes <= self.memory.limit {
            return Ok(());
        }
        Err(ChatError::Unavailable(format!(
            "the answers under way take the {} MiB of memory that they may; ask for fewer choices, tokens or `top_logprobs` \
             at a time, or set `stream`",
            self.memory.limit >> 20
        )))
    }
}

impl Drop for AnswerBytes {
    fn drop(&mut self) {
        self.memory.used.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}
