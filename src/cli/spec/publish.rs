//! `trainyard spec publish`: writes the current version's document into the repository as published.

use std::path::{Path, PathBuf};
use std::{fs, io};

use clap::Args;
use serde_json::Value;

use super::{CommandError, print_text};
use crate::codegen::diff::release::{Changes, Published, Rejection, Version, may_publish};
use crate::generated::OPENAPI_JSON;

pub(super) const HELP: &str = "Writes spec/published/<info.version>.json. A version that CHANGELOG.md has a heading for \
                               is released: its document is never written again.\n\n\
                               Example:\n  cargo run -- spec publish";

#[derive(Args)]
pub(super) struct PublishOptions {
    /// Directory of the repository checkout to write to.
    #[arg(long, value_name = "DIR", default_value = ".")]
    repository: PathBuf,
    /// Replace the document of an unreleased version even if that breaks its existing users.
    #[arg(long)]
    allow_breaking: bool,
}

#[derive(Debug, thiserror::Error)]
enum PublishError {
    #[error("{path}: {source}; run this in the repository, or name it with --repository")]
    Repository { path: PathBuf, source: io::Error },
    #[error("{0} is not the document of this program: build anew, `cargo run -- spec publish`")]
    OtherDocument(PathBuf),
    #[error("{0} is not a document named by its version: remove it or name it <version>.json")]
    Foreign(PathBuf),
    #[error(
        "this breaks those who took spec/published/{version}.json already; repeat with --allow-breaking if that is meant.\n{changes}"
    )]
    Breaking { version: Version, changes: Changes },
    #[error(transparent)]
    Rejected(#[from] Rejection),
}

pub(super) fn run(options: &PublishOptions) -> Result<(), CommandError> {
    let repository = Repository { root: &options.repository };
    print_text(&repository.publish(OPENAPI_JSON, options.allow_breaking)?)?;
    Ok(())
}

/// A repository checkout.
struct Repository<'a> {
    root: &'a Path,
}

impl Repository<'_> {
    /// Publishes `text` as the document of its version; returns a description of the change.
    fn publish(&self, text: &str, allow_breaking: bool) -> Result<String, PublishError> {
        let generated = self.root.join("generated/openapi.json");
        if self.read(&generated)? != text {
            return Err(PublishError::OtherDocument(generated));
        }
        let changelog = self.read(&self.root.join("CHANGELOG.md"))?;
        let document: Value = serde_json::from_str(text).map_err(|_| PublishError::Foreign(generated))?;
        let changes = may_publish(&document, &self.published()?, |version| version.is_released(&changelog))?;
        let version = Version::of(&document).ok_or(Rejection::NoVersion)?;
        if !allow_breaking && changes.breaks(version) {
            return Err(PublishError::Breaking { version, changes });
        }
        let path = self.directory().join(format!("{version}.json"));
        fs::write(&path, text).map_err(|source| PublishError::Repository { path: path.clone(), source })?;
        Ok(format!("{} is the current document.\n{changes}\n", path.display()))
    }

    fn directory(&self) -> PathBuf {
        self.root.join("spec/published")
    }

    fn read(&self, path: &Path) -> Result<String, PublishError> {
        fs::read_to_string(path).map_err(|source| PublishError::Repository { path: path.to_owned(), source })
    }

    /// Returns the published documents of the checkout.
    fn published(&self) -> Result<Vec<Published>, PublishError> {
        let directory = self.directory();
        let unreadable = |source| PublishError::Repository { path: directory.clone(), source };
        let mut published = Vec::new();
        for entry in fs::read_dir(&directory).map_err(unreadable)? {
            let path = entry.map_err(unreadable)?.path();
            let named = path.file_name().and_then(|name| name.to_str()).and_then(|name| name.strip_suffix(".json"));
            let version = named.and_then(Version::parse);
            let document = serde_json::from_str(&self.read(&path)?).ok();
            let (Some(version), Some(document)) = (version, document) else { return Err(PublishError::Foreign(path)) };
            published.push(Published { version, document });
        }
        Ok(published)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates a checkout with one operation, and its changelog.
    fn checkout(changelog: &str) -> tempfile::TempDir {
        let directory = tempfile::tempdir().expect("a temporary directory");
        for folder in ["generated", "spec/published"] {
            fs::create_dir_all(directory.path().join(folder)).expect("writable");
        }
        fs::write(directory.path().join("CHANGELOG.md"), changelog).expect("writable");
        directory
    }

    fn document(version: &str, path: &str) -> String {
        format!(
            r#"{{"openapi": "3.0.3", "info": {{"title": "x", "version": "{version}"}}, "paths": {{"{path}": {{"get": {{}}}}}}}}"#
        )
    }

    fn publish(checkout: &tempfile::TempDir, text: &str, allow_breaking: bool) -> Result<String, String> {
        fs::write(checkout.path().join("generated/openapi.json"), text).expect("writable");
        Repository { root: checkout.path() }.publish(text, allow_breaking).map_err(|error| error.to_string())
    }

    #[test]
    fn an_unreleased_version_may_be_blessed_again_and_what_breaks_must_be_meant() {
        let checkout = checkout("## Unreleased");
        publish(&checkout, &document("0.1.0", "/a"), false).expect("the first");
        publish(&checkout, &document("0.1.0", "/a"), false).expect("the same again");
        let rejected = publish(&checkout, &document("0.1.0", "/b"), false).expect_err("breaking");
        assert!(rejected.contains("--allow-breaking") && rejected.contains("the path /a is gone"), "{rejected}");
        publish(&checkout, &document("0.1.0", "/b"), true).expect("meant");
        let blessed = fs::read_to_string(checkout.path().join("spec/published/0.1.0.json")).expect("written");
        assert_eq!(blessed, document("0.1.0", "/b"));
    }

    #[test]
    fn a_released_version_stays_and_the_next_one_says_what_breaks() {
        let checkout = checkout("## Unreleased\n\n## 0.1.0 - 2026-01-01");
        publish(&checkout, &document("0.1.0", "/a"), false).expect("the first");
        let rejected = publish(&checkout, &document("0.1.0", "/b"), true).expect_err("released");
        assert!(rejected.contains("0.1.0 is released") && rejected.contains("to 0.2.0 at least"), "{rejected}");
        let rejected = publish(&checkout, &document("0.1.1", "/b"), true).expect_err("unannounced");
        assert!(rejected.contains("0.1.1 does not tell") && rejected.contains("to 0.2.0 at least"), "{rejected}");
        publish(&checkout, &document("0.2.0", "/b"), false).expect("announced");
        let rejected = publish(&checkout, &document("0.1.5", "/a"), false).expect_err("older");
        assert!(rejected.contains("0.2.0 is published already"), "{rejected}");
    }

    #[test]
    fn a_program_of_another_document_blesses_nothing() {
        let checkout = checkout("## Unreleased");
        fs::write(checkout.path().join("generated/openapi.json"), "{}").expect("writable");
        let rejected = Repository { root: checkout.path() }.publish(&document("0.1.0", "/a"), false);
        assert!(matches!(rejected, Err(PublishError::OtherDocument(_))));
    }
}
