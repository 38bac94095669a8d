//! Reads the token data of a sampled choice.

use serde_json::{Map, Value};

use super::{ChoicePath, TextModel, TokenizeError};
use crate::trajectory::Item;

/// Prefix of a token that is written as its id.
const TOKEN_ID_PREFIX: &str = "token_id:";

/// Token data of a choice.
#[derive(Debug, PartialEq)]
pub(super) struct SampledTokens {
    /// Token ids; `None` if the choice has none.
    pub ids: Option<Vec<u32>>,
    /// Logprob of each of `ids`; NaN where there is none.
    pub logprobs: Vec<f32>,
    /// Whether the ids were looked up in the vocabulary by the spelling of each token.
    pub looked_up: bool,
    /// Token ids of the prompt.
    pub prompt: Option<Vec<u32>>,
}

/// One entry of `logprobs`.
pub(super) struct Entry<'a> {
    fields: &'a Map<String, Value>,
    token: &'a str,
    pub logprob: f32,
}

/// Reads the choice at `path`; `None` if it has no logprobs and these are required.
///
/// # Errors
/// The choice is malformed, tokens are outside the vocabulary, ids contradict each other, or logprobs are not finite.
pub(super) fn read(
    path: ChoicePath,
    choice: &Item,
    model: &TextModel<'_>,
    without_logprobs: bool,
) -> Result<Option<SampledTokens>, TokenizeError> {
    let reader = Reader { path, choice, model };
    let (key, entries) = match reader.entries("content")? {
        entries if entries.is_empty() => ("refusal", reader.entries("refusal")?),
        entries => ("content", entries),
    };
    if entries.is_empty() && !without_logprobs {
        return Ok(None);
    }
    let listed = reader.id_list(choice.get("token_ids"), "token_ids")?.filter(|ids| !ids.is_empty());
    let prompt = match reader.id_list(choice.get("prompt_token_ids"), "prompt_token_ids")? {
        Some(prompt) => Some(prompt),
        // Clients that assemble a streamed choice keep only its text and these entries.
        None => match entries.first() {
            None => None,
            Some(entry) => {
                let path = format!("logprobs.{key}[0].prompt_token_ids");
                reader.id_list(entry.fields.get("prompt_token_ids"), &path)?
            }
        },
    };
    if entries.is_empty() {
        let logprobs = vec![f32::NAN; listed.as_ref().map_or(0, Vec::len)];
        return Ok(Some(SampledTokens { ids: listed, logprobs, looked_up: false, prompt }));
    }
    let numbered = reader.numbered(key, &entries)?;
    let looked_up = listed.is_none() && numbered.is_none();
    let ids = match (listed, numbered) {
        (Some(listed), numbered) => {
            reader.check_equal(&listed, numbered.as_deref(), entries.len())?;
            listed
        }
        (None, Some(numbered)) => numbered,
        (None, None) => {
            let known = |entry: &Entry<'_>| model.tokenizer.token_to_id(entry.token).unwrap_or(model.end_of_turn);
            entries.iter().map(known).collect()
        }
    };
    let logprobs = entries.iter().map(|entry| entry.logprob).collect();
    Ok(Some(SampledTokens { ids: Some(ids), logprobs, looked_up, prompt }))
}

/// Typed access to the fields of a choice.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a> {
    pub path: ChoicePath,
    pub choice: &'a Item,
    pub model: &'a TextModel<'a>,
}

impl<'a> Reader<'a> {
    pub(super) fn malformed(self, field: &str, problem: &'static str) -> TokenizeError {
        TokenizeError::Choice { path: self.path, field: field.to_owned(), problem }
    }

    /// Checks that the two sources of ids agree.
    pub(super) fn check_equal(
        self,
        listed: &[u32],
        numbered: Option<&[u32]>,
        entries: usize,
    ) -> Result<(), TokenizeError> {
        if numbered.is_some_and(|numbered| numbered != listed) || listed.len() != entries {
            let problem = "lists other tokens than logprobs does; send both as they were answered";
            return Err(self.malformed("token_ids", problem));
        }
        Ok(())
    }

