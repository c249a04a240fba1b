//! A reader for tables.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::Read;
use std::ops::Range;
use std::sync::Arc;

use csv::StringRecord;

use super::declaration::Declaration;
use super::{
    BOARDS, DECLARATION, MISSING, PROBLEMS, SEPARATOR, SOLVED_BOARDS, SUSPECT, TIME, cells, names, names_of_round,
};
use crate::figure::FigureName;
use crate::key::Name;
use crate::plan::MAX_ROUNDS;
use crate::points::{Points, PointsError};
use crate::results::{BoardHead, Results, RoundHead};
use crate::results_csv::lines::Lines;
use crate::results_csv::{check_size, next_record, parse_yes_or_no, spreadsheet};
use crate::score::{EntryHead, Metrics, Participants, Row, RunCell};
use crate::scoring::Scoring;
use crate::withdrawal::Withdrawal;
use judge_job::{Bounded, Sum};

/// Columns that may precede the boards.
const BEFORE_BOARDS: &[&str] =
    &["listed", "place", "entry", "author", "year", "withdrawn", "disqualified", "competing", PROBLEMS];

/// Reads a table. The error contains the line.
pub(in crate::results_csv) fn read(
    reader: &mut csv::Reader<Lines<impl Read>>,
    headers: &StringRecord,
) -> Result<Results, String> {
    let mut record = StringRecord::new();
    let mut lines: Vec<(u64, StringRecord)> = Vec::new();
    // The declaration, which is in one of the rows, decides what the columns mean.
    let mut declaration: Option<(u64, Declaration)> = None;
    let declared = headers.iter().collect::<Vec<_>>().iter().rposition(|header| *header == DECLARATION);
    while let Some(line) = next_record(reader, &mut record)? {
        let text = declared.map(|column| spreadsheet::read(&record[column])).filter(|text| !text.is_empty());
        if let Some(text) = text.filter(|_| declaration.is_none()) {
            let read = Declaration::read(&text);
            declaration = Some((line, read.map_err(|reason| format!("line {line}: column {DECLARATION}: {reason}"))?));
        }
        lines.push((line, record.clone()));
        check_size(lines.len(), headers.len().saturating_sub(BEFORE_BOARDS.len()))?;
    }
    let (declared_at, mut declaration) = declaration.unzip();
    let scoring = declaration.as_mut().and_then(|declared| declared.scoring.take());
    let columns = Columns::from_headers(headers, scoring)?;
    let headers = spreadsheet::read_row(headers);
    let boards = columns.boards.clone().map(|column| BoardHead::from_column(&headers[column]));
    let mut boards: Vec<BoardHead> = boards.collect();
    boards.iter().try_for_each(BoardHead::check_column).map_err(|reason| format!("line 1: {reason}"))?;
    if let Some(declared) = &declaration {
        let line = declared_at.unwrap_or_default();
        let fits = declared.fits(&columns.scoring, boards.len());
        fits.map_err(|reason| format!("line {line}: column {DECLARATION}: {reason}"))?;
        for (board, group) in boards.iter_mut().zip(&declared.groups) {
            board.group = group.as_deref().map(Name::from);
        }
    }
    let mut rows: Vec<Row> = Vec::new();
    let mut names: HashSet<String> = HashSet::new();
    for (line, record) in lines {
        let at_line = |reason: String| format!("line {line}: {reason}");
        let row = columns.row(&record, &boards).map_err(at_line)?;
        if !names.insert(row.entry.name.clone()) {
            return Err(at_line(format!("duplicate entry {}", row.entry.name)));
        }
        rows.push(row.finish(&boards, &columns.scoring, declaration.as_ref()).map_err(at_line)?);
        check_size(rows.len(), boards.len())?;
    }
    Ok(Results {
        ranking: declaration.map_or_else(Vec::new, |declaration| declaration.ranking),
        rounds: RoundHead::numbered(boards.iter().map(|board| board.round).max().unwrap_or(1)),
        boards,
        rows,
        ..Results::of_file(columns.scoring)
    })
}

/// The meaning of the columns.
struct Columns {
    /// Names of all columns, in their order, for messages.
    names: Vec<String>,
    entry: usize,
    author: Option<usize>,
    competing: Option<usize>,
    problems: Option<usize>,
    withdrawn: Option<usize>,
    disqualified: Option<usize>,
    boards: Range<usize>,
    /// The figures of the table, and their columns.
    scoring: Arc<Scoring>,
    figures: Range<usize>,
    time: usize,
    /// The totals of each round, in the order of [`names_of_round`]; empty in a contest with one round.
    rounds: Vec<Vec<usize>>,
    solved_boards: Option<usize>,
    suspect: Option<usize>,
    missing: Option<usize>,
}

