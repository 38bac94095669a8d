//! Emission of the input of an operation: its parameters and its body as one struct.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use crate::emit::names::{doc, ident};
use crate::emit::server::parameters::{present, takes_rest};
use crate::emit::server::{Emitter, input_name, route};
use crate::ir::operation::{Access, Body, Carrier, Content, Media, Operation, ParameterLocation};
use crate::ir::schema::{Field, Object, Schema, Shape};

impl<'a> Emitter<'a> {
    /// Emits the struct, with the types that its body needs.
    pub(super) fn input(&self, operation: &Operation) -> TokenStream {
        let name = input_name(operation);
        let route = format!(" {}", route(operation));
        let parameters = operation.parameters.iter().map(|parameter| {
            let (name, ty) = (ident(&parameter.rust_name), self.parameter_type(parameter));
            let deprecated = if parameter.deprecated { "\n\nDeprecated." } else { "" };
            let about = doc(&format!("{}{deprecated}", parameter.description), false);
            quote!(#about pub #name: #ty,)
        });
        let accept = operation.negotiates().then(|| {
            quote! {
                /// Media types that the caller prefers.
                pub accept: http::Accept,
            }
        });
        let body = operation.body.as_ref().map(|body| {
            let (ty, about) = (self.body_type(operation, body), doc(&body.description, false));
            let ty = if body.required { ty } else { quote!(Option<#ty>) };
            quote!(#about pub body: #ty,)
        });
        let derive = if operation.body.as_ref().is_some_and(streams) { quote!(Debug) } else { quote!(Clone, Debug) };
        let extra = operation.body.as_ref().map(|body| self.body_items(operation, body));
        let read = self.read_input(operation);
        quote! {
            #[doc = #route]
            #[derive(#derive)]
            pub struct #name { #(#parameters)* #accept #body }
            #read
            #extra
        }
    }

    /// Emits the reading of the input from a request, in the order of its fields.
    fn read_input(&self, operation: &Operation) -> TokenStream {
        let name = input_name(operation);
        let row = self.row(operation, &quote!(super::));
        let others: Vec<&str> = operation
            .parameters
            .iter()
            .filter(|parameter| parameter.location == ParameterLocation::Query)
            .map(|parameter| parameter.wire_name.as_str())
            .collect();
        let query = self.rejects_other_parameters(operation).then(|| {
            let keys = operation.security.iter().flat_map(|alternative| &alternative.0);
            let keys = keys.filter_map(|requirement| match &requirement.carrier {
                Carrier::Query(name) => Some(name.as_str()),
                _ => None,
            });
            let mut known: Vec<&str> = others.iter().copied().chain(keys).collect();
            known.sort_unstable();
            known.dedup();
            quote!(const QUERY: Option<&'static [&'static str]> = Some(&[#(#known),*]);)
        });
        let fields = operation.parameters.iter().map(|parameter| {
            let (name, value) = (ident(&parameter.rust_name), self.read_parameter(parameter, &others));
            quote!(#name: #value,)
        });
        let accept = operation.negotiates().then(|| {
            let offered = operation.responses.iter().filter(|response| response.status.is_success());
            let offered = offered.flat_map(|response| &response.media).map(|media| &media.media_type);
            quote!(accept: call.accept(&[#(#offered),*])?,)
        });
        let body = operation.body.as_ref().map(|body| {
            let read = self.read_body(operation, body);
            quote!(body: #read,)
        });
        quote! {
            impl http::Input for #name {
                const OPERATION: http::Operation = #row;
                #query
                async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
                    Ok(Self { #(#fields)* #accept #body })
                }
            }
        }
    }

    /// Returns whether undocumented query parameters are rejected. They are accepted if an exploded object may have
    /// keys of any name, and for open operations such as health checks, whose callers often add parameters of their
    /// own.
    fn rejects_other_parameters(&self, operation: &Operation) -> bool {
        let mut query = operation.parameters.iter().filter(|parameter| parameter.location == ParameterLocation::Query);
        operation.access() != Access::Open
            && query.all(|parameter| !takes_rest(parameter) || self.is_flat(&parameter.schema))
    }

    fn body_type(&self, operation: &Operation, body: &Body) -> TokenStream {
        match body.media.as_slice() {
            [only] => self.content_type(operation, only),
            _ => {
                let name = body_name(operation);
                quote!(#name)
            }
        }
    }

    /// Returns the type of a request body of one media type.
    pub(super) fn content_type(&self, operation: &Operation, media: &Media) -> TokenStream {
        match &media.content {
            Content::Json(Some(schema)) => self.context.rust_type(schema),
            Content::Json(None) => quote!(http::Value),
            Content::JsonItems { schema, items, .. } => {
                let (ty, items) = (self.context.rust_type(schema), self.context.rust_type(items));
                quote!(http::JsonItems<#ty, #items>)
            }
            Content::Form { schema, .. } => self.context.rust_type(&present(schema)),
            Content::Multipart { schema, .. } => match self.object(schema) {
                Some(_) => {
                    let name = multipart_name(operation);
                    quote!(#name)
                }
                None => quote!(Vec<http::FilePart>),
            },
            Content::Parts => quote!(Vec<http::FilePart>),
            Content::PartStream => quote!(http::PartStream),
            Content::Text(_) => quote!(String),
            Content::Stream => quote!(http::BodyStream),
            Content::Bytes | Content::EventStream(_) => quote!(http::Bytes),
        }
    }

    fn body_items(&self, operation: &Operation, body: &Body) -> TokenStream {
        let mut items = TokenStream::new();
        for media in &body.media {
            if let Content::Multipart { schema, .. } = &media.content
                && let Some(object) = self.object(schema)
            {
                items.extend(self.multipart_struct(operation, object));
            }
        }
        if body.media.len() > 1 {
            let name = body_name(operation);
            let about = format!(" The body of {}, by its media type.", route(operation));
            let derive = if streams(body) { quote!(Debug) } else { quote!(Clone, Debug) };
            let variants = body.media.iter().map(|media| {
                let (variant, ty) = (ident(&media.variant), self.content_type(operation, media));
                let about = format!(" `{}`", media.media_type);
                quote!(#[doc = #about] #variant(#ty))
            });
            items.extend(quote!(#[doc = #about] #[derive(#derive)] pub enum #name { #(#variants),* }));
        }
        items
    }

    fn multipart_struct(&self, operation: &Operation, object: &Object) -> TokenStream {
        let name = multipart_name(operation);
        let about = format!(" The parts of a `multipart/form-data` body of {}.", route(operation));
        let fields = object.fields.iter().map(|field| {
            let (name, ty) = (ident(&field.rust_name), self.part_type(field));
            let about = doc(&field.description, false);
            quote!(#about pub #name: #ty)
        });
        quote!(#[doc = #about] #[derive(Clone, Debug)] pub struct #name { #(#fields),* })
    }

    fn part_type(&self, field: &Field) -> TokenStream {
        let optional = !field.required && field.default.is_none();
        match part_kind(&field.schema) {
            PartKind::File if optional => quote!(Option<http::FilePart>),
            PartKind::File => quote!(http::FilePart),
            PartKind::Files => quote!(Vec<http::FilePart>),
            PartKind::Value => {
                let ty = self.context.rust_type(&present(&field.schema));
                if optional { quote!(Option<#ty>) } else { ty }
            }
        }
    }
}

/// Kind of a part of a multipart body.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum PartKind {
    File,
    Files,
    Value,
}

pub(super) fn part_kind(schema: &Schema) -> PartKind {
    match &schema.shape {
        Shape::Binary => PartKind::File,
        Shape::Array(items) if items.shape == Shape::Binary => PartKind::Files,
        _ => PartKind::Value,
    }
}

pub(super) fn streams(body: &Body) -> bool {
    body.media
        .iter()
        .any(|media| matches!(media.content, Content::PartStream | Content::Stream | Content::JsonItems { .. }))
}

pub(super) fn body_name(operation: &Operation) -> Ident {
    format_ident!("{}Body", ident(&operation.type_name))
}

pub(super) fn multipart_name(operation: &Operation) -> Ident {
    format_ident!("{}Multipart", ident(&operation.type_name))
}
