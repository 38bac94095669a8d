//! Findings as text for people.

use std::fmt::Write as _;

use super::{Finding, Severity};

/// How many findings there are of each kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Counts {
    /// Breaking ones.
    pub breaking: usize,
    /// Safe ones that change more than words.
    pub safe: usize,
    /// Those on words for people only.
    pub text: usize,
}

impl Counts {
    /// Counts findings.
    pub fn of(findings: &[Finding]) -> Self {
        let text = findings.iter().filter(|finding| finding.is_text()).count();
        let breaking = findings.iter().filter(|finding| finding.severity == Severity::Breaking).count();
        Self { breaking, safe: findings.len() - breaking - text, text }
    }
}

/// What is done with the places where only words changed: there may be hundreds, and nothing depends on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Words {
    /// They are counted.
    Counted,
    /// Each is listed.
    Listed,
}

/// Breaking findings first, then safe ones, then those on words only.
pub fn text(findings: &[Finding], words: Words) -> String {
    let Counts { breaking, safe, text } = Counts::of(findings);
    let mut report = format!("{breaking} breaking, {safe} safe, {text} in words only\n");
    for (title, severity) in [("Breaking", Severity::Breaking), ("Safe", Severity::Safe)] {
        let group: Vec<_> = findings.iter().filter(|one| one.severity == severity && !one.is_text()).collect();
        if !group.is_empty() {
            let _ = writeln!(report, "\n{title}");
        }
        for Finding { pointer, document, rule, message, reason, .. } in group {
            let _ = writeln!(report, "  {pointer} ({document}) [{rule}]\n    {message}: {reason}");
        }
    }
    if text == 0 || words == Words::Counted {
        return report;
    }
    report.push_str("\nWords only\n");
    for Finding { pointer, message, .. } in findings.iter().filter(|finding| finding.is_text()) {
        let _ = writeln!(report, "  {pointer}: {message}");
    }
    report
}
