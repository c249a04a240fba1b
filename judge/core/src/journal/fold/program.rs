//! Programs of the runs after a contest was resumed.

use super::Fold;
use crate::date::Date;
use crate::journal::{ProgramEvent, REFEREE_PROGRAM, Version, history};
use crate::plan::same_programs;

impl Fold {
    /// Records a version of a program, or that the files of the last one are there now. The contest still has the program
    /// that it had: an update compares with that one.
    pub(super) fn program(&mut self, event: ProgramEvent, at: Option<Date>) -> Result<String, String> {
        let ProgramEvent { entry, programs, kept } = event;
        let facts = self.facts_mut();
        let plan = &facts.plan;
        let referee =
            plan.problems[0].referee.as_ref().filter(|_| entry == REFEREE_PROGRAM).map(|referee| &referee.command);
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
