//! Check of the servers that sample and train in place of the embedded engine.
//!
//! The embedded engine makes one optimizer step with a new adapter, and so does the learner. Replicas and learner then
//! score the same text with that adapter, so each figure has one of the embedded engine beside it. Without the base model's
//! weights, the learner's step stands alone, and the replicas are compared with it and with each other.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use sha2::{Digest, Sha256};
use tokio::runtime::Handle;
use uuid::Uuid;

use crate::engine::sampler::AdapterHash;
use crate::engine::{AdamState, Adapter, BaseModel, ComputePool, TrainSession};
use crate::error_chain;
use crate::learners::{Caller, LearnerAddress, LearnerBase, LearnerServer, RemoteLearner, SessionKey};
use crate::models::{Base, RemoteError};
use crate::store::records::LearnerProgram;
use crate::training::{Learner, LearnerError, MAX_SAMPLER_MISMATCH, OptimizerSettings, Sequence};
use crate::vllm::{
    AdapterDirectories, Endpoint, Expected, Interface, KnownAdapter, OPEN, ReplicaFigures, SamplerSettings, VllmError,
    mean_difference, measure,
};

/// Time in which a learner must be ready.
const START: Duration = Duration::from_secs(10);
/// Sequences of the optimizer step: the known text from so many of its tokens on.
const SEQUENCES: usize = 8;
/// Learning rate of the step, large enough that the adapter shows.
const LEARNING_RATE: f64 = 1e-2;
/// Difference of the gradients' norms, in proportion, above which a learner computes another gradient. Rounding in bf16
/// makes a tenth of it.
const MAX_NORM_DIFFERENCE: f64 = 0.1;

/// The servers of one base model.
pub(crate) struct Servers<'a> {
    /// Replicas that sample.
    pub(crate) replicas: &'a [Endpoint],
    /// Settings of the sampler.
    pub(crate) settings: &'a SamplerSettings,
    /// Directory of adapters that the replicas read.
    pub(crate) adapters: &'a Path,
    /// The learner.
    pub(crate) learner: Option<&'a LearnerServer>,
}

/// Results for one base model.
#[derive(Debug)]
pub(crate) struct Report {
    /// Name of the base model.
    pub(crate) base_model: String,
    /// Replicas by address, with the reason not to use one.
    pub(crate) replicas: Vec<(String, Result<ReplicaFigures, String>)>,
    /// The learner with its address.
    pub(crate) learner: Option<(String, Result<LearnerFigures, String>)>,
    /// Largest mean difference of a replica's logprobs from the learner's, in nats, with the adapter of one step.
    pub(crate) sampler_mismatch: Option<f64>,
    /// Changes that the operator should consider.
    pub(crate) advice: Vec<String>,
}

impl Report {
    /// Returns whether jobs and samples of the base model can run.
    pub(crate) fn passed(&self) -> bool {
        let learner = self.learner.as_ref().is_none_or(|(_, figures)| figures.is_ok());
        let replicas = self.replicas.iter().all(|(_, figures)| figures.is_ok());
        learner && replicas && self.sampler_mismatch.is_none_or(|mismatch| mismatch <= MAX_SAMPLER_MISMATCH)
    }
}

/// Figures of a learner that can be used. Differences are means over the tokens of a known text, in nats, from the embedded
/// engine; `None` without the base model's weights.
#[derive(Debug)]
pub(crate) struct LearnerFigures {
    /// The learner's description of itself.
    pub(crate) program: LearnerProgram,
    /// Tokens of the longest sequence that its memory allows.
    pub(crate) max_tokens: u64,
    /// Difference under the base model.
    pub(crate) base_difference: Option<f64>,
    /// Difference after an optimizer step of both.
    pub(crate) step_difference: Option<f64>,
    /// Norm of the embedded engine's gradient.
    pub(crate) expected_gradient_norm: Option<f64>,
    /// Results of the step.
    pub(crate) step: Step,
}

