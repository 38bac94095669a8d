//! Directories and files that only their owner can access: they contain trajectories, adapters and hashes of keys.

use std::fs::Permissions;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::directories;
use super::layout::{ARTIFACTS, ARTIFACTS_BY_HASH, DATABASE};

/// Mode of a private directory.
pub(super) const DIRECTORY: u32 = 0o700;
/// Mode of a private file.
pub(super) const FILE: u32 = 0o600;
/// Permissions of everyone but the owner.
const OTHERS: u32 = 0o077;
/// Names of the entries of a store's directories.
const ENTRIES: [&str; 3] = [DATABASE, ARTIFACTS, ARTIFACTS_BY_HASH];

/// Creates a private directory with its parents, durably. An existing one that others can access becomes private if it is empty
/// or belongs to a store.
///
/// # Errors
/// When the directory cannot be created, or others can access it and it cannot be changed.
pub fn make_directory(directory: &Path) -> io::Result<()> {
    directories::create(directory, DIRECTORY)?;
    if !is_open(directory)? {
        return Ok(());
    }
    // For example /tmp, which other programs need as it is.
    if !belongs_to_a_store(directory)? {
        let reason = "it has files of other programs, and other users can access it";
        let remedy =
            format!("name an empty directory, or run `chmod 700 {}` if nobody else needs it", directory.display());
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, format!("{reason}; {remedy}")));
    }
    close(directory, DIRECTORY)
}

/// Makes an existing file private. Does nothing if there is none.
///
/// # Errors
/// When others can access the file, and it cannot be changed.
pub(super) fn close_file(file: &Path) -> io::Result<()> {
    match is_open(file) {
        Ok(true) => close(file, FILE),
        Ok(false) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

fn is_open(path: &Path) -> io::Result<bool> {
    Ok(path.metadata()?.permissions().mode() & OTHERS != 0)
}

fn belongs_to_a_store(directory: &Path) -> io::Result<bool> {
    let mut is_empty = true;
    for entry in directory.read_dir()? {
        let name = entry?.file_name();
        if ENTRIES.iter().any(|known| name == *known) {
            return Ok(true);
        }
        // The root of a file system may have this directory from the beginning.
        is_empty &= name == "lost+found";
    }
    Ok(is_empty)
}

fn close(path: &Path, mode: u32) -> io::Result<()> {
    let changed = std::fs::set_permissions(path, Permissions::from_mode(mode)).and_then(|()| match is_open(path)? {
        false => Ok(()),
        // Some network file systems have one mode for all files.
        true => Err(io::Error::new(io::ErrorKind::Unsupported, "the file system does not store modes")),
    });
    changed.map_err(|error| {
        let path = path.display();
        let remedy = format!("run `chmod {mode:o} {path}` as its owner, or use another directory");
        io::Error::new(
            error.kind(),
            format!("other users can access {path}, which cannot be changed ({error}); {remedy}"),
        )
    })?;
    tracing::warn!(path = %path.display(), mode = format!("{mode:o}"), "other users could access it; it is private now");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(path: &Path) -> u32 {
        path.metadata().unwrap().permissions().mode() & 0o777
    }

    fn open(path: &Path, mode: u32) {
        std::fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn directories_of_a_store_become_private() {
        let outer = tempfile::tempdir().unwrap();
        let new = outer.path().join("a/b");
        make_directory(&new).unwrap();
        assert_eq!((mode(&new), mode(new.parent().unwrap())), (0o700, 0o700));
        for name in ["", "trainyard.db", "artifacts", "sha256"] {
            for before in [0o755, 0o777, 0o750, 0o701] {
                let directory = outer.path().join(format!("{name}-{before}"));
                std::fs::create_dir(&directory).unwrap();
                if !name.is_empty() {
                    std::fs::write(directory.join(name), "x").unwrap();
                    std::fs::write(directory.join("another"), "x").unwrap();
                }
                open(&directory, before);
                make_directory(&directory).unwrap();
                assert_eq!(mode(&directory), 0o700, "{name:?} {before:o}");
                make_directory(&directory).unwrap();
            }
        }
    }

    #[test]
    fn directories_of_other_programs_stay_as_they_are() {
        let outer = tempfile::tempdir().unwrap();
        std::fs::write(outer.path().join("another"), "x").unwrap();
        open(outer.path(), 0o700);
        make_directory(outer.path()).unwrap();
        open(outer.path(), 0o1777);
        let error = make_directory(outer.path()).unwrap_err().to_string();
        assert!(error.contains("other users can access it") && error.contains("name an empty directory"), "{error}");
        assert_eq!(mode(outer.path()), 0o777);
    }

    #[test]
    fn files_become_private() {
        let outer = tempfile::tempdir().unwrap();
        let file = outer.path().join("file");
        close_file(&file).unwrap();
        assert!(!file.exists());
        std::fs::write(&file, "x").unwrap();
        for before in [0o644, 0o666, 0o640, 0o600] {
            open(&file, before);
            close_file(&file).unwrap();
            assert_eq!(mode(&file), 0o600);
        }
    }
}
