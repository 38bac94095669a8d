//! Mean, deviation and quantiles of numbers.

use serde_json::{Value, json};

/// Number of equal parts between the quantiles.
const PARTS: usize = 10;

/// Returns mean and population standard deviation of numbers; NaN if there are none. Neither overflows for finite
/// numbers, unless the difference of two of them does.
pub(crate) fn moments(numbers: &[f64]) -> [f64; 2] {
    let count = numbers.len() as f64;
    let sum = numbers.iter().sum::<f64>();
    let mean = if sum.is_finite() { sum / count } else { numbers.iter().map(|number| number / count).sum() };
    let deviation_in =
        |unit: f64| unit * (numbers.iter().map(|number| ((number - mean) / unit).powi(2)).sum::<f64>() / count).sqrt();
    let deviation = deviation_in(1.0);
    if !deviation.is_infinite() {
        return [mean, deviation];
    }
    [mean, deviation_in(numbers.iter().map(|number| (number - mean).abs()).fold(0.0, f64::max))]
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
    /// Returns the distribution of finite numbers; `None` if there are none, or if the difference of two overflows.
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
        assert_eq!(Distribution::of(vec![f64::MAX, f64::MAX]).unwrap().mean, f64::MAX);
        assert_eq!(Distribution::of(vec![f64::MIN, f64::MIN, f64::MAX]), None);
    }

    #[test]
    fn squares_of_large_numbers_do_not_overflow() {
        let [mean, deviation] = moments(&[1e155, 0.0]);
        assert_eq!([mean, deviation], [5e154, 5e154]);
        let [mean, deviation] = moments(&[1e308, 1e308, 1e308, 0.0]);
        assert!((mean / 7.5e307 - 1.0).abs() < 1e-12 && (deviation / 4.330_127_018_922_193e307 - 1.0).abs() < 1e-12);
    }
}
