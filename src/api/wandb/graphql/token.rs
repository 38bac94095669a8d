//! The tokenizer of GraphQL.

use super::GraphqlError;

/// A token.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token<'a> {
    /// The end of the query.
    End,
    Name(&'a str),
    /// A number as written, which is also valid JSON.
    Number(&'a str),
    Text(String),
    /// `...`
    Spread,
    /// One of `! $ & ( ) : = @ [ ] { | }`.
    Sign(char),
}

/// Iterates over the tokens of a query.
pub(super) struct Tokens<'a> {
    query: &'a str,
    at: usize,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(query: &'a str) -> Self {
        Self { query, at: 0 }
    }

    /// Returns the next token and its byte offset.
    pub(super) fn next(&mut self) -> Result<(usize, Token<'a>), GraphqlError> {
        self.pass_over();
        let at = self.at;
        let rest = &self.query[at..];
        let Some(first) = rest.chars().next() else { return Ok((at, Token::End)) };
        let token = match first {
            '!' | '$' | '&' | '(' | ')' | ':' | '=' | '@' | '[' | ']' | '{' | '|' | '}' => {
                self.at += 1;
                Token::Sign(first)
            }
            '.' if rest.starts_with("...") => {
                self.at += 3;
                Token::Spread
            }
            'a'..='z' | 'A'..='Z' | '_' => {
                Token::Name(self.take(rest, |byte| byte.is_ascii_alphanumeric() || byte == b'_'))
            }
            '-' | '0'..='9' => {
                Token::Number(self.take(rest, |byte| byte.is_ascii_alphanumeric() || b"+-._".contains(&byte)))
            }
            '"' => Token::Text(self.text(rest)?),
            _ => return Err(GraphqlError::Syntax { at, expected: "a word of GraphQL" }),
        };
        Ok((at, token))
    }

    /// Skips ignored characters: white space, commas, comments and byte order marks.
    fn pass_over(&mut self) {
        loop {
            let rest = &self.query[self.at..];
            let behind = rest.trim_start_matches([' ', '\t', '\r', '\n', ',', '\u{feff}']);
            let behind = match behind.strip_prefix('#') {
                Some(comment) => &comment[comment.find(['\n', '\r']).unwrap_or(comment.len())..],
                None => behind,
            };
            if behind.len() == rest.len() {
                return;
            }
            self.at += rest.len() - behind.len();
        }
    }

    fn take(&mut self, rest: &'a str, belongs: impl Fn(u8) -> bool) -> &'a str {
        let length = rest.bytes().position(|byte| !belongs(byte)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// Parses a string or a block string.
    fn text(&mut self, rest: &str) -> Result<String, GraphqlError> {
        let unterminated = GraphqlError::Syntax { at: self.at, expected: "a text that ends" };
        if let Some(block) = rest.strip_prefix("\"\"\"") {
            let mut from = 0;
            loop {
                let end = from + block[from..].find("\"\"\"").ok_or_else(|| unterminated.clone())?;
                if block[..end].ends_with('\\') {
                    from = end + 3;
                    continue;
                }
                self.at += end + 6;
                // The indentation is kept: no argument of this service is a block string.
                return Ok(block[..end].replace("\\\"\"\"", "\"\"\""));
            }
        }
        let bytes = rest.as_bytes();
        let mut end = 1;
        loop {
            match bytes.get(end) {
                Some(b'"') => break,
                Some(b'\\') => end += 2,
                None | Some(b'\n' | b'\r') => return Err(unterminated),
                Some(_) => end += 1,
            }
        }
        let at = self.at;
        self.at += end + 1;
        // The escapes are the same as in JSON.
        let quoted = rest.get(..=end).and_then(|quoted| serde_json::from_str(quoted).ok());
        quoted.ok_or(GraphqlError::Syntax { at, expected: "a text with the escapes of JSON" })
    }
}
