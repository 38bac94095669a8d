//! Check of a replica before it gets requests.
//!
//! vLLM answers 200 to fields that it does not know, so each property is checked by its effect.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use super::client::{CallError, ReplicaClient, parse};
use super::wire::{GenerateAnswer, GenerateBody, Model, Models, SamplingParams, Version};
use crate::engine::sampling::SamplingParameters;
use crate::text::Tokenizer;

/// Oldest version with this interface.
const OLDEST: (u64, u64) = (0, 32);
/// Time limit of a generation of the check. The first one after a start compiles kernels.
const GENERATE: Duration = Duration::from_secs(120);
/// Mean difference of log-probabilities above which a replica serves another model, in nats. Rounding to bf16 makes a
/// hundredth.
const MAX_DIFFERENCE: f32 = 0.2;
/// Grammar whose separators another backend than guidance ignores.
const GRAMMAR: &str = concat!(
    r#"start: %json {"x-guidance":{"whitespace_flexible":false,"item_separator":", ","key_separator":": "},"#,
    r#""type":"object","properties":{"a":{"type":"integer","minimum":10,"maximum":99},"b":{"type":"boolean"}},"#,
    r#""required":["a","b"],"additionalProperties":false}"#,
    "\n"
);
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
    /// A text's tokens, and the log-probability of each but the first under the base model.
    pub(crate) reference: (Vec<u32>, Vec<f32>),
}

impl Expected {
    /// Returns the ids that are in the model's vocabulary and have no token.
    pub(super) fn unused(&self) -> Range<u32> {
        let id = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let end = id(self.vocabulary);
        id(self.tokenizer.vocab_size()).min(end)..end
    }
}

/// A replica that passed its check.
#[derive(Debug)]
pub(super) struct Passed {
    /// Version of vLLM.
    pub version: String,
    /// Mean difference of the log-probabilities of a known text from those of the embedded engine, in nats.
    pub difference: f32,
    /// Name of the base model at the replica.
    pub base: String,
    /// Maximum length of prompt and response together, in tokens.
    pub context: usize,
}

/// Reason not to use a replica, and the remedy.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub(super) enum Refusal {
    #[error(transparent)]
    Call(#[from] CallError),
    #[error("it refuses the key; write the key of its --api-key into the file of --sampler-key-file")]
    Key,
    #[error("it runs vLLM {version}; version {}.{} is the oldest that can be used", OLDEST.0, OLDEST.1)]
    Version { version: String },
    #[error("it serves {0} base models; start one vLLM for each")]
    Bases(usize),
    #[error("its endpoint for tokens is disabled; start it with --enable-scale-out")]
    ScaleOut,
    #[error(
        "it serves another model: the log-probabilities of a known text differ by {difference:.3} nats in the mean, and \
         {MAX_DIFFERENCE} is the limit"
    )]
    OtherModel { difference: f32 },
    #[error("it serves another model: {0}")]
    OtherVocabulary(String),
    #[error(
        "its answer {answer:?} does not follow the grammar; start it with --structured-outputs-config \
         '{{\"backend\":\"guidance\"}}'"
    )]
    Grammar { answer: String },
    #[error("it ignores the sampling parameter {0}")]
    Ignored(&'static str),
    #[error(
        "it does not apply adapters: with one that changes the log-probabilities of a known text by {effect:.3} nats in the \
         mean, they differ by {difference:.3} from the embedded engine's; check --enable-lora and --max-lora-rank"
    )]
    Adapter { effect: f32, difference: f32 },
    #[error("{0}; start it with --enable-lora and VLLM_ALLOW_RUNTIME_LORA_UPDATING=1, and let it see --adapter-dir")]
    AdapterLoad(CallError),
}

/// Checks a replica.
///
/// # Errors
/// The first property that it lacks.
pub(super) async fn check(client: &ReplicaClient, expected: &Expected, limit: Duration) -> Result<Passed, Refusal> {
    let version: Version = client.get("/version", limit).await?;
    if !is_new_enough(&version.version) {
        return Err(Refusal::Version { version: version.version });
    }
    let models: Models = client.get("/v1/models", limit).await.map_err(refused)?;
    let bases: Vec<Model> = models.data.into_iter().filter(|model| model.parent.is_none()).collect();
    let [base] = <[Model; 1]>::try_from(bases).map_err(|bases| Refusal::Bases(bases.len()))?;
    let difference = same_model(client, expected, &base.id).await?;
    grammar(client, expected, &base.id).await?;
    parameters(client, expected, &base.id).await?;
    let context = base.max_model_len.unwrap_or(usize::MAX);
    Ok(Passed { version: version.version, difference, context, base: base.id })
}

fn is_new_enough(version: &str) -> bool {
    let mut numbers = version.split(['.', '+', '-']).map(|part| part.parse::<u64>().ok());
    matches!((numbers.next().flatten(), numbers.next().flatten()), (Some(major), Some(minor)) if (major, minor) >= OLDEST)
}

fn refused(error: CallError) -> Refusal {
    match error {
        CallError::Status { status: 401, .. } => Refusal::Key,
        CallError::Status { status: 403, message } if message.contains("Scale-out") => Refusal::ScaleOut,
        CallError::Status { status: 403, .. } => Refusal::Key,
        error => Refusal::Call(error),
    }
}