impl Columns {
    fn from_headers(headers: &StringRecord, declared: Option<Scoring>) -> Result<Self, String> {
        let headers: Vec<&str> = headers.iter().collect();
        // The search begins at the right, because a board can have any name.
        let time = headers.iter().rposition(|&header| header == TIME);
        let time = time.ok_or_else(|| format!("column {TIME} is missing"))?;
        let (scoring, figures) = figures(&headers[..time], declared)?;
        // Each may occur once and in this order, because a board can be named `year`.
        let mut known = BEFORE_BOARDS.iter();
        let mut first = headers.iter().take_while(|header| known.any(|name| name == *header)).count();
        // This column is a board of that name: boards of several problems have a slash.
        if first > 0 && headers[first - 1] == PROBLEMS && !headers.get(first).is_some_and(|board| board.contains('/')) {
            first -= 1;
        }
        if figures.start < first {
            return Err(NO_TABLE.into());
        }
        let find = |name: &str| headers[..first].iter().position(|&header| header == name);
        let entry = find("entry").ok_or("column entry is missing")?;
        let [author, competing, problems] = ["author", "competing", PROBLEMS].map(find);
        let [withdrawn, disqualified] = ["withdrawn", "disqualified"].map(find);
        let after = |name: &str| (time + 1..headers.len()).find(|&column| headers[column] == name);
        let [solved_boards, suspect, missing] = [SOLVED_BOARDS, SUSPECT, MISSING].map(after);
        let of_round =
            |round: u32| names_of_round(&scoring, round).iter().map(|name| after(name)).collect::<Option<Vec<usize>>>();
        Ok(Self {
            names: headers.iter().map(|&name| name.to_owned()).collect(),
            entry,
            author,
            competing,
            problems,
            withdrawn,
            disqualified,
            boards: first..figures.start,
            time,
            rounds: (1..=MAX_ROUNDS).map_while(of_round).collect(),
            solved_boards,
            suspect,
            missing,
            scoring: Arc::new(scoring),
            figures,
        })
    }

    fn row(&self, record: &StringRecord, boards: &[BoardHead]) -> Result<ReadRow, String> {
        let record = spreadsheet::read_row(record);
        let cell = |column: usize| &record[column];
        let text = |column: Option<usize>| column.map(cell).filter(|text| !text.is_empty());
        let competing = parse_yes_or_no(text(self.competing).unwrap_or("yes"))?;
        let author = text(self.author).map(str::to_owned);
        let withdrawn = Withdrawal::from_keys(text(self.withdrawn), text(self.disqualified));
        let problems =
            text(self.problems).into_iter().flat_map(|ids| ids.split(SEPARATOR).map(str::to_owned)).collect();
        let entry = EntryHead { author, competing, withdrawn, problems, ..EntryHead::new(cell(self.entry)) };
        let cells = self.boards.clone().map(|column| cells::parse(cell(column), &self.scoring));
        let mut cells = cells.collect::<Result<Vec<_>, _>>()?;
        let named = |column: Option<usize>, name: &str| {
            let names = text(column).into_iter().flat_map(|names| names.split(SEPARATOR));
            let index = |named: &str| {
                let board = boards.iter().position(|board| board.column() == named);
                board.ok_or_else(|| format!("column {name}: unknown board `{named}`"))
            };
            names.map(index).collect::<Result<HashSet<usize>, String>>()
        };
        for board in named(self.suspect, SUSPECT)? {
            cells[board].suspect = true;
        }
        let sum = |column: usize| match cell(column) {
            "" => Ok(None),
            text => match text.parse::<Sum>() {
                Ok(figure) => Ok(Some(figure.get())),
                Err(error) => Err(format!("column {}: {error}", self.names[column])),
            },
        };
        let figure = |column: usize| match cell(column) {
            "" => Ok(None),
            text if text.bytes().all(|byte| byte.is_ascii_digit()) => sum(column).map(|sum| sum.map(Points::whole)),
            text => {
                text.parse().map(Some).map_err(|error: PointsError| format!("column {}: {error}", self.names[column]))
            }
        };
        let totals = |columns: &mut dyn Iterator<Item = usize>, ms: usize| {
            let figures = columns.map(figure).collect::<Result<_, String>>()?;
            Ok::<_, String>(Metrics { figures, time_us: sum(ms)?.map(|ms| ms.saturating_mul(1000)) })
        };
        let of_round = |columns: &Vec<usize>| match columns.split_last() {
            Some((ms, figures)) => totals(&mut figures.iter().copied(), *ms),
            None => Ok(Metrics::default()),
        };
        Ok(ReadRow {
            entry,
            cells,
            planned: self.boards.clone().map(|column| !cell(column).is_empty()).collect(),
            solved: match self.solved_boards {
                None if !self.scoring.scores() => None,
                column => Some(named(column, SOLVED_BOARDS)?),
            },
            missing: text(self.missing).map_or(Ok(0), |text| match text.parse::<Bounded<{ u32::MAX as u64 }>>() {
                Ok(missing) => Ok(missing.get()),
                Err(error) => Err(format!("column {MISSING}: {error}")),
            })?,
            stated: totals(&mut self.figures.clone(), self.time)?,
            rounds: self.rounds.iter().map(of_round).collect::<Result<_, String>>()?,
        })
    }
}

