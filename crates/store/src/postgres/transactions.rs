//! Reads and writes that survive broken connections.
//!
//! These are macros because the compiler cannot prove that a future is `Send` when it comes from a closure that borrows.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use sqlx::{PgConnection, Postgres};
use uuid::Uuid;

use super::database::PostgresMetadata;
use super::dialect::now;
use crate::kept_connections::KeptConnection;
use crate::metadata::{Result, StoreError};

/// Time limit of the retries of a call while the database is unreachable.
pub(super) const RETRY_DEADLINE: Duration = Duration::from_secs(3);
/// Time limit of one attempt. The server's own limit on statements is lower, but does not apply to a frozen or
/// disconnected server.
const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(12);
/// Backoff before the first retry; it doubles.
const INITIAL_BACKOFF: Duration = Duration::from_millis(10);
const MAX_BACKOFF: Duration = Duration::from_millis(320);
/// Number of a process's writes between two deletions of old write markers.
const WRITES_BETWEEN_CLEANUPS: u32 = 1024;

/// `reading!(store, |connection| work)` reads without a transaction. Each statement sees a snapshot of its own.
macro_rules! reading {
    ($store:expr, |$connection:ident| $work:expr) => {
        $crate::postgres::transactions::repeated!($store, None, |$connection| $work)
    };
}

/// `snapshot!(store, |connection| work)` reads in a transaction that sees one snapshot of the database throughout.
macro_rules! snapshot {
    ($store:expr, |$connection:ident| $work:expr) => {{
        let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
        $crate::postgres::transactions::repeated!($store, Some((begin, "ROLLBACK")), |$connection| $work)
    }};
}

/// `idempotent!(store, |connection| work)` runs one statement that writes, and that may run twice without harm.
macro_rules! idempotent {
    ($store:expr, |$connection:ident| $work:expr) => {
        $crate::postgres::transactions::repeated!($store, None, |$connection| $work)
    };
}

/// Runs idempotent work and retries it when the connection breaks.
macro_rules! repeated {
    ($store:expr, $bounds:expr, |$connection:ident| $work:expr) => {{
        use $crate::postgres::transactions::{ConnectionGuard, Retries, with_timeout};
        let (store, bounds): (_, Option<(&'static str, &'static str)>) = ($store, $bounds);
        let mut retries = Retries::new();
        loop {
            let begun = ConnectionGuard::acquire(store, bounds.map(|(begin, _)| begin)).await;
            let outcome = match begun {
                Ok(mut guard) => {
                    let $connection = guard.connection();
                    let outcome = with_timeout(async { $work }).await;
                    guard.release(outcome, bounds.map(|(_, end)| end)).await
                }
                Err(error) => Err(error),
            };
            match outcome {
                Err(error) => retries.back_off(error).await?,
                done => break done,
            }
        }
    }};
}

/// `writing!(store, |connection| work)` writes in one transaction, exactly once or not at all.
///
/// A connection that breaks at COMMIT leaves open whether the transaction was committed. So each write inserts a marker
/// row with a unique id, and a retry begins by inserting the same marker. That insert waits for an earlier attempt that
/// is still in progress on the server, and conflicts if that attempt was committed. The committed attempt's value is
/// returned then.
macro_rules! writing {
    ($store:expr, |$connection:ident| $work:expr) => {{
        use $crate::postgres::transactions::{Attempt, Write, with_timeout};
        let mut write = Write::new($store);
        loop {
            let outcome = match write.begin().await {
                Ok(Attempt::Open(mut guard)) => {
                    let $connection = guard.connection();
                    let written = with_timeout(async { $work }).await;
                    write.commit(guard, written).await
                }
                Ok(Attempt::Committed(value)) => Ok(value),
                Err(error) => Err(error),
            };
            match outcome {
                Err(error) => write.retries.back_off(error).await?,
                done => break done,
            }
        }
    }};
}

/// `queueing!(store, |connection| work)` writes as `writing!` does, and notifies the workers that a job may be claimable.
macro_rules! queueing {
    ($store:expr, |$connection:ident| $work:expr) => {
        $crate::postgres::transactions::writing!($store, |connection| {
            let written = {
                let $connection = &mut *connection;
                $crate::postgres::transactions::with_timeout(async { $work }).await?
            };
            $crate::postgres::job_notifications::notify(connection).await?;
            Ok(written)
        })
    };
}

/// `lock!(connection, query, values…)` runs a query that locks rows, or a number by itself, until the transaction ends.
macro_rules! lock {
    ($connection:expr, $sql:literal $(, $value:expr)*) => {
        sqlx::query($sql)$(.bind($value))*.execute(&mut *$connection).await?
    };
}
pub(super) use {idempotent, lock, queueing, reading, repeated, snapshot, writing};

/// A connection in use. It is closed if it may be broken, or if the call that uses it is dropped.
pub(super) struct ConnectionGuard<'a>(Option<KeptConnection<'a, Postgres>>);

impl<'a> ConnectionGuard<'a> {
    /// Acquires a connection and runs the statement `begin`.
    pub(super) async fn acquire(store: &'a PostgresMetadata, begin: Option<&'static str>) -> Result<Self> {
        let mut guard = Self(Some(store.connections.acquire().await?));
        if let Some(begin) = begin {
            guard.run(begin).await?;
        }
        Ok(guard)
    }

    pub(super) fn connection(&mut self) -> &mut PgConnection {
        self.0.as_mut().expect("it is there until it is released").connection()
    }

