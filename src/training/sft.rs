//! Supervised fine-tuning data: conversations in, labelled token sequences out.
//!
//! The data is read twice, so that its size is no matter of memory: [`prepare`] validates and measures every row before
//! anything is trained, and [`reader`] tokenises each row again when its turn comes.
//!
//! Trained is what the assistant says. With `assistant_turns` of `all`: from right after the header of an assistant
//! turn, its line break included, up to the next header of a user turn, or the end. So the end of every assistant turn is
//! trained, and so is anything else (such as a system message) between an assistant turn and the next user turn. With
//! `last`: what follows the prompt that sampling would use for the last turn. Either way a message with `weight` 0 is
//! context only, and so is what stands between it and the next turn.

use serde_json::{Map, Value};

use crate::text::{PromptError, RenderInput, TemplateError, TokenizerError, render_prompt};

use super::config::{AssistantTurns, ConfigError, OverlongRows, SftConfig};
use super::dataset::{DataUse, DatasetError, DatasetRow, is_untrained};
use super::tokenize::TextModel;

mod prepare;
mod reader;

pub use prepare::{DroppedRow, PreparedSft, SftRow, SftStatistics, prepare_sft};
pub use reader::{SftReader, SftRows};

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
    #[error("line {line} of the {data}: {source}")]
    Render {
        /// The data set.
        data: DataUse,
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
    /// A row is not what it was when the data was first read.
    #[error("line {line} of the {data} changed while the job ran")]
    Changed {
        /// The data set.
        data: DataUse,
        /// The line.
        line: usize,
    },
    /// A row has messages of `weight` 0, and the template does not show where each turn of the assistant begins.
    #[error(
        "line {line} of the {data}: the chat template of the base model does not show one header for each message of the \
         assistant, so those with `weight` 0 cannot be told apart; leave out `weight`, or train the last turn alone"
    )]
    Weights {
        /// The data set.
        data: DataUse,
        /// The line.
        line: usize,
    },
    /// The reading was stopped before its end.
    #[error("the reading of the training data was stopped")]
    Stopped,
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

    /// Takes the turns of `untrained` messages out of the labels; there is one item for each message of the assistant.
    /// Returns whether the tokens have as many turns.
    fn take_out(&self, tokens: &[u32], untrained: &[bool], labels: &mut [bool]) -> bool {
        let mut begins = Vec::new();
        let mut from = 0;
        while let Some(start) = find(tokens, &self.assistant, from) {
            from = start + self.assistant.len();
            begins.push(from);
        }
        for (place, begin) in begins.iter().enumerate().filter(|(place, _)| untrained.get(*place) == Some(&true)) {
            // The header of the next turn too, if that follows with no user in between.
            let next = begins.get(place + 1).copied().unwrap_or(tokens.len());
            let end = find(tokens, &self.user, *begin).map_or(next, |user| user.min(next));
            labels[*begin..end].fill(false);
        }
        begins.len() == untrained.len()
    }

    /// Where the last assistant turn begins, behind its header.
    fn last_turn(&self, tokens: &[u32]) -> Option<usize> {
        let header = tokens.windows(self.assistant.len()).rposition(|window| window == self.assistant)?;
        Some(header + self.leading(&tokens[header..]))
    }

    /// Tokens of the header, with the line break that ends it, that an assistant turn begins with; 0 without one.
    fn leading(&self, turn: &[u32]) -> usize {
        let Some(rest) = turn.strip_prefix(self.assistant.as_slice()) else { return 0 };
        let line_break = if rest.starts_with(&self.after_assistant) { self.after_assistant.len() } else { 0 };
        self.assistant.len() + line_break
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

/// Why a row is not trained.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DropReason {
    /// Longer than the limit, and overlong rows are dropped.
    TooLong,
    /// Longer than the limit, and nothing that is trained is left of it when it is cut.
    NothingLeft,
    /// No turn of the assistant that is trained.
    NoAssistantTurn,
    /// Its last message is not the assistant's, and only the last turn is trained.
    LastTurnNotAssistant,
}

impl DropReason {
    /// Name in events.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::TooLong => "too_long",
            Self::NothingLeft => "nothing_left_of_it",
            Self::NoAssistantTurn => "no_assistant_turn",
            Self::LastTurnNotAssistant => "last_turn_not_assistant",
        }
    }
}

/// What became of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tokenized {
    /// It is trained.
    Used {
        /// Its tokens.
        sequence: SftSequence,
        /// Whether its end was cut off.
        truncated: bool,
    },
    /// It is not trained.
    Dropped(DropReason),
}

