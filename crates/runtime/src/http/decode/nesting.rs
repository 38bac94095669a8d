//! Nesting depth of a JSON text, tracked byte by byte.

use super::{super::ApiError, INVALID_JSON};

/// Maximum nesting of arrays and objects in a body.
const DEEPEST: usize = 512;

/// Role of a byte in a JSON text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The quote that begins a string.
    StringStart,
    /// The quote that ends a string.
    StringEnd,
    /// A bracket or brace that opens.
    Open,
    /// A bracket or brace that closes.
    Close,
    /// A byte between values.
    Space,
    /// Any other byte: within a string or another value, a comma or a colon.
    Other,
}

/// State of a scan of a JSON text: its depth, and whether it is within a string.
#[derive(Debug, Default)]
pub(super) struct Nesting {
    depth: usize,
    text: Text,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Text {
    #[default]
    Outside,
    Inside,
    /// After a backslash.
    Escaped,
}

impl Nesting {
    /// Returns the number of open arrays and objects.
    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    /// Returns whether the scan is within a string.
    pub(super) fn is_in_string(&self) -> bool {
        self.text != Text::Outside
    }

    /// Consumes the next byte.
    ///
    /// # Errors
    /// 400 when the nesting exceeds the maximum.
    pub(super) fn step(&mut self, byte: u8) -> Result<Step, ApiError> {
        match (self.text, byte) {
            (Text::Outside, b'"') => {
                self.text = Text::Inside;
                return Ok(Step::StringStart);
            }
            (Text::Outside, b'[' | b'{') if self.depth == DEEPEST => {
                let message = format!("the body is nested deeper than {DEEPEST} arrays and objects; send it flatter");
                return Err(ApiError::bad_request(message).with_code(INVALID_JSON));
            }
            (Text::Outside, b'[' | b'{') => {
                self.depth += 1;
                return Ok(Step::Open);
            }
            (Text::Outside, b']' | b'}') => {
                self.depth = self.depth.saturating_sub(1);
                return Ok(Step::Close);
            }
            (Text::Outside, b' ' | b'\t' | b'\n' | b'\r') => return Ok(Step::Space),
            (Text::Outside, _) => {}
            (Text::Inside, b'"') => {
                self.text = Text::Outside;
                return Ok(Step::StringEnd);
            }
            (Text::Inside, b'\\') => self.text = Text::Escaped,
            (Text::Inside, _) => {}
            (Text::Escaped, _) => self.text = Text::Inside,
        }
        Ok(Step::Other)
    }
}
