//! Maximum nesting depth of bodies.

use crate::http::ApiError;
use crate::http::decode::INVALID_JSON;
use crate::json::{Scan, Step};

/// Maximum nesting of arrays and objects in a body.
const DEEPEST: usize = 512;

/// Consumes the next byte of a body.
///
/// # Errors
/// 400 when the nesting exceeds the maximum.
pub(super) fn step(scan: &mut Scan, byte: u8) -> Result<Step, ApiError> {
    let step = scan.step(byte);
    if scan.depth() > DEEPEST {
        let message = format!("the body is nested deeper than {DEEPEST} arrays and objects; send it flatter");
        return Err(ApiError::bad_request(message).with_code(INVALID_JSON));
    }
    Ok(step)
}
