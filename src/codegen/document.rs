//! The canonical document: its text, its value, and the operations it describes.

use serde_json::{Map, Value};

pub use super::reference::{reference_name, resolve};
use super::{fault::Fault, lint, operation::Operation, source::Source};

/// A document that passed the linter.
pub struct Document {
    value: Value,
    operations: Vec<Operation>,
    json: String,
}

impl Document {
    /// Reads a document and holds it against the house rules.
    pub fn parse(text: &str) -> Result<Self, Vec<Fault>> {
        let source = Source::parse(text).map_err(|fault| vec![fault])?;
        let value = source.value();
        let mut faults = lint::check(&value);
        source.sort(&mut faults);
        faults.retain(Fault::is_error);
        if !faults.is_empty() {
            return Err(faults);
        }
        let operations = Operation::all(&value).map_err(|fault| vec![fault])?;
        Ok(Self { value, operations, json: source.json() })
    }

    /// The whole document, keys sorted.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// Every operation, aliases included, ordered by path and method.
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// The document as JSON, in its own order.
    pub fn json(&self) -> String {
        self.json.clone()
    }

    /// `components.schemas`, by name.
    pub fn schemas(&self) -> impl Iterator<Item = (&str, &Map<String, Value>)> {
        self.value["components"]["schemas"]
            .as_object()
            .into_iter()
            .flatten()
            .filter_map(|(name, schema)| Some((name.as_str(), schema.as_object()?)))
    }

    /// The component schema called `name`.
    pub fn schema(&self, name: &str) -> Option<&Map<String, Value>> {
        self.value["components"]["schemas"].get(name)?.as_object()
    }

    /// The description of a tag; empty without one.
    pub fn tag_description(&self, tag: &str) -> &str {
        self.value["tags"]
            .as_array()
            .into_iter()
            .flatten()
            .find(|entry| entry["name"] == tag)
            .and_then(|entry| entry["description"].as_str())
            .unwrap_or_default()
    }
}
