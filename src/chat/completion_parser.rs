//! Splits the text of a completion into reasoning content, content and tool calls.

use serde_json::Value;

use super::channels::{self, ChannelPart, ChannelReader};
use super::delta::ChatDelta;
use super::reasoning::{ReasoningForm, ReasoningSplitter};
use super::tool_formats::ToolFormat;
use super::tools::{CallReader, Part, ToolCallDelta, ToolCallStart, reader};

/// Starting state of a completion's text, and the parts that it may contain beside content.
#[derive(Debug, Clone, Default)]
pub(super) struct CompletionForm {
    /// Whether the completion continues a text; a space at its start is then kept.
    pub continues: bool,
    /// Form of reasoning content; `None` if there is none.
    pub reasoning: Option<ReasoningForm>,
    /// Form of tool calls; `None` if the completion may not call tools.
    pub tools: Option<ToolForm>,
}

/// Tool calls that a completion may contain.
#[derive(Debug, Clone)]
pub(super) struct ToolForm {
    /// Syntax of a call.
    pub format: ToolFormat,
    /// Functions that may be called.
    pub functions: Vec<Value>,
    /// Whether the completion ends with its first call.
    pub single: bool,
}

/// Parses a completion's text incrementally.
pub(super) struct CompletionParser {
    reader: Reader,
    /// Syntax of calls; `None` if the completion may not call tools.
    format: Option<ToolFormat>,
    /// Control tokens that delimit reasoning content.
    markers: &'static [&'static str],
    single: bool,
    /// Number of calls so far.
    calls: u32,
}

/// Reader of a completion's parts.
enum Reader {
    /// Reasoning content first, and calls inside the content.
    Tags(Option<ReasoningSplitter>, Option<Box<dyn CallReader>>),
    /// A message for each part.
    Channels(ChannelReader),
}

impl CompletionParser {
    /// Creates a parser at the start of a completion.
    pub(super) fn new(form: CompletionForm) -> Self {
        let single = form.tools.as_ref().is_some_and(|tools| tools.single);
        let calls = || form.tools.as_ref().map(|tools| reader(&tools.format, &tools.functions));
        let (reader, markers): (_, &[&str]) = match form.reasoning {
            None => (Reader::Tags(None, calls()), &[]),
            Some(ReasoningForm::Tags { tags, opened }) => {
                (Reader::Tags(Some(ReasoningSplitter::new(tags, opened)), calls()), &tags.markers)
            }
            Some(ReasoningForm::Channels { header }) => {
                (Reader::Channels(ChannelReader::new(&header, form.tools.is_some())), &channels::MARKERS)
            }
        };
        Self { reader, format: form.tools.map(|tools| tools.format), markers, single, calls: 0 }
    }

    /// Returns the text of a control token that delimits reasoning content or tool calls.
    pub(super) fn marker(&self, spelling: Option<&str>, id: u32) -> Option<String> {
        let tag = spelling.filter(|spelling| self.markers.contains(spelling));
        let call = || self.format.as_ref().and_then(|format| format.marker(id));
        tag.or_else(call).map(str::to_owned)
    }

    /// Parses more text and appends the result to `delta`. Returns true if the completion ends here, with its only call.
    pub(super) fn push(&mut self, text: &str, delta: &mut ChatDelta) -> bool {
        match &mut self.reader {
            Reader::Tags(None, _) => self.parse(text, delta),
            Reader::Tags(Some(splitter), _) => {
                let split = splitter.push(text);
                delta.reasoning.push_str(&split.reasoning);
                self.parse(&split.content, delta)
            }
            Reader::Channels(reader) => {
                let parts = reader.push(text);
                self.take_channels(parts, delta)
            }
        }
    }

    /// Ends the text and appends the rest to `delta`.
    pub(super) fn finish(&mut self, delta: &mut ChatDelta) {
        match &mut self.reader {
            Reader::Tags(splitter, _) => {
                let rest = splitter.as_mut().map(ReasoningSplitter::finish).unwrap_or_default();
                delta.reasoning.push_str(&rest.reasoning);
                if self.parse(&rest.content, delta) {
                    return;
                }
                let Reader::Tags(_, Some(calls)) = &mut self.reader else { return };
                let parts = calls.finish();
                self.take(parts, delta);
            }
            Reader::Channels(reader) => {
                let parts = reader.finish();
                self.take_channels(parts, delta);
            }
        }
    }

