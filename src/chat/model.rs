//! A base model that is being served, and the way from a request to a stream.

use std::sync::{Arc, OnceLock};

use super::choice::{ChoiceAssembler, ToolParsing};
use super::grammar::{Grammar, GrammarCompiler, GrammarConstraint};
use super::{ChatError, ChatRequest, ChatStream, ToolChoice};
use crate::engine::Adapter;
use crate::engine::sampling::SamplingParameters;
use crate::engine::scheduler::{GenerateRequest, Sampler, TokenConstraint};
use crate::model_files::{GenerationDefaults, ModelFiles, ModelFilesError};
use crate::text::{ChatTemplate, RenderInput, Tokenizer, render_prompt};

/// A base model with what is needed to chat with it and its adapters.
pub struct ServedModel {
    name: String,
    tokenizer: Arc<Tokenizer>,
    template: ChatTemplate,
    sampler: Arc<dyn Sampler>,
    end_of_turn: Vec<u32>,
    generation_defaults: GenerationDefaults,
    /// Made when the first request needs it.
    grammars: OnceLock<Result<GrammarCompiler, ChatError>>,
}

/// A request that is ready for the sampler.
struct Prepared {
    prompt: Arc<[u32]>,
    constraint: Option<GrammarConstraint>,
}

impl ServedModel {
    /// Reads tokenizer and template from a model's files; `sampler` runs its weights.
    ///
    /// # Errors
    /// The files are no usable model; the message names file and field.
    pub fn new(files: &ModelFiles, sampler: Arc<dyn Sampler>) -> Result<Self, ModelFilesError> {
        let tokenizer = files.tokenizer()?;
        Ok(Self {
            name: files.name.clone(),
            template: files.template()?,
            end_of_turn: files.end_of_turn(&tokenizer)?,
            generation_defaults: files.generation_defaults()?,
            tokenizer: Arc::new(tokenizer),
            sampler,
            grammars: OnceLock::new(),
        })
    }

    /// The base model's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its tokenizer.
    pub fn tokenizer(&self) -> &Arc<Tokenizer> {
        &self.tokenizer
    }

    /// Its chat template.
    pub fn template(&self) -> &ChatTemplate {
        &self.template
    }

    /// Its sampler.
    pub fn sampler(&self) -> &Arc<dyn Sampler> {
        &self.sampler
    }

    /// The tokens that end a turn, in ascending order.
    pub fn end_of_turn(&self) -> &[u32] {
        &self.end_of_turn
    }

    /// How the model's author wants it sampled where a request does not say.
    pub fn generation_defaults(&self) -> &GenerationDefaults {
        &self.generation_defaults
    }

    /// Tokens that prompt and answer may have together.
    pub fn context_length(&self) -> usize {
        self.sampler.context_length()
    }

    /// Starts the answers to a request, under an adapter or the base model itself. Dropping the stream cancels them.
    ///
    /// # Errors
    /// Whatever is wrong with the request, and a sampler that is full or has stopped.
    pub async fn chat(
        self: &Arc<Self>,
        adapter: Option<Arc<Adapter>>,
        request: ChatRequest,
    ) -> Result<ChatStream, ChatError> {
        let model = self.clone();
        // Templates, long texts and grammars take processor time that other connections should not wait for.
        let (prepared, request) =
            tokio::task::spawn_blocking(move || Ok::<_, ChatError>((model.prepare(&request)?, request)))
                .await
                .map_err(|error| ChatError::Failed(format!("preparing the prompt failed: {error}")))??;
        self.start(adapter, request, prepared)
    }

    fn prepare(&self, request: &ChatRequest) -> Result<Prepared, ChatError> {
        let input = RenderInput {
            messages: &request.messages,
            tools: Some(&request.tools),
            add_generation_prompt: true,
            kwargs: &request.chat_template_kwargs,
        };
        let prompt: Arc<[u32]> = render_prompt(&self.template, &self.tokenizer, &input)?
            .encode()
            .map_err(|error| ChatError::invalid("messages", error.to_string()))?
            .into();
        let limit = self.context_length();
        if prompt.len() >= limit {
            return Err(ChatError::PromptTooLong { prompt: prompt.len(), limit });
        }
        let constraint = match Grammar::of(request)? {
            None => None,
            Some(grammar) => {
                let compiler =
                    self.grammars.get_or_init(|| GrammarCompiler::new(self.tokenizer.clone(), &self.end_of_turn));
                Some(compiler.as_ref().map_err(Clone::clone)?.compile(&grammar)?)
            }
        };
        Ok(Prepared { prompt, constraint })
    }

    fn start(
        &self,
        adapter: Option<Arc<Adapter>>,
        request: ChatRequest,
        prepared: Prepared,
    ) -> Result<ChatStream, ChatError> {
        let Prepared { prompt, constraint } = prepared;
        let seed = match request.seed {
            Some(seed) => seed,
            None => getrandom::u64().map_err(|error| ChatError::Failed(format!("no random numbers: {error}")))?,
        };
        let samples = (0..request.n)
            .map(|sample_index| GenerateRequest {
                owner: request.owner.clone(),
                adapter: adapter.clone(),
                prompt: prompt.clone(),
                max_tokens: request.max_tokens.map_or(usize::MAX, |max| usize::try_from(max).unwrap_or(usize::MAX)),
                sampling: SamplingParameters { seed, sample_index, ..request.sampling.clone() },
                stop_tokens: self.end_of_turn.clone(),
                min_tokens: 0,
                prompt_logprobs: None,
                constraint: constraint
                    .as_ref()
                    .map(|constraint| Box::new(constraint.fork()) as Box<dyn TokenConstraint>),
            })
            .collect();
        let receivers = self.sampler.generate(samples)?;
        // A required call is one call by its grammar, which lets the model end its turn after it.
        let tools = match request.tool_choice {
            _ if request.tools.is_empty() => ToolParsing::Off,
            ToolChoice::None => ToolParsing::Off,
            ToolChoice::Auto if !request.parallel_tool_calls => ToolParsing::One,
            _ => ToolParsing::Many,
        };
        let choices = (0..).zip(receivers).map(|(index, receiver)| {
            let assembler = ChoiceAssembler::new(index, self.tokenizer.clone(), request.stop.clone(), tools);
            (assembler, receiver)
        });
        Ok(ChatStream::new(prompt, choices))
    }
}

#[cfg(test)]
mod engine_tests;
#[cfg(test)]
mod tests;
