use std::ops::ControlFlow;

use super::*;
use crate::TrainSequence;
use crate::config::{KlReference, RlConfig};
use crate::learner::{OptimizerSettings, Sequence, TokenScores};
use crate::loss::Objective;
use crate::rl::{PreparedRl, RlStatistics};

const VOCABULARY: usize = 8;

/// A model of one distribution over eight tokens, independent of the context, trained by plain gradient descent.
#[derive(Debug, Clone, PartialEq, Default)]
struct Unigram {
    logits: [f64; VOCABULARY],
    gradient: [f64; VOCABULARY],
    steps: Vec<OptimizerSettings>,
    scored: usize,
    /// Number of sequences of each call that accumulated gradients.
    calls: Vec<usize>,
}

impl Unigram {
    fn logprob(&self, token: u32) -> f64 {
        let total: f64 = self.logits.iter().map(|logit| logit.exp()).sum();
        self.logits[token as usize] - total.ln()
    }

    fn scores(&self, tokens: &[u32], scored: &[bool]) -> TokenScores {
        let ids = tokens.iter().zip(scored).filter(|(_, scored)| **scored).map(|(token, _)| *token);
        let logprobs: Vec<f32> = ids.map(|token| self.logprob(token) as f32).collect();
        let all = (0..VOCABULARY as u32).map(|token| self.logprob(token));
        let entropy = -all.map(|logprob| logprob * logprob.exp()).sum::<f64>();
        TokenScores { entropies: vec![entropy as f32; logprobs.len()], logprobs }
    }
}

