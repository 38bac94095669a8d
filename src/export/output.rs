//! A directory that appears under its name only when it is complete.

use std::fs::{self, File};
use std::io::{BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::Archive;
use crate::model_files::parent;

/// Error of a directory that cannot be written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OutputError {
    #[error("{} holds something; name a directory that does not exist, or an empty one", .0.display())]
    NotEmpty(PathBuf),
    #[error("{} is a file; name a directory that does not exist, or an empty one", .0.display())]
    NoDirectory(PathBuf),
    #[error("cannot write {}: {source}", path.display())]
    Write { path: PathBuf, source: std::io::Error },
    #[error("cannot read {}: {source}", path.display())]
    Read { path: PathBuf, source: std::io::Error },
}

/// A temporary directory beside its destination. Dropping it removes it unless it has become the destination.
#[derive(Debug)]
pub(crate) struct Output {
    destination: PathBuf,
    temporary: PathBuf,
    is_kept: bool,
}

impl Output {
    /// Creates the temporary directory, and the directories above it.
    ///
    /// # Errors
    /// The destination holds something, or a directory cannot be created.
    pub(crate) fn create(destination: &Path) -> Result<Self, OutputError> {
        check_empty(destination)?;
        let failed = |source| OutputError::Write { path: destination.to_owned(), source };
        // `out/` names what `out` does.
        let destination: PathBuf = destination.components().collect();
        let parent = parent(&destination);
        fs::create_dir_all(parent).map_err(failed)?;
        let temporary = parent.join(format!(".trainyard-{}.part", uuid::Uuid::new_v4().simple()));
        fs::create_dir(&temporary).map_err(failed)?;
        Ok(Self { destination, temporary, is_kept: false })
    }

    /// Returns the path of a file before the directory is complete.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.temporary.join(name)
    }

    /// Writes a file.
    pub(super) fn file(&self, name: &str, content: &[u8]) -> Result<(), OutputError> {
        self.stream(name, |file| file.write_all(content).map_err(|source| self.failed(name, source)))
    }

    /// Writes a file a part at a time. It is on the disk when this returns.
    pub(super) fn stream<E: From<OutputError>>(
        &self,
        name: &str,
        write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
    ) -> Result<(), E> {
        let failed = |source| E::from(self.failed(name, source));
        let mut file = BufWriter::new(File::create_new(self.path(name)).map_err(failed)?);
        write(&mut file)?;
        let file = file.into_inner().map_err(|error| failed(error.into_error()))?;
        file.sync_all().map_err(failed)
    }

    /// Returns the names of the files.
    pub(super) fn files(&self) -> std::io::Result<Vec<String>> {
        let name = |entry: std::io::Result<fs::DirEntry>| Ok(entry?.file_name().to_string_lossy().into_owned());
        fs::read_dir(&self.temporary)?.map(name).collect()
    }

    /// Makes an archive of the files, which never get their destination. See [`Archive`].
    ///
    /// # Errors
    /// A file cannot be read.
    pub(crate) fn into_archive(self, directory: &str, modified_at: u64) -> Result<Archive, OutputError> {
        Archive::of(self, directory, modified_at)
    }

    pub(super) fn failed(&self, name: &str, source: std::io::Error) -> OutputError {
        OutputError::Write { path: self.destination.join(name), source }
    }

    /// Renames the directory to its destination.
    ///
    /// # Errors
    /// The destination holds something by now, or the file system fails.
    pub(crate) fn keep(mut self) -> Result<(), OutputError> {
        let failed = |source| OutputError::Write { path: self.destination.clone(), source };
        sync(&self.temporary).map_err(failed)?;
        match fs::rename(&self.temporary, &self.destination) {
            Err(error) if error.kind() == ErrorKind::DirectoryNotEmpty => {
                return Err(OutputError::NotEmpty(self.destination.clone()));
            }
            renamed => renamed.map_err(failed)?,
        }
        self.is_kept = true;
        sync(parent(&self.destination)).map_err(failed)
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if !self.is_kept {
            // A directory that cannot be removed is recognisable by its name.
            let _ = fs::remove_dir_all(&self.temporary);
        }
    }
}

fn check_empty(directory: &Path) -> Result<(), OutputError> {
    match fs::read_dir(directory) {
        Ok(mut entries) => match entries.next() {
            Some(_) => Err(OutputError::NotEmpty(directory.to_owned())),
            None => Ok(()),
        },
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) if error.kind() == ErrorKind::NotADirectory => Err(OutputError::NoDirectory(directory.to_owned())),
        Err(source) => Err(OutputError::Read { path: directory.to_owned(), source }),
    }
}

fn sync(directory: &Path) -> std::io::Result<()> {
    File::open(directory)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_appears_complete_or_not_at_all() {
        let site = tempfile::tempdir().expect("a directory");
        let destination = site.path().join("deep/out");
        let output = Output::create(&destination).expect("an output");
        output.file("a", b"content").expect("a file");
        assert!(!destination.exists());
        drop(output);
        assert_eq!(fs::read_dir(site.path().join("deep")).expect("a directory").count(), 0, "nothing is left");
        let output = Output::create(&destination.join("")).expect("an output");
        output.file("a", b"content").expect("a file");
        output.keep().expect("a rename");
        assert_eq!(fs::read(destination.join("a")).expect("a file"), b"content");
        let message = Output::create(&destination).expect_err("it holds something").to_string();
        assert!(message.contains("holds something; name a directory"), "{message}");
        let message = Output::create(&destination.join("a")).expect_err("a file").to_string();
        assert!(message.contains("is a file"), "{message}");
        let empty = site.path().join("empty");
        fs::create_dir(&empty).expect("a directory");
        let output = Output::create(&empty).expect("an empty directory may be there");
        fs::write(empty.join("other"), "x").expect("a file");
        assert!(matches!(output.keep(), Err(OutputError::NotEmpty(_))), "others' files stay");
    }
}
