//! Shape of a schema from its parts: JSON type, `enum`, format and limits.

use serde_json::{Map, Value};
use trainyard_runtime::validation::{Format, Pattern as Matcher};

use crate::fault::{Report, child};
use crate::identifiers::{Taken, variant_name};
use crate::ir::schema::{Bound, Enumeration, EnumerationVariant, Kind, Limits, Pattern, Schema, Shape};
use crate::lint::is_of_type;
use crate::lower::schemas::Schemas;
use crate::lower::schemas::parts::{Part, identity};

/// Formats of JSON Schema that are not checked: some are in use with several meanings.
const UNCHECKED_FORMATS: [&str; 11] = [
    "duration",
    "idn-email",
    "idn-hostname",
    "iri",
    "iri-reference",
    "json-pointer",
    "regex",
    "relative-json-pointer",
    "time",
    "uri-reference",
    "uri-template",
];

const TYPES: [&str; 6] = ["array", "boolean", "integer", "number", "object", "string"];

impl<'a> Schemas<'a> {
    /// Returns the schema of the values that match every part.
    pub(super) fn conjunction(&mut self, mut parts: Vec<Part<'a>>, hint: &str) -> Schema {
        for part in &parts {
            if part.node.contains_key("not") {
                let message =
                    "`not` cannot be served: say what the values are, by `enum`, `pattern`, `required` or `oneOf`";
                self.faults.error(&child(&part.pointer, "not"), message);
            }
        }
        let mut presence = Vec::new();
        if let Some(schema) = self.choice(&mut parts, &mut presence, hint) {
            return schema;
        }
        let json_type = self.json_type(&parts, !presence.is_empty());
        if let Some(schema) = self.enumeration(&parts, json_type, hint) {
            return schema;
        }
        let limits = self.limits(&parts, json_type);
        self.check_formats(&parts, json_type);
        let shape = match json_type {
            None => Shape::Any,
            Some("boolean") => Shape::Boolean,
            Some("integer") => Shape::Integer(self.width(&parts, &limits)),
            Some("number") => Shape::Number { single: format(&parts) == Some("float") },
            Some("string") if format(&parts) == Some("binary") => Shape::Binary,
            Some("string") => Shape::String,
            Some("array") => self.array(&parts, hint),
            Some(_) => self.object(&parts, presence, hint),
        };
        // An object with known fields stores its limits in its type.
        let limits = if matches!(shape, Shape::Named(_)) { Limits::default() } else { limits };
        Schema { shape, nullable: false, limits }
    }

