//! Errors that know their place, through values that are read from the text of a part.

use std::{cell::Cell, marker::PhantomData};

use serde::{Deserialize, Deserializer, de::DeserializeOwned};

use super::{Read, Same};

/// Values that are read from the text of a part, within each other: each begins to count its nesting anew.
const DEEPEST: usize = 128;

thread_local! {
    /// How many texts are being read within each other.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
    /// Whether a text that was refused is being read again to learn the place.
    static SEARCHING: Cell<bool> = const { Cell::new(false) };
    /// Bytes that branches of unions may still read of the outermost text, or of the last one when none is read.
    static TRIALS: Cell<usize> = const { Cell::new(0) };
}

/// What branches may read, bytes: a union that can hold itself doubles the work with each level, so a small text could
/// keep a processor busy for ever. A text of a few levels, tried by a dozen branches each, stays far below.
const fn trial_budget(text: usize) -> usize {
    text.saturating_mul(64).saturating_add(16 << 10)
}

/// What the trial of a branch costs beside the bytes of the text.
const TRIAL_COST: usize = 32;

/// Whether a branch of a union may be tried on a text that lies within another; takes its cost from the budget.
pub(crate) fn may_try(text: &str) -> bool {
    if DEPTH.get() == 0 {
        return true;
    }
    TRIALS.set(TRIALS.get().saturating_sub(text.len().saturating_add(TRIAL_COST)));
    !out_of_trials()
}

/// Whether the text that is read, or the last one, had more trials than its length allows.
pub(crate) fn out_of_trials() -> bool {
    TRIALS.get() == 0
}

/// Puts a value back when it goes, also when a panic unwinds.
struct Restore<T: Copy + 'static>(&'static std::thread::LocalKey<Cell<T>>, T);

impl<T: Copy> Drop for Restore<T> {
    fn drop(&mut self) {
        self.0.set(self.1);
    }
}

fn set<T: Copy>(cell: &'static std::thread::LocalKey<Cell<T>>, value: T) -> Restore<T> {
    Restore(cell, cell.replace(value))
}

/// Reads a text; when that fails, reads it again to learn the place, which goes into the message where
/// [`split_place`] finds it.
pub fn parse_at_place<T: DeserializeOwned, E: serde::de::Error>(text: &str) -> Result<T, E> {
    read_at_place::<Same, T, E>(text)
}

/// As [`parse_at_place`], by `R`.
pub fn read_at_place<R: Read<T>, T, E: serde::de::Error>(text: &str) -> Result<T, E> {
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
        match serde_json::from_str::<By<R, T>>(text) {
            Ok(By(value, _)) => return Ok(value),
            // The outermost text searches; a search at each level would double the work with each.
            Err(error) if depth > 0 || out_of_trials() => return Err(E::custom(error)),
            Err(_) => TRIALS.set(trial_budget(text.len())),
        }
    }
    let _searching = set(&SEARCHING, true);
    let mut reader = serde_json::Deserializer::from_str(text);
    match serde_path_to_error::deserialize::<_, By<R, T>>(&mut reader) {
        Ok(By(value, _)) => Ok(value),
        Err(error) => Err(E::custom(format_args!("{PLACE}{}{PLACE}{}", error.path(), error.inner()))),
    }
}

/// Stands around the place within an error message; no JSON path of ours holds it.
pub(super) const PLACE: char = '\u{1}';

/// The place of an error, from the outermost value inwards, and its reason without line and column.
pub fn split_place(outer: &str, message: &str) -> (String, String) {
    let mut place = if outer == "." { String::new() } else { outer.to_owned() };
    let mut rest = message;
    while let Some((inner, tail)) = rest.strip_prefix(PLACE).and_then(|rest| rest.split_once(PLACE)) {
        if !matches!(inner, "." | "") {
            if !place.is_empty() && !inner.starts_with('[') {
                place.push('.');
            }
            place.push_str(inner);
        }
        rest = tail;
    }
    (place, without_position(rest).to_owned())
}

/// Cuts the " at line 1 column 7" of `serde_json`, once for each level of nesting.
fn without_position(mut message: &str) -> &str {
    while let Some((head, tail)) = message.rsplit_once(" at line ") {
        if !tail.bytes().all(|byte| byte.is_ascii_digit() || b" column".contains(&byte)) {
            break;
        }
        message = head;
    }
    message
}
