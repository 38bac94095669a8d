//! Parses GraphQL tokens to a document.

use serde_json::{Map, Value};

use super::token::{Token, Tokens};
use super::{Argument, Condition, DEPTH, Document, FieldNode, GraphqlError, Kind, Operation, Selection};

/// Parses a whole document.
pub(super) fn document(query: &str) -> Result<Document, GraphqlError> {
    let mut tokens = Tokens::new(query);
    let (at, token) = tokens.next()?;
    let mut parser = Parser { tokens, token, at, depth: 0 };
    let mut document = Document::default();
    while parser.token != Token::End {
        parser.definition(&mut document)?;
    }
    if document.operations.is_empty() {
        return Err(parser.expected("an operation"));
    }
    Ok(document)
}

struct Parser<'a> {
    tokens: Tokens<'a>,
    /// The next token, and its byte offset.
    token: Token<'a>,
    at: usize,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn expected(&self, expected: &'static str) -> GraphqlError {
        GraphqlError::Syntax { at: self.at, expected }
    }

    /// Consumes the next token.
    fn take(&mut self) -> Result<Token<'a>, GraphqlError> {
        let (at, token) = self.tokens.next()?;
        self.at = at;
        Ok(std::mem::replace(&mut self.token, token))
    }

    /// Consumes the next token if it is this sign. Returns whether it was.
    fn takes(&mut self, sign: char) -> Result<bool, GraphqlError> {
        let comes = self.token == Token::Sign(sign);
        if comes {
            self.take()?;
        }
        Ok(comes)
    }

    fn sign(&mut self, sign: char, expected: &'static str) -> Result<(), GraphqlError> {
        if self.takes(sign)? { Ok(()) } else { Err(self.expected(expected)) }
    }

    fn name(&mut self) -> Result<&'a str, GraphqlError> {
        let Token::Name(name) = self.token else { return Err(self.expected("a name")) };
        self.take()?;
        Ok(name)
    }

    /// Parses something one nesting level deeper.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, GraphqlError>) -> Result<T, GraphqlError> {
        if self.depth == DEPTH {
            return Err(GraphqlError::TooDeep(self.at));
        }
        self.depth += 1;
        let found = read(self)?;
        self.depth -= 1;
        Ok(found)
    }

    fn definition(&mut self, document: &mut Document) -> Result<(), GraphqlError> {
        let kind = match self.token {
            Token::Sign('{') => {
                let selections = self.selections()?;
                let operation = Operation { kind: Kind::Query, defaults: Map::new(), selections };
                document.operations.push(operation);
                return Ok(());
            }
            Token::Name("query") => Kind::Query,
            Token::Name("mutation") => Kind::Mutation,
            Token::Name("subscription") => return Err(GraphqlError::Subscription),
            Token::Name("fragment") => {
                self.take()?;
                let name = self.name()?.to_owned();
                self.condition_of_type()?;
                self.directives()?;
                document.fragments.push((name, self.selections()?));
                return Ok(());
            }
            _ => return Err(self.expected("`query`, `mutation`, `fragment` or `{`")),
        };
        self.take()?;
        if let Token::Name(_) = self.token {
            self.take()?;
        }
        let defaults = self.variables()?;
        self.directives()?;
        document.operations.push(Operation { kind, defaults, selections: self.selections()? });
        Ok(())
    }

    /// Parses the type condition of a fragment (`on`).
    fn condition_of_type(&mut self) -> Result<(), GraphqlError> {
        if self.name()? != "on" {
            return Err(self.expected("the type behind `on`"));
        }
        self.name().map(|_| ())
    }

    /// Parses the variables of an operation and returns their default values.
    fn variables(&mut self) -> Result<Map<String, Value>, GraphqlError> {
        let mut defaults = Map::new();
        if !self.takes('(')? {
            return Ok(defaults);
        }
        while !self.takes(')')? {
            self.sign('$', "a variable")?;
            let name = self.name()?.to_owned();
            self.sign(':', "`:` and a type")?;
            self.kind_of_value()?;
            if self.takes('=')? {
                let Argument::Constant(default) = self.value()? else {
                    return Err(self.expected("a default without variables"));
                };
                defaults.insert(name, default);
            }
            self.directives()?;
        }
        Ok(defaults)
    }

    /// Parses the type of a variable.
    fn kind_of_value(&mut self) -> Result<(), GraphqlError> {
        if self.takes('[')? {
            self.deeper(Self::kind_of_value)?;
            self.sign(']', "`]`")?;
        } else {
            self.name()?;
        }
        self.takes('!').map(|_| ())
    }

    fn selections(&mut self) -> Result<Vec<Selection>, GraphqlError> {
        self.sign('{', "`{`")?;
        self.deeper(|parser| {
            let mut selections = Vec::new();
            while !parser.takes('}')? {
                selections.push(parser.selection()?);
            }
            Ok(selections)
        })
    }

    fn selection(&mut self) -> Result<Selection, GraphqlError> {
        if self.token != Token::Spread {
            return self.field().map(Selection::Field);
        }
        self.take()?;
        match self.token {
            Token::Name("on") => self.condition_of_type()?,
            Token::Name(name) => {
                self.take()?;
                return Ok(Selection::Spread(name.to_owned(), self.directives()?));
            }
            _ => {}
        }
        let conditions = self.directives()?;
        Ok(Selection::Inline(self.selections()?, conditions))
    }

    fn field(&mut self) -> Result<FieldNode, GraphqlError> {
        let first = self.name()?.to_owned();
        let (alias, name) = if self.takes(':')? { (Some(first), self.name()?.to_owned()) } else { (None, first) };
        let arguments = self.arguments()?;
        let conditions = self.directives()?;
        let selections = if self.token == Token::Sign('{') { self.selections()? } else { Vec::new() };
        Ok(FieldNode { alias, name, arguments, conditions, selections })
    }

    fn arguments(&mut self) -> Result<Vec<(String, Argument)>, GraphqlError> {
        if self.takes('(')? { self.named_values(')') } else { Ok(Vec::new()) }
    }

    /// Parses names with values up to a sign.
    fn named_values(&mut self, end: char) -> Result<Vec<(String, Argument)>, GraphqlError> {
        let mut values = Vec::new();
        while !self.takes(end)? {
            let name = self.name()?.to_owned();
            self.sign(':', "`:` and a value")?;
            values.push((name, self.value()?));
        }
        Ok(values)
    }

    /// Parses directives. Returns the conditions of `@include` and `@skip`.
    fn directives(&mut self) -> Result<Vec<Condition>, GraphqlError> {
        let mut conditions = Vec::new();
        while self.takes('@')? {
            let name = self.name()?;
            let condition = self.arguments()?.into_iter().find(|(argument, _)| argument == "if");
            if let ("include" | "skip", Some((_, value))) = (name, condition) {
                conditions.push(Condition { wanted: name == "include", value });
            }
        }
        Ok(conditions)
    }

    fn value(&mut self) -> Result<Argument, GraphqlError> {
        let at = self.at;
        let value = match self.take()? {
            Token::Sign('$') => return Ok(Argument::Variable(self.name()?.to_owned())),
            Token::Sign('[') => return self.deeper(Self::list),
            Token::Sign('{') => return self.deeper(Self::object),
            Token::Number(number) => {
                serde_json::from_str(number).map_err(|_| GraphqlError::Syntax { at, expected: "a number" })?
            }
            Token::Text(text) => Value::String(text),
            Token::Name("true") => Value::Bool(true),
            Token::Name("false") => Value::Bool(false),
            Token::Name("null") => Value::Null,
            Token::Name(name) => Value::String(name.to_owned()),
            _ => return Err(GraphqlError::Syntax { at, expected: "a value" }),
        };
        Ok(Argument::Constant(value))
    }

    fn list(&mut self) -> Result<Argument, GraphqlError> {
        let mut items = Vec::new();
        while !self.takes(']')? {
            let at = self.at;
            let Argument::Constant(item) = self.value()? else {
                return Err(GraphqlError::Syntax { at, expected: "an item without variables" });
            };
            items.push(item);
        }
        Ok(Argument::Constant(Value::Array(items)))
    }

    fn object(&mut self) -> Result<Argument, GraphqlError> {
        let fields = self.named_values('}')?;
        let mut constants = Map::new();
        for (name, value) in &fields {
            let Argument::Constant(value) = value else { return Ok(Argument::Object(fields)) };
            constants.insert(name.clone(), value.clone());
        }
        Ok(Argument::Constant(Value::Object(constants)))
    }
}
