//! Check of a replica before it gets requests.
//!
//! vLLM responds with 200 to fields that it does not know, so each property is checked by its effect.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use super::client::{CallError, ReplicaClient};
use super::generator::{Generator, greedy, tokens};
use super::request::{Interface, SamplingParams};
use super::wire::{Model, Models, Version};
use crate::engine::sampling::SamplingParameters;
use crate::text::Tokenizer;

/// Oldest version that can be used: earlier ones may respond to a request with another one's adapter.
const OLDEST: (u64, u64) = (0, 32);
/// Mean difference of log-probabilities above which a replica serves another model, in nats. Rounding to bf16 makes a
/// hundredth.
const MAX_DIFFERENCE: f32 = 0.2;
/// Number of tokens of the known text that are compared.
const COMPARED: usize = 16;
/// Grammar whose separators another backend than guidance ignores.
const GRAMMAR: &str = concat!(
    r#"start: %json {"x-guidance":{"whitespace_flexible":false,"item_separator":", ","key_separator":": "},"#,
    r#""type":"object","properties":{"a":{"type":"integer","minimum":10,"maximum":99},"b":{"type":"boolean"}},"#,
    r#""required":["a","b"],"additionalProperties":false}"#,
    "\n"
);
/// Warning about a server with operations for developers.
pub(crate) const OPEN: &str = "has operations that no key protects, and that anyone who reaches it can stop it with: start it \
                               without VLLM_SERVER_DEV_MODE";
/// Numbers of tokens of the generations.
const GRAMMAR_TOKENS: usize = 40;
const BIASED_TOKENS: usize = 3;

/// Expectation from every replica of one base model.
pub(crate) struct Expected {
    /// Tokenizer of the base model.
    pub(crate) tokenizer: Arc<Tokenizer>,
    /// Number of tokens in the base model's vocabulary.
    pub(crate) vocabulary: usize,
    /// Tokens that end a turn.
    pub(crate) end_of_turn: Vec<u32>,
    /// Tokens of a text whose log-probabilities tell one model from another.
    pub(crate) text: Vec<u32>,
    /// Log-probability of each of its tokens but the first under the base model; `None` if its weights are not here.
    pub(crate) logprobs: Option<Vec<f32>>,
}

impl Expected {
    /// Returns the ids that are in the model's vocabulary and have no token.
    pub(super) fn unused(&self) -> Range<u32> {
        let end = id(self.vocabulary);
        id(self.tokenizer.vocab_size()).min(end)..end
    }

    /// Returns the positions of the text that are compared, evenly spaced.
    fn positions(&self) -> Vec<usize> {
        let last = self.text.len().saturating_sub(1);
        let count = last.min(COMPARED);
        (1..=count).map(|index| index * last / count).collect()
    }
}

fn id(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// A replica that passed its check.
#[derive(Debug)]
pub(super) struct Passed {
    /// Version of vLLM.
    pub version: String,
    /// Operation that generates tokens.
    pub interface: Interface,
    /// Log-probabilities of tokens of the known text, for the comparison with other replicas.
    pub logprobs: Vec<f32>,
    /// Mean difference of these from the embedded engine's, in nats; `None` without its weights.
    pub difference: Option<f32>,
    /// Name of the base model at the replica.
    pub base: String,
    /// Maximum length of prompt and response together, in tokens.
    pub context: usize,
    /// Whether it has operations for developers, which no key protects.
    pub is_open: bool,
}

/// Reason not to use a replica, and the remedy.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub(super) enum Rejection {
    #[error(transparent)]
    Call(#[from] CallError),
    #[error("it refuses the key; write the key of its --api-key into the file of --sampler-key-file")]
    Key,
    #[error("it runs vLLM {version}; version {}.{} is the oldest that can be used", OLDEST.0, OLDEST.1)]
    Version { version: String },
    #[error("it serves {0} base models; start one vLLM for each")]
    Bases(usize),
    #[error("neither of its operations that take token ids is there: {0}")]
    NoInterface(CallError),
    #[error(
        "it serves another model: the log-probabilities of a known text differ by {difference:.3} nats in the mean, and \
         {MAX_DIFFERENCE} is the limit"
    )]
    OtherModel { difference: f32 },
    #[error(
        "it serves another model than the replica {peer}: the log-probabilities of a known text differ by \
         {difference:.3} nats in the mean, and {MAX_DIFFERENCE} is the limit; this server has no weights to tell which \
         of them is right"
    )]
    OtherThanPeer { peer: String, difference: f32 },
    #[error("it serves another model: {0}")]
    OtherVocabulary(String),
    #[error(
        "its answer {text:?} does not follow the grammar; start it with --structured-outputs-config \
         '{{\"backend\":\"guidance\"}}'"
    )]
    Grammar { text: String },
    #[error("it ignores the sampling parameter {0}")]
    Ignored(&'static str),
    #[error("it does not apply adapters as training does: {0}; check --enable-lora and --max-lora-rank")]
    Adapter(String),
    #[error("{0}; start it with --enable-lora and VLLM_ALLOW_RUNTIME_LORA_UPDATING=1, and let it see --adapter-dir")]
    AdapterLoad(CallError),
}

