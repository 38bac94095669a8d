//! Reads lists of groups from a source that may be larger than the available memory.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;
use std::io::{self, Read};
use std::ops::{ControlFlow, Range};

use serde::Deserializer;
use serde::de::{DeserializeOwned, DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::{Trajectory, TrajectoryGroup};

/// A group with its range in the source.
#[derive(Debug, Clone, PartialEq)]
pub struct LocatedGroup {
    /// The group.
    pub group: TrajectoryGroup,
    /// Bytes of the group. The separator from the one before may be among them.
    pub bytes: Range<u64>,
    /// Bytes of each trajectory, likewise.
    pub trajectories: Vec<Range<u64>>,
}

/// Reads a list of groups and passes each to `add`, until `add` breaks or the list ends.
///
/// # Errors
/// The source cannot be read, or is not a list of groups.
pub fn read_groups(source: impl Read, add: impl FnMut(LocatedGroup) -> ControlFlow<()>) -> serde_json::Result<()> {
    let position = Cell::new(0);
    let mut groups = Groups { add, position: &position, is_stopped: false };
    let mut source = serde_json::Deserializer::from_reader(Counted { source, position: &position });
    let read = source.deserialize_seq(&mut groups).and_then(|()| source.end());
    // Text after the last requested group is no error.
    if groups.is_stopped { Ok(()) } else { read }
}

/// Reads one trajectory, or some of its fields, from its bytes.
///
/// # Errors
/// The bytes are not those of a trajectory.
pub fn read_trajectory<T: DeserializeOwned>(bytes: &[u8]) -> serde_json::Result<T> {
    serde_json::from_slice(without_separator(bytes))
}

/// Reads one group from its bytes.
///
/// # Errors
/// The bytes are not those of a group.
pub fn read_group(bytes: &[u8]) -> serde_json::Result<TrajectoryGroup> {
    serde_json::from_slice(without_separator(bytes))
}

/// Returns the bytes of an item without the separator before it.
fn without_separator(bytes: &[u8]) -> &[u8] {
    let bytes = bytes.trim_ascii_start();
    bytes.strip_prefix(b",").or(bytes.strip_prefix(b"[")).unwrap_or(bytes)
}

/// A source that counts the bytes read from it. The JSON reader takes byte by byte, and no further than the end of a value.
struct Counted<'a, R> {
    source: R,
    position: &'a Cell<u64>,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        self.position.set(self.position.get() + count as u64);
        Ok(count)
    }
}

struct Groups<'a, F> {
    add: F,
    position: &'a Cell<u64>,
    is_stopped: bool,
}

impl<'de, F: FnMut(LocatedGroup) -> ControlFlow<()>> Visitor<'de> for &mut Groups<'_, F> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list of trajectory groups")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut groups: A) -> Result<(), A::Error> {
        let mut start = self.position.get();
        while let Some((group, trajectories)) = groups.next_element_seed(Group(self.position))? {
            let end = self.position.get();
            if (self.add)(LocatedGroup { group, bytes: start..end, trajectories }).is_break() {
                self.is_stopped = true;
                return Ok(());
            }
            start = end;
        }
        Ok(())
    }
}

/// Reads a group and the ranges of its trajectories.
struct Group<'a>(&'a Cell<u64>);

impl<'de> DeserializeSeed<'de> for Group<'_> {
    type Value = (TrajectoryGroup, Vec<Range<u64>>);

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<Self::Value, D::Error> {
        source.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Group<'_> {
    type Value = (TrajectoryGroup, Vec<Range<u64>>);

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a trajectory group")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Self::Value, A::Error> {
        let (mut trajectories, mut ranges) = (Vec::new(), Vec::new());
        while let Some(name) = fields.next_key::<Cow<'_, str>>()? {
            match &*name {
                "trajectories" => (trajectories, ranges) = fields.next_value_seed(Trajectories(self.0))?,
                _ => drop(fields.next_value::<IgnoredAny>()?),
            }
        }
        Ok((TrajectoryGroup { trajectories }, ranges))
    }
}

