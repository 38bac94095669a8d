//! Prompts for input at the terminal.

use std::io::{self, BufRead, IsTerminal, Read, Write};

use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

use super::CommandError;

/// Maximum length of an input in bytes.
const MAX_BYTES: u64 = 16 << 10;

/// Asks a question and returns whether the input is yes; `None` if standard input is not a terminal.
pub(super) fn confirm(question: &str) -> Result<Option<bool>, CommandError> {
    if !io::stdin().is_terminal() {
        return Ok(None);
    }
    note!("{question} [y/N]");
    let input = line()?.to_lowercase();
    Ok(Some(matches!(input.as_str(), "y" | "yes")))
}

/// Asks for a secret: without echo on a terminal, otherwise as the first line of standard input. Returns `None` after
/// Ctrl-C.
pub(super) async fn secret(question: &str) -> Result<Option<String>, CommandError> {
    let silence = if io::stdin().is_terminal() {
        // The input stays on the line of the question.
        let _ = write!(io::stderr(), "{question}: ");
        Some(Silence::begin()?)
    } else {
        None
    };
    let input = tokio::select! {
        input = tokio::task::spawn_blocking(line) => Some(input??),
        _ = tokio::signal::ctrl_c() => None,
    };
    if silence.is_some() {
        note!();
    }
    Ok(input)
}

fn line() -> io::Result<String> {
    let mut line = String::new();
    io::stdin().lock().take(MAX_BYTES).read_line(&mut line)?;
    Ok(line.trim().to_owned())
}

/// Guard that disables the terminal's echo until it is dropped.
struct Silence {
    before: Termios,
}

impl Silence {
    fn begin() -> io::Result<Self> {
        let before = tcgetattr(io::stdin())?;
        let mut silent = before.clone();
        silent.local_modes.remove(LocalModes::ECHO);
        tcsetattr(io::stdin(), OptionalActions::Flush, &silent)?;
        Ok(Self { before })
    }
}

impl Drop for Silence {
    fn drop(&mut self) {
        // If the terminal is closed, its echo does not matter.
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, &self.before);
    }
}
