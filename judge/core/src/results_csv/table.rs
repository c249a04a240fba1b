//! One CSV row per entry, cells as text: the form of `results/published-1995.csv` and of `--format csv`.
//!
//! Columns: some of `listed`, `place`, `entry`, `author`, `year`, `withdrawn`, `disqualified`, `competing`; then one per
//! board; then progress, `moves`, tie-break (under any names) and `total_ms`; then any others. Where answers are accepted
//! or not, `solved`, `boards` and `total_ms` follow the boards; where the contest declares figures, these and `total_ms`. A board of a later round is named `ROUND/BOARD`, and then totals of each round
//! follow: `ROUND/progress`, `ROUND/moves`, `ROUND/tie_break`, or the figures, and `ROUND/ms`. Of the other columns,
//! `declaration` has in one row what decides places, see [`Declaration`]: without it there are none. `solved_boards` and
//! `suspect` have the boards that an entry solved, where answers get points, and those on which other processes interfered,
//! separated by `; `; `missing` the number of its runs that are missing; `referees` the hashes of the referees of its rulings,
//! if the table has rulings of several.

mod cells;
mod declaration;
#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::io::{self, Read, Write};
use std::sync::Arc;

use csv::StringRecord;

use self::declaration::Declaration;
use super::lines::Lines;
use super::{check_size, next_record, parse_yes_or_no, spreadsheet, yes_or_no};
use crate::judged_by::JudgedBy;
use crate::key::Name;
use crate::legend::{self, Column};
use crate::plan::{MAX_ROUNDS, RankKey};
use crate::points::PointsError;
use crate::ranking::{self, RoundFigures};
use crate::relative;
use crate::results::{BoardHead, Headings, Results, RoundHead, SOLVED};
use crate::score::{EntryHead, Metrics, Row, RunCell};
use crate::scoring::Scoring;
use crate::withdrawal::Withdrawal;
use judge_job::{Figure, Sum};

/// Columns that may precede the boards.
const BEFORE_BOARDS: &[&str] =
    &["listed", "place", "entry", "author", "year", "withdrawn", "disqualified", "competing"];
/// What decides places, in the first row.
const DECLARATION: &str = "declaration";
/// The columns after the totals that are written if they have something to say.
const SOLVED_BOARDS: &str = "solved_boards";
const SUSPECT: &str = "suspect";
const MISSING: &str = "missing";
const REFEREES: &str = "referees";
/// The relative score that the ranking uses: to the best of these results.
const RELATIVE: &str = "relative_to_best_here";
/// The counts of an entry that the table shows because they decide.
const COUNTS: [(RankKey, &str); 3] =
    [(RankKey::Solved, "boards_solved"), (RankKey::Failed, "failed"), (RankKey::Unstarted, "unstarted")];
/// The totals of a round without figures of its own, each after the round's number; then the time.
const OF_GAME: [&str; 3] = ["progress", "moves", "tie_break"];
const MS: &str = "ms";
/// Between two boards in a column with several.
const SEPARATOR: &str = "; ";
/// The sum of an entry's times, in milliseconds.
const TIME: &str = "total_ms";
/// The number of boards, after that of accepted answers, where answers are accepted or not.
const BOARDS: &str = "boards";
/// The last character of a column's name if the board is a reconstruction.
const RECONSTRUCTION: char = '*';

