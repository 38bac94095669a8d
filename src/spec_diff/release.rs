//! What a version number may hide, and what it may not.
//!
//! Versions are semantic. Until 1.0 a breaking change raises the minor number, from 1.0 on the major one; a safe change
//! raises any. Each version has its blessed document in `spec/published/`. While a version is not released its blessed
//! document may be replaced, so that a change of the contract always shows in a review; once it is released, never.
//! A version is released when the changelog has a heading for it.

use std::fmt;

use serde_json::Value;

use super::{
    Finding, Severity, diff,
    report::{self, Words},
};

/// `major.minor.patch`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version(u64, u64, u64);

impl Version {
    /// Reads a version. Nothing may follow the three numbers.
    pub fn parse(text: &str) -> Option<Self> {
        let mut numbers = text.split('.').map(|number| {
            let plain = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
            number.parse().ok().filter(|_| plain && (number == "0" || !number.starts_with('0')))
        });
        let version = Self(numbers.next()??, numbers.next()??, numbers.next()??);
        numbers.next().is_none().then_some(version)
    }

    /// The version of a document, from `info.version`.
    pub fn of(document: &Value) -> Option<Self> {
        Self::parse(document["info"]["version"].as_str()?)
    }

    /// Whether going from here to `newer` tells people that something breaks.
    pub fn announces_breaking(self, newer: Self) -> bool {
        newer.0 > self.0 || (self.0 == 0 && newer.0 == 0 && newer.1 > self.1)
    }

    /// The next version that announces a breaking change.
    pub fn next_breaking(self) -> Self {
        if self.0 == 0 { Self(0, self.1 + 1, 0) } else { Self(self.0 + 1, 0, 0) }
    }

    /// Whether the changelog has a heading for this version: `## 1.2.3` or `## [1.2.3]`, with or without a date.
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

/// A blessed document.
#[derive(Clone, Debug)]
pub struct Published {
    /// Its version.
    pub version: Version,
    /// The document.
    pub document: Value,
}

/// Why a document does not go with its version.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// The document has no version to compare by.
    #[error("info.version is not of the form 1.2.3: write one, the same as in Cargo.toml")]
    NoVersion,
    /// A newer version is out already.
    #[error(
        "info.version is {current}, but {newest} is published already: raise info.version above it, or remove spec/published/{newest}.json if that was never meant"
    )]
    Older {
        /// That of the document.
        current: Version,
        /// The newest published one.
        newest: Version,
    },
    /// The version is released, and the document is not what was released.
    #[error(
        "version {current} is released and must not change, but the document did. Raise info.version and the version \
         in Cargo.toml {}, then run `trainyard spec publish`.\n{}",
        required(findings, *current),
        report::text(findings, Words::Counted)
    )]
    Released {
        /// The version.
        current: Version,
        /// What changed.
        findings: Vec<Finding>,
    },
    /// A breaking change since the last version that the number does not announce.
    #[error(
        "{current} does not tell people that it breaks what {base} promised: raise info.version and the version in \
         Cargo.toml to {} at least, or take the breaking changes back.\n{}",
        base.next_breaking(),
        report::text(findings, Words::Counted)
    )]
    Unannounced {
        /// The version.
        current: Version,
        /// The version before.
        base: Version,
        /// What changed.
        findings: Vec<Finding>,
    },
    /// The version is not released yet, and its blessed document is missing or another one.
    #[error(
        "spec/published/{current}.json is {}. If the document is as it is meant to be, run `cargo run -- spec \
         publish{}` and commit the file.\n{changes}",
        if changes.since == Some(*current) { "not the current document" } else { "missing" },
        if changes.breaks(*current) { " --allow-breaking" } else { "" }
    )]
    NotBlessed {
        /// The version.
        current: Version,
        /// What changed.
        changes: Changes,
    },
}

/// What changed since the last blessed document.
#[derive(Debug)]
pub struct Changes {
    /// The version of that document; none when nothing was blessed before.
    pub since: Option<Version>,
    /// What changed.
    pub findings: Vec<Finding>,
}

impl Changes {
    /// Whether they break those who took the blessed document of `version` itself.
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

/// Whether `document` may be the blessed one of its version, and what changed since the last one that was blessed.
///
/// # Errors
/// When the version is released and the document differs, or the version does not announce what breaks.
pub fn may_publish(
    document: &Value,
    published: &[Published],
    is_released: impl Fn(Version) -> bool,
) -> Result<Changes, Refusal> {
    let current = Version::of(document).ok_or(Refusal::NoVersion)?;
    if let Some(newest) = published.iter().map(|one| one.version).max().filter(|newest| *newest > current) {
        return Err(Refusal::Older { current, newest });
    }
    let blessed = published.iter().find(|one| one.version == current);
    let before = published.iter().filter(|one| one.version < current).max_by_key(|one| one.version);
    if let Some(blessed) = blessed.filter(|blessed| blessed.document != *document && is_released(current)) {
        return Err(Refusal::Released { current, findings: diff(&blessed.document, document) });
    }
    if let Some(base) = before.filter(|base| !base.version.announces_breaking(current)) {
        let findings = diff(&base.document, document);
        if has_breaking(&findings) {
            return Err(Refusal::Unannounced { current, base: base.version, findings });
        }
    }
    let last = blessed.or(before);
    let findings = last.map(|last| diff(&last.document, document)).unwrap_or_default();
    Ok(Changes { since: last.map(|last| last.version), findings })
}

/// Whether the document is the blessed one of its version, and its version announces what breaks.
///
/// # Errors
/// When it does not, with the findings and what to do.
pub fn check(document: &Value, published: &[Published], is_released: impl Fn(Version) -> bool) -> Result<(), Refusal> {
    let changes = may_publish(document, published, is_released)?;
    let current = Version::of(document).ok_or(Refusal::NoVersion)?;
    if published.iter().any(|one| one.version == current && one.document == *document) {
        Ok(())
    } else {
        Err(Refusal::NotBlessed { current, changes })
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
