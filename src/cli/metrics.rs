//! `trainyard metrics`: the metrics of the optimizer steps of a job or a model.

use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;

use super::plot::line_plot;
use super::remote::{Remote, model_id};
use super::table::Table;
use super::{CommandError, print};
use crate::client::Client;
use crate::client::types::MetricColumn;
use clap::Args;

/// Metric that a user of reinforcement learning looks for: its plot follows the table of a model.
const REWARD: &str = "reward/mean";

/// Maximum number of steps in one response.
const PAGE: u32 = 10_000;

#[derive(Args)]
#[command(after_help = "Examples:\n  \
    trainyard metrics demo/agent                          a model's steps, with its reward curve\n  \
    trainyard metrics 01a1f9c4-9a7e-7d10-8c55-3b1f60a2c9e4\n  \
    trainyard metrics 01a1f9c4-9a7e-7d10-8c55-3b1f60a2c9e4 --metric loss/train --metric loss/entropy\n  \
    trainyard metrics 01a1f9c4-9a7e-7d10-8c55-3b1f60a2c9e4 --csv > metrics.csv")]
pub(super) struct Options {
    /// Id of a job, or a model: project/name or its inference name.
    #[arg(value_name = "JOB|MODEL")]
    of: String,
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
    let Options { of, metrics, csv, remote } = options;
    let client = remote.client()?;
    let model = if of.contains('/') { Some(model_id(&client, &of).await?) } else { None };
    let steps = read(&client, &of, model.as_deref()).await?;
    let known = rewards_first(steps.iter().flat_map(BTreeMap::keys));
    if let Some(unknown) = metrics.iter().find(|name| !known.contains(&name.as_str())) {
        let known = if known.is_empty() { "no metric yet".to_owned() } else { known.join(", ") };
        return Err(format!("{of} has no metric {unknown:?}; it has {known}").into());
    }
    let named: Vec<&str> = metrics.iter().map(String::as_str).collect();
    let (chosen, plotted) = match &named[..] {
        [] if model.is_some() && known.contains(&REWARD) => (known, vec![REWARD]),
        [] => (known, Vec::new()),
        _ => (named.clone(), named),
    };
    if csv {
        print(&as_csv(&chosen, &steps))?;
    } else if steps.is_empty() {
        note!("{of} has no step yet");
    } else {
        print(&as_table(&chosen, &steps).to_string())?;
        for name in plotted {
            print(&format!("\n{}", line_plot(name, &values(name, &steps).collect::<Vec<_>>())))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads the metrics of each optimizer step by name: of the model with this id, or else of the job.
async fn read(client: &Client, job: &str, model: Option<&str>) -> Result<Vec<BTreeMap<String, f64>>, CommandError> {
    let mut steps = Vec::new();
    loop {
        let first = steps.len() as u64 + 1;
        let last = first + u64::from(PAGE) - 1;
        // The two requests and their responses are of different types.
        macro_rules! page {
            ($request:expr) => {{
                let page = $request.points(PAGE).first_step(first).last_step(last).await?.into_inner();
                (page.num_steps, page.steps, page.metrics)
            }};
        }
        let (total, numbers, columns) = match model {
            Some(model) => page!(client.get_model_metrics(model)),
            None => page!(client.get_training_job_metrics(job)),
        };
        steps.extend(step_metrics(numbers.len(), &columns));
        if numbers.is_empty() || steps.len() as u64 >= total {
            return Ok(steps);
        }
    }
}

/// Returns the names in alphabetical order, those of the rewards before the rest.
pub(super) fn rewards_first<'a>(names: impl Iterator<Item = &'a String>) -> Vec<&'a str> {
    let names: BTreeSet<_> = names.map(|name| (!name.starts_with("reward/"), name.as_str())).collect();
    names.into_iter().map(|(_, name)| name).collect()
}

/// Returns the metrics of each optimizer step by name.
fn step_metrics(steps: usize, columns: &[MetricColumn]) -> Vec<BTreeMap<String, f64>> {
    let mut steps = vec![BTreeMap::new(); steps];
    for column in columns {
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
        let columns = json!([
            { "name": "loss/train", "values": [2.5, 0.5] },
            { "name": "loss/learning_rate", "values": [1e-5, 0.5e-5] },
            { "name": "loss/val", "values": [null, 3] },
        ]);
        let columns: Vec<MetricColumn> = serde_json::from_value(columns).expect("columns");
        step_metrics(2, &columns)
    }

    #[test]
    fn rewards_come_before_the_other_metrics() {
        let names = ["loss/train", "reward/std", "reward/mean", "loss/train"].map(str::to_owned);
        assert_eq!(rewards_first(names.iter()), ["reward/mean", "reward/std", "loss/train"]);
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
