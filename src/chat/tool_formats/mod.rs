//! Syntax of a model's tool calls, detected from its chat template and vocabulary. It is that of Hermes where the template does not
//! show tools or calls: the prompt then has them in this form.
//!
//! | format | text of two calls |
//! |---|---|
//! | Hermes | `<tool_call>\n{"name": "f", "arguments": {…}}\n</tool_call>\n<tool_call>…` |
//! | Llama 3 | `{"name": "f", "parameters": {…}}; {"name": …}`, perhaps after `<\|python_tag\|>` |
//! | Mistral | `[TOOL_CALLS] [{"name": "f", "arguments": {…}}, {"name": …}]` |
//! | Qwen3.5, Qwen3-Coder | `<tool_call>\n<function=f>\n<parameter=a>\n1\n</parameter>\n</function>\n</tool_call>\n<tool_call>…` |
//! | LFM2 | `<\|tool_call_start\|>[f(a=1, b='x'), g()]<\|tool_call_end\|>` |
//! | Gemma 4 | `<\|tool_call>call:f{a:1,b:<\|"\|>x<\|"\|>}<tool_call\|><\|tool_call>…` |
//! | gpt-oss | ` to=functions.f<\|channel\|>commentary json<\|message\|>{…}<\|call\|>`, one call in a completion |
//!
//! A format is a row of [`ToolFormatKind::syntax`]: its markers, and the pieces around names and arguments. A new notation of
//! arguments also has a reader in [`tools`](super::tools) and rules in [`call_grammar`](super::call_grammar).

use serde_json::{Map, Value, json};

use crate::text::{ChatTemplate, Tokenizer};

/// A syntax of tool calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ToolFormatKind {
    /// Each call in its own pair of tags.
    Hermes,
    /// JSON as the whole completion.
    Llama,
    /// One list of calls after a marker.
    Mistral,
    /// Tags for the function and for each parameter.
    Qwen,
    /// A list of Python's calls.
    Lfm,
    /// Calls with names and values in braces.
    Gemma,
    /// A message of its own for the call.
    GptOss,
}

/// Notation of a call's arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Notation {
    /// A JSON object.
    Json,
    /// A tag for each parameter, around its text or JSON.
    Parameters,
    /// Names and literals.
    Literals(Literals),
}

/// Literals of Python, or like them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Literals {
    /// Quotes of a text; the first ones are the template's.
    pub quotes: &'static [&'static str],
    /// Whether a backslash escapes the character after it.
    pub escapes: bool,
    /// Separator of a name and its value.
    pub assigns: char,
    /// Bracket around a list of calls, and the bracket around the members of one.
    pub list: Option<[char; 2]>,
    pub call: [char; 2],
    /// Separator of two members, as the template prints it, and whether it sorts them by name.
    pub separator: &'static str,
    pub is_sorted: bool,
    /// Text of true, false and null.
    pub words: [&'static str; 3],
}

