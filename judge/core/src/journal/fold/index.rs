//! The way from names to boards, entries and planned runs.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use crate::chunks::Chunks;
use crate::key::{Name, RunKey};
use crate::map::Map;

/// Boards that share a page, so that few runs need little memory.
const PAGE: u32 = 16;
/// Pages of an entry's runs, each by its round, the repeat, and the number of its first board divided by [`PAGE`].
type Pages = HashMap<(u32, u32, u32), [u32; PAGE as usize]>;
/// What boards are called in refusals.
pub(super) const BOARD: &str = "board";
/// In place of a slot: the run is not planned.
const NOT_PLANNED: u32 = u32::MAX;

/// A planned run, in few bytes: a contest has millions of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Planned {
    pub(super) entry: u32,
    pub(super) board: u32,
    pub(super) round: u32,
    pub(super) repeat: u32,
}

/// The way from names to boards, entries and runs, and back. A clone is cheap.
#[derive(Debug, Clone, Default)]
pub(in crate::journal) struct Index {
    /// Numbers by name, in the order in which they were added.
    entries: Map<Name, u32>,
    boards: Map<Name, u32>,
    /// The names of these numbers, which all runs share.
    entry_names: Chunks<Name>,
    board_names: Chunks<Name>,
    /// The slots of each entry.
    slots: Chunks<Arc<Pages>>,
    /// The highest round and repeat that is planned.
    highest: (u32, u32),
    /// The games, which no table of one entry has.
    games: Games,
}

/// The games of a contest of matches. A clone is cheap.
#[derive(Debug, Clone, Default)]
struct Games {
    slots: Map<RunKey, u32>,
    /// The seats after the first of the game in a slot.
    against: Map<u32, Arc<[Name]>>,
    /// The slots of the games of each entry, whatever its seat.
    of_entry: Map<Name, Arc<Vec<usize>>>,
}

impl Index {
    pub(super) fn add_entry(&mut self, name: &str) -> Result<(), String> {
        self.entry_names.push(add_name(&mut self.entries, "entry", name)?);
        self.slots.push(Arc::default());
        Ok(())
    }

    pub(super) fn add_board(&mut self, name: &str) -> Result<(), String> {
        self.board_names.push(add_name(&mut self.boards, BOARD, name)?);
        Ok(())
    }

    pub(super) fn has_entry(&self, name: &str) -> bool {
        self.entries.contains_key(name)
    }

    pub(super) fn has_board(&self, name: &str) -> bool {
        self.boards.contains_key(name)
    }

    /// Plans a run in that slot. `None` if the contest does not have its entry and its board; an error if it was planned
    /// before.
    pub(super) fn plan(&mut self, key: &RunKey, slot: usize) -> Option<Result<Planned, ()>> {
        let (&entry, &board) = (self.entries.get(&*key.entry)?, self.boards.get(&*key.board)?);
        if let Some(against) = &key.against {
            return self.plan_game(key, against, slot, Planned { entry, board, round: key.round, repeat: key.repeat });
        }
        let pages = Arc::make_mut(self.slots.get_mut(entry as usize)?);
        let page = pages.entry((key.round, key.repeat, board / PAGE)).or_insert([NOT_PLANNED; PAGE as usize]);
        let place = &mut page[(board % PAGE) as usize];
        if *place != NOT_PLANNED {
            return Some(Err(()));
        }
        *place = u32::try_from(slot).ok().filter(|&slot| slot != NOT_PLANNED)?;
        self.highest = (self.highest.0.max(key.round), self.highest.1.max(key.repeat));
        Some(Ok(Planned { entry, board, round: key.round, repeat: key.repeat }))
    }

    fn plan_game(
        &mut self,
        key: &RunKey,
        against: &[Name],
        slot: usize,
        planned: Planned,
    ) -> Option<Result<Planned, ()>> {
        let number = u32::try_from(slot).ok().filter(|&slot| slot != NOT_PLANNED)?;
        let others: Option<Arc<[Name]>> = against.iter().map(|name| self.shared(name)).collect();
        let others = others?;
        if self.games.slots.contains_key(key) {
            return Some(Err(()));
        }
        let seats: BTreeSet<&Name> = key.seats().collect();
        for seat in seats {
            Arc::make_mut(self.games.of_entry.or_default(seat)).push(slot);
        }
        self.games.against.insert(number, others);
        self.games.slots.insert(key.clone(), number);
        self.highest = (self.highest.0.max(key.round), self.highest.1.max(key.repeat));
        Some(Ok(planned))
    }

    /// The name of an entry that all runs share; `None` if the contest does not have it.
    fn shared(&self, entry: &str) -> Option<Name> {
        self.entry_names.get(*self.entries.get(entry)? as usize).cloned()
    }

    /// The key of the run that was planned in that slot, with the names that all runs share.
    ///
    /// # Panics
    ///
    /// If another index planned it.
    pub(super) fn key(&self, slot: usize, run: Planned) -> RunKey {
        let [entry, board] = [(&self.entry_names, run.entry), (&self.board_names, run.board)]
            .map(|(names, number)| names.get(number as usize).expect("the name of a planned run").clone());
        let against = u32::try_from(slot).ok().and_then(|slot| self.games.against.get(&slot)).cloned();
        RunKey { round: run.round, entry, board, repeat: run.repeat, against }
    }

