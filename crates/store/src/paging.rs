//! Parameters of listings.

use uuid::Uuid;

/// A parameter of a listing; `None` is null.
#[derive(Clone, Copy)]
pub(super) enum Value<'a> {
    Text(Option<&'a str>),
    Id(Option<Uuid>),
    Integer(i64),
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(Some(text))
    }
}

impl From<Uuid> for Value<'_> {
    fn from(id: Uuid) -> Self {
        Self::Id(Some(id))
    }
}
