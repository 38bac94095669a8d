//! Schemas that no value fits.

use serde_json::{Map, Value};

use crate::fault::{Report, child};
use crate::lint::grammar::Kind;
use crate::lint::lenient::Assumed;
use crate::lint::schemas::{composition, follow};
use crate::lint::structure::{Index, Site};
use crate::lint::values::is_of_type;

/// Limits of which the first may not be above the second.
const PAIRS: [(&str, &str); 4] =
    [("minimum", "maximum"), ("minLength", "maxLength"), ("minItems", "maxItems"), ("minProperties", "maxProperties")];

impl Assumed {
    /// Leaves out branches that no value fits, and takes any value where a schema on its own contradicts itself.
    pub(super) fn unsatisfiable(&mut self, index: &Index) {
        for site in index.of_kind(Kind::Schema) {
            for key in ["oneOf", "anyOf"] {
                self.branches(index, site, key);
            }
            if !self.is_removed(&site.pointer) && contradiction(index.root, site.object).is_some() {
                self.widen(index, site);
            }
        }
    }

    fn branches(&mut self, index: &Index, site: &Site, key: &str) {
        let Some(branches) = site.object.get(key).and_then(Value::as_array) else { return };
        let list = child(&site.pointer, key);
        let why = |branch| contradiction(index.root, follow(index.root, branch)?);
        let impossible: Vec<_> =
            branches.iter().enumerate().filter_map(|(at, branch)| Some((at, why(branch)?))).collect();
        if impossible.len() == branches.len() && !impossible.is_empty() {
            self.remove(&site.pointer, key);
            return self.warnings.warn(&list, "no value fits any of the branches: any value is taken");
        }
        for (at, why) in impossible {
            self.remove_element(&list, at);
            self.warnings.warn(&format!("{list}/{at}"), format!("no value fits this branch ({why}): it is left out"));
        }
    }

    /// Removes what contradicts itself from a schema.
    fn widen(&mut self, index: &Index, site: &Site) {
        let own = contradiction_of(&[site.object]);
        let Some(why) = own.clone().or_else(|| contradiction(index.root, site.object)) else { return };
        if own.is_none() {
            let kept = ["title", "description", "deprecated", "readOnly", "writeOnly"];
            if let Some(object) = self.object(&site.pointer) {
                object.retain(|key, _| kept.contains(&key.as_str()) || key.starts_with("x-"));
            }
            return self.warnings.warn(&site.pointer, format!("no value fits this schema ({why}): any value is taken"));
        }
        for key in PAIRS.into_iter().flat_map(|(low, high)| [low, high]).chain(["enum"]) {
            let contradicts = |object: &Map<String, Value>| contradiction_of(&[object]).is_some();
            if self.object(&site.pointer).is_some_and(|object| contradicts(object)) {
                self.remove(&site.pointer, key);
            }
        }
        self.warnings.warn(&site.pointer, format!("no value fits this schema ({why}): these limits are left out"));
    }
}

/// Returns the reason why no value fits a schema with its parts under `allOf`.
fn contradiction(root: &Value, schema: &Map<String, Value>) -> Option<String> {
    contradiction_of(&composition(root, schema, &["allOf"])?)
}

fn contradiction_of(parts: &[&Map<String, Value>]) -> Option<String> {
    let mut types = parts.iter().filter_map(|part| part.get("type")?.as_str());
    let mut json_type = types.next();
    for other in types {
        json_type = match json_type {
            Some("integer" | "number") if other == "integer" => Some("integer"),
            Some("integer") if other == "number" => Some("integer"),
            Some(known) if known == other => Some(known),
            Some(known) => return Some(format!("nothing is both {known} and {other}")),
            None => Some(other),
        };
    }
    for (low, high) in PAIRS {
        let numbers = |key: &'static str| parts.iter().filter_map(move |part| part.get(key)?.as_f64());
        let least = numbers(low).fold(f64::NEG_INFINITY, f64::max);
        let most = numbers(high).fold(f64::INFINITY, f64::min);
        // Limits of another type say nothing.
        let applies = match low {
            "minimum" => matches!(json_type, Some("integer" | "number")),
            "minLength" => json_type == Some("string"),
            "minItems" => json_type == Some("array"),
            _ => json_type == Some("object"),
        };
        if least > most && applies {
            return Some(format!("`{low}` {least} is above `{high}` {most}"));
        }
    }
    let lists: Vec<&Vec<Value>> = parts.iter().filter_map(|part| part.get("enum")?.as_array()).collect();
    let first = lists.first().filter(|list| !list.is_empty())?;
    let shared = first.iter().filter(|value| lists.iter().all(|list| list.contains(value)));
    // Lengths of strings only; a pattern is not worth its cost here.
    let lengths = |key: &'static str| parts.iter().filter_map(move |part| part.get(key)?.as_f64());
    let (least, most) = (lengths("minLength").fold(0.0, f64::max), lengths("maxLength").fold(f64::INFINITY, f64::min));
    let is_within =
        |value: &&&Value| value.as_str().is_none_or(|text| (least..=most).contains(&(text.chars().count() as f64)));
    // A number or a flag that should be a string is read as one.
    let fits = |value: &&&Value| {
        json_type.is_none_or(|json_type| json_type == "string" || is_of_type(value, json_type) || value.is_null())
    };
    let possible: Vec<_> = shared.filter(|value| fits(&value)).collect();
    if !possible.is_empty() && !possible.iter().any(|value| is_within(&value)) {
        return Some("the limits of the length exclude every value of the `enum`".to_owned());
    }
    possible.is_empty().then(|| match json_type {
        Some(json_type) if lists.len() == 1 => format!("no value of the `enum` is of type {json_type}"),
        _ => "no value is in every `enum`".to_owned(),
    })
}
