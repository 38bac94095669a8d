//! Merged schemas: a schema's own keywords with those of every part under `allOf`.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use serde_json::Value;

use crate::diff::document::Node;

/// Keywords that have their own rules.
const KNOWN: [&str; 34] = [
    "type",
    "nullable",
    "format",
    "enum",
    "const",
    "x-extensible-enum",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
    "required",
    "properties",
    "additionalProperties",
    "unevaluatedProperties",
    "$defs",
    "items",
    "allOf",
    "oneOf",
    "anyOf",
    "not",
    "discriminator",
    "default",
    "readOnly",
    "writeOnly",
    "$comment",
];

/// Alternatives under `oneOf` or `anyOf`.
pub(super) struct Union<'a> {
    pub(super) exclusive: bool,
    pub(super) at: Node<'a>,
    pub(super) variants: Vec<Node<'a>>,
    pub(super) discriminator: Option<Node<'a>>,
}

/// A merged schema.
pub(super) struct Shape<'a> {
    /// First node: the location of the schema itself.
    pub(super) at: Node<'a>,
    /// Places of each keyword, outermost first.
    keywords: BTreeMap<&'a str, Vec<Node<'a>>>,
    pub(super) nullable: bool,
    pub(super) properties: BTreeMap<String, Vec<Node<'a>>>,
    pub(super) required: BTreeMap<String, Node<'a>>,
    pub(super) unions: Vec<Union<'a>>,
}

impl<'a> Shape<'a> {
    pub(super) fn of(nodes: &[Node<'a>]) -> Self {
        let mut shape = Self {
            at: nodes[0].clone(),
            keywords: BTreeMap::new(),
            nullable: nodes.iter().all(|node| nullable(node, &mut HashSet::new())),
            properties: BTreeMap::new(),
            required: BTreeMap::new(),
            unions: Vec::new(),
        };
        let mut absorbed = HashSet::new();
        for node in nodes {
            shape.absorb(node, &mut absorbed);
        }
        shape
    }

    fn absorb(&mut self, node: &Node<'a>, absorbed: &mut HashSet<String>) {
        if !absorbed.insert(node.pointer.clone()) {
            return;
        }
        for (key, _) in node.object() {
            if let Some(child) = node.child(key) {
                self.keywords.entry(key).or_default().push(child);
            }
        }
        for (name, property) in node.map("properties") {
            self.properties.entry(name).or_default().push(property);
        }
        if let Some(required) = node.child("required") {
            for name in required.value.as_array().into_iter().flatten().filter_map(Value::as_str) {
                self.required.entry(name.to_owned()).or_insert_with(|| required.clone());
            }
        }
        for part in node.list("allOf") {
            self.absorb(&part, absorbed);
        }
        for (key, exclusive) in [("oneOf", true), ("anyOf", false)] {
            let (mut variants, discriminator) = (node.list(key), node.child("discriminator"));
            // Null belongs to `nullable`, unless it is the only alternative.
            if !variants.iter().all(is_null_alone) {
                variants.retain(|variant| !is_null_alone(variant));
            }
            match (variants.as_slice(), &discriminator) {
                ([], _) => {}
                // A single alternative is not a union.
                ([only], None) => self.absorb(only, absorbed),
                _ => self.unions.push(Union { exclusive, at: node.child_or_self(key), variants, discriminator }),
            }
        }
    }

    /// Returns the outermost node of a keyword.
    pub(super) fn first(&self, key: &str) -> Option<&Node<'a>> {
        self.keywords.get(key)?.first()
    }

    /// Returns every node of a keyword.
    pub(super) fn all(&self, key: &str) -> &[Node<'a>] {
        self.keywords.get(key).map_or(&[], Vec::as_slice)
    }

    /// Returns the node of a keyword, or that of the schema without it.
    pub(super) fn node(&self, key: &str) -> &Node<'a> {
        self.first(key).unwrap_or(&self.at)
    }

    /// Returns the keywords of either schema that no rule covers.
    pub(super) fn other_keywords<'b>(&'b self, other: &'b Self) -> BTreeSet<&'b str> {
        self.keywords.keys().chain(other.keywords.keys()).copied().filter(|key| !KNOWN.contains(key)).collect()
    }

    /// Returns whether the schema has no constraints beside its union.
    pub(super) fn is_only_a_union(&self) -> bool {
        let union = |key: &str| matches!(key, "oneOf" | "anyOf" | "discriminator" | "nullable");
        self.unions.len() == 1 && self.keywords.keys().all(|key| union(key) || !KNOWN.contains(key))
    }

    /// Returns the allowed types except `null`, which `nullable` covers; `None` allows any type.
    pub(super) fn types(&self) -> Option<BTreeSet<&'a str>> {
        let mut sum: Option<BTreeSet<&str>> = None;
        for node in self.all("type") {
            let types: BTreeSet<&str> = match node.value {
                Value::String(one) => [one.as_str()].into(),
                Value::Array(several) => {
                    several.iter().filter_map(Value::as_str).filter(|one| *one != "null").collect()
                }
                _ => continue,
            };
            sum = Some(match sum {
                Some(so_far) => so_far.intersection(&types).copied().collect(),
                None => types,
            });
        }
        sum
    }
}

/// Returns whether a schema allows null only.
fn is_null_alone(node: &Node<'_>) -> bool {
    let values = node.value.get("enum").and_then(Value::as_array);
    values.is_some_and(|values| values.as_slice() == [Value::Null])
}

/// Returns whether null is allowed: by the schema itself, or by its parts if the schema does not decide it.
fn nullable(node: &Node<'_>, on_the_way: &mut HashSet<String>) -> bool {
    if !on_the_way.insert(node.pointer.clone()) {
        return true;
    }
    let result = if node.flag("nullable") == Some(true) {
        true
    } else if let Some(types) = node.value.get("type") {
        types.as_array().is_some_and(|types| types.iter().any(|one| one == "null"))
    } else if let Some(values) = node.value.get("enum") {
        values.as_array().is_some_and(|values| values.contains(&Value::Null))
    } else if node.child("$ref").is_some() {
        false
    } else {
        let alternatives: Vec<_> = node.list("oneOf").into_iter().chain(node.list("anyOf")).collect();
        node.list("allOf").iter().all(|part| nullable(part, on_the_way))
            && (alternatives.is_empty() || alternatives.iter().any(|variant| nullable(variant, on_the_way)))
    };
    on_the_way.remove(&node.pointer);
    result
}
