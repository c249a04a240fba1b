//! The results of a contest of matches: a cell is the sum of an entry's games on a board, and a cross table has those against each
//! other entry. Both follow from the games of the journal.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::{Fault, Game, GameState, KnockOut, Results, Scope, TableRun};
use crate::code::Code;
use crate::figure::{FigureName, RefereeFigures};
use crate::journal::{ContestState, Record};
use crate::key::{Name, RunKey};
use crate::matches::{self, DRAWN, FAULTS, GameResult, LOST, MatchRules, PAIRS, POINTS, SeatResult, WON};
use crate::plan::Plan;
use crate::points::Points;
use crate::ranking;
use crate::score::EntryHead;
use crate::verdict::{JudgeFailure, Verdict};
use judge_job::{Isolation, Tier};

/// The games of an entry, against all others or against one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct GameCounts {
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

impl GameCounts {
    fn add(&mut self, seat: &SeatResult, outcome: GameResult) {
        self.points = self.points.plus(seat.points);
        self.played += 1;
        self.faults += usize::from(seat.fault.is_some());
        match outcome {
            GameResult::Won => self.won += 1,
            GameResult::Drawn => self.drawn += 1,
            GameResult::Lost => self.lost += 1,
        }
    }

    fn figures(&self) -> impl Iterator<Item = (FigureName, Points)> + use<> {
        let count = |number: usize| Points::whole(number as u64);
        let Self { points, won, drawn, lost, faults, .. } = *self;
        let counts = [(WON, won), (DRAWN, drawn), (LOST, lost), (FAULTS, faults)];
        std::iter::once((POINTS, points)).chain(counts.map(|(name, number)| (name, count(number))))
    }
}

/// The most entries of a cross table: a small file can name very many.
const MAX_CROSS: usize = 1000;

/// The games of a contest, in the order in which they start.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Matches {
    /// Those that count.
    pub games: Vec<Game>,
    /// The knock-out rounds that have opened.
    pub knock_outs: Vec<KnockOut>,
}

impl Matches {
    /// The number of games that are still to be played, or again.
    pub fn missing(&self) -> usize {
        self.games.iter().filter(|game| game.is_missing()).count()
    }

    /// The tallies of these entries, each against each other, over the games of two seats; `None` if there is no such game, or
    /// for more than a thousand entries.
    pub fn cross_table(&self, entries: &[&str]) -> Option<Vec<Vec<GameCounts>>> {
        if entries.len() > MAX_CROSS || self.games.is_empty() {
            return None;
        }
        let places: HashMap<&str, usize> = entries.iter().copied().zip(0..).collect();
        let mut rows = vec![vec![GameCounts::default(); entries.len()]; entries.len()];
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
    tally: GameCounts,
    /// The pairs of a knock-out round that the entry won, if this is its first board.
    pairs: usize,
    /// The sums of the figures that the referee gives; `None` if a game does not have it.
    given: Vec<Option<Points>>,
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
    /// `games` has those that are planned and count. Each of these entries has a cell on each of
    /// these boards, which have their rounds, also where it plays no game.
    fn of<'n>(
        (games, records): (&[RunKey], &[&Record]),
        rules: &MatchRules,
        knock_outs: &[KnockOut],
        entries: impl Iterator<Item = &'n str>,
        boards: &[(Name, u32)],
    ) -> Self {
        let found: HashMap<&RunKey, &Record> = records.iter().map(|record| (&record.key, *record)).collect();
        let (cells, places, faults) = (Vec::new(), HashMap::new(), Vec::new());
        let mut all = Self { cells, places, faults, games: Vec::with_capacity(games.len()) };
        for key in games {
            let record = found.get(key).copied();
            all.add(Game::new(key.clone(), record), record, rules);
        }
        for entry in entries.map(Name::from) {
            for (board, _) in boards {
                all.place(&entry, board, rules);
            }
        }
        for knock_out in knock_outs {
            let first = boards.iter().find(|(_, round)| *round == knock_out.round);
            for (winner, (board, _)) in knock_out.through().zip(first.into_iter().cycle()) {
                let place = all.place(winner, board, rules);
                all.cells[place].pairs += 1;
            }
        }
        for cell in &mut all.cells {
            if let Verdict::Valid(result) = &mut cell.verdict {
                let pairs = (!knock_outs.is_empty()).then(|| (PAIRS, Points::whole(cell.pairs as u64)));
                let given = rules.figures.iter().zip(&cell.given);
                let given = given.filter_map(|(figure, sum)| Some((figure.name, (*sum)?)));
                result.figures = cell.tally.figures().chain(pairs).chain(given).collect();
            }
        }
        all
    }

