//! Who plays whom in a contest of matches between teams.

use std::collections::HashSet;

use super::Fold;
use crate::journal::{Players, history};
use crate::key::Name;
use crate::plan::MAX_GAMES;

impl Fold {
    /// Plans the games of these players. Games that they have played before count again.
    pub(super) fn players(&mut self, Players { tables }: Players) -> Result<String, String> {
        let plan = &self.facts.plan;
        if !plan.match_rules.as_ref().is_some_and(|rules| rules.called) {
            return Err("players are named, but all entries of this contest play".into());
        }
        if self.facts.round() > 1 {
            return Err(format!("players are named in round {}; only round 1 takes new ones", self.facts.round()));
        }
        let boards = plan.rounds_of_boards().into_iter().filter(|round| *round == 1).count();
        for table in &tables {
            if let Some(unknown) = table.iter().find(|name| !self.index.has_entry(name)) {
                return Err(format!("unknown entry `{unknown}` is a player"));
            }
            let mut once = HashSet::new();
            if let Some(twice) = table.iter().find(|name| !once.insert(*name)) {
                return Err(format!("player {twice} is named twice"));
            }
            if plan.count_games(1, table.len(), boards) > MAX_GAMES {
                return Err(format!("{} players have more than {MAX_GAMES} games", table.len()));
            }
        }
        let text = history::players(tables.first().map_or(&[][..], Vec::as_slice));
        self.facts_mut().players = tables.into();
        self.plan_called()?;
        (self.changed, self.order) = (true, None);
        Ok(text)
    }

    /// Plans the games of the players that are not planned yet.
    pub(super) fn plan_called(&mut self) -> Result<(), String> {
        for key in self.facts.plan.start_order_of(&self.facts.players) {
            if self.index.planned(&key).is_none() {
                self.plan_run(1, key)?;
            }
        }
        Ok(())
    }
}

/// The games of these tables, each once.
impl crate::plan::Plan {
    pub(in crate::journal) fn start_order_of(&self, tables: &[Vec<Name>]) -> Vec<crate::key::RunKey> {
        let mut once = HashSet::new();
        let mut games: Vec<_> = tables.iter().flat_map(|table| self.start_order_in(1, table)).collect();
        games.retain(|game| once.insert(game.clone()));
        games
    }
}
