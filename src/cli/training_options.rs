//! Common training options as flags; other options are given with `--config`.
//!
//! Each field has the name of its option in the OpenAPI document; the tests below check this.

use std::path::Path;

use clap::Args;
use serde::Serialize;
use serde_json::{Map, Value};

use super::CommandError;
use crate::client::types::{AssistantTurns, ImportanceSamplingLevel, KlPenaltySource, LossFunction, OverlongRows};

/// Common options of an SFT job.
#[derive(Args, Serialize)]
#[command(next_help_heading = "Training")]
pub(super) struct SftFlags {
    /// Learning rate of AdamW [default: 0.00005].
    #[arg(long, value_name = "RATE", value_parser = number, allow_negative_numbers = true)]
    learning_rate: Option<f64>,
    /// Number of passes over the data [default: 1].
    #[arg(long, value_name = "N")]
    epochs: Option<u32>,
    /// Conversations per optimizer step: a number, or auto for the service's choice [default: auto].
    #[arg(long, value_name = "N", value_parser = batch_size)]
    batch_size: Option<Value>,
    /// Token limit of a conversation [default: the model's context].
    #[arg(long, value_name = "TOKENS")]
    max_sequence_length: Option<u64>,
    /// Handling of conversations over the token limit: drop or truncate [default: drop].
    #[arg(long, value_name = "ACTION")]
    overlong_rows: Option<OverlongRows>,
    /// Assistant turns to train: all or last [default: all].
    #[arg(long, value_name = "TURNS")]
    assistant_turns: Option<AssistantTurns>,
    /// Share of the conversations used for validation instead of training [default: 0].
    #[arg(long, value_name = "SHARE", value_parser = number, allow_negative_numbers = true)]
    validation_split: Option<f64>,
    /// Optimizer steps between validations [default: about ten validations in a job].
    #[arg(long, value_name = "STEPS")]
    validation_every: Option<u64>,
}

/// Common options of an RL job.
#[derive(Args, Serialize)]
#[command(next_help_heading = "Training")]
pub(super) struct RlFlags {
    /// Learning rate of AdamW [default: 0.000005].
    #[arg(long, value_name = "RATE", value_parser = number, allow_negative_numbers = true)]
    learning_rate: Option<f64>,
    /// Objective: cispo or ppo [default: cispo].
    #[arg(long, value_name = "NAME")]
    loss_fn: Option<LossFunction>,
    /// Clip the importance ratio below at 1 minus this [default: 1 with cispo, 0.2 with ppo].
    #[arg(long, value_name = "NUMBER", value_parser = number, allow_negative_numbers = true)]
    epsilon: Option<f64>,
    /// Clip the importance ratio above at 1 plus this [default: 4 with cispo, that of --epsilon with ppo].
    #[arg(long, value_name = "NUMBER", value_parser = number, allow_negative_numbers = true)]
    epsilon_high: Option<f64>,
    /// Level of the importance ratio: token, sequence, average or geometric_average [default: token].
    #[arg(long, value_name = "LEVEL")]
    importance_sampling_level: Option<ImportanceSamplingLevel>,
    /// Coefficient of the KL penalty for deviating from the base model [default: 0].
    #[arg(long = "kl-penalty", alias = "kl-penalty-coef", value_name = "COEFFICIENT", value_parser = number, allow_negative_numbers = true)]
    kl_penalty_coef: Option<f64>,
    /// Step of the model to use as reference of the KL penalty, instead of the base model.
    #[arg(long = "kl-reference-step", alias = "kl-penalty-reference-step", value_name = "STEP")]
    kl_penalty_reference_step: Option<u32>,
    /// Logprobs that the KL penalty compares: current_learner or sample [default: current_learner].
    #[arg(long, value_name = "SOURCE")]
    kl_penalty_source: Option<KlPenaltySource>,
    /// Pack sequences into rows of at most this many tokens, one optimizer step per row [default: no packing].
    #[arg(long, value_name = "TOKENS")]
    packed_sequence_length: Option<u32>,
    /// Divide advantages by the standard deviation of their group's rewards [default: true].
    #[arg(long, value_name = "BOOLEAN")]
    scale_rewards: Option<bool>,
    /// Also train answers without logprobs, such as answers written by people [default: false].
    #[arg(long, value_name = "BOOLEAN", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    allow_training_without_logprobs: Option<bool>,
    /// Recompute the old logprobs with the initial weights of the job [default: false].
    #[arg(long, value_name = "BOOLEAN", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    precalculate_logprobs: Option<bool>,
}

/// Merges the options of flags and `--config`; null if there are none.
pub(super) fn merged(flags: &impl Serialize, config: Option<&Map<String, Value>>) -> Result<Value, CommandError> {
    let mut all = config.cloned().unwrap_or_default();
    let Value::Object(flags) = serde_json::to_value(flags)? else { return Ok(Value::Null) };
    for (name, value) in flags.into_iter().filter(|(_, value)| !value.is_null()) {
        match all.get(&name) {
            Some(other) if !other.is_null() && !is_same(other, &value) => {
                return Err(format!("{name} is {value} by its flag and {other} in --config; give one of them").into());
            }
            _ => all.insert(name, value),
        };
    }
    Ok(if all.is_empty() { Value::Null } else { Value::Object(all) })
}

/// Returns whether two values are equal; 1 equals 1.0.
fn is_same(one: &Value, other: &Value) -> bool {
    one == other || (one.is_number() && one.as_f64() == other.as_f64())
}