/// Writes the table so that it can be read again.
///
/// # Errors
///
/// The writer's.
pub fn write(results: &Results, out: impl Write) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    let out = |row: &Row, disqualified: bool| {
        row.entry.withdrawn.clone().filter(|out| out.disqualified == disqualified).map(|out| out.reason)
    };
    let some_out = |disqualified| results.rows.iter().any(|row| out(row, disqualified).is_some());
    let columns_out = [("withdrawn", false), ("disqualified", true)].into_iter().filter(|(_, kind)| some_out(*kind));
    let columns_out: Vec<(&str, bool)> = columns_out.collect();
    let mut head: Vec<String> = ["place", "entry", "author"].map(str::to_owned).into();
    head.extend(columns_out.iter().map(|(name, _)| (*name).to_owned()));
    head.push("competing".into());
    head.extend(results.boards.iter().map(BoardHead::column));
    let scoring = results.scoring.as_deref();
    let accepted = results.judged_by == JudgedBy::Acceptance;
    match scoring {
        _ if accepted => head.extend([SOLVED, BOARDS, TIME].map(str::to_owned)),
        Some(scoring) => {
            head.extend(scoring.figures.iter().map(|figure| figure.name.to_string()).chain([TIME.to_owned()]));
        }
        None => head.extend(OF_GAME.into_iter().chain([TIME]).map(str::to_owned)),
    }
    let relative = results.rows.iter().any(|row| row.relative.is_some());
    head.extend(relative.then(|| RELATIVE.to_owned()));
    let columns = legend::columns(results);
    let decides = |key: RankKey| columns.iter().any(|column| matches!(column, Column::Figure(of, _) if *of == key));
    let counts: Vec<(RankKey, &str)> = COUNTS.into_iter().filter(|(key, _)| decides(*key)).collect();
    head.extend(counts.iter().map(|(_, name)| (*name).to_owned()));
    let rounds = results.rounds.iter().map(|round| round.number);
    let of_rounds = |figure: &str| rounds.clone().map(move |round| format!("{round}/{figure}")).collect::<Vec<_>>();
    head.extend(names_of_round(scoring).iter().flat_map(|name| of_rounds(name)));
    let cells = || results.rows.iter().flat_map(|row| &row.cells);
    let scored = results.judged_by == JudgedBy::Score;
    let solves = |cell: &RunCell| scored && cell.solves(cell.of);
    let (solved, suspect) = (cells().any(solves), cells().any(|cell| cell.suspect));
    let missing = results.missing() > 0;
    for (shown, name) in [(solved, SOLVED_BOARDS), (suspect, SUSPECT), (missing, MISSING)] {
        head.extend(shown.then(|| name.to_owned()));
    }
    let several = results.referees().len() > 1;
    let mut referees: HashMap<&str, BTreeSet<&str>> = HashMap::new();
    for remark in results.remarks.iter().filter(|_| several) {
        referees.entry(&remark.entry).or_default().extend(remark.referee.as_deref());
    }
    head.extend(several.then(|| REFEREES.to_owned()));
    let mut declaration = Declaration::from_results(results)
        .filter(|_| !results.rows.is_empty())
        .map(|declaration| declaration.to_string());
    let declared = declaration.is_some();
    head.extend(declared.then(|| DECLARATION.to_owned()));
    write_line(&mut writer, &head)?;
    let figure = |figure: Option<u64>| figure.map_or(String::new(), |figure| figure.to_string());
    let figures = ranking::figures(&results.rows);
    for (number, row) in results.rows.iter().enumerate() {
        let mut fields = vec![
            row.place.map_or(String::new(), |place| place.to_string()),
            row.entry.name.clone(),
            row.entry.author.clone().unwrap_or_default(),
        ];
        fields.extend(columns_out.iter().map(|&(_, kind)| out(row, kind).unwrap_or_default()));
        fields.push(yes_or_no(row.entry.competing).to_owned());
        // What is missing differs from what is not planned.
        fields.extend(row.cells.iter().map(RunCell::text));
        let Metrics { progress, moves, tie_break, .. } = row.total;
        let totals = |total: &Metrics, scoring: &Scoring| -> Vec<String> {
            let total = |at: usize| total.figures.get(at).copied().flatten();
            let all = (0..scoring.figures.len()).map(total);
            all.map(|value| value.map_or(String::new(), |value| value.to_string())).collect()
        };
        let time = figure(row.total.time_ms());
        let boards = || row.cells.iter().filter(|cell| !cell.not_planned).count();
        match scoring {
            _ if accepted => fields.extend([figure(progress), boards().to_string(), time]),
            Some(scoring) => fields.extend(totals(&row.total, scoring).into_iter().chain([time])),
            None => fields.extend([figure(progress), figure(moves), figure(tie_break), time]),
        }
        fields.extend(relative.then(|| row.relative.map_or(String::new(), relative::text)));
        let rounds_of_row = &figures[number];
        fields.extend(counts.iter().map(|(key, _)| {
            let count = |round: &RoundFigures| round.count(*key);
            figure(rounds_of_row.iter().map(count).sum::<Option<usize>>().map(|count| count as u64))
        }));
        let of_rounds = rounds.clone().map(|round| {
            let total = row.total_in(round).unwrap_or_default();
            let mut texts = match scoring {
                Some(scoring) => totals(&total, scoring),
                None => vec![figure(total.progress), figure(total.moves), figure(total.tie_break)],
            };
            texts.push(figure(total.time_ms()));
            texts
        });
        let of_rounds: Vec<Vec<String>> = of_rounds.collect();
        for at in 0..of_rounds.first().map_or(0, Vec::len) {
            fields.extend(of_rounds.iter().map(|texts| texts[at].clone()));
        }
        let boards = |has: &dyn Fn(&RunCell) -> bool| {
            let boards = results.boards.iter().zip(&row.cells).filter(|(_, cell)| has(cell));
            boards.map(|(board, _)| board.column()).collect::<Vec<_>>().join(SEPARATOR)
        };
        fields.extend(solved.then(|| boards(&solves)));
        fields.extend(suspect.then(|| boards(&|cell| cell.suspect)));
        fields.extend(missing.then(|| row.missing().to_string()));
        fields.extend(several.then(|| {
            let of_row = referees.get(row.entry.name.as_str()).into_iter().flatten();
            of_row.copied().collect::<Vec<_>>().join(SEPARATOR)
        }));
        fields.extend(declared.then(|| declaration.take().unwrap_or_default()));
        write_line(&mut writer, &fields)?;
    }
    writer.flush()?;
    Ok(())
}

