//! Jinja environment that matches Hugging Face's `apply_chat_template`.
//!
//! It differs from minijinja's defaults where templates rely on the Hugging Face behaviour: blocks are trimmed
//! (`trim_blocks`, `lstrip_blocks`), none is not iterable, `tojson` has the output of Python's `json.dumps(ensure_ascii=False)` and does not
//! escape HTML, Python's string and mapping methods exist and use Python's definition of white space, `raise_exception`
//! and `strftime_now` are functions, `{% generation %}` is a block without effect, and `true`/`none` print as in
//! Python.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Kwargs, StringInput, Value, ValueKind};
use minijinja::{AutoEscape, Environment, Error, ErrorKind, State, filters};

use super::json::{JsonStyle, dumps_within};
use super::strftime::strftime;

/// Maximum number of steps of a rendering.
pub(super) const FUEL: u64 = 50_000_000;
/// Maximum length of all that a rendering prints, in macros too.
const MAX_PRINTED: usize = 64 * 1024 * 1024;
/// Maximum time of a rendering.
const MAX_TIME: Duration = Duration::from_secs(10);
/// Maximum number of pieces that a text is split into.
const MAX_PIECES: usize = 200_000;
/// Maximum length of JSON in a prompt, and of a text with replacements.
const MAX_TEXT: usize = 32 * 1024 * 1024;
/// Maximum length of the format of a time.
const MAX_TIME_FORMAT: usize = 1_000;
/// Maximum depth of macro calls and includes.
const RECURSION_LIMIT: usize = 100;

/// Clock for `strftime_now`.
pub(super) type Clock = Arc<dyn Fn() -> SystemTime + Send + Sync>;

/// The use of a rendering.
struct Used {
    since: Instant,
    printed: usize,
}

/// Counts so many printed bytes, and checks the limits.
///
/// # Errors
/// The rendering exceeds a limit.
fn check_limits(state: &mut State, printed: usize) -> Result<(), Error> {
    let used = state.get_or_insert_extension_with(|| Used { since: Instant::now(), printed: 0 });
    used.printed += printed;
    if used.printed > MAX_PRINTED {
        return Err(exceeded(format!("a rendering prints at most {} MiB", MAX_PRINTED / 1024 / 1024)));
    }
    if used.since.elapsed() > MAX_TIME {
        return Err(exceeded(format!("a rendering takes at most {} seconds", MAX_TIME.as_secs())));
    }
    Ok(())
}

/// Checks that a text has few pieces between separators: a short piece takes many times its bytes.
///
/// # Errors
/// The rendering exceeds a limit.
fn check_pieces(text: &str, separator: Option<&str>) -> Result<(), Error> {
    let end = match separator {
        Some(separator) => text.match_indices(separator).nth(MAX_PIECES).is_some(),
        None => text.split_whitespace().nth(MAX_PIECES).is_some(),
    };
    if end { Err(exceeded(format!("a text is split into at most {MAX_PIECES} pieces"))) } else { Ok(()) }
}

/// Checks the length of a text with replacements: a caller may choose both, the positions and what is put there.
///
/// # Errors
/// The rendering exceeds a limit.
fn check_replaced(text: &str, from: &str, to: &str) -> Result<(), Error> {
    let added = text.matches(from).count().saturating_mul(to.len().saturating_sub(from.len()));
    if text.len().saturating_add(added) > MAX_TEXT {
        return Err(exceeded(format!("a text with replacements has at most {} MiB", MAX_TEXT / 1024 / 1024)));
    }
    Ok(())
}

/// Returns the error about a limit.
fn exceeded(limit: String) -> Error {
    Error::new(ErrorKind::OutOfFuel, limit)
}

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
    environment.set_formatter(|out, state, value| {
        let shown = match value.kind() {
            ValueKind::Bool => Cow::from(if value.is_true() { "True" } else { "False" }),
            ValueKind::None => "None".into(),
            _ => value.as_str().map_or_else(|| value.to_string().into(), Cow::from),
        };
        check_limits(state, shown.len())?;
        match state.auto_escape() {
            AutoEscape::None => Ok(out.write_str(&shown)?),
            _ => minijinja::escape_formatter(out, state, value),
        }
    });
    // None can be iterated over in minijinja.
    environment.add_test("iterable", |value: &Value| !value.is_none() && value.try_iter().is_ok());
    environment.add_filter("tojson", tojson);
    environment.add_filter("trim", trim);
    environment.add_filter("replace", replace);
    environment.add_filter("split", split);
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
    check_limits(state, 0)?;
    let texts = (value.as_str(), arguments.first().and_then(Value::as_str), arguments.get(1).and_then(Value::as_str));
    match (name, texts) {
        ("split", (Some(text), separator, _)) => check_pieces(text, separator)?,
        ("replace", (Some(text), Some(from), Some(to))) => check_replaced(text, from, to)?,
        _ => {}
    }
    match name {
        "strip" if value.as_str().is_some() => stripped(true, true),
        "lstrip" if value.as_str().is_some() => stripped(true, false),
        "rstrip" if value.as_str().is_some() => stripped(false, true),
        _ => minijinja_contrib::pycompat::unknown_method_callback(state, value, name, arguments),
    }
}

/// Implements `trim`.
fn trim(text: &str, characters: Option<&str>) -> String {
    strip(text, characters, true, true).to_owned()
}

/// Implements `replace` within limits.
fn replace(
    state: &mut State,
    text: StringInput<'_>,
    from: StringInput<'_>,
    to: StringInput<'_>,
) -> Result<Value, Error> {
    check_replaced(text.as_str(), from.as_str(), to.as_str())?;
    filters::replace(state, text, from, to)
}

/// Implements `split` within limits.
fn split(text: &Value, separator: Option<Arc<str>>, times: Option<i64>) -> Result<Value, Error> {
    check_pieces(text.as_str().unwrap_or_default(), separator.as_deref())?;
    filters::split(text, separator, times)
}

/// Implements `tojson` as transformers defines it: `json.dumps(x, ensure_ascii=False, indent=…, separators=…,
/// sort_keys=…)`.
fn tojson(state: &mut State, value: &Value, kwargs: Kwargs) -> Result<String, Error> {
    check_limits(state, 0)?;
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
    dumps_within(&json, &style, MAX_TEXT).ok_or_else(|| {
        let reason = format!("tojson: the text has at most {} MiB", MAX_TEXT / 1024 / 1024);
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