/// Parses the value of `--config`: JSON, or the path of a file with it, optionally prefixed with `@`.
pub(super) fn config(given: &str) -> Result<Map<String, Value>, String> {
    let path = given.strip_prefix('@').or_else(|| Path::new(given).is_file().then_some(given));
    let text = match path {
        Some(path) => std::fs::read_to_string(path).map_err(|error| format!("cannot read {path}: {error}"))?,
        None => given.to_owned(),
    };
    match serde_json::from_str(&text) {
        Ok(Value::Object(options)) => Ok(options),
        Ok(_) => Err("it is no JSON object, such as {\"learning_rate\": 0.0001}".to_owned()),
        Err(error) => Err(format!("it is neither JSON ({error}) nor the path of a file with it")),
    }
}

/// Parses a finite number; JSON supports no others.
pub(super) fn number(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|number: &f64| number.is_finite()).ok_or_else(|| "it is no number".to_owned())
}

fn batch_size(text: &str) -> Result<Value, String> {
    match text {
        "auto" => Ok(text.into()),
        number => number.parse::<u64>().map(Value::from).map_err(|_| "use a whole number, or auto".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use clap::{Command, FromArgMatches};
    use serde_json::json;

    use super::*;

    /// Returns the values of an option that the document lists, or samples of its type.
    fn samples(document: &Value, schema: &Value) -> Vec<Value> {
        if let Some(reference) = schema["$ref"].as_str() {
            let name = reference.rsplit('/').next().expect("a name");
            return samples(document, &document["components"]["schemas"][name]);
        }
        if let Some(parts) = schema["allOf"].as_array().or(schema["oneOf"].as_array()) {
            return parts.iter().flat_map(|part| samples(document, part)).collect();
        }
        if let Some(values) = schema["enum"].as_array() {
            return values.clone();
        }
        match schema["type"].as_str() {
            Some("boolean") => vec![json!(true), json!(false)],
            Some("integer") => vec![json!(2), schema["example"].clone()],
            Some("number") => vec![json!(0.5), schema["example"].clone()],
            _ => vec![],
        }
    }

    /// Checks the flags of a type against a schema of the document: every flag accepts every value that the schema
    /// lists, serialises it as the same JSON, and mentions it in its help.
    fn hold<F: Args + FromArgMatches + Serialize>(schema: &str) {
        let document: Value = serde_json::from_str(crate::generated::OPENAPI_JSON).expect("JSON");
        let properties = &document["components"]["schemas"][schema]["properties"];
        let command = F::augment_args(Command::new("test"));
        for flag in command.get_arguments() {
            let (option, long) = (flag.get_id().as_str(), flag.get_long().expect("a name"));
            let samples = samples(&document, &properties[option]);
            assert!(!samples.is_empty(), "{schema} has no {option}");
            for sample in samples.into_iter().filter(|sample| !sample.is_null()) {
                let text = sample.as_str().map_or_else(|| sample.to_string(), str::to_owned);
                let matches = command.clone().try_get_matches_from(["test", &format!("--{long}={text}")]);
                let flags = F::from_arg_matches(&matches.expect("the value is taken")).expect("flags");
                let written = merged(&flags, None).expect("no contradiction");
                assert_eq!(written.as_object().map(Map::len), Some(1), "{written}");
                assert!(is_same(&written[option], &sample), "--{long} {text}: {written}");
                let help = flag.get_help().expect("a help").to_string();
                assert!(!sample.is_string() || help.contains(&text), "--{long} does not tell of {text}: {help}");
            }
            let wrong = command.clone().try_get_matches_from(["test", &format!("--{long}=wrong")]);
            assert!(wrong.is_err(), "--{long} takes anything");
        }
    }

    #[test]
    fn every_flag_is_an_option_of_the_document() {
        hold::<SftFlags>("SftTrainingConfig");
        hold::<RlFlags>("ExperimentalTrainingConfig");
    }

    fn sft(arguments: &[&str]) -> SftFlags {
        let command = SftFlags::augment_args(Command::new("sft"));
        let matches = command.get_matches_from([&["sft"][..], arguments].concat());
        SftFlags::from_arg_matches(&matches).expect("flags")
    }

    #[test]
    fn flags_and_config_make_one_object_unless_they_contradict() {
        assert_eq!(merged(&sft(&[]), None).expect("fine"), Value::Null);
        let given = config(r#"{"batch_size": 2, "metric_logging": null, "learning_rate": null}"#).expect("JSON");
        let both = merged(&sft(&["--learning-rate", "1", "--batch-size", "2"]), Some(&given)).expect("fine");
        assert_eq!(both, json!({ "batch_size": 2, "metric_logging": null, "learning_rate": 1.0 }));
        let error = merged(&sft(&["--batch-size", "auto"]), Some(&given)).expect_err("refused").to_string();
        assert_eq!(error, "batch_size is \"auto\" by its flag and 2 in --config; give one of them");
    }

    #[test]
    fn a_config_is_json_or_a_file_with_it() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let path = directory.path().join("options.json");
        std::fs::write(&path, r#"{"batch_size": 4}"#).expect("writable");
        let path = path.display().to_string();
        for given in [path.clone(), format!("@{path}"), r#"{"batch_size": 4}"#.to_owned()] {
            assert_eq!(config(&given).expect("an object")["batch_size"], 4, "{given}");
        }
        assert!(config("[]").expect_err("refused").contains("no JSON object"));
        assert!(config("@/nowhere.json").expect_err("refused").contains("cannot read /nowhere.json"));
        assert!(config("nowhere.json").expect_err("refused").contains("nor the path of a file"));
    }
}
