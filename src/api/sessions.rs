//! Recorded sessions: opening, listing, reward and deletion.

use std::sync::Arc;

use serde_json::Value;
use uuid::Uuid;

use super::Api;
use super::job_view::seconds;
use super::paging::{Listed, id, page, page_request, read_in_parts};
use super::paths::caller_address;
use crate::auth::{ApiKey, Caller};
use crate::generated::server::sessions::*;
use crate::generated::types::{
    DeletedSession, JsonObject, RecordedSession, RecordedSessionPage, SessionGeneration, SessionGenerationStatus,
    SessionObject, TrainingJobSequence,
};
use crate::http::{ApiError, reserve_response};
use crate::json::Verbatim;
use crate::models::{Base, Found, ModelName, ResolveError, at_step, trained_name};
use crate::sessions::{LIFE, MAX_SESSIONS, SampledSequence, sampled_sequences};
use crate::store::records::{GenerationRecord, NewSession, SessionFilter, SessionLabels, SessionRecord, SessionReward};

/// Number of sessions or generations of one read of the store.
const READ_AT_ONCE: u32 = 20;
/// Memory of a session or a generation in a response without its texts.
const ITEM_BYTES: usize = 1024;
/// Memory of a token in a response: its id, text, flag and logprob.
const TOKEN_BYTES: usize = 96;

impl Sessions for Api {
    async fn create_session(&self, caller: Caller, input: CreateSessionInput) -> Result<CreateSessionOutput, ApiError> {
        let body = input.body;
        let model = self.session_model(&caller, &body.model, body.pin == Some(true)).await?;
        let metadata = body.metadata.as_ref().map(read).transpose()?.unwrap_or_default();
        let labels =
            SessionLabels { model, name: body.name, group: body.group, tags: body.tags.unwrap_or_default(), metadata };
        let key = ApiKey::generate().map_err(ApiError::internal)?;
        let (id, sha256) = (Uuid::now_v7(), key.sha256());
        let (entity, key_id) = (caller.entity, caller.key_id);
        let session = NewSession { id, entity, key_id, sha256, labels, life: LIFE, most: MAX_SESSIONS };
        let session = self.metadata.create_session(session).await?;
        let address = caller_address(input.host, input.x_forwarded_proto.as_deref());
        let base_url = Some(format!("{address}/sessions/{id}/v1"));
        Ok(RecordedSession { key: Some(key.reveal().to_owned()), base_url, ..wire(session)? }.into())
    }

    async fn list_sessions(&self, caller: Caller, input: ListSessionsInput) -> Result<ListSessionsOutput, ApiError> {
        let request = page_request(input.after.as_deref(), input.limit, input.order)?;
        let model = input.model.as_deref().map(|name| self.canonical(&caller, name));
        let filter = SessionFilter { group: input.group.as_deref(), model: model.as_deref() };
        let read = |part| self.metadata.list_sessions(&caller.entity, filter, part);
        let bytes = |session: &SessionRecord| ITEM_BYTES + 2 * size(&session.labels);
        let listed = Listed { id: |session: &SessionRecord| session.id, bytes };
        let page = read_in_parts(request, READ_AT_ONCE, read, listed, |session| Some(wire(session))).await?;
        let items = page.items.into_iter().collect::<Result<_, _>>()?;
        Ok(page!(RecordedSessionPage, items, page.has_more).into())
    }

    async fn get_session(&self, caller: Caller, input: GetSessionInput) -> Result<GetSessionOutput, ApiError> {
        let session = self.metadata.get_session(&caller.entity, id(&input.session_id, "session")?).await?;
        let is_wanted =
            |it: &GenerationRecord| input.generation_id.as_ref().is_none_or(|only| *only == it.id.to_string());
        let base = if input.tokens { self.sampled_base(&caller, &session).await? } else { None };
        let mut generations = Vec::new();
        let mut after = 0;
        loop {
            let part = self.metadata.list_generations(session.id, after, READ_AT_ONCE).await?;
            let Some(last) = part.last() else { break };
            after = last.number;
            for generation in part.into_iter().filter(is_wanted) {
                let request = if input.requests { generation.request.len() } else { 0 };
                reserve_response(ITEM_BYTES + 2 * (generation.choices.len() + request))?;
                let sequences = match &base {
                    Some(base) => self.sequences(base, session.id, generation.number).await?,
                    None => None,
                };
                generations.push(SessionGeneration { sequences, ..wire_generation(generation, input.requests)? });
            }
        }
        Ok(RecordedSession { generations: Some(generations), ..wire(session)? }.into())
    }

    async fn delete_session(&self, caller: Caller, input: DeleteSessionInput) -> Result<DeleteSessionOutput, ApiError> {
        let session = id(&input.session_id, "session")?;
        self.metadata.delete_session(&caller.entity, session).await?;
        Ok(DeletedSession { id: session.to_string(), object: SessionObject::Session, deleted: true }.into())
    }

    async fn reward_session(&self, caller: Caller, input: RewardSessionInput) -> Result<RewardSessionOutput, ApiError> {
        let session = id(&input.session_id, "session")?;
        let body = input.body;
        if !body.reward.is_finite() {
            return Err(ApiError::invalid("reward", "reward must be a finite number"));
        }
        let generation = body.generation_id.as_deref().map(|text| id(text, "generation")).transpose()?;
        let metrics = body.metrics.as_ref().map(read).transpose()?.unwrap_or_default();
        let reward = SessionReward { reward: body.reward, metrics };
        Ok(wire(self.metadata.reward_session(&caller.entity, session, generation, reward).await?)?.into())
    }
}

