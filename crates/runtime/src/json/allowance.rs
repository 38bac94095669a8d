//! Memory that the values of a text may take while it is read.
//!
//! A value can take a hundred times the bytes of its text: `{}` becomes an object with a slot for each property. So
//! readers charge the size of what they create before they create it.

use std::cell::Cell;

use serde::de::Error;

thread_local! {
    /// Bytes that values read on this thread may still take; 0 once they would have taken more.
    static LEFT: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// Charges `bytes` to the values that are being read.
///
/// # Errors
/// The values take more than they may.
pub(super) fn charge<E: Error>(bytes: usize) -> Result<(), E> {
    LEFT.set(LEFT.get().saturating_sub(bytes));
    if LEFT.get() > 0 { Ok(()) } else { Err(E::custom("the values take more memory than they may")) }
}

/// Charges one more item of a list, which may move while it grows.
pub(super) fn charge_item<T, E: Error>() -> Result<(), E> {
    charge(2 * size_of::<T>())
}

/// Charges one more entry of a map, with the heap memory of its key.
pub(super) fn charge_entry<T, E: Error>(key: &str) -> Result<(), E> {
    const HEAP: usize = 64;
    charge(2 * size_of::<(String, T)>() + HEAP + key.len())
}

/// Undoes the charges of a reader that failed; an exhausted allowance stays so.
pub(super) fn refunded<T, E>(read: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    let before = LEFT.get();
    let result = read();
    if result.is_err() && LEFT.get() > 0 {
        LEFT.set(before);
    }
    result
}

/// Reads values that may take `bytes`. Returns also the bytes that they took; `None` if they would have taken more.
#[cfg(any(feature = "server", test))]
pub(crate) fn within<T>(bytes: usize, read: impl FnOnce() -> T) -> (T, Option<usize>) {
    struct Restore(usize);
    impl Drop for Restore {
        fn drop(&mut self) {
            LEFT.set(self.0);
        }
    }
    let _outer = Restore(LEFT.replace(bytes));
    let result = read();
    let left = LEFT.get();
    (result, (left > 0).then(|| bytes - left))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::json::*;

    type Free = Typed<Any, Value>;

    #[test]
    fn values_beyond_the_allowance_are_an_error() {
        let text = format!("[{}{{}}]", "{},".repeat(1000));
        let (read, used) = within(1 << 20, || serde_json::from_str::<Free>(&text).map(drop));
        assert!(read.is_ok() && (32_000..200_000).contains(&used.unwrap()), "{used:?}");
        let (read, used) = within(30_000, || serde_json::from_str::<Free>(&text).map(drop));
        assert!(read.is_err() && used.is_none());
        assert!(serde_json::from_str::<Free>(&text).is_ok(), "without an allowance there is no limit");
    }

    #[test]
    fn a_failed_reader_is_refunded() {
        let bad = format!("[{}x]", "{},".repeat(100));
        let read = |text: &str| refunded(|| serde_json::from_str::<Free>(text).map(drop));
        let (_, used) = within(1 << 20, || (0..1000).for_each(|_| assert!(read(&bad).is_err())));
        assert_eq!(used, Some(0));
    }
}
