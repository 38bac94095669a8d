//! Files that appear under their final name only when they are complete.

use std::path::{Path, PathBuf};

/// A temporary file next to its destination. Dropping it removes the file unless it has replaced the destination.
pub(super) struct PartialFile {
    path: PathBuf,
    is_kept: bool,
}

impl PartialFile {
    /// Creates a path in the directory of `path`, so that a rename stays on one file system.
    pub(super) fn beside(path: &Path) -> Self {
        let directory = path.parent().filter(|directory| !directory.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let path = directory.join(format!(".trainyard-{}.part", uuid::Uuid::new_v4().simple()));
        Self { path, is_kept: false }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Renames the file to `path`, replacing an existing file.
    pub(super) fn keep_as(&mut self, path: &Path) -> std::io::Result<()> {
        std::fs::rename(&self.path, path)?;
        self.is_kept = true;
        Ok(())
    }
}

impl Drop for PartialFile {
    fn drop(&mut self) {
        if !self.is_kept {
            // A file that cannot be removed is recognisable by its name.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}
