//! `trainyard files`: files at a running service.

use std::{
    io::{IsTerminal, Write},
    path::{Path, PathBuf},
};

use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use sha2::{Digest, Sha256};

use super::{
    Failure,
    age::age,
    print, print_json,
    remote::{Listed, Remote},
    table::Table,
};
use crate::client::{
    Client, Download,
    types::{File, FileOrder, FilePurpose},
};
use crate::hexadecimal::hexadecimal;

#[derive(Args)]
#[command(after_help = "Examples:\n  \
    trainyard files upload train.jsonl\n  \
    trainyard files list --purpose fine-tune\n  \
    trainyard files download file-01a1f9c6218a7d10aa553b1f60a2c9e4 --to train.jsonl")]
pub(super) struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Upload a file and print its id.
    Upload {
        /// The file.
        path: PathBuf,
        /// What it is for: fine-tune (conversations) or user_data (anything else).
        #[arg(long, default_value = "fine-tune")]
        purpose: FilePurpose,
        /// Print what is known of the file as JSON.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        remote: Remote,
    },
    /// List files, the newest first.
    List {
        /// Only those for this: fine-tune or user_data.
        #[arg(long)]
        purpose: Option<FilePurpose>,
        #[command(flatten)]
        listed: Listed,
        #[command(flatten)]
        remote: Remote,
    },
    /// Show what is known of a file as JSON.
    Get {
        /// The file's id.
        id: String,
        #[command(flatten)]
        remote: Remote,
    },
    /// Download a file.
    Download {
        /// The file's id.
        id: String,
        /// Where to put it; standard output unless given.
        #[arg(long, value_name = "PATH")]
        to: Option<PathBuf>,
        #[command(flatten)]
        remote: Remote,
    },
    /// Delete files; jobs that were created with one keep what they need.
    Delete {
        /// Their ids.
        #[arg(required = true)]
        ids: Vec<String>,
        #[command(flatten)]
        remote: Remote,
    },
}

pub(super) async fn run(options: Options) -> Result<(), Failure> {
    match options.command {
        Command::Upload { path, purpose, json, remote } => {
            let file = upload(&remote.client()?, &path, purpose).await?;
            if json { print_json(&file)? } else { print(&format!("{}\n", file.id))? }
        }
        Command::List { purpose, listed, remote } => {
            let (limit, newest) = (Some(listed.limit), Some(FileOrder::Desc));
            let page = remote.client()?.list_files(None, limit, newest, purpose).await?.into_inner();
            listed.show(&page.data, page.has_more, "no such files", as_table)?;
        }
        Command::Get { id, remote } => print_json(&*remote.client()?.get_file(&id).await?)?,
        Command::Download { id, to, remote } => {
            let content = remote.client()?.get_file_content(&id, None, None, None).await?;
            match to {
                Some(path) => save(content, &path, None).await?,
                None => show(content).await?,
            }
        }
        Command::Delete { ids, remote } => {
            let client = remote.client()?;
            for id in ids {
                client.delete_file(&id).await?;
                note!("deleted {id}");
            }
        }
    }
    Ok(())
}

fn as_table(files: &[File]) -> Table {
    let mut table = Table::new(["ID", "NAME", "PURPOSE", "BYTES", "CREATED"]);
    for file in files {
        let (purpose, bytes) = (file.purpose.to_string(), file.bytes.to_string());
        table.row([file.id.clone(), file.filename.clone(), purpose, bytes, age(file.created_at)]);
    }
    table
}

/// Uploads a file as it is read, with its progress on a terminal.
pub(super) async fn upload(client: &Client, path: &Path, purpose: FilePurpose) -> Result<File, Failure> {
    let unreadable = |error: std::io::Error| format!("cannot read {}: {error}", path.display());
    let file = tokio::fs::File::open(path).await.map_err(unreadable)?;
    let metadata = file.metadata().await.map_err(unreadable)?;
    if !metadata.is_file() {
        return Err(format!("{} is no file", path.display()).into());
    }
    let progress = progress(metadata.len());
    let counted = progress.clone();
    let chunks = futures_util::stream::try_unfold(file, move |mut file| {
        let progress = counted.clone();
        async move {
            let mut chunk = bytes::BytesMut::with_capacity(1 << 20);
            tokio::io::AsyncReadExt::read_buf(&mut file, &mut chunk).await?;
            progress.inc(chunk.len() as u64);
            Ok::<_, std::io::Error>((!chunk.is_empty()).then(|| (chunk.freeze(), file)))
        }
    });
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let file = client.create_file(purpose, &name, reqwest::Body::wrap_stream(chunks)).await?.into_inner();
    progress.finish_and_clear();
    Ok(file)
}

/// Writes a download into a new file; one that is there is replaced once all of it has come, and has this SHA-256 in
/// hexadecimal digits if one is given.
pub(super) async fn save(mut content: Download, path: &Path, sha256: Option<&str>) -> Result<(), Failure> {
    let unwritable = |error: std::io::Error| format!("cannot write {}: {error}", path.display());
    if path.exists() && !path.is_file() {
        return Err(format!("cannot write {}: it is there, and no file", path.display()).into());
    }
    let progress = progress(content.length().unwrap_or_default());
    let mut partial = Partial::beside(path);
    let mut file = std::fs::File::create(partial.path()).map_err(unwritable)?;
    let mut hash = Sha256::new();
    while let Some(chunk) = content.chunk().await? {
        hash.update(&chunk);
        file.write_all(&chunk).map_err(unwritable)?;
        progress.inc(chunk.len() as u64);
    }
    let found = hexadecimal(&hash.finalize());
    if sha256.is_some_and(|sha256| sha256 != found) {
        return Err(format!("{} did not arrive as it is stored; download it again", path.display()).into());
    }
    file.sync_all().map_err(unwritable)?;
    partial.keep_as(path).map_err(unwritable)?;
    progress.finish_and_clear();
    Ok(())
}

/// A file that is written beside the one it becomes, and removed unless it comes to that.
pub(super) struct Partial {
    path: PathBuf,
    is_kept: bool,
}

impl Partial {
    /// A name in the directory of `path`, so that it can be renamed.
    pub(super) fn beside(path: &Path) -> Self {
        let directory = path.parent().filter(|directory| !directory.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let path = directory.join(format!(".trainyard-{}.part", uuid::Uuid::new_v4().simple()));
        Self { path, is_kept: false }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Puts the file in place of any other.
    pub(super) fn keep_as(&mut self, path: &Path) -> std::io::Result<()> {
        std::fs::rename(&self.path, path)?;
        self.is_kept = true;
        Ok(())
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        if !self.is_kept {
            // What cannot be removed is named after us.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

async fn show(mut content: Download) -> Result<(), Failure> {
    while let Some(chunk) = content.chunk().await? {
        std::io::stdout().lock().write_all(&chunk)?;
    }
    Ok(())
}

fn progress(bytes: u64) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:30} {bytes}/{total_bytes} {bytes_per_sec}");
    ProgressBar::new(bytes).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
