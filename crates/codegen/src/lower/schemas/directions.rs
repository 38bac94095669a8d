//! Types by direction: a schema that reaches a `readOnly` or `writeOnly` property becomes one type for requests and one
//! for responses.
//!
//! A request type has no `readOnly` fields and a response type no `writeOnly` ones, so `required` takes effect in one
//! direction, and a handler can neither read nor send a field in the wrong one. A schema that only one direction uses
//! keeps its name. Otherwise `User` becomes `UserRequest` and `UserResponse`.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::operation::{Content, Operation};
use crate::ir::schema::{Additional, Direction, Kind, NamedType, Schema, Shape};
use crate::lower::schemas::Schemas;

/// New names of types by their old ones, for one direction.
type Names = BTreeMap<String, String>;

impl Schemas<'_> {
    /// Gives each direction its own types.
    pub(super) fn split_by_direction(&mut self, operations: &mut [Operation]) {
        let affected = affected(&self.types);
        if affected.is_empty() {
            return;
        }
        let used = Direction::BOTH.map(|direction| self.used(&affected, direction, operations));
        let mut names = [Names::new(), Names::new()];
        for name in &affected {
            let both = used.iter().all(|used| used.contains(name));
            for ((direction, used), names) in Direction::BOTH.into_iter().zip(&used).zip(&mut names) {
                let new = match (both, direction) {
                    _ if !used.contains(name) => continue,
                    (false, _) => name.clone(),
                    (true, Direction::Request) => self.taken.unique(format!("{name}Request")),
                    (true, Direction::Response) => self.taken.unique(format!("{name}Response")),
                };
                names.insert(name.clone(), new);
            }
        }
        for name in &affected {
            let (Some(named), source) = (self.types.remove(name), self.unions.remove(name)) else { continue };
            let both = names.iter().all(|names| names.contains_key(name));
            for (direction, names) in Direction::BOTH.into_iter().zip(&names) {
                let Some(new) = names.get(name) else { continue };
                let mut kind = named.kind.clone();
                direct(&mut kind, direction);
                schemas_mut(&mut kind).into_iter().for_each(|schema| rename(schema, names));
                let directed =
                    NamedType { name: new.clone(), direction: both.then_some(direction), kind, ..named.clone() };
                self.types.insert(new.clone(), directed);
                if let Some(source) = &source {
                    self.unions.insert(new.clone(), source.clone());
                }
            }
        }
        for operation in operations {
            for (direction, names) in Direction::BOTH.into_iter().zip(&names) {
                operation_schemas(operation, direction).into_iter().for_each(|schema| rename(schema, names));
            }
        }
    }

    /// Returns the affected types that a direction uses. A type that no operation uses belongs to both directions, an
    /// alias to those of its target.
    fn used(
        &self,
        affected: &BTreeSet<String>,
        direction: Direction,
        operations: &mut [Operation],
    ) -> BTreeSet<String> {
        let mut roots = |direction| -> Vec<String> {
            let schemas = operations.iter_mut().flat_map(|operation| operation_schemas(operation, direction));
            schemas.filter_map(|schema| schema.target().map(str::to_owned)).collect()
        };
        let [requests, responses] =
            Direction::BOTH.map(|direction| self.reached(affected, direction, roots(direction)));
        let is_alias = |name: &String| matches!(self.types.get(name).map(|named| &named.kind), Some(Kind::Alias(_)));
        let unused = |name: &&String| !requests.contains(*name) && !responses.contains(*name);
        let (aliases, unused): (Vec<&String>, Vec<&String>) =
            affected.iter().filter(unused).partition(|name| is_alias(name));
        let mut used = match direction {
            Direction::Request => requests.clone(),
            Direction::Response => responses.clone(),
        };
        used.extend(self.reached(affected, direction, unused.into_iter().cloned().collect()));
        for alias in aliases {
            let target =
                self.types.get(alias).and_then(|named| named.kind.schemas().first().copied()).and_then(Schema::target);
            if target.is_some_and(|target| used.contains(target)) {
                used.insert(alias.clone());
            }
        }
        used
    }

    /// Returns the affected types that are `roots` or reached from them in a direction.
    fn reached(&self, affected: &BTreeSet<String>, direction: Direction, roots: Vec<String>) -> BTreeSet<String> {
        let mut reached = BTreeSet::new();
        let mut waiting = roots;
        while let Some(name) = waiting.pop() {
            if !affected.contains(&name) || reached.contains(&name) {
                continue;
            }
            if let Some(named) = self.types.get(&name) {
                let mut kind = named.kind.clone();
                direct(&mut kind, direction);
                waiting.extend(kind.schemas().into_iter().filter_map(Schema::target).map(str::to_owned));
            }
            reached.insert(name);
        }
        reached
    }
}

