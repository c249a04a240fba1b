//! The order of runs, which follows from the plan.

use std::sync::{Arc, OnceLock};

use super::index::{Index, Planned};
use crate::chunks::Chunks;
use crate::journal::Round;
use crate::key::{Name, RunKey};
use crate::plan::{Plan, first_of_turn, start_order};
use crate::shared::Shared;

/// The order of the runs of a contest. To have it whole costs a look at all runs, so it is made when somebody asks for it.
pub(in crate::journal) struct Order {
    pub(super) plan: Shared<Plan>,
    pub(super) rounds: Shared<Vec<Round>>,
    pub(super) players: Shared<Vec<Vec<Name>>>,
    pub(super) index: Arc<Index>,
    pub(super) keys: Chunks<Planned>,
    /// True if the plan has changed since the header, so that the order of runs follows from it anew.
    pub(super) changed: bool,
    pub(super) places: Arc<Places>,
    pub(super) arranged: OnceLock<Arranged>,
}

/// The places of boards and entries in the plan, by their numbers.
#[derive(Default)]
pub(super) struct Places {
    /// The place of each board among those of the first round; too high for others.
    first: Vec<u32>,
    /// The boards in the order of the plan: number and round.
    boards: Vec<(u32, u32)>,
    /// The places of the first entries, if they are not their numbers.
    entries: Vec<u32>,
}

/// The order of runs as it follows from the plan.
pub(in crate::journal) struct Arranged {
    pub(in crate::journal) order: Box<[RunKey]>,
    /// The slot of each run; `None` if that is the order in which runs were planned.
    pub(in crate::journal) places: Option<Box<[u32]>>,
    /// The place of each slot in the order, in that case; that of one without a place is too high.
    pub(in crate::journal) inverse: Option<Box<[u32]>>,
}

impl Places {
    pub(super) fn of(plan: &Plan, index: &Index) -> Self {
        let numbers = plan.boards.iter().map(|board| index.number_of_board(&board.name).unwrap_or(NONE));
        let boards: Vec<(u32, u32)> = numbers.zip(plan.rounds_of_boards()).collect();
        let mut first = vec![NONE; boards.len()];
        for (place, (number, _)) in boards.iter().filter(|(_, round)| *round == 1).enumerate() {
            first[*number as usize] = short(place);
        }
        let mut entries = vec![NONE; plan.entries.len()];
        for (place, entry) in plan.entries.iter().enumerate() {
            if let Some(number) = index.number_of_entry(&entry.name) {
                entries[number as usize] = short(place);
            }
        }
        if entries.iter().zip(0..).all(|(place, number)| *place == number) {
            entries.clear();
        }
        Self { first, boards, entries }
    }

    /// The place of an entry in the plan. Those that came later stand where their numbers are.
    pub(super) fn of_entry(&self, number: u32) -> usize {
        self.entries.get(number as usize).copied().unwrap_or(number) as usize
    }
}

impl Order {
    /// The whole order.
    pub(in crate::journal) fn arranged(&self) -> &Arranged {
        self.arranged.get_or_init(|| if self.changed { self.canonical() } else { self.as_planned() })
    }

    /// The key of the run in that slot; `None` if no run was planned there.
    pub(in crate::journal) fn key(&self, slot: usize) -> Option<RunKey> {
        Some(self.index.key(slot, *self.keys.get(slot)?))
    }

    /// The number of runs in the order.
    pub(in crate::journal) fn len(&self) -> usize {
        if self.changed { self.arranged().order.len() } else { self.keys.len() }
    }

    /// The slot of the run with that index in the order; `None` if there are not so many.
    pub(in crate::journal) fn slot_of(&self, index: usize) -> Option<usize> {
        if !self.changed {
            return Some(index);
        }
        self.arranged().places.as_ref()?.get(index).map(|&slot| slot as usize)
    }

    /// The index of a slot in the order; `None` if it has none.
    pub(in crate::journal) fn index_of(&self, slot: usize) -> Option<usize> {
        if !self.changed {
            return Some(slot);
        }
        let inverse = self.arranged().inverse.as_ref()?;
        inverse.get(slot).filter(|index| **index != NONE).map(|&index| index as usize)
    }

