//! Reduction of progenitor's client to the requests of each operation.
//!
//! progenitor generates a client struct whose time-outs abort streams, two error types, and responses that are read
//! without a limit. The code that sends requests and reads responses is written by hand instead (`src/client/call.rs`);
//! progenitor contributes the methods, which set path, query, headers and body of each operation.

use quote::quote;
use serde_json::Value;

use syn::{ImplItem, Item, Pat, Stmt};

use crate::client::requests::{self, Pages, inner};

/// Returns the document with all paths relative to one root. progenitor ignores the servers of a path, so the part of
/// such a server's address beyond the document's own is prefixed to the path.
pub(super) fn below_one_root(document: &Value) -> Value {
    let mut moved = document.clone();
    let Some(paths) = moved.get_mut("paths").and_then(Value::as_object_mut) else { return moved };
    *paths = std::mem::take(paths)
        .into_iter()
        .map(|(path, item)| (format!("{}{path}", below_root(document, &item).unwrap_or_default()), item))
        .collect();
    moved
}

/// Returns the part of the address of a path's own server beyond the document's address; `None` if there is none.
pub(super) fn below_root(document: &Value, item: &Value) -> Option<String> {
    let below = server_address(item).strip_prefix(&server_address(document))?.to_owned();
    below.starts_with('/').then_some(below)
}

/// Returns the address of the first server of a document or path, with its variables at their defaults; empty without
/// one.
fn server_address(node: &Value) -> String {
    let server = &node["servers"][0];
    let mut address = server["url"].as_str().unwrap_or_default().to_owned();
    for (name, variable) in server["variables"].as_object().into_iter().flatten() {
        address = address.replace(&format!("{{{name}}}"), variable["default"].as_str().unwrap_or_default());
    }
    address.trim_end_matches('/').to_owned()
}

/// Returns the items of `generated/client.rs`, made from progenitor's items.
pub(super) fn reduce(items: Vec<Item>, pages: &Pages) -> Result<Vec<Item>, String> {
    let mut kept: Vec<Item> = vec![
        syn::parse_quote!(
            use progenitor_client::{RequestBuilderExt, ResponseValue, encode_path};
        ),
        syn::parse_quote!(
            use super::types;
        ),
        syn::parse_quote!(
            use std::pin::Pin;
        ),
        syn::parse_quote!(
            use crate::client::{Client, ClientError, Download, Page, ResultStream, page_parts, pages};
        ),
    ];
    let mut builders = Vec::new();
    for item in items {
        let Item::Impl(mut block) = item else { continue };
        if block.trait_.is_some() {
            continue;
        }
        block.items.retain(|item| matches!(item, ImplItem::Fn(method) if method.sig.asyncness.is_some()));
        for item in &mut block.items {
            let ImplItem::Fn(method) = item else { continue };
            reduce_method(method)?;
            if requests::has_options(method) {
                let (maker, request) = requests::of(method, pages)?;
                *method = maker;
                builders.extend(request);
            }
        }
        if !block.items.is_empty() {
            block.attrs.clear();
            kept.push(Item::Impl(block));
        }
    }
    kept.extend(builders);
    kept.extend(pages.implementations());
    Ok(kept)
}

/// Keeps a method up to the finished request; [`Client::call`] sends it.
fn reduce_method(method: &mut syn::ImplItemFn) -> Result<(), String> {
    let name = method.sig.ident.to_string();
    let unknown = |what: &str| format!("progenitor's method {name} {what}: adapt crates/codegen/src/client/methods.rs");
    if quote!(#method).to_string().contains("upgrade (") {
        return Err(unknown("changes the protocol"));
    }
    let end = method.block.stmts.iter().position(|statement| binds(statement, "info"));
    method.block.stmts.truncate(end.ok_or_else(|| unknown("has no `info`"))?);
    for statement in &mut method.block.stmts {
        // After this statement the request is not changed.
        if binds(statement, "request")
            && let Stmt::Local(local) = statement
            && let Pat::Ident(pattern) = &mut local.pat
        {
            pattern.mutability = None;
            local.attrs.clear();
        }
    }
    let syn::ReturnType::Type(_, output) = &mut method.sig.output else { return Err(unknown("returns nothing")) };
    let value = inner(output, "Result").ok_or_else(|| unknown("returns no Result"))?;
    if quote!(#value).to_string().contains("ByteStream") {
        method.block.stmts.push(Stmt::Expr(syn::parse_quote!(self.download(request).await), None));
        **output = syn::parse_quote!(Result<Download, ClientError>);
    } else {
        method.block.stmts.push(Stmt::Expr(syn::parse_quote!(self.call(request).await), None));
        **output = syn::parse_quote!(Result<#value, ClientError>);
    }
    Ok(())
}

fn binds(statement: &Stmt, name: &str) -> bool {
    matches!(statement, Stmt::Local(local) if matches!(&local.pat, Pat::Ident(pattern) if pattern.ident == name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn server(address: &str) -> Value {
        json!([{"url": "{root}", "variables": {"root": {"default": address}}}])
    }

    #[test]
    fn a_path_with_its_own_server_gets_what_is_beyond_the_root() {
        let document = json!({
            "servers": server("http://a/api/"),
            "paths": {
                "/x": {},
                "/y": {"servers": server("http://a/api/inference/v1/")},
                "/z": {"servers": server("http://elsewhere")},
            },
        });
        let moved = below_one_root(&document);
        let paths: Vec<&str> = moved["paths"].as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(paths, ["/x", "/inference/v1/y", "/z"]);
    }

    #[test]
    fn a_method_keeps_its_request_and_one_error_type() {
        let written: Item = syn::parse_quote!(
            impl Client {
                pub fn new(baseurl: &str) -> Self {
                    todo!()
                }
                pub async fn ask(&self) -> Result<ResponseValue<types::Answer>, Error<types::ErrorResponse>> {
                    #[allow(unused_mut)]
                    let mut request = self.client.get("x").build()?;
                    let info = OperationInfo { operation_id: "ask" };
                    let response = self.exec(request, &info).await?;
                    ResponseValue::from_response(response).await
                }
                pub async fn fetch(&self) -> Result<ResponseValue<ByteStream>, Error<types::ErrorResponse>> {
                    let mut request = self.client.get("y").build()?;
                    let info = OperationInfo { operation_id: "fetch" };
                    let response = self.exec(request, &info).await?;
                    Ok(ResponseValue::stream(response))
                }
            }
        );
        let kept = reduce(vec![written], &Pages::default()).unwrap();
        let expected: Item = syn::parse_quote!(
            impl Client {
                pub async fn ask(&self) -> Result<ResponseValue<types::Answer>, ClientError> {
                    let request = self.client.get("x").build()?;
                    self.call(request).await
                }
                pub async fn fetch(&self) -> Result<Download, ClientError> {
                    let request = self.client.get("y").build()?;
                    self.download(request).await
                }
            }
        );
        let last = kept.last().unwrap();
        assert_eq!(quote!(#last).to_string(), quote!(#expected).to_string());
    }

    #[test]
    fn a_method_of_another_shape_is_rejected() {
        let strange: Item = syn::parse_quote!(
            impl Client {
                pub async fn ask(&self) -> Result<ResponseValue<types::Answer>, Error<()>> {
                    todo!()
                }
            }
        );
        assert_eq!(
            reduce(vec![strange], &Pages::default()).err().unwrap(),
            "progenitor's method ask has no `info`: adapt crates/codegen/src/client/methods.rs"
        );
    }
}
