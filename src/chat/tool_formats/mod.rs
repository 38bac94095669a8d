//! Syntax of a model's tool calls, detected from its chat template and vocabulary. It is that of Hermes where the template does not
//! show tools or calls: the prompt then has them in this form.
//!
//! | format | text of two calls |
//! |---|---|
//! | Hermes | `<tool_call>\n{"name": "f", "arguments": {…}}\n</tool_call>\n<tool_call>…` |
//! | Llama 3 | `{"name": "f", "parameters": {…}}; {"name": …}`, perhaps after `<\|python_tag\|>` |
//! | Mistral | `[TOOL_CALLS] [{"name": "f", "arguments": {…}}, {"name": …}]` |

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
}

/// Tool-call syntax of one model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ToolFormat {
    kind: ToolFormatKind,
    /// JSON key of a call's arguments.
    arguments_key: &'static str,
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

impl ToolFormatKind {
    /// Returns the name of the format.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Hermes => "hermes",
            Self::Llama => "llama3",
            Self::Mistral => "mistral",
        }
    }

    /// Returns the marker that opens a call or a list of calls. It is optional for [`Self::Llama`].
    pub(super) fn open(self) -> &'static str {
        match self {
            Self::Hermes => "<tool_call>",
            Self::Llama => "<|python_tag|>",
            Self::Mistral => "[TOOL_CALLS]",
        }
    }

    /// Returns the marker that closes each call after its bracket.
    pub(super) fn close(self) -> &'static str {
        match self {
            Self::Hermes => "</tool_call>",
            Self::Llama | Self::Mistral => "",
        }
    }
}

impl ToolFormat {
    /// Detects the format from the template's rendering of a call. Falls back to the vocabulary.
    pub(crate) fn of(template: &ChatTemplate, tokenizer: &Tokenizer) -> Self {
        let arguments: Map<String, Value> = [("example_key".to_owned(), json!("example_value"))].into_iter().collect();
        let shown = template.render_call("example_name", &arguments).unwrap_or_default();
        let has = |spelling: &str| tokenizer.token_to_id(spelling).is_some();
        let kind = if !template.shows_tools() {
            ToolFormatKind::Hermes
        } else if shown.contains(ToolFormatKind::Mistral.open()) {
            ToolFormatKind::Mistral
        } else if shown.contains(ToolFormatKind::Hermes.open()) {
            ToolFormatKind::Hermes
        } else if shown.contains(r#""parameters": {"example_key""#) {
            ToolFormatKind::Llama
        } else if has(ToolFormatKind::Mistral.open()) {
            ToolFormatKind::Mistral
        } else if has(ToolFormatKind::Llama.open()) && !has(ToolFormatKind::Hermes.open()) {
            ToolFormatKind::Llama
        } else {
            ToolFormatKind::Hermes
        };
        let tokens: Vec<(u32, &str)> = [kind.open(), kind.close()]
            .into_iter()
            .filter_map(|spelling| Some((tokenizer.token_to_id(spelling)?, spelling)))
            .collect();
        let control = tokens.iter().copied().filter(|(id, _)| tokenizer.is_control(*id)).collect();
        let arguments_key = if kind == ToolFormatKind::Llama { "parameters" } else { "arguments" };
        Self { kind, arguments_key, gaps: gaps(kind, &shown), tokens, control }
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
        match self.kind {
            ToolFormatKind::Mistral => vec![self.piece(self.kind.open()), CallPiece::Text(self.gaps.0.clone() + "[")],
            ToolFormatKind::Hermes | ToolFormatKind::Llama => Vec::new(),
        }
    }

    /// Returns the pieces before the arguments of a call.
    pub(crate) fn before_arguments(&self, name: &str) -> Vec<CallPiece> {
        let header = format!("{{\"name\": {}, \"{}\": ", json!(name), self.arguments_key);
        match self.kind {
            ToolFormatKind::Hermes => {
                vec![self.piece(self.kind.open()), CallPiece::Text(self.gaps.0.clone() + &header)]
            }
            ToolFormatKind::Llama | ToolFormatKind::Mistral => vec![CallPiece::Text(header)],
        }
    }

    /// Returns the pieces after the arguments of a call.
    pub(crate) fn after_arguments(&self) -> Vec<CallPiece> {
        match self.kind {
            ToolFormatKind::Hermes => {
                vec![CallPiece::Text(format!("}}{}", self.gaps.1)), self.piece(self.kind.close())]
            }
            ToolFormatKind::Llama | ToolFormatKind::Mistral => vec![CallPiece::Text("}".to_owned())],
        }
    }

