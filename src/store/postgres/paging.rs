//! Listings by cursor, the same for every table.

use sqlx::postgres::PgRow;
use sqlx::{Encode, PgConnection, Postgres, Type};
use uuid::Uuid;

use crate::store::metadata::{Result, StoreError};
use crate::store::paging::{page, start};
use crate::store::records::{Order, Page, PageRequest};

/// The statements of one listing.
pub(super) struct Listing<T> {
    /// The place (`$1` owner, `$2` id of the item) of the item that a page begins behind.
    pub(super) place: &'static str,
    /// Items of owner `$1` behind place `$2`, at most `$3`, lowest place first.
    pub(super) ascending: &'static str,
    /// The same, highest place first.
    pub(super) descending: &'static str,
    /// Reads an item.
    pub(super) read: fn(&PgRow) -> Result<T>,
}

impl<T> Listing<T> {
    /// Reads one page of what belongs to `owner`.
    pub(super) async fn page(
        &self,
        connection: &mut PgConnection,
        owner: Uuid,
        request: PageRequest,
    ) -> Result<Page<T>> {
        let after = after(connection, self.place, owner, request).await?;
        let statement = match request.order {
            Order::Ascending => self.ascending,
            Order::Descending => self.descending,
        };
        // One more than asked for tells whether more follow.
        let rows = sqlx::query(statement)
            .bind(owner)
            .bind(after)
            .bind(i64::from(request.limit) + 1)
            .fetch_all(connection)
            .await?;
        page(&rows, request.limit, self.read)
    }
}

/// The statements of a listing of what belongs to an entity: all of it, or what has one value in a column.
pub(super) struct FilteredListing<T> {
    /// The place (`$1` entity, `$2` id of the item) of the item that a page begins behind.
    pub(super) place: &'static str,
    /// Items of entity `$1` with value `$2`, or with any if that is null, behind place `$3`, at most `$4`, lowest
    /// place first.
    pub(super) ascending: &'static str,
    /// The same, highest place first.
    pub(super) descending: &'static str,
    /// Reads an item.
    pub(super) read: fn(&PgRow) -> Result<T>,
}

impl<T> FilteredListing<T> {
    /// Reads one page.
    pub(super) async fn page(
        &self,
        connection: &mut PgConnection,
        entity: &str,
        value: Option<&str>,
        request: PageRequest,
    ) -> Result<Page<T>> {
        let after = after(connection, self.place, entity, request).await?;
        let statement = match request.order {
            Order::Ascending => self.ascending,
            Order::Descending => self.descending,
        };
        // One more than asked for tells whether more follow.
        let rows = sqlx::query(statement)
            .bind(entity)
            .bind(value)
            .bind(after)
            .bind(i64::from(request.limit) + 1)
            .fetch_all(connection)
            .await?;
        page(&rows, request.limit, self.read)
    }
}

/// The place that a page of what belongs to an owner begins behind. `place` gives that of an item: its owner and its id
/// are to be bound.
pub(super) async fn after<'o, O: Encode<'o, Postgres> + Type<Postgres> + Send + 'o>(
    connection: &mut PgConnection,
    place: &'static str,
    owner: O,
    request: PageRequest,
) -> Result<i64> {
    let Some(cursor) = request.after else { return Ok(start(request.order)) };
    let found = sqlx::query_scalar(place).bind(owner).bind(cursor).fetch_optional(connection).await?;
    found.ok_or(StoreError::InvalidCursor(cursor))
}
