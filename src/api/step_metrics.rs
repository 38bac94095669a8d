//! Metrics of optimizer steps, as columns of points and as rows of CSV.

use std::collections::HashMap;
use std::fmt::Write;
use std::sync::Arc;

use futures_util::stream;
use serde::Deserialize;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::Api;
use crate::auth::Caller;
use crate::generated::types::{Distribution, MetricColumn, ModelMetrics, ModelMetricsJob, StepMetrics};
use crate::http::{ApiError, Bytes, Download, reserve_response};
use crate::store::metadata::Metadata;
use crate::store::records::{JobSteps, StepPosition, StepRecord, StepsOf};

/// Number of steps per query.
const PAGE: u32 = 500;
/// Memory of a point of a metric: of the steps in it, and in the response.
const POINT_BYTES: usize = size_of::<Bucket>() + 3 * size_of::<Option<f64>>();
/// Metrics with the number of trained tokens of a step, by kind of training.
const TRAINED_TOKENS: [&str; 2] = ["row/num_trained_tokens", "num_trainable_tokens"];

impl Api {
    /// Returns the metrics of a model's steps.
    pub(super) async fn metrics_of_model(
        &self,
        caller: &Caller,
        model_id: Uuid,
        names: &[String],
        points: Points,
    ) -> Result<ModelMetrics, ApiError> {
        let (curve, jobs) = self.curve(caller, StepsOf::Model(model_id), names, points).await?;
        let mut first_step = 1;
        let jobs = jobs.into_iter().map(|job| {
            let num_steps = job.steps.unsigned_abs();
            let first = first_step;
            first_step += num_steps;
            let announced = job.announcement.and_then(|data| serde_json::from_str(&data).ok());
            let Rollouts { rewards, completion_tokens, share_without_signal } = announced.unwrap_or_default();
            ModelMetricsJob {
                training_job_id: job.job_id.to_string(),
                kind: job.kind.into(),
                first_step: first,
                num_steps,
                checkpoint: job.published_step.map(i64::unsigned_abs),
                rewards,
                completion_tokens,
                share_without_signal,
            }
        });
        let jobs = jobs.collect();
        let StepMetrics { num_steps, steps, tokens, times, metrics, .. } = curve;
        Ok(ModelMetrics { num_steps, steps, tokens, times, metrics, jobs })
    }

    /// Returns the metrics of the steps of a job or a model, and its jobs.
    pub(super) async fn curve(
        &self,
        caller: &Caller,
        of: StepsOf,
        names: &[String],
        points: Points,
    ) -> Result<(StepMetrics, Vec<JobSteps>), ApiError> {
        let jobs = self.metadata.list_job_steps(&caller.entity, of).await?;
        let announcements = jobs.iter().filter_map(|job| job.announcement.as_ref()).map(String::len).sum::<usize>();
        reserve_response(2 * (announcements + size_of_val(&*jobs)))?;
        let total = jobs.iter().map(|job| job.steps.unsigned_abs()).sum();
        let mut curve = Curve::new(total, points, names)?;
        let mut steps = StepReader::new(self.metadata.clone(), &caller.entity, of, total);
        while let Some(page) = steps.next().await? {
            page.iter().try_for_each(|step| curve.add(step))?;
        }
        Ok((curve.wire(), jobs))
    }

    /// Returns a row of CSV for each step. The row names its job if `of` is a model.
    pub(super) async fn csv_of_steps(
        &self,
        caller: &Caller,
        of: StepsOf,
        names: Vec<String>,
        file_name: &str,
    ) -> Result<Download, ApiError> {
        let jobs = self.metadata.list_job_steps(&caller.entity, of).await?;
        let total = jobs.iter().map(|job| job.steps.unsigned_abs()).sum();
        let open = || StepReader::new(self.metadata.clone(), &caller.entity, of, total);
        let names = if names.is_empty() { names_of(open()).await? } else { names };
        let table = Table { of, names, steps: open(), written: None };
        let rows = stream::try_unfold(table, |mut table| async move {
            Ok::<_, ApiError>(table.next().await?.map(|text| (Bytes::from(text), table)))
        });
        Ok(Download::stream(rows, None).with_file_name(file_name))
    }
}

/// The points of a curve that a request asks for.
#[derive(Clone, Copy)]
pub(super) struct Points {
    /// Maximum number.
    pub(super) max: u32,
    /// Number of the first step, from 1.
    pub(super) first_step: Option<u64>,
    /// Number of the last step.
    pub(super) last_step: Option<u64>,
}

/// The part of a first event's data that describes rollouts.
#[derive(Default, Deserialize)]
struct Rollouts {
    rewards: Option<Distribution>,
    completion_tokens: Option<Distribution>,
    share_without_signal: Option<f64>,
}

