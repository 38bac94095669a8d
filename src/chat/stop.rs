//! Finds stop texts in a stream.
//!
//! Text that may begin a stop text is buffered until this is decided, so no part of a stop text is ever emitted. The
//! stop text that is complete first ends the answer; of several that are complete at once, the longest. The result
//! therefore does not depend on how the text is split into pieces.

/// Finds the first stop text in a text that arrives in pieces.
#[derive(Debug, Clone)]
pub(crate) struct StopMatcher {
    stops: Vec<String>,
    /// Whether the stop text stays at the end of the text.
    included: bool,
    held: String,
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
        Self { stops: stops.into_iter().filter(|stop| !stop.is_empty()).collect(), included, held: String::new() }
    }

    /// Adds a piece of text.
    pub(crate) fn push(&mut self, piece: &str) -> Stopped {
        self.held.push_str(piece);
        // The first occurrence of each stop text is also the one that ends first.
        let found = self.stops.iter().filter_map(|stop| {
            let start = self.held.find(stop.as_str())?;
            Some((start + stop.len(), start))
        });
        if let Some((end, start)) = found.min() {
            self.held.truncate(if self.included { end } else { start });
            return Stopped::Yes(std::mem::take(&mut self.held));
        }
        let hold = held_back(&self.held, self.stops.iter().map(String::as_str));
        let rest = self.held.split_off(self.held.len() - hold);
        Stopped::No(std::mem::replace(&mut self.held, rest))
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
pub(super) mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Splits a text into pieces of these character counts, and the rest.
    pub(crate) fn pieces(text: &str, cuts: &[usize]) -> Vec<String> {
        let characters: Vec<char> = text.chars().collect();
        let mut rest = characters.as_slice();
        let mut pieces = Vec::new();
        for &cut in cuts {
            let (piece, tail) = rest.split_at(cut.min(rest.len()));
            pieces.push(piece.iter().collect());
            rest = tail;
        }
        pieces.push(rest.iter().collect());
        pieces
    }

    fn run(stops: &[String], pieces: &[String]) -> (String, bool) {
        let mut matcher = StopMatcher::new(stops.to_vec(), false);
        let mut text = String::new();
        for piece in pieces {
            match matcher.push(piece) {
                Stopped::No(more) => text.push_str(&more),
                Stopped::Yes(last) => return (text + &last, true),
            }
        }
        (text + &matcher.finish(), false)
    }

    fn strings(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|&text| text.to_owned()).collect()
    }

    #[test]
    fn nothing_of_a_stop_text_leaks() {
        let mut matcher = StopMatcher::new(strings(&["END"]), false);
        assert_eq!(matcher.push("aE"), Stopped::No("a".to_owned()));
        assert_eq!(matcher.push("N"), Stopped::No(String::new()));
        assert_eq!(matcher.push("?E"), Stopped::No("EN?".to_owned()));
        assert_eq!(matcher.push("NDx"), Stopped::Yes(String::new()));
    }

    #[test]
    fn a_stop_text_may_stay() {
        let mut matcher = StopMatcher::new(strings(&["END"]), true);
        assert_eq!(matcher.push("aEN"), Stopped::No("a".to_owned()));
        assert_eq!(matcher.push("Dx"), Stopped::Yes("END".to_owned()));
    }

    #[test]
    fn the_first_complete_stop_wins() {
        assert_eq!(run(&strings(&["abcd", "bc", "c"]), &strings(&["xabcd"])), ("xa".to_owned(), true));
        assert_eq!(run(&strings(&["ab"]), &strings(&["xa"])), ("xa".to_owned(), false));
        assert_eq!(run(&[], &strings(&["xa", "b"])), ("xab".to_owned(), false));
    }

    proptest! {
        #[test]
        fn any_split_gives_the_same(
            text in "[abé☃]{0,24}",
            stops in prop::collection::vec("[abé☃]{0,4}", 0..4),
            cuts in prop::collection::vec(1usize..4, 0..24),
        ) {
            let pieces = pieces(&text, &cuts);
            let single: Vec<String> = text.chars().map(String::from).collect();
            let whole = run(&stops, std::slice::from_ref(&text));
            prop_assert_eq!(&run(&stops, &pieces), &whole);
            prop_assert_eq!(&run(&stops, &single), &whole);
            prop_assert!(text.starts_with(&whole.0));
            for stop in stops.iter().filter(|stop| !stop.is_empty()) {
                prop_assert!(!whole.0.contains(stop.as_str()), "{stop:?} leaked into {:?}", whole.0);
            }
        }
    }
}
