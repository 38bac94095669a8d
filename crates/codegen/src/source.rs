//! Parser of a document's text, YAML or JSON by its content, into a tree that keeps the order of its keys.
//!
//! It rejects, with line and column, input that YAML and JSON parsers accept silently: duplicate keys, keys that are
//! not strings, several documents in one text, aliases that grow without limit, numbers that JSON cannot represent.
//! YAML is parsed by version 1.2: `no` and `on` are strings, only `true` and `false` are booleans.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, Visitor};
use serde::{Serialize, Serializer};
use serde_json::{Map, Number, Value};

use crate::fault::{Fault, child, unescaped};

/// Maximum length of the text in bytes; the largest known public document has half of it.
const MAX_BYTES: usize = 32 * 1024 * 1024;
/// Maximum nesting of objects and lists.
pub const MAX_DEPTH: usize = 100;
/// Maximum size of a document with its aliases expanded: the bytes of its strings and keys, plus 32 for each value.
const MAX_WEIGHT: usize = 192 * 1024 * 1024;
const VALUE_WEIGHT: usize = 32;

/// A parsed document, in its own order.
pub struct Source {
    root: Node,
}

/// A value whose keys are in the order of the text.
enum Node {
    Scalar(Value),
    List(Vec<Node>),
    Object(Vec<(String, Node)>),
}

/// Index of each key of an object, for the objects that were looked up.
type Places<'n> = HashMap<*const Node, HashMap<&'n str, usize>>;

impl Source {
    /// Parses `text`; the fault has line and column.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        if text.len() > MAX_BYTES {
            let message = format!(
                "the document has {} bytes, {MAX_BYTES} are read at most; split it, or take examples out of it",
                text.len()
            );
            return Err(Fault::error("", message));
        }
        if text.lines().all(|line| line.trim().is_empty() || line.starts_with('#')) {
            return Err(Fault::error("", "the document is empty; it starts with `openapi: 3.0.3`"));
        }
        let root = if is_json(text) { read_json(text)? } else { read_yaml(text)? };
        match root {
            Node::Object(_) => Ok(Self { root }),
            _ => Err(Fault::error("", "the document is no object; it starts with `openapi: 3.0.3`")),
        }
    }

    /// Returns the document with sorted keys, since the generated code must not depend on their order in the text.
    pub fn value(&self) -> Value {
        self.root.sorted()
    }

    /// Returns the document as JSON, in its own order.
    pub fn json(&self) -> String {
        let mut text = serde_json::to_string_pretty(&self.root).unwrap_or_default();
        text.push('\n');
        text
    }

    /// Sorts faults by the order of their paths in the text, and removes duplicates.
    pub fn sort(&self, faults: &mut Vec<Fault>) {
        let mut places = Places::new();
        faults.sort_by_cached_key(|fault| (self.root.position(&fault.pointer, &mut places), fault.clone()));
        faults.dedup();
    }
}

impl Node {
    fn sorted(&self) -> Value {
        match self {
            Self::Scalar(value) => value.clone(),
            Self::List(items) => Value::Array(items.iter().map(Self::sorted).collect()),
            Self::Object(entries) => {
                let mut entries: Vec<_> = entries.iter().collect();
                entries.sort_by(|a, b| a.0.cmp(&b.0));
                Value::Object(
                    entries.into_iter().map(|(key, node)| (key.clone(), node.sorted())).collect::<Map<_, _>>(),
                )
            }
        }
    }

    /// Returns the path to a place as indices, whose order is that of the places in the text.
    fn position<'n>(&'n self, pointer: &str, places: &mut Places<'n>) -> Vec<usize> {
        let mut position = Vec::new();
        let mut node = self;
        for segment in pointer.split('/').skip(1) {
            let segment = unescaped(segment);
            let next = match node {
                Self::Object(entries) => {
                    let keys = places.entry(std::ptr::from_ref(node)).or_insert_with(|| {
                        entries.iter().enumerate().map(|(at, (key, _))| (key.as_str(), at)).collect()
                    });
                    keys.get(segment.as_str()).map(|at| (*at, &entries[*at].1))
                }
                Self::List(items) => segment.parse().ok().and_then(|at: usize| Some((at, items.get(at)?))),
                Self::Scalar(_) => None,
            };
            let Some((at, child)) = next else { break };
            position.push(at);
            node = child;
        }
        position
    }

    fn kind(&self) -> &'static str {
        match self {
            Self::Scalar(_) => "a single value",
            Self::List(_) => "a list",
            Self::Object(_) => "an object",
        }
    }
}

