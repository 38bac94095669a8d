//! Conversion of schema faults to error responses.

pub use crate::validation::*;

use super::ApiError;

impl Faults {
    /// Returns all faults as one 422, whose `param` is the place of the first.
    pub fn into_result(self) -> Result<(), ApiError> {
        match self.found().first() {
            None => Ok(()),
            Some((place, _)) => {
                let messages: Vec<_> = self.found().iter().map(|(at, message)| format!("{at} {message}")).collect();
                Err(ApiError::invalid(place.clone(), messages.join("; ")))
            }
        }
    }
}
