//! Faults of a request as its refusal.

pub use crate::validation::*;

use super::Failure;

impl Faults {
    /// The faults as one refusal: `param` is the place of the first.
    pub fn into_result(self) -> Result<(), Failure> {
        match self.found().first() {
            None => Ok(()),
            Some((place, _)) => {
                let messages: Vec<_> = self.found().iter().map(|(at, message)| format!("{at} {message}")).collect();
                Err(Failure::invalid(place.clone(), messages.join("; ")))
            }
        }
    }
}
