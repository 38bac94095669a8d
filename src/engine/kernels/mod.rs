//! Numerical kernels. The only place with `unsafe`.

/// Normaliser of one row of logits: everything a log-probability needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogSoftmax {
    /// Largest logit of the row.
    pub max: f32,
    /// Natural logarithm of the sum of `exp(logit - max)`.
    pub log_sum: f32,
    /// Entropy of the distribution in nats.
    pub entropy: f32,
}

impl LogSoftmax {
    /// Log-probability of an entry whose logit is `logit`.
    pub fn logprob(&self, logit: f32) -> f32 {
        (logit - self.max) - self.log_sum
    }
}

/// Normaliser of a row of logits. Sampler, scorer and loss all use this one function.
pub fn log_softmax(_logits: &[f32]) -> LogSoftmax {
    todo!()
}
