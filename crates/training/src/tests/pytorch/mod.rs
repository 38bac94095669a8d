//! Compares training on the real engine with recordings of PyTorch (`tests/golden/training`).
//!
//! Weights and adapters are not recorded: both sides derive them from the tensors' names.

mod jobs;
mod rl_cases;
mod sft_cases;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use serde_json::Value;

use trainyard_engine::testing::{adapter_files, safetensors_file, tensor_shapes, values};
use trainyard_engine::{
    AdamState, Adapter, BaseModel, ComputePool, LoraOptions, ModelConfig, TrainSession, WeightFormat,
};

use crate::golden::Tiny;
use crate::learner::{Learner, LearnerError, OptimizerSettings, Sequence, TokenScores};

/// Maximum relative difference from the reference, which is computed in f64.
const TOLERANCE: f64 = 1e-5;

/// Returns a model whose weights are derived from their names.
fn model(name: &str, config: &Value, pool: &ComputePool) -> Arc<BaseModel> {
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

/// Returns an adapter whose factors are derived from their names.
fn adapter(label: &str, base: &BaseModel, rank: usize, alpha: f32) -> Adapter {
    let files = adapter_files(label, &base.config, rank, alpha, 0.25);
    Adapter::from_peft(&base.config, &files.adapter_config_json, &files.adapter_model_safetensors).expect("an adapter")
}

/// Returns the initial adapter of a new model.
fn new_adapter(base: &BaseModel) -> Adapter {
    Adapter::new(&base.config, &LoraOptions::default(), 3407)
}

/// One call of [`Learner::accumulate`] and the following step.
struct Recorded {
    logprobs: Vec<f32>,
    by_logprob: Vec<f32>,
    settings: OptimizerSettings,
    gradients: Vec<(String, Vec<f32>)>,
}

/// A training session that records steps without making them: each starts from the same weights.
struct Frozen {
    session: TrainSession,
    logprobs: Vec<f32>,
    by_logprob: Vec<f32>,
    steps: Vec<Recorded>,
}

impl Frozen {
    fn new(session: TrainSession) -> Self {
        Self { session, logprobs: vec![], by_logprob: vec![], steps: vec![] }
    }
}

impl Learner for Frozen {
    fn score(&mut self, sequences: &[Sequence<'_>]) -> Result<Vec<TokenScores>, LearnerError> {
        Learner::score(&mut self.session, sequences)
    }

    fn accumulate(
        &mut self,
        sequences: &[Sequence<'_>],
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

/// The recorded cases and their shared state.
struct Cases {
    document: Value,
    gradients: HashMap<String, Vec<f32>>,
    models: HashMap<String, Arc<BaseModel>>,
    pool: Arc<ComputePool>,
    tiny: Tiny,
}

impl Cases {
    fn load() -> Self {
        let document: Value = serde_json::from_str(include_str!("../../../../../tests/golden/training/cases.json"))
            .expect("cases are JSON");
        let pool = ComputePool::new(2);
        let models = document["models"].as_object().expect("models");
        let models = models.iter().map(|(name, config)| (name.clone(), model(name, config, &pool))).collect();
        Self {
            gradients: tensors(include_bytes!("../../../../../tests/golden/training/gradients.safetensors")),
            models,
            pool,
            tiny: Tiny::new(),
            document,
        }
    }

    /// Returns a session on the case's model that starts from one of its two adapters, `adapter` or `reference`.
    fn session(&self, case: &Value, which: &str) -> TrainSession {
        let name = text(&case["model"]);
        let (rank, alpha) = (number(&self.document["rank"]) as usize, number(&self.document["alpha"]) as f32);
        let base = &self.models[name];
        self.start(base, adapter(&format!("training-{name}/{which}"), base, rank, alpha))
    }

    /// Returns a session on the case's model with an adapter that changes nothing.
    fn untrained_session(&self, case: &Value) -> TrainSession {
        let base = &self.models[text(&case["model"])];
        self.start(base, new_adapter(base))
    }

    fn start(&self, base: &Arc<BaseModel>, adapter: Adapter) -> TrainSession {
        let adam = AdamState::new(&adapter);
        TrainSession::new(self.pool.clone(), base.clone(), adapter, adam)
    }

    /// Runs every case of a list, and fails with all differences.
    fn compare_all(&self, list: &str, compare: impl Fn(&Self, &Value, &mut Comparison) -> Result<(), String>) -> usize {
        let cases = self.document[list].as_array().expect("cases");
        let mut failures = Vec::new();
        let mut largest: BTreeMap<&str, f64> = BTreeMap::new();
        for case in cases {
            let mut comparison = Comparison { case: text(&case["name"]).to_owned(), ..Comparison::default() };
            if let Err(error) = compare(self, case, &mut comparison) {
                failures.push(format!("{}: {error}", comparison.case));
            }
            failures.append(&mut comparison.failures);
            for (kind, difference) in comparison.largest {
                let known = largest.entry(kind).or_default();
                *known = known.max(difference);
            }
        }
        println!("largest relative differences: {largest:?}");
        let shown = failures[..failures.len().min(40)].join("\n");
        assert!(failures.is_empty(), "{} differences, such as\n{shown}", failures.len());
        cases.len()
    }

    /// Compares the sum of the gradients of all steps with the recorded sum.
    fn compare_gradients(&self, steps: &[Recorded], comparison: &mut Comparison) {
        let mut sums: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        for (name, gradient) in steps.iter().flat_map(|step| &step.gradients) {
            let sum = sums.entry(name).or_insert_with(|| vec![0.0; gradient.len()]);
            sum.iter_mut().zip(gradient).for_each(|(sum, value)| *sum += f64::from(*value));
        }
        let recorded = &self.gradients[&comparison.case];
        comparison.same("the size of all gradients", &sums.values().map(Vec::len).sum(), &recorded.len());
        // recorded as one list, in the order of the names
        let mut rest = recorded.as_slice();
        for (name, found) in &sums {
            let (expected, others) = rest.split_at(found.len().min(rest.len()));
            comparison.tensor(name, found, expected);
            rest = others;
        }
    }
}

/// Returns the f32 tensors of a safetensors file.
fn tensors(bytes: &[u8]) -> HashMap<String, Vec<f32>> {
    let file = safetensors::SafeTensors::deserialize(bytes).expect("a safetensors file");
    let floats = |data: &[u8]| data.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
    file.tensors().into_iter().map(|(name, view)| (name, floats(view.data()))).collect()
}

/// Returns the positions that a mask marks.
fn positions(mask: &[bool]) -> Vec<usize> {
    mask.iter().enumerate().filter(|(_, set)| **set).map(|(position, _)| position).collect()
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

/// Differences between a case and its recording, with the case and the kind; and the largest of each kind.
#[derive(Default)]
struct Comparison {
    case: String,
    failures: Vec<String>,
    largest: BTreeMap<&'static str, f64>,
}

impl Comparison {
    /// Checks that `found` equals `expected` up to a fraction of `scale`.
    fn close(&mut self, kind: &'static str, at: &str, found: f64, expected: f64, scale: f64) {
        let difference = if found == expected { 0.0 } else { (found - expected).abs() / scale };
        let largest = self.largest.entry(kind).or_default();
        *largest = largest.max(difference);
        if difference.is_nan() || difference > TOLERANCE {
            self.failures.push(format!("{}: {kind} {at} is {found}, not {expected}", self.case));
        }
    }

    /// Checks numbers of one kind, each relative to its expected value.
    fn all_close(&mut self, kind: &'static str, at: &str, found: &[f32], expected: &[f64]) {
        if found.len() != expected.len() {
            let (found, expected) = (found.len(), expected.len());
            self.failures.push(format!("{}: {found} of {kind} {at}, not {expected}", self.case));
            return;
        }
        for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
            self.close(kind, &format!("{at} [{index}]"), f64::from(*found), *expected, expected.abs());
        }
    }

    fn same<T: PartialEq + std::fmt::Debug>(&mut self, what: &str, found: &T, expected: &T) {
        if found != expected {
            self.failures.push(format!("{}: {what} is {found:?}, not {expected:?}", self.case));
        }
    }

    /// Checks the metrics of a step: the same names, and values close relative to `scale`. `scale` returns the size of
    /// a metric's terms if they are larger than the metric itself.
    fn metrics(&mut self, at: &str, found: &BTreeMap<String, f64>, expected: &Value, scale: impl Fn(&str) -> f64) {
        let expected: BTreeMap<String, f64> = read(expected);
        let names = |metrics: &BTreeMap<String, f64>| metrics.keys().cloned().collect::<Vec<_>>();
        self.same(&format!("the metrics {at}"), &names(found), &names(&expected));
        for (name, found) in found {
            let expected = expected.get(name).copied().unwrap_or(f64::NAN);
            self.close("metric", &format!("{name} {at}"), *found, expected, expected.abs().max(scale(name)));
        }
    }

    /// Checks that a tensor's difference from the expected one is small relative to it.
    fn tensor(&mut self, name: &str, found: &[f64], expected: &[f32]) {
        let norm = |values: &mut dyn Iterator<Item = f64>| values.map(|value| value * value).sum::<f64>().sqrt();
        let length = norm(&mut expected.iter().map(|value| f64::from(*value)));
        let difference = norm(&mut found.iter().zip(expected).map(|(found, expected)| found - f64::from(*expected)));
        self.same(&format!("the size of {name}"), &found.len(), &expected.len());
        self.close("gradient", name, length + difference, length, length);
    }
}
