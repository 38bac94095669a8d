//! Text reports of findings.

use std::fmt::Write as _;

use crate::diff::{Finding, Severity};

/// Number of findings of each severity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Counts {
    /// Breaking changes.
    pub breaking: usize,
    /// Safe changes other than documentation.
    pub safe: usize,
    /// Changes of documentation only.
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

/// Presentation of findings that change documentation only: there may be hundreds, and no program depends on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Words {
    /// Only their number is reported.
    Counted,
    /// Each is listed.
    Listed,
}

/// Returns a report: breaking findings first, then safe ones, then changes of documentation.
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
