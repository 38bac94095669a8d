//! Security: `security` as alternatives of sets of credentials.

use serde_json::Value;

use crate::fault::{Report, child};
use crate::ir::operation::{Alternative, Carrier, Requirement};
use crate::lower::operations::{Lowering, Source};

impl<'a> Lowering<'a, '_> {
    /// Returns the security alternatives of the operation; empty for an open one.
    pub(super) fn security(&mut self, source: &Source<'a>) -> Vec<Alternative> {
        let list = source.node.get("security").unwrap_or(&self.root["security"]);
        let mut alternatives = Vec::new();
        for entry in list.as_array().into_iter().flatten() {
            let mut requirements = Vec::new();
            for (scheme, scopes) in entry.as_object().into_iter().flatten() {
                let scopes = scopes.as_array().into_iter().flatten().filter_map(Value::as_str);
                let scopes = scopes.map(str::to_owned).collect();
                requirements.push(Requirement { scheme: scheme.clone(), carrier: self.carrier(scheme), scopes });
            }
            alternatives.push(Alternative(requirements));
        }
        // A list of empty alternatives requires no credentials.
        if alternatives.iter().all(|alternative| alternative.0.is_empty()) {
            alternatives.clear();
        }
        alternatives
    }

    fn carrier(&mut self, name: &str) -> Carrier {
        let scheme = self.root["components"]["securitySchemes"].get(name);
        let scheme = scheme.and_then(|scheme| self.follow(&child("/components/securitySchemes", name), scheme));
        // The linter reports a scheme that is not declared. The operation stays closed.
        let Some((at, scheme)) = scheme else { return Carrier::Bearer };
        let text = |key: &str| scheme[key].as_str().unwrap_or_default();
        match (text("type"), text("scheme").to_ascii_lowercase().as_str(), text("in")) {
            ("oauth2" | "openIdConnect", ..) | ("http", "bearer", _) => Carrier::Bearer,
            ("http", "basic", _) => Carrier::Basic,
            ("http", other, _) if !other.is_empty() => Carrier::Other(other.to_owned()),
            ("apiKey", _, "header") => Carrier::Header(text("name").to_owned()),
            ("apiKey", _, "query") => Carrier::Query(text("name").to_owned()),
            ("apiKey", _, "cookie") => Carrier::Cookie(text("name").to_owned()),
            (kind, ..) => {
                let message = format!(
                    "a security scheme of type {kind:?} says not how the credential travels; write type http with a \
                     scheme, apiKey with in and name, oauth2 or openIdConnect"
                );
                self.faults.error(&at, message);
                Carrier::Bearer
            }
        }
    }
}
