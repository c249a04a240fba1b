//! The standings of a contest at one moment: its table without cells. An update costs less than a table.

use std::collections::HashMap;
use std::sync::Arc;

use crate::figure::Source;
use crate::journal::{Contents, Record};
use crate::key::Name;
use crate::plan::{Entry, Plan, RankKey};
use crate::ranking::{self, Rank};
use crate::score::{EntryHead, Metrics, Row, RunCell, TookPart};
use crate::scoring::Scoring;

/// The standings of a contest at one moment.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Standings {
    /// The entries in the order of the table.
    pub rows: Vec<Arc<Standing>>,
    /// The place of each entry, from 1; `None` if it takes none.
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
    /// True if every planned run was judged.
    pub complete: bool,
}

/// The keeper of the standings of a contest. It sums the figures of an entry again if one of its runs or the boards have changed.
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
    /// The standings of a contest. It must be the contest of the last call after further events.
    pub fn standings(&mut self, contents: &Contents) -> Arc<Standings> {
        let quiet = |before: &Contents| {
            contents.differs_in_runs_only(before) && contents.entries_changed_since(before).is_empty()
        };
        if self.before.as_ref().is_some_and(|(before, _)| quiet(before)) {
            return self.standings.clone();
        }
        let plan = &contents.plan;
        let columns = Columns::of(contents);
        // The entries that may have changed besides their headings; `None` for all.
        let before = self.before.as_ref().filter(|(_, known)| *known == columns);
        let changed = before.map(|(before, _)| contents.entries_changed_since(before));
        self.standings = Arc::new(if plan.ranking.contains(&RankKey::Relative) || columns.has_ratios() {
            // The figures of every entry depend on the best answers of all others.
            self.ranked.clear();
            let mut rows: Vec<Row> = plan.entries.iter().map(|entry| columns.row(contents, entry)).collect();
            ranking::rank(&mut rows, &plan.ranking);
            let places = rows.iter().map(|row| row.place).collect();
            Standings { rows: rows.iter().map(|row| Arc::new(Standing::of(row))).collect(), places }
        } else {
            let mut known = std::mem::take(&mut self.ranked);
            for entry in &plan.entries {
                let same = |known: &Ranked| {
                    known.standing.entry == entry.head(contents.withdrawn.get(&entry.name))
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

/// The boards of a table, ordered by round.
#[derive(PartialEq)]
struct Columns {
    boards: Vec<Column>,
    took_part: TookPart,
    scoring: Arc<Scoring>,
}

#[derive(PartialEq)]
struct Column {
    /// The number of the board in the contest.
    number: Option<u32>,
    name: Name,
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
            let (number, name) = (contents.number_of_board(&board.name), Name::from(&*board.name));
            boards.push(Column { number, name, round, group });
        }
        boards.sort_by_key(|board| board.round);
        Self { boards, took_part: contents.took_part(open), scoring: plan.figures() }
    }

    /// Tests whether a figure is a ratio to the results of other entries.
    fn has_ratios(&self) -> bool {
        self.scoring.figures.iter().any(|figure| matches!(figure.from, Source::Ratio(_)))
    }

    /// The row of an entry before it is ranked.
    fn row(&self, contents: &Contents, entry: &Entry) -> Row {
        let head = entry.head(contents.withdrawn.get(&entry.name));
        let record_on = contents.records_of(&entry.name);
        let cell = |column: &Column| {
            let record = column.number.and_then(|board| record_on(column.round, board, 1));
            let record = record.filter(|_| head.withdrawn.is_none()).map(|(_, record)| record);
            let made = |record: &Arc<Record>| RunCell {
                group: column.group.clone(),
                ..record.cell(&self.scoring, entry.size)
            };
            let planned = head.is_planned(&column.name, column.round, &self.took_part);
            record.map_or_else(RunCell::missing, made).in_round(column.round, planned)
        };
        let cells = self.boards.iter().map(cell).collect();
        Row::new(head, cells, self.scoring.clone())
    }
}
