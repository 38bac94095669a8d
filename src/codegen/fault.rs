//! What is wrong with a document: where, what, and what to write instead.

use std::fmt;

/// How bad a [`Fault`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Nothing is generated: the document contradicts the specification or itself, or cannot be served.
    Error,
    /// The document can be served, though not quite as its author may think.
    Warning,
}

/// A fault of a document.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fault {
    /// Name of the document, as the caller gave it; none where it does not matter.
    pub file: Option<String>,
    /// JSON pointer of the place; empty for the whole document.
    pub pointer: String,
    /// Whether it stops the generator.
    pub severity: Severity,
    /// What is wrong, and what to write instead.
    pub message: String,
}

impl Fault {
    /// A fault that stops the generator.
    pub fn error(pointer: &str, message: impl Into<String>) -> Self {
        Self { file: None, pointer: pointer.to_owned(), severity: Severity::Error, message: message.into() }
    }

    /// A fault that the author should know of.
    pub fn warning(pointer: &str, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(pointer, message) }
    }

    /// A fault that stops the generator; the same as [`Fault::error`].
    pub fn new(pointer: &str, message: impl Into<String>) -> Self {
        Self::error(pointer, message)
    }

    /// A fault without a place, alone.
    pub fn one(message: impl Into<String>) -> Vec<Self> {
        vec![Self::error("", message)]
    }

    /// The same fault, of the document called `file`.
    pub fn in_file(self, file: &str) -> Self {
        Self { file: Some(file.to_owned()), ..self }
    }

    /// Whether it stops the generator.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// `file: /json/pointer: message`, without the parts that are not known. Always one line: what a document puts into
/// its names can neither add lines nor speak to a terminal.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{}: ", OneLine(file))?;
        }
        if !self.pointer.is_empty() {
            write!(f, "{}: ", OneLine(&self.pointer))?;
        }
        OneLine(&self.message).fmt(f)
    }
}

struct OneLine<'t>(&'t str);

impl fmt::Display for OneLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.0.contains(char::is_control) {
            return f.write_str(self.0);
        }
        self.0.chars().try_for_each(|character| match character.is_control() {
            true => write!(f, "{}", character.escape_default()),
            false => write!(f, "{character}"),
        })
    }
}

/// The pointer of `key` below `pointer`.
pub fn child(pointer: &str, key: &str) -> String {
    if key.contains(['~', '/']) {
        format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"))
    } else {
        format!("{pointer}/{key}")
    }
}
