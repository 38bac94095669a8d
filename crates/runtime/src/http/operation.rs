//! Rows of the generated operation table.

use crate::http::Security;

/// Row of the generated operation table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operation {
    /// Operation id.
    pub id: &'static str,
    /// HTTP method in upper case.
    pub method: &'static str,
    /// Path relative to the base address, with `{parameters}`.
    pub path: &'static str,
    /// Tag, which also names the trait.
    pub tag: &'static str,
    /// Name of the base address; `None` for the document's own.
    pub base: Option<&'static str>,
    /// Whether the operation requires an authenticated caller.
    pub secured: bool,
    /// Accepted credentials: alternatives, each a set that is required together. Empty for an open operation.
    pub security: Security,
    /// Documented statuses: codes, ranges such as `4XX`, `default`.
    pub statuses: &'static [&'static str],
    /// Whether the operation is deprecated.
    pub deprecated: bool,
    /// Operation id of the operation that handles this route; `None` if it is not an alias.
    pub alias_of: Option<&'static str>,
    /// Whether the operation is an extension, absent from the service that this one is compatible with.
    pub extension: bool,
}

impl Operation {
    /// Creates the row of an open operation.
    pub const fn new(
        id: &'static str,
        method: &'static str,
        path: &'static str,
        tag: &'static str,
        statuses: &'static [&'static str],
    ) -> Self {
        Self {
            id,
            method,
            path,
            tag,
            base: None,
            secured: false,
            security: &[],
            statuses,
            deprecated: false,
            alias_of: None,
            extension: false,
        }
    }

    /// Sets the accepted credentials. A caller is required unless an alternative is empty.
    #[must_use]
    pub const fn security(self, security: Security) -> Self {
        let mut secured = !security.is_empty();
        let mut index = 0;
        while index < security.len() {
            secured = secured && !security[index].is_empty();
            index += 1;
        }
        Self { security, secured, ..self }
    }

    /// Sets the name of the base address.
    #[must_use]
    pub const fn base(self, base: &'static str) -> Self {
        Self { base: Some(base), ..self }
    }

    /// Marks the operation as deprecated.
    #[must_use]
    pub const fn deprecated(self) -> Self {
        Self { deprecated: true, ..self }
    }

    /// Sets the id of the operation that handles the route.
    #[must_use]
    pub const fn alias_of(self, id: &'static str) -> Self {
        Self { alias_of: Some(id), ..self }
    }

    /// Marks the operation as an extension.
    #[must_use]
    pub const fn extension(self) -> Self {
        Self { extension: true, ..self }
    }
}
