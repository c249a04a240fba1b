//! The programs of entries and referees.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::Fold;
use crate::date::Date;
use crate::fingerprint::Hashes;
use crate::journal::{Header, ProgramEvent, Version, history};
use crate::key::Name;
use crate::map::Map;
use crate::plan::{Problem, same_programs};
use crate::shared::Shared;

impl Fold {
    /// Records a version of a program, or that the files of the last one are there now. The contest still has the program
    /// that it had: an update compares with that one.
    pub(super) fn program(&mut self, event: ProgramEvent, at: Option<Date>) -> Result<String, String> {
        let ProgramEvent { entry, programs, kept } = event;
        let facts = self.facts_mut();
        let plan = &facts.plan;
        let referee = plan.problems.of_referee(&entry).and_then(|problem| problem.referee.as_ref());
        let referee = referee.map(|referee| &referee.command);
        let known = plan.entries.iter().find(|known| *known.name == *entry).map(|known| &known.command);
        let command = referee.or(known).ok_or_else(|| format!("unknown entry `{entry}` has a program"))?.clone();
        let versions = facts.versions.or_default(&entry);
        let same = versions.last().is_some_and(|last| same_programs(&last.programs, &programs));
        match versions.last_mut() {
            Some(last) if last.programs == programs => last.kept = kept,
            _ => versions.push(Version { at, command, programs, kept }),
        }
        Ok(history::program(&entry, same))
    }
}

/// The hash of a problem's referee, if that is a program.
pub(super) fn referee_hash(problem: &Problem, programs: Option<&Hashes>) -> Option<Name> {
    let none = Hashes::new();
    problem.referee.as_ref().map(|referee| Name::from(referee.hash(programs.unwrap_or(&none))))
}

/// The hashes of the referees that are programs, by the identifiers of their problems.
pub(super) fn referee_hashes(header: &Header) -> BTreeMap<String, Name> {
    let hash = |problem: &Problem| {
        let programs = header.programs.get(&*problem.referee_program());
        Some((problem.id.clone(), referee_hash(problem, programs)?))
    };
    header.plan.problems.iter().filter_map(hash).collect()
}

/// The first versions of all programs.
pub(super) fn first_versions(header: &Header, at: Option<Date>) -> Map<String, Shared<Vec<Version>>> {
    let entries = header.plan.entries.iter().map(|entry| (Cow::from(&*entry.name), &entry.command));
    let referees = header
        .plan
        .problems
        .iter()
        .filter_map(|problem| Some((problem.referee_program(), &problem.referee.as_ref()?.command)));
    let version = |(name, command): (Cow<'_, str>, &Vec<String>)| {
        let programs = header.programs.get(&*name).cloned().unwrap_or_default();
        let kept = header.kept.get(&*name).cloned().unwrap_or_default();
        (name.into_owned(), vec![Version { at, command: command.clone(), programs, kept }].into())
    };
    entries.chain(referees).map(version).collect()
}
