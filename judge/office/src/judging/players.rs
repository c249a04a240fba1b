//! The players in a contest of matches: the latest called player of each team, and the entries of the contest file.

use judge_core::journal::{ContestState, Line, Players};
use judge_core::key::Name;

use super::{Judging, JudgingError};
use crate::counting::{TeamSubmissions, is_of_matches};
use crate::ends::Ends;
use crate::line::number_of;
use crate::progress::withdrawn;
use crate::state::State;

impl Judging<'_> {
    /// Records the players, unless the contest already has them.
    pub(super) fn name_players(&self, state: &State) -> Result<(), JudgingError> {
        let contents = self.open_contest.contents();
        if !is_of_matches(&contents) || state.finalised().is_some() {
            return Ok(());
        }
        let tables = tables(state, &contents);
        if tables != *contents.players {
            self.open_contest.update(vec![Line::Players(Players { tables })])?;
        }
        Ok(())
    }
}

/// The players in the full view, and those of the public view while the board is frozen, if they differ.
fn tables(state: &State, contents: &ContestState) -> Vec<Vec<Name>> {
    let (mut all, mut public) = (Vec::new(), Vec::new());
    // A contest of matches has one problem.
    let problem = &*contents.plan.problems.only().id;
    for (name, team) in state.teams().iter().filter(|(name, _)| state.out(name).is_none()) {
        let of_team = TeamSubmissions { state, contents, team, problem, ends: &Ends::default() };
        let counting = of_team.counting_now();
        let entry = |number: u32| Name::from(format!("{name}.{number}"));
        all.extend(counting.all.map(entry));
        public.extend(counting.public.map(entry));
    }
    let own = contents.plan.entries.iter().map(|entry| &*entry.name);
    let own: Vec<Name> = own.filter(|name| number_of(name).is_none()).map(Name::from).collect();
    let mut tables = vec![all, public];
    for table in &mut tables {
        table.extend(own.iter().cloned());
        table.retain(|name| withdrawn(contents, name).is_none());
        table.sort_by_cached_key(|name| contents.plan.entries.iter().position(|entry| *entry.name == **name));
    }
    tables.dedup();
    tables
}
