//! The history of a contest: everything that happened besides runs, as sentences.

use std::sync::Arc;

use super::event::{Build, Built, Settings};
use super::{ManualRuling, Record, Round, RulingUndone};
use crate::date::Date;
use crate::key::RunKey;
use crate::plan::referee_in_words;
use crate::points::Points;
use crate::verdict::Verdict;
use crate::withdrawal::Withdrawal;
use judge_job::count_text;

/// An event of a contest as a sentence.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct HistoryEvent {
    /// The date; `None` if it was not recorded.
    pub at: Option<Date>,
    /// The event as a sentence. It may quote untrusted text.
    pub text: String,
    /// The records that no longer count because of it, or do not count until a later event.
    pub superseded: Vec<Arc<Record>>,
}

pub(super) fn begun(name: &str, entries: usize, boards: usize) -> String {
    format!(
        "The contest {name} begins with {} on {}.",
        count_text(entries, "entry", "entries"),
        count_text(boards, "board", "boards")
    )
}

/// The sentence about a build; `None` if its result is the same as before, or if the first build succeeds.
pub(super) fn built(build: &Build, earlier: Option<&Built>) -> Option<String> {
    let entries = build.entries.join(", ");
    match &build.built {
        Built::Succeeded if earlier.is_none_or(|built| *built == Built::Succeeded) => None,
        Built::Succeeded => Some(format!("The build of {entries} succeeds now.")),
        built if earlier == Some(built) => None,
        Built::Failed { reason } => Some(format!("The build of {entries} fails: {reason}")),
        Built::JudgeError { reason } => Some(format!("The judge could not build {entries}: {reason}")),
    }
}

/// The sentence about the players of the first table.
pub(super) fn players(names: &[crate::key::Name]) -> String {
    format!("From here on, {} play each other: {}.", count_text(names.len(), "entry", "entries"), names.join(", "))
}

pub(super) fn entry(name: &str, new: bool, keeps_runs: bool, reason: Option<&str>) -> String {
    let reason = reason.map_or(String::new(), |reason| format!(": {reason}"));
    match (new, keeps_runs) {
        (true, _) => format!("Entry {name} enters the contest."),
        (false, true) => format!("Entry {name} is described anew{reason}."),
        (false, false) => format!("Entry {name} is run again{reason}."),
    }
}

/// The sentence about the program that runs execute from here on; `same` if it is the previous program.
pub(super) fn program(name: &str, same: bool) -> String {
    let whose = referee_in_words(name).unwrap_or_else(|| name.to_owned());
    match same {
        true => format!("The files of the program of {whose} are recorded."),
        false => format!("The program of {whose} is another one from here on; earlier runs count as they are."),
    }
}

pub(super) fn board(name: &str, new: bool, same_text: bool, reason: Option<&str>) -> String {
    let reason = reason.map_or(String::new(), |reason| format!(": {reason}"));
    match (new, same_text) {
        (true, _) => format!("Board {name} is added{reason}."),
        (false, true) => format!("Board {name} is described anew{reason}."),
        (false, false) => format!("Board {name} is replaced by another one, on which all entries run{reason}."),
    }
}

pub(super) fn struck(board: &str, reason: &str) -> String {
    format!("Board {board} is struck and does not count any more: {reason}")
}

pub(super) fn reinstated(board: &str, reason: &str) -> String {
    format!("Board {board} counts again: {reason}")
}

pub(super) fn withdrawn(entry: &str, withdrawal: &Withdrawal) -> String {
    format!("Entry {entry} is {}: {}", withdrawal.word(), withdrawal.reason)
}

pub(super) fn restored(entry: &str, reason: &str) -> String {
    format!("Entry {entry} is in the contest again: {reason}")
}

pub(super) fn settings(settings: &Settings) -> String {
    format!("The contest changes: {}.", settings.reasons.join("; "))
}

pub(super) fn ruling(ruling: &ManualRuling) -> String {
    let ManualRuling { key, verdict, because, by, points, .. } = ruling;
    let by = by.as_ref().map_or(String::new(), |by| format!(" by {by}"));
    let what = match points.as_slice() {
        [] => verdict.summary(),
        points => points.iter().map(Points::to_string).collect::<Vec<_>>().join(" - "),
    };
    format!("{} is ruled by hand{by}: {what}. The reason: {because}", key.title())
}

/// The sentence about a ruling that was taken back, and the verdict that counts again.
pub(super) fn ruling_undone(undone: &RulingUndone, again: &Verdict) -> String {
    let RulingUndone { key, because, by } = undone;
    let by = by.as_ref().map_or(String::new(), |by| format!(" by {by}"));
    let because = because.as_ref().map_or(String::new(), |because| format!(" The reason: {because}"));
    let again = again.summary();
    format!("The ruling by hand on {} is taken back{by}; it counts as before: {again}.{because}", key.title())
}

pub(super) fn rejudged(key: &RunKey, before: &Verdict, now: &Verdict) -> String {
    let (before, now) = (before.summary(), now.summary());
    format!("{} is refereed again: {now}. Before: {before}.", key.title())
}

/// The sentence about answers with the same ruling as before; `None` without such answers.
pub(super) fn confirmed(answers: usize) -> Option<String> {
    let [one, many] =
        ["answer that another referee had ruled on was", "answers that another referee had ruled on were"];
    (answers > 0).then(|| format!("{} refereed again, with the same ruling.", count_text(answers, one, many)))
}

pub(super) fn round(round: &Round, again: bool, fallen: usize) -> String {
    let name = round.name.as_ref().map_or(String::new(), |name| format!(", {name},"));
    let (number, entrants) = (round.number, round.entrants().join(", "));
    if !again {
        return format!("Round {number}{name} opens for {entrants}.");
    }
    let fall = match fallen {
        0 => String::new(),
        games => format!("; {} no more", count_text(games, "game counts", "games count")),
    };
    format!("The games of round {number}{name} follow from the results anew, for {entrants}{fall}.")
}
