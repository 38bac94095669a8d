//! Emission of `examples.rs`: a server that responds with the examples of the document.
//!
//! Output for one operation:
//!
//! ```text
//! pub trait Examples: http::Authenticate {
//!     fn get_model(&self, caller: Self::Caller, input: server::models::GetModelInput)
//!         -> impl Future<Output = Result<server::models::GetModelOutput, http::ApiError>> + Send
//!     { async move { Ok(server::models::GetModelOutput::Ok(http::example(r#"{"id":"m1"}"#)?)) } }
//! }
//! pub struct WithExamples<T>(pub T);
//! impl<T: Examples> server::models::Models for WithExamples<T> { … calls the method of `Examples` … }
//! ```
//!
//! An operation that responds otherwise is a method of an implementation. Default methods of the server's own traits
//! would give the same, but then nothing would notice an operation that a service forgot.

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use serde_json::Value;

use crate::emit::context::Context;
use crate::emit::names::{doc, ident};
use crate::emit::server::outputs::{headers_name, variant};
use crate::emit::server::{Emitter, caller, input_name, output_name, route};
use crate::examples::examples;
use crate::ir::Api;
use crate::ir::operation::{Access, Body, Content, Media, Operation, Response, Status, Tag};
use crate::reference::resolve;

/// Returns the tokens of the file for the document `root`.
pub fn file(root: &Value, api: &Api, context: &Context<'_>) -> TokenStream {
    let support = context.support();
    let emitter = Emitter::new(api, context);
    let own: Vec<&Operation> = api.operations.iter().filter(|operation| operation.alias_of.is_none()).collect();
    let secured = own.iter().any(|operation| operation.access() != Access::Open);
    let supertrait = if secured { quote!(http::Authenticate) } else { quote!(Send + Sync + 'static) };
    let methods = own.iter().map(|operation| emitter.example_method(root, operation));
    let implementations = api
        .tags
        .iter()
        .enumerate()
        .map(|(index, tag)| implementation(tag, own.iter().copied().filter(|operation| operation.tag == index)));
    let authenticate = secured.then(|| {
        quote! {
            impl<T: http::Authenticate> http::Authenticate for WithExamples<T> {
                type Caller = T::Caller;
                async fn authenticate(
                    &self,
                    credentials: &http::Credentials<'_>,
                    headers: &http::HeaderMap,
                ) -> Result<Self::Caller, http::ApiError> {
                    http::Authenticate::authenticate(&self.0, credentials, headers).await
                }
            }
        }
    });
    quote! {
        #![allow(clippy::all, missing_docs, deprecated, nonstandard_style, unreachable_pub, unused, rustdoc::all)]
        use super::server;
        use #support::http;

        /// Operations that respond with the examples of the document. Implement those that shall respond otherwise, and
        /// serve [`WithExamples`].
        pub trait Examples: #supertrait { #(#methods)* }

        /// A server of [`Examples`].
        pub struct WithExamples<T>(pub T);
        #authenticate
        #(#implementations)*
    }
}

fn implementation<'a>(tag: &Tag, operations: impl Iterator<Item = &'a Operation>) -> TokenStream {
    let (module, tag_trait) = (ident(&tag.module), ident(&tag.trait_name));
    let methods = operations.map(|operation| {
        let name = ident(&operation.rust_name);
        let (input, output, caller) = (input_name(operation), output_name(operation), caller(operation));
        let passed = (operation.access() != Access::Open).then(|| quote!(caller,));
        quote! {
            async fn #name(&self, #caller input: server::#module::#input)
                -> Result<server::#module::#output, http::ApiError>
            {
                Examples::#name(&self.0, #passed input).await
            }
        }
    });
    quote!(impl<T: Examples> server::#module::#tag_trait for WithExamples<T> { #(#methods)* })
}

impl Emitter<'_> {
    fn example_method(&self, root: &Value, operation: &Operation) -> TokenStream {
        let module = ident(&self.api.tags[operation.tag].module);
        let (name, input, output) = (ident(&operation.rust_name), input_name(operation), output_name(operation));
        let (about, caller) = (doc(&route(operation), false), caller(operation));
        let drain = operation.body.as_ref().and_then(drain);
        let responses = operation.responses.iter().filter(|response| !response.failure);
        let response = responses.min_by_key(|response| (rank(response.status), response.status));
        let result = match response {
            Some(response) => self.example(root, operation, response),
            None => quote!(Err(http::ApiError::not_found("the document has no response but errors"))),
        };
        quote! {
            #about
            fn #name(&self, #caller input: server::#module::#input)
                -> impl Future<Output = Result<server::#module::#output, http::ApiError>> + Send
            {
                async move { #drain #result }
            }
        }
    }

    /// Emits the result with the example of a response, in the media type that the caller prefers.
    fn example(&self, root: &Value, operation: &Operation, response: &Response) -> TokenStream {
        let node = response_node(root, operation, response.status);
        let result = |media: Option<&Media>| self.example_output(root, node, operation, response, media);
        let types: Vec<_> = response.media.iter().map(|media| &media.media_type).collect();
        match response.media.as_slice() {
            [] => result(None),
            [only] => result(Some(only)),
            // JSON, if there is some, for callers that prefer none.
            several => {
                let is_json = |media: &&Media| matches!(media.content, Content::Json(_));
                let first = several.iter().find(is_json).unwrap_or(&several[0]);
                let others = several.iter().filter(|media| media.media_type != first.media_type).map(|media| {
                    let (media_type, result) = (&media.media_type, result(Some(media)));
                    quote!(Some(#media_type) => #result,)
                });
                let (preferred, first) = (&first.media_type, result(Some(first)));
                let offered = types.iter().filter(|media_type| ***media_type != *preferred);
                quote!(match input.accept.best(&[#preferred #(, #offered)*]) { #(#others)* _ => #first })
            }
        }
    }

    fn example_output(
        &self,
        root: &Value,
        node: &Value,
        operation: &Operation,
        response: &Response,
        media: Option<&Media>,
    ) -> TokenStream {
        let module = ident(&self.api.tags[operation.tag].module);
        let (output, variant) = (output_name(operation), variant(response, media));
        let path = quote!(server::#module::#output::#variant);
        let body = media.map(|media| body(root, node, media));
        let status = match response.status {
            Status::Code(_) => None,
            Status::Range(digit) => Some(u16::from(digit) * 100),
            Status::Default => Some(200),
        };
        if status.is_none() && response.headers.is_empty() {
            let body = body.map(|body| quote!((#body)));
            return quote!(Ok(#path #body));
        }
        let status = status.map(Literal::u16_unsuffixed).map(|status| quote!(status: #status,));
        let headers = (!response.headers.is_empty()).then(|| {
            let name = headers_name(operation, response);
            let fields = response.headers.iter().map(|header| {
                let field = ident(&header.rust_name);
                let node = resolve(root, &node["headers"][&header.wire_name]);
                let value = if header.required { read(&examples(root, node)[0]) } else { quote!(None) };
                quote!(#field: #value)
            });
            quote!(headers: server::#module::#name { #(#fields),* },)
        });
        let body = body.map(|body| quote!(body: #body,));
        quote!(Ok(#path { #status #headers #body }))
    }
}

/// Returns the rank of a status for the example: a success, or else what the document has for any status.
fn rank(status: Status) -> u8 {
    match status {
        _ if status.is_success() => 0,
        Status::Default => 1,
        _ => 2,
    }
}

/// Returns a response in the document.
fn response_node<'a>(root: &'a Value, operation: &Operation, status: Status) -> &'a Value {
    let key = match status {
        Status::Code(code) => code.to_string(),
        Status::Range(digit) => format!("{digit}XX"),
        Status::Default => "default".to_owned(),
    };
    let responses = root.pointer(&operation.pointer).and_then(|operation| operation["responses"].as_object());
    let found = responses.into_iter().flatten().find(|(status, _)| status.eq_ignore_ascii_case(&key));
    found.map_or(&Value::Null, |(_, response)| resolve(root, response))
}

/// Emits the body with the example of a media type.
fn body(root: &Value, response: &Value, media: &Media) -> TokenStream {
    let essence = |key: &str| key.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let content = response["content"].as_object().into_iter().flatten();
    let mut node = content.filter(|(key, _)| essence(key) == essence(&media.media_type)).map(|(_, node)| node);
    let examples = examples(root, node.next().unwrap_or(&Value::Null));
    let text = match &examples[0] {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    match &media.content {
        Content::Json(_) => read(&examples[0]),
        Content::EventStream(_) => {
            let events = examples.iter().map(read);
            quote!(http::EventStream::of_events([#(#events),*]))
        }
        Content::Text(_) => quote!(#text.to_owned()),
        _ => quote!(http::Download::bytes(#text)),
    }
}

/// Emits the reading of a value.
fn read(value: &Value) -> TokenStream {
    let text = value.to_string();
    // Raw, so that quotes can be read.
    let hashes =
        "#".repeat(1 + text.split('"').map(|part| part.len() - part.trim_start_matches('#').len()).max().unwrap_or(0));
    let literal = format!("r{hashes}\"{text}\"{hashes}").parse::<Literal>().unwrap_or_else(|_| Literal::string(&text));
    quote!(http::example(#literal)?)
}

/// Emits the reading of a body that arrives while it is read, so that the rest of it is checked.
fn drain(body: &Body) -> Option<TokenStream> {
    let [only] = body.media.as_slice() else { return None };
    let drain = match &only.content {
        Content::JsonItems { .. } => quote!(body.rest().await?;),
        Content::Stream => quote!(while body.next().await?.is_some() {}),
        Content::PartStream => quote!(while let Some(mut part) = body.next().await? {
            while part.chunk().await?.is_some() {}
        }),
        _ => return None,
    };
    Some(match body.required {
        true => quote!(let mut body = input.body; #drain),
        false => quote!(if let Some(mut body) = input.body { #drain }),
    })
}