    /// Returns the separator between two calls.
    pub(crate) fn between_calls(&self) -> &'static str {
        match self.kind {
            ToolFormatKind::Hermes => "\n",
            ToolFormatKind::Llama => "; ",
            ToolFormatKind::Mistral => ", ",
        }
    }

    /// Returns the text after the last call of a completion.
    pub(crate) fn after_calls(&self) -> &'static str {
        match self.kind {
            ToolFormatKind::Mistral => "]",
            ToolFormatKind::Hermes | ToolFormatKind::Llama => "",
        }
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

    fn piece(&self, marker: &str) -> CallPiece {
        match self.control.iter().find(|(_, spelling)| *spelling == marker) {
            Some((id, _)) => CallPiece::Token(*id),
            None => CallPiece::Text(marker.to_owned()),
        }
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
        ToolFormatKind::Llama => ("", ""),
    };
    (first.unwrap_or_else(|| open_default.to_owned()), last.unwrap_or_else(|| close_default.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::testing::tiny_tokenizer as tiny;

    impl ToolFormat {
        /// Returns the Hermes format with tags that are plain text.
        pub(crate) fn hermes() -> Self {
            Self::plain(ToolFormatKind::Hermes)
        }

        pub(crate) fn plain(kind: ToolFormatKind) -> Self {
            let arguments_key = if kind == ToolFormatKind::Llama { "parameters" } else { "arguments" };
            Self { kind, arguments_key, gaps: gaps(kind, ""), tokens: Vec::new(), control: Vec::new() }
        }
    }

    fn template(name: &str) -> ChatTemplate {
        let path = format!("{}/tests/golden/chat_templates/{name}.jinja", env!("CARGO_MANIFEST_DIR"));
        let special = [("bos_token".to_owned(), "<s>".to_owned()), ("eos_token".to_owned(), "</s>".to_owned())];
        ChatTemplate::new(&std::fs::read_to_string(path).unwrap(), &special).unwrap()
    }

    fn with_special(content: &str) -> Tokenizer {
        let mut document: Value =
            serde_json::from_str(include_str!("../../tests/golden/tiny_tokenizer/tokenizer.json")).unwrap();
        let token = json!({"id": 337, "content": content, "single_word": false, "lstrip": false, "rstrip": false,
            "normalized": false, "special": true});
        document["added_tokens"].as_array_mut().unwrap().push(token);
        Tokenizer::from_bytes(document.to_string().as_bytes()).unwrap()
    }

    #[test]
    fn the_template_tells_the_format() {
        let kind = |name: &str| ToolFormat::of(&template(name), &tiny()).kind();
        for name in ["qwen2", "qwen3", "hermes2_tool_use"] {
            assert_eq!(kind(name), ToolFormatKind::Hermes, "{name}");
        }
        assert_eq!(kind("llama31"), ToolFormatKind::Llama);
        assert_eq!(kind("mistral_v3"), ToolFormatKind::Mistral);
    }

    #[test]
    fn else_the_vocabulary_does() {
        let plain = "{{ tools }}{% for m in messages %}{{ m.content }}{{ m.tool_calls }}{% endfor %}";
        let plain = ChatTemplate::new(plain, &[]).unwrap();
        assert_eq!(ToolFormat::of(&plain, &tiny()).kind(), ToolFormatKind::Hermes);
        assert_eq!(ToolFormat::of(&plain, &with_special("<|python_tag|>")).kind(), ToolFormatKind::Llama);
        assert_eq!(ToolFormat::of(&plain, &with_special("[TOOL_CALLS]")).kind(), ToolFormatKind::Mistral);
    }

    #[test]
    fn tools_that_the_template_does_not_show_have_the_form_of_hermes() {
        for silent in ["{{ m.content }}", "{{ tools }}{{ m.content }}", "{{ m }}"] {
            let silent = format!("{{% for m in messages %}}{silent}{{% endfor %}}");
            let silent = ChatTemplate::new(&silent, &[]).unwrap();
            assert_eq!(ToolFormat::of(&silent, &with_special("[TOOL_CALLS]")).kind(), ToolFormatKind::Hermes);
        }
    }

    /// Calls composed of the pieces match the template's rendering.
    #[test]
    fn pieces_are_the_templates_own() {
        for name in ["qwen2", "qwen3", "hermes2_tool_use", "llama31"] {
            let template = template(name);
            let format = ToolFormat::of(&template, &tiny());
            let arguments = json!({"a": [1, "é"]});
            let shown = template.render_call("f", arguments.as_object().unwrap()).unwrap();
            let mut pieces = format.before_calls();
            pieces.extend(format.before_arguments("f"));
            pieces.push(CallPiece::Text("{\"a\": [1, \"é\"]}".to_owned()));
            pieces.extend(format.after_arguments());
            pieces.push(CallPiece::Text(format.after_calls().to_owned()));
            let text: String = pieces
                .into_iter()
                .map(|piece| match piece {
                    CallPiece::Text(text) => text,
                    CallPiece::Token(id) => panic!("{id} is no control token"),
                })
                .collect();
            // The template may print arguments that are text with other white space.
            let dense = |text: &str| text.replace(' ', "");
            assert!(dense(&shown).contains(&dense(&text)), "{name}: {text:?} is not in {shown:?}");
        }
    }

    #[test]
    fn markers_that_are_control_tokens_are_given_by_id() {
        let format = ToolFormat::of(&template("mistral_v3"), &with_special("[TOOL_CALLS]"));
        assert_eq!(format.before_calls(), [CallPiece::Token(337), CallPiece::Text(" [".to_owned())]);
        assert_eq!((format.marker(337), format.marker(5)), (Some("[TOOL_CALLS]"), None));
    }

    #[test]
    fn ids_have_the_form_that_templates_demand() {
        let ids: std::collections::HashSet<String> =
            (0..200).map(|_| ToolFormat::plain(ToolFormatKind::Mistral).call_id()).collect();
        assert_eq!(ids.len(), 200);
        assert!(ids.iter().all(|id| id.len() == 9 && id.chars().all(|c| c.is_ascii_alphanumeric())));
        assert!(ToolFormat::hermes().call_id().starts_with("call_"));
    }
}
