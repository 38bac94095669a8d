//! Emission of routers: one for each base address, and one for each tag at it.
//!
//! axum matches whole segments. Templates that differ within a segment share a route; the runtime then splits the path
//! and selects the most specific template that matches.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use crate::emit::names::{doc, ident};
use crate::emit::server::Emitter;
use crate::ir::operation::{Access, Method, Operation, Tag};

/// Operations by the router's path, then by method.
type Routes<'a> = BTreeMap<String, BTreeMap<Method, Vec<&'a Operation>>>;

fn at_base<'a>(operations: &[&'a Operation], base: Option<&str>) -> Routes<'a> {
    let mut routes = Routes::new();
    for operation in operations.iter().filter(|operation| operation.base.as_deref() == base) {
        let methods = routes.entry(operation.path.route()).or_default();
        methods.entry(operation.method).or_default().push(*operation);
    }
    for operations in routes.values_mut().flat_map(BTreeMap::values_mut) {
        operations.sort_by_key(|operation| std::cmp::Reverse(operation.path.literal_length()));
    }
    routes
}

fn bases<'a>(operations: impl IntoIterator<Item = &'a Operation>) -> BTreeSet<Option<&'a str>> {
    operations.into_iter().map(|operation| operation.base.as_deref()).collect()
}

impl<'a> Emitter<'a> {
    /// Emits `router` for the document's own base address and `{base}_router` for each other one.
    pub(super) fn routers(&self, tags: &BTreeMap<usize, Vec<&'a Operation>>) -> TokenStream {
        let all: Vec<&Operation> = tags.values().flatten().copied().collect();
        let routers = bases(all.iter().copied()).into_iter().map(|base| {
            let (name, about) = match base {
                None => {
                    (format_ident!("router"), "The routes of every tag at the document's own base address.".to_owned())
                }
                Some(base) => {
                    (format_ident!("{base}_router"), format!("The routes of every tag at the {base} base address."))
                }
            };
            let about = doc(&about, false);
            let here = tags.iter().filter(|(_, operations)| operations.iter().any(|op| op.base.as_deref() == base));
            let (bounds, merges): (Vec<_>, Vec<_>) = here
                .map(|(tag, _)| {
                    let tag = &self.api.tags[*tag];
                    let (module, tag_trait) = (ident(&tag.module), ident(&tag.trait_name));
                    let routes = routes_name(tag, base);
                    (quote!(#module::#tag_trait), quote!(.merge(#module::#routes(api.clone()))))
                })
                .unzip();
            let mut shared = at_base(&all, base);
            for methods in shared.values_mut() {
                methods.retain(|_, operations| is_shared(operations));
            }
            shared.retain(|_, methods| !methods.is_empty());
            let shared = (!shared.is_empty()).then(|| {
                let routes = self.endpoints(&shared);
                quote!(.merge(#routes))
            });
            quote! {
                #about
                pub fn #name<A: #(#bounds)+*>(api: ::std::sync::Arc<A>) -> http::Router {
                    http::Router::new() #(#merges)* #shared
                }
            }
        });
        quote!(#(#routers)*)
    }

    /// Emits the routers of one tag, one for each base address.
    pub(super) fn tag_routes(&self, tag: &Tag, operations: &[&'a Operation]) -> TokenStream {
        let tag_trait = ident(&tag.trait_name);
        let routers = bases(operations.iter().copied()).into_iter().map(|base| {
            let name = routes_name(tag, base);
            let all: Vec<&Operation> = self.api.operations.iter().collect();
            let everywhere = at_base(&all, base);
            let mut routes = at_base(operations, base);
            let mut left_out = false;
            for (path, methods) in &mut routes {
                methods.retain(|method, _| {
                    let shared = is_shared(&everywhere[path][method]);
                    left_out |= shared;
                    !shared
                });
            }
            routes.retain(|_, methods| !methods.is_empty());
            let mut about = match base {
                None => "The routes of this tag at the document's own base address.".to_owned(),
                Some(base) => format!("The routes of this tag at the {base} base address."),
            };
            if left_out {
                about.push_str(" A path that it shares with another tag is only in the router of all tags.");
            }
            let about = doc(&about, false);
            let endpoints = self.endpoints(&routes);
            quote! {
                #about
                pub fn #name<A: #tag_trait>(api: ::std::sync::Arc<A>) -> http::Router { #endpoints }
            }
        });
        quote!(#(#routers)*)
    }

    /// Emits the router of these routes, with `api` and its type `A` in scope.
    fn endpoints(&self, routes: &Routes<'a>) -> TokenStream {
        let shared = routes.iter().filter_map(|(path, methods)| self.shared_route(path, methods));
        let endpoints = routes.values().flat_map(BTreeMap::values).flatten().map(|operation| {
            let target = operation.alias_of.as_ref();
            let target = target.and_then(|id| self.api.operations.iter().find(|other| other.id == *id));
            let endpoint = self.endpoint(target.unwrap_or(operation));
            match target {
                None => quote!(.add(#endpoint)),
                Some(_) => {
                    let (method, path) = (operation.method.key().to_uppercase(), &operation.path.text);
                    quote!(.alias(#method, #path, #endpoint))
                }
            }
        });
        quote!(http::Routes::new(api) #(#shared)* #(#endpoints)* .router())
    }

    fn endpoint(&self, operation: &Operation) -> TokenStream {
        let kind = match operation.access() {
            Access::Open => quote!(open),
            Access::Optional => quote!(optional),
            Access::Secured => quote!(secured),
        };
        let method = ident(&operation.rust_name);
        // `Authenticate` has a method of this name too.
        if operation.rust_name == "authenticate" {
            let tag_trait = ident(&self.api.tags[operation.tag].trait_name);
            return quote!(http::#kind(<A as #tag_trait>::#method));
        }
        quote!(http::#kind(A::#method))
    }

    /// Emits the declaration of a route that paths with split segments share, and whether all of them have the same tag. A
    /// route that several routers share must not have a fallback in each of them.
    fn shared_route(&self, path: &str, methods: &BTreeMap<Method, Vec<&'a Operation>>) -> Option<TokenStream> {
        let first = methods.values().flatten().next()?;
        let all: Vec<&Operation> = self.api.operations.iter().collect();
        let routes = at_base(&all, first.base.as_deref());
        let here: Vec<_> = routes.get(path)?.values().flatten().copied().collect();
        if !here.iter().any(|operation| operation.path.is_mixed()) {
            return None;
        }
        let alone = here.iter().all(|operation| operation.tag == first.tag);
        let rows = here.iter().map(|operation| {
            let (method, path) = (operation.method.key().to_uppercase(), &operation.path.text);
            quote!((#method, #path))
        });
        Some(quote!(.shared(#alone, &[#(#rows),*])))
    }
}

/// Returns whether one route and method has operations of several tags.
fn is_shared(operations: &[&Operation]) -> bool {
    operations.iter().any(|operation| operation.tag != operations[0].tag)
}

fn routes_name(tag: &Tag, base: Option<&str>) -> Ident {
    let module = tag.module.trim_end_matches('_');
    match base {
        None => format_ident!("{module}_routes"),
        Some(base) => format_ident!("{module}_{base}_routes"),
    }
}
