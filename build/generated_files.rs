//! Keeps a generated file what the generator makes of the document: written in a checkout, refused in a package.

use std::{fs, path::Path};

/// Makes the file `name` in `directory` hold `content`. A file that holds it already is not touched, so that a
/// read-only directory builds.
///
/// # Errors
/// With a line for cargo: when the file is stale and belongs to a package, whose sources must not change, or when it
/// cannot be written.
pub fn keep(directory: &Path, name: &str, content: &str, packaged: bool) -> Result<(), String> {
    let path = directory.join(name);
    if fs::read_to_string(&path).is_ok_and(|current| current == content) {
        return Ok(());
    }
    if packaged {
        return Err(format!("generated/{name} is stale: build once in the repository, then package"));
    }
    // Renamed into place, so that nobody reads half a file.
    let temporary = path.with_extension("tmp");
    fs::write(&temporary, content)
        .and_then(|()| fs::rename(&temporary, &path))
        .map_err(|error| format!("generated/{name} is stale and cannot be written: {error}"))
}
