//! Locations of artifact stores.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use object_store::path::Path;

use super::{ArtifactError, Artifacts};

/// The location of an artifact store: a local directory, or `s3://BUCKET[/PREFIX]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArtifactLocation {
    /// A local directory.
    Directory(PathBuf),
    /// A bucket of an S3-compatible store.
    Bucket {
        /// Name of the artifact.
        name: String,
        /// Prefix of all object names; may be empty.
        prefix: Path,
    },
}

/// An error from parsing an [`ArtifactLocation`].
#[derive(Debug, thiserror::Error)]
#[error("{given:?} is no place for artifacts: {reason}; write a directory or s3://BUCKET/PREFIX")]
pub struct InvalidArtifactLocation {
    given: String,
    reason: String,
}

impl FromStr for ArtifactLocation {
    type Err = InvalidArtifactLocation;

    fn from_str(given: &str) -> Result<Self, Self::Err> {
        let invalid = |reason: &str| InvalidArtifactLocation { given: given.to_owned(), reason: reason.to_owned() };
        let Some((scheme, rest)) = given.split_once("://") else {
            return if given.is_empty() { Err(invalid("it is empty")) } else { Ok(Self::Directory(given.into())) };
        };
        if scheme != "s3" {
            return Err(invalid("only s3 stores are known beside directories"));
        }
        let (name, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        // The characters that S3 allows in the name of a bucket.
        let well_formed = (3..=63).contains(&name.len())
            && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-' || b == b'.');
        if !well_formed {
            return Err(invalid("a bucket's name has 3 to 63 lower-case letters, digits, dots and hyphens"));
        }
        let prefix = Path::parse(prefix).map_err(|error| invalid(&error.to_string()))?;
        Ok(Self::Bucket { name: name.to_owned(), prefix })
    }
}

impl fmt::Display for ArtifactLocation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Directory(directory) => write!(formatter, "{}", directory.display()),
            Self::Bucket { name, prefix } => write!(formatter, "s3://{name}/{prefix}"),
        }
    }
}

impl Artifacts {
    /// Opens the artifact store at this location. A missing directory is created, a missing bucket is not.
    ///
    /// # Errors
    /// When the location cannot be used, or the bucket does not respond.
    pub async fn open_location(location: &ArtifactLocation) -> Result<Self, ArtifactError> {
        match location {
            ArtifactLocation::Directory(directory) => Self::open_directory(directory),
            ArtifactLocation::Bucket { name, prefix } => Self::open_bucket(name, prefix).await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_location_is_a_directory_or_a_bucket() {
        let bucket = |name: &str, prefix: &str| ArtifactLocation::Bucket { name: name.into(), prefix: prefix.into() };
        for (given, expected, written) in [
            ("s3://yard", bucket("yard", ""), "s3://yard/"),
            ("s3://yard/", bucket("yard", ""), "s3://yard/"),
            ("s3://yard.one/a/b", bucket("yard.one", "a/b"), "s3://yard.one/a/b"),
            ("/data/artifacts", ArtifactLocation::Directory("/data/artifacts".into()), "/data/artifacts"),
            ("data", ArtifactLocation::Directory("data".into()), "data"),
        ] {
            let location: ArtifactLocation = given.parse().unwrap();
            assert_eq!((&location, location.to_string().as_str()), (&expected, written));
        }
        for bad in ["", "s3://", "s3:///x", "s3://ab", "s3://Yard", "s3://yard/../x", "s3://yard/a//x", "gs://yard"] {
            assert!(bad.parse::<ArtifactLocation>().is_err(), "{bad:?}");
        }
    }
}
