//! Uploaded files, in OpenAI's format.

use uuid::Uuid;

use super::content::{content, content_output};
use super::ignored::Ignored;
use super::job_view::{same_variants, seconds};
use super::limits::Room;
use super::paging::{Listed, cursor, page, page_request, parse_prefixed_id, prefixed_id, read_in_parts};
use super::{Api, idempotency};
use crate::auth::Caller;
use crate::generated::server::files::*;
use crate::generated::types::{
    self, DeleteFileResponse, File, FileExpiry, FileObject, FileOrder, FilePage, FileStatus, SortOrder,
};
use crate::http::{ApiError, PartReader, PartStream, RangeRequest};
use crate::store::artifacts::{ArtifactWriter, Artifacts};
use crate::store::metadata::StoreError;
use crate::store::records::{FilePurpose, FileRecord, NewFile};

/// Prefix of file ids.
const PREFIX: &str = "file-";
/// Number of files of one read of the store.
const LISTED_AT_ONCE: u32 = 500;
/// Memory of a file of a list without its name.
const LISTED_BYTES: usize = 512;
/// Maximum number of bytes read of a purpose; longer than any valid one.
const PURPOSE_BYTES: usize = 64;
/// Likewise of a lifetime.
const EXPIRY_BYTES: usize = 256;
/// Lifetimes that a file may have, in seconds.
const LIVES: std::ops::RangeInclusive<i64> = 3600..=2_592_000;
/// Maximum number of parts without effect that are counted.
const MAX_OTHER_PARTS: usize = 100;

impl Files for Api {
    async fn create_file(&self, caller: Caller, input: CreateFileInput) -> Result<CreateFileOutput, ApiError> {
        let mut room = self.room(&caller).await?;
        if input.idempotency_key.is_some() {
            // An earlier attempt may have stored this very file and thus reached the limit. The store decides.
            room = room.empty();
        }
        let Upload { name, purpose, life, mut writer, ignored } = receive(&self.artifacts, input.body, &room).await?;
        let request = match input.idempotency_key {
            Some(key) => {
                let hash = writer.hash().await;
                let mut asked: Vec<&[u8]> = vec![&b"file"[..], name.as_bytes(), purpose.as_str().as_bytes(), &hash];
                let seconds = life.map(|life| life.to_string());
                asked.extend(seconds.as_ref().map(|seconds| seconds.as_bytes()));
                Some(idempotency::record(key, &asked))
            }
            None => None,
        };
        if let Some(request) = &request
            && let Some(done) = self.metadata.find_idempotent_result(&caller.entity, request).await?
        {
            let file = self.metadata.get_file(&caller.entity, done.object_id()).await?;
            return Ok(created(file, Some(true)));
        }
        let id = Uuid::now_v7();
        let bytes = i64::try_from(writer.length()).map_err(ApiError::internal)?;
        let artifact = writer.finish().await?;
        let (key_id, max_stored_bytes) = (Some(caller.key_id), caller.limits.stored_bytes);
        let entity = caller.entity;
        let file = NewFile { id, entity, name, purpose, bytes, artifact, life, key_id, max_stored_bytes, request };
        let file = keep(self, file).await?;
        ignored.tell();
        let replayed = (file.id != id).then_some(true);
        Ok(created(file, replayed))
    }

    async fn list_files(&self, caller: Caller, input: ListFilesInput) -> Result<ListFilesOutput, ApiError> {
        let after = cursor(PREFIX, input.after.as_deref());
        let request = page_request(after.as_deref(), input.limit, input.order.into())?;
        let purpose = input.purpose.map(FilePurpose::from);
        let read = |part| self.metadata.list_files(&caller.entity, purpose, part);
        let listed = Listed { id: |file: &FileRecord| file.id, bytes: |file| LISTED_BYTES + 2 * file.name.len() };
        let page = read_in_parts(request, LISTED_AT_ONCE, read, listed, |file| Some(wire(file))).await?;
        Ok(page!(FilePage, page.items, page.has_more).into())
    }

    async fn get_file(&self, caller: Caller, input: GetFileInput) -> Result<GetFileOutput, ApiError> {
        Ok(wire(self.file(&caller, &input.file_id).await?).into())
    }

