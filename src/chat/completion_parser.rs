//! Splits the text of a completion into reasoning content, content and tool calls.

use super::delta::ChatDelta;
use super::reasoning::ReasoningSplitter;
use super::tool_formats::ToolFormat;
use super::tools::{Part, ToolCallDelta, ToolCallStart, ToolParser};

/// Starting state of a completion's text, and the parts that it may contain beside content.
#[derive(Debug, Clone, Default)]
pub(super) struct CompletionForm {
    /// Whether the completion continues a text; a space at its start is then kept.
    pub continues: bool,
    /// `Some` if reasoning content may come first; true if the prompt has opened the block.
    pub reasoning: Option<bool>,
    /// Form of tool calls; `None` if the completion may not call tools.
    pub tools: Option<ToolForm>,
}

/// Tool calls that a completion may contain.
#[derive(Debug, Clone)]
pub(super) struct ToolForm {
    /// Syntax of a call.
    pub format: ToolFormat,
    /// Names of the tools that may be called.
    pub names: Vec<String>,
    /// Whether the completion ends with its first call.
    pub single: bool,
}

/// Parses a completion's text incrementally.
pub(super) struct CompletionParser {
    reasoning: Option<ReasoningSplitter>,
    tools: Option<(ToolParser, ToolFormat)>,
    single: bool,
    /// Number of calls so far.
    calls: u32,
}

impl CompletionParser {
    /// Creates a parser at the start of a completion.
    pub(super) fn new(form: CompletionForm) -> Self {
        let single = form.tools.as_ref().is_some_and(|tools| tools.single);
        Self {
            reasoning: form.reasoning.map(ReasoningSplitter::new),
            tools: form.tools.map(|tools| (ToolParser::new(&tools.format, tools.names), tools.format)),
            single,
            calls: 0,
        }
    }

    /// Returns the text of a control token that delimits reasoning content or tool calls.
    pub(super) fn marker(&self, spelling: Option<&str>, id: u32) -> Option<String> {
        let tag = spelling.filter(|spelling| {
            self.reasoning.is_some() && [super::reasoning::OPEN, super::reasoning::CLOSE].contains(spelling)
        });
        let call = || self.tools.as_ref().and_then(|(_, format)| format.marker(id));
        tag.or_else(call).map(str::to_owned)
    }

    /// Parses more text and appends the result to `delta`. Returns true if the completion ends here, with its only call.
    pub(super) fn push(&mut self, text: &str, delta: &mut ChatDelta) -> bool {
        let split = match &mut self.reasoning {
            None => return self.parse(text, delta),
            Some(splitter) => splitter.push(text),
        };
        delta.reasoning.push_str(&split.reasoning);
        self.parse(&split.content, delta)
    }

    /// Ends the text and appends the rest to `delta`.
    pub(super) fn finish(&mut self, delta: &mut ChatDelta) {
        if let Some(splitter) = &mut self.reasoning {
            let rest = splitter.finish();
            delta.reasoning.push_str(&rest.reasoning);
            if self.parse(&rest.content, delta) {
                return;
            }
        }
        let parts = self.tools.as_mut().map(|(parser, _)| parser.finish()).unwrap_or_default();
        self.take(parts, delta);
    }

    /// Returns whether the completion called a tool.
    pub(super) fn called(&self) -> bool {
        self.calls > 0
    }

    fn parse(&mut self, text: &str, delta: &mut ChatDelta) -> bool {
        match &mut self.tools {
            None => {
                delta.content.push_str(text);
                false
            }
            Some((parser, _)) => {
                let parts = parser.push(text);
                self.take(parts, delta)
            }
        }
    }

    fn take(&mut self, parts: Vec<Part>, delta: &mut ChatDelta) -> bool {
        let Some((_, format)) = &self.tools else { return false };
        for part in parts {
            match part {
                Part::Text(text) => delta.content.push_str(&text),
                Part::Call(name) => {
                    let start = Some(ToolCallStart { id: format.call_id(), name });
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
