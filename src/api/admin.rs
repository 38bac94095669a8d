//! Operations for operators: keys, workers and jobs of every entity.

use super::Api;
use super::job_view::{seconds, wire_page};
use super::keys::{summary, wire_limits};
use super::paging::{id, page, page_request};
use crate::auth::{Caller, KeyError, create_limited_key};
use crate::generated::server::admin::*;
use crate::generated::types::{CreatedKey, KeyPage, LeasedJob, ListObject, TrainingJobPage, WorkerDetail, WorkerList};
use crate::http::ApiError;
use crate::store::metadata::StoreError;
use crate::store::records::{JobFilter, KeyRecord, Order, PageRequest, WorkerRecord};

impl Admin for Api {
    async fn list_keys(&self, caller: Caller, input: ListKeysInput) -> Result<ListKeysOutput, ApiError> {
        check_admin(&caller)?;
        let request = page_request(input.after.as_deref(), input.limit, input.order)?;
        let keys = self.metadata.list_keys(input.entity.as_deref()).await?;
        let (keys, has_more) = page_of(keys, request)?;
        Ok(page!(KeyPage, keys.into_iter().map(summary).collect(), has_more).into())
    }

    async fn create_key(&self, caller: Caller, input: CreateKeyInput) -> Result<CreateKeyOutput, ApiError> {
        check_admin(&caller)?;
        let body = input.body;
        let limits = body.limits.map(|limits| wire_limits(&limits)).unwrap_or_default();
        let name = body.name.as_deref().unwrap_or("default");
        let is_admin = body.admin == Some(true);
        let created = create_limited_key(&*self.metadata, &body.entity, name, limits, is_admin).await;
        let (key, record) = created.map_err(|error| match error {
            KeyError::Entity(error) => ApiError::invalid("entity", error.to_string()),
            KeyError::Name(_) => ApiError::invalid("name", error.to_string()),
            KeyError::Store(error) => error.into(),
            KeyError::Unknown(_) | KeyError::Ambiguous { .. } | KeyError::Random(_) => ApiError::internal(error),
        })?;
        Ok(CreatedKey { api_key: key.reveal().to_owned(), key: summary(record) }.into())
    }

    async fn set_key_limits(&self, caller: Caller, input: SetKeyLimitsInput) -> Result<SetKeyLimitsOutput, ApiError> {
        check_admin(&caller)?;
        let key = id(&input.key_id, "key")?;
        Ok(summary(self.metadata.set_key_limits(key, wire_limits(&input.body)).await?).into())
    }

    async fn revoke_key(&self, caller: Caller, input: RevokeKeyInput) -> Result<RevokeKeyOutput, ApiError> {
        check_admin(&caller)?;
        Ok(summary(self.metadata.revoke_key(id(&input.key_id, "key")?).await?).into())
    }

    async fn list_workers(&self, caller: Caller, _input: ListWorkersInput) -> Result<ListWorkersOutput, ApiError> {
        check_admin(&caller)?;
        let data = self.metadata.list_workers().await?.into_iter().map(worker).collect();
        Ok(WorkerList { object: ListObject::List, data }.into())
    }

    async fn list_all_training_jobs(
        &self,
        caller: Caller,
        input: ListAllTrainingJobsInput,
    ) -> Result<ListAllTrainingJobsOutput, ApiError> {
        check_admin(&caller)?;
        let filter = JobFilter {
            model_id: None,
            status: input.status.map(Into::into),
            kind: input.kind.map(Into::into),
            text: None,
        };
        let request = page_request(input.after.as_deref(), input.limit, input.order)?;
        let page = self.metadata.list_all_jobs(filter, request).await?;
        let mut data = wire_page(&page.items);
        for (job, state) in data.iter_mut().zip(&page.items) {
            job.entity = Some(state.job.entity.clone());
        }
        Ok(page!(TrainingJobPage, data, page.has_more).into())
    }
}

/// Rejects keys that may not use the operations of operators.
fn check_admin(caller: &Caller) -> Result<(), ApiError> {
    if caller.is_admin {
        return Ok(());
    }
    let message = "this operation is for operators; use a key of `trainyard keys create --admin`";
    Err(ApiError::forbidden(message).with_code("admin_key_required"))
}

/// Returns the requested page of keys, which are oldest first, and whether more follow. They are few: people create them one
/// by one.
fn page_of(mut keys: Vec<KeyRecord>, request: PageRequest) -> Result<(Vec<KeyRecord>, bool), StoreError> {
    if request.order == Order::Descending {
        keys.reverse();
    }
    if let Some(after) = request.after {
        let position = keys.iter().position(|key| key.id == after).ok_or(StoreError::InvalidCursor(after))?;
        keys.drain(..=position);
    }
    let has_more = keys.len() > request.limit as usize;
    keys.truncate(request.limit as usize);
    Ok((keys, has_more))
}

fn worker(record: WorkerRecord) -> WorkerDetail {
    let WorkerRecord { report, started_at, reported_at, is_alive, jobs } = record;
    let jobs = jobs.into_iter().map(|job| LeasedJob { id: job.id.to_string(), entity: job.entity });
    WorkerDetail {
        name: report.name,
        host: report.host,
        version: report.version,
        trainers: report.trainers.into_iter().map(|(base, kind)| (base, kind.to_string())).collect(),
        started_at: seconds(started_at),
        reported_at: seconds(reported_at),
        alive: is_alive,
        jobs: jobs.collect(),
    }
}
