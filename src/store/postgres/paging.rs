//! [`Listing`]s in PostgreSQL.

use sqlx::postgres::{PgArguments, PgRow};
use sqlx::{Arguments, PgConnection};

use crate::store::metadata::Result;
use crate::store::paging::{Listing, PageRow, Value, parameters};
use crate::store::records::{Page, PageRequest};

impl PageRow for PgRow {
    type Statement = &'static str;
}

/// Reads one page of the items of `owner` that pass the filters.
pub(super) async fn page<T>(
    connection: &mut PgConnection,
    listing: &Listing<PgRow, T>,
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
    let rows = sqlx::query_with(listing.statement(request), parameters).fetch_all(connection).await?;
    listing.page(&rows, request)
}

fn arguments(values: &[Value<'_>]) -> Result<PgArguments> {
    let mut arguments = PgArguments::default();
    for value in values {
        let added = match *value {
            Value::Text(text) => arguments.add(text),
            Value::Id(id) => arguments.add(id),
            Value::Integer(integer) => arguments.add(integer),
        };
        added.map_err(sqlx::Error::Encode)?;
    }
    Ok(arguments)
}