    /// Tests whether a key is that of the run that was planned in that slot. It costs less than a look for the slot; games are not
    /// found.
    pub(super) fn is(&self, slot: usize, run: Planned, key: &RunKey) -> bool {
        let named = |names: &Chunks<Name>, number: u32, name: &str| {
            names.get(number as usize).is_some_and(|known| **known == *name)
        };
        (run.round, run.repeat, &key.against) == (key.round, key.repeat, &None)
            && named(&self.entry_names, run.entry, &key.entry)
            && named(&self.board_names, run.board, &key.board)
            && !self.is_game(slot)
    }

    /// Tests whether a game was planned in that slot.
    pub(super) fn is_game(&self, slot: usize) -> bool {
        u32::try_from(slot).is_ok_and(|slot| self.games.against.contains_key(&slot))
    }

    /// The slots of the games of an entry, whatever its seat, in the order in which they were planned.
    pub(super) fn games_of(&self, entry: &str) -> &[usize] {
        self.games.of_entry.get(entry).map_or(&[], |slots| slots)
    }

    /// The slot of the run with that key.
    pub(in crate::journal) fn planned(&self, key: &RunKey) -> Option<usize> {
        if key.against.is_some() {
            return self.games.slots.get(key).map(|&slot| slot as usize);
        }
        self.slots_of(&key.entry)?.on(key.round, self.number_of_board(&key.board)?, key.repeat)
    }

    /// The number of an entry, in the order in which they came.
    pub(in crate::journal) fn number_of_entry(&self, name: &str) -> Option<u32> {
        self.entries.get(name).copied()
    }

    /// The number of a board, which [`SlotsOfEntry::on`] asks for.
    pub(in crate::journal) fn number_of_board(&self, name: &str) -> Option<u32> {
        self.boards.get(name).copied()
    }

    /// The slots of an entry.
    pub(in crate::journal) fn slots_of(&self, entry: &str) -> Option<SlotsOfEntry<'_>> {
        self.slots.get(*self.entries.get(entry)? as usize).map(|slots| SlotsOfEntry(slots))
    }

    /// The slots of an entry, those of its games among them, in the order in which they were planned.
    pub(in crate::journal) fn of_entry(&self, name: &str) -> Vec<usize> {
        let pages = self.entries.get(name).and_then(|&entry| self.slots.get(entry as usize));
        let places = pages.into_iter().flat_map(|pages| pages.values()).flatten();
        let runs = places.filter(|&&slot| slot != NOT_PLANNED).map(|&slot| slot as usize);
        let mut slots: Vec<usize> = runs.chain(self.games_of(name).iter().copied()).collect();
        slots.sort_unstable();
        slots
    }

    /// The slots on a board, in the order in which they were planned.
    pub(super) fn on_board(&self, name: &str) -> Vec<usize> {
        let Some(&board) = self.boards.get(name) else { return Vec::new() };
        let (rounds, repeats) = self.highest;
        let keys: Vec<(u32, u32)> =
            (1..=rounds).flat_map(|round| (1..=repeats).map(move |repeat| (round, repeat))).collect();
        let entries = self.slots.iter().map(|pages| SlotsOfEntry(pages));
        let found =
            entries.flat_map(|entry| keys.iter().filter_map(move |&(round, repeat)| entry.on(round, board, repeat)));
        let games = self.games.slots.iter().filter(|(key, _)| *key.board == *name).map(|(_, &slot)| slot as usize);
        let mut slots: Vec<usize> = found.chain(games).collect();
        slots.sort_unstable();
        slots
    }
}

/// The slots of an entry. A table asks for each of its runs, so names are looked up once.
#[derive(Clone, Copy)]
pub(in crate::journal) struct SlotsOfEntry<'a>(&'a Pages);

impl SlotsOfEntry<'_> {
    /// The slot of a run, by its round, the number of its board, and its repeat.
    pub(in crate::journal) fn on(&self, round: u32, board: u32, repeat: u32) -> Option<usize> {
        let slot = self.0.get(&(round, repeat, board / PAGE))?[(board % PAGE) as usize];
        Some(slot as usize).filter(|_| slot != NOT_PLANNED)
    }
}

/// Adds a name with the next number, and returns it to be shared. Names are parts of paths, so those that lead elsewhere are refused.
fn add_name(names: &mut Map<Name, u32>, what: &str, name: &str) -> Result<Name, String> {
    check_name(what, name)?;
    if names.contains_key(name) {
        return Err(format!("duplicate {what} name `{name}`"));
    }
    let number = u32::try_from(names.len()).map_err(|_| format!("too many names of kind {what}"))?;
    let name = Name::from(name);
    names.insert(name.clone(), number);
    Ok(name)
}

/// Refuses a name that is no part of a path below a folder.
pub(super) fn check_name(what: &str, name: &str) -> Result<(), String> {
    // A board can begin with the identifier of its problem.
    let (before, last) = name.rsplit_once('/').filter(|_| what == BOARD).unwrap_or(("-", name));
    if [before, last].iter().any(|part| part.is_empty() || part.starts_with('.') || part.contains(['/', '\0'])) {
        return Err(format!("{what} name {name:?} is not usable"));
    }
    Ok(())
}
