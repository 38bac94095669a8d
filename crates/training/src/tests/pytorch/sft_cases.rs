//! Checks supervised fine-tuning: labels, losses over a batch, validation, and LoRA gradients.

use std::io::Cursor;
use std::ops::ControlFlow;

use serde_json::Value;

use super::{Cases, Comparison, Frozen, positions, read};
use crate::config::SftConfig;
use crate::dataset::{DataUse, DatasetLimits, read_rows};
use crate::learner::Learner;
use crate::run::{GradientStep, run_sft};
use crate::sft::{SftReader, SftTokenizer, Tokenized, prepare_sft};
use crate::tokenize::TextModel;

/// Returns a data set with one row per line.
pub(super) fn data_set(rows: &Value) -> String {
    rows.as_array().expect("rows").iter().map(|row| format!("{row}\n")).collect()
}

/// Runs a supervised job from the options and the data of a request.
pub(super) fn run<L: Learner>(
    learner: &mut L,
    config: &SftConfig,
    data: &str,
    model: &TextModel<'_>,
) -> Result<Vec<GradientStep>, String> {
    let limits = DatasetLimits::default();
    let tokenizer = || SftTokenizer::new(model, config, 1024).map_err(|error| error.to_string());
    let job = prepare_sft(data.as_bytes(), limits, config.clone(), &tokenizer()?, &|| true)
        .map_err(|error| error.to_string())?;
    let mut rows = SftReader::new(Cursor::new(data.as_bytes()), None, limits, tokenizer()?);
    let mut steps = Vec::new();
    let mut on_step = |_: &mut L, step| {
        steps.push(step);
        ControlFlow::Continue(())
    };
    run_sft(learner, &job, &mut rows, 0, &mut on_step).map_err(|error| error.to_string())?;
    Ok(steps)
}

/// Compares tokens and labels of every row; null stands for dropped rows.
fn compare_rows(cases: &Cases, config: &SftConfig, data: &str, expected: &[Value], comparison: &mut Comparison) {
    let tokenizer = SftTokenizer::new(&cases.tiny.model(), config, 1024).expect("a known template");
    let rows: Vec<_> = read_rows(data.as_bytes(), DataUse::Training, DatasetLimits::default()).collect();
    comparison.same("the number of rows", &rows.len(), &expected.len());
    for (index, (row, expected)) in rows.into_iter().zip(expected).enumerate() {
        let tokenized = tokenizer.tokenize(row.expect("a row")).expect("tokens");
        let Tokenized::Used { sequence, .. } = tokenized else {
            comparison.same(&format!("row {index}"), &Value::Null, expected);
            continue;
        };
        comparison.same(&format!("the tokens of row {index}"), &Some(sequence.tokens), &read(&expected["tokens"]));
        let trained = Some(positions(&sequence.trained));
        comparison.same(&format!("the trained places of row {index}"), &trained, &read(&expected["trained"]));
    }
}

fn compare(cases: &Cases, case: &Value, comparison: &mut Comparison) -> Result<(), String> {
    let config = SftConfig::from_wire(Some(&case["config"])).map_err(|error| error.to_string())?;
    let data = data_set(&cases.document["supervised_rows"]);
    compare_rows(cases, &config, &data, case["rows"].as_array().expect("rows"), comparison);
    let mut learner = Frozen::new(cases.session(case, "adapter"));
    let reported = run(&mut learner, &config, &data, &cases.tiny.model())?;
    let steps = case["steps"].as_array().expect("steps");
    comparison.same("the number of steps", &reported.len(), &steps.len());
    for (index, (reported, expected)) in reported.iter().zip(steps).enumerate() {
        comparison.metrics(&format!("of step {index}"), &reported.metrics, expected, |_| 0.0);
    }
    cases.compare_gradients(&learner.steps, comparison);
    Ok(())
}

#[test]
fn supervised_batches_equal_pytorch() {
    assert_eq!(Cases::load().compare_all("supervised", compare), 6);
}
