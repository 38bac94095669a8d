//! Discrimination of union branches, determined when every type is known.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::fault::{Report, child, unescaped};
use crate::identifiers::type_name;
use crate::ir::schema::{Branch, Discrimination, Field, Kind, Mark, NamedType, Object, Schema, Shape, Union};
use crate::lower::schemas::Schemas;
use crate::lower::schemas::unions::UnionSource;

/// Maximum depth of nested unions that are inspected; cyclic unions would multiply the work with each level.
const DEEPEST: usize = 4;

/// JSON types of a schema's values.
type JsonTypes = BTreeSet<&'static str>;

impl<'a> Schemas<'a> {
    pub(super) fn tell_unions(&mut self) {
        let unions = std::mem::take(&mut self.unions);
        for (name, source) in &unions {
            let Some(Kind::Union(union)) = self.types.get(name).map(|named| named.kind.clone()) else { continue };
            if let Some(tell) = self.by_discriminator(&union.branches, source) {
                self.set_union(name, Union { tell, ..union });
                continue;
            }
            self.by_type(name, union.branches, source.choice == 0);
        }
    }

    fn set_union(&mut self, name: &str, union: Union) {
        if let Some(named) = self.types.get_mut(name) {
            named.kind = Kind::Union(union);
        }
    }

    fn by_discriminator(&mut self, branches: &[Branch], source: &UnionSource<'a>) -> Option<Discrimination> {
        let discriminator = source.discriminator?;
        let at = source.pointer.rsplit_once('/').map_or("", |(parent, _)| parent);
        let at = child(at, "discriminator");
        let property = discriminator.get("propertyName")?.as_str()?;
        let mut mapping: Vec<(String, usize)> = Vec::new();
        for (value, target) in discriminator.get("mapping").and_then(Value::as_object).into_iter().flatten() {
            let path = child(&child(&at, "mapping"), value);
            let Some(target) = target.as_str() else { continue };
            let pointer = match target.strip_prefix('#') {
                Some(pointer) => pointer.to_owned(),
                None => child("/components/schemas", target),
            };
            match source.branches.iter().position(|branch| branch.target.as_ref() == Some(&pointer)) {
                Some(branch) => mapping.push((value.clone(), branch)),
                None => self
                    .faults
                    .warn(&path, format!("`{target}` is no branch of the union; add it there or take it out")),
            }
        }
        for (index, branch) in branches.iter().enumerate() {
            if mapping.iter().any(|(_, mapped)| *mapped == index) {
                if self.field_of(&branch.schema, property, 0).is_none() {
                    self.no_property(&at, &branch.rust_name, property);
                    return None;
                }
                continue;
            }
            let values = match self.constants(&branch.schema, property, 0) {
                Some(values) => values,
                None if self.field_of(&branch.schema, property, 0).is_some() => {
                    let target = source.branches[index].target.as_deref()?;
                    vec![unescaped(target.rsplit('/').next()?)]
                }
                None => {
                    self.no_property(&at, &branch.rust_name, property);
                    return None;
                }
            };
            for value in values {
                if let Some((_, other)) = mapping.iter().find(|(known, _)| *known == value) {
                    let other = &branches[*other].rust_name;
                    let message = format!(
                        "`{value}` of `{property}` means both {other} and {}; write a `mapping`",
                        branch.rust_name
                    );
                    self.faults.warn(&at, message);
                    return None;
                }
                mapping.push((value, index));
            }
        }
        mapping.sort();
        Some(Discrimination::Discriminator { property: property.to_owned(), mapping })
    }

    fn no_property(&mut self, at: &str, branch: &str, property: &str) {
        self.faults.warn(at, format!("the branch {branch} has no field `{property}` of type string; add it there"));
    }

