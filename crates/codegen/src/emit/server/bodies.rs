//! Emission of the statements that read a request body in any of its media types.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::{
    super::super::ir::{
        operation::{Body, Content, Encoding, Media, Operation, PartRules, Style},
        schema::{Additional, Field, Object, Schema, Shape},
    },
    Emitter, ident,
    inputs::{PartKind, body_name, multipart_name, part_kind},
    parameters::present,
};

impl<'a> Emitter<'a> {
    /// Emits the binding of `payload` to the body.
    pub(super) fn read_body(&self, operation: &Operation, body: &Body) -> TokenStream {
        let http = &self.http;
        let types = body.media.iter().map(|media| &media.media_type);
        let choose = quote!(#http::decode::media_type(&parts.headers, &[#(#types),*])?);
        let read = match body.media.as_slice() {
            [only] => {
                let read = self.read_media(operation, body, only);
                quote!(#choose; #read)
            }
            several => {
                let name = body_name(operation);
                let last = several.len() - 1;
                let arms = several.iter().enumerate().map(|(index, media)| {
                    let (read, variant) = (self.read_media(operation, body, media), ident(&media.variant));
                    let pattern = if index == last {
                        quote!(_)
                    } else {
                        let index = Literal::usize_unsuffixed(index);
                        quote!(#index)
                    };
                    quote!(#pattern => super::#name::#variant({ #read }),)
                });
                quote!(match #choose { #(#arms)* })
            }
        };
        if body.required {
            quote!(let payload = { #read };)
        } else {
            quote! {
                let payload = match #http::decode::present(body).await? {
                    Some(body) => Some({ #read }),
                    None => None,
                };
            }
        }
    }

    fn read_media(&self, operation: &Operation, body: &Body, media: &Media) -> TokenStream {
        let http = &self.http;
        let limit = Literal::usize_unsuffixed(usize::try_from(body.limit_bytes).unwrap_or(usize::MAX));
        let from = quote!(&parts.headers, body, #limit);
        match &media.content {
            Content::Json(Some(schema)) => {
                let (ty, checks) = (self.context.rust_type(schema), self.body_checks(schema));
                let is_object = self.is_object(schema);
                let read = self.read_json(&ty, schema, &quote!(#from, #is_object));
                quote!(let value: #ty = #read; #checks value)
            }
            Content::Json(None) => {
                self.read_json(&quote!(#http::Value), &Schema::of(Shape::Any), &quote!(#from, false))
            }
            Content::JsonItems { schema, property, items } => {
                let (whole, item) = (self.deferred_checks(schema), self.deferred_checks(items));
                quote!(#http::JsonItems::of(#from, #property, (#whole, #item))?)
            }
            Content::Form { schema, encodings } => {
                let schema = &present(schema);
                let (ty, checks) = (self.context.rust_type(schema), self.body_checks(schema));
                let form = self.form(schema, encodings);
                quote!(let value: #ty = #http::decode::form_body(#from, const { &#form }).await?; #checks value)
            }
            Content::Multipart { schema, parts } => match self.object(schema) {
                Some(object) => self.read_multipart(operation, object, parts, &from),
                None => quote!(#http::multipart::parts(#from).await?),
            },
            Content::Parts => quote!(#http::multipart::parts(#from).await?),
            Content::PartStream => quote!(#http::multipart::stream(#from)?),
            Content::Text(schema) => {
                let read = quote!(#http::decode::text_body(#from).await?);
                let checks = schema.as_ref().map(|schema| self.body_checks(&present(schema))).unwrap_or_default();
                if checks.is_empty() { read } else { quote!(let value = #read; #checks value) }
            }
            Content::Stream => quote!(#http::BodyStream::of(#from)?),
            Content::Bytes | Content::EventStream(_) => quote!(#http::decode::bytes_body(#from).await?),
        }
    }

    /// Emits the reading of JSON by its schema. serde's own deserialisation of a type without a name would differ, for
    /// example accept duplicate keys.
    fn read_json(&self, ty: &TokenStream, schema: &Schema, arguments: &TokenStream) -> TokenStream {
        let http = &self.http;
        let reader = self.context.reader(schema);
        if reader.to_string() == quote!(json::ViaDeserialize).to_string() {
            return quote!(#http::decode::json_body(#arguments).await?);
        }
        quote! {{
            use #http::json;
            #http::decode::json_body::<json::Typed<#reader, #ty>>(#arguments).await?.0
        }}
    }

    fn body_checks(&self, schema: &Schema) -> TokenStream {
        let http = &self.http;
        let at = quote!(&#http::validation::Location::BODY);
        let checks = self.context.checks(&present(schema), &quote!(checked), &at);
        match (checks.is_empty(), schema.nullable) {
            (true, _) => TokenStream::new(),
            (false, true) => quote!(if let Some(checked) = &value { #checks }),
            (false, false) => quote!({ let checked = &value; #checks }),
        }
    }

    /// Emits the checks of a value that is decoded later, as a function of the value, its place and the faults.
    fn deferred_checks(&self, schema: &Schema) -> TokenStream {
        let checks = self.context.checks(schema, &quote!(checked), &quote!(at));
        quote!(|checked, at, faults| { #checks })
    }

    /// Emits the fields of a form as a constant expression.
    fn form(&self, schema: &Schema, encodings: &std::collections::BTreeMap<String, Encoding>) -> TokenStream {
        let http = &self.http;
        let fields = self.object(schema).map(|object| object.fields.as_slice()).unwrap_or_default();
        let fields = fields.iter().map(|field| {
            let name = &field.wire_name;
            // A form can carry objects in brackets or as JSON only; brackets are what clients send.
            let own = Encoding::Styled { style: Style::Form, explode: true };
            let encoding = encodings.get(name).copied().unwrap_or(own);
            let encoding = match encoding {
                Encoding::Styled { style: Style::Form, explode: true } if self.is_structured(&field.schema) => {
                    Encoding::Styled { style: Style::DeepObject, explode: true }
                }
                other => other,
            };
            let deep = matches!(encoding, Encoding::Styled { style: Style::DeepObject, .. });
            let (encoding, shape) = (self.encoding(encoding), self.shape(&field.schema, deep));
            quote! {
                #http::decode::Parameter {
                    name: #name, place: #http::decode::Place::Query, encoding: #encoding, shape: #shape,
                    allow_empty: false, others: &[],
                }
            }
        });
        let rest = match self.object(schema).map(|object| &object.additional) {
            Some(Additional::Ignored) => quote!(false),
            _ => quote!(true),
        };
        quote!(#http::decode::Form { fields: &[#(#fields),*], rest: #rest })
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
        from: &TokenStream,
    ) -> TokenStream {
        let http = &self.http;
        let name = multipart_name(operation);
        let known = object.fields.iter().map(|field| &field.wire_name).chain(&object.dropped);
        let closed = matches!(object.additional, Additional::Refused | Additional::Null);
        let reads = object.fields.iter().enumerate().map(|(index, field)| {
            let local = ident(&format!("part_{index}"));
            let read = self.read_part(field, rules.get(&field.wire_name));
            quote!(let #local = #read;)
        });
        let fields = object.fields.iter().enumerate().map(|(index, field)| {
            let (name, local) = (ident(&field.rust_name), ident(&format!("part_{index}")));
            quote!(#name: #local)
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
        quote! {
            let mut form = #http::multipart::Form::read(#from, &[#(#known),*], #closed).await?;
            #(#presence)*
            #count
            #(#reads)*
            super::#name { #(#fields),* }
        }
    }

    fn read_part(&self, field: &Field, rules: Option<&PartRules>) -> TokenStream {
        let http = &self.http;
        let wire = &field.wire_name;
        let types = rules.map(|rules| rules.content_types.as_slice()).unwrap_or_default();
        let optional = !field.required && field.default.is_none();
        let schema = present(&field.schema);
        match part_kind(&field.schema) {
            PartKind::File => {
                let read = quote!(form.file(#wire, &[#(#types),*])?);
                if optional { read } else { quote!(#http::decode::required(#read, #wire)?) }
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
                    Some(default) => {
                        quote!(match #read { Some(value) => value, None => #default })
                    }
                    None if optional => read,
                    None => quote!(#http::decode::required(#read, #wire)?),
                };
                let at = quote!(&#http::validation::Location::parameter(#wire));
                let checks = self.context.checks(&schema, &quote!(value), &at);
                match (checks.is_empty(), optional) {
                    (true, _) => value,
                    (false, true) => quote!({ let read = #value; if let Some(value) = &read { #checks } read }),
                    (false, false) => quote!({ let read = #value; { let value = &read; #checks } read }),
                }
            }
        }
    }
}