    /// Returns whether the completion called a tool.
    pub(super) fn called(&self) -> bool {
        self.calls > 0
    }

    fn parse(&mut self, text: &str, delta: &mut ChatDelta) -> bool {
        match &mut self.reader {
            Reader::Tags(_, Some(calls)) => {
                let parts = calls.push(text);
                self.take(parts, delta)
            }
            _ => {
                delta.content.push_str(text);
                false
            }
        }
    }

    fn take_channels(&mut self, parts: Vec<ChannelPart>, delta: &mut ChatDelta) -> bool {
        parts.into_iter().any(|part| match part {
            ChannelPart::Reasoning(text) => {
                delta.reasoning.push_str(&text);
                false
            }
            ChannelPart::Other(part) => self.take([part], delta),
        })
    }

    fn take(&mut self, parts: impl IntoIterator<Item = Part>, delta: &mut ChatDelta) -> bool {
        for part in parts {
            match part {
                Part::Text(text) => delta.content.push_str(&text),
                Part::Call(name) => {
                    let id = self.format.as_ref().map(ToolFormat::call_id).unwrap_or_default();
                    let start = Some(ToolCallStart { id, name });
                    delta.tool_calls.push(ToolCallDelta { index: self.calls, start, arguments: String::new() });
                    self.calls += 1;
                }
                Part::Arguments(arguments) => match delta.tool_calls.last_mut() {
                    Some(call) => call.arguments.push_str(&arguments),
                    None => {
                        let index = self.calls.saturating_sub(1);
                        delta.tool_calls.push(ToolCallDelta { index, start: None, arguments });
                    }
                },
                Part::End if self.single => return true,
                Part::End => {}
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::chat::reasoning::ReasoningStyle;
    use crate::chat::tool_formats::ToolFormatKind;

    fn parser(kind: ToolFormatKind, reasoning: Option<ReasoningForm>) -> CompletionParser {
        let functions = vec![json!({"name": "f"})];
        let tools = ToolForm { format: ToolFormat::plain(kind), functions, single: true };
        CompletionParser::new(CompletionForm { continues: false, reasoning, tools: Some(tools) })
    }

    #[test]
    fn messages_of_channels_are_told_apart_by_their_markers() {
        let form = ReasoningForm::after(Some(ReasoningStyle::Channels), "<|start|>assistant");
        let (mut parser, mut delta) = (parser(ToolFormatKind::GptOss, form), ChatDelta::default());
        assert_eq!(parser.marker(Some("<|end|>"), 5).as_deref(), Some("<|end|>"));
        assert_eq!(parser.marker(Some("<|im_end|>"), 5), None);
        let thoughts = ["<|channel|>", "analysis", "<|message|>", "hm", "<|end|>", "<|start|>", "assistant"];
        let call =
            ["<|channel|>", "commentary to=functions.f ", "<|constrain|>", "json", "<|message|>", "{\"a\"", ": 1}"];
        for piece in thoughts.into_iter().chain(call) {
            assert!(!parser.push(piece, &mut delta), "{piece}");
        }
        assert!(parser.push("<|call|>", &mut delta), "the completion ends with its only call");
        assert_eq!((delta.reasoning.as_str(), delta.content.as_str()), ("hm", ""));
        let [call] = &delta.tool_calls[..] else { panic!("{delta:?}") };
        assert_eq!((call.start.as_ref().unwrap().name.as_str(), call.arguments.as_str()), ("f", "{\"a\": 1}"));
        assert!(parser.called());
    }

    #[test]
    fn tags_of_a_model_come_before_its_calls() {
        let form = |prompt: &str| ReasoningForm::after(None, prompt);
        assert_eq!(form("<|im_start|>assistant\n"), None);
        let mut parser = parser(ToolFormatKind::Qwen, form("<|im_start|>assistant\n<think>\n"));
        assert_eq!(parser.marker(Some("</think>"), 5).as_deref(), Some("</think>"));
        let mut delta = ChatDelta::default();
        parser.push("hm\n</think>\n\nI look.\n\n<tool_call>\n<function=f>\n", &mut delta);
        parser.push("<parameter=a>\n1\n</parameter>\n</function>\n", &mut delta);
        parser.finish(&mut delta);
        assert_eq!((delta.reasoning.as_str(), delta.content.as_str()), ("hm", "I look."));
        assert_eq!(delta.tool_calls[0].arguments, "{\"a\": 1}");
    }
}
