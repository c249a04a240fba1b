//! The standings of a contest at one moment: its table without cells, kept up to date for less than a table costs.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use crate::figure::Source;
use crate::journal::{Contents, Record};
use crate::key::{Name, problem_id};
use crate::plan::{Entry, Plan, RankKey};
use crate::ranking::{self, Rank};
use crate::score::{EntryHead, Metrics, Row, RunCell};
use crate::scoring::Scoring;

/// The standings of a contest at one moment.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Standings {
    /// The entries in the order of the table.
    pub rows: Vec<Arc<Standing>>,
    /// The place of each of them from 1; `None` if it takes none.
    pub places: Vec<Option<usize>>,
}

/// A row of a table without its cells.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    /// Name, author and state of the entry.
    pub entry: EntryHead,
    /// The total of its runs.
    pub total: Metrics,
    /// Its relative score in billionths; `None` if the ranking does not use it.
    pub relative: Option<u64>,
    /// True if every run that is planned was judged.
    pub complete: bool,
}

/// Keeps the standings of a contest: an entry's figures are summed anew when one of its runs or the boards have changed.
#[derive(Default)]
pub struct StandingsKeeper {
    /// The contest of the last standings, with its boards.
    before: Option<(Contents, Columns)>,
    /// The figures of each entry, by name.
    ranked: HashMap<String, Ranked>,
    standings: Arc<Standings>,
}

struct Ranked {
    standing: Arc<Standing>,
    rank: Rank,
}

impl Standing {
    fn of(row: &Row) -> Self {
        Self { entry: row.entry.clone(), total: row.total.clone(), relative: row.relative, complete: row.complete() }
    }
}

impl StandingsKeeper {
    /// The standings of a contest, which is the one of the last call, after some events.
    pub fn standings(&mut self, contents: &Contents) -> Arc<Standings> {
        let quiet = |before: &Contents| {
            contents.differs_in_runs_only(before) && contents.entries_changed_since(before).is_empty()
        };
        if self.before.as_ref().is_some_and(|(before, _)| quiet(before)) {
            return self.standings.clone();
        }
        let plan = &contents.plan;
        let columns = Columns::of(contents);
        // What may have changed of an entry besides its heading; everything, if that is not known.
        let before = self.before.as_ref().filter(|(_, known)| *known == columns);
        let changed = before.map(|(before, _)| contents.entries_changed_since(before));
        self.standings = Arc::new(if plan.ranking.contains(&RankKey::Relative) || columns.has_ratios() {
            // Every entry's figures depend on the best answers of all others.
            self.ranked.clear();
            let mut rows: Vec<Row> = plan.entries.iter().map(|entry| columns.row(contents, entry)).collect();
            ranking::rank(&mut rows, &plan.ranking);
            let places = rows.iter().map(|row| row.place).collect();
            Standings { rows: rows.iter().map(|row| Arc::new(Standing::of(row))).collect(), places }
        } else {
            let mut known = std::mem::take(&mut self.ranked);
            for entry in &plan.entries {
                let same = |known: &Ranked| {
                    known.standing.entry == head(contents, entry)
                        && changed.as_ref().is_some_and(|changed| !changed.contains(&*entry.name))
                };
                let ranked = known.remove(&entry.name).filter(same).unwrap_or_else(|| {
                    let row = columns.row(contents, entry);
                    Ranked { standing: Arc::new(Standing::of(&row)), rank: Rank::without_relative(&row) }
                });
                self.ranked.insert(entry.name.clone(), ranked);
            }
            let ranked: Vec<&Ranked> = plan.entries.iter().map(|entry| &self.ranked[&entry.name]).collect();
            let ranks: Vec<&Rank> = ranked.iter().map(|ranked| &ranked.rank).collect();
            let (order, places) = ranking::places(&ranks, &plan.ranking);
            Standings { rows: order.iter().map(|&row| ranked[row].standing.clone()).collect(), places }
        });
        self.before = Some((contents.clone(), columns));
        self.standings.clone()
    }
}

/// The heading of an entry's row.
fn head(contents: &Contents, entry: &Entry) -> EntryHead {
    entry.head(contents.withdrawn.get(&entry.name).cloned())
}

/// The boards that a table shows, round after round.
#[derive(PartialEq)]
struct Columns {
    boards: Vec<Column>,
    /// The entries of each round after the first.
    took_part: BTreeMap<u32, HashSet<Name>>,
    scoring: Arc<Scoring>,
}

#[derive(PartialEq)]
struct Column {
    /// Its number in the contest.
    number: Option<u32>,
    /// The identifier of its problem.
    problem: String,
    round: u32,
    group: Option<Arc<str>>,
}

impl Columns {
    fn of(contents: &Contents) -> Self {
        let plan: &Plan = &contents.plan;
        let open = contents.round();
        let shown = plan.boards.iter().zip(plan.rounds_of_boards());
        let shown = shown.filter(|(board, round)| *round <= open && !contents.struck.contains_key(&board.name));
        let mut groups: HashMap<&str, Arc<str>> = HashMap::new();
        let mut boards = Vec::new();
        for (board, round) in shown {
            let group = board.group.as_deref().map(|group| groups.entry(group).or_insert_with(|| group.into()).clone());
            let problem = problem_id(&board.name).to_owned();
            boards.push(Column { number: contents.number_of_board(&board.name), problem, round, group });
        }
        boards.sort_by_key(|board| board.round);
        let took_part = contents.rounds.iter().map(|round| {
            let entrants = round.entrants().into_iter().map(Name::from);
            (round.number, entrants.collect())
        });
        Self { boards, took_part: took_part.collect(), scoring: plan.figures() }
    }

    /// Tests whether a figure is a ratio to the results of others.
    fn has_ratios(&self) -> bool {
        self.scoring.figures.iter().any(|figure| matches!(figure.from, Source::Ratio(_)))
    }

    /// The row of an entry before it is ranked.
    fn row(&self, contents: &Contents, entry: &Entry) -> Row {
        let head = head(contents, entry);
        let record_on = contents.records_of(&entry.name);
        let cell = |column: &Column| {
            let record =
                column.number.and_then(|board| record_on(column.round, board)).filter(|_| head.withdrawn.is_none());
            let made =
                |record: &Record| RunCell { group: column.group.clone(), ..record.cell(&self.scoring, entry.size) };
            RunCell {
                earlier_rounds: column.round.saturating_sub(1),
                not_planned: !entry.is_for(&column.problem)
                    || column.round > 1
                        && !self.took_part.get(&column.round).is_some_and(|names| names.contains(&*entry.name)),
                ..record.map_or_else(RunCell::missing, made)
            }
        };
        let cells = self.boards.iter().map(cell).collect();
        Row::new(head, cells, self.scoring.clone())
    }
}
