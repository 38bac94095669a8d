//! `Modelfile`s, by which ollama makes a model of a GGUF file.
//!
//! ollama has no Jinja. It recognises some templates of a GGUF file, and gives others the bare prompt. So a template is written here
//! if the chat template of the model prints the same for a conversation; tools and reasoning are ollama's matter.

use std::fmt::Write;

use serde_json::json;

use crate::model_files::{GenerationDefaults, ModelFiles, ModelFilesError};
use crate::text::RenderInput;

/// Spelling of turns: before a role, between role and content, and after the content.
struct Turns {
    open: &'static str,
    mid: &'static str,
    close: &'static str,
    /// Role of the assistant.
    assistant: &'static str,
}

/// Known spellings of turns.
const TURNS: [Turns; 4] = [
    Turns { open: "<|im_start|>", mid: "\n", close: "<|im_end|>\n", assistant: "assistant" },
    Turns { open: "<|start_header_id|>", mid: "<|end_header_id|>\n\n", close: "<|eot_id|>", assistant: "assistant" },
    Turns { open: "<start_of_turn>", mid: "\n", close: "<end_of_turn>\n", assistant: "model" },
    Turns { open: "<|", mid: "|>\n", close: "<|end|>\n", assistant: "assistant" },
];

/// Conversations on which a spelling must agree with the chat template; models without a system role have the second alone.
const SYSTEM: (&str, &str) = ("system", "Be brief.");
const CONVERSATION: [(&str, &str); 3] = [("user", "One?"), ("assistant", "Two."), ("user", "Three?")];

/// Returns the `Modelfile` of a model.
pub(super) fn of_model(file: &str, files: &ModelFiles) -> Result<String, ModelFilesError> {
    let mut text = format!("FROM ./{file}\n");
    if let Some(turns) = turns(files)? {
        let Turns { open, mid, close, assistant } = turns;
        let role = match *assistant {
            "assistant" => "{{ .Role }}".to_owned(),
            other => format!(r#"{{{{ if eq .Role "assistant" }}}}{other}{{{{ else }}}}{{{{ .Role }}}}{{{{ end }}}}"#),
        };
        // Writing to a text cannot fail.
        let _ = writeln!(
            text,
            "TEMPLATE \"\"\"{{{{- range .Messages }}}}{open}{role}{mid}{{{{ .Content }}}}{close}{{{{ end }}}}\
             {open}{assistant}{mid}\"\"\""
        );
    }
    let tokenizer = files.tokenizer()?;
    for id in files.end_of_turn(&tokenizer)? {
        if let Some(token) = tokenizer.id_to_token(id) {
            let _ = writeln!(text, "PARAMETER stop {}", json!(token));
        }
    }
    let GenerationDefaults { temperature, top_p, top_k, min_p, repetition_penalty } = files.generation_defaults()?;
    let top_k = top_k.map(|count| count as f32);
    let parameters = [
        ("temperature", temperature),
        ("top_p", top_p),
        ("top_k", top_k),
        ("min_p", min_p),
        ("repeat_penalty", repetition_penalty),
    ];
    for (name, value) in parameters {
        if let Some(value) = value {
            let _ = writeln!(text, "PARAMETER {name} {value}");
        }
    }
    Ok(text)
}

/// Returns the `Modelfile` of an adapter, for a base model that the reader names.
pub(super) fn of_adapter(file: &str) -> String {
    format!("# Name the base model's GGUF file, or its name in ollama.\nFROM ./base.gguf\nADAPTER ./{file}\n")
}

/// Returns the spelling of turns with which the chat template agrees.
fn turns(files: &ModelFiles) -> Result<Option<&'static Turns>, ModelFilesError> {
    let template = files.template()?;
    let rendered = |system: bool| {
        let messages = conversation(system).map(|(role, content)| json!({ "role": role, "content": content }));
        let input = RenderInput { messages: messages.collect(), add_generation_prompt: true, ..RenderInput::default() };
        template.render(input).ok()
    };
    let (with, without) = (rendered(true), rendered(false));
    let agrees = |turns: &&Turns| {
        // The token that begins a text is not part of ollama's template.
        let ends = |text: &String, system| {
            let printed = turns.print(conversation(system));
            text.strip_suffix(&printed).is_some_and(|before| !before.contains(turns.open))
        };
        without.as_ref().is_some_and(|text| ends(text, false)) && with.as_ref().is_none_or(|text| ends(text, true))
    };
    Ok(TURNS.iter().find(agrees))
}

fn conversation(system: bool) -> impl Iterator<Item = (&'static str, &'static str)> {
    system.then_some(SYSTEM).into_iter().chain(CONVERSATION)
}

impl Turns {
    fn print(&self, messages: impl Iterator<Item = (&'static str, &'static str)>) -> String {
        let Self { open, mid, close, assistant } = self;
        let mut text = String::new();
        for (role, content) in messages {
            let role = if role == "assistant" { assistant } else { role };
            text += &format!("{open}{role}{mid}{content}{close}");
        }
        text + &format!("{open}{assistant}{mid}")
    }
}
