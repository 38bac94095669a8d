//! Request builders of the operations that have optional parameters.
//!
//! progenitor passes an optional parameter as a positional `Option`. This module turns such a method into one with the
//! required parameters only. It returns a request that has a setter for each optional parameter and sends itself when it
//! is awaited. The request of a listing can stream the items of all pages.

use std::collections::BTreeMap;

use heck::ToUpperCamelCase;
use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::{Expr, ExprLit, FnArg, ImplItemFn, Item, Lit, Meta, Pat, Stmt, Type};

use crate::Document;
use crate::ir::schema::{Kind, NamedType, Schema, Shape};

/// A parameter of a method.
struct Parameter {
    name: Ident,
    kind: Type,
    is_optional: bool,
    description: String,
}

/// Page types of the document, each with the type of its items.
#[derive(Default)]
pub(super) struct Pages(BTreeMap<String, String>);

impl Pages {
    /// Finds the page types: objects with a list `data` of objects with an `id`, and `has_more`.
    pub(super) fn of(document: &Document) -> Self {
        let types = &document.api.types;
        let pages = types.iter().filter_map(|named| {
            let Shape::Array(items) = &required(named, "data")?.shape else { return None };
            let item = types.iter().find(|item| Some(item.name.as_str()) == items.name())?;
            let is_page =
                required(named, "has_more")?.shape == Shape::Boolean && required(item, "id")?.shape == Shape::String;
            is_page.then(|| (named.name.clone(), item.name.clone()))
        });
        Self(pages.collect())
    }

    /// Returns the implementation of `Page` for each type.
    pub(super) fn implementations(&self) -> impl Iterator<Item = Item> {
        self.0.iter().map(|(page, item)| {
            let (page, item) = (format_ident!("{page}"), format_ident!("{item}"));
            syn::parse_quote!(
                impl Page for crate::generated::types::#page {
                    type Item = crate::generated::types::#item;

                    fn into_parts(self) -> Result<(Vec<Self::Item>, Option<String>), ClientError> {
                        page_parts(self.data, self.has_more, |item| &item.id)
                    }
                }
            )
        })
    }

    /// Returns whether the type of a response is a page.
    fn has(&self, response: &Type) -> bool {
        let Type::Path(path) = response else { return false };
        path.path.segments.last().is_some_and(|segment| self.0.contains_key(&segment.ident.to_string()))
    }
}

/// Returns the schema of a required field of an object.
fn required<'a>(named: &'a NamedType, name: &str) -> Option<&'a Schema> {
    let Kind::Object(object) = &named.kind else { return None };
    object.fields.iter().find(|field| field.required && field.wire_name == name).map(|field| &field.schema)
}

/// Returns whether the method has an optional parameter.
pub(super) fn has_options(method: &ImplItemFn) -> bool {
    method.sig.inputs.iter().any(|input| matches!(input, FnArg::Typed(input) if inner(&input.ty, "Option").is_some()))
}

