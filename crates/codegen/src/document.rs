//! Valid documents and their intermediate representation.

use std::collections::HashSet;

use serde_json::Value;

use crate::fault::Fault;
use crate::ir::Api;
use crate::openapi_3_1::{Purpose, reduce};
use crate::source::Source;
use crate::{Settings, lint, lower};

/// A document without errors.
pub struct Document {
    /// Whole document in the form of OpenAPI 3.0, keys sorted.
    pub value: Value,
    /// Document as JSON, keys in their original order.
    pub json: String,
    /// Intermediate representation.
    pub api: Api,
    /// Warnings, in the order of the document.
    pub warnings: Vec<Fault>,
}

impl Document {
    /// Parses and validates a document in YAML or JSON. Without project rules, constructs that cannot be generated get
    /// their widest meaning, each with a warning ([`lint::lenient`]).
    ///
    /// # Errors
    /// All faults, warnings included, if one of them is an error; with project rules, every fault is an error.
    pub fn parse(text: &str, settings: &Settings) -> Result<Self, Vec<Fault>> {
        Self::read(text, settings, !settings.project_rules)
    }

    /// Parses and validates a document without assumptions.
    ///
    /// # Errors
    /// Like [`Self::parse`]; also for each construct that cannot be generated.
    pub fn parse_strict(text: &str, settings: &Settings) -> Result<Self, Vec<Fault>> {
        Self::read(text, settings, false)
    }

    fn read(text: &str, settings: &Settings, lenient: bool) -> Result<Self, Vec<Fault>> {
        let named = |fault: Fault| fault.in_file(&settings.file);
        let source = Source::parse(text).map_err(|fault| vec![named(fault)])?;
        let original = source.value();
        let reduced = reduce(&original, Purpose::Code { lenient });
        let assumed = lenient.then(|| lint::lenient::assume(&reduced.document));
        let value = match &assumed {
            Some(assumed) => assumed.document.clone(),
            None => reduced.document.clone().into_owned(),
        };
        let rejects = |faults: &[Fault]| faults.iter().any(Fault::is_error);
        let mut faults = lint::check_form(&value);
        if settings.project_rules {
            faults.extend(lint::project_rules::check(&value));
            faults.extend(lint::project_rules::described(&value));
        }
        let mut api = Api::default();
        // An invalid document would only produce follow-up errors.
        if !rejects(&faults) {
            let mut schemas = lower::schemas::Schemas::new(&value);
            schemas.lower_components();
            let mut lowered = lower::operations::lower(&value, &mut schemas);
            let (types, found) = schemas.finish(&mut lowered.operations);
            // A warning is dropped if the linter has reported a fault at the same path.
            let known: HashSet<String> = faults.iter().map(|fault| fault.pointer.clone()).collect();
            let is_new = |fault: &Fault| fault.is_error() || !known.contains(&fault.pointer);
            faults.extend(found.into_iter().chain(lowered.faults).filter(is_new));
            api = Api { types, operations: lowered.operations, tags: lowered.tags };
        }
        if let Some(assumed) = assumed {
            faults = faults.into_iter().map(|fault| assumed.in_original(fault)).collect();
            faults.extend(assumed.warnings);
        }
        faults = faults.into_iter().map(|fault| reduced.in_original(fault)).collect();
        faults.extend(reduced.faults);
        source.sort(&mut faults);
        let rejected = rejects(&faults) || settings.project_rules && !faults.is_empty();
        let faults = faults.into_iter().map(named).collect();
        if rejected {
            return Err(faults);
        }
        Ok(Self { json: source.json(), value, api, warnings: faults })
    }
}
