//! Listings by cursor.

use sqlx::Arguments as _;

use super::dialect;
use super::dialect::{Arguments, Connection, PageRow, Selection};
use crate::metadata::{Result, StoreError};
use crate::paging::Value;
use crate::records::{Order, Page, PageRequest};

/// A listing of the items of an owner that pass some filters.
pub(super) struct Listing<T> {
    /// SQL for the position of an item. Parameters: owner, id of the item.
    pub(super) position: &'static str,
    /// SQL for the items after a position, lowest first. Parameters: owner, filters, position, maximum number.
    pub(super) ascending: Selection,
    /// SQL for the items before a position, highest first. Its parameters are those of [`Self::ascending`].
    pub(super) descending: Selection,
    /// Reads an item.
    pub(super) read: fn(&PageRow) -> Result<T>,
}

/// `listing!` is a [`Listing`] of `rows`, given as the names of their columns and the parts of a statement that ends in a
/// condition. They are in the order of a column; its position and the maximum number are given as parameters.
macro_rules! listing {
    (
        position: $position:expr,
        rows: $columns:expr, $($rows:expr),+;
        order: $order:expr, $from:literal, $limit:literal;
        read: $read:expr,
    ) => {{
        super::paging::Listing {
            position: $position,
            ascending: super::dialect::selection!(
                [$columns], $($rows),+, " AND ", $order, " > ", $from, " ORDER BY ", $order, super::sql::limit!($limit)
            ),
            descending: super::dialect::selection!(
                [$columns], $($rows),+, " AND ", $order, " < ", $from, " ORDER BY ", $order, " DESC", super::sql::limit!($limit)
            ),
            read: $read,
        }
    }};
}
pub(super) use listing;

impl<T> Listing<T> {
    /// Reads one page of the items of `owner` that pass the filters.
    ///
    /// # Errors
    /// [`StoreError::InvalidCursor`] if the request has a cursor that is not found.
    pub(super) async fn page(
        &self,
        connection: &mut Connection,
        owner: Value<'_>,
        filters: &[Value<'_>],
        request: PageRequest,
    ) -> Result<Page<T>> {
        let position: i64 = match (request.after, request.order) {
            (Some(after), _) => {
                let found = sqlx::query_scalar_with(self.position, arguments(&[owner, after.into()])?);
                found.fetch_optional(&mut *connection).await?.ok_or(StoreError::InvalidCursor(after))?
            }
            (None, Order::Ascending) => i64::MIN,
            (None, Order::Descending) => i64::MAX,
        };
        let rows = match request.order {
            Order::Ascending => self.ascending,
            Order::Descending => self.descending,
        };
        // One more row than the limit tells whether more items follow.
        let limit = i64::from(request.limit) + 1;
        let mut values = vec![owner];
        values.extend_from_slice(filters);
        values.extend([Value::Integer(position), Value::Integer(limit)]);
        let rows = rows.fetch(connection, arguments(&values)?).await?;
        let wanted = rows.len().min(request.limit as usize);
        let items = rows[..wanted].iter().map(self.read).collect::<Result<_>>()?;
        Ok(Page { items, has_more: rows.len() > wanted })
    }
}

/// Converts values to parameters.
pub(super) fn arguments(values: &[Value<'_>]) -> Result<Arguments> {
    let mut arguments = Arguments::default();
    for value in values {
        let added = match *value {
            Value::Text(text) => arguments.add(text),
            Value::Id(id) => arguments.add(id.map(dialect::id)),
            Value::Integer(integer) => arguments.add(integer),
        };
        added.map_err(sqlx::Error::Encode)?;
    }
    Ok(arguments)
}

/// Returns a page as it was read, if it has items or `owner` finds the owner of the listing. A page without a transaction is
/// read before its owner: an owner that exists afterwards existed before.
///
/// # Errors
/// The error of `owner`, rather than that of the page.
pub(super) async fn of_existing<T, O>(
    page: Result<Page<T>>,
    owner: impl Future<Output = Result<O>>,
) -> Result<Page<T>> {
    if !page.as_ref().is_ok_and(|page| !page.items.is_empty()) {
        owner.await?;
    }
    page
}
