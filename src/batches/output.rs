//! The files of a batch: responses and failures, each in the order of the lines.

use std::collections::HashSet;

use tokio::sync::mpsc;
use uuid::Uuid;

use super::input::Line;
use super::lines;
use super::run::{Run, RunError};
use crate::store::artifacts::ArtifactWriter;
use crate::store::records::{BatchLine, FilePurpose, NewFile};

/// Recorded lines of one read. Each may have megabytes.
const LINES: u32 = 16;

/// Files to store at the end of a batch.
#[derive(Default)]
pub(super) struct Files {
    pub output: Option<NewFile>,
    pub failures: Option<NewFile>,
}

/// Writes the files from the recorded lines. With a reason, a code and its explanation, the failures include the requests without
/// a response.
pub(super) async fn write(run: &Run, reason: Option<(&str, &str)>) -> Result<Files, RunError> {
    let artifacts = &run.parts.artifacts;
    let mut output = artifacts.writer();
    let mut recorded = Recorded::new(run, false);
    while let Some(line) = recorded.next().await? {
        add(&mut output, &line.text).await?;
    }
    let mut failures = artifacts.writer();
    let mut recorded = Recorded::new(run, true);
    let mut unanswered = if reason.is_some() { Some(unanswered_lines(run).await?) } else { None };
    let mut next_unanswered = next(&mut unanswered).await?;
    loop {
        let failed = recorded.peek().await?.map(|line| line.line);
        match (failed, &next_unanswered) {
            (Some(failed), Some(line)) if line.number < failed => {}
            (Some(_), _) => {
                if let Some(line) = recorded.next().await? {
                    add(&mut failures, &line.text).await?;
                }
                continue;
            }
            (None, Some(_)) => {}
            (None, None) => break,
        }
        if let Some((line, (code, message))) = next_unanswered.take().zip(reason) {
            add(&mut failures, &lines::unanswered(&line.custom_id, code, message)).await?;
        }
        next_unanswered = next(&mut unanswered).await?;
    }
    let (output, failures) = (file(run, "output", output).await?, file(run, "error", failures).await?);
    Ok(Files { output, failures })
}

async fn add(writer: &mut ArtifactWriter, line: &str) -> Result<(), RunError> {
    writer.write(line.as_bytes()).await?;
    Ok(writer.write(b"\n").await?)
}

/// Returns the lines without a recorded response.
async fn unanswered_lines(run: &Run) -> Result<mpsc::Receiver<Result<Line, RunError>>, RunError> {
    let recorded: HashSet<i64> = run.parts.metadata.recorded_batch_lines(&run.lease).await?.into_iter().collect();
    Ok(run.read_lines(recorded))
}

async fn next(lines: &mut Option<mpsc::Receiver<Result<Line, RunError>>>) -> Result<Option<Line>, RunError> {
    match lines {
        Some(lines) => lines.recv().await.transpose(),
        None => Ok(None),
    }
}

/// Stores the content of a file; `None` if it is empty.
async fn file(run: &Run, kind: &str, writer: ArtifactWriter) -> Result<Option<NewFile>, RunError> {
    if writer.length() == 0 {
        return Ok(None);
    }
    let batch = &run.batch;
    let bytes = i64::try_from(writer.length()).unwrap_or(i64::MAX);
    Ok(Some(NewFile {
        id: Uuid::now_v7(),
        entity: batch.entity.clone(),
        name: format!("batch_{}_{kind}.jsonl", batch.id.simple()),
        purpose: FilePurpose::BatchOutput,
        bytes,
        artifact: writer.finish().await?,
        life: batch.output_life,
        key_id: Some(batch.key_id),
        max_stored_bytes: None,
        request: None,
    }))
}

/// The recorded lines of one kind, a few at a time.
struct Recorded<'a> {
    run: &'a Run,
    is_failed: bool,
    /// Lines that are read, the next one last.
    read: Vec<BatchLine>,
    after: i64,
    has_more: bool,
}

impl<'a> Recorded<'a> {
    fn new(run: &'a Run, is_failed: bool) -> Self {
        Self { run, is_failed, read: Vec::new(), after: 0, has_more: true }
    }

    async fn peek(&mut self) -> Result<Option<&BatchLine>, RunError> {
        if self.read.is_empty() && self.has_more {
            let Run { parts, lease, .. } = self.run;
            let mut read = parts.metadata.read_batch_lines(lease, self.is_failed, self.after, LINES).await?;
            self.has_more = read.len() == LINES as usize;
            self.after = read.last().map_or(self.after, |line| line.line);
            read.reverse();
            self.read = read;
        }
        Ok(self.read.last())
    }

    async fn next(&mut self) -> Result<Option<BatchLine>, RunError> {
        self.peek().await?;
        Ok(self.read.pop())
    }
}
