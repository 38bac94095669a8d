//! Release rules: the changes that a version number allows.
//!
//! Versions are semantic. A breaking change raises the minor number before 1.0, and the major number from 1.0 on; a
//! safe change raises any number. Each version has a published document in `spec/published/`. The published document of
//! an unreleased version may be replaced, so that every change of the contract shows in a review; that of a released
//! version may not. A version is released when the changelog has a heading for it.

use std::fmt;

use serde_json::Value;

use crate::diff::report::{self, Words};
use crate::diff::{Finding, Severity, diff};

/// `major.minor.patch`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version(u64, u64, u64);

impl Version {
    /// Parses a version. Text after the three numbers is an error.
    pub fn parse(text: &str) -> Option<Self> {
        let mut numbers = text.split('.').map(|number| {
            let plain = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
            number.parse().ok().filter(|_| plain && (number == "0" || !number.starts_with('0')))
        });
        let version = Self(numbers.next()??, numbers.next()??, numbers.next()??);
        numbers.next().is_none().then_some(version)
    }

    /// Returns the version of a document, from `info.version`.
    pub fn of(document: &Value) -> Option<Self> {
        Self::parse(document["info"]["version"].as_str()?)
    }

    /// Returns whether the step from this version to `newer` announces a breaking change.
    pub fn announces_breaking(self, newer: Self) -> bool {
        newer.0 > self.0 || (self.0 == 0 && newer.0 == 0 && newer.1 > self.1)
    }

    /// Returns the next version that announces a breaking change.
    pub fn next_breaking(self) -> Self {
        if self.0 == 0 { Self(0, self.1 + 1, 0) } else { Self(self.0 + 1, 0, 0) }
    }

    /// Returns whether the changelog has a heading for this version: `## 1.2.3` or `## [1.2.3]`, with or without a
    /// date.
    pub fn is_released(self, changelog: &str) -> bool {
        let headings = changelog.lines().filter_map(|line| line.strip_prefix("## "));
        headings
            .filter_map(|heading| heading.split_whitespace().next())
            .any(|name| Self::parse(name.trim_start_matches('[').trim_end_matches(']')) == Some(self))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.0, self.1, self.2)
    }
}

/// A published document.
#[derive(Clone, Debug)]
pub struct Published {
    /// Version of the document.
    pub version: Version,
    /// Document.
    pub document: Value,
}

/// Error of a document that does not match its version.
#[derive(Debug, thiserror::Error)]
pub enum Rejection {
    /// The document has no valid version.
    #[error("info.version is not of the form 1.2.3: write one, the same as in Cargo.toml")]
    NoVersion,
    /// A newer version is published already.
    #[error(
        "info.version is {current}, but {newest} is published already: raise info.version above it, or remove spec/published/{newest}.json if that was never meant"
    )]
    Older {
        /// Version of the document.
        current: Version,
        /// Newest published version.
        newest: Version,
    },
    /// The version is released, and the document differs from the released one.
    #[error(
        "version {current} is released and must not change, but the document did. Raise info.version and the version \
         in Cargo.toml {}, then run `trainyard spec publish`.\n{}",
        required(findings, *current),
        report::text(findings, Words::Counted)
    )]
    Released {
        /// Version of the document.
        current: Version,
        /// Changes since the released document.
        findings: Vec<Finding>,
    },
    /// A breaking change since the previous version, which the version number does not announce.
    #[error(
        "{current} does not tell people that it breaks what {base} promised: raise info.version and the version in \
         Cargo.toml to {} at least, or take the breaking changes back.\n{}",
        base.next_breaking(),
        report::text(findings, Words::Counted)
    )]
    Unannounced {
        /// Version of the document.
        current: Version,
        /// Previous version.
        base: Version,
        /// Changes since the previous version.
        findings: Vec<Finding>,
    },
    /// The version is not released, and its published document is missing or differs.
    #[error(
        "spec/published/{current}.json is {}. If the document is as it is meant to be, run `cargo run -- spec \
         publish{}` and commit the file.\n{changes}",
        if changes.since == Some(*current) { "not the current document" } else { "missing" },
        if changes.breaks(*current) { " --allow-breaking" } else { "" }
    )]
    NotBlessed {
        /// Version of the document.
        current: Version,
        /// Changes since the last published document.
        changes: Changes,
    },
}

