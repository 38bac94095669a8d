//! Whole jobs on the real engine against recordings of PyTorch (`tests/golden/training`): from the request's JSON to
//! tokens, advantages, losses, the terms of each token, and LoRA gradients, for every option.

use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;
use std::sync::Arc;

use serde_json::Value;

use super::config::RlConfig;
use super::golden::Tiny;
use super::learner::{Learner, LearnerError, OptimizerSettings, TokenScores};
use super::rl::{PreparedRl, prepare_rl};
use super::run::run_rl;
use super::trajectory::TrajectoryGroup;
use crate::engine::tests::families::{adapter_files, values};
use crate::engine::tests::{safetensors_file, tensor_shapes};
use crate::engine::{
    AdamState, Adapter, BaseModel, ComputePool, ModelConfig, SequenceInput, TrainSession, WeightFormat,
};

/// Largest relative difference from the reference, which is computed in f64.
const TOLERANCE: f64 = 1e-5;

/// A model whose weights follow from their names.
pub(super) fn model(name: &str, config: &Value, pool: &ComputePool) -> Arc<BaseModel> {
    let json = config.to_string();
    let shapes = tensor_shapes(&ModelConfig::from_json(&json).expect("a configuration"));
    let tensors: Vec<_> = shapes
        .into_iter()
        .map(|(tensor, shape)| {
            let weights = values(&format!("training-{name}/{tensor}"), shape.iter().product());
            (tensor, shape, weights)
        })
        .collect();
    let file = safetensors_file(&tensors);
    BaseModel::load(&json, &[("model.safetensors", &file)], WeightFormat::F32, pool).expect("a model")
}

/// An adapter whose factors follow from their names.
pub(super) fn adapter(label: &str, base: &BaseModel, rank: usize, alpha: f32) -> Adapter {
    let files = adapter_files(label, &base.config, rank, alpha, 0.25);
    Adapter::from_peft(&base.config, &files.adapter_config_json, &files.adapter_model_safetensors).expect("an adapter")
}

/// One call of [`Learner::accumulate`] and the step after it.
struct Recorded {
    logprobs: Vec<f32>,
    by_logprob: Vec<f32>,
    settings: OptimizerSettings,
    gradients: Vec<(String, Vec<f32>)>,
}

/// A training session whose steps are recorded, but not made: every one is taken from the same weights.
struct Frozen {
    session: TrainSession,
    logprobs: Vec<f32>,
    by_logprob: Vec<f32>,
    steps: Vec<Recorded>,
}

