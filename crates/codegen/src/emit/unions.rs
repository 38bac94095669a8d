//! Emission of `unions.rs`: the enums of `oneOf` and `anyOf`, and the values that keep their text.

use std::collections::BTreeMap;

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::emit::context::Context;
use crate::emit::names::{doc, ident};
use crate::ir::schema::{Branch, Discrimination, Kind, Mark, Schema, Shape, Union};

/// Returns the tokens of the file.
pub fn file(context: &Context<'_>) -> TokenStream {
    let support = context.support();
    let items = context.types().map(|named| {
        let name = ident(&named.name);
        let text = if named.description.trim().is_empty() { &named.name } else { &named.description };
        let about = doc(text, named.deprecated);
        match &named.kind {
            Kind::Union(union) => context.union(&name, union, &about),
            Kind::Verbatim(schema) => context.verbatim(&name, schema, &about),
            _ => TokenStream::new(),
        }
    });
    quote! {
        #![allow(clippy::all, missing_docs, deprecated, nonstandard_style, unreachable_pub, unused)]
        use super::types;
        use #support::{json, validation::{self, Validate as _}};
        #(#items)*
    }
}

impl Context<'_> {
    fn verbatim(&self, name: &Ident, schema: &Schema, about: &TokenStream) -> TokenStream {
        let any_object = matches!(&schema.shape, Shape::Map(items) if matches!(items.shape, Shape::Any));
        let inner = match (&schema.shape, any_object) {
            (_, true) => quote!(json::AnyObject),
            _ => self.inner_type(schema),
        };
        quote!(#about pub type #name = json::Verbatim<#inner>;)
    }

    fn union(&self, name: &Ident, union: &Union, about: &TokenStream) -> TokenStream {
        let variants = union.branches.iter().map(|branch| {
            let variant = ident(&branch.rust_name);
            let inner = self.branch_type(branch);
            quote!(#variant(#inner))
        });
        let conversions = self.conversions(name, union);
        let result = self.std("Result");
        let body = match &union.tell {
            Discrimination::Discriminator { property, mapping } => self.by_discriminator(union, property, mapping),
            Discrimination::JsonType(types) => self.by_json_type(union, types),
            Discrimination::Fields(marks) => self.by_fields(union, marks),
            Discrimination::Trial { exactly_one } => self.by_trial(union, *exactly_one),
        };
        quote! {
            #about
            #[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
            #[serde(untagged)]
            pub enum #name { #(#variants),* }
            #conversions
            impl<'de> ::serde::Deserialize<'de> for #name {
                fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> #result<Self, D::Error> {
                    #body
                }
            }
        }
    }

    fn branch_type(&self, branch: &Branch) -> TokenStream {
        let inner = self.inner_type(&branch.schema);
        let boxed = self.std("Box");
        if branch.boxed { quote!(#boxed<#inner>) } else { inner }
    }

    /// Emits `From` for each type that occurs in one branch only.
    fn conversions(&self, name: &Ident, union: &Union) -> TokenStream {
        let mut by_type: BTreeMap<String, Vec<&Branch>> = BTreeMap::new();
        for branch in &union.branches {
            // An alias can be the same type as another branch's.
            if matches!(self.kind(&branch.schema), Some(Kind::Object(_) | Kind::Enumeration(_) | Kind::Wrapper(_))) {
                by_type.entry(self.inner_type(&branch.schema).to_string()).or_default().push(branch);
            }
        }
        let only = by_type.into_values().filter_map(|branches| match branches.as_slice() {
            [only] => Some(*only),
            _ => None,
        });
        let from = self.std("From");
        only.map(|branch| {
            let variant = ident(&branch.rust_name);
            let inner = self.inner_type(&branch.schema);
            let value = if branch.boxed { quote!(::std::boxed::Box::new(value)) } else { quote!(value) };
            quote! {
                impl #from<#inner> for #name {
                    fn from(value: #inner) -> Self { Self::#variant(#value) }
                }
            }
        })
        .collect()
    }

    /// Emits the reading of a branch from its text.
    fn read_branch(&self, branch: &Branch) -> TokenStream {
        let variant = ident(&branch.rust_name);
        let inner = self.branch_type(branch);
        let reader = self.branch_reader(branch);
        quote!(json::read_at_path::<#reader, #inner, _>(text.get()).map(Self::#variant))
    }

    fn branch_reader(&self, branch: &Branch) -> TokenStream {
        let reader = self.reader(&branch.schema);
        if branch.boxed { quote!(json::Boxed<#reader>) } else { reader }
    }

    fn by_discriminator(&self, union: &Union, property: &str, mapping: &[(String, usize)]) -> TokenStream {
        let arms = mapping.iter().map(|(value, branch)| {
            let read = self.read_branch(&union.branches[*branch]);
            quote!(#value => #read)
        });
        let values = mapping.iter().map(|(value, _)| value);
        quote! {
            let text = json::text(deserializer)?;
            let tag = json::discriminator(text.get(), #property)?;
            match tag.as_str() {
                #(#arms,)*
                other => Err(
                    json::unknown_discriminator(#property, other, &[#(#values),*]),
                ),
            }
        }
    }

    fn by_json_type(&self, union: &Union, types: &[(&'static str, usize)]) -> TokenStream {
        let arms = types.iter().map(|(json_type, branch)| {
            let read = self.read_branch(&union.branches[*branch]);
            let json_type = ident(match *json_type {
                "array" => "Array",
                "boolean" => "Boolean",
                "number" => "Number",
                "string" => "String",
                _ => "Object",
            });
            quote!(json::JsonType::#json_type => #read)
        });
        let mut choices: Vec<String> = Vec::new();
        for (index, branch) in union.branches.iter().enumerate() {
            let types = types.iter().filter(|(_, told)| *told == index).map(|(json_type, _)| *json_type);
            choices.extend(self.words(&branch.schema, types));
        }
        let choices = choices.join(" or ");
        quote! {
            let text = json::text(deserializer)?;
            match json::JsonType::of(text.get()) {
                #(#arms,)*
                other => Err(json::expected_type(#choices, other)),
            }
        }
    }

    /// Returns the descriptions of the values that a branch accepts.
    fn words(&self, schema: &Schema, types: impl Iterator<Item = &'static str>) -> Vec<String> {
        if let Some(Kind::Enumeration(enumeration)) = self.kind(schema) {
            let values = enumeration.variants.iter().map(|variant| format!("\"{}\"", variant.wire_name));
            return vec![format!("one of {}", values.collect::<Vec<_>>().join(", "))];
        }
        if matches!(schema.shape, Shape::Integer(_)) {
            return vec!["an integer".to_owned()];
        }
        let with_article = |name| if matches!(name, "array" | "object") { "an" } else { "a" };
        types.map(|name| format!("{} {name}", with_article(name))).collect()
    }

    fn by_fields(&self, union: &Union, marks: &[(Vec<Mark>, usize)]) -> TokenStream {
        let mut arms = TokenStream::new();
        let mut last = None;
        let mut words = Vec::new();
        for (marks, branch) in marks {
            let branch = &union.branches[*branch];
            let read = self.read_branch(branch);
            if marks.is_empty() {
                last = Some(read);
                continue;
            }
            let tests = marks.iter().map(|mark| match mark {
                Mark::Present(field) => quote!(members.has(#field)),
                Mark::Equals(field, value) => quote!(members.is(#field, #value)),
            });
            let reasons = marks.iter().map(|mark| match mark {
                Mark::Present(field) => format!("`{field}`"),
                Mark::Equals(field, value) => format!("`{field}`: \"{value}\""),
            });
            words.push(format!("{} ({})", reasons.collect::<Vec<_>>().join(" or "), branch.rust_name));
            arms.extend(quote!(if #(#tests)||* { return #read; }));
        }
        let words = words.join(", ");
        let last = last.unwrap_or_else(|| quote!(Err(json::missing_discriminating_field(#words))));
        quote! {
            let text = json::text(deserializer)?;
            let members = json::Members::of(text.get())?;
            #arms
            #last
        }
    }

    fn by_trial(&self, union: &Union, exactly_one: bool) -> TokenStream {
        let trials = union.branches.iter().map(|branch| {
            let variant = ident(&branch.rust_name);
            let inner = self.branch_type(branch);
            let reader = self.branch_reader(branch);
            let name = &branch.rust_name;
            let value = if branch.boxed { quote!((&**value)) } else { quote!(value) };
            let checks = self.checks(&branch.schema, &value, &quote!(at));
            quote!(trial.branch::<#reader, #inner>(text.get(), #name, Self::#variant, |value, at, faults| { #checks });)
        });
        quote! {
            let text = json::text(deserializer)?;
            let mut trial = validation::Trial::new(#exactly_one);
            #(#trials)*
            trial.result()
        }
    }
}
