use proptest::prelude::*;
use serde_json::json;

use super::super::sft::{MICRO_BATCH_TOKENS, run_sft};
use super::*;
use crate::config::{LearningRates, MetricLogging, SftConfig};
use crate::dataset::DataLine;
use crate::dataset::DataUse;
use crate::sft::{PrepareSftError, PreparedSft, SftRow, SftRows, SftSequence, SftStatistics};

/// Rows in memory, indexed by their line.
#[derive(Clone, Default)]
struct Rows {
    sequences: Vec<SftSequence>,
    /// Lines in the order of the requests.
    asked: Vec<u32>,
}

impl SftRows for Rows {
    fn sequence(&mut self, row: &SftRow) -> Result<SftSequence, PrepareSftError> {
        assert!(!row.is_dropped());
        self.asked.push(row.line);
        let sequence = self.sequences.get(row.line as usize - 1);
        sequence.cloned().ok_or(PrepareSftError::Changed(DataLine { data: row.data, line: row.line as usize }))
    }
}

/// Returns a job whose rows are trained from the second token on; a row without tokens is dropped.
fn job(training: &[&[u32]], validation: &[&[u32]], config: SftConfig) -> (PreparedSft, Rows) {
    let mut rows = Rows::default();
    let mut add = |tokens: &&[u32]| {
        let trained = (0..tokens.len()).map(|index| index > 0).collect();
        rows.sequences.push(SftSequence { tokens: tokens.to_vec(), trained });
        let [line, tokens] = [rows.sequences.len() as u32, tokens.len() as u32];
        SftRow { data: DataUse::Training, offset: 0, line, tokens, trained: tokens.saturating_sub(1) }
    };
    let training: Vec<_> = training.iter().map(&mut add).collect();
    let validation = validation.iter().map(&mut add).collect();
    (PreparedSft { training, validation, config, statistics: SftStatistics::default() }, rows)
}

fn run(learner: &mut Unigram, (job, rows): &mut (PreparedSft, Rows), first: usize) -> (RunSummary, Vec<GradientStep>) {
    let mut steps = Vec::new();
    let outcome = run_sft(learner, job, rows, first, &mut |_: &mut Unigram, step| {
        steps.push(step);
        ControlFlow::Continue(())
    });
    let RunOutcome::Finished(summary) = outcome.expect("the run ends") else { panic!("nobody stopped it") };
    (summary, steps)
}

#[test]
fn a_batch_is_one_step_weighted_by_tokens() {
    let rates = LearningRates::PerBatch(vec![0.5, 0.25]);
    let config = SftConfig { batch_size: 3, learning_rate: rates, ..SftConfig::default() };
    let mut job = job(&[&[0, 3, 3, 3], &[], &[0, 5], &[], &[]], &[], config);
    let mut learner = Unigram::default();
    let (summary, steps) = run(&mut learner, &mut job, 0);
    assert_eq!(summary.steps, 2);
    assert_eq!(learner.steps, [OptimizerSettings::supervised(0.5)], "batches without trained tokens make no step");
    let uniform = (VOCABULARY as f64).ln();
    assert!((steps[0].metrics["loss/train"] - uniform).abs() < 1e-6);
    assert!((steps[0].metrics["loss/entropy"] - uniform).abs() < 1e-6);
    // the gradient is -(count / 4 - 1 / 8): three of four trained tokens are a 3
    assert!((learner.logits[3] - 0.5 * (0.75 - 0.125)).abs() < 1e-6 && (learner.logits[5] - 0.5 * 0.125).abs() < 1e-6);
    let expected = [
        ("num_tokens", [6.0, 0.0]),
        ("num_trainable_tokens", [4.0, 0.0]),
        ("num_trajectories", [2.0, 0.0]),
        ("num_dropped_trajectories", [1.0, 2.0]),
        ("loss/learning_rate", [0.5, 0.25]),
    ];
    for (name, values) in expected {
        assert_eq!(steps.iter().map(|step| step.metrics[name]).collect::<Vec<_>>(), values, "{name}");
    }
    assert_eq!((steps[1].metrics["loss/train"], steps[1].metrics["loss/grad_norm"]), (0.0, 0.0));
}

