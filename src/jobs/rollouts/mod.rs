//! Reads the trajectory groups of a reinforcement learning job, or of a log, as training sees them.

mod list;
mod search;
mod trajectories;

use std::io::{BufReader, Read, Seek, SeekFrom};
use std::ops::{ControlFlow, Range};

use serde_json::Value;

pub(crate) use self::list::{DropQuery, GroupQuery, GroupSort, ListedGroup, ListedRemark};
pub(crate) use self::trajectories::{ReadSequence, ReadTrajectory};
use super::blocking::blocking;
use super::error::JobError;
use super::estimate::EstimateError;
use crate::store::artifacts::{ArtifactId, ArtifactReader, Artifacts};
use crate::store::records::RemoteSampler;
use crate::training::{GroupEntry, IndexError, IndexReader, RlConfig, TrajectoryGroup, read_group, read_groups};

/// Trajectory groups and what is known of their training.
pub(crate) struct StoredGroups {
    /// Artifact of the groups.
    pub data: ArtifactId,
    /// Artifact of their index; `None` before the job has prepared its data.
    pub index: Option<ArtifactId>,
    /// Artifact of the logprobs that training computed; `None` before the end of the job.
    pub logprobs: Option<ArtifactId>,
    /// Options as they were sent.
    pub config: Value,
    /// Kind of the base model's sampler if it is in other processes.
    pub sampler: Option<RemoteSampler>,
}

/// Items of a listing, and whether more follow.
#[derive(Debug, PartialEq)]
pub(crate) struct Part<T> {
    /// Items.
    pub items: Vec<T>,
    /// Whether more items follow.
    pub has_more: bool,
}

/// Opened artifacts of groups.
struct Opened {
    data: ArtifactReader,
    index: Option<ArtifactReader>,
    logprobs: Option<ArtifactReader>,
    config: RlConfig,
}

impl StoredGroups {
    /// Opens the artifacts, and reads them on a thread that may block.
    async fn read<T: Send + 'static>(
        self,
        artifacts: &Artifacts,
        work: impl FnOnce(Opened) -> Result<T, JobError> + Send + 'static,
    ) -> Result<T, EstimateError> {
        let open = async |artifact: Option<ArtifactId>| match artifact {
            Some(artifact) => artifacts.open(artifact).await.map(Some),
            None => Ok(None),
        };
        let data = artifacts.open(self.data).await.map_err(JobError::from)?;
        let index = open(self.index).await.map_err(JobError::from)?;
        let logprobs = open(self.logprobs).await.map_err(JobError::from)?;
        let read = blocking(move || {
            let config = RlConfig::of_job(Some(&self.config), self.sampler.is_some())?;
            work(Opened { data, index, logprobs, config })
        });
        Ok(read.await?)
    }
}

impl Opened {
    /// Passes the groups from number `first` on to `visit`, with their numbers, until it breaks.
    fn each_group(
        &mut self,
        first: usize,
        visit: &mut dyn FnMut(usize, GroupEntry) -> Result<ControlFlow<()>, JobError>,
    ) -> Result<(), JobError> {
        let Some(index) = &mut self.index else { return self.each_unprepared_group(first, visit) };
        index.seek(SeekFrom::Start(0)).map_err(unreadable)?;
        let mut entries = IndexReader::new(index);
        if !entries.skip(first)? {
            return Ok(());
        }
        for number in first.. {
            let Some(entry) = entries.next_group()? else { break };
            if visit(number, entry)?.is_break() {
                break;
            }
        }
        Ok(())
    }

    /// Passes on groups without an index.
    fn each_unprepared_group(
        &mut self,
        first: usize,
        visit: &mut dyn FnMut(usize, GroupEntry) -> Result<ControlFlow<()>, JobError>,
    ) -> Result<(), JobError> {
        self.data.seek(SeekFrom::Start(0)).map_err(unreadable)?;
        let (mut number, mut outcome) = (0, Ok(()));
        let config = &self.config;
        let read = read_groups(BufReader::new(&mut self.data), |located| {
            number += 1;
            if number <= first {
                return ControlFlow::Continue(());
            }
            match visit(number - 1, GroupEntry::of(&located, config)) {
                Ok(flow) => flow,
                Err(error) => {
                    outcome = Err(error);
                    ControlFlow::Break(())
                }
            }
        });
        outcome?;
        Ok(read?)
    }

    /// Returns a group by its number; `None` if there is none.
    fn group(&mut self, number: usize) -> Result<Option<GroupEntry>, JobError> {
        let mut found = None;
        self.each_group(number, &mut |_, entry| {
            found = Some(entry);
            Ok(ControlFlow::Break(()))
        })?;
        Ok(found)
    }

    /// Reads bytes of the groups.
    fn bytes(&mut self, range: Range<u64>) -> Result<Vec<u8>, JobError> {
        read_range(&mut self.data, range)
    }

    /// Reads a whole group.
    fn whole_group(&mut self, entry: &GroupEntry) -> Result<TrajectoryGroup, JobError> {
        Ok(read_group(&self.bytes(entry.start..entry.end)?)?)
    }
}

fn read_range(reader: &mut ArtifactReader, range: Range<u64>) -> Result<Vec<u8>, JobError> {
    let length = usize::try_from(range.end.saturating_sub(range.start)).unwrap_or(usize::MAX);
    let mut bytes = Vec::new();
    reader.seek(SeekFrom::Start(range.start)).map_err(unreadable)?;
    reader.take(length as u64).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() < length {
        return Err(unreadable(std::io::ErrorKind::UnexpectedEof.into()));
    }
    Ok(bytes)
}

fn unreadable(error: std::io::Error) -> JobError {
    IndexError::Read(error).into()
}
