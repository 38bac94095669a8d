//! Security: `security` as alternatives of sets of credentials.

use serde_json::Value;

use crate::fault::child;
use crate::ir::operation::{Alternative, Carrier, Requirement};
use crate::lower::operations::{Lowering, Source};

impl<'a> Lowering<'a, '_> {
    /// Returns the security alternatives of the operation; empty for an open one.
    pub(super) fn security(&mut self, source: &Source<'a>) -> Vec<Alternative> {
        let (pointer, list) = match source.node.get("security") {
            Some(list) => (child(&source.pointer, "security"), list),
            None => ("/security".to_owned(), &self.root["security"]),
        };
        let mut alternatives = Vec::new();
        for (index, entry) in list.as_array().into_iter().flatten().enumerate() {
            let pointer = child(&pointer, &index.to_string());
            let mut requirements = Vec::new();
            for (scheme, scopes) in entry.as_object().into_iter().flatten() {
                let scopes = scopes.as_array().into_iter().flatten().filter_map(Value::as_str);
                let scopes = scopes.map(str::to_owned).collect();
                if let Some(carrier) = self.carrier(&child(&pointer, scheme), scheme) {
                    requirements.push(Requirement { scheme: scheme.clone(), carrier, scopes });
                }
            }
            alternatives.push(Alternative(requirements));
        }
        // A list of empty alternatives requires no credentials.
        if alternatives.iter().all(|alternative| alternative.0.is_empty()) {
            alternatives.clear();
        }
        alternatives
    }

    fn carrier(&mut self, pointer: &str, name: &str) -> Option<Carrier> {
        let at = child("/components/securitySchemes", name);
        let Some(scheme) = self.root["components"]["securitySchemes"].get(name) else {
            self.error(pointer, format!("{name} is no security scheme; declare it under /components/securitySchemes"));
            return None;
        };
        let (at, scheme) = self.follow(&at, scheme)?;
        let text = |key: &str| scheme[key].as_str().unwrap_or_default();
        match (text("type"), text("scheme").to_ascii_lowercase().as_str(), text("in")) {
            ("oauth2" | "openIdConnect", ..) | ("http", "bearer", _) => Some(Carrier::Bearer),
            ("http", "basic", _) => Some(Carrier::Basic),
            ("http", other, _) if !other.is_empty() => Some(Carrier::Other(other.to_owned())),
            ("apiKey", _, "header") => Some(Carrier::Header(text("name").to_owned())),
            ("apiKey", _, "query") => Some(Carrier::Query(text("name").to_owned())),
            ("apiKey", _, "cookie") => Some(Carrier::Cookie(text("name").to_owned())),
            (kind, ..) => {
                self.error(
                    &at,
                    format!(
                        "a security scheme of type {kind:?} says not how the credential travels; write type http with a scheme, apiKey with in and name, oauth2 or openIdConnect"
                    ),
                );
                None
            }
        }
    }
}
