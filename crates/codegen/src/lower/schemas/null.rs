//! Objects whose optional properties tell null from absence: those with `x-distinct-null`, and merge patches.

use std::collections::BTreeSet;
use std::mem;

use crate::ir::schema::{Kind, Object, Schema};
use crate::lower::schemas::Schemas;

impl Schemas<'_> {
    /// Makes `schema` a merge patch: null removes a property, absence keeps it (RFC 7396, section 2). So it is in the
    /// objects that its properties are, too; a list replaces the whole list.
    pub fn merge_patch(&mut self, schema: &Schema) {
        self.merge_patches.extend(schema.name().map(str::to_owned));
    }

    /// Tells null from absence in every merge patch.
    pub(super) fn distinguish_null(&mut self) {
        let mut waiting: Vec<String> = mem::take(&mut self.merge_patches);
        let mut done = BTreeSet::new();
        while let Some(name) = waiting.pop() {
            if !done.insert(name.clone()) {
                continue;
            }
            match self.types.get_mut(&name).map(|named| &mut named.kind) {
                Some(Kind::Object(object)) => {
                    distinguish(object);
                    waiting.extend(object.fields.iter().filter_map(|field| field.schema.name()).map(str::to_owned));
                }
                Some(Kind::Alias(schema)) => waiting.extend(schema.name().map(str::to_owned)),
                _ => {}
            }
        }
    }
}

/// Tells null from absence in the properties that may be both.
pub(super) fn distinguish(object: &mut Object) {
    for field in &mut object.fields {
        field.distinct_null = !field.required && field.schema.nullable && field.default.is_none();
    }
}
