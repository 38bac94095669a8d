//! Options of supervised fine-tuning (`config`).

use serde_json::Value;

use super::options::{Options, whole_number};
use super::{ConfigError, MAX_LEARNING_RATE};

/// Default learning rate of supervised fine-tuning.
pub const DEFAULT_SFT_LEARNING_RATE: f64 = 5e-5;
/// Default number of rows per batch of supervised fine-tuning.
pub(crate) const DEFAULT_SFT_BATCH_SIZE: usize = 2;
/// Maximum batch size, above the number of rows of any accepted data set.
pub(crate) const MAX_SFT_BATCH_SIZE: usize = 1_000_000;
/// Maximum number of epochs.
pub(crate) const MAX_SFT_EPOCHS: usize = 1000;
/// Maximum share of rows used for validation.
pub(crate) const MAX_VALIDATION_SPLIT: f64 = 0.5;

/// Learning rates of a supervised job.
#[derive(Debug, Clone, PartialEq)]
pub enum LearningRates {
    /// One rate for all batches.
    Constant(f64),
    /// One value per batch of each epoch, in order; values beyond the last batch are ignored.
    PerBatch(Vec<f64>),
}

impl LearningRates {
    /// Checks that there is a learning rate for each of `batches` batches.
    ///
    /// # Errors
    /// The list is shorter than the number of batches.
    pub fn check(&self, batches: usize) -> Result<(), ConfigError> {
        match self {
            Self::PerBatch(values) if values.len() < batches => {
                Err(ConfigError::TooFewLearningRates { given: values.len(), batches })
            }
            Self::Constant(_) | Self::PerBatch(_) => Ok(()),
        }
    }

    /// Returns the learning rate of the batch at `index`; [`Self::check`] must have accepted the number of batches.
    pub fn at(&self, index: usize) -> f64 {
        match self {
            Self::Constant(value) => *value,
            Self::PerBatch(values) => values[index],
        }
    }
}

/// Assistant turns to train.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AssistantTurns {
    /// Every turn.
    #[default]
    All,
    /// The last message of a row, which must be the assistant's.
    Last,
}

/// Handling of rows with too many tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OverlongRows {
    /// Overlong rows are dropped.
    #[default]
    Drop,
    /// Overlong rows are truncated at the end.
    Truncate,
}

/// Metrics in the events of a supervised job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MetricLogging {
    /// Whether events carry more than losses, learning rate and gradient norm.
    pub enabled: bool,
    /// Interval in steps between events with the additional metrics.
    pub every: usize,
}

impl Default for MetricLogging {
    fn default() -> Self {
        Self { enabled: true, every: 1 }
    }
}

impl MetricLogging {
    /// Returns whether the event of the step at `index` of `total` carries more than losses, learning rate and gradient
    /// norm.
    pub fn reports_details(&self, index: usize, total: usize) -> bool {
        self.enabled && (index.is_multiple_of(self.every) || index + 1 == total)
    }

    fn from_wire(value: Option<&Value>) -> Result<Self, ConfigError> {
        let expected = "an object whose `enabled` is true or false and whose `every` is a whole number from 1";
        let invalid = |value: &Value| ConfigError::invalid("metric_logging", expected, value);
        let Some(value) = value else { return Ok(Self::default()) };
        let Some(options) = Options::new(Some(value)).map_err(|_| invalid(value))? else { return Ok(Self::default()) };
        let enabled = options.get("enabled").map_or(Some(true), Value::as_bool);
        let every = options.get("every").map_or(Some(1), whole_number).filter(|every| *every > 0);
        // `target_training_step` tells the hosted service where to log the metrics; it does not affect training.
        match (enabled, every) {
            (Some(enabled), Some(every)) => Ok(Self { enabled, every }),
            _ => Err(invalid(value)),
        }
    }
}

