//! Cursor-based pages: the cursor of the next page is the id of the last item.

use std::ops::Add;
use std::str::FromStr;

use uuid::Uuid;

use crate::generated::types::SortOrder;
use crate::http::{ApiError, reserve_response};
use crate::store::metadata::StoreError;
use crate::store::records::{Order, Page, PageRequest};

/// Parses the parameters of a listing.
pub(super) fn page_request(after: Option<&str>, limit: u32, order: SortOrder) -> Result<PageRequest, ApiError> {
    let after = after
        .map(|cursor| {
            cursor.parse::<Uuid>().map_err(|_| {
                ApiError::invalid("after", "the cursor is not an item of this listing; pass the `last_id` of a page")
            })
        })
        .transpose()?;
    let order = match order {
        SortOrder::Asc => Order::Ascending,
        SortOrder::Desc => Order::Descending,
    };
    Ok(PageRequest { after, limit, order })
}

/// Properties of a listed item of the store.
pub(super) struct Listed<T> {
    /// Returns the id of an item.
    pub(super) id: fn(&T) -> Uuid,
    /// Returns the memory in bytes of what the response keeps of an item.
    pub(super) bytes: fn(&T) -> usize,
}

/// Reads a listing that is too long for one read of the store, at most `most` items at a time. `keep` converts an item to what
/// the response keeps of it. Its memory is reserved before, so that a read of the store is all that is not.
pub(super) async fn read_in_parts<T, K, F: Future<Output = Result<Page<T>, StoreError>>>(
    mut request: PageRequest,
    most: u32,
    read: impl Fn(PageRequest) -> F,
    Listed { id, bytes }: Listed<T>,
    mut keep: impl FnMut(T) -> Option<K>,
) -> Result<Page<K>, ApiError> {
    let mut kept = Page { items: Vec::new(), has_more: true };
    while kept.has_more && request.limit > 0 {
        let part = read(PageRequest { limit: request.limit.min(most), ..request }).await?;
        reserve_response(part.items.iter().map(bytes).sum())?;
        request.after = part.items.last().map(id);
        request.limit -= u32::try_from(part.items.len()).unwrap_or(request.limit);
        kept.has_more = part.has_more;
        kept.items.extend(part.items.into_iter().filter_map(&mut keep));
    }
    Ok(kept)
}

/// Number of items of one read of the store that looks for some.
const READ_AT_ONCE: u32 = 100;

/// Reads a page of the items that are wanted, of a listing that the store cannot filter.
pub(super) async fn matching<T, F: Future<Output = Result<Page<T>, StoreError>>>(
    mut request: PageRequest,
    read: impl Fn(PageRequest) -> F,
    id: fn(&T) -> Uuid,
    is_wanted: impl Fn(&T) -> bool,
) -> Result<Page<T>, StoreError> {
    let limit = std::mem::replace(&mut request.limit, READ_AT_ONCE) as usize;
    let mut found = Vec::new();
    loop {
        let part = read(request).await?;
        request.after = part.items.last().map(id);
        found.extend(part.items.into_iter().filter(&is_wanted).take(limit + 1 - found.len()));
        if found.len() > limit || !part.has_more {
            let has_more = found.len() > limit;
            found.truncate(limit);
            return Ok(Page { items: found, has_more });
        }
    }
}

/// Returns the number after a cursor of a listing whose items are numbered.
pub(super) fn following<N: FromStr + From<u8> + Add<Output = N>>(after: Option<&str>) -> Result<N, ApiError> {
    let Some(after) = after else { return Ok(N::from(0)) };
    let last: N = after.parse().map_err(|_| ApiError::invalid("after", "must be the `last_id` of a page"))?;
    // Nine digits at most.
    Ok(last + N::from(1))
}

/// Parses the id of an object. An id that is not a UUID is not found, like any other unknown id.
pub(super) fn id(text: &str, what: &'static str) -> Result<Uuid, ApiError> {
    text.parse().map_err(|_| ApiError::not_found(format!("there is no such {what}")))
}

/// Formats an id with a prefix that names its kind, as OpenAI does.
pub(super) fn prefixed_id(prefix: &str, id: Uuid) -> String {
    format!("{prefix}{}", id.simple())
}

/// Parses an id written by [`prefixed_id`]. Other spellings are rejected.
pub(super) fn parse_prefixed_id(prefix: &str, text: &str) -> Option<Uuid> {
    let digits = text.strip_prefix(prefix)?;
    let is_plain = digits.len() == 32 && digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    if is_plain { digits.parse().ok() } else { None }
}

/// Returns a cursor without the prefix of its kind of id.
pub(super) fn cursor(prefix: &str, after: Option<&str>) -> Option<String> {
    after.map(|cursor| parse_prefixed_id(prefix, cursor).map_or_else(|| cursor.to_owned(), |id| id.to_string()))
}

/// Returns a page of the wire format with these items, each of which has an id.
macro_rules! page {
    ($page:ident, $data:expr, $has_more:expr) => {{
        let data: Vec<_> = $data;
        let (first_id, last_id) = $crate::api::paging::ends(&data, |item| &item.id);
        let object = $crate::generated::types::ListObject::List;
        $page { object, first_id, last_id, has_more: $has_more, data }
    }};
}
pub(super) use page;

/// Returns the first and last id of a page; both are empty for an empty page.
pub(super) fn ends<T>(data: &[T], id: fn(&T) -> &String) -> (String, String) {
    let text = |item: Option<&T>| item.map(|item| id(item).clone()).unwrap_or_default();
    (text(data.first()), text(data.last()))
}
