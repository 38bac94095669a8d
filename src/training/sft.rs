//! Preparing a supervised fine-tuning job: conversations in, batches of labelled token sequences out.
//!
//! Trained is what the assistant says: from right after the header of an assistant turn, its line break included, up to
//! the next header of a user turn, or the end. So the end of every assistant turn is trained, and so is anything else
//! (such as a system message) between an assistant turn and the next user turn.

use serde_json::{Map, Value};

use crate::text::{PromptError, RenderInput, TemplateError, TokenizerError, render_prompt};

use super::config::{ConfigError, SftConfig};
use super::dataset::{DatasetError, DatasetRow};
use super::tokenize::TextModel;

/// Headers of user and assistant turns by template family. The line breaks that end them are optional.
const FAMILIES: [(&str, &str); 4] = [
    // ChatML
    ("<|im_start|>user\n", "<|im_start|>assistant\n"),
    // Llama 3
    ("<|start_header_id|>user<|end_header_id|>\n\n", "<|start_header_id|>assistant<|end_header_id|>\n\n"),
    // Gemma
    ("<start_of_turn>user\n", "<start_of_turn>model\n"),
    // Mistral
    ("[INST]", "[/INST]"),
];

/// Data or options that cannot be trained on.
#[derive(Debug, thiserror::Error)]
pub enum PrepareSftError {
    /// The data set is malformed.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// A row is refused by the chat template or the tokenizer.
    #[error("line {line} of the training data: {source}")]
    Render {
        /// The line.
        line: usize,
        /// Why.
        source: PromptError,
    },
    /// The options do not fit the data.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The model's chat template is of no family whose assistant turns can be told apart.
    #[error(
        "the chat template of the base model has no known turn headers (ChatML, Llama 3, Gemma or Mistral), so assistant turns cannot be located"
    )]
    UnknownTemplate,
    /// The chat template or tokenizer failed on a plain conversation.
    #[error("the chat template of the base model fails on a plain conversation: {0}")]
    Template(PromptError),
}

/// Token ids of the headers that open user and assistant turns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnHeaders {
    /// Opens a user turn.
    pub user: Vec<u32>,
    /// Opens an assistant turn.
    pub assistant: Vec<u32>,
    /// The line breaks that may follow the header of an assistant turn.
    pub after_assistant: Vec<u32>,
}

impl TurnHeaders {
    /// Find the template's family by rendering a plain conversation.
    ///
    /// # Errors
    /// When the template fails or belongs to no known family.
    pub fn detect(model: &TextModel<'_>) -> Result<Self, PrepareSftError> {
        let message = |role: &str| {
            let fields = [("role".to_owned(), Value::from(role)), ("content".to_owned(), "x".into())];
            Value::Object(fields.into_iter().collect())
        };
        let messages = [message("user"), message("assistant")];
        let kwargs = Map::new();
        let input = RenderInput {
            messages: &messages,
            tools: None,
            add_generation_prompt: false,
            continue_final_message: false,
            kwargs: &kwargs,
        };
        let failed = |error: TemplateError| PrepareSftError::Template(error.into());
        let text = model.template.render(&input).map_err(failed)?;
        let (user, assistant, whole) = FAMILIES
            .into_iter()
            .map(|(user, assistant)| (user.trim_end(), assistant.trim_end(), assistant))
            .find(|(user, assistant, _)| text.contains(user) && text.contains(assistant))
            .ok_or(PrepareSftError::UnknownTemplate)?;
        let encode = |text: &str| {
            model.tokenizer.encode(text).map_err(|error: TokenizerError| PrepareSftError::Template(error.into()))
        };
        Ok(Self {
            user: encode(user)?,
            assistant: encode(assistant)?,
            after_assistant: encode(&whole[assistant.len()..])?,
        })
    }

