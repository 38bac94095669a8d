//! Pages by cursor: the id of the last item of one page asks for the next.

use uuid::Uuid;

use crate::{
    generated::types::SortOrder,
    http::Failure,
    store::records::{Order, PageRequest},
};

/// Reads the parameters of a listing.
pub(super) fn page_request(after: Option<&str>, limit: u32, order: SortOrder) -> Result<PageRequest, Failure> {
    let after = after
        .map(|cursor| {
            cursor.parse::<Uuid>().map_err(|_| {
                Failure::invalid("after", "the cursor is not an item of this listing; pass the `last_id` of a page")
            })
        })
        .transpose()?;
    let order = match order {
        SortOrder::Asc => Order::Ascending,
        SortOrder::Desc => Order::Descending,
    };
    Ok(PageRequest { after, limit, order })
}

/// Reads the id of an object. One that is no UUID names nothing, like any other unknown id.
pub(super) fn id(text: &str, what: &'static str) -> Result<Uuid, Failure> {
    text.parse().map_err(|_| Failure::not_found(format!("there is no such {what}")))
}

/// An id behind a word for what it names, as OpenAI's are written.
pub(super) fn prefixed_id(prefix: &str, id: Uuid) -> String {
    format!("{prefix}{}", id.simple())
}

/// Reads an id that [`prefixed_id`] has written; it has no other spelling.
pub(super) fn parse_prefixed_id(prefix: &str, text: &str) -> Option<Uuid> {
    let digits = text.strip_prefix(prefix)?;
    let is_plain = digits.len() == 32 && digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    if is_plain { digits.parse().ok() } else { None }
}

/// First and last id of a page; empty on an empty one.
pub(super) fn ends<T>(data: &[T], id: fn(&T) -> &String) -> (String, String) {
    let text = |item: Option<&T>| item.map(|item| id(item).clone()).unwrap_or_default();
    (text(data.first()), text(data.last()))
}
