//! Shared state of the emitter: Rust types and readers of schemas, and properties of named types.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, format_ident, quote};
use trainyard_runtime::validation::Format;

use crate::emit::names::ident;
use crate::ir::schema::{Bound, Field, Kind, Limits, NamedType, Schema, Shape};

/// Names of the prelude that the generated code uses, each with its full path.
const PRELUDE: [(&str, &str); 7] = [
    ("Box", "::std::boxed::Box"),
    ("Default", "::std::default::Default"),
    ("From", "::std::convert::From"),
    ("Option", "::std::option::Option"),
    ("Result", "::std::result::Result"),
    ("String", "::std::string::String"),
    ("Vec", "::std::vec::Vec"),
];

/// Types of one document, and the path of the support crate.
pub struct Context<'a> {
    types: BTreeMap<&'a str, &'a NamedType>,
    checked: BTreeSet<&'a str>,
    support: TokenStream,
    /// Whether a type has the name of one that the generated code uses from the prelude.
    shadowed: bool,
}

impl<'a> Context<'a> {
    /// Creates the context. `support` is the path of the crate with the modules `json` and `validation`: `crate` or
    /// `::trainyard_runtime`.
    pub fn new(types: &'a [NamedType], support: TokenStream) -> Self {
        let types: BTreeMap<_, _> = types.iter().map(|named| (named.name.as_str(), named)).collect();
        let shadowed = PRELUDE.iter().any(|(name, _)| types.contains_key(name));
        let mut context = Self { types, checked: BTreeSet::new(), support, shadowed };
        context.checked = context.find_checked();
        context
    }

    /// Returns the path of the support crate.
    pub fn support(&self) -> &TokenStream {
        &self.support
    }

    /// Returns the path of a type of the standard library. It is the name alone unless a type of the document shadows a
    /// name of the prelude.
    pub fn std(&self, name: &str) -> TokenStream {
        let path = PRELUDE.iter().find(|(known, _)| *known == name && self.shadowed).map_or(name, |(_, path)| path);
        path.parse().unwrap_or_default()
    }

    /// Returns `Option` of a type.
    pub fn option(&self, inner: &TokenStream) -> TokenStream {
        let option = self.std("Option");
        quote!(#option<#inner>)
    }

    /// Returns every type, by name.
    pub fn types(&self) -> impl Iterator<Item = &'a NamedType> {
        self.types.values().copied()
    }