impl Serialize for Node {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Scalar(value) => value.serialize(serializer),
            Self::List(items) => serializer.collect_seq(items),
            Self::Object(entries) => serializer.collect_map(entries.iter().map(|(key, node)| (key, node))),
        }
    }
}

/// Returns whether the text is JSON: braces around quoted keys are JSON, around bare keys YAML in flow style.
fn is_json(text: &str) -> bool {
    let text = text.trim_start();
    text.strip_prefix('{').is_some_and(|text| text.trim_start().starts_with(['"', '}'])) || text.starts_with('[')
}

fn read_json(text: &str) -> Result<Node, Fault> {
    let state = RefCell::new(State::new(false));
    let mut json = serde_json::Deserializer::from_str(text);
    let read = Reader(&state).deserialize(&mut json).and_then(|node| json.end().map(|()| node));
    read.map_err(|error| place(&state, error.line(), error.column(), &without_place(&error.to_string())))
}

fn read_yaml(text: &str) -> Result<Node, Fault> {
    let state = RefCell::new(State::new(true));
    Reader(&state).deserialize(serde_norway::Deserializer::from_str(text)).map_err(|error| {
        let (line, column) = error.location().map_or((0, 0), |location| (location.line(), location.column()));
        let message = without_place(&error.to_string());
        let message = match message.as_str() {
            message if message.contains("more than one document") => {
                "several documents in one text; keep one and remove the `---` lines".to_owned()
            }
            message if message.contains("cannot start any token") => {
                format!(
                    "{message}; YAML takes no tabs for indentation, and a text that starts with @ ` or % needs quotes"
                )
            }
            message if message.contains("repetition limit") => {
                "the aliases repeat too much; write less of it".to_owned()
            }
            message => message.to_owned(),
        };
        place(&state, line, column, &message)
    })
}

/// Removes the position that the parser appends to its message, since ours is a prefix.
fn without_place(message: &str) -> String {
    match message.rfind(" at line ") {
        Some(at) if message[at..].contains("column") => message[..at].to_owned(),
        _ => message.to_owned(),
    }
}

fn place(state: &RefCell<State>, line: usize, column: usize, message: &str) -> Fault {
    let at = if line > 0 { format!("line {line}, column {column}: ") } else { String::new() };
    match state.borrow_mut().rejected.take() {
        Some((pointer, message)) => Fault::error(&pointer, format!("{at}{message}")),
        None => Fault::error("", format!("{at}{message}")),
    }
}

/// State of one parse.
struct State {
    yaml: bool,
    path: Vec<String>,
    weight: usize,
    /// Pointer and message of an error that this module raised, not the parser.
    rejected: Option<(String, String)>,
}

impl State {
    fn new(yaml: bool) -> Self {
        Self { yaml, path: Vec::new(), weight: 0, rejected: None }
    }

    fn reject<E: Error>(&mut self, message: String) -> E {
        if self.rejected.is_none() {
            let pointer = self.path.iter().fold(String::new(), |pointer, key| child(&pointer, key));
            self.rejected = Some((pointer, message));
        }
        E::custom("refused")
    }

    /// Counts a value against the size limit.
    fn weigh<E: Error>(&mut self, bytes: usize) -> Result<(), E> {
        self.weight += bytes + VALUE_WEIGHT;
        if self.weight <= MAX_WEIGHT {
            return Ok(());
        }
        Err(self
            .reject("the document grows too large here; its aliases repeat too much, or it holds too much".to_owned()))
    }
}

/// Reader of one value.
#[derive(Clone, Copy)]
struct Reader<'s>(&'s RefCell<State>);

impl Reader<'_> {
    fn scalar<E: Error>(self, value: Value) -> Result<Node, E> {
        self.0.borrow_mut().weigh(value.as_str().map_or(0, str::len))?;
        Ok(Node::Scalar(value))
    }

    /// Reads a value one level down, below `key`.
    fn below<T, E: Error>(self, key: String, read: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        let mut state = self.0.borrow_mut();
        state.path.push(key);
        if state.path.len() > MAX_DEPTH {
            return Err(state.reject(format!("nested deeper than {MAX_DEPTH} levels; name parts of it as components")));
        }
        drop(state);
        let value = read()?;
        self.0.borrow_mut().path.pop();
        Ok(value)
    }
}