    /// What the runs of a round are ordered by; `None` for a slot that is not in the order. It costs no look at other runs, except in
    /// a later round.
    pub(in crate::journal) fn rank(&self, slot: usize) -> Option<(u32, usize, usize)> {
        let run = self.keys.get(slot)?;
        if !self.changed || run.round > 1 || self.index.is_game(slot) {
            return self.index_of(slot).map(|index| (0, index, 0));
        }
        let board = *self.places.first.get(run.board as usize).filter(|place| **place != NONE)? as usize;
        let (entry, entries) = (self.places.of_entry(run.entry), self.plan.entries.len());
        let first = first_of_turn(run.repeat, board, entries);
        let turn = if entry < first { entry + entries - first } else { entry - first };
        (run.repeat <= self.plan.repeat).then_some((run.repeat, board, turn))
    }

    /// The place of an entry in the plan, by its name.
    pub(in crate::journal) fn place_of(&self, entry: &str) -> Option<usize> {
        self.index.number_of_entry(entry).map(|number| self.places.of_entry(number))
    }

    /// The slots of an entry's runs on the boards of the plan, board after board, and of its games.
    pub(in crate::journal) fn of_entry<'a>(&'a self, entry: &str) -> impl Iterator<Item = usize> + use<'a> {
        let slots = self.index.slots_of(entry);
        let repeats = 1..=self.plan.repeat;
        let runs =
            self.places.boards.iter().flat_map(move |&(board, round)| {
                repeats.clone().filter_map(move |repeat| slots?.on(round, board, repeat))
            });
        runs.chain(self.index.games_of(entry).iter().copied())
    }

    /// The number of planned runs, with those that are not in the order any more.
    pub(in crate::journal) fn slots(&self) -> usize {
        self.keys.len()
    }

    /// The order in which runs were planned.
    fn as_planned(&self) -> Arranged {
        let runs = self.keys.iter().enumerate();
        Arranged { order: runs.map(|(slot, run)| self.index.key(slot, *run)).collect(), places: None, inverse: None }
    }

    /// The order that follows from the plan.
    fn canonical(&self) -> Arranged {
        let plan = &*self.plan;
        let boards: Vec<u32> =
            self.places.boards.iter().filter(|(_, round)| *round == 1).map(|(number, _)| *number).collect();
        // By entry, repeat and board: the slots of an entry are near each other in memory, those on a board are not.
        let mut slots = Vec::with_capacity(plan.entries.len() * plan.repeat as usize * boards.len());
        for entry in &plan.entries {
            let of_entry = self.index.slots_of(&entry.name);
            for repeat in 1..=plan.repeat {
                slots.extend(boards.iter().map(|&board| of_entry?.on(1, board, repeat)));
            }
        }
        let place = |(repeat, board, entry): (u32, usize, usize)| {
            (entry * plan.repeat as usize + repeat as usize - 1) * boards.len() + board
        };
        let usual = plan.match_rules.is_some() && self.rounds.first().is_none_or(|round| round.number > 1);
        let called = plan.match_rules.as_ref().is_some_and(|rules| rules.called);
        let games = match (usual, called) {
            (true, true) => plan.start_order_of(&self.players),
            (true, false) => plan.start_order(),
            (false, _) => Vec::new(),
        };
        let games = games.into_iter().filter_map(|game| self.index.planned(&game));
        let first = start_order(plan.repeat, boards.len(), plan.entries.len()).filter_map(|turn| slots[place(turn)]);
        let first = first.chain(games);
        let later = self.rounds.iter().flat_map(|round| &round.order).filter_map(|key| self.index.planned(key));
        let mut places = Vec::with_capacity(self.keys.len());
        let mut inverse = vec![NONE; self.keys.len()];
        for slot in first.chain(later) {
            if inverse[slot] == NONE {
                inverse[slot] = short(places.len());
                places.push(short(slot));
            }
        }
        let order = places.iter().filter_map(|&slot| self.key(slot as usize)).collect();
        Arranged { order, places: Some(places.into()), inverse: Some(inverse.into()) }
    }
}

/// In place of a place or number: there is none.
const NONE: u32 = u32::MAX;

/// A place or slot in few bytes. The index has none that does not fit.
fn short(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(NONE)
}
