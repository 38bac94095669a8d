//! A forest of several sequences, in which every token that sequences share is one row.
//!
//! Rows are numbered in the order in which sequences add them. A sequence follows existing rows as long as its tokens
//! match; the rest becomes a branch of new rows. A row's context is therefore always among the rows before it. A branch
//! is never split: a sequence that diverges within it begins a new branch with that context.

use std::collections::HashMap;

use super::sequence::{Prediction, SequenceInput};
use crate::kernels::attention::{AttentionSpan, PAGE, PagePart};
use crate::kernels::recurrent::{TreeRun, tree_runs};

/// Forest of one call, kept between calls to reuse its memory.
#[derive(Default)]
pub(crate) struct TokenTree {
    /// Token of each row.
    pub(crate) tokens: Vec<u32>,
    /// Position of each row in its sequences.
    pub(crate) positions: Vec<usize>,
    /// Branches, in the order of their rows.
    pub(crate) spans: Vec<AttentionSpan>,
    /// Rows from position 0 to the end of each branch: page `i` is rows `64 i..`.
    pub(crate) parts: Vec<PagePart>,
    /// Branches, cut at the rows that others continue.
    pub(crate) runs: Vec<TreeRun>,
    /// Predictions to score, in the order of their rows.
    pub(crate) predictions: Vec<Prediction>,
    /// Prediction of each scored token, sequence after sequence.
    scored: Vec<usize>,
    /// End of each sequence in `scored`.
    ends: Vec<usize>,
    /// Branch that begins with a token after a row (0 for none, otherwise the row's number plus one).
    forks: HashMap<(usize, u32), usize>,
    /// Prediction of a token by a row.
    known: HashMap<(usize, u32), usize>,
    order: Vec<usize>,
    /// First row of each branch, its number of rows, and the row that it continues.
    branches: Vec<(usize, usize, Option<usize>)>,
}

impl TokenTree {
    /// Replaces the content by the forest of `sequences`, each up to its last scored token, which needs no row. It
    /// takes time proportional to the number of tokens.
    pub(crate) fn build(&mut self, sequences: &[SequenceInput]) {
        let Self { tokens, positions, spans, parts, predictions, scored, ends, forks, known, branches, .. } = self;
        tokens.clear();
        positions.clear();
        spans.clear();
        parts.clear();
        predictions.clear();
        scored.clear();
        ends.clear();
        forks.clear();
        known.clear();
        branches.clear();
        for sequence in sequences {
            self.add(sequence);
        }
        self.runs = tree_runs(&self.branches);
        self.sort_predictions();
    }

    fn add(&mut self, sequence: &SequenceInput) {
        let last = sequence.scored.iter().rposition(|scored| *scored).unwrap_or(0);
        // Branch of the row before this position, and that row's number plus one.
        let (mut branch, mut after) = (usize::MAX, 0);
        for position in 0..last {
            let token = sequence.tokens[position];
            let inside = self.spans.get(branch).is_some_and(|span| after < span.first_row + span.rows);
            let row = if inside && self.tokens[after] == token {
                after
            } else {
                let next = self.forks.get(&(after, token)).copied();
                branch = next.unwrap_or_else(|| self.add_branch(branch, after, position, &sequence.tokens[..last]));
                self.spans[branch].first_row
            };
            if sequence.scored[position + 1] {
                let target = sequence.tokens[position + 1];
                let prediction = *self.known.entry((row, target)).or_insert(self.predictions.len());
                if prediction == self.predictions.len() {
                    self.predictions.push(Prediction { row, target });
                }
                self.scored.push(prediction);
            }
            after = row + 1;
        }
        self.ends.push(self.scored.len());
    }

