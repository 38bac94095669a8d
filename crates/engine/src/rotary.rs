//! Rotary position embedding: frequencies of the head's dimensions, scaled for long contexts, and their tables.
//!
//! Every step is rounded to f32 where `transformers` rounds (`modeling_rope_utils.py`): at position 100,000, one unit
//! in the last place of a frequency rotates a head by a hundredth of a radian. Exponentials and trigonometric functions
//! are computed in f64 and rounded once.

use super::ModelConfig;
use super::kernels::rows::HeadNorm;

/// Modification of the frequencies `rope_theta ^ (-2k / rotated_dim)`.
#[derive(Clone, Debug, PartialEq)]
pub enum RopeScaling {
    /// No modification (`default`).
    None,
    /// Division of all frequencies by a factor (`linear`).
    Linear {
        /// Divisor.
        factor: f64,
    },
    /// Scaling by the length of a sequence that exceeds `max_position_embeddings` (`dynamic`). Sequences end at that
    /// length, so only the scaling at exactly that length remains, which is one up to rounding.
    Dynamic {
        /// Ratio of the longest sequence to the trained length.
        factor: f64,
    },
    /// Division of low frequencies by a factor, with high ones unchanged and those in between interpolated (`llama3`).
    Llama3 {
        /// Divisor of the low frequencies.
        factor: f64,
        /// Factor of low frequencies, those with wavelengths above `original / low_freq_factor`.
        low_freq_factor: f64,
        /// Factor of high frequencies, those with wavelengths below `original / high_freq_factor`.
        high_freq_factor: f64,
        /// Sequence length in pretraining, in tokens.
        original_max_position_embeddings: f64,
    },
    /// Like `Llama3`, with a ramp over dimensions instead of wavelengths, and larger cosines and sines (`yarn`,
    /// <https://arxiv.org/abs/2309.00071>).
    Yarn {
        /// Divisor of the low frequencies.
        factor: f64,
        /// First and last dimension of the ramp.
        ramp: (f64, f64),
        /// Factor on cosines and sines.
        attention_factor: f64,
    },
    /// Division of each frequency by a factor of its own, and larger cosines and sines (`longrope`,
    /// <https://arxiv.org/abs/2402.13753>). Longer sequences than the limit have other factors.
    LongRope {
        /// Divisors, `rotated_dim / 2` of them.
        short_factors: Vec<f64>,
        /// Factor on cosines and sines.
        attention_factor: f64,
        /// Maximum length of a sequence with these factors, in tokens.
        limit: usize,
    },
}

/// Rotary embedding of a layer's queries and keys.
#[derive(Clone, Debug, PartialEq)]
pub struct Rope {
    /// Base of the frequencies.
    pub theta: f64,
    /// Scaling of the frequencies.
    pub scaling: RopeScaling,
}

impl Rope {
    /// Returns the frequency of each rotated pair of a head's values, in radians per position, `rotated_dim / 2` of them.
    pub(crate) fn frequencies(&self, rotated_dim: usize) -> Vec<f32> {
        self.scaling.frequencies(self.theta, rotated_dim)
    }
}

/// Rotation of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rotation {
    /// None.
    None,
    /// By `ModelConfig::rope`.
    Full,
    /// By `ModelConfig::local_rope`.
    Local,
}

