//! Rules of security schemes and requirements, servers and their variables, tags, and links.

use std::collections::HashSet;

use serde_json::{Map, Value};

use crate::fault::{Fault, Report, child};
use crate::lint::grammar::Kind;
use crate::lint::messages::{json, nearest};
use crate::lint::structure::{Index, Site};
use crate::reference::{reference_pointer, resolve};
use crate::template;

pub(super) fn check(index: &Index, faults: &mut Vec<Fault>) {
    let schemes = index.root.pointer("/components/securitySchemes").and_then(Value::as_object);
    for site in index.sites.iter().filter(|site| matches!(site.kind, Kind::OpenApi | Kind::Operation)) {
        requirements(index.root, site, schemes, faults);
    }
    for site in index.of_kind(Kind::SecurityScheme) {
        scheme(site, faults);
    }
    for site in index.of_kind(Kind::OAuthFlow) {
        flow(site, faults);
    }
    for site in index.of_kind(Kind::Server) {
        server(site, faults);
    }
    tags(index, faults);
    links(index, faults);
}

fn requirements(root: &Value, site: &Site, schemes: Option<&Map<String, Value>>, faults: &mut Vec<Fault>) {
    let requirements = site.object.get("security").and_then(Value::as_array).into_iter().flatten();
    for (at, requirement) in requirements.enumerate() {
        for (name, scopes) in requirement.as_object().into_iter().flatten() {
            let pointer = child(&format!("{}/security/{at}", site.pointer), name);
            let Some(scheme) = schemes.and_then(|schemes| schemes.get(name)) else {
                let names = schemes.into_iter().flatten().map(|(name, _)| name.as_str());
                let hint = match nearest(name, names) {
                    Some(meant) => format!("did you mean `{meant}`?"),
                    None => "declare it there, or correct the name".to_owned(),
                };
                let message = format!("`{name}` is no scheme of /components/securitySchemes; {hint}");
                faults.error(&pointer, message);
                continue;
            };
            let scheme = resolve(root, scheme);
            let scopes: Vec<_> = scopes.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            match scheme.get("type").and_then(Value::as_str) {
                Some("oauth2") => {
                    let flows = scheme.get("flows").and_then(Value::as_object).into_iter().flatten();
                    let known: HashSet<&str> = flows
                        .filter_map(|(_, flow)| flow.get("scopes")?.as_object())
                        .flatten()
                        .map(|(scope, _)| scope.as_str())
                        .collect();
                    for scope in scopes.into_iter().filter(|scope| !known.contains(scope)) {
                        faults.warn(&pointer, format!("the scope `{scope}` is in no flow of `{name}`"));
                    }
                }
                Some(other @ ("apiKey" | "http")) if !scopes.is_empty() => {
                    faults.warn(&pointer, format!("a scheme of type {other} has no scopes; write `{name}: []`"))
                }
                _ => {}
            }
        }
    }
}

fn scheme(site: &Site, faults: &mut Vec<Fault>) {
    let has = |key: &str| site.object.contains_key(key);
    let needed: &[&str] = match site.object.get("type").and_then(Value::as_str) {
        Some("apiKey") => &["name", "in"],
        Some("http") => &["scheme"],
        Some("oauth2") => &["flows"],
        Some("openIdConnect") => &["openIdConnectUrl"],
        _ => return,
    };
    for key in needed.iter().filter(|key| !has(key)) {
        faults.error(&site.pointer, format!("a scheme of this type needs `{key}`"));
    }
}

fn flow(site: &Site, faults: &mut Vec<Fault>) {
    let needed: &[&str] = match site.pointer.rsplit('/').next() {
        Some("implicit") => &["authorizationUrl"],
        Some("password" | "clientCredentials") => &["tokenUrl"],
        Some("authorizationCode") => &["authorizationUrl", "tokenUrl"],
        _ => return,
    };
    for key in needed.iter().filter(|key| !site.object.contains_key(**key)) {
        faults.warn(&site.pointer, format!("this flow needs `{key}`"));
    }
}

fn server(site: &Site, faults: &mut Vec<Fault>) {
    let Some(url) = site.object.get("url").and_then(Value::as_str) else { return };
    let variables = site.object.get("variables").and_then(Value::as_object);
    let used: HashSet<&str> = template::braced(url).collect();
    for name in &used {
        if !variables.is_some_and(|variables| variables.contains_key(*name)) {
            let message = format!("`{{{name}}}` has no default; declare it under `variables`");
            faults.warn(&child(&site.pointer, "url"), message);
        }
    }
    for (name, variable) in variables.into_iter().flatten() {
        let pointer = child(&child(&site.pointer, "variables"), name);
        if !used.contains(name.as_str()) {
            faults.warn(&pointer, format!("the url has no `{{{name}}}`"));
        }
        let Some(values) = variable.get("enum").and_then(Value::as_array) else { continue };
        match variable.get("default") {
            _ if values.is_empty() => {
                faults.warn(&child(&pointer, "enum"), "the enum is empty; list the values, or remove it");
            }
            Some(default) if !values.contains(default) => {
                let message = format!("the default {} is not listed under `enum`", json(default));
                faults.warn(&child(&pointer, "default"), message);
            }
            _ => {}
        }
    }
}

fn tags(index: &Index, faults: &mut Vec<Fault>) {
    let mut declared = HashSet::new();
    for site in index.of_kind(Kind::Tag) {
        let Some(name) = site.object.get("name").and_then(Value::as_str) else { continue };
        if !declared.insert(name) {
            faults.warn(&child(&site.pointer, "name"), format!("the tag `{name}` is declared twice"));
        }
    }
    for site in index.of_kind(Kind::Operation) {
        for (at, tag) in site.object.get("tags").and_then(Value::as_array).into_iter().flatten().enumerate() {
            let Some(tag) = tag.as_str().filter(|tag| !declared.contains(tag)) else { continue };
            // Tags need no declaration, but a misspelt one forms a group of its own.
            if let Some(meant) = nearest(tag, declared.iter().copied()) {
                let message = format!("`{tag}` is not declared, `{meant}` is; is it the same?");
                faults.warn(&format!("{}/tags/{at}", site.pointer), message);
            }
        }
    }
}

fn links(index: &Index, faults: &mut Vec<Fault>) {
    let ids: HashSet<&str> =
        index.of_kind(Kind::Operation).filter_map(|site| site.object.get("operationId")?.as_str()).collect();
    for site in index.of_kind(Kind::Link) {
        let id = site.object.get("operationId").and_then(Value::as_str);
        let reference = site.object.get("operationRef").and_then(Value::as_str);
        match (id, reference) {
            (Some(_), Some(_)) => {
                faults.warn(&site.pointer, "`operationId` and `operationRef` exclude each other; keep one")
            }
            (None, None) => faults.warn(&site.pointer, "the link leads nowhere; write `operationId`"),
            (Some(id), None) if !ids.contains(id) => {
                faults.warn(&child(&site.pointer, "operationId"), format!("`{id}` is no operation of this document"))
            }
            (None, Some(reference)) if reference.starts_with('#') => {
                let found = reference_pointer(reference).and_then(|pointer| index.root.pointer(&pointer));
                if found.and_then(|found| index.kind(found)) != Some(Kind::Operation) {
                    let message = format!("{reference} is no operation of this document");
                    faults.warn(&child(&site.pointer, "operationRef"), message);
                }
            }
            _ => {}
        }
    }
}
