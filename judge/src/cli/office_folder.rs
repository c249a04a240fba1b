//! The office of a contest on this machine: its folder, its rules, and the judged contest.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{DONE, Done, Failure, environment};
use judge_contest::office::OfficeSetup;
use judge_contest::{Contest, FILE_NAME};
use judge_core::journal::{ContestState, JournalError};
use judge_core::key::Name;
use judge_core::names::Names;
use judge_core::plan::Plan;
use judge_office::judging::results_of;
use judge_office::line::number_of;
use judge_office::{Clock, FOLDER, Office, OfficeError, results};

/// The office's folder of a contest that is given by its folder.
pub(super) fn office_of(contest: &Path) -> Result<PathBuf, Failure> {
    if contest.join(FILE_NAME).is_file() {
        return Ok(contest.join(FOLDER));
    }
    let contest = contest.display();
    Err(Failure::input(format!("{contest} has no {FILE_NAME}; begin a contest with `judge init {contest}`")))
}

/// The clock of this machine, in seconds since the beginning of 1970 in UTC.
pub(super) fn clock() -> Clock {
    Arc::new(super::unix_seconds)
}

/// The failure of a command on an office.
pub(super) fn failure(error: OfficeError) -> Failure {
    match error {
        OfficeError::Missing(_)
        | OfficeError::Damaged { .. }
        | OfficeError::Refused { .. }
        | OfficeError::Quota { .. }
        | OfficeError::NotOpen(_) => Failure::input(error),
        error => Failure::judge(error),
    }
}

/// The end of a command that prints nothing.
pub(super) fn done<T>(done: Result<T, OfficeError>) -> Done {
    done.map_or_else(|error| Err(failure(error)), |_| Ok(DONE))
}

/// The rules of the office in a contest file.
pub(super) fn setup(contest: &Path) -> Result<OfficeSetup, Failure> {
    let loaded = Contest::load_without_boards(contest).map_err(Failure::input)?;
    if loaded.plan.match_rules.as_ref().is_some_and(|rules| !rules.called) {
        let path = loaded.path.display();
        return Err(Failure::input(format!("{path}: for games between players of teams, add a table [office]")));
    }
    Ok(loaded.office)
}

/// An office with the rules of its contest. It accepts languages whose tools this machine has.
pub(super) fn as_the_contest_says(office: Office, setup: &OfficeSetup) -> Result<Office, Failure> {
    office.set_rules(&setup.rules).map_err(failure)?;
    let path = environment("PATH").unwrap_or_default();
    let tools = Arc::new(move |program: &str| judge_job::on_path(path.as_ref(), program));
    Ok(office.with_setup(setup).with_tools(tools))
}

/// The contest as judged so far; `None` if nothing was judged.
pub(super) fn judged(contest: &Path) -> Result<Option<ContestState>, Failure> {
    match results::read(&results_of(contest)) {
        Ok(contents) => Ok(Some(contents)),
        Err(JournalError::Missing(_) | JournalError::NotBegun(_) | JournalError::NotDirectory(_)) => Ok(None),
        Err(error) => Err(Failure::journal(&error)),
    }
}

/// Refuses to change results that the office next to them has declared final.
pub(super) fn check_not_final(results: &Path) -> Result<(), Failure> {
    let Some(contest) = results.canonicalize().ok().and_then(|results| Some(results.parent()?.to_owned())) else {
        return Ok(());
    };
    match Office::open(&contest.join(FOLDER), clock()).and_then(|office| office.state()) {
        Ok(state) => state.check_not_final().map_err(|refusal| failure(refusal.into())),
        // Without a readable office, nothing is final.
        Err(_) => Ok(()),
    }
}

/// The names of a contest's entries that are not submissions.
pub(super) fn own_entries(plan: &Plan) -> impl Iterator<Item = &str> {
    plan.entries.iter().map(|entry| &*entry.name).filter(|name| number_of(name).is_none())
}

/// Checks that no entry of a contest file has the name of a submission or a team. A contest that has begun keeps its names.
pub(super) fn check_entries<'n>(contest: &Contest, teams: impl Iterator<Item = &'n Name>) -> Result<(), Failure> {
    let refuse = |reason: String| {
        let path = contest.path.display();
        Err(Failure::input(format!("{path}: {reason}; rename that entry")))
    };
    let mut names = Names::default();
    for entry in &contest.plan.entries {
        if number_of(&entry.name).is_some() {
            return refuse(format!("submissions have names such as `{}`", entry.name));
        }
        // Names in a contest file are distinct, so this cannot fail.
        names.insert(&entry.name).ok();
    }
    match { teams }.find_map(|team| Some((team, names.taken(team)?))) {
        None => Ok(()),
        Some((team, entry)) => refuse(format!("there is the team `{team}`, and `{entry}` is an entry")),
    }
}
