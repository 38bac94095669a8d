//! Errors with their path, also in values that are parsed from the text of a part.

use std::cell::Cell;
use std::marker::PhantomData;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};

use crate::json::allowance::refunded;
use crate::json::{Read, ViaDeserialize};

/// Maximum nesting of texts: each nested text begins its own depth count, so serde_json's limit does not cover them.
const DEEPEST: usize = 128;

thread_local! {
    /// Number of texts that are being read within each other.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
    /// Whether a rejected text is being read again to locate the error.
    static SEARCHING: Cell<bool> = const { Cell::new(false) };
    /// Bytes of the outermost text, or of the last one when none is being read, that branches of unions may still read.
    static TRIALS: Cell<usize> = const { Cell::new(0) };
}

/// Returns the number of bytes that branches may read. A union that can contain itself doubles the work with each
/// level, so without a limit a small text could occupy a processor indefinitely. A text of a few levels, tried by a
/// dozen branches each, stays far below it.
const fn trial_budget(text: usize) -> usize {
    text.saturating_mul(64).saturating_add(16 << 10)
}

/// Cost of one trial of a branch beside the bytes of the text.
const TRIAL_COST: usize = 32;

/// Charges the trial of a union's branch on a nested text. Returns whether the budget allows it.
pub(crate) fn charge_trial(text: &str) -> bool {
    if DEPTH.get() == 0 {
        return true;
    }
    TRIALS.set(TRIALS.get().saturating_sub(text.len().saturating_add(TRIAL_COST)));
    !trial_budget_exhausted()
}

/// Returns whether the current text, or the last one, has used up its trial budget.
pub(crate) fn trial_budget_exhausted() -> bool {
    TRIALS.get() == 0
}

/// Guard that restores a value on drop, also when a panic unwinds.
struct Restore<T: Copy + 'static>(&'static std::thread::LocalKey<Cell<T>>, T);

impl<T: Copy> Drop for Restore<T> {
    fn drop(&mut self) {
        self.0.set(self.1);
    }
}

fn set<T: Copy>(cell: &'static std::thread::LocalKey<Cell<T>>, value: T) -> Restore<T> {
    Restore(cell, cell.replace(value))
}

/// Parses a text. If that fails, parses it again to locate the error; the message carries the path for
/// [`split_path`].
///
/// ```
/// use std::collections::BTreeMap;
/// use trainyard_runtime::json::{parse_at_path, split_path};
///
/// let wrong = r#"{"limits": [1, "two"]}"#;
/// let error: serde_json::Error = parse_at_path::<BTreeMap<String, Vec<u32>>, _>(wrong).unwrap_err();
/// let (path, _) = split_path("", &error.to_string());
/// assert_eq!(path, "limits[1]");
/// ```
pub fn parse_at_path<T: DeserializeOwned, E: serde::de::Error>(text: &str) -> Result<T, E> {
    read_at_path::<ViaDeserialize, T, E>(text)
}

/// Parses a text like [`parse_at_path`], with the reader `R`.
pub fn read_at_path<R: Read<T>, T, E: serde::de::Error>(text: &str) -> Result<T, E> {
    struct By<R, T>(T, PhantomData<fn() -> R>);
    impl<'de, R: Read<T>, T> Deserialize<'de> for By<R, T> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            R::read(deserializer).map(|value| Self(value, PhantomData))
        }
    }
    let depth = DEPTH.get();
    if depth >= DEEPEST {
        return Err(E::custom("recursion limit exceeded"));
    }
    let _depth = set(&DEPTH, depth + 1);
    if depth == 0 {
        TRIALS.set(trial_budget(text.len()));
    }
    if !SEARCHING.get() {
        match refunded(|| serde_json::from_str::<By<R, T>>(text)) {
            Ok(By(value, _)) => return Ok(value),
            // Only the outermost text is searched; a search at each level would double the work with each.
            Err(error) if depth > 0 || trial_budget_exhausted() => return Err(E::custom(error)),
            Err(_) => TRIALS.set(trial_budget(text.len())),
        }
    }
    let _searching = set(&SEARCHING, true);
    let mut reader = serde_json::Deserializer::from_str(text);
    match refunded(|| serde_path_to_error::deserialize::<_, By<R, T>>(&mut reader)) {
        Ok(By(value, _)) => Ok(value),
        Err(error) => Err(E::custom(format_args!("{PATH}{}{PATH}{}", error.path(), error.inner()))),
    }
}

/// Delimiter of the path within an error message; no JSON path of generated types contains it.
pub(super) const PATH: char = '\u{1}';

/// Returns the path of an error, from the outermost value inwards, and its reason without line and column.
pub fn split_path(outer: &str, message: &str) -> (String, String) {
    let mut path = if outer == "." { String::new() } else { outer.to_owned() };
    let mut rest = message;
    while let Some((inner, tail)) = rest.strip_prefix(PATH).and_then(|rest| rest.split_once(PATH)) {
        if !matches!(inner, "." | "") {
            if !path.is_empty() && !inner.starts_with('[') {
                path.push('.');
            }
            path.push_str(inner);
        }
        rest = tail;
    }
    (path, without_position(rest).to_owned())
}

/// Removes serde_json's " at line 1 column 7", once for each level of nesting.
fn without_position(mut message: &str) -> &str {
    while let Some((head, tail)) = message.rsplit_once(" at line ") {
        if !tail.bytes().all(|byte| byte.is_ascii_digit() || b" column".contains(&byte)) {
            break;
        }
        message = head;
    }
    message
}
