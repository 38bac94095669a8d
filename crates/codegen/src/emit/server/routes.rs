//! Emission of routers: one for each base address, and one for each tag at it.
//!
//! axum matches whole segments. Templates that differ within a segment share a route; the emitted code then splits the
//! path and selects the most specific template that matches.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::{
    super::super::ir::operation::{Method, Operation, Part, Tag, Template},
    Emitter, doc, ident,
};

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
        let http = &self.http;
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
            let about = doc(&about);
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
                let routes = self.route_calls(&shared, true);
                quote!(.merge(#routes.with_state(api)))
            });
            quote! {
                #about
                pub fn #name<A: #(#bounds)+*>(api: ::std::sync::Arc<A>) -> #http::Router {
                    #http::Router::new() #(#merges)* #shared
                }
            }
        });
        quote!(#(#routers)*)
    }

    /// Emits the routers of one tag, one for each base address.
    pub(super) fn tag_routes(&self, tag: &Tag, operations: &[&'a Operation]) -> TokenStream {
        let http = &self.http;
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
            let about = doc(&about);
            let calls = self.route_calls(&routes, false);
            quote! {
                #about
                pub fn #name<A: #tag_trait>(api: ::std::sync::Arc<A>) -> #http::Router { #calls.with_state(api) }
            }
        });
        quote!(#(#routers)*)
    }

    /// Emits `Router::new().route(…)…`; with `qualified`, handlers are named by the path of their tag's module.
    fn route_calls(&self, routes: &Routes<'a>, qualified: bool) -> TokenStream {
        let http = &self.http;
        // axum rejects paths that look like captures of its older versions.
        let odd = routes.keys().any(|path| path.contains("/:") || path.contains("/*"));
        let checks = odd.then(|| quote!(.without_v07_checks()));
        let calls = routes.iter().map(|(path, methods)| {
            let others = self.others(path, methods);
            let fallback = others
                .as_ref()
                .filter(|(_, alone)| *alone)
                .map(|(others, _)| quote!(.fallback(|request: #http::Request| #http::other_method(request, #others))));
            let others = others.map(|(others, _)| others);
            let methods = methods.iter().enumerate().map(|(index, (method, operations))| {
                let filter = format_ident!("{}", method.key().to_uppercase());
                let closure = self.endpoint(operations, others.as_ref(), qualified);
                if index == 0 {
                    quote!(#http::on(#http::MethodFilter::#filter, #closure))
                } else {
                    quote!(.on(#http::MethodFilter::#filter, #closure))
                }
            });
            quote!(.route(#path, #(#methods)* #fallback))
        });
        quote!(#http::Router::new() #checks #(#calls)*)
    }

    /// Returns method and template of each operation at a route with split segments, and whether all of them have the
    /// same tag. A route that several routers share must not have a fallback in each of them.
    fn others(&self, path: &str, methods: &BTreeMap<Method, Vec<&'a Operation>>) -> Option<(TokenStream, bool)> {
        let first = methods.values().flatten().next()?;
        let all: Vec<&Operation> = self.api.operations.iter().collect();
        let routes = at_base(&all, first.base.as_deref());
        let here: Vec<_> = routes.get(path)?.values().flatten().copied().collect();
        if !here.iter().any(|operation| operation.path.is_mixed()) {
            return None;
        }
        let rows = here.iter().map(|operation| {
            let (method, template) = (operation.method.key().to_uppercase(), self.template(&operation.path));
            quote!((#method, #template))
        });
        Some((quote!(&[#(#rows),*]), here.iter().all(|operation| operation.tag == first.tag)))
    }

    fn endpoint(&self, operations: &[&Operation], others: Option<&TokenStream>, qualified: bool) -> TokenStream {
        let http = &self.http;
        let call = |operation: &Operation| {
            let handler = self.handler_path(operation, qualified);
            let template = self.template(&operation.path);
            quote!(#handler::<A>(api, &#template, request))
        };
        let arguments = quote!(|#http::State(api): #http::State<::std::sync::Arc<A>>, request: #http::Request|);
        match operations {
            [only] if !only.path.is_mixed() => {
                let call = call(only);
                quote!(#arguments #call)
            }
            several => {
                let arms = several.iter().map(|operation| {
                    let template = self.template(&operation.path);
                    let call = call(operation);
                    quote!(if #template.fits(request.uri()) { return #call.await; })
                });
                let rest = match others {
                    Some(others) => quote!(#http::other_method(request, #others)),
                    None => quote!(#http::unknown_path(request)),
                };
                quote!(#arguments async move { #(#arms)* #rest.await })
            }
        }
    }

    fn handler_path(&self, operation: &Operation, qualified: bool) -> TokenStream {
        let target = operation.alias_of.as_ref();
        let target =
            target.and_then(|id| self.api.operations.iter().find(|other| other.id == *id)).unwrap_or(operation);
        let name = ident(&target.rust_name);
        if qualified {
            let module = ident(&self.api.tags[operation.tag].module);
            quote!(#module::handle::#name)
        } else {
            quote!(handle::#name)
        }
    }

    /// Emits the segments with parameters, each with its index from the end of the path, which stays the same when a
    /// router is nested beneath a prefix.
    fn template(&self, template: &Template) -> TokenStream {
        let http = &self.http;
        let count = template.segments.len();
        let segments = template.segments.iter().enumerate().filter_map(|(index, parts)| {
            if !parts.iter().any(|part| matches!(part, Part::Value(_))) {
                return None;
            }
            let parts = parts.iter().map(|part| match part {
                Part::Text(text) => quote!(#http::Part::Text(#text)),
                Part::Value(name) => quote!(#http::Part::Value(#name)),
            });
            let from_end = Literal::usize_unsuffixed(count - 1 - index);
            Some(quote!((#from_end, &[#(#parts),*])))
        });
        quote!(#http::Template(&[#(#segments),*]))
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