/// Checks a replica. `peers` are the other replicas of the base model, with their [`Passed::logprobs`].
///
/// # Errors
/// The first property that it lacks.
pub(super) async fn check(
    client: &ReplicaClient,
    expected: &Expected,
    peers: &[(String, Vec<f32>)],
    limit: Duration,
) -> Result<Passed, Rejection> {
    let version: Version = client.get("/version", limit).await?;
    if !is_new_enough(&version.version) {
        return Err(Rejection::Version { version: version.version });
    }
    let models: Models = client.get("/v1/models", limit).await.map_err(rejected)?;
    let bases: Vec<Model> = models.data.into_iter().filter(|model| model.parent.is_none()).collect();
    let [base] = <[Model; 1]>::try_from(bases).map_err(|bases| Rejection::Bases(bases.len()))?;
    let interface = interface(client, expected, &base.id).await?;
    let generator = Generator::for_checks(client, interface);
    vocabulary(&generator, expected, &base.id).await?;
    parameters(&generator, expected, &base.id).await?;
    let logprobs = generator.logprobs(&base.id, &expected.text, &expected.positions()).await.map_err(rejected)?;
    let difference = same_model(expected, &logprobs, peers)?;
    grammar(&generator, expected, &base.id).await?;
    let context = base.max_model_len.unwrap_or(usize::MAX);
    // Of the operations for developers, the others change something, or take seconds at first, as /server_info does.
    let is_open = client.text("/is_sleeping", limit).await.is_ok();
    Ok(Passed { version: version.version, interface, logprobs, difference, context, is_open, base: base.id })
}

fn is_new_enough(version: &str) -> bool {
    let mut numbers = version.split(['.', '+', '-']).map(|part| part.parse::<u64>().ok());
    matches!((numbers.next().flatten(), numbers.next().flatten()), (Some(major), Some(minor)) if (major, minor) >= OLDEST)
}

pub(super) fn rejected(error: CallError) -> Rejection {
    match error {
        CallError::Status { status: 401 | 403, .. } => Rejection::Key,
        error => Rejection::Call(error),
    }
}

/// Finds the operation that generates tokens: the one for token ids, unless the server was started without it.
async fn interface(client: &ReplicaClient, expected: &Expected, base: &str) -> Result<Interface, Rejection> {
    let mut missing = None;
    for interface in [Interface::Generate, Interface::Completions] {
        let params = SamplingParams::new(&greedy(), 1);
        match Generator::for_checks(client, interface).generate(base, &expected.text, params).await {
            Ok(_) => return Ok(interface),
            Err(error @ CallError::Status { status: 404 | 405, .. }) => missing = Some(error),
            Err(CallError::Status { status: 403, message }) if message.contains("Scale-out") => {}
            // A token of the text is unknown there.
            Err(CallError::Status { status: 400, message }) => return Err(Rejection::OtherVocabulary(message)),
            Err(error) => return Err(rejected(error)),
        }
    }
    let error = missing.unwrap_or_else(|| CallError::Unreadable("it disables both".to_owned()));
    Err(Rejection::NoInterface(error))
}

/// Checks that the last token of the vocabulary is known.
async fn vocabulary(generator: &Generator<'_>, expected: &Expected, base: &str) -> Result<(), Rejection> {
    let Some(last) = expected.vocabulary.checked_sub(1) else { return Ok(()) };
    match generator.generate(base, &[id(last)], SamplingParams::new(&greedy(), 1)).await {
        Ok(_) => Ok(()),
        Err(CallError::Status { status: 400, message }) => Err(Rejection::OtherVocabulary(message)),
        Err(error) => Err(rejected(error)),
    }
}