    /// Returns the entries of one list of `logprobs`; empty if it is absent.
    pub(super) fn entries(self, key: &str) -> Result<Vec<Entry<'a>>, TokenizeError> {
        let logprobs = match self.choice.get("logprobs") {
            None | Some(Value::Null) => return Ok(Vec::new()),
            Some(Value::Object(logprobs)) => logprobs,
            Some(_) => return Err(self.malformed("logprobs", "expected an object or null")),
        };
        let entries = match logprobs.get(key) {
            None | Some(Value::Null) => return Ok(Vec::new()),
            Some(Value::Array(entries)) => entries,
            Some(_) => return Err(self.malformed(&format!("logprobs.{key}"), "expected a list or null")),
        };
        let entries = entries.iter().enumerate().map(|(index, entry)| {
            let path = |field: &str| format!("logprobs.{key}[{index}].{field}");
            let fields = entry.as_object();
            let Some((fields, token)) = fields.and_then(|fields| Some((fields, fields.get("token")?.as_str()?))) else {
                return Err(self.malformed(&path("token"), "expected text"));
            };
            let logprob = match fields.get("logprob") {
                None | Some(Value::Null) => f32::NAN,
                Some(value) => self.logprob(value, || path("logprob"))?,
            };
            Ok(Entry { fields, token, logprob })
        });
        entries.collect()
    }

    /// Reads a logprob. Rounding to f32 restores exactly the value that was printed from an f32.
    pub(super) fn logprob(self, value: &Value, field: impl FnOnce() -> String) -> Result<f32, TokenizeError> {
        let number = match value {
            Value::Number(number) => number.as_f64().map_or(f32::NAN, |number| number as f32),
            _ => return Err(self.malformed(&field(), "expected a number or null")),
        };
        if number.is_infinite() {
            return Err(TokenizeError::InfiniteLogprob { path: self.path, field: field() });
        }
        Ok(number)
    }

    /// Returns the ids of entries that all have a `token_id` or the form `token_id:N`; `None` if any has neither.
    pub(super) fn numbered(self, key: &str, entries: &[Entry<'_>]) -> Result<Option<Vec<u32>>, TokenizeError> {
        let number = |entry: &Entry<'_>| match entry.fields.get("token_id") {
            Some(id) => token_number(id),
            None => spelled_number(entry.token),
        };
        let Some(ids) = entries.iter().map(number).collect::<Option<Vec<u64>>>() else { return Ok(None) };
        let ids = ids.into_iter().enumerate();
        ids.map(|(index, id)| self.in_vocabulary(id, || format!("logprobs.{key}[{index}].token")))
            .collect::<Result<_, _>>()
            .map(Some)
    }

    /// Reads a list of ids; any other value counts as absent.
    pub(super) fn id_list(self, value: Option<&Value>, path: &str) -> Result<Option<Vec<u32>>, TokenizeError> {
        let Some(Value::Array(values)) = value else { return Ok(None) };
        let Some(ids) = values.iter().map(token_number).collect::<Option<Vec<u64>>>() else { return Ok(None) };
        let ids = ids.into_iter().enumerate();
        ids.map(|(index, id)| self.in_vocabulary(id, || format!("{path}[{index}]"))).collect::<Result<_, _>>().map(Some)
    }

    fn in_vocabulary(self, id: u64, field: impl FnOnce() -> String) -> Result<u32, TokenizeError> {
        let size = self.model.vocabulary_size;
        let known = u32::try_from(id).ok().filter(|id| usize::try_from(*id).is_ok_and(|id| id < size));
        known.ok_or_else(|| TokenizeError::OutsideVocabulary { path: self.path, field: field(), id, size })
    }
}

/// Reads an id, written as a number or as `token_id:N`.
fn token_number(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| spelled_number(value.as_str()?))
}

fn spelled_number(token: &str) -> Option<u64> {
    token.strip_prefix(TOKEN_ID_PREFIX)?.trim().parse().ok()
}
