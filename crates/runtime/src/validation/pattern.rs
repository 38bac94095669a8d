//! Regular expressions of ECMA-262, the syntax of `pattern`.
//!
//! Request texts are untrusted, and a backtracking search of `^(\w+\s?)*$` takes time exponential in their length. A
//! pattern is therefore translated for a linear-time engine if that preserves its meaning. Patterns with look-around or
//! back references, which that engine lacks, use a backtracking engine.

use std::str::Chars;
use std::sync::OnceLock;

/// A compiled `pattern`.
#[derive(Clone, Debug)]
pub struct Pattern(Engine);

#[derive(Clone, Debug)]
enum Engine {
    Linear(regex::Regex),
    Backtracking(Box<regress::Regex>),
    /// The source was not a regular expression; it matches nothing.
    Broken,
}

impl Pattern {
    /// Compiles a pattern. An invalid one matches nothing; the generator rejects documents with invalid patterns.
    pub fn new(source: &str) -> Self {
        Self::compile(source).unwrap_or(Self(Engine::Broken))
    }

    /// Compiles a pattern with the flag `u`, as JSON Schema requires, or without it if that fails: many patterns have
    /// escapes that only the older syntax allows.
    ///
    /// # Errors
    /// The syntax error, if neither syntax accepts the source.
    pub fn compile(source: &str) -> Result<Self, String> {
        let (unicode, regex) = match regress::Regex::with_flags(source, "u") {
            Ok(regex) => (true, regex),
            Err(_) => (false, regress::Regex::new(source).map_err(|error| error.to_string())?),
        };
        let translated = Translation { rest: source.chars(), unicode }.run();
        Ok(Self(match translated.and_then(|source| regex::Regex::new(&source).ok()) {
            Some(regex) => Engine::Linear(regex),
            None => Engine::Backtracking(Box::new(regex)),
        }))
    }

    /// Returns whether a search takes time linear in the length of the text.
    pub fn is_linear(&self) -> bool {
        matches!(self.0, Engine::Linear(_))
    }

    /// Returns whether the pattern matches anywhere in the text.
    pub fn matches(&self, text: &str) -> bool {
        match &self.0 {
            Engine::Linear(regex) => regex.is_match(text),
            Engine::Backtracking(regex) => regex.find(text).is_some(),
            Engine::Broken => false,
        }
    }
}

/// A pattern that is compiled at its first use.
#[derive(Debug)]
pub struct LazyPattern {
    source: &'static str,
    compiled: OnceLock<Pattern>,
}

impl LazyPattern {
    /// Creates the pattern without compiling it.
    pub const fn new(source: &'static str) -> Self {
        Self { source, compiled: OnceLock::new() }
    }

    /// Returns whether the pattern matches anywhere in the text.
    pub fn matches(&self, text: &str) -> bool {
        self.compiled.get_or_init(|| Pattern::new(self.source)).matches(text)
    }
}

const DIGIT: &str = "0-9";
const WORD: &str = "0-9A-Za-z_";
const SPACE: &str =
    "\\x{9}-\\x{d}\\x{20}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}";

/// Translates a valid pattern to the syntax of the `regex` crate; `None` if it has no equivalent there.
struct Translation<'s> {
    rest: Chars<'s>,
    unicode: bool,
}

/// An item of a class, or an escape.
enum Atom {
    Char(char),
    /// A set, in the syntax that is the same inside and outside of a class.
    Set(String),
}