impl<'de> DeserializeSeed<'de> for Reader<'_> {
    type Value = Node;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Reader<'_> {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value that JSON can say, without a YAML tag")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Node, E> {
        self.scalar(Value::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Node, E> {
        self.scalar(Value::from(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Node, E> {
        self.scalar(Value::from(value))
    }

    fn visit_i128<E: Error>(self, value: i128) -> Result<Node, E> {
        self.visit_f64(value as f64)
    }

    fn visit_u128<E: Error>(self, value: u128) -> Result<Node, E> {
        self.visit_f64(value as f64)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Node, E> {
        match Number::from_f64(value) {
            Some(number) => self.scalar(Value::Number(number)),
            None => Err(self.0.borrow_mut().reject(format!("JSON has no number {value}; quote it, or leave it out"))),
        }
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Node, E> {
        self.scalar(Value::from(value))
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Node, E> {
        self.scalar(Value::from(value))
    }

    fn visit_unit<E: Error>(self) -> Result<Node, E> {
        self.scalar(Value::Null)
    }

    fn visit_none<E: Error>(self) -> Result<Node, E> {
        self.scalar(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, _: A) -> Result<Node, A::Error> {
        Err(self.0.borrow_mut().reject("a YAML tag (`!name`) has no meaning here; write the value plainly".to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Node, A::Error> {
        self.0.borrow_mut().weigh(0)?;
        let mut items = Vec::new();
        while let Some(item) = self.below(items.len().to_string(), || access.next_element_seed(self))? {
            items.push(item);
        }
        Ok(Node::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Node, A::Error> {
        self.0.borrow_mut().weigh(0)?;
        let mut seen = HashSet::new();
        let mut entries = Vec::new();
        let mut merged = None;
        while let Some(key) = access.next_key_seed(Key { state: self.0, seen: &mut seen })? {
            let value = self.below(key.clone(), || access.next_value_seed(self))?;
            if key == "<<" && self.0.borrow().yaml {
                merged = Some(value);
            } else {
                entries.push((key, value));
            }
        }
        if let Some(merged) = merged {
            self.merge(merged, &mut seen, &mut entries)?;
        }
        Ok(Node::Object(entries))
    }
}

impl Reader<'_> {
    /// Applies the merge key of YAML 1.1: keys of the merged objects are added unless the object has them itself.
    fn merge<E: Error>(
        self,
        merged: Node,
        seen: &mut HashSet<String>,
        entries: &mut Vec<(String, Node)>,
    ) -> Result<(), E> {
        let parts = match merged {
            Node::List(items) => items,
            single => vec![single],
        };
        for part in parts {
            let Node::Object(part) = part else {
                let message = format!("the merge key `<<` takes an object or a list of objects, not {}", part.kind());
                return Err(self.0.borrow_mut().reject(message));
            };
            for (key, value) in part {
                if seen.insert(key.clone()) {
                    entries.push((key, value));
                }
            }
        }
        Ok(())
    }
}

/// Reader of one key. Integers are accepted, since statuses are commonly written as `200:`.
struct Key<'s> {
    state: &'s RefCell<State>,
    seen: &'s mut HashSet<String>,
}

impl Key<'_> {
    fn reject<T, E: Error>(&self, what: &str) -> Result<T, E> {
        Err(self.state.borrow_mut().reject(format!("the key {what} is no string; quote it")))
    }
}

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Key<'_> {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key that is a string")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<String, E> {
        self.state.borrow_mut().weigh(key.len())?;
        if self.seen.insert(key.to_owned()) {
            return Ok(key.to_owned());
        }
        Err(self.state.borrow_mut().reject(format!("the key {key:?} is written twice; one of them would be lost")))
    }

    fn visit_u64<E: Error>(self, key: u64) -> Result<String, E> {
        self.visit_str(&key.to_string())
    }

    fn visit_i64<E: Error>(self, key: i64) -> Result<String, E> {
        self.visit_str(&key.to_string())
    }

    fn visit_bool<E: Error>(self, key: bool) -> Result<String, E> {
        self.reject(&key.to_string())
    }

    fn visit_f64<E: Error>(self, key: f64) -> Result<String, E> {
        self.reject(&key.to_string())
    }

    fn visit_unit<E: Error>(self) -> Result<String, E> {
        self.reject("null")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, _: A) -> Result<String, A::Error> {
        self.reject("[…]")
    }

    fn visit_map<A: MapAccess<'de>>(self, _: A) -> Result<String, A::Error> {
        self.reject("{…}")
    }
}
