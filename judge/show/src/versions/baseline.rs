//! The earlier version that a try is compared with.

use crate::versions::error::TryError;
use crate::versions::memory::Memory;
use crate::versions::not_comparable::NotComparable;
use crate::versions::trial::Trial;
use crate::versions::version::Version;
use judge_core::results::Results;

/// An earlier version, with its runs on the boards of a try.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Baseline {
    /// The version that the try is compared with.
    pub version: Version,
    /// Its runs on these boards, as results of one entry.
    pub runs: Results,
}

impl Baseline {
    /// A version with these runs.
    pub fn new(version: Version, runs: Results) -> Self {
        Self { version, runs }
    }
}

/// The choice of a version, with notices for the user.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Choice {
    /// The version to compare with, if there is one.
    pub baseline: Option<Baseline>,
    /// Notices about it, in the order in which to show them.
    pub notices: Vec<ChoiceNotice>,
}

/// A remark about the choice of a version.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum ChoiceNotice {
    /// There is only a version of another solver.
    OtherSolver(Box<Version>),
    /// A newer version is passed over.
    PassedOver {
        /// The version that is compared with.
        chosen: Box<Version>,
        /// The newer version, which is not compared with.
        newer: Box<Version>,
        /// The reason why it is passed over.
        reason: NotComparable,
    },
    /// No version can be compared with the try.
    NoVersion {
        /// The latest version of the solver.
        latest: Box<Version>,
        /// The reason why it cannot.
        reason: NotComparable,
    },
    /// The chosen version has fewer boards than the try.
    Partial {
        /// The version that is compared with.
        chosen: Box<Version>,
        /// The reason why it has fewer.
        reason: NotComparable,
        /// The boards that both have.
        boards: usize,
    },
}

/// The rank of a version that ran on all boards of the try.
const ALL_BOARDS: u8 = 2;

/// Chooses the version that a try is compared with: the wanted one, or the last one that ran on all boards of the try,
/// or else on some of them. Only equal boards and limits are compared, and a version that was cut short comes last.
///
/// # Errors
///
/// The wanted version is unknown or cannot be compared, or the memory cannot be read.
pub fn choose(memory: &Memory, trial: &Trial, program: &str, wanted: Option<&str>) -> Result<Choice, TryError> {
    if let Some(wanted) = wanted {
        let version = memory.version(wanted)?;
        let title = version.title();
        let runs = usable(memory, &version, trial)?.map_err(|reason| TryError::Unlike { title, reason })?;
        let notices = partial(&version, &runs, trial).into_iter().collect();
        return Ok(Choice { baseline: Some(Baseline { version, runs }), notices });
    }
    let versions = memory.versions()?;
    let own: Vec<&Version> = versions.iter().rev().filter(|version| version.is_of(program)).collect();
    let others: Vec<&Version> = versions.iter().rev().filter(|version| !version.is_of(program)).collect();
    let (candidates, of_another) = if own.is_empty() { (others, true) } else { (own, false) };
    let mut passed: Vec<(&Version, NotComparable)> = Vec::new();
    let mut found: Option<(u8, Baseline)> = None;
    for version in candidates {
        let runs = match usable(memory, version, trial)? {
            Ok(runs) => runs,
            Err(reason) => {
                passed.push((version, reason));
                continue;
            }
        };
        let rank = match (runs.boards.len() == trial.boards.len(), version.cut_short()) {
            (true, _) => ALL_BOARDS,
            (false, None) => 1,
            (false, Some(_)) => 0,
        };
        if found.as_ref().is_none_or(|(best, _)| rank > *best)
            && let Some((_, other)) = found.replace((rank, Baseline { version: version.clone(), runs }))
        {
            let newer = versions.iter().find(|version| version.number == other.version.number);
            passed.extend(newer.map(|newer| (newer, less(newer, &other.runs, trial))));
        }
        if rank == ALL_BOARDS {
            break;
        }
    }
    let baseline = found.map(|(_, baseline)| baseline);
    let mut notices = Vec::new();
    let latest = passed.iter().max_by_key(|(version, _)| version.number);
    match (&baseline, latest) {
        (Some(baseline), _) if of_another => notices.push(ChoiceNotice::OtherSolver(baseline.version.clone().into())),
        (Some(baseline), Some((newer, reason))) if newer.number > baseline.version.number => {
            let (chosen, newer) = (baseline.version.clone().into(), (*newer).clone().into());
            notices.push(ChoiceNotice::PassedOver { chosen, newer, reason: reason.clone() });
        }
        (None, Some((latest, reason))) => {
            notices.push(ChoiceNotice::NoVersion { latest: (*latest).clone().into(), reason: reason.clone() });
        }
        _ => {}
    }
    notices.extend(baseline.as_ref().and_then(|baseline| partial(&baseline.version, &baseline.runs, trial)));
    Ok(Choice { baseline, notices })
}

/// The runs of a version on equal boards under equal limits. The inner error is the reason for having no such runs.
fn usable(memory: &Memory, version: &Version, trial: &Trial) -> Result<Result<Results, NotComparable>, TryError> {
    if let Some(reason) = version.unlike(trial) {
        return Ok(Err(reason));
    }
    let Some(tried) = memory.tried(version)? else {
        return Ok(Err(NotComparable::NoFile { number: version.number }));
    };
    let cells = tried.results.rows.first().map_or(&[][..], |row| &row.cells);
    let heads = tried.results.boards.iter().zip(cells).filter(|(_, cell)| cell.judged()).map(|(head, _)| &head.name);
    let same = |name: &&String| tried.boards.get(*name).is_some_and(|hash| trial.boards.get(*name) == Some(hash));
    let common: Vec<String> = heads.filter(same).cloned().collect();
    if common.is_empty() {
        return Ok(Err(NotComparable::NoBoard));
    }
    Ok(Ok(tried.results.only(Some(&common), None)?))
}

/// The reason why a version has fewer boards than a try.
fn less(version: &Version, runs: &Results, trial: &Trial) -> NotComparable {
    match version.cut_short() {
        Some((judged, boards)) => NotComparable::CutShort { judged, boards },
        None => NotComparable::Fewer { boards: runs.boards.len(), of: trial.boards.len() },
    }
}

/// The notice about a version that has fewer boards than the try.
fn partial(version: &Version, runs: &Results, trial: &Trial) -> Option<ChoiceNotice> {
    let boards = runs.boards.len();
    let notice =
        || ChoiceNotice::Partial { chosen: version.clone().into(), reason: less(version, runs, trial), boards };
    (boards < trial.boards.len()).then(notice)
}
