//! Rust names for the names of a document: valid, unique, and not in use by the generated code.

use crate::identifiers::Taken;

/// Names of the prelude and of generated modules, separated by spaces; a type with such a name would shadow them.
const TYPES: &str = "\
    A AsMut AsRef Box Clone Copy Debug Default DoubleEndedIterator Drop Eq Err ExactSizeIterator Extend Fn FnMut \
    FnOnce From FromIterator Future Hash Into IntoFuture IntoIterator Iterator None Ok Option Ord PartialEq \
    PartialOrd Result Self Send Sized Some String Sync ToOwned ToString TryFrom TryInto Unpin Vec Arc Authenticate \
    Body Bytes Download EventStream ApiError Faults FilePart Headers Input Location Operation Output Request \
    Response Router State Validate";

/// Names of modules that generated code refers to, separated by spaces.
const MODULES: &str = "types http core std alloc crate serde serde_json trainyard";

/// Allocator of unique names.
pub(super) struct Names {
    taken: Taken,
    /// Reserved names, separated by spaces, and the suffix that such a name gets.
    reserved: &'static str,
    suffix: &'static str,
}

impl Names {
    /// Creates the names of types and traits.
    pub(super) fn types() -> Self {
        Self { taken: Taken::default(), reserved: TYPES, suffix: "Api" }
    }

    /// Creates the names of modules.
    pub(super) fn modules() -> Self {
        Self { taken: Taken::default(), reserved: MODULES, suffix: "_api" }
    }

    /// Creates the names of methods and fields.
    pub(super) fn functions() -> Self {
        Self { taken: Taken::default(), reserved: "", suffix: "_" }
    }

    /// Creates the names of an enum's variants, which have a namespace of their own.
    pub(super) fn variants() -> Self {
        Self { taken: Taken::default(), reserved: "Self", suffix: "Variant" }
    }

    /// Returns the first wish that is free, or else the first wish made unique.
    pub(super) fn take_first<const N: usize>(&mut self, wishes: [String; N], otherwise: &str) -> String {
        let free = wishes.iter().find(|name| !self.taken.contains(name) && syn::parse_str::<syn::Ident>(name).is_ok());
        let wanted = free.or(wishes.first()).cloned().unwrap_or_default();
        self.take(&wanted, otherwise)
    }

    /// Returns `wanted` as a unique identifier; `otherwise` is its prefix if no valid character is left.
    pub(super) fn take(&mut self, wanted: &str, otherwise: &str) -> String {
        let mut name: String = wanted.chars().filter(|c| *c == '_' || c.is_alphanumeric()).collect();
        if name.chars().all(|c| c == '_') {
            name = otherwise.to_owned();
        }
        if syn::parse_str::<syn::Ident>(&name).is_err() {
            // A keyword, or a leading digit.
            let behind = format!("{name}_");
            let upper = otherwise.starts_with(char::is_uppercase);
            let front = if upper { format!("{otherwise}{name}") } else { format!("{otherwise}_{name}") };
            name = [behind, front]
                .into_iter()
                .find(|name| syn::parse_str::<syn::Ident>(name).is_ok())
                .unwrap_or_else(|| otherwise.to_owned());
        }
        if self.reserved.split_whitespace().any(|reserved| reserved == name) {
            name.push_str(self.suffix);
        }
        self.taken.unique(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_an_identifier_and_unique() {
        let mut names = Names::functions();
        let taken: Vec<_> = ["type", "type", "2fa", "", "日本", "a b", "self", "ok", "ok"]
            .into_iter()
            .map(|wanted| names.take(wanted, "field"))
            .collect();
        assert_eq!(taken, ["type_", "type_2", "field_2fa", "field", "日本", "ab", "self_", "ok", "ok2"]);
        assert_eq!(Names::types().take("Send", "Tag"), "SendApi");
        assert_eq!(Names::modules().take("types", "tag"), "types_api");
    }
}
