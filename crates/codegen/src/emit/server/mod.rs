//! Emission of `server.rs`: for each tag a trait, an input and an output for each operation, and the routes.
//!
//! Output for one operation of one tag:
//!
//! ```text
//! pub mod models {
//!     pub trait Models: http::Authenticate {
//!         fn create_model(&self, caller: Self::Caller, input: CreateModelInput)
//!             -> impl Future<Output = Result<CreateModelOutput, http::ApiError>> + Send;
//!     }
//!     pub struct CreateModelInput { pub body: types::ModelCreate }
//!     pub enum CreateModelOutput { Ok(types::ModelResponse) }
//!     pub fn models_routes<A: Models>(api: Arc<A>) -> http::Router { … }
//! }
//! ```
//!
//! `caller` is a parameter exactly where `security` applies, so a secured operation cannot be called without
//! authentication. Names of the document become fields, methods, modules and prefixed types only. The emitted code
//! refers to its own support by path, so no name of the document can shadow it.

mod bodies;
mod handlers;
mod inputs;
mod outputs;
mod parameters;
mod routes;
mod shapes;

use std::collections::BTreeMap;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::{
    super::ir::{
        Api,
        operation::{Access, Carrier, Operation, Tag},
    },
    context::Context,
};

/// State that the parts of the emitter share.
struct Emitter<'a> {
    api: &'a Api,
    context: &'a Context<'a>,
    /// Path of the support module `http`.
    http: TokenStream,
}

/// Returns the tokens of the file.
pub fn file(api: &Api, context: &Context<'_>) -> TokenStream {
    let support = context.support();
    let emitter = Emitter { api, context, http: quote!(#support::http) };
    let http = &emitter.http;
    let rows = api.operations.iter().map(|operation| emitter.row(operation));
    let mut tags: BTreeMap<usize, Vec<&Operation>> = BTreeMap::new();
    for operation in &api.operations {
        tags.entry(operation.tag).or_default().push(operation);
    }
    let routers = emitter.routers(&tags);
    let modules = tags.iter().map(|(tag, operations)| emitter.module(&api.tags[*tag], operations));
    quote! {
        #![allow(clippy::all, missing_docs, deprecated, nonstandard_style, unreachable_pub, unused, rustdoc::all)]

        /// Every operation of the document, aliases included.
        pub const OPERATIONS: &[#http::Operation] = &[#(#rows),*];
        #routers
        #(#modules)*
    }
}

impl<'a> Emitter<'a> {
    fn row(&self, operation: &Operation) -> TokenStream {
        let http = &self.http;
        let Operation { id, statuses, deprecated, extension, .. } = operation;
        let path = &operation.path.text;
        let tag = &self.api.tags[operation.tag].name;
        let method = operation.method.key().to_uppercase();
        let base = option(operation.base.as_deref());
        let alias_of = option(operation.alias_of.as_deref());
        let secured = operation.access() == Access::Secured;
        let security = self.security(operation);
        quote! {
            #http::Operation {
                id: #id, method: #method, path: #path, tag: #tag, base: #base, secured: #secured,
                security: #security, statuses: &[#(#statuses),*], deprecated: #deprecated,
                alias_of: #alias_of, extension: #extension,
            }
        }
    }

    /// Emits the security alternatives as a constant expression.
    fn security(&self, operation: &Operation) -> TokenStream {
        let http = &self.http;
        let alternatives = operation.security.iter().map(|alternative| {
            let requirements = alternative.0.iter().map(|requirement| {
                let scheme = &requirement.scheme;
                let scopes = &requirement.scopes;
                let carrier = match &requirement.carrier {
                    Carrier::Bearer => quote!(Bearer),
                    Carrier::Basic => quote!(Basic),
                    Carrier::Other(name) => quote!(Other(#name)),
                    Carrier::Header(name) => quote!(Header(#name)),
                    Carrier::Query(name) => quote!(Query(#name)),
                    Carrier::Cookie(name) => quote!(Cookie(#name)),
                };
                quote!(#http::Requirement { scheme: #scheme, carrier: #http::Carrier::#carrier, scopes: &[#(#scopes),*] })
            });
            quote!(&[#(#requirements),*])
        });
        quote!(&[#(#alternatives),*])
    }

    fn module(&self, tag: &Tag, operations: &[&'a Operation]) -> TokenStream {
        let http = &self.http;
        let name = ident(&tag.module);
        let tag_trait = ident(&tag.trait_name);
        let about = doc(&tag.description);
        let own: Vec<_> = operations.iter().copied().filter(|operation| operation.alias_of.is_none()).collect();
        let methods = own.iter().map(|operation| self.method(operation));
        let inputs = own.iter().map(|operation| self.input(operation));
        let outputs = own.iter().map(|operation| self.output(operation));
        let handlers = own.iter().map(|operation| self.handler(&tag_trait, operation));
        let supertrait = if own.iter().any(|operation| operation.access() != Access::Open) {
            quote!(#http::Authenticate)
        } else {
            quote!(Send + Sync + 'static)
        };
        let routes = self.tag_routes(tag, operations);
        quote! {
            #about
            pub mod #name {
                use super::super::types;

                #about
                pub trait #tag_trait: #supertrait { #(#methods)* }
                #(#inputs)*
                #(#outputs)*
                #routes

                pub(super) mod handle {
                    use super::super::super::types;
                    #(#handlers)*
                }
            }
        }
    }

    fn method(&self, operation: &Operation) -> TokenStream {
        let http = &self.http;
        let name = ident(&operation.rust_name);
        let (input, output) = (input_name(operation), output_name(operation));
        let caller = match operation.access() {
            Access::Open => TokenStream::new(),
            Access::Optional => quote!(caller: Option<Self::Caller>,),
            Access::Secured => quote!(caller: Self::Caller,),
        };
        let about = doc(&about(operation));
        quote! {
            #about
            fn #name(&self, #caller input: #input) -> impl Future<Output = Result<#output, #http::ApiError>> + Send;
        }
    }
}

/// Returns summary, description and route of an operation.
fn about(operation: &Operation) -> String {
    let route = route(operation);
    let deprecated = if operation.deprecated { "Deprecated." } else { "" };
    let paragraphs = [operation.summary.as_str(), operation.description.as_str(), deprecated, route.as_str()];
    let paragraphs: Vec<_> = paragraphs.into_iter().map(str::trim).filter(|text| !text.is_empty()).collect();
    paragraphs.join("\n\n")
}

fn route(operation: &Operation) -> String {
    format!("`{} {}`", operation.method.key().to_uppercase(), operation.path.text)
}

fn input_name(operation: &Operation) -> Ident {
    ident(&format!("{}Input", operation.type_name))
}

fn output_name(operation: &Operation) -> Ident {
    ident(&format!("{}Output", operation.type_name))
}

/// Returns an identifier from a name that the lowering made valid.
fn ident(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}

fn option(text: Option<&str>) -> TokenStream {
    text.map_or_else(|| quote!(None), |text| quote!(Some(#text)))
}

/// Returns the doc attributes for a description; none if it is empty.
fn doc(text: &str) -> Option<TokenStream> {
    let text = text.trim();
    (!text.is_empty()).then(|| {
        let lines = text.lines().map(|line| if line.is_empty() { String::new() } else { format!(" {line}") });
        quote!(#(#[doc = #lines])*)
    })
}