impl Translation<'_> {
    fn run(mut self) -> Option<String> {
        let mut out = String::new();
        while let Some(c) = self.rest.next() {
            match c {
                '^' => out.push_str("\\A"),
                '$' => out.push_str("\\z"),
                '.' => out.push_str("[^\\n\\r\\x{2028}\\x{2029}]"),
                '|' | ')' | '*' | '+' | '?' => out.push(c),
                '(' => {
                    self.group()?;
                    out.push_str("(?:");
                }
                '[' => self.class(&mut out)?,
                '{' => match self.quantifier() {
                    Some(quantifier) => out.push_str(&quantifier),
                    None => out.push_str(&literal(c)),
                },
                '\\' if self.eat("b") => out.push_str("(?-u:\\b)"),
                '\\' => match self.escape()? {
                    Atom::Char(c) => out.push_str(&literal(c)),
                    Atom::Set(set) => out.push_str(&set),
                },
                c => out.push_str(&literal(c)),
            }
        }
        Some(out)
    }

    fn eat(&mut self, prefix: &str) -> bool {
        match self.rest.as_str().strip_prefix(prefix) {
            Some(rest) => {
                self.rest = rest.chars();
                true
            }
            None => false,
        }
    }

    /// Parses the start of a group, after its parenthesis. Names are dropped: without back references they have no
    /// effect.
    fn group(&mut self) -> Option<()> {
        if !self.eat("?") || self.eat(":") {
            return Some(());
        }
        if !self.eat("<") || self.rest.as_str().starts_with(['=', '!']) {
            return None;
        }
        self.rest.find(|c| *c == '>').map(drop)
    }

    /// Parses a quantifier after its brace; `None` if the brace is a literal.
    fn quantifier(&mut self) -> Option<String> {
        let (counts, rest) = self.rest.as_str().split_once('}')?;
        let (least, most) = counts.split_once(',').unwrap_or((counts, ""));
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if least.is_empty() || !digits(least) || !digits(most) {
            return None;
        }
        let quantifier = format!("{{{counts}}}");
        self.rest = rest.chars();
        Some(quantifier)
    }

    /// Parses an escape after its backslash.
    fn escape(&mut self) -> Option<Atom> {
        let set = |items: &str| Some(Atom::Set(format!("[{items}]")));
        let c = self.rest.next()?;
        match c {
            'd' => set(DIGIT),
            'D' => set(&format!("^{DIGIT}")),
            'w' => set(WORD),
            'W' => set(&format!("^{WORD}")),
            's' => set(SPACE),
            'S' => set(&format!("^{SPACE}")),
            't' => Some(Atom::Char('\t')),
            'n' => Some(Atom::Char('\n')),
            'r' => Some(Atom::Char('\r')),
            'v' => Some(Atom::Char('\u{b}')),
            'f' => Some(Atom::Char('\u{c}')),
            '0' if !self.rest.as_str().starts_with(|c: char| c.is_ascii_digit()) => Some(Atom::Char('\0')),
            'x' => self.hexadecimal(2).map(Atom::Char),
            'u' if self.rest.as_str().starts_with('{') => {
                let (code, rest) = self.rest.as_str()[1..].split_once('}').filter(|_| self.unicode)?;
                self.rest = rest.chars();
                char::from_u32(u32::from_str_radix(code, 16).ok()?).map(Atom::Char)
            }
            // Half a surrogate pair is not a character.
            'u' => self.hexadecimal(4).map(Atom::Char),
            'p' | 'P' if self.unicode && self.eat("{") => {
                let (name, rest) = self.rest.as_str().split_once('}')?;
                self.rest = rest.chars();
                Some(Atom::Set(format!("\\{c}{{{name}}}")))
            }
            c if c.is_ascii_alphanumeric() => None,
            c => Some(Atom::Char(c)),
        }
    }

    fn hexadecimal(&mut self, digits: usize) -> Option<char> {
        let text = self.rest.as_str();
        let code = text.get(..digits).filter(|code| code.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
        self.rest = text[digits..].chars();
        char::from_u32(u32::from_str_radix(code, 16).ok()?)
    }

    /// Parses a class after its bracket.
    fn class(&mut self, out: &mut String) -> Option<()> {
        out.push_str(if self.eat("^") { "[^" } else { "[" });
        let mut empty = true;
        loop {
            if self.eat("]") {
                out.push(']');
                // The `regex` crate supports neither `[]` nor `[^]`.
                return (!empty).then_some(());
            }
            empty = false;
            match self.item()? {
                Atom::Set(set) => out.push_str(&set),
                Atom::Char(first) => {
                    out.push_str(&literal(first));
                    let text = self.rest.as_str();
                    if text.starts_with('-') && !text.starts_with("-]") {
                        self.rest.next();
                        let Atom::Char(last) = self.item()? else { return None };
                        out.push('-');
                        out.push_str(&literal(last));
                    }
                }
            }
        }
    }

    fn item(&mut self) -> Option<Atom> {
        match self.rest.next()? {
            '\\' if self.eat("b") => Some(Atom::Char('\u{8}')),
            '\\' => self.escape(),
            c => Some(Atom::Char(c)),
        }
    }
}

