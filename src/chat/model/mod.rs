//! A served base model: turns a request into a stream.

use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, OnceLock};

use serde_json::{Map, Value, json};

use super::choice::{ChoiceAssembler, TextOptions};
use super::compile::CompileQueue;
use super::completion_parser::{CompletionForm, ToolForm};
use super::grammar::{Grammar, GrammarCompiler, GrammarConstraint};
use super::open_samples::OpenSamples;
use super::reasoning::{ReasoningForm, ReasoningStyle};
use super::tool_formats::ToolFormat;
use super::{ChatError, ChatRequest, ChatStream, ToolChoice};
use crate::engine::sampler::{AdapterRef, GenerateRequest, Sampler, TokenConstraint};
use crate::engine::sampling::SamplingParameters;
use crate::model_files::{GenerationDefaults, ModelFiles, ModelFilesError};
use crate::text::{Adaptation, ChatTemplate, Prompt, RenderInput, Tokenizer, render_prompt};
use crate::work_threads::WorkThreads;

/// Bytes of prompt per token of context above which a prompt is first counted piece by piece. Text has about four.
const PIECE_BYTES_PER_TOKEN: usize = 16;

/// Threads that prepare prompts: more at once than there are processors would only use memory.
static PREPARATIONS: WorkThreads = WorkThreads::new();

/// A base model and the state that is needed to chat with it and with its adapters.
#[derive(Clone)]
pub struct ServedModel {
    name: String,
    tokenizer: Arc<Tokenizer>,
    template: Arc<ChatTemplate>,
    tool_format: ToolFormat,
    /// Form of reasoning content; `None` if completions have none.
    reasoning: Option<ReasoningStyle>,
    sampler: Arc<dyn Sampler>,
    /// Whether the sampler runs the weights of a checkpoint, not those of the base model.
    has_trained_weights: bool,
    end_of_turn: Vec<u32>,
    generation_defaults: GenerationDefaults,
    /// Created by the first request that needs it.
    grammars: Arc<OnceLock<Result<Arc<GrammarCompiler>, ChatError>>>,
    compilations: CompileQueue,
    open: Arc<OpenSamples>,
    /// Whether streams have the messages and options of their requests, to be recorded.
    is_recording: bool,
}

/// A request that is ready for the sampler.
struct Prepared {
    request: ChatRequest,
    prompt: Arc<[u32]>,
    /// Parts of the conversation that have another place than the template's.
    adaptations: Vec<Adaptation>,
    /// Reasoning content that the completion may have.
    reasoning: Option<ReasoningForm>,
    grammar: Option<(Arc<GrammarCompiler>, Grammar)>,
}

/// A prompt that is not sampled.
pub struct PromptTokens {
    /// Tokens of the prompt.
    pub tokens: Arc<[u32]>,
    /// Parts of the conversation that have another place than the template's.
    pub adaptations: Vec<Adaptation>,
    /// Paths of the request's fields that have no effect.
    pub ignored: Vec<String>,
}

/// A conversation as tokens.
struct EncodedPrompt {
    tokens: Arc<[u32]>,
    adaptations: Vec<Adaptation>,
    reasoning: Option<ReasoningForm>,
}

impl ServedModel {
    /// Reads the tokenizer and the template from a model's files; `sampler` runs its weights.
    ///
    /// # Errors
    /// The files are not a usable model; the message names the file and the field.
    pub fn new(files: &ModelFiles, sampler: Arc<dyn Sampler>) -> Result<Self, ModelFilesError> {
        let tokenizer = files.tokenizer()?;
        let template = files.template()?;
        Ok(Self {
            name: files.name.clone(),
            tool_format: ToolFormat::of(&template, &tokenizer),
            reasoning: ReasoningStyle::of(&template, &tokenizer),
            template: Arc::new(template),
            end_of_turn: files.end_of_turn(&tokenizer)?,
            generation_defaults: files.generation_defaults()?,
            tokenizer: Arc::new(tokenizer),
            sampler,
            has_trained_weights: false,
            grammars: Arc::default(),
            compilations: CompileQueue::new(),
            open: Arc::default(),
            is_recording: false,
        })
    }

    /// Returns a model with the same tokenizer and template and another sampler, which runs the weights of a checkpoint.
    pub fn with_sampler(&self, sampler: Arc<dyn Sampler>) -> Self {
        Self { sampler, has_trained_weights: true, ..self.clone() }
    }

