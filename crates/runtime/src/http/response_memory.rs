//! Memory of responses that are assembled before they are sent.
//!
//! The text of a response is charged before it is written, and until the connection has sent it: a client may leave it
//! unread for a minute. This needs nothing of an operation. One that keeps what it has read while it reads on reserves it
//! first ([`reserve_response`]); a single read of a store is a page, and bounded by that.
//! Rejected: a bound of the text alone, since values take several times the bytes of their text; and a limit of the
//! number of responses, since most are small.

use std::cell::RefCell;
use std::io;
use std::time::Duration;

use axum::body::Bytes;
use serde::Serialize;

use super::ApiError;
use crate::budget::{Budget, NoRoom, Share};

/// Budget of the texts of all responses of this process that are not sent: 1 GiB.
static TEXTS: Budget = Budget::new(1 << 30);
/// Budget of the values of all responses that are being assembled: 256 MiB.
static VALUES: Budget = Budget::new(256 << 20);
/// Maximum memory of the values of one response: 64 MiB.
const MAX_OF_VALUES: usize = 64 << 20;
/// Size in bytes up to which a text is not charged, so that errors can be told when there is no room.
const FREE: usize = 4 << 10;
/// Capacity of a text that has begun, in bytes.
const FIRST: usize = 512;

tokio::task_local! {
    /// Memory of the response to the current request: that of its values, and that of its text.
    static HELD: RefCell<(Share, Share)>;
}

/// Runs a handler and the encoding of its response.
pub(super) async fn scope<F: Future>(response: F) -> F::Output {
    HELD.scope(RefCell::new((Share::none_of(&VALUES), Share::none_of(&TEXTS))), response).await
}

/// Reserves memory for values of the response to the current request, until it is encoded. Outside a request it has no effect.
///
/// # Errors
/// 503 if other responses use the memory, 422 if one response must not have as much.
pub fn reserve_response(bytes: usize) -> Result<(), ApiError> {
    let reserve = |held: &RefCell<(Share, Share)>| {
        let values = &mut held.borrow_mut().0;
        if values.bytes().saturating_add(bytes) > MAX_OF_VALUES {
            let message = format!("the answer takes more than {} MiB; ask for less at a time", MAX_OF_VALUES >> 20);
            return Err(ApiError::invalid("", message).with_code("answer_too_large"));
        }
        values.add(bytes).map_err(no_room)
    };
    HELD.try_with(reserve).unwrap_or(Ok(()))
}

/// Passes on memory of another budget that the text of the response to the current request takes.
pub fn hold_response(share: Share) {
    let _ = HELD.try_with(|held| held.borrow_mut().1 = share);
}

fn no_room(_: NoRoom) -> ApiError {
    let message = "the answers under way leave no room for this one; try again in a moment";
    ApiError::unavailable(message, Duration::from_secs(1))
}

/// The text of a response.
#[derive(Debug)]
pub(super) struct ResponseText {
    bytes: Vec<u8>,
    share: Share,
}

impl ResponseText {
    /// Creates an empty text with the memory that was passed on for it.
    pub(super) fn new() -> Self {
        let share = HELD.try_with(|held| held.borrow_mut().1.take());
        Self { bytes: Vec::new(), share: share.unwrap_or_else(|_| Share::none_of(&TEXTS)) }
    }

    /// Charges a text that exists.
    ///
    /// # Errors
    /// 503 if other responses use the memory.
    pub(super) fn of(text: String) -> Result<Self, ApiError> {
        let mut response = Self { bytes: text.into_bytes(), ..Self::new() };
        response.charge(response.bytes.capacity()).map_err(no_room)?;
        Ok(response)
    }

    fn charge(&mut self, capacity: usize) -> Result<(), NoRoom> {
        if capacity > FREE { self.share.grow_to(capacity) } else { Ok(()) }
    }

    /// Writes a value as JSON.
    ///
    /// # Errors
    /// 503 if other responses use the memory. Generated types always serialise, so another failure is a defect: 500.
    pub(super) fn write_json(&mut self, value: &impl Serialize) -> Result<(), ApiError> {
        serde_json::to_writer(&mut *self, value).map_err(|error| match io::Error::from(error) {
            error if error.kind() == io::ErrorKind::OutOfMemory => no_room(NoRoom),
            error => ApiError::internal(format_args!("an answer does not serialise: {error}")),
        })
    }

