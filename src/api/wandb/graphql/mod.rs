//! A parser for the subset of GraphQL that is needed to find the requested fields of an operation, with their response
//! names and arguments.
//!
//! There is no schema. The caller traverses the fields from the root and handles those that it knows.

mod parser;
mod token;

use serde_json::{Map, Value};

/// Maximum size of a query in bytes.
const QUERY_BYTES: usize = 64 << 10;
/// Maximum nesting depth of selections, lists and objects.
const DEPTH: usize = 32;
/// Maximum number of fields of an operation, on all levels.
const FIELDS: usize = 1000;

/// Error of an operation that cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum GraphqlError {
    #[error("the query has {0} bytes; {QUERY_BYTES} are read at most")]
    TooLong(usize),
    #[error("the query is nested too deeply at byte {0}; {DEPTH} levels are read at most")]
    TooDeep(usize),
    #[error("the query cannot be read at byte {at}: {expected} is expected")]
    Syntax { at: usize, expected: &'static str },
    #[error("the query has {0} operations; send one")]
    SeveralOperations(usize),
    #[error("the query has no fragment {0:?}")]
    NoFragment(String),
    #[error(
        "the operation asks for more than {FIELDS} fields, those of others and aliases included; send fewer at a time"
    )]
    TooManyFields,
    #[error("subscriptions are not answered here")]
    Subscription,
}

/// The type of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An operation that reads.
    Query,
    /// An operation that changes data.
    Mutation,
}

/// A parsed query.
#[derive(Debug, Default)]
pub(super) struct Document {
    operations: Vec<Operation>,
    fragments: Vec<(String, Vec<Selection>)>,
}

#[derive(Debug)]
struct Operation {
    kind: Kind,
    /// Default values of variables.
    defaults: Map<String, Value>,
    selections: Vec<Selection>,
}

#[derive(Debug)]
enum Selection {
    Field(FieldNode),
    /// A named fragment.
    Spread(String, Vec<Condition>),
    /// An inline fragment.
    Inline(Vec<Selection>, Vec<Condition>),
}

#[derive(Debug)]
struct FieldNode {
    alias: Option<String>,
    name: String,
    arguments: Vec<(String, Argument)>,
    conditions: Vec<Condition>,
    selections: Vec<Selection>,
}

/// A directive `@include(if: …)` or, if `wanted` is false, `@skip(if: …)`.
#[derive(Debug)]
struct Condition {
    wanted: bool,
    value: Argument,
}

/// The value of an argument.
#[derive(Debug)]
enum Argument {
    /// A value without variables.
    Constant(Value),
    Variable(String),
    /// An object that contains variables.
    Object(Vec<(String, Argument)>),
}

/// An operation with the values of its variables.
#[derive(Clone, Copy)]
pub(super) struct Request<'a> {
    document: &'a Document,
    operation: &'a Operation,
    variables: &'a Map<String, Value>,
}

/// A requested field.
#[derive(Clone, Copy)]
pub(super) struct Field<'a> {
    request: Request<'a>,
    node: &'a FieldNode,
}

impl Document {
    /// Parses a query.
    ///
    /// # Errors
    /// Returns an error if the text is not valid GraphQL, too long or nested too deeply.
    pub(super) fn parse(query: &str) -> Result<Self, GraphqlError> {
        if query.len() > QUERY_BYTES {
            return Err(GraphqlError::TooLong(query.len()));
        }
        parser::document(query)
    }

    /// Returns the operation with these variables.
    ///
    /// # Errors
    /// Returns an error if there are several operations.
    pub(super) fn request<'a>(&'a self, variables: &'a Map<String, Value>) -> Result<Request<'a>, GraphqlError> {
        let [operation] = self.operations.as_slice() else {
            return Err(GraphqlError::SeveralOperations(self.operations.len()));
        };
        Ok(Request { document: self, operation, variables })
    }
}

impl<'a> Request<'a> {
    /// Returns the type of the operation.
    pub(super) fn kind(self) -> Kind {
        self.operation.kind
    }

