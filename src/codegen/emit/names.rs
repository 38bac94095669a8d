//! Small tokens: identifiers, documentation, paths.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

/// A name of the intermediate representation as an identifier.
pub fn ident(name: &str) -> Ident {
    // Keywords were given another name when the document was lowered.
    syn::parse_str(name).unwrap_or_else(|_| Ident::new("unnamed", Span::call_site()))
}

/// A description as documentation, and whether it is deprecated; nothing for nothing.
pub fn doc(text: &str, deprecated: bool) -> TokenStream {
    let lines = text.trim().lines().map(|line| {
        let line = line.trim_end();
        if line.is_empty() { String::new() } else { format!(" {line}") }
    });
    let lines = (!text.trim().is_empty()).then(|| quote!(#(#[doc = #lines])*));
    let deprecated = deprecated.then(|| quote!(#[deprecated]));
    quote!(#lines #deprecated)
}

/// `Option` of a type, by a path that no type of the document can hide.
pub fn option(inner: TokenStream) -> TokenStream {
    quote!(::std::option::Option<#inner>)
}

/// `Some` of an expression.
pub fn some(inner: TokenStream) -> TokenStream {
    quote!(Some(#inner))
}

/// `None`.
pub fn none() -> TokenStream {
    quote!(None)
}
