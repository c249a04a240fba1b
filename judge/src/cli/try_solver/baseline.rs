//! The earlier version that a try is compared with.

use super::memory::Memory;
use super::trial::Trial;
use super::version::Version;
use crate::cli::Failure;
use judge_core::results::Results;
use judge_job::count_text;

/// An earlier version, with its runs on the boards that a try has too.
pub(super) struct Baseline {
    pub(super) version: Version,
    pub(super) runs: Results,
}

/// The choice of a version, and what the user should know about it.
pub(super) struct Choice {
    pub(super) baseline: Option<Baseline>,
    pub(super) notices: Vec<String>,
}

/// Chooses the version that a try is compared with: the wanted one, or the last one that ran on all boards of the try,
/// or else on some of them. Only equal boards and limits are compared, and one that was cut short comes last.
pub(super) fn choose(memory: &Memory, trial: &Trial, program: &str, wanted: Option<&str>) -> Result<Choice, Failure> {
    if let Some(wanted) = wanted {
        let version = memory.version(wanted)?;
        let runs = usable(memory, &version, trial)?.map_err(|reason| {
            let title = version.title();
            Failure::input(format!(
                "{title} cannot be compared with this try: {reason}; omit --against, or try it again"
            ))
        })?;
        let notices = partial(&version, &runs, trial).into_iter().collect();
        return Ok(Choice { baseline: Some(Baseline { version, runs }), notices });
    }
    let versions = memory.versions()?;
    let own: Vec<&Version> = versions.iter().rev().filter(|version| version.is_of(program)).collect();
    let others: Vec<&Version> = versions.iter().rev().filter(|version| !version.is_of(program)).collect();
    let (candidates, of_another) = if own.is_empty() { (others, true) } else { (own, false) };
    let mut passed: Vec<(&Version, String)> = Vec::new();
    let mut found: Option<(usize, Baseline)> = None;
    for version in candidates {
        let runs = match usable(memory, version, trial)? {
            Ok(runs) => runs,
            Err(reason) => {
                passed.push((version, reason));
                continue;
            }
        };
        let rank = match (runs.boards.len() == trial.boards.len(), version.cut_short()) {
            (true, _) => 2,
            (false, None) => 1,
            (false, Some(_)) => 0,
        };
        if found.as_ref().is_none_or(|(best, _)| rank > *best)
            && let Some((_, other)) = found.replace((rank, Baseline { version: version.clone(), runs }))
        {
            let newer = versions.iter().find(|version| version.number == other.version.number);
            passed.extend(newer.map(|newer| (newer, less(newer, &other.runs, trial))));
        }
        if rank == 2 {
            break;
        }
    }
    let baseline = found.map(|(_, baseline)| baseline);
    let mut notices = Vec::new();
    let latest = passed.iter().max_by_key(|(version, _)| version.number);
    match (&baseline, latest) {
        (Some(baseline), _) if of_another => notices.push(format!(
            "no earlier version of {program} here; it is compared with {} of another solver, `{}`; --remember DIR keeps \
             solvers apart",
            baseline.version.title(),
            baseline.version.command
        )),
        (Some(baseline), Some((newer, reason))) if newer.number > baseline.version.number => notices.push(format!(
            "compared with {}; {} is passed over: {reason}",
            baseline.version.title(),
            newer.title()
        )),
        (None, Some((version, reason))) => {
            notices.push(format!("no version to compare with: {}: {reason}", version.title()));
        }
        _ => {}
    }
    notices.extend(baseline.as_ref().and_then(|baseline| partial(&baseline.version, &baseline.runs, trial)));
    Ok(Choice { baseline, notices })
}

/// The runs of a version on equal boards under equal limits; the inner error is the reason why there is none, as a
/// fragment.
fn usable(memory: &Memory, version: &Version, trial: &Trial) -> Result<Result<Results, String>, Failure> {
    if let Some(reason) = version.unlike(trial) {
        return Ok(Err(reason));
    }
    let Some(tried) = memory.tried(version)? else {
        return Ok(Err(format!("its file versions/{}.csv is missing", version.number)));
    };
    let cells = tried.results.rows.first().map_or(&[][..], |row| &row.cells);
    let heads = tried.results.boards.iter().zip(cells).filter(|(_, cell)| cell.judged()).map(|(head, _)| &head.name);
    let same = |name: &&String| tried.boards.get(*name).is_some_and(|hash| trial.boards.get(*name) == Some(hash));
    let common: Vec<String> = heads.filter(same).cloned().collect();
    if common.is_empty() {
        return Ok(Err("it ran on none of these boards".into()));
    }
    Ok(Ok(tried.results.only(Some(&common), None).map_err(Failure::judge)?))
}

/// What a version lacks that has fewer boards than a try, as a fragment.
fn less(version: &Version, runs: &Results, trial: &Trial) -> String {
    version.cut_short().unwrap_or_else(|| {
        format!("it ran on {} of these {}", runs.boards.len(), count_text(trial.boards.len(), "board", "boards"))
    })
}

/// The notice about a version that has fewer boards than the try.
fn partial(version: &Version, runs: &Results, trial: &Trial) -> Option<String> {
    (runs.boards.len() < trial.boards.len()).then(|| {
        let (title, reason, boards) = (version.title(), less(version, runs, trial), runs.boards.len());
        format!("{title}: {reason}; only {} compared", count_text(boards, "board is", "boards are"))
    })
}
