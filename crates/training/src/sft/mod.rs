//! Data of supervised fine-tuning: turns conversations into labelled token sequences.
//!
//! The data is read twice, so that memory does not grow with its size: [`prepare`] validates and measures every row
//! before training starts, and [`reader`] tokenises each row again when a step needs it.
//!
//! Assistant output is trained. With `assistant_turns` of `all`, the trained part extends from right after the header
//! of an assistant turn, including its line break, to the next header of a user turn or the end. The end of every
//! assistant turn is therefore trained, and so is anything else (such as a system message) between an assistant turn
//! and the next user turn. With `last`, the trained part is the text after the prompt that sampling would use for the
//! last turn. In both cases a message with `weight` 0 is context only, and so is any text between it and the next turn.

use serde_json::Value;

use trainyard_text::{PromptError, RenderInput, TemplateError, TokenizerError, render_prompt};

use super::config::{AssistantTurns, ConfigError, OverlongRows, SftConfig};
use super::dataset::{DataLine, DatasetError, DatasetRow, is_untrained};
use super::tokenize::TextModel;
use super::trajectory::Item;

mod prepare;
mod reader;

pub(crate) use prepare::SftRow;
#[cfg(test)]
pub(crate) use prepare::SftStatistics;
pub use prepare::{PreparedSft, prepare_sft};
pub use reader::SftReader;
pub(crate) use reader::SftRows;

/// A family of templates, by the texts around its turns.
struct TemplateFamily {
    /// Headers of user and assistant turns. The line breaks at their ends are optional.
    user: &'static str,
    assistant: &'static str,
    /// Start and end of a tool's result, if it is inside an assistant turn.
    result: Option<[&'static str; 2]>,
}

impl TemplateFamily {
    const fn new(user: &'static str, assistant: &'static str) -> Self {
        Self { user, assistant, result: None }
    }
}

/// Known families.
const FAMILIES: [TemplateFamily; 8] = [
    // Phi-4, whose headers begin like those of ChatML
    TemplateFamily::new("<|im_start|>user<|im_sep|>", "<|im_start|>assistant<|im_sep|>"),
    // ChatML
    TemplateFamily::new("<|im_start|>user\n", "<|im_start|>assistant\n"),
    // Llama 3
    TemplateFamily::new(
        "<|start_header_id|>user<|end_header_id|>\n\n",
        "<|start_header_id|>assistant<|end_header_id|>\n\n",
    ),
    // Gemma
    TemplateFamily::new("<start_of_turn>user\n", "<start_of_turn>model\n"),
    // Gemma 4
    TemplateFamily {
        result: Some(["<|tool_response>", "<tool_response|>"]),
        ..TemplateFamily::new("<|turn>user\n", "<|turn>model\n")
    },
    // gpt-oss, where a turn is a message for each channel
    TemplateFamily {
        result: Some(["<|start|>functions", "<|end|>"]),
        ..TemplateFamily::new("<|start|>user<|message|>", "<|start|>assistant")
    },
    // Mistral
    TemplateFamily::new("[INST]", "[/INST]"),
    // Phi-3, Phi-3.5 and Phi-4-mini
    TemplateFamily::new("<|user|>\n", "<|assistant|>\n"),
];

/// Error in data or options that prevents training.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum PrepareSftError {
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    #[error("{at}: {source}")]
    Render { at: DataLine, source: PromptError },
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(
        "the chat template of the base model has no known turn headers (ChatML, Llama 3, Gemma, gpt-oss, Mistral or Phi), so assistant turns cannot be located"
    )]
    UnknownTemplate,
    #[error("{0} changed while the job ran")]
    Changed(DataLine),
    #[error(
        "{0}: the chat template of the base model does not show one header for each message of the assistant, so those with \
         `weight` 0 cannot be told apart; leave out `weight`, or train the last turn alone"
    )]
    Weights(DataLine),
    #[error("the reading of the training data was stopped")]
    Stopped,
    #[error("the chat template of the base model fails on a plain conversation: {0}")]
    Template(PromptError),
}

