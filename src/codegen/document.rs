//! A document that can be served, and what it means.

use std::collections::HashSet;

use serde_json::Value;

use super::{Settings, fault::Fault, ir::Api, lint, lower, source::Source};

/// A document without errors.
pub struct Document {
    /// The whole document, keys sorted.
    pub value: Value,
    /// The document as JSON, in its own order.
    pub json: String,
    /// What it means.
    pub api: Api,
    /// What its author should know, in the order of the document.
    pub warnings: Vec<Fault>,
}

impl Document {
    /// Reads a document, YAML or JSON.
    ///
    /// # Errors
    /// Every fault, warnings included, when one of them is an error; with house rules each fault is one.
    pub fn parse(text: &str, settings: &Settings) -> Result<Self, Vec<Fault>> {
        let named = |fault: Fault| fault.in_file(&settings.file);
        let source = Source::parse(text).map_err(|fault| vec![named(fault)])?;
        let value = source.value();
        let refuses = |faults: &[Fault]| faults.iter().any(Fault::is_error);
        let mut faults = lint::check(&value);
        if settings.house_rules {
            faults.extend(lint::house::check(&value));
            faults.extend(lint::house::described(&value));
        }
        let mut api = Api::default();
        // What has errors would only lead to more of them.
        if !refuses(&faults) {
            let mut schemas = lower::schemas::Schemas::new(&value);
            schemas.lower_components();
            let lowered = lower::operations::lower(&value, &mut schemas);
            let (types, found) = schemas.finish();
            // What the linter said of a place is not said twice in other words.
            let known: HashSet<String> = faults.iter().map(|fault| fault.pointer.clone()).collect();
            let is_new = |fault: &Fault| fault.is_error() || !known.contains(&fault.pointer);
            faults.extend(found.into_iter().chain(lowered.faults).filter(is_new));
            api = Api { types, operations: lowered.operations, tags: lowered.tags };
        }
        source.sort(&mut faults);
        let refused = refuses(&faults) || settings.house_rules && !faults.is_empty();
        let faults = faults.into_iter().map(named).collect();
        if refused {
            return Err(faults);
        }
        Ok(Self { json: source.json(), value, api, warnings: faults })
    }
}
