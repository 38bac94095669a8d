//! Keys of requests that have no effect: a slip is refused by name, any other is named in the answer.

use axum::http::{HeaderName, HeaderValue};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value};

use crate::{
    http::{Failure, add_to_answer, decode::UNKNOWN_PARAMETER},
    json,
};

/// The header that names what had no effect.
const HEADER: HeaderName = HeaderName::from_static("x-trainyard-warnings");
/// How many keys it names.
const NAMED: usize = 16;
/// How much of a name it has, bytes.
const NAME_LENGTH: usize = 64;
/// What stays as it is in the header.
const LITERAL: AsciiSet = NON_ALPHANUMERIC.remove(b'_').remove(b'-').remove(b'.');

/// The names that an open object of the document has a meaning for.
pub(super) struct Names {
    /// Of its properties.
    pub properties: &'static [&'static str],
    /// Of keys that others read.
    pub read_elsewhere: Vec<&'static str>,
    /// Of keys that are documented to have no effect.
    pub without_effect: &'static [&'static str],
}

/// The keys of a request that have no effect.
#[derive(Debug, Default)]
pub(super) struct Ignored(Vec<String>);

impl Ignored {
    /// Adds the keys of an object, behind the place of the object (empty, or with a dot at its end), that ask for
    /// something and have no effect.
    ///
    /// # Errors
    /// 422 for a key that is none of `names`, but looks like one.
    pub fn add(&mut self, extra: &Map<String, Value>, at: &str, names: &Names) -> Result<(), Failure> {
        let Names { properties, read_elsewhere, without_effect } = names;
        for (key, value) in extra {
            if value.is_null() || read_elsewhere.contains(&key.as_str()) {
                continue;
            }
            if without_effect.contains(&key.as_str()) {
                self.add_if(*value != Value::Bool(false), &format!("{at}{key}"));
                continue;
            }
            let all = properties.iter().chain(read_elsewhere).chain(*without_effect).copied();
            if let Some(meant) = json::nearest(key, all) {
                let key = json::shown(key);
                let failure =
                    Failure::invalid(format!("{at}{key}"), format!("unknown field `{key}`; did you mean `{meant}`?"));
                return Err(failure.with_code(UNKNOWN_PARAMETER));
            }
            self.0.push(format!("{at}{key}"));
        }
        Ok(())
    }

    /// Adds a key that has no effect, if it asks for something.
    pub fn add_if(&mut self, asks: bool, key: &str) {
        if asks {
            self.0.push(key.to_owned());
        }
    }

    /// Names them in the answer.
    pub fn tell(self) {
        // Percent-encoded, so it is a header.
        if let Some(value) = self.header().and_then(|text| HeaderValue::try_from(text).ok()) {
            add_to_answer(HEADER, value);
        }
    }

    fn header(&self) -> Option<String> {
        let mut names: Vec<String> = self.0.iter().take(NAMED).map(|name| encoded(name)).collect();
        if self.0.len() > NAMED {
            names.push(format!("and {} more", self.0.len() - NAMED));
        }
        (!names.is_empty()).then(|| format!("ignored: {}", names.join(", ")))
    }
}

fn encoded(name: &str) -> String {
    let mut text = String::new();
    for part in utf8_percent_encode(name, &LITERAL) {
        // A part is an escape or a run of other characters: an escape is never cut.
        let room = NAME_LENGTH.saturating_sub(text.len());
        match part.starts_with('%') {
            true if part.len() > room => break,
            _ => text.push_str(&part[..part.len().min(room)]),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn names() -> Names {
        Names { properties: &["stop", "temperature"], read_elsewhere: vec!["audio"], without_effect: &["user"] }
    }

    fn header(extra: Value) -> Option<String> {
        let mut ignored = Ignored::default();
        ignored.add(extra.as_object().unwrap(), "", &names()).unwrap();
        ignored.header()
    }

    #[test]
    fn what_asks_for_something_is_named() {
        let named = header(json!({"audio": 1, "future": 1, "nothing": null, "user": "x"}));
        assert_eq!(named.as_deref(), Some("ignored: future, user"));
        assert_eq!(header(json!({"audio": 1, "future": null, "temprature": null, "user": false})), None);
    }

    #[test]
    fn a_slip_is_refused_with_its_place() {
        let slip = json!({"temprature": 1});
        let failure = Ignored::default().add(slip.as_object().unwrap(), "options.", &names()).unwrap_err();
        assert_eq!((failure.status().code().as_u16(), failure.param()), (422, Some("options.temprature")));
        assert_eq!(failure.code(), Some("unknown_parameter"));
        assert!(failure.message().contains("did you mean `temperature`?"), "{failure}");
    }

    #[test]
    fn the_header_is_ascii_and_bounded() {
        let hostile: Map<String, Value> =
            (0..1000).map(|index| (format!("{index}\r\n☃{}", "é".repeat(1000)), json!(1))).collect();
        let text = header(hostile.into()).unwrap();
        assert!(text.len() < 2048 && text.bytes().all(|byte| (b' '..=b'~').contains(&byte)), "{text}");
        assert!(text.ends_with("and 984 more"), "{text}");
        assert!(encoded("abc☃").ends_with("%E2%98%83") && encoded(&"☃".repeat(50)).ends_with("%83"));
        assert_eq!(encoded(&"x".repeat(100)).len(), 64);
    }
}