/// Token ids of the headers that open user and assistant turns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TurnHeaders {
    /// Header of a user turn.
    pub user: Vec<u32>,
    /// Header of an assistant turn.
    pub assistant: Vec<u32>,
    /// Line breaks that may follow the header of an assistant turn.
    pub after_assistant: Vec<u32>,
    /// Start and end of a tool's result inside an assistant turn.
    pub result: Option<[Vec<u32>; 2]>,
}

impl TurnHeaders {
    /// Detects the template's family by rendering a plain conversation.
    ///
    /// # Errors
    /// The template fails or belongs to no known family.
    pub(crate) fn detect(model: &TextModel<'_>) -> Result<Self, PrepareSftError> {
        let message = |role: &str| {
            let fields = [("role".to_owned(), Value::from(role)), ("content".to_owned(), "x".into())];
            Value::Object(fields.into_iter().collect())
        };
        let input = RenderInput { messages: vec![message("user"), message("assistant")], ..RenderInput::default() };
        let failed = |error: TemplateError| PrepareSftError::Template(error.into());
        let text = model.template.render(input).map_err(failed)?;
        let shown = |header: &str| text.contains(header.trim_end());
        let family = FAMILIES.iter().find(|family| shown(family.user) && shown(family.assistant));
        let TemplateFamily { user, assistant, result } = family.ok_or(PrepareSftError::UnknownTemplate)?;
        let encode = |text: &str| {
            model.tokenizer.encode(text).map_err(|error: TokenizerError| PrepareSftError::Template(error.into()))
        };
        let line_breaks = &assistant[assistant.trim_end().len()..];
        let result = match result {
            Some([start, end]) => Some([encode(start)?, encode(end)?]),
            None => None,
        };
        Ok(Self {
            user: encode(user.trim_end())?,
            assistant: encode(assistant.trim_end())?,
            after_assistant: encode(line_breaks)?,
            result,
        })
    }

    /// Returns which tokens are trained. The first token never is, because no token precedes it.
    pub(crate) fn labels(&self, tokens: &[u32]) -> Vec<bool> {
        let mut trained = vec![false; tokens.len()];
        let mut from = 0;
        while let Some(start) = find(tokens, &self.assistant, from) {
            let mut begin = start + self.assistant.len();
            // As in the method that this implements, each line break is searched for one token further on: a single one
            // after the header stays trained; of two, the first does not.
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
        self.take_out_results(tokens, &mut trained);
        if let Some(first) = trained.first_mut() {
            *first = false;
        }
        trained
    }

    /// Removes the results of tools from the labels.
    fn take_out_results(&self, tokens: &[u32], labels: &mut [bool]) {
        let Some([start, end]) = &self.result else { return };
        let mut from = 0;
        while let Some(begin) = find(tokens, start, from) {
            from = find(tokens, end, begin).map_or(tokens.len(), |at| at + end.len());
            labels[begin..from].fill(false);
        }
    }

    /// Removes the turns of `untrained` messages from the labels. `untrained` has one item for each assistant message.
    /// Returns whether the tokens have as many turns.
    fn take_out(&self, tokens: &[u32], untrained: &[bool], labels: &mut [bool]) -> bool {
        let mut begins = Vec::new();
        let mut from = 0;
        while let Some(start) = find(tokens, &self.assistant, from) {
            from = start + self.assistant.len();
            begins.push(from);
        }
        for (turn, begin) in begins.iter().enumerate().filter(|(turn, _)| untrained.get(*turn) == Some(&true)) {
            // The range includes the header of the next assistant turn if no user turn is in between.
            let next = begins.get(turn + 1).copied().unwrap_or(tokens.len());
            let end = find(tokens, &self.user, *begin).map_or(next, |user| user.min(next));
            labels[*begin..end].fill(false);
        }
        begins.len() == untrained.len()
    }

    /// Returns the number of tokens of the longest header, with its line breaks.
    fn longest(&self) -> usize {
        self.user.len().max(self.assistant.len() + self.after_assistant.len())
    }

    /// Returns the start of the last assistant turn, after its header.
    fn last_turn(&self, tokens: &[u32]) -> Option<usize> {
        let header = tokens.windows(self.assistant.len()).rposition(|window| window == self.assistant)?;
        Some(header + self.leading(&tokens[header..]))
    }

    /// Returns the number of leading tokens that form an assistant header, including its line break; 0 without a
    /// header.
    fn leading(&self, turn: &[u32]) -> usize {
        let Some(rest) = turn.strip_prefix(self.assistant.as_slice()) else { return 0 };
        let line_break = if rest.starts_with(&self.after_assistant) { self.after_assistant.len() } else { 0 };
        self.assistant.len() + line_break
    }
}

/// Returns the first position at or after `from` where `part` occurs.
fn find(tokens: &[u32], part: &[u32], from: usize) -> Option<usize> {
    if part.is_empty() {
        return None;
    }
    tokens.get(from..)?.windows(part.len()).position(|window| window == part).map(|position| from + position)
}

/// Tokens and labels of one conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SftSequence {
    /// Token ids.
    pub tokens: Vec<u32>,
    /// Whether each token is trained.
    pub trained: Vec<bool>,
}

