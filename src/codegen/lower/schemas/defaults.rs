//! A `default` must be a value of its schema: it becomes code.

use super::{
    super::super::{
        fault::child,
        ir::{fits::fits, schema::Kind},
    },
    Schemas,
};

impl Schemas<'_> {
    /// Takes out each default that is no value of its field.
    pub(super) fn check_defaults(&mut self) {
        let mut unfit = Vec::new();
        for (name, named) in &self.types {
            let Kind::Object(object) = &named.kind else { continue };
            for (index, field) in object.fields.iter().enumerate() {
                let Some(default) = &field.default else { continue };
                if default.is_null() || !fits(&|name| self.types.get(name), &field.schema, default, 0) {
                    let at = child(&child(&child(&named.pointer, "properties"), &field.wire_name), "default");
                    let null = default.is_null() && field.schema.nullable;
                    unfit.push((name.clone(), index, (!null).then(|| (at, default.clone()))));
                }
            }
        }
        for (name, index, fault) in unfit {
            if let Some((at, default)) = fault {
                let message = format!("the default {default} is no value of this schema and is not used; correct it");
                self.warn(&at, message);
            }
            if let Some(Kind::Object(object)) = self.types.get_mut(&name).map(|named| &mut named.kind) {
                object.fields[index].default = None;
            }
        }
    }
}
