//! Emission of parameters: their descriptions for the decoder, and the statements that read them.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::{
    super::super::ir::{
        operation::{Encoding, Parameter, Place, Style},
        schema::Schema,
    },
    Emitter, ident,
};

impl Emitter<'_> {
    /// Returns the type of the input's field.
    pub(super) fn parameter_type(&self, parameter: &Parameter) -> TokenStream {
        let ty = self.context.rust_type(&present(&parameter.schema));
        if is_optional(parameter) { quote!(Option<#ty>) } else { ty }
    }

    /// Emits the statements that bind `name` to the value of a parameter. `others` are the names of the other query
    /// parameters, which an exploded object must not take.
    pub(super) fn read_parameter(&self, parameter: &Parameter, name: &Ident, others: &[&str]) -> TokenStream {
        let http = &self.http;
        let schema = present(&parameter.schema);
        let ty = self.context.rust_type(&schema);
        let constant = self.parameter(parameter, others);
        let read = quote!(#http::decode::parameter::<#ty>(&source, const { &#constant })?);
        let wire = &parameter.wire_name;
        let default = parameter.default.as_ref().and_then(|default| self.context.default_value(&schema, default));
        let value = match default {
            Some(default) => {
                quote!(match #read { Some(value) => value, None => #default })
            }
            None if is_optional(parameter) => read,
            None => {
                quote!(#http::decode::required(#read, #wire)?)
            }
        };
        let checks =
            self.context.checks(&schema, &quote!(value), &quote!(&#http::validation::Location::parameter(#wire)));
        let checks = match (checks.is_empty(), is_optional(parameter)) {
            (true, _) => TokenStream::new(),
            (false, true) => quote!(if let Some(value) = &#name { #checks }),
            (false, false) => quote!({ let value = &#name; #checks }),
        };
        quote!(let #name: _ = #value; #checks)
    }

    fn parameter(&self, parameter: &Parameter, others: &[&str]) -> TokenStream {
        let http = &self.http;
        let name = &parameter.wire_name;
        let place = match parameter.place {
            Place::Path => quote!(Path),
            Place::Query => quote!(Query),
            Place::Header => quote!(Header),
            Place::Cookie => quote!(Cookie),
        };
        let encoding = self.encoding(parameter.encoding);
        let deep = matches!(parameter.encoding, Encoding::Styled { style: Style::DeepObject, .. });
        let shape = self.shape(&parameter.schema, deep);
        let allow_empty = parameter.allow_empty;
        let others = if takes_rest(parameter) { others } else { &[] };
        let others = others.iter().filter(|other| **other != *name);
        quote! {
            #http::decode::Parameter {
                name: #name, place: #http::decode::Place::#place, encoding: #encoding, shape: #shape,
                allow_empty: #allow_empty, others: &[#(#others),*],
            }
        }
    }

    pub(super) fn encoding(&self, encoding: Encoding) -> TokenStream {
        let http = &self.http;
        match encoding {
            Encoding::Json => quote!(#http::decode::Encoding::Json),
            Encoding::Styled { style, explode } => {
                let style = format_ident!("{}", format!("{style:?}"));
                quote!(#http::decode::Encoding::Styled(#http::decode::Style::#style, #explode))
            }
        }
    }
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

/// Returns the local name of the parameter at an index, which cannot collide with names of the document.
pub(super) fn local(index: usize) -> Ident {
    ident(&format!("parameter_{index}"))
}
