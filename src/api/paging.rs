//! Cursor-based pages: the cursor of the next page is the id of the last item.

use std::{ops::Add, str::FromStr};

use uuid::Uuid;

use crate::{
    generated::types::SortOrder,
    http::ApiError,
    store::records::{Order, PageRequest},
};

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

/// Returns the first and last id of a page; both are empty for an empty page.
pub(super) fn ends<T>(data: &[T], id: fn(&T) -> &String) -> (String, String) {
    let text = |item: Option<&T>| item.map(|item| id(item).clone()).unwrap_or_default();
    (text(data.first()), text(data.last()))
}