/// Turns rows into tokens and labels, the same way every time.
pub struct SftTokenizer<'a> {
    model: TextModel<'a>,
    headers: TurnHeaders,
    turns: AssistantTurns,
    overlong: OverlongRows,
    /// Most tokens of a row.
    limit: usize,
}

impl<'a> SftTokenizer<'a> {
    /// `max_length` is the most tokens that the model takes; the options may lower it.
    ///
    /// # Errors
    /// When assistant turns cannot be told apart in the model's chat template.
    pub fn new(model: &TextModel<'a>, config: &SftConfig, max_length: usize) -> Result<Self, PrepareSftError> {
        Ok(Self {
            model: *model,
            headers: TurnHeaders::detect(model)?,
            turns: config.assistant_turns,
            overlong: config.overlong_rows,
            limit: config.max_sequence_length.map_or(max_length, |limit| limit.min(max_length)),
        })
    }

    /// Tokens and labels of a row, or why it is left out.
    ///
    /// # Errors
    /// When the chat template or the tokenizer refuses the row.
    pub fn tokenize(&self, row: &DatasetRow) -> Result<Tokenized, PrepareSftError> {
        let (data, line) = (row.data, row.line);
        let mut sequence = self.sequence(row).map_err(|source| PrepareSftError::Render { data, line, source })?;
        let from_assistant =
            |message: &&Map<String, Value>| message.get("role").is_some_and(|role| role == "assistant");
        let untrained: Vec<bool> = row.messages.iter().filter(from_assistant).map(is_untrained).collect();
        match self.turns {
            AssistantTurns::Last if row.messages.last().is_some_and(is_untrained) => sequence.trained.fill(false),
            AssistantTurns::All if untrained.contains(&true) => {
                if !self.headers.take_out(&sequence.tokens, &untrained, &mut sequence.trained) {
                    return Err(PrepareSftError::Weights { data, line });
                }
            }
            _ => {}
        }
        if self.turns == AssistantTurns::Last && !row.messages.last().is_some_and(|message| from_assistant(&message)) {
            return Ok(Tokenized::Dropped(DropReason::LastTurnNotAssistant));
        }
        if sequence.trained_tokens() == 0 {
            return Ok(Tokenized::Dropped(DropReason::NoAssistantTurn));
        }
        let truncated = sequence.tokens.len() > self.limit;
        if truncated {
            if self.overlong == OverlongRows::Drop {
                return Ok(Tokenized::Dropped(DropReason::TooLong));
            }
            sequence.tokens.truncate(self.limit);
            sequence.trained.truncate(self.limit);
            if sequence.trained_tokens() == 0 {
                return Ok(Tokenized::Dropped(DropReason::NothingLeft));
            }
        }
        Ok(Tokenized::Used { sequence, truncated })
    }

    fn sequence(&self, row: &DatasetRow) -> Result<SftSequence, PromptError> {
        let messages: Vec<Value> = row.messages.iter().cloned().map(Value::Object).collect();
        let prompt = |messages, add_generation_prompt| {
            let kwargs = Map::new();
            let tools = row.tools.as_deref();
            let continue_final_message = false;
            let input = RenderInput { messages, tools, add_generation_prompt, continue_final_message, kwargs: &kwargs };
            render_prompt(self.model.template, self.model.tokenizer, &input)
        };
        let whole = prompt(&messages, false)?;
        if let (AssistantTurns::Last, Some((_, before))) = (self.turns, messages.split_last()) {
            // A template may refuse a conversation without its last turn, or show it otherwise.
            let start = prompt(before, true).ok();
            let (tokens, begin) = match start.as_ref().and_then(|start| whole.split_after(start)) {
                Some((asked, reply)) => {
                    let (mut tokens, reply) = (whole.encode_piece(asked)?, whole.encode_piece(reply)?);
                    // A template without generation prompts leaves the header to the reply.
                    let begin = tokens.len() + self.headers.leading(&reply);
                    tokens.extend(reply);
                    (tokens, begin)
                }
                None => {
                    let tokens = whole.encode()?;
                    let begin = self.headers.last_turn(&tokens).unwrap_or(tokens.len());
                    (tokens, begin)
                }
            };
            let trained = (0..tokens.len()).map(|place| place >= begin.max(1)).collect();
            return Ok(SftSequence { tokens, trained });
        }
        let tokens = whole.encode()?;
        let trained = self.headers.labels(&tokens);
        Ok(SftSequence { tokens, trained })
    }
}

#[cfg(test)]
mod tests;
