//! The results of a contest of matches: a cell is the sum of an entry's games on a board, and a cross table has those against each
//! other entry. Both follow from the games of the journal.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::{Fault, Results, Run};
use crate::code::Code;
use crate::figure::{Figures, Given};
use crate::journal::{Contents, Record};
use crate::key::{Name, RunKey};
use crate::matches::{self, DRAWN, FAULTS, LOST, Outcome, POINTS, Played, SeatResult, WON};
use crate::points::Points;
use crate::ranking;
use crate::score::EntryHead;
use crate::text::printable;
use crate::verdict::{JudgeFailure, Verdict};

/// A game that is planned and counts.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Game {
    /// Its round, seats and board.
    pub key: RunKey,
    /// What came of it.
    pub state: GameState,
}

/// What came of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum GameState {
    /// It is still to be played.
    Missing,
    /// The judge or the referee failed, so it is to be played again.
    JudgeError,
    /// The programs of these entries could not be built, so it was not played, and no seat has anything of it.
    Unbuilt(Vec<Name>),
    /// It was played to its end, or decided by hand.
    Played(Played),
}

/// The games of an entry, against all others or against one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tally {
    /// The sum of its points.
    pub points: Points,
    /// The games that count, played or still to be played.
    pub games: usize,
    /// The number of played games.
    pub played: usize,
    /// The number of games that it won.
    pub won: usize,
    /// The number of games that it drew.
    pub drawn: usize,
    /// The number of games that it lost.
    pub lost: usize,
    /// The number of games in which a fault put it out.
    pub faults: usize,
}

impl Tally {
    fn add(&mut self, seat: &SeatResult, outcome: Outcome) {
        self.points = self.points.plus(seat.points);
        self.played += 1;
        self.faults += usize::from(seat.fault.is_some());
        match outcome {
            Outcome::Won => self.won += 1,
            Outcome::Drawn => self.drawn += 1,
            Outcome::Lost => self.lost += 1,
        }
    }

    fn figures(&self) -> Figures {
        let count = |number: usize| Points::whole(number as u64);
        let Self { points, won, drawn, lost, faults, .. } = self;
        let counts = [(WON, won), (DRAWN, drawn), (LOST, lost), (FAULTS, faults)];
        std::iter::once((POINTS, *points)).chain(counts.map(|(name, number)| (name, count(*number)))).collect()
    }
}

impl Game {
    /// A game, with its record if it has one.
    pub fn new(key: RunKey, record: Option<&Record>) -> Self {
        let state = record.map_or(GameState::Missing, GameState::of);
        Self { key, state }
    }

    /// The result, if it was played.
    pub fn played(&self) -> Option<&Played> {
        match &self.state {
            GameState::Played(played) => Some(played),
            _ => None,
        }
    }

    /// Tests whether it is still to be played, or again.
    pub fn is_missing(&self) -> bool {
        matches!(self.state, GameState::Missing | GameState::JudgeError)
    }

    /// Its name in texts, printable.
    fn against(&self, entry: &str) -> String {
        let others: Vec<&str> = self.key.seats().map(|seat| &**seat).filter(|seat| *seat != entry).collect();
        printable(&others.join(", "))
    }
}

impl GameState {
    fn of(record: &Record) -> Self {
        match (&record.verdict, &record.extras.played) {
            (Verdict::BuildFailed { .. }, played) => {
                let unbuilt = |(seat, name): (usize, &Name)| {
                    let fault = played.as_ref().and_then(|played| played.seats.get(seat)?.fault.as_ref());
                    fault.is_some().then(|| name.clone())
                };
                Self::Unbuilt(record.key.seats().enumerate().filter_map(unbuilt).collect())
            }
            (Verdict::JudgeError { .. }, _) | (_, None) => Self::JudgeError,
            (_, Some(played)) => Self::Played((**played).clone()),
        }
    }
}

/// The games of a contest, in the order in which they start.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Matches {
    /// Those that count.
    pub games: Vec<Game>,
}

impl Matches {
    /// The number of games that are still to be played, or again.
    pub fn missing(&self) -> usize {
        self.games.iter().filter(|game| game.is_missing()).count()
    }

