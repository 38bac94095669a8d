//! Selections of rows.

use sqlx::PgConnection;
use sqlx::postgres::{PgArguments, PgRow};

use super::database::PostgresMetadata;
use super::transactions::snapshot;
use crate::metadata::Result;

/// SQL for a selection of rows.
#[derive(Clone, Copy)]
pub(super) struct Selection {
    pub(super) sql: &'static str,
}

/// `selection!([columns], parts of the SQL for rows…)` is a [`Selection`]. Only SQLite needs the names of the columns.
macro_rules! selection {
    ([$columns:expr], $($rows:expr),+) => {{
        const _: &str = $columns;
        $crate::postgres::selection::Selection { sql: concat!($($rows),+) }
    }};
}
pub(super) use selection;

impl Selection {
    /// Reads the rows of the statement.
    pub(super) async fn fetch(&self, connection: &mut PgConnection, arguments: PgArguments) -> Result<Vec<PgRow>> {
        Ok(sqlx::query_with(self.sql, arguments).fetch_all(connection).await?)
    }

    /// Reads the rows of two statements with the same parameters, from one snapshot of the database.
    pub(super) async fn fetch_both(
        both: [Self; 2],
        store: &PostgresMetadata,
        arguments: PgArguments,
    ) -> Result<[Vec<PgRow>; 2]> {
        let [first, second] = both;
        snapshot!(store, |connection| {
            let first = first.fetch(connection, arguments.clone()).await?;
            Ok([first, second.fetch(connection, arguments.clone()).await?])
        })
    }
}