    /// Discriminates by JSON type. Branches that share a JSON type become a nested union.
    fn by_type(&mut self, name: &str, branches: Vec<Branch>, exactly_one: bool) {
        let types: Vec<JsonTypes> = branches.iter().map(|branch| self.json_types(&branch.schema, 0)).collect();
        let mut classes: Vec<(JsonTypes, Vec<usize>)> = Vec::new();
        for (index, types) in types.iter().enumerate() {
            let mut class = (types.clone(), vec![index]);
            classes.retain(|(other, members)| {
                let apart = other.is_disjoint(&class.0);
                if !apart {
                    class.0.extend(other);
                    class.1.extend(members);
                }
                apart
            });
            class.1.sort_unstable();
            classes.push(class);
        }
        classes.sort_by_key(|(_, members)| members[0]);
        if classes.len() == 1 {
            return self.by_fields(name, branches, exactly_one);
        }
        let mut told = Vec::new();
        let mut outer = Vec::new();
        for (types, members) in classes {
            told.extend(types.iter().map(|json_type| (*json_type, outer.len())));
            if let [only] = members.as_slice() {
                outer.push(branches[*only].clone());
                continue;
            }
            let kind = if types.len() == 1 { types.iter().next().copied().unwrap_or_default() } else { "mixed" };
            let variant = type_name(kind);
            let inner = self.taken.unique(format!("{name}{variant}"));
            let members: Vec<_> = members.iter().map(|member| branches[*member].clone()).collect();
            let parent = self.types.get(name).cloned();
            let union = Union { branches: members.clone(), tell: Discrimination::Trial { exactly_one } };
            if let Some(parent) = parent {
                let named = NamedType { name: inner.clone(), component: None, kind: Kind::Union(union), ..parent };
                self.types.insert(inner.clone(), named);
            }
            self.by_fields(&inner, members, exactly_one);
            outer.push(Branch { rust_name: variant, boxed: false, schema: Schema::of(Shape::Named(inner)) });
        }
        let mut taken = super::Taken::default();
        for branch in &mut outer {
            branch.rust_name = taken.unique(std::mem::take(&mut branch.rust_name));
        }
        self.set_union(name, Union { branches: outer, tell: Discrimination::JsonType(told) });
    }

    /// Discriminates by a field if all branches are objects, or else by trial.
    fn by_fields(&mut self, name: &str, branches: Vec<Branch>, exactly_one: bool) {
        if let Some(tell) = self.by_constant(&branches) {
            return self.set_union(name, Union { branches, tell });
        }
        let objects = branches.iter().filter(|branch| self.json_types(&branch.schema, 0).contains("object")).count();
        if exactly_one && let Some(marks) = self.marks(&branches) {
            return self.set_union(name, Union { branches, tell: Discrimination::Fields(marks) });
        }
        let union = Union { branches, tell: Discrimination::Trial { exactly_one } };
        if exactly_one || objects < 2 {
            return self.set_union(name, union);
        }
        // A value can match several objects, each with only some of the fields.
        let inner = self.taken.unique(format!("{name}Content"));
        let Some(outer) = self.types.get_mut(name) else { return };
        outer.kind = Kind::Verbatim(Schema::of(Shape::Named(inner.clone())));
        let named = NamedType { name: inner.clone(), component: None, kind: Kind::Union(union), ..outer.clone() };
        self.types.insert(inner, named);
    }

    /// Returns the discrimination by a field that every branch requires, with different values in each.
    fn by_constant(&self, branches: &[Branch]) -> Option<Discrimination> {
        let first = self.object_of(&branches.first()?.schema, 0)?;
        first.fields.iter().find_map(|field| {
            let mut mapping = BTreeMap::new();
            for (index, branch) in branches.iter().enumerate() {
                let here = self.field_of(&branch.schema, &field.wire_name, 0)?;
                if !here.required || here.schema.nullable {
                    return None;
                }
                for value in self.constants(&branch.schema, &field.wire_name, 0)? {
                    if mapping.insert(value, index).is_some() {
                        return None;
                    }
                }
            }
            Some(Discrimination::Discriminator {
                property: field.wire_name.clone(),
                mapping: mapping.into_iter().collect(),
            })
        })
    }

    fn marks(&self, branches: &[Branch]) -> Option<Vec<(Vec<Mark>, usize)>> {
        let objects: Vec<_> = branches.iter().map(|branch| self.object_of(&branch.schema, 0)).collect::<Option<_>>()?;
        let mut marked = Vec::new();
        let mut unmarked = Vec::new();
        for (index, object) in objects.iter().enumerate() {
            let others = || objects.iter().enumerate().filter(|(other, _)| *other != index).map(|(_, other)| other);
            let field = |object: &&Object, name: &str| object.fields.iter().position(|field| field.wire_name == name);
            let mut marks = Vec::new();
            for candidate in object.fields.iter().filter(|field| field.required) {
                let name = &candidate.wire_name;
                if others().all(|other| field(other, name).is_none()) {
                    marks.push(Mark::Present(name.clone()));
                    continue;
                }
                let Some(values) = self.constant_values(&candidate.schema) else { continue };
                let told = others().all(|other| match field(other, name) {
                    None => true,
                    Some(there) => self
                        .constant_values(&other.fields[there].schema)
                        .is_some_and(|known| known.iter().all(|value| !values.contains(value))),
                });
                if told {
                    marks.extend(values.into_iter().map(|value| Mark::Equals(name.clone(), value)));
                }
            }
            if marks.is_empty() { unmarked.push((marks, index)) } else { marked.push((marks, index)) }
        }
        if unmarked.len() > 1 {
            return None;
        }
        marked.extend(unmarked);
        Some(marked)
    }

