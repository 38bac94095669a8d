//! Backups of a whole store with SQLite, taken while a server runs, and their restoration.
//!
//! A backup is a directory: `trainyard.db`, a snapshot of the database; `artifacts`, all that it refers to; and
//! `backup.json`, written last, so that an interrupted backup is not valid.

use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use futures_util::{StreamExt, TryStreamExt, stream};
use serde::{Deserialize, Serialize};

use super::artifacts::{ArtifactError, Artifacts};
use super::directory_lock::DirectoryLock;
use super::layout::{ARTIFACTS, DATABASE, RESTORING};
use super::metadata::{Metadata, StoreError};
use super::sqlite::{OpenError, SqliteMetadata};
use super::{directories, ownership, private};

const MANIFEST: &str = "backup.json";
/// The version of the backup format.
const FORMAT: u32 = 1;
/// References per page.
const PAGE: u32 = 500;
/// Concurrent copies of artifacts.
const PARALLEL: usize = 4;

/// The manifest of a backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of the directory's format.
    pub format: u32,
    /// Version of the program that made it.
    pub trainyard: String,
    /// Number of artifacts.
    pub artifacts: u64,
    /// Total size of the artifacts, in bytes.
    pub bytes: u64,
}

/// An error from making or restoring a backup.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum BackupError {
    #[error("{0} is not empty; name a directory that is, or that does not exist yet")]
    NotEmpty(PathBuf),
    #[error("{0} has a database already; bring the backup back into another data directory")]
    HasDatabase(PathBuf),
    #[error("{path} is no finished backup: it has no readable {MANIFEST}")]
    NoBackup { path: PathBuf, source: io::Error },
    #[error("the backup has the form {found}, this program reads form {FORMAT}; use a newer trainyard")]
    Form { found: u32 },
    #[error("cannot use {path}")]
    File { path: PathBuf, source: io::Error },
    #[error("cannot copy the database {path}")]
    Snapshot { path: PathBuf, source: sqlx::Error },
    #[error("the database of the backup is damaged: {}", .0.join("; "))]
    Damaged(Vec<String>),
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    Metadata(#[from] StoreError),
    #[error(transparent)]
    Artifacts(#[from] ArtifactError),
}

/// Copies the database file and all artifacts it refers to into the directory `target`. A server may run meanwhile; it
/// removes no artifacts until the copy is done. `on_progress` gets the number of copied artifacts.
///
/// # Errors
/// When `target` is not empty, something cannot be read or written, or an artifact is damaged.
pub async fn back_up(
    database: &Path,
    artifacts: &Artifacts,
    target: &Path,
    on_progress: &mut (dyn FnMut(u64) + Send),
) -> Result<Manifest, BackupError> {
    create_empty(target)?;
    // Before the snapshot: none of its artifacts is removed from then on.
    let lock = artifacts.lock_retention().await?;
    let copied = copy(database, artifacts, target, on_progress).await;
    let released = lock.release().await;
    let manifest = copied?;
    released?;
    let text = serde_json::to_vec_pretty(&manifest).map_err(|error| failed(target, error.into()))?;
    write_durably(&target.join(MANIFEST), &text)?;
    Ok(manifest)
}

/// Copies all referenced artifacts into the directory `target`, as [`back_up`] does, for a database with its own backup
/// tools. Returns their number and total size.
///
/// # Errors
/// When `target` is not empty, something cannot be read or written, or an artifact is damaged.
pub async fn back_up_artifacts(
    metadata: &dyn Metadata,
    artifacts: &Artifacts,
    target: &Path,
    on_progress: &mut (dyn FnMut(u64) + Send),
) -> Result<(u64, u64), BackupError> {
    create_empty(target)?;
    let lock = artifacts.lock_retention().await?;
    let copied = match Artifacts::open_directory(&target.join(ARTIFACTS)) {
        Ok(copies) => copy_artifacts(metadata, artifacts, &copies, on_progress).await,
        Err(error) => Err(error.into()),
    };
    let released = lock.release().await;
    let counted = copied?;
    released?;
    sync(target)?;
    Ok(counted)
}

async fn copy(
    database: &Path,
    artifacts: &Artifacts,
    target: &Path,
    on_progress: &mut (dyn FnMut(u64) + Send),
) -> Result<Manifest, BackupError> {
    let file = target.join(DATABASE);
    SqliteMetadata::snapshot(database, &file)
        .await
        .map_err(|source| BackupError::Snapshot { path: database.to_owned(), source })?;
    ownership::adopt(&file).map_err(|source| failed(&file, source))?;
    let metadata = SqliteMetadata::open(&file).await?;
    let copies = Artifacts::open_directory(&target.join(ARTIFACTS))?;
    let counted = copy_artifacts(&metadata, artifacts, &copies, on_progress).await;
    metadata.close().await;
    let (artifacts, bytes) = counted?;
    sync(&file)?;
    sync(target)?;
    Ok(Manifest { format: FORMAT, trainyard: env!("CARGO_PKG_VERSION").to_owned(), artifacts, bytes })
}

/// Copies all referenced artifacts; returns their number and total size.
async fn copy_artifacts(
    metadata: &dyn Metadata,
    from: &Artifacts,
    to: &Artifacts,
    on_progress: &mut (dyn FnMut(u64) + Send),
) -> Result<(u64, u64), BackupError> {
    let (mut count, mut bytes) = (0, 0);
    let mut after = None;
    loop {
        let page = metadata.artifact_references(after, PAGE).await?;
        let Some(last) = page.last() else { return Ok((count, bytes)) };
        after = Some(last.artifact);
        let mut copying = stream::iter(page.into_iter().map(|reference| from.copy_to(reference.artifact, to)))
            .buffer_unordered(PARALLEL);
        while let Some(copied) = copying.try_next().await? {
            count += 1;
            bytes += copied;
            on_progress(count);
        }
    }
}

/// Restores a backup into the data directory of `lock`, which has no database, and its artifacts into `artifacts`. The lock
/// must be held alone. An interrupted restoration can be repeated: the database is restored last. `on_progress` gets the
/// number of copied artifacts.
///
/// # Errors
/// When the directory has a database, the backup is incomplete, or something cannot be read or written.
pub async fn restore(
    backup: &Path,
    lock: &DirectoryLock,
    artifacts: &Artifacts,
    on_progress: &mut (dyn FnMut(u64) + Send),
) -> Result<Manifest, BackupError> {
    let data_directory = lock.directory();
    let manifest = manifest(backup)?;
    let database = data_directory.join(DATABASE);
    let has_database = || BackupError::HasDatabase(data_directory.to_owned());
    if database.exists() {
        return Err(has_database());
    }
    let unfinished = data_directory.join(RESTORING);
    // SQLite would apply the log of an interrupted restoration to this copy.
    for suffix in ["", "-wal", "-shm"] {
        let left = data_directory.join(format!("{RESTORING}{suffix}"));
        match std::fs::remove_file(&left) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(&left, error)),
            _ => {}
        }
    }
    let copied = std::fs::copy(backup.join(DATABASE), &unfinished).and_then(|_| ownership::adopt(&unfinished));
    copied.map_err(|source| failed(&unfinished, source))?;
    let metadata = SqliteMetadata::open(&unfinished).await?;
    let copied = async {
        let faults = metadata.faults().await;
        let faults = faults.map_err(|source| BackupError::Snapshot { path: unfinished.clone(), source })?;
        if !faults.is_empty() {
            return Err(BackupError::Damaged(faults));
        }
        let copies = Artifacts::open_directory(&backup.join(ARTIFACTS))?;
        copy_artifacts(&metadata, &copies, artifacts, on_progress).await
    }
    .await;
    metadata.close().await;
    copied?;
    sync(&unfinished)?;
    // A rename would replace the database of a program that knows nothing of the lock.
    std::fs::hard_link(&unfinished, &database).map_err(|source| match source.kind() {
        io::ErrorKind::AlreadyExists => has_database(),
        _ => failed(&database, source),
    })?;
    sync(data_directory)?;
    std::fs::remove_file(&unfinished).map_err(|source| failed(&unfinished, source))?;
    sync(data_directory)?;
    Ok(manifest)
}

