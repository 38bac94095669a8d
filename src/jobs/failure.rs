//! What a failed attempt says of the job: whether it is to be tried again.

use std::{error::Error, io};

use super::attempt::AttemptError;
use crate::{
    models::ResolveError,
    store::{artifacts::ArtifactError, metadata::StoreError},
    training::{DatasetError, PrepareSftError, RunError},
};

/// What is to be done after a failed attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// The job cannot be done: the next attempt would fail in the same way.
    Final,
    /// The store cannot do it at the moment, whichever job asks: wait until it can.
    Passing,
    /// It may have been chance: try again, but not for ever.
    Unclear,
}

/// What a failed attempt says of its job.
pub(super) fn standing(error: &AttemptError) -> Standing {
    match error {
        AttemptError::Store(error) | AttemptError::Model(ResolveError::Store(error)) => store(error),
        AttemptError::Artifact(error) | AttemptError::Model(ResolveError::Artifact(error)) => artifacts(error),
        AttemptError::PrepareSft(PrepareSftError::Dataset(DatasetError::Read { .. }))
        | AttemptError::Run(RunError::Data { source: PrepareSftError::Dataset(DatasetError::Read { .. }), .. }) => {
            read(error)
        }
        AttemptError::Body(source) if source.is_io() => read(error),
        _ => Standing::Final,
    }
}

fn store(error: &StoreError) -> Standing {
    match error {
        StoreError::Unavailable(_) => Standing::Passing,
        StoreError::Database(_) => read(error),
        _ => Standing::Final,
    }
}

fn artifacts(error: &ArtifactError) -> Standing {
    match error {
        ArtifactError::NotFound(_) | ArtifactError::Corrupt { .. } => Standing::Final,
        ArtifactError::Storage { .. } | ArtifactError::Directory { .. } => read(error),
    }
}

/// Judges a failed read or write by the error of the system at its root.
fn read(error: &(dyn Error + 'static)) -> Standing {
    let mut cause = Some(error);
    let mut refused = false;
    while let Some(error) = cause {
        if let Some(error) = error.downcast_ref::<io::Error>() {
            if passes(error.kind()) {
                return Standing::Passing;
            }
            refused = false;
        }
        match error.downcast_ref() {
            // The artifact store has repeated what was worth it; it is away for longer.
            Some(object_store::Error::Generic { store: "S3", .. }) => return Standing::Passing,
            // By a bucket, unless a file is behind it: credentials that ran out, a clock that is off. That is the
            // operator's to mend, and no fault of the job.
            Some(object_store::Error::PermissionDenied { .. } | object_store::Error::Unauthenticated { .. }) => {
                refused = true;
            }
            _ => {}
        }
        cause = error.source();
    }
    if refused { Standing::Passing } else { Standing::Unclear }
}

/// Whether it is the state of the machine or the network, which changes without anybody touching the job.
fn passes(kind: io::ErrorKind) -> bool {
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

    fn written(kind: io::ErrorKind) -> AttemptError {
        let source = object_store::Error::Generic { store: "LocalFileSystem", source: io::Error::from(kind).into() };
        ArtifactError::Storage { action: "write an artifact", source }.into()
    }

    #[test]
    fn a_full_disk_is_waited_for_and_a_broken_one_is_not_for_ever() {
        assert_eq!(standing(&written(io::ErrorKind::StorageFull)), Standing::Passing);
        assert_eq!(standing(&written(io::ErrorKind::QuotaExceeded)), Standing::Passing);
        assert_eq!(standing(&written(io::ErrorKind::PermissionDenied)), Standing::Unclear);
        let input_output = AttemptError::Artifact(ArtifactError::Storage {
            action: "write an artifact",
            source: object_store::Error::Generic {
                store: "LocalFileSystem",
                source: io::Error::from_raw_os_error(5).into(),
            },
        });
        assert_eq!(standing(&input_output), Standing::Unclear);
    }

    #[test]
    fn a_busy_database_is_waited_for_and_a_bad_request_is_final() {
        assert_eq!(standing(&StoreError::Unavailable("busy".into()).into()), Standing::Passing);
        assert_eq!(standing(&StoreError::Database("disk I/O error".into()).into()), Standing::Unclear);
        assert_eq!(standing(&StoreError::InvalidValue("no number".to_owned()).into()), Standing::Final);
        assert_eq!(standing(&AttemptError::Panic("oops".to_owned())), Standing::Final);
    }

    #[test]
    fn a_bucket_that_is_away_or_refuses_us_is_waited_for() {
        let path = || "sha256/ab".to_owned();
        for source in [
            object_store::Error::Generic { store: "S3", source: "503 Service Unavailable".into() },
            object_store::Error::PermissionDenied { path: path(), source: "403 RequestTimeTooSkewed".into() },
            object_store::Error::Unauthenticated { path: path(), source: "401 ExpiredToken".into() },
        ] {
            let error = ArtifactError::Storage { action: "read an artifact", source };
            assert_eq!(standing(&error.into()), Standing::Passing);
        }
        let source = io::Error::from(io::ErrorKind::PermissionDenied).into();
        let source = object_store::Error::PermissionDenied { path: path(), source };
        let error = ArtifactError::Storage { action: "read an artifact", source };
        assert_eq!(standing(&error.into()), Standing::Unclear, "of a file");
    }
}
