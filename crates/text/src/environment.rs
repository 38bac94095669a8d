//! Jinja environment that matches Hugging Face's `apply_chat_template`.
//!
//! It differs from minijinja's defaults where templates rely on the Hugging Face behaviour: blocks are trimmed
//! (`trim_blocks`, `lstrip_blocks`), `tojson` has the output of Python's `json.dumps(ensure_ascii=False)` and does not
//! escape HTML, Python's string and mapping methods exist and use Python's definition of white space, `raise_exception`
//! and `strftime_now` are functions, `{% generation %}` is a block without effect, and `true`/`none` print as in
//! Python.

use std::sync::Arc;
use std::time::SystemTime;

use minijinja::value::{Kwargs, Value, ValueKind};
use minijinja::{AutoEscape, Environment, Error, ErrorKind, State, syntax::SyntaxConfig};

use super::json::{JsonStyle, dumps_within};
use super::metering::{install, shown, weigh};
use super::strftime::strftime;

/// Limit of instructions that a template may execute, charges included; a prompt of ten thousand messages takes about a
/// tenth.
pub(super) const FUEL: u64 = 50_000_000;
/// Maximum length of JSON in a prompt.
const MAX_JSON: usize = 64 * 1024 * 1024;
/// Longest escape of a character in HTML.
const ESCAPED: u64 = 6;
/// Maximum length of the format of a time.
const MAX_TIME_FORMAT: usize = 1_000;
/// Maximum depth of macro calls and includes.
const RECURSION_LIMIT: usize = 100;

/// Clock for `strftime_now`.
pub(super) type Clock = Arc<dyn Fn() -> SystemTime + Send + Sync>;

/// Creates an environment without templates.
///
/// # Errors
/// None for callers; minijinja validates the delimiters of the syntax.
pub(super) fn environment(clock: Clock) -> Result<Environment<'static>, Error> {
    let mut environment = Environment::new();
    environment.set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?);
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    environment.set_fuel(Some(FUEL));
    environment.set_recursion_limit(RECURSION_LIMIT);
    environment.set_unknown_method_callback(method);
    environment.set_formatter(|out, state, value| match value.kind() {
        ValueKind::Bool => Ok(out.write_str(if value.is_true() { "True" } else { "False" })?),
        ValueKind::None => Ok(out.write_str("None")?),
        _ if matches!(state.auto_escape(), AutoEscape::None) => {
            shown(state, value)?;
            minijinja::escape_formatter(out, state, value)
        }
        _ => {
            weigh(state, value, ESCAPED)?;
            minijinja::escape_formatter(out, state, value)
        }
    });
    install(&mut environment);
    environment.add_function("raise_exception", |message: String| -> Result<String, Error> {
        Err(Error::new(ErrorKind::InvalidOperation, message))
    });
    environment.add_function("strftime_now", move |format: &str| match format.len() {
        0..=MAX_TIME_FORMAT => Ok(strftime(clock(), format)),
        _ => Err(Error::new(ErrorKind::InvalidOperation, "strftime_now: the format is too long")),
    });
    Ok(environment)
}

/// Returns a template's source in the form for minijinja: uniform line ends, no `{% generation %}`.
pub(super) fn prepared_source(source: &str) -> String {
    without_generation_blocks(&source.replace("\r\n", "\n").replace('\r', "\n"))
}

/// Replaces transformers' `{% generation %}` blocks, which mark assistant text, by blocks with the same output.
fn without_generation_blocks(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(start) = rest.find("{%") {
        let Some(length) = rest[start..].find("%}") else { break };
        let inner = &rest[start + 2..start + length];
        let word = inner.trim_matches(|c: char| c.is_whitespace() || c == '-' || c == '+');
        out.push_str(&rest[..start + 2]);
        match word {
            "generation" => out.push_str(&inner.replace(word, "if true")),
            "endgeneration" => out.push_str(&inner.replace(word, "endif")),
            _ => out.push_str(inner),
        }
        out.push_str("%}");
        rest = &rest[start + length + 2..];
    }
    out.push_str(rest);
    out
}

/// Returns whether a character is white space for Python's `str.isspace`: Unicode's, and the four ASCII separators.
pub(super) fn is_python_space(character: char) -> bool {
    character.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&character)
}

/// Implements `str.strip`, `lstrip` and `rstrip`.
fn strip<'a>(text: &'a str, characters: Option<&str>, left: bool, right: bool) -> &'a str {
    let strips = |character: char| match characters {
        Some(set) => set.contains(character),
        None => is_python_space(character),
    };
    let text = if left { text.trim_start_matches(strips) } else { text };
    if right { text.trim_end_matches(strips) } else { text }
}

/// Implements Python's methods on text, lists and mappings.
fn method(state: &mut State, value: &Value, name: &str, arguments: &[Value]) -> Result<Value, Error> {
    let stripped = |left, right| -> Result<Value, Error> {
        let (characters,): (Option<&str>,) = minijinja::value::from_args(arguments)?;
        Ok(strip(value.as_str().unwrap_or_default(), characters, left, right).into())
    };
    match name {
        "strip" if value.as_str().is_some() => stripped(true, true),
        "lstrip" if value.as_str().is_some() => stripped(true, false),
        "rstrip" if value.as_str().is_some() => stripped(false, true),
        _ => minijinja_contrib::pycompat::unknown_method_callback(state, value, name, arguments),
    }
}

/// Implements `trim`.
pub(super) fn trim(text: &str, characters: Option<&str>) -> String {
    strip(text, characters, true, true).to_owned()
}

/// Implements `tojson` as transformers defines it: `json.dumps(x, ensure_ascii=False, indent=…, separators=…,
/// sort_keys=…)`.
pub(super) fn tojson(value: &Value, kwargs: Kwargs) -> Result<String, Error> {
    let invalid = |error: serde_json::Error| Error::new(ErrorKind::BadSerialization, error.to_string());
    let json = serde_json::to_value(value).map_err(invalid)?;
    let mut style = JsonStyle {
        ensure_ascii: kwargs.get::<Option<bool>>("ensure_ascii")?.unwrap_or(false),
        indent: kwargs.get("indent")?,
        sort_keys: kwargs.get::<Option<bool>>("sort_keys")?.unwrap_or(false),
        ..JsonStyle::default()
    };
    match kwargs.get::<Option<Vec<String>>>("separators")?.as_deref() {
        Some([item, key]) => {
            style.item_separator.clone_from(item);
            style.key_separator.clone_from(key);
        }
        Some(_) => return Err(Error::new(ErrorKind::InvalidOperation, "tojson: separators takes two strings")),
        None if style.indent.is_some() => style.item_separator = ",".to_owned(),
        None => {}
    }
    kwargs.assert_all_used()?;
    dumps_within(&json, &style, MAX_JSON).ok_or_else(|| {
        let reason = format!("tojson: the text has at most {} MiB", MAX_JSON / 1024 / 1024);
        Error::new(ErrorKind::InvalidOperation, reason)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_is_pythons() {
        assert_eq!(strip("\u{1c}\u{85}\u{a0} a \u{1f}\u{3000}\n", None, true, true), "a");
        assert_eq!(strip("xyax", Some("yx"), true, false), "ax");
        assert_eq!(strip(" a ", None, false, true), " a");
        assert!(!is_python_space('\u{200b}') && !is_python_space('\u{feff}'));
    }

    #[test]
    fn line_ends_of_a_template_are_one_kind() {
        assert_eq!(prepared_source("a\r\nb\rc\n"), "a\nb\nc\n");
    }
}
