//! Tools of Anthropic's Messages API as functions.

use serde_json::{Value, json};

use super::super::conversation::there;
use super::super::read::unreadable;
use super::super::tools::{LeftOut, leave_out, unsupported};
use crate::chat::ChatError;
use crate::generated::types::{MessageTool, MessageToolChoice};

/// Where a tool runs, which its type decides.
#[derive(Clone, Copy)]
enum Kind {
    /// In the client, with its own schema.
    Custom,
    /// In the client, with the published schema of its type: name, description, schema.
    Published(&'static str, &'static str, &'static str),
    /// On Anthropic's servers.
    Server,
    /// In the client, with images.
    Images,
}

/// Kinds of tools by the beginnings of their types; the rest is a date.
const KINDS: [(&str, Kind); 14] = [
    ("custom", Kind::Custom),
    ("bash_", Kind::Published("bash", "Runs a command in a persistent bash session.", BASH)),
    ("text_editor_20241022", EDITOR_WITH_UNDO),
    ("text_editor_20250124", EDITOR_WITH_UNDO),
    ("text_editor_", Kind::Published("str_replace_based_edit_tool", EDITS, EDITOR)),
    ("memory_", Kind::Published("memory", "Keeps files below /memories between conversations.", MEMORY)),
    ("advisor_", Kind::Server),
    ("code_execution_", Kind::Server),
    ("mcp_toolset", Kind::Server),
    ("tool_search_tool_", Kind::Server),
    ("web_fetch_", Kind::Server),
    ("web_search_", Kind::Server),
    ("browser_toolset_", Kind::Images),
    ("computer_", Kind::Images),
];
const EDITOR_WITH_UNDO: Kind = Kind::Published("str_replace_editor", EDITS, UNDOING_EDITOR);
const EDITS: &str = "Views, creates and edits text files.";
const BASH: &str = r#"{"type":"object","properties":{"command":{"type":"string","description":"Command to run; required unless `restart` is true"},"restart":{"type":"boolean","description":"Starts a new session"}}}"#;
const EDITOR: &str = r#"{"type":"object","properties":{"command":{"type":"string","enum":["view","create","str_replace","insert"]},"path":{"type":"string","description":"Absolute path of a file or directory"},"view_range":{"type":"array","items":{"type":"integer"},"description":"First and last line to view; -1 is the end"},"file_text":{"type":"string","description":"Content of the file to create"},"old_str":{"type":"string","description":"Text to replace; it occurs once"},"new_str":{"type":"string","description":"Replacement"},"insert_line":{"type":"integer","description":"Line after which to insert; 0 is the start"},"insert_text":{"type":"string","description":"Text to insert"}},"required":["command","path"]}"#;
const UNDOING_EDITOR: &str = r#"{"type":"object","properties":{"command":{"type":"string","enum":["view","create","str_replace","insert","undo_edit"]},"path":{"type":"string","description":"Absolute path of a file or directory"},"view_range":{"type":"array","items":{"type":"integer"},"description":"First and last line to view; -1 is the end"},"file_text":{"type":"string","description":"Content of the file to create"},"old_str":{"type":"string","description":"Text to replace; it occurs once"},"new_str":{"type":"string","description":"Replacement, or text to insert"},"insert_line":{"type":"integer","description":"Line after which to insert; 0 is the start"}},"required":["command","path"]}"#;
const MEMORY: &str = r#"{"type":"object","properties":{"command":{"type":"string","enum":["view","create","str_replace","insert","delete","rename"]},"path":{"type":"string","description":"Path below /memories"},"view_range":{"type":"array","items":{"type":"integer"},"description":"First and last line to view"},"file_text":{"type":"string","description":"Content of the file to create"},"old_str":{"type":"string","description":"Text to replace; it occurs once"},"new_str":{"type":"string","description":"Replacement"},"insert_line":{"type":"integer","description":"Line after which to insert; 0 is the start"},"insert_text":{"type":"string","description":"Text to insert"},"old_path":{"type":"string","description":"Path of the file to rename"},"new_path":{"type":"string","description":"New path of the file"}},"required":["command"]}"#;

/// Converts tools to the format of chat completions. Tools of Anthropic's servers are left out and added to `ignored` while another
/// tool remains.
///
/// # Errors
/// Returns [`ChatError::Unsupported`] for a tool that cannot be left out, or whose type is unknown.
pub(super) fn functions(
    tools: &[MessageTool],
    choice: Option<&MessageToolChoice>,
    ignored: &mut Vec<String>,
) -> Result<Vec<Value>, ChatError> {
    let mut functions = Vec::new();
    let mut left_out = Vec::new();
    let chosen = choice.and_then(|choice| choice.name.as_deref());
    for (index, tool) in tools.iter().enumerate() {
        let at = format!("tools[{index}]");
        let type_ = tool.type_.as_deref().unwrap_or("custom");
        let kind = KINDS.iter().find(|(start, _)| type_.starts_with(start)).map(|(_, kind)| *kind);
        let (name, description, parameters) = match kind {
            Some(Kind::Custom) => {
                let name = there(tool.name.as_deref(), &at, "name")?;
                let schema = there(tool.input_schema.as_ref(), &at, "input_schema")?;
                (name, tool.description.as_deref(), schema.read().map_err(unreadable)?)
            }
            Some(Kind::Published(name, description, schema)) => {
                let schema = serde_json::from_str(schema).map_err(unreadable)?;
                (tool.name.as_deref().unwrap_or(name), Some(tool.description.as_deref().unwrap_or(description)), schema)
            }
            Some(Kind::Server) => {
                let is_chosen = tool.name.is_some() && tool.name.as_deref() == chosen;
                left_out.push(LeftOut { at, type_, reason: "it runs on Anthropic's servers", is_chosen });
                continue;
            }
            Some(Kind::Images) => return Err(unsupported(&at, type_, "the model reads no images")),
            None => return Err(unsupported(&at, type_, "the type is unknown")),
        };
        let mut function = json!({"name": name});
        if let Some(description) = description {
            function["description"] = json!(description);
        }
        function["parameters"] = parameters;
        functions.push(json!({"type": "function", "function": function}));
    }
    leave_out(left_out, &functions, ignored)?;
    Ok(functions)
}
