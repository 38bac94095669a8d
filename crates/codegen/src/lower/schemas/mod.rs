//! Lowering of schemas to types: references followed, `allOf` merged, names assigned.
//!
//! A schema is a list of [`Part`]s, all of which must match: the schema itself and, through references, each member of
//! its `allOf`. Merging therefore creates no intermediate document, and each fault has the pointer of its cause. Bodies
//! of objects and unions are lowered from a queue, so types can be mutually recursive.
//!
//! The linter has checked the grammar before: keywords whose values it rejects count as absent here, and so does null,
//! of which it warns.

mod annotations;
mod cycles;
mod defaults;
mod directions;
mod discriminate;
mod integers;
mod null;
mod objects;
mod parts;
mod scalars;
#[cfg(test)]
mod tests;
mod unions;

use std::collections::{BTreeMap, VecDeque};

use serde_json::{Map, Value};

use crate::fault::{Fault, Report, child, unescaped};
use crate::identifiers::{Taken, type_name};
use crate::ir::operation::Operation;
use crate::ir::schema::{Kind, Limits, NamedType, Schema, Shape};
use crate::lower::schemas::parts::Part;
use crate::lower::schemas::unions::UnionSource;

/// Maximum number of types of one document: `allOf` beside `oneOf` multiplies them.
const MAX_TYPES: usize = 50_000;

/// Maximum length of a chain of schemas without an object or union in between.
const DEEPEST: usize = 200;

/// Lowering of the schemas of one document.
pub struct Schemas<'a> {
    root: &'a Value,
    taken: Taken,
    /// Rust names of the components, by pointer.
    components: BTreeMap<String, String>,
    /// Lowered schemas, by the pointers of their parts.
    done: BTreeMap<String, Schema>,
    /// Schemas that are being lowered.
    open: Vec<Open>,
    /// Number of arrays and maps around the schema that is being lowered.
    containers: usize,
    queue: VecDeque<Body<'a>>,
    types: BTreeMap<String, NamedType>,
    /// Sources of the unions among the types.
    unions: BTreeMap<String, UnionSource<'a>>,
    /// Number of branches that were merged with the schema beside their choice.
    distributed: usize,
    /// Names of the types of merge patches.
    merge_patches: Vec<String>,
    faults: Vec<Fault>,
}

struct Open {
    identity: String,
    hint: String,
    containers: usize,
    /// Name of the struct that breaks a cycle.
    wrapper: Option<String>,
}

/// A type that has its name, and whose body is not lowered yet.
enum Body<'a> {
    Object { name: String, parts: Vec<Part<'a>>, presence: Vec<unions::Group<'a>> },
    Union { name: String, source: UnionSource<'a> },
}

impl<'a> Schemas<'a> {
    /// Creates the lowering for the document `root`, whose keys are sorted.
    pub fn new(root: &'a Value) -> Self {
        let mut taken = Taken::default();
        let names = root.pointer("/components/schemas").and_then(Value::as_object).into_iter().flat_map(Map::keys);
        let components =
            names.map(|name| (child("/components/schemas", name), taken.unique(type_name(name)))).collect();
        Self {
            root,
            taken,
            components,
            done: BTreeMap::new(),
            open: Vec::new(),
            containers: 0,
            queue: VecDeque::new(),
            types: BTreeMap::new(),
            unions: BTreeMap::new(),
            distributed: 0,
            merge_patches: Vec::new(),
            faults: Vec::new(),
        }
    }

    /// Lowers every schema of `components.schemas`.
    pub fn lower_components(&mut self) {
        let root = self.root;
        for (name, node) in root.pointer("/components/schemas").and_then(Value::as_object).into_iter().flatten() {
            self.schema(&child("/components/schemas", name), node, name);
        }
    }

    /// Lowers the schema `node` at `pointer`. Types without a name in the document are named after `name_hint`. The
    /// same pointer always has the same type. Faults are kept for [`Self::finish`].
    pub fn schema(&mut self, pointer: &str, node: &'a Value, name_hint: &str) -> Schema {
        let schema = self.lower(pointer, node, name_hint);
        while let Some(body) = self.queue.pop_front() {
            match body {
                Body::Object { name, parts, presence } => self.object_body(&name, &parts, presence),
                Body::Union { name, source } => self.union_body(&name, source),
            }
        }
        schema
    }

    /// Returns every type by name, and all faults. Earlier results of [`Self::schema`] are complete only now: the types
    /// that they refer to are included. The operations get the types of their direction.
    pub fn finish(mut self, operations: &mut [Operation]) -> (Vec<NamedType>, Vec<Fault>) {
        self.distinguish_null();
        self.split_by_direction(operations);
        self.tell_unions();
        cycles::break_cycles(&mut self.types);
        self.check_defaults();
        let mut faults = self.faults;
        faults.sort();
        faults.dedup();
        (self.types.into_values().collect(), faults)
    }

    fn lower(&mut self, pointer: &str, node: &'a Value, hint: &str) -> Schema {
        let Some(map) = node.as_object() else { return Schema::of(Shape::Any) };
        if map.contains_key("$ref") {
            return match self.follow(pointer, map) {
                Some((target, node)) => {
                    let hint = self.hint_of(&target);
                    self.once(&target.clone(), &hint, |schemas| schemas.inside(&target, node, &hint))
                }
                None => Schema::of(Shape::Any),
            };
        }
        self.once(pointer, hint, |schemas| schemas.inside(pointer, map, hint))
    }

