//! Moves of values between a document and its rewritten form, so that faults and references keep their paths.

use std::collections::HashMap;

/// Moves, in the order in which they were made. An inner value moves before the values around it.
#[derive(Debug, Default)]
pub(crate) struct Moves {
    count: usize,
    /// Paths before, by paths after, with the number of the move.
    before: HashMap<String, Vec<(usize, String)>>,
    /// Paths after, by paths before.
    after: HashMap<String, Vec<(usize, String)>>,
}

impl Moves {
    /// Records a move of several values at once, each from its path before to its path after. Paths in `made` hold
    /// new values; each stands for the path beside it.
    pub(super) fn record(&mut self, moved: Vec<(String, String)>, made: Vec<(String, String)>) {
        for (before, after) in &moved {
            self.after.entry(before.clone()).or_default().push((self.count, after.clone()));
        }
        let moved = moved.into_iter().map(|(before, after)| (after, before));
        for (after, before) in moved.chain(made) {
            let known = self.before.entry(after).or_default();
            // Of equal values that became one, the first is the path.
            if known.last().is_none_or(|(count, _)| *count != self.count) {
                known.push((self.count, before));
            }
        }
        self.count += 1;
    }

    /// Returns whether nothing was moved.
    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the path in the original document.
    pub(crate) fn original(&self, pointer: &str) -> String {
        let mut pointer = pointer.to_owned();
        let mut limit = self.count;
        // The last move is undone first.
        while let Some((number, moved)) = step(&self.before, &pointer, |number| number < limit, true) {
            (limit, pointer) = (number, moved);
        }
        pointer
    }

    /// Returns the path in the rewritten document.
    pub(super) fn current(&self, pointer: &str) -> String {
        let mut pointer = pointer.to_owned();
        let mut least = 0;
        while let Some((number, moved)) = step(&self.after, &pointer, |number| number >= least, false) {
            (least, pointer) = (number + 1, moved);
        }
        pointer
    }
}

/// Applies the next move to a pointer: the last or the first allowed one, of its values the innermost. Returns its
/// number.
fn step(
    moves: &HashMap<String, Vec<(usize, String)>>,
    pointer: &str,
    allowed: impl Fn(usize) -> bool,
    last: bool,
) -> Option<(usize, String)> {
    let ends = pointer.match_indices('/').map(|(at, _)| at).skip(1).chain([pointer.len()]);
    let mut found: Option<(usize, String)> = None;
    for end in ends {
        let (prefix, below) = pointer.split_at(end);
        for (number, moved) in moves.get(prefix).into_iter().flatten().filter(|(number, _)| allowed(*number)) {
            let better = found
                .as_ref()
                .is_none_or(|(known, _)| number == known || if last { number > known } else { number < known });
            if better {
                found = Some((*number, format!("{moved}{below}")));
            }
        }
    }
    found
}
