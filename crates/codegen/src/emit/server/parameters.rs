//! Emission of parameters: their descriptions for the decoder, and the expressions that read them.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::emit::server::Emitter;
use crate::ir::operation::{Encoding, Parameter, ParameterLocation, Style};
use crate::ir::schema::Schema;

impl Emitter<'_> {
    /// Returns the type of the input's field.
    pub(super) fn parameter_type(&self, parameter: &Parameter) -> TokenStream {
        let ty = self.context.rust_type(&present(&parameter.schema));
        if is_optional(parameter) { quote!(Option<#ty>) } else { ty }
    }

    /// Emits the reading of a parameter. `others` are the names of the other query parameters, which an exploded object
    /// must not take.
    pub(super) fn read_parameter(&self, parameter: &Parameter, others: &[&str]) -> TokenStream {
        let schema = present(&parameter.schema);
        let constant = self.parameter(parameter, others);
        let wire = &parameter.wire_name;
        let check = self.check(&schema);
        // A closure needs to know the type of its value.
        let ty = check.as_ref().map(|_| {
            let ty = self.context.rust_type(&schema);
            quote!(::<#ty>)
        });
        let default = parameter.default.as_ref().and_then(|default| self.context.default_value(&schema, default));
        let value = match default {
            Some(default) => or_else(&quote!(call.optional #ty (&#constant)?), &default),
            None if is_optional(parameter) => quote!(call.optional #ty (&#constant)?),
            None => quote!(call.required #ty (&#constant)?),
        };
        match check {
            None => value,
            Some(check) if is_optional(parameter) => quote!(call.checked_option(#wire, #value, #check)),
            Some(check) => quote!(call.checked(#wire, #value, #check)),
        }
    }

    /// Emits the validator of a value as a function of the value, its path and the faults; `None` if it has no limits.
    pub(super) fn check(&self, schema: &Schema) -> Option<TokenStream> {
        if self.context.delegates(schema) {
            return Some(quote!(validation::Validate::validate));
        }
        let checks = self.context.checks(&present(schema), &quote!(value), &quote!(at));
        match (checks.is_empty(), schema.nullable) {
            (true, _) => None,
            (false, true) => Some(quote!(|value, at, faults| if let Some(value) = value { #checks })),
            (false, false) => Some(quote!(|value, at, faults| { #checks })),
        }
    }

    /// Emits the validator of a value, also of one without limits.
    pub(super) fn check_or_none(&self, schema: &Schema) -> TokenStream {
        self.check(schema).unwrap_or_else(|| quote!(http::unlimited))
    }

    fn parameter(&self, parameter: &Parameter, others: &[&str]) -> TokenStream {
        let name = &parameter.wire_name;
        let (location, own) = match parameter.location {
            ParameterLocation::Path => (quote!(path), (Style::Simple, false)),
            ParameterLocation::Query => (quote!(query), (Style::Form, true)),
            ParameterLocation::Header => (quote!(header), (Style::Simple, false)),
            ParameterLocation::Cookie => (quote!(cookie), (Style::Form, true)),
        };
        let encoding = self.encoding(parameter.encoding, own);
        let deep = matches!(parameter.encoding, Encoding::Styled { style: Style::DeepObject, .. });
        let shape = self.shape(&parameter.schema, deep);
        let allow_empty = parameter.allow_empty.then(|| quote!(.allow_empty()));
        let takes_rest = takes_rest(parameter) && !self.is_flat(&parameter.schema);
        let others: Vec<_> = others.iter().filter(|other| takes_rest && **other != *name).collect();
        let others = (!others.is_empty()).then(|| quote!(.others(&[#(#others),*])));
        quote!(#location(#name, #shape) #encoding #allow_empty #others)
    }

    /// Emits the encoding of a parameter, unless it is the default of its location.
    pub(super) fn encoding(&self, encoding: Encoding, own: (Style, bool)) -> Option<TokenStream> {
        match encoding {
            Encoding::Json => Some(quote!(.json())),
            Encoding::Styled { style, explode } if (style, explode) == own => None,
            Encoding::Styled { style, explode } => {
                let style = format_ident!("{}", format!("{style:?}"));
                Some(quote!(.style(decode::Style::#style, #explode)))
            }
        }
    }
}

/// Emits the value of an `Option`, or a default.
pub(super) fn or_else(option: &TokenStream, default: &TokenStream) -> TokenStream {
    quote!(#option.unwrap_or_else(|| #default))
}

/// Returns whether the parameter may take query keys that no parameter names.
pub(super) fn takes_rest(parameter: &Parameter) -> bool {
    matches!(parameter.encoding, Encoding::Styled { style: Style::Form, explode: true })
}

/// Returns the schema without null: a parameter is absent or has a value, since text has no null.
pub(super) fn present(schema: &Schema) -> Schema {
    Schema { nullable: false, ..schema.clone() }
}

/// Returns whether the handler receives an `Option`.
pub(super) fn is_optional(parameter: &Parameter) -> bool {
    parameter.default.is_none() && (!parameter.required || parameter.allow_empty)
}
