//! Listings by cursor, the same for every table and database.

use super::metadata::Result;
use super::records::{Order, Page};

/// The place that every item of a listing is behind.
pub(super) fn start(order: Order) -> i64 {
    match order {
        Order::Ascending => i64::MIN,
        Order::Descending => i64::MAX,
    }
}

/// A page of at most `limit` items from as many rows, or one more if the listing goes on.
pub(super) fn page<R, T>(rows: &[R], limit: u32, read: impl Fn(&R) -> Result<T>) -> Result<Page<T>> {
    let wanted = rows.len().min(limit as usize);
    let items = rows[..wanted].iter().map(read).collect::<Result<_>>()?;
    Ok(Page { items, has_more: rows.len() > wanted })
}