    /// Adds a branch with `tokens[start..]` that continues branch `parent` after a row.
    fn add_branch(&mut self, parent: usize, after: usize, start: usize, tokens: &[u32]) -> usize {
        let (first_row, rows, first_part) = (self.tokens.len(), tokens.len() - start, self.parts.len());
        if let Some(parent) = self.spans.get(parent) {
            let context = parent.parts.start..parent.parts.end;
            let shared = self.parts[context.clone()].partition_point(|part| part.position < start);
            self.parts.extend_from_within(context.start..context.start + shared);
            if let Some(last) = self.parts.last_mut() {
                last.positions = last.positions.min(start - last.position);
            }
        }
        let mut row = first_row;
        while row < first_row + rows {
            let (page, slot, position) = (row / PAGE, row % PAGE, start + row - first_row);
            let positions = (PAGE - slot).min(first_row + rows - row);
            row += positions;
            match self.parts[first_part..].last_mut() {
                // The branch continues directly after its context.
                Some(last) if last.page == page && last.slot + last.positions == slot => last.positions += positions,
                _ => self.parts.push(PagePart { page, slot, position, positions }),
            }
        }
        self.tokens.extend_from_slice(&tokens[start..]);
        self.positions.extend(start..tokens.len());
        let branch = self.spans.len();
        self.spans.push(AttentionSpan { first_row, rows, start, parts: first_part..self.parts.len() });
        self.branches.push((first_row, rows, after.checked_sub(1)));
        self.forks.insert((after, tokens[start]), branch);
        branch
    }

    /// Sorts the predictions by row; those of one row stay in the order in which sequences add them.
    fn sort_predictions(&mut self) {
        let Self { predictions, order, scored, .. } = self;
        order.clear();
        order.extend(0..predictions.len());
        order.sort_unstable_by_key(|&prediction| (predictions[prediction].row, prediction));
        if order.is_sorted() {
            return;
        }
        let mut ranks = vec![0; order.len()];
        order.iter().enumerate().for_each(|(rank, &prediction)| ranks[prediction] = rank);
        scored.iter_mut().for_each(|prediction| *prediction = ranks[*prediction]);
        predictions.sort_by_key(|prediction| prediction.row);
    }

    /// Returns the number of rows.
    pub(crate) fn rows(&self) -> usize {
        self.tokens.len()
    }

    /// Returns the number of tokens of the longest context, including its last one.
    pub(crate) fn longest(&self) -> usize {
        self.spans.iter().map(|span| span.start + span.rows).max().unwrap_or(0)
    }

    /// Returns the prediction of each scored token of a sequence.
    pub(crate) fn of_sequence(&self, index: usize) -> &[usize] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.scored[start..self.ends[index]]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns the tokens of a branch's whole path, by its parts.
    fn path(tree: &TokenTree, span: &AttentionSpan) -> Vec<u32> {
        let mut path = Vec::new();
        for part in &tree.parts[span.parts.clone()] {
            assert_eq!(part.position, path.len());
            assert!(part.positions > 0 && part.slot + part.positions <= PAGE);
            let first = part.page * PAGE + part.slot;
            path.extend_from_slice(&tree.tokens[first..first + part.positions]);
        }
        path
    }

    fn build(sequences: &[(Vec<u32>, Vec<bool>)]) -> TokenTree {
        let inputs: Vec<_> = sequences.iter().map(|(tokens, scored)| SequenceInput { tokens, scored }).collect();
        let mut tree = TokenTree::default();
        tree.build(&[SequenceInput { tokens: &[1, 2, 3], scored: &[false, true, true] }]); // content to be replaced
        tree.build(&inputs);
        tree
    }

