//! `trainyard backup` and `trainyard restore`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use indicatif::ProgressBar;

use super::{CommandError, ConfigError, StoreOptions, fsck, open_artifacts, open_metadata, stored};
use crate::server::lock_directory;
use crate::store::backup;
use crate::store::check::check;
use crate::store::directory_lock::DirectoryLock;
use crate::store::layout::DATABASE;
use crate::store::sqlite::SqliteMetadata;

#[derive(Args)]
pub(super) struct BackupOptions {
    /// Directory of the backup; it must be empty or not exist yet.
    directory: PathBuf,
    #[command(flatten)]
    store: StoreOptions,
}

#[derive(Args)]
pub(super) struct RestoreOptions {
    /// Directory of a backup that `trainyard backup` made.
    backup: PathBuf,
    #[command(flatten)]
    store: StoreOptions,
}

pub(super) async fn back_up(options: BackupOptions) -> Result<(), CommandError> {
    let directory = options.store.data.path()?;
    let database = directory.join(DATABASE);
    stored::check_exists(&directory, options.store.data.database.as_ref())?;
    let is_elsewhere = options.store.data.database.is_some() && options.store.artifacts.is_some();
    let _lock = (!is_elsewhere).then(|| lock_directory(&directory)).transpose()?;
    let artifacts = open_artifacts(&directory, options.store.artifacts.as_ref()).await?;
    let progress = ProgressBar::new_spinner();
    let mut show = |copied| progress.set_message(format!("{copied} artifacts copied"));
    if options.store.data.database.is_some() {
        let metadata = open_metadata(&directory, options.store.data.database.as_ref()).await?;
        let made = backup::back_up_artifacts(&*metadata, &artifacts, &options.directory, &mut show).await;
        progress.finish_and_clear();
        let (count, bytes) = made?;
        note!(
            "{count} artifacts ({bytes} bytes) are in {}, the PostgreSQL database is not: use the dump that pg_dump made \
             right before this, or take one now and back up again",
            options.directory.display()
        );
        return Ok(());
    }
    let made = backup::back_up(&database, &artifacts, &options.directory, &mut show).await;
    progress.finish_and_clear();
    let made = made?;
    note!(
        "the database and {} artifacts ({} bytes) are in {}",
        made.artifacts,
        made.bytes,
        options.directory.display()
    );
    Ok(())
}

pub(super) async fn restore(options: RestoreOptions) -> Result<ExitCode, CommandError> {
    if options.store.data.database.is_some() {
        return Err(ConfigError::RestorePostgres.into());
    }
    let directory = options.store.data.path()?;
    let lock = DirectoryLock::seize(&directory)?;
    let artifacts = open_artifacts(&directory, options.store.artifacts.as_ref()).await?;
    let progress = ProgressBar::new_spinner();
    let mut show = |copied| progress.set_message(format!("{copied} artifacts copied"));
    let restored = backup::restore(&options.backup, &lock, &artifacts, &mut show).await;
    progress.finish_and_clear();
    restored?;
    let metadata = SqliteMetadata::open(&directory.join(DATABASE)).await?.holding(lock);
    let report = check(&metadata, &artifacts, &mut |_| {}).await;
    metadata.close().await;
    fsck::tell(&report?, false)
}
