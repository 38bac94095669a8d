//! Rules of required tool calls, in llguidance's Lark dialect.
//!
//! Arguments that are a JSON object follow the function's schema as a whole. In another notation, each declared parameter has rules
//! of its own, in the order in which the template prints them; a value that is JSON there follows its part of the schema.

use std::fmt::Write as _;

use llguidance::regex_to_lark;
use serde_json::{Map, Value, json};

use super::ChatError;
use super::grammar::{styled, unanchored};
use super::tool_formats::{CallPiece, Literals, Notation, ToolFormat};
use super::tools::{resolved, types};

/// Maximum nesting of values that are not JSON, and of references to their schemas.
const MAX_DEPTH: usize = 8;

/// Terminal of any text.
const ANY_TEXT: &str = "/(?s:.*)/";

/// Returns the rules of tool calls in a format.
pub(super) fn tool_call_grammar(functions: &[Value], format: &ToolFormat, parallel: bool) -> Result<String, ChatError> {
    let more = match format.between_calls() {
        Some(between) if parallel => format!("({} call)*", text(between)),
        _ => String::new(),
    };
    let mut lark = format!("start: {} call {more} {}\n", pieces(format.before_calls()), pieces(format.after_calls()));
    let calls: Vec<String> = (0..functions.len()).map(|index| format!("call_{index}")).collect();
    // Writing to a string cannot fail.
    let _ = writeln!(lark, "call: {}", calls.join(" | "));
    for (index, function) in functions.iter().enumerate() {
        let parameters = match &function["parameters"] {
            // Missing parameters mean that the function has none, not that it accepts any.
            Value::Null => json!({"type": "object", "properties": {}, "additionalProperties": false}),
            schema => schema.clone(),
        };
        let param = format!("tools[{index}].function.parameters");
        let schema = styled(&parameters, &param)?;
        let before = pieces(format.before_arguments(function["name"].as_str().unwrap_or_default()));
        let _ = writeln!(lark, "call_{index}: {before} arguments_{index} {}", pieces(format.after_arguments()));
        let mut rules =
            Rules { root: &schema, format, param, prefix: format!("v{index}"), lark: String::new(), count: 0 };
        let arguments = match format.kind().notation() {
            Notation::Json => format!("%json {schema}"),
            Notation::Parameters => rules.parameters()?,
            Notation::Literals(literals) => rules.members(&schema, literals, literals.assigns, 0)?,
        };
        let _ = writeln!(lark, "arguments_{index}: {arguments}");
        lark.push_str(&rules.lark);
    }
    Ok(lark)
}

/// Returns a text as Lark writes it: a JSON string is a Lark string, and an empty text is omitted.
fn text(text: &str) -> String {
    if text.is_empty() { String::new() } else { json!(text).to_string() }
}

fn pieces(pieces: Vec<CallPiece>) -> String {
    let written = pieces.into_iter().map(|piece| match piece {
        CallPiece::Text(piece) => text(&piece),
        CallPiece::Token(id) => format!("<[{id}]>"),
    });
    written.collect::<Vec<_>>().join(" ")
}

/// Rules of one function's arguments.
struct Rules<'a> {
    /// Schema of the arguments, which references are relative to.
    root: &'a Value,
    format: &'a ToolFormat,
    /// Name of the schema in errors.
    param: String,
    /// Beginning of the names of the rules.
    prefix: String,
    lark: String,
    count: usize,
}

