//! Entries and boards that come into a contest, change, go out of it and come back.

use std::sync::Arc;

use super::{Fold, check_board, check_problems};
use crate::date::Date;
use crate::journal::history;
use crate::journal::{BoardAndReason, BoardEvent, EntryAndReason, EntryEvent, Record, Version};
use crate::key::{Name, RunKey};

impl Fold {
    pub(super) fn entry(&mut self, event: EntryEvent, at: Option<Date>) -> Result<(String, Vec<Arc<Record>>), String> {
        let EntryEvent { entry, programs, kept, keeps_runs, reason } = event;
        let name: Name = Arc::from(&*entry.name);
        let known = self.index.has_entry(&name);
        let text = history::entry(&name, !known, keeps_runs, reason.as_deref());
        let version = Version { at, command: entry.command.clone(), programs: programs.clone(), kept };
        if known {
            let superseded = if keeps_runs { Vec::new() } else { self.supersede(&self.index.of_entry(&name)) };
            let facts = self.facts_mut();
            // A program that only moved has other names of files, under which it is restored.
            if !keeps_runs || facts.programs.get(&entry.name).is_some_and(|known| **known != programs) {
                facts.versions.or_default(&entry.name).push(version);
            }
            facts.programs.insert(entry.name.clone(), programs.into());
            let same = facts.plan.entries.iter().position(|known| known.name == entry.name);
            if let Some(same) = same {
                facts.plan.entries[same] = entry.into();
            }
            return Ok((text, superseded));
        }
        self.refuse_after_round_1("entry", &name)?;
        check_problems(&self.facts.plan, &entry)?;
        Arc::make_mut(&mut self.index).add_entry(&name)?;
        let facts = self.facts_mut();
        facts.versions.or_default(&entry.name).push(version);
        facts.programs.insert(entry.name.clone(), programs.into());
        facts.plan.entries.push(entry.into());
        if facts.plan.match_rules.is_some() {
            self.plan_repeats()?;
        } else {
            let start_order =
                facts.plan.entries.last().map_or_else(Vec::new, |entry| facts.plan.start_order_of_entry(1, entry));
            start_order.into_iter().try_for_each(|key| self.plan_run(1, key))?;
        }
        self.arrange_entry(&name);
        Ok((text, Vec::new()))
    }

    pub(super) fn board(&mut self, event: BoardEvent) -> Result<(String, Vec<Arc<Record>>), String> {
        let BoardEvent { board, reason } = event;
        let name: Name = Arc::from(&*board.name);
        let (open, round) = (self.facts.round(), self.facts.plan.round_of(&name));
        if self.index.has_board(&name) {
            let same =
                self.facts.plan.boards.iter().any(|known| known.name == board.name && known.is_judged_like(&board));
            if !same && round < open {
                return Err(format!("board {name} was replaced, but its round {round} is over"));
            }
            let superseded = if same { Vec::new() } else { self.supersede(&self.index.on_board(&name)) };
            let boards = self.facts_mut().plan.boards.iter_mut();
            boards.filter(|known| known.name == board.name).for_each(|known| *known = board.clone());
            return Ok((history::board(&name, false, same, reason.as_deref()), superseded));
        }
        if round <= open {
            self.refuse_after_round_1("board", &name)?;
        }
        check_board(&self.facts.plan, &name)?;
        Arc::make_mut(&mut self.index).add_board(&name)?;
        self.facts_mut().plan.boards.push(board);
        if round == open && self.facts.plan.match_rules.is_some() {
            self.plan_repeats()?;
        } else if round == open {
            let entries = self.facts.plan.entries.iter().filter(|entry| entry.is_on(&name));
            let entries: Vec<Name> = entries.map(|entry| Arc::from(&*entry.name)).collect();
            let repeats = 1..=self.facts.plan.repeat;
            let keys = entries.into_iter().flat_map(|entry| {
                let name = &name;
                repeats.clone().map(move |repeat| RunKey { repeat, ..RunKey::new(round, entry.clone(), name.clone()) })
            });
            keys.collect::<Vec<_>>().into_iter().try_for_each(|key| self.plan_run(round, key))?;
        }
        self.arrange();
        Ok((history::board(&name, true, false, reason.as_deref()), Vec::new()))
    }

    fn refuse_after_round_1(&self, what: &str, name: &str) -> Result<(), String> {
        match self.facts.round() {
            1 => Ok(()),
            round => Err(format!("{what} {name} was added in round {round}; only round 1 takes new ones")),
        }
    }

    pub(super) fn strike(&mut self, event: BoardAndReason) -> Result<String, String> {
        let BoardAndReason { board, reason } = event;
        if !self.index.has_board(&board) {
            return Err(format!("unknown board `{board}` was struck"));
        }
        if reason.is_empty() {
            return Err(format!("board {board} was struck without a reason"));
        }
        if self.facts.struck.get(&board) == Some(&reason) {
            return Err(format!("board {board} was struck twice"));
        }
        let text = history::struck(&board, &reason);
        self.facts_mut().struck.insert(board, reason);
        Ok(text)
    }

    pub(super) fn reinstate_board(&mut self, event: BoardAndReason) -> Result<String, String> {
        let BoardAndReason { board, reason } = event;
        match self.facts_mut().struck.remove(&board) {
            Some(_) => Ok(history::reinstated(&board, &reason)),
            None => Err(format!("board {board} is reinstated, but was not struck")),
        }
    }

    pub(super) fn withdraw(&mut self, event: EntryAndReason) -> Result<String, String> {
        let EntryAndReason { entry, withdrawal } = event;
        if !self.index.has_entry(&entry) {
            return Err(format!("unknown entry `{entry}` was {}", withdrawal.word()));
        }
        if withdrawal.reason.is_empty() {
            return Err(format!("{entry} was {} without a reason", withdrawal.word()));
        }
        if self.facts.withdrawn.get(&entry) == Some(&withdrawal) {
            return Err(format!("{entry} was {} twice", withdrawal.word()));
        }
        let text = history::withdrawn(&entry, &withdrawal);
        self.facts_mut().withdrawn.insert(entry, withdrawal);
        Ok(text)
    }

    pub(super) fn restore_entry(&mut self, event: EntryAndReason) -> Result<String, String> {
        let EntryAndReason { entry, withdrawal } = event;
        match self.facts_mut().withdrawn.remove(&entry) {
            Some(_) => Ok(history::restored(&entry, &withdrawal.reason)),
            None => Err(format!("{entry} is restored, but was not withdrawn")),
        }
    }
}
