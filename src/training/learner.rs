//! Interface from training to an engine: score tokens, accumulate gradients, make an optimizer step.

use crate::engine::{AdamHyper, Scores, SequenceInput, TrainSession, full::FullSession};

/// Error of the engine behind a [`Learner`].
pub(crate) type LearnerError = Box<dyn std::error::Error + Send + Sync>;

/// Logprobs (nats, temperature 1) and entropies of the scored tokens of a sequence, in order.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct TokenScores {
    /// Logprob of each scored token given all tokens before it.
    pub logprobs: Vec<f32>,
    /// Entropy of the distribution each scored token was drawn from.
    pub entropies: Vec<f32>,
}

/// Settings of one optimizer step (AdamW with decoupled weight decay).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OptimizerSettings {
    /// Learning rate of this step.
    pub learning_rate: f64,
    /// Decay of the first moment.
    pub beta1: f64,
    /// Decay of the second moment.
    pub beta2: f64,
    /// Constant added to the root of the second moment.
    pub epsilon: f64,
    /// Decoupled weight decay of all adapter tensors, or of all matrices in full fine-tuning.
    pub weight_decay: f64,
    /// Maximum global L2 norm of the gradients; larger gradients are scaled down to it.
    pub clip_norm: f64,
}

impl OptimizerSettings {
    /// Returns the settings of reinforcement learning: weight decay 0.1, gradients clipped at 0.1.
    pub fn reinforcement(learning_rate: f64) -> Self {
        Self { learning_rate, beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weight_decay: 0.1, clip_norm: 0.1 }
    }

    /// Returns the settings of supervised fine-tuning: no weight decay, gradients clipped at 1.
    pub fn supervised(learning_rate: f64) -> Self {
        Self { weight_decay: 0.0, clip_norm: 1.0, ..Self::reinforcement(learning_rate) }
    }
}

/// An adapter or a model in training. The engine's training sessions implement it.
///
/// `scored[t]` requests the logprob of `tokens[t]` given `tokens[..t]`; `scored[0]` is always false and both slices
/// have the same length. Results are in the order of the sequences. Sequences of one call may share leading tokens,
/// which may be computed once; this changes no result.
pub(crate) trait Learner {
    /// Scores tokens without accumulating gradients.
    ///
    /// # Errors
    /// The engine cannot process a sequence.
    fn score(&mut self, sequences: &[SequenceInput<'_>]) -> Result<Vec<TokenScores>, LearnerError>;

    /// Scores tokens, calls `gradient` once for the derivative of the loss by each scored logprob of each sequence, and
    /// adds the resulting parameter gradients to those accumulated since the last step.
    ///
    /// # Errors
    /// The engine cannot process a sequence.
    fn accumulate(
        &mut self,
        sequences: &[SequenceInput<'_>],
        gradient: &mut dyn FnMut(&[TokenScores]) -> Vec<Vec<f32>>,
    ) -> Result<Vec<TokenScores>, LearnerError>;

    /// Updates the adapter with the accumulated gradients and clears them; returns their L2 norm before clipping.
    ///
    /// # Errors
    /// A gradient is not finite; the adapter is then unchanged.
    fn step(&mut self, settings: &OptimizerSettings) -> Result<f64, LearnerError>;
}

macro_rules! learner {
    ($session:ty) => {
        impl Learner for $session {
            fn score(&mut self, sequences: &[SequenceInput<'_>]) -> Result<Vec<TokenScores>, LearnerError> {
                Ok(token_scores(<$session>::score(self, sequences)?))
            }

            fn accumulate(
                &mut self,
                sequences: &[SequenceInput<'_>],
                gradient: &mut dyn FnMut(&[TokenScores]) -> Vec<Vec<f32>>,
            ) -> Result<Vec<TokenScores>, LearnerError> {
                let mut by_logprob = |scores: &[Scores]| gradient(&token_scores(scores.to_vec()));
                Ok(token_scores(self.forward_backward(sequences, &mut by_logprob)?))
            }

            fn step(&mut self, settings: &OptimizerSettings) -> Result<f64, LearnerError> {
                Ok(f64::from(<$session>::step(self, &settings.into())?.grad_norm))
            }
        }
    };
}

learner!(TrainSession);
learner!(FullSession);

impl From<&OptimizerSettings> for AdamHyper {
    fn from(settings: &OptimizerSettings) -> Self {
        Self {
            lr: settings.learning_rate as f32,
            beta1: settings.beta1 as f32,
            beta2: settings.beta2 as f32,
            eps: settings.epsilon as f32,
            weight_decay: settings.weight_decay as f32,
            clip_norm: settings.clip_norm as f32,
        }
    }
}

fn token_scores(scores: Vec<Scores>) -> Vec<TokenScores> {
    scores.into_iter().map(TokenScores::from).collect()
}

impl From<Scores> for TokenScores {
    fn from(scores: Scores) -> Self {
        Self { logprobs: scores.logprobs, entropies: scores.entropies }
    }
}
