//! Supervised fine-tuning: labels, losses over a batch, and LoRA gradients.

use std::ops::ControlFlow;

use serde_json::Value;

use super::{Cases, Comparison, Frozen, number, read};
use crate::training::config::SftConfig;
use crate::training::dataset::{DatasetLimits, read_rows};
use crate::training::run::run_sft;
use crate::training::sft::prepare_sft;

fn compare(cases: &Cases, case: &Value, comparison: &mut Comparison) -> Result<(), String> {
    let config = SftConfig::from_wire(Some(&case["config"])).map_err(|error| error.to_string())?;
    let rows = cases.document["supervised_rows"].as_array().expect("rows");
    let lines: String = rows.iter().map(|row| format!("{row}\n")).collect();
    let rows = read_rows(lines.as_bytes(), DatasetLimits::default());
    let job = prepare_sft(rows, &config, &cases.tiny.model(), 1024).map_err(|error| error.to_string())?;
    let batches = case["batches"].as_array().expect("batches");
    comparison.same("the number of batches", &job.batches.len(), &batches.len());
    for (index, (batch, expected)) in job.batches.iter().zip(batches).enumerate() {
        let rows = expected["rows"].as_array().expect("rows");
        comparison.same(&format!("the number of rows of batch {index}"), &batch.rows.len(), &rows.len());
        for (number, (row, expected)) in batch.rows.iter().zip(rows).enumerate() {
            let place = format!("of row {number} of batch {index}");
            comparison.same(&format!("the tokens {place}"), &row.tokens, &read(&expected["tokens"]));
            let trained: Vec<usize> = row.trained.iter().enumerate().filter(|(_, set)| **set).map(|(t, _)| t).collect();
            comparison.same(&format!("the trained places {place}"), &trained, &read(&expected["trained"]));
        }
    }
    let mut learner = Frozen::new(cases.session(case, "adapter"));
    let mut metrics = Vec::new();
    run_sft(&mut learner, &job, 0, &mut |_, step| {
        metrics.push(step.metrics);
        ControlFlow::Continue(())
    })
    .map_err(|error| error.to_string())?;
    comparison.same("the number of steps", &metrics.len(), &batches.len());
    for (index, (metrics, expected)) in metrics.iter().zip(batches).enumerate() {
        let named = [("loss/train", "loss"), ("loss/grad_norm", "grad_norm"), ("loss/learning_rate", "learning_rate")];
        for (name, key) in named {
            let expected = number(&expected[key]);
            comparison.close(name, &format!("of batch {index}"), metrics[name], expected, expected.abs());
        }
    }
    cases.compare_gradients(&learner.steps, comparison);
    Ok(())
}

#[test]
fn supervised_batches_equal_pytorch() {
    assert_eq!(Cases::load().compare_all("supervised", compare), 3);
}