/// Options of a supervised fine-tuning job.
#[derive(Debug, Clone, PartialEq)]
pub struct SftConfig {
    /// Rows per optimizer step.
    pub batch_size: usize,
    /// Number of epochs.
    pub epochs: usize,
    /// Learning rates, by batch.
    pub learning_rate: LearningRates,
    /// Assistant turns to train.
    pub assistant_turns: AssistantTurns,
    /// Handling of rows with too many tokens.
    pub overlong_rows: OverlongRows,
    /// Token limit of a row; a lower limit of the model takes precedence.
    pub max_sequence_length: Option<usize>,
    /// Share of the rows used for validation instead of training, above 0 and at most [`MAX_VALIDATION_SPLIT`].
    pub validation_split: Option<f64>,
    /// Interval of validations in steps; by default about ten validations in a job.
    pub validation_every: Option<usize>,
    /// Metrics in the events.
    pub metric_logging: MetricLogging,
}

impl Default for SftConfig {
    fn default() -> Self {
        Self {
            batch_size: DEFAULT_SFT_BATCH_SIZE,
            epochs: 1,
            learning_rate: LearningRates::Constant(DEFAULT_SFT_LEARNING_RATE),
            assistant_turns: AssistantTurns::default(),
            overlong_rows: OverlongRows::default(),
            max_sequence_length: None,
            validation_split: None,
            validation_every: None,
            metric_logging: MetricLogging::default(),
        }
    }
}

