//! Compares whole jobs of 20 steps with PyTorch and PEFT, starting from the adapter of a new model.

use std::collections::HashMap;
use std::ops::ControlFlow;

use serde_json::{Value, json};

use super::{Cases, new_adapter, sft_cases, tensors, text};
use crate::config::{RlConfig, SftConfig};
use crate::rl::tests::prepare_rl;
use crate::run::{GradientStep, run_rl};
use crate::trajectory::TrajectoryGroup;
use trainyard_engine::{Adapter, ModelConfig, TrainSession};

/// Maximum relative difference of a step's loss and of its gradient norm.
const STEP_TOLERANCE: f64 = 1e-4;
/// Maximum difference of the trained adapter, relative to its change in training.
const ADAPTER_TOLERANCE: f64 = 1e-3;
/// Environment variable with the output path of this run's curves, for `plot_curves.py`.
const CURVES: &str = "TRAINING_CURVES";

/// Runs a recorded job on a new model's adapter.
fn run(cases: &Cases, job: &Value, session: &mut TrainSession) -> Vec<GradientStep> {
    let (model, name) = (cases.tiny.model(), text(&job["name"]));
    let Some(groups) = job.get("groups") else {
        let config = SftConfig::from_wire(Some(&job["config"])).expect(name);
        return sft_cases::run(session, &config, &sft_cases::data_set(&job["rows"]), &model).expect(name);
    };
    let config = RlConfig::from_wire(Some(&job["config"])).expect(name);
    let groups: Vec<TrajectoryGroup> = serde_json::from_value(groups.clone()).expect(name);
    let mut prepared = prepare_rl(&groups, &config, &model, 1024);
    let mut steps = Vec::new();
    let mut on_step = |_: &mut TrainSession, step| {
        steps.push(step);
        ControlFlow::Continue(())
    };
    run_rl(session, &mut prepared, 0, &mut on_step).expect(name);
    steps
}

/// Returns all factors as one list, in the order of their names.
fn flat(adapter: &Adapter, config: &ModelConfig) -> Vec<f64> {
    let mut named: Vec<_> = tensors(&adapter.to_peft("", config).adapter_model_safetensors).into_iter().collect();
    named.sort_by(|left, right| left.0.cmp(&right.0));
    named.into_iter().flat_map(|(_, values)| values).map(f64::from).collect()
}

fn distance(left: &[f64], right: &[f64]) -> f64 {
    assert_eq!(left.len(), right.len());
    left.iter().zip(right).map(|(left, right)| (left - right).powi(2)).sum::<f64>().sqrt()
}

#[test]
fn jobs_of_twenty_steps_end_where_pytorch_does() {
    let cases = Cases::load();
    let jobs: Vec<Value> =
        serde_json::from_str(include_str!("../../../../../tests/golden/training/jobs.json")).expect("jobs are JSON");
    let adapters: HashMap<String, Vec<f32>> =
        tensors(include_bytes!("../../../../../tests/golden/training/adapters.safetensors"));
    assert_eq!(jobs.len(), 4);
    let mut failures = Vec::new();
    let mut curves = serde_json::Map::new();
    for job in &jobs {
        let name = text(&job["name"]);
        let base = cases.models[text(&job["model"])].clone();
        let initial = new_adapter(&base);
        let mut session = cases.start(&base, initial.clone());
        let steps = run(&cases, job, &mut session);

        assert_eq!(steps.len(), 20, "{name}");
        let mut largest = [0.0f64; 2];
        for (index, step) in steps.iter().enumerate() {
            for (which, (metric, key)) in
                [("loss/train", "losses"), ("loss/grad_norm", "grad_norms")].iter().enumerate()
            {
                let (found, expected) = (step.metrics[*metric], job[*key][index].as_f64().expect("a number"));
                let difference = (found / expected - 1.0).abs();
                largest[which] = largest[which].max(difference);
                if difference.is_nan() || difference > STEP_TOLERANCE {
                    failures.push(format!("{name}: {metric} of step {index} is {found}, not {expected}"));
                }
            }
        }
        let (start, end) = (flat(&initial, &base.config), flat(session.adapter(), &base.config));
        let expected: Vec<f64> = adapters[name].iter().map(|value| f64::from(*value)).collect();
        let change = distance(&expected, &start);
        let difference = distance(&end, &expected) / change;
        println!(
            "{name}: losses differ by {:.1e}, norms by {:.1e}, the adapter by {difference:.1e} of its change, {change:.2}",
            largest[0], largest[1]
        );
        if difference.is_nan() || difference > ADAPTER_TOLERANCE {
            failures.push(format!("{name}: the adapter differs by {difference:e} of what training changed"));
        }
        let curve = |metric: &str| steps.iter().map(|step| step.metrics[metric]).collect::<Vec<_>>();
        curves.insert(name.to_owned(), json!({"losses": curve("loss/train"), "adapter_difference": difference}));
    }
    if let Some(path) = std::env::var_os(CURVES) {
        std::fs::write(path, Value::Object(curves).to_string()).expect("the curves can be written");
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
