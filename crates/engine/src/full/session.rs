//! Training of all parameters: score, accumulate gradients, step.

use std::sync::Arc;

use super::adam::{FullAdam, gradient_norm};
use super::memory::{FullTrainingError, check_within};
use super::weights::FullWeights;
use crate::kernels::{ComputePool, WeightFormat};
use crate::model::BaseModel;
use crate::pass::WeightGradients;
use crate::train::{
    AdamHyper, MemoryPlan, Scores, SequenceInput, StepReport, TrainError, TrainSession, clip_factor, default_limit,
};

/// Training session for all parameters of a model: accumulates gradients over sequences, then steps.
pub struct FullSession {
    pool: Arc<ComputePool>,
    session: TrainSession,
    weights: FullWeights,
    adam: FullAdam,
}

impl FullSession {
    /// Creates a session that continues from `weights` and `adam`, and computes in the number format that the model is
    /// served in. It uses at most half of the machine's memory.
    ///
    /// # Errors
    /// A model with experts, or one that needs more memory.
    ///
    /// # Panics
    /// If the optimizer state was made for a model of another shape.
    pub fn new(
        pool: Arc<ComputePool>,
        weights: FullWeights,
        adam: FullAdam,
        format: WeightFormat,
    ) -> Result<Self, FullTrainingError> {
        Self::with_memory_limit(pool, weights, adam, format, default_limit())
    }

    /// Like [`FullSession::new`], with at most `limit` bytes of memory.
    ///
    /// # Errors
    /// A model with experts, or one that needs more memory.
    ///
    /// # Panics
    /// If the optimizer state was made for a model of another shape.
    pub fn with_memory_limit(
        pool: Arc<ComputePool>,
        weights: FullWeights,
        adam: FullAdam,
        format: WeightFormat,
        limit: usize,
    ) -> Result<Self, FullTrainingError> {
        assert!(adam.fits(&weights), "the optimizer state fits the weights");
        let left = check_within(weights.config(), format, limit)?;
        let base = weights.pack(format, &pool);
        let gradients = WeightGradients::new(&base.config);
        let session = TrainSession::of_weights(pool.clone(), base, gradients).with_memory_limit(left);
        Ok(Self { pool, session, weights, adam })
    }

    /// Scores sequences, like [`TrainSession::score`].
    ///
    /// # Errors
    /// The errors of that method.
    pub fn score(&mut self, sequences: &[SequenceInput]) -> Result<Vec<Scores>, TrainError> {
        self.session.score(sequences)
    }

    /// Accumulates gradients of all parameters, like [`TrainSession::forward_backward`].
    ///
    /// # Errors
    /// The errors of that method.
    pub fn forward_backward(
        &mut self,
        sequences: &[SequenceInput],
        gradient: &mut dyn FnMut(&[Scores]) -> Vec<Vec<f32>>,
    ) -> Result<Vec<Scores>, TrainError> {
        self.session.forward_backward(sequences, gradient)
    }

    /// Plans the memory of a call, like [`TrainSession::plan`].
    ///
    /// # Errors
    /// The errors of that method.
    pub fn plan(&self, sequences: &[SequenceInput], gradient: bool) -> Result<MemoryPlan, TrainError> {
        self.session.plan(sequences, gradient)
    }

    /// Clips the norm of the accumulated gradient, applies AdamW (weight decay on matrices only) and clears the
    /// gradient. After an error the gradient is cleared, and nothing else has changed.
    ///
    /// # Errors
    /// Invalid settings, or values that are not finite.
    pub fn step(&mut self, hyper: &AdamHyper) -> Result<StepReport, TrainError> {
        let pool = self.pool.clone();
        let _training = pool.training();
        let result = self.apply(hyper);
        self.zero_gradients();
        result
    }

    fn apply(&mut self, hyper: &AdamHyper) -> Result<StepReport, TrainError> {
        let Self { pool, session, weights, adam } = self;
        if let Some(name) = hyper.invalid() {
            return Err(TrainError::Hyper { name, value: format!("{hyper:?}") });
        }
        let (base, gradients) = session.trained_weights();
        let grad_norm = gradient_norm(pool, &base.config, gradients);
        if !grad_norm.is_finite() {
            return Err(TrainError::NotFinite { what: "the gradient's norm".into() });
        }
        if !adam.update(pool, weights, gradients, clip_factor(grad_norm, hyper.clip_norm), hyper) {
            return Err(TrainError::NotFinite { what: "a parameter after the step".into() });
        }
        weights.packed = None;
        let format = base.format;
        // Frees memory for the new weights.
        if let Some(base) = Arc::get_mut(base) {
            base.forget_backward();
        }
        *base = weights.pack(format, pool);
        Ok(StepReport { grad_norm })
    }

    /// Clears the accumulated gradient.
    pub fn zero_gradients(&mut self) {
        self.session.trained_weights().1.clear();
    }

    /// Returns the accumulated gradient by Hugging Face's names, each in the parameter's own layout.
    pub fn gradients(&mut self) -> Vec<(String, Vec<f32>)> {
        let (base, gradients) = self.session.trained_weights();
        gradients.named(&base.config)
    }

    /// Returns the parameters after the last step.
    pub fn weights(&self) -> &FullWeights {
        &self.weights
    }

    /// Returns the optimizer state after the last step.
    pub fn adam(&self) -> &FullAdam {
        &self.adam
    }

    /// Ends the session and returns the parameters, the same packed for serving, and the optimizer state.
    pub fn into_parts(self) -> (FullWeights, Arc<BaseModel>, FullAdam) {
        let Self { session, weights, adam, .. } = self;
        let mut base = session.into_base();
        if let Some(base) = Arc::get_mut(&mut base) {
            base.forget_backward();
        }
        (weights, base, adam)
    }
}

#[cfg(test)]
mod for_tests {
    impl super::FullSession {
        /// Sets the size of the kept layer states in bytes, so that a test need not use two gigabytes.
        pub(crate) fn set_state_limit(&mut self, bytes: usize) {
            self.session.set_state_limit(bytes);
        }
    }
}
