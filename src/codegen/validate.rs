//! The limits of parameters, checked where they are read.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};
use serde_json::{Map, Value};

fn is_unsigned(schema: &Map<String, Value>) -> bool {
    schema.get("format").and_then(Value::as_str).is_some_and(|format| format.starts_with('u'))
}

/// The checks of a value's own limits, whatever they are; `value` is a reference.
pub fn limits(schema: &Map<String, Value>, value: &TokenStream, at: &TokenStream) -> Result<TokenStream, String> {
    let mut out = TokenStream::new();
    for (keyword, method) in
        [("minLength", "min_length"), ("maxLength", "max_length"), ("minItems", "min_items"), ("maxItems", "max_items")]
    {
        if let Some(limit) = schema.get(keyword) {
            let limit = limit.as_u64().ok_or_else(|| format!("{keyword} must be a whole number, not {limit}"))?;
            let limit = Literal::u64_unsuffixed(limit);
            let method = format_ident!("{method}");
            out.extend(if keyword.ends_with("Items") {
                quote!(faults.#method(#at, #value.len(), #limit);)
            } else {
                quote!(faults.#method(#at, #value, #limit);)
            });
        }
    }
    if let Some(pattern) = schema.get("pattern").and_then(Value::as_str) {
        let message = match schema.get("x-pattern-message").and_then(Value::as_str) {
            Some(message) => message.to_owned(),
            None => format!("must match {pattern}"),
        };
        out.extend(quote! {{
            static PATTERN: std::sync::LazyLock<crate::validation::Pattern> =
                std::sync::LazyLock::new(|| crate::validation::Pattern::new(#pattern));
            faults.pattern(#at, #value, &PATTERN, #message);
        }});
    }
    for keyword in ["minimum", "maximum"] {
        let Some(limit) = schema.get(keyword) else { continue };
        if keyword == "minimum" && is_unsigned(schema) && limit.as_i64() == Some(0) {
            continue;
        }
        let literal = match schema.get("type").and_then(Value::as_str) {
            Some("number") => limit.as_f64().map(Literal::f64_unsuffixed),
            _ => limit.as_i64().map(Literal::i64_unsuffixed),
        };
        let literal = literal.ok_or_else(|| format!("{keyword} does not fit the type: {limit}"))?;
        let method = format_ident!("{keyword}");
        out.extend(quote!(faults.#method(#at, *#value, #literal);));
    }
    Ok(out)
}
