//! `oneOf` and `anyOf`: null removed, sets of required fields recognised, keywords beside a choice merged into its
//! branches.

use serde_json::{Map, Value};

use crate::fault::{Report, child, unescaped};
use crate::identifiers::{Taken, variant_name};
use crate::ir::schema::{Branch, Discrimination, Kind, Schema, Shape, Union};
use crate::lower::schemas::parts::{CHOICES, Part, identity, is_annotation};
use crate::lower::schemas::{Body, Schemas};

/// Maximum number of merged branches in one document: adjacent choices multiply.
const MAX_DISTRIBUTED: usize = 2_000;

/// A choice between sets of required fields.
#[derive(Clone, Debug)]
pub(super) struct Group<'a> {
    /// Index in [`CHOICES`].
    pub choice: usize,
    branches: Vec<&'a Map<String, Value>>,
}

impl<'a> Group<'a> {
    /// Returns the sets, one for each branch.
    pub(super) fn sets(&self) -> Vec<Vec<String>> {
        self.branches.iter().map(|branch| required(branch).map(str::to_owned).collect()).collect()
    }

    /// Returns every field of the sets.
    pub(super) fn required(&self) -> impl Iterator<Item = &'a str> {
        self.branches.iter().flat_map(|branch| required(branch))
    }
}

fn required(node: &Map<String, Value>) -> impl Iterator<Item = &str> {
    node.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

/// Source of a union in the document.
#[derive(Clone, Debug)]
pub(super) struct UnionSource<'a> {
    /// Index in [`CHOICES`].
    pub choice: usize,
    /// Pointer of the `oneOf` or `anyOf`.
    pub pointer: String,
    pub discriminator: Option<&'a Value>,
    pub branches: Vec<BranchSource<'a>>,
}

/// Source of a union's branch in the document.
#[derive(Clone, Debug)]
pub(super) struct BranchSource<'a> {
    pub pointer: String,
    /// Pointer of the schema that the branch refers to.
    pub target: Option<String>,
    label: Option<String>,
    node: &'a Value,
    /// The branch merged with the keywords beside the choice; `None` if there are none.
    joined: Option<Vec<Part<'a>>>,
}

