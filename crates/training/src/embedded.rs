//! The engine in this process as a [`Learner`].
//!
//! The only file that knows the engine: it stands behind the feature `engine`, because a trait is implemented for a foreign
//! type beside the trait or beside the type, and the engine knows no losses.

use trainyard_engine::full::FullSession;
use trainyard_engine::{AdamHyper, Scores, SequenceInput, TrainError, TrainSession};

use crate::learner::{Learner, LearnerError, OptimizerSettings, Sequence, TokenScores};

macro_rules! learner {
    ($session:ty) => {
        impl Learner for $session {
            fn score(&mut self, sequences: &[Sequence<'_>]) -> Result<Vec<TokenScores>, LearnerError> {
                Ok(token_scores(<$session>::score(self, &engine_inputs(sequences))?))
            }

            fn accumulate(
                &mut self,
                sequences: &[Sequence<'_>],
                gradient: &mut dyn FnMut(&[TokenScores]) -> Vec<Vec<f32>>,
            ) -> Result<Vec<TokenScores>, LearnerError> {
                let mut by_logprob = |scores: &[Scores]| gradient(&token_scores(scores.to_vec()));
                Ok(token_scores(self.forward_backward(&engine_inputs(sequences), &mut by_logprob)?))
            }

            fn step(&mut self, settings: &OptimizerSettings) -> Result<f64, LearnerError> {
                Ok(f64::from(<$session>::step(self, &settings.into())?.grad_norm))
            }
        }
    };
}

learner!(TrainSession);
learner!(FullSession);

/// Converts sequences to inputs of the engine; copies no token.
pub fn engine_inputs<'a>(sequences: &[Sequence<'a>]) -> Vec<SequenceInput<'a>> {
    sequences.iter().map(|&Sequence { tokens, scored }| SequenceInput { tokens, scored }).collect()
}

impl From<TrainError> for LearnerError {
    fn from(error: TrainError) -> Self {
        if error.is_not_finite() { Self::NotFinite(error.into()) } else { Self::Failed(error.into()) }
    }
}

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
