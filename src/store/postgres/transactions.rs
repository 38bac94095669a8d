//! Reading and writing through connections that may break at any moment.
//!
//! These are macros because the compiler cannot tell that a future is `Send` when it comes from a closure that borrows.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use sqlx::pool::PoolConnection;
use sqlx::{PgConnection, Postgres};
use uuid::Uuid;

use super::{PostgresMetadata, now};
use crate::store::metadata::{Result, StoreError};

/// How long a call goes on trying while the database cannot be reached.
pub(super) const RETRY_TIME: Duration = Duration::from_secs(3);
/// How long one attempt may take; the server itself gives a statement up earlier, unless it is frozen or cut off.
const ATTEMPT_TIME: Duration = Duration::from_secs(12);
/// First pause between two attempts; it doubles.
const FIRST_PAUSE: Duration = Duration::from_millis(10);
const LONGEST_PAUSE: Duration = Duration::from_millis(320);
/// After how many writes of a process the marks of old ones are removed.
const WRITES_BETWEEN_FORGETTING: u32 = 1024;

/// `statement!(store, |connection| work)` runs statements each of which may be run twice without harm.
macro_rules! statement {
    ($store:expr, |$connection:ident| $work:expr) => {
        $crate::store::postgres::transactions::repeated!($store, None, |$connection| $work)
    };
}

/// `reading!(store, |connection| work)` reads in a transaction that sees one state of the database throughout.
macro_rules! reading {
    ($store:expr, |$connection:ident| $work:expr) => {{
        let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
        $crate::store::postgres::transactions::repeated!($store, Some((begin, "ROLLBACK")), |$connection| $work)
    }};
}

/// Work that leaves nothing behind, repeated for a while when the connection breaks.
macro_rules! repeated {
    ($store:expr, $bounds:expr, |$connection:ident| $work:expr) => {{
        use $crate::store::postgres::transactions::{Lent, Retries, within_time};
        let (store, bounds): (_, Option<(&'static str, &'static str)>) = ($store, $bounds);
        let mut retries = Retries::new();
        loop {
            let begun = Lent::take(store, bounds.map(|(begin, _)| begin)).await;
            let outcome = match begun {
                Ok(mut lent) => {
                    let $connection = lent.connection();
                    let outcome = within_time(async { $work }).await;
                    lent.give_back(outcome, bounds.map(|(_, end)| end)).await
                }
                Err(error) => Err(error),
            };
            match outcome {
                Err(error) => retries.after(error).await?,
                done => break done,
            }
        }
    }};
}

/// `writing!(store, |connection| work)` writes in one transaction, which takes effect once or not at all.
///
/// A connection that breaks at COMMIT leaves open whether the transaction was committed. So each carries a row with an
/// identity of its own, and the next attempt begins by inserting the same: that waits for an earlier attempt which the
/// server still works on, and finds the row if that attempt was committed. Its value is the answer then.
macro_rules! writing {
    ($store:expr, |$connection:ident| $work:expr) => {{
        use $crate::store::postgres::transactions::{Begun, Writing, within_time};
        let mut writing = Writing::new($store);
        loop {
            let outcome = match writing.begin().await {
                Ok(Begun::Open(mut lent)) => {
                    let $connection = lent.connection();
                    let written = within_time(async { $work }).await;
                    writing.commit(lent, written).await
                }
                Ok(Begun::Committed(value)) => Ok(value),
                Err(error) => Err(error),
            };
            match outcome {
                Err(error) => writing.retries.after(error).await?,
                done => break done,
            }
        }
    }};
}
pub(super) use {reading, repeated, statement, writing};

/// A connection of the pool that is closed rather than given back when it may be broken, or when the call that uses it is
/// abandoned half-way.
pub(super) struct Lent(Option<PoolConnection<Postgres>>);

impl Lent {
    /// Takes a connection and begins with a statement.
    pub(super) async fn take(store: &PostgresMetadata, begin: Option<&'static str>) -> Result<Self> {
        let mut lent = Self(Some(store.pool.acquire().await?));
        if let Some(begin) = begin {
            lent.run(begin).await?;
        }
        Ok(lent)
    }

    pub(super) fn connection(&mut self) -> &mut PgConnection {
        self.0.as_mut().expect("it is there until it is given back")
    }

    async fn run(&mut self, statement: &'static str) -> Result<()> {
        let connection = self.connection();
        within_time(async { Ok(sqlx::raw_sql(statement).execute(connection).await.map(drop)?) }).await
    }