    async fn get_file_content(
        &self,
        caller: Caller,
        input: GetFileContentInput,
    ) -> Result<GetFileContentOutput, ApiError> {
        let GetFileContentInput { file_id, range, if_range, if_none_match } = input;
        let file = self.file(&caller, &file_id).await?;
        let request = RangeRequest { range, if_range, if_none_match };
        let content = content(&self.artifacts, file.artifact, &file.name, &request).await?;
        Ok(content_output!(
            content,
            GetFileContentOutput,
            GetFileContentOkHeaders,
            GetFileContentPartialContentHeaders,
            GetFileContentNotModifiedHeaders
        ))
    }

    async fn delete_file(&self, caller: Caller, input: DeleteFileInput) -> Result<DeleteFileOutput, ApiError> {
        let id = parse_id(&input.file_id).ok_or_else(unknown)?;
        let unreferenced = self.metadata.delete_file(&caller.entity, id).await?;
        self.collect_later(unreferenced);
        Ok(DeleteFileResponse { id: wire_id(id), object: FileObject::File, deleted: true }.into())
    }
}

impl Api {
    async fn file(&self, caller: &Caller, id: &str) -> Result<FileRecord, ApiError> {
        Ok(self.metadata.get_file(&caller.entity, parse_id(id).ok_or_else(unknown)?).await?)
    }

    /// Returns the file that a field of a request names.
    ///
    /// # Errors
    /// Returns 422 for the field if there is no such file.
    pub(super) async fn named_file(&self, caller: &Caller, id: &str, field: &str) -> Result<FileRecord, ApiError> {
        let found = self.file(caller, id).await;
        found.map_err(|failure| match failure.status() {
            crate::http::ErrorStatus::NOT_FOUND => {
                ApiError::invalid(field, "there is no such file; upload it with POST /v1/files and pass its `id`")
            }
            _ => failure,
        })
    }
}

/// Records a file whose content is stored. If the record is not created or not needed, the content is collected.
pub(super) async fn keep(api: &Api, file: NewFile) -> Result<FileRecord, StoreError> {
    let (id, artifact) = (file.id, file.artifact);
    let kept = api.metadata.create_file(file).await;
    if idempotency::is_unused(&kept, |file| file.id != id) {
        api.collect_later(vec![artifact]);
    }
    kept
}

fn unknown() -> ApiError {
    ApiError::not_found("there is no such file")
}

/// Returns whether the text has the form of a file id.
pub(super) fn is_file_id(text: &str) -> bool {
    text.starts_with(PREFIX)
}

/// Parses the id of a file.
pub(super) fn parse_id(text: &str) -> Option<Uuid> {
    parse_prefixed_id(PREFIX, text)
}

pub(super) fn wire_id(id: Uuid) -> String {
    prefixed_id(PREFIX, id)
}

/// Returns the path of a file's content.
pub(super) fn content_path(id: Uuid) -> String {
    format!("/v1/files/{}/content", wire_id(id))
}

same_variants!(FilePurpose, types::FilePurpose: FineTune, UserData, Batch, BatchOutput);
same_variants!(FileOrder, SortOrder: Asc, Desc);

fn wire(file: FileRecord) -> File {
    File {
        id: wire_id(file.id),
        object: FileObject::File,
        bytes: file.bytes.unsigned_abs(),
        created_at: seconds(file.created_at),
        filename: file.name,
        purpose: file.purpose.into(),
        status: FileStatus::Processed,
        expires_at: file.expires_at.map(seconds),
    }
}

fn created(file: FileRecord, idempotency_replayed: Option<bool>) -> CreateFileOutput {
    CreateFileOutput::Ok { headers: CreateFileOkHeaders { idempotency_replayed }, body: wire(file) }
}

/// An upload in progress. Dropping it discards the received bytes.
struct Upload {
    name: String,
    purpose: FilePurpose,
    /// Lifetime in milliseconds.
    life: Option<i64>,
    writer: ArtifactWriter,
    /// Names of the parts without effect.
    ignored: Ignored,
}

