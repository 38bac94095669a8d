//! The text format of an API key: `ty_`, 43 random characters, 6 checksum characters.
//!
//! All of these characters are letters and digits: 43 of 62 characters are 256.03 random bits. The key contains no `-`,
//! because tools that store keys expect 40 characters after the last `-`. With the checksum, a mistyped or truncated
//! key is rejected without a database query, and secret scanners can distinguish keys from random text.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};

const PREFIX: &str = "ty_";
const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_LENGTH: usize = 43;
/// 62^6 > 2^32.
const CHECKSUM_LENGTH: usize = 6;
const LENGTH: usize = PREFIX.len() + RANDOM_LENGTH + CHECKSUM_LENGTH;
const SUFFIX_LENGTH: usize = 4;

/// An API key. Only [`ApiKey::reveal`] returns its text.
#[derive(Clone)]
pub struct ApiKey(String);

/// The text is not an API key: its prefix, length, characters or checksum are wrong. The error deliberately gives no
/// details.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is not an API key of this service; was it copied whole?")]
pub struct InvalidApiKey;

impl ApiKey {
    /// Generates a key from the operating system's random numbers.
    pub fn generate() -> Result<Self, getrandom::Error> {
        // The largest multiple of 62 in a byte. Greater values would make some characters more likely.
        const FAIR: u8 = 248;
        let mut text = String::with_capacity(LENGTH);
        text.push_str(PREFIX);
        let mut random = [0; 64];
        while text.len() < PREFIX.len() + RANDOM_LENGTH {
            getrandom::fill(&mut random)?;
            let missing = PREFIX.len() + RANDOM_LENGTH - text.len();
            let fair = random.iter().filter(|&&byte| byte < FAIR).take(missing);
            text.extend(fair.map(|byte| char::from(ALPHABET[usize::from(byte % 62)])));
        }
        let checksum = checksum(&text);
        text.push_str(&checksum);
        Ok(Self(text))
    }

    /// Returns the text of the key, to show it to its owner once or to send it to a server.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Returns the last characters, with which an owner can distinguish keys.
    pub fn suffix(&self) -> &str {
        &self.0[LENGTH - SUFFIX_LENGTH..]
    }

    /// Returns the hash of the key, which is stored instead of the key. A fast hash is sufficient, because a random key
    /// cannot be found by search.
    pub fn sha256(&self) -> [u8; 32] {
        Sha256::digest(self.0.as_bytes()).into()
    }
}

impl FromStr for ApiKey {
    type Err = InvalidApiKey;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.len() != LENGTH || !text.starts_with(PREFIX) {
            return Err(InvalidApiKey);
        }
        if !text.as_bytes()[PREFIX.len()..].iter().all(u8::is_ascii_alphanumeric) {
            return Err(InvalidApiKey);
        }
        let (unchecked, found) = text.split_at(LENGTH - CHECKSUM_LENGTH);
        if checksum(unchecked) == found { Ok(Self(text.to_owned())) } else { Err(InvalidApiKey) }
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ApiKey(redacted)")
    }
}

/// Returns the CRC-32 in base 62, most significant digit first.
fn checksum(text: &str) -> String {
    let mut rest = crc32fast::hash(text.as_bytes());
    let mut digits = [b'0'; CHECKSUM_LENGTH];
    for digit in digits.iter_mut().rev() {
        *digit = ALPHABET[(rest % 62) as usize];
        rest /= 62;
    }
    digits.into_iter().map(char::from).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_key_reads_back_and_has_the_documented_form() {
        let mut seen = HashSet::new();
        for _ in 0..200 {
            let key = ApiKey::generate().unwrap();
            let text = key.reveal();
            assert!(text.starts_with("ty_"));
            assert!(text.rsplit('-').next().unwrap().len() >= 40);
            assert_eq!(text.len(), LENGTH);
            assert!(text.ends_with(key.suffix()));
            assert_eq!(key.suffix().len(), 4);
            assert_eq!(text.parse::<ApiKey>().unwrap().sha256(), key.sha256());
            assert!(seen.insert(text.to_owned()));
        }
    }

    #[test]
    fn every_character_is_about_equally_likely() {
        let mut counts = [0_u32; 62];
        for _ in 0..1000 {
            for byte in ApiKey::generate().unwrap().reveal()[PREFIX.len()..][..RANDOM_LENGTH].bytes() {
                counts[ALPHABET.iter().position(|&other| other == byte).unwrap()] += 1;
            }
        }
        // 43 000 characters: each is expected 694 times, with a standard deviation of 26.
        assert!(counts.iter().all(|count| (500..900).contains(count)), "{counts:?}");
    }

    #[test]
    fn the_checksum_is_that_of_the_documented_algorithm() {
        // CRC-32 of "123456789" is 0xCBF43926, the check value of the algorithm; in base 62 it is 3jwHPC.
        let mut value = 0xCBF4_3926_u64;
        let mut expected = Vec::new();
        while value > 0 {
            expected.insert(0, ALPHABET[(value % 62) as usize]);
            value /= 62;
        }
        assert_eq!(checksum("123456789").as_bytes(), expected);
        assert_eq!(checksum("").as_bytes(), b"000000");
    }

    #[test]
    fn one_changed_character_is_rejected() {
        let key = ApiKey::generate().unwrap();
        for index in 0..LENGTH {
            for replacement in *b"0Zz-_ \n" {
                let mut changed = key.reveal().as_bytes().to_vec();
                if changed[index] != replacement {
                    changed[index] = replacement;
                    let changed = String::from_utf8(changed).unwrap();
                    assert_eq!(changed.parse::<ApiKey>().unwrap_err(), InvalidApiKey, "at {index}");
                }
            }
        }
    }

    #[test]
    fn debug_output_does_not_hold_the_key() {
        let key = ApiKey::generate().unwrap();
        let shown = format!("{key:?} {:#?}", Some(&key));
        assert!(!shown.contains(&key.reveal()[3..7]));
        assert!(!shown.contains(key.suffix()));
    }

    proptest! {
        #[test]
        fn reading_any_text_never_panics(text in any::<String>()) {
            prop_assert!(text.parse::<ApiKey>().is_err());
        }

        #[test]
        fn a_text_of_the_right_form_is_a_key_just_when_its_checksum_fits(
            random in "[0-9A-Za-z]{43}", tail in "[0-9A-Za-z]{6}"
        ) {
            let unchecked = format!("{PREFIX}{random}");
            let fitting = checksum(&unchecked);
            let whole = format!("{unchecked}{fitting}");
            let parsed = whole.parse::<ApiKey>().unwrap();
            prop_assert_eq!(parsed.reveal(), whole);
            prop_assert_eq!(format!("{unchecked}{tail}").parse::<ApiKey>().is_ok(), tail == fitting);
        }

        #[test]
        fn a_text_of_the_right_length_in_many_bytes_never_panics(text in "\\PC{13,52}") {
            let parsed = format!("{PREFIX}{text}").parse::<ApiKey>();
            prop_assert!(parsed.is_err());
        }
    }
}
