//! Emission of the expression that reads a request body in any of its media types.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use crate::emit::names::ident;
use crate::emit::server::Emitter;
use crate::emit::server::inputs::{PartKind, body_name, multipart_name, part_kind};
use crate::emit::server::parameters::{or_else, present};
use crate::ir::operation::{Body, Content, Encoding, Media, Operation, PartRules, Style};
use crate::ir::schema::{Additional, Field, Object, Schema, Shape};

impl<'a> Emitter<'a> {
    /// Emits the reading of the body.
    pub(super) fn read_body(&self, operation: &Operation, body: &Body) -> TokenStream {
        let types = body.media.iter().map(|media| &media.media_type);
        let read = match body.media.as_slice() {
            [only] => {
                let media_type = &only.media_type;
                self.read_media(operation, body, only, &quote!(call.only(#media_type)?))
            }
            several => {
                let name = body_name(operation);
                let last = several.len() - 1;
                let arms = several.iter().enumerate().map(|(index, media)| {
                    let read = self.read_media(operation, body, media, &quote!(call));
                    let variant = ident(&media.variant);
                    let pattern = if index == last {
                        quote!(_)
                    } else {
                        let index = Literal::usize_unsuffixed(index);
                        quote!(#index)
                    };
                    quote!(#pattern => #name::#variant(#read),)
                });
                quote!(match call.media_type(&[#(#types),*])? { #(#arms)* })
            }
        };
        if body.required { read } else { quote!(if call.has_body().await? { Some(#read) } else { None }) }
    }

    /// Emits the reading of a body of one media type from `call`, an expression of a `Call`.
    fn read_media(&self, operation: &Operation, body: &Body, media: &Media, call: &TokenStream) -> TokenStream {
        let limit = Literal::usize_unsuffixed(usize::try_from(body.limit_bytes).unwrap_or(usize::MAX));
        match &media.content {
            Content::Json(schema) => {
                let any = Schema::of(Shape::Any);
                let schema = schema.as_ref().unwrap_or(&any);
                let (is_object, check) = (self.is_object(schema), self.check_or_none(schema));
                let (ty, reader) = (self.context.rust_type(schema), self.context.reader(schema));
                // serde's own deserialisation of a type without a name would differ, for example accept duplicate keys.
                let method = match reader.to_string() == quote!(json::ViaDeserialize).to_string() {
                    true => quote!(json::<#ty>),
                    false => quote!(json_by::<#reader, #ty>),
                };
                quote!(#call.#method(#limit, #is_object, #check).await?)
            }
            Content::JsonItems { schema, property, items } => {
                let (whole, item) = (self.check_or_none(schema), self.check_or_none(items));
                quote!(#call.json_items(#limit, #property, (#whole, #item))?)
            }
            Content::Form { schema, encodings } => {
                let schema = &present(schema);
                let (ty, check) = (self.context.rust_type(schema), self.check_or_none(schema));
                let form = self.form(schema, encodings);
                quote!(#call.form::<#ty>(#limit, const { &#form }, #check).await?)
            }
            Content::Multipart { schema, parts } => match self.object(schema) {
                Some(object) => self.read_multipart(operation, object, parts, &limit, call),
                None => quote!(#call.file_parts(#limit).await?),
            },
            Content::Parts => quote!(#call.file_parts(#limit).await?),
            Content::PartStream => quote!(#call.part_stream(#limit)?),
            Content::Text(schema) => {
                let check = schema.as_ref().and_then(|schema| self.check(&present(schema)));
                let check = check.unwrap_or_else(|| quote!(http::unlimited));
                quote!(#call.text(#limit, #check).await?)
            }
            Content::Stream => quote!(#call.stream(#limit)?),
            Content::Bytes | Content::EventStream(_) => quote!(#call.bytes(#limit).await?),
        }
    }

    /// Emits the fields of a form as a constant expression.
    fn form(&self, schema: &Schema, encodings: &std::collections::BTreeMap<String, Encoding>) -> TokenStream {
        let fields = self.object(schema).map(|object| object.fields.as_slice()).unwrap_or_default();
        let own = (Style::Form, true);
        let fields = fields.iter().map(|field| {
            let name = &field.wire_name;
            // A form can carry objects in brackets or as JSON only; brackets are what clients send.
            let encoding = encodings.get(name).copied().unwrap_or(Encoding::Styled { style: own.0, explode: own.1 });
            let encoding = match encoding {
                Encoding::Styled { style: Style::Form, explode: true } if self.is_structured(&field.schema) => {
                    Encoding::Styled { style: Style::DeepObject, explode: true }
                }
                other => other,
            };
            let deep = matches!(encoding, Encoding::Styled { style: Style::DeepObject, .. });
            let (encoding, shape) = (self.encoding(encoding, own), self.shape(&field.schema, deep));
            quote!(query(#name, #shape) #encoding)
        });
        let rest = match self.object(schema).map(|object| &object.additional) {
            Some(Additional::Ignored) => quote!(false),
            _ => quote!(true),
        };
        quote!(decode::Form { fields: &[#(#fields),*], rest: #rest })
    }

    fn is_structured(&self, schema: &Schema) -> bool {
        match &schema.shape {
            Shape::Map(_) => true,
            Shape::Array(items) => self.is_structured(items) || matches!(items.shape, Shape::Array(_)),
            _ => self.object(schema).is_some(),
        }
    }

    fn read_multipart(
        &self,
        operation: &Operation,
        object: &'a Object,
        rules: &std::collections::BTreeMap<String, PartRules>,
        limit: &Literal,
        call: &TokenStream,
    ) -> TokenStream {
        let name = multipart_name(operation);
        let known = object.fields.iter().map(|field| &field.wire_name).chain(&object.dropped);
        let closed = matches!(object.additional, Additional::Rejected | Additional::Null);
        let fields = object.fields.iter().map(|field| {
            let name = ident(&field.rust_name);
            let read = self.read_part(field, rules.get(&field.wire_name));
            quote!(#name: #read)
        });
        let presence = object.presence.iter().map(|presence| {
            let exactly_one = presence.exactly_one;
            let sets = presence.sets.iter().map(|set| quote!(&[#(#set),*]));
            quote!(form.check_presence(#exactly_one, &[#(#sets),*])?;)
        });
        let count = (object.min_properties.is_some() || object.max_properties.is_some()).then(|| {
            let least = Literal::u64_unsuffixed(object.min_properties.unwrap_or(0));
            let most = object.max_properties.map_or_else(
                || quote!(u64::MAX),
                |most| {
                    let most = Literal::u64_unsuffixed(most);
                    quote!(#most)
                },
            );
            quote!(form.check_count(#least, #most)?;)
        });
        quote! {{
            let mut form = #call.multipart(#limit, &[#(#known),*], #closed).await?;
            #(#presence)*
            #count
            #name { #(#fields),* }
        }}
    }

    fn read_part(&self, field: &Field, rules: Option<&PartRules>) -> TokenStream {
        let wire = &field.wire_name;
        let types = rules.map(|rules| rules.content_types.as_slice()).unwrap_or_default();
        let optional = !field.required && field.default.is_none();
        let schema = present(&field.schema);
        match part_kind(&field.schema) {
            PartKind::File => {
                let read = quote!(form.file(#wire, &[#(#types),*])?);
                if optional { read } else { quote!(decode::required(#read, #wire)?) }
            }
            PartKind::Files => {
                let limit = |limit: Option<u64>| match limit.map(Literal::u64_unsuffixed) {
                    Some(limit) => quote!(Some(#limit)),
                    None => quote!(None),
                };
                // A form cannot distinguish an empty list from an absent one, so a required list needs at least one
                // part.
                let low = limit(field.schema.limits.min_items.max(field.required.then_some(1)));
                let high = limit(field.schema.limits.max_items);
                quote!(form.files(#wire, &[#(#types),*], #low, #high)?)
            }
            PartKind::Value => {
                let (ty, shape) = (self.context.rust_type(&schema), self.shape(&schema, false));
                let read = quote!(form.value::<#ty>(#wire, const { &#shape })?);
                let default = field.default.as_ref().and_then(|default| self.context.default_value(&schema, default));
                let value = match default {
                    Some(default) => or_else(&read, &default),
                    None if optional => read,
                    None => quote!(decode::required(#read, #wire)?),
                };
                match self.check(&schema) {
                    None => value,
                    Some(check) if optional => quote!(call.checked_option(#wire, #value, #check)),
                    Some(check) => quote!(call.checked(#wire, #value, #check)),
                }
            }
        }
    }
}
