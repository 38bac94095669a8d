//! Index of the rollouts of a job: a line of JSON for each group, so that pages of them need not read the rollouts.

use std::io::BufRead;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::advantage::Normalisation;
use super::config::RlConfig;
use super::distribution::moments;
use super::drops::IndexedRemark;
use super::rl::{AddedGroup, GroupAdvantages};
use super::trajectory::LocatedGroup;

/// Number of first trajectories of a group that an entry describes. A request may consist of millions of empty trajectories.
pub const MAX_TRAJECTORIES: usize = 1000;
/// Length of an entry's line in bytes above which the index is corrupt.
const MAX_LINE: u64 = 64 << 20;

/// Error of reading an index.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum IndexError {
    #[error("the index of the rollouts cannot be read")]
    Read(#[from] std::io::Error),
    #[error("the index of the rollouts is corrupt")]
    Line(#[from] serde_json::Error),
}

/// A line of an index.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Line {
    Group(GroupEntry),
    /// The last line.
    End(IndexEnd),
}

/// The last line of an index.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct IndexEnd {
    /// Normalisation of the advantages and weights; `None` without a training signal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub normalisation: Option<Normalisation>,
}

/// A group of an index. Lists describe its first trajectories, at most [`MAX_TRAJECTORIES`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GroupEntry {
    /// First byte of the group in the rollouts.
    pub start: u64,
    /// End of the group.
    pub end: u64,
    /// Number of trajectories.
    pub trajectories: usize,
    /// Mean of all rewards; `None` without trajectories, or if it overflows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reward_mean: Option<f64>,
    /// Population standard deviation of all rewards, likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reward_deviation: Option<f64>,
    /// Reason why no trajectory is trained.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dropped: Option<DroppedGroup>,
    /// Rewards.
    pub rewards: Vec<f64>,
    /// Numbers of sampled tokens, if the trajectories tell them.
    pub completion_tokens: Vec<Option<u64>>,
    /// Offsets of the trajectories: the first byte of each, then the end of the last, all counted from `start`.
    #[serde(rename = "places")]
    pub offsets: Vec<u64>,
    /// Number of trained tokens of the groups before this one.
    #[serde(default)]
    pub first_token: u64,
    /// Numbers of trained tokens; empty if the group is dropped or the job is not prepared.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trained_tokens: Vec<u64>,
    /// Dropped parts, and turns whose message and tokens disagree.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<IndexedRemark>,
}

/// The reason why no trajectory of a group is trained.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DroppedGroup {
    /// Stable name for programs.
    pub code: String,
    /// Human-readable text.
    pub message: String,
}

impl GroupEntry {
    /// Describes a group whose tokens are not known.
    pub fn of(located: &LocatedGroup, config: &RlConfig) -> Self {
        let LocatedGroup { group, bytes, trajectories: ranges } = located;
        let rewards: Vec<f64> = group.trajectories.iter().map(|trajectory| trajectory.reward).collect();
        let finite = |number: f64| Some(number).filter(|number| number.is_finite());
        let [reward_mean, reward_deviation] = moments(&rewards).map(finite);
        let dropped = GroupAdvantages::of(&rewards, config).dropped;
        let dropped =
            dropped.map(|(code, message)| DroppedGroup { code: code.to_owned(), message: message.to_owned() });
        let first = &group.trajectories[..group.trajectories.len().min(MAX_TRAJECTORIES)];
        let from_start = |offset: u64| offset - bytes.start;
        let starts = ranges.iter().take(first.len()).map(|range| from_start(range.start));
        let end = first.len().checked_sub(1).map(|last| from_start(ranges[last].end));
        Self {
            start: bytes.start,
            end: bytes.end,
            trajectories: group.trajectories.len(),
            reward_mean,
            reward_deviation,
            dropped,
            rewards: first.iter().map(|trajectory| trajectory.reward).collect(),
            completion_tokens: first.iter().map(|trajectory| trajectory.completion_tokens()).collect(),
            offsets: starts.chain(end).collect(),
            first_token: 0,
            trained_tokens: Vec::new(),
            remarks: Vec::new(),
        }
    }

