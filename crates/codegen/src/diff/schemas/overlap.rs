//! Overlap of alternatives: whether a value can fit two schemas.

use std::collections::BTreeSet;

use crate::diff::document::Node;
use crate::diff::schemas::{Shape, objects, values};

/// Maximum nesting that is inspected; deeper schemas count as overlapping.
const DEEPEST: usize = 6;

/// Returns whether no value fits both schemas, as far as types, listed values and required properties tell.
pub(super) fn are_disjoint(one: &[Node<'_>], other: &[Node<'_>]) -> bool {
    disjoint(one, other, 0)
}

fn disjoint(one: &[Node<'_>], other: &[Node<'_>], depth: usize) -> bool {
    if depth > DEEPEST {
        return false;
    }
    let shapes = (Shape::of(one), Shape::of(other));
    let (a, b) = (&shapes.0, &shapes.1);
    if a.nullable && b.nullable {
        return false;
    }
    if let (Some(a), Some(b)) = (a.types(), b.types())
        && !a.iter().any(|one| b.iter().any(|other| share_values(one, other)))
    {
        return true;
    }
    if let (Some(a), Some(b)) = (values::listed(a), values::listed(b))
        && !a.iter().any(|value| b.contains(value))
    {
        return true;
    }
    let apart = |shape: &Shape<'_>, other: &[Node<'_>]| {
        let each = |variants: &[Node<'_>]| {
            variants.iter().all(|variant| disjoint(std::slice::from_ref(variant), other, depth + 1))
        };
        shape.unions.iter().any(|union| each(&union.variants))
    };
    apart(a, other) || apart(b, one) || objects_are_disjoint(a, b, depth)
}

/// Returns whether a property that one object requires fits no value of the other.
fn objects_are_disjoint(one: &Shape<'_>, other: &Shape<'_>, depth: usize) -> bool {
    let is_object = |shape: &Shape<'_>| shape.types().is_some_and(|types| types == BTreeSet::from(["object"]));
    (is_object(one) || is_object(other))
        && one.required.keys().chain(other.required.keys()).any(|name| {
            match (one.properties.get(name), other.properties.get(name)) {
                (Some(one), Some(other)) => disjoint(one, other, depth + 1),
                (Some(_), None) => objects::is_closed(other),
                (None, Some(_)) => objects::is_closed(one),
                (None, None) => false,
            }
        })
}

fn share_values(one: &str, other: &str) -> bool {
    let is_number = |name| matches!(name, "integer" | "number");
    one == other || is_number(one) && is_number(other)
}