    /// Returns the same model with another sampler of the same weights.
    pub fn replace_sampler(&self, sampler: Arc<dyn Sampler>) -> Self {
        Self { has_trained_weights: false, ..self.with_sampler(sampler) }
    }

    /// Returns the same model, whose streams have what is recorded of their requests.
    pub fn recording(&self) -> Self {
        Self { is_recording: true, ..self.clone() }
    }

    /// Returns the base model's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the tokenizer.
    pub fn tokenizer(&self) -> &Arc<Tokenizer> {
        &self.tokenizer
    }

    /// Returns the chat template.
    pub fn template(&self) -> &ChatTemplate {
        &self.template
    }

    /// Returns the sampler.
    pub fn sampler(&self) -> &Arc<dyn Sampler> {
        &self.sampler
    }

    /// Returns the tokens that end a turn, in ascending order.
    pub fn end_of_turn(&self) -> &[u32] {
        &self.end_of_turn
    }

    /// Returns the sampling defaults that the model's author recommends, for fields that a request omits.
    pub fn generation_defaults(&self) -> &GenerationDefaults {
        &self.generation_defaults
    }

    /// Returns the limit of the prompt's and the completion's tokens together.
    pub fn context_length(&self) -> usize {
        self.sampler.context_length()
    }

    /// Starts the completions of a request, with an adapter or the base model alone. Dropping the stream cancels them.
    ///
    /// # Errors
    /// The request is invalid, or the sampler is full or has stopped.
    pub async fn chat(
        self: &Arc<Self>,
        adapter: Option<AdapterRef>,
        request: ChatRequest,
    ) -> Result<ChatStream, ChatError> {
        self.chat_from(adapter, (), move || Ok(request)).await
    }

    /// Like [`Self::chat`], with a request that `read` still has to parse. Parsing, rendering the template, encoding
    /// long texts and building grammars take CPU time, so they run on a thread for them and do not delay other
    /// connections. `memory` is dropped when the prompt is encoded, also if the request is cancelled before.
    ///
    /// # Errors
    /// The errors of [`Self::chat`] and of `read`.
    pub async fn chat_from(
        self: &Arc<Self>,
        adapter: Option<AdapterRef>,
        memory: impl Send + 'static,
        read: impl FnOnce() -> Result<ChatRequest, ChatError> + Send + 'static,
    ) -> Result<ChatStream, ChatError> {
        let model = self.clone();
        let prepared = self.prepared(memory, move || model.prepare(read()?)).await?;
        let Prepared { request, prompt, adaptations, reasoning, grammar } = prepared;
        let constraint = match grammar {
            None => None,
            Some((compiler, grammar)) => Some(self.compilations.compile(compiler, grammar).await?),
        };
        let tools = (!request.tools.is_empty() && request.tool_choice != ToolChoice::None).then(|| ToolForm {
            format: self.tool_format.clone(),
            functions: request.tools.iter().map(|tool| tool["function"].clone()).collect(),
            single: !request.parallel_tool_calls,
        });
        // A grammar applies from the first token on, so it excludes reasoning content.
        let reasoning = match reasoning {
            Some(ReasoningForm::Tags { tags, .. }) if constraint.is_some() => {
                Some(ReasoningForm::Tags { tags, opened: false })
            }
            form => form,
        };
        let form = CompletionForm { continues: false, reasoning, tools };
        let mut request = request;
        let ignored = std::mem::take(&mut request.ignored);
        let stream = self.start(adapter, request, vec![prompt], form, constraint)?;
        Ok(stream.with_warnings(adaptations, ignored))
    }

    /// Returns the tokens of a conversation's prompt. `memory` and `read` are as for [`Self::chat_from`].
    ///
    /// # Errors
    /// The request is invalid, or its prompt is far longer than the context.
    pub async fn tokens_from(
        self: &Arc<Self>,
        memory: impl Send + 'static,
        read: impl FnOnce() -> Result<ChatRequest, ChatError> + Send + 'static,
    ) -> Result<PromptTokens, ChatError> {
        let model = self.clone();
        let encode = move || {
            let mut request = read()?;
            let EncodedPrompt { tokens, adaptations, .. } = model.prompt(&mut request)?;
            Ok(PromptTokens { tokens, adaptations, ignored: request.ignored })
        };
        self.prepared(memory, encode).await
    }

