//! Memory of the values that bodies are parsed to.
//!
//! A parsed value can take a hundred times the bytes of its text: `{},` has three bytes, the object that it becomes more
//! than a hundred. So a body is charged for its values before they exist. The charge counts the values in the text; it
//! belongs to the request until its response begins, or until the handler passes it on ([`take_body_memory`]).
//! Items that a handler reads one by one are charged for the memory that they took, if it exceeds four times their bytes.
//! As many bodies are parsed at once as there are processors.

use std::cell::RefCell;

use crate::budget::{Budget, Share};
use crate::http::{ApiError, ErrorStatus};
use crate::json::{self, ValueCount};
use crate::work_threads::WorkThreads;

/// Maximum charge of one body, or of one item of a body that is read item by item: 64 MiB.
const MAX_OF_BODY: usize = 64 << 20;
/// Maximum memory of an item whose values are all kept: 2 GiB, a group of rollouts with more than a million logprobs.
const MAX_OF_VALUES: usize = 2 << 30;
/// Budget of the values of all bodies of this process: 256 MiB.
static BUDGET: Budget = Budget::new(256 << 20);
/// Bytes of memory that the values of an item may take for each byte of its text.
const PER_BYTE: usize = 4;
/// Threads that parse long texts.
static PARSERS: WorkThreads = WorkThreads::new();

tokio::task_local! {
    static HELD: RefCell<BodyMemory>;
}

/// Shares of the memory budgets that the body of a request uses; released on drop.
#[derive(Debug, Default)]
#[must_use = "dropping it releases the memory that the body still uses"]
pub struct BodyMemory(Vec<Share>);

/// Memory of a container, a key or a string while a request is prepared, beside the bytes of its text: as
/// [`serde_json::Value`], as a copy of it, and as a value of a template.
const LARGE: usize = 400;
/// Likewise of a number, a boolean or a null.
const SMALL: usize = 160;

/// Reserves the memory of a body's values.
///
/// # Errors
/// 413 if one body must not have as many values, 503 if other bodies use the memory.
pub(super) fn reserve_values(values: ValueCount) -> Result<Share, ApiError> {
    let bytes = values.bytes(LARGE, SMALL);
    if bytes > MAX_OF_BODY {
        let limit = format!("the {MAX_OF_BODY} bytes that the values of one body may take; send fewer");
        return Err(too_many_values(exceeding("the body", values, [LARGE, SMALL], &limit)));
    }
    reserve(bytes)
}

fn too_many_values(message: String) -> ApiError {
    ApiError::new(ErrorStatus::CONTENT_TOO_LARGE, message).with_code("too_many_values")
}

/// Returns the message about values at `at` that exceed a limit at so many bytes for each large and each small one.
fn exceeding(at: &str, values: ValueCount, [large, small]: [usize; 2], limit: &str) -> String {
    let (many, scalars) = (values.containers + values.strings, values.scalars);
    format!(
        "{at} has {many} objects, arrays, keys and strings, and {scalars} numbers, booleans and nulls; at {large} and {small} \
         bytes each, they exceed {limit}"
    )
}

/// Checks the number of values of the item at `at`.
///
/// # Errors
/// 413 if a reader that keeps all of them as [`serde_json::Value`], as a training job does, needs more than
/// [`MAX_OF_VALUES`].
pub(super) fn check_item(values: ValueCount, at: &str) -> Result<(), ApiError> {
    const LARGE: usize = 150;
    const SMALL: usize = 75;
    if values.bytes(LARGE, SMALL) <= MAX_OF_VALUES {
        return Ok(());
    }
    let limit = format!("the {MAX_OF_VALUES} bytes that an item may take; send smaller items");
    Err(too_many_values(exceeding(at, values, [LARGE, SMALL], &limit)).with_param(at))
}

/// Parses the item of `length` bytes at `at`. Returns also the memory that its values take beside [`PER_BYTE`] times its
/// bytes.
///
/// # Errors
/// 413 if the values take more than that and [`MAX_OF_BODY`], and the errors of `parse`.
pub(super) fn parse_item<T>(
    length: usize,
    at: &str,
    parse: impl FnOnce() -> Result<T, ApiError>,
) -> Result<(T, usize), ApiError> {
    let paid = length.saturating_mul(PER_BYTE);
    match json::within(paid.saturating_add(MAX_OF_BODY), parse) {
        (item, Some(used)) => Ok((item?, used.saturating_sub(paid))),
        (_, None) => Err(too_many_values(format!(
            "the values of {at} take more than {PER_BYTE} times its bytes and {MAX_OF_BODY} bytes of memory; send fewer"
        ))
        .with_param(at)),
    }
}

/// Reserves memory that the values of items take.
///
/// # Errors
/// 503 if other bodies use it.
pub(super) fn reserve(bytes: usize) -> Result<Share, ApiError> {
    Ok(Share::of(&BUDGET, bytes)?)
}

/// Runs `parse` on a thread for it when it is its turn.
///
/// # Errors
/// The errors of `parse`; 500 if it panics.
pub(super) async fn parse_elsewhere<T: Send + 'static>(
    parse: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    PARSERS.run(parse).await.map_err(ApiError::internal)?
}

/// Runs the handler of a request; the memory of its body is released at its end.
pub(super) async fn scope<F: Future>(handler: F) -> F::Output {
    HELD.scope(RefCell::default(), handler).await
}

/// Keeps shares until the handler ends or takes them.
pub(super) fn hold(shares: impl IntoIterator<Item = Share>) {
    // Without a handler, as in a test, nothing uses the value for longer than its reader.
    let _ = HELD.try_with(|held| held.borrow_mut().0.extend(shares));
}

/// Takes the memory of the request's body from its handler, which passes it to the work that uses the body. Otherwise it
/// is released when the handler ends, which for a cancelled request may be before that work ends.
pub fn take_body_memory() -> BodyMemory {
    HELD.try_with(|held| held.take()).unwrap_or_default()
}
