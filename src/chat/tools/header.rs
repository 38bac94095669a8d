//! Parses a call's JSON before it is complete.

use serde::Deserialize;
use serde_json::value::RawValue;

/// Keys that a call may have. An object that begins with another key is not a call.
const KEYS: [&str; 6] = ["name", "arguments", "parameters", "type", "function", "id"];
/// Keys that hold a call's arguments.
const ARGUMENTS: [&str; 2] = ["arguments", "parameters"];
/// Maximum length of a function name in bytes.
const MAX_NAME: usize = 1024;

/// Classification of the beginning of a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Header {
    /// Possibly a call; more text decides.
    Incomplete,
    /// A call whose arguments are an object that begins at this byte.
    Call { name: String, arguments: usize },
    /// Possibly a call; this can only be decided once the text is complete.
    Whole,
    /// Not a call.
    NoCall,
}

/// A call parsed as a whole.
pub(super) struct WholeCall {
    pub name: String,
    pub arguments: String,
}

/// Parses `{"name": "…", "arguments": {`.
pub(super) fn read(text: &str) -> Header {
    // Both sides are a classification of the text.
    Cursor { text, at: 0 }.header().unwrap_or_else(|known| known)
}

struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl Cursor<'_> {
    fn header(&mut self) -> Result<Header, Header> {
        self.expect('{')?;
        let key = self.string(&|begun| KEYS.iter().any(|key| key.starts_with(begun)))?;
        if key != "name" {
            return Err(if KEYS.contains(&key.as_str()) { Header::Whole } else { Header::NoCall });
        }
        self.expect(':')?;
        let name = self.string(&|begun| begun.len() <= MAX_NAME)?;
        if name.is_empty() {
            return Err(Header::NoCall);
        }
        if self.next()? == '}' {
            return Err(Header::Whole);
        }
        self.expect(',')?;
        let key = self.string(&|begun| begun.len() <= MAX_NAME)?;
        self.expect(':')?;
        if !ARGUMENTS.contains(&key.as_str()) || self.next()? != '{' {
            return Err(Header::Whole);
        }
        Ok(Header::Call { name, arguments: self.at })
    }

    /// Returns the next character that is not white space.
    fn next(&mut self) -> Result<char, Header> {
        let rest = &self.text[self.at..];
        let trimmed = rest.trim_start();
        self.at += rest.len() - trimmed.len();
        trimmed.chars().next().ok_or(Header::Incomplete)
    }

    fn expect(&mut self, character: char) -> Result<(), Header> {
        if self.next()? != character {
            return Err(Header::NoCall);
        }
        self.at += character.len_utf8();
        Ok(())
    }

    /// Reads a JSON string; an incomplete one must satisfy `possible` so far.
    fn string(&mut self, possible: &dyn Fn(&str) -> bool) -> Result<String, Header> {
        if self.next()? != '"' {
            return Err(Header::NoCall);
        }
        let rest = &self.text[self.at..];
        let mut escaped = false;
        let end = rest.bytes().enumerate().skip(1).find(|(_, byte)| {
            let ends = *byte == b'"' && !escaped;
            escaped = *byte == b'\\' && !escaped;
            ends
        });
        let Some((end, _)) = end else {
            return Err(if possible(&rest[1..]) { Header::Incomplete } else { Header::NoCall });
        };
        self.at += end + 1;
        serde_json::from_str(&rest[..=end]).map_err(|_| Header::NoCall)
    }
}

#[derive(Deserialize)]
struct Call<'a> {
    name: String,
    #[serde(borrow, default, alias = "parameters")]
    arguments: Option<&'a RawValue>,
}

/// Parses a complete call with its keys in any order.
pub(super) fn parse(text: &str) -> Option<WholeCall> {
    let call: Call<'_> = serde_json::from_str(text).ok()?;
    let raw = call.arguments.map_or("{}", RawValue::get);
    // Some models write the arguments as a string that holds JSON.
    let arguments = serde_json::from_str::<String>(raw).unwrap_or_else(|_| raw.to_owned());
    (!call.name.is_empty()).then_some(WholeCall { name: call.name, arguments })
}

/// Returns whether the text between the arguments and the end of a call is insignificant: the bracket, and possibly
/// further keys before it. A missing bracket is accepted.
pub(super) fn is_end_of_call(tail: &str, bracket: bool) -> bool {
    let tail = tail.trim();
    tail.is_empty()
        || (bracket && (tail == "}" || serde_json::from_str::<serde_json::Value>(&format!("{{\"a\":0{tail}")).is_ok()))
}

/// Finds the end of a JSON object or list by its brackets, also where the JSON is not valid.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct JsonScanner {
    depth: usize,
    in_string: bool,
    escaped: bool,
}

impl JsonScanner {
    /// Creates a scanner after an opening bracket.
    pub(super) fn inside() -> Self {
        Self { depth: 1, ..Self::default() }
    }

    /// Scans `text`; returns the index after the last bracket once it is found.
    pub(super) fn advance(&mut self, text: &str) -> Option<usize> {
        for (index, byte) in text.bytes().enumerate() {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' if self.in_string => self.escaped = true,
                b'"' => self.in_string = !self.in_string,
                _ if self.in_string => {}
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        return Some(index + 1);
                    }
                }
                _ => {}
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_known_as_soon_as_it_can_be() {
        let text = r#" { "name" : "f\"é" , "parameters" : {"a""#;
        let certain = text.find("{\"a").unwrap() + 1;
        for end in (0..certain).filter(|end| text.is_char_boundary(*end)) {
            assert_eq!(read(&text[..end]), Header::Incomplete, "{}", &text[..end]);
        }
        assert_eq!(read(&text[..certain]), Header::Call { name: "f\"é".to_owned(), arguments: certain - 1 });
    }

    #[test]
    fn text_without_a_tool_call_is_recognised_early() {
        for text in [
            "x",
            "[",
            "{1",
            r#"{"x"#,
            r#"{"names"#,
            r#"{"name": 5"#,
            r#"{"name": """#,
            r#"{"name": "f"]"#,
            "{}",
            r#"{"name"x"#,
        ] {
            assert_eq!(read(text), Header::NoCall, "{text}");
        }
        for text in [
            r#"{"type":"#,
            r#"{"arguments""#,
            r#"{"name": "f"}"#,
            r#"{"name": "f", "x": 1"#,
            r#"{"name": "f", "arguments": ""#,
        ] {
            assert_eq!(read(text), Header::Whole, "{text}");
        }
    }

    #[test]
    fn brackets_in_text_do_not_count() {
        let text = r#"{"a": ["}\"]", {"b": "\\"}]} tail"#;
        let end = text.find(" tail").unwrap();
        assert_eq!(JsonScanner::default().advance(text), Some(end));
        let mut scanner = JsonScanner::default();
        assert_eq!((scanner.advance(&text[..9]), scanner.advance(&text[9..])), (None, Some(end - 9)));
    }
}
