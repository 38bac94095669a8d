//! Interface from training to an engine: score tokens, accumulate gradients, make an optimizer step.

/// Cause of a [`LearnerError`].
type Cause = Box<dyn std::error::Error + Send + Sync>;

/// Error of a [`Learner`], by its consequence for the job.
#[derive(Debug, thiserror::Error)]
pub enum LearnerError {
    /// A value is infinite or not a number.
    #[error(transparent)]
    NotFinite(Cause),
    /// The learner or its session is gone: another attempt continues from the last stored state.
    #[error(transparent)]
    Lost(Cause),
    /// A call needs more memory than the learner has.
    #[error(transparent)]
    OutOfMemory(Cause),
    /// The learner itself failed, which another attempt may or may not repeat.
    #[error(transparent)]
    Faulty(Cause),
    /// Any other error; another attempt would repeat it.
    #[error(transparent)]
    Failed(Cause),
}

impl LearnerError {
    /// Returns whether a value is infinite or not a number.
    pub fn is_not_finite(&self) -> bool {
        matches!(self, Self::NotFinite(_))
    }
}

/// A sequence, and the tokens whose logprobs are requested.
#[derive(Clone, Copy, Debug)]
pub struct Sequence<'a> {
    /// Token ids.
    pub tokens: &'a [u32],
    /// For each token, whether the logprob of `tokens[t]` given `tokens[..t]` is requested; as long as `tokens`.
    /// `scored[0]` is false.
    pub scored: &'a [bool],
}

/// Logprobs (nats, temperature 1) and entropies of the scored tokens of a sequence, in order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TokenScores {
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

/// An adapter or a model in training.
///
/// Results are in the order of the sequences. Sequences of one call may share leading tokens, which may be computed once;
/// this changes no result.
pub trait Learner {
    /// Scores tokens without accumulating gradients.
    ///
    /// # Errors
    /// The engine cannot process a sequence.
    fn score(&mut self, sequences: &[Sequence<'_>]) -> Result<Vec<TokenScores>, LearnerError>;

    /// Scores tokens, calls `gradient` once for the derivative of the loss by each scored logprob of each sequence, and
    /// adds the resulting parameter gradients to those accumulated since the last step.
    ///
    /// # Errors
    /// The engine cannot process a sequence.
    fn accumulate(
        &mut self,
        sequences: &[Sequence<'_>],
        gradient: &mut dyn FnMut(&[TokenScores]) -> Vec<Vec<f32>>,
    ) -> Result<Vec<TokenScores>, LearnerError>;

    /// Like [`Self::accumulate`] with a derivative that is known before the logprobs, and the same for each of them.
    ///
    /// # Errors
    /// The engine cannot process a sequence.
    fn accumulate_known(
        &mut self,
        sequences: &[Sequence<'_>],
        derivative: f32,
    ) -> Result<Vec<TokenScores>, LearnerError> {
        self.accumulate(sequences, &mut |scores| {
            scores.iter().map(|scores| vec![derivative; scores.logprobs.len()]).collect()
        })
    }

    /// Updates the adapter with the accumulated gradients and clears them; returns their L2 norm before clipping.
    ///
    /// # Errors
    /// A gradient is not finite; the adapter is then unchanged.
    fn step(&mut self, settings: &OptimizerSettings) -> Result<f64, LearnerError>;
}