/// Returns the method that makes the request, and the items of the request.
pub(super) fn of(method: &ImplItemFn, pages: &Pages) -> Result<(ImplItemFn, Vec<Item>), String> {
    let name = &method.sig.ident;
    let request = format_ident!("{}", name.to_string().to_upper_camel_case());
    let (summary, descriptions) = documentation(method);
    let parameters = parameters(method, &descriptions)?;
    let syn::ReturnType::Type(_, output) = &method.sig.output else { return Err(format!("{name} returns nothing")) };
    let generics =
        if parameters.iter().any(|parameter| is_borrowed(&parameter.kind)) { quote!(<'a>) } else { quote!() };
    let lifetime = if generics.is_empty() { quote!('static) } else { quote!('a) };

    let mut fields = Vec::new();
    let (mut arguments, mut values, mut argument_docs) = (Vec::new(), Vec::new(), String::new());
    let mut setters = Vec::new();
    for Parameter { name, kind, is_optional, description } in &parameters {
        let is_text = is_text(kind);
        let stored = if is_text { quote!(String) } else { quote!(#kind) };
        let accepted = if is_text { quote!(impl Into<String>) } else { quote!(#kind) };
        let value = if is_text { quote!(#name.into()) } else { quote!(#name) };
        if *is_optional {
            let doc = format!(" {description}");
            fields.push(quote!(#[doc = #doc] pub #name: Option<#stored>));
            values.push(quote!(#name: None));
            let doc = format!(" Sets [`{name}`](Self::{name}).");
            setters.push(quote! {
                #[doc = #doc]
                pub fn #name(mut self, #name: #accepted) -> Self {
                    self.#name = Some(#value);
                    self
                }
            });
        } else {
            let doc = format!(" {description}");
            fields.push(quote!(#[doc = #doc] pub #name: #stored));
            arguments.push(quote!(#name: #accepted));
            values.push(quote!(#name: #value));
            argument_docs += &format!("- `{name}`: {description}\n");
        }
    }
    let names: Vec<&Ident> = parameters.iter().map(|parameter| &parameter.name).collect();
    let statements: Vec<Stmt> = method.block.stmts.clone();
    let statements = with_client(quote!(#(#statements)*));

    let request_doc = format!(" Request of [`Client::{name}`]. It is sent when it is awaited.");
    let mut items: Vec<Item> = vec![
        syn::parse_quote!(
            #[doc = #request_doc]
            #[derive(Clone, Debug)]
            #[must_use = "a request is sent when it is awaited"]
            pub struct #request #generics {
                client: Client,
                #(#fields,)*
            }
        ),
        syn::parse_quote!(
            impl #generics #request #generics {
                #(#setters)*

                async fn send(self) -> #output {
                    let Self { client, #(#names,)* } = self;
                    #statements
                }
            }
        ),
        syn::parse_quote!(
            impl #generics IntoFuture for #request #generics {
                type Output = #output;
                type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + #lifetime>>;

                fn into_future(self) -> Self::IntoFuture {
                    Box::pin(self.send())
                }
            }
        ),
    ];
    let is_page = inner(output, "Result")
        .and_then(|value| inner(value, "ResponseValue"))
        .filter(|value| pages.has(value) && names.iter().any(|name| *name == "after"));
    if let Some(page) = is_page {
        items.push(syn::parse_quote!(
            impl #request {
                /// Streams the items of all pages, beginning with this one.
                pub fn into_stream(self) -> ResultStream<<#page as Page>::Item> {
                    pages(move |after| {
                        let mut request = self.clone();
                        request.after = after.or(request.after);
                        async move { Ok(request.await?.into_inner()) }
                    })
                }
            }
        ));
    }
    let doc = if argument_docs.is_empty() { summary } else { format!("{summary}\n\nArguments:\n{argument_docs}") };
    let maker = syn::parse_quote!(
        #[doc = #doc]
        pub fn #name #generics (&self, #(#arguments,)*) -> #request #generics {
            #request { client: self.clone(), #(#values,)* }
        }
    );
    Ok((maker, items))
}

fn parameters(method: &ImplItemFn, descriptions: &BTreeMap<String, String>) -> Result<Vec<Parameter>, String> {
    let typed = method.sig.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(input) => Some(input),
        FnArg::Receiver(_) => None,
    });
    typed
        .map(|input| {
            let Pat::Ident(pattern) = &*input.pat else {
                return Err(format!("{} has a parameter without a name", method.sig.ident));
            };
            let name = pattern.ident.clone();
            let optional = inner(&input.ty, "Option");
            let description = descriptions.get(&name.to_string()).cloned().unwrap_or_default();
            let kind = optional.unwrap_or(&input.ty).clone();
            Ok(Parameter { name, kind, is_optional: optional.is_some(), description })
        })
        .collect()
}

/// Splits progenitor's documentation of a method into the text and the descriptions of the parameters.
fn documentation(method: &ImplItemFn) -> (String, BTreeMap<String, String>) {
    let mut text = String::new();
    for attribute in &method.attrs {
        if let Meta::NameValue(pair) = &attribute.meta
            && pair.path.is_ident("doc")
            && let Expr::Lit(ExprLit { lit: Lit::Str(line), .. }) = &pair.value
        {
            text += &line.value();
        }
    }
    let (summary, arguments) = text.split_once("\nArguments:\n").unwrap_or((&text, ""));
    let mut descriptions = BTreeMap::new();
    for argument in format!("\n{arguments}").split("\n- `").skip(1) {
        if let Some((name, description)) = argument.split_once("`: ") {
            descriptions.insert(name.to_owned(), description.trim().to_owned());
        }
    }
    (summary.trim().to_owned(), descriptions)
}

/// Replaces `self` and `Self` in the statements of a method of the client.
fn with_client(tokens: TokenStream) -> TokenStream {
    tokens
        .into_iter()
        .map(|token| match token {
            TokenTree::Ident(ident) if ident == "self" => Ident::new("client", ident.span()).into(),
            TokenTree::Ident(ident) if ident == "Self" => Ident::new("Client", ident.span()).into(),
            TokenTree::Group(group) => Group::new(group.delimiter(), with_client(group.stream())).into(),
            other => other,
        })
        .collect()
}

fn is_text(kind: &Type) -> bool {
    matches!(kind, Type::Reference(reference) if matches!(&*reference.elem, Type::Path(path) if path.path.is_ident("str")))
}

fn is_borrowed(kind: &Type) -> bool {
    matches!(kind, Type::Reference(_)) && !is_text(kind)
}

/// Returns `T` of `Outer<T, …>`.
pub(super) fn inner<'t>(kind: &'t Type, outer: &str) -> Option<&'t Type> {
    let Type::Path(path) = kind else { return None };
    let last = path.path.segments.last().filter(|segment| segment.ident == outer)?;
    let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first() {
        Some(syn::GenericArgument::Type(value)) => Some(value),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(tokens: impl quote::ToTokens) -> String {
        tokens.to_token_stream().to_string()
    }

    #[test]
    fn optional_parameters_become_methods_of_the_request() {
        let positional: ImplItemFn = syn::parse_quote!(
            /// Lists.
            ///
            ///Arguments:
            ///- `model`: Model.
            ///- `limit`: Maximum.
            pub async fn list_models<'a>(
                &'a self,
                model: &'a str,
                limit: Option<u32>,
                after: Option<&'a str>,
            ) -> Result<ResponseValue<types::ModelPage>, ClientError> {
                let request = self.client.get(format!("{}/{model}", self.baseurl)).build()?;
                self.call(request).await
            }
        );
        assert!(has_options(&positional));
        let pages = Pages([("ModelPage".to_owned(), "Model".to_owned())].into());
        let (maker, items) = of(&positional, &pages).unwrap();
        let Item::Struct(request) = &items[0] else { panic!("no request") };
        assert_eq!(text(&request.ident), "ListModels");
        let sent = text(&items[1]);
        assert!(sent.contains("pub fn limit (mut self , limit : u32) -> Self"), "{sent}");
        assert!(sent.contains("pub fn after (mut self , after : impl Into < String >) -> Self"), "{sent}");
        assert!(sent.contains("client . call (request)") && !sent.contains("self . call"), "{sent}");
        assert!(text(&items[3]).contains("into_stream"));
        let maker = text(maker);
        assert!(
            maker.contains("pub fn list_models (& self , model : impl Into < String > ,) -> ListModels"),
            "{maker}"
        );

        let (_, items) = of(&positional, &Pages::default()).unwrap();
        assert_eq!(items.len(), 3, "only a page has a stream");
    }

    #[test]
    fn a_request_borrows_its_body() {
        let positional: ImplItemFn = syn::parse_quote!(
            pub async fn create<'a>(&'a self, dry_run: Option<bool>, body: &'a types::Body) -> Result<(), ClientError> {
                self.call(body).await
            }
        );
        let (maker, items) = of(&positional, &Pages::default()).unwrap();
        assert!(text(maker).contains("pub fn create < 'a > (& self , body : & 'a types :: Body ,) -> Create < 'a >"));
        assert!(text(&items[2]).contains("+ Send + 'a"), "{}", text(&items[2]));
    }
}