    /// Runs `prepare` on a thread for it when it is its turn. `memory` is dropped at its end.
    pub(super) async fn prepared<T: Send + 'static>(
        &self,
        memory: impl Send + 'static,
        prepare: impl FnOnce() -> Result<T, ChatError> + Send + 'static,
    ) -> Result<T, ChatError> {
        let prepare = move || {
            let _memory = memory;
            prepare()
        };
        let prepared = PREPARATIONS.run(prepare).await;
        prepared.map_err(|error| ChatError::Failed(format!("preparing the prompt failed: {error}")))?
    }

    fn prepare(&self, mut request: ChatRequest) -> Result<Prepared, ChatError> {
        if self.is_recording {
            request.recorded = format!("\"messages\":{},\"tools\":{},", json!(request.messages), json!(request.tools));
        }
        let EncodedPrompt { tokens: prompt, adaptations, reasoning } = self.prompt(&mut request)?;
        let limit = self.context_length();
        if prompt.len() >= limit {
            return Err(ChatError::PromptTooLong { prompt: prompt.len(), limit });
        }
        request.check_length()?;
        let grammar = match Grammar::of(&request, &self.tool_format)? {
            None => None,
            Some(grammar) => {
                request.ignored.extend(grammar.left_out());
                let make = || GrammarCompiler::new(self.tokenizer.clone(), &self.end_of_turn).map(Arc::new);
                Some((self.grammars.get_or_init(make).clone()?, grammar))
            }
        };
        Ok(Prepared { request, prompt, adaptations, reasoning, grammar })
    }

    /// Renders and encodes the conversation. Consumes the messages and the variables of the template.
    fn prompt(&self, request: &mut ChatRequest) -> Result<EncodedPrompt, ChatError> {
        let input = RenderInput {
            kwargs: template_variables(&self.template, request)?,
            messages: std::mem::take(&mut request.messages),
            tools: request.tools.clone(),
            add_generation_prompt: request.add_generation_prompt,
            continue_final_message: request.continue_final_message,
        };
        let prompt = render_prompt(&self.template, &self.tokenizer, input)?;
        self.reject_far_too_long(&prompt)?;
        let tokens = prompt.encode().map_err(|error| ChatError::invalid("messages", error.to_string()))?;
        Ok(EncodedPrompt {
            tokens: tokens.into(),
            adaptations: prompt.adaptations().collect(),
            reasoning: ReasoningForm::after(self.reasoning, prompt.text()),
        })
    }

    /// Counts the tokens of a long prompt piece by piece and fails at twice the context length: encoding many megabytes
    /// at once takes seconds and hundreds of times the memory of an ordinary request. Each cut changes a few tokens,
    /// far fewer than that margin.
    pub(super) fn reject_far_too_long(&self, prompt: &Prompt<'_>) -> Result<(), ChatError> {
        let (limit, mut rest, mut tokens) = (self.context_length(), prompt.text(), 0);
        let piece = limit.saturating_mul(PIECE_BYTES_PER_TOKEN);
        while rest.len() > piece {
            let (start, end) = rest.split_at(rest.floor_char_boundary(piece));
            let found =
                prompt.encode_piece(start).map_err(|error| ChatError::invalid("messages", error.to_string()))?;
            (rest, tokens) = (end, tokens + found.len());
            if tokens >= 2 * limit {
                return Err(ChatError::PromptTooLong { prompt: tokens, limit });
            }
        }
        Ok(())
    }

    /// Starts the samples of each prompt.
    pub(super) fn start(
        self: &Arc<Self>,
        adapter: Option<AdapterRef>,
        request: ChatRequest,
        prompts: Vec<Arc<[u32]>>,
        form: CompletionForm,
        constraint: Option<GrammarConstraint>,
    ) -> Result<ChatStream, ChatError> {
        let open = self.open.open(&request.owner, prompts.len() * request.n as usize)?;
        let seed = match request.seed {
            Some(seed) => seed,
            None => getrandom::u64().map_err(|error| ChatError::Failed(format!("no random numbers: {error}")))?,
        };
        let mut recorded = request.recorded;
        if self.is_recording {
            let parameters = request.sampling.parameters(&self.generation_defaults, seed, 0);
            let options = recorded_options(&parameters, request.max_tokens, &request.stop);
            recorded = format!("{{{recorded}\"options\":{options}}}");
        }
        let mut stop_tokens = if request.ignore_eos { Vec::new() } else { self.end_of_turn.clone() };
        stop_tokens.extend(&request.stop_token_ids);
        let cached = Arc::new(AtomicUsize::new(0));
        let choices = prompts.iter().flat_map(|prompt| (0..request.n).map(move |sample_index| (prompt, sample_index)));
        let samples = choices
            .map(|(prompt, sample_index)| GenerateRequest {
                owner: request.owner.clone(),
                adapter: adapter.clone(),
                prompt: prompt.clone(),
                max_tokens: request.max_tokens.map_or(usize::MAX, |max| usize::try_from(max).unwrap_or(usize::MAX)),
                sampling: request.sampling.parameters(&self.generation_defaults, seed, sample_index),
                stop_tokens: stop_tokens.clone(),
                min_tokens: request.min_tokens,
                // All samples of a prompt share its logprobs, so only the first requests them.
                prompt_logprobs: request.prompt_logprobs.filter(|_| sample_index == 0),
                constraint: constraint
                    .as_ref()
                    .map(|constraint| Box::new(constraint.fork()) as Box<dyn TokenConstraint>),
                grammar: constraint.as_ref().map(|constraint| constraint.text().clone()),
                is_streamed: request.stream,
                cached_tokens: (sample_index == 0).then(|| cached.clone()),
            })
            .collect();
        let receivers = self.sampler.generate(samples)?;
        let text = TextOptions {
            stop_texts: request.stop,
            stop_tokens,
            include_stop: request.include_stop,
            min_tokens: request.min_tokens,
            spell_control_tokens: !request.skip_special_tokens,
        };
        let choices = (0..).zip(receivers).map(|(index, receiver)| {
            let assembler = ChoiceAssembler::new(index, self.tokenizer.clone(), text.clone(), form.clone());
            (assembler, receiver)
        });
        let failure = constraint.map(|constraint| constraint.failure());
        let is_trained = adapter.is_some() || self.has_trained_weights;
        let stream = ChatStream::new(prompts, choices, failure).of(self.clone(), is_trained, open);
        Ok(stream.with_cached(cached).with_recorded(recorded))
    }
}