/// Returns the mean difference of the log-probabilities of the known text from the embedded engine's. Without its weights,
/// they are compared with those of the other replicas.
fn same_model(expected: &Expected, found: &[f32], peers: &[(String, Vec<f32>)]) -> Result<Option<f32>, Rejection> {
    // Not a number is no agreement.
    let differs = |difference: f32| difference.is_nan() || difference > MAX_DIFFERENCE;
    if let Some(logprobs) = &expected.logprobs {
        let logprobs: Vec<f32> = expected.positions().iter().map(|position| logprobs[position - 1]).collect();
        let difference = mean_difference(found, &logprobs);
        return if differs(difference) { Err(Rejection::OtherModel { difference }) } else { Ok(Some(difference)) };
    }
    if differs(mean_difference(found, found)) {
        return Err(Rejection::OtherModel { difference: f32::NAN });
    }
    for (peer, logprobs) in peers {
        let difference = mean_difference(found, logprobs);
        if differs(difference) {
            return Err(Rejection::OtherThanPeer { peer: peer.clone(), difference });
        }
    }
    Ok(None)
}

/// Returns the mean of the absolute differences, in nats.
pub(crate) fn mean_difference(found: &[f32], expected: &[f32]) -> f32 {
    let sum: f32 = found.iter().zip(expected).map(|(found, expected)| (found - expected).abs()).sum();
    sum / expected.len().max(1) as f32
}

/// Checks that a grammar is enforced as this process means it.
async fn grammar(generator: &Generator<'_>, expected: &Expected, base: &str) -> Result<(), Rejection> {
    for seed in [3, 4] {
        let sampling = SamplingParameters { seed, ..SamplingParameters::default() };
        let mut params = SamplingParams::new(&sampling, GRAMMAR_TOKENS);
        params.stop_at(&expected.end_of_turn);
        params.follow(GRAMMAR, expected.unused());
        let response = generator.generate(base, &expected.text, params).await.map_err(rejected)?;
        let mut ids: Vec<u32> = tokens(response, 0)?.iter().map(|token| token.id).collect();
        ids.retain(|id| !expected.end_of_turn.contains(id));
        let text = expected.tokenizer.decode(&ids);
        let digits = text.strip_prefix(r#"{"a": "#).and_then(|rest| rest.split_once(',')).map(|(digits, _)| digits);
        let follows = digits.is_some_and(|digits| {
            digits.len() == 2
                && digits.bytes().all(|byte| byte.is_ascii_digit())
                && ["true", "false"].iter().any(|value| text == format!(r#"{{"a": {digits}, "b": {value}}}"#))
        });
        if !follows {
            return Err(Rejection::Grammar { text });
        }
    }
    Ok(())
}

/// Checks sampling parameters by their effect.
async fn parameters(generator: &Generator<'_>, expected: &Expected, base: &str) -> Result<(), Rejection> {
    let Some(&id) = expected.text.last() else { return Ok(()) };
    let sampling =
        SamplingParameters { logit_bias: vec![(id, 100.0)], top_logprobs: 2, ..SamplingParameters::default() };
    let params = SamplingParams::new(&sampling, BIASED_TOKENS);
    let response = generator.generate(base, &expected.text, params).await.map_err(rejected)?;
    let tokens = tokens(response, 2).map_err(|_| Rejection::Ignored("logprobs"))?;
    if tokens.len() != BIASED_TOKENS {
        return Err(Rejection::Ignored("max_tokens"));
    }
    if tokens.iter().any(|token| token.id != id) {
        return Err(Rejection::Ignored("logit_bias"));
    }
    if tokens.iter().any(|token| token.top.len() != 2) {
        return Err(Rejection::Ignored("logprobs"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_number() {
        for new in ["0.32.0", "0.33.1rc1", "1.0", "0.100.0+cu129", "0.32-dev"] {
            assert!(is_new_enough(new), "{new}");
        }
        for old in ["0.31.9", "0.9.2", "", "dev", "0"] {
            assert!(!is_new_enough(old), "{old}");
        }
    }
}
