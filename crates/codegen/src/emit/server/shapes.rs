//! Emission of the shape of a value that is written as text: the structure that the decoder expects of `1`, `a,b` or
//! `x[y]=z`, and the description of the expected value in its errors.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use serde_json::Value;

use crate::emit::server::Emitter;
use crate::ir::schema::{Additional, Bound, Discrimination, Integer, Kind, Object, Schema, Shape};

/// Maximum nesting of a bracketed parameter; deeper values are JSON text.
const DEPTH: usize = 6;

impl<'a> Emitter<'a> {
    /// Returns the object type of a schema, if it has known fields.
    pub(super) fn object(&self, schema: &Schema) -> Option<&'a Object> {
        match &self.context.named(schema.name()?)?.kind {
            Kind::Object(object) => Some(object),
            _ => None,
        }
    }

    /// Returns whether a JSON body of this schema must be an object: serde would accept an array for a struct.
    pub(super) fn is_object(&self, schema: &Schema) -> bool {
        match &schema.shape {
            Shape::Map(_) => true,
            Shape::Named(name) => match self.context.named(name).map(|named| &named.kind) {
                Some(Kind::Object(_)) => true,
                Some(Kind::Verbatim(inner) | Kind::Wrapper(inner)) => {
                    inner.shape != schema.shape && self.is_object(inner)
                }
                Some(Kind::Union(union)) => {
                    !schema.nullable
                        && union.branches.iter().all(|branch| {
                            branch.schema.shape != schema.shape
                                && !branch.schema.nullable
                                && self.is_direct_object(&branch.schema)
                        })
                }
                _ => false,
            },
            _ => false,
        }
    }

    fn is_direct_object(&self, schema: &Schema) -> bool {
        matches!(schema.shape, Shape::Map(_)) || self.object(schema).is_some()
    }

    /// Emits the shape as a constant expression; with `deep`, values nest in brackets.
    pub(super) fn shape(&self, schema: &Schema, deep: bool) -> TokenStream {
        self.nested_shape(schema, deep, 0)
    }

    fn nested_shape(&self, schema: &Schema, deep: bool, depth: usize) -> TokenStream {
        let json = quote!(decode::Shape::Json);
        let too_deep = depth > DEPTH || (depth > 0 && !deep);
        let scalar = |kind: &str| {
            let expected = self.expected(schema);
            match (kind, expected.as_str()) {
                ("Boolean", "true or false") => quote!(BOOLEAN),
                ("Integer", "an integer") => quote!(INTEGER),
                ("Number", "a number") => quote!(NUMBER),
                ("String", "a string") => quote!(STRING),
                ("Any", "a value") => quote!(ANY),
                // Only the outermost shape is no reference, which must lead to a constant.
                ("Integer", _) if depth == 0 => quote!(integer(#expected)),
                ("Number", _) if depth == 0 => quote!(number(#expected)),
                ("String", _) if depth == 0 => quote!(string(#expected)),
                _ => {
                    let kind = format_ident!("{kind}");
                    quote!(decode::Shape::Scalar(decode::Scalar::#kind, #expected))
                }
            }
        };
        match &schema.shape {
            Shape::Boolean => scalar("Boolean"),
            Shape::Integer(_) => scalar("Integer"),
            Shape::Number { .. } => scalar("Number"),
            Shape::String | Shape::Binary => scalar("String"),
            Shape::Any if !schema.limits.one_of.is_empty() => scalar("Any"),
            Shape::Any => quote!(ANY),
            Shape::Array(_) | Shape::Map(_) if too_deep => json,
            Shape::Array(items) => {
                let items = self.nested_shape(items, deep, depth + 1);
                quote!(decode::Shape::Array(&#items))
            }
            Shape::Map(values) => {
                let values = self.nested_shape(values, deep, depth + 1);
                quote!(decode::Shape::Object { fields: &[], rest: Some(&#values) })
            }
            Shape::Named(name) => match self.context.named(name).map(|named| &named.kind) {
                Some(Kind::Enumeration(_)) => scalar("String"),
                Some(Kind::Object(_)) if too_deep => json,
                Some(Kind::Object(object)) => self.object_shape(object, deep, depth),
                Some(Kind::Union(union)) if depth <= DEPTH => {
                    let mut branches: Vec<_> = union.branches.iter().collect();
                    // Every text is a valid string, so string branches come last.
                    branches.sort_by_key(|branch| self.is_text(&branch.schema));
                    let branches = branches.iter().map(|branch| self.nested_shape(&branch.schema, deep, depth + 1));
                    let expected = self.expected(schema);
                    quote!(decode::Shape::Choice(&[#(&#branches),*], #expected))
                }
                Some(Kind::Alias(inner)) if depth <= DEPTH => self.nested_shape(inner, deep, depth + 1),
                Some(Kind::External(_)) => quote!(ANY),
                _ => json,
            },
        }
    }

    fn object_shape(&self, object: &Object, deep: bool, depth: usize) -> TokenStream {
        let fields = object.fields.iter().map(|field| {
            let name = &field.wire_name;
            let shape = self.nested_shape(&field.schema, deep, depth + 1);
            quote!((#name, &#shape))
        });
        let rest = match &object.additional {
            Additional::Kept(schema) => {
                let shape = self.nested_shape(schema, deep, depth + 1);
                quote!(Some(&#shape))
            }
            // Unknown fields are passed on, so that the type can reject them by name.
            Additional::Rejected | Additional::Null => {
                quote!(Some(&ANY))
            }
            Additional::Ignored => quote!(None),
        };
        quote!(decode::Shape::Object { fields: &[#(#fields),*], rest: #rest })
    }

    /// Returns whether a value is written under its own name only: a scalar or a list.
    pub(super) fn is_flat(&self, schema: &Schema) -> bool {
        match &schema.shape {
            Shape::Map(_) | Shape::Any => false,
            Shape::Named(name) => matches!(
                self.context.named(name).map(|named| &named.kind),
                Some(Kind::Enumeration(_) | Kind::External(_))
            ),
            _ => true,
        }
    }

    fn is_text(&self, schema: &Schema) -> bool {
        match &schema.shape {
            Shape::String | Shape::Binary | Shape::Any => true,
            Shape::Named(name) => matches!(
                self.context.named(name).map(|named| &named.kind),
                Some(Kind::Enumeration(_) | Kind::External(_))
            ),
            _ => false,
        }
    }

    /// Returns the description of the expected value.
    pub(super) fn expected(&self, schema: &Schema) -> String {
        if !schema.limits.one_of.is_empty() {
            return one_of(schema.limits.one_of.iter().map(|value| match value {
                Value::String(text) => format!("`{text}`"),
                other => format!("`{other}`"),
            }));
        }
        match &schema.shape {
            Shape::Any => "a value".to_owned(),
            Shape::Boolean => "true or false".to_owned(),
            Shape::Integer(width) => format!("an integer{}", self.bounds(schema, range(*width))),
            Shape::Number { .. } => format!("a number{}", self.bounds(schema, (None, None))),
            Shape::String | Shape::Binary => "a string".to_owned(),
            Shape::Array(_) => "an array".to_owned(),
            Shape::Map(_) => "an object".to_owned(),
            Shape::Named(name) => match self.context.named(name).map(|named| &named.kind) {
                Some(Kind::Enumeration(enumeration)) => {
                    one_of(enumeration.variants.iter().map(|variant| format!("`{}`", variant.wire_name)))
                }
                Some(Kind::Union(union)) if !matches!(union.tell, Discrimination::Discriminator { .. }) => {
                    let mut words: Vec<String> = Vec::new();
                    for branch in &union.branches {
                        let word = if branch.schema.name().is_some() && !self.is_text(&branch.schema) {
                            "an object".to_owned()
                        } else {
                            self.expected(&branch.schema)
                        };
                        if !words.contains(&word) {
                            words.push(word);
                        }
                    }
                    words.join(" or ")
                }
                Some(Kind::Wrapper(inner) | Kind::Alias(inner)) if inner.name() != Some(name) => self.expected(inner),
                _ => "an object".to_owned(),
            },
        }
    }

    fn bounds(&self, schema: &Schema, (low, high): (Option<String>, Option<String>)) -> String {
        let inclusive = |bound: &Option<Bound>| match bound {
            Some(bound) if !bound.exclusive => Some(bound.value.to_string()),
            _ => None,
        };
        let low = inclusive(&schema.limits.minimum).or(low);
        let high = inclusive(&schema.limits.maximum).or(high);
        match (low, high) {
            (Some(low), Some(high)) => format!(" from {low} to {high}"),
            (Some(low), None) => format!(" of at least {low}"),
            (None, Some(high)) => format!(" of at most {high}"),
            (None, None) => String::new(),
        }
    }
}

/// Returns the bounds of the type, except the extremes of 64 bits, which are rarely relevant.
fn range(width: Integer) -> (Option<String>, Option<String>) {
    let (least, most) = width.range().into_inner();
    let told = |bound: i128, widest: i128| (bound != widest).then(|| bound.to_string());
    let low = told(least, i64::MIN.into());
    let high = if most == u64::MAX.into() { None } else { told(most, i64::MAX.into()) };
    (low, high)
}

fn one_of(values: impl Iterator<Item = String>) -> String {
    format!("one of {}", values.collect::<Vec<_>>().join(", "))
}
