//! Rules of paths and operations: template parameters are declared, ids are unique, every operation has a response.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::{Map, Value};

use crate::fault::{Fault, Report, Severity, child, unescaped};
use crate::ir::operation::Method;
use crate::lint::grammar::Kind;
use crate::lint::messages::{either, nearest};
use crate::lint::structure::{Index, Site};
use crate::lower::operations::is_variant;
use crate::reference::resolve;
use crate::template;

pub(super) fn check(index: &Index, faults: &mut Vec<Fault>) {
    for site in index.of_kind(Kind::Paths) {
        paths(index.root, site, faults);
    }
    for site in index.of_kind(Kind::PathItem) {
        let path = site.pointer.strip_prefix("/paths/").filter(|path| !path.contains('/')).map(unescaped);
        operations(index.root, site, path.as_deref(), faults);
    }
    for site in index.of_kind(Kind::Operation) {
        responses(index.root, site, faults);
    }
    for site in index.of_kind(Kind::Responses) {
        statuses(index.root, site, faults);
    }
    ids(index, faults);
    component_names(index, faults);
}

fn paths(root: &Value, site: &Site, faults: &mut Vec<Fault>) {
    let mut shapes: HashMap<String, &str> = HashMap::new();
    for (path, item) in site.object.iter().filter(|(path, _)| !path.starts_with("x-")) {
        let pointer = child(&site.pointer, path);
        if !path.starts_with('/') {
            faults.error(&pointer, format!("the path `{path}` does not begin with `/`; write `/{path}`"));
        }
        if is_variant(root, path) {
            let message = "its requests arrive at the path before `#`, which serves them: no code is generated for it";
            faults.warn(&pointer, message);
        } else if path.contains(['?', '#']) {
            let message = "a path ends before `?` and `#`; declare query parameters under `parameters`";
            faults.error(&pointer, message);
        }
        let Some(names) = template::parameters(path) else {
            faults.error(&pointer, format!("the braces of `{path}` do not match; write `{{name}}` within a segment"));
            continue;
        };
        let mut seen = HashSet::new();
        for name in names {
            if name.is_empty() {
                faults.error(&pointer, "a template without a name; write `{name}`");
            } else if !seen.insert(name) {
                faults.error(&pointer, format!("`{{{name}}}` occurs twice; give each template its own name"));
            }
        }
        let own_servers = |item: &Value| item.get("servers").is_some();
        if let Some(other) = shapes.insert(template::shape(path), path)
            && !own_servers(item)
            && !site.object.get(other).is_some_and(own_servers)
        {
            let (here, there) = (resolve(root, item), site.object.get(other).map(|item| resolve(root, item)));
            let both = Method::KEYS
                .iter()
                .any(|method| here.get(method).is_some() && there.is_some_and(|there| there.get(method).is_some()));
            let message = format!("the path is the same as `{other}` but for the names of its templates; join them");
            faults.report(if both { Severity::Error } else { Severity::Warning }, &pointer, message);
        }
    }
}

/// A parameter's location and name; header names are in lower case.
type Name = (String, String);

fn named<'a>(root: &'a Value, holder: &'a Map<String, Value>) -> impl Iterator<Item = (usize, Name)> + 'a {
    holder.get("parameters").and_then(Value::as_array).into_iter().flatten().enumerate().filter_map(
        |(at, parameter)| {
            let parameter = resolve(root, parameter);
            let location = parameter.get("in")?.as_str()?;
            let name = parameter.get("name")?.as_str()?;
            let name = if location == "header" { name.to_ascii_lowercase() } else { name.to_owned() };
            Some((at, (location.to_owned(), name)))
        },
    )
}

fn operations(root: &Value, site: &Site, path: Option<&str>, faults: &mut Vec<Fault>) {
    let shared = parameters(root, site.object, &site.pointer, path, faults);
    for method in Method::KEYS {
        let Some(operation) = site.object.get(method).and_then(Value::as_object) else { continue };
        let pointer = child(&site.pointer, method);
        let own = parameters(root, operation, &pointer, path, faults);
        for name in path.and_then(template::parameters).into_iter().flatten().filter(|name| !name.is_empty()) {
            let wanted = ("path".to_owned(), name.to_owned());
            if own.contains(&wanted) || shared.contains(&wanted) {
                continue;
            }
            let declared =
                own.iter().chain(&shared).filter(|(location, _)| location == "path").map(|(_, name)| name.as_str());
            let hint = match nearest(name, declared) {
                Some(meant) => format!("; the parameter is called `{meant}`"),
                None => format!("; add `{{name: {name}, in: path, required: true, schema: {{type: string}}}}`"),
            };
            faults.error(&pointer, format!("the path has `{{{name}}}`, no parameter declares it{hint}"));
        }
        if matches!(method, "get" | "head" | "trace") && operation.contains_key("requestBody") {
            let message = format!(
                "HTTP gives the body of a {} no meaning, and the specification ignores it; use parameters, or POST",
                method.to_uppercase()
            );
            faults.warn(&child(&pointer, "requestBody"), message);
        }
    }
}