/// Returns the types that have a field of one direction only, or reach a type that has one.
fn affected(types: &BTreeMap<String, NamedType>) -> BTreeSet<String> {
    let mut users: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut waiting = Vec::new();
    for (name, named) in types {
        for target in named.kind.schemas().into_iter().filter_map(Schema::target) {
            users.entry(target).or_default().push(name);
        }
        if let Kind::Object(object) = &named.kind
            && object.fields.iter().any(|field| field.direction.is_some())
        {
            waiting.push(name.as_str());
        }
    }
    let mut affected = BTreeSet::new();
    while let Some(name) = waiting.pop() {
        if affected.insert(name.to_owned()) {
            waiting.extend(users.get(name).into_iter().flatten());
        }
    }
    affected
}

/// Removes the fields of the other direction.
fn direct(kind: &mut Kind, direction: Direction) {
    let Kind::Object(object) = kind else { return };
    let dropped = object.fields.extract_if(.., |field| !field.occurs_in(direction));
    object.dropped = dropped.map(|field| field.wire_name).collect();
    let dropped = &object.dropped;
    for presence in &mut object.presence {
        presence.sets.iter_mut().for_each(|set| set.retain(|name| !dropped.contains(name)));
    }
    // A set without fields is always present, so the choice says nothing in this direction.
    object.presence.retain(|presence| presence.sets.iter().all(|set| !set.is_empty()));
}

/// Returns the schemas that a type consists of, as [`Kind::schemas`] does.
fn schemas_mut(kind: &mut Kind) -> Vec<&mut Schema> {
    match kind {
        Kind::Object(object) => {
            let extra = match &mut object.additional {
                Additional::Kept(schema) => Some(schema.as_mut()),
                _ => None,
            };
            object.fields.iter_mut().map(|field| &mut field.schema).chain(extra).collect()
        }
        Kind::Union(union) => union.branches.iter_mut().map(|branch| &mut branch.schema).collect(),
        Kind::Alias(schema) | Kind::Wrapper(schema) | Kind::Verbatim(schema) => vec![schema],
        Kind::Enumeration(_) | Kind::External(_) => Vec::new(),
    }
}

/// Returns the schemas of an operation in a direction.
fn operation_schemas(operation: &mut Operation, direction: Direction) -> Vec<&mut Schema> {
    let mut schemas = Vec::new();
    let mut media = Vec::new();
    match direction {
        Direction::Request => {
            schemas.extend(operation.parameters.iter_mut().map(|parameter| &mut parameter.schema));
            media.extend(operation.body.iter_mut().flat_map(|body| &mut body.media));
        }
        Direction::Response => {
            for response in &mut operation.responses {
                schemas.extend(response.headers.iter_mut().map(|header| &mut header.schema));
                media.extend(&mut response.media);
            }
        }
    }
    for media in media {
        match &mut media.content {
            Content::JsonItems { schema, items, .. } => schemas.extend([schema, items]),
            Content::Json(Some(schema))
            | Content::Form { schema, .. }
            | Content::Multipart { schema, .. }
            | Content::EventStream(schema)
            | Content::Text(Some(schema)) => schemas.push(schema),
            Content::Json(None)
            | Content::Parts
            | Content::PartStream
            | Content::Text(None)
            | Content::Bytes
            | Content::Stream => {}
        }
    }
    schemas
}

fn rename(schema: &mut Schema, names: &Names) {
    match &mut schema.shape {
        Shape::Array(inner) | Shape::Map(inner) => rename(inner, names),
        Shape::Named(name) => {
            if let Some(new) = names.get(name) {
                name.clone_from(new);
            }
        }
        _ => {}
    }
}
