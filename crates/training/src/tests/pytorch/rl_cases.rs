//! Checks reinforcement learning for every option: from a request's JSON to tokens, advantages, losses, the terms of
//! each token, and LoRA gradients.

use std::ops::{ControlFlow, Range};

use serde_json::Value;

use super::{Cases, Comparison, Frozen, number, positions, read, text};
use crate::TrainSequence;
use crate::config::{KlReference, RlConfig};
use crate::loss::{LossTokens, loss};
use crate::reward_trend::learning_rate_multiplier;
use crate::rl::PreparedRl;
use crate::rl::tests::prepare_rl;
use crate::run::{run_rl, score_reference};
use crate::trajectory::TrajectoryGroup;

fn groups(cases: &Cases, case: &Value) -> Result<Vec<TrajectoryGroup>, String> {
    let groups = &cases.document["groups"][text(&case["groups"])];
    serde_json::from_value(groups.clone()).map_err(|error| error.to_string())
}

/// Returns the case's job, from the JSON of a request.
fn prepare(cases: &Cases, case: &Value) -> Result<PreparedRl, String> {
    let mut config = RlConfig::from_wire(Some(&case["config"])).map_err(|error| error.to_string())?;
    // The reference of these cases truncates without recomputed logprobs too.
    config.loss.truncated_importance_sampling = case["config"]["truncated_importance_sampling"].as_f64();
    Ok(prepare_rl(&groups(cases, case)?, &config, &cases.tiny.model(), 1024))
}

/// Adds the job's inputs beside the request: the trend of rewards, and the reference policy of the KL penalty.
fn complete(cases: &Cases, case: &Value, job: &mut PreparedRl, comparison: &mut Comparison) -> Result<(), String> {
    if let Some(history) = case["deviations"].as_array() {
        let mut history: Vec<(i64, f64)> = history.iter().map(read).collect();
        let last = history.last_mut().expect("a deviation");
        let deviation = job.reward_deviation.expect("finite rewards");
        comparison.close("deviation", "of rewards", deviation, last.1, last.1);
        last.1 = deviation;
        job.learning_rate_multiplier = learning_rate_multiplier(&history);
    }
    let mut reference = match job.config.kl_reference {
        None => return Ok(()),
        Some(KlReference::Base) => cases.untrained_session(case),
        Some(_) => cases.session(case, "reference"),
    };
    score_reference(&mut reference, job).map_err(|error| error.to_string())
}

/// Returns the loss of each trained token of a row before weighting: the row's loss with all weight on that token.
fn token_losses(job: &PreparedRl, row: Range<usize>, new: &[f32]) -> Vec<f32> {
    let sequences: Vec<_> = job.sequences.range(row.clone()).collect();
    let sampled: Vec<f32> = sequences.iter().flat_map(|sequence| &sequence.logprobs).copied().collect();
    let of_tokens = |each: fn(&TrainSequence) -> f64| -> Vec<f64> {
        sequences.iter().flat_map(|sequence| vec![each(sequence); sequence.trained_tokens()]).collect()
    };
    let owners = sequences.iter().enumerate().flat_map(|(index, sequence)| vec![index; sequence.trained_tokens()]);
    let computed = |all: &Option<Vec<Vec<f32>>>| all.as_ref().map(|all| all[row.clone()].concat());
    let (recomputed, reference) = (computed(&job.recomputed_logprobs), computed(&job.reference_logprobs));
    let (advantages, owners) = (of_tokens(|sequence| sequence.advantage), owners.collect::<Vec<_>>());
    let count = new.len();
    let of_token = |token: usize| {
        let mut weights = vec![0.0; count];
        weights[token] = count as f64 + 1e-6;
        let tokens = LossTokens {
            new,
            old: recomputed.as_deref().unwrap_or(&sampled),
            original: recomputed.as_ref().map(|_| sampled.as_slice()),
            reference: reference.as_deref(),
            advantages: &advantages,
            weights: &weights,
            sequences: &owners,
            entropies: &vec![0.0; count],
        };
        loss(&tokens, &job.config.loss).value as f32
    };
    (0..count).map(of_token).collect()
}

/// Compares all results of a case with its recording.
fn compare(cases: &Cases, case: &Value, comparison: &mut Comparison) -> Result<(), String> {
    let mut job = prepare(cases, case)?;
    complete(cases, case, &mut job, comparison)?;
    let sequences = case["sequences"].as_array().expect("sequences");
    comparison.same("the number of sequences", &job.sequences.len(), &sequences.len());
    for (index, (sequence, expected)) in job.sequences.iter().zip(sequences).enumerate() {
        let at = format!("of sequence {index}");
        comparison.same(&format!("the tokens {at}"), &sequence.tokens, &read(&expected["tokens"]));
        comparison.same(&format!("the trained places {at}"), &positions(&sequence.mask), &read(&expected["trained"]));
        for (kind, found) in [("advantage", sequence.advantage), ("weight", sequence.weight)] {
            let expected = number(&expected[kind]);
            comparison.close(kind, &at, found, expected, expected.abs());
        }
    }
    let mut learner = Frozen::new(cases.session(case, "adapter"));
    let mut reported = Vec::new();
    run_rl(&mut learner, &mut job, 0, &mut |_, mut step| {
        // The recordings are of the loss; `rl::tests` has the rewards.
        step.metrics.retain(|name, _| !name.starts_with("reward/"));
        reported.push(step.metrics);
        ControlFlow::Continue(())
    })
    .map_err(|error| error.to_string())?;

    let steps = case["steps"].as_array().expect("steps");
    let rows: Vec<Vec<usize>> = steps.iter().map(|step| read(&step["sequences"])).collect();
    comparison.same("the division into rows", &job.rows.iter().map(|row| row.clone().collect()).collect(), &rows);
    for (index, (step, expected)) in learner.steps.iter().zip(steps).enumerate() {
        let at = format!("of step {index}");
        let expected_numbers = |key: &str| read::<Vec<f64>>(&expected[key]);
        comparison.all_close("log-probability", &at, &step.logprobs, &expected_numbers("new"));
        comparison.all_close("derivative", &at, &step.by_logprob, &expected_numbers("by_logprob"));
        let token_losses = token_losses(&job, job.rows[index].clone(), &step.logprobs);
        comparison.all_close("token loss", &at, &token_losses, &expected_numbers("token_loss"));
        let mean_size = |key: &str| {
            let values = expected_numbers(key);
            values.iter().map(|value| value.abs()).sum::<f64>() / values.len() as f64
        };
        // Differences of logprobs are as exact as the logprobs; terms of a loss may cancel.
        comparison.metrics(&at, &reported[index], &expected["metrics"], |name| match name {
            "loss/train" => mean_size("token_loss"),
            "loss/kl_div" | "loss/kl_policy_ref" | "logprob_mismatch/mean_abs" | "logprob_mismatch/max_abs" => {
                mean_size("new")
            }
            _ => 0.0,
        });
        let rate = number(&expected["metrics"]["loss/learning_rate"]);
        comparison.close("learning rate", &at, step.settings.learning_rate, rate, rate);
    }
    cases.compare_gradients(&learner.steps, comparison);
    Ok(())
}

#[test]
fn every_option_equals_the_formulas_in_pytorch() {
    let compared = Cases::load().compare_all("cases", compare);
    assert!(compared >= 30);
}
