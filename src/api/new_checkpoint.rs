//! Checkpoints created without training: copies of other steps, and imported adapters.

use tokio::sync::Semaphore;
use uuid::Uuid;

use super::checkpoints::{step_number, wire};
use super::paging::id;
use super::training_method::different_options;
use super::{Api, idempotency};
use crate::auth::Caller;
use crate::engine::{Adapter, AdapterError, LoraOptions, PeftConfig, TrainingMethod};
use crate::generated::server::checkpoints::{AddCheckpointInput, AddCheckpointOkHeaders, AddCheckpointOutput};
use crate::generated::types::{AddCheckpoint, CopiedCheckpoint, ImportedAdapter};
use crate::http::ApiError;
use crate::models::ResolveError;
use crate::store::records::{AddedCheckpoint, CheckpointRecord, CheckpointSource, FileRecord, ModelRecord, Provenance};

/// Request field of an imported adapter's configuration.
pub(super) const CONFIG: &str = "adapter_config";
/// Request field of an imported adapter's weights file.
pub(super) const WEIGHTS: &str = "weights_file_id";
/// Maximum size of a weights file's header, which contains names and shapes.
const HEADER_BYTES: u64 = 2 << 20;
/// Bytes per number of the widest storage format.
const NUMBER_BYTES: u64 = 4;
/// Limits the concurrent imports of adapters: each has its weights in memory twice.
static READING: Semaphore = Semaphore::const_new(1);

impl Api {
    /// Creates a checkpoint of a model from the source in the request.
    pub(super) async fn add_checkpoint(
        &self,
        caller: &Caller,
        input: AddCheckpointInput,
    ) -> Result<AddCheckpointOutput, ApiError> {
        let entity = &caller.entity;
        let model = self.metadata.get_model(entity, id(&input.model_id, "model")?).await?;
        let asked: [&[u8]; 2] = [b"checkpoint", model.id.as_bytes()];
        let request = idempotency::record_of_body(input.idempotency_key, &asked, &input.body)?;
        if let Some(request) = &request
            && let Some(done) = self.metadata.find_idempotent_result(entity, request).await?
        {
            let before = self.metadata.get_checkpoint(entity, model.id, done.object_id()).await?;
            return Ok(created(before, Some(true)));
        }
        // This can wait, so nothing is stored yet.
        let provenance = match self.catalog.served_base(&model) {
            Ok(base) => base.provenance().await,
            // A copy has the provenance of its source.
            Err(_) => Provenance::default(),
        };
        let source = match &input.body {
            AddCheckpoint::CopiedCheckpoint(copied) => self.copied(caller, &model, copied).await?,
            AddCheckpoint::ImportedAdapter(imported) => self.imported(caller, &model, imported).await?,
        };
        let id = Uuid::now_v7();
        let added = AddedCheckpoint {
            id,
            entity: entity.clone(),
            model_id: model.id,
            min_step: 0,
            metadata: None,
            source,
            provenance,
            request,
        };
        let added = self.metadata.add_checkpoint(added).await;
        let is_unused = idempotency::is_unused(&added, |checkpoint| checkpoint.id != id);
        if is_unused && let CheckpointSource::File { config, .. } = source {
            self.collect_later(vec![config]);
        }
        Ok(created(added?, is_unused.then_some(true)))
    }

    /// Returns a step of another model as the source, if this model can resume from it.
    async fn copied(
        &self,
        caller: &Caller,
        model: &ModelRecord,
        copied: &CopiedCheckpoint,
    ) -> Result<CheckpointSource, ApiError> {
        let from = self.metadata.get_model(&caller.entity, id(&copied.model_id, "model")?).await?;
        let differs = |field: &str, from: &str, to: &str| {
            let message = format!(
                "the model of that step has {field} {from}, this one has {to}; copy it into a model that was registered alike"
            );
            Err(ApiError::invalid("model_id", message))
        };
        if from.base_model != model.base_model {
            return differs("base_model", &from.base_model, &model.base_model);
        }
        match (from.method, model.method) {
            (TrainingMethod::Lora(from), TrainingMethod::Lora(to)) => check_options("model_id", &from, &to)?,
            (from, to) if from != to => return differs("training_method", from.name(), to.name()),
            _ => {}
        }
        Ok(CheckpointSource::Step { model_id: from.id, step: step_number(copied.step)? })
    }