/// Changes since the last published document.
#[derive(Debug)]
pub struct Changes {
    /// Version of that document; `None` if none was published.
    pub since: Option<Version>,
    /// Changes.
    pub findings: Vec<Finding>,
}

impl Changes {
    /// Returns whether the changes break users of the published document of `version` itself.
    pub fn breaks(&self, version: Version) -> bool {
        self.since == Some(version) && has_breaking(&self.findings)
    }
}

impl fmt::Display for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.since {
            Some(version) => write!(f, "Since {version}: {}", report::text(&self.findings, Words::Counted)),
            None => f.write_str("Nothing was published before."),
        }
    }
}

fn has_breaking(findings: &[Finding]) -> bool {
    findings.iter().any(|finding| finding.severity == Severity::Breaking)
}

fn required(findings: &[Finding], current: Version) -> String {
    if has_breaking(findings) {
        format!("to {} at least, because the change is breaking", current.next_breaking())
    } else {
        "by any step, because the change is safe".to_owned()
    }
}

/// Returns the changes since the last published document, if `document` may be published as its version.
///
/// # Errors
/// When the version is released and the document differs, the version is older than a published one, or the version
/// does not announce a breaking change.
pub fn may_publish(
    document: &Value,
    published: &[Published],
    is_released: impl Fn(Version) -> bool,
) -> Result<Changes, Rejection> {
    let current = Version::of(document).ok_or(Rejection::NoVersion)?;
    if let Some(newest) = published.iter().map(|one| one.version).max().filter(|newest| *newest > current) {
        return Err(Rejection::Older { current, newest });
    }
    let blessed = published.iter().find(|one| one.version == current);
    let before = published.iter().filter(|one| one.version < current).max_by_key(|one| one.version);
    if let Some(blessed) = blessed.filter(|blessed| blessed.document != *document && is_released(current)) {
        return Err(Rejection::Released { current, findings: diff(&blessed.document, document) });
    }
    if let Some(base) = before.filter(|base| !base.version.announces_breaking(current)) {
        let findings = diff(&base.document, document);
        if has_breaking(&findings) {
            return Err(Rejection::Unannounced { current, base: base.version, findings });
        }
    }
    let last = blessed.or(before);
    let findings = last.map(|last| diff(&last.document, document)).unwrap_or_default();
    Ok(Changes { since: last.map(|last| last.version), findings })
}

/// Checks that the document is the published one of its version, and that the version announces breaking changes.
///
/// # Errors
/// When it is not, with the findings and the remedy.
pub fn check(
    document: &Value,
    published: &[Published],
    is_released: impl Fn(Version) -> bool,
) -> Result<(), Rejection> {
    let changes = may_publish(document, published, is_released)?;
    let current = Version::of(document).ok_or(Rejection::NoVersion)?;
    if published.iter().any(|one| one.version == current && one.document == *document) {
        Ok(())
    } else {
        Err(Rejection::NotBlessed { current, changes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_three_numbers() {
        assert_eq!(Version::parse("0.12.3"), Some(Version(0, 12, 3)));
        for bad in ["", "1", "1.2", "1.2.3.4", "1.2.x", "1.2.3-rc.1", "01.2.3", "+1.2.3", "1..3"] {
            assert_eq!(Version::parse(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn a_breaking_change_raises_the_minor_number_before_1_0_and_the_major_one_after() {
        let announces = |old, new| Version::parse(old).unwrap().announces_breaking(Version::parse(new).unwrap());
        assert!(announces("0.1.4", "0.2.0") && announces("0.1.4", "1.0.0") && announces("1.9.0", "2.0.0"));
        assert!(!announces("0.1.4", "0.1.5") && !announces("1.9.0", "1.10.0") && !announces("1.0.0", "1.0.1"));
    }

    #[test]
    fn a_heading_of_the_changelog_releases_a_version() {
        let version = Version(0, 1, 0);
        for released in ["## 0.1.0", "# Changelog\n## Unreleased\n## [0.1.0] - 2026-01-01\n", "## 0.1.0 (today)"] {
            assert!(version.is_released(released), "{released}");
        }
        for open in ["## Unreleased\n0.1.0", "## 0.1.00", "### 0.1.0", "## 10.1.0", "0.1.0"] {
            assert!(!version.is_released(open), "{open}");
        }
    }
}