    /// Returns the bytes of a trajectory; `None` if the entry does not describe it.
    pub fn bytes_of(&self, number: usize) -> Option<Range<u64>> {
        let (start, end) = (self.offsets.get(number)?, self.offsets.get(number + 1)?);
        Some(self.start + start..self.start + end)
    }

    /// Returns the trained tokens of a trajectory as a range over those of the job; `None` if the entry does not describe
    /// it.
    pub fn tokens_of(&self, number: usize) -> Option<Range<u64>> {
        let count = *self.trained_tokens.get(number)?;
        let start = self.first_token + self.trained_tokens[..number].iter().sum::<u64>();
        Some(start..start + count)
    }

    /// Returns the mean number of sampled tokens of the trajectories that tell it.
    pub fn mean_completion_tokens(&self) -> Option<f64> {
        let told: Vec<u64> = self.completion_tokens.iter().flatten().copied().collect();
        (!told.is_empty()).then(|| told.iter().sum::<u64>() as f64 / told.len() as f64)
    }
}

/// Writes an index.
#[derive(Debug)]
pub struct IndexWriter<'a> {
    config: &'a RlConfig,
    /// Number of trained tokens so far.
    tokens: u64,
}

impl<'a> IndexWriter<'a> {
    /// Creates the writer of the index of a job with these options.
    pub fn new(config: &'a RlConfig) -> Self {
        Self { config, tokens: 0 }
    }

    /// Returns the line of the next group.
    pub fn group(&mut self, located: &LocatedGroup, added: AddedGroup) -> Vec<u8> {
        let first_token = self.tokens;
        self.tokens += added.trained_tokens.iter().sum::<u64>();
        let AddedGroup { mut trained_tokens, remarks } = added;
        trained_tokens.truncate(MAX_TRAJECTORIES);
        line(&Line::Group(GroupEntry { first_token, trained_tokens, remarks, ..GroupEntry::of(located, self.config) }))
    }

    /// Returns the last line.
    pub fn end(self, normalisation: Option<Normalisation>) -> Vec<u8> {
        line(&Line::End(IndexEnd { normalisation }))
    }
}

fn line(line: &Line) -> Vec<u8> {
    let mut text = serde_json::to_vec(line).expect("texts and finite numbers are always JSON");
    text.push(b'\n');
    text
}

/// Reads an index line by line.
pub struct IndexReader<R> {
    source: R,
    line: Vec<u8>,
    end: Option<IndexEnd>,
}

impl<R: BufRead> IndexReader<R> {
    /// Creates a reader of the index from its first byte.
    pub fn new(source: R) -> Self {
        Self { source, line: Vec::new(), end: None }
    }

    /// Returns the next group; `None` after the last.
    ///
    /// # Errors
    /// The source cannot be read, or is no index.
    pub fn next_group(&mut self) -> Result<Option<GroupEntry>, IndexError> {
        if !self.next_line()? {
            return Ok(None);
        }
        match serde_json::from_slice(&self.line)? {
            Line::Group(entry) => Ok(Some(entry)),
            Line::End(end) => {
                self.end = Some(end);
                Ok(None)
            }
        }
    }