/// Reads trajectories, or null for none, and their ranges.
struct Trajectories<'a>(&'a Cell<u64>);

impl<'de> DeserializeSeed<'de> for Trajectories<'_> {
    type Value = (Vec<Trajectory>, Vec<Range<u64>>);

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<Self::Value, D::Error> {
        source.deserialize_option(self)
    }
}

impl<'de> Visitor<'de> for Trajectories<'_> {
    type Value = (Vec<Trajectory>, Vec<Range<u64>>);

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list of trajectories")
    }

    fn visit_none<E>(self) -> Result<Self::Value, E> {
        Ok((Vec::new(), Vec::new()))
    }

    fn visit_some<D: Deserializer<'de>>(self, source: D) -> Result<Self::Value, D::Error> {
        source.deserialize_seq(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let (mut trajectories, mut ranges) = (Vec::new(), Vec::new());
        let mut start = self.0.get();
        while let Some(trajectory) = list.next_element()? {
            let end = self.0.get();
            trajectories.push(trajectory);
            ranges.push(start..end);
            start = end;
        }
        Ok((trajectories, ranges))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn groups_are_read_one_by_one() {
        let group = |reward: f64| json!({ "trajectories": [{ "messages_and_choices": [], "reward": reward }] });
        let text = format!(" [{}, {}\n,{}] ", group(1.0), group(2.0), group(3.0));
        let read = |text: &str, wanted: usize| {
            let mut rewards = Vec::new();
            let read = read_groups(text.as_bytes(), |LocatedGroup { group, .. }| {
                rewards.push(group.trajectories[0].reward);
                if rewards.len() < wanted { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            (rewards, read.map_err(|error| error.to_string()))
        };
        assert_eq!(read(&text, 9), (vec![1.0, 2.0, 3.0], Ok(())));
        assert_eq!(read(&text, 2), (vec![1.0, 2.0], Ok(())), "the rest is not read");
        assert_eq!(read(" [ ] ", 9), (vec![], Ok(())));
        for (bad, rewards) in [(&text[..60], 0), (&text[..text.len() - 2], 3), ("{}", 0), ("[5]", 0), ("", 0)] {
            let (found, outcome) = read(bad, 9);
            assert!(found.len() == rewards && outcome.is_err(), "{bad}: {found:?} {outcome:?}");
        }
        assert!(read(&format!("{text}x"), 9).1.is_err(), "more than the list");
        for bad in [r#"[{"trajectories": 5}]"#, r#"[{"trajectories": [5]}]"#, r#"[{"trajectories": {}}]"#] {
            assert!(read(bad, 9).1.is_err(), "{bad}");
        }
    }

    #[test]
    fn groups_and_trajectories_are_found_again_by_their_bytes() {
        let text = r#" [ {"exceptions": [{"a": "]}"}], "trajectories": [ {"reward":1} ,{"reward": 2.5,"tools":[{}]}],
            "metadata": {"trajectories": [5]}},{"trajectories":null} , {}, {"trajectories":[{"reward":-1}]}]"#;
        let mut rewards = Vec::new();
        let read = read_groups(text.as_bytes(), |LocatedGroup { group, bytes, trajectories }| {
            let slice = |range: &Range<u64>| &text.as_bytes()[range.start as usize..range.end as usize];
            assert_eq!(read_group(slice(&bytes)).unwrap(), group);
            assert_eq!(trajectories.len(), group.trajectories.len());
            for (range, trajectory) in trajectories.iter().zip(&group.trajectories) {
                assert_eq!(read_trajectory::<Trajectory>(slice(range)).unwrap(), *trajectory);
            }
            rewards.push(group.trajectories.iter().map(|trajectory| trajectory.reward).collect::<Vec<_>>());
            ControlFlow::Continue(())
        });
        read.unwrap();
        assert_eq!(rewards, [vec![1.0, 2.5], vec![], vec![], vec![-1.0]]);
    }
}
