//! How deep a JSON text goes, byte by byte.

use super::{super::Failure, json::INVALID_JSON};

/// Arrays and objects within each other at most, in all of a body.
const DEEPEST: usize = 512;

/// What a byte of a JSON text is.
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
    /// Anything else: within a string, of another value, a comma or a colon.
    Other,
}

/// Where a JSON text is that is gone through from its start: how deep, and whether within a string.
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
    /// Behind a backslash.
    Escaped,
}

impl Nesting {
    /// Arrays and objects that are open.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Whether the last byte was of a string that goes on.
    pub fn is_in_string(&self) -> bool {
        self.text != Text::Outside
    }

    /// Takes the next byte.
    ///
    /// # Errors
    /// 400 when it opens more than may be open.
    pub fn step(&mut self, byte: u8) -> Result<Step, Failure> {
        match (self.text, byte) {
            (Text::Outside, b'"') => {
                self.text = Text::Inside;
                return Ok(Step::StringStart);
            }
            (Text::Outside, b'[' | b'{') if self.depth == DEEPEST => {
                let message = format!("the body is nested deeper than {DEEPEST} arrays and objects; send it flatter");
                return Err(Failure::bad_request(message).with_code(INVALID_JSON));
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
