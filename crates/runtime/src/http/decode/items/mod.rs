//! JSON bodies with one array that is read item by item, so that a body can be larger than the memory available.

use std::fmt;

use axum::body::Body;
use axum::http::HeaderMap;
use serde::de::DeserializeOwned;

use crate::budget::Share;
use crate::http::body::{self, BodyLimits};
use crate::http::decode::INVALID_JSON;
use crate::http::decode::json::{not_json, parse};
use crate::http::decode::nesting::step;
use crate::http::stream::HELD_BY_TAKER;
use crate::http::validation::{Faults, Location};
use crate::http::{ApiError, BodyStream, memory};
use crate::json::{Scan, Step};

/// Size in bytes above which items are parsed on a blocking thread, so that they do not delay other connections.
const PARSED_ELSEWHERE: usize = 64 << 10;

/// Validator of a value: adds a fault for each limit of the schema that the value exceeds.
pub type Check<T> = fn(&T, &Location<'_>, &mut Faults);

/// A JSON object of type `T`, of which one array is read item by item while the body arrives.
///
/// The items of one call should be dropped before the next: only the memory of the last ones is reserved.
///
/// Call [`next`](Self::next) until it returns `None`, then [`rest`](Self::rest).
pub struct JsonItems<T, I> {
    body: BodyStream,
    splitter: Splitter,
    share: Share,
    /// Memory of the values of the last items.
    values: Option<Share>,
    received: usize,
    /// Items returned so far.
    given: usize,
    checks: (Check<T>, Check<I>),
}

impl<T, I> JsonItems<T, I>
where
    T: DeserializeOwned + Send + 'static,
    I: DeserializeOwned + Send + 'static,
{
    /// Creates the reader of a body of at most `limit` bytes, whose items are those of `property`.
    ///
    /// # Errors
    /// 413 when the declared length is above `limit`, 503 when other bodies use all of the memory budget.
    pub fn of(
        headers: &HeaderMap,
        body: Body,
        limit: usize,
        property: &'static str,
        checks: (Check<T>, Check<I>),
    ) -> Result<Self, ApiError> {
        let limits = BodyLimits::of_size(limit);
        let share = Share::of(limits.budget, body::check_declared(headers, limit)?.min(HELD_BY_TAKER))?;
        let body = BodyStream::within(headers, body, limits)?;
        Ok(Self { body, splitter: Splitter::new(property), share, values: None, received: 0, given: 0, checks })
    }

    /// Returns the items that have arrived since the last call; `None` at the end of the body. Do not call it again
    /// after an error.
    ///
    /// # Errors
    /// 413 above the limit, 408 on a time-out, 503 when other bodies use all of the memory budget, 400 for invalid
    /// JSON, 422 with the path for a value of the wrong type. The rest of the body is drained before the error is
    /// returned, so that the sender can read the response.
    pub async fn next(&mut self) -> Result<Option<Vec<I>>, ApiError> {
        let items = self.read().await;
        if items.is_err() {
            self.drain().await;
        }
        items
    }

    async fn read(&mut self) -> Result<Option<Vec<I>>, ApiError> {
        self.values = None;
        while let Some(chunk) = self.body.next().await? {
            let mut texts = Vec::new();
            self.splitter.feed(&chunk, &mut texts)?;
            self.received += chunk.len();
            let complete: usize = texts.iter().map(Vec::len).sum();
            let held = self.splitter.held() + complete;
            self.share.grow_to(self.received.min(HELD_BY_TAKER).max(held))?;
            if texts.is_empty() {
                continue;
            }
            let (property, first, check) = (self.splitter.property, self.given, self.checks.1);
            self.given += texts.len();
            let parse = move || parse_items(texts, property, first, check);
            let (items, bytes) = elsewhere(complete, parse).await?;
            self.values = Some(memory::reserve(bytes)?);
            return Ok(Some(items));
        }
        Ok(None)
    }

    /// Returns the object with an empty array in place of the items. Items that were not read are skipped.
    ///
    /// # Errors
    /// The errors of [`next`](Self::next).
    pub async fn rest(mut self) -> Result<T, ApiError> {
        while self.next().await?.is_some() {}
        let (rest, check) = (std::mem::take(&mut self.splitter.rest), self.checks.0);
        let length = rest.len();
        let parse = move || {
            let read = || parse(&rest, true, "", |_| Ok(()));
            let ((value, ()), bytes) = memory::parse_item(length, "the body", read)?;
            Ok((value, memory::reserve(bytes)?))
        };
        let (value, share): (T, _) = elsewhere(length, parse).await.map_err(|failure| {
            if self.given == 0 || failure.code() != Some(INVALID_JSON) {
                return failure;
            }
            // The position that serde reports.
            let message = format!("{}, not counting the items of {}", failure.message(), self.splitter.property);
            ApiError::bad_request(message).with_code(INVALID_JSON)
        })?;
        memory::hold([share]);
        let mut faults = Faults::default();
        check(&value, &Location::BODY, &mut faults);
        faults.into_result()?;
        Ok(value)
    }

    /// Reads and discards the rest of the body, so that the sender can read the error response.
    pub async fn drain(&mut self) {
        while let Ok(Some(_)) = self.body.next().await {}
    }
}

impl<T, I> fmt::Debug for JsonItems<T, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JsonItems").field("given", &self.given).finish_non_exhaustive()
    }
}

