//! One-time codes that sign in to the dashboard, so that nobody has to copy a key.

use std::time::{Duration, Instant};

use parking_lot::Mutex;
use subtle::ConstantTimeEq;

use super::{ApiKey, KeyError};

/// Validity period of a code.
const LIFE: Duration = Duration::from_secs(600);
/// Maximum number of valid codes; the oldest one is dropped.
const CAPACITY: usize = 16;

/// Codes of this process. Each has 128 random bits, is valid once, and for ten minutes.
#[derive(Default)]
pub(crate) struct SignInCodes(Mutex<Vec<Code>>);

struct Code {
    text: String,
    key_sha256: [u8; 32],
    created_at: Instant,
}

impl SignInCodes {
    /// Creates a code that represents `key`.
    ///
    /// # Errors
    /// Returns an error if the operating system returns no random bytes.
    pub(crate) fn create(&self, key: &ApiKey) -> Result<String, KeyError> {
        let mut random = [0; 16];
        getrandom::fill(&mut random).map_err(KeyError::Random)?;
        let text = hex::encode(random);
        let mut codes = self.0.lock();
        if codes.len() >= CAPACITY {
            codes.remove(0);
        }
        codes.push(Code { text: text.clone(), key_sha256: key.sha256(), created_at: Instant::now() });
        Ok(text)
    }

    /// Takes a code and returns the hash of its key; `None` if the code is unknown, used or expired.
    pub(crate) fn take(&self, text: &str) -> Option<[u8; 32]> {
        self.take_at(text, Instant::now())
    }

    fn take_at(&self, text: &str, now: Instant) -> Option<[u8; 32]> {
        let mut codes = self.0.lock();
        codes.retain(|code| now.saturating_duration_since(code.created_at) < LIFE);
        let found = codes.iter().position(|code| bool::from(code.text.as_bytes().ct_eq(text.as_bytes())))?;
        Some(codes.remove(found).key_sha256)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_signs_in_once_and_for_ten_minutes() {
        let (codes, key) = (SignInCodes::default(), ApiKey::generate().expect("random bytes"));
        let code = codes.create(&key).expect("random bytes");
        assert_eq!(code.len(), 32);
        assert_eq!(codes.take(""), None);
        assert_eq!(codes.take(&code[..31]), None);
        assert_eq!(codes.take(&code), Some(key.sha256()));
        assert_eq!(codes.take(&code), None, "it was used");
        let late = codes.create(&key).expect("random bytes");
        assert_eq!(codes.take_at(&late, Instant::now() + LIFE), None, "it has expired");
    }

    #[test]
    fn their_number_is_bounded() {
        let (codes, key) = (SignInCodes::default(), ApiKey::generate().expect("random bytes"));
        let first = codes.create(&key).expect("random bytes");
        for _ in 0..CAPACITY {
            codes.create(&key).expect("random bytes");
        }
        assert_eq!(codes.0.lock().len(), CAPACITY);
        assert_eq!(codes.take(&first), None);
    }
}
