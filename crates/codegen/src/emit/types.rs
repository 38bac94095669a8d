//! Emission of `types.rs`: structs, enumerations and aliases, with their JSON readers and writers.
//!
//! Output for an object:
//!
//! ```text
//! #[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
//! pub struct Pet { pub name: String, #[serde(skip_serializing_if = "Option::is_none")] pub age: Option<i64> }
//! impl json::ReadObject for Pet { … a slot for each field, filled by the keys that come … }
//! json::object!(Pet); // Deserialize
//! ```
//!
//! Readers are emitted, not derived: serde's derived code accepts an array for a struct, takes the last of two equal
//! keys of a map, and accepts null for every `Option`.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use crate::emit::context::{Context, is_option};
use crate::emit::names::{doc, ident, none};
use crate::ir::schema::{Additional, Enumeration, Field, Kind, NamedType, Object, Schema, Shape};

/// Slots that are declared on one line.
const SLOTS: usize = 4;

/// Returns the tokens of the file.
pub fn file(context: &Context<'_>) -> TokenStream {
    let support = context.support();
    let items = context.types().map(|named| context.item(named));
    let unions = context.types().filter(|named| named.kind.is_choice()).map(|named| ident(&named.name));
    quote! {
        #![allow(clippy::all, missing_docs, deprecated, nonstandard_style, unreachable_pub, unused)]
        use super::types;
        use #support::json;
        pub use super::unions::{#(#unions),*};
        #(#items)*
    }
}

impl Context<'_> {
    fn item(&self, named: &NamedType) -> TokenStream {
        let name = ident(&named.name);
        let text = if named.description.trim().is_empty() { &named.name } else { &named.description };
        let about = doc(text, named.deprecated);
        match &named.kind {
            Kind::Object(object) => self.object(named, object, &about),
            Kind::Enumeration(enumeration) => self.enumeration(&named.name, enumeration, &about),
            Kind::Alias(schema) => {
                let target = self.rust_type(schema);
                quote!(#about pub type #name = #target;)
            }
            Kind::Wrapper(schema) => self.wrapper(&named.name, schema, &about),
            Kind::External(path) => match syn::parse_str::<syn::Type>(path) {
                Ok(path) => quote!(#about pub type #name = #path;),
                Err(_) => TokenStream::new(),
            },
            Kind::Union(_) | Kind::Verbatim(_) => TokenStream::new(),
        }
    }

    fn object(&self, named: &NamedType, object: &Object, about: &TokenStream) -> TokenStream {
        let name = ident(&named.name);
        let fields = object.fields.iter().map(|field| {
            let about = doc(&field.description, field.deprecated);
            let rust_name = ident(&field.rust_name);
            let wire = &field.wire_name;
            let ty = self.field_type(field);
            let mut attributes = Vec::new();
            if field.rust_name != field.wire_name {
                attributes.push(quote!(rename = #wire));
            }
            if may_be_omitted(field) {
                let is_none = format!("{}::is_none", self.std("Option").to_string().replace(' ', ""));
                attributes.push(quote!(skip_serializing_if = #is_none));
            }
            let attributes = (!attributes.is_empty()).then(|| quote!(#[serde(#(#attributes),*)]));
            quote!(#about #attributes pub #rust_name: #ty)
        });
        let extra = match &object.additional {
            Additional::Kept(schema) => {
                let ty = self.map_type(schema);
                Some(quote!(/// The fields that the document does not name.
                    #[serde(flatten)] pub extra: #ty,))
            }
            _ => None,
        };
        let all_optional = object.fields.iter().all(|field| is_option(field) && field.default.is_none());
        let derive_default = all_optional.then(|| quote!(Default,));
        let default = self.default_impl(named, object, all_optional);
        let read = self.read_object(named, object);
        quote! {
            #about
            #[derive(Clone, Debug, #derive_default PartialEq, ::serde::Serialize)]
            pub struct #name { #(#fields,)* #extra }
            #default
            #read
        }
    }

    /// Emits `Default` if every field has a value when it is absent.
    fn default_impl(&self, named: &NamedType, object: &Object, derived: bool) -> Option<TokenStream> {
        let every = object.fields.iter().all(|field| field.default.is_some() || is_option(field) && !field.required);
        if derived || !every {
            return None;
        }
        let name = ident(&named.name);
        let fields = object.fields.iter().map(|field| {
            let rust_name = ident(&field.rust_name);
            let value = self.absent(field);
            quote!(#rust_name: #value)
        });
        let extra = matches!(object.additional, Additional::Kept(_))
            .then(|| quote!(extra: ::std::default::Default::default(),));
        let default = self.std("Default");
        Some(quote! {
            impl #default for #name {
                fn default() -> Self { Self { #(#fields,)* #extra } }
            }
        })
    }

    fn read_object(&self, named: &NamedType, object: &Object) -> TokenStream {
        let name = ident(&named.name);
        let result = self.std("Result");
        let mut wires: Vec<_> = object.fields.iter().map(|field| &field.wire_name).chain(&object.dropped).collect();
        wires.sort();
        let slots: Vec<_> = (0..object.fields.len()).map(|index| format_ident!("f{index}")).collect();
        let begin = slots.chunks(SLOTS).map(|slots| {
            let nothing = slots.iter().map(|_| none());
            match slots {
                [slot] => quote!(let mut #slot = None;),
                _ => quote!(let (#(mut #slots),*) = (#(#nothing),*);),
            }
        });
        let position = |wire: &String| Literal::usize_unsuffixed(wires.partition_point(|other| *other < wire));
        let arms = object.fields.iter().zip(&slots).map(|(field, slot)| {
            let (reader, index) = (self.field_reader(field), position(&field.wire_name));
            quote!(#index => from.fill::<#reader, _>(&mut #slot)?,)
        });
        let dropped = object.dropped.iter().map(|wire| {
            let index = position(wire);
            quote!(#index => from.drop_field()?,)
        });
        let (kept, other) = match &object.additional {
            Additional::Kept(schema) => {
                let reader = match schema.shape {
                    Shape::Any => quote!(json::Any),
                    _ => self.reader(schema),
                };
                let (ty, default) = (self.map_type(schema), self.std("Default"));
                (
                    Some(quote!(let mut extra: #ty = #default::default();)),
                    quote!(_ => from.keep::<#reader, _, _>(&mut extra)?,),
                )
            }
            Additional::Ignored => (None, quote!(_ => from.skip()?,)),
            Additional::Rejected => (None, quote!(_ => return Err(from.unknown_field()),)),
            Additional::Null => (None, quote!(_ => from.only_null()?,)),
        };
        let count = (object.min_properties.is_some() || object.max_properties.is_some()).then(|| {
            let least = Literal::u64_unsuffixed(object.min_properties.unwrap_or(0));
            let most = match object.max_properties.map(Literal::u64_unsuffixed) {
                Some(most) => quote!(#most),
                None => quote!(u64::MAX),
            };
            quote!(from.count(#least, #most)?;)
        });
        let presence = object.presence.iter().map(|presence| {
            let exactly_one = presence.exactly_one;
            let sets = presence.sets.iter().map(|set| {
                let present = set.iter().filter_map(|wire| {
                    let index = object.fields.iter().position(|field| field.wire_name == *wire)?;
                    let slot = &slots[index];
                    Some(quote!(#slot.is_some()))
                });
                let words = set.join(", ");
                quote!((#words, true #(&& #present)*))
            });
            quote!(json::presence(#exactly_one, &[#(#sets),*])?;)
        });
        let values = object.fields.iter().zip(&slots).map(|(field, slot)| {
            let rust_name = ident(&field.rust_name);
            let wire = &field.wire_name;
            let value = match (field.required, &field.default, field.schema.nullable) {
                (true, _, _) => quote!(json::required(#slot, #wire)?),
                (_, Some(_), _) => {
                    let absent = self.absent(field);
                    quote!(#slot.unwrap_or_else(|| #absent))
                }
                (false, None, true) if !field.distinct_null => quote!(#slot.flatten()),
                (false, None, _) => quote!(#slot),
            };
            quote!(#rust_name: #value)
        });
        let extra = kept.is_some().then(|| quote!(extra,));
        quote! {
            impl json::ReadObject for #name {
                const NAMES: &'static [&'static str] = &[#(#wires),*];
                fn read_fields<'de, A: json::MapAccess<'de>>(map: A) -> #result<Self, A::Error> {
                    let mut from = json::Fields::of(map, Self::NAMES);
                    #(#begin)*
                    #kept
                    while let Some(name) = from.next_field()? {
                        match name {
                            #(#arms)*
                            #(#dropped)*
                            #other
                        }
                    }
                    #count
                    #(#presence)*
                    Ok(Self { #(#values,)* #extra })
                }
            }
            json::object!(#name);
        }
    }

    fn enumeration(&self, name: &str, enumeration: &Enumeration, about: &TokenStream) -> TokenStream {
        let name = ident(name);
        let variants: Vec<_> = enumeration.variants.iter().map(|variant| ident(&variant.rust_name)).collect();
        let wires: Vec<_> = enumeration.variants.iter().map(|variant| &variant.wire_name).collect();
        let declared = enumeration.variants.iter().zip(&variants).enumerate().map(|(index, (variant, name))| {
            let wire = &variant.wire_name;
            // The name alone says it if it is the same word.
            let about = (variant.rust_name.to_lowercase() != *wire).then(|| doc(&format!("`{wire}`"), false));
            let default = (enumeration.default == Some(index)).then(|| quote!(#[default]));
            quote!(#about #default #name)
        });
        let default = enumeration.default.is_some_and(|index| index < variants.len()).then(|| quote!(Default,));
        quote! {
            #about
            #[derive(Clone, Copy, Debug, #default PartialEq, Eq, PartialOrd, Ord, Hash)]
            pub enum #name { #(#declared),* }
            impl #name {
                pub const ALL: &'static [Self] = &[#(Self::#variants),*];
                pub const NAMES: &'static [&'static str] = &[#(#wires),*];
            }
            json::enumeration!(#name);
        }
    }

    fn wrapper(&self, name: &str, schema: &Schema, about: &TokenStream) -> TokenStream {
        let name = ident(name);
        let result = self.std("Result");
        let inner = self.inner_type(schema);
        let reader = self.reader(&Schema { nullable: false, ..schema.clone() });
        quote! {
            #about
            #[derive(Clone, Debug, Default, PartialEq, ::serde::Serialize)]
            #[serde(transparent)]
            pub struct #name(pub #inner);
            impl<'de> ::serde::Deserialize<'de> for #name {
                fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> #result<Self, D::Error> {
                    <#reader as json::Read<#inner>>::read(deserializer).map(Self)
                }
            }
        }
    }
}

/// Returns whether JSON omits a field that is `None`.
fn may_be_omitted(field: &Field) -> bool {
    is_option(field) && !field.required && field.default.is_none()
}
