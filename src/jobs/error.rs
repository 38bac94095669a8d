//! Errors of an attempt at a job: the message and code for the owner, and whether another attempt can succeed.

use std::error::Error;
use std::io;

use crate::engine::full::FullTrainingError;
use crate::engine::{AdamStateError, TrainError, WeightFormat};
use crate::models::{NoWeights, ResolveError};
use crate::store::artifacts::{ArtifactError, object_store};
use crate::store::metadata::StoreError;
use crate::store::records::{JobErrorCode, WaitReason};
use crate::training::{ConfigError, DatasetError, IndexError, LearnerError, PrepareSftError, RunError, SourceError};

use super::reference::ReferenceError;

/// Error of an attempt at a job.
#[derive(Debug, thiserror::Error)]
pub(super) enum JobError {
    #[error("the service is stopping")]
    Stopped,
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Artifact(#[from] ArtifactError),
    #[error(transparent)]
    Model(#[from] ResolveError),
    #[error(transparent)]
    NoWeights(#[from] NoWeights),
    #[error(transparent)]
    Full(#[from] FullTrainingError),
    #[error("the job was not started: {0}")]
    Plan(TrainError),
    #[error(transparent)]
    Learner(LearnerError),
    #[error(
        "this model trains all weights, which the remote learner {0} does not do; train it on a worker without --trainer \
         for its base model, or register a model that trains an adapter"
    )]
    FullOnRemote(String),
    #[error(
        "`kl_ref_adapter_path` names a checkpoint of all weights, which a remote learner cannot score with; name one with an \
         adapter, or train on a worker without --trainer for this base model"
    )]
    FullReferenceOnRemote,
    #[error(
        "the job began in an earlier version, whose products with {0} weights add in another order: the rest of the run \
         would not be that of the run which began. Create the job again; the model's last checkpoint is where it starts"
    )]
    EarlierOrder(WeightFormat),
    #[error("the stored optimizer state cannot be used: {0}")]
    Optimizer(#[from] AdamStateError),
    #[error("the state of training cannot be read: {0}")]
    State(String),
    #[error("the stored request cannot be read: {0}")]
    Body(#[from] serde_json::Error),
    #[error(transparent)]
    Index(#[from] IndexError),
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

impl From<ReferenceError> for JobError {
    fn from(error: ReferenceError) -> Self {
        match error {
            ReferenceError::Store(error) => error.into(),
            error => Self::Reference(error),
        }
    }
}

impl JobError {
    /// Returns the message for the job's owner. Errors of the service itself come without their details.
    pub(super) fn for_owner(&self) -> String {
        match self {
            Self::Store(StoreError::InvalidValue(_) | StoreError::Conflict(_)) => self.to_string(),
            Self::Panic(_) => "the trainer stopped unexpectedly; the server's log has the cause".to_owned(),
            _ if self.is_storage_failure() => "the service could not read or write its own data".to_owned(),
            other => other.to_string(),
        }
    }

    /// Returns the error code for programs.
    pub(super) fn code(&self) -> JobErrorCode {
        match self {
            Self::Source(error) if error.is_bad_input() => JobErrorCode::InvalidTrainingData,
            Self::Source(_) => JobErrorCode::TrainingDataUnavailable,
            Self::Config(_)
            | Self::Reference(_)
            | Self::Full(FullTrainingError::Experts(_))
            | Self::FullOnRemote(_)
            | Self::FullReferenceOnRemote => JobErrorCode::InvalidConfig,
            Self::Store(StoreError::InvalidValue(_) | StoreError::Conflict(_)) => JobErrorCode::InvalidConfig,
            _ if self.is_storage_failure() => JobErrorCode::StorageFailed,
            Self::PrepareSft(_) | Self::Body(_) => JobErrorCode::InvalidTrainingData,
            Self::Run(RunError::SamplerMismatch { .. }) => JobErrorCode::SamplerMismatch,
            Self::Model(ResolveError::Store(_) | ResolveError::Artifact(_)) => JobErrorCode::StorageFailed,
            Self::Model(_) | Self::NoWeights(_) => JobErrorCode::ModelUnavailable,
            Self::Full(FullTrainingError::Memory { .. }) | Self::Plan(_) => JobErrorCode::OutOfMemory,
            Self::Run(RunError::LearningRate { .. } | RunError::UnusableReference { .. }) => {
                JobErrorCode::InvalidConfig
            }
            Self::Run(error) if error.is_divergence() => JobErrorCode::Diverged,
            Self::TooManyAttempts(_) | Self::EarlierOrder(_) => JobErrorCode::Interrupted,
            _ => match self.learner() {
                Some(LearnerError::NotFinite(_)) => JobErrorCode::Diverged,
                Some(LearnerError::OutOfMemory(_)) => JobErrorCode::OutOfMemory,
                _ => JobErrorCode::InternalError,
            },
        }
    }

    /// Decides whether another attempt can succeed.
    pub(super) fn retry_decision(&self) -> RetryDecision {
        match self {
            Self::Store(error) | Self::Model(ResolveError::Store(error)) => of_store(error),
            Self::Artifact(error) | Self::Model(ResolveError::Artifact(error)) => of_artifacts(error),
            Self::PrepareSft(PrepareSftError::Dataset(DatasetError::Read { .. }))
            | Self::Run(RunError::Data { source: PrepareSftError::Dataset(DatasetError::Read { .. }), .. }) => {
                of_cause(self)
            }
            Self::Body(source) if source.is_io() => of_cause(self),
            _ => match self.learner() {
                Some(LearnerError::Lost(_)) => RetryDecision::Transient,
                Some(LearnerError::Faulty(_)) => RetryDecision::Unknown,
                _ => RetryDecision::Permanent,
            },
        }
    }

    /// Returns the reason for which the job waits for its next attempt.
    pub(super) fn wait_reason(&self) -> WaitReason {
        if self.is_storage_failure() {
            return WaitReason::Storage;
        }
        match self.learner() {
            Some(LearnerError::Lost(_)) => WaitReason::Learner,
            _ => WaitReason::Retry,
        }
    }

    /// Returns the learner's error, if it is the cause.
    fn learner(&self) -> Option<&LearnerError> {
        match self {
            Self::Learner(error) => Some(error),
            Self::Run(error) => error.learner(),
            _ => None,
        }
    }

    /// Returns whether the metadata store or the artifact store failed.
    fn is_storage_failure(&self) -> bool {
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

/// Decision on a job after a failed attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RetryDecision {
    /// Every further attempt would fail in the same way.
    Permanent,
    /// The store fails for every job at the moment, or the remote learner is gone: wait until it works again.
    Transient,
    /// The cause is not known: retry a limited number of times.
    Unknown,
}

fn of_store(error: &StoreError) -> RetryDecision {
    match error {
        StoreError::Unavailable(_) | StoreError::Frozen(_) => RetryDecision::Transient,
        StoreError::Database(_) => of_cause(error),
        _ => RetryDecision::Permanent,
    }
}

fn of_artifacts(error: &ArtifactError) -> RetryDecision {
    match error {
        ArtifactError::NotFound(_) | ArtifactError::Corrupt { .. } => RetryDecision::Permanent,
        ArtifactError::Storage { .. } | ArtifactError::Directory { .. } | ArtifactError::DirectoryMissing { .. } => {
            of_cause(error)
        }
    }
}

/// Decides by the error of the operating system, or of the bucket, that caused a failed read or write.
fn of_cause(error: &(dyn Error + 'static)) -> RetryDecision {
    let mut cause = Some(error);
    let mut rejected = false;
    while let Some(error) = cause {
        if let Some(error) = error.downcast_ref::<io::Error>() {
            if is_transient(error.kind()) {
                return RetryDecision::Transient;
            }
            rejected = false;
        }
        if let Some(ArtifactError::DirectoryMissing { .. }) = error.downcast_ref() {
            return RetryDecision::Transient;
        }
        match error.downcast_ref() {
            // The artifact store has retried; the outage is longer than that.
            Some(object_store::Error::Generic { store: "S3", .. }) => return RetryDecision::Transient,
            // A bucket rejects expired credentials or a wrong clock, which the operator can fix. Below it an
            // `io::Error` stands for a file instead.
            Some(object_store::Error::PermissionDenied { .. } | object_store::Error::Unauthenticated { .. }) => {
                rejected = true;
            }
            _ => {}
        }
        cause = error.source();
    }
    if rejected { RetryDecision::Transient } else { RetryDecision::Unknown }
}

/// Returns whether the state of the machine or the network caused the error: it changes without a change of the job.
fn is_transient(kind: io::ErrorKind) -> bool {
    matches!(
        kind,
        io::ErrorKind::StorageFull
            | io::ErrorKind::QuotaExceeded
            | io::ErrorKind::TimedOut
            | io::ErrorKind::ConnectionRefused
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::NotConnected
            | io::ErrorKind::HostUnreachable
            | io::ErrorKind::NetworkUnreachable
            | io::ErrorKind::NetworkDown
            | io::ErrorKind::BrokenPipe
            | io::ErrorKind::UnexpectedEof
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(kind: io::ErrorKind) -> JobError {
        let source = object_store::Error::Generic { store: "LocalFileSystem", source: io::Error::from(kind).into() };
        ArtifactError::Storage { action: "write an artifact", source }.into()
    }

    #[test]
    fn a_full_disk_is_waited_for_and_a_broken_one_is_not_for_ever() {
        assert_eq!(written(io::ErrorKind::StorageFull).retry_decision(), RetryDecision::Transient);
        assert_eq!(written(io::ErrorKind::QuotaExceeded).retry_decision(), RetryDecision::Transient);
        assert_eq!(written(io::ErrorKind::PermissionDenied).retry_decision(), RetryDecision::Unknown);
        let input_output = JobError::Artifact(ArtifactError::Storage {
            action: "write an artifact",
            source: object_store::Error::Generic {
                store: "LocalFileSystem",
                source: io::Error::from_raw_os_error(5).into(),
            },
        });
        assert_eq!(input_output.retry_decision(), RetryDecision::Unknown);
    }

    #[test]
    fn a_busy_database_is_waited_for_and_a_bad_request_is_final() {
        assert_eq!(JobError::from(StoreError::Unavailable("busy".into())).retry_decision(), RetryDecision::Transient);
        assert_eq!(
            JobError::from(StoreError::Database("disk I/O error".into())).retry_decision(),
            RetryDecision::Unknown
        );
        assert_eq!(
            JobError::from(StoreError::InvalidValue("no number".to_owned())).retry_decision(),
            RetryDecision::Permanent
        );
        assert_eq!(JobError::Panic("oops".to_owned()).retry_decision(), RetryDecision::Permanent);
    }

    #[test]
    fn numbers_of_the_owner_are_no_fault_of_the_service() {
        let not_finite = || LearnerError::from(TrainError::NotFinite { what: "the gradient's norm".to_owned() });
        for (error, code) in [
            (RunError::Learner { step: 2, total: 3, source: not_finite() }, JobErrorCode::Diverged),
            (RunError::UnusableStart { source: not_finite() }, JobErrorCode::Diverged),
            (RunError::NonFiniteValidationLoss { step: 1, total: 1, value: f64::NAN }, JobErrorCode::Diverged),
            (RunError::UnusableReference { source: not_finite() }, JobErrorCode::InvalidConfig),
            (RunError::LearningRate { step: 1, total: 1, value: 1e300 }, JobErrorCode::InvalidConfig),
            (
                RunError::Learner { step: 2, total: 3, source: LearnerError::Failed("a fault".into()) },
                JobErrorCode::InternalError,
            ),
        ] {
            let error = JobError::from(error);
            assert_eq!((error.code(), error.retry_decision()), (code, RetryDecision::Permanent), "{error}");
        }
    }

    #[test]
    fn files_that_cannot_be_training_data_are_bad_input_and_a_bad_disk_is_not() {
        let retryable = |error: SourceError| JobError::from(error).code().is_retryable();
        for kind in [io::ErrorKind::NotFound, io::ErrorKind::NotADirectory, io::ErrorKind::InvalidFilename] {
            assert!(!retryable(SourceError::File(kind)), "{kind}");
        }
        assert!(!retryable(SourceError::NotRegular));
        for number in [rustix::io::Errno::IO, rustix::io::Errno::MFILE, rustix::io::Errno::STALE] {
            assert!(retryable(SourceError::File(io::Error::from(number).kind())), "{number}");
        }
    }

    #[test]
    fn a_missing_directory_is_waited_for() {
        let missing = || ArtifactError::DirectoryMissing { source: io::Error::from(io::ErrorKind::NotFound) };
        assert_eq!(JobError::from(missing()).retry_decision(), RetryDecision::Transient);
        let source = object_store::Error::Generic { store: "LocalFileSystem", source: missing().into() };
        let written = ArtifactError::Storage { action: "write an artifact", source };
        assert_eq!(JobError::from(written).retry_decision(), RetryDecision::Transient);
    }

    #[test]
    fn a_bucket_that_is_away_or_rejects_us_is_waited_for() {
        let path = || "sha256/ab".to_owned();
        for source in [
            object_store::Error::Generic { store: "S3", source: "503 Service Unavailable".into() },
            object_store::Error::PermissionDenied { path: path(), source: "403 RequestTimeTooSkewed".into() },
            object_store::Error::Unauthenticated { path: path(), source: "401 ExpiredToken".into() },
        ] {
            let error = ArtifactError::Storage { action: "read an artifact", source };
            assert_eq!(JobError::from(error).retry_decision(), RetryDecision::Transient);
        }
        let source = io::Error::from(io::ErrorKind::PermissionDenied).into();
        let source = object_store::Error::PermissionDenied { path: path(), source };
        let error = ArtifactError::Storage { action: "read an artifact", source };
        assert_eq!(JobError::from(error).retry_decision(), RetryDecision::Unknown, "of a file");
    }
}
