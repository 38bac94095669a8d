//! Training of one adapter.

use std::sync::Arc;

use super::{AdamHyper, AdamState, Adapter, BaseModel, ComputePool};

/// One sequence and the tokens whose log-probability is wanted.
#[derive(Clone, Copy, Debug)]
pub struct SequenceInput<'a> {
    /// Token ids.
    pub tokens: &'a [u32],
    /// As long as `tokens`: whether the log-probability of `tokens[t]` given `tokens[..t]` is wanted. `scored[0]` is false.
    pub scored: &'a [bool],
}

/// What the model thinks of the scored tokens, in order of position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scores {
    /// Natural log-probability of each scored token, at temperature 1.
    pub logprobs: Vec<f32>,
    /// Entropy in nats of the distribution each scored token was drawn from.
    pub entropies: Vec<f32>,
}

/// Outcome of one optimiser step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepReport {
    /// Global L2 norm of the gradient before it was limited.
    pub grad_norm: f32,
}

/// Why a training operation was refused. The adapter and the optimiser state are as they were before the call.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// `tokens` and `scored` differ in length, or `scored[0]` is set.
    #[error("{0}")]
    Input(String),
    /// A token id outside the vocabulary.
    #[error("token {token} at position {position} is outside the vocabulary of {vocab_size}")]
    Token {
        /// The token id.
        token: u32,
        /// Where it stands.
        position: usize,
        /// Number of tokens of the model.
        vocab_size: usize,
    },
    /// The sequence is longer than the model allows.
    #[error("a sequence of {length} tokens is longer than the model's limit of {limit}")]
    TooLong {
        /// Tokens of the sequence.
        length: usize,
        /// The model's `max_position_embeddings`.
        limit: usize,
    },
    /// A number became infinite or NaN.
    #[error("{what} is not finite; lower the learning rate or check the adapter")]
    NotFinite {
        /// Which number.
        what: String,
    },
}

/// Trains one adapter on a base model: accumulates gradients over sequences, then steps.
pub struct TrainSession {
    adapter: Adapter,
    adam: AdamState,
}

impl TrainSession {
    /// A session that goes on from `adapter` and `adam`.
    pub fn new(_pool: Arc<ComputePool>, _base: Arc<BaseModel>, _adapter: Adapter, _adam: AdamState) -> Self {
        todo!()
    }

    /// Scores a sequence under the current adapter, forward only.
    pub fn score(&mut self, _sequence: &SequenceInput) -> Result<Scores, TrainError> {
        todo!()
    }

    /// Scores a sequence, asks `gradient` for d loss / d logprob of every scored token, and adds the loss's gradient with
    /// respect to the adapter to what has been accumulated.
    pub fn forward_backward(
        &mut self,
        _sequence: &SequenceInput,
        _gradient: &mut dyn FnMut(&Scores) -> Vec<f32>,
    ) -> Result<Scores, TrainError> {
        todo!()
    }

    /// Limits the accumulated gradient's norm, applies AdamW and clears the gradient.
    pub fn step(&mut self, _hyper: &AdamHyper) -> Result<StepReport, TrainError> {
        todo!()
    }

    /// Forgets the accumulated gradient.
    pub fn zero_gradients(&mut self) {
        todo!()
    }

    /// The adapter as of the last step.
    pub fn adapter(&self) -> &Adapter {
        &self.adapter
    }

    /// The optimiser state as of the last step.
    pub fn adam(&self) -> &AdamState {
        &self.adam
    }

    /// Ends the session.
    pub fn into_parts(self) -> (Adapter, AdamState) {
        (self.adapter, self.adam)
    }
}
