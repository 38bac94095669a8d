//! One attempt at one job: from its record to its published checkpoint.

use std::{
    collections::BTreeMap,
    ops::ControlFlow,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

use serde_json::json;
use tokio::runtime::Handle;

use super::{
    WorkerParts,
    journal::{Journal, MakeFiles, StoredState},
    means::{TOKENS_PER_SECOND, recorded_means},
    options::resolved_config,
    prepared::Prepared,
    reference::ReferenceError,
    rl, sft,
    state::{State, Trainer},
};
use crate::{
    engine::{AdamStateError, MemoryPlan, SequenceInput, TrainError, TrainingMethod, full::FullMemoryError},
    models::{Base, ResolveError, Servable},
    store::{
        artifacts::ArtifactError,
        garbage,
        metadata::StoreError,
        records::{
            ClaimedJob, JobErrorCode, JobInput, JobKind, JobOutcome, JobRecord, JobStart, Lease, ModelRecord,
            NewCheckpoint, NewEvent, OptimizerArtifact, Provenance,
        },
    },
    training::{
        ConfigError, DatasetError, GradientStep, Learner, LearnerError, MAX_SEQUENCE_LENGTH, MetricMeans,
        OptimizerSettings, PrepareSftError, RunError, RunOutcome, SourceError, TokenScores, precalculate,
    },
};

/// Why an attempt did not end the job.
#[derive(Debug, thiserror::Error)]
pub(super) enum AttemptError {
    #[error("the service is stopping")]
    Stopped,
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Artifact(#[from] ArtifactError),
    #[error(transparent)]
    Model(#[from] ResolveError),
    #[error(transparent)]
    Memory(#[from] FullMemoryError),
    #[error("the job was not started: {0}")]
    Plan(TrainError),
    #[error("the stored optimizer state cannot be used: {0}")]
    Optimizer(#[from] AdamStateError),
    #[error("the state of training cannot be read: {0}")]
    State(String),
    #[error("the stored request cannot be read: {0}")]
    Body(#[from] serde_json::Error),
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error("the training data could not be read: {0}")]
    Source(#[from] SourceError),
    #[error(transparent)]
    PrepareSft(#[from] PrepareSftError),
    #[error(transparent)]
    Reference(ReferenceError),
    #[error(transparent)]
    Run(#[from] RunError),
    #[error("the trainer stopped unexpectedly; the server's log has the cause")]
    Task(#[from] tokio::task::JoinError),
    #[error("the trainer stopped unexpectedly: {0}")]
    Panic(String),
    #[error(
        "the service ended {0} times while it worked on this job, without getting any further; the job may need more \
         memory than there is"
    )]
    TooManyAttempts(i64),
}

impl From<ReferenceError> for AttemptError {
    fn from(error: ReferenceError) -> Self {
        match error {
            ReferenceError::Store(error) => error.into(),
            error => Self::Reference(error),
        }
    }
}

impl AttemptError {
    /// What the job's owner is told. Faults of the service itself are named without their insides.
    pub(super) fn for_owner(&self) -> String {
        match self {
            Self::Store(StoreError::InvalidValue(_) | StoreError::Conflict(_)) => self.to_string(),
            Self::Panic(_) => "the trainer stopped unexpectedly; the server's log has the cause".to_owned(),
            _ if self.is_of_the_store() => "the service could not read or write its own data".to_owned(),
            other => other.to_string(),
        }
    }

    /// What programs are told.
    pub(super) fn code(&self) -> JobErrorCode {
        match self {
            Self::Source(error) => match error {
                SourceError::InvalidUrl(_)
                | SourceError::UnsupportedScheme { .. }
                | SourceError::Refused { .. }
                | SourceError::TooLarge { .. } => JobErrorCode::InvalidTrainingData,
                _ => JobErrorCode::TrainingDataUnavailable,
            },
            Self::Config(_) | Self::Reference(_) => JobErrorCode::InvalidConfig,
            Self::Store(StoreError::InvalidValue(_) | StoreError::Conflict(_)) => JobErrorCode::InvalidConfig,
            _ if self.is_of_the_store() => JobErrorCode::StorageFailed,
            Self::PrepareSft(_) | Self::Body(_) => JobErrorCode::InvalidTrainingData,
            Self::Model(ResolveError::Store(_) | ResolveError::Artifact(_)) => JobErrorCode::StorageFailed,
            Self::Model(_) => JobErrorCode::ModelUnavailable,
            Self::Memory(_) | Self::Plan(_) => JobErrorCode::OutOfMemory,
            Self::Run(RunError::NonFiniteLoss { .. }) => JobErrorCode::Diverged,
            Self::TooManyAttempts(_) => JobErrorCode::Interrupted,
            _ => JobErrorCode::InternalError,
        }
    }

    /// Whether reading or writing what the service keeps failed.
    fn is_of_the_store(&self) -> bool {
        match self {
            Self::Store(_)
            | Self::Artifact(_)
            | Self::PrepareSft(PrepareSftError::Dataset(DatasetError::Read { .. }))
            | Self::Run(RunError::Data { .. }) => true,
            Self::Body(error) => error.is_io(),
            _ => false,
        }
    }
}

/// A training session that refuses to go on once the job was cancelled: one step may be a whole data set.
pub(super) struct Interruptible {
    trainer: Trainer,
    cancel: Arc<AtomicBool>,
    /// Whether the weights are ahead of the last step that was reported.
    ahead: bool,
}

impl Interruptible {
    pub(super) fn new(trainer: Trainer, cancel: Arc<AtomicBool>) -> Self {
        Self { trainer, cancel, ahead: false }
    }

    /// Ends training: the state as of the last step.
    pub(super) fn into_state(self) -> State {
        self.trainer.finish().0
    }

    fn check(&self) -> Result<(), LearnerError> {
        if self.cancel.load(Ordering::Relaxed) { Err(Box::new(AttemptError::Stopped)) } else { Ok(()) }
    }
}

impl Learner for Interruptible {
    fn score(&mut self, sequences: &[SequenceInput<'_>]) -> Result<Vec<TokenScores>, LearnerError> {
        self.check()?;
        self.trainer.score(sequences)
    }

    fn accumulate(
        &mut self,
        sequences: &[SequenceInput<'_>],
        gradient: &mut dyn FnMut(&[TokenScores]) -> Vec<Vec<f32>>,
    ) -> Result<Vec<TokenScores>, LearnerError> {
        self.check()?;
        self.trainer.accumulate(sequences, gradient)
    }

    fn step(&mut self, settings: &OptimizerSettings) -> Result<f64, LearnerError> {
        self.ahead = true;
        self.trainer.step(settings)
    }
}

/// Where training begins and where this attempt goes on.
struct Origin {
    /// What the job began from.
    start: State,
    /// Training as of the end of the steps that were made, if an earlier attempt made some.
    reached: Option<State>,
    /// Steps that were made.
    steps: usize,
    /// Their metrics.
    means: MetricMeans,
}

/// What training left.
struct Trained {
    state: State,
    servable: Servable,
    metrics: BTreeMap<String, f64>,
}

/// A checkpoint whose bytes are stored, and what serves it if that is new.
struct Stored {
    checkpoint: NewCheckpoint,
    servable: Option<Servable>,
}

/// Runs a claimed job to its end. `cancel` is looked at between sequences.
pub(super) async fn run(parts: &WorkerParts, claimed: ClaimedJob, cancel: Arc<AtomicBool>) -> Result<(), AttemptError> {
    let ClaimedJob { mut job, lease } = claimed;
    let model = parts.metadata.get_model(&job.entity, job.model_id).await?;
    let base = parts.catalog.served_base(&model)?.clone();
    let mut start = start(parts, &job, lease).await?;
    job.start = Some(start.clone());
    let mut prepared = prepare(parts, &job, &model, base.clone(), cancel.clone()).await?;
    if let Prepared::Rl(prepared) = &mut prepared {
        rl::compare(parts, lease, &model, &mut start, prepared).await?;
    }
    tracing::info!(announcement = %prepared.announcement(), "data prepared");
    let ended = ended(&prepared);
    let provenance = Provenance { config: resolved_config(&job).into(), ..base.provenance() };
    let trained = if prepared.steps() == 0 {
        parts.metadata.append_event(&lease, 1, started(&prepared)).await?;
        None
    } else {
        Some(train(parts, &job, lease, &model.method, &start, base.clone(), prepared, cancel).await?)
    };
    let stored = match trained {
        Some(trained) => store(parts, job.kind, &base, trained, provenance).await?,
        // Nothing to learn: the step advances all the same, to the same weights, so that loops keyed on it go on.
        None => Stored {
            checkpoint: NewCheckpoint {
                adapter: start.adapter,
                optimizer: start.optimizer,
                provenance,
                ..NewCheckpoint::default()
            },
            servable: None,
        },
    };
    // One transaction: a client that sees the event asks for the checkpoint at once, and a job that published one has
    // not failed.
    let outcome = JobOutcome::Succeeded;
    // In memory before the event is: whoever sees it has an answer at once.
    if let (true, Some(servable), Some(files)) = (parts.serves, stored.servable, stored.checkpoint.adapter.clone()) {
        let (catalog, base) = (parts.catalog.clone(), base.clone());
        let admit = move || {
            // Read back when it is asked for.
            if let Err(error) = catalog.admit(&base, job.model_id, &files, servable) {
                tracing::warn!(%error, "the checkpoint's sampler cannot be started yet");
            }
            Ok(())
        };
        blocking(admit).await?;
    }
    let finished = parts.metadata.finish_job(&lease, outcome, Some(stored.checkpoint), Some(ended)).await?;
    match &finished.checkpoint {
        Some(checkpoint) => tracing::info!(step = checkpoint.step, "checkpoint published"),
        // Deleted meanwhile.
        None => parts.catalog.forget_artifacts(&finished.unreferenced),
    }
    garbage::collect_later(parts.metadata.clone(), parts.artifacts.clone(), finished.unreferenced);
    Ok(())
}

/// The first event of a job.
fn started(prepared: &Prepared) -> NewEvent {
    NewEvent { kind: "training_started".to_owned(), data: prepared.announcement().to_string() }
}

/// The last event of a job that succeeds. It follows from the data alone, so every attempt writes the same.
fn ended(prepared: &Prepared) -> NewEvent {
    let findings = prepared.findings();
    let data = if findings.is_empty() { json!({}) } else { json!({ "findings": findings }) };
    NewEvent { kind: "training_ended".to_owned(), data: data.to_string() }
}

/// Makes every optimizer step of a job that has some.
#[allow(clippy::too_many_arguments)] // what an attempt has gathered
async fn train(
    parts: &WorkerParts,
    job: &JobRecord,
    lease: Lease,
    method: &TrainingMethod,
    start: &JobStart,
    base: Arc<Base>,
    prepared: Prepared,
    cancel: Arc<AtomicBool>,
) -> Result<Trained, AttemptError> {
    let prepared = match prepared {
        Prepared::Rl(job) => Prepared::Rl(rl::score_against_reference(parts, &base, start, job, cancel.clone()).await?),
        sft @ Prepared::Sft(_) => sft,
    };
    let from = State::read(parts, &base, *method, start.adapter.as_ref(), start.optimizer_for(job.kind)).await?;
    let mut origin = Origin { start: from, reached: None, steps: 0, means: MetricMeans::default() };
    if let Some(resume) = &job.resume {
        let (weights, optimizer) = (Some(&resume.adapter), Some(resume.optimizer));
        origin.reached = Some(State::read(parts, &base, *method, weights, optimizer).await?);
        origin.steps = usize::try_from(resume.next_step).unwrap_or(0);
        origin.means = recorded_means(&*parts.metadata, &job.entity, job.id, origin.steps).await?;
        tracing::info!(steps = origin.steps, "going on behind the steps that are done");
    }
    optimize(parts, lease, base, prepared, origin, cancel).await
}

/// What the job starts from: recorded by its first attempt, so that every later one starts from the same.
async fn start(parts: &WorkerParts, job: &JobRecord, lease: Lease) -> Result<JobStart, AttemptError> {
    if let Some(start) = &job.start {
        return Ok(start.clone());
    }
    let data = match &job.input {
        JobInput::Artifact(_) | JobInput::File { .. } => None,
        JobInput::Url(url) => Some(sft::fetch(&parts.artifacts, &parts.data, url).await?),
    };
    let dataset = match data {
        Some(data) => Some(data.finish().await?),
        None => None,
    };
    Ok(parts.metadata.record_start(&lease, dataset).await?)
}

/// Reads and tokenises the data of a job that has a start.
pub(super) async fn prepare(
    parts: &WorkerParts,
    job: &JobRecord,
    model: &ModelRecord,
    base: Arc<Base>,
    cancel: Arc<AtomicBool>,
) -> Result<Prepared, AttemptError> {
    let data = job.data().ok_or(StoreError::NotFound("data set of this job"))?;
    let validation = job.validation.map(|file| file.content);
    let config = serde_json::from_str(&job.config)?;
    Prepared::read(&parts.artifacts, job.kind, data, validation, config, base, model, cancel).await
}

/// Most tokens of one sequence that is trained.
pub(super) fn longest_sequence(base: &Base) -> usize {
    base.weights.config.max_position_embeddings.min(MAX_SEQUENCE_LENGTH)
}

/// Makes the optimizer steps on a thread of its own. A step is durable before the next but one begins.
async fn optimize(
    parts: &WorkerParts,
    lease: Lease,
    base: Arc<Base>,
    mut prepared: Prepared,
    origin: Origin,
    cancel: Arc<AtomicBool>,
) -> Result<Trained, AttemptError> {
    let (parts, runtime) = (parts.clone(), Handle::current());
    blocking(move || {
        let Origin { start, reached, steps, mut means } = origin;
        let learner = |state: State| -> Result<Interruptible, AttemptError> {
            Ok(Interruptible::new(Trainer::new(&parts.pool, &base, state)?, cancel.clone()))
        };
        let stopped = |error: AttemptError| match cancel.load(Ordering::Relaxed) {
            true => AttemptError::Stopped,
            false => error,
        };
        let mut learner = match reached {
            None => learner(start)?,
            Some(reached) => {
                if let Prepared::Rl(job) = &mut prepared {
                    // With the weights that the job began from, as the first attempt did.
                    let mut first = learner(start)?;
                    precalculate(&mut first, job).map_err(|error| stopped(error.into()))?;
                }
                learner(reached)?
            }
        };
        // Before anybody is told that it started: a job that cannot be finished is not begun.
        if let Some(MemoryPlan { bytes, unique_tokens, recomputes, .. }) =
            prepared.plan(&learner.trainer, base.weights.config.vocab_size).map_err(AttemptError::Plan)?
        {
            tracing::info!(bytes, unique_tokens, recomputes, "memory of the largest step");
        }
        runtime.block_on(async {
            parts.metadata.record_weight_format(&lease, base.weights.format).await?;
            parts.metadata.append_event(&lease, 1, started(&prepared)).await
        })?;
        let mut journal = Journal::new(parts.clone(), lease, runtime);
        let mut failure = None;
        let mut since = Instant::now();
        let mut on_step = |learner: &mut Interruptible, step: GradientStep| {
            let seconds = since.elapsed().as_secs_f64();
            since = Instant::now();
            learner.ahead = false;
            means.add(step.metrics.iter().map(|(name, value)| (name.as_str(), *value)));
            let mut data = json!(step.metrics);
            data[TOKENS_PER_SECOND] = json!(step.tokens as f64 / seconds.max(1e-9));
            let event = NewEvent { kind: "gradient_step".to_owned(), data: data.to_string() };
            let state = learner.trainer.state(|bytes| journal.wants_state(bytes)).map(|state| {
                let base = base.clone();
                Box::new(move || state.files(&base)) as MakeFiles
            });
            match journal.step(step.index, event, state) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    failure = Some(error);
                    ControlFlow::Break(())
                }
            }
        };
        let outcome = prepared.run(&mut learner, &base, steps, &mut on_step);
        if let Some(error) = failure {
            return Err(error);
        }
        journal.settle()?;
        match outcome {
            Ok(RunOutcome::Finished(_)) => {
                let (state, servable) = learner.trainer.finish();
                Ok(Trained { state, servable, metrics: means.finish() })
            }
            Ok(RunOutcome::Stopped { .. }) => Err(AttemptError::Stopped),
            Err(error) => {
                let error = stopped(error.into());
                // An orderly stop loses nothing, however large the state is. Between the steps it is nobody else's.
                if matches!(error, AttemptError::Stopped) && !learner.ahead && journal.is_behind() {
                    let (state, _) = learner.trainer.finish();
                    journal.keep(Box::new(move || state.files(&base)))?;
                }
                Err(error)
            }
        }
    })
    .await
}

/// Stores the bytes of a checkpoint.
async fn store(
    parts: &WorkerParts,
    kind: JobKind,
    base: &Arc<Base>,
    trained: Trained,
    provenance: Provenance,
) -> Result<Stored, AttemptError> {
    let Trained { state, servable, metrics } = trained;
    let base = base.clone();
    let files = blocking(move || Ok(state.files(&base))).await?;
    let StoredState { adapter: files, optimizer } = files.store(&parts.artifacts).await?;
    let optimizer = Some(OptimizerArtifact { state: optimizer, kind });
    let checkpoint = NewCheckpoint { metrics, adapter: Some(files), optimizer, provenance, ..NewCheckpoint::default() };
    Ok(Stored { checkpoint, servable: Some(servable) })
}

/// Runs long computations away from the async threads.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, AttemptError> + Send + 'static,
) -> Result<T, AttemptError> {
    let span = tracing::Span::current();
    tokio::task::spawn_blocking(move || span.in_scope(work)).await?
}
