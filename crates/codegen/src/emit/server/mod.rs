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
//!     impl http::Input for CreateModelInput { … reads and checks parameters and body }
//!     pub enum CreateModelOutput { Ok(types::ModelResponse) }
//!     pub fn models_routes<A: Models>(api: Arc<A>) -> http::Router {
//!         http::Routes::new(api).add(http::secured(A::create_model)).router()
//!     }
//! }
//! ```
//!
//! `caller` is a parameter exactly where `security` applies, so a secured operation cannot be called without
//! authentication. Names of the document become fields, methods, modules and prefixed types only, and those that the
//! emitted code uses itself are reserved, so no name of the document can shadow them.

mod bodies;
pub mod examples;
mod inputs;
mod outputs;
mod parameters;
mod routes;
mod shapes;

use std::collections::BTreeMap;

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::emit::context::Context;
use crate::emit::names::{doc, ident};
use crate::ir::Api;
use crate::ir::operation::{Access, Carrier, Operation, Tag};

/// State that the parts of the emitter share.
struct Emitter<'a> {
    api: &'a Api,
    context: &'a Context<'a>,
    /// Names of the constants for the security of several operations, by their value.
    security: BTreeMap<String, Ident>,
}

/// Returns the tokens of the file.
pub fn file(api: &Api, context: &Context<'_>) -> TokenStream {
    let support = context.support();
    let mut emitter = Emitter::new(api, context);
    let constants = emitter.name_security();
    let rows = api.operations.iter().map(|operation| emitter.listed(operation));
    let mut tags: BTreeMap<usize, Vec<&Operation>> = BTreeMap::new();
    for operation in &api.operations {
        tags.entry(operation.tag).or_default().push(operation);
    }
    let routers = emitter.routers(&tags);
    let modules = tags.iter().map(|(tag, operations)| emitter.module(&api.tags[*tag], operations));
    quote! {
        #![allow(clippy::all, missing_docs, deprecated, nonstandard_style, unreachable_pub, unused, rustdoc::all)]
        use #support::http::{self, Input as _};

        /// Every operation of the document, aliases included.
        pub const OPERATIONS: &[http::Operation] = &[#(#rows),*];
        #constants
        #routers
        #(#modules)*
    }
}

impl<'a> Emitter<'a> {
    fn new(api: &'a Api, context: &'a Context<'a>) -> Self {
        Self { api, context, security: BTreeMap::new() }
    }

    /// Emits the row of the operation in the table: the one of its input, or that of an alias.
    fn listed(&self, operation: &Operation) -> TokenStream {
        if operation.alias_of.is_some() {
            return self.row(operation, &TokenStream::new());
        }
        let (module, input) = (ident(&self.api.tags[operation.tag].module), input_name(operation));
        quote!(#module::#input::OPERATION)
    }

    /// Emits the row of an operation; `root` leads to the constants of the file.
    fn row(&self, operation: &Operation, root: &TokenStream) -> TokenStream {
        let Operation { id, statuses, .. } = operation;
        let path = &operation.path.text;
        let tag = &self.api.tags[operation.tag].name;
        let method = operation.method.key().to_uppercase();
        let base = operation.base.as_ref().map(|base| quote!(.base(#base)));
        let security = (!operation.security.is_empty()).then(|| {
            let security = self.security(operation);
            match self.security.get(&security.to_string()) {
                Some(name) => quote!(.security(#root #name)),
                None => quote!(.security(#security)),
            }
        });
        let deprecated = operation.deprecated.then(|| quote!(.deprecated()));
        let alias_of = operation.alias_of.as_ref().map(|id| quote!(.alias_of(#id)));
        let extension = operation.extension.then(|| quote!(.extension()));
        quote! {
            http::Operation::new(#id, #method, #path, #tag, &[#(#statuses),*])
                #base #security #deprecated #alias_of #extension
        }
    }

    /// Emits a constant for each security that several operations have.
    fn name_security(&mut self) -> TokenStream {
        let mut counts: BTreeMap<String, (usize, TokenStream)> = BTreeMap::new();
        for operation in self.api.operations.iter().filter(|operation| !operation.security.is_empty()) {
            let security = self.security(operation);
            counts.entry(security.to_string()).or_insert((0, security)).0 += 1;
        }
        let mut constants = TokenStream::new();
        let mut names = BTreeMap::new();
        for (text, (count, security)) in counts {
            if count > 1 {
                let number = names.len() + 1;
                let name = if number == 1 { ident("SECURITY") } else { ident(&format!("SECURITY_{number}")) };
                constants.extend(quote!(const #name: http::Security = #security;));
                names.insert(text, name);
            }
        }
        self.security = names;
        constants
    }

    /// Emits the security alternatives as a constant expression.
    fn security(&self, operation: &Operation) -> TokenStream {
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
                quote!(http::Requirement { scheme: #scheme, carrier: http::Carrier::#carrier, scopes: &[#(#scopes),*] })
            });
            quote!(&[#(#requirements),*])
        });
        quote!(&[#(#alternatives),*])
    }

    fn module(&self, tag: &Tag, operations: &[&'a Operation]) -> TokenStream {
        let name = ident(&tag.module);
        let tag_trait = ident(&tag.trait_name);
        let about = doc(&tag.description, false);
        let own: Vec<_> = operations.iter().copied().filter(|operation| operation.alias_of.is_none()).collect();
        let methods = own.iter().map(|operation| self.method(operation));
        let inputs = own.iter().map(|operation| self.input(operation));
        let outputs = own.iter().map(|operation| self.output(operation));
        let support = self.context.support();
        let supertrait = if own.iter().any(|operation| operation.access() != Access::Open) {
            quote!(http::Authenticate)
        } else {
            quote!(Send + Sync + 'static)
        };
        let routes = self.tag_routes(tag, operations);
        quote! {
            #about
            pub mod #name {
                use super::super::types;
                use #support::{http::{self, decode, parameters::*}, json, validation::{self, Validate as _}};

                #about
                pub trait #tag_trait: #supertrait { #(#methods)* }
                #(#inputs)*
                #(#outputs)*
                #routes
            }
        }
    }

    fn method(&self, operation: &Operation) -> TokenStream {
        let name = ident(&operation.rust_name);
        let (input, output, caller) = (input_name(operation), output_name(operation), caller(operation));
        let about = doc(&about(operation), false);
        quote! {
            #about
            fn #name(&self, #caller input: #input) -> impl Future<Output = Result<#output, http::ApiError>> + Send;
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

/// Emits the parameter of a method for the authenticated caller.
fn caller(operation: &Operation) -> TokenStream {
    match operation.access() {
        Access::Open => TokenStream::new(),
        Access::Optional => quote!(caller: Option<Self::Caller>,),
        Access::Secured => quote!(caller: Self::Caller,),
    }
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
