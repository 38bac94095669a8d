//! [`Listing`]s in SQLite.

use sqlx::sqlite::SqliteArguments;
use sqlx::{Arguments, SqliteConnection};

use super::packed::PackedRow;
use crate::store::metadata::Result;
use crate::store::paging::{Listing, Value, parameters};
use crate::store::records::{Page, PageRequest};

/// Reads one page of the items of `owner` that pass the filters.
pub(super) async fn page<T>(
    connection: &mut SqliteConnection,
    listing: &Listing<PackedRow, T>,
    owner: Value<'_>,
    filters: &[Value<'_>],
    request: PageRequest,
) -> Result<Page<T>> {
    let mut cursor = None;
    if let Some(after) = request.after {
        let position = sqlx::query_scalar_with(listing.position, arguments(&[owner, after.into()])?);
        cursor = position.fetch_optional(&mut *connection).await?;
    }
    let parameters = arguments(&parameters(owner, filters, cursor, request)?)?;
    let rows = listing.statement(request).fetch(connection, parameters).await?;
    listing.page(&rows, request)
}

/// Converts values to parameters.
pub(super) fn arguments(values: &[Value<'_>]) -> Result<SqliteArguments> {
    let mut arguments = SqliteArguments::default();
    for value in values {
        let added = match *value {
            Value::Text(text) => arguments.add(text.map(str::to_owned)),
            Value::Id(id) => arguments.add(id.map(|id| id.to_string())),
            Value::Integer(integer) => arguments.add(integer),
        };
        added.map_err(sqlx::Error::Encode)?;
    }
    Ok(arguments)
}
