//! A reader of GraphQL: enough of the language to tell which fields an operation asks for, under what names, and with which
//! arguments.
//!
//! There is no schema here. Whoever answers walks down from the root fields and takes what it knows.

mod parser;
mod token;

use serde_json::{Map, Value};

/// The most bytes of a query.
const QUERY_BYTES: usize = 64 << 10;
/// The most levels of selections, lists and objects.
const DEPTH: usize = 32;

/// Why an operation cannot be read.
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
    #[error("subscriptions are not answered here")]
    Subscription,
}

/// A kind of operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// It reads.
    Query,
    /// It changes something.
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
    /// The variables that have a default.
    defaults: Map<String, Value>,
    selections: Vec<Selection>,
}

#[derive(Debug)]
enum Selection {
    Field(FieldNode),
    /// The fields of a fragment, by its name.
    Spread(String, Vec<Condition>),
    /// The fields of a fragment without a name.
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

/// A directive `@include(if: …)`, or with `false` a `@skip(if: …)`.
#[derive(Debug)]
struct Condition {
    wanted: bool,
    value: Argument,
}

/// The value of an argument.
#[derive(Debug)]
enum Argument {
    /// One without variables.
    Constant(Value),
    Variable(String),
    /// An object with variables somewhere within.
    Object(Vec<(String, Argument)>),
}

/// An operation with the values of its variables.
#[derive(Clone, Copy)]
pub(super) struct Request<'a> {
    document: &'a Document,
    operation: &'a Operation,
    variables: &'a Map<String, Value>,
}

/// A field that is asked for.
#[derive(Clone, Copy)]
pub(super) struct Field<'a> {
    request: Request<'a>,
    node: &'a FieldNode,
}

impl Document {
    /// Parses a query.
    ///
    /// # Errors
    /// When it is no GraphQL, too long or nested too deeply.
    pub(super) fn parse(query: &str) -> Result<Self, GraphqlError> {
        if query.len() > QUERY_BYTES {
            return Err(GraphqlError::TooLong(query.len()));
        }
        parser::document(query)
    }

    /// The operation with these variables.
    ///
    /// # Errors
    /// When there are several.
    pub(super) fn request<'a>(&'a self, variables: &'a Map<String, Value>) -> Result<Request<'a>, GraphqlError> {
        let [operation] = self.operations.as_slice() else {
            return Err(GraphqlError::SeveralOperations(self.operations.len()));
        };
        Ok(Request { document: self, operation, variables })
    }
}

impl<'a> Request<'a> {
    /// The kind of the operation.
    pub(super) fn kind(self) -> Kind {
        self.operation.kind
    }

    /// The root fields.
    ///
    /// # Errors
    /// When they are in a fragment that is not there.
    pub(super) fn fields(self) -> Result<Vec<Field<'a>>, GraphqlError> {
        self.fields_of(&self.operation.selections)
    }

    /// The fields of selections, those of fragments among them. Each fragment is read once, so that no query makes more
    /// fields than it has.
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

    /// The value of a variable; `None` is null.
    fn variable(self, name: &str) -> Option<&'a Value> {
        let given = self.variables.get(name).or_else(|| self.operation.defaults.get(name));
        given.filter(|value| !value.is_null())
    }

    /// The part of an argument that lies at a path; `None` is null.
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
    /// The name.
    pub(super) fn name(self) -> &'a str {
        &self.node.name
    }

    /// The name under which the answer has it.
    pub(super) fn key(self) -> &'a str {
        self.node.alias.as_deref().unwrap_or(&self.node.name)
    }

    /// The fields below it.
    ///
    /// # Errors
    /// When they are in a fragment that is not there.
    pub(super) fn fields(self) -> Result<Vec<Field<'a>>, GraphqlError> {
        self.request.fields_of(&self.node.selections)
    }

    /// The field of this name below it, if it is asked for.
    ///
    /// # Errors
    /// When it may be in a fragment that is not there.
    pub(super) fn field(self, name: &str) -> Result<Option<Field<'a>>, GraphqlError> {
        Ok(self.fields()?.into_iter().find(|field| field.name() == name))
    }

    /// What lies at a path in its arguments; `None` is null.
    pub(super) fn argument(self, path: &[&str]) -> Option<&'a Value> {
        let (name, rest) = path.split_first()?;
        let (_, argument) = self.node.arguments.iter().find(|(found, _)| found == name)?;
        self.request.part(argument, rest)
    }

    /// The names of what an argument that is an object gives, without what is null or empty.
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
