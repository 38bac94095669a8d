//! Validation of each `default` against its schema, since it becomes code.

use crate::fault::{Report, child};
use crate::ir::fits::fits;
use crate::ir::schema::{Kind, Schema};
use crate::lower::schemas::Schemas;

impl Schemas<'_> {
    /// Removes each default that does not match the type of its field.
    pub(super) fn check_defaults(&mut self) {
        let mut unfit = Vec::new();
        for (name, named) in &self.types {
            let Kind::Object(object) = &named.kind else { continue };
            for (index, field) in object.fields.iter().enumerate() {
                let Some(default) = &field.default else { continue };
                if default.is_null() || !fits(&|name| self.types.get(name), &field.schema, default, 0) {
                    let at = child(&child(&child(&named.pointer, "properties"), &field.wire_name), "default");
                    let kept_as_text = self.is_opaque(&field.schema);
                    let null = default.is_null() && field.schema.nullable;
                    unfit.push((name.clone(), index, (!null).then(|| (at, default.clone(), kept_as_text))));
                }
            }
        }
        for (name, index, fault) in unfit {
            if let Some((at, default, kept_as_text)) = fault {
                let message = match kept_as_text {
                    true => {
                        format!("the default {default} is not used: a type written by hand or kept as text takes none")
                    }
                    false => format!("the default {default} is no value of this schema and is not used; correct it"),
                };
                self.faults.warn(&at, message);
            }
            if let Some(Kind::Object(object)) = self.types.get_mut(&name).map(|named| &mut named.kind) {
                object.fields[index].default = None;
            }
        }
    }

    /// Returns whether the generator cannot emit values of the schema.
    fn is_opaque(&self, schema: &Schema) -> bool {
        match schema.name().and_then(|name| self.types.get(name)).map(|named| &named.kind) {
            Some(Kind::Verbatim(_) | Kind::External(_)) => true,
            Some(Kind::Alias(inner)) => self.is_opaque(inner),
            _ => false,
        }
    }
}
