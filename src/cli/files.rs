//! `trainyard files`: files of a running service.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Subcommand;
use sha2::{Digest, Sha256};

use super::age::age;
use super::partial_file::PartialFile;
use super::progress::progress_bar;
use super::remote::{Listed, Remote};
use super::table::Table;
use super::{CommandError, print, print_json};
use crate::client::types::{File, FileOrder, FilePurpose};
use crate::client::{Client, Download};

/// Form of the progress bar of a file.
const BAR: &str = "{bar:30} {bytes}/{total_bytes} {bytes_per_sec}";

#[derive(Subcommand)]
#[command(after_help = "Examples:\n  \
    trainyard files upload train.jsonl\n  \
    trainyard files list --purpose fine-tune\n  \
    trainyard files download file-01a1f9c6218a7d10aa553b1f60a2c9e4 --to train.jsonl")]
pub(super) enum Command {
    /// Upload a file and print its id.
    Upload {
        /// Path of the file.
        path: PathBuf,
        /// Purpose of the file: fine-tune (conversations) or user_data (anything else).
        #[arg(long, default_value = "fine-tune")]
        purpose: FilePurpose,
        /// Print the file's metadata as JSON.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        remote: Remote,
    },
    /// List files, newest first.
    List {
        /// List only files with this purpose: fine-tune or user_data.
        #[arg(long)]
        purpose: Option<FilePurpose>,
        #[command(flatten)]
        listed: Listed,
        #[command(flatten)]
        remote: Remote,
    },
    /// Show the metadata of a file as JSON.
    Get {
        /// Id of the file.
        id: String,
        #[command(flatten)]
        remote: Remote,
    },
    /// Download a file.
    Download {
        /// Id of the file.
        id: String,
        /// Path to write to [default: standard output].
        #[arg(long, value_name = "PATH")]
        to: Option<PathBuf>,
        #[command(flatten)]
        remote: Remote,
    },
    /// Delete files; jobs created with a file keep the data they need.
    Delete {
        /// Ids of the files.
        #[arg(required = true)]
        ids: Vec<String>,
        #[command(flatten)]
        remote: Remote,
    },
}

pub(super) async fn run(command: Command) -> Result<(), CommandError> {
    match command {
        Command::Upload { path, purpose, json, remote } => {
            let file = upload(&remote.client()?, &path, purpose).await?;
            if json { print_json(&file)? } else { print(&format!("{}\n", file.id))? }
        }
        Command::List { purpose, listed, remote } => {
            let mut request = remote.client()?.list_files().limit(listed.limit).order(FileOrder::Desc);
            request.purpose = purpose;
            let page = request.await?.into_inner();
            listed.show(&page.data, page.has_more, "no such files", as_table)?;
        }
        Command::Get { id, remote } => print_json(&*remote.client()?.get_file(&id).await?)?,
        Command::Download { id, to, remote } => {
            let content = remote.client()?.get_file_content(&id).await?;
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

/// Uploads a file as a stream, with a progress bar on a terminal.
pub(super) async fn upload(client: &Client, path: &Path, purpose: FilePurpose) -> Result<File, CommandError> {
    let unreadable = |error: std::io::Error| format!("cannot read {}: {error}", path.display());
    let file = tokio::fs::File::open(path).await.map_err(unreadable)?;
    let metadata = file.metadata().await.map_err(unreadable)?;
    if !metadata.is_file() {
        return Err(format!("{} is no file", path.display()).into());
    }
    let progress = progress_bar(BAR, metadata.len());
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

/// Writes a download to a new file. An existing file is replaced only after the download is complete and, if a SHA-256
/// in hexadecimal digits is given, has that hash.
pub(super) async fn save(mut content: Download, path: &Path, sha256: Option<&str>) -> Result<(), CommandError> {
    let unwritable = |error: std::io::Error| format!("cannot write {}: {error}", path.display());
    if path.exists() && !path.is_file() {
        return Err(format!("cannot write {}: it is there, and no file", path.display()).into());
    }
    let progress = progress_bar(BAR, content.length().unwrap_or_default());
    let mut partial = PartialFile::beside(path);
    let mut file = std::fs::File::create(partial.path()).map_err(unwritable)?;
    let mut hash = Sha256::new();
    while let Some(chunk) = content.chunk().await? {
        hash.update(&chunk);
        file.write_all(&chunk).map_err(unwritable)?;
        progress.inc(chunk.len() as u64);
    }
    let found = hex::encode(hash.finalize());
    if sha256.is_some_and(|sha256| sha256 != found) {
        return Err(format!("{} did not arrive as it is stored; download it again", path.display()).into());
    }
    file.sync_all().map_err(unwritable)?;
    partial.keep_as(path).map_err(unwritable)?;
    progress.finish_and_clear();
    Ok(())
}

async fn show(mut content: Download) -> Result<(), CommandError> {
    while let Some(chunk) = content.chunk().await? {
        std::io::stdout().lock().write_all(&chunk)?;
    }
    Ok(())
}