impl Rules<'_> {
    /// Adds a rule, with options of it, and returns its name.
    fn add(&mut self, options: &str, body: &str) -> String {
        let name = format!("{}_{}", self.prefix, self.count);
        self.count += 1;
        let _ = writeln!(self.lark, "{name}{options}: {body}");
        name
    }

    /// Adds a terminal and returns its name.
    fn add_terminal(&mut self, body: &str) -> String {
        let name = format!("{}_{}", self.prefix, self.count).to_uppercase();
        self.count += 1;
        let _ = writeln!(self.lark, "{name}: {body}");
        name
    }

    /// Returns the rule of a value in JSON.
    fn json(&self, schema: &Value) -> Result<String, ChatError> {
        let mut schema = styled(schema, &self.param)?;
        for definitions in ["$defs", "definitions"] {
            if let (Some(found), None) = (self.root.get(definitions), schema.get(definitions)) {
                schema[definitions] = found.clone();
            }
        }
        Ok(format!("%json {schema}"))
    }

    fn unsupported(&self, what: &str) -> ChatError {
        ChatError::invalid(&*self.param, format!("{} cannot be enforced: {what}", self.param))
    }

    /// Returns the schema behind references.
    fn target<'s>(&'s self, schema: &'s Value) -> Result<&'s Value, ChatError> {
        let mut schema = schema;
        for _ in 0..MAX_DEPTH {
            match resolved(self.root, schema) {
                Some(target) => schema = target,
                None => return Ok(schema),
            }
        }
        Err(self.unsupported("a reference has no end"))
    }

    /// Returns the values that a schema lists, if it lists any.
    fn choices(schema: &Value) -> Option<Vec<&Value>> {
        match (schema.get("const"), schema["enum"].as_array()) {
            (Some(value), _) => Some(vec![value]),
            (None, Some(values)) => Some(values.iter().collect()),
            (None, None) => None,
        }
    }

    /// Returns a listed value that is no text: a constant as the template prints it, or JSON.
    fn listed(&self, value: &Value, words: [&str; 3]) -> Result<String, ChatError> {
        Ok(match value {
            Value::Bool(value) => json!(words[usize::from(!value)]).to_string(),
            Value::Null => json!(words[2]).to_string(),
            other => self.json(&json!({"const": other}))?,
        })
    }

    /// Returns a terminal of text that obeys the patterns and lengths of a schema, and another term.
    fn text_terminal(&mut self, schema: &Value, other: Option<&str>) -> String {
        let pattern = |schema: &Value| {
            let pattern = schema["pattern"].as_str()?;
            let inner = unanchored(pattern);
            let before = if pattern.starts_with('^') { "" } else { "(?s:.*)" };
            let after = if pattern.ends_with('$') && !inner.ends_with('$') { "" } else { "(?s:.*)" };
            Some(format!("/{before}({}){after}/", regex_to_lark(inner, "")))
        };
        let all = schema["allOf"].as_array().into_iter().flatten();
        let mut terms: Vec<String> = [schema].into_iter().chain(all).filter_map(pattern).collect();
        let length = |key: &str| schema[key].as_u64();
        if length("minLength").is_some() || length("maxLength").is_some() {
            let most = length("maxLength").map(|most| most.to_string()).unwrap_or_default();
            terms.push(format!("/(?s:.{{{},{most}}})/", length("minLength").unwrap_or(0)));
        }
        terms.extend(other.map(str::to_owned));
        if terms.is_empty() {
            return ANY_TEXT.to_owned();
        }
        self.add_terminal(&terms.join(" & "))
    }

    /// Returns the rule of arguments with a tag for each parameter.
    fn parameters(&mut self) -> Result<String, ChatError> {
        const END: &str = "\n</parameter>\n";
        // A text ends at the first tag.
        const INSIDE: Option<&str> = Some("~/(?s:.*)<\\/parameter>(?s:.*)/");
        let mut members = Vec::new();
        for (name, schema, required) in properties(self.root) {
            let target = self.target(schema)?.clone();
            let kinds = types(self.root, &target);
            let may_be_text = kinds.as_ref().is_none_or(|kinds| kinds.contains(&"string"));
            let value = match &kinds {
                _ if Self::choices(&target).is_some() => format!("({}) {}", self.untagged(&target, &[])?, json!(END)),
                // Any text is a value, and its type is found when it is read.
                _ if may_be_text => {
                    let is_text = kinds.is_some_and(|kinds| kinds == ["string"]);
                    let text = self.text_terminal(if is_text { &target } else { &Value::Null }, INSIDE);
                    self.add(&format!("[suffix={}]", json!(END)), &text)
                }
                kinds => {
                    format!("({}) {}", self.untagged(&target, kinds.as_deref().unwrap_or_default())?, json!(END))
                }
            };
            let member = self.add("", &format!("{} {value}", json!(format!("<parameter={name}>\n"))));
            members.push(if required { member } else { format!("{member}?") });
        }
        if members.is_empty() && is_open(self.root) {
            let text = self.text_terminal(&Value::Null, INSIDE);
            let value = self.add(&format!("[suffix={}]", json!(END)), &text);
            return Ok(format!("(\"<parameter=\" /[A-Za-z_][A-Za-z0-9_]*/ \">\\n\" {value})*"));
        }
        Ok(if members.is_empty() { "\"\"".to_owned() } else { members.join(" ") })
    }

    /// Returns the rule of a value that is listed, a constant of Python as the template prints it, or JSON.
    fn untagged(&self, schema: &Value, kinds: &[&str]) -> Result<String, ChatError> {
        const WORDS: [&str; 3] = ["True", "False", "None"];
        if let Some(choices) = Self::choices(schema) {
            let choices: Result<Vec<String>, ChatError> = choices
                .into_iter()
                .map(|choice| match choice {
                    Value::String(text) => Ok(json!(text).to_string()),
                    other => self.listed(other, WORDS),
                })
                .collect();
            return Ok(choices?.join(" | "));
        }
        match kinds {
            ["boolean"] => Ok("\"True\" | \"False\"".to_owned()),
            ["null"] => Ok("\"None\"".to_owned()),
            _ => self.json(schema),
        }
    }

    /// Returns the rule of members of a schema's object, without its brackets.
    fn members(
        &mut self,
        schema: &Value,
        literals: Literals,
        assigns: char,
        depth: usize,
    ) -> Result<String, ChatError> {
        if depth > MAX_DEPTH {
            return Err(self.unsupported("it nests too many objects"));
        }
        let mut members = Vec::new();
        for (name, schema, required) in properties(schema) {
            let value = self.literal(schema, literals, depth)?;
            let member = self.add("", &format!("{} ({value})", json!(format!("{name}{assigns}"))));
            members.push((name, member, required));
        }
        if literals.is_sorted {
            members.sort_by_cached_key(|(name, ..)| name.to_lowercase());
        }
        // What may follow each member, from the last one on; any of the members up to the first required one may come first.
        let separator = json!(literals.separator);
        let mut after = String::new();
        let mut follow = vec![String::new(); members.len()];
        for (index, (_, member, required)) in members.iter().enumerate().rev() {
            follow[index] = after.clone();
            let optional = if *required { "" } else { "?" };
            after = self.add("", &format!("({separator} {member}){optional} {after}"));
        }
        let first_required = members.iter().position(|(.., required)| *required);
        let firsts = members.iter().zip(&follow).take(first_required.map_or(members.len(), |first| first + 1));
        let mut choices: Vec<String> = firsts.map(|((_, member, _), after)| format!("{member} {after}")).collect();
        if first_required.is_none() {
            choices.push("\"\"".to_owned());
        }
        Ok(self.add("", &choices.join(" | ")))
    }

    /// Returns the rule of a literal.
    fn literal(&mut self, schema: &Value, literals: Literals, depth: usize) -> Result<String, ChatError> {
        if depth > MAX_DEPTH {
            return Err(self.unsupported("it nests too many values"));
        }
        let schema = self.target(schema)?.clone();
        if let Some(choices) = Self::choices(&schema) {
            let choices: Result<Vec<String>, ChatError> = choices
                .into_iter()
                .map(|choice| match choice {
                    Value::String(text) => Ok(self.quoted_text(text, literals)),
                    other => self.listed(other, literals.words),
                })
                .collect();
            return Ok(choices?.join(" | "));
        }
        let kinds: Option<Vec<String>> =
            types(self.root, &schema).map(|kinds| kinds.into_iter().map(str::to_owned).collect());
        // A value of any type: text, or another one that has no members.
        let kinds = kinds.unwrap_or_else(|| ["string", "number", "boolean", "null"].map(str::to_owned).to_vec());
        if let Some(union) = schema["anyOf"].as_array().or_else(|| schema["oneOf"].as_array()) {
            let union = union.clone();
            let rules: Result<Vec<String>, ChatError> =
                union.iter().map(|schema| self.literal(schema, literals, depth + 1)).collect();
            return Ok(rules?.into_iter().map(|rule| format!("({rule})")).collect::<Vec<_>>().join(" | "));
        }
        let [yes, no, none] = literals.words.map(|word| json!(word).to_string());
        let mut rules = Vec::new();
        for kind in kinds {
            rules.push(match kind.as_str() {
                "boolean" => format!("{yes} | {no}"),
                "null" => none.clone(),
                "string" => self.quoted(&schema, literals)?,
                // Lists and objects of Python are JSON here, as templates print them.
                "array" if !literals.escapes => self.list(&schema, literals, depth)?,
                "object" if !literals.escapes => {
                    format!("\"{{\" {} \"}}\"", self.members(&schema, literals, ':', depth + 1)?)
                }
                kind => {
                    let mut schema = schema.clone();
                    schema["type"] = kind.into();
                    self.json(&schema)?
                }
            });
        }
        Ok(rules.join(" | "))
    }

    /// Returns the rule of a list.
    fn list(&mut self, schema: &Value, literals: Literals, depth: usize) -> Result<String, ChatError> {
        let items = schema.get("items").cloned().unwrap_or_else(|| json!({}));
        let item = self.literal(&items, literals, depth + 1)?;
        let item = self.add("", &item);
        let least = schema["minItems"].as_u64().unwrap_or(0);
        let most = schema["maxItems"].as_u64();
        if most == Some(0) {
            return Ok("\"[\" \"]\"".to_owned());
        }
        let more = most.map(|most| (most - 1).to_string()).unwrap_or_default();
        let separator = json!(literals.separator);
        let optional = if least == 0 { "?" } else { "" };
        let least = least.saturating_sub(1);
        Ok(format!("\"[\" ({item} ({separator} {item}){{{least},{more}}}){optional} \"]\""))
    }

    /// Returns the rule of a text between quotes.
    fn quoted(&mut self, schema: &Value, literals: Literals) -> Result<String, ChatError> {
        if literals.escapes {
            // The template's quotes around text that needs no escapes, or a JSON string.
            let json = self.json(schema)?;
            let is_free =
                ["pattern", "minLength", "maxLength", "allOf", "format"].iter().all(|key| schema.get(*key).is_none());
            let plain = literals.quotes[0];
            return Ok(if is_free { format!("/{plain}[^{plain}\\\\\\n]*{plain}/ | {json}") } else { json });
        }
        let text = self.text_terminal(schema, None);
        let quote = pieces(vec![self.format.piece(literals.quotes[0])]);
        Ok(match self.format.piece(literals.quotes[0]) {
            CallPiece::Token(_) => format!("{quote} {text} {quote}"),
            CallPiece::Text(_) => format!("{quote} {}", self.add(&format!("[suffix={quote}]"), &text)),
        })
    }

    /// Returns a text between quotes.
    fn quoted_text(&self, choice: &str, literals: Literals) -> String {
        let quote = literals.quotes[0];
        if !literals.escapes {
            let quote = pieces(vec![self.format.piece(quote)]);
            return format!("({quote} {} {quote})", text(choice));
        }
        let is_plain = !choice.contains(['\\', '\n', '\'', '"']);
        json!(if is_plain { format!("{quote}{choice}{quote}") } else { json!(choice).to_string() }).to_string()
    }
}

/// Returns the declared properties of an object's schema: names, schemas, and whether they are required.
fn properties(schema: &Value) -> Vec<(String, &Value, bool)> {
    let required = |name: &str| schema["required"].as_array().is_some_and(|names| names.iter().any(|own| own == name));
    let declared: Option<&Map<String, Value>> = schema["properties"].as_object();
    declared.into_iter().flatten().map(|(name, schema)| (name.clone(), schema, required(name))).collect()
}

/// Returns whether an object may have properties that are not declared.
fn is_open(schema: &Value) -> bool {
    schema["additionalProperties"] != false
}

#[cfg(test)]
mod tests;
