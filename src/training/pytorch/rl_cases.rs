//! Reinforcement learning, for every option: from a request's JSON to tokens, advantages, losses, the terms of each
//! token, and LoRA gradients.

use std::ops::ControlFlow;

use serde_json::Value;

use super::{Cases, Comparison, Frozen, number, read, text};
use crate::training::config::RlConfig;
use crate::training::loss::{LossTokens, loss};
use crate::training::rl::{PreparedRl, prepare_rl};
use crate::training::run::run_rl;
use crate::training::trajectory::TrajectoryGroup;

/// The case's job, from the JSON of a request.
fn prepare(cases: &Cases, case: &Value) -> Result<PreparedRl, String> {
    let config = RlConfig::from_wire(Some(&case["config"])).map_err(|error| error.to_string())?;
    let groups = &cases.document["groups"][text(&case["groups"])];
    let groups: Vec<TrajectoryGroup> = serde_json::from_value(groups.clone()).map_err(|error| error.to_string())?;
    prepare_rl(&groups, &config, &cases.tiny.model(), 1024).map_err(|error| error.to_string())
}

/// The loss of each trained token of a step before weighting: the step's loss with all weight on that token.
fn token_losses(job: &PreparedRl, rows: &[usize], new: &[f32]) -> Vec<f32> {
    let (mut sampled, mut old, mut advantages, mut sequences) = (vec![], vec![], vec![], vec![]);
    for &index in rows {
        let row = &job.rows[index];
        let of_row: Vec<f32> =
            row.mask.iter().zip(&row.logprobs).filter(|(mask, _)| **mask).map(|(_, old)| *old).collect();
        advantages.resize(advantages.len() + of_row.len(), row.advantage);
        sequences.resize(sequences.len() + of_row.len(), index);
        old.extend(job.recomputed_logprobs.as_ref().map_or(&of_row, |recomputed| &recomputed[index]));
        sampled.extend(of_row);
    }
    let count = new.len();
    let of_token = |token: usize| {
        let mut weights = vec![0.0; count];
        weights[token] = count as f64 + 1e-6;
        let tokens = LossTokens {
            new,
            old: &old,
            original: job.recomputed_logprobs.as_ref().map(|_| sampled.as_slice()),
            reference: None,
            advantages: &advantages,
            weights: &weights,
            sequences: &sequences,
            entropies: &vec![0.0; count],
        };
        loss(&tokens, &job.config.loss).value as f32
    };
    (0..count).map(of_token).collect()
}

/// Everything of a case against its recording.
fn compare(cases: &Cases, case: &Value, comparison: &mut Comparison) -> Result<(), String> {
    let mut job = prepare(cases, case)?;
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
    let mut learner = Frozen::new(cases.session(case, "adapter"));
    let mut metrics = Vec::new();
    run_rl(&mut learner, &mut job, 0, &mut |_, step| {
        metrics.push(step.metrics);
        ControlFlow::Continue(())
    })
    .map_err(|error| error.to_string())?;

    let steps = case["steps"].as_array().expect("steps");
    comparison.same("the number of steps", &learner.steps.len(), &steps.len());
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
        let rows: Vec<usize> = read(&expected["sequences"]);
        if rows.iter().all(|row| *row < job.rows.len()) {
            let found = token_losses(&job, &rows, &step.logprobs);
            comparison.all_close("token loss", &place, &found, &expected_numbers("token_loss"));
        }
    }
    cases.compare_gradients(&learner.steps, comparison);
    Ok(())
}

#[test]
fn every_option_equals_the_formulas_in_pytorch() {
    let compared = Cases::load().compare_all("cases", compare);
    assert!(compared >= 30);
}