    #[test]
    fn shared_tokens_are_rows_once() {
        let scored = |from: usize, len: usize| (0..len).map(|i| i >= from).collect::<Vec<_>>();
        let sequences = vec![
            (vec![1, 2, 3, 4, 5], scored(3, 5)),
            (vec![9, 9], scored(2, 2)),
            (vec![1, 2, 3, 6, 5], scored(3, 5)),
            (vec![1, 2, 3, 4, 5], scored(3, 5)),
            (vec![1, 2, 3, 4, 5, 7, 8], scored(5, 7)),
            (vec![2, 2], scored(1, 2)),
        ];
        let tree = build(&sequences);
        assert_eq!(tree.tokens, [1, 2, 3, 4, 6, 5, 7, 2]);
        assert_eq!(tree.positions, [0, 1, 2, 3, 3, 4, 5, 0]);
        let spans: Vec<_> = tree.spans.iter().map(|span| (span.first_row, span.rows, span.start)).collect();
        assert_eq!(spans, [(0, 4, 0), (4, 1, 3), (5, 2, 4), (7, 1, 0)]);
        let predictions: Vec<_> = tree.predictions.iter().map(|p| (p.row, p.target)).collect();
        assert_eq!(predictions, [(2, 4), (2, 6), (3, 5), (4, 5), (5, 7), (6, 8), (7, 2)]);
        let by_sequence: Vec<_> = (0..sequences.len()).map(|index| tree.of_sequence(index).to_vec()).collect();
        assert_eq!(by_sequence, [vec![0, 2], vec![], vec![1, 3], vec![0, 2], vec![4, 5], vec![6]]);
        assert_eq!((tree.rows(), tree.longest()), (8, 6));
        assert_eq!(path(&tree, &tree.spans[2]), [1, 2, 3, 4, 5, 7]);
        let nothing = build(&[(vec![1, 2], scored(2, 2))]);
        assert_eq!((nothing.rows(), nothing.longest(), nothing.of_sequence(0).len()), (0, 0, 0));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]

        #[test]
        fn every_scored_token_has_its_context(
            sequences in prop::collection::vec(prop::collection::vec((0u32..2, any::<bool>()), 1..200), 1..12),
            shared in prop::collection::vec(0usize..200, 12),
        ) {
            // Each sequence begins like the one before it.
            let mut inputs: Vec<(Vec<u32>, Vec<bool>)> = Vec::new();
            for (index, sequence) in sequences.iter().enumerate() {
                let mut tokens: Vec<u32> = sequence.iter().map(|(token, _)| *token).collect();
                let mut scored: Vec<bool> = sequence.iter().map(|(_, scored)| *scored).collect();
                if let Some((before, _)) = inputs.last() {
                    let count = shared[index].min(before.len());
                    tokens.splice(0..0, before[..count].iter().copied());
                    scored.splice(0..0, std::iter::repeat_n(index % 3 == 0, count));
                }
                scored[0] = false;
                inputs.push((tokens, scored));
            }
            let tree = build(&inputs);
            let contexts: Vec<Vec<u32>> = (0..tree.rows()).map(|row| {
                let span = tree.spans.iter().find(|span| row < span.first_row + span.rows).unwrap();
                path(&tree, span)[..=span.start + row - span.first_row].to_vec()
            }).collect();
            for (index, (tokens, scored)) in inputs.iter().enumerate() {
                let positions: Vec<usize> = (0..tokens.len()).filter(|position| scored[*position]).collect();
                let predictions = tree.of_sequence(index);
                prop_assert_eq!(predictions.len(), positions.len());
                for (prediction, position) in predictions.iter().zip(positions) {
                    let Prediction { row, target } = tree.predictions[*prediction];
                    prop_assert_eq!(target, tokens[position]);
                    prop_assert_eq!(&contexts[row], &tokens[..position].to_vec());
                    prop_assert_eq!(tree.positions[row], position - 1);
                }
            }
            // There are as many rows as different contexts.
            let mut wanted: Vec<&[u32]> = inputs.iter().flat_map(|(tokens, scored)| {
                let last = scored.iter().rposition(|scored| *scored).unwrap_or(0);
                (1..=last).map(|length| &tokens[..length])
            }).collect();
            wanted.sort();
            wanted.dedup();
            prop_assert_eq!(tree.rows(), wanted.len());
            prop_assert!(tree.predictions.is_sorted_by_key(|prediction| prediction.row));
            let mut scored: Vec<_> = tree.predictions.iter().map(|p| (p.row, p.target)).collect();
            scored.sort();
            prop_assert!(scored.windows(2).all(|pair| pair[0] != pair[1]));
        }
    }
}
