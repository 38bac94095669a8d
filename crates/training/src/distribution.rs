//! Mean, deviation and quantiles of numbers.

use serde_json::{Value, json};

/// Number of equal parts between the quantiles.
const PARTS: usize = 10;

/// Returns mean and population standard deviation of numbers; NaN if there are none.
pub(crate) fn moments(numbers: &[f64]) -> [f64; 2] {
    let count = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    [mean, (numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / count).sqrt()]
}

/// Mean, deviation and quantiles of numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Distribution {
    /// Arithmetic mean.
    pub mean: f64,
    /// Population standard deviation.
    pub deviation: f64,
    /// Smallest number, each tenth, largest number.
    pub quantiles: Vec<f64>,
}

impl Distribution {
    /// Returns the distribution of finite numbers; `None` if there are none, or if their sum overflows.
    pub fn of(mut numbers: Vec<f64>) -> Option<Self> {
        if numbers.is_empty() {
            return None;
        }
        let [mean, deviation] = moments(&numbers);
        numbers.sort_unstable_by(f64::total_cmp);
        let quantile = |part: usize| {
            let position = (numbers.len() - 1) as f64 * part as f64 / PARTS as f64;
            let (below, share) = (position.floor() as usize, position.fract());
            let above = numbers[(below + 1).min(numbers.len() - 1)];
            // Exact for equal neighbours, and without a difference that may overflow.
            if share == 0.0 { numbers[below] } else { numbers[below] * (1.0 - share) + above * share }
        };
        let quantiles = (0..=PARTS).map(quantile).collect();
        (mean.is_finite() && deviation.is_finite()).then_some(Self { mean, deviation, quantiles })
    }

    /// Returns the distribution as data of an event.
    pub fn data(&self) -> Value {
        json!({ "mean": self.mean, "deviation": self.deviation, "quantiles": self.quantiles })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_numpy() {
        let numbers = vec![4.0, 1.0, 2.0];
        let distribution = Distribution::of(numbers).unwrap();
        assert!((distribution.mean - 7.0 / 3.0).abs() < 1e-12);
        assert!((distribution.deviation - 1.247_219_128_924_647).abs() < 1e-12);
        // numpy.quantile([4, 1, 2], numpy.linspace(0, 1, 11))
        let expected = [1.0, 1.2, 1.4, 1.6, 1.8, 2.0, 2.4, 2.8, 3.2, 3.6, 4.0];
        for (found, expected) in distribution.quantiles.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12, "{:?}", distribution.quantiles);
        }
        let one = Distribution::of(vec![0.1; 7]).unwrap();
        assert!(one.quantiles.iter().all(|quantile| (quantile - 0.1).abs() < 1e-15) && one.quantiles.len() == 11);
        assert_eq!(Distribution::of(Vec::new()), None);
        assert_eq!(Distribution::of(vec![f64::MAX, f64::MAX]), None);
    }
}
