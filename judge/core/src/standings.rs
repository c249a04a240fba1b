//! The standings of a contest at one moment: its table without cells, kept up to date for less than a table costs.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use crate::journal::{Contents, Record};
use crate::judged_by::JudgedBy;
use crate::key::{Name, RunKey};
use crate::plan::{Plan, RankKey};
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

/// Keeps the standings of a contest: an entry's figures are summed anew when one of its runs has changed.
#[derive(Default)]
pub struct StandingsKeeper {
    /// The contest of the last standings.
    before: Option<Contents>,
    /// The figures of each entry, in the order of the plan.
    ranked: Vec<Ranked>,
    standings: Arc<Standings>,
}

struct Ranked {
    standing: Arc<Standing>,
    rank: Rank,
}

impl Standing {
    fn of(row: &Row) -> Self {
        Self { entry: row.entry.clone(), total: row.total, relative: row.relative, complete: row.complete() }
    }
}

impl StandingsKeeper {
    /// The standings of a contest, which is the one of the last call, after some events.
    pub fn standings(&mut self, contents: &Contents) -> Arc<Standings> {
        let plan = &contents.plan;
        let changed = self.before.as_ref().and_then(|before| contents.runs_changed_since(before));
        if changed.as_ref().is_some_and(Vec::is_empty) {
            return self.standings.clone();
        }
        let columns = Columns::of(contents);
        let relative = |key: &RankKey| *key == RankKey::Relative;
        if plan.ranking.iter().any(relative) {
            // Every entry's figures depend on the best answers of all others.
            let mut rows: Vec<Row> = (0..plan.entries.len()).map(|entry| columns.row(contents, entry)).collect();
            ranking::rank(&mut rows, &plan.ranking);
            let places = rows.iter().map(|row| row.place).collect();
            let rows = rows.iter().map(|row| Arc::new(Standing::of(row))).collect();
            self.standings = Arc::new(Standings { rows, places });
        } else {
            let ranked = |entry: usize| {
                let row = columns.row(contents, entry);
                Ranked { standing: Arc::new(Standing::of(&row)), rank: Rank::without_relative(&row) }
            };
            match changed {
                None => self.ranked = (0..plan.entries.len()).map(ranked).collect(),
                Some(changed) => {
                    let names: HashSet<&str> = changed.iter().map(|key| &*key.entry).collect();
                    let entries = plan.entries.iter().zip(0..).filter(|(entry, _)| names.contains(&*entry.name));
                    entries.for_each(|(_, entry)| self.ranked[entry] = ranked(entry));
                }
            }
            let ranks: Vec<&Rank> = self.ranked.iter().map(|ranked| &ranked.rank).collect();
            let (order, places) = ranking::places(&ranks, &plan.ranking);
            let rows = order.iter().map(|&row| self.ranked[row].standing.clone()).collect();
            self.standings = Arc::new(Standings { rows, places });
        }
        self.before = Some(contents.clone());
        self.standings.clone()
    }
}

/// The boards that a table shows, round after round.
struct Columns {
    boards: Vec<Column>,
    /// The entries of each round after the first.
    took_part: BTreeMap<u32, HashSet<Name>>,
    scoring: Option<Arc<Scoring>>,
}

struct Column {
    name: Name,
    round: u32,
    group: Option<Arc<str>>,
    judged_by: JudgedBy,
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
            let judged_by = plan.judged_by_on(&board.name);
            boards.push(Column { name: Name::from(&*board.name), round, group, judged_by });
        }
        boards.sort_by_key(|board| board.round);
        let took_part = contents.rounds.iter().map(|round| {
            let entrants = round.entrants().into_iter().map(Name::from);
            (round.number, entrants.collect())
        });
        Self { boards, took_part: took_part.collect(), scoring: plan.scoring.clone().map(Arc::new) }
    }

    /// The row of an entry, given by its index in the plan, before it is ranked.
    fn row(&self, contents: &Contents, entry: usize) -> Row {
        let entry = &contents.plan.entries[entry];
        let name = Name::from(&*entry.name);
        let withdrawn = contents.withdrawn.get(&entry.name).cloned();
        let cell = |column: &Column| {
            let key = RunKey::new(column.round, name.clone(), column.name.clone());
            let record = contents.record(&key).filter(|_| withdrawn.is_none());
            let made = |record: &Record| RunCell {
                group: column.group.clone(),
                ..RunCell::from_verdict(&record.verdict, record.wall_us, record.limit_ms)
            };
            RunCell {
                judged_by: column.judged_by,
                earlier_rounds: column.round.saturating_sub(1),
                not_planned: column.round > 1
                    && !self.took_part.get(&column.round).is_some_and(|names| names.contains(&name)),
                ..record.map_or_else(RunCell::missing, made)
            }
        };
        let cells = self.boards.iter().map(cell).collect();
        let (name, author, competing) = (entry.name.clone(), entry.author.clone(), entry.competing);
        let entry = EntryHead { name, author, competing, withdrawn: withdrawn.clone() };
        Row::new(entry, cells, self.scoring.clone())
    }
}
