//! Directories of adapters that replicas read.
//!
//! A directory's name is derived from the hashes of its files, so it never gets other content. A replica reads a directory
//! again whenever it has evicted the adapter, and its engine dies if the directory is gone. A directory therefore outlives
//! its registration: it is removed a while after the last use, when no replica lists the adapter.

use std::collections::{HashMap, HashSet};

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant, SystemTime};

use bytes::Bytes;
use parking_lot::Mutex;
use sha2::{Digest, Sha256};
use tokio::sync::OnceCell;
use uuid::Uuid;

use super::VllmSampler;
use crate::engine::sampler::{AdapterEffect, AdapterHash};
use crate::store::background::LastOutcome;
use crate::store::{directories, ownership};

/// Beginning of the name of every adapter at a replica.
const PREFIX: &str = "ty-";
/// Number of hexadecimal digits after the prefix.
const DIGITS: usize = 32;
/// Beginning of the name of a directory that is being written.
const UNFINISHED: &str = ".unfinished-";
/// Interval at which the time of a directory's last use is written.
const TOUCH: Duration = Duration::from_secs(60);
/// Interval between two collections, which is also the grace period after a replica stopped listing an adapter.
const COLLECT: Duration = Duration::from_secs(60);

/// Returns the name of an adapter at every replica.
pub(super) fn adapter_name(hash: &AdapterHash) -> String {
    let digest = Sha256::new().chain_update(hash.config).chain_update(hash.weights).finalize();
    let mut name = hex::encode(digest);
    name.truncate(DIGITS);
    name.insert_str(0, PREFIX);
    name
}

/// Directory of adapter directories.
pub(crate) struct AdapterDirectories {
    root: PathBuf,
    keep: Duration,
    known: Mutex<HashMap<AdapterHash, Arc<Known>>>,
}

#[derive(Default)]
struct Known {
    directory: OnceCell<Arc<Path>>,
    effect: OnceCell<Option<Arc<AdapterEffect>>>,
    touched: Mutex<Option<Instant>>,
}

impl AdapterDirectories {
    /// Opens a directory, and creates it if it is missing. An adapter's directory is kept for `keep` after its last use.
    ///
    /// # Errors
    /// The directory cannot be created.
    pub(crate) fn open(root: &Path, keep: Duration) -> io::Result<Self> {
        directories::create(root, 0o777)?;
        // Replicas need the path as their own file system has it.
        let root = fs::canonicalize(root)?;
        Ok(Self { root, keep, known: Mutex::default() })
    }

    /// Returns the directory of an adapter, and writes it with the files from `read` (configuration and weights) if it is
    /// missing or has other files. Returns the adapter's effect too, from `effect` at the first call. Concurrent calls for one adapter share
    /// one write.
    ///
    /// # Errors
    /// Returns the errors of `read`, of `effect` and of the file system.
    pub(crate) async fn place<E: From<io::Error>>(
        &self,
        hash: AdapterHash,
        read: impl AsyncFnOnce() -> Result<(Bytes, Bytes), E>,
        effect: impl AsyncFnOnce() -> Result<Option<AdapterEffect>, E>,
    ) -> Result<(Arc<Path>, Option<Arc<AdapterEffect>>), E> {
        let known = self.known.lock().entry(hash).or_default().clone();
        let path = known
            .directory
            .get_or_try_init(|| async {
                let path: Arc<Path> = self.root.join(adapter_name(&hash)).into();
                let found = path.clone();
                if !blocking(move || has_content(&found, &hash)).await? {
                    let (config, weights) = read().await?;
                    let (root, target) = (self.root.clone(), path.clone());
                    blocking(move || write(&root, &target, &config, &weights)).await?;
                }
                Ok::<_, E>(path)
            })
            .await?
            .clone();
        let due = {
            let mut touched = known.touched.lock();
            let due = touched.is_none_or(|at| at.elapsed() >= TOUCH);
            if due {
                *touched = Some(Instant::now());
            }
            due
        };
        if due {
            let touched = path.clone();
            blocking(move || File::open(&touched)?.set_modified(SystemTime::now())).await?;
        }
        let found = async || Ok::<_, E>(effect().await?.map(Arc::new));
        let effect = known.effect.get_or_try_init(found).await?.clone();
        Ok((path, effect))
    }

    /// Returns the names of adapters whose last use is longer ago than the time for which directories are kept.
    fn overdue(&self) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.root)? {
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            let used = entry.metadata()?.modified()?;
            let is_old = SystemTime::now().duration_since(used).is_ok_and(|age| age > self.keep);
            if is_old && (is_adapter_name(&name) || name.starts_with(UNFINISHED)) {
                names.push(name);
            }
        }
        Ok(names)
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        self.known.lock().retain(|hash, _| adapter_name(hash) != name);
        // Nobody begins to read it under its name while the files go.
        let away = self.root.join(format!("{UNFINISHED}{}", Uuid::new_v4().simple()));
        fs::rename(self.root.join(name), &away)?;
        fs::remove_dir_all(away)
    }
}