/// Parses on this thread, or on a blocking thread if there are many bytes.
async fn elsewhere<T: Send + 'static>(
    bytes: usize,
    parse: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    if bytes <= PARSED_ELSEWHERE {
        return parse();
    }
    memory::parse_elsewhere(parse).await
}

fn parse_items<I: DeserializeOwned>(
    texts: Vec<Vec<u8>>,
    property: &str,
    first: usize,
    check: Check<I>,
) -> Result<(Vec<I>, usize), ApiError> {
    let mut faults = Faults::default();
    let (mut items, mut taken) = (Vec::with_capacity(texts.len()), 0);
    for (index, text) in (first..).zip(texts) {
        let at = format!("{property}[{index}]");
        let read = || parse(&text, false, &at, |values| memory::check_item(values, &at));
        let ((item, ()), bytes): ((I, ()), _) = memory::parse_item(text.len(), &at, read)?;
        taken += bytes;
        check(&item, &Location::BODY.field(property).index(index), &mut faults);
        items.push(item);
    }
    faults.into_result()?;
    Ok((items, taken))
}

/// Splitter of a JSON object, as its bytes arrive, into the items of one array and the rest. It does not validate JSON:
/// the parsers of the parts do, and the parts are all valid JSON exactly if the object is.
struct Splitter {
    property: &'static str,
    scan: Scan,
    region: Region,
    /// Range in `rest` of the last string at the top level of the object.
    key: std::ops::Range<usize>,
    rest: Vec<u8>,
    /// Incomplete item.
    item: Vec<u8>,
    /// Number of complete items.
    count: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Region {
    Rest,
    /// Between the key's colon and the array.
    Colon,
    Items,
    /// In the array after a comma.
    MoreItems,
}

impl Splitter {
    fn new(property: &'static str) -> Self {
        let (rest, item) = (Vec::new(), Vec::new());
        Self { property, scan: Scan::default(), region: Region::Rest, key: 0..0, rest, item, count: 0 }
    }

    /// Returns the number of buffered bytes.
    fn held(&self) -> usize {
        self.rest.len() + self.item.len()
    }

    /// Consumes the next bytes and appends the texts of the items that they complete.
    fn feed(&mut self, bytes: &[u8], items: &mut Vec<Vec<u8>>) -> Result<(), ApiError> {
        for byte in bytes {
            let step = step(&mut self.scan, *byte)?;
            match self.region {
                Region::Rest | Region::Colon => self.outside(*byte, step),
                Region::Items | Region::MoreItems => items.extend(self.inside(*byte, step)?),
            }
        }
        Ok(())
    }

    fn outside(&mut self, byte: u8, step: Step) {
        self.rest.push(byte);
        let is_awaited = self.region == Region::Colon;
        self.region = match (self.scan.depth(), step) {
            (_, Step::Space) => return,
            (2, Step::Open) if is_awaited && byte == b'[' => Region::Items,
            (1, Step::Other) if byte == b':' && !self.scan.is_in_string() && self.is_key() => Region::Colon,
            (1, Step::StringStart) => {
                self.key.start = self.rest.len() - 1;
                Region::Rest
            }
            (1, Step::StringEnd) => {
                self.key.end = self.rest.len();
                Region::Rest
            }
            _ => Region::Rest,
        };
    }

    /// Returns whether the last string is the key of the array. It clears the range: the string may be long, and is
    /// parsed once only.
    fn is_key(&mut self) -> bool {
        let key = self.rest.get(std::mem::take(&mut self.key)).unwrap_or_default();
        serde_json::from_slice::<String>(key).is_ok_and(|key| key == self.property)
    }

    /// Returns the item that the byte completes.
    fn inside(&mut self, byte: u8, step: Step) -> Result<Option<Vec<u8>>, ApiError> {
        let is_empty = self.item.is_empty();
        match (self.scan.depth(), step, byte) {
            (1, Step::Close, b']') => {
                if is_empty && self.region == Region::MoreItems {
                    return Err(self.missing());
                }
                self.region = Region::Rest;
                self.rest.push(byte);
                if is_empty {
                    return Ok(None);
                }
            }
            (2, Step::Other, b',') if !self.scan.is_in_string() => {
                if is_empty {
                    return Err(self.missing());
                }
                self.region = Region::MoreItems;
            }
            (1, ..) => return Err(not_json(&format_args!("{} ends in `}}`", self.property), "")),
            (2, Step::Space, _) if is_empty => return Ok(None),
            _ => {
                self.item.push(byte);
                return Ok(None);
            }
        }
        self.count += 1;
        Ok(Some(std::mem::take(&mut self.item)))
    }

    fn missing(&self) -> ApiError {
        not_json(&format_args!("nothing stands where {}[{}] should be", self.property, self.count), "")
    }
}

#[cfg(test)]
mod tests;
