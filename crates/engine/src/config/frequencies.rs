//! Frequencies of the rotary embedding, scaled for long contexts.
//!
//! Every step is rounded to f32 where `transformers` rounds (`modeling_rope_utils.py`): at position 100,000, one unit
//! in the last place of a frequency rotates a head by a hundredth of a radian. Exponentials are computed in f64 and rounded
//! once.

use super::rope::{Rope, RopeScaling};

impl Rope {
    /// Returns the frequency of each rotated pair of a head's values, in radians per position, `rotated_dim / 2` of them.
    pub(crate) fn frequencies(&self, rotated_dim: usize) -> Vec<f32> {
        let dim = rotated_dim as f64;
        let theta = match self.scaling {
            RopeScaling::Dynamic { factor } => self.theta * (factor - (factor - 1.0)).powf(dim / (dim - 2.0)),
            _ => self.theta,
        };
        let powers = (0..rotated_dim / 2).map(|k| {
            let exponent = (2 * k) as f32 / rotated_dim as f32;
            f64::from(theta as f32).powf(f64::from(exponent)) as f32
        });
        match self.scaling {
            RopeScaling::None | RopeScaling::Dynamic { .. } => powers.map(|power| 1.0 / power).collect(),
            RopeScaling::Linear { factor } => powers.map(|power| 1.0 / power / factor as f32).collect(),
            RopeScaling::Llama3 {
                factor,
                low_freq_factor,
                high_freq_factor,
                original_max_position_embeddings: length,
            } => {
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
            RopeScaling::Yarn { factor, ramp: (first, last), .. } => {
                // A ramp of length zero would divide by zero.
                let last = if first == last { last + 0.001 } else { last };
                let scale = |(k, power): (usize, f32)| {
                    let ramp = ((k as f32 - first as f32) / (last - first) as f32).clamp(0.0, 1.0);
                    let kept = 1.0 - ramp;
                    1.0 / (factor as f32 * power) * (1.0 - kept) + 1.0 / power * kept
                };
                powers.enumerate().map(scale).collect()
            }
            RopeScaling::LongRope { ref short_factors, .. } => {
                powers.zip(short_factors).map(|(power, factor)| 1.0 / (*factor as f32 * power)).collect()
            }
        }
    }

    /// Returns the factor on cosines and sines.
    pub(crate) fn attention_factor(&self) -> f32 {
        match self.scaling {
            RopeScaling::Yarn { attention_factor, .. } | RopeScaling::LongRope { attention_factor, .. } => {
                attention_factor as f32
            }
            _ => 1.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::config::ModelConfig;

    /// Frequencies of known models as computed by `transformers` (`scripts/make_golden_families.py`).
    #[test]
    fn frequencies_equal_transformers() {
        let golden: Vec<serde_json::Value> =
            serde_json::from_str(include_str!("../../../../tests/golden/families/frequencies.json")).unwrap();
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
            assert_eq!(rope.attention_factor(), factor, "{name}");
        }
    }
}