    /// Which tokens are trained. The first token never is: nothing predicts it.
    pub fn labels(&self, tokens: &[u32]) -> Vec<bool> {
        let mut trained = vec![false; tokens.len()];
        let mut from = 0;
        while let Some(start) = find(tokens, &self.assistant, from) {
            let mut begin = start + self.assistant.len();
            // As in the method this follows, each line break is looked for one token further on: a single one after the
            // header stays trained, of two the first is not.
            for line_break in &self.after_assistant {
                if tokens.get(begin + 1) != Some(line_break) {
                    break;
                }
                begin += 1;
            }
            let end = find(tokens, &self.user, begin).unwrap_or(tokens.len());
            trained[begin..end].fill(true);
            from = end;
        }
        if let Some(first) = trained.first_mut() {
            *first = false;
        }
        trained
    }
}

/// First position, at or after `from`, where `part` occurs.
fn find(tokens: &[u32], part: &[u32], from: usize) -> Option<usize> {
    if part.is_empty() {
        return None;
    }
    tokens.get(from..)?.windows(part.len()).position(|window| window == part).map(|position| from + position)
}

/// One conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SftSequence {
    /// Token ids.
    pub tokens: Vec<u32>,
    /// Which tokens are trained.
    pub trained: Vec<bool>,
}

impl SftSequence {
    /// How many tokens are trained.
    pub fn trained_tokens(&self) -> usize {
        self.trained.iter().filter(|trained| **trained).count()
    }
}

/// The conversations of one optimizer step.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SftBatch {
    /// Conversations in file order.
    pub rows: Vec<SftSequence>,
    /// Conversations left out because they are longer than the model allows.
    pub dropped: usize,
    /// Learning rate of the step.
    pub learning_rate: f64,
}

impl SftBatch {
    /// How many tokens are trained.
    pub fn trained_tokens(&self) -> usize {
        self.rows.iter().map(SftSequence::trained_tokens).sum()
    }
}

/// A job ready to run: one optimizer step per batch. No batches when the data set is empty.
#[derive(Debug, Clone, PartialEq)]
pub struct PreparedSft {
    /// Batches in file order; the last may be short.
    pub batches: Vec<SftBatch>,
}

/// Turn a data set into batches.
///
/// Rows longer than `max_length` tokens keep their place in their batch, but are left out of it and counted.
///
/// # Errors
/// When the data set is malformed, a row is refused by the chat template, or the learning rates do not cover all
/// batches.
pub fn prepare_sft(
    rows: impl IntoIterator<Item = Result<DatasetRow, DatasetError>>,
    config: &SftConfig,
    model: &TextModel<'_>,
    max_length: usize,
) -> Result<PreparedSft, PrepareSftError> {
    let headers = TurnHeaders::detect(model)?;
    let mut batches: Vec<SftBatch> = Vec::new();
    for (index, row) in rows.into_iter().enumerate() {
        let row = row?;
        if index % config.batch_size == 0 {
            batches.push(SftBatch::default());
        }
        let batch = batches.last_mut().expect("a batch was pushed for the first row");
        let tokens = tokenize_row(&row, model).map_err(|source| PrepareSftError::Render { line: row.line, source })?;
        if tokens.len() > max_length {
            batch.dropped += 1;
            continue;
        }
        let trained = headers.labels(&tokens);
        batch.rows.push(SftSequence { tokens, trained });
    }
    let rates = config.learning_rate.for_batches(batches.len())?;
    for (batch, rate) in batches.iter_mut().zip(rates) {
        batch.learning_rate = rate;
    }
    Ok(PreparedSft { batches })
}

fn tokenize_row(row: &DatasetRow, model: &TextModel<'_>) -> Result<Vec<u32>, PromptError> {
    let messages: Vec<Value> = row.messages.iter().cloned().map(Value::Object).collect();
    let tools = row.tools.as_deref();
    let kwargs = Map::new();
    let input = RenderInput {
        messages: &messages,
        tools,
        add_generation_prompt: false,
        continue_final_message: false,
        kwargs: &kwargs,
    };
    Ok(render_prompt(model.template, model.tokenizer, &input)?.encode()?)
}

#[cfg(test)]
mod tests;