/// Returns the sampling options of a request as they are recorded.
fn recorded_options(parameters: &SamplingParameters, max_tokens: Option<u64>, stop: &[String]) -> Value {
    json!({
        "temperature": parameters.temperature,
        "top_p": parameters.top_p,
        "top_k": parameters.top_k,
        "min_p": parameters.min_p,
        "presence_penalty": parameters.presence_penalty,
        "frequency_penalty": parameters.frequency_penalty,
        "repetition_penalty": parameters.repetition_penalty,
        "logit_bias": parameters.logit_bias,
        "seed": parameters.seed,
        "max_tokens": max_tokens,
        "stop": stop,
    })
}

/// Returns the template's variables. `chat_template_kwargs` takes precedence over other request fields that the
/// template reads.
fn template_variables(template: &ChatTemplate, request: &mut ChatRequest) -> Result<Map<String, Value>, ChatError> {
    let mut variables = Map::new();
    let effort = if request.thinking == Some(false) { Some("none") } else { request.reasoning_effort.as_deref() };
    if let Some(effort) = effort {
        if template.reads("reasoning_effort") {
            variables.insert("reasoning_effort".to_owned(), effort.into());
        } else if template.reads("enable_thinking") {
            variables.insert("enable_thinking".to_owned(), (effort != "none").into());
        } else if effort != "none" {
            request.ignored.push(request.effort_field.to_owned());
        }
    }
    if let Some(on) = request.thinking {
        if on && template.reads("enable_thinking") {
            variables.insert("enable_thinking".to_owned(), true.into());
        } else if variables.is_empty() && (on || template.mentions_think_tags()) {
            request.ignored.push("thinking".to_owned());
        }
    }
    if let Some(verbosity) = &request.verbosity {
        if template.reads("verbosity") {
            variables.insert("verbosity".to_owned(), verbosity.as_str().into());
        } else if verbosity != "medium" {
            let message = format!("verbosity {verbosity:?} means nothing to this model; leave it out");
            return Err(ChatError::unsupported("verbosity", message));
        }
    }
    variables.append(&mut request.chat_template_kwargs);
    Ok(variables)
}

#[cfg(test)]
mod engine_tests;
#[cfg(test)]
mod hostile_tests;
#[cfg(test)]
mod schema_tests;
#[cfg(test)]
mod tests;