    /// Makes room for `more` bytes.
    ///
    /// # Errors
    /// Other responses use the memory.
    fn reserve(&mut self, more: usize) -> Result<(), NoRoom> {
        let length = self.bytes.len().saturating_add(more);
        if length > self.bytes.capacity() {
            let capacity = length.max(2 * self.bytes.capacity()).max(FIRST);
            self.charge(capacity)?;
            self.bytes.reserve_exact(capacity - self.bytes.len());
        }
        Ok(())
    }

    /// Appends bytes.
    ///
    /// # Errors
    /// 503 if other responses use the memory.
    pub(super) fn append(&mut self, bytes: &[&[u8]]) -> Result<(), ApiError> {
        self.reserve(bytes.iter().map(|part| part.len()).sum()).map_err(no_room)?;
        bytes.iter().for_each(|part| self.bytes.extend_from_slice(part));
        Ok(())
    }

    /// Returns the text, which holds its memory until it is dropped.
    pub(super) fn into_bytes(mut self) -> Bytes {
        self.share.shrink_to(self.bytes.capacity());
        if self.share.bytes() == 0 { self.bytes.into() } else { Bytes::from_owner(self) }
    }
}

impl AsRef<[u8]> for ResponseText {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl io::Write for ResponseText {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.reserve(text.len()).map_err(|error| io::Error::new(io::ErrorKind::OutOfMemory, error))?;
        self.bytes.extend_from_slice(text);
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::ErrorStatus;

    fn text(length: usize) -> Result<Bytes, ApiError> {
        let mut text = ResponseText::new();
        text.write_json(&vec!["x".repeat(97); length / 100])?;
        Ok(text.into_bytes())
    }

    /// All in one test: the budgets are the process's.
    #[tokio::test]
    async fn an_answer_is_charged_from_its_first_value_until_it_is_sent() {
        let held = || TEXTS.held();
        let small = text(FREE / 2).unwrap();
        assert_eq!((small.len() / 100, held()), (FREE / 200, 0));
        let large = text(100_000).unwrap();
        assert!((100_000..200_000).contains(&held()), "{}", held());
        let part = large.slice(5..10);
        drop(large);
        assert!(held() >= 100_000, "the connection has still to write a part");
        drop(part);
        assert_eq!(held(), 0);
        // Values are released when they are encoded.
        let sent = scope(async {
            reserve_response(1 << 20).unwrap();
            reserve_response(1 << 20).unwrap();
            assert_eq!(VALUES.held(), 2 << 20);
            let rejected = reserve_response(MAX_OF_VALUES).unwrap_err();
            assert_eq!((rejected.status().code().as_u16(), rejected.code()), (422, Some("answer_too_large")));
            let others = Share::of(&VALUES, VALUES.limit() - VALUES.held()).unwrap();
            assert_eq!(reserve_response(1).unwrap_err().status(), ErrorStatus::SERVICE_UNAVAILABLE);
            drop(others);
            text(100_000).unwrap()
        });
        let sent = sent.await;
        assert!((100_000..200_000).contains(&held()) && VALUES.held() == 0, "{}", held());
        drop(sent);
        // What another budget has paid for is not charged again.
        static OTHER: Budget = Budget::new(1 << 20);
        let sent = scope(async {
            hold_response(Share::of(&OTHER, 1 << 20).unwrap());
            text(100_000).unwrap()
        });
        let sent = sent.await;
        assert!(held() == 0 && (100_000..200_000).contains(&OTHER.held()), "{OTHER:?}");
        drop(sent);
        assert_eq!(OTHER.held(), 0);
        // Without room nothing is written.
        let all = Share::of(&TEXTS, TEXTS.limit() - 10_000).unwrap();
        assert!(text(FREE / 2).is_ok(), "an error can be told");
        for failed in [text(100_000).err(), ResponseText::of("x".repeat(20_000)).err()] {
            assert_eq!(failed.unwrap().status(), ErrorStatus::SERVICE_UNAVAILABLE);
        }
        let parts = [&b"a"[..], b"b"];
        let mut joined = ResponseText::new();
        joined.append(&parts).unwrap();
        assert!(joined.append(&[&[0; 20_000]]).is_err());
        assert_eq!(joined.into_bytes(), "ab");
        drop(all);
        assert_eq!(held(), 0);
    }
}