impl<'a> Schemas<'a> {
    /// Returns the union of the parts, if there is one. Otherwise all choices have become parts or `presence`.
    pub(super) fn choice(
        &mut self,
        parts: &mut Vec<Part<'a>>,
        presence: &mut Vec<Group<'a>>,
        hint: &str,
    ) -> Option<Schema> {
        loop {
            let (index, choice) = parts.iter().enumerate().find_map(|(index, part)| {
                let choice = (0..2).find(|choice| !part.spent[*choice] && part.node.contains_key(CHOICES[*choice]))?;
                Some((index, choice))
            })?;
            parts[index].spent[choice] = true;
            let at = child(&parts[index].pointer, CHOICES[choice]);
            let Some((branches, null)) = self.branches(&at, parts[index].node.get(CHOICES[choice])) else { continue };
            // A base schema that lists its extensions adds no constraint to one of them.
            let own = |branch: &BranchSource<'a>| {
                branch.target.as_ref().is_some_and(|target| parts.iter().any(|part| part.pointer == *target))
            };
            if branches.iter().any(own) {
                continue;
            }
            if branches.iter().all(|branch| is_presence(branch.node))
                && branches.iter().filter_map(|branch| branch.node.as_object()).any(|node| required(node).count() > 0)
            {
                let branches = branches.iter().filter_map(|branch| branch.node.as_object()).collect();
                presence.push(Group { choice, branches });
                continue;
            }
            let limited = parts.iter().any(Part::limits_values);
            if let [only] = branches.as_slice() {
                if !limited {
                    let mut schema = self.lower(&only.pointer, only.node, hint);
                    schema.nullable |= null;
                    return Some(schema);
                }
                if let Some(node) = only.node.as_object() {
                    self.flatten(&only.pointer, node, parts);
                }
                continue;
            }
            let mut source =
                UnionSource { choice, pointer: at, discriminator: parts[index].node.get("discriminator"), branches };
            if limited {
                self.distributed += source.branches.len();
                if self.distributed > MAX_DISTRIBUTED {
                    let message = "choices are combined too often to be read; give the combinations names of their own";
                    self.faults.error(&source.pointer, message);
                    return Some(Schema::of(Shape::Any));
                }
                for branch in &mut source.branches {
                    let mut joined = parts.clone();
                    if let Some(node) = branch.node.as_object() {
                        self.flatten(&branch.pointer, node, &mut joined);
                    }
                    branch.joined = Some(joined);
                }
            }
            let identity = self.identity_here();
            let name = self.name_for(&identity, hint);
            let tell = Discrimination::Trial { exactly_one: choice == 0 };
            self.add(name.clone(), &identity, Kind::Union(Union { branches: Vec::new(), tell }));
            self.queue.push_back(Body::Union { name: name.clone(), source });
            return Some(Schema { nullable: null, ..Schema::of(Shape::Named(name)) });
        }
    }

    /// Returns the branches of a choice except null, and whether null is one of them.
    fn branches(&mut self, at: &str, list: Option<&'a Value>) -> Option<(Vec<BranchSource<'a>>, bool)> {
        let list = list.and_then(Value::as_array)?;
        let mut branches: Vec<BranchSource<'a>> = Vec::new();
        let mut null = false;
        for (index, node) in list.iter().enumerate() {
            let pointer = format!("{at}/{index}");
            let Some(map) = node.as_object() else { continue };
            let Some((target, found)) = self.follow(&pointer, map) else { continue };
            if is_null(found) {
                null = true;
                continue;
            }
            let referred = target != pointer;
            if referred && branches.iter().any(|branch| branch.target.as_ref() == Some(&target)) {
                self.faults.warn(&pointer, "is the same as a branch before it; take one of them out");
                continue;
            }
            let label = match referred {
                true => target.rsplit('/').next().map(unescaped),
                false => label(map),
            };
            branches.push(BranchSource { pointer, target: referred.then_some(target), label, node, joined: None });
        }
        if branches.is_empty() {
            if !list.is_empty() {
                self.faults.error(at, "has no branch other than null; write the schema of the value");
            }
            return None;
        }
        Some((branches, null))
    }

    pub(super) fn union_body(&mut self, name: &str, mut source: UnionSource<'a>) {
        let mut taken = Taken::default();
        let mut branches: Vec<Branch> = Vec::new();
        let mut kept = Vec::new();
        for branch in std::mem::take(&mut source.branches) {
            let json_type = branch.node.get("type").and_then(Value::as_str);
            let label = branch.label.clone();
            let hint = format!("{name} {}", label.as_deref().or(json_type).unwrap_or("variant"));
            let mut schema = match branch.joined.clone() {
                None => self.lower(&branch.pointer, branch.node, &hint),
                Some(parts) => self.once(&identity(&parts), &hint, |schemas| schemas.conjunction(parts, &hint)),
            };
            // Null belongs to the union as a whole.
            schema.nullable = false;
            if branches.iter().any(|known| known.schema == schema) {
                if source.choice == 0 {
                    self.faults.warn(&branch.pointer, "is the same as a branch before it; take one of them out");
                }
                continue;
            }
            let named = schema.name().filter(|_| branch.target.is_some()).map(str::to_owned);
            let variant = named
                .or_else(|| label.map(|label| variant_name(&label)))
                .unwrap_or_else(|| kind_name(&schema.shape, json_type).to_owned());
            branches.push(Branch { rust_name: taken.unique(variant), boxed: false, schema });
            kept.push(branch);
        }
        source.branches = kept;
        if let Some(named) = self.types.get_mut(name) {
            named.kind =
                Kind::Union(Union { branches, tell: Discrimination::Trial { exactly_one: source.choice == 0 } });
        }
        self.unions.insert(name.to_owned(), source);
    }
}

/// Returns whether the schema allows null only.
fn is_null(node: &Map<String, Value>) -> bool {
    let only_null = |values: &Value| values.as_array().is_some_and(|values| values.as_slice() == [Value::Null]);
    node.get("type").is_some_and(|named| named == "null")
        || node.get("enum").is_some_and(only_null)
        || node.get("nullable") == Some(&Value::Bool(true)) && node.iter().all(|(key, value)| is_annotation(key, value))
}

/// Returns whether the schema only requires fields.
fn is_presence(node: &Value) -> bool {
    node.as_object().is_some_and(|node| {
        node.iter()
            .all(|(key, value)| key == "required" || key == "type" && value == "object" || is_annotation(key, value))
    })
}

/// Returns a name for a branch: its title, or the value of a field that is constant.
fn label(node: &Map<String, Value>) -> Option<String> {
    if let Some(title) = node.get("title").and_then(Value::as_str) {
        return Some(title.to_owned());
    }
    let properties = node.get("properties").and_then(Value::as_object)?;
    properties.values().find_map(|property| match property.get("enum")?.as_array()?.as_slice() {
        [Value::String(only)] => Some(only.clone()),
        _ => None,
    })
}

fn kind_name(shape: &Shape, json_type: Option<&str>) -> &'static str {
    match shape {
        Shape::Any => "Any",
        Shape::Boolean => "Boolean",
        Shape::Integer(_) => "Integer",
        Shape::Number { .. } => "Number",
        Shape::String | Shape::Binary => "String",
        Shape::Array(_) => "Array",
        Shape::Map(_) => "Object",
        Shape::Named(_) => match json_type {
            Some("string") => "String",
            Some("array") => "Array",
            Some("object") => "Object",
            _ => "Variant",
        },
    }
}
