//! The list of generated types with the paths of their schemas, from which a client crate implements
//! `schemars::JsonSchema`.

use std::fmt::Write as _;

use crate::ir::schema::Kind;
use crate::{Document, Settings, header};

/// Returns the content of `json_schemas.rs`: an invocation of the macro `json_schemas`, with the name of each type and
/// the JSON pointer of its schema in the document.
///
/// Aliases are left out: they are other names of types that are listed or that the runtime implements.
pub fn json_schemas(document: &Document, settings: &Settings) -> String {
    let mut list = header(settings) + "json_schemas! {\n";
    for named in &document.api.types {
        let is_alias = matches!(named.kind, Kind::Alias(_) | Kind::Verbatim(_) | Kind::External(_));
        if !is_alias && named.pointer.starts_with("/components/schemas/") {
            // Writing to a string cannot fail.
            let _ = writeln!(list, "    {} = {:?},", named.name, named.pointer);
        }
    }
    list + "}\n"
}
