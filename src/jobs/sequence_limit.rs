//! The length limit of a trained sequence.

use crate::models::Base;
use crate::training::MAX_SEQUENCE_LENGTH;

/// Returns the greatest number of tokens of a trained sequence.
pub(super) fn longest_sequence(base: &Base) -> usize {
    base.config.max_position_embeddings.min(MAX_SEQUENCE_LENGTH)
}
