//! Trajectory groups of a request, written to the artifact store as they come.

use serde::de::DeserializeOwned;

use crate::{
    generated::types::TrajectoryGroup,
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

impl ReceivedGroups {
    async fn append(&mut self, groups: Vec<TrajectoryGroup>) -> Result<(), Failure> {
        let first = self.groups;
        self.groups += groups.len();
        self.trajectories += groups.iter().map(|group| group.trajectories.len()).sum::<usize>();
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
