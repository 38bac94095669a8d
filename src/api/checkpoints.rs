//! Saved steps of a model.

use super::{
    Api,
    paging::{ends, id, page_request},
};
use crate::{
    auth::Caller,
    generated::{
        server::checkpoints::{
            Checkpoints, DeleteCheckpointsInput, DeleteCheckpointsOutput, ListCheckpointsInput, ListCheckpointsOutput,
        },
        types::{Checkpoint, CheckpointPage, DeleteCheckpointsResponse, ListObject},
    },
    http::Failure,
    store::{garbage, records::CheckpointRecord},
};

impl Checkpoints for Api {
    async fn list_checkpoints(
        &self,
        caller: Caller,
        input: ListCheckpointsInput,
    ) -> Result<ListCheckpointsOutput, Failure> {
        let model_id = id(&input.model_id, "model")?;
        let request = page_request(input.after.as_deref(), input.limit, input.order)?;
        let page = self.metadata.list_checkpoints(&caller.entity, model_id, request).await?;
        let data: Vec<Checkpoint> = page.items.into_iter().map(wire).collect();
        let (first_id, last_id) = ends(&data, |item| &item.id);
        Ok(CheckpointPage { object: ListObject::List, first_id, last_id, has_more: page.has_more, data }.into())
    }

    async fn delete_checkpoints(
        &self,
        caller: Caller,
        input: DeleteCheckpointsInput,
    ) -> Result<DeleteCheckpointsOutput, Failure> {
        let model_id = id(&input.model_id, "model")?;
        // A step beyond i64 was never made; it is reported as not found like any other.
        let (steps, beyond): (Vec<_>, Vec<_>) =
            input.body.steps.iter().map(|&step| i64::try_from(step).map_err(|_| step)).partition(Result::is_ok);
        let steps: Vec<i64> = steps.into_iter().flatten().collect();
        let deleted = self.metadata.delete_checkpoints(&caller.entity, model_id, &steps).await?;
        self.catalog.forget_artifacts(&deleted.unreferenced);
        garbage::collect_later(self.metadata.clone(), self.artifacts.clone(), deleted.unreferenced);
        let mut not_found: Vec<u64> = deleted.not_found.iter().map(|step| step.unsigned_abs()).collect();
        not_found.extend(beyond.into_iter().filter_map(Result::err));
        not_found.sort_unstable();
        not_found.dedup();
        Ok(DeleteCheckpointsResponse { deleted_count: deleted.deleted.len() as u64, not_found_steps: not_found }.into())
    }
}

fn wire(checkpoint: CheckpointRecord) -> Checkpoint {
    Checkpoint { id: checkpoint.id.to_string(), step: checkpoint.step.unsigned_abs(), metrics: checkpoint.metrics }
}
