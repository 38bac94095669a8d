//! JSON bodies whose one array is read item by item, so that they may be larger than the memory there is for them.

use std::fmt;

use axum::{body::Body, http::HeaderMap};
use serde::de::DeserializeOwned;

use super::{
    super::{
        BodyStream, Failure,
        body::{self, BodyLimits, Share},
        stream::HELD_BY_TAKER,
        validation::{Faults, Location},
    },
    json::{INVALID_JSON, not_json, parse},
    nesting::{Nesting, Step},
};

/// Items above this are parsed off the threads that serve connections, bytes.
const PARSED_ELSEWHERE: usize = 64 << 10;

/// The limits of a value's schema: adds a fault for each that it breaks.
pub type Check<T> = fn(&T, &Location<'_>, &mut Faults);

/// A JSON object of type `T`, of which one array is read item by item as the body comes.
///
/// To be asked for [`next`](Self::next) until there is none, and then for the [`rest`](Self::rest).
pub struct JsonItems<T, I> {
    body: BodyStream,
    splitter: Splitter,
    share: Share,
    received: usize,
    /// Items given out.
    given: usize,
    checks: (Check<T>, Check<I>),
}

impl<T, I> JsonItems<T, I>
where
    T: DeserializeOwned + Send + 'static,
    I: DeserializeOwned + Send + 'static,
{
    /// The body of a request, of at most `limit` bytes, whose items are those of `property`.
    ///
    /// # Errors
    /// 413 when the declared length is larger, 503 when other bodies take all the room.
    pub fn of(
        headers: &HeaderMap,
        body: Body,
        limit: usize,
        property: &'static str,
        checks: (Check<T>, Check<I>),
    ) -> Result<Self, Failure> {
        let limits = BodyLimits::of_size(limit);
        let share = Share::of(limits.budget, body::check_declared(headers, limit)?.min(HELD_BY_TAKER))?;
        let body = BodyStream::within(headers, body, limits)?;
        Ok(Self { body, splitter: Splitter::new(property), share, received: 0, given: 0, checks })
    }

    /// The items that have come since; none at the end of the body. After a refusal nothing more is to be asked for.
    ///
    /// # Errors
    /// 413 above the limit, 408 when nothing comes any more, 503 when other bodies take all the room, 400 for what is
    /// not JSON, 422 with the place for what is not the type. The sender has been heard out then, so it can hear why.
    pub async fn next(&mut self) -> Result<Option<Vec<I>>, Failure> {
        let items = self.read().await;
        if items.is_err() {
            self.drain().await;
        }
        items
    }

    async fn read(&mut self) -> Result<Option<Vec<I>>, Failure> {
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
            return elsewhere(complete, move || parse_items(texts, property, first, check)).await.map(Some);
        }
        Ok(None)
    }

    /// The object without its items, in whose place there is an empty array. Items that were not asked for are passed
    /// over.
    ///
    /// # Errors
    /// As [`next`](Self::next).
    pub async fn rest(mut self) -> Result<T, Failure> {
        while self.next().await?.is_some() {}
        let (rest, check) = (std::mem::take(&mut self.splitter.rest), self.checks.0);
        let value: T = elsewhere(rest.len(), move || parse(&rest, true, "")).await.map_err(|failure| {
            if self.given == 0 || failure.code() != Some(INVALID_JSON) {
                return failure;
            }
            // Where serde says it is.
            let message = format!("{}, not counting the items of {}", failure.message(), self.splitter.property);
            Failure::bad_request(message).with_code(INVALID_JSON)
        })?;
        let mut faults = Faults::default();
        check(&value, &Location::BODY, &mut faults);
        faults.into_result()?;
        Ok(value)
    }

    /// Hears the sender out, so that it can hear why its request is refused.
    pub async fn drain(&mut self) {
        while let Ok(Some(_)) = self.body.next().await {}
    }
}

impl<T, I> fmt::Debug for JsonItems<T, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JsonItems").field("given", &self.given).finish_non_exhaustive()
    }
}

/// Parses here, or where it holds nobody up.
async fn elsewhere<T: Send + 'static>(
    bytes: usize,
    parse: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    if bytes <= PARSED_ELSEWHERE {
        return parse();
    }
    tokio::task::spawn_blocking(parse).await.map_err(Failure::internal)?
}

fn parse_items<I: DeserializeOwned>(
    texts: Vec<Vec<u8>>,
    property: &str,
    first: usize,
    check: Check<I>,
) -> Result<Vec<I>, Failure> {
    let mut faults = Faults::default();
    let mut items = Vec::with_capacity(texts.len());
    for (index, text) in (first..).zip(texts) {
        let item: I = parse(&text, false, &format!("{property}[{index}]"))?;
        check(&item, &Location::BODY.field(property).index(index), &mut faults);
        items.push(item);
    }
    faults.into_result()?;
    Ok(items)
}

/// Takes a JSON object apart as its bytes come: the items of one of its arrays, and the rest. Whether either is JSON
/// is for their parser to say; together they are exactly if the object is.
struct Splitter {
    property: &'static str,
    nesting: Nesting,
    region: Region,
    /// Where in `rest` the last string of the object itself is.
    key: std::ops::Range<usize>,
    rest: Vec<u8>,
    /// The item that is coming.
    item: Vec<u8>,
    /// Items that have come.
    count: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Region {
    /// Outside the array.
    Rest,
    /// Between the colon of its key and the array.
    Colon,
    /// In the array.
    Items,
    /// In the array behind a comma.
    MoreItems,
}

impl Splitter {
    fn new(property: &'static str) -> Self {
        let (rest, item) = (Vec::new(), Vec::new());
        Self { property, nesting: Nesting::default(), region: Region::Rest, key: 0..0, rest, item, count: 0 }
    }

    /// Bytes that it holds.
    fn held(&self) -> usize {
        self.rest.len() + self.item.len()
    }

    /// Takes the next bytes; appends the texts of the items that they complete.
    fn feed(&mut self, bytes: &[u8], items: &mut Vec<Vec<u8>>) -> Result<(), Failure> {
        for byte in bytes {
            let step = self.nesting.step(*byte)?;
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
        self.region = match (self.nesting.depth(), step) {
            (_, Step::Space) => return,
            (2, Step::Open) if is_awaited && byte == b'[' => Region::Items,
            (1, Step::Other) if byte == b':' && !self.nesting.is_in_string() && self.is_key() => Region::Colon,
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

    /// Whether the last string is the key of the array. It is asked about once: it may be long.
    fn is_key(&mut self) -> bool {
        let key = self.rest.get(std::mem::take(&mut self.key)).unwrap_or_default();
        serde_json::from_slice::<String>(key).is_ok_and(|key| key == self.property)
    }

    /// The item that the byte completes.
    fn inside(&mut self, byte: u8, step: Step) -> Result<Option<Vec<u8>>, Failure> {
        let is_empty = self.item.is_empty();
        match (self.nesting.depth(), step, byte) {
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
            (2, Step::Other, b',') if !self.nesting.is_in_string() => {
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

    fn missing(&self) -> Failure {
        not_json(&format_args!("nothing stands where {}[{}] should be", self.property, self.count), "")
    }
}

#[cfg(test)]
#[path = "items/tests.rs"]
mod tests;
