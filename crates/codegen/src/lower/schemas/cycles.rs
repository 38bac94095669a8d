//! Types that contain themselves by value: one link of each cycle is boxed.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::schema::{Kind, NamedType, Schema};

/// Boxes each field or branch that closes a cycle.
pub(super) fn break_cycles(types: &mut BTreeMap<String, NamedType>) {
    let mut search = Search { types, finished: BTreeSet::new(), path: BTreeSet::new(), boxed: Vec::new() };
    for name in types.keys() {
        search.visit(name);
    }
    for (name, index) in search.boxed {
        match types.get_mut(&name).map(|named| &mut named.kind) {
            Some(Kind::Object(object)) => object.fields[index].boxed = true,
            Some(Kind::Union(union)) => union.branches[index].boxed = true,
            _ => {}
        }
    }
}

struct Search<'a> {
    types: &'a BTreeMap<String, NamedType>,
    finished: BTreeSet<&'a str>,
    path: BTreeSet<&'a str>,
    boxed: Vec<(String, usize)>,
}

impl<'a> Search<'a> {
    /// Searches depth first, with an explicit stack: a document can chain thousands of types.
    fn visit(&mut self, start: &'a str) {
        let mut stack = vec![(start, 0)];
        while let Some((name, next)) = stack.pop() {
            if next == 0 {
                if self.finished.contains(name) {
                    continue;
                }
                self.path.insert(name);
            }
            let links = self.links(name);
            let Some((index, target)) = links.get(next).copied() else {
                self.path.remove(name);
                self.finished.insert(name);
                continue;
            };
            stack.push((name, next + 1));
            if self.path.contains(target) {
                self.boxed.push((name.to_owned(), index));
            } else {
                stack.push((target, 0));
            }
        }
    }

    /// Returns the types that a type contains by value, each with the index of its field or branch.
    fn links(&self, name: &str) -> Vec<(usize, &'a str)> {
        let links = |schemas: &mut dyn Iterator<Item = &'a Schema>| {
            let named = schemas.enumerate().filter_map(|(index, schema)| Some((index, self.target(schema)?)));
            named.collect::<Vec<_>>()
        };
        match self.types.get(name).map(|named| &named.kind) {
            Some(Kind::Object(object)) => links(&mut object.fields.iter().map(|field| &field.schema)),
            Some(Kind::Union(union)) => links(&mut union.branches.iter().map(|branch| &branch.schema)),
            _ => Vec::new(),
        }
    }

    /// Returns the object or union that a schema contains, also through values that keep their text.
    fn target(&self, schema: &'a Schema) -> Option<&'a str> {
        let mut schema = schema;
        for _ in 0..16 {
            match &self.types.get_key_value(schema.name()?)?.1.kind {
                Kind::Verbatim(inner) => schema = inner,
                Kind::Object(_) | Kind::Union(_) => return schema.name(),
                _ => return None,
            }
        }
        None
    }
}