    /// The tallies of these entries, each against each other, over the games of two seats; `None` if there is no such game.
    pub fn cross_table(&self, entries: &[&str]) -> Option<Vec<Vec<Tally>>> {
        let places: HashMap<&str, usize> = entries.iter().copied().zip(0..).collect();
        let mut rows = vec![vec![Tally::default(); entries.len()]; entries.len()];
        let mut any = false;
        for game in &self.games {
            let seats: Vec<&Name> = game.key.seats().collect();
            let [one, other] = seats[..] else { continue };
            let Some((&one, &other)) = places.get(&**one).zip(places.get(&**other)) else { continue };
            any = true;
            for (seat, row, column) in [(0, one, other), (1, other, one)] {
                let tally = &mut rows[row][column];
                tally.games += 1;
                if let Some(played) = game.played().filter(|played| played.seats.len() == 2) {
                    tally.add(&played.seats[seat], played.outcome(seat));
                }
            }
        }
        any.then_some(rows)
    }
}

/// The games of an entry on a board.
pub(crate) struct Cell {
    entry: Name,
    board: Name,
    tally: Tally,
    unplayed: usize,
    suspect: bool,
    referee: Option<Name>,
    verdict: Verdict,
}

/// What the games of a contest make of each entry on each board.
pub(crate) struct Cells {
    cells: Vec<Cell>,
    places: HashMap<(Name, Name), usize>,
    faults: Vec<Fault>,
    games: Vec<Game>,
}

impl Cells {
    /// `games` has those that are planned and count; their points have so many decimals.
    fn of(games: &[RunKey], records: &[&Record], decimals: u8) -> Self {
        let found: HashMap<&RunKey, &Record> = records.iter().map(|record| (&record.key, *record)).collect();
        let (cells, places, faults) = (Vec::new(), HashMap::new(), Vec::new());
        let mut all = Self { cells, places, faults, games: Vec::with_capacity(games.len()) };
        for key in games {
            let record = found.get(key).copied();
            all.add(Game::new(key.clone(), record), record, decimals);
        }
        for cell in &mut all.cells {
            if let Verdict::Valid(given) = &mut cell.verdict {
                given.figures = cell.tally.figures();
            }
        }
        all
    }

    fn add(&mut self, game: Game, record: Option<&Record>, decimals: u8) {
        for (seat, entry) in game.key.seats().enumerate() {
            let place = self.place(entry, &game.key.board, decimals);
            let cell = &mut self.cells[place];
            cell.tally.games += 1;
            cell.suspect |= record.is_some_and(|record| record.extras.suspect.is_some());
            cell.referee = record.and_then(|record| record.referee.clone()).max(cell.referee.take());
            match (&game.state, record) {
                (GameState::Missing | GameState::JudgeError, _) | (_, None) => cell.unplayed += 1,
                (GameState::Unbuilt(names), Some(record)) => {
                    if names.contains(entry) {
                        cell.verdict = record.verdict.clone();
                    }
                }
                (GameState::Played(played), Some(_)) => {
                    let Some(result) = played.seats.get(seat) else { continue };
                    cell.tally.add(result, played.outcome(seat));
                    self.faults.extend(result.fault.as_ref().map(|fault| fault_of(&game, entry, fault)));
                }
            }
        }
        if let Some(Record { verdict: Verdict::JudgeError { reason }, .. }) = record {
            self.faults.push(failure_of(&game, reason));
        }
        self.games.push(game);
    }

    /// The place of the cell of an entry on a board.
    fn place(&mut self, entry: &Name, board: &Name, decimals: u8) -> usize {
        let cells = &mut self.cells;
        *self.places.entry((entry.clone(), board.clone())).or_insert_with(|| {
            let tally = Tally { points: Points::zero(decimals), ..Tally::default() };
            let verdict = Verdict::Valid(Given::new(tally.figures()));
            let (entry, board) = (entry.clone(), board.clone());
            cells.push(Cell { entry, board, tally, unplayed: 0, suspect: false, referee: None, verdict });
            cells.len() - 1
        })
    }