fn manifest(backup: &Path) -> Result<Manifest, BackupError> {
    let no_backup = |source| BackupError::NoBackup { path: backup.to_owned(), source };
    let text = std::fs::read(backup.join(MANIFEST)).map_err(no_backup)?;
    let manifest: Manifest = serde_json::from_slice(&text).map_err(|error| no_backup(error.into()))?;
    if manifest.format == FORMAT { Ok(manifest) } else { Err(BackupError::Form { found: manifest.format }) }
}

fn create_empty(directory: &Path) -> Result<(), BackupError> {
    match std::fs::read_dir(directory).map(|mut entries| entries.next().is_some()) {
        Ok(true) => return Err(BackupError::NotEmpty(directory.to_owned())),
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(directory, error)),
        _ => {}
    }
    private::make_directory(directory).map_err(|source| failed(directory, source))
}

fn write_durably(path: &Path, content: &[u8]) -> Result<(), BackupError> {
    let write = || {
        let mut file = File::options().write(true).create_new(true).mode(private::FILE).open(path)?;
        ownership::adopt(path)?;
        file.write_all(content)?;
        file.sync_all()
    };
    write().map_err(|source| failed(path, source))?;
    path.parent().map_or(Ok(()), sync)
}

/// Syncs a file, or the entries of a directory, to the disk.
fn sync(path: &Path) -> Result<(), BackupError> {
    directories::sync(path).map_err(|source| failed(path, source))
}

fn failed(path: &Path, source: io::Error) -> BackupError {
    BackupError::File { path: path.to_owned(), source }
}

#[cfg(test)]
mod tests;