    /// Returns an imported adapter as the source, after it was read and validated against the model.
    async fn imported(
        &self,
        caller: &Caller,
        model: &ModelRecord,
        imported: &ImportedAdapter,
    ) -> Result<CheckpointSource, ApiError> {
        lora_options(model)?;
        let file = self.named_file(caller, &imported.weights_file_id, WEIGHTS).await?;
        let config = imported.adapter_config.text().as_bytes().to_vec();
        self.check_adapter(model, config.clone(), &file).await?;
        Ok(CheckpointSource::File { file: file.id, config: self.artifacts.put(config).await? })
    }

    /// Returns an error for an adapter that cannot be read or does not match the model.
    pub(super) async fn check_adapter(
        &self,
        model: &ModelRecord,
        config: Vec<u8>,
        file: &FileRecord,
    ) -> Result<(), ApiError> {
        let options = lora_options(model)?;
        let base = self.catalog.served_base(model)?;
        let parameters = Adapter::parameters_of(&base.config, &options) as u64;
        let most = NUMBER_BYTES * parameters + HEADER_BYTES;
        if file.bytes.unsigned_abs() > most {
            let message = format!(
                "the file has {} bytes; an adapter of this model has {parameters} numbers, which take {most} bytes at most",
                file.bytes
            );
            return Err(ApiError::invalid(WEIGHTS, message));
        }
        let numbers = PeftConfig::read(&config).map_err(rejected)?;
        // Check these numbers before reading weights, whose size depends on them.
        let like_it = LoraOptions {
            rank: numbers.rank,
            alpha: numbers.alpha,
            rank_stabilised: numbers.rank_stabilised,
            targets: options.targets,
        };
        check_options(CONFIG, &like_it, &options)?;
        // The semaphore is never closed. Without a permit there would only be more concurrent imports.
        let _turn = READING.acquire().await;
        let adapter = self.catalog.read_foreign_adapter(base, config, file.artifact).await;
        let adapter = adapter.map_err(|error| match error {
            ResolveError::Adapter(error) => rejected(error),
            error => error.into(),
        })?;
        check_options(CONFIG, adapter.options(), &options)
    }
}

/// Returns the LoRA options of a model.
pub(super) fn lora_options(model: &ModelRecord) -> Result<LoraOptions, ApiError> {
    let TrainingMethod::Lora(options) = model.method else {
        let message = "this model is trained as a whole; import an adapter into one with training_method lora";
        return Err(ApiError::invalid("type", message));
    };
    Ok(options)
}

/// Converts an adapter error to an error response.
fn rejected(error: AdapterError) -> ApiError {
    match error {
        AdapterError::Config(problem) => ApiError::invalid(CONFIG, problem),
        error => ApiError::invalid(WEIGHTS, error.to_string()),
    }
}

/// Returns 422 at `path` if the options of an adapter differ from the model's.
fn check_options(path: &str, found: &LoraOptions, model: &LoraOptions) -> Result<(), ApiError> {
    let Some((option, found, model)) = different_options(found, model).into_iter().next() else { return Ok(()) };
    let message = format!(
        "the adapter has {option} {found}, the model was registered with {model}; register a model with the adapter's"
    );
    Err(ApiError::invalid(path, message))
}

fn created(checkpoint: CheckpointRecord, idempotency_replayed: Option<bool>) -> AddCheckpointOutput {
    AddCheckpointOutput::Ok { headers: AddCheckpointOkHeaders { idempotency_replayed }, body: wire(checkpoint) }
}
