//! Options of supervised fine-tuning (`config`).

use serde_json::Value;

use super::ConfigError;
use super::options::{Options, whole_number};

/// Learning rate of supervised fine-tuning when none is given.
pub const DEFAULT_SFT_LEARNING_RATE: f64 = 5e-5;
/// Rows per batch of supervised fine-tuning when none is given.
pub const DEFAULT_SFT_BATCH_SIZE: usize = 2;
/// Largest accepted batch size: more rows than any accepted data set has.
pub const MAX_SFT_BATCH_SIZE: usize = 1_000_000;

/// The learning rates of a supervised job.
#[derive(Debug, Clone, PartialEq)]
pub enum LearningRates {
    /// The same for all batches.
    Constant(f64),
    /// One value per batch, in order; values beyond the last batch are ignored.
    PerBatch(Vec<f64>),
}

impl LearningRates {
    /// The learning rate of each of `batches` batches.
    ///
    /// # Errors
    /// When a list is shorter than the number of batches.
    pub fn for_batches(&self, batches: usize) -> Result<Vec<f64>, ConfigError> {
        match self {
            Self::Constant(value) => Ok(vec![*value; batches]),
            Self::PerBatch(values) if values.len() < batches => {
                Err(ConfigError::TooFewLearningRates { given: values.len(), batches })
            }
            Self::PerBatch(values) => Ok(values[..batches].to_vec()),
        }
    }
}

/// Options of a supervised fine-tuning job.
#[derive(Debug, Clone, PartialEq)]
pub struct SftConfig {
    /// Rows per optimizer step.
    pub batch_size: usize,
    /// Learning rates by batch.
    pub learning_rate: LearningRates,
}

impl Default for SftConfig {
    fn default() -> Self {
        Self { batch_size: DEFAULT_SFT_BATCH_SIZE, learning_rate: LearningRates::Constant(DEFAULT_SFT_LEARNING_RATE) }
    }
}

impl SftConfig {
    /// Read the wire form (`config`); `None` and null give the defaults.
    ///
    /// # Errors
    /// For values of the wrong type or range.
    pub fn from_wire(config: Option<&Value>) -> Result<Self, ConfigError> {
        let Some(options) = Options::new(config)? else { return Ok(Self::default()) };
        let expected = "a whole number from 1 to 1000000, or \"auto\"";
        let batch_size = match options.get("batch_size") {
            None => DEFAULT_SFT_BATCH_SIZE,
            Some(Value::String(word)) if word == "auto" => DEFAULT_SFT_BATCH_SIZE,
            Some(value) => whole_number(value)
                .filter(|size| (1..=MAX_SFT_BATCH_SIZE).contains(size))
                .ok_or_else(|| ConfigError::invalid("batch_size", expected, value))?,
        };
        let expected = "a number, or a list of numbers, none of them negative";
        let rate = |value: &Value| {
            let number = value.as_f64().filter(|number| number.is_finite() && *number >= 0.0);
            number.ok_or_else(|| ConfigError::invalid("learning_rate", expected, value))
        };
        let learning_rate = match options.get("learning_rate") {
            None => LearningRates::Constant(DEFAULT_SFT_LEARNING_RATE),
            Some(Value::Array(values)) => {
                LearningRates::PerBatch(values.iter().map(rate).collect::<Result<_, ConfigError>>()?)
            }
            Some(value) => LearningRates::Constant(rate(value)?),
        };
        if options.get("assistant_turns").is_some_and(|turns| turns != "all") {
            return Err(ConfigError::Unsupported { option: "assistant_turns" });
        }
        Ok(Self { batch_size, learning_rate })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn supervised_options() {
        let read = |config: Value| SftConfig::from_wire(Some(&config));
        assert_eq!(SftConfig::from_wire(None), Ok(SftConfig::default()));
        assert_eq!(
            read(json!({"batch_size": "auto", "learning_rate": null, "metric_logging": {}})),
            Ok(SftConfig::default())
        );
        assert_eq!(read(json!({"batch_size": 7})).unwrap().batch_size, 7);
        for bad in [json!(0), json!(-2), json!("many"), json!(1.5), json!(1e300), json!(true)] {
            assert!(read(json!({"batch_size": bad})).is_err(), "{bad}");
        }
        for bad in [json!("fast"), json!(["a"]), json!([1e-4, -1.0]), json!({})] {
            assert!(read(json!({"learning_rate": bad})).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_list_of_learning_rates_covers_every_batch() {
        let rates = LearningRates::PerBatch(vec![1.0, 2.0, 3.0]);
        assert_eq!(rates.for_batches(2).unwrap(), [1.0, 2.0]);
        assert_eq!(rates.for_batches(3).unwrap(), [1.0, 2.0, 3.0]);
        assert_eq!(rates.for_batches(4), Err(ConfigError::TooFewLearningRates { given: 3, batches: 4 }));
        assert_eq!(LearningRates::Constant(0.5).for_batches(3).unwrap(), [0.5; 3]);
    }
}
