//! Incremental UTF-8 decoding for streams.
//! A token may end in the middle of a character, so bytes are buffered until the character is complete. Invalid bytes
//! become U+FFFD exactly as with [`String::from_utf8_lossy`], so the pieces of a stream always concatenate to the text
//! of decoding everything at once.

/// Handling of spaces at the start of a text, which encoding may have inserted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Leading {
    /// Spaces are kept.
    #[default]
    Keep,
    /// This number of spaces is removed.
    Strip(usize),
    /// All spaces of the first token are removed.
    DropInFirstToken,
}

/// Decoder from byte pieces to text pieces; buffers at most three bytes.
#[derive(Debug, Default, Clone)]
pub struct Detokenizer {
    pending: Vec<u8>,
    leading: Leading,
}

impl Detokenizer {
    /// Creates a detokeniser at the start of a text.
    pub fn new(leading: Leading) -> Self {
        Self { pending: Vec::new(), leading }
    }

    /// Adds the bytes of one token; returns the text that is now complete, possibly empty.
    pub fn push(&mut self, bytes: &[u8]) -> String {
        self.begin(bytes);
        let mut text = String::new();
        loop {
            match std::str::from_utf8(&self.pending) {
                Ok(valid) => {
                    text.push_str(valid);
                    self.pending.clear();
                    return text;
                }
                Err(error) => {
                    let valid = error.valid_up_to();
                    text.push_str(&String::from_utf8_lossy(&self.pending[..valid]));
                    match error.error_len() {
                        Some(length) => {
                            text.push(char::REPLACEMENT_CHARACTER);
                            self.pending.drain(..valid + length);
                        }
                        None => {
                            self.pending.drain(..valid);
                            return text;
                        }
                    }
                }
            }
        }
    }

    /// Buffers the bytes, without leading spaces that encoding inserted.
    fn begin(&mut self, mut bytes: &[u8]) {
        match &mut self.leading {
            _ if bytes.is_empty() => {}
            Leading::Keep => {}
            Leading::Strip(left) => {
                while let [b' ', rest @ ..] = bytes
                    && *left > 0
                {
                    bytes = rest;
                    *left -= 1;
                }
                if !bytes.is_empty() || *left == 0 {
                    self.leading = Leading::Keep;
                }
            }
            Leading::DropInFirstToken => {
                self.leading = Leading::Keep;
                self.pending.extend(bytes.iter().filter(|byte| **byte != b' '));
                return;
            }
        }
        self.pending.extend_from_slice(bytes);
    }

    /// Ends the text: an incomplete character becomes U+FFFD.
    pub fn finish(&mut self) -> String {
        let text = String::from_utf8_lossy(&self.pending).into_owned();
        self.pending.clear();
        text
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn decode(pieces: &[Vec<u8>]) -> String {
        let mut detokenizer = Detokenizer::default();
        let mut text: String = pieces.iter().map(|piece| detokenizer.push(piece)).collect();
        text.push_str(&detokenizer.finish());
        text
    }

    #[test]
    fn a_split_character_appears_whole() {
        let mut detokenizer = Detokenizer::default();
        assert_eq!(detokenizer.push(&[0xe2, 0x98]), "");
        assert_eq!(detokenizer.push(&[0x83, b'!']), "☃!");
        assert_eq!(detokenizer.finish(), "");
    }

    #[test]
    fn a_dangling_half_becomes_one_replacement_character() {
        let mut detokenizer = Detokenizer::default();
        assert_eq!(detokenizer.push(&[b'a', 0xf0, 0x9f, 0x98]), "a");
        assert_eq!(detokenizer.finish(), "\u{fffd}");
    }

    proptest! {
        #[test]
        fn any_split_gives_the_lossy_text(pieces in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..6), 0..20)) {
            let whole: Vec<u8> = pieces.concat();
            prop_assert_eq!(decode(&pieces), String::from_utf8_lossy(&whole).into_owned());
        }

        #[test]
        fn any_split_of_valid_text_gives_it_back(text in "\\PC{0,40}", cuts in prop::collection::vec(1usize..5, 0..40)) {
            let mut rest = text.as_bytes();
            let mut pieces = Vec::new();
            for cut in cuts {
                let (piece, tail) = rest.split_at(cut.min(rest.len()));
                pieces.push(piece.to_vec());
                rest = tail;
            }
            pieces.push(rest.to_vec());
            prop_assert_eq!(decode(&pieces), text);
        }
    }
}