    /// Passes over `count` groups without reading them. Returns false if there are fewer.
    ///
    /// # Errors
    /// The source cannot be read.
    pub fn skip(&mut self, count: usize) -> Result<bool, IndexError> {
        for _ in 0..count {
            if !self.next_line()? || !self.line.starts_with(br#"{"group""#) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Passes over the rest and returns the last line.
    ///
    /// # Errors
    /// The source cannot be read, or ends without the line.
    pub fn end(mut self) -> Result<IndexEnd, IndexError> {
        while self.end.is_none() && self.next_line()? {
            if !self.line.starts_with(br#"{"group""#) {
                self.next_from_line()?;
            }
        }
        self.end.ok_or_else(|| IndexError::Read(std::io::ErrorKind::UnexpectedEof.into()))
    }

    fn next_from_line(&mut self) -> Result<(), IndexError> {
        if let Line::End(end) = serde_json::from_slice(&self.line)? {
            self.end = Some(end);
        }
        Ok(())
    }

    /// Reads the next line. Returns false at the end of the source.
    fn next_line(&mut self) -> Result<bool, IndexError> {
        self.line.clear();
        let read = std::io::Read::take(&mut self.source, MAX_LINE).read_until(b'\n', &mut self.line)?;
        Ok(read > 0)
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::read_groups;

    fn index(text: &str, added: &[AddedGroup]) -> Vec<u8> {
        let config = RlConfig::default();
        let (mut writer, mut lines) = (IndexWriter::new(&config), Vec::new());
        let mut added = added.iter().cloned();
        read_groups(text.as_bytes(), |located| {
            lines.extend(writer.group(&located, added.next().unwrap_or_default()));
            ControlFlow::Continue(())
        })
        .unwrap();
        lines.extend(writer.end(None));
        lines
    }

    #[test]
    fn an_index_reads_back() {
        let choice = r#"{"finish_reason":"stop","token_ids":[1,2,3]}"#;
        let text = format!(
            r#"[{{"trajectories":[{{"reward":1,"messages_and_choices":[{choice}]}},{{"reward":2}},{{"reward":6}}]}},{{}}]"#
        );
        let [code, path, message] = ["edited_turns", "x", "y"].map(str::to_owned);
        let remark = IndexedRemark { drift: true, code, path, message };
        let added = [AddedGroup { trained_tokens: vec![3, 0, 2], remarks: vec![remark] }, AddedGroup::default()];
        let lines = index(&text, &added);
        let mut reader = IndexReader::new(lines.as_slice());
        let first = reader.next_group().unwrap().unwrap();
        assert_eq!((first.trajectories, &first.rewards[..]), (3, &[1.0, 2.0, 6.0][..]));
        assert_eq!((first.reward_mean, first.reward_deviation), (Some(3.0), Some((14.0_f64 / 3.0).sqrt())));
        assert_eq!(first.completion_tokens, [Some(3), None, None]);
        assert_eq!((first.tokens_of(0), first.tokens_of(2), first.tokens_of(3)), (Some(0..3), Some(3..5), None));
        assert_eq!((first.remarks.len(), first.remarks[0].drift), (1, true));
        for (number, reward) in [1.0, 2.0, 6.0].into_iter().enumerate() {
            let bytes = first.bytes_of(number).unwrap();
            let bytes = &text.as_bytes()[bytes.start as usize..bytes.end as usize];
            assert_eq!(crate::read_trajectory::<crate::Trajectory>(bytes).unwrap().reward, reward);
        }
        assert_eq!(first.bytes_of(3), None);
        let second = reader.next_group().unwrap().unwrap();
        assert_eq!((second.trajectories, second.reward_mean, second.first_token), (0, None, 5));
        let code = |entry: &GroupEntry| entry.dropped.as_ref().map(|dropped| dropped.code.clone());
        assert_eq!((code(&first), code(&second).as_deref()), (None, Some("no_trajectories")));
        assert_eq!(reader.next_group().unwrap(), None);
        assert_eq!(reader.end().unwrap(), IndexEnd::default());
    }

    #[test]
    fn groups_are_passed_over() {
        let lines = index(r#"[{"trajectories":[{"reward":1}]},{"trajectories":[{"reward":2}]}]"#, &[]);
        let mut reader = IndexReader::new(lines.as_slice());
        assert!(reader.skip(1).unwrap());
        assert_eq!(reader.next_group().unwrap().unwrap().rewards, [2.0]);
        assert!(reader.end().is_ok());
        assert!(!IndexReader::new(lines.as_slice()).skip(3).unwrap());
        let cut = IndexReader::new(&lines[..20]).end();
        assert!(matches!(cut, Err(IndexError::Read(_))), "{cut:?}");
        assert!(matches!(IndexReader::new(&b"{}\n"[..]).next_group(), Err(IndexError::Line(_))));
    }

    #[test]
    fn only_the_first_trajectories_are_described() {
        let members = vec![r#"{"reward":2}"#; MAX_TRAJECTORIES + 5].join(",");
        let lines = index(&format!(r#"[{{"trajectories":[{members}]}}]"#), &[]);
        let entry = IndexReader::new(lines.as_slice()).next_group().unwrap().unwrap();
        assert_eq!((entry.trajectories, entry.rewards.len()), (MAX_TRAJECTORIES + 5, MAX_TRAJECTORIES));
        assert!(entry.bytes_of(MAX_TRAJECTORIES - 1).is_some() && entry.bytes_of(MAX_TRAJECTORIES).is_none());
    }
}
