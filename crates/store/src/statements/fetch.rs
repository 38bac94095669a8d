//! Reading of rows as records.

use sqlx::query::Query;

use super::dialect::{Arguments, Connection, Database, Row};
use crate::metadata::{Result, StoreError};

/// A statement whose rows are read as records.
pub(super) trait Fetch: Sized {
    /// Reads the one row of the statement.
    async fn one<T>(self, connection: &mut Connection, read: fn(&Row) -> Result<T>) -> Result<T>;
    /// Reads the row of the statement; `None` if it has none.
    async fn optional<T>(self, connection: &mut Connection, read: fn(&Row) -> Result<T>) -> Result<Option<T>>;
    /// Reads all rows of the statement.
    async fn all<T>(self, connection: &mut Connection, read: fn(&Row) -> Result<T>) -> Result<Vec<T>>;

    /// Reads the row of the statement, which is that of a `kind` of objects.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] if it has none.
    async fn existing<T>(
        self,
        kind: &'static str,
        connection: &mut Connection,
        read: fn(&Row) -> Result<T>,
    ) -> Result<T> {
        self.optional(connection, read).await?.ok_or(StoreError::NotFound(kind))
    }
}

impl Fetch for Query<'_, Database, Arguments> {
    async fn one<T>(self, connection: &mut Connection, read: fn(&Row) -> Result<T>) -> Result<T> {
        read(&self.fetch_one(connection).await?)
    }

    async fn optional<T>(self, connection: &mut Connection, read: fn(&Row) -> Result<T>) -> Result<Option<T>> {
        self.fetch_optional(connection).await?.as_ref().map(read).transpose()
    }

    async fn all<T>(self, connection: &mut Connection, read: fn(&Row) -> Result<T>) -> Result<Vec<T>> {
        self.fetch_all(connection).await?.iter().map(read).collect()
    }
}