impl RopeScaling {
    /// Returns the frequency of each rotated pair of a head's values, in radians per position.
    fn frequencies(&self, theta: f64, rotated_dim: usize) -> Vec<f32> {
        let dim = rotated_dim as f64;
        let theta = match self {
            Self::Dynamic { factor } => theta * (factor - (factor - 1.0)).powf(dim / (dim - 2.0)),
            _ => theta,
        };
        let powers = (0..rotated_dim / 2).map(|k| {
            let exponent = (2 * k) as f32 / rotated_dim as f32;
            f64::from(theta as f32).powf(f64::from(exponent)) as f32
        });
        match *self {
            Self::None | Self::Dynamic { .. } => powers.map(|power| 1.0 / power).collect(),
            Self::Linear { factor } => powers.map(|power| 1.0 / power / factor as f32).collect(),
            Self::Llama3 { factor, low_freq_factor, high_freq_factor, original_max_position_embeddings: length } => {
                let longest = (length / low_freq_factor) as f32;
                let shortest = (length / high_freq_factor) as f32;
                let (low, range) = (low_freq_factor as f32, (high_freq_factor - low_freq_factor) as f32);
                let (factor, length) = (factor as f32, length as f32);
                let scale = |power: f32| {
                    let frequency = 1.0 / power;
                    let wavelength = 1.0 / frequency * std::f64::consts::TAU as f32;
                    if wavelength > longest {
                        frequency / factor
                    } else if wavelength < shortest {
                        frequency
                    } else {
                        let smooth = (1.0 / wavelength * length - low) / range;
                        (1.0 - smooth) * frequency / factor + smooth * frequency
                    }
                };
                powers.map(scale).collect()
            }
            Self::Yarn { factor, ramp: (first, last), .. } => {
                // A ramp of length zero would divide by zero.
                let last = if first == last { last + 0.001 } else { last };
                let scale = |(k, power): (usize, f32)| {
                    let ramp = ((k as f32 - first as f32) / (last - first) as f32).clamp(0.0, 1.0);
                    let kept = 1.0 - ramp;
                    1.0 / (factor as f32 * power) * (1.0 - kept) + 1.0 / power * kept
                };
                powers.enumerate().map(scale).collect()
            }
            Self::LongRope { ref short_factors, .. } => {
                powers.zip(short_factors).map(|(power, factor)| 1.0 / (*factor as f32 * power)).collect()
            }
        }
    }

    /// Returns the factor on cosines and sines.
    pub(crate) fn attention_factor(&self) -> f32 {
        match self {
            Self::Yarn { attention_factor, .. } | Self::LongRope { attention_factor, .. } => *attention_factor as f32,
            _ => 1.0,
        }
    }
}

impl ModelConfig {
    /// Returns the rotation of a layer.
    pub(crate) fn rotation_of(&self, layer: usize) -> Rotation {
        if self.layers_without_rope.binary_search(&layer).is_ok() {
            Rotation::None
        } else if self.local_rope.is_some() && self.window_of(layer) < usize::MAX {
            Rotation::Local
        } else {
            Rotation::Full
        }
    }
}

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
    fn extend(&mut self, rope: &Rope, config: &ModelConfig, positions: std::ops::Range<usize>) {
        let (frequencies, factor) = (rope.frequencies(config.rotated_dim), rope.scaling.attention_factor());
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Frequencies of known models as computed by `transformers` (`scripts/make_golden_families.py`).
    #[test]
    fn frequencies_equal_transformers() {
        let golden: Vec<serde_json::Value> =
            serde_json::from_str(include_str!("../../../tests/golden/families/frequencies.json")).unwrap();
        assert!(golden.len() >= 8);
        for case in golden {
            let name = case["name"].as_str().unwrap();
            let config = ModelConfig::from_json(&case["config"].to_string()).unwrap();
            let expected: Vec<u32> = serde_json::from_value(case["frequency_bits"].clone()).unwrap();
            let rope = if case["local"] == true { config.local_rope.as_ref().unwrap() } else { &config.rope };
            let found = rope.frequencies(config.rotated_dim);
            assert_eq!(found.len(), expected.len(), "{name}");
            for (k, (found, expected)) in found.iter().zip(&expected).enumerate() {
                // torch's vectorised power is not always correctly rounded, and later operations can double its error.
                let apart = found.to_bits().abs_diff(*expected);
                assert!(apart <= 2, "{name} [{k}]: {found} is {apart} units from {}", f32::from_bits(*expected));
            }
            let factor = case["attention_factor"].as_f64().unwrap() as f32;
            assert_eq!(rope.scaling.attention_factor(), factor, "{name}");
        }
    }
}
