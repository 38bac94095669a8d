//! Packing of sequences into rows. A row is the unit of one optimizer step, and of one call that scores without
//! gradients.

use std::collections::BTreeSet;
use std::ops::Bound::{Included, Unbounded};
use std::ops::Range;

use super::sequences::TrainSequences;

/// Divides sequences among rows, in their order; each range is one row.
///
/// Without a `row_length` each sequence has its own row. With it, a sequence joins the previous row if that row then
/// holds at most `row_length` tokens. Leading tokens that it shares with any sequence of the row count once, because
/// they are computed once. A sequence longer than a row gets its own row.
pub(crate) fn divide_into_rows(sequences: &TrainSequences, row_length: Option<usize>) -> Vec<Range<usize>> {
    let Some(row_length) = row_length else { return (0..sequences.len()).map(|index| index..index + 1).collect() };
    let mut rows: Vec<Range<usize>> = Vec::new();
    let mut row = Row::default();
    for (index, sequence) in sequences.iter().enumerate() {
        let mut added = row.tokens_added_by(&sequence.tokens);
        match rows.last_mut() {
            Some(last) if row.tokens + added <= row_length => {
                last.end = index + 1;
                row.push(sequence.tokens, added);
            }
            _ => {
                rows.push(index..index + 1);
                (row, added) = (Row::default(), sequence.tokens.len());
                row.push(sequence.tokens, added);
            }
        }
    }
    rows
}

/// A row under construction.
#[derive(Default)]
struct Row {
    /// Sequences of the row. In this order, the sequence that shares the longest prefix with a new one is adjacent to
    /// the new one's position.
    members: BTreeSet<Vec<u32>>,
    /// Number of tokens, shared ones counted once.
    tokens: usize,
}

impl Row {
    fn tokens_added_by(&self, sequence: &[u32]) -> usize {
        let before = self.members.range::<[u32], _>((Unbounded, Included(sequence))).next_back();
        let neighbours = [before, self.members.range::<[u32], _>((Included(sequence), Unbounded)).next()];
        let shared = neighbours.into_iter().flatten().map(|member| shared_tokens(member, sequence)).max();
        sequence.len() - shared.unwrap_or(0)
    }

    fn push(&mut self, sequence: Vec<u32>, added: usize) {
        self.members.insert(sequence);
        self.tokens += added;
    }
}

/// Returns the number of leading tokens that two sequences share.
fn shared_tokens(left: &[u32], right: &[u32]) -> usize {
    left.iter().zip(right).take_while(|(left, right)| left == right).count()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::TrainSequence;

    fn sequences(tokens: &[&[u32]]) -> TrainSequences {
        let sequence = |tokens: &&[u32]| TrainSequence {
            tokens: tokens.to_vec(),
            mask: vec![true; tokens.len()],
            logprobs: vec![-1.0; tokens.len()],
            advantage: 1.0,
            weight: 1.0,
        };
        tokens.iter().map(sequence).collect()
    }

    #[test]
    fn without_a_length_each_sequence_has_a_row() {
        let sequences = sequences(&[&[1, 2], &[1, 2], &[1, 2]]);
        assert_eq!(divide_into_rows(&sequences, None), [0..1, 1..2, 2..3]);
        assert!(divide_into_rows(&TrainSequences::default(), Some(5)).is_empty());
    }

    #[test]
    fn shared_leading_tokens_count_once() {
        // 4 + 1 + 1 tokens of a tree, and one sequence that shares nothing
        let sequences = sequences(&[&[1, 2, 3, 4], &[1, 2, 3, 5], &[1, 2, 3, 4, 6], &[9, 9]]);
        assert_eq!(divide_into_rows(&sequences, Some(8)), [0..4]);
        assert_eq!(divide_into_rows(&sequences, Some(7)), [0..3, 3..4]);
        assert_eq!(divide_into_rows(&sequences, Some(5)), [0..2, 2..3, 3..4]);
        assert_eq!(divide_into_rows(&sequences, Some(4)), [0..1, 1..2, 2..3, 3..4], "longer than a row: alone in it");
    }

    proptest! {
        /// Checks against brute force: the tokens of a row are the distinct prefixes of its sequences.
        #[test]
        fn rows_are_full_and_in_order(
            tokens in prop::collection::vec(prop::collection::vec(0u32..3, 1..8), 0..12),
            row_length in 1usize..16,
        ) {
            let tokens: Vec<&[u32]> = tokens.iter().map(Vec::as_slice).collect();
            let rows = divide_into_rows(&sequences(&tokens), Some(row_length));
            let size = |members: &[&[u32]]| {
                let prefixes = members.iter().flat_map(|tokens| (1..=tokens.len()).map(|end| tokens[..end].to_vec()));
                prefixes.collect::<BTreeSet<_>>().len()
            };
            prop_assert_eq!(rows.iter().flat_map(Clone::clone).collect::<Vec<_>>(), (0..tokens.len()).collect::<Vec<_>>());
            for row in &rows {
                prop_assert!(row.len() == 1 || size(&tokens[row.clone()]) <= row_length);
                if row.end < tokens.len() {
                    prop_assert!(size(&tokens[row.start..=row.end]) > row_length, "the next one would have fitted");
                }
            }
        }
    }
}