/// Receives a form to its end, with its parts in any order.
async fn receive(artifacts: &Artifacts, mut parts: PartStream, room: &Room) -> Result<Upload, ApiError> {
    let (mut file, mut purpose, mut ignored) = (None, None, Ignored::default());
    let mut expiry = Expiry::default();
    let mut others = 0;
    while let Some(mut part) = parts.next().await? {
        match part.name.as_str() {
            "file" if file.is_some() => return Err(ApiError::invalid("file", "there are two files; send one")),
            "file" => {
                let name = part.file_name.clone().filter(|name| !name.is_empty());
                let name = name.ok_or_else(|| {
                    ApiError::invalid(
                        "file",
                        "the part has no file name; give it one, as in `filename=\"train.jsonl\"`",
                    )
                })?;
                let mut writer = artifacts.writer();
                while let Some(chunk) = part.chunk().await? {
                    writer.write(&chunk).await?;
                    room.check(writer.length())?;
                }
                file = Some((name, writer));
            }
            "purpose" => purpose = Some(read_purpose(&mut part).await?),
            "expires_after" => expiry = Expiry::read(&read_text(&mut part, EXPIRY_BYTES).await?)?,
            "expires_after[anchor]" => expiry.anchor = Some(read_text(&mut part, EXPIRY_BYTES).await?),
            "expires_after[seconds]" => {
                let text = read_text(&mut part, EXPIRY_BYTES).await?;
                expiry.seconds = Some(text.parse().map_err(|_| bad_expiry("seconds is a whole number"))?);
            }
            name => {
                others += 1;
                ignored.add_if(others <= MAX_OTHER_PARTS, name);
            }
        }
    }
    let purpose = purpose.ok_or_else(|| missing("purpose"))?;
    let (name, writer) = file.ok_or_else(|| missing("file"))?;
    Ok(Upload { name, purpose, life: expiry.life()?, writer, ignored })
}

/// The field `expires_after` of a form, whole or in parts.
#[derive(Default)]
struct Expiry {
    anchor: Option<String>,
    seconds: Option<i64>,
}

impl Expiry {
    fn read(text: &str) -> Result<Self, ApiError> {
        let value: FileExpiry = serde_json::from_str(text).map_err(|error| bad_expiry(&error.to_string()))?;
        Ok(Self { anchor: Some(value.anchor.to_string()), seconds: Some(value.seconds) })
    }

    /// Returns the lifetime in milliseconds.
    fn life(self) -> Result<Option<i64>, ApiError> {
        match (self.anchor.as_deref(), self.seconds) {
            (None, None) => Ok(None),
            (Some("created_at"), Some(seconds)) if LIVES.contains(&seconds) => Ok(Some(seconds * 1000)),
            (Some("created_at"), Some(_)) => Err(bad_expiry("seconds is from 3600 to 2592000")),
            (Some("created_at"), None) => Err(bad_expiry("seconds is missing")),
            _ => Err(bad_expiry("anchor is `created_at`")),
        }
    }
}

fn bad_expiry(reason: &str) -> ApiError {
    ApiError::invalid("expires_after", format!("expires_after: {reason}"))
}

/// Reads a part of a form as text; what exceeds a length is cut off, and then fits no value.
async fn read_text(part: &mut PartReader, length: usize) -> Result<String, ApiError> {
    let mut text = Vec::new();
    while let Some(chunk) = part.chunk().await? {
        text.extend_from_slice(&chunk[..chunk.len().min(length - text.len())]);
    }
    Ok(String::from_utf8_lossy(&text).into_owned())
}

fn missing(part: &str) -> ApiError {
    ApiError::invalid(part, format!("{part} is missing; send the parts `file` and `purpose`"))
}

async fn read_purpose(part: &mut PartReader) -> Result<FilePurpose, ApiError> {
    let text = read_text(part, PURPOSE_BYTES).await?;
    match text.parse::<types::FilePurpose>() {
        Ok(types::FilePurpose::BatchOutput) => {
            let message = "only batches make files of the purpose batch_output; upload requests as `batch`";
            Err(ApiError::invalid("purpose", message))
        }
        Ok(known) => Ok(known.into()),
        Err(_) => {
            let purposes = types::FilePurpose::NAMES.join(", ");
            Err(ApiError::invalid("purpose", format!("{text:?} is not kept here; purpose is one of {purposes}")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_written_in_one_way() {
        let id = Uuid::now_v7();
        assert_eq!(parse_id(&wire_id(id)), Some(id));
        let upper = wire_id(id).to_uppercase();
        for other in [&id.to_string(), &format!("file-{id}"), &upper, "file-", "file-{}", ""] {
            assert_eq!(parse_id(other), None, "{other}");
        }
    }
}