/// Returns whether this is a name that [`adapter_name`] makes.
pub(super) fn is_adapter_name(name: &str) -> bool {
    name.strip_prefix(PREFIX)
        .is_some_and(|digits| digits.len() == DIGITS && digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
}

/// The files of a directory.
const FILES: [&str; 2] = ["adapter_config.json", "adapter_model.safetensors"];

/// Returns whether a directory has the files of an adapter. One value that is not a number spoils the responses to other
/// requests at a replica, so the files that replicas read are those that were validated.
fn has_content(directory: &Path, hash: &AdapterHash) -> io::Result<bool> {
    for (name, expected) in FILES.into_iter().zip([hash.config, hash.weights]) {
        let content = match fs::read(directory.join(name)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            content => content?,
        };
        if Sha256::digest(&content)[..] != expected {
            tracing::error!(directory = %directory.display(), file = name, "a file of an adapter has been changed");
            return Ok(false);
        }
    }
    Ok(true)
}

/// Writes the files to a temporary directory, makes them durable, and gives the directory its name. A directory with other
/// files loses that name.
fn write(root: &Path, target: &Path, config: &[u8], weights: &[u8]) -> io::Result<()> {
    let temporary = root.join(format!("{UNFINISHED}{}", Uuid::new_v4().simple()));
    fs::create_dir(&temporary)?;
    let written = (|| {
        for (name, content) in FILES.into_iter().zip([config, weights]) {
            let mut file = File::create_new(temporary.join(name))?;
            file.write_all(content)?;
            file.sync_all()?;
        }
        ownership::adopt_all(&temporary)?;
        File::open(&temporary)?.sync_all()?;
        if fs::rename(&temporary, target).is_err() {
            // It is there with other files, or another process has written the same ones meanwhile.
            let away = root.join(format!("{UNFINISHED}{}", Uuid::new_v4().simple()));
            fs::rename(target, &away)?;
            fs::rename(&temporary, target)?;
            fs::remove_dir_all(away)?;
        }
        File::open(root)?.sync_all()
    })();
    if written.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_dir_all(&temporary);
    }
    written
}

/// Runs file operations on a blocking thread.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> io::Result<T> + Send + 'static) -> io::Result<T> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|error| Err(io::Error::other(error)))
}

/// Removes the directories of adapters that have not been used for a while, until every sampler is dropped. An adapter that
/// a replica still lists is unloaded there first, and its directory stays until two later rounds find it nowhere.
pub(crate) async fn collect(
    directories: Arc<AdapterDirectories>,
    samplers: Vec<Weak<VllmSampler>>,
    outcome: LastOutcome,
) {
    let mut unlisted = HashSet::new();
    loop {
        tokio::time::sleep(COLLECT).await;
        let samplers: Vec<_> = samplers.iter().filter_map(Weak::upgrade).collect();
        if samplers.is_empty() {
            return;
        }
        let overdue = {
            let directories = directories.clone();
            blocking(move || directories.overdue()).await
        };
        let ended = match overdue {
            Ok(overdue) => round(&directories, &samplers, overdue, &mut unlisted).await,
            Err(error) => Err(error),
        };
        if let Err(error) = &ended {
            tracing::warn!(%error, "unused directories of adapters cannot be removed");
        }
        outcome.record(&ended);
    }
}

/// Removes those of the `overdue` directories that were `unlisted` in the round before, and are so now. Then `unlisted` has
/// the names that may be removed in the next round. Returns the first error of a removal.
async fn round(
    directories: &Arc<AdapterDirectories>,
    samplers: &[Arc<VllmSampler>],
    overdue: Vec<String>,
    unlisted: &mut HashSet<String>,
) -> io::Result<()> {
    let before = std::mem::take(unlisted);
    let mut ended = Ok(());
    for name in overdue {
        let mut is_listed = false;
        for sampler in samplers {
            is_listed |= sampler.unload(&name).await;
        }
        if is_listed {
            continue;
        }
        if !before.contains(&name) {
            unlisted.insert(name);
            continue;
        }
        let (directories, gone) = (directories.clone(), name.clone());
        match blocking(move || directories.remove(&gone)).await {
            Ok(()) => tracing::info!(adapter = name, "removed the directory of an adapter that is no longer used"),
            Err(error) => ended = ended.and(Err(error)),
        }
    }
    ended
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_directory_has_the_content_of_its_name() {
        let root = tempfile::tempdir().unwrap();
        let (config, weights) = (Bytes::from_static(b"{}"), Bytes::from_static(b"weights"));
        let hash = AdapterHash { config: Sha256::digest(&config).into(), weights: Sha256::digest(&weights).into() };
        let place = async |reads: bool| {
            let directories = AdapterDirectories::open(root.path(), Duration::from_secs(60)).unwrap();
            let (config, weights) = (config.clone(), weights.clone());
            let read = async || {
                assert!(reads, "the files are there");
                Ok::<_, io::Error>((config, weights))
            };
            directories.place(hash, read, async || Ok(None)).await.unwrap().0
        };
        let path = place(true).await;
        assert_eq!(path.file_name().unwrap(), adapter_name(&hash).as_str());
        place(false).await;
        // Damage is noticed at the next start, and nothing of it is left.
        for (file, damage) in [(FILES[1], &b"other"[..]), (FILES[0], b"")] {
            fs::write(path.join(file), damage).unwrap();
            place(true).await;
            assert_eq!(fs::read(path.join(FILES[1])).unwrap(), b"weights");
            assert_eq!(fs::read_dir(root.path()).unwrap().count(), 1);
        }
        fs::remove_file(path.join(FILES[0])).unwrap();
        place(true).await;
        place(false).await;
    }
}
