//! Comparison of base addresses.

use serde_json::{Value, json};

use crate::diff::Comparison;
use crate::diff::document::{Node, Operation};

/// Returns the servers of an operation by address, in order; the address is `/` if the document has none.
fn servers<'a>(operation: &Operation<'a>) -> Vec<(String, Node<'a>)> {
    let holders = [&operation.node, &operation.item, &operation.root];
    let listed = holders.into_iter().map(|node| node.list("servers")).find(|servers| !servers.is_empty());
    match listed {
        Some(servers) => servers
            .into_iter()
            .map(|server| (server.text("url").unwrap_or("/").trim_end_matches('/').to_owned(), server))
            .collect(),
        None => vec![(String::new(), operation.root.clone())],
    }
}

impl<'a> Comparison<'a> {
    pub(super) fn servers(&mut self, old: &Operation<'a>, new: &Operation<'a>) {
        let (older, newer) = (servers(old), servers(new));
        for (url, server) in &older {
            let Some((_, newer)) = newer.iter().find(|(other, _)| other == url) else {
                let message = format!("the server `{url}` is gone");
                self.breaking(server, "server-removed", message, "clients that call it are not answered");
                continue;
            };
            if server.text("url").is_some() && newer.text("url").is_some() {
                self.server(server, newer);
            }
        }
        for (url, server) in newer.iter().filter(|(url, _)| !older.iter().any(|(other, _)| other == url)) {
            let message = format!("the server `{url}` is new");
            self.safe(server, "server-added", message, "clients call the one they know");
        }
        if let (Some((first, _)), Some((now_first, server))) = (older.first(), newer.first())
            && first != now_first
            && newer.iter().any(|(url, _)| url == first)
        {
            let message = format!("the first server is `{now_first}` now, and was `{first}`");
            let reason = "generated clients call the first server unless they are told otherwise";
            self.breaking(server, "server-order", message, reason);
        }
    }

    fn server(&mut self, old: &Node<'a>, new: &Node<'a>) {
        let (older, newer) = (old.map("variables"), new.map("variables"));
        for (name, variable) in &older {
            let Some(newer) = newer.get(name) else {
                let message = format!("the variable `{name}` is gone");
                self.breaking(variable, "server-variable", message, "clients that set it do not reach their server");
                continue;
            };
            let default = |node: &Node<'a>| node.value.get("default").cloned().unwrap_or_default();
            if default(variable) != default(newer) {
                let message = format!("the default of `{name}` went from {} to {}", default(variable), default(newer));
                let reason = "clients that take the default reach another server";
                self.breaking(&newer.child_or_self("default"), "server-variable-default", message, reason);
            }
            let values = |node: &Node<'a>| -> Option<Vec<Value>> { node.value.get("enum")?.as_array().cloned() };
            match (values(variable), values(newer)) {
                (Some(before), Some(after)) => {
                    for value in before.iter().filter(|value| !after.contains(value)) {
                        let message = format!("`{name}` cannot be {value} any more");
                        let reason = "clients that set it do not reach their server";
                        self.breaking(&newer.child_or_self("enum"), "server-variable-enum", message, reason);
                    }
                    for value in after.iter().filter(|value| !before.contains(value)) {
                        let message = format!("`{name}` can be {value}");
                        let reason = "every server that could be named still can";
                        self.safe(&newer.child_or_self("enum"), "server-variable-enum", message, reason);
                    }
                }
                (None, Some(_)) => {
                    let message = format!("`{name}` has a closed list of values now");
                    let reason = "clients that set another value do not reach their server";
                    self.breaking(&newer.child_or_self("enum"), "server-variable-enum", message, reason);
                }
                (Some(_), None) => {
                    let message = format!("`{name}` can be anything now");
                    let reason = "every server that could be named still can";
                    self.safe(newer, "server-variable-enum", message, reason);
                }
                (None, None) => {}
            }
            self.rest(variable, newer, &["default", "enum"]);
        }
        for (name, variable) in newer.iter().filter(|(name, _)| !older.contains_key(*name)) {
            let message = format!("the variable `{name}` is new, with the default {}", default_of(variable));
            self.safe(variable, "server-variable", message, "it has a default");
        }
        self.rest(old, new, &["url", "variables"]);
    }
}

fn default_of(variable: &Node<'_>) -> Value {
    variable.value.get("default").cloned().unwrap_or(json!(null))
}