    /// Returns the root fields.
    ///
    /// # Errors
    /// Returns an error if they are in an undefined fragment.
    pub(super) fn fields(self) -> Result<Vec<Field<'a>>, GraphqlError> {
        self.fields_of(&self.operation.selections)
    }

    /// Returns the fields on all levels. A fragment counts wherever it is spread.
    ///
    /// # Errors
    /// Returns an error if there are more than [`FIELDS`], or if some are in an undefined fragment.
    pub(super) fn all_fields(self) -> Result<Vec<Field<'a>>, GraphqlError> {
        let mut all = self.fields()?;
        let mut next = 0;
        while let Some(field) = all.get(next).copied() {
            if all.len() > FIELDS {
                return Err(GraphqlError::TooManyFields);
            }
            all.extend(field.fields()?);
            next += 1;
        }
        Ok(all)
    }

    /// Returns the fields of selections, including those of fragments. Each fragment is expanded once, so that the
    /// result never has more fields than the query.
    fn fields_of(self, selections: &'a [Selection]) -> Result<Vec<Field<'a>>, GraphqlError> {
        let mut fields = Vec::new();
        let mut read: Vec<&str> = Vec::new();
        let mut waiting: Vec<&Selection> = selections.iter().rev().collect();
        while let Some(selection) = waiting.pop() {
            match selection {
                Selection::Field(node) if self.holds(&node.conditions) => fields.push(Field { request: self, node }),
                Selection::Inline(selections, conditions) if self.holds(conditions) => {
                    waiting.extend(selections.iter().rev());
                }
                Selection::Spread(name, conditions) if self.holds(conditions) && !read.contains(&name.as_str()) => {
                    read.push(name);
                    let fragment = self.document.fragments.iter().find(|(found, _)| found == name);
                    let (_, selections) = fragment.ok_or_else(|| GraphqlError::NoFragment(name.clone()))?;
                    waiting.extend(selections.iter().rev());
                }
                _ => {}
            }
        }
        Ok(fields)
    }

    /// Returns the value of a variable; `None` means null.
    fn variable(self, name: &str) -> Option<&'a Value> {
        let given = self.variables.get(name).or_else(|| self.operation.defaults.get(name));
        given.filter(|value| !value.is_null())
    }

    /// Returns the part of an argument at a path; `None` means null.
    fn part(self, argument: &'a Argument, path: &[&str]) -> Option<&'a Value> {
        let within = |value: &'a Value| path.iter().try_fold(value, |value, key| value.get(key));
        let value = match argument {
            Argument::Constant(value) => within(value)?,
            Argument::Variable(name) => within(self.variable(name)?)?,
            Argument::Object(fields) => {
                let (key, rest) = path.split_first()?;
                self.part(&fields.iter().find(|(name, _)| name == key)?.1, rest)?
            }
        };
        Some(value).filter(|value| !value.is_null())
    }

    fn holds(self, conditions: &'a [Condition]) -> bool {
        let is_true = |condition: &'a Condition| self.part(&condition.value, &[]) == Some(&Value::Bool(true));
        conditions.iter().all(|condition| is_true(condition) == condition.wanted)
    }
}

impl<'a> Field<'a> {
    /// Returns the name.
    pub(super) fn name(self) -> &'a str {
        &self.node.name
    }

    /// Returns the name in the response, which is the alias if there is one.
    pub(super) fn key(self) -> &'a str {
        self.node.alias.as_deref().unwrap_or(&self.node.name)
    }

    /// Returns the requested fields below this one.
    ///
    /// # Errors
    /// Returns an error if they are in an undefined fragment.
    pub(super) fn fields(self) -> Result<Vec<Field<'a>>, GraphqlError> {
        self.request.fields_of(&self.node.selections)
    }

    /// Returns the field with this name below this one, if it is requested.
    ///
    /// # Errors
    /// Returns an error if it may be in an undefined fragment.
    pub(super) fn field(self, name: &str) -> Result<Option<Field<'a>>, GraphqlError> {
        Ok(self.fields()?.into_iter().find(|field| field.name() == name))
    }

    /// Returns the value at a path in the arguments; `None` means null.
    pub(super) fn argument(self, path: &[&str]) -> Option<&'a Value> {
        let (name, rest) = path.split_first()?;
        let (_, argument) = self.node.arguments.iter().find(|(found, _)| found == name)?;
        self.request.part(argument, rest)
    }

    /// Returns the names in an argument that is an object, without those whose value is null or empty.
    pub(super) fn names_in(self, argument: &str) -> Vec<&'a str> {
        let given = self.node.arguments.iter().find(|(found, _)| found == argument);
        let names: Vec<&'a str> = match given.map(|(_, given)| given) {
            Some(Argument::Object(fields)) => fields.iter().map(|(name, _)| name.as_str()).collect(),
            _ => match self.argument(&[argument]) {
                Some(Value::Object(fields)) => fields.keys().map(String::as_str).collect(),
                _ => Vec::new(),
            },
        };
        let is_given = |name: &&str| match self.argument(&[argument, name]) {
            None => false,
            Some(Value::Array(items)) => !items.is_empty(),
            Some(_) => true,
        };
        names.into_iter().filter(is_given).collect()
    }
}

#[cfg(test)]
mod tests;