/// Writes a line; its figures have no sign, so only text can look like a formula.
fn write_line(writer: &mut csv::Writer<impl Write>, fields: &[String]) -> io::Result<()> {
    fields.iter().try_for_each(|field| writer.write_field(&*spreadsheet::cell(field)))?;
    Ok(writer.write_record(None::<&[u8]>)?)
}

/// The names of the totals of a round.
fn names_of_round(scoring: Option<&Scoring>) -> Vec<String> {
    let names: Vec<String> = match scoring {
        Some(scoring) => scoring.figures.iter().map(|figure| figure.name.to_string()).collect(),
        None => OF_GAME.map(str::to_owned).into(),
    };
    names.into_iter().chain([MS.to_owned()]).collect()
}

/// Reads a table. The error names the line.
pub(super) fn read(reader: &mut csv::Reader<Lines<impl Read>>, headers: &StringRecord) -> Result<Results, String> {
    let mut record = StringRecord::new();
    let mut lines: Vec<(u64, StringRecord)> = Vec::new();
    // What the columns mean follows from the declaration, which is in one of the rows.
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
    let (declared_at, declaration) = declaration.unzip();
    let scoring = declaration.as_ref().and_then(|declared| declared.scoring.clone()).map(Arc::new);
    let columns = Columns::from_headers(headers, scoring.clone())?;
    let headers = spreadsheet::read_row(headers);
    let boards = columns.boards.clone().map(|column| BoardHead::from_column(&headers[column]));
    let mut boards: Vec<BoardHead> = boards.collect();
    let mut rows: Vec<ReadRow> = Vec::new();
    let mut names: HashSet<String> = HashSet::new();
    if let Some(declared) = &declaration {
        let line = declared_at.unwrap_or_default();
        declared.fits(boards.len()).map_err(|reason| format!("line {line}: column {DECLARATION}: {reason}"))?;
    }
    for (line, record) in lines {
        let at_line = |reason: String| format!("line {line}: {reason}");
        let row = columns.row(&record, &boards).map_err(at_line)?;
        if !names.insert(row.entry.name.clone()) {
            return Err(at_line(format!("duplicate entry {}", row.entry.name)));
        }
        rows.push(ReadRow { line, ..row });
        check_size(rows.len(), boards.len())?;
    }
    let headings = match columns.figures {
        Some(moves) => Headings {
            progress: headers[moves - 1].into(),
            moves: "moves".into(),
            tie_break: headers[moves + 1].into(),
        },
        None => Headings::from_game(""),
    };
    let declared = declaration.as_ref();
    for (board, group) in boards.iter_mut().zip(declared.into_iter().flat_map(|declared| &declared.groups)) {
        board.group = group.as_deref().map(Name::from);
    }
    let judged_by = columns.judged_by();
    let finished = rows.into_iter().map(|row| {
        let line = row.line;
        row.finish(&boards, judged_by, scoring.as_ref(), declared).map_err(|reason| format!("line {line}: {reason}"))
    });
    let rows = finished.collect::<Result<Vec<Row>, String>>()?;
    Ok(Results {
        contest: None,
        game: None,
        limit_ms: None,
        isolation: Vec::new(),
        journal_hash: None,
        begun: None,
        headings,
        judged_by,
        scoring,
        crash_rejects: false,
        ranking: declaration.map_or_else(Vec::new, |declaration| declaration.ranking),
        repeat: 1,
        rounds: RoundHead::numbered(boards.iter().map(|board| board.round).max().unwrap_or(1)),
        absent: Vec::new(),
        upcoming: None,
        boards,
        rows,
        faults: Vec::new(),
        unlike: None,
        remarks: Vec::new(),
        matches: None,
    })
}

