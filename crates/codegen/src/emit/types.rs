//! Emission of `types.rs`: structs, enumerations and aliases, with their JSON readers and writers.
//!
//! Output for an object:
//!
//! ```text
//! #[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
//! pub struct Pet { pub name: String, #[serde(skip_serializing_if = "Option::is_none")] pub age: Option<i64> }
//! impl json::ReadObject for Pet { … a slot for each field, filled by the keys that come … }
//! impl<'de> ::serde::Deserialize<'de> for Pet { … json::read_object(deserializer) }
//! ```
//!
//! Readers are emitted, not derived: serde's derived code accepts an array for a struct, takes the last of two equal
//! keys of a map, and accepts null for every `Option`.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use super::{
    super::ir::schema::{Additional, Enumeration, Field, Kind, NamedType, Object, Schema, Shape},
    context::{Context, is_option},
    names::{doc, ident},
};

/// Returns the tokens of the file.
pub fn file(context: &Context<'_>) -> TokenStream {
    let support = context.support();
    let items = context.types().map(|named| context.item(named));
    let unions = context.types().filter(|named| super::unions::is_union(named)).map(|named| ident(&named.name));
    quote! {
        #![allow(clippy::all, missing_docs, deprecated, nonstandard_style, unreachable_pub, unused)]
        use super::types;
        use #support::{json, json::Read as _, validation};
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
                attributes.push(quote!(skip_serializing_if = "::std::option::Option::is_none"));
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
        let derive_default = all_optional.then(|| quote!(::std::default::Default,));
        let default = self.default_impl(named, object, all_optional);
        let read = self.read_object(named, object);
        quote! {
            #about
            #[derive(::std::clone::Clone, ::std::fmt::Debug, #derive_default ::std::cmp::PartialEq, ::serde::Serialize)]
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
        Some(quote! {
            impl ::std::default::Default for #name {
                fn default() -> Self { Self { #(#fields,)* #extra } }
            }
        })
    }

    fn read_object(&self, named: &NamedType, object: &Object) -> TokenStream {
        let name = ident(&named.name);
        let mut wires: Vec<_> = object.fields.iter().map(|field| &field.wire_name).chain(&object.dropped).collect();
        wires.sort();
        let slots: Vec<_> = (0..object.fields.len()).map(|index| format_ident!("slot{index}")).collect();
        let place = |wire: &String| Literal::usize_unsuffixed(wires.partition_point(|other| *other < wire));
        let arms = object.fields.iter().enumerate().map(|(index, field)| {
            let reader = self.field_reader(field);
            let slot = &slots[index];
            let index = place(&field.wire_name);
            quote!(json::Key::Known(#index) => {
                <#reader>::fill(&mut #slot, Self::NAMES[#index], &mut map)?
            })
        });
        let count = (object.min_properties.is_some() || object.max_properties.is_some()).then(|| {
            let least = Literal::u64_unsuffixed(object.min_properties.unwrap_or(0));
            let most = match object.max_properties {
                Some(most) => {
                    let most = Literal::u64_unsuffixed(most);
                    quote!(#most)
                }
                None => quote!(u64::MAX),
            };
            [
                quote!(let mut count: u64 = 0;),
                quote!(count += 1;),
                quote!(count -= 1;),
                quote!(json::count(count, #least, #most)?;),
            ]
        });
        let [count_start, count_one, count_back, count_check] = count.unwrap_or_default();
        let dropped = object.dropped.iter().map(|wire| {
            let index = place(wire);
            quote!(json::Key::Known(#index) => {
                json::drop_field(Self::NAMES[#index], &mut map)?;
                #count_back
            })
        });
        let (kept, other) = match &object.additional {
            Additional::Kept(schema) => {
                let reader = match schema.shape {
                    Shape::Any => quote!(json::Any),
                    _ => self.reader(schema),
                };
                let ty = self.map_type(schema);
                (
                    Some(quote!(let mut extra: #ty = ::std::default::Default::default();)),
                    quote!(json::Key::Other(key) => {
                        <#reader>::keep(&mut extra, key, &mut map)?
                    }),
                )
            }
            Additional::Ignored => (None, quote!(_ => json::skip(&mut map)?)),
            Additional::Refused => (
                None,
                quote!(json::Key::Other(key) => {
                    return Err(json::unknown_field(&key, Self::NAMES));
                }
                _ => {}),
            ),
            Additional::Null => (
                None,
                quote!(json::Key::Other(key) => json::only_null(&key, Self::NAMES, &mut map)?,
                _ => {}),
            ),
        };
        let other = match &object.additional {
            Additional::Kept(_) => quote!(#other _ => {}),
            _ => other,
        };
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
        let values = object.fields.iter().enumerate().map(|(index, field)| {
            let slot = &slots[index];
            let rust_name = ident(&field.rust_name);
            let wire = &field.wire_name;
            let value = match (field.required, &field.default, field.schema.nullable) {
                (true, _, _) => quote!(json::required(#slot, #wire)?),
                (_, Some(_), _) => {
                    let absent = self.absent(field);
                    quote!(match #slot {
                        Some(value) => value,
                        None => #absent,
                    })
                }
                (false, None, true) => quote!(#slot.flatten()),
                (false, None, false) => quote!(#slot),
            };
            quote!(#rust_name: #value)
        });
        let extra = kept.is_some().then(|| quote!(extra,));
        quote! {
            impl json::ReadObject for #name {
                const NAMES: &'static [&'static str] = &[#(#wires),*];
                fn read_fields<'de, A: ::serde::de::MapAccess<'de>>(
                    mut map: A,
                ) -> ::std::result::Result<Self, A::Error> {
                    #(let mut #slots = None;)*
                    #kept
                    #count_start
                    while let Some(key) = json::next_key(&mut map, Self::NAMES)? {
                        #count_one
                        match key {
                            #(#arms)*
                            #(#dropped)*
                            #other
                        }
                    }
                    #count_check
                    #(#presence)*
                    Ok(Self { #(#values,)* #extra })
                }
            }
            impl<'de> ::serde::Deserialize<'de> for #name {
                fn deserialize<D: ::serde::Deserializer<'de>>(
                    deserializer: D,
                ) -> ::std::result::Result<Self, D::Error> {
                    json::read_object(deserializer)
                }
            }
        }
    }

    fn enumeration(&self, name: &str, enumeration: &Enumeration, about: &TokenStream) -> TokenStream {
        let name = ident(name);
        let variants: Vec<_> = enumeration.variants.iter().map(|variant| ident(&variant.rust_name)).collect();
        let wires: Vec<_> = enumeration.variants.iter().map(|variant| &variant.wire_name).collect();
        let abouts = wires.iter().map(|wire| doc(&format!("`{wire}`"), false));
        let default = enumeration.default.and_then(|index| variants.get(index)).map(|variant| {
            quote! {
                impl ::std::default::Default for #name {
                    fn default() -> Self { Self::#variant }
                }
            }
        });
        quote! {
            #about
            #[derive(
                ::std::clone::Clone, ::std::marker::Copy, ::std::fmt::Debug, ::std::cmp::PartialEq, ::std::cmp::Eq,
                ::std::cmp::PartialOrd, ::std::cmp::Ord, ::std::hash::Hash,
            )]
            pub enum #name { #(#abouts #variants),* }
            impl #name {
                /// Every value, in the order of the document.
                pub const ALL: &'static [Self] = &[#(Self::#variants),*];
                /// Every value as JSON spells it.
                pub const NAMES: &'static [&'static str] = &[#(#wires),*];
                /// The value as JSON spells it.
                pub fn as_str(&self) -> &'static str {
                    match self { #(Self::#variants => #wires),* }
                }
            }
            #default
            impl ::std::fmt::Display for #name {
                fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                    f.write_str(self.as_str())
                }
            }
            impl ::std::str::FromStr for #name {
                type Err = json::UnknownValue;
                fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
                    match text {
                        #(#wires => Ok(Self::#variants),)*
                        _ => Err(json::UnknownValue::new(text, Self::NAMES)),
                    }
                }
            }
            impl ::serde::Serialize for #name {
                fn serialize<S: ::serde::Serializer>(
                    &self,
                    serializer: S,
                ) -> ::std::result::Result<S::Ok, S::Error> {
                    serializer.serialize_str(self.as_str())
                }
            }
            impl<'de> ::serde::Deserialize<'de> for #name {
                fn deserialize<D: ::serde::Deserializer<'de>>(
                    deserializer: D,
                ) -> ::std::result::Result<Self, D::Error> {
                    let known = json::known_value(deserializer, Self::NAMES)?;
                    Ok(Self::ALL[known])
                }
            }
        }
    }

    fn wrapper(&self, name: &str, schema: &Schema, about: &TokenStream) -> TokenStream {
        let name = ident(name);
        let inner = self.inner_type(schema);
        let reader = self.reader(&Schema { nullable: false, ..schema.clone() });
        quote! {
            #about
            #[derive(
                ::std::clone::Clone, ::std::fmt::Debug, ::std::default::Default, ::std::cmp::PartialEq,
                ::serde::Serialize,
            )]
            #[serde(transparent)]
            pub struct #name(pub #inner);
            impl<'de> ::serde::Deserialize<'de> for #name {
                fn deserialize<D: ::serde::Deserializer<'de>>(
                    deserializer: D,
                ) -> ::std::result::Result<Self, D::Error> {
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