/// A part of a format's row.
#[derive(Debug, Clone, Copy)]
enum Cell {
    /// A marker, which may be a control token.
    Marker(&'static str),
    Text(&'static str),
    /// The function's name, as it is and as JSON.
    Name,
    JsonName,
    /// White space of the template after the opening marker and before the closing one.
    OpenGap,
    CloseGap,
}
use Cell::{CloseGap, JsonName, Marker, Name, OpenGap, Text};

/// A row of the table of formats.
struct Syntax {
    name: &'static str,
    /// Text that the template shows for a call of `example_name` with `example_key`.
    shown: &'static str,
    /// Markers that may be one token: the one that opens a call or a list of calls, then the one that closes it, then others.
    markers: &'static [&'static str],
    notation: Notation,
    /// Pieces before the first call, before arguments, after arguments, and after the last call.
    pieces: [&'static [Cell]; 4],
    /// Text between two calls; `None` if a completion has one call at most.
    between: Option<&'static str>,
}

const PYTHON: Literals = Literals {
    quotes: &["'", "\""],
    escapes: true,
    assigns: '=',
    list: Some(['[', ']']),
    call: ['(', ')'],
    separator: ", ",
    is_sorted: false,
    words: ["True", "False", "None"],
};
const GEMMA: Literals = Literals {
    quotes: &["<|\"|>"],
    escapes: false,
    assigns: ':',
    list: None,
    call: ['{', '}'],
    separator: ",",
    is_sorted: true,
    words: ["true", "false", "None"],
};

impl ToolFormatKind {
    /// All formats, those with the more particular text first.
    const ALL: [Self; 7] = [Self::Mistral, Self::Qwen, Self::Hermes, Self::Lfm, Self::Gemma, Self::GptOss, Self::Llama];

    fn syntax(self) -> &'static Syntax {
        match self {
            Self::Hermes => &Syntax {
                name: "hermes",
                shown: "<tool_call>",
                markers: &["<tool_call>", "</tool_call>"],
                notation: Notation::Json,
                pieces: [
                    &[],
                    &[Marker("<tool_call>"), OpenGap, Text("{\"name\": "), JsonName, Text(", \"arguments\": ")],
                    &[Text("}"), CloseGap, Marker("</tool_call>")],
                    &[],
                ],
                between: Some("\n"),
            },
            Self::Llama => &Syntax {
                name: "llama3",
                shown: "\"parameters\": {\"example_key\"",
                markers: &["<|python_tag|>"],
                notation: Notation::Json,
                pieces: [&[], &[Text("{\"name\": "), JsonName, Text(", \"parameters\": ")], &[Text("}")], &[]],
                between: Some("; "),
            },
            Self::Mistral => &Syntax {
                name: "mistral",
                shown: "[TOOL_CALLS]",
                markers: &["[TOOL_CALLS]"],
                notation: Notation::Json,
                pieces: [
                    &[Marker("[TOOL_CALLS]"), OpenGap, Text("[")],
                    &[Text("{\"name\": "), JsonName, Text(", \"arguments\": ")],
                    &[Text("}")],
                    &[Text("]")],
                ],
                between: Some(", "),
            },
            Self::Qwen => &Syntax {
                name: "qwen3_coder",
                shown: "<function=example_name>",
                markers: &["<tool_call>", "</tool_call>"],
                notation: Notation::Parameters,
                pieces: [
                    &[],
                    &[Marker("<tool_call>"), Text("\n<function="), Name, Text(">\n")],
                    &[Text("</function>\n"), Marker("</tool_call>")],
                    &[],
                ],
                between: Some("\n"),
            },
            Self::Lfm => &Syntax {
                name: "lfm2",
                shown: "<|tool_call_start|>",
                markers: &["<|tool_call_start|>", "<|tool_call_end|>"],
                notation: Notation::Literals(PYTHON),
                pieces: [
                    &[Marker("<|tool_call_start|>"), Text("[")],
                    &[Name, Text("(")],
                    &[Text(")")],
                    &[Text("]"), Marker("<|tool_call_end|>")],
                ],
                between: Some(", "),
            },
            Self::Gemma => &Syntax {
                name: "gemma4",
                shown: "<|tool_call>call:",
                markers: &["<|tool_call>", "<tool_call|>", "<|\"|>"],
                notation: Notation::Literals(GEMMA),
                pieces: [
                    &[],
                    &[Marker("<|tool_call>"), Text("call:"), Name, Text("{")],
                    &[Text("}"), Marker("<tool_call|>")],
                    &[],
                ],
                between: Some(""),
            },
            Self::GptOss => &Syntax {
                name: "gpt_oss",
                shown: "to=functions.example_name",
                markers: &super::channels::MARKERS,
                notation: Notation::Json,
                pieces: [
                    &[],
                    &[
                        Text(" to=functions."),
                        Name,
                        Marker("<|channel|>"),
                        Text("commentary json"),
                        Marker("<|message|>"),
                    ],
                    &[],
                    &[],
                ],
                between: None,
            },
        }
    }

    /// Returns the name of the format.
    pub(crate) fn name(self) -> &'static str {
        self.syntax().name
    }

    /// Returns the notation of arguments.
    pub(super) fn notation(self) -> Notation {
        self.syntax().notation
    }

    /// Returns the marker that opens a call or a list of calls. It is optional for [`Self::Llama`].
    pub(super) fn open(self) -> &'static str {
        self.syntax().markers[0]
    }

    /// Returns the marker that closes a call or a list of calls after its bracket; empty if there is none.
    pub(super) fn close(self) -> &'static str {
        self.syntax().markers.get(1).copied().unwrap_or_default()
    }
}

/// Tool-call syntax of one model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ToolFormat {
    kind: ToolFormatKind,
    /// White space of the template between the marker and the first call, and between a call and the closing tag.
    gaps: (String, String),
    /// Markers that are one token: id and spelling.
    tokens: Vec<(u32, &'static str)>,
    /// Those of them that are control tokens and so have no text.
    control: Vec<(u32, &'static str)>,
}

/// A piece of a call's syntax.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CallPiece {
    /// Text.
    Text(String),
    /// A control token.
    Token(u32),
}

impl ToolFormat {
    /// Detects the format from the template's rendering of a call. Falls back to the vocabulary.
    pub(crate) fn of(template: &ChatTemplate, tokenizer: &Tokenizer) -> Self {
        let arguments: Map<String, Value> = [("example_key".to_owned(), json!("example_value"))].into_iter().collect();
        let shown = template.render_call("example_name", &arguments).unwrap_or_default();
        let has = |kind: ToolFormatKind| tokenizer.token_to_id(kind.open()).is_some();
        let kind = if !template.shows_tools() {
            ToolFormatKind::Hermes
        } else if let Some(kind) = ToolFormatKind::ALL.into_iter().find(|kind| shown.contains(kind.syntax().shown)) {
            kind
        } else {
            let of_vocabulary = [ToolFormatKind::Mistral, ToolFormatKind::Hermes, ToolFormatKind::Llama];
            of_vocabulary.into_iter().find(|kind| has(*kind)).unwrap_or(ToolFormatKind::Hermes)
        };
        let markers = kind.syntax().markers.iter();
        let tokens: Vec<(u32, &str)> =
            markers.filter_map(|spelling| Some((tokenizer.token_to_id(spelling)?, *spelling))).collect();
        let control = tokens.iter().copied().filter(|(id, _)| tokenizer.is_control(*id)).collect();
        Self { kind, gaps: gaps(kind, &shown), tokens, control }
    }