/// The meaning of the columns.
struct Columns {
    /// Names of all columns, in their order, for messages.
    names: Vec<String>,
    entry: usize,
    author: Option<usize>,
    competing: Option<usize>,
    withdrawn: Option<usize>,
    disqualified: Option<usize>,
    boards: std::ops::Range<usize>,
    /// The moves: the column before them is the progress, the one after them the tie-break.
    figures: Option<usize>,
    /// The column of accepted answers, in a contest that counts these.
    solved: Option<usize>,
    time: usize,
    /// The totals of each round, as [`names_of_round`] names them; none of a contest with one round.
    rounds: Vec<Vec<usize>>,
    solved_boards: Option<usize>,
    suspect: Option<usize>,
    missing: Option<usize>,
    /// The figures that the table declares, and the column of the first one.
    scoring: Option<(Arc<Scoring>, usize)>,
}

impl Columns {
    fn from_headers(headers: &StringRecord, scoring: Option<Arc<Scoring>>) -> Result<Self, String> {
        let headers: Vec<&str> = headers.iter().collect();
        // From the right, because a board can have any name.
        let last = |name: &str, before: usize| {
            let place = headers[..before].iter().rposition(|&header| header == name);
            place.ok_or_else(|| format!("column {name} is missing"))
        };
        let time = last("total_ms", headers.len())?;
        let before = |steps: usize| time.checked_sub(steps).map(|column| (column, headers[column]));
        let solved = before(1).filter(|(_, name)| *name == BOARDS).and(before(2));
        let solved = solved.filter(|(_, name)| *name == SOLVED).map(|(column, _)| column);
        let of_round = names_of_round(scoring.as_deref());
        let scoring = match scoring {
            None => None,
            Some(scoring) => {
                let names: Vec<&str> = scoring.figures.iter().map(|figure| &*figure.name).collect();
                let first = time.checked_sub(names.len()).filter(|first| headers[*first..time] == *names);
                let first = first
                    .ok_or_else(|| format!("the columns before {TIME} must be the figures: {}", names.join(", ")))?;
                Some((scoring, first))
            }
        };
        let of_figures = scoring.as_ref().map(|(_, column)| *column);
        let figures = match solved.or(of_figures) {
            Some(_) => None,
            None => Some(last("moves", time)?),
        };
        // In their order, each once: a board can be named `year`.
        let mut known = BEFORE_BOARDS.iter();
        let first = headers.iter().take_while(|header| known.any(|name| name == *header)).count();
        let boards_end = figures.map_or(time, |moves| moves.saturating_sub(1));
        let boards_end = solved.or(of_figures).unwrap_or(boards_end);
        if boards_end < first || figures.is_some_and(|moves| moves == 0 || time != moves + 2) {
            return Err("the columns are not entry, …, boards, progress, moves, tie-break, total_ms".into());
        }
        let find = |name: &str| headers[..first].iter().position(|&header| header == name);
        let entry = find("entry").ok_or("column entry is missing")?;
        let [author, competing] = ["author", "competing"].map(find);
        let [withdrawn, disqualified] = ["withdrawn", "disqualified"].map(find);
        let after = |name: &str| (time + 1..headers.len()).find(|&column| headers[column] == name);
        let [solved_boards, suspect, missing] = [SOLVED_BOARDS, SUSPECT, MISSING].map(after);
        let of_round = |round: u32| {
            of_round.iter().map(|figure| after(&format!("{round}/{figure}"))).collect::<Option<Vec<usize>>>()
        };
        let rounds = (1..=MAX_ROUNDS).map_while(of_round).collect();
        let boards = first..boards_end;
        Ok(Self {
            names: headers.iter().map(|&name| name.to_owned()).collect(),
            entry,
            author,
            competing,
            withdrawn,
            disqualified,
            boards,
            figures,
            solved,
            time,
            rounds,
            solved_boards,
            suspect,
            missing,
            scoring,
        })
    }

