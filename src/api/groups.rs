//! Trajectory groups of a request, streamed to the artifact store.

use std::collections::BTreeSet;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::ignored::Ignored;
use crate::generated::types::{CapturedExchanges, Trajectory, TrajectoryGroup};
use crate::http::{ApiError, JsonItems};
use crate::sessions::SessionGroups;
use crate::store::artifacts::{ArtifactWriter, Artifacts};
use crate::store::metadata::Metadata;

/// Maximum number of fields that are noted.
const MAX_UNREAD: usize = 64;

/// The received groups of a request. Dropping it discards the stored bytes.
pub(super) struct ReceivedGroups {
    /// Writer of their artifact, a JSON array.
    pub writer: ArtifactWriter,
    /// Number of groups.
    pub groups: usize,
    /// Number of trajectories in all groups.
    pub trajectories: usize,
    /// Paths of fields that are stored and have no other effect.
    unread: BTreeSet<String>,
}

/// Receives a body to its end. Returns the body without its groups, and the groups, whose artifact is not [closed](ReceivedGroups::close).
///
/// # Errors
/// Returns an error if the body is invalid or the store fails.
pub(super) async fn receive<T: DeserializeOwned + Send + 'static>(
    artifacts: &Artifacts,
    mut body: JsonItems<T, TrajectoryGroup>,
) -> Result<(T, ReceivedGroups), ApiError> {
    let mut received =
        ReceivedGroups { writer: artifacts.writer(), groups: 0, trajectories: 0, unread: BTreeSet::new() };
    while let Some(groups) = body.next().await? {
        if let Err(failure) = received.append(groups).await {
            body.drain().await;
            return Err(failure);
        }
    }
    Ignored::default().with_names(std::mem::take(&mut received.unread).into_iter().collect()).tell();
    Ok((body.rest().await?, received))
}

/// Message for a trajectory that has both exchanges and a conversation.
const MIXED: &str = "has both exchanges and messages_and_choices, tools or additional_histories; send the captured \
                     exchanges or the conversation, not both";

/// Returns whether a trajectory has both captured exchanges and a conversation.
fn is_mixed(trajectory: &Trajectory) -> bool {
    fn any<T>(list: &Option<Vec<T>>) -> bool {
        list.as_ref().is_some_and(|list| !list.is_empty())
    }
    let captured = trajectory.exchanges.as_ref().is_some_and(|exchanges| {
        let CapturedExchanges { chat_completions, completions, responses, messages, extra: _ } = exchanges;
        [chat_completions, completions, responses, messages].into_iter().any(any)
    });
    let conversation = any(&trajectory.messages_and_choices) || any(&trajectory.additional_histories);
    captured && (conversation || any(&trajectory.tools))
}

impl ReceivedGroups {
    /// Notes the fields of an object that nothing reads.
    fn note(&mut self, extra: &Map<String, Value>, at: &str) {
        for (name, _) in extra.iter().filter(|(_, value)| !value.is_null()) {
            if self.unread.len() < MAX_UNREAD {
                self.unread.insert(format!("{at}.{name}"));
            }
        }
    }

    /// Adds the groups of recorded sessions after those of the request.
    ///
    /// # Errors
    /// Returns an error if a session cannot be read or the store fails.
    pub(super) async fn add_sessions(
        &mut self,
        metadata: &dyn Metadata,
        sessions: &SessionGroups,
    ) -> Result<(), ApiError> {
        let is_first = self.groups == 0;
        self.groups += sessions.groups();
        Ok(sessions.write(metadata, is_first, &mut self.writer).await?)
    }

    /// Ends the list of groups.
    ///
    /// # Errors
    /// Returns an error if the store fails.
    pub(super) async fn close(mut self) -> Result<Self, ApiError> {
        let end = if self.groups == 0 { "[]" } else { "]" };
        self.writer.write(end.as_bytes()).await?;
        Ok(self)
    }

    async fn append(&mut self, groups: Vec<TrajectoryGroup>) -> Result<(), ApiError> {
        let first = self.groups;
        self.groups += groups.len();
        for (index, group) in (first..).zip(&groups) {
            self.note(&group.extra, "trajectory_groups");
            for (number, trajectory) in group.trajectories.iter().flatten().enumerate() {
                self.trajectories += 1;
                self.note(&trajectory.extra, "trajectory_groups.trajectories");
                for history in trajectory.additional_histories.iter().flatten() {
                    self.note(&history.extra, "trajectory_groups.trajectories.additional_histories");
                }
                if is_mixed(trajectory) {
                    let path = format!("trajectory_groups[{index}].trajectories[{number}]");
                    return Err(ApiError::invalid(path, MIXED));
                }
            }
        }
        // On a blocking thread, because the groups may have many megabytes.
        let writing = tokio::task::spawn_blocking(move || {
            let mut text = Vec::new();
            for (index, group) in (first..).zip(groups) {
                text.push(if index == 0 { b'[' } else { b',' });
                serde_json::to_writer(&mut text, &group)?;
            }
            Ok(text)
        });
        let text: serde_json::Result<Vec<u8>> = writing.await.map_err(ApiError::internal)?;
        Ok(self.writer.write(&text.map_err(ApiError::internal)?).await?)
    }
}
