//! The sampling defaults of a model, from `generation_config.json`.

use serde_json::Value;

/// Sampling settings that a model's author recommends; `None` if the file does not set them. Settings of a request take
/// precedence.
///
/// Only the settings that this server supports are read, those of `transformers`' `GenerationConfig` that affect the
/// distribution of the next token. Beam search, lengths and n-gram penalties are not suitable defaults of a chat
/// server.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GenerationDefaults {
    /// Divides the logits, 0 to 2. An explicit `do_sample: false` means 0: greedy decoding, as in `transformers`.
    pub temperature: Option<f32>,
    /// Keeps the most likely tokens whose probabilities sum to at least this, 0 to 1.
    pub top_p: Option<f32>,
    /// Keeps this many of the most likely tokens; 0 keeps all.
    pub top_k: Option<usize>,
    /// Keeps tokens at least this likely relative to the most likely one, 0 to 1.
    pub min_p: Option<f32>,
    /// Divides positive and multiplies negative logits of tokens seen before, 0.01 to 10.
    pub repetition_penalty: Option<f32>,
}

impl GenerationDefaults {
    /// Reads `generation_config.json`. Null is the same as absent.
    ///
    /// # Errors
    /// Returns the name of an invalid field and the values that it accepts.
    pub(super) fn read(config: &Value) -> Result<Self, (&'static str, String)> {
        let field = |name: &'static str| Field { name, value: config.get(name).filter(|value| !value.is_null()) };
        let samples = field("do_sample");
        let greedy = match samples.value {
            None => false,
            Some(Value::Bool(samples)) => !samples,
            Some(value) => return Err((samples.name, format!("{value}: it must be true or false"))),
        };
        let sampled = Self {
            temperature: field("temperature").number(0.0, 2.0)?,
            top_p: field("top_p").number(0.0, 1.0)?,
            top_k: field("top_k").count()?,
            min_p: field("min_p").number(0.0, 1.0)?,
            repetition_penalty: field("repetition_penalty").number(0.01, 10.0)?,
        };
        Ok(if greedy {
            // Filters have no effect on greedy decoding. Penalties can change the most likely token, so they are kept.
            Self { temperature: Some(0.0), repetition_penalty: sampled.repetition_penalty, ..Self::default() }
        } else {
            sampled
        })
    }
}

/// A field of the file; null is the same as absent.
struct Field<'a> {
    name: &'static str,
    value: Option<&'a Value>,
}

impl Field<'_> {
    fn number(self, least: f64, most: f64) -> Result<Option<f32>, (&'static str, String)> {
        let Some(value) = self.value else { return Ok(None) };
        let number = value.as_f64().filter(|number| (least..=most).contains(number));
        let reason = || (self.name, format!("{value}: it must be a number from {least} to {most}"));
        number.map(|number| Some(number as f32)).ok_or_else(reason)
    }

    /// Parses `top_k`: 0 and -1 both mean "all".
    fn count(self) -> Result<Option<usize>, (&'static str, String)> {
        let Some(value) = self.value else { return Ok(None) };
        if value.as_i64() == Some(-1) {
            return Ok(Some(0));
        }
        let count = value.as_u64().and_then(|count| u32::try_from(count).ok());
        let reason = || (self.name, format!("{value}: it must be a count of tokens, or 0 for all"));
        count.map(|count| Some(count as usize)).ok_or_else(reason)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn reads_what_known_models_say() {
        // Qwen3, Llama 3.2, Qwen2.5 (whose penalty differs), and a file that contains only token ids.
        let qwen3 = json!({"do_sample": true, "eos_token_id": [1, 2], "temperature": 0.6, "top_k": 20, "top_p": 0.95});
        let expected = GenerationDefaults {
            temperature: Some(0.6),
            top_p: Some(0.95),
            top_k: Some(20),
            min_p: None,
            repetition_penalty: None,
        };
        assert_eq!(GenerationDefaults::read(&qwen3), Ok(expected));
        let qwen2 = json!({"temperature": 0.7, "repetition_penalty": 1.05, "top_p": null, "top_k": -1, "min_p": 0});
        let expected = GenerationDefaults {
            temperature: Some(0.7),
            top_p: None,
            top_k: Some(0),
            min_p: Some(0.0),
            repetition_penalty: Some(1.05),
        };
        assert_eq!(GenerationDefaults::read(&qwen2), Ok(expected));
        let silent = json!({"bos_token_id": 1, "eos_token_id": 2, "max_length": 4096});
        assert_eq!(GenerationDefaults::read(&silent), Ok(GenerationDefaults::default()));
    }

    #[test]
    fn a_model_that_does_not_sample_is_greedy() {
        let config = json!({"do_sample": false, "temperature": 0.7, "top_p": 0.9, "repetition_penalty": 1.1});
        let expected = GenerationDefaults {
            temperature: Some(0.0),
            repetition_penalty: Some(1.1),
            ..GenerationDefaults::default()
        };
        assert_eq!(GenerationDefaults::read(&config), Ok(expected));
    }

    #[test]
    fn faults_name_the_field() {
        for (field, value) in [
            ("temperature", json!(-0.1)),
            ("temperature", json!(2.5)),
            ("temperature", json!("0.7")),
            ("top_p", json!(-0.5)),
            ("top_p", json!(1.1)),
            ("top_k", json!(-2)),
            ("top_k", json!(1.5)),
            ("min_p", json!(2)),
            ("repetition_penalty", json!(0)),
            ("do_sample", json!("yes")),
        ] {
            let mut config = json!({});
            config[field] = value.clone();
            let (named, reason) = GenerationDefaults::read(&config).unwrap_err();
            assert_eq!(named, field);
            assert!(reason.starts_with(&value.to_string()), "{reason}");
        }
    }
}
