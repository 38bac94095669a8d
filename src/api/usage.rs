//! Daily token usage of an entity.

use chrono::{Days, NaiveDate, Utc};

use super::Api;
use crate::generated::server::service::GetUsageInput;
use crate::generated::types::{ListObject, UsageOfDay, UsageReport, UsageTotal};
use crate::http::ApiError;
use crate::store::records::{DailyUsage, UsageCount};

/// Number of days of a report without a start date.
const DAYS: u64 = 30;
/// Maximum number of sums in a report.
const SUMS: u32 = 10_000;

/// Returns the project that usage is counted for: the first header that names one.
pub(super) fn project_of(headers: [Option<String>; 2]) -> String {
    headers.into_iter().flatten().find(|project| !project.is_empty()).unwrap_or_default()
}

impl Api {
    /// Returns the usage report of an entity.
    ///
    /// # Errors
    /// Returns 422 for invalid dates or too many sums, or an error if the store fails.
    pub(super) async fn usage_report(&self, entity: &str, input: GetUsageInput) -> Result<UsageReport, ApiError> {
        let end = day("end_date", input.end_date.as_deref())?.unwrap_or_else(|| Utc::now().date_naive());
        let start = day("start_date", input.start_date.as_deref())?;
        let start = start.unwrap_or_else(|| end.checked_sub_days(Days::new(DAYS)).unwrap_or(NaiveDate::MIN));
        if start > end {
            return Err(ApiError::invalid("start_date", "start_date is after end_date; swap them"));
        }
        let days = number(start)..=number(end);
        // One more than fits shows whether there are more.
        let sums = self.metadata.list_daily_usage(entity, days, input.project.as_deref(), SUMS + 1).await?;
        if sums.len() > SUMS as usize {
            let message = format!("there are more than {SUMS} sums in these days; ask for fewer days, or one project");
            return Err(ApiError::invalid("start_date", message));
        }
        Ok(UsageReport {
            object: ListObject::List,
            start_date: start.to_string(),
            end_date: end.to_string(),
            total: total(&sums),
            data: sums.into_iter().map(wire).collect(),
        })
    }
}

/// Parses a date.
fn day(name: &'static str, text: Option<&str>) -> Result<Option<NaiveDate>, ApiError> {
    let parse = |text: &str| {
        text.parse().map_err(|_| ApiError::invalid(name, format!("there is no day {text}; write one as in 2026-11-22")))
    };
    text.map(parse).transpose()
}

/// Returns the days since 1970-01-01.
fn number(day: NaiveDate) -> i64 {
    day.signed_duration_since(NaiveDate::default()).num_days()
}

fn wire(DailyUsage { day, job_id, usage }: DailyUsage) -> UsageOfDay {
    let written = u64::try_from(day).ok().filter(|day| *day > 0);
    let written = written.and_then(|day| NaiveDate::default().checked_add_days(Days::new(day)));
    let count = usage.count;
    UsageOfDay {
        day: written.map(|day| day.to_string()),
        job_id: job_id.map(|id| id.to_string()),
        key_id: usage.usage.key_id.to_string(),
        key_name: usage.key_name,
        project: usage.usage.project,
        model: usage.usage.model,
        requests: count.requests.unsigned_abs(),
        prompt_tokens: count.prompt_tokens.unsigned_abs(),
        completion_tokens: count.completion_tokens.unsigned_abs(),
        trained_tokens: count.trained_tokens.unsigned_abs(),
    }
}

fn total(sums: &[DailyUsage]) -> UsageTotal {
    let sum = |of: fn(&UsageCount) -> i64| sums.iter().map(|sum| of(&sum.usage.count).unsigned_abs()).sum();
    UsageTotal {
        requests: sum(|count| count.requests),
        prompt_tokens: sum(|count| count.prompt_tokens),
        completion_tokens: sum(|count| count.completion_tokens),
        trained_tokens: sum(|count| count.trained_tokens),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_count_from_1970() {
        let of = |text: &str| number(day("d", Some(text)).unwrap().unwrap());
        assert_eq!((of("1970-01-01"), of("1970-01-02"), of("2026-11-22")), (0, 1, 20_779));
        for none in ["2026-02-30", "2026-13-01", "22.11.2026", ""] {
            assert!(day("d", Some(none)).is_err(), "{none}");
        }
    }
}