/// Reads the steps of a job or a model in their order.
struct StepReader {
    metadata: Arc<dyn Metadata>,
    entity: String,
    of: StepsOf,
    after: Option<StepPosition>,
    /// Number of steps that are read at most. More may be written meanwhile.
    left: u64,
    /// Number of tokens trained so far.
    tokens: u64,
}

/// An optimizer step.
struct Step {
    job_id: Uuid,
    event_id: Uuid,
    /// Number of tokens trained up to its end.
    tokens: u64,
    /// End in seconds since 1970-01-01 UTC.
    time: f64,
    metrics: Vec<(String, f64)>,
}

impl StepReader {
    fn new(metadata: Arc<dyn Metadata>, entity: &str, of: StepsOf, left: u64) -> Self {
        Self { metadata, entity: entity.to_owned(), of, after: None, left, tokens: 0 }
    }

    /// Returns the next steps; `None` after the last.
    async fn next(&mut self) -> Result<Option<Vec<Step>>, ApiError> {
        let limit = u32::try_from(self.left).unwrap_or(PAGE).min(PAGE);
        if limit == 0 {
            return Ok(None);
        }
        let page = self.metadata.list_steps(&self.entity, self.of, self.after, limit).await?;
        let Some(last) = page.last() else { return Ok(None) };
        self.after = Some(last.position);
        self.left -= page.len() as u64;
        page.into_iter().map(|record| self.read(record)).collect::<Result<_, _>>().map(Some)
    }

    fn read(&mut self, record: StepRecord) -> Result<Step, ApiError> {
        let data: Map<String, Value> = serde_json::from_str(&record.data)
            .map_err(|error| ApiError::internal(format!("an event of job {}: {error}", record.job_id)))?;
        let numbers = data.into_iter().filter_map(|(name, value)| Some((name, value.as_f64()?)));
        let metrics: Vec<(String, f64)> = numbers.collect();
        let trained = metrics.iter().find(|(name, _)| TRAINED_TOKENS.contains(&name.as_str()));
        self.tokens += trained.map_or(0, |(_, tokens)| *tokens as u64);
        #[expect(clippy::cast_precision_loss, reason = "fewer than 2^52 milliseconds")]
        let time = record.created_at as f64 / 1e3;
        Ok(Step { job_id: record.job_id, event_id: record.event_id, tokens: self.tokens, time, metrics })
    }
}