impl SftSequence {
    /// Returns the number of trained tokens.
    pub fn trained_tokens(&self) -> usize {
        self.trained.iter().filter(|trained| **trained).count()
    }
}

/// Reason why a row is dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DropReason {
    /// The row exceeds the limit, and overlong rows are dropped.
    TooLong,
    /// The row exceeds the limit, and truncation leaves no trained tokens.
    NothingLeft,
    /// The row has no assistant turn to train.
    NoAssistantTurn,
    /// The last message is not the assistant's, and only the last turn is trained.
    LastTurnNotAssistant,
}

impl DropReason {
    /// Returns the name in events.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::TooLong => "too_long",
            Self::NothingLeft => "nothing_left_of_it",
            Self::NoAssistantTurn => "no_assistant_turn",
            Self::LastTurnNotAssistant => "last_turn_not_assistant",
        }
    }
}

/// Result of tokenising a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tokenized {
    /// The row is trained.
    Used {
        /// Tokens and labels.
        sequence: SftSequence,
        /// Whether the end was truncated.
        truncated: bool,
    },
    /// The row is dropped.
    Dropped(DropReason),
}

/// Turns rows into tokens and labels, deterministically.
pub struct SftTokenizer<'a> {
    model: TextModel<'a>,
    headers: TurnHeaders,
    turns: AssistantTurns,
    overlong: OverlongRows,
    /// Token limit of a row.
    limit: usize,
}

impl<'a> SftTokenizer<'a> {
    /// Creates a tokenizer. `max_length` is the model's token limit; the options may lower it.
    ///
    /// # Errors
    /// Assistant turns cannot be located in the output of the model's chat template.
    pub fn new(model: &TextModel<'a>, config: &SftConfig, max_length: usize) -> Result<Self, PrepareSftError> {
        Ok(Self {
            model: *model,
            headers: TurnHeaders::detect(model)?,
            turns: config.assistant_turns,
            overlong: config.overlong_rows,
            limit: config.max_sequence_length.map_or(max_length, |limit| limit.min(max_length)),
        })
    }

