//! Finds stop texts in a stream.
//!
//! Text that may begin a stop text is buffered until this is decided, so no part of a stop text is ever emitted. The
//! stop text that is complete first ends the completion; of several that are complete at once, the longest. The result
//! therefore does not depend on how the text is split into pieces.

/// Finds the first stop text in a text that arrives in pieces.
#[derive(Debug, Clone)]
pub(crate) struct StopMatcher {
    stops: Vec<String>,
    /// Whether the stop text stays at the end of the text.
    included: bool,
    held: String,
    found: Option<usize>,
}

/// Result of adding a piece of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Stopped {
    /// No stop text yet; the text that is now final, which may be empty.
    No(String),
    /// Stop text found; the text before it, or up to and including it. No text may follow.
    Yes(String),
}

impl StopMatcher {
    /// Creates a matcher for these texts; empty ones are ignored. With `included`, the text ends after the stop text
    /// instead of before it.
    pub(crate) fn new(stops: Vec<String>, included: bool) -> Self {
        Self { stops, included, held: String::new(), found: None }
    }

    /// Adds a piece of text.
    pub(crate) fn push(&mut self, piece: &str) -> Stopped {
        self.held.push_str(piece);
        // The first occurrence of each stop text is also the one that ends first.
        let stops = self.stops.iter().enumerate().filter(|(_, stop)| !stop.is_empty());
        let found = stops.filter_map(|(index, stop)| {
            let start = self.held.find(stop.as_str())?;
            Some((start + stop.len(), start, index))
        });
        if let Some((end, start, index)) = found.min() {
            self.found = Some(index);
            self.held.truncate(if self.included { end } else { start });
            return Stopped::Yes(std::mem::take(&mut self.held));
        }
        let hold = held_back(&self.held, self.stops.iter().map(String::as_str));
        let rest = self.held.split_off(self.held.len() - hold);
        Stopped::No(std::mem::replace(&mut self.held, rest))
    }

    /// Returns the index of the stop text that was found.
    pub(crate) fn found(&self) -> Option<usize> {
        self.found
    }

    /// Ends the text and returns the buffered rest.
    pub(crate) fn finish(&mut self) -> String {
        std::mem::take(&mut self.held)
    }
}

/// Returns the length of the longest suffix of `text` that is a proper prefix of a pattern.
pub(super) fn held_back<'a>(text: &str, patterns: impl Iterator<Item = &'a str>) -> usize {
    let longest = |pattern: &str| {
        (1..pattern.len().min(text.len() + 1))
            .rev()
            .find(|&length| pattern.is_char_boundary(length) && text.ends_with(&pattern[..length]))
            .unwrap_or(0)
    };
    patterns.map(longest).max().unwrap_or(0)
}

#[cfg(test)]
pub(super) mod tests;
