//! Token usage, and the health, the version and the end of the database connection.

use std::ops::RangeInclusive;
use std::time::Duration;

use async_trait::async_trait;
use uuid::Uuid;

use super::Result;
use crate::records::{DailyUsage, StoreVersion, UsageCount, UsageKey, UsageRecord};

/// Token usage, and the health, the version and the end of the database connection.
#[async_trait]
pub trait Usage: Send + Sync {
    /// Adds to today's usage sum.
    async fn add_usage(&self, usage: UsageKey, count: UsageCount) -> Result<()>;
    /// Lists usage summed over all days. Without an `entity`, lists the usage of every entity.
    async fn list_usage(&self, entity: Option<&str>) -> Result<Vec<UsageRecord>>;
    /// Lists an entity's daily usage sums within `days`, earliest first, at most `limit`. With a `project`, lists only
    /// its sums.
    async fn list_daily_usage(
        &self,
        entity: &str,
        days: RangeInclusive<i64>,
        project: Option<&str>,
        limit: u32,
    ) -> Result<Vec<DailyUsage>>;
    /// Sums the chat and training tokens that a key has used since `first_day`, counted from 1970-01-01 UTC.
    async fn used_tokens(&self, entity: &str, key_id: Uuid, first_day: i64) -> Result<u64>;
    /// Queries the database; returns the time until its result.
    async fn ping(&self) -> Result<Duration>;
    /// Returns the version of the whole store, in which every write that has ended before the call is counted. Without one,
    /// it takes a read to know whether something has changed.
    fn version(&self) -> Option<StoreVersion>;
    /// Closes every connection when its call in progress has ended; later calls fail. The last process that closes a SQLite
    /// database leaves all of it in one file.
    async fn close(&self);
}
