//! Cosines and sines of the rotary position embedding: computed in f64, and rounded to f32 once.

use std::ops::Range;

use crate::config::{ModelConfig, Rope, Rotation};
use crate::kernels::rows::HeadNorm;

/// Cosines and sines of the rotary angles of all layers, `head_dim / 2` per position.
#[derive(Default)]
pub(crate) struct RotaryTable {
    half: usize,
    full: Angles,
    /// Those of layers with a sliding window; empty if they are the same.
    local: Angles,
    /// Cosines and sines of no rotation.
    none: Angles,
}

/// Cosines and sines.
#[derive(Default)]
struct Angles {
    cos: Vec<f32>,
    sin: Vec<f32>,
}

impl Angles {
    /// Adds the angles of positions. Pairs of values that are not rotated have the angle zero, after those that are.
    fn extend(&mut self, rope: &Rope, config: &ModelConfig, positions: Range<usize>) {
        let (frequencies, factor) = (rope.frequencies(config.rotated_dim), rope.attention_factor());
        for position in positions {
            for frequency in &frequencies {
                let angle = f64::from(position as f32 * frequency);
                self.cos.push(angle.cos() as f32 * factor);
                self.sin.push(angle.sin() as f32 * factor);
            }
            let pairs = self.cos.len().next_multiple_of(config.head_dim / 2);
            self.cos.resize(pairs, 1.0);
            self.sin.resize(pairs, 0.0);
        }
    }
}

impl RotaryTable {
    /// Extends the table to the positions below `positions`.
    pub(crate) fn extend(&mut self, config: &ModelConfig, positions: usize) {
        self.half = config.head_dim / 2;
        let known = self.full.cos.len() / self.half;
        // Doubling avoids growth token by token in decoding.
        let positions = if positions > known { positions.max(2 * known) } else { return };
        self.none = Angles { cos: vec![1.0; self.half], sin: vec![0.0; self.half] };
        self.full.extend(&config.rope, config, known..positions);
        if let Some(rope) = &config.local_rope {
            self.local.extend(rope, config, known..positions);
        }
    }

    /// Returns norm (if the head has one) and rotation of a head at a position.
    pub(crate) fn head_norm<'a>(
        &'a self,
        weight: Option<&'a [f32]>,
        eps: f32,
        rotation: Rotation,
        position: usize,
        scale: f32,
    ) -> HeadNorm<'a> {
        let (Angles { cos, sin }, position) = match rotation {
            Rotation::None => (&self.none, 0),
            Rotation::Full => (&self.full, position),
            Rotation::Local => (&self.local, position),
        };
        let range = position * self.half..(position + 1) * self.half;
        HeadNorm { weight, eps, cos: &cos[range.clone()], sin: &sin[range], scale }
    }
}
