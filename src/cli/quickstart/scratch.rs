//! Directory of a quickstart.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// A directory that is removed at the end, unless it is to be kept.
pub(super) struct Scratch {
    path: PathBuf,
    is_kept: bool,
}

impl Scratch {
    /// Creates the directory: the given one, which is kept, or a new temporary one.
    pub(super) fn new(kept: Option<PathBuf>) -> io::Result<Self> {
        let is_kept = kept.is_some();
        let path = kept.unwrap_or_else(|| {
            std::env::temp_dir().join(format!("trainyard-quickstart-{}", uuid::Uuid::now_v7().simple()))
        });
        fs::create_dir_all(&path)?;
        Ok(Self { path: path.canonicalize()?, is_kept })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn is_kept(&self) -> bool {
        self.is_kept
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if self.is_kept {
            return;
        }
        if let Err(error) = fs::remove_dir_all(&self.path) {
            note!("cannot remove {}: {error}", self.path.display());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_named_stays() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let named = directory.path().join("kept");
        for (kept, stays) in [(Some(named), true), (None, false)] {
            let scratch = Scratch::new(kept).expect("a directory");
            let path = scratch.path().to_owned();
            fs::write(path.join("file"), "x").expect("writable");
            drop(scratch);
            assert_eq!(path.exists(), stays);
        }
    }
}