    /// Returns the values of a field that is an enumeration of strings, in every branch of a union.
    fn constants(&self, schema: &Schema, property: &str, depth: usize) -> Option<Vec<String>> {
        if let Some(Kind::Union(union)) = self.kind_of(schema)
            && depth < DEEPEST
        {
            let all: Option<Vec<_>> =
                union.branches.iter().map(|branch| self.constants(&branch.schema, property, depth + 1)).collect();
            let mut all = all?.concat();
            all.sort();
            all.dedup();
            return Some(all);
        }
        self.constant_values(&self.field_of(schema, property, depth)?.schema)
    }

    fn constant_values(&self, schema: &Schema) -> Option<Vec<String>> {
        match self.kind_of(schema)? {
            Kind::Enumeration(enumeration) => {
                Some(enumeration.variants.iter().map(|variant| variant.wire_name.clone()).collect())
            }
            _ => None,
        }
    }

    /// Returns the field of an object, or of every branch of a union, if it is a string.
    fn field_of(&self, schema: &Schema, property: &str, depth: usize) -> Option<&Field> {
        match self.kind_of(schema)? {
            Kind::Object(object) => object
                .fields
                .iter()
                .find(|field| field.wire_name == property)
                .filter(|field| self.json_types(&field.schema, 0).iter().eq(["string"].iter())),
            Kind::Union(union) if depth < DEEPEST => {
                let fields: Option<Vec<_>> =
                    union.branches.iter().map(|branch| self.field_of(&branch.schema, property, depth + 1)).collect();
                fields?.first().copied()
            }
            Kind::Verbatim(inner) | Kind::Wrapper(inner) if depth < DEEPEST => {
                self.field_of(inner, property, depth + 1)
            }
            _ => None,
        }
    }

    fn object_of(&self, schema: &Schema, depth: usize) -> Option<&Object> {
        match self.kind_of(schema)? {
            Kind::Object(object) => Some(object),
            Kind::Verbatim(inner) if depth < DEEPEST => self.object_of(inner, depth + 1),
            _ => None,
        }
    }

    fn kind_of(&self, schema: &Schema) -> Option<&Kind> {
        Some(&self.types.get(schema.name()?)?.kind)
    }

    /// Returns the JSON types of a schema without null, which belongs to the use of the union.
    fn json_types(&self, schema: &Schema, depth: usize) -> JsonTypes {
        let every = || JsonTypes::from(["array", "boolean", "number", "object", "string"]);
        match &schema.shape {
            Shape::Any if schema.limits.one_of.is_empty() => every(),
            Shape::Any => schema.limits.one_of.iter().filter_map(json_type).collect(),
            Shape::Boolean => ["boolean"].into(),
            Shape::Integer(_) | Shape::Number { .. } => ["number"].into(),
            Shape::String | Shape::Binary => ["string"].into(),
            Shape::Array(_) => ["array"].into(),
            Shape::Map(_) => ["object"].into(),
            Shape::Named(_) => match self.kind_of(schema) {
                Some(Kind::Object(_)) => ["object"].into(),
                Some(Kind::Enumeration(_)) => ["string"].into(),
                Some(Kind::Union(union)) if depth < DEEPEST => {
                    union.branches.iter().flat_map(|branch| self.json_types(&branch.schema, depth + 1)).collect()
                }
                Some(Kind::Alias(inner) | Kind::Wrapper(inner) | Kind::Verbatim(inner)) if depth < DEEPEST => {
                    self.json_types(inner, depth + 1)
                }
                _ => every(),
            },
        }
    }
}

fn json_type(value: &Value) -> Option<&'static str> {
    Some(match value {
        Value::Null => return None,
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    })
}
