//! Formats errors with their causes, for logs and terminals.

use std::error::Error;

/// Returns the message of an error, followed by the messages of its causes that it does not contain already.
pub fn error_chain(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let message = cause.to_string();
        if !text.contains(&message) {
            text = format!("{text}: {message}");
        }
        source = cause.source();
    }
    text
}