    /// Ends with a statement and returns the connection, if the outcome says that it is sound.
    pub(super) async fn give_back<T>(mut self, outcome: Result<T>, end: Option<&'static str>) -> Result<T> {
        if let Err(StoreError::Unavailable(_)) = outcome {
            return outcome;
        }
        if let Some(end) = end
            && let Err(error) = self.run(end).await
        {
            return outcome.and(Err(error));
        }
        drop(self.0.take());
        outcome
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        if let Some(connection) = self.0.take() {
            drop(connection.detach());
        }
    }
}

/// A write and its attempts.
pub(super) struct Writing<'a, T> {
    store: &'a PostgresMetadata,
    id: Uuid,
    pub(super) retries: Retries,
    /// The value of the last attempt, whose COMMIT was not answered.
    committing: Option<T>,
}

/// How an attempt begins.
pub(super) enum Begun<T> {
    /// In a transaction.
    Open(Lent),
    /// An earlier attempt was committed.
    Committed(T),
}

impl<'a, T> Writing<'a, T> {
    pub(super) fn new(store: &'a PostgresMetadata) -> Self {
        Self { store, id: Uuid::now_v7(), retries: Retries::new(), committing: None }
    }

    pub(super) async fn begin(&mut self) -> Result<Begun<T>> {
        let mut lent = Lent::take(self.store, Some("BEGIN")).await?;
        let mark = sqlx::query(concat!(
            "INSERT INTO committed_writes (id, written_at) VALUES ($1, ",
            now!(),
            ") ON CONFLICT DO NOTHING"
        ));
        let marked = mark.bind(self.id).execute(lent.connection());
        let marked = within_time(async { Ok(marked.await?.rows_affected() == 1) }).await?;
        let before = self.committing.take();
        if marked {
            return Ok(Begun::Open(lent));
        }
        let unknown = || StoreError::Corrupt {
            column: "committed_writes.id",
            reason: "a write is marked as committed that never was begun".to_owned(),
        };
        let value = before.ok_or_else(unknown);
        Ok(Begun::Committed(lent.give_back(value, Some("ROLLBACK")).await?))
    }

    pub(super) async fn commit(&mut self, mut lent: Lent, written: Result<T>) -> Result<T> {
        let value = match written {
            Ok(value) => value,
            refused => return lent.give_back(refused, Some("ROLLBACK")).await,
        };
        self.committing = Some(value);
        lent.run("COMMIT").await?;
        let value = self.committing.take().expect("it was put there");
        let committed = lent.give_back(Ok(value), None).await;
        self.store.forget_now_and_then().await;
        committed
    }
}

impl PostgresMetadata {
    /// Keeps the marks of writes from piling up.
    async fn forget_now_and_then(&self) {
        if self.writes.fetch_add(1, Ordering::Relaxed) % WRITES_BETWEEN_FORGETTING == WRITES_BETWEEN_FORGETTING - 1
            && let Err(error) = self.forget_old_marks().await
        {
            tracing::debug!(%error, "the marks of old writes stay for now");
        }
    }

    /// Forgets the marks of writes that nobody can be trying any more.
    pub(super) async fn forget_old_marks(&self) -> Result<u64> {
        statement!(self, |connection| {
            let forgotten =
                sqlx::query(concat!("DELETE FROM committed_writes WHERE written_at < ", now!(), " - 3600000"))
                    .execute(connection)
                    .await?;
            Ok(forgotten.rows_affected())
        })
    }
}

/// Gives an attempt up after [`ATTEMPT_TIME`].
pub(super) async fn within_time<T>(attempt: impl Future<Output = Result<T>>) -> Result<T> {
    match tokio::time::timeout(ATTEMPT_TIME, attempt).await {
        Ok(outcome) => outcome,
        Err(elapsed) => Err(StoreError::Unavailable(Box::new(elapsed))),
    }
}

/// When to try again.
pub(super) struct Retries {
    begun: Instant,
    pause: Duration,
}

impl Retries {
    pub(super) fn new() -> Self {
        Self { begun: Instant::now(), pause: FIRST_PAUSE }
    }

    /// Pauses after an error that may pass; returns the error if it will not, or time is up.
    pub(super) async fn after(&mut self, error: StoreError) -> Result<()> {
        let StoreError::Unavailable(_) = error else { return Err(error) };
        if self.begun.elapsed() + self.pause > RETRY_TIME {
            return Err(error);
        }
        // Up to half of it is left to chance, so that those who failed together do not try again together.
        let chance = f64::from(Uuid::new_v4().as_bytes()[0]) / 255.0;
        tokio::time::sleep(self.pause.mul_f64(1.0 - chance / 2.0)).await;
        self.pause = (self.pause * 2).min(LONGEST_PAUSE);
        Ok(())
    }
}
