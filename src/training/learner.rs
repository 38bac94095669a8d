//! What training needs from an engine: score tokens, accumulate gradients, make an optimizer step.

use crate::engine::{AdamHyper, Scores, SequenceInput, TrainSession, full::FullSession};

/// Failure of the engine behind a [`Learner`].
pub type LearnerError = Box<dyn std::error::Error + Send + Sync>;

/// Log-probabilities (nats, temperature 1) and entropies of the scored tokens of a sequence, in order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TokenScores {
    /// Log-probability of each scored token given all tokens before it.
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
    /// Added to the root of the second moment.
    pub epsilon: f64,
    /// Decoupled weight decay of all adapter tensors, or of all matrices of a model that is trained in full.
    pub weight_decay: f64,
    /// Gradients are scaled down to this global L2 norm.
    pub clip_norm: f64,
}

impl OptimizerSettings {
    /// Reinforcement learning: weight decay 0.1, gradients clipped at 0.1.
    pub fn reinforcement(learning_rate: f64) -> Self {
        Self { learning_rate, beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weight_decay: 0.1, clip_norm: 0.1 }
    }

    /// Supervised fine-tuning: no weight decay, gradients clipped at 1.
    pub fn supervised(learning_rate: f64) -> Self {
        Self { weight_decay: 0.0, clip_norm: 1.0, ..Self::reinforcement(learning_rate) }
    }
}

/// An adapter or a model being trained. Implemented by the engine's training sessions.
///
/// `scored[t]` asks for the log-probability of `tokens[t]` given `tokens[..t]`; `scored[0]` is always false and both
/// slices have the same length. Answers come in the order of the sequences. Sequences of one call may share leading
/// tokens, and what they share may be computed once; that changes no result.
pub trait Learner {
    /// Score without learning.
    ///
    /// # Errors
    /// When the engine cannot process a sequence.
    fn score(&mut self, sequences: &[SequenceInput<'_>]) -> Result<Vec<TokenScores>, LearnerError>;

    /// Score, ask `gradient` once for the derivative of the loss by each scored log-probability of each sequence, and add
    /// the resulting parameter gradients to those accumulated since the last step.
    ///
    /// # Errors
    /// When the engine cannot process a sequence.
    fn accumulate(
        &mut self,
        sequences: &[SequenceInput<'_>],
        gradient: &mut dyn FnMut(&[TokenScores]) -> Vec<Vec<f32>>,
    ) -> Result<Vec<TokenScores>, LearnerError>;

    /// Update the adapter with the accumulated gradients and clear them; returns their L2 norm before clipping.
    ///
    /// # Errors
    /// When a gradient is not finite; the adapter is unchanged then.
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
