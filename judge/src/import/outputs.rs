//! Outputs of a package, given to its own validator: the judge's answers, and tests of the validator.

use std::io;

use crate::import::error::ImportError;
use crate::import::package_contest::{Output, OutputKind, PackageContest};
use crate::import::work_queue::{OutputRuling, WorkItem};
use judge_job::count_text;

/// The severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub(crate) enum FindingKind {
    /// As it should be.
    Ok,
    /// Worth a note.
    Note,
    /// The package or its validator is not as it should be.
    Differs,
    /// The validator failed.
    Failed,
}

impl FindingKind {
    /// The first word of its line.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Note => "note",
            Self::Differs | Self::Failed => "differs",
        }
    }
}

/// A finding, as a line.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub(crate) struct Finding {
    /// Its severity.
    pub(crate) kind: FindingKind,
    /// The line after its first word.
    pub(crate) text: String,
}

/// Outputs of one kind that need no separate lines.
struct Usual<'a> {
    kind: OutputKind,
    /// The number of outputs on which the validator ruled as it should.
    good: usize,
    /// Answers that it rejected, with its message.
    rejected: Vec<(&'a Output, String)>,
}

/// The outputs of that kind, which are consecutive.
fn usual<'u, 'a>(all: &'u mut Vec<Usual<'a>>, kind: OutputKind) -> &'u mut Usual<'a> {
    if all.last().is_none_or(|last| last.kind != kind) {
        all.push(Usual { kind, good: 0, rejected: Vec::new() });
    }
    all.last_mut().expect("one was pushed")
}

/// Lets the validator of a package rule on all outputs of the package. Each finding goes to `report` when it is known.
///
/// # Errors
///
/// A run was interrupted or failed, or `report` failed.
pub(crate) fn check_outputs(
    contest: &PackageContest<'_>,
    mut report: impl FnMut(&Finding) -> io::Result<()>,
) -> Result<Vec<Finding>, ImportError> {
    let mut findings = Vec::new();
    let queue = &contest.queue;
    contest.work(|| {
        (0..contest.outputs.len()).for_each(|index| queue.state().want(WorkItem::Output(index)));
        let mut all = Vec::new();
        for (index, output) in contest.outputs.iter().enumerate() {
            let ruling = queue.wait(|state| state.output(index).cloned())?;
            let (name, kind, wanted) = (&output.name, output.kind, output.kind != OutputKind::Invalid);
            let (text, taken) = match ruling {
                OutputRuling::Failed(reason) => {
                    (format!("data/{name}: the validator failed ({reason})"), FindingKind::Failed)
                }
                OutputRuling::Accepted if !wanted => {
                    (format!("data/{name}: the validator accepts it; expected: rejected"), FindingKind::Differs)
                }
                // Published packages have notes for people in the answers of secret test cases.
                OutputRuling::Rejected(reason) if kind == OutputKind::Answer => {
                    usual(&mut all, kind).rejected.push((output, reason));
                    continue;
                }
                OutputRuling::Rejected(reason) if wanted => {
                    (format!("data/{name}: expected: accepted; {reason}"), FindingKind::Differs)
                }
                OutputRuling::Accepted | OutputRuling::Rejected(_) => {
                    usual(&mut all, kind).good += 1;
                    continue;
                }
            };
            let finding = Finding { kind: taken, text };
            report(&finding).map_err(ImportError::Report)?;
            findings.push(finding);
        }
        for finding in all.iter().flat_map(summary) {
            report(&finding).map_err(ImportError::Report)?;
            findings.push(finding);
        }
        Ok(())
    })?;
    Ok(findings)
}

/// Summary lines on outputs that need no separate lines.
fn summary(Usual { kind, good, rejected }: &Usual<'_>) -> Vec<Finding> {
    let outputs = count_text(*good, "output", "outputs");
    let answers = count_text(*good, "test case", "test cases");
    let text = match kind {
        OutputKind::SampleAnswer => format!("data/sample: the validator accepts the judge's answers to {answers}"),
        OutputKind::Answer => format!("data/secret: the validator accepts the judge's answers to {answers}"),
        OutputKind::Valid => format!("data/valid_output: the validator accepts {outputs}"),
        OutputKind::Invalid => format!("data/invalid_output: the validator rejects {outputs}"),
    };
    let good = (*good > 0).then_some(Finding { kind: FindingKind::Ok, text });
    let note = rejected.first().map(|(first, reason)| {
        let name = &first.name;
        let text = match rejected.len() {
            1 => format!("data/{name}: the validator rejects the judge's answer ({reason})"),
            all => format!("data/{name} and {} more: the validator rejects the judge's answers ({reason})", all - 1),
        };
        Finding { kind: FindingKind::Note, text }
    });
    good.into_iter().chain(note).collect()
}
