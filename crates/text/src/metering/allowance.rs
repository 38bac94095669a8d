//! Bytes that one rendering may copy.

use minijinja::{Error, ErrorKind, State};

/// Limit of bytes that a rendering may copy or compare: all texts and items of lists that it makes or reads, kept or
/// not. A conversation that fills a long context takes less than a tenth.
const LIMIT: u64 = 256 * 1024 * 1024;

/// Bytes that a rendering may still copy.
pub(super) struct Allowance {
    left: u64,
}

impl Default for Allowance {
    fn default() -> Self {
        Self { left: LIMIT }
    }
}

impl Allowance {
    /// Returns the bytes that are left.
    pub(super) fn left(&self) -> u64 {
        self.left
    }

    /// Takes `bytes` from the allowance.
    ///
    /// # Errors
    /// Fewer are left.
    pub(super) fn take(&mut self, bytes: u64) -> Result<(), Error> {
        let left = self.left.checked_sub(bytes);
        self.left = left.unwrap_or(0);
        left.map(drop).ok_or_else(|| {
            let reason = format!("a rendering copies at most {} MiB of text and lists", LIMIT / 1024 / 1024);
            Error::new(ErrorKind::OutOfFuel, reason)
        })
    }
}

/// Returns the allowance of a rendering.
pub(super) fn allowance<'a>(state: &'a mut State) -> &'a mut Allowance {
    state.get_or_insert_extension_with(Allowance::default)
}

/// Takes `bytes` from the allowance of a rendering.
///
/// # Errors
/// Fewer are left.
pub(super) fn take(state: &mut State, bytes: u64) -> Result<(), Error> {
    allowance(state).take(bytes)
}