/// Checks and returns the parameters of a path or an operation: each is declared once, and path parameters are in the
/// template.
fn parameters(
    root: &Value,
    holder: &Map<String, Value>,
    pointer: &str,
    path: Option<&str>,
    faults: &mut Vec<Fault>,
) -> HashSet<Name> {
    let mut names = HashSet::new();
    let in_path = path.and_then(template::parameters);
    for (at, (location, name)) in named(root, holder) {
        let pointer = format!("{pointer}/parameters/{at}");
        if let Some(in_path) = in_path.as_ref().filter(|_| location == "path")
            && !in_path.contains(&name.as_str())
        {
            let hint = match nearest(&name, in_path.iter().copied()) {
                Some(meant) => format!("; it has `{{{meant}}}`"),
                None => "; remove it, or declare it in another place".to_owned(),
            };
            faults.error(&pointer, format!("the path has no `{{{name}}}`{hint}"));
        }
        if names.contains(&(location.clone(), name.clone())) {
            faults.error(&pointer, format!("the {location} parameter `{name}` is declared twice; keep one"));
        }
        names.insert((location, name));
    }
    names
}

/// Returns whether the server sends the requests of an operation: a callback or a webhook.
fn is_outgoing(site: &Site) -> bool {
    !site.pointer.starts_with("/paths/") || site.pointer.contains("/callbacks/")
}

/// Checks that an operation that can fail documents an error response.
fn responses(root: &Value, site: &Site, faults: &mut Vec<Fault>) {
    let Some(responses) = site.object.get("responses").and_then(Value::as_object) else { return };
    let pointer = child(&site.pointer, "responses");
    if responses.keys().all(|key| key.starts_with("x-")) {
        return faults.error(&pointer, "no answer is documented; write at least one status");
    }
    // Another party implements the responses.
    if is_outgoing(site) {
        return;
    }
    let rejects = responses.keys().any(|status| status == "default" || status.starts_with(['4', '5']));
    let security = site.object.get("security").or_else(|| root.get("security")).and_then(Value::as_array);
    let secured = security
        .is_some_and(|list| !list.is_empty() && !list.iter().any(|one| one.as_object().is_some_and(Map::is_empty)));
    let item = site.pointer.rsplit_once('/').and_then(|(item, _)| root.pointer(item));
    let parameters = [Some(site.value), item]
        .into_iter()
        .flatten()
        .any(|holder| holder.get("parameters").and_then(Value::as_array).is_some_and(|list| !list.is_empty()));
    let what = match (secured, parameters || site.object.contains_key("requestBody")) {
        (_, true) => "takes input",
        (true, false) => "asks for authentication",
        (false, false) => return,
    };
    if !rejects {
        let message = format!("the operation {what}, but no refusal is documented; add `default` or a 4XX status");
        faults.warn(&pointer, message);
    }
}

fn statuses(root: &Value, site: &Site, faults: &mut Vec<Fault>) {
    for (status, response) in site.object.iter().filter(|(status, _)| !status.starts_with("x-")) {
        let pointer = child(&site.pointer, status);
        let bytes = status.as_bytes();
        let is_code = matches!(bytes, [b'1'..=b'5', b'0'..=b'9', b'0'..=b'9'] | [b'1'..=b'5', b'X', b'X']);
        if !is_code && status != "default" {
            let upper = status.to_ascii_uppercase();
            let hint = match upper.as_bytes() {
                [b'1'..=b'5', b'X', b'X'] => format!("write `{upper}`"),
                _ if status.eq_ignore_ascii_case("default") => "write `default`".to_owned(),
                _ => "write a code such as `200`, a range such as `2XX`, or `default`".to_owned(),
            };
            faults.error(&pointer, format!("`{status}` is no status; {hint}"));
        }
        let content = resolve(root, response).get("content").and_then(Value::as_object);
        if matches!(status.as_str(), "204" | "205" | "304") && content.is_some_and(|content| !content.is_empty()) {
            faults.warn(&pointer, format!("an answer of status {status} has no body; remove `content`"));
        }
    }
}

fn ids(index: &Index, faults: &mut Vec<Fault>) {
    let mut ids: HashMap<&str, &str> = HashMap::new();
    let mut names: BTreeMap<String, &str> = BTreeMap::new();
    for site in index.of_kind(Kind::Operation) {
        let Some(id) = site.object.get("operationId").and_then(Value::as_str) else { continue };
        let pointer = child(&site.pointer, "operationId");
        let outgoing = is_outgoing(site);
        if let Some(other) = ids.insert(id, &site.pointer) {
            let message = format!("`{id}` is the id of {other} too; ids are unique");
            faults.report(if outgoing { Severity::Warning } else { Severity::Error }, &pointer, message);
            continue;
        }
        if outgoing {
            continue;
        }
        if let Some(other) = names.insert(heck::ToSnakeCase::to_snake_case(id), id) {
            let message = format!(
                "`{id}` and `{other}` differ in case and separators only; choose names that a reader can tell apart"
            );
            faults.warn(&pointer, message);
        }
    }
}

fn component_names(index: &Index, faults: &mut Vec<Fault>) {
    let groups = index.root.get("components").and_then(Value::as_object).into_iter().flatten();
    for (group, components) in groups.filter(|(group, _)| !group.starts_with("x-")) {
        for name in components.as_object().into_iter().flatten().map(|(name, _)| name) {
            if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte)) {
                let pointer = child(&child("/components", group), name);
                let allowed = either(["A-Z", "a-z", "0-9", ".", "-", "_"]);
                faults.warn(&pointer, format!("the name of a component is written with {allowed}"));
            }
        }
    }
}