#[test]
fn a_supervised_run_can_be_stopped_and_continued() {
    let config = SftConfig { batch_size: 1, learning_rate: LearningRates::Constant(0.5), ..SftConfig::default() };
    let mut job = job(&[&[0, 1], &[0, 2], &[0, 3]], &[&[0, 1, 2]], config);
    let (mut whole, mut parts) = (Unigram::default(), Unigram::default());
    let (_, expected) = run(&mut whole, &mut job, 0);
    let mut steps = Vec::new();
    let (plan, rows) = &mut job;
    let outcome = run_sft(&mut parts, plan, rows, 0, &mut |_: &mut Unigram, step| {
        steps.push(step);
        if steps.len() == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!(outcome.expect("the run stops"), RunOutcome::Stopped { next: 2 });
    steps.extend(run(&mut parts, &mut job, 2).1);
    assert_eq!(steps, expected);
    assert_eq!((parts.logits, parts.steps), (whole.logits, whole.steps));
}

#[test]
fn validation_is_the_mean_over_tokens_before_and_after() {
    let rates = LearningRates::Constant(0.5);
    let config = SftConfig { batch_size: 1, learning_rate: rates, validation_every: Some(2), ..SftConfig::default() };
    let mut with = job(&[&[0, 1], &[0, 1], &[0, 1], &[0, 1], &[0, 1]], &[&[0, 1, 1], &[0, 2]], config.clone());
    let mut learner = Unigram::default();
    let (summary, mut steps) = run(&mut learner, &mut with, 0);
    let loss = -(2.0 * learner.logprob(1) + learner.logprob(2)) / 3.0;
    assert!((summary.metrics["loss/val"] - loss).abs() < 1e-6, "the loss of the weights that are kept, not a mean");
    assert_eq!(steps[4].metrics["loss/val"], summary.metrics["loss/val"]);
    let before = steps[0].metrics.remove("loss/val_before").expect("before the first step");
    assert!((before - (VOCABULARY as f64).ln()).abs() < 1e-6);
    assert_eq!(summary.metrics["loss/val_before"], before);
    let validated = steps.iter_mut().filter_map(|step| step.metrics.remove("loss/val").map(|_| step.index));
    assert_eq!(validated.collect::<Vec<_>>(), [1, 3, 4]);
    let mut without = job(&[&[0, 1], &[0, 1], &[0, 1], &[0, 1], &[0, 1]], &[], config);
    let mut plain = Unigram::default();
    assert_eq!(run(&mut plain, &mut without, 0).1, steps);
    assert_eq!((plain.logits, plain.steps), (learner.logits, learner.steps));
}

#[test]
fn events_carry_what_was_asked_for() {
    let names = |logging| {
        let config = SftConfig { batch_size: 1, metric_logging: logging, ..SftConfig::default() };
        let (_, steps) = run(&mut Unigram::default(), &mut job(&[&[0, 1][..]; 4], &[&[0, 1]], config), 0);
        steps.iter().map(|step| step.metrics.keys().cloned().collect::<Vec<_>>()).collect::<Vec<_>>()
    };
    let few = ["loss/grad_norm", "loss/learning_rate", "loss/train"];
    let silent = names(MetricLogging { enabled: false, every: 1 });
    // All of them have the metric by which a job is charged.
    assert_eq!(silent[0], [&few[..], &["loss/val", "loss/val_before", "num_trainable_tokens"]].concat());
    assert_eq!(silent[3], [&few[..], &["loss/val", "num_trainable_tokens"]].concat());
    let sparse = names(MetricLogging { enabled: true, every: 2 });
    assert_eq!(sparse.iter().map(Vec::len).collect::<Vec<_>>(), [10, 5, 9, 9]);
}

#[test]
fn rows_are_given_in_calls_of_bounded_size() {
    let row = |length: usize| vec![1; length];
    let (long, half, small) = (row(MICRO_BATCH_TOKENS + 1), row(MICRO_BATCH_TOKENS / 2), row(2));
    let rows: [&[u32]; 6] = [&half, &half, &small, &long, &[], &small];
    let mut job = job(&rows, &[], SftConfig { batch_size: 6, ..SftConfig::default() });
    let mut learner = Unigram::default();
    run(&mut learner, &mut job, 0);
    assert_eq!(learner.calls, [2, 1, 1, 1]);
    assert_eq!(job.1.asked, [1, 2, 3, 4, 6], "each row once, in order");
}

#[test]
fn a_row_that_cannot_be_read_again_fails_the_step() {
    let mut job = job(&[&[0, 1], &[0, 1]], &[], SftConfig { batch_size: 1, ..SftConfig::default() });
    job.1.sequences.pop();
    let mut learner = Unigram::default();
    let outcome = run_sft(&mut learner, &job.0, &mut job.1, 0, &mut |_, _| ControlFlow::Continue(()));
    let error = outcome.expect_err("a row is gone").to_string();
    assert!(error.starts_with("the rows of optimizer step 2 of 2 cannot be read: line 2"), "{error}");
    assert_eq!(learner.steps.len(), 1);
}

#[test]
fn a_validation_loss_that_is_not_finite_fails_the_job() {
    let mut job = job(&[&[0, 1]], &[&[0, 2]], SftConfig::default());
    let mut learner = Unigram::default();
    learner.logits[2] = f64::NEG_INFINITY;
    let outcome = run_sft(&mut learner, &job.0, &mut job.1, 0, &mut |_, _| panic!("no step was made"));
    let error = outcome.expect_err("infinite").to_string();
    assert!(error.contains("the validation loss at optimizer step 1 of 1 is inf"), "{error}");
}

#[test]
fn weights_that_overflow_are_those_of_the_start_until_the_first_step() {
    let fail = |after| {
        let mut job = job(&[&[0, 1], &[0, 1]], &[&[0, 2]], SftConfig { batch_size: 1, ..SftConfig::default() });
        let mut learner = Overflowing::after(after);
        run_sft(&mut learner, &job.0, &mut job.1, 0, &mut |_, _| ControlFlow::Continue(())).unwrap_err()
    };
    assert!(matches!(fail(0), RunError::UnusableStart { .. }));
    let error = fail(1);
    assert!(matches!(error, RunError::Learner { .. }) && error.is_divergence(), "{error}");
}

proptest! {
    /// The grouping of rows into calls does not change the loss and the step of the batch.
    #[test]
    fn a_batch_in_parts_is_the_batch(lengths in prop::collection::vec(0_usize..3000, 1..8), validated in 0_usize..3000) {
        let tokens = |length: usize| (0..length as u32).map(|index| index * index % 7).collect::<Vec<_>>();
        let rows: Vec<_> = lengths.iter().map(|length| tokens(*length)).collect();
        let rows: Vec<&[u32]> = rows.iter().map(Vec::as_slice).collect();
        let rates = LearningRates::Constant(0.5);
        let config = SftConfig { batch_size: rows.len(), learning_rate: rates, ..SftConfig::default() };
        let validation = tokens(validated + 2);
        let mut learner = Unigram::default();
        let (_, steps) = run(&mut learner, &mut job(&rows, &[&validation], config.clone()), 0);

        let count = rows.iter().map(|row| row.len().saturating_sub(1)).sum::<usize>() as f64;
        prop_assume!(count > 0.0);
        prop_assert_eq!(steps[0].metrics["num_trainable_tokens"], count);
        prop_assert!((steps[0].metrics["loss/train"] - (VOCABULARY as f64).ln()).abs() < 1e-6);
        for token in 0..VOCABULARY {
            let trained = rows.iter().flat_map(|row| row.iter().skip(1));
            let share = trained.filter(|other| **other as usize == token).count() as f64 / count;
            // SGD with rate 0.5 on a gradient of 1/8 - share
            prop_assert!((learner.logits[token] - 0.5 * (share - 0.125)).abs() < 1e-5);
        }

        let mut again = Unigram::default();
        let (_, repeated) = run(&mut again, &mut job(&rows, &[&validation], config), 0);
        prop_assert_eq!(json!(repeated.iter().map(|step| &step.metrics).collect::<Vec<_>>()),
            json!(steps.iter().map(|step| &step.metrics).collect::<Vec<_>>()));
        prop_assert_eq!(again, learner);
    }
}