    fn judged_by(&self) -> JudgedBy {
        match (self.solved, &self.scoring) {
            (Some(_), _) => JudgedBy::Acceptance,
            (None, Some(_)) => JudgedBy::Score,
            (None, None) => JudgedBy::Progress,
        }
    }

    fn row(&self, record: &StringRecord, boards: &[BoardHead]) -> Result<ReadRow, String> {
        let record = spreadsheet::read_row(record);
        let cell = |column: usize| &record[column];
        let text = |column: Option<usize>| column.map(cell).filter(|text| !text.is_empty());
        let competing = parse_yes_or_no(text(self.competing).unwrap_or("yes"))?;
        let author = text(self.author).map(str::to_owned);
        let withdrawn = Withdrawal::from_keys(text(self.withdrawn), text(self.disqualified));
        let entry = EntryHead { name: cell(self.entry).to_owned(), author, competing, withdrawn };
        let judged_by = self.judged_by();
        let scoring = self.scoring.as_ref().map(|(scoring, _)| scoring);
        let cells = self.boards.clone().map(|column| cells::parse(cell(column), judged_by, scoring));
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
        let figure = |column: usize| match &record[column] {
            "" => Ok(None),
            text => match text.parse::<Sum>() {
                Ok(figure) => Ok(Some(figure.get())),
                Err(error) => Err(format!("column {}: {error}", self.names[column])),
            },
        };
        let points = |column: usize| match &record[column] {
            "" => Ok(None),
            text => text.parse().map(Some).map_err(|error: PointsError| error.to_string()),
        };
        let known = |column: Option<usize>| column.map_or(Ok(None), figure);
        let time = |column: usize| figure(column).map(|ms| ms.map(|ms| ms.saturating_mul(1000)));
        let stated = Metrics {
            progress: known(self.figures.map(|moves| moves - 1).or(self.solved))?,
            moves: known(self.figures)?,
            tie_break: known(self.figures.map(|moves| moves + 1))?,
            time_us: time(self.time)?,
            figures: match &self.scoring {
                Some((scoring, first)) => {
                    (0..scoring.figures.len()).map(|at| points(first + at)).collect::<Result<_, _>>()?
                }
                None => Vec::new(),
            },
        };
        let of_round = |columns: &Vec<usize>| match (columns.as_slice(), scoring) {
            ([figures @ .., ms], Some(_)) => {
                let figures = figures.iter().map(|column| points(*column)).collect::<Result<_, String>>()?;
                Ok(Metrics { figures, time_us: time(*ms)?, ..Metrics::default() })
            }
            (&[progress, moves, tie_break, ms], None) => {
                let (progress, moves, tie_break) = (figure(progress)?, figure(moves)?, figure(tie_break)?);
                Ok(Metrics { progress, moves, tie_break, time_us: time(ms)?, figures: Vec::new() })
            }
            _ => Ok(Metrics::default()),
        };
        Ok(ReadRow {
            line: 0,
            entry,
            cells,
            planned: self.boards.clone().map(|column| !cell(column).is_empty()).collect(),
            solved: named(self.solved_boards, SOLVED_BOARDS)?,
            missing: text(self.missing).map_or(Ok(0), |text| match text.parse::<Figure<{ u32::MAX as u64 }>>() {
                Ok(missing) => Ok(missing.get()),
                Err(error) => Err(format!("column {MISSING}: {error}")),
            })?,
            stated,
            rounds: self.rounds.iter().map(of_round).collect::<Result<_, String>>()?,
        })
    }
}

/// A row as its line has it.
struct ReadRow {
    line: u64,
    entry: EntryHead,
    cells: Vec<RunCell>,
    /// The cells that have a text.
    planned: Vec<bool>,
    /// The boards that it solved, where answers get points.
    solved: HashSet<usize>,
    /// The number of its missing runs.
    missing: u64,
    stated: Metrics,
    /// The totals of rounds.
    rounds: Vec<Metrics>,
}