impl Learner for Unigram {
    fn score(&mut self, sequences: &[Sequence<'_>]) -> Result<Vec<TokenScores>, LearnerError> {
        self.scored += sequences.len();
        Ok(sequences.iter().map(|sequence| self.scores(sequence.tokens, sequence.scored)).collect())
    }

    fn accumulate(
        &mut self,
        sequences: &[Sequence<'_>],
        gradient: &mut dyn FnMut(&[TokenScores]) -> Vec<Vec<f32>>,
    ) -> Result<Vec<TokenScores>, LearnerError> {
        self.calls.push(sequences.len());
        let scores: Vec<_> = sequences.iter().map(|sequence| self.scores(sequence.tokens, sequence.scored)).collect();
        for (Sequence { tokens, scored }, by_logprob) in sequences.iter().zip(gradient(&scores)) {
            assert!(!scored[0] && tokens.len() == scored.len());
            let ids = tokens.iter().zip(*scored).filter(|(_, scored)| **scored).map(|(token, _)| *token);
            for (token, entry) in ids.zip(by_logprob) {
                assert!(entry.is_finite(), "a gradient that is not finite reached the engine");
                for index in 0..VOCABULARY {
                    let indicator = f64::from(u8::from(index == token as usize));
                    self.gradient[index] += f64::from(entry) * (indicator - self.logprob(index as u32).exp());
                }
            }
        }
        Ok(scores)
    }

    fn step(&mut self, settings: &OptimizerSettings) -> Result<f64, LearnerError> {
        self.steps.push(*settings);
        let norm = self.gradient.iter().map(|entry| entry * entry).sum::<f64>().sqrt();
        if !norm.is_finite() {
            return Err(LearnerError::NotFinite("the gradient is not finite".into()));
        }
        for (logit, entry) in self.logits.iter_mut().zip(std::mem::take(&mut self.gradient)) {
            *logit -= settings.learning_rate * entry;
        }
        Ok(norm)
    }
}

fn row(tokens: &[u32], advantage: f64, logprob: f32) -> TrainSequence {
    let trained = |index: usize| index > 1;
    TrainSequence {
        tokens: tokens.to_vec(),
        mask: (0..tokens.len()).map(trained).collect(),
        logprobs: (0..tokens.len()).filter(|index| trained(*index)).map(|_| logprob).collect(),
        advantage,
        weight: 1.0,
    }
}

fn rl(rows: Vec<TrainSequence>, change: impl FnOnce(&mut RlConfig)) -> PreparedRl {
    let mut config = RlConfig { learning_rate: 0.1, ..RlConfig::default() };
    change(&mut config);
    PreparedRl::new(rows.into_iter().collect(), config, RlStatistics::default())
}

fn two_rows() -> Vec<TrainSequence> {
    let uniform = -(VOCABULARY as f32).ln();
    vec![row(&[0, 0, 3, 5], 1.0, uniform), row(&[0, 0, 4, 4], -1.0, uniform)]
}

/// Runs from step `first`, and returns the reported steps.
fn train(
    learner: &mut Unigram,
    job: &mut PreparedRl,
    first: usize,
    stop_after: usize,
) -> (RunOutcome, Vec<GradientStep>) {
    let mut steps = Vec::new();
    let outcome = run_rl(learner, job, first, &mut |_, step| {
        steps.push(step);
        if steps.len() == stop_after { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    (outcome.expect("the run ends"), steps)
}

#[test]
fn one_step_per_sequence_in_the_right_direction() {
    for objective in [Objective::Cispo, Objective::Ppo] {
        let mut learner = Unigram::default();
        let mut job = rl(two_rows(), |config| config.loss = crate::loss::LossConfig::new(objective));
        let (outcome, steps) = train(&mut learner, &mut job, 0, usize::MAX);
        assert_eq!(learner.steps, [OptimizerSettings::reinforcement(0.1); 2]);
        assert!(learner.logits[3] > learner.logits[1] && learner.logits[5] > learner.logits[1]);
        assert!(learner.logits[4] < learner.logits[1]);
        assert_eq!(steps.iter().map(|step| (step.index, step.total)).collect::<Vec<_>>(), [(0, 2), (1, 2)]);
        let names: Vec<&str> = steps[0].metrics.keys().map(String::as_str).collect();
        let expected = [
            "importance_ratio/clip_share",
            "importance_ratio/max",
            "importance_ratio/mean",
            "importance_ratio/min",
            "logprob_mismatch/max_abs",
            "logprob_mismatch/mean_abs",
            "loss/entropy",
            "loss/grad_norm",
            "loss/kl_div",
            "loss/learning_rate",
            "loss/train",
            "row/num_sequences",
            "row/num_trained_tokens",
        ];
        assert_eq!(names, expected);
        let RunOutcome::Finished(summary) = outcome else { panic!("stopped") };
        let mean = (steps[0].metrics["loss/train"] + steps[1].metrics["loss/train"]) / 2.0;
        assert_eq!((summary.steps, summary.metrics["loss/train"]), (2, mean));
    }
}

#[test]
fn a_continued_run_is_the_same_run() {
    for precalculate in [false, true] {
        let job = rl(two_rows(), |config| config.precalculate_logprobs = precalculate);
        let (mut whole, mut halves) = (Unigram::default(), Unigram::default());
        let (_, expected) = train(&mut whole, &mut job.clone(), 0, usize::MAX);
        let mut job = job;
        let (outcome, first) = train(&mut halves, &mut job, 0, 1);
        assert_eq!(outcome, RunOutcome::Stopped { next: 1 });
        let (_, second) = train(&mut halves, &mut job, 1, usize::MAX);
        assert_eq!([first, second].concat(), expected);
        assert_eq!(halves, whole);
    }
}

#[test]
fn precalculated_logprobs_make_the_first_ratio_one() {
    let mut learner = Unigram::default();
    let rows = vec![row(&[0, 0, 3, 5], 1.0, -7.0)];
    let mut job = rl(rows, |config| {
        config.precalculate_logprobs = true;
        config.loss.epsilon_high = 100.0;
    });
    let (_, steps) = train(&mut learner, &mut job, 0, usize::MAX);
    assert_eq!((learner.scored, job.recomputed_logprobs.as_ref().map(Vec::len)), (1, Some(1)));
    let uniform = (VOCABULARY as f64).ln();
    assert!((steps[0].metrics["loss/train"] - uniform).abs() < 1e-5, "ratio 1, not exp(-2.08 + 7)");
    job.recomputed_logprobs = None;
    let continued = run_rl(&mut learner, &mut job, 1, &mut |_, _| ControlFlow::Continue(()));
    assert!(matches!(continued, Err(RunError::MissingPrecalculated { first: 1 })));
}

#[test]
fn a_job_without_rows_is_finished_at_once() {
    let mut learner = Unigram::default();
    let (outcome, steps) = train(&mut learner, &mut rl(vec![], |_| ()), 0, usize::MAX);
    assert_eq!((outcome, steps.len()), (RunOutcome::Finished(RunSummary::default()), 0));
    assert_eq!(learner, Unigram::default());
}

#[test]
fn a_loss_that_is_not_finite_fails_the_job_before_its_step() {
    let mut learner = Unigram::default();
    // PPO does not clip the ratio of a negative advantage: exp(20)
    let mut job = rl(vec![row(&[0, 0, 3], -1e300, -9999.0)], |config| {
        config.loss = crate::loss::LossConfig::new(Objective::Ppo);
    });
    let result = run_rl(&mut learner, &mut job, 0, &mut |_, _| panic!("no step was made"));
    let error = result.expect_err("infinite").to_string();
    assert!(error.contains("the loss of optimizer step 1 of 1 is inf"), "{error}");
    assert!(learner.steps.is_empty() && learner.gradient == [0.0; VOCABULARY]);
}

/// A learner whose engine finds values that are not finite after this number of steps.
struct Overflowing {
    inner: Unigram,
    after: usize,
}

impl Overflowing {
    fn after(after: usize) -> Self {
        Self { inner: Unigram::default(), after }
    }

    fn check(&self) -> Result<(), LearnerError> {
        let error = || LearnerError::NotFinite("the log-probability at position 2 is not finite".into());
        if self.inner.steps.len() < self.after { Ok(()) } else { Err(error()) }
    }
}

impl Learner for Overflowing {
    fn score(&mut self, sequences: &[Sequence<'_>]) -> Result<Vec<TokenScores>, LearnerError> {
        self.check()?;
        self.inner.score(sequences)
    }

    fn accumulate(
        &mut self,
        sequences: &[Sequence<'_>],
        gradient: &mut dyn FnMut(&[TokenScores]) -> Vec<Vec<f32>>,
    ) -> Result<Vec<TokenScores>, LearnerError> {
        self.check()?;
        self.inner.accumulate(sequences, gradient)
    }

    fn step(&mut self, settings: &OptimizerSettings) -> Result<f64, LearnerError> {
        self.inner.step(settings)
    }
}

#[test]
fn values_that_overflow_are_those_of_the_start_or_of_a_step() {
    let run = |after, change: fn(&mut RlConfig)| {
        let mut learner = Overflowing::after(after);
        run_rl(&mut learner, &mut rl(two_rows(), change), 0, &mut |_, _| ControlFlow::Continue(())).unwrap_err()
    };
    let changes: [fn(&mut RlConfig); 2] = [|_| {}, |config| config.precalculate_logprobs = true];
    for change in changes {
        let error = run(0, change);
        assert!(matches!(error, RunError::UnusableStart { .. }) && error.is_divergence(), "{error}");
        assert!(error.to_string().contains("the checkpoint that the job starts from"), "{error}");
    }
    let error = run(1, |_| {});
    assert!(matches!(error, RunError::Learner { step: 2, total: 2, .. }) && error.is_divergence(), "{error}");

    let mut job = rl(two_rows(), |config| config.kl_reference = Some(KlReference::Base));
    let error = score_reference(&mut Overflowing::after(0), &mut job).unwrap_err();
    assert!(matches!(error, RunError::UnusableReference { .. }), "{error}");
    assert!(error.to_string().contains("kl_ref_adapter_path"), "{error}");
}

#[test]
fn the_mismatch_of_sampler_and_learner_is_measured_with_the_weights_at_the_start() {
    let uniform = -(VOCABULARY as f32).ln();
    let rows = |logprob| vec![row(&[0, 0, 3, 5], 1.0, logprob), row(&[0, 0, 4, 4], -1.0, logprob)];
    let measured = |precalculate, limit, logprob| {
        let mut job = rl(rows(logprob), |config| config.precalculate_logprobs = precalculate);
        job.max_sampler_mismatch = limit;
        let mut steps = Vec::new();
        let ended = run_rl(&mut Unigram::default(), &mut job, 0, &mut |_, step| {
            steps.push(step.metrics.get("sampler_mismatch/mean_abs").copied());
            ControlFlow::Continue(())
        });
        ended.map(|_| steps)
    };
    assert_eq!(measured(false, None, uniform).unwrap(), [None, None]);
    assert_eq!(
        measured(false, Some(0.1), uniform).unwrap(),
        [Some(0.0), None],
        "the second row is scored after a step"
    );
    let both = measured(true, Some(0.1), uniform - 0.05).unwrap();
    assert!(both.iter().all(|mean| (mean.unwrap() - 0.05).abs() < 1e-6), "{both:?}");
    assert!(measured(false, None, uniform - 0.2).is_ok());
    for precalculate in [false, true] {
        let error = measured(precalculate, Some(0.1), uniform - 0.2).unwrap_err();
        assert!(matches!(error, RunError::SamplerMismatch { limit: 0.1, .. }), "{error}");
        assert!(error.to_string().contains("another checkpoint"), "{error}");
    }
}

#[test]
fn a_learning_rate_that_its_multipliers_make_infinite_is_named() {
    let mut job = rl(two_rows(), |config| {
        config.learning_rate = 3e38;
        config.sequence_count_power = 8.0;
        config.packed_sequence_length = Some(100);
    });
    let mut learner = Unigram::default();
    let error = run_rl(&mut learner, &mut job, 0, &mut |_, _| panic!("no step was made")).unwrap_err();
    assert!(matches!(error, RunError::LearningRate { step: 1, total: 1, .. }), "{error}");
    assert!(error.to_string().contains("lower `learning_rate`"), "{error}");
}

#[test]
fn a_row_of_several_sequences_is_one_step() {
    let logprobs = [-1.5, -2.5, -1.0];
    let rows = vec![
        row(&[0, 0, 3, 5], 1.0, logprobs[0]),
        TrainSequence { weight: 0.5, ..row(&[0, 0, 4], -1.0, logprobs[1]) },
        row(&[0, 0, 6, 6, 6], 0.5, logprobs[2]),
    ];
    // 4 + 1 tokens of a tree fit, the third sequence does not
    let mut job = rl(rows, |config| {
        config.packed_sequence_length = Some(5);
        config.sequence_count_power = 1.0;
        config.loss.importance_sampling = crate::loss::ImportanceSampling::Sequence;
    });
    assert_eq!(job.rows, [0..2, 2..3]);
    let mut learner = Unigram::default();
    let (_, steps) = train(&mut learner, &mut job, 0, usize::MAX);
    assert_eq!(learner.steps, [OptimizerSettings::reinforcement(0.2), OptimizerSettings::reinforcement(0.1)]);
    // By hand: the sum over the tokens of the row divided by their number; the ratio is a mean over each sequence
    // separately.
    let new = -(VOCABULARY as f64).ln();
    let ratio = |logprob: f32| (new - f64::from(logprob)).exp();
    let first = (2.0 * -ratio(logprobs[0]) * new + 0.5 * ratio(logprobs[1]) * new) / 3.0;
    assert!((steps[0].metrics["loss/train"] - first).abs() < 1e-5, "{} {first}", steps[0].metrics["loss/train"]);
    let metric = |name: &str| steps.iter().map(|step| step.metrics[name]).collect::<Vec<_>>();
    assert_eq!(metric("row/num_sequences"), [2.0, 1.0]);
    assert_eq!(metric("row/num_trained_tokens"), [3.0, 3.0]);
    assert_eq!(metric("loss/learning_rate"), [0.2, 0.1]);
    assert!((steps[0].metrics["importance_ratio/max"] - ratio(logprobs[1])).abs() < 1e-5);
    assert!((steps[0].metrics["importance_ratio/min"] - ratio(logprobs[0])).abs() < 1e-5);
    assert!((steps[0].metrics["logprob_mismatch/max_abs"] - (new - f64::from(logprobs[0])).abs()).abs() < 1e-5);
}

#[test]
fn tokens_without_a_sampled_logprob_have_the_ratio_one() {
    let mut job = rl(vec![row(&[0, 0, 3, 5], 1.0, f32::NAN)], |config| {
        config.loss = crate::loss::LossConfig::new(Objective::Ppo);
    });
    let mut learner = Unigram::default();
    let (_, steps) = train(&mut learner, &mut job, 0, usize::MAX);
    let metrics = &steps[0].metrics;
    assert_eq!((metrics["importance_ratio/min"], metrics["importance_ratio/max"]), (1.0, 1.0));
    assert!(!metrics.contains_key("logprob_mismatch/max_abs") && !metrics.contains_key("loss/kl_div"));
    assert!(learner.logits[3] > learner.logits[1]);
}

#[test]
fn a_metric_is_averaged_over_the_steps_that_have_it() {
    let uniform = -(VOCABULARY as f32).ln();
    let mut job = rl(vec![row(&[0, 0, 3], 1.0, f32::NAN), row(&[0, 0, 4], 1.0, uniform - 1.0)], |config| {
        config.learning_rate = 0.0;
    });
    let (outcome, _) = train(&mut Unigram::default(), &mut job, 0, usize::MAX);
    let RunOutcome::Finished(summary) = outcome else { panic!("stopped") };
    assert!((summary.metrics["logprob_mismatch/max_abs"] - 1.0).abs() < 1e-6, "not one half");
}

#[test]
fn metrics_are_finite_whatever_was_sampled() {
    let mut job = rl(vec![row(&[0, 0, 3], 1.0, -1e30), row(&[0, 0, 3], 1.0, 1e30)], |_| ());
    let (outcome, steps) = train(&mut Unigram::default(), &mut job, 0, usize::MAX);
    let RunOutcome::Finished(summary) = outcome else { panic!("stopped") };
    assert_eq!(steps[0].metrics["importance_ratio/max"], 20.0_f64.exp(), "log-ratios are bounded");
    assert!(steps.iter().flat_map(|step| step.metrics.values()).chain(summary.metrics.values()).all(|v| v.is_finite()));
}

#[test]
fn the_kl_penalty_pulls_towards_the_reference() {
    let uniform = -(VOCABULARY as f32).ln();
    // Token 3 is likelier under the reference, token 4 less likely; the rewards give no signal.
    let mut reference = Unigram::default();
    (reference.logits[3], reference.logits[4]) = (1.0, -1.0);
    for source in [crate::loss::KlSource::CurrentWeights, crate::loss::KlSource::Sampled] {
        let mut job = rl(vec![row(&[0, 0, 3, 4], 0.0, uniform)], |config| {
            config.kl_reference = Some(KlReference::Base);
            config.loss.kl_penalty_coefficient = 0.5;
            config.loss.kl_source = source;
        });
        let mut learner = Unigram::default();
        let missing = run_rl(&mut learner, &mut job, 0, &mut |_, _| ControlFlow::Continue(()));
        assert!(matches!(missing, Err(RunError::MissingReference)) && learner == Unigram::default());
        score_reference(&mut reference, &mut job).expect("scores");
        let (_, steps) = train(&mut learner, &mut job, 0, usize::MAX);
        assert!(learner.logits[3] > 0.0 && learner.logits[4] < 0.0, "{:?}", learner.logits);
        let expected = [3, 4].map(|token| f64::from(uniform) - reference.logprob(token)).iter().sum::<f64>() / 2.0;
        assert!((steps[0].metrics["loss/kl_policy_ref"] - expected).abs() < 1e-5);
    }
}

#[test]
fn logprobs_before_the_first_step_are_in_order() {
    let rows: Vec<TrainSequence> = (0..5).map(|token| row(&[7, 7, token, token], 1.0, -1.0)).collect();
    let mut job = rl(rows, |config| config.precalculate_logprobs = true);
    let mut learner = Unigram { logits: std::array::from_fn(|index| index as f64), ..Unigram::default() };
    precalculate(&mut learner, &mut job).expect("scores");
    let expected: Vec<Vec<f32>> = (0..5).map(|token| vec![learner.logprob(token) as f32; 2]).collect();
    assert_eq!((job.recomputed_logprobs, learner.scored), (Some(expected), 5));
}

mod sft;
