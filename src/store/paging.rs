//! Listings by cursor, the same for every table and database.

use uuid::Uuid;

use super::metadata::{Result, StoreError};
use super::records::{Order, Page, PageRequest};

/// A row of a page in some database.
pub(super) trait PageRow {
    /// SQL for rows of this form.
    type Statement: Copy;
}

/// A listing of the items of an owner that pass some filters.
pub(super) struct Listing<R: PageRow, T> {
    /// SQL for the position of an item. Parameters: owner, id of the item.
    pub(super) position: &'static str,
    /// SQL for the items after a position, lowest first. Parameters: owner, filters, position, maximum number.
    pub(super) ascending: R::Statement,
    /// SQL for the items before a position, highest first. Its parameters are those of [`Self::ascending`].
    pub(super) descending: R::Statement,
    /// Reads an item.
    pub(super) read: fn(&R) -> Result<T>,
}

/// A parameter of a listing; `None` is null.
#[derive(Clone, Copy)]
pub(super) enum Value<'a> {
    Text(Option<&'a str>),
    Id(Option<Uuid>),
    Integer(i64),
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(Some(text))
    }
}

impl From<Uuid> for Value<'_> {
    fn from(id: Uuid) -> Self {
        Self::Id(Some(id))
    }
}

impl<R: PageRow, T> Listing<R, T> {
    /// The statement for a page.
    pub(super) fn statement(&self, request: PageRequest) -> R::Statement {
        match request.order {
            Order::Ascending => self.ascending,
            Order::Descending => self.descending,
        }
    }

    /// Reads a page from the rows of its statement.
    pub(super) fn page(&self, rows: &[R], request: PageRequest) -> Result<Page<T>> {
        let wanted = rows.len().min(request.limit as usize);
        let items = rows[..wanted].iter().map(self.read).collect::<Result<_>>()?;
        Ok(Page { items, has_more: rows.len() > wanted })
    }
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

/// The parameters of the statement for a page. `cursor` is the position of the request's cursor, if it was found.
///
/// # Errors
/// [`StoreError::InvalidCursor`] if the request has a cursor that was not found.
pub(super) fn parameters<'a>(
    owner: Value<'a>,
    filters: &[Value<'a>],
    cursor: Option<i64>,
    request: PageRequest,
) -> Result<Vec<Value<'a>>> {
    let position = match (request.after, request.order) {
        (Some(after), _) => cursor.ok_or(StoreError::InvalidCursor(after))?,
        (None, Order::Ascending) => i64::MIN,
        (None, Order::Descending) => i64::MAX,
    };
    // One more row than the limit tells whether more items follow.
    let limit = i64::from(request.limit) + 1;
    let mut parameters = vec![owner];
    parameters.extend_from_slice(filters);
    parameters.extend([Value::Integer(position), Value::Integer(limit)]);
    Ok(parameters)
}