    async fn run(&mut self, statement: &'static str) -> Result<()> {
        let connection = self.connection();
        with_timeout(async { Ok(sqlx::raw_sql(statement).execute(connection).await.map(drop)?) }).await
    }

    /// Runs the statement `end` and keeps the connection, unless the outcome shows that it is broken.
    pub(super) async fn release<T>(mut self, outcome: Result<T>, end: Option<&'static str>) -> Result<T> {
        if let Err(StoreError::Unavailable(_)) = outcome {
            return outcome;
        }
        if let Some(end) = end
            && let Err(error) = self.run(end).await
        {
            return outcome.and(Err(error));
        }
        if let Some(connection) = self.0.take() {
            connection.keep();
        }
        outcome
    }
}

impl Drop for ConnectionGuard<'_> {
    fn drop(&mut self) {
        if let Some(connection) = self.0.take() {
            connection.close();
        }
    }
}

/// A write with its retries.
pub(super) struct Write<'a, T> {
    store: &'a PostgresMetadata,
    /// Id of the marker row.
    id: Uuid,
    pub(super) retries: Retries,
    /// Value of the last attempt, while its COMMIT is unacknowledged.
    unacknowledged: Option<T>,
}

/// The beginning of an attempt.
pub(super) enum Attempt<'a, T> {
    /// The transaction is open.
    Open(ConnectionGuard<'a>),
    /// An earlier attempt was committed.
    Committed(T),
}

impl<'a, T> Write<'a, T> {
    pub(super) fn new(store: &'a PostgresMetadata) -> Self {
        Self { store, id: Uuid::now_v7(), retries: Retries::new(), unacknowledged: None }
    }

    pub(super) async fn begin(&mut self) -> Result<Attempt<'a, T>> {
        let mut guard = ConnectionGuard::acquire(self.store, Some("BEGIN")).await?;
        let marker = sqlx::query(concat!(
            "INSERT INTO committed_writes (id, written_at) VALUES ($1, ",
            now!(),
            ") ON CONFLICT DO NOTHING"
        ));
        let inserting = marker.bind(self.id).execute(guard.connection());
        let inserted = with_timeout(async { Ok(inserting.await?.rows_affected() == 1) }).await?;
        let unacknowledged = self.unacknowledged.take();
        if inserted {
            return Ok(Attempt::Open(guard));
        }
        let unknown = || StoreError::Corrupt {
            column: "committed_writes.id",
            reason: "a write is marked as committed that never was begun".to_owned(),
        };
        let value = unacknowledged.ok_or_else(unknown);
        Ok(Attempt::Committed(guard.release(value, Some("ROLLBACK")).await?))
    }

    pub(super) async fn commit(&mut self, mut guard: ConnectionGuard<'_>, written: Result<T>) -> Result<T> {
        let value = match written {
            Ok(value) => value,
            rejected => return guard.release(rejected, Some("ROLLBACK")).await,
        };
        self.unacknowledged = Some(value);
        guard.run("COMMIT").await?;
        let value = self.unacknowledged.take().expect("it was put there");
        let committed = guard.release(Ok(value), None).await;
        self.store.count_write().await;
        committed
    }
}

impl PostgresMetadata {
    /// Counts a write of this process. Every [`WRITES_BETWEEN_CLEANUPS`] writes, deletes old write markers.
    async fn count_write(&self) {
        if self.writes.fetch_add(1, Ordering::Relaxed) % WRITES_BETWEEN_CLEANUPS == WRITES_BETWEEN_CLEANUPS - 1
            && let Err(error) = self.delete_old_markers().await
        {
            tracing::debug!(%error, "the marks of old writes stay for now");
        }
    }

    /// Deletes the markers of writes that are an hour old, whose retries have all ended.
    pub(super) async fn delete_old_markers(&self) -> Result<u64> {
        idempotent!(self, |connection| {
            let deleted =
                sqlx::query(concat!("DELETE FROM committed_writes WHERE written_at < ", now!(), " - 3600000"))
                    .execute(connection)
                    .await?;
            Ok(deleted.rows_affected())
        })
    }
}

/// Aborts an attempt after [`ATTEMPT_TIMEOUT`].
pub(super) async fn with_timeout<T>(attempt: impl Future<Output = Result<T>>) -> Result<T> {
    match tokio::time::timeout(ATTEMPT_TIMEOUT, attempt).await {
        Ok(outcome) => outcome,
        Err(elapsed) => Err(StoreError::Unavailable(Box::new(elapsed))),
    }
}

/// The retries of a call, with exponential backoff until [`RETRY_DEADLINE`].
pub(super) struct Retries {
    begun: Instant,
    backoff: Duration,
}

impl Retries {
    pub(super) fn new() -> Self {
        Self { begun: Instant::now(), backoff: INITIAL_BACKOFF }
    }

    /// Sleeps before the retry of a transient error. Returns the error if it is permanent, or after the deadline.
    pub(super) async fn back_off(&mut self, error: StoreError) -> Result<()> {
        let StoreError::Unavailable(_) = error else { return Err(error) };
        if self.begun.elapsed() + self.backoff > RETRY_DEADLINE {
            return Err(error);
        }
        // Up to half of it is jitter, so that calls that failed together do not retry together.
        let jitter = f64::from(Uuid::new_v4().as_bytes()[0]) / 255.0;
        tokio::time::sleep(self.backoff.mul_f64(1.0 - jitter / 2.0)).await;
        self.backoff = (self.backoff * 2).min(MAX_BACKOFF);
        Ok(())
    }
}