    /// Returns tokens and labels of a row, or the reason why it is dropped.
    ///
    /// # Errors
    /// The chat template or the tokenizer rejects the row.
    pub fn tokenize(&self, row: DatasetRow) -> Result<Tokenized, PrepareSftError> {
        let at = row.at;
        let from_assistant = |message: &Item| message.get("role").is_some_and(|role| role == "assistant");
        let ends_with_assistant = row.messages.last().is_some_and(from_assistant);
        let end_is_untrained = row.messages.last().is_some_and(is_untrained);
        let of_assistant = row.messages.iter().filter(|message| from_assistant(message));
        let untrained: Vec<bool> = of_assistant.map(is_untrained).collect();
        let Start { mut sequence, is_whole } =
            self.start(row).map_err(|source| PrepareSftError::Render { at, source })?;
        if self.turns == AssistantTurns::Last && !ends_with_assistant {
            return Ok(Tokenized::Dropped(DropReason::LastTurnNotAssistant));
        }
        let truncated = sequence.tokens.len() > self.limit;
        if truncated && self.overlong == OverlongRows::Drop {
            return Ok(Tokenized::Dropped(DropReason::TooLong));
        }
        match self.turns {
            AssistantTurns::Last if end_is_untrained => sequence.trained.fill(false),
            AssistantTurns::All if untrained.contains(&true) => {
                if !is_whole {
                    // Whether each message has a turn shows at the end only.
                    return Ok(Tokenized::Dropped(DropReason::TooLong));
                }
                if !self.headers.take_out(&sequence.tokens, &untrained, &mut sequence.trained) {
                    return Err(PrepareSftError::Weights(at));
                }
            }
            _ => {}
        }
        if is_whole && sequence.trained_tokens() == 0 {
            return Ok(Tokenized::Dropped(DropReason::NoAssistantTurn));
        }
        if truncated {
            sequence.tokens.truncate(self.limit);
            sequence.trained.truncate(self.limit);
            if sequence.trained_tokens() == 0 {
                return Ok(Tokenized::Dropped(DropReason::NothingLeft));
            }
        }
        Ok(Tokenized::Used { sequence, truncated })
    }

    /// Returns tokens and labels of a row. Of one that is far too long, only the beginning is encoded.
    fn start(&self, row: DatasetRow) -> Result<Start, PromptError> {
        let prompt = |messages, tools, add_generation_prompt| {
            let input = RenderInput { messages, tools, add_generation_prompt, ..RenderInput::default() };
            render_prompt(self.model.template, self.model.tokenizer, input)
        };
        let messages: Vec<Value> = row.messages.into_iter().map(Value::Object).collect();
        let tools = row.tools.unwrap_or_default();
        let before = match (self.turns, messages.split_last()) {
            (AssistantTurns::Last, Some((_, before))) => Some((before.to_vec(), tools.clone())),
            _ => None,
        };
        let whole = prompt(messages, tools, false)?;
        // A header that begins within the limit is encoded to its end.
        let most = self.limit.saturating_add(self.headers.longest());
        if let Some((before, tools)) = before {
            // A template may reject a conversation without its last turn, or render it differently.
            let start = prompt(before, tools, true).ok();
            let (tokens, rest, begin) = match start.as_ref().and_then(|start| whole.split_after(start)) {
                Some((asked, reply)) => {
                    let (mut tokens, rest) = whole.encode_start(asked, most)?;
                    let (reply, rest) = match rest {
                        "" => whole.encode_start(reply, most.saturating_sub(tokens.len()))?,
                        rest => (Vec::new(), rest),
                    };
                    // With a template without generation prompts, the header is part of the reply.
                    let begin = tokens.len() + self.headers.leading(&reply);
                    tokens.extend(reply);
                    (tokens, rest, begin)
                }
                None => {
                    let (tokens, rest) = whole.encode_start(whole.text(), most)?;
                    // The last turn is not seen in the beginning of a text.
                    let begin = self.headers.last_turn(&tokens).filter(|_| rest.is_empty());
                    let begin = begin.unwrap_or(tokens.len());
                    (tokens, rest, begin)
                }
            };
            let trained = (0..tokens.len()).map(|position| position >= begin.max(1)).collect();
            return Ok(Start { sequence: SftSequence { tokens, trained }, is_whole: rest.is_empty() });
        }
        let (tokens, rest) = whole.encode_start(whole.text(), most)?;
        let trained = self.headers.labels(&tokens);
        Ok(Start { sequence: SftSequence { tokens, trained }, is_whole: rest.is_empty() })
    }
}

/// Tokens and labels of a row, or of its beginning.
struct Start {
    sequence: SftSequence,
    /// Whether the row is encoded to its end. Otherwise it has more tokens than the limit.
    is_whole: bool,
}

#[cfg(test)]
mod tests;
