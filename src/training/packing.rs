//! Packing of sequences that share a prompt into rows, and the attention mask that keeps them apart.
//!
//! Training takes one sequence per optimizer step; a packed row would hold several. The functions here are pure and
//! fix what a row means: ids, positions and who may attend to whom.

use super::TrainSequence;

/// Id of padding in [`PackedRow::group`] and [`PackedRow::parent`].
pub const PADDING: i64 = -1;

/// One packed row. All vectors have the row's padded length.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PackedRow {
    /// Token ids.
    pub tokens: Vec<u32>,
    /// The prompt's id on the shared prompt, an own id on the rest of each sequence, [`PADDING`] on padding.
    pub group: Vec<i64>,
    /// The prompt's id on every token of its sequences.
    pub parent: Vec<i64>,
    /// Position of each token in its own sequence.
    pub positions: Vec<usize>,
    /// Which tokens are trained.
    pub mask: Vec<bool>,
    /// Old log-probabilities, NaN where there is none.
    pub logprobs: Vec<f32>,
    /// Advantages, 0 where not trained.
    pub advantages: Vec<f64>,
    /// Weights, 0 where not trained.
    pub weights: Vec<f64>,
}

/// How rows are filled.
#[derive(Debug, Clone, Copy)]
pub struct Packing {
    /// Length every row is padded to; longer sequences are left out.
    pub row_length: usize,
    /// Token that pads.
    pub padding_token: u32,
    /// Whether a row may hold more than one sequence.
    pub share_rows: bool,
}

/// Fill rows greedily in order.
///
/// A sequence whose group's prompt is in the row already adds only what follows the prompt; one that does not fit
/// opens a new row with its full tokens. Sequences longer than a row, or without a trained token after the shared
/// prompt, are left out. Sequences of one group are recognised by [`TrainSequence::group`].
pub fn pack(sequences: &[TrainSequence], packing: &Packing) -> Vec<PackedRow> {
    let mut rows: Vec<PackedRow> = Vec::new();
    let mut prompts: Vec<(usize, i64)> = Vec::new();
    let mut next_id = 0;
    let mut fresh = || {
        next_id += 1;
        next_id - 1
    };
    for sequence in sequences {
        let trained_after_prompt = sequence.mask[sequence.prompt_length..].contains(&true);
        if sequence.tokens.len() > packing.row_length || !trained_after_prompt {
            continue;
        }
        let in_row = |prompts: &[(usize, i64)]| {
            let found = prompts.iter().find(|(group, _)| *group == sequence.group && sequence.prompt_length > 0);
            found.map(|(_, id)| *id)
        };
        let mut prompt = in_row(&prompts);
        let start = if prompt.is_some() { sequence.prompt_length } else { 0 };
        let fits = rows.last().is_some_and(|row| {
            packing.share_rows && row.tokens.len() + sequence.tokens.len() - start <= packing.row_length
        });
        if !fits {
            rows.push(PackedRow::default());
            prompts.clear();
            prompt = None;
        }
        let start = if prompt.is_some() { sequence.prompt_length } else { 0 };
        let prompt = prompt.unwrap_or_else(|| {
            let id = fresh();
            prompts.push((sequence.group, id));
            id
        });
        let own = fresh();
        let row = rows.last_mut().expect("a row was pushed when there was none");
        for index in start..sequence.tokens.len() {
            let trained = sequence.mask[index];
            row.tokens.push(sequence.tokens[index]);
            row.group.push(if index < sequence.prompt_length { prompt } else { own });
            row.parent.push(prompt);
            row.positions.push(index);
            row.mask.push(trained);
            row.logprobs.push(sequence.logprobs[index]);
            row.advantages.push(if trained { sequence.advantage } else { 0.0 });
            row.weights.push(if trained { sequence.weight } else { 0.0 });
        }
    }
    for row in &mut rows {
        row.tokens.resize(packing.row_length, packing.padding_token);
        row.group.resize(packing.row_length, PADDING);
        row.parent.resize(packing.row_length, PADDING);
        row.positions.resize(packing.row_length, 0);
        row.mask.resize(packing.row_length, false);
        row.logprobs.resize(packing.row_length, f32::NAN);
        row.advantages.resize(packing.row_length, 0.0);
        row.weights.resize(packing.row_length, 0.0);
    }
    rows
}

/// Length of the rows for these sequences: the longest, rounded up to a multiple of 2048, at most `maximum`.
pub fn row_length(longest: usize, maximum: usize) -> usize {
    longest.next_multiple_of(2048).min(maximum)
}

/// Whether the token at `query` may attend to the one at `key`: not later, and of the same sequence or of its prompt.
pub fn may_attend(group: &[i64], parent: &[i64], query: usize, key: usize) -> bool {
    key <= query && (group[query] == group[key] || parent[query] == group[key])
}
