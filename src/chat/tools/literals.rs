//! Writes literals of Python, and those of Gemma, as JSON.

use crate::chat::tool_formats::Literals;

/// Maximum nesting of lists and objects.
const MAX_DEPTH: usize = 64;
/// Characters that end a word, and that may follow a text.
const DELIMITERS: [char; 5] = [',', ')', ']', '}', ':'];

/// Reason why text is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unread {
    /// More text decides.
    Incomplete,
    /// It is no literal.
    Invalid,
}

/// Reads a name and its value from the start of a text. Returns both as JSON, and their length.
pub(super) fn member(text: &str, literals: Literals) -> Result<([String; 2], usize), Unread> {
    let mut reader = Reader { literals, text, at: 0 };
    let name = reader.name(literals.assigns)?;
    Ok(([name, reader.value(0)?], reader.at))
}

struct Reader<'a> {
    literals: Literals,
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    /// Returns the next character that is not white space.
    fn next(&mut self) -> Result<char, Unread> {
        let rest = self.rest();
        let trimmed = rest.trim_start();
        let next = trimmed.chars().next();
        self.at += rest.len() - trimmed.len();
        next.ok_or(Unread::Incomplete)
    }

    fn expect(&mut self, character: char) -> Result<(), Unread> {
        if self.next()? != character {
            return Err(Unread::Invalid);
        }
        self.at += character.len_utf8();
        Ok(())
    }

    /// Returns the quote that comes next.
    fn quote(&mut self) -> Result<Option<&'static str>, Unread> {
        self.next()?;
        let rest = self.rest();
        if let Some(quote) = self.literals.quotes.iter().find(|quote| rest.starts_with(**quote)) {
            return Ok(Some(quote));
        }
        match self.literals.quotes.iter().any(|quote| quote.starts_with(rest)) {
            true => Err(Unread::Incomplete),
            false => Ok(None),
        }
    }

    /// Reads a name with or without quotes, and what follows it.
    fn name(&mut self, assigns: char) -> Result<String, Unread> {
        let name = match self.quote()? {
            Some(quote) => self.string(quote)?,
            None => {
                let rest = self.rest();
                let end = rest.find(|c: char| c == assigns || DELIMITERS.contains(&c) || c.is_whitespace());
                let end = end.ok_or(Unread::Incomplete)?;
                if end == 0 {
                    return Err(Unread::Invalid);
                }
                let name = json(&rest[..end]);
                self.at += end;
                name
            }
        };
        self.expect(assigns)?;
        Ok(name)
    }

    fn value(&mut self, depth: usize) -> Result<String, Unread> {
        if depth > MAX_DEPTH {
            return Err(Unread::Invalid);
        }
        if let Some(quote) = self.quote()? {
            return self.string(quote);
        }
        match self.next()? {
            '[' => self.items('[', ']', &mut |reader| reader.value(depth + 1)),
            '{' => self.items('{', '}', &mut |reader| {
                let name = reader.name(':')?;
                Ok(format!("{name}: {}", reader.value(depth + 1)?))
            }),
            _ => {
                let rest = self.rest();
                let end = rest.find(|c: char| DELIMITERS.contains(&c)).ok_or(Unread::Incomplete)?;
                let word = rest[..end].trim_end();
                let value = self.word(word).ok_or(Unread::Invalid)?;
                self.at += end;
                Ok(value)
            }
        }
    }

    /// Reads items between brackets.
    fn items(
        &mut self,
        open: char,
        close: char,
        item: &mut dyn FnMut(&mut Self) -> Result<String, Unread>,
    ) -> Result<String, Unread> {
        self.expect(open)?;
        let mut items = Vec::new();
        while self.next()? != close {
            if !items.is_empty() {
                self.expect(',')?;
                // A comma may follow the last item.
                if self.next()? == close {
                    break;
                }
            }
            items.push(item(self)?);
        }
        self.expect(close)?;
        Ok(format!("{open}{}{close}", items.join(", ")))
    }

    /// Returns a word as JSON: a constant, a number, or else text.
    fn word(&self, word: &str) -> Option<String> {
        if word.is_empty() {
            return None;
        }
        let constants = ["true", "false", "null"];
        let names = self.literals.words.into_iter().zip(constants).chain(constants.into_iter().zip(constants));
        if let Some((_, constant)) = names.into_iter().find(|(name, _)| *name == word) {
            return Some(constant.to_owned());
        }
        let is_number = serde_json::from_str::<serde_json::Number>(word).is_ok();
        Some(if is_number { word.to_owned() } else { json(word) })
    }

    /// Reads a text after its quote, which comes next. Where backslashes escape, a quote inside the text may still have none, as in
    /// templates that print a text as it is: the last one is followed by a delimiter.
    fn string(&mut self, quote: &str) -> Result<String, Unread> {
        let start = self.at + quote.len();
        let body = &self.text[start..];
        let mut from = 0;
        loop {
            let rest = &body[from..];
            let end = rest.find(quote).ok_or(Unread::Incomplete)?;
            let escape = rest.find('\\').filter(|escape| self.literals.escapes && *escape < end);
            if let Some(escape) = escape {
                let escaped = rest[escape + 1..].chars().next().ok_or(Unread::Incomplete)?;
                from += escape + 1 + escaped.len_utf8();
                continue;
            }
            let after = &rest[end + quote.len()..];
            let next = after.trim_start().chars().next();
            if self.literals.escapes {
                match next {
                    None => return Err(Unread::Incomplete),
                    Some(next) if !DELIMITERS.contains(&next) => {
                        from += end + quote.len();
                        continue;
                    }
                    Some(_) => {}
                }
            }
            let text = &body[..from + end];
            self.at = start + text.len() + quote.len();
            return Ok(json(&if self.literals.escapes { unescaped(text) } else { text.to_owned() }));
        }
    }
}