/// Returns the mean difference of the log-probabilities of the known text.
async fn same_model(client: &ReplicaClient, expected: &Expected, base: &str) -> Result<f32, Refusal> {
    let (tokens, logprobs) = &expected.reference;
    let found = text_logprobs(client, base, tokens).await.map_err(|refusal| match refusal {
        // A token of the text is unknown there.
        Refusal::Call(CallError::Status { status: 400, message }) => Refusal::OtherVocabulary(message),
        refusal => refusal,
    })?;
    let difference = mean_difference(&found, logprobs);
    // Not a number is no agreement.
    if difference.is_nan() || difference > MAX_DIFFERENCE {
        return Err(Refusal::OtherModel { difference });
    }
    Ok(difference)
}

/// Returns the log-probability of each token of a text but the first, under a base model or an adapter.
pub(super) async fn text_logprobs(client: &ReplicaClient, model: &str, tokens: &[u32]) -> Result<Vec<f32>, Refusal> {
    let mut params = SamplingParams::new(&greedy(), 1);
    params.prompt_logprobs = Some(0);
    let answer = generate(client, model, tokens, params).await?;
    let scores = answer.prompt_logprobs.and_then(|scores| super::wire::prompt_tokens(tokens, scores, 0));
    let Some(scores) = scores else { return Err(Refusal::Ignored("prompt_logprobs")) };
    Ok(scores.iter().filter_map(|score| score.logprob).collect())
}

/// Returns the mean of the absolute differences, in nats.
pub(crate) fn mean_difference(found: &[f32], expected: &[f32]) -> f32 {
    let sum: f32 = found.iter().zip(expected).map(|(found, expected)| (found - expected).abs()).sum();
    sum / expected.len().max(1) as f32
}

/// Checks that a grammar is enforced as this process means it.
async fn grammar(client: &ReplicaClient, expected: &Expected, base: &str) -> Result<(), Refusal> {
    for seed in [3, 4] {
        let sampling = SamplingParameters { seed, ..SamplingParameters::default() };
        let mut params = SamplingParams::new(&sampling, GRAMMAR_TOKENS);
        params.stop_at(&expected.end_of_turn);
        params.follow(GRAMMAR, expected.unused());
        let answer = generate(client, base, &expected.reference.0, params).await?;
        let mut ids: Vec<u32> = tokens(answer)?;
        ids.retain(|id| !expected.end_of_turn.contains(id));
        let text = expected.tokenizer.decode(&ids);
        let digits = text.strip_prefix(r#"{"a": "#).and_then(|rest| rest.split_once(',')).map(|(digits, _)| digits);
        let follows = digits.is_some_and(|digits| {
            digits.len() == 2
                && digits.bytes().all(|byte| byte.is_ascii_digit())
                && ["true", "false"].iter().any(|value| text == format!(r#"{{"a": {digits}, "b": {value}}}"#))
        });
        if !follows {
            return Err(Refusal::Grammar { answer: text });
        }
    }
    Ok(())
}

/// Checks sampling parameters by their effect.
async fn parameters(client: &ReplicaClient, expected: &Expected, base: &str) -> Result<(), Refusal> {
    let Some(&id) = expected.reference.0.last() else { return Ok(()) };
    let sampling =
        SamplingParameters { logit_bias: vec![(id, 100.0)], top_logprobs: 2, ..SamplingParameters::default() };
    let params = SamplingParams::new(&sampling, BIASED_TOKENS);
    let answer = generate(client, base, &expected.reference.0, params).await?;
    let choice = answer.choices.into_iter().next().ok_or(Refusal::Ignored("n"))?;
    let tokens = choice.tokens(2).ok_or(Refusal::Ignored("logprobs"))?;
    if tokens.len() != BIASED_TOKENS {
        return Err(Refusal::Ignored("max_tokens"));
    }
    if tokens.iter().any(|token| token.id != id) {
        return Err(Refusal::Ignored("logit_bias"));
    }
    if tokens.iter().any(|token| token.top.len() != 2) {
        return Err(Refusal::Ignored("logprobs"));
    }
    Ok(())
}

pub(super) fn greedy() -> SamplingParameters {
    SamplingParameters { temperature: 0.0, ..SamplingParameters::default() }
}

fn tokens(answer: GenerateAnswer) -> Result<Vec<u32>, Refusal> {
    let choice = answer.choices.into_iter().next().and_then(|choice| choice.tokens(0));
    Ok(choice.ok_or(Refusal::Ignored("logprobs"))?.iter().map(|token| token.id).collect())
}

pub(super) async fn generate(
    client: &ReplicaClient,
    base: &str,
    tokens: &[u32],
    sampling_params: SamplingParams<'_>,
) -> Result<GenerateAnswer, Refusal> {
    let body = GenerateBody {
        request_id: format!("ty-check-{}", uuid::Uuid::new_v4().simple()),
        model: base,
        token_ids: tokens,
        stream: false,
        cache_salt: "trainyard-check",
        sampling_params,
    };
    let answer = client.post("/inference/v1/generate", &body, GENERATE).await.map_err(refused)?;
    Ok(parse(&answer)?)
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