    /// Returns the type that the parts declare or imply.
    fn json_type(&mut self, parts: &[Part<'a>], presence: bool) -> Option<&'static str> {
        let mut found: Option<(&'static str, &str)> = None;
        for part in parts {
            let named = part.node.get("type").and_then(Value::as_str);
            let Some(named) = named.and_then(|name| TYPES.into_iter().find(|known| *known == name)) else { continue };
            found = match found {
                None => Some((named, &part.pointer)),
                Some((before, at)) if before == named => Some((before, at)),
                Some(("integer", at)) if named == "number" => Some(("integer", at)),
                Some(("number", _)) if named == "integer" => Some(("integer", &part.pointer)),
                Some((before, path)) => {
                    let message = format!("nothing is both {before} ({path}) and {named}; keep one of the types");
                    self.faults.error(&child(&part.pointer, "type"), message);
                    Some((before, path))
                }
            };
        }
        if let Some((named, _)) = found {
            return Some(named);
        }
        let has = |keys: &[&str]| parts.iter().any(|part| keys.iter().any(|key| part.node.contains_key(*key)));
        if presence || has(&["properties", "additionalProperties", "unevaluatedProperties", "required"]) {
            Some("object")
        } else if has(&["items"]) {
            Some("array")
        } else {
            None
        }
    }

    fn array(&mut self, parts: &[Part<'a>], hint: &str) -> Shape {
        let items: Vec<_> =
            parts.iter().filter_map(|part| Some((child(&part.pointer, "items"), part.node.get("items")?))).collect();
        if items.is_empty() {
            let at = parts.first().map(|part| part.pointer.clone()).unwrap_or_default();
            self.faults.error(&at, "an array needs `items`; write `items: {}` for items of any kind");
            return Shape::Array(Box::new(Schema::of(Shape::Any)));
        }
        self.containers += 1;
        let items = self.joined(&items, &format!("{hint} item"));
        self.containers -= 1;
        Shape::Array(Box::new(items))
    }

    /// Returns the conjunction of several schemas.
    pub(super) fn joined(&mut self, nodes: &[(String, &'a Value)], hint: &str) -> Schema {
        if let [(pointer, node)] = nodes {
            return self.lower(pointer, node, hint);
        }
        let mut parts = Vec::new();
        let mut nullable = true;
        for (pointer, node) in nodes {
            let Some(node) = node.as_object() else { continue };
            let says = node.iter().any(|(key, value)| !super::parts::is_annotation(key, value));
            nullable &= self.is_nullable(node) || !says;
            if says {
                self.flatten(pointer, node, &mut parts);
            }
        }
        match parts.as_slice() {
            [] => Schema::of(Shape::Any),
            _ => {
                let name = identity(&parts);
                let mut schema = match (parts.as_slice(), &nodes[0]) {
                    // All parts but one are empty or equal.
                    ([only], _) => self.lower_map(&only.pointer.clone(), only.node, hint),
                    _ => self.once(&name, hint, |schemas| schemas.conjunction(parts, hint)),
                };
                schema.nullable = nullable;
                schema
            }
        }
    }

    fn lower_map(&mut self, pointer: &str, node: &'a Map<String, Value>, hint: &str) -> Schema {
        let hint = if self.components.contains_key(pointer) { self.hint_of(pointer) } else { hint.to_owned() };
        self.once(pointer, &hint, |schemas| schemas.inside(pointer, node, &hint))
    }

    /// Lowers an `enum`, if any part has one: to a named type for strings, to a limit for other values.
    fn enumeration(&mut self, parts: &[Part<'a>], json_type: Option<&'static str>, hint: &str) -> Option<Schema> {
        let mut lists = Vec::new();
        for part in parts {
            if let Some(values) = part.node.get("enum").and_then(Value::as_array) {
                lists.push((child(&part.pointer, "enum"), values));
            }
        }
        let (at, first) = lists.first()?.clone();
        let mut values: Vec<Value> = Vec::new();
        let mut null = false;
        for (index, value) in first.iter().enumerate() {
            if value.is_null() {
                null = true;
                continue;
            }
            let Some(value) = self.of_type(&format!("{at}/{index}"), value, json_type) else { continue };
            let everywhere = lists[1..].iter().all(|(_, list)| list.contains(&value));
            if everywhere && !values.contains(&value) {
                values.push(value);
            }
        }
        if values.is_empty() && !null {
            let message = match (lists.as_slice(), json_type) {
                ([_], Some(json_type)) => format!("no value of the enum is of type {json_type}; correct one of them"),
                _ => "no value is in every `enum` that holds here; keep one of them".to_owned(),
            };
            self.faults.error(&at, message);
            return Some(Schema::of(Shape::Any));
        }
        if !values.is_empty() && values.iter().all(Value::is_string) && matches!(json_type, None | Some("string")) {
            self.keep_within_limits(parts, &at, &mut values);
            if values.is_empty() {
                self.faults.error(&at, "no value is within the limits beside it; correct the limits or the values");
                return Some(Schema::of(Shape::Any));
            }
            let name = self.string_enumeration(parts, &values, hint);
            return Some(Schema { nullable: null, ..Schema::of(Shape::Named(name)) });
        }
        let implied = json_type.or_else(|| common_type(&values));
        let mut limits = self.limits(parts, implied);
        let shape = match implied {
            Some("boolean") => Shape::Boolean,
            Some("integer") => {
                limits.one_of.clone_from(&values);
                Shape::Integer(self.width(parts, &limits))
            }
            Some("number") => Shape::Number { single: format(parts) == Some("float") },
            _ => Shape::Any,
        };
        if matches!(shape, Shape::Any) && null {
            values.push(Value::Null);
        }
        let nullable = null && !matches!(shape, Shape::Any);
        limits.one_of = values;
        Some(Schema { shape, nullable, limits })
    }

    /// Converts a value of an `enum` to the type beside it, if it is only wrongly quoted; `None` if it has another
    /// type, so that no value can equal it.
    fn of_type(&mut self, at: &str, value: &Value, json_type: Option<&str>) -> Option<Value> {
        let Some(json_type) = json_type.filter(|json_type| !is_of_type(value, json_type)) else {
            return Some(value.clone());
        };
        let changed = match (json_type, value) {
            ("string", Value::Number(_) | Value::Bool(_)) => Some(Value::String(value.to_string())),
            ("integer" | "number" | "boolean", Value::String(text)) => serde_json::from_str::<Value>(text)
                .ok()
                .filter(|value| if json_type == "boolean" { value.is_boolean() } else { value.is_number() }),
            _ => None,
        };
        let message = match &changed {
            Some(changed) => format!("{value} is no {json_type}; it is taken as {changed}, write it so"),
            None => format!("{value} is no {json_type}, it can never be met and is left out; correct it"),
        };
        self.faults.warn(at, message);
        changed
    }

    /// Removes the strings of an `enum` that the limits beside it exclude.
    fn keep_within_limits(&mut self, parts: &[Part<'a>], at: &str, values: &mut Vec<Value>) {
        let limits = self.limits(parts, Some("string"));
        let patterns: Vec<_> = limits.patterns.iter().map(|pattern| Matcher::new(&pattern.source)).collect();
        let formats: Vec<_> = string_formats(parts).into_iter().filter_map(|(_, _, format)| format).collect();
        let mut excluded = Vec::new();
        values.retain(|value| {
            let text = value.as_str().unwrap_or_default();
            let length = text.chars().count() as u64;
            let fits = limits.min_length.is_none_or(|least| length >= least)
                && limits.max_length.is_none_or(|most| length <= most)
                && patterns.iter().all(|pattern| pattern.matches(text))
                && formats.iter().all(|format| format.matches(text));
            if !fits {
                excluded.push(value.to_string());
            }
            fits
        });
        if !excluded.is_empty() {
            let excluded = excluded.join(", ");
            self.faults.warn(at, format!("the limits beside it exclude {excluded}; take it out or correct the limits"));
        }
    }

    /// Reports `format`s that are not checked.
    fn check_formats(&mut self, parts: &[Part<'a>], json_type: Option<&str>) {
        let (formats, unchecked): (Vec<_>, Vec<_>) =
            string_formats(parts).into_iter().partition(|(_, _, format)| format.is_some());
        let is_text = matches!(json_type, None | Some("string"));
        for (at, name, _) in unchecked.iter().filter(|(_, name, _)| is_text && UNCHECKED_FORMATS.contains(name)) {
            self.faults.warn(
                at,
                format!("the format `{name}` is not checked: any text is taken; write a `pattern` beside it"),
            );
        }
        match (json_type, formats.as_slice()) {
            (None, [(at, name, _), ..]) => {
                let message =
                    format!("the format `{name}` is not checked without a type; write `type: string` beside it");
                self.faults.warn(at, message);
            }
            (Some("string"), [(_, first, _), others @ ..]) => {
                for (at, other, _) in others.iter().filter(|(_, other, _)| other != first) {
                    let message = format!("a value cannot be checked as `{first}` and as `{other}`; keep one format");
                    self.faults.error(at, message);
                }
            }
            _ => {}
        }
    }

    fn string_enumeration(&mut self, parts: &[Part<'a>], values: &[Value], hint: &str) -> String {
        let mut taken = Taken::default();
        let variants: Vec<_> = values
            .iter()
            .filter_map(Value::as_str)
            .map(|value| EnumerationVariant {
                wire_name: value.to_owned(),
                rust_name: taken.unique(variant_name(value)),
            })
            .collect();
        let default = parts.iter().find_map(|part| part.node.get("default")).and_then(Value::as_str);
        let default = default.and_then(|default| variants.iter().position(|variant| variant.wire_name == default));
        let identity = self.identity_here();
        let name = self.name_for(&identity, hint);
        self.add(name.clone(), &identity, Kind::Enumeration(Enumeration { variants, default }));
        name
    }

    fn limits(&mut self, parts: &[Part<'a>], json_type: Option<&str>) -> Limits {
        let mut limits = Limits::default();
        for part in parts {
            self.part_limits(part, json_type, &mut limits);
        }
        limits
    }

    /// Adds the limits of one part; of two limits of the same keyword, the tighter one is kept.
    fn part_limits(&mut self, part: &Part<'a>, json_type: Option<&str>, limits: &mut Limits) {
        let is = |name: &str| json_type.is_none_or(|json_type| json_type == name);
        if is("integer") || is("number") {
            let low = bound(part, "minimum", "exclusiveMinimum");
            limits.minimum = tighter(limits.minimum.take(), low, false);
            let high = bound(part, "maximum", "exclusiveMaximum");
            limits.maximum = tighter(limits.maximum.take(), high, true);
            let multiple = part.node.get("multipleOf").and_then(Value::as_number);
            limits.multiple_of.extend(multiple.filter(|multiple| !limits.multiple_of.contains(multiple)).cloned());
        }
        if is("string") {
            limits.min_length = limits.min_length.max(count(part, "minLength"));
            limits.max_length = least(limits.max_length, count(part, "maxLength"));
            if let Some(pattern) = self.pattern(part)
                && !limits.patterns.iter().any(|known| known.source == pattern.source)
            {
                limits.patterns.push(pattern);
            }
            if json_type.is_some() {
                limits.format = limits.format.or_else(|| checked_format(part.node.get("format")?.as_str()?));
            }
        }
        if is("array") {
            limits.min_items = limits.min_items.max(count(part, "minItems"));
            limits.max_items = least(limits.max_items, count(part, "maxItems"));
            limits.unique_items |= part.node.get("uniqueItems") == Some(&Value::Bool(true));
        }
        if is("object") {
            limits.min_properties = limits.min_properties.max(count(part, "minProperties"));
            limits.max_properties = least(limits.max_properties, count(part, "maxProperties"));
        }
    }

    fn pattern(&mut self, part: &Part<'a>) -> Option<Pattern> {
        let source = part.node.get("pattern")?.as_str()?;
        if let Err(error) = Matcher::compile(source) {
            let message = format!("is no regular expression of JavaScript: {error}; correct it");
            self.faults.error(&child(&part.pointer, "pattern"), message);
            return None;
        }
        let message = part.node.get("x-pattern-message").and_then(Value::as_str).map(str::to_owned);
        Some(Pattern { source: source.to_owned(), message })
    }
}

fn bound(part: &Part<'_>, key: &str, exclusive: &str) -> Option<Bound> {
    let exclusive = part.node.get(exclusive) == Some(&Value::Bool(true));
    Some(Bound { value: part.node.get(key)?.as_number()?.clone(), exclusive })
}

/// Returns the value of a keyword that counts. A minimum of zero has no effect.
pub(super) fn count(part: &Part<'_>, key: &str) -> Option<u64> {
    let value = part.node.get(key)?;
    let count = value.as_u64().or_else(|| value.as_f64().map(|number| number as u64))?;
    (count > 0 || key.starts_with("max")).then_some(count)
}

/// Returns path and name of each `format`, and its check, if it has one.
fn string_formats<'a>(parts: &[Part<'a>]) -> Vec<(String, &'a str, Option<Format>)> {
    let formats =
        parts.iter().filter_map(|part| Some((child(&part.pointer, "format"), part.node.get("format")?.as_str()?)));
    formats.map(|(at, name)| (at, name, checked_format(name))).collect()
}

pub(super) fn format<'a>(parts: &[Part<'a>]) -> Option<&'a str> {
    parts.iter().find_map(|part| part.node.get("format")?.as_str())
}

fn common_type(values: &[Value]) -> Option<&'static str> {
    let all = |test: fn(&Value) -> bool| !values.is_empty() && values.iter().all(test);
    if all(Value::is_boolean) {
        Some("boolean")
    } else if all(|value| value.is_i64()) {
        Some("integer")
    } else if all(Value::is_number) {
        Some("number")
    } else {
        None
    }
}

fn checked_format(name: &str) -> Option<Format> {
    Some(match name {
        "byte" => Format::Byte,
        "date" => Format::Date,
        "date-time" => Format::DateTime,
        "uuid" => Format::Uuid,
        "ipv4" => Format::Ipv4,
        "ipv6" => Format::Ipv6,
        "email" => Format::Email,
        "uri" => Format::Uri,
        "hostname" => Format::Hostname,
        _ => return None,
    })
}

pub(super) fn least(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// Returns the tighter bound; of equal ones the exclusive.
fn tighter(a: Option<Bound>, b: Option<Bound>, upper: bool) -> Option<Bound> {
    let (Some(a), Some(b)) = (a.clone(), b.clone()) else { return a.or(b) };
    let (x, y) = (a.value.as_f64().unwrap_or_default(), b.value.as_f64().unwrap_or_default());
    let first = if x == y { a.exclusive } else { (x < y) == upper };
    Some(if first { a } else { b })
}