    /// Returns the schema of `identity`; lowers it on the first request.
    fn once(&mut self, identity: &str, hint: &str, lower: impl FnOnce(&mut Self) -> Schema) -> Schema {
        if let Some(schema) = self.done.get(identity) {
            return schema.clone();
        }
        if let Some(index) = self.open.iter().position(|open| open.identity == identity) {
            return self.closed_circle(index);
        }
        if self.open.len() >= DEEPEST || self.types.len() + self.queue.len() >= MAX_TYPES {
            let at = identity.split('&').next().unwrap_or_default().to_owned();
            self.faults.error(&at, "schemas are combined too deeply to be read; name the parts and refer to them");
            return Schema::of(Shape::Any);
        }
        self.open.push(Open {
            identity: identity.to_owned(),
            hint: hint.to_owned(),
            containers: self.containers,
            wrapper: None,
        });
        let mut schema = lower(self);
        if let Some(name) = self.open.pop().and_then(|open| open.wrapper) {
            let nullable = std::mem::take(&mut schema.nullable);
            self.add(name.clone(), identity, Kind::Wrapper(schema));
            schema = Schema { nullable, ..Schema::of(Shape::Named(name)) };
        }
        if let Some(name) = self.components.get(identity).cloned()
            && schema.name() != Some(&name)
        {
            self.add(name, identity, Kind::Alias(schema.clone()));
        }
        self.done.insert(identity.to_owned(), schema.clone());
        schema
    }

    /// Handles a schema that contains itself through arrays or maps only.
    fn closed_circle(&mut self, index: usize) -> Schema {
        let Open { identity, hint, containers, wrapper } = &self.open[index];
        let (identity, hint, containers, wrapper) = (identity.clone(), hint.clone(), *containers, wrapper.clone());
        if self.containers == containers {
            self.faults.error(&identity, "the schema refers to itself and to nothing else; write what its values are");
            return Schema::of(Shape::Any);
        }
        let name = wrapper.unwrap_or_else(|| self.name_for(&identity, &hint));
        self.open[index].wrapper = Some(name.clone());
        Schema::of(Shape::Named(name))
    }

    fn inside(&mut self, pointer: &str, map: &'a Map<String, Value>, hint: &str) -> Schema {
        // Other tools use the same key with an object or a bare type name, which is ignored here.
        let written = map.get("x-rust-type").and_then(Value::as_str);
        if let Some(path) = written.filter(|path| path.starts_with("crate::") || path.starts_with("::")) {
            return self.external(pointer, path, hint);
        }
        if map.get("x-verbatim") == Some(&Value::Bool(true)) {
            return self.verbatim(pointer, map, hint);
        }
        let mut schema = match self.passed_through(pointer, map) {
            Some((target, node)) => self.lower(&target, node, hint),
            None => {
                let mut parts = Vec::new();
                self.flatten(pointer, map, &mut parts);
                self.conjunction(parts, hint)
            }
        };
        match map.get("nullable") {
            Some(Value::Bool(nullable)) => schema.nullable = *nullable,
            _ => schema.nullable |= self.is_nullable(map),
        }
        schema
    }

    fn external(&mut self, pointer: &str, path: &str, hint: &str) -> Schema {
        if syn::parse_str::<syn::Type>(path).is_err() {
            self.faults.error(&child(pointer, "x-rust-type"), "must be the path of a Rust type, say `crate::ids::Id`");
            return Schema::of(Shape::Any);
        }
        let name = self.name_for(pointer, hint);
        self.add(name.clone(), pointer, Kind::External(path.to_owned()));
        Schema::of(Shape::Named(name))
    }

    fn verbatim(&mut self, pointer: &str, map: &'a Map<String, Value>, hint: &str) -> Schema {
        let inner = match map.get("allOf").and_then(Value::as_array).map(Vec::as_slice) {
            None => {
                let hint = format!("{hint} content");
                self.once(&format!("{pointer}&content"), &hint, |schemas| {
                    let mut parts = Vec::new();
                    schemas.flatten(pointer, map, &mut parts);
                    schemas.conjunction(parts, &hint)
                })
            }
            Some([one]) => self.lower(&format!("{pointer}/allOf/0"), one, &format!("{hint} content")),
            Some(_) => {
                self.faults.error(&child(pointer, "allOf"), "`x-verbatim` is checked against one schema; refer to one");
                Schema::of(Shape::Any)
            }
        };
        let nullable = inner.nullable || map.get("nullable") == Some(&Value::Bool(true));
        let name = self.name_for(pointer, hint);
        self.add(name.clone(), pointer, Kind::Verbatim(Schema { nullable: false, ..inner }));
        Schema { shape: Shape::Named(name), nullable, limits: Limits::default() }
    }

    /// Returns the identity of the schema that is being lowered.
    fn identity_here(&self) -> String {
        self.open.last().map(|open| open.identity.clone()).unwrap_or_default()
    }

    /// Returns the Rust name of the schema with this `identity`.
    fn name_for(&mut self, identity: &str, hint: &str) -> String {
        match self.components.get(identity) {
            Some(name) => name.clone(),
            None => self.taken.unique(type_name(hint)),
        }
    }

    fn add(&mut self, name: String, identity: &str, kind: Kind) {
        let pointer = identity.split('&').next().unwrap_or_default().trim_end_matches('!').to_owned();
        let node = self.root.pointer(&pointer);
        let text = |key: &str| node.and_then(|node| node.get(key)).and_then(Value::as_str).unwrap_or_default();
        let component = self.components.contains_key(&pointer) && identity == pointer;
        let named = NamedType {
            name: name.clone(),
            component: component.then(|| unescaped(pointer.rsplit('/').next().unwrap_or_default())),
            description: text("description").to_owned(),
            deprecated: node.is_some_and(|node| node.get("deprecated") == Some(&Value::Bool(true))),
            pointer,
            direction: None,
            kind,
        };
        self.types.insert(name, named);
    }
}