impl SftConfig {
    /// Reads the wire form (`config`); `None` and null give the defaults.
    ///
    /// # Errors
    /// A value has the wrong type or is outside its range.
    pub fn from_wire(config: Option<&Value>) -> Result<Self, ConfigError> {
        let Some(options) = Options::new(config)? else { return Ok(Self::default()) };
        let batch_size = |value: &Value| match value.as_str() {
            Some("auto") => Some(DEFAULT_SFT_BATCH_SIZE),
            _ => whole_number(value).filter(|size| (1..=MAX_SFT_BATCH_SIZE).contains(size)),
        };
        let batch_size = options.read("batch_size", "a whole number from 1 to 1000000, or \"auto\"", batch_size)?;
        let expected = "a number, or a list of numbers, none of them negative or above 3.4e38";
        let rate = |value: &Value| {
            let number = value.as_f64().filter(|number| (0.0..=MAX_LEARNING_RATE).contains(number));
            number.ok_or_else(|| ConfigError::invalid("learning_rate", expected, value))
        };
        let learning_rate = match options.get("learning_rate") {
            None => LearningRates::Constant(DEFAULT_SFT_LEARNING_RATE),
            Some(Value::Array(values)) => {
                LearningRates::PerBatch(values.iter().map(rate).collect::<Result<_, ConfigError>>()?)
            }
            Some(value) => LearningRates::Constant(rate(value)?),
        };
        let split = options.number("validation_split", 0.0..=MAX_VALIDATION_SPLIT, "a number from 0 to 0.5")?;
        let epochs = options.whole("epochs", 1..=MAX_SFT_EPOCHS, "a whole number from 1 to 1000")?;
        Ok(Self {
            batch_size: batch_size.unwrap_or(DEFAULT_SFT_BATCH_SIZE),
            epochs: epochs.unwrap_or(1),
            learning_rate,
            assistant_turns: options.word("assistant_turns")?.unwrap_or_default(),
            overlong_rows: options.word("overlong_rows")?.unwrap_or_default(),
            max_sequence_length: options.whole("max_sequence_length", 1..=usize::MAX, "a whole number from 1")?,
            validation_split: split.filter(|split| *split > 0.0),
            validation_every: options.whole("validation_every", 1..=usize::MAX, "a whole number from 1")?,
            metric_logging: MetricLogging::from_wire(options.get("metric_logging"))?,
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(config: Value) -> Result<SftConfig, ConfigError> {
        SftConfig::from_wire(Some(&config))
    }

    #[test]
    fn supervised_options() {
        assert_eq!(SftConfig::from_wire(None), Ok(SftConfig::default()));
        assert_eq!(
            read(json!({"batch_size": "auto", "learning_rate": null, "metric_logging": {}})),
            Ok(SftConfig::default())
        );
        assert_eq!(read(json!({"batch_size": 7})).unwrap().batch_size, 7);
        for bad in [json!(0), json!(-2), json!("many"), json!(1.5), json!(1e300), json!(true)] {
            assert!(read(json!({"batch_size": bad})).is_err(), "{bad}");
        }
        for bad in [json!("fast"), json!(["a"]), json!([1e-4, -1.0]), json!({}), json!(1e300), json!([1e-4, 1e39])] {
            let error = read(json!({"learning_rate": bad})).unwrap_err().to_string();
            assert!(error.contains("`learning_rate`"), "{bad}: {error}");
        }
        assert_eq!(read(json!({"learning_rate": 3e38})).unwrap().learning_rate, LearningRates::Constant(3e38));
    }

    #[test]
    fn every_option_is_read_and_null_or_neutral_values_are_the_defaults() {
        let given = json!({"assistant_turns": "last", "overlong_rows": "truncate", "max_sequence_length": 64.0,
            "validation_split": 0.25, "validation_every": 3, "later_option": [], "epochs": 4,
            "metric_logging": {"enabled": true, "every": 5, "target_training_step": 2, "later_option": 1}});
        let expected = SftConfig {
            assistant_turns: AssistantTurns::Last,
            overlong_rows: OverlongRows::Truncate,
            max_sequence_length: Some(64),
            validation_split: Some(0.25),
            validation_every: Some(3),
            epochs: 4,
            metric_logging: MetricLogging { enabled: true, every: 5 },
            ..SftConfig::default()
        };
        assert_eq!(read(given), Ok(expected));
        let neutral = json!({"assistant_turns": "all", "overlong_rows": "drop", "validation_split": 0,
            "metric_logging": {"enabled": null, "every": null}});
        assert_eq!(read(neutral), Ok(SftConfig::default()));
        let names = ["batch_size", "learning_rate", "assistant_turns", "overlong_rows", "max_sequence_length"];
        let nulls = names.iter().chain(&["validation_split", "validation_every", "metric_logging", "epochs"]);
        assert_eq!(read(nulls.map(|name| ((*name).to_owned(), Value::Null)).collect()), Ok(SftConfig::default()));
    }

    #[test]
    fn other_values_are_rejected_by_name() {
        for (option, value) in [
            ("assistant_turns", json!("first")),
            ("assistant_turns", json!(1)),
            ("overlong_rows", json!("split")),
            ("max_sequence_length", json!(0)),
            ("max_sequence_length", json!(1.5)),
            ("validation_split", json!(0.51)),
            ("validation_split", json!(-0.1)),
            ("validation_split", json!("half")),
            ("validation_every", json!(0)),
            ("epochs", json!(0)),
            ("epochs", json!(1001)),
            ("epochs", json!("auto")),
            ("metric_logging", json!(true)),
            ("metric_logging", json!({"enabled": "yes"})),
            ("metric_logging", json!({"every": 0})),
        ] {
            let error = read(json!({option: value})).expect_err(option).to_string();
            assert!(error.starts_with(&format!("`{option}` must be ")), "{error}");
        }
    }

    #[test]
    fn details_come_first_last_and_every_so_often() {
        let reported = |logging: MetricLogging, total| {
            (0..total).filter(|index| logging.reports_details(*index, total)).collect::<Vec<_>>()
        };
        assert_eq!(reported(MetricLogging::default(), 4), [0, 1, 2, 3]);
        assert_eq!(reported(MetricLogging { enabled: true, every: 3 }, 8), [0, 3, 6, 7]);
        assert_eq!(reported(MetricLogging { enabled: false, every: 3 }, 8), [0; 0]);
    }

    #[test]
    fn a_list_of_learning_rates_covers_every_batch() {
        let rates = LearningRates::PerBatch(vec![1.0, 2.0, 3.0]);
        assert_eq!([rates.check(2), rates.check(3)], [Ok(()), Ok(())]);
        assert_eq!(rates.check(4), Err(ConfigError::TooFewLearningRates { given: 3, batches: 4 }));
        assert_eq!([rates.at(0), rates.at(2)], [1.0, 3.0]);
        let constant = LearningRates::Constant(0.5);
        assert_eq!((constant.check(1_000_000), constant.at(999_999)), (Ok(()), 0.5));
    }
}
