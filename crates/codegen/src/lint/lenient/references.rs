//! References to other files, which are not read, and to nothing: each gets a stand-in of its kind.

use serde_json::{Value, json};

use crate::fault::{Report, child, unescaped};
use crate::lint::grammar::Kind;
use crate::lint::lenient::Assumed;
use crate::lint::lenient::paths::any_text;
use crate::lint::structure::Index;
use crate::reference::{reference_pointer, resolve};
use crate::template;

impl Assumed {
    pub(super) fn external_references(&mut self, index: &Index) {
        for reference in &index.references {
            let Some(fault) = unreadable(index.root, reference.target) else { continue };
            let Some(path) = reference.pointer.strip_suffix("/$ref") else { continue };
            let (stand_in, assumption) = match reference.kind {
                Kind::Schema => (json!({}), "any value is taken"),
                Kind::Response => (json!({"description": "", "content": {"*/*": {}}}), "a body of any kind is assumed"),
                Kind::RequestBody => (json!({"content": {"*/*": {}}}), "a body of any kind is taken"),
                Kind::Header => (json!({"schema": {}}), "any value is assumed"),
                Kind::SecurityScheme => (json!({"type": "http", "scheme": "bearer"}), "a bearer token is assumed"),
                Kind::Parameter => {
                    self.external_parameter(index, path);
                    (Value::Null, "the parameter is not read")
                }
                Kind::PathItem => (json!({}), "its operations are not served"),
                _ => (json!({}), "it is left out"),
            };
            if let Some(node) = self.document.pointer_mut(path).filter(|_| !stand_in.is_null()) {
                match (reference.kind, node) {
                    (Kind::PathItem, Value::Object(item)) => {
                        item.shift_remove("$ref");
                    }
                    (_, node) => *node = stand_in,
                }
            }
            self.warnings.warn(&reference.pointer, format!("{:?} {fault}: {assumption}", reference.target));
        }
        self.discriminators(index);
    }

    /// Removes a parameter of a list. Those of the path are declared as text, since a path cannot do without them.
    fn external_parameter(&mut self, index: &Index, path: &str) {
        let Some((list, position)) = path.rsplit_once('/') else { return };
        let Ok(position) = position.parse::<usize>() else { return };
        self.remove_element(list, position);
        let Some(path) = list.strip_prefix("/paths/").and_then(|rest| rest.split('/').next()) else { return };
        let item = format!("/paths/{path}");
        for name in template::braced(&unescaped(path)) {
            let methods = index.root.pointer(&item).and_then(Value::as_object).into_iter().flatten();
            let lists = methods
                .filter_map(|(_, method)| method.get("parameters"))
                .chain(index.root.pointer(&item).and_then(|item| item.get("parameters")));
            let mut declared = lists.filter_map(Value::as_array).flatten().map(|entry| resolve(index.root, entry));
            if declared.any(|parameter| parameter["in"] == "path" && parameter["name"] == *name) {
                continue;
            }
            let assumed = any_text(name);
            let Some(Value::Object(item)) = self.document.pointer_mut(&item) else { continue };
            let parameters = item.entry("parameters").or_insert_with(|| json!([]));
            if let Value::Array(parameters) = parameters
                && !parameters.contains(&assumed)
            {
                parameters.push(assumed);
            }
        }
    }

    /// Removes the values of discriminators that lead to other files or to nothing.
    fn discriminators(&mut self, index: &Index) {
        for site in index.of_kind(Kind::Discriminator) {
            let mapping = child(&site.pointer, "mapping");
            for (value, target) in site.object.get("mapping").and_then(Value::as_object).into_iter().flatten() {
                let Some(target) = target.as_str() else { continue };
                let is_name = index.root.pointer("/components/schemas").is_some_and(|all| all.get(target).is_some());
                let Some(fault) = unreadable(index.root, target).filter(|_| !is_name) else { continue };
                self.remove(&mapping, value);
                self.warnings.warn(&child(&mapping, value), format!("{target:?} {fault}: the value is not known"));
            }
        }
    }
}

/// Returns why a target cannot be read, if it cannot.
fn unreadable(root: &Value, target: &str) -> Option<&'static str> {
    match reference_pointer(target) {
        Some(pointer) => root.pointer(&pointer).is_none().then_some("does not exist"),
        None if target.is_empty() || target.starts_with('#') => Some("is no JSON pointer"),
        None => Some("lies in another file, which is not read"),
    }
}