const NO_TABLE: &str = "the columns are not entry, …, boards, progress, moves, tie-break, total_ms";

/// The figures of a table, and their columns: the last ones before the time. Without a declaration, they are those of a game or
/// the number of accepted answers. The columns of a game have any names but `moves`.
fn figures(before: &[&str], declared: Option<Scoring>) -> Result<(Scoring, Range<usize>), String> {
    let time = before.len();
    if let Some(scoring) = declared {
        let names = names(&scoring);
        let first = time.checked_sub(names.len()).filter(|first| before[*first..] == *names);
        let refused = || format!("the columns before {TIME} must be the figures: {}", names.join(", "));
        let first = first.ok_or_else(refused)?;
        return Ok((scoring, first..time));
    }
    if let [.., solved, BOARDS] = before
        && **solved == *FigureName::SOLVED
    {
        return Ok((Scoring::accepted_or_not(), time - 2..time - 1));
    }
    let moves = before.iter().rposition(|&header| header == &*FigureName::MOVES).ok_or("column moves is missing")?;
    if moves == 0 || time != moves + 2 {
        return Err(NO_TABLE.into());
    }
    let mut scoring = Scoring::of_game("");
    for (figure, title) in scoring.figures.iter_mut().zip(&before[moves - 1..]) {
        figure.title = Some(Cow::Owned(spreadsheet::read(title).into()));
    }
    Ok((scoring, moves - 1..time))
}

/// A row as in its line.
struct ReadRow {
    entry: EntryHead,
    cells: Vec<RunCell>,
    /// The cells that have a text.
    planned: Vec<bool>,
    /// The boards that it solved, as stated by the table; `None` if only a goal decides it.
    solved: Option<HashSet<usize>>,
    /// The number of its missing runs.
    missing: u64,
    stated: Metrics,
    /// The totals of rounds.
    rounds: Vec<Metrics>,
}

impl ReadRow {
    /// The row, completed by the declaration of the table.
    fn finish(
        mut self,
        boards: &[BoardHead],
        scoring: &Arc<Scoring>,
        declaration: Option<&Declaration>,
    ) -> Result<Row, String> {
        let took_part = self.planned.iter().zip(boards).filter(|(planned, _)| **planned);
        let only = || HashSet::from([Name::from(&*self.entry.name)]);
        let took_part: Participants = took_part.map(|(_, board)| (board.round, only())).collect();
        for (index, (cell, board)) in self.cells.iter_mut().zip(boards).enumerate() {
            // A row took no part in a later round if its cells there are empty and not even `-`.
            let planned = self.entry.is_planned(&board.name, board.round, &took_part);
            *cell = std::mem::take(cell).in_round(board.round, planned);
            cell.group.clone_from(&board.group);
            let accepted = cell.code.is_none() && cell.judged();
            if let Some(solved) = self.solved.as_ref().map(|solved| solved.contains(&index)).filter(|_| accepted) {
                (cell.valid, cell.solved) = (!solved && scoring.scores(), Some(solved));
            }
            if let Some(goal) = declaration.and_then(|declared| declared.goal(index)).filter(|_| !cell.is_empty()) {
                match accepted {
                    true => cell.aim_at(Points::whole(goal)),
                    false => cell.full = Some(Points::whole(goal)),
                }
            }
        }
        let stated = self.stated;
        let mut row = Row { stated: self.rounds, ..Row::new(self.entry, self.cells, scoring.clone()) };
        row.stated_missing = usize::try_from(self.missing).unwrap_or(usize::MAX).saturating_sub(row.missing());
        // The cells do not contain everything, but they must agree with the totals, by rule 60 of docs/scoring.md.
        let figures = scoring.figures.iter().zip(&stated.figures);
        for ((figure, stated), total) in figures.zip(&mut row.total.figures) {
            match (stated.map(|stated| figure.cut(stated)), *total) {
                (Some(stated), Some(total)) if stated != total => {
                    return Err(format!("the total of {} is {stated}, the cells make {total}", figure.name));
                }
                (stated, _) => *total = stated.or(*total),
            }
        }
        row.total.time_us = stated.time_us.or(row.total.time_us);
        Ok(row)
    }
}
