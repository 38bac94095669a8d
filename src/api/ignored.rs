//! Fields of a request that have no effect: a probable misspelling is an error, any other is named in a warning header. The header
//! also names the parts of a conversation that have another place than the chat template's.

use std::borrow::Cow;

use axum::http::{HeaderName, HeaderValue};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value};

use crate::http::decode::UNKNOWN_PARAMETER;
use crate::http::{ApiError, add_response_header};
use crate::json;
use crate::text::Adaptation;

/// Response header of the warnings.
const HEADER: HeaderName = HeaderName::from_static("x-trainyard-warnings");
/// Maximum number of fields in the header.
const NAMED: usize = 16;
/// Maximum length of a name in the header, bytes.
const NAME_LENGTH: usize = 64;
/// Characters that are not percent-encoded in the header.
const LITERAL: AsciiSet = NON_ALPHANUMERIC.remove(b'_').remove(b'-').remove(b'.');

/// Options that other dialects name otherwise, each with its names here: the first one that an object has is meant.
const SYNONYMS: [(&str, &[&str]); 8] = [
    ("max_completion_tokens", &["max_tokens", "max_output_tokens"]),
    ("max_new_tokens", &["max_tokens", "max_output_tokens", "max_completion_tokens"]),
    ("max_output_tokens", &["max_completion_tokens", "max_tokens"]),
    ("num_predict", &["max_completion_tokens", "max_output_tokens", "max_tokens"]),
    ("random_seed", &["seed"]),
    ("repeat_penalty", &["repetition_penalty"]),
    ("stop", &["stop_sequences"]),
    ("stop_sequences", &["stop"]),
];

/// The field names of an open object that have a meaning.
pub(super) struct Names {
    /// Names of the properties of its type.
    pub properties: &'static [&'static str],
    /// Names that other code reads.
    pub read_elsewhere: Vec<&'static str>,
    /// Names that are documented to have no effect.
    pub without_effect: Cow<'static, [&'static str]>,
}

/// The fields of a request that have no effect.
#[derive(Debug, Default)]
pub(super) struct Ignored {
    names: Vec<String>,
    adaptations: Vec<Adaptation>,
}

impl Ignored {
    /// Adds the fields of an object that request something and have no effect. `at` is the path of the object: empty or
    /// ending in a dot.
    ///
    /// # Errors
    /// Returns 422 for an unknown field whose name is similar to one of `names`.
    pub(super) fn add(&mut self, extra: &Map<String, Value>, at: &str, names: &Names) -> Result<(), ApiError> {
        let Names { properties, read_elsewhere, without_effect } = names;
        for (key, value) in extra {
            if value.is_null() || read_elsewhere.contains(&key.as_str()) {
                continue;
            }
            if without_effect.contains(&key.as_str()) {
                self.add_if(*value != Value::Bool(false), &format!("{at}{key}"));
                continue;
            }
            let all = properties.iter().chain(read_elsewhere).chain(without_effect.iter()).copied();
            let synonyms = SYNONYMS.iter().find(|(name, _)| name == key).map_or(&[][..], |(_, names)| *names);
            let synonym = synonyms.iter().copied().find(|name| properties.contains(name));
            if let Some(meant) = synonym.or_else(|| json::nearest(key, all)) {
                let key = json::shown(key);
                let failure =
                    ApiError::invalid(format!("{at}{key}"), format!("unknown field `{key}`; did you mean `{meant}`?"));
                return Err(failure.with_code(UNKNOWN_PARAMETER));
            }
            self.names.push(format!("{at}{key}"));
        }
        Ok(())
    }

    /// Adds a field that has no effect, if it requests something.
    pub(super) fn add_if(&mut self, asks: bool, key: &str) {
        if asks {
            self.names.push(key.to_owned());
        }
    }

    /// Adds the parts of a conversation that have another place than the chat template's.
    pub(super) fn with_adaptations(self, adaptations: &[Adaptation]) -> Self {
        Self { adaptations: adaptations.to_vec(), ..self }
    }

    /// Adds fields by their paths.
    pub(super) fn with_names(mut self, names: Vec<String>) -> Self {
        self.names.extend(names);
        self
    }

    /// Adds the warning header to the response.
    pub(super) fn tell(self) {
        // Percent-encoded, so it is a valid header value.
        if let Some(value) = self.header().and_then(|text| HeaderValue::try_from(text).ok()) {
            add_response_header(HEADER, value);
        }
    }

    fn header(&self) -> Option<String> {
        let mut names: Vec<String> = self.names.iter().take(NAMED).map(|name| encoded(name)).collect();
        if self.names.len() > NAMED {
            names.push(format!("and {} more", self.names.len() - NAMED));
        }
        let places: Vec<&str> = self.adaptations.iter().map(|adaptation| adaptation.description()).collect();
        let ignored = (!names.is_empty()).then(|| format!("ignored: {}", names.join(", ")));
        let adapted = (!places.is_empty()).then(|| format!("adapted: {}", places.join(", ")));
        let all: Vec<String> = ignored.into_iter().chain(adapted).collect();
        (!all.is_empty()).then(|| all.join("; "))
    }
}

fn encoded(name: &str) -> String {
    let mut text = String::new();
    for part in utf8_percent_encode(name, &LITERAL) {
        // Each part is an escape or a run of other characters, so an escape is never split.
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
        Names {
            properties: &["max_tokens", "seed", "stop", "temperature"],
            read_elsewhere: vec!["audio"],
            without_effect: Cow::Borrowed(&["user"]),
        }
    }

    fn header(extra: Value) -> Option<String> {
        let mut ignored = Ignored::default();
        ignored.add(extra.as_object().unwrap(), "", &names()).unwrap();
        ignored.header()
    }

    #[test]
    fn ignored_options_are_named() {
        let named = header(json!({"audio": 1, "future": 1, "nothing": null, "user": "x"}));
        assert_eq!(named.as_deref(), Some("ignored: future, user"));
        assert_eq!(header(json!({"audio": 1, "future": null, "temprature": null, "user": false})), None);
    }

    #[test]
    fn moved_parts_are_named_too() {
        let ignored = Ignored { names: vec!["user".to_owned()], ..Ignored::default() };
        let header = |ignored: Ignored| ignored.with_adaptations(&[Adaptation::Tools, Adaptation::System]).header();
        let moved = "adapted: tools in the system message, system messages in other messages";
        assert_eq!(header(ignored), Some(format!("ignored: user; {moved}")));
        assert_eq!(header(Ignored::default()).as_deref(), Some(moved));
    }

    #[test]
    fn a_slip_is_rejected_with_its_place() {
        let slip = json!({"temprature": 1});
        let failure = Ignored::default().add(slip.as_object().unwrap(), "options.", &names()).unwrap_err();
        assert_eq!((failure.status().code().as_u16(), failure.param()), (422, Some("options.temprature")));
        assert_eq!(failure.code(), Some("unknown_parameter"));
        assert!(failure.message().contains("did you mean `temperature`?"), "{failure}");
    }

    #[test]
    fn the_name_in_another_dialect_is_a_slip_too() {
        for (slip, meant) in [("stop_sequences", "stop"), ("max_output_tokens", "max_tokens"), ("random_seed", "seed")]
        {
            let extra = json!({ slip: 1 });
            let failure = Ignored::default().add(extra.as_object().unwrap(), "", &names()).unwrap_err();
            assert!(failure.message().contains(&format!("did you mean `{meant}`?")), "{failure}");
        }
        assert_eq!(header(json!({"repeat_penalty": 1})).as_deref(), Some("ignored: repeat_penalty"));
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
