//! `trainyard metrics`: the metrics of a job's optimizer steps.

use std::{
    collections::{BTreeMap, BTreeSet},
    process::ExitCode,
};

use clap::Args;
use serde_json::Value;

use super::{CommandError, plot::line_plot, print, remote::Remote, table::Table};
use crate::client::{
    pages,
    types::{TrainingJobEvent, TrainingJobEventType},
};

/// Maximum number of events in one response.
const PAGE: u32 = 100;

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
    let request = client.list_training_job_events(&job).limit(PAGE);
    let mut events = pages(move |after| {
        let mut request = request.clone();
        request.after = after;
        async move { Ok(request.await?.into_inner()) }
    });
    let mut steps = Vec::new();
    while let Some(event) = events.try_next().await? {
        steps.extend(step_metrics(event));
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

/// Returns the metrics of an optimizer step by name; `None` for any other event.
fn step_metrics(event: TrainingJobEvent) -> Option<BTreeMap<String, f64>> {
    let numbers = |(name, value): (String, Value)| Some((name, value.as_f64()?));
    (event.type_ == TrainingJobEventType::GradientStep).then(|| event.data.into_iter().filter_map(numbers).collect())
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
        let event = |type_: &str, data: Value| {
            serde_json::from_value(json!({ "id": "1", "type": type_, "data": data })).expect("an event")
        };
        let events = [
            event("training_started", json!({ "num_sequences": 2 })),
            event("gradient_step", json!({ "loss/train": 2.5, "loss/learning_rate": 1e-5, "place": "text" })),
            event("gradient_step", json!({ "loss/train": 0.5, "loss/learning_rate": 0.5e-5, "loss/val": 3 })),
        ];
        events.into_iter().filter_map(step_metrics).collect()
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
