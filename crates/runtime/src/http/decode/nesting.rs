//! Nesting depth of a JSON text and the number of its values, tracked byte by byte.

use super::{
    super::{ApiError, memory::ValueCount},
    INVALID_JSON,
};

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

/// State of a scan of a JSON text: its depth, whether it is within a string, and the values that have begun.
#[derive(Debug, Default)]
pub(super) struct Nesting {
    depth: usize,
    text: Text,
    in_scalar: bool,
    values: ValueCount,
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

    /// Returns the number of values that have begun.
    pub(super) fn values(&self) -> ValueCount {
        self.values
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
        let was_in_scalar = std::mem::take(&mut self.in_scalar);
        match (self.text, byte) {
            (Text::Outside, b'"') => {
                self.text = Text::Inside;
                self.values.strings += 1;
                return Ok(Step::StringStart);
            }
            (Text::Outside, b'[' | b'{') if self.depth == DEEPEST => {
                let message = format!("the body is nested deeper than {DEEPEST} arrays and objects; send it flatter");
                return Err(ApiError::bad_request(message).with_code(INVALID_JSON));
            }
            (Text::Outside, b'[' | b'{') => {
                self.depth += 1;
                self.values.containers += 1;
                return Ok(Step::Open);
            }
            (Text::Outside, b']' | b'}') => {
                self.depth = self.depth.saturating_sub(1);
                return Ok(Step::Close);
            }
            (Text::Outside, b' ' | b'\t' | b'\n' | b'\r') => return Ok(Step::Space),
            (Text::Outside, b',' | b':') => {}
            (Text::Outside, _) => {
                self.in_scalar = true;
                self.values.scalars += usize::from(!was_in_scalar);
            }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> ValueCount {
        let mut nesting = Nesting::default();
        text.bytes().for_each(|byte| drop(nesting.step(byte)));
        nesting.values()
    }

    #[test]
    fn values_are_counted_by_kind() {
        let text = r#" {"a\"{[1": [1, -2.5e+3 ,true,null], "b":{}, "c" : "[,]{", "d":0} "#;
        assert_eq!(values(text), ValueCount { containers: 3, strings: 5, scalars: 5 });
        assert_eq!(values("17"), ValueCount { scalars: 1, ..ValueCount::default() });
        assert_eq!(values(""), ValueCount::default());
    }
}
