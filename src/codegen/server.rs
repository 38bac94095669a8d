//! `generated/server.rs`: for each tag a trait, an input and an output for each operation, and the routes.
//!
//! What comes out, for one operation of one tag:
//!
//! ```text
//! pub mod models {
//!     pub trait Models: Authenticate {
//!         fn create_model(&self, caller: Self::Caller, input: CreateModelInput)
//!             -> impl Future<Output = Result<CreateModelOutput, Failure>> + Send;
//!     }
//!     pub struct CreateModelInput { pub body: types::ModelCreate }
//!     pub enum CreateModelOutput { Ok(types::ModelResponse) }
//!     pub fn models_routes<A: Models>(api: Arc<A>) -> Router { … }
//! }
//! ```
//!
//! `caller` is there exactly where `security` applies, so a secured operation cannot be reached without one.

use std::collections::{BTreeMap, BTreeSet};

use heck::{ToPascalCase, ToSnakeCase};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use serde_json::{Map, Value};

use super::{
    Document,
    document::reference_name,
    emit::context::Context,
    names::{doc, field, rust_type, type_name},
    operation::{Content, Operation, Parameter, Place, Reply},
    validate,
};

/// The file.
pub fn generate(document: &Document, context: &Context<'_>) -> Result<String, String> {
    let limited: BTreeSet<String> = context
        .types()
        .filter(|named| context.is_checked(&named.name))
        .filter_map(|named| named.component.clone())
        .collect();
    let mut tags: BTreeMap<&str, Vec<&Operation>> = BTreeMap::new();
    for operation in document.operations() {
        tags.entry(&operation.tag).or_default().push(operation);
    }
    let table = document.operations().iter().map(row);
    let modules = tags
        .iter()
        .map(|(tag, operations)| module(document, &limited, tag, operations))
        .collect::<Result<Vec<_>, _>>()?;
    let routers = routers(&tags);
    super::render(
        quote! {
            #![allow(clippy::all, missing_docs, unused_imports, unused_variables, unused_mut)]
            use std::sync::Arc;
            use axum::Router;
            use crate::http::{Authenticate, Operation};
            use super::types;

            /// Every operation of the document, aliases included.
            pub const OPERATIONS: &[Operation] = &[#(#table),*];
            #routers
            #(#modules)*
        },
        "server.rs",
    )
}

fn row(operation: &Operation) -> TokenStream {
    let Operation { id, path, tag, secured, extension, .. } = operation;
    let method = operation.method.to_uppercase();
    let base = option(operation.base.as_deref());
    let alias_of = option(operation.alias_of.as_deref());
    quote! {
        Operation {
            id: #id, method: #method, path: #path, tag: #tag, base: #base, secured: #secured,
            alias_of: #alias_of, extension: #extension,
        }
    }
}

fn option(text: Option<&str>) -> TokenStream {
    text.map_or_else(|| quote!(None), |text| quote!(Some(#text)))
}

/// `router` for the document's own base address and `{base}_router` for each other one.
fn routers(tags: &BTreeMap<&str, Vec<&Operation>>) -> TokenStream {
    let bases: BTreeSet<Option<&str>> = tags.values().flatten().map(|operation| operation.base.as_deref()).collect();
    bases
        .iter()
        .map(|base| {
            let (name, about) = match base {
                None => (format_ident!("router"), "The routes of every tag at the training base address.".to_owned()),
                Some(base) => {
                    (format_ident!("{base}_router"), format!("The routes of every tag at the {base} base address."))
                }
            };
            let here = tags.iter().filter(|(_, operations)| operations.iter().any(|op| op.base.as_deref() == *base));
            let (bounds, merges): (Vec<_>, Vec<_>) = here
                .map(|(tag, _)| {
                    let module = format_ident!("{}", tag.to_snake_case());
                    let tag_trait = type_name(tag);
                    let routes = routes_name(tag, *base);
                    (quote!(#module::#tag_trait), quote!(.merge(#module::#routes(api.clone()))))
                })
                .unzip();
            let about = doc(&about);
            quote! {
                #about
                pub fn #name<A: #(#bounds)+*>(api: Arc<A>) -> Router { Router::new() #(#merges)* }
            }
        })
        .collect()
}

fn routes_name(tag: &str, base: Option<&str>) -> Ident {
    match base {
        None => format_ident!("{}_routes", tag.to_snake_case()),
        Some(base) => format_ident!("{}_{base}_routes", tag.to_snake_case()),
    }
}

fn module(
    document: &Document,
    limited: &BTreeSet<String>,
    tag: &str,
    operations: &[&Operation],
) -> Result<TokenStream, String> {
    let name = format_ident!("{}", tag.to_snake_case());
    let tag_trait = type_name(tag);
    let about = doc(document.tag_description(tag));
    let parts = operations
        .iter()
        .filter(|operation| operation.alias_of.is_none())
        .map(|operation| parts(document, limited, &tag_trait, operation))
        .collect::<Result<Vec<_>, _>>()?;
    let items = parts.iter().map(|parts| &parts.items);
    let methods = parts.iter().map(|parts| &parts.method);
    let handlers = parts.iter().map(|parts| &parts.handler);
    let supertrait = if operations.iter().any(|operation| operation.secured) {
        quote!(Authenticate)
    } else {
        quote!(Send + Sync + 'static)
    };

    let bases: BTreeSet<Option<&str>> = operations.iter().map(|operation| operation.base.as_deref()).collect();
    let routes = bases.iter().map(|base| routes(tag, *base, &tag_trait, operations));
    Ok(quote! {
        #about
        pub mod #name {
            use std::sync::Arc;
            use axum::{Router, response::{IntoResponse, Response}};
            use crate::http::{Authenticate, EventStream, Failure, answer};
            use super::types;

            #about
            pub trait #tag_trait: #supertrait { #(#methods)* }
            #(#items)*
            #(#routes)*

            mod handle {
                use std::sync::Arc;
                use axum::{extract::{Request, State}, response::Response};
                use crate::http::{self, answer, decode, validation::{Faults, Location}};
                use super::{super::types, *};
                #(#handlers)*
            }
        }
    })
}

fn routes(tag: &str, base: Option<&str>, tag_trait: &Ident, operations: &[&Operation]) -> TokenStream {
    // axum joins the methods of a path, so each path is routed once.
    let mut paths: BTreeMap<&str, Vec<TokenStream>> = BTreeMap::new();
    for operation in operations.iter().filter(|operation| operation.base.as_deref() == base) {
        let method = format_ident!("{}", operation.method);
        let handler = format_ident!("{}", operation.alias_of.as_ref().unwrap_or(&operation.id));
        paths.entry(&operation.path).or_default().push(quote!(#method(handle::#handler::<A>)));
    }
    let routes = paths.iter().map(|(path, methods)| quote!(.route(#path, axum::routing::#(#methods).*)));
    let name = routes_name(tag, base);
    let about = match base {
        None => "The routes of this tag at the training base address.".to_owned(),
        Some(base) => format!("The routes of this tag at the {base} base address."),
    };
    let about = doc(&about);
    quote! {
        #about
        pub fn #name<A: #tag_trait>(api: Arc<A>) -> Router { Router::new() #(#routes)* .with_state(api) }
    }
}

struct Parts {
    items: TokenStream,
    method: TokenStream,
    handler: TokenStream,
}

fn parts(
    document: &Document,
    limited: &BTreeSet<String>,
    tag_trait: &Ident,
    operation: &Operation,
) -> Result<Parts, String> {
    let id = format_ident!("{}", operation.id);
    let operation_id = &operation.id;
    let input = format_ident!("{}Input", operation.id.to_pascal_case());
    let output = format_ident!("{}Output", operation.id.to_pascal_case());
    let route = format!(" `{} {}`", operation.method.to_uppercase(), operation.path);
    let paragraphs = [&operation.summary, &operation.description, &route];
    let paragraphs: Vec<_> = paragraphs.into_iter().map(|text| text.trim()).filter(|text| !text.is_empty()).collect();
    let about = doc(&paragraphs.join("\n\n"));

    let mut fields = Vec::new();
    let mut names = Vec::new();
    let mut reads = TokenStream::new();
    for parameter in &operation.parameters {
        let name = field(&parameter.name);
        let (ty, read) =
            read_parameter(document, parameter, &name).map_err(|error| format!("{operation_id}: {error}"))?;
        let about = doc(&parameter.description);
        fields.push(quote!(#about pub #name: #ty));
        names.push(name);
        reads.extend(read);
    }
    if let Some(body) = &operation.body {
        let ty = type_name(&body.schema);
        let limit = Literal::usize_unsuffixed(usize::try_from(body.limit_bytes).map_err(|error| error.to_string())?);
        fields.push(quote!(pub body: types::#ty));
        names.push(format_ident!("body"));
        reads.extend(quote!(let body: types::#ty = decode::json_body(&parts.headers, body, #limit).await?;));
        if limited.contains(&body.schema) {
            reads.extend(quote!(http::validation::Validate::validate(&body, &Location::BODY, &mut faults);));
        }
    }
    let uses = |place| operation.parameters.iter().any(|parameter| parameter.place == place);
    let (path_argument, path_read) = if uses(Place::Path) {
        (quote!(path: decode::PathValues,), quote!(let path = decode::path(path)?;))
    } else {
        Default::default()
    };
    let query_read = uses(Place::Query).then(|| quote!(let query = decode::Query::of(&parts.uri);));
    let (caller_parameter, caller_read, caller_argument) = if operation.secured {
        (
            quote!(caller: Self::Caller,),
            quote!(let caller = http::authenticate(api.as_ref(), &parts.headers).await?;),
            quote!(caller,),
        )
    } else {
        Default::default()
    };

    let output_enum = output_enum(&output, &route, &operation.responses);
    Ok(Parts {
        items: quote! {
            #[doc = #route]
            #[derive(Clone, Debug)]
            pub struct #input { #(#fields),* }
            #output_enum
        },
        method: quote! {
            #about
            fn #id(&self, #caller_parameter input: #input) -> impl Future<Output = Result<#output, Failure>> + Send;
        },
        handler: quote! {
            pub async fn #id<A: #tag_trait>(State(api): State<Arc<A>>, #path_argument request: Request) -> Response {
                answer::run(#operation_id, async move {
                    let (parts, body) = request.into_parts();
                    #caller_read
                    #path_read
                    #query_read
                    let mut faults = Faults::default();
                    #reads
                    faults.into_result()?;
                    api.#id(#caller_argument #input { #(#names),* }).await
                }).await
            }
        },
    })
}

/// The field type of a parameter and the statement that reads it.
fn read_parameter(
    document: &Document,
    parameter: &Parameter,
    name: &Ident,
) -> Result<(TokenStream, TokenStream), String> {
    let wire = &parameter.name;
    let schema = match reference_name(&parameter.schema) {
        Some(name) => document.schema(name).ok_or_else(|| format!("{wire}: no schema {name}"))?,
        None => &parameter.schema,
    };
    let ty = rust_type(&parameter.schema).map_err(|error| format!("{wire}: {error}"))?;
    let expected = expected(schema);
    let source = match parameter.place {
        Place::Path => quote!(decode::path_value(&path, #wire)),
        Place::Query => quote!(query.get(#wire)),
        Place::Header => quote!(decode::header_value(&parts.headers, #wire)),
    };
    let checks = if reference_name(&parameter.schema).is_none() {
        validate::limits(schema, &quote!(value), &quote!(&Location::parameter(#wire)))?
    } else {
        TokenStream::new()
    };
    let read = quote!(decode::parameter::<#ty>(#source, #wire, #expected)?);
    let default = default(&parameter.schema, schema);
    let optional = !parameter.required && default.is_none();
    let value = match default {
        _ if parameter.required => quote!(decode::required(#read, #wire)?),
        Some(default) => quote!(#read.unwrap_or(#default)),
        None => read,
    };
    let checks = match checks.is_empty() {
        true => checks,
        false if optional => quote!(if let Some(value) = &#name { #checks }),
        false => quote!({ let value = &#name; #checks }),
    };
    let ty = if optional { quote!(Option<#ty>) } else { ty };
    Ok((ty, quote!(let #name = #value; #checks)))
}

/// The default of a parameter as an expression; a named enum carries its own.
fn default(schema: &Map<String, Value>, resolved: &Map<String, Value>) -> Option<TokenStream> {
    let default = resolved.get("default")?;
    if reference_name(schema).is_some() {
        return Some(quote!(Default::default()));
    }
    match default {
        Value::String(text) => Some(quote!(#text.to_owned())),
        Value::Bool(flag) => Some(quote!(#flag)),
        number => number.as_i64().map(Literal::i64_unsuffixed).map(|number| quote!(#number)),
    }
}

/// What a parameter must be, in words, for the refusal.
fn expected(schema: &Map<String, Value>) -> String {
    if let Some(Value::Array(values)) = schema.get("enum") {
        let values: Vec<_> = values.iter().filter_map(Value::as_str).map(|value| format!("`{value}`")).collect();
        return format!("one of {}", values.join(", "));
    }
    let kind = super::names::with_article(schema.get("type").and_then(Value::as_str).unwrap_or("string"));
    match (schema.get("minimum"), schema.get("maximum")) {
        (Some(low), Some(high)) => format!("{kind} from {low} to {high}"),
        _ => kind,
    }
}

fn output_enum(output: &Ident, route: &str, replies: &[Reply]) -> TokenStream {
    let mut variants = Vec::new();
    let mut arms = Vec::new();
    let mut sources: BTreeMap<String, Vec<Ident>> = BTreeMap::new();
    for reply in replies {
        let about = doc(&reply.description);
        let status = reply.status;
        let name = status_name(status);
        match &reply.content {
            Content::Empty => {
                variants.push(quote!(#about #name));
                arms.push(quote!(Self::#name => answer::empty(#status)));
            }
            Content::Json(schema) => {
                let ty = match schema {
                    Some(schema) => {
                        let ty = type_name(schema);
                        quote!(types::#ty)
                    }
                    None => quote!(serde_json::Value),
                };
                sources.entry(ty.to_string()).or_default().push(name.clone());
                variants.push(quote!(#about #name(#ty)));
                arms.push(quote!(Self::#name(body) => answer::json(#status, &body)));
            }
            Content::EventStream(schema) => {
                let ty = type_name(schema);
                let name = format_ident!("{name}EventStream");
                variants.push(quote!(#about #name(EventStream<types::#ty>)));
                arms.push(quote!(Self::#name(events) => events.into_response()));
            }
        }
    }
    // A body of one status only needs no naming of the variant.
    let conversions = sources.into_iter().filter(|(_, names)| names.len() == 1).filter_map(|(ty, names)| {
        let ty: TokenStream = ty.parse().ok()?;
        let name = &names[0];
        Some(quote!(impl From<#ty> for #output { fn from(body: #ty) -> Self { Self::#name(body) } }))
    });
    quote! {
        #[doc = #route]
        #[derive(Debug)]
        pub enum #output { #(#variants),* }
        #(#conversions)*
        impl IntoResponse for #output {
            fn into_response(self) -> Response { match self { #(#arms),* } }
        }
    }
}

fn status_name(status: u16) -> Ident {
    match status {
        200 => format_ident!("Ok"),
        201 => format_ident!("Created"),
        202 => format_ident!("Accepted"),
        204 => format_ident!("NoContent"),
        503 => format_ident!("ServiceUnavailable"),
        other => format_ident!("Status{other}"),
    }
}
