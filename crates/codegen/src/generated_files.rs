//! Synchronisation of generated files: updated in a checkout, an error in a package.

use std::fs;
use std::path::Path;

/// Writes `content` to the file `name` in `directory`. A file that already has this content is not touched, so that a
/// build in a read-only directory succeeds.
///
/// # Errors
/// A line for cargo: the file is stale and belongs to a package, whose sources must not change, or it cannot be
/// written.
pub fn keep(directory: &Path, name: &str, content: &str, packaged: bool) -> Result<(), String> {
    let path = directory.join(name);
    if fs::read_to_string(&path).is_ok_and(|current| current == content) {
        return Ok(());
    }
    if packaged {
        return Err(format!("generated/{name} is stale: build once in the repository, then package"));
    }
    // The rename is atomic, so no reader sees a partial file.
    let temporary = path.with_extension("tmp");
    fs::write(&temporary, content)
        .and_then(|()| fs::rename(&temporary, &path))
        .map_err(|error| format!("generated/{name} is stale and cannot be written: {error}"))
}
