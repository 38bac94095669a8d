//! `trainyard metrics`: the metrics of a job's optimizer steps.

use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;

use super::plot::line_plot;
use super::remote::Remote;
use super::table::Table;
use super::{CommandError, print};
use crate::client::types::StepMetrics;
use clap::Args;

/// Maximum number of steps in one response.
const PAGE: u32 = 10_000;

#[derive(Args)]
#[command(after_help = "Examples:\n  \
    trainyard metrics 01a1f9c4-9a7e-7d10-8c55-3b1f60a2c9e4\n  \
    trainyard metrics 01a1f9c4-9a7e-7d10-8c55-3b1f60a2c9e4 --metric loss/train --metric loss/entropy\n  \
    trainyard metrics 01a1f9c4-9a7e-7d10-8c55-3b1f60a2c9e4 --csv > metrics.csv")]
pub(super) struct Options {
    /// Id of the job.
    job: String,
    /// Plot this metric; repeatable. With --csv, the column of this metric only.
    #[arg(long = "metric", value_name = "NAME")]
    metrics: Vec<String>,
    /// Print CSV: a row for each step, a column for each metric.
    #[arg(long)]
    csv: bool,
    #[command(flatten)]
    remote: Remote,
}

pub(super) async fn run(options: Options) -> Result<ExitCode, CommandError> {
    let Options { job, metrics, csv, remote } = options;
    let client = remote.client()?;
    let mut steps = Vec::new();
    loop {
        let first = steps.len() as u64 + 1;
        let request = client.get_training_job_metrics(&job).points(PAGE).first_step(first);
        let page = request.last_step(first + u64::from(PAGE) - 1).await?.into_inner();
        steps.extend(step_metrics(&page));
        if page.steps.is_empty() || steps.len() as u64 >= page.num_steps {
            break;
        }
    }
    let known: BTreeSet<&str> = steps.iter().flat_map(BTreeMap::keys).map(String::as_str).collect();
    if let Some(unknown) = metrics.iter().find(|name| !known.contains(name.as_str())) {
        let known = known.into_iter().collect::<Vec<_>>().join(", ");
        let known = if known.is_empty() { "no metric yet".to_owned() } else { known };
        return Err(format!("job {job} has no metric {unknown:?}; it has {known}").into());
    }
    let chosen: Vec<&str> =
        if metrics.is_empty() { known.into_iter().collect() } else { metrics.iter().map(String::as_str).collect() };
    if csv {
        print(&as_csv(&chosen, &steps))?;
    } else if steps.is_empty() {
        note!("job {job} has no step yet");
    } else {
        print(&as_table(&chosen, &steps).to_string())?;
        for name in &metrics {
            print(&format!("\n{}", line_plot(name, &values(name, &steps).collect::<Vec<_>>())))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the metrics of each optimizer step by name.
fn step_metrics(columns: &StepMetrics) -> Vec<BTreeMap<String, f64>> {
    let mut steps = vec![BTreeMap::new(); columns.steps.len()];
    for column in &columns.metrics {
        for (metrics, value) in steps.iter_mut().zip(&column.values) {
            metrics.extend(value.map(|value| (column.name.clone(), value)));
        }
    }
    steps
}

fn values(name: &str, steps: &[BTreeMap<String, f64>]) -> impl Iterator<Item = f64> {
    steps.iter().filter_map(move |metrics| metrics.get(name).copied())
}

fn as_csv(names: &[&str], steps: &[BTreeMap<String, f64>]) -> String {
    let mut text = format!("step,{}\n", names.join(","));
    for (index, metrics) in steps.iter().enumerate() {
        let cells = names.iter().map(|name| metrics.get(*name).map(f64::to_string).unwrap_or_default());
        text.push_str(&format!("{},{}\n", index + 1, cells.collect::<Vec<_>>().join(",")));
    }
    text
}

fn as_table(names: &[&str], steps: &[BTreeMap<String, f64>]) -> Table {
    let mut table = Table::new(["METRIC", "STEPS", "FIRST", "LAST", "MIN", "MAX", "MEAN"]);
    for name in names {
        let values: Vec<f64> = values(name, steps).collect();
        let (Some(first), Some(last)) = (values.first(), values.last()) else { continue };
        #[expect(clippy::cast_precision_loss, reason = "fewer than 2^52 steps")]
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let min = values.iter().copied().fold(f64::INFINITY, f64::min);
        let max = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let [first, last, min, max, mean] = [*first, *last, min, max, mean].map(short);
        table.row([(*name).to_owned(), values.len().to_string(), first, last, min, max, mean]);
    }
    table
}

/// Returns a number with four decimals, with one from 100 on, or in scientific notation.
fn short(value: f64) -> String {
    let magnitude = value.abs();
    if value != 0.0 && !(1e-3..1e6).contains(&magnitude) {
        return format!("{value:.3e}");
    }
    let text = format!("{value:.*}", if magnitude >= 100.0 { 1 } else { 4 });
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn steps() -> Vec<BTreeMap<String, f64>> {
        let columns = json!({
            "num_steps": 2, "steps": [1, 2], "tokens": [5, 9], "times": [1.5, 2.5],
            "metrics": [
                { "name": "loss/train", "values": [2.5, 0.5] },
                { "name": "loss/learning_rate", "values": [1e-5, 0.5e-5] },
                { "name": "loss/val", "values": [null, 3] },
            ],
        });
        step_metrics(&serde_json::from_value(columns).expect("columns"))
    }

    #[test]
    fn csv_has_a_row_for_each_step_and_an_empty_cell_for_an_absent_metric() {
        let names = ["loss/learning_rate", "loss/train", "loss/val"];
        let expected = "step,loss/learning_rate,loss/train,loss/val\n1,0.00001,2.5,\n2,0.000005,0.5,3\n";
        assert_eq!(as_csv(&names, &steps()), expected);
    }

    #[test]
    fn the_table_has_extremes_and_means_in_few_digits() {
        let text = as_table(&["loss/learning_rate", "loss/train", "loss/val"], &steps()).to_string();
        insta::assert_snapshot!(text, @r"
        METRIC              STEPS  FIRST     LAST      MIN       MAX       MEAN
        loss/learning_rate  2      1.000e-5  5.000e-6  5.000e-6  1.000e-5  7.500e-6
        loss/train          2      2.5       0.5       0.5       2.5       1.5
        loss/val            1      3         3         3         3         3
        ");
        assert_eq!([0.0, 1234.567, -0.25, 2e7].map(short), ["0", "1234.6", "-0.25", "2.000e7"]);
    }
}