impl Api {
    /// Returns the canonical name of the model that a new session samples, with the step that is newest now if it is pinned.
    async fn session_model(&self, caller: &Caller, name: &str, is_pinned: bool) -> Result<String, ApiError> {
        Ok(match self.catalog.find(&caller.entity, name).await? {
            Found::Base(base) => base.name().to_owned(),
            Found::Trained { model, step, checkpoint, .. } => {
                let newest = checkpoint.filter(|_| is_pinned).map(|checkpoint| checkpoint.step.unsigned_abs());
                at_step(trained_name(&model.entity, &model.project, &model.name), step.or(newest))
            }
        })
    }

    /// Returns the base model whose tokens a session has; `None` if it is not known any more.
    async fn sampled_base(&self, caller: &Caller, session: &SessionRecord) -> Result<Option<Arc<Base>>, ApiError> {
        let model = &session.labels.model;
        // The step may be deleted.
        let name = ModelName::parse(model).map(|ModelName { project, name, .. }| format!("{project}/{name}"));
        let name = name.filter(|_| self.catalog.base(model).is_none());
        match self.catalog.find(&caller.entity, name.as_ref().unwrap_or(model)).await {
            Ok(Found::Base(base) | Found::Trained { base, .. }) => Ok(Some(base)),
            Err(ResolveError::Unknown(_) | ResolveError::BaseNotServed(_)) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Returns the tokens of a generation; `None` if it was deleted meanwhile.
    async fn sequences(
        &self,
        base: &Base,
        session: Uuid,
        number: i64,
    ) -> Result<Option<Vec<TrainingJobSequence>>, ApiError> {
        let Some(recorded) = self.metadata.next_generation(session, number - 1).await? else { return Ok(None) };
        let sampled = sampled_sequences(&recorded.tokens).map_err(ApiError::internal)?;
        reserve_response(sampled.iter().map(|sequence| TOKEN_BYTES * sequence.token_ids.len()).sum())?;
        Ok(Some(sampled.into_iter().map(|sequence| wire_sequence(base, sequence)).collect()))
    }

    /// Returns a name as sessions have it.
    fn canonical(&self, caller: &Caller, name: &str) -> String {
        match ModelName::parse(name).filter(|_| self.catalog.base(name).is_none()) {
            Some(ModelName { entity, project, name, step }) => {
                at_step(trained_name(entity.as_ref().unwrap_or(&caller.entity), &project, &name), step)
            }
            None => name.to_owned(),
        }
    }
}

/// Returns about the number of bytes of the labels.
fn size(labels: &SessionLabels) -> usize {
    let SessionLabels { model, name, group, tags, metadata } = labels;
    let texts = [Some(model), name.as_ref(), group.as_ref()].into_iter().flatten().chain(tags);
    texts.map(String::len).sum::<usize>() + Value::Object(metadata.clone()).to_string().len()
}

/// Reads an object of a request.
fn read(object: &JsonObject) -> Result<serde_json::Map<String, Value>, ApiError> {
    object.read().map_err(ApiError::internal)
}

fn object(fields: &serde_json::Map<String, Value>) -> Result<Option<JsonObject>, ApiError> {
    if fields.is_empty() {
        return Ok(None);
    }
    Verbatim::of(fields).map(Some).map_err(ApiError::internal)
}

fn count(number: i64) -> u64 {
    number.unsigned_abs()
}

fn wire(session: SessionRecord) -> Result<RecordedSession, ApiError> {
    let SessionRecord { id, labels, reward, generations, bytes, created_at, expires_at, .. } = session;
    let SessionLabels { model, name, group, tags, metadata } = labels;
    Ok(RecordedSession {
        id: id.to_string(),
        object: SessionObject::Session,
        model,
        name,
        group,
        tags,
        metadata: object(&metadata)?,
        metrics: reward.as_ref().map_or(Ok(None), |reward| object(&reward.metrics))?,
        reward: reward.map(|reward| reward.reward),
        num_generations: count(generations),
        bytes: count(bytes),
        created_at: seconds(created_at),
        expires_at: seconds(expires_at),
        key: None,
        base_url: None,
        generations: None,
    })
}

fn wire_generation(generation: GenerationRecord, has_request: bool) -> Result<SessionGeneration, ApiError> {
    let (reward, request) = (&generation.reward, &generation.request);
    Ok(SessionGeneration {
        id: generation.id.to_string(),
        operation: generation.operation,
        model: generation.model,
        step: generation.step.map(count),
        status: if generation.is_whole {
            SessionGenerationStatus::Completed
        } else {
            SessionGenerationStatus::Abandoned
        },
        prompt_tokens: count(generation.prompt_tokens),
        completion_tokens: count(generation.completion_tokens),
        choices: serde_json::from_str(&generation.choices).map_err(ApiError::internal)?,
        request: if has_request { Some(serde_json::from_str(request).map_err(ApiError::internal)?) } else { None },
        metrics: reward.as_ref().map_or(Ok(None), |reward| object(&reward.metrics))?,
        reward: reward.as_ref().map(|reward| reward.reward),
        started_at: seconds(generation.started_at),
        ended_at: seconds(generation.ended_at),
        sequences: None,
    })
}

/// Returns a sequence whose trained tokens are the sampled ones.
fn wire_sequence(base: &Base, sequence: SampledSequence) -> TrainingJobSequence {
    let SampledSequence { token_ids, prompt_tokens, logprobs } = sequence;
    TrainingJobSequence {
        texts: base.texts_of(&token_ids),
        trained: (0..token_ids.len()).map(|position| position >= prompt_tokens).collect(),
        logprobs: std::iter::repeat_n(None, prompt_tokens).chain(logprobs).collect(),
        token_ids,
        trained_logprobs: None,
        advantage: None,
        weight: None,
    }
}
