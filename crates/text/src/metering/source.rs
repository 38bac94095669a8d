//! Limits of a template's source, checked before it is compiled.

use minijinja::machinery::{Token, tokenize};
use minijinja::syntax::SyntaxConfig;
use minijinja::{Error, ErrorKind};

/// Maximum length of a template. Long ones of published models have a tenth.
const MAX_SOURCE: usize = 256 * 1024;
/// Maximum number of words and signs between `{{` and `}}` or `{%` and `%}`. The compiler's time grows with its square.
const MAX_TOKENS: usize = 8 * 1024;
/// Stack of the thread that compiles: the compiler descends once for each sign of an expression.
pub(crate) const COMPILE_STACK: usize = 64 * 1024 * 1024;
/// Variable that is 1. The compiler repeats constant texts (`'a' * 1000`), which the rendering has to do, with its
/// limits; a variable among the factors keeps the compiler from it.
pub(super) const ONE: &str = "trainyard_one";

/// Checks a template's source, and returns it with [`ONE`] among the factors of each product.
///
/// # Errors
/// It is too long, or is not a template.
pub(crate) fn prepared(source: &str, syntax: &SyntaxConfig) -> Result<String, Error> {
    let refuse = |reason: String| Error::new(ErrorKind::SyntaxError, reason);
    if source.len() > MAX_SOURCE {
        let reason = format!("it has {} bytes; the limit is {} KiB", source.len(), MAX_SOURCE / 1024);
        return Err(refuse(reason));
    }
    let mut out = String::with_capacity(source.len());
    let (mut from, mut tokens) = (0, 0);
    for token in tokenize(source, false, syntax.clone()) {
        let (token, span) = token?;
        tokens = if matches!(token, Token::VariableStart | Token::BlockStart) { 0 } else { tokens + 1 };
        if tokens > MAX_TOKENS {
            let reason = format!("an expression has more than {MAX_TOKENS} words and signs (line {})", span.start_line);
            return Err(refuse(reason));
        }
        let end = span.end_offset as usize;
        if matches!(token, Token::Mul) {
            let before = source.get(from..end).filter(|text| text.ends_with('*'));
            out.push_str(before.ok_or_else(|| refuse("a product has no place in it".to_owned()))?);
            out.push_str(&format!(" {ONE} *"));
            from = end;
        }
    }
    out.push_str(&source[from..]);
    Ok(out)
}
