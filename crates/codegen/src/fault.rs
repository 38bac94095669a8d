//! Faults of a document: path, problem, remedy.

use std::fmt;

/// Severity of a [`Fault`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The generator stops: the document contradicts the specification or itself, or cannot be served.
    Error,
    /// The generator continues, but the document probably does not mean what its author expects.
    Warning,
}

/// A fault of a document.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fault {
    /// Name of the document as the caller gave it; `None` if it is irrelevant.
    pub file: Option<String>,
    /// JSON pointer; empty for the whole document.
    pub pointer: String,
    /// Severity; an error stops the generator.
    pub severity: Severity,
    /// Problem and remedy.
    pub message: String,
}

impl Fault {
    /// Creates a fault that stops the generator.
    pub fn error(pointer: &str, message: impl Into<String>) -> Self {
        Self { file: None, pointer: pointer.to_owned(), severity: Severity::Error, message: message.into() }
    }

    /// Creates a warning.
    pub fn warning(pointer: &str, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(pointer, message) }
    }

    /// Creates a list with one fault that has no path.
    pub fn one(message: impl Into<String>) -> Vec<Self> {
        vec![Self::error("", message)]
    }

    /// Sets the name of the document.
    pub fn in_file(self, file: &str) -> Self {
        Self { file: Some(file.to_owned()), ..self }
    }

    /// Returns whether the fault stops the generator.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// A list of faults that is being filled.
pub(crate) trait Report {
    /// Adds a fault.
    fn report(&mut self, severity: Severity, pointer: &str, message: impl Into<String>);

    /// Adds a fault that stops the generator.
    fn error(&mut self, pointer: &str, message: impl Into<String>) {
        self.report(Severity::Error, pointer, message);
    }

    /// Adds a warning.
    fn warn(&mut self, pointer: &str, message: impl Into<String>) {
        self.report(Severity::Warning, pointer, message);
    }
}

impl Report for Vec<Fault> {
    fn report(&mut self, severity: Severity, pointer: &str, message: impl Into<String>) {
        self.push(Fault { severity, ..Fault::error(pointer, message) });
    }
}

/// Writes `file: /json/pointer: message`, without the unknown parts. The output is always one line: control characters
/// in a document's names are escaped, so they can neither add lines nor control a terminal.
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

/// Returns the pointer of `key` below `pointer`.
pub(crate) fn child(pointer: &str, key: &str) -> String {
    if key.contains(['~', '/']) {
        format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"))
    } else {
        format!("{pointer}/{key}")
    }
}

/// Returns the key that a segment of a pointer stands for.
pub(crate) fn unescaped(segment: &str) -> String {
    segment.replace("~1", "/").replace("~0", "~")
}
