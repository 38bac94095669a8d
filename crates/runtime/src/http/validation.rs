//! Conversion of schema faults to error responses.

pub use crate::validation::*;

use crate::http::ApiError;

impl Faults {
    /// Returns all faults as one 422, whose `param` is the path of the first.
    pub fn into_result(self) -> Result<(), ApiError> {
        match self.found().first() {
            None => Ok(()),
            Some((path, _)) => {
                let named = |at: &str| if at.is_empty() { "the body".to_owned() } else { at.to_owned() };
                let messages: Vec<_> =
                    self.found().iter().map(|(at, message)| format!("{} {message}", named(at))).collect();
                Err(ApiError::invalid(path.clone(), messages.join("; ")))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_message_names_its_place() {
        let message = |at: &Location<'_>| {
            let mut faults = Faults::default();
            faults.max_length(at, "abcdef", 5);
            faults.into_result().map_err(|error| error.message().to_owned())
        };
        let body = Location::BODY;
        for (at, path) in [
            (body, "the body"),
            (body.field("name"), "name"),
            (body.field(""), "\"\""),
            (body.index(0), "[0]"),
            (body.field("a").field("b"), "a.b"),
        ] {
            assert_eq!(message(&at), Err(format!("{path} must have at most 5 characters")));
        }
    }
}
