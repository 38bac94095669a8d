//! Emission of a `default` as an expression.

use proc_macro2::TokenStream;
use quote::quote;
use serde_json::Value;

use crate::emit::context::{Context, is_option};
use crate::emit::names::{ident, none, some};
use crate::emit::validate::{float, integer};
use crate::ir::fits::fits;
use crate::ir::schema::{Additional, Field, Kind, Schema, Shape};

impl Context<'_> {
    /// Returns the value as an expression of the schema's type, `Some(…)` or `None` if the schema is nullable. Returns
    /// no expression for a value that does not match the schema.
    pub fn default_value(&self, schema: &Schema, value: &Value) -> Option<TokenStream> {
        fits(&|name| self.named(name), schema, value, 0).then(|| self.value(schema, value))
    }

    fn value(&self, schema: &Schema, value: &Value) -> TokenStream {
        match (schema.nullable, value) {
            (true, Value::Null) => none(),
            (true, value) => some(self.inner_value(schema, value)),
            (false, value) => self.inner_value(schema, value),
        }
    }

    fn inner_value(&self, schema: &Schema, value: &Value) -> TokenStream {
        let support = self.support();
        let constant = || {
            let text = value.to_string();
            quote!(#support::json::constant(#text))
        };
        match (&schema.shape, value) {
            (Shape::Boolean, Value::Bool(flag)) => quote!(#flag),
            (Shape::Integer(_), Value::Number(number)) => {
                integer(number.as_i128().unwrap_or_else(|| number.as_f64().unwrap_or_default() as i128))
            }
            (Shape::Number { single }, Value::Number(number)) => float(number.as_f64().unwrap_or_default(), *single),
            (Shape::String, Value::String(text)) => match self.text_type(schema) {
                Some(kind) => quote!(#kind::of_document(#text)),
                None => quote!(::std::string::String::from(#text)),
            },
            (Shape::Binary, Value::String(text)) => quote!(#support::json::Binary::from(#text)),
            (Shape::Array(items), Value::Array(values)) => {
                let values = values.iter().map(|value| self.value(items, value));
                quote!(::std::vec![#(#values),*])
            }
            (Shape::Map(items), Value::Object(values)) if matches!(items.shape, Shape::Any) => {
                let entries = values.iter().map(|(key, value)| {
                    let value = self.inner_value(&Schema::of(Shape::Any), value);
                    quote!((::std::string::String::from(#key), #value))
                });
                quote!(::serde_json::Map::from_iter([#(#entries),*]))
            }
            (Shape::Map(items), Value::Object(values)) => {
                let entries = values.iter().map(|(key, value)| {
                    let value = self.value(items, value);
                    quote!((::std::string::String::from(#key), #value))
                });
                quote!(::std::collections::BTreeMap::from_iter([#(#entries),*]))
            }
            (Shape::Named(name), value) => self.named_value(name, value),
            _ => constant(),
        }
    }

    fn named_value(&self, name: &str, value: &Value) -> TokenStream {
        let path = ident(name);
        match (self.named(name).map(|named| &named.kind), value) {
            (Some(Kind::Enumeration(enumeration)), Value::String(text)) => {
                let variant = enumeration.variants.iter().find(|variant| variant.wire_name == *text);
                let variant = ident(variant.map_or("", |variant| &variant.rust_name));
                quote!(types::#path::#variant)
            }
            (Some(Kind::Object(object)), Value::Object(values)) => {
                let fields = object.fields.iter().map(|field| {
                    let name = ident(&field.rust_name);
                    let value = match values.get(&field.wire_name) {
                        Some(value) => self.field_value(field, value),
                        None => self.absent(field),
                    };
                    quote!(#name: #value)
                });
                let extra = match &object.additional {
                    Additional::Kept(schema) => {
                        let others: serde_json::Map<_, _> = values
                            .iter()
                            .filter(|(key, _)| !object.knows(key))
                            .map(|(k, v)| (k.clone(), v.clone()))
                            .collect();
                        let map = Schema::of(Shape::Map(schema.clone()));
                        let extra = self.inner_value(&map, &Value::Object(others));
                        Some(quote!(extra: #extra,))
                    }
                    _ => None,
                };
                quote!(types::#path { #(#fields,)* #extra })
            }
            (Some(Kind::Union(union)), value) => {
                let types = |name: &str| self.named(name);
                let branch = union.branches.iter().find(|branch| fits(&types, &branch.schema, value, 0));
                let Some(branch) = branch else { return TokenStream::new() };
                let variant = ident(&branch.rust_name);
                let mut inner = self.inner_value(&branch.schema, value);
                if branch.boxed {
                    inner = quote!(::std::boxed::Box::new(#inner));
                }
                quote!(types::#path::#variant(#inner))
            }
            (Some(Kind::Wrapper(schema)), value) => {
                let inner = self.inner_value(schema, value);
                quote!(types::#path(#inner))
            }
            (Some(Kind::Alias(schema)), value) => self.inner_value(schema, value),
            _ => TokenStream::new(),
        }
    }

    /// Returns the expression of a field for a value of the document.
    fn field_value(&self, field: &Field, value: &Value) -> TokenStream {
        if value.is_null() && field.schema.nullable {
            return if field.distinct_null { some(none()) } else { none() };
        }
        let mut inner = self.inner_value(&field.schema, value);
        if field.boxed {
            inner = quote!(::std::boxed::Box::new(#inner));
        }
        if field.distinct_null {
            inner = some(inner);
        }
        if is_option(field) { some(inner) } else { inner }
    }

    /// Returns the expression of a field that is absent.
    pub fn absent(&self, field: &Field) -> TokenStream {
        match &field.default {
            Some(default) => self.field_value(field, default),
            None => none(),
        }
    }
}
