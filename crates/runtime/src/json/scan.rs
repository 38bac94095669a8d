//! Scan of a JSON text byte by byte: its nesting depth and the number of its values, without parsing it.

/// Role of a byte in a JSON text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
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

/// Number of values in a JSON text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ValueCount {
    /// Objects and arrays.
    pub containers: usize,
    /// Keys and strings.
    pub strings: usize,
    /// Numbers, booleans and nulls.
    pub scalars: usize,
}

impl ValueCount {
    /// Counts the values of a text. Of a text that is not JSON, the count is at least that of the values that a parser
    /// reads before it rejects the text.
    pub fn of(text: &[u8]) -> Self {
        let mut scan = Scan::default();
        text.iter().for_each(|byte| _ = scan.step(*byte));
        scan.values()
    }

    /// Returns the memory in bytes of this many values, at `large` bytes for each container and string and at `small`
    /// for each scalar.
    pub fn bytes(self, large: usize, small: usize) -> usize {
        (self.containers + self.strings).saturating_mul(large).saturating_add(self.scalars.saturating_mul(small))
    }
}

/// State of a scan: the depth, whether it is within a string, and the values that have begun.
#[derive(Debug, Default)]
pub struct Scan {
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

impl Scan {
    /// Returns the number of open arrays and objects.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Returns the number of values that have begun.
    pub fn values(&self) -> ValueCount {
        self.values
    }

    /// Returns whether the scan is within a string.
    pub fn is_in_string(&self) -> bool {
        self.text != Text::Outside
    }

    /// Consumes the next byte.
    pub fn step(&mut self, byte: u8) -> Step {
        let was_in_scalar = std::mem::take(&mut self.in_scalar);
        match (self.text, byte) {
            (Text::Outside, b'"') => {
                self.text = Text::Inside;
                self.values.strings += 1;
                return Step::StringStart;
            }
            (Text::Outside, b'[' | b'{') => {
                self.depth += 1;
                self.values.containers += 1;
                return Step::Open;
            }
            (Text::Outside, b']' | b'}') => {
                self.depth = self.depth.saturating_sub(1);
                return Step::Close;
            }
            (Text::Outside, b' ' | b'\t' | b'\n' | b'\r') => return Step::Space,
            (Text::Outside, b',' | b':') => {}
            (Text::Outside, _) => {
                self.in_scalar = true;
                self.values.scalars += usize::from(!was_in_scalar);
            }
            (Text::Inside, b'"') => {
                self.text = Text::Outside;
                return Step::StringEnd;
            }
            (Text::Inside, b'\\') => self.text = Text::Escaped,
            (Text::Inside, _) => {}
            (Text::Escaped, _) => self.text = Text::Inside,
        }
        Step::Other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_counted_by_kind() {
        let text = br#" {"a\"{[1": [1, -2.5e+3 ,true,null], "b":{}, "c" : "[,]{", "d":0} "#;
        assert_eq!(ValueCount::of(text), ValueCount { containers: 3, strings: 5, scalars: 5 });
        assert_eq!(ValueCount::of(b"17"), ValueCount { scalars: 1, ..ValueCount::default() });
        assert_eq!(ValueCount::of(b""), ValueCount::default());
        assert_eq!(ValueCount { containers: 1, strings: 2, scalars: 3 }.bytes(10, 1), 33);
    }
}