/// Error of a check that cannot begin.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CheckError {
    #[error(transparent)]
    Expected(#[from] RemoteError),
    #[error("the embedded engine cannot train an adapter of {base_model}: {source}")]
    Embedded { base_model: String, source: LearnerError },
    #[error("cannot write the adapter that the replicas are checked with to {}: {source}", .directory.display())]
    Adapter { directory: std::path::PathBuf, source: std::io::Error },
    #[error(transparent)]
    Replicas(#[from] VllmError),
    #[error("the check was stopped: {0}")]
    Stopped(#[from] tokio::task::JoinError),
}

/// Checks the servers of a base model.
///
/// # Errors
/// The embedded engine or the file system fails; failures of the servers are in the report.
pub(crate) async fn check(base: &Base, pool: &Arc<ComputePool>, servers: &Servers<'_>) -> Result<Report, CheckError> {
    let expected = base.expected().await?;
    let tokens: Arc<[u32]> = expected.text.clone().into();
    let adapter = Adapter::new(&base.config, &base.config.lora_options(), 0);
    let embedded = match base.weights() {
        Ok(weights) => Some(embedded(base, pool, weights.clone(), adapter.clone(), tokens.clone()).await?),
        Err(_) => None,
    };
    let learner = match servers.learner {
        None => None,
        Some(server) => {
            let reference = embedded.as_ref().map(|(step, _)| step);
            let figures = learner(base, server, adapter.clone(), tokens, reference).await?;
            Some((server.address.to_string(), figures))
        }
    };
    let by_learner = learner.as_ref().and_then(|(_, trained)| trained.as_ref().ok());
    let by_learner = by_learner.map(|(figures, adapter)| (&figures.step, adapter));
    let trained = embedded.as_ref().map(|(step, adapter)| (step, adapter)).or(by_learner);
    let replicas = match servers.replicas {
        [] => Vec::new(),
        replicas => {
            let logprobs = trained.map(|(step, _)| (step.after.clone(), step.before.clone()));
            let adapter = trained.map_or(&adapter, |(_, adapter)| adapter);
            let known = known_adapter(base, adapter, servers, logprobs).await?;
            measure(replicas, servers.settings, &expected, &known).await?
        }
    };
    let learner = learner.map(|(address, trained)| (address, trained.map(|(figures, _)| figures)));
    let mut report = Report {
        base_model: base.name().to_owned(),
        sampler_mismatch: sampler_mismatch(&replicas, learner.as_ref()),
        replicas,
        learner,
        advice: Vec::new(),
    };
    report.advice = advice(&report, &expected, base.served.context_length());
    Ok(report)
}

/// Makes the step on the embedded engine; returns its results and the adapter.
async fn embedded(
    base: &Base,
    pool: &Arc<ComputePool>,
    weights: Arc<BaseModel>,
    adapter: Adapter,
    tokens: Arc<[u32]>,
) -> Result<(Step, Adapter), CheckError> {
    let pool = pool.clone();
    let trained = tokio::task::spawn_blocking(move || {
        let adam = AdamState::new(&adapter);
        let mut session = TrainSession::new(pool, weights, adapter, adam);
        Ok((train(&mut session, &tokens)?, session.into_parts().0))
    });
    trained.await?.map_err(|source| CheckError::Embedded { base_model: base.name().to_owned(), source })
}

/// Results of one step.
#[derive(Debug)]
pub(crate) struct Step {
    /// Logprobs of the known text before the step.
    before: Vec<f32>,
    /// Norm of the gradient.
    pub(crate) norm: f64,
    /// Logprobs of the known text after the step.
    after: Vec<f32>,
    /// Tokens of a forward and a backward pass for each second.
    pub(crate) tokens_per_second: f64,
}

/// Scores the text, makes a step on it, and scores it again.
fn train(learner: &mut dyn Learner, tokens: &[u32]) -> Result<Step, LearnerError> {
    let scored: Vec<bool> = (0..tokens.len()).map(|position| position > 0).collect();
    let starts = 0..SEQUENCES.min(tokens.len().saturating_sub(1)).max(1);
    let sequences: Vec<Sequence<'_>> =
        starts.map(|start| Sequence { tokens: &tokens[start..], scored: &scored[..tokens.len() - start] }).collect();
    let count: usize = sequences.iter().map(|sequence| sequence.tokens.len()).sum();
    let text = |learner: &mut dyn Learner| {
        Ok::<_, LearnerError>(learner.score(&sequences[..1])?.into_iter().flat_map(|scores| scores.logprobs).collect())
    };
    let before = text(learner)?;
    let begin = Instant::now();
    learner.accumulate_known(&sequences, -1.0 / count as f32)?;
    let tokens_per_second = count as f64 / begin.elapsed().as_secs_f64();
    let norm = learner.step(&OptimizerSettings::supervised(LEARNING_RATE))?;
    Ok(Step { before, norm, after: text(learner)?, tokens_per_second })
}

/// Writes the adapter for the replicas. Its directory stays, because a replica may read it again.
async fn known_adapter(
    base: &Base,
    adapter: &Adapter,
    servers: &Servers<'_>,
    logprobs: Option<(Vec<f32>, Vec<f32>)>,
) -> Result<KnownAdapter, CheckError> {
    let files = adapter.to_peft(base.name(), &base.config);
    let (config, weights) = (Bytes::from(files.adapter_config_json), Bytes::from(files.adapter_model_safetensors));
    let hash = AdapterHash { config: Sha256::digest(&config).into(), weights: Sha256::digest(&weights).into() };
    let failed = |source| CheckError::Adapter { directory: servers.adapters.to_owned(), source };
    let directories = AdapterDirectories::open(servers.adapters, servers.settings.adapter_keep).map_err(failed)?;
    let placed = directories.place(hash, async || Ok((config, weights)), async || Ok(None)).await;
    let (directory, _) = placed.map_err(failed)?;
    Ok(KnownAdapter { hash, directory, logprobs })
}

/// Makes the step on the learner, and compares it with the embedded one. Returns the adapter too.
async fn learner(
    base: &Base,
    server: &LearnerServer,
    adapter: Adapter,
    tokens: Arc<[u32]>,
    embedded: Option<&Step>,
) -> Result<Result<(LearnerFigures, Adapter), String>, CheckError> {
    // One that is started for the check has the time that it has for a job.
    let server = match server.address {
        LearnerAddress::Url(_) => server.clone().starting_within(START),
        LearnerAddress::Ray(..) => server.clone(),
    };
    let (name, shape, origin) = (base.name().to_owned(), base.config.clone(), base.origin().clone());
    let runtime = Handle::current();
    let trained = tokio::task::spawn_blocking(move || {
        let session = SessionKey { name: format!("check-{}", Uuid::now_v7().simple()), epoch: 0 };
        let adam = AdamState::new(&adapter);
        let mut told = String::new();
        let base = LearnerBase { name: &name, config: &shape, weights: &origin };
        let caller = Caller { runtime, cancel: Arc::default() };
        let mut learner = RemoteLearner::open(&server, session, base, &adapter, &adam, caller, &mut |reason| {
            // A learner on Ray may take minutes, and the log of a command shows warnings alone.
            if told != reason {
                tracing::warn!(reason, "waiting for the learner");
                reason.clone_into(&mut told);
            }
        })?;
        let step = train(&mut learner, &tokens)?;
        let (adapter, _) = learner.state()?;
        Ok::<_, LearnerError>((step, adapter, learner.program().clone(), learner.max_tokens()))
    });
    let (step, adapter, program, max_tokens) = match trained.await? {
        Ok(trained) => trained,
        Err(error) => return Ok(Err(error_chain(&error))),
    };
    let difference = |found: &[f32], expected: &[f32]| f64::from(mean_difference(found, expected));
    let figures = LearnerFigures {
        program,
        max_tokens,
        base_difference: embedded.map(|embedded| difference(&step.before, &embedded.before)),
        step_difference: embedded.map(|embedded| difference(&step.after, &embedded.after)),
        expected_gradient_norm: embedded.map(|embedded| embedded.norm),
        step,
    };
    Ok(match fault(&figures) {
        Some(fault) => Err(fault),
        None => Ok((figures, adapter)),
    })
}

/// Returns the reason not to use a learner. Not a number is no agreement.
fn fault(figures: &LearnerFigures) -> Option<String> {
    let LearnerFigures { base_difference, step: Step { norm: found, .. }, expected_gradient_norm, .. } = figures;
    let agrees = |difference: f64, limit: f64| difference <= limit;
    if let Some(difference) = base_difference
        && !agrees(*difference, MAX_SAMPLER_MISMATCH)
    {
        return Some(format!(
            "it holds other weights: the log-probabilities of a known text differ by {difference:.3} nats in the mean, \
             and {MAX_SAMPLER_MISMATCH} is the limit; start it with the files of the base model"
        ));
    }
    if let Some(expected) = expected_gradient_norm
        && !agrees((found - expected).abs(), MAX_NORM_DIFFERENCE * expected)
    {
        return Some(format!(
            "it computes another gradient: its norm is {found:.4}, and the embedded engine's is {expected:.4}; check the \
             versions of torch, transformers and PEFT against learner/requirements.lock"
        ));
    }
    None
}

fn sampler_mismatch(
    replicas: &[(String, Result<ReplicaFigures, String>)],
    learner: Option<&(String, Result<LearnerFigures, String>)>,
) -> Option<f64> {
    let learner = learner?.1.as_ref().ok()?;
    let replicas = replicas.iter().filter_map(|(_, figures)| figures.as_ref().ok());
    let differences = replicas.map(|replica| f64::from(mean_difference(&replica.logprobs, &learner.step.after)));
    differences.reduce(f64::max)
}

fn advice(report: &Report, expected: &Expected, context: usize) -> Vec<String> {
    let mut advice = Vec::new();
    let replicas: Vec<(&String, &ReplicaFigures)> =
        report.replicas.iter().filter_map(|(name, figures)| Some((name, figures.as_ref().ok()?))).collect();
    let shortest = replicas.iter().min_by_key(|(_, figures)| figures.context);
    if let Some((name, figures)) = shortest
        && figures.context < context
    {
        advice.push(format!(
            "the context is {} tokens, because {name} has no more; the base model allows {context}: raise --max-model-len",
            figures.context
        ));
    }
    if let Some(((first, one), (second, other))) =
        replicas.first().zip(replicas.iter().find(|(_, figures)| figures.version != replicas[0].1.version))
    {
        advice.push(format!(
            "{first} runs vLLM {} and {second} {}: run one version, so that a seed repeats its sample",
            one.version, other.version
        ));
    }
    let slower = replicas.iter().find(|(_, figures)| figures.interface != Interface::Generate.path());
    if let Some((name, _)) = slower {
        advice.push(format!("{name} encodes each token as text for nothing: start it with --enable-scale-out"));
    }
    for (name, _) in replicas.iter().filter(|(_, figures)| figures.is_open) {
        advice.push(format!("{name} {OPEN}"));
    }
    let limit = context.min(shortest.map_or(usize::MAX, |(_, figures)| figures.context));
    if let Some((name, Ok(figures))) = &report.learner
        && usize::try_from(figures.max_tokens).is_ok_and(|tokens| tokens < limit)
    {
        advice.push(format!(
            "a rollout may have {limit} tokens, and the learner {name} has memory for {}: longer ones fail with \
             out_of_memory; give it more memory or limit max_tokens",
            figures.max_tokens
        ));
    }
    if report.sampler_mismatch.is_some_and(|mismatch| mismatch > MAX_SAMPLER_MISMATCH) {
        advice.push(format!(
            "RL jobs will fail: sampler and learner differ by more than {MAX_SAMPLER_MISMATCH} nats; run both in one dtype, \
             bfloat16 or float32"
        ));
    }
    if expected.text.len() < SEQUENCES {
        advice.push("the context is too short for a check of more than a few tokens".to_owned());
    }
    advice
}
