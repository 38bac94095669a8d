//! What every part of the emitter asks: the Rust type of a schema, its checks, its defaults.

use proc_macro2::TokenStream;
use serde_json::Value;

use super::super::ir::schema::{NamedType, Schema};

/// The types of one document, and where the emitted code finds its support.
pub struct Context<'a> {
    types: &'a [NamedType],
    support: TokenStream,
}

impl<'a> Context<'a> {
    /// `support` is the path of the crate that has the modules `json` and `validation`: `crate` or `::trainyard`.
    pub fn new(types: &'a [NamedType], support: TokenStream) -> Self {
        Self { types, support }
    }

    /// The type called `name`.
    pub fn named(&self, name: &str) -> Option<&'a NamedType> {
        self.types.iter().find(|named| named.name == name)
    }

    /// The Rust type of a schema, `Option` where it is nullable, for a module that has `types` in scope.
    pub fn rust_type(&self, schema: &Schema) -> TokenStream {
        let _ = (schema, &self.support);
        todo!()
    }

    /// Statements that check `value`, an expression of type `&T` where `T` is [`Self::rust_type`] without `Option`
    /// (a name, say), which lies at `at`, an expression of type `&Location`. They add to `faults`, a
    /// `&mut support::validation::Faults` in scope. Empty when there is nothing to check.
    pub fn checks(&self, schema: &Schema, value: &TokenStream, at: &TokenStream) -> TokenStream {
        let _ = (schema, value, at);
        todo!()
    }

    /// The value as an expression of the type of the schema, `Some(…)` or `None` where that is nullable.
    pub fn default_value(&self, schema: &Schema, value: &Value) -> TokenStream {
        let _ = (schema, value);
        todo!()
    }
}