    /// Gives these entries a cell on these boards, also where they play no game.
    fn fill<'n>(&mut self, entries: impl Iterator<Item = &'n str>, boards: &[Name], decimals: u8) {
        for entry in entries.map(Name::from) {
            for board in boards {
                self.place(&entry, board, decimals);
            }
        }
    }

    fn get(&self, entry: &Name, board: &Name) -> Option<&Cell> {
        self.places.get(&(entry.clone(), board.clone())).map(|&place| &self.cells[place])
    }

    /// The verdict of an entry on a board; `None` while a game is missing. Rule 82 of docs/scoring.md.
    pub(crate) fn verdict(&self, entry: &Name, board: &Name) -> Option<&Verdict> {
        self.get(entry, board).filter(|cell| cell.unplayed == 0).map(|cell| &cell.verdict)
    }

    /// Those of a contest in which entries play each other; `None` of another one.
    pub(crate) fn of_contest(contents: &Contents) -> Option<Self> {
        let rules = contents.plan.match_rules.as_ref()?;
        let records: Vec<&Record> = contents.records.iter().collect();
        let mut cells = Self::of(&super::games_of(contents, |_| true), &records, rules.decimals);
        let inside = contents.plan.entries.iter().filter(|entry| !contents.withdrawn.contains_key(&entry.name));
        let boards = contents.plan.boards.iter().filter(|board| !contents.struck.contains_key(&board.name));
        let boards: Vec<Name> = boards.map(|board| Name::from(&*board.name)).collect();
        cells.fill(inside.map(|entry| entry.name.as_str()), &boards, rules.decimals);
        Some(cells)
    }
}

impl Results {
    /// Fills the rows from games and ranks them. `games` has those that are planned and count.
    pub(crate) fn with_games(
        self,
        entries: Vec<EntryHead>,
        limit_ms: u64,
        games: &[RunKey],
        records: &[&Record],
        took_part: &BTreeMap<u32, HashSet<String>>,
    ) -> Self {
        let decimals = self.scoring.main().decimals;
        let mut found = Cells::of(games, records, decimals);
        let boards: Vec<Name> = self.boards.iter().map(|board| Name::from(&*board.name)).collect();
        let inside = entries.iter().filter(|entry| entry.withdrawn.is_none());
        found.fill(inside.map(|entry| entry.name.as_str()), &boards, decimals);
        let mut results = self.with_runs(entries, &found.cells, took_part, |cell| {
            Run::of_games(&cell.entry, &cell.board, &cell.verdict, limit_ms)
        });
        for row in results.rows.iter_mut().filter(|row| row.entry.withdrawn.is_none()) {
            let entry = Name::from(&*row.entry.name);
            for (cell, board) in row.cells.iter_mut().zip(&boards) {
                if let Some(found) = found.get(&entry, board) {
                    (cell.unplayed, cell.suspect) = (found.unplayed, found.suspect);
                }
            }
        }
        for remark in &mut results.remarks {
            remark.referee = found.get(&remark.entry, &remark.board).and_then(|cell| cell.referee.clone());
        }
        results.faults.extend(found.faults);
        results.matches = Some(Matches { games: found.games });
        ranking::rank(&mut results.rows, &results.ranking);
        results
    }
}

/// The fault of an entry in a game.
fn fault_of(game: &Game, entry: &Name, fault: &matches::Fault) -> Fault {
    let why = fault.verdict.fault().unwrap_or_default();
    Fault {
        entry: entry.clone(),
        board: game.key.board.clone(),
        repeat: 1,
        code: fault.verdict.code(),
        reason: format!("against {}, ask {}: {why}", game.against(entry), fault.ask),
        by_judge: false,
        by_referee: false,
        can_be_rejudged: false,
        final_board: None,
    }
}

/// The failure of the judge or the referee in a game.
fn failure_of(game: &Game, reason: &JudgeFailure) -> Fault {
    let entry = &game.key.entry;
    Fault {
        entry: entry.clone(),
        board: game.key.board.clone(),
        repeat: 1,
        code: Some(Code::JudgeError),
        reason: format!("against {}: judge error: {reason}", game.against(entry)),
        by_judge: true,
        by_referee: matches!(reason, JudgeFailure::Referee(_)),
        can_be_rejudged: false,
        final_board: None,
    }
}