    fn add(&mut self, game: Game, record: Option<&Record>, rules: &MatchRules) {
        for (seat, entry) in game.key.seats().enumerate() {
            let place = self.place(entry, &game.key.board, rules);
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
                    for (figure, sum) in rules.figures.iter().zip(&mut cell.given) {
                        *sum = sum.zip(result.figures.get(&figure.name)).map(|(sum, value)| sum.plus(value));
                    }
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
    fn place(&mut self, entry: &Name, board: &Name, rules: &MatchRules) -> usize {
        let cells = &mut self.cells;
        *self.places.entry((entry.clone(), board.clone())).or_insert_with(|| {
            let tally = GameCounts { points: Points::zero(rules.decimals), ..GameCounts::default() };
            let given = rules.figures.iter().map(|figure| Some(Points::zero(figure.decimals))).collect();
            let (entry, board, verdict) =
                (entry.clone(), board.clone(), Verdict::Valid(RefereeFigures::new(tally.figures().collect())));
            cells.push(Cell {
                entry,
                board,
                tally,
                pairs: 0,
                given,
                unplayed: 0,
                suspect: false,
                referee: None,
                verdict,
            });
            cells.len() - 1
        })
    }

    fn get(&self, entry: &Name, board: &Name) -> Option<&Cell> {
        self.places.get(&(entry.clone(), board.clone())).map(|&place| &self.cells[place])
    }

    /// The verdict of an entry on a board; `None` while a game is missing. Rule 82 of docs/scoring.md.
    pub(crate) fn verdict(&self, entry: &Name, board: &Name) -> Option<&Verdict> {
        self.get(entry, board).filter(|cell| cell.unplayed == 0).map(|cell| &cell.verdict)
    }

    /// Those of a contest in which entries play each other; `None` of another one.
    pub(crate) fn of_contest(contents: &ContestState) -> Option<Self> {
        let rules = contents.plan.match_rules.as_ref()?;
        let plan = &contents.plan;
        let records: Vec<&Record> = contents.records.iter().collect();
        let inside = plan.entries.iter().filter(|entry| !contents.withdrawn.contains_key(&entry.name));
        let boards = plan.boards.iter().zip(plan.rounds_of_boards());
        let boards = boards.filter(|(board, _)| !contents.struck.contains_key(&board.name));
        let boards: Vec<(Name, u32)> = boards.map(|(board, round)| (Name::from(&*board.name), round)).collect();
        let games = super::game::all(contents);
        let inside = inside.map(|entry| entry.name.as_str());
        Some(Self::of((&games, &records), rules, &KnockOut::of_contest(contents), inside, &boards))
    }
}

impl Results {
    /// Fills the rows from games and ranks them.
    pub(super) fn with_games(
        mut self,
        plan: &Plan,
        entries: Vec<EntryHead>,
        records: &[&Record],
        scope: &Scope<'_>,
    ) -> Self {
        let Some(rules) = &plan.match_rules else { return self };
        // Only a contest of one problem has games.
        let limit_ms = rules.clock.game_ms.unwrap_or(plan.problems.only().limits.wall_ms);
        let counts = |record: &&&Record| {
            let key = &record.key;
            !key.seats().any(|entry| scope.withdrawn.contains_key(&**entry)) && !scope.struck.contains_key(&*key.board)
        };
        let isolation: HashSet<&Isolation> = records.iter().filter(counts).map(|record| &*record.isolation).collect();
        self.isolated(isolation.into_iter());
        let boards: Vec<(Name, u32)> =
            self.boards.iter().map(|board| (Name::from(&*board.name), board.round)).collect();
        let inside = entries.iter().filter(|entry| entry.withdrawn.is_none()).map(|entry| entry.name.as_str());
        let found = Cells::of((&scope.games, records), rules, &scope.knock_outs, inside, &boards);
        let isolation = Arc::new(Isolation { tier: Tier::ProcessGroup, layers: Vec::new() });
        let made = |cell: &Cell, scoring: &_, names: (Name, Name)| {
            let key = RunKey::new(1, names.0.clone(), names.1.clone());
            let record = Record::without_run(1, key, 1, cell.verdict.clone(), limit_ms, isolation.clone());
            TableRun::new(&record, (None, None, None), scoring, names)
        };
        let rows = self.rows_of(entries, &found.cells, |cell| (&cell.entry, &cell.board, 1));
        let mut results = self.with_rows(rows, &scope.participants, made);
        for row in results.rows.iter_mut().filter(|row| row.entry.withdrawn.is_none()) {
            let entry = Name::from(&*row.entry.name);
            for (cell, (board, _)) in row.cells.iter_mut().zip(&boards) {
                if let Some(found) = found.get(&entry, board) {
                    (cell.unplayed, cell.suspect) = (found.unplayed, found.suspect);
                }
            }
        }
        for remark in &mut results.remarks {
            remark.referee = found.get(&remark.entry, &remark.board).and_then(|cell| cell.referee.clone());
        }
        results.faults.extend(found.faults);
        results.matches = Some(Matches { games: found.games, knock_outs: scope.knock_outs.clone() });
        ranking::rank(&mut results.rows, &results.ranking);
        results
    }
}

/// The fault of an entry in a game.
fn fault_of(game: &Game, entry: &Name, fault: &matches::Fault) -> Fault {
    let why = fault.verdict.fault().unwrap_or_default();
    let reason = format!("against {}, ask {}: {why}", game.against(entry), fault.ask);
    fault_in(game, entry, fault.verdict.code(), reason)
}

/// The failure of the judge or the referee in a game.
fn failure_of(game: &Game, reason: &JudgeFailure) -> Fault {
    let entry = &game.key.entry;
    let why = format!("against {}: judge error: {reason}", game.against(entry));
    let by_referee = matches!(reason, JudgeFailure::Referee(_));
    Fault { by_referee, ..fault_in(game, entry, Some(Code::JudgeError), why) }
}

fn fault_in(game: &Game, entry: &Name, code: Option<Code>, reason: String) -> Fault {
    Fault {
        entry: entry.clone(),
        board: game.key.board.clone(),
        repeat: 1,
        code,
        reason,
        by_referee: false,
        can_be_rejudged: false,
        final_board: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_file_with_many_entries_gets_no_huge_cross_table() {
        let names: Vec<String> = (0..=MAX_CROSS).map(|number| number.to_string()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let seats: [Name; 2] = [names[0].into(), names[1].into()];
        let matches = Matches { games: vec![Game::new(RunKey::game(1, &seats, "B"), None)], knock_outs: Vec::new() };
        assert_eq!(matches.cross_table(&names), None);
        let few = matches.cross_table(&names[..3]).expect("a game of two seats");
        assert_eq!((few.len(), few[0][1].games, few[0][2].games), (3, 1, 0));
        assert_eq!(Matches::default().cross_table(&names[..3]), None);
    }
}
