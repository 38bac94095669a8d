//! Panic messages.

use std::any::Any;

/// Returns the message of a caught panic, or "no message" when its payload is not text.
pub fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}
