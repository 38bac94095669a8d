//! Base addresses: operations with their own `servers` have their own router.

use std::collections::BTreeMap;

use heck::ToSnakeCase;
use serde_json::Value;

use crate::lower::operations::naming::Names;
use crate::lower::operations::{Lowering, Source};

/// Base addresses of a document, each with the name of its router.
pub(super) struct Bases {
    /// URLs of the document's own servers.
    own: Value,
    names: BTreeMap<String, String>,
    taken: Names,
}

impl Bases {
    pub(super) fn of(root: &Value) -> Self {
        Self { own: urls(&root["servers"]), names: BTreeMap::new(), taken: Names::functions() }
    }
}

/// Returns the URLs of servers, without their descriptions.
fn urls(servers: &Value) -> Value {
    servers.as_array().into_iter().flatten().map(|server| server["url"].clone()).collect()
}

impl Lowering<'_, '_> {
    /// Returns the name of the operation's own base address; `None` if it is the document's.
    pub(super) fn base(&mut self, source: &Source<'_>) -> Option<String> {
        let servers = source.node.get("servers").or_else(|| source.item.get("servers"))?;
        let first = servers.get(0)?;
        let urls = urls(servers);
        if urls == self.bases.own {
            return None;
        }
        let key = urls.to_string();
        if let Some(name) = self.bases.names.get(&key) {
            return Some(name.clone());
        }
        let url = first["url"].as_str().unwrap_or_default();
        let variable = url.strip_prefix('{').and_then(|url| url.strip_suffix('}')).filter(|name| !name.contains('{'));
        let wanted = match variable {
            Some(name) => name.strip_suffix("_url").unwrap_or(name).to_snake_case(),
            None => url.split_once("://").map_or(url, |(_, rest)| rest).to_snake_case(),
        };
        let name = self.bases.taken.take(&wanted, "base");
        self.bases.names.insert(key, name.clone());
        Some(name)
    }
}
