//! Emission of `validate.rs`: every limit of the document that a type does not express, checked on typed values.

use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, format_ident, quote};
use serde_json::Value;

use crate::emit::context::{Context, is_option, limits_anything};
use crate::emit::names::ident;
use crate::ir::schema::{self, Additional, Bound, Integer, Kind, Limits, NamedType, Object, Schema, Shape, Union};

/// Returns the tokens of the file: one `Validate` for each type that has a limit, or contains a type with one.
pub fn file(context: &Context<'_>) -> TokenStream {
    let support = context.support();
    let impls = context.types().filter(|named| context.is_checked(&named.name)).map(|named| context.validator(named));
    quote! {
        #![allow(clippy::all, deprecated, nonstandard_style, unreachable_pub, unused)]
        use super::types;
        use #support::validation::{self, Faults, Location, Validate};
        #(#impls)*
    }
}

impl Context<'_> {
    fn validator(&self, named: &NamedType) -> TokenStream {
        let body = match &named.kind {
            Kind::Object(object) => self.object_checks(object),
            Kind::Union(union) => self.union_checks(union),
            Kind::Wrapper(schema) => {
                let checks = self.checks(schema, &quote!(value), &quote!(at));
                quote!(let value = &self.0; #checks)
            }
            // `Verbatim` delegates to its content; the other kinds have no limits of their own.
            _ => return TokenStream::new(),
        };
        let name = ident(&named.name);
        quote! {
            impl Validate for types::#name {
                fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
                    #body
                }
            }
        }
    }

    fn object_checks(&self, object: &Object) -> TokenStream {
        let mut out = TokenStream::new();
        for field in &object.fields {
            let (name, wire) = (ident(&field.rust_name), &field.wire_name);
            if self.delegates(&field.schema) {
                out.extend(quote!(self.#name.validate(&at.field(#wire), faults);));
                continue;
            }
            let value = if field.boxed { quote!((&**value)) } else { quote!(value) };
            let checks = self.checks(&field.schema, &value, &quote!(&at.field(#wire)));
            if checks.is_empty() {
                continue;
            }
            out.extend(if field.distinct_null {
                quote!(if let Some(Some(value)) = &self.#name { #checks })
            } else if is_option(field) {
                quote!(if let Some(value) = &self.#name { #checks })
            } else {
                quote!(let value = &self.#name; #checks)
            });
        }
        if let Additional::Kept(schema) = &object.additional {
            out.extend(self.each_entry(schema, &quote!((&self.extra)), &quote!(at)));
        }
        out
    }

    fn union_checks(&self, union: &Union) -> TokenStream {
        let mut arms = Vec::new();
        for branch in &union.branches {
            let variant = ident(&branch.rust_name);
            let value = if branch.boxed { quote!((&**value)) } else { quote!(value) };
            let checks = self.checks(&branch.schema, &value, &quote!(at));
            if !checks.is_empty() {
                arms.push(quote!(Self::#variant(value) => { #checks }));
            }
        }
        let rest = (arms.len() < union.branches.len()).then(|| quote!(_ => {}));
        quote!(match self { #(#arms)* #rest })
    }

    /// Returns whether every limit of a value is one of a named type within it, so that the value itself is `Validate`.
    pub fn delegates(&self, schema: &Schema) -> bool {
        match &schema.shape {
            Shape::Named(name) => match self.named(name).map(|named| &named.kind) {
                Some(Kind::Verbatim(inner)) => inner.name().is_some_and(|inner| self.is_checked(inner)),
                _ => self.is_checked(name),
            },
            Shape::Array(items) | Shape::Map(items) => !limits_anything(schema) && self.delegates(items),
            _ => false,
        }
    }

    /// Emits the statements that check `value` and add to `faults`, a `&mut support::validation::Faults` in scope.
    /// `value` is an expression of type `&T`, where `T` is [`Self::inner_type`]; it is evaluated several times, so it
    /// should be a name. `at` is an expression of type `&Location`, the path of the value. Empty if there is nothing
    /// to check. The code needs `validation` and `Validate` in scope.
    pub fn checks(&self, schema: &Schema, value: &TokenStream, at: &TokenStream) -> TokenStream {
        if self.delegates(schema) {
            return quote!(#value.validate(#at, faults););
        }
        let mut out = TokenStream::new();
        if limits_anything(schema) {
            out.extend(self.own_limits(schema, value, at));
        }
        match &schema.shape {
            Shape::Array(items) => {
                let checks = self.item_checks(items, &quote!(&at.index(index)));
                if !checks.is_empty() {
                    out.extend(quote!({
                        let at = #at;
                        for (index, item) in #value.iter().enumerate() { #checks }
                    }));
                }
            }
            Shape::Map(items) => out.extend(self.each_entry(items, value, at)),
            _ => {}
        }
        out
    }

    fn each_entry(&self, items: &Schema, map: &TokenStream, at: &TokenStream) -> TokenStream {
        let checks = self.item_checks(items, &quote!(&at.field(key)));
        if checks.is_empty() {
            return checks;
        }
        quote!({
            let at = #at;
            for (key, item) in #map.iter() { #checks }
        })
    }

    fn item_checks(&self, items: &Schema, at: &TokenStream) -> TokenStream {
        let checks = self.checks(items, &quote!(item), at);
        match items.nullable && !checks.is_empty() {
            // A map of arbitrary values stores null as a value.
            true if matches!(items.shape, Shape::Any) => checks,
            true => quote!(if let Some(item) = item { #checks }),
            false => checks,
        }
    }

    fn own_limits(&self, schema: &Schema, value: &TokenStream, at: &TokenStream) -> TokenStream {
        let limits = &schema.limits;
        let support = self.support();
        match &schema.shape {
            Shape::Integer(width) => integer_limits(limits, *width, value, at),
            Shape::Number { single } => number_limits(limits, *single, value, at),
            Shape::String => self.string_limits(limits, &quote!(#value.as_str()), at),
            Shape::Binary => self.string_limits(limits, &quote!(#value.as_text()), at),
            Shape::Boolean => {
                let values = limits.one_of.iter().filter_map(Value::as_bool);
                quote!(faults.one_of(#at, #value, &[#(#values),*]);)
            }
            Shape::Array(_) => array_limits(limits, value, at),
            Shape::Map(_) => map_limits(limits, value, at),
            Shape::Named(_) => TokenStream::new(),
            Shape::Any => {
                let mut arms = Vec::new();
                let mut arm = |pattern: TokenStream, checks: TokenStream| {
                    if !checks.is_empty() {
                        arms.push(quote!(::serde_json::Value::#pattern => { #checks }));
                    }
                };
                arm(quote!(String(value)), self.string_limits(limits, &quote!(value.as_str()), at));
                let number = Limits { one_of: Vec::new(), ..limits.clone() };
                let number = number_limits(&number, false, &quote!((&value.as_f64().unwrap_or_default())), at);
                arm(quote!(Number(value)), number);
                arm(quote!(Array(value)), array_limits(limits, &quote!(value), at));
                arm(quote!(Object(value)), map_limits(limits, &quote!(value), at));
                let by_type = (!arms.is_empty()).then(|| quote!(match #value { #(#arms)* _ => {} }));
                let one_of = (!limits.one_of.is_empty()).then(|| {
                    let values = Value::Array(limits.one_of.clone()).to_string();
                    quote!(faults.one_of_values(#at, #value, &#support::json::constant(#values));)
                });
                quote!(#by_type #one_of)
            }
        }
    }

    fn string_limits(&self, limits: &Limits, value: &TokenStream, at: &TokenStream) -> TokenStream {
        let mut out = range("length", limits.min_length, limits.max_length, at, value);
        for pattern in &limits.patterns {
            let source = &pattern.source;
            let message = pattern.message.clone().unwrap_or_else(|| format!("must match the pattern {source}"));
            out.extend(quote!({
                static PATTERN: validation::LazyPattern = validation::LazyPattern::new(#source);
                faults.pattern(#at, #value, &PATTERN, #message);
            }));
        }
        if let Some(format) = limits.format {
            let format = ident(&format!("{format:?}"));
            out.extend(quote!(faults.format(#at, #value, validation::Format::#format);));
        }
        out
    }
}

fn integer_limits(limits: &Limits, width: Integer, value: &TokenStream, at: &TokenStream) -> TokenStream {
    let (least, most) = width.range().into_inner();
    let mut out = TokenStream::new();
    let mut bound = |method: &str, limit: i128| {
        // A limit that the type cannot represent is compared as an `i128`.
        let fits = (least..=most).contains(&limit);
        let (method, limit) = (ident(method), integer(limit));
        let value = if fits { quote!(*#value) } else { quote!(i128::from(*#value)) };
        out.extend(quote!(faults.#method(#at, #value, #limit);));
    };
    if let Some(low) = limits.minimum.as_ref().and_then(Bound::least).filter(|low| *low > least) {
        bound("minimum", low);
    }
    if let Some(high) = limits.maximum.as_ref().and_then(Bound::greatest).filter(|high| *high < most) {
        bound("maximum", high);
    }
    out.extend(multiples(limits, value, at));
    if !limits.one_of.is_empty() {
        let values = limits.one_of.iter().filter_map(Value::as_number).filter_map(schema::integer);
        let values = values.filter(|value| (least..=most).contains(value)).map(integer);
        out.extend(quote!(faults.one_of(#at, #value, &[#(#values),*]);));
    }
    out
}

fn number_limits(limits: &Limits, single: bool, value: &TokenStream, at: &TokenStream) -> TokenStream {
    let literal = |number: f64| float(number, single);
    let mut out = TokenStream::new();
    let mut bound = |bound: &Option<Bound>, inclusive: &str, exclusive: &str| {
        let Some(bound) = bound else { return };
        let Some(limit) = bound.value.as_f64().filter(|limit| limit.is_finite()) else { return };
        let method = ident(if bound.exclusive { exclusive } else { inclusive });
        let limit = literal(limit);
        out.extend(quote!(faults.#method(#at, *#value, #limit);));
    };
    bound(&limits.minimum, "minimum", "above");
    bound(&limits.maximum, "maximum", "below");
    out.extend(multiples(limits, value, at));
    if !limits.one_of.is_empty() {
        let values = limits.one_of.iter().filter_map(Value::as_f64).map(literal);
        out.extend(quote!(faults.one_of(#at, #value, &[#(#values),*]);));
    }
    out
}

fn multiples(limits: &Limits, value: &TokenStream, at: &TokenStream) -> TokenStream {
    let multiples = limits.multiple_of.iter().map(ToString::to_string);
    quote!(#(faults.multiple_of(#at, *#value, #multiples);)*)
}

fn array_limits(limits: &Limits, value: &TokenStream, at: &TokenStream) -> TokenStream {
    let mut out = range("items", limits.min_items, limits.max_items, at, &quote!(#value.len()));
    if limits.unique_items {
        out.extend(quote!(faults.unique_items(#at, #value);));
    }
    out
}

fn map_limits(limits: &Limits, value: &TokenStream, at: &TokenStream) -> TokenStream {
    range("properties", limits.min_properties, limits.max_properties, at, &quote!(#value.len()))
}

/// Emits the checks of a minimum and a maximum of the same thing.
fn range(thing: &str, least: Option<u64>, most: Option<u64>, at: &TokenStream, value: &TokenStream) -> TokenStream {
    let check = |(end, limit): (&str, Option<u64>)| {
        let (method, limit) = (format_ident!("{end}_{thing}"), Literal::u64_unsuffixed(limit?));
        Some(quote!(faults.#method(#at, #value, #limit);))
    };
    [("min", least), ("max", most)].into_iter().filter_map(check).collect()
}

/// Emits an integer. The sign is a separate token, since a literal cannot be negative.
pub fn integer(number: i128) -> TokenStream {
    let magnitude = Literal::u128_unsuffixed(number.unsigned_abs());
    if number < 0 { quote!(-#magnitude) } else { quote!(#magnitude) }
}

/// Emits a floating-point number: infinity if its type has only smaller ones.
pub fn float(number: f64, single: bool) -> TokenStream {
    let magnitude = match number.abs() as f32 {
        _ if !single => Literal::f64_unsuffixed(number.abs()).to_token_stream(),
        f32::INFINITY => quote!(f32::INFINITY),
        magnitude => Literal::f32_unsuffixed(magnitude).to_token_stream(),
    };
    if number < 0.0 { quote!(-#magnitude) } else { quote!(#magnitude) }
}
