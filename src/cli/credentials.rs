//! File in which `trainyard login` stores the address of a service and an API key for it.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::CommandError;
use super::partial_file::PartialFile;

/// Maximum size of the file in bytes.
const MAX_BYTES: u64 = 64 << 10;
/// Permissions of a file that contains a key.
const OWNER_ONLY: u32 = 0o600;

/// A service and an API key for it.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Login {
    /// Root URL of the service, as the client writes it.
    pub(super) base_url: String,
    pub(super) api_key: String,
}

impl Login {
    /// Reads the file of `trainyard login`, if it exists. A file that other users can read is made private.
    pub(super) fn read() -> Result<Option<Self>, CommandError> {
        path().map_or(Ok(None), |path| Self::read_from(&path))
    }

    fn read_from(path: &Path) -> Result<Option<Self>, CommandError> {
        let unreadable = |error: io::Error| format!("cannot read {}: {error}", path.display());
        let file = match File::open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            opened => opened.map_err(unreadable)?,
        };
        if file.metadata().map_err(unreadable)?.permissions().mode() & 0o077 != 0 {
            file.set_permissions(Permissions::from_mode(OWNER_ONLY)).map_err(|error| {
                let path = path.display();
                format!("{path} holds an API key that others can read, and its permissions cannot be changed: {error}")
            })?;
            note!("others could read {} with its API key; it is private now", path.display());
        }
        let mut text = String::new();
        file.take(MAX_BYTES).read_to_string(&mut text).map_err(unreadable)?;
        // The error's full text would show the line, which contains the key.
        toml::from_str(&text).map(Some).map_err(|error| {
            format!("{} is damaged ({}); `trainyard login` writes it anew", path.display(), error.message()).into()
        })
    }

    /// Writes the file, replacing an existing one, and returns its path.
    pub(super) fn keep(&self) -> Result<PathBuf, CommandError> {
        let path = path().ok_or("this user has no configuration directory; set XDG_CONFIG_HOME")?;
        self.write_to(&path).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        Ok(path)
    }

    /// Writes the file atomically, with private permissions from the start.
    fn write_to(&self, path: &Path) -> io::Result<()> {
        let text = toml::to_string(self).map_err(io::Error::other)?;
        let directory = path.parent().unwrap_or(Path::new("."));
        DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
        let mut partial = PartialFile::beside(path);
        let mut file = OpenOptions::new().write(true).create_new(true).mode(OWNER_ONLY).open(partial.path())?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        partial.keep_as(path)
    }

    /// Removes the file and returns its path; `None` if there is no file.
    pub(super) fn forget() -> Result<Option<PathBuf>, CommandError> {
        let Some(path) = path() else { return Ok(None) };
        match fs::remove_file(&path) {
            Ok(()) => Ok(Some(path)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(format!("cannot remove {}: {error}", path.display()).into()),
        }
    }
}

fn path() -> Option<PathBuf> {
    dirs::config_dir().map(|directory| directory.join("trainyard").join("login.toml"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn login(api_key: &str) -> Login {
        Login { base_url: "http://127.0.0.1:8000".to_owned(), api_key: api_key.to_owned() }
    }

    #[test]
    fn a_login_is_private_from_its_first_byte() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let path = directory.path().join("new/login.toml");
        assert!(Login::read_from(&path).expect("readable").is_none());
        for key in ["first", "second"] {
            login(key).write_to(&path).expect("writable");
            assert_eq!(Login::read_from(&path).expect("readable").expect("kept").api_key, key);
        }
        let mode = |path: &Path| fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
        assert_eq!((mode(&path), mode(path.parent().expect("a directory"))), (0o600, 0o700));
        let files = fs::read_dir(path.parent().expect("a directory")).expect("a directory").count();
        assert_eq!(files, 1, "nothing is left beside it");
    }

    #[test]
    fn a_login_that_others_can_read_is_made_private() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let path = directory.path().join("login.toml");
        login("key").write_to(&path).expect("writable");
        fs::set_permissions(&path, Permissions::from_mode(0o640)).expect("changed");
        assert!(Login::read_from(&path).expect("readable").is_some());
        assert_eq!(fs::metadata(&path).expect("it is there").permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_damaged_login_is_told_without_its_key() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let path = directory.path().join("login.toml");
        fs::write(&path, "api-key = \"secret-key\" \"secret-key\"").expect("writable");
        fs::set_permissions(&path, Permissions::from_mode(0o600)).expect("changed");
        let error = Login::read_from(&path).err().expect("refused").to_string();
        assert!(error.contains("trainyard login") && !error.contains("secret"), "{error}");
    }
}