/// Returns a JSON string.
fn json(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Replaces the escapes of Python and JSON; others stay as they are.
fn unescaped(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        written.push_str(&rest[..at]);
        rest = &rest[at..];
        let length = match rest.as_bytes().get(1) {
            Some(b'x') => 4,
            Some(b'u') if rest[2..].get(4..6) == Some("\\u") && surrogate(rest).is_some() => 12,
            Some(b'u') => 6,
            _ => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
        };
        let escape = rest.get(..length).unwrap_or(rest);
        match escape {
            "\\n" => written.push('\n'),
            "\\t" => written.push('\t'),
            "\\r" => written.push('\r'),
            "\\b" => written.push('\u{8}'),
            "\\f" => written.push('\u{c}'),
            "\\\n" => {}
            "\\\\" | "\\'" | "\\\"" | "\\/" => written.push_str(&escape[1..]),
            _ => match code(escape).or_else(|| surrogate(escape)) {
                Some(character) => written.push(character),
                None => written.push_str(escape),
            },
        }
        rest = &rest[escape.len()..];
    }
    written + rest
}

/// Returns the character of an escape with a number.
fn code(escape: &str) -> Option<char> {
    let digits = escape.strip_prefix("\\u").or_else(|| escape.strip_prefix("\\x"))?;
    char::from_u32(u32::from_str_radix(digits, 16).ok()?)
}

/// Returns the character of two escapes, which are the halves of one beyond 16 bits.
fn surrogate(escapes: &str) -> Option<char> {
    let half = |at: usize| u16::from_str_radix(escapes.get(at..at + 4)?, 16).ok();
    char::decode_utf16([half(2)?, half(8)?]).next()?.ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chat::tool_formats::{Notation, ToolFormatKind};

    fn read(kind: ToolFormatKind, text: &str) -> Result<([String; 2], usize), Unread> {
        let Notation::Literals(literals) = kind.notation() else { panic!("no literals") };
        member(text, literals)
    }

    #[test]
    fn values_are_json() {
        for (kind, text, expected) in [
            (ToolFormatKind::Lfm, "a=1)", "1"),
            (ToolFormatKind::Lfm, "a = -2.5e3 ,", "-2.5e3"),
            (ToolFormatKind::Lfm, "a=True)", "true"),
            (ToolFormatKind::Lfm, "a=null)", "null"),
            (ToolFormatKind::Lfm, "a='x'\n)", "\"x\""),
            (ToolFormatKind::Lfm, "a='it's', b=2)", "\"it's\""),
            (ToolFormatKind::Lfm, "a=\"it's\\n\\\"\\\\\")", r#""it's\n\"\\""#),
            (ToolFormatKind::Lfm, r"a='\u00e9\x41\ud83d\ude00\q')", "\"éA😀\\\\q\""),
            (ToolFormatKind::Lfm, "a=[1, 'b', [], None,])", "[1, \"b\", [], null]"),
            (ToolFormatKind::Lfm, "a={\"b\": {'c': False}, 'd': []})", "{\"b\": {\"c\": false}, \"d\": []}"),
            (ToolFormatKind::Lfm, "a=Rome and Paris)", "\"Rome and Paris\""),
            (ToolFormatKind::Gemma, "a:<|\"|>x \\n \"y\", '<|\"|>}", r#""x \\n \"y\", '""#),
            (
                ToolFormatKind::Gemma,
                "a:{b:[<|\"|>c<|\"|>,true],<|\"|>d<|\"|>:None}}",
                "{\"b\": [\"c\", true], \"d\": null}",
            ),
        ] {
            let ([name, value], length) = read(kind, text).unwrap();
            assert_eq!((name.as_str(), value.as_str()), ("\"a\"", expected), "{text}");
            serde_json::from_str::<serde_json::Value>(&value).unwrap();
            for end in (0..length).filter(|end| text.is_char_boundary(*end)) {
                assert_eq!(read(kind, &text[..end]), Err(Unread::Incomplete), "{}", &text[..end]);
            }
        }
    }

    #[test]
    fn other_text_is_no_literal() {
        let deep = format!("a={}", "[".repeat(MAX_DEPTH + 2));
        for text in ["=1)", "1)", "a=)", "a=[1 2)", "a={1})", "a=[)", &deep] {
            assert_eq!(read(ToolFormatKind::Lfm, text), Err(Unread::Invalid), "{text}");
        }
    }
}
