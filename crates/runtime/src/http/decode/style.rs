//! Styles of OpenAPI 3.0.3: how a text splits into items and fields.

use std::borrow::Cow;

use crate::http::ApiError;
use crate::http::decode::Shape;
use crate::http::decode::source::decoded;

/// A written value, split and decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) enum Written {
    Text(String),
    Items(Vec<Written>),
    /// Names and values.
    Fields(Vec<(String, Written)>),
}

impl Written {
    /// Returns the value as text for a message.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Items(items) => items.iter().map(Self::shown).collect::<Vec<_>>().join(","),
            Self::Fields(fields) => {
                fields.iter().map(|(name, value)| format!("{name}={}", value.shown())).collect::<Vec<_>>().join(",")
            }
        }
    }
}

/// Structure that a shape requires of a text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    Text,
    Items,
    Fields,
}

impl Wanted {
    /// Returns the structure for a shape. A choice is read as text; the caller tries its shapes one by one.
    pub(super) fn by(shape: &Shape) -> Self {
        match shape {
            Shape::Array(_) => Self::Items,
            Shape::Object { .. } => Self::Fields,
            Shape::Scalar(..) | Shape::Json | Shape::Choice(..) => Self::Text,
        }
    }
}

/// Encoding of a text.
#[derive(Clone, Copy)]
pub(super) enum Coding {
    /// Percent-encoded.
    Path,
    /// Percent-encoded, with a plus sign for a space.
    Query,
    /// Not encoded.
    Plain,
}

impl Coding {
    pub(super) fn plain<'a>(self, text: &'a str, name: &str) -> Result<Cow<'a, str>, ApiError> {
        match self {
            Self::Path => decoded(text, false, name),
            Self::Query => decoded(text, true, name),
            Self::Plain => Ok(Cow::Borrowed(text)),
        }
    }
}

/// Splits a text at separators.
///
/// With `explode`, a field is `name=value`; without, names and values alternate.
pub(super) fn delimited(
    text: &str,
    separators: &[&str],
    explode: bool,
    wanted: Wanted,
    coding: Coding,
    name: &str,
) -> Result<Written, ApiError> {
    let plain = |text: &str| Ok::<_, ApiError>(coding.plain(text.trim_matches(trimmed(coding)), name)?.into_owned());
    let pieces = || split(text, separators);
    match wanted {
        Wanted::Text => plain(text).map(Written::Text),
        Wanted::Items if text.is_empty() => Ok(Written::Items(Vec::new())),
        Wanted::Items => pieces()
            .into_iter()
            .map(|piece| plain(piece).map(Written::Text))
            .collect::<Result<_, _>>()
            .map(Written::Items),
        Wanted::Fields if text.is_empty() => Ok(Written::Fields(Vec::new())),
        Wanted::Fields if explode => pieces()
            .into_iter()
            .map(|piece| {
                let (key, value) = piece.split_once('=').ok_or_else(|| not_fields(name, "name=value"))?;
                Ok((plain(key)?, Written::Text(plain(value)?)))
            })
            .collect::<Result<_, _>>()
            .map(Written::Fields),
        Wanted::Fields => {
            let pieces = pieces();
            if pieces.len() % 2 == 1 {
                return Err(not_fields(name, "name and value by turns"));
            }
            pieces
                .chunks_exact(2)
                .map(|pair| Ok((plain(pair[0])?, Written::Text(plain(pair[1])?))))
                .collect::<Result<_, _>>()
                .map(Written::Fields)
        }
    }
}

/// Characters to trim around an item: headers allow spaces there.
fn trimmed(coding: Coding) -> &'static [char] {
    match coding {
        Coding::Plain => &[' ', '\t'],
        Coding::Path | Coding::Query => &[],
    }
}

fn split<'a>(text: &'a str, separators: &[&str]) -> Vec<&'a str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    loop {
        let next = separators.iter().filter_map(|separator| Some((rest.find(separator)?, separator.len()))).min();
        match next {
            Some((at, length)) => {
                pieces.push(&rest[..at]);
                rest = &rest[at + length..];
            }
            None => {
                pieces.push(rest);
                return pieces;
            }
        }
    }
}

pub(super) fn not_fields(name: &str, how: &str) -> ApiError {
    ApiError::invalid(name, format!("{name} must be the fields of an object, each as {how}"))
}

/// Maximum number of brackets in one name.
const DEPTH: usize = 8;
/// Upper bound of the item indices in a name.
const MAX_ITEMS: usize = 10_000;

