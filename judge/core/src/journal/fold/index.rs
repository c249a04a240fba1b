//! The way from names to boards, entries and planned runs.

use std::collections::HashMap;
use std::collections::hash_map::Entry as MapEntry;
use std::sync::Arc;

use crate::chunks::Chunks;
use crate::key::{Name, RunKey};

/// A run of an entry by its round, the number of its board, and its repeat.
type OnBoard = (u32, u32, u32);

/// The way from names to boards, entries and runs. A clone is cheap.
#[derive(Debug, Clone, Default)]
pub(in crate::journal) struct Index {
    /// Numbers by name, in the order in which they were added.
    entries: Arc<HashMap<Name, u32>>,
    boards: Arc<HashMap<Name, u32>>,
    /// The slots of each entry.
    slots: Chunks<Arc<HashMap<OnBoard, u32>>>,
    /// The highest round and repeat that is planned.
    highest: (u32, u32),
}

impl Index {
    pub(super) fn add_entry(&mut self, name: &str) -> Result<(), String> {
        add_name(&mut self.entries, "entry", name)?;
        self.slots.push(Arc::default());
        Ok(())
    }

    pub(super) fn add_board(&mut self, name: &str) -> Result<(), String> {
        add_name(&mut self.boards, "board", name)
    }

    pub(super) fn has_entry(&self, name: &str) -> bool {
        self.entries.contains_key(name)
    }

    pub(super) fn has_board(&self, name: &str) -> bool {
        self.boards.contains_key(name)
    }

    /// Plans a run in that slot. `None` if the contest does not have its entry and its board; else its key with the names
    /// that all runs share, unless it was planned before.
    pub(super) fn plan(&mut self, key: &RunKey, slot: usize) -> Option<Result<RunKey, ()>> {
        let (entry, &e) = self.entries.get_key_value(&*key.entry)?;
        let (board, &b) = self.boards.get_key_value(&*key.board)?;
        let shared = RunKey { entry: entry.clone(), board: board.clone(), ..*key };
        let slots = Arc::make_mut(self.slots.get_mut(e as usize)?);
        match slots.entry((key.round, b, key.repeat)) {
            MapEntry::Occupied(_) => return Some(Err(())),
            MapEntry::Vacant(vacant) => vacant.insert(u32::try_from(slot).ok()?),
        };
        self.highest = (self.highest.0.max(key.round), self.highest.1.max(key.repeat));
        Some(Ok(shared))
    }

    /// The slot of the run with that key.
    pub(in crate::journal) fn planned(&self, key: &RunKey) -> Option<usize> {
        self.slots_of(&key.entry)?.on(key.round, self.number_of_board(&key.board)?, key.repeat)
    }

    /// The number of a board, which [`SlotsOfEntry::on`] asks for.
    pub(in crate::journal) fn number_of_board(&self, name: &str) -> Option<u32> {
        self.boards.get(name).copied()
    }

    /// The slots of an entry.
    pub(in crate::journal) fn slots_of(&self, entry: &str) -> Option<SlotsOfEntry<'_>> {
        self.slots.get(*self.entries.get(entry)? as usize).map(|slots| SlotsOfEntry(slots))
    }

    /// The slots of an entry, in the order in which they were planned.
    pub(super) fn of_entry(&self, name: &str) -> Vec<usize> {
        let slots = self.entries.get(name).and_then(|&entry| self.slots.get(entry as usize));
        let mut slots: Vec<usize> =
            slots.into_iter().flat_map(|slots| slots.values()).map(|&slot| slot as usize).collect();
        slots.sort_unstable();
        slots
    }

    /// The slots on a board, in the order in which they were planned.
    pub(super) fn on_board(&self, name: &str) -> Vec<usize> {
        let Some(&board) = self.boards.get(name) else { return Vec::new() };
        let (rounds, repeats) = self.highest;
        let keys = (1..=rounds).flat_map(|round| (1..=repeats).map(move |repeat| (round, board, repeat)));
        let keys: Vec<OnBoard> = keys.collect();
        let found = self.slots.iter().flat_map(|slots| keys.iter().filter_map(|key| slots.get(key)));
        let mut slots: Vec<usize> = found.map(|&slot| slot as usize).collect();
        slots.sort_unstable();
        slots
    }
}

/// The slots of an entry. A table asks for each of its runs, so names are looked up once.
pub(in crate::journal) struct SlotsOfEntry<'a>(&'a HashMap<OnBoard, u32>);

impl SlotsOfEntry<'_> {
    /// The slot of a run, by its round, the number of its board, and its repeat.
    pub(in crate::journal) fn on(&self, round: u32, board: u32, repeat: u32) -> Option<usize> {
        self.0.get(&(round, board, repeat)).map(|&slot| slot as usize)
    }
}

/// Adds a name with the next number. Names are parts of paths, so those that lead elsewhere are refused.
fn add_name(names: &mut Arc<HashMap<Name, u32>>, what: &str, name: &str) -> Result<(), String> {
    if name.is_empty() || name.starts_with('.') || name.contains(['/', '\0']) {
        return Err(format!("{what} name {name:?} is not usable"));
    }
    if names.contains_key(name) {
        return Err(format!("duplicate {what} name `{name}`"));
    }
    let number = u32::try_from(names.len()).map_err(|_| format!("too many names of kind {what}"))?;
    Arc::make_mut(names).insert(Arc::from(name), number);
    Ok(())
}