impl Learner for Frozen {
    fn score(&mut self, sequences: &[SequenceInput<'_>]) -> Result<Vec<TokenScores>, LearnerError> {
        Learner::score(&mut self.session, sequences)
    }

    fn accumulate(
        &mut self,
        sequences: &[SequenceInput<'_>],
        gradient: &mut dyn FnMut(&[TokenScores]) -> Vec<Vec<f32>>,
    ) -> Result<Vec<TokenScores>, LearnerError> {
        let mut by_logprob = Vec::new();
        let scores = self.session.accumulate(sequences, &mut |scores| {
            let gradient = gradient(scores);
            by_logprob = gradient.concat();
            gradient
        })?;
        self.by_logprob.extend(by_logprob);
        self.logprobs.extend(scores.iter().flat_map(|scores| &scores.logprobs));
        Ok(scores)
    }

    fn step(&mut self, settings: &OptimizerSettings) -> Result<f64, LearnerError> {
        self.steps.push(Recorded {
            logprobs: std::mem::take(&mut self.logprobs),
            by_logprob: std::mem::take(&mut self.by_logprob),
            settings: *settings,
            gradients: self.session.gradients(),
        });
        Learner::step(&mut self.session, &OptimizerSettings { learning_rate: 0.0, ..*settings })
    }
}

/// The recorded cases and what they share.
struct Golden {
    document: Value,
    gradients: HashMap<String, Vec<f32>>,
    models: HashMap<String, Arc<BaseModel>>,
    pool: Arc<ComputePool>,
    tiny: Tiny,
}

impl Golden {
    fn load() -> Self {
        let document: Value =
            serde_json::from_str(include_str!("../../tests/golden/training/cases.json")).expect("cases are JSON");
        let pool = ComputePool::new(2);
        let models = document["models"].as_object().expect("models");
        let models = models.iter().map(|(name, config)| (name.clone(), model(name, config, &pool))).collect();
        Self {
            gradients: tensors(include_bytes!("../../tests/golden/training/gradients.safetensors")),
            models,
            pool,
            tiny: Tiny::new(),
            document,
        }
    }

    fn adapter(&self, case: &Value, which: &str) -> Adapter {
        let name = text(&case["model"]);
        let (rank, alpha) = (self.document["rank"].as_u64(), self.document["alpha"].as_f64());
        let (rank, alpha) = (rank.expect("a rank") as usize, alpha.expect("alpha") as f32);
        adapter(&format!("training-{name}/{which}"), &self.models[name], rank, alpha)
    }

    fn session(&self, case: &Value, which: &str) -> TrainSession {
        let adapter = self.adapter(case, which);
        let adam = AdamState::new(&adapter);
        TrainSession::new(self.pool.clone(), self.models[text(&case["model"])].clone(), adapter, adam)
    }

    /// The case's job, from the JSON of a request.
    fn job(&self, case: &Value) -> Result<PreparedRl, String> {
        let config = RlConfig::from_wire(Some(&case["config"])).map_err(|error| error.to_string())?;
        let groups = &self.document["groups"][text(&case["groups"])];
        let groups: Vec<TrajectoryGroup> = serde_json::from_value(groups.clone()).map_err(|error| error.to_string())?;
        prepare_rl(&groups, &config, &self.tiny.model(), 1024).map_err(|error| error.to_string())
    }
}

/// The f32 tensors of a safetensors file.
pub(super) fn tensors(bytes: &[u8]) -> HashMap<String, Vec<f32>> {
    let file = safetensors::SafeTensors::deserialize(bytes).expect("a safetensors file");
    let floats = |data: &[u8]| data.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
    file.tensors().into_iter().map(|(name, view)| (name, floats(view.data()))).collect()
}

fn text(value: &Value) -> &str {
    value.as_str().expect("text")
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

fn read<T: serde::de::DeserializeOwned>(value: &Value) -> T {
    serde_json::from_value(value.clone()).expect("cases have this shape")
}

/// The differences of a case from its recording, each with the case and what differs; and the largest of each kind.
#[derive(Default)]
struct Comparison {
    case: String,
    failures: Vec<String>,
    largest: BTreeMap<&'static str, f64>,
}

impl Comparison {
    /// `found` must be `expected` but for a part of `scale`.
    fn close(&mut self, kind: &'static str, place: &str, found: f64, expected: f64, scale: f64) {
        let difference = if found == expected { 0.0 } else { (found - expected).abs() / scale };
        let largest = self.largest.entry(kind).or_default();
        *largest = largest.max(difference);
        // false for NaN too
        if !(difference <= TOLERANCE) {
            self.failures.push(format!("{}: {kind} {place} is {found}, not {expected}", self.case));
        }
    }

    /// Numbers of one kind, each close to the expected one in relation to that.
    fn all_close(&mut self, kind: &'static str, place: &str, found: &[f32], expected: &[f64]) {
        if found.len() != expected.len() {
            let (found, expected) = (found.len(), expected.len());
            self.failures.push(format!("{}: {found} of {kind} {place}, not {expected}", self.case));
            return;
        }
        for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
            self.close(kind, &format!("{place} [{index}]"), f64::from(*found), *expected, expected.abs());
        }
    }

    fn same<T: PartialEq + std::fmt::Debug>(&mut self, what: &str, found: &T, expected: &T) {
        if found != expected {
            self.failures.push(format!("{}: {what} is {found:?}, not {expected:?}", self.case));
        }
    }

    /// A tensor whose difference from the expected one is small beside it.
    fn tensor(&mut self, name: &str, found: &[f64], expected: &[f32]) {
        let norm = |values: &mut dyn Iterator<Item = f64>| values.map(|value| value * value).sum::<f64>().sqrt();
        let length = norm(&mut expected.iter().map(|value| f64::from(*value)));
        let difference = norm(&mut found.iter().zip(expected).map(|(found, expected)| found - f64::from(*expected)));
        self.same(&format!("the size of {name}"), &found.len(), &expected.len());
        self.close("gradient", name, length + difference, length, length);
    }
}

/// Everything of a case against its recording.
fn compare(golden: &Golden, case: &Value, comparison: &mut Comparison) -> Result<(), String> {
    let mut job = golden.job(case)?;
    let sequences = case["sequences"].as_array().expect("sequences");
    comparison.same("the number of sequences", &job.rows.len(), &sequences.len());
    for (index, (row, expected)) in job.rows.iter().zip(sequences).enumerate() {
        let place = format!("of sequence {index}");
        comparison.same(&format!("the tokens {place}"), &row.tokens, &read(&expected["tokens"]));
        let trained: Vec<usize> = row.mask.iter().enumerate().filter(|(_, mask)| **mask).map(|(t, _)| t).collect();
        comparison.same(&format!("the trained places {place}"), &trained, &read(&expected["trained"]));
        for (kind, found) in [("advantage", row.advantage), ("weight", row.weight)] {
            let expected = number(&expected[kind]);
            comparison.close(kind, &place, found, expected, expected.abs());
        }
    }
    let session = golden.session(case, "adapter");
    let mut learner = Frozen { session, logprobs: vec![], by_logprob: vec![], steps: vec![] };
    let mut metrics = Vec::new();
    run_rl(&mut learner, &mut job, 0, &mut |_, step| {
        metrics.push(step.metrics);
        ControlFlow::Continue(())
    })
    .map_err(|error| error.to_string())?;

    let steps = case["steps"].as_array().expect("steps");
    comparison.same("the number of steps", &learner.steps.len(), &steps.len());
    let mut sums: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for (index, (step, expected)) in learner.steps.iter().zip(steps).enumerate() {
        let place = format!("of step {index}");
        let expected_numbers = |key: &str| read::<Vec<f64>>(&expected[key]);
        comparison.all_close("log-probability", &place, &step.logprobs, &expected_numbers("new"));
        comparison.all_close("derivative", &place, &step.by_logprob, &expected_numbers("by_logprob"));
        let rate = number(&expected["learning_rate"]);
        comparison.close("learning rate", &place, step.settings.learning_rate, rate, rate);
        let named = [("loss/train", "loss"), ("loss/entropy", "entropy"), ("loss/grad_norm", "grad_norm")];
        for (name, key) in named.into_iter().chain([("loss/kl_policy_ref", "kl")]) {
            match (metrics[index].get(name), expected[key].as_f64()) {
                (Some(found), Some(expected)) => comparison.close(name, &place, *found, expected, expected.abs()),
                (found, expected) => comparison.same(&format!("{name} {place}"), &found.copied(), &expected),
            }
        }
        for (name, gradient) in &step.gradients {
            let sum = sums.entry(name).or_insert_with(|| vec![0.0; gradient.len()]);
            sum.iter_mut().zip(gradient).for_each(|(sum, value)| *sum += f64::from(*value));
        }
    }
    // recorded as one list, in the order of the names
    let mut recorded = golden.gradients[&comparison.case].as_slice();
    for (name, found) in &sums {
        let (expected, rest) = recorded.split_at(found.len());
        comparison.tensor(name, found, expected);
        recorded = rest;
    }
    comparison.same("what is left of the recorded gradients", &recorded.len(), &0);
    Ok(())
}

#[test]
fn every_option_equals_the_formulas_in_pytorch() {
    let golden = Golden::load();
    let cases = golden.document["cases"].as_array().expect("cases");
    assert!(cases.len() >= 30);
    let mut failures = Vec::new();
    let mut largest: BTreeMap<&str, f64> = BTreeMap::new();
    for case in cases {
        let mut comparison = Comparison { case: text(&case["name"]).to_owned(), ..Comparison::default() };
        if let Err(error) = compare(&golden, case, &mut comparison) {
            failures.push(format!("{}: {error}", comparison.case));
        }
        failures.append(&mut comparison.failures);
        for (kind, difference) in comparison.largest {
            let known = largest.entry(kind).or_default();
            *known = known.max(difference);
        }
    }
    println!("largest relative differences: {largest:?}");
    assert!(failures.is_empty(), "{} differences, such as\n{}", failures.len(), failures[..failures.len().min(40)].join("\n"));
}