/// Parses `name[a][b]=c`; `None` if no pair has that name.
pub(super) fn bracketed(
    pairs: &[(Cow<'_, str>, &str)],
    name: &str,
    shape: &Shape,
    coding: Coding,
) -> Result<Option<Written>, ApiError> {
    let mut root = Node::default();
    for (key, value) in pairs {
        let Some(path) = key.strip_prefix(name) else { continue };
        if !path.is_empty() && !path.starts_with('[') {
            continue;
        }
        let malformed = || {
            ApiError::invalid(name, format!("{key:?} must be {name} followed by names in brackets, as in {name}[name]"))
        };
        let mut node = &mut root;
        let mut rest = path;
        let mut depth = 0;
        while !rest.is_empty() {
            let (inner, tail) = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')).ok_or_else(malformed)?;
            depth += 1;
            if depth > DEPTH {
                return Err(ApiError::invalid(name, format!("{name} is nested deeper than {DEPTH} brackets")));
            }
            node = node.child(inner);
            rest = tail;
        }
        node.texts.push(coding.plain(value, key)?.into_owned());
    }
    if root.is_empty() { Ok(None) } else { root.written(shape, name).map(Some) }
}

/// Values and children of a name in brackets.
#[derive(Default)]
struct Node {
    texts: Vec<String>,
    children: Vec<(String, Node)>,
}

impl Node {
    fn is_empty(&self) -> bool {
        self.texts.is_empty() && self.children.is_empty()
    }

    fn child(&mut self, name: &str) -> &mut Self {
        // The values of a repeated `[]` belong to one child.
        let index = match self.children.iter().position(|(other, _)| other == name) {
            Some(index) => index,
            None => {
                self.children.push((name.to_owned(), Self::default()));
                self.children.len() - 1
            }
        };
        &mut self.children[index].1
    }

    fn written(self, shape: &Shape, at: &str) -> Result<Written, ApiError> {
        match shape {
            Shape::Choice(shapes, expected) => {
                let wanted = if self.children.is_empty() {
                    None
                } else {
                    shapes.iter().find(|shape| Wanted::by(shape) != Wanted::Text)
                };
                let text = Shape::Scalar(super::Scalar::String, expected);
                self.written(wanted.copied().unwrap_or(&text), at)
            }
            Shape::Array(items) => {
                let mut written: Vec<Written> = self.texts.into_iter().map(Written::Text).collect();
                let mut numbered = Vec::new();
                for (name, child) in self.children {
                    if name.is_empty() {
                        written.extend(child.texts.into_iter().map(Written::Text));
                        if !child.children.is_empty() {
                            let child = Self { texts: Vec::new(), children: child.children };
                            written.push(child.written(items, at)?);
                        }
                        continue;
                    }
                    let index = name.parse::<usize>().ok().filter(|index| *index < MAX_ITEMS);
                    let index = index.ok_or_else(|| {
                        ApiError::invalid(
                            at,
                            format!("{at} is an array, so {at}[{name}] must be {at}[] or {at}[0], {at}[1] and so on"),
                        )
                    })?;
                    numbered.push((index, child));
                }
                numbered.sort_by_key(|(index, _)| *index);
                for (index, child) in numbered {
                    written.push(child.written(items, &format!("{at}[{index}]"))?);
                }
                Ok(Written::Items(written))
            }
            Shape::Object { fields, rest } => {
                if let Some(text) = self.texts.first() {
                    return Err(super::mismatch(at, "an object, its fields in brackets", text));
                }
                let mut written = Vec::new();
                for (name, child) in self.children {
                    let known = fields.iter().find(|(field, _)| *field == name).map(|(_, shape)| *shape);
                    let Some(shape) = known.or(*rest) else { continue };
                    let at = format!("{at}.{name}");
                    let child = child.written(shape, &at)?;
                    written.push((name, child));
                }
                Ok(Written::Fields(written))
            }
            Shape::Scalar(..) | Shape::Json => match (self.texts.as_slice(), self.children.first()) {
                ([text], None) => Ok(Written::Text(text.clone())),
                (_, Some((name, _))) => Err(ApiError::invalid(
                    at,
                    format!("{at} must be {}, so {at}[{name}] means nothing", shape.expected()),
                )),
                _ => Err(twice(at)),
            },
        }
    }
}

pub(super) fn twice(name: &str) -> ApiError {
    ApiError::invalid(name, format!("{name} is given twice; give it once"))
}