    /// Returns the kind of the format.
    pub(crate) fn kind(&self) -> ToolFormatKind {
        self.kind
    }

    /// Returns the spelling of a marker that is a control token.
    pub(super) fn marker(&self, id: u32) -> Option<&'static str> {
        self.control.iter().find(|(marker, _)| *marker == id).map(|(_, spelling)| *spelling)
    }

    /// Returns the format whose pieces give each marker by its id if it is one token.
    pub(crate) fn with_tokens(&self) -> Self {
        Self { control: self.tokens.clone(), ..self.clone() }
    }

    /// Returns the pieces before the first call of a completion.
    pub(crate) fn before_calls(&self) -> Vec<CallPiece> {
        self.pieces(0, "")
    }

    /// Returns the pieces before the arguments of a call.
    pub(crate) fn before_arguments(&self, name: &str) -> Vec<CallPiece> {
        self.pieces(1, name)
    }

    /// Returns the pieces after the arguments of a call.
    pub(crate) fn after_arguments(&self) -> Vec<CallPiece> {
        self.pieces(2, "")
    }

    /// Returns the separator between two calls; `None` if a completion has one call at most.
    pub(crate) fn between_calls(&self) -> Option<&'static str> {
        self.kind.syntax().between
    }

    /// Returns the pieces after the last call of a completion.
    pub(crate) fn after_calls(&self) -> Vec<CallPiece> {
        self.pieces(3, "")
    }

    /// Returns a new unique id of a call: nine letters and digits where templates require this form.
    pub(super) fn call_id(&self) -> String {
        let uuid = uuid::Uuid::new_v4();
        if self.kind != ToolFormatKind::Mistral {
            return format!("call_{}", &uuid.simple().to_string()[..24]);
        }
        const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        // The first half holds 58 random bits in addition to the version; 62^9 is below 2^54.
        let mut number = uuid.as_u64_pair().0;
        let digits = std::iter::repeat_with(|| {
            let digit = ALPHABET[(number % 62) as usize];
            number /= 62;
            char::from(digit)
        });
        digits.take(9).collect()
    }

    /// Returns a marker as a piece.
    pub(crate) fn piece(&self, marker: &str) -> CallPiece {
        match self.control.iter().find(|(_, spelling)| *spelling == marker) {
            Some((id, _)) => CallPiece::Token(*id),
            None => CallPiece::Text(marker.to_owned()),
        }
    }

    /// Returns the pieces of a column of the format's row; neighbouring texts are one.
    fn pieces(&self, column: usize, name: &str) -> Vec<CallPiece> {
        let mut pieces: Vec<CallPiece> = Vec::new();
        for cell in self.kind.syntax().pieces[column] {
            let piece = match cell {
                Marker(marker) => self.piece(marker),
                Text(text) => CallPiece::Text((*text).to_owned()),
                Name => CallPiece::Text(name.to_owned()),
                JsonName => CallPiece::Text(json!(name).to_string()),
                OpenGap => CallPiece::Text(self.gaps.0.clone()),
                CloseGap => CallPiece::Text(self.gaps.1.clone()),
            };
            match (pieces.last_mut(), piece) {
                (Some(CallPiece::Text(before)), CallPiece::Text(text)) => before.push_str(&text),
                (_, piece) => pieces.push(piece),
            }
        }
        pieces
    }
}

/// Returns the template's white space after the opening marker and before the closing one.
fn gaps(kind: ToolFormatKind, shown: &str) -> (String, String) {
    let header = shown.rfind("\"example_name\"").unwrap_or(0);
    let space = |text: &str| text.chars().all(char::is_whitespace).then(|| text.to_owned());
    let first = shown[..header].rfind(kind.open()).and_then(|open| {
        let after = &shown[open + kind.open().len()..header];
        space(&after[..after.find(['{', '['])?])
    });
    let last = shown[header..].find(kind.close()).and_then(|close| {
        let before = &shown[header..header + close];
        space(&before[before.rfind('}')? + 1..])
    });
    let (open_default, close_default) = match kind {
        ToolFormatKind::Hermes => ("\n", "\n"),
        ToolFormatKind::Mistral => (" ", ""),
        _ => ("", ""),
    };
    (first.unwrap_or_else(|| open_default.to_owned()), last.unwrap_or_else(|| close_default.to_owned()))
}

#[cfg(test)]
mod tests;
