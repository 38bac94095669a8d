//! Trajectory groups of a request, written to the artifact store as they come.

use serde::de::DeserializeOwned;

use crate::{
    generated::types::{CapturedExchanges, Trajectory, TrajectoryGroup},
    http::{Failure, JsonItems},
    store::artifacts::{ArtifactWriter, Artifacts},
};

/// The groups of a request, on their way to the store: dropping this throws them away.
pub(super) struct ReceivedGroups {
    /// What becomes their artifact: a JSON array.
    pub writer: ArtifactWriter,
    /// How many.
    pub groups: usize,
    /// How many trajectories they have.
    pub trajectories: usize,
}

/// Receives a body to its end; returns it without its groups, and these.
///
/// # Errors
/// When the body is refused, or the store fails.
pub(super) async fn receive<T: DeserializeOwned + Send + 'static>(
    artifacts: &Artifacts,
    mut body: JsonItems<T, TrajectoryGroup>,
) -> Result<(T, ReceivedGroups), Failure> {
    let mut received = ReceivedGroups { writer: artifacts.writer(), groups: 0, trajectories: 0 };
    while let Some(groups) = body.next().await? {
        if let Err(failure) = received.append(groups).await {
            body.drain().await;
            return Err(failure);
        }
    }
    let end = if received.groups == 0 { "[]" } else { "]" };
    received.writer.write(end.as_bytes()).await?;
    Ok((body.rest().await?, received))
}

/// What is wrong with a trajectory of both kinds.
const MIXED: &str = "has both exchanges and messages_and_choices, tools or additional_histories; send the captured \
                     exchanges or the conversation, not both";

/// Whether a trajectory has captured exchanges and a conversation.
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
    async fn append(&mut self, groups: Vec<TrajectoryGroup>) -> Result<(), Failure> {
        let first = self.groups;
        self.groups += groups.len();
        for (index, group) in (first..).zip(&groups) {
            for (number, trajectory) in group.trajectories.iter().flatten().enumerate() {
                self.trajectories += 1;
                if is_mixed(trajectory) {
                    let place = format!("trajectory_groups[{index}].trajectories[{number}]");
                    return Err(Failure::invalid(place, MIXED));
                }
            }
        }
        // They may have many megabytes.
        let writing = tokio::task::spawn_blocking(move || {
            let mut text = Vec::new();
            for (index, group) in (first..).zip(groups) {
                text.push(if index == 0 { b'[' } else { b',' });
                serde_json::to_writer(&mut text, &group)?;
            }
            Ok(text)
        });
        let text: serde_json::Result<Vec<u8>> = writing.await.map_err(Failure::internal)?;
        Ok(self.writer.write(&text.map_err(Failure::internal)?).await?)
    }
}