    /// Returns the type called `name`.
    pub fn named(&self, name: &str) -> Option<&'a NamedType> {
        self.types.get(name).copied()
    }

    /// Returns the kind of a schema that is a named type.
    pub fn kind(&self, schema: &Schema) -> Option<&'a Kind> {
        Some(&self.named(schema.name()?)?.kind)
    }

    /// Returns whether the type called `name` implements `Validate`, so that it must be validated after decoding.
    pub fn is_checked(&self, name: &str) -> bool {
        self.checked.contains(name)
    }

    /// Returns the Rust type of a schema, an `Option` if it is nullable, for a module that has `types` in scope.
    pub fn rust_type(&self, schema: &Schema) -> TokenStream {
        let inner = self.inner_type(schema);
        if schema.nullable { self.option(&inner) } else { inner }
    }

    /// Returns the Rust type of a schema without null.
    pub fn inner_type(&self, schema: &Schema) -> TokenStream {
        let support = &self.support;
        match &schema.shape {
            Shape::Any => quote!(::serde_json::Value),
            Shape::Boolean => quote!(bool),
            Shape::Integer(width) => format_ident!("{}", format!("{width:?}").to_lowercase()).to_token_stream(),
            Shape::Number { single: true } => quote!(f32),
            Shape::Number { single: false } => quote!(f64),
            Shape::String => self.text_type(schema).unwrap_or_else(|| self.std("String")),
            Shape::Binary => quote!(#support::json::Binary),
            Shape::Array(items) => {
                let items = self.rust_type(items);
                let list = self.std("Vec");
                quote!(#list<#items>)
            }
            Shape::Map(items) => self.map_type(items),
            Shape::Named(name) => {
                let name = ident(name);
                quote!(types::#name)
            }
        }
    }

    /// Returns the type of a text with a format that Rust has a type for: a time or a UUID.
    pub fn text_type(&self, schema: &Schema) -> Option<TokenStream> {
        let support = &self.support;
        match (&schema.shape, schema.limits.format) {
            (Shape::String, Some(Format::DateTime)) => Some(quote!(#support::json::DateTime)),
            (Shape::String, Some(Format::Uuid)) => Some(quote!(#support::json::Uuid)),
            _ => None,
        }
    }

    /// Returns the type of an object's additional fields.
    pub fn map_type(&self, items: &Schema) -> TokenStream {
        match items.shape {
            Shape::Any => {
                let string = self.std("String");
                quote!(::serde_json::Map<#string, ::serde_json::Value>)
            }
            _ => {
                let (string, items) = (self.std("String"), self.rust_type(items));
                quote!(::std::collections::BTreeMap<#string, #items>)
            }
        }
    }

    /// Returns the reader of a schema: a type that implements `json::Read` of [`Self::rust_type`], for a module that
    /// has the support module `json` in scope.
    pub fn reader(&self, schema: &Schema) -> TokenStream {
        let inner = match &schema.shape {
            Shape::Any => quote!(json::Any),
            Shape::Integer(_) => quote!(json::Whole),
            Shape::Number { single: true } => quote!(json::Single),
            Shape::Array(items) => {
                let items = self.reader(items);
                let most = most(schema.limits.max_items);
                quote!(json::List<#items #most>)
            }
            Shape::Map(items) => {
                let items = match items.shape {
                    // `Any` reads null too, so it needs no `Nullable`.
                    Shape::Any => quote!(json::Any),
                    _ => self.reader(items),
                };
                let most = most(schema.limits.max_properties);
                quote!(json::Entries<#items #most>)
            }
            _ => quote!(json::ViaDeserialize),
        };
        if schema.nullable { quote!(json::Nullable<#inner>) } else { inner }
    }

    /// Returns the type of a field of an object.
    pub fn field_type(&self, field: &Field) -> TokenStream {
        let mut inner = self.inner_type(&field.schema);
        if field.boxed {
            let boxed = self.std("Box");
            inner = quote!(#boxed<#inner>);
        }
        if field.distinct_null {
            inner = self.option(&inner);
        }
        if is_option(field) { self.option(&inner) } else { inner }
    }

    /// Returns the reader of a field that is present: `Read` of its type, without null if it is not nullable.
    pub fn field_reader(&self, field: &Field) -> TokenStream {
        let mut inner = self.reader(&Schema { nullable: false, ..field.schema.clone() });
        if field.boxed {
            inner = quote!(json::Boxed<#inner>);
        }
        if field.schema.nullable { quote!(json::Nullable<#inner>) } else { inner }
    }

    fn find_checked(&self) -> BTreeSet<&'a str> {
        let mut found = BTreeSet::new();
        let mut users: BTreeMap<&str, Vec<&'a str>> = BTreeMap::new();
        let mut waiting = Vec::new();
        for named in self.types() {
            let mut own = false;
            // References to an alias are replaced by its schema.
            if matches!(named.kind, Kind::Alias(_)) {
                continue;
            }
            for schema in named.kind.schemas() {
                let mut schema = schema;
                loop {
                    own |= limits_anything(schema);
                    match &schema.shape {
                        Shape::Array(inner) | Shape::Map(inner) => schema = inner,
                        Shape::Named(name) => {
                            users.entry(name.as_str()).or_default().push(&named.name);
                            break;
                        }
                        _ => break,
                    }
                }
            }
            if own {
                waiting.push(named.name.as_str());
            }
        }
        while let Some(name) = waiting.pop() {
            if found.insert(name) {
                waiting.extend(users.get(name).into_iter().flatten());
            }
        }
        found
    }
}

/// Returns whether a schema has a limit that its Rust type does not express.
pub fn limits_anything(schema: &Schema) -> bool {
    let mut limits = schema.limits.clone();
    if let Shape::Integer(width) = schema.shape {
        let (least, most) = width.range().into_inner();
        if limits.minimum.as_ref().and_then(Bound::least).is_none_or(|low| low <= least) {
            limits.minimum = None;
        }
        if limits.maximum.as_ref().and_then(Bound::greatest).is_none_or(|high| high >= most) {
            limits.maximum = None;
        }
    }
    limits != Limits::default()
}

/// Returns whether a field is an `Option`: it is nullable, or it may be absent and has no default.
pub fn is_option(field: &Field) -> bool {
    field.schema.nullable || !field.required && field.default.is_none()
}

/// Returns the maximum length of a list or object as an additional argument of its reader.
fn most(limit: Option<u64>) -> TokenStream {
    let limit = limit.and_then(|limit| usize::try_from(limit).ok());
    let limit = limit.map(Literal::usize_unsuffixed);
    limit.map(|limit| quote!(, #limit)).unwrap_or_default()
}