/// Returns the names of all metrics in the order of their first appearance.
async fn names_of(mut steps: StepReader) -> Result<Vec<String>, ApiError> {
    let mut names: Vec<String> = Vec::new();
    while let Some(page) = steps.next().await? {
        for (name, _) in page.into_iter().flat_map(|step| step.metrics) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    Ok(names)
}

/// The values of a metric at a point.
#[derive(Clone, Copy)]
struct Bucket {
    count: u32,
    sum: f64,
    min: f64,
    max: f64,
}

impl Bucket {
    const EMPTY: Self = Self { count: 0, sum: 0.0, min: f64::INFINITY, max: f64::NEG_INFINITY };

    fn add(&mut self, value: f64) {
        self.count += 1;
        self.sum += value;
        self.min = self.min.min(value);
        self.max = self.max.max(value);
    }

    fn mean(&self) -> Option<f64> {
        // The sum of finite numbers may be infinite.
        Some(self.sum / f64::from(self.count)).filter(|mean| mean.is_finite())
    }
}

/// Metrics thinned to points, each of as many consecutive steps as the others or one more.
struct Curve {
    /// Number of steps of the job or model.
    total: u64,
    /// Number of steps before the points.
    before: u64,
    /// Number of steps of all points.
    shown: u64,
    /// Number of points.
    points: u64,
    /// Number of steps added.
    added: u64,
    /// Event of the newest step.
    last_event: Option<Uuid>,
    /// Whether only the metrics of `names` are collected.
    is_chosen: bool,
    steps: Vec<u64>,
    tokens: Vec<u64>,
    times: Vec<f64>,
    names: Vec<String>,
    indices: HashMap<String, usize>,
    columns: Vec<Vec<Bucket>>,
}

impl Curve {
    /// # Errors
    /// 422 if the last step is before the first.
    fn new(total: u64, Points { max, first_step, last_step }: Points, names: &[String]) -> Result<Self, ApiError> {
        let (first, last) = (first_step.unwrap_or(1), last_step.unwrap_or(u64::MAX));
        if first > last {
            return Err(ApiError::invalid("last_step", "last_step is before first_step; swap them"));
        }
        let before = total.min(first - 1);
        let shown = total.min(last) - before;
        let mut curve = Self {
            total,
            before,
            shown,
            points: shown.min(max.into()),
            added: 0,
            last_event: None,
            is_chosen: !names.is_empty(),
            steps: Vec::new(),
            tokens: Vec::new(),
            times: Vec::new(),
            names: Vec::new(),
            indices: HashMap::new(),
            columns: Vec::new(),
        };
        for name in names {
            curve.column(name)?;
        }
        Ok(curve)
    }

    /// Returns the index of the column of a metric.
    ///
    /// # Errors
    /// There is no memory for another column.
    fn column(&mut self, name: &str) -> Result<usize, ApiError> {
        if let Some(index) = self.indices.get(name) {
            return Ok(*index);
        }
        reserve_response(usize::try_from(self.points).unwrap_or(usize::MAX).saturating_mul(POINT_BYTES))?;
        self.indices.insert(name.to_owned(), self.names.len());
        self.names.push(name.to_owned());
        self.columns.push(Vec::new());
        Ok(self.names.len() - 1)
    }

    /// Adds the next step.
    ///
    /// # Errors
    /// The errors of [`Self::column`].
    fn add(&mut self, step: &Step) -> Result<(), ApiError> {
        self.added += 1;
        self.last_event = Some(step.event_id);
        let number = self.added - self.before.min(self.added);
        if number == 0 || number > self.shown {
            return Ok(());
        }
        let point = u128::from(number - 1) * u128::from(self.points) / u128::from(self.shown);
        let point = usize::try_from(point).unwrap_or(usize::MAX);
        if point == self.steps.len() {
            self.steps.push(0);
            self.tokens.push(0);
            self.times.push(0.0);
        }
        (self.steps[point], self.tokens[point], self.times[point]) = (self.added, step.tokens, step.time);
        for (name, value) in &step.metrics {
            if self.is_chosen && !self.indices.contains_key(name) {
                continue;
            }
            let column = self.column(name)?;
            let column = &mut self.columns[column];
            column.resize(point + 1, Bucket::EMPTY);
            column[point].add(*value);
        }
        Ok(())
    }

    fn wire(mut self) -> StepMetrics {
        let is_thinned = self.points < self.shown;
        let length = self.steps.len();
        self.columns.iter_mut().for_each(|column| column.resize(length, Bucket::EMPTY));
        let metrics = self.names.into_iter().zip(self.columns).map(|(name, column)| {
            let each = |value: fn(&Bucket) -> Option<f64>| -> Vec<Option<f64>> {
                column.iter().map(|bucket| if bucket.count == 0 { None } else { value(bucket) }).collect()
            };
            MetricColumn {
                name,
                values: each(Bucket::mean),
                min: is_thinned.then(|| each(|bucket| Some(bucket.min))),
                max: is_thinned.then(|| each(|bucket| Some(bucket.max))),
            }
        });
        StepMetrics {
            num_steps: self.total,
            last_event_id: self.last_event.map(|id| id.to_string()),
            metrics: metrics.collect(),
            steps: self.steps,
            tokens: self.tokens,
            times: self.times,
        }
    }
}

/// A table of steps that is written while it is read.
struct Table {
    of: StepsOf,
    names: Vec<String>,
    steps: StepReader,
    /// Number of rows so far; `None` before the head.
    written: Option<u64>,
}

impl Table {
    /// Returns the next lines; `None` after the last.
    async fn next(&mut self) -> Result<Option<String>, ApiError> {
        let mut text = String::new();
        let names_job = matches!(self.of, StepsOf::Model(_));
        if self.written.is_none() {
            let job = names_job.then_some("training_job_id").into_iter();
            let head: Vec<String> =
                job.chain(["step", "tokens", "time"]).chain(self.names.iter().map(String::as_str)).map(cell).collect();
            text = format!("{}\n", head.join(","));
        }
        let first = self.written.unwrap_or_default();
        self.written = Some(first);
        let Some(page) = self.steps.next().await? else { return Ok(Some(text).filter(|text| !text.is_empty())) };
        for (number, step) in (first + 1..).zip(&page) {
            self.written = Some(number);
            if names_job {
                let _ = write!(text, "{},", step.job_id);
            }
            let _ = write!(text, "{number},{},{}", step.tokens, step.time);
            for name in &self.names {
                text.push(',');
                if let Some((_, value)) = step.metrics.iter().find(|(other, _)| other == name) {
                    let _ = write!(text, "{value}");
                }
            }
            text.push('\n');
        }
        Ok(Some(text))
    }
}

/// Returns a value of CSV (RFC 4180).
fn cell(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}
