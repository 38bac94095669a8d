//! Sources of this crate, for generated servers that carry their own copy.

macro_rules! sources {
    ($($path:literal)*) => { &[
        ("Cargo.toml", include_str!("../vendored.toml")),
        ("LICENSE", include_str!("../LICENSE")),
        $((concat!("src/", $path), include_str!($path)),)*
    ] };
}

/// Files of a copy of this crate: path relative to its directory, and text.
pub const SOURCES: &[(&str, &str)] = sources! {
    "budget.rs"
    "error_chain.rs"
    "http/accept.rs"
    "http/response.rs"
    "http/response_memory.rs"
    "http/api_error.rs"
    "http/authenticate.rs"
    "http/body.rs"
    "http/call.rs"
    "http/decode/form.rs"
    "http/decode/items/mod.rs"
    "http/decode/items/tests.rs"
    "http/decode/json.rs"
    "http/decode/mod.rs"
    "http/decode/nesting.rs"
    "http/decode/parameter.rs"
    "http/decode/shape.rs"
    "http/decode/source.rs"
    "http/decode/style.rs"
    "http/decode/style_tests.rs"
    "http/download.rs"
    "http/events.rs"
    "http/memory.rs"
    "http/mod.rs"
    "http/multipart/mod.rs"
    "http/multipart/form.rs"
    "http/operation.rs"
    "http/parameters.rs"
    "http/range.rs"
    "http/response_headers.rs"
    "http/routes.rs"
    "http/stream.rs"
    "http/template.rs"
    "http/validation.rs"
    "json/allowance.rs"
    "json/binary.rs"
    "json/enumeration.rs"
    "json/formatted.rs"
    "json/mod.rs"
    "json/nearest.rs"
    "json/object.rs"
    "json/path.rs"
    "json/read.rs"
    "json/scan.rs"
    "json/union.rs"
    "json/verbatim.rs"
    "lib.rs"
    "parameter.rs"
    "percent.rs"
    "sources.rs"
    "validation/decimal.rs"
    "validation/format.rs"
    "validation/mod.rs"
    "validation/pattern.rs"
    "validation/trial.rs"
    "validation/unique.rs"
    "work_threads.rs"
};

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use crate::sources::SOURCES;

    fn walk(directory: &Path, root: &Path, found: &mut BTreeSet<String>) {
        for entry in fs::read_dir(directory).unwrap().map(Result::unwrap) {
            match entry.file_type().unwrap().is_dir() {
                true => walk(&entry.path(), root, found),
                false => {
                    found.insert(entry.path().strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/"));
                }
            }
        }
    }

    #[test]
    fn every_source_file_is_listed() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut files = BTreeSet::from(["Cargo.toml".to_owned(), "LICENSE".to_owned()]);
        walk(&root.join("src"), root, &mut files);
        assert_eq!(SOURCES.iter().map(|(path, _)| (*path).to_owned()).collect::<BTreeSet<_>>(), files);
    }
}
