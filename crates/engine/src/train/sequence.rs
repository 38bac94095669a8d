//! Sequences to score, and their scores.

/// A sequence, and the tokens whose logprobs are requested.
#[derive(Clone, Copy, Debug)]
pub struct SequenceInput<'a> {
    /// Token ids.
    pub tokens: &'a [u32],
    /// For each token, whether the logprob of `tokens[t]` given `tokens[..t]` is requested; as long as `tokens`.
    /// `scored[0]` is false.
    pub scored: &'a [bool],
}

/// Logprobs and entropies of the scored tokens, in order of position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scores {
    /// Natural logprob of each scored token, at temperature 1.
    pub logprobs: Vec<f32>,
    /// Entropy in nats of the distribution at each scored token.
    pub entropies: Vec<f32>,
}

/// A token to score: `target` after the context that ends with a row of the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Prediction {
    /// Row that predicts the token. Several predictions can have the same row.
    pub(crate) row: usize,
    /// Token id.
    pub(crate) target: u32,
}
