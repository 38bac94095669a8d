//! Budgets of memory that requests share.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes that may be held at a time.
#[derive(Debug)]
pub struct Budget {
    limit: usize,
    held: AtomicUsize,
}

/// The budget has no room at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("other requests hold the memory")]
pub struct NoRoom;

impl Budget {
    /// Creates a budget of `limit` bytes.
    pub const fn new(limit: usize) -> Self {
        Self { limit, held: AtomicUsize::new(0) }
    }

    /// Returns the number of bytes that may be held.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// Returns the number of bytes that are held.
    pub fn held(&self) -> usize {
        self.held.load(Ordering::Relaxed)
    }
}

/// Bytes of a budget; released on drop.
#[derive(Debug)]
#[must_use = "dropping it releases the bytes"]
pub struct Share {
    budget: &'static Budget,
    bytes: usize,
}

impl Share {
    /// Creates a share without bytes.
    pub const fn none_of(budget: &'static Budget) -> Self {
        Self { budget, bytes: 0 }
    }

    /// Reserves `bytes`.
    ///
    /// # Errors
    /// The budget has no room for them.
    pub fn of(budget: &'static Budget, bytes: usize) -> Result<Self, NoRoom> {
        let mut share = Self::none_of(budget);
        share.add(bytes)?;
        Ok(share)
    }

    /// Returns the number of bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns the budget.
    pub fn budget(&self) -> &'static Budget {
        self.budget
    }

    /// Reserves `bytes` more.
    ///
    /// # Errors
    /// The budget has no room for them; the share stays as it is.
    pub fn add(&mut self, bytes: usize) -> Result<(), NoRoom> {
        let Budget { limit, held } = self.budget;
        let fits = |held: usize| held.checked_add(bytes).filter(|held| held <= limit);
        held.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits).map_err(|_| NoRoom)?;
        self.bytes += bytes;
        Ok(())
    }

    /// Grows the share to at least `bytes` in all.
    ///
    /// # Errors
    /// The errors of [`Self::add`].
    pub fn grow_to(&mut self, bytes: usize) -> Result<(), NoRoom> {
        self.add(bytes.saturating_sub(self.bytes))
    }

    /// Releases all but `bytes`.
    pub fn shrink_to(&mut self, bytes: usize) {
        let released = self.bytes.saturating_sub(bytes);
        self.budget.held.fetch_sub(released, Ordering::Relaxed);
        self.bytes -= released;
    }

    /// Takes the bytes, of which there are none afterwards.
    pub fn take(&mut self) -> Self {
        std::mem::replace(self, Self::none_of(self.budget))
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.shrink_to(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_never_exceed_their_budget() {
        static BUDGET: Budget = Budget::new(100);
        let mut first = Share::of(&BUDGET, 60).unwrap();
        assert_eq!((Share::of(&BUDGET, 41).unwrap_err(), first.add(usize::MAX).unwrap_err()), (NoRoom, NoRoom));
        first.grow_to(50).unwrap();
        let second = Share::of(&BUDGET, 40).unwrap();
        assert_eq!((first.bytes(), second.bytes(), BUDGET.held()), (60, 40, 100));
        first.shrink_to(70);
        first.shrink_to(10);
        assert_eq!(BUDGET.held(), 50);
        drop(second);
        let taken = first.take();
        drop(first);
        assert_eq!(BUDGET.held(), 10);
        drop(taken);
        assert_eq!(BUDGET.held(), 0);
    }
}
