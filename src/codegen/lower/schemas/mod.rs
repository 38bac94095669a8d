//! Schemas of the document as types: references followed, `allOf` merged, everything that needs a name named.

use serde_json::Value;

use super::super::{
    fault::Fault,
    ir::schema::{NamedType, Schema},
};

/// Lowers the schemas of one document.
pub struct Schemas<'a> {
    root: &'a Value,
}

impl<'a> Schemas<'a> {
    /// For the document `root`, whose keys are sorted.
    pub fn new(root: &'a Value) -> Self {
        Self { root }
    }

    /// Lowers every schema of `components.schemas`.
    pub fn lower_components(&mut self) {}

    /// Lowers the schema `node` that lies at `pointer`; types without a name in the document are named after
    /// `name_hint`. The same pointer always gives the same type. What it finds wrong is kept for [`Self::finish`].
    pub fn schema(&mut self, pointer: &str, node: &'a Value, name_hint: &str) -> Schema {
        let _ = (self.root, pointer, node, name_hint);
        todo!()
    }

    /// The `default` of a schema, through references.
    pub fn default_of(&self, node: &'a Value) -> Option<&'a Value> {
        let _ = node;
        todo!()
    }

    /// Every type, by name, and everything that was found wrong. Schemas lowered before are complete only now: a
    /// name they refer to is among the types.
    pub fn finish(self) -> (Vec<NamedType>, Vec<Fault>) {
        todo!()
    }
}