impl ReadRow {
    /// The row with what the table declares.
    fn finish(
        mut self,
        boards: &[BoardHead],
        judged_by: JudgedBy,
        scoring: Option<&Arc<Scoring>>,
        declared: Option<&Declaration>,
    ) -> Result<Row, String> {
        let took_part: HashSet<u32> =
            self.planned.iter().zip(boards).filter(|(planned, _)| **planned).map(|(_, board)| board.round).collect();
        for (index, (cell, board)) in self.cells.iter_mut().zip(boards).enumerate() {
            // A row whose cells of a later round have no text, not even a `-`, took no part in it.
            cell.earlier_rounds = board.round.saturating_sub(1);
            cell.not_planned = board.round > 1 && !took_part.contains(&board.round);
            cell.group.clone_from(&board.group);
            let goal = declared.and_then(|declared| declared.goal(index));
            cell.of = goal.filter(|_| !cell.is_empty()).or(cell.of);
            if judged_by == JudgedBy::Score && declared.is_some() && cell.code.is_none() && cell.judged() {
                let solved = self.solved.contains(&index);
                (cell.of, cell.valid, cell.metrics.progress) = (Some(1), !solved, Some(u64::from(solved)));
            }
            if let Some(scoring) = scoring {
                cell.judged_by = scoring.shown_in(board.group.as_deref());
            }
        }
        let stated = self.stated;
        let mut row = Row { stated: self.rounds, ..Row::new(self.entry, self.cells, scoring.cloned()) };
        row.stated_missing = usize::try_from(self.missing).unwrap_or(usize::MAX).saturating_sub(row.missing());
        // The cells do not contain everything, but what they contain must agree. Where answers get points they show nothing else.
        let differ = |stated: Option<u64>, summed: Option<u64>| stated.zip(summed).filter(|(a, b)| a != b);
        for (what, stated, summed) in
            [("progress", stated.progress, row.total.progress), ("moves", stated.moves, row.total.moves)]
        {
            if let Some((stated, summed)) = differ(stated, summed).filter(|_| judged_by != JudgedBy::Score) {
                return Err(format!("the total of {what} is {stated}, the cells add up to {summed}"));
            }
        }
        // Where the cells show the figures, both must agree.
        let figures = scoring.into_iter().flat_map(|scoring| &scoring.figures).zip(&stated.figures);
        let mut totals = row.total.figures.clone();
        for ((figure, stated), total) in figures.zip(&mut totals) {
            match (*stated, *total) {
                (Some(stated), Some(total)) if figure.cut(stated) != total => {
                    return Err(format!("the total of {} is {stated}, the cells make {total}", figure.name));
                }
                (Some(stated), _) => *total = Some(figure.cut(stated)),
                (None, _) => {}
            }
        }
        row.total = Metrics {
            figures: totals,
            progress: stated.progress.or(row.total.progress),
            moves: stated.moves.or(row.total.moves),
            tie_break: stated.tie_break.or(row.total.tie_break),
            time_us: stated.time_us.or(row.total.time_us),
        };
        Ok(row)
    }
}

impl BoardHead {
    /// The heading of its column in a table.
    fn column(&self) -> String {
        if self.round > 1 { format!("{}/{}", self.round, self.marked()) } else { self.marked() }
    }

    fn from_column(text: &str) -> Self {
        let in_round = text.split_once('/').and_then(|(round, name)| Some((round.parse().ok()?, name)));
        match in_round.filter(|(round, _)| (2..=MAX_ROUNDS).contains(round)) {
            Some((round, name)) => Self { round, ..Self::unmarked(name) },
            None => Self::unmarked(text),
        }
    }

    /// The name with the mark of a reconstruction.
    pub fn marked(&self) -> String {
        let mark = if self.reconstruction { RECONSTRUCTION.to_string() } else { String::new() };
        format!("{}{mark}", self.name)
    }

    fn unmarked(text: &str) -> Self {
        let name = text.trim_end_matches(RECONSTRUCTION);
        let (name, reconstruction) = (name.into(), name != text);
        Self { name, reconstruction, note: None, text: None, known: None, best: None, round: 1, group: None }
    }
}
