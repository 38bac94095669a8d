//! Questions to the person at the terminal.

use std::io::{self, BufRead, IsTerminal, Read, Write};

use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

use super::Failure;

/// Longest answer, bytes.
const LONGEST: u64 = 16 << 10;

/// Asks a question and returns whether the answer is yes; none if standard input is no terminal, so that nobody can answer.
pub(super) fn confirm(question: &str) -> Result<Option<bool>, Failure> {
    if !io::stdin().is_terminal() {
        return Ok(None);
    }
    note!("{question} [y/N]");
    let answer = line()?.to_lowercase();
    Ok(Some(matches!(answer.as_str(), "y" | "yes")))
}

/// Asks for a secret, without echo at a terminal, otherwise as the first line of standard input; none after Ctrl-C.
pub(super) async fn secret(question: &str) -> Result<Option<String>, Failure> {
    let silence = if io::stdin().is_terminal() {
        // The answer stays on the line of the question.
        let _ = write!(io::stderr(), "{question}: ");
        Some(Silence::begin()?)
    } else {
        None
    };
    let answer = tokio::select! {
        answer = tokio::task::spawn_blocking(line) => Some(answer??),
        _ = tokio::signal::ctrl_c() => None,
    };
    if silence.is_some() {
        note!();
    }
    Ok(answer)
}

fn line() -> io::Result<String> {
    let mut line = String::new();
    io::stdin().lock().take(LONGEST).read_line(&mut line)?;
    Ok(line.trim().to_owned())
}

/// Turns off the echo of the terminal until it is dropped.
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
        // A terminal that is gone needs no echo.
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, &self.before);
    }
}
