//! Small tokens: identifiers, doc comments, paths.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

/// Returns a name of the intermediate representation as an identifier.
pub fn ident(name: &str) -> Ident {
    // The lowering has already renamed keywords.
    syn::parse_str(name).unwrap_or_else(|_| Ident::new("unnamed", Span::call_site()))
}

/// Returns the attributes for a description and for `deprecated`; none if both are absent.
pub fn doc(text: &str, deprecated: bool) -> TokenStream {
    let lines = text.trim().lines().map(|line| {
        let line = line.trim_end();
        if line.is_empty() { String::new() } else { format!(" {line}") }
    });
    let lines = (!text.trim().is_empty()).then(|| quote!(#(#[doc = #lines])*));
    let deprecated = deprecated.then(|| quote!(#[deprecated]));
    quote!(#lines #deprecated)
}

/// Returns `Some` of an expression.
pub fn some(inner: TokenStream) -> TokenStream {
    quote!(Some(#inner))
}

/// Returns `None`.
pub fn none() -> TokenStream {
    quote!(None)
}