/// Escapes a literal character.
fn literal(c: char) -> String {
    if c.is_alphanumeric() { c.to_string() } else { format!("\\x{{{:x}}}", u32::from(c)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXTS: &[&str] = &[
        "",
        "a",
        "ab",
        "A-b",
        "a_b",
        "é",
        "p{L}",
        "日本",
        "1",
        "٣",
        "a\n",
        "\n",
        "\u{2028}",
        "\u{a0}",
        " ",
        "a b",
        "-",
        "[",
        "]",
        "&&",
        "{}",
        "{1}",
        "aa",
        "aaa",
        "a.b",
        "a/b",
        "\\",
        "^",
        "$",
        "x\u{8}",
        "\0",
        "😀",
        "u{61}",
        "€5",
        "a-z",
        "~",
        "#x",
        "2024-02-29",
        "user@example.com",
        "\u{feff}",
        "\t",
        "\u{85}",
        "é1",
        "ab cd",
        "ſ",
        "K",
    ];

    /// Both engines must agree, and so must the names of the same set.
    #[test]
    fn the_linear_engine_finds_what_the_other_does() {
        for source in [
            "",
            "a",
            "^a$",
            "^.$",
            "^.*$",
            r"^\d+$",
            r"\D",
            r"^\w+$",
            r"^\W$",
            r"^\s$",
            r"^\S+$",
            r"\bb\b",
            r"^[\w-]+$",
            r"^[\w.-]*$",
            r"^[^/:\u0000-\u001f\u007f]*$",
            r"^\p{L}+$",
            r"^\P{L}$",
            r"^[\p{Lu}\d]",
            r"^\p{Script=Han}+$",
            r"^[a-z&&b]+$",
            r"^[[]$",
            r"^[\]]$",
            r"^[a\-z]+$",
            r"^[-a]+$",
            r"^[a-]+$",
            r"[\b]",
            r"^a{2}$",
            r"^a{2,}$",
            r"^(a|b){1,2}$",
            r"^\{\}$",
            r"^{}$",
            r"^(?<x>a)(?:b)?$",
            r"^(a?)*$",
            r"^a+?$",
            r"^\u{1F600}$",
            r"^\u0061$",
            r"^\x61$",
            r"^\/$|^a\/b$",
            r"^[~#]",
            r"^[--a]$",
            r"^\0$",
            r"^\^$",
            r"^\$$",
            r"^\\$",
            r"^€\d$",
            r"^[^\s@]+@[^\s@]+\.[a-z]{2,}$",
            r"^\d{4}-\d{2}-\d{2}$",
            r"^\-$",
            r"\_",
            r"^[^\d]$",
            r"^[\D]$",
            r"^[\S\s]$",
            r"(|a)$",
            r"^(\w+\s?)*$",
            r"^[K]$",
        ] {
            let pattern = Pattern::compile(source).unwrap_or_else(|error| panic!("{source}: {error}"));
            let regress = regress::Regex::with_flags(source, "u").or_else(|_| regress::Regex::new(source)).unwrap();
            for text in TEXTS {
                assert_eq!(pattern.matches(text), regress.find(text).is_some(), "{source} on {text:?}: {pattern:?}");
            }
            assert!(pattern.is_linear(), "{source}");
        }
    }

    #[test]
    fn patterns_know_unicode() {
        let letters = Pattern::new(r"^\p{L}+$");
        assert!(letters.matches("é") && !letters.matches("p{L}"));
        assert!(Pattern::new("^.$").matches("😀"));
        assert!(Pattern::new(r"^\-\_$").matches("-_"), "escapes of the older syntax");
    }

    #[test]
    fn patterns_with_exponential_backtracking_end() {
        let text = format!("{}!", "a".repeat(10_000));
        for source in [r"^(\w+\s?)*$", "^(a|a)*$", "^(a+)+$", r"^([a-z0-9]+-?)*$"] {
            assert!(!Pattern::new(source).matches(&text), "{source}");
        }
    }

    #[test]
    fn patterns_that_need_backtracking_are_reported() {
        for (source, fits, unfit) in
            [("^(?!a)", "b", "a"), (r"^(.)\1$", "aa", "ab"), ("(?<=a)b", "ab", "b"), (r"^[]$|^a$", "a", "b")]
        {
            let pattern = Pattern::new(source);
            assert!(!pattern.is_linear() && pattern.matches(fits) && !pattern.matches(unfit), "{source}");
        }
        assert!(Pattern::compile("(").is_err());
        assert!(!Pattern::new("(").matches(""));
    }
}
