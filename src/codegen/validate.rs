//! `generated/validate.rs`: every limit of the document, checked on typed values.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};
use serde_json::{Map, Value};

use super::{
    Document,
    document::reference_name,
    names::{field, is_true, type_name, variant},
    unions::branches,
    view::LIMITS,
};

/// The file: one `Validate` for each component that has, or leads to, a limit.
pub fn generate(document: &Document) -> Result<String, String> {
    let limited = limited_components(document);
    let emitter = Emitter { document, limited: &limited };
    let impls = document
        .schemas()
        .filter(|(name, schema)| limited.contains(*name) && !is_true(schema, "x-verbatim"))
        .map(|(name, schema)| emitter.component(name, schema))
        .collect::<Result<Vec<_>, _>>()?;
    super::render(
        quote! {
            #![allow(clippy::all, unused_variables, unused_imports)]
            use super::{types, unions};
            use crate::http::validation::{Faults, Location, Validate};
            #(#impls)*
        },
        "validate.rs",
    )
}

/// Components with anything left to check after serde accepted the value: the least set that holds every component
/// with a limit of its own and every component that refers to one of the set.
pub fn limited_components(document: &Document) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut references = BTreeMap::new();
    for (name, schema) in document.schemas() {
        let mut targets = BTreeSet::new();
        if collect(schema, &mut targets) {
            found.insert(name.to_owned());
        }
        references.insert(name.to_owned(), targets);
    }
    loop {
        let before = found.len();
        for (name, targets) in &references {
            if targets.iter().any(|target| found.contains(target)) {
                found.insert(name.clone());
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// Gathers the components a schema refers to; true when it has a limit itself.
fn collect(schema: &Map<String, Value>, targets: &mut BTreeSet<String>) -> bool {
    targets.extend(reference_name(schema).map(str::to_owned));
    let mut limited = LIMITS.iter().any(|limit| schema.contains_key(*limit)) && !says_nothing(schema);
    let properties = schema.get("properties").and_then(Value::as_object).into_iter().flat_map(Map::values);
    let nested = ["items", "additionalProperties"].into_iter().filter_map(|key| schema.get(key));
    let combined = ["oneOf", "allOf"].into_iter().filter_map(|key| schema.get(key)?.as_array()).flatten();
    for child in properties.chain(nested).chain(combined).filter_map(Value::as_object) {
        limited |= collect(child, targets);
    }
    limited
}

/// `minimum: 0` of an unsigned integer, which its type already says.
fn says_nothing(schema: &Map<String, Value>) -> bool {
    let limits: Vec<_> = LIMITS.iter().filter(|limit| schema.contains_key(**limit)).collect();
    limits == [&"minimum"] && is_unsigned(schema) && schema["minimum"].as_i64() == Some(0)
}

fn is_unsigned(schema: &Map<String, Value>) -> bool {
    schema.get("format").and_then(Value::as_str).is_some_and(|format| format.starts_with('u'))
}

struct Emitter<'a> {
    document: &'a Document,
    limited: &'a BTreeSet<String>,
}

impl Emitter<'_> {
    fn component(&self, name: &str, schema: &Map<String, Value>) -> Result<TokenStream, String> {
        let ident = type_name(name);
        let (path, body) = if schema.contains_key("oneOf") {
            (quote!(unions), self.union(schema)?)
        } else {
            (quote!(types), self.fields(schema)?)
        };
        Ok(quote! {
            impl Validate for #path::#ident {
                fn validate(&self, at: &Location<'_>, faults: &mut Faults) { #body }
            }
        })
    }

    fn union(&self, schema: &Map<String, Value>) -> Result<TokenStream, String> {
        let mut arms = Vec::new();
        for branch in branches(schema) {
            let variant = variant(branch);
            let checks = self.checks(branch, quote!(value), quote!(at))?;
            if !checks.is_empty() {
                arms.push(quote!(Self::#variant(value) => { #checks }));
            }
        }
        let rest = (arms.len() < branches(schema).count()).then(|| quote!(_ => {}));
        Ok(quote!(match self { #(#arms)* #rest }))
    }

    fn fields(&self, schema: &Map<String, Value>) -> Result<TokenStream, String> {
        let required: Vec<&str> =
            schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
        let mut out = TokenStream::new();
        for (property, schema) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
            let Some(schema) = schema.as_object() else { continue };
            let checks = self.checks(schema, quote!(value), quote!(&at.field(#property)))?;
            if checks.is_empty() {
                continue;
            }
            let field = field(property);
            out.extend(if self.is_option(schema, required.contains(&property.as_str())) {
                quote!(if let Some(value) = &self.#field { #checks })
            } else {
                quote!({ let value = &self.#field; #checks })
            });
        }
        Ok(out)
    }

    /// Statements that check `value`, a reference to the Rust type of `schema`; empty when there is nothing to check.
    fn checks(&self, schema: &Map<String, Value>, value: TokenStream, at: TokenStream) -> Result<TokenStream, String> {
        if let Some(name) = reference_name(schema) {
            return Ok(if self.limited.contains(name) {
                quote!(Validate::validate(#value, #at, faults);)
            } else {
                TokenStream::new()
            });
        }
        if let Some(Value::Array(parts)) = schema.get("allOf") {
            return parts
                .iter()
                .filter_map(Value::as_object)
                .map(|part| self.checks(part, value.clone(), at.clone()))
                .collect();
        }
        let mut out = limits(schema, &value, &at)?;
        if let Some(items) = schema.get("items").and_then(Value::as_object) {
            let checks = self.checks(items, quote!(item), quote!(&at.index(index)))?;
            if !checks.is_empty() {
                let checks =
                    if is_true(items, "nullable") { quote!(if let Some(item) = item { #checks }) } else { checks };
                out.extend(quote!({ let at = #at; for (index, item) in #value.iter().enumerate() { #checks } }));
            }
        }
        if let Some(values) = schema.get("additionalProperties").and_then(Value::as_object) {
            let checks = self.checks(values, quote!(item), quote!(&at.field(key)))?;
            if !checks.is_empty() {
                out.extend(quote!({ let at = #at; for (key, item) in #value.iter() { #checks } }));
            }
        }
        Ok(out)
    }

    /// typify's rule: absent and null are both `None`; an absent array or map is empty instead.
    fn is_option(&self, schema: &Map<String, Value>, required: bool) -> bool {
        if is_true(schema, "nullable") {
            return true;
        }
        if required || schema.contains_key("default") {
            return false;
        }
        match reference_name(schema) {
            Some(name) => self.document.schema(name).is_none_or(|target| !target.contains_key("default")),
            None => {
                let map = schema.contains_key("additionalProperties") && !schema.contains_key("properties");
                schema.get("type").is_none_or(|json_type| json_type != "array") && !map
            }
        }
    }
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
            static PATTERN: std::sync::LazyLock<regress::Regex> =
                std::sync::LazyLock::new(|| regress::Regex::new(#pattern).expect("the linter compiled it"));
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
