//! One CSV row per entry, cells as text: the form of `results/published-1995.csv` and of `--format csv`.
//!
//! Columns: some of `listed`, `place`, `entry`, `author`, `year`, `withdrawn`, `disqualified`, `competing`; then one per
//! board; then progress, `moves`, tie-break (under any names) and `total_ms`; then any others. Where answers are accepted
//! or not, `solved`, `boards` and `total_ms` follow the boards; where they get points and nothing else is counted,
//! `score_up` or `score_down` and `total_ms`. A board of a later round is named `ROUND/BOARD`. Of the other columns,
//! `goals` has the progress that solves each board, in their order, or one number for all; `suspect` the boards on which
//! other processes interfered, separated by `; `; `referees` the hashes of the referees of its rulings, if the table has
//! rulings of several.

#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt;
use std::io::{self, Read, Write};
use std::sync::Arc;

use csv::StringRecord;

use super::lines::Lines;
use super::{check_size, next_record, parse_yes_or_no, spreadsheet, yes_or_no};
use crate::code::Code;
use crate::judged_by::JudgedBy;
use crate::plan::{MAX_ROUNDS, RankKey};
use crate::points::{Points, PointsError};
use crate::relative::{self, Direction};
use crate::results::{BoardHead, Headings, Results, RoundHead, SOLVED};
use crate::score::{ACCEPTED, EntryHead, Metrics, Row, RunCell, total};
use crate::scoring::Scoring;
use crate::summary::Summaries;
use crate::withdrawal::Withdrawal;
use judge_job::{Count, Sum};

/// Columns that may precede the boards.
const BEFORE_BOARDS: &[&str] =
    &["listed", "place", "entry", "author", "year", "withdrawn", "disqualified", "competing"];
/// The beginning of the name of the column with the points; the better ones follow: `score_up`, `score_down`.
const SCORE: &str = "score_";
/// The columns after the totals that are written if they have something to say.
const GOALS: &str = "goals";
const SUSPECT: &str = "suspect";
const REFEREES: &str = "referees";
/// The relative score that the ranking uses: to the best of these results.
const RELATIVE: &str = "relative_to_best_here";
/// The boards solved, if the ranking uses them and no other column has them.
const BOARDS_SOLVED: &str = "boards_solved";
/// The figures that decide places, most important first, unless they are the usual ones.
const RANKING: &str = "ranking";
/// Between two boards in the column `suspect`.
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
    let score = results.scoring.as_ref().map(|scoring| format!("{SCORE}{}", scoring.direction.name()));
    let (counted, accepted) = (results.counts_moves(), results.judged_by == JudgedBy::Acceptance);
    match &score {
        _ if accepted => head.extend([SOLVED, BOARDS, TIME].map(str::to_owned)),
        Some(score) if !counted => head.extend([score.clone(), TIME.to_owned()]),
        _ => head.extend(["progress", "moves", "tie_break", TIME].map(str::to_owned).into_iter().chain(score.clone())),
    }
    let relative = results.rows.iter().any(|row| row.relative.is_some());
    head.extend(relative.then(|| RELATIVE.to_owned()));
    let by_solved = !accepted && results.ranking.contains(&RankKey::Solved);
    let solved = if by_solved { Summaries::from_results(results).rows } else { Vec::new() };
    head.extend(by_solved.then(|| BOARDS_SOLVED.to_owned()));
    let goals = Goals::from_results(results).to_string();
    let suspect = results.rows.iter().flat_map(|row| &row.cells).any(|cell| cell.suspect);
    head.extend((!goals.is_empty()).then(|| GOALS.to_owned()));
    head.extend(suspect.then(|| SUSPECT.to_owned()));
    let unusual = results.ranking != RankKey::usual(results.judged_by);
    head.extend(unusual.then(|| RANKING.to_owned()));
    let several = results.referees().len() > 1;
    let mut referees: HashMap<&str, BTreeSet<&str>> = HashMap::new();
    for remark in results.remarks.iter().filter(|_| several) {
        referees.entry(&remark.entry).or_default().extend(remark.referee.as_deref());
    }
    head.extend(several.then(|| REFEREES.to_owned()));
    write_line(&mut writer, &head)?;
    let figure = |figure: Option<u64>| figure.map_or(String::new(), |figure| figure.to_string());
    for (number, row) in results.rows.iter().enumerate() {
        let mut fields = vec![
            row.place.map_or(String::new(), |place| place.to_string()),
            row.entry.name.clone(),
            row.entry.author.clone().unwrap_or_default(),
        ];
        fields.extend(columns_out.iter().map(|&(_, kind)| out(row, kind).unwrap_or_default()));
        fields.push(yes_or_no(row.entry.competing).to_owned());
        // In a later round, what is missing differs from what is not planned.
        let empty = |cell: &RunCell| cell.is_empty() && (cell.not_planned || cell.earlier_rounds == 0);
        fields.extend(row.cells.iter().map(|cell| if empty(cell) { String::new() } else { cell.text() }));
        let Metrics { progress, moves, tie_break, .. } = row.total;
        let points = || row.total.points.map_or(String::new(), |points| points.to_string());
        let time = figure(row.total.time_ms());
        let boards = || row.cells.iter().filter(|cell| !cell.not_planned).count();
        match &score {
            _ if accepted => fields.extend([figure(progress), boards().to_string(), time]),
            Some(_) if !counted => fields.extend([points(), time]),
            _ => {
                fields.extend([figure(progress), figure(moves), figure(tie_break), time]);
                fields.extend(score.as_ref().map(|_| points()));
            }
        }
        fields.extend(relative.then(|| row.relative.map_or(String::new(), relative::text)));
        fields.extend(by_solved.then(|| figure(solved[number].solved.map(|solved| solved as u64))));
        fields.extend((!goals.is_empty()).then(|| goals.clone()));
        let boards = results.boards.iter().zip(&row.cells).filter(|(_, cell)| cell.suspect);
        let boards: Vec<String> = boards.map(|(board, _)| board.column()).collect();
        fields.extend(suspect.then(|| boards.join(SEPARATOR)));
        fields.extend(unusual.then(|| RankKey::listed(&results.ranking)));
        fields.extend(several.then(|| {
            let of_row = referees.get(row.entry.name.as_str()).into_iter().flatten();
            of_row.copied().collect::<Vec<_>>().join(SEPARATOR)
        }));
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

/// Reads a table. The error names the line.
pub(super) fn read(reader: &mut csv::Reader<Lines<impl Read>>, headers: &StringRecord) -> Result<Results, String> {
    let columns = Columns::from_headers(headers)?;
    let headers = spreadsheet::read_row(headers);
    let boards = columns.boards.clone().map(|column| BoardHead::from_column(&headers[column]));
    let boards: Vec<BoardHead> = boards.collect();
    let mut rows: Vec<Row> = Vec::new();
    let mut names: HashSet<String> = HashSet::new();
    let mut ranking: Vec<RankKey> = Vec::new();
    let mut record = StringRecord::new();
    while let Some(line) = next_record(reader, &mut record)? {
        let row = columns.row(&record, &boards).map_err(|reason| format!("line {line}: {reason}"))?;
        if !names.insert(row.entry.name.clone()) {
            return Err(format!("line {line}: duplicate entry {}", row.entry.name));
        }
        if let Some(order) = columns.ranking.map(|column| &record[column]).filter(|_| ranking.is_empty()) {
            ranking = RankKey::read_list(order).map_err(|reason| format!("line {line}: column {RANKING}: {reason}"))?;
        }
        rows.push(row);
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
    let scoring = columns.score.map(|(_, direction)| {
        let decimals = rows.iter().filter_map(|row| Some(row.total.points?.decimals())).max().unwrap_or(0);
        Arc::new(Scoring { direction, decimals, full: None, groups: Vec::new() })
    });
    for row in &mut rows {
        row.scoring.clone_from(&scoring);
    }
    let judged_by = columns.judged_by();
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
        ranking: if ranking.is_empty() { RankKey::usual(judged_by) } else { ranking },
        rounds: RoundHead::numbered(boards.iter().map(|board| board.round).max().unwrap_or(1)),
        absent: Vec::new(),
        upcoming: None,
        boards,
        rows,
        faults: Vec::new(),
        unlike: None,
        remarks: Vec::new(),
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
    goals: Option<usize>,
    suspect: Option<usize>,
    /// The points, and the better ones.
    score: Option<(usize, Direction)>,
    ranking: Option<usize>,
}

impl Columns {
    fn from_headers(headers: &StringRecord) -> Result<Self, String> {
        let headers: Vec<&str> = headers.iter().collect();
        // From the right, because a board can have any name.
        let last = |name: &str, before: usize| {
            let place = headers[..before].iter().rposition(|&header| header == name);
            place.ok_or_else(|| format!("column {name} is missing"))
        };
        let time = last("total_ms", headers.len())?;
        let before = |steps: usize| time.checked_sub(steps).map(|column| (column, headers[column]));
        let score = |(column, header): (usize, &str)| Some((column, Direction::named(header.strip_prefix(SCORE)?)?));
        let solved = before(1).filter(|(_, name)| *name == BOARDS).and(before(2));
        let solved = solved.filter(|(_, name)| *name == SOLVED).map(|(column, _)| column);
        let only_score = before(1).and_then(score);
        let figures = match solved.or(only_score.map(|(column, _)| column)) {
            Some(_) => None,
            None => Some(last("moves", time)?),
        };
        // In their order, each once: a board can be named `year`.
        let mut known = BEFORE_BOARDS.iter();
        let first = headers.iter().take_while(|header| known.any(|name| name == *header)).count();
        let boards_end = figures.map_or(time, |moves| moves.saturating_sub(1));
        let boards_end = solved.or(only_score.map(|(column, _)| column)).unwrap_or(boards_end);
        if boards_end < first || figures.is_some_and(|moves| moves == 0 || time != moves + 2) {
            return Err("the columns are not entry, …, boards, progress, moves, tie-break, total_ms".into());
        }
        let find = |name: &str| headers[..first].iter().position(|&header| header == name);
        let entry = find("entry").ok_or("column entry is missing")?;
        let [author, competing] = ["author", "competing"].map(find);
        let [withdrawn, disqualified] = ["withdrawn", "disqualified"].map(find);
        let mut later = headers.iter().copied().enumerate().skip(time);
        let score = only_score.or_else(|| later.find_map(score));
        let after = |name: &str| (time + 1..headers.len()).find(|&column| headers[column] == name);
        let (goals, suspect, ranking) = (after(GOALS), after(SUSPECT), after(RANKING));
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
            goals,
            suspect,
            score,
            ranking,
        })
    }

    fn judged_by(&self) -> JudgedBy {
        match (self.solved, self.score) {
            (Some(_), _) => JudgedBy::Acceptance,
            (None, Some(_)) => JudgedBy::Score,
            (None, None) => JudgedBy::Progress,
        }
    }

    fn row(&self, record: &StringRecord, boards: &[BoardHead]) -> Result<Row, String> {
        let record = spreadsheet::read_row(record);
        let cell = |column: usize| &record[column];
        let text = |column: Option<usize>| column.map(cell).filter(|text| !text.is_empty());
        let competing = parse_yes_or_no(text(self.competing).unwrap_or("yes"))?;
        let author = text(self.author).map(str::to_owned);
        let withdrawn = Withdrawal::from_keys(text(self.withdrawn), text(self.disqualified));
        let entry = EntryHead { name: cell(self.entry).to_owned(), author, competing, withdrawn };
        let judged_by = self.judged_by();
        let cells = self.boards.clone().map(|column| parse_cell(cell(column), judged_by));
        let mut cells = cells.collect::<Result<Vec<_>, _>>()?;
        let goals = Goals::read(text(self.goals).unwrap_or_default(), cells.len())?;
        for (cell, goal) in cells.iter_mut().zip(goals.0) {
            cell.of = goal.filter(|_| !cell.is_empty()).or(cell.of);
        }
        for name in text(self.suspect).into_iter().flat_map(|names| names.split(SEPARATOR)) {
            let board = boards.iter().position(|board| board.column() == name);
            let board = board.ok_or_else(|| format!("column {SUSPECT}: unknown board `{name}`"))?;
            cells[board].suspect = true;
        }
        let figure = |column: usize| match &record[column] {
            "" => Ok(None),
            text => match text.parse::<Sum>() {
                Ok(figure) => Ok(Some(figure.get())),
                Err(error) => Err(format!("column {}: {error}", self.names[column])),
            },
        };
        let known = |column: Option<usize>| column.map_or(Ok(None), figure);
        let stated = Metrics {
            progress: known(self.figures.map(|moves| moves - 1).or(self.solved))?,
            moves: known(self.figures)?,
            tie_break: known(self.figures.map(|moves| moves + 1))?,
            time_us: figure(self.time)?.map(|ms| ms.saturating_mul(1000)),
            points: match self.score.map(|(column, _)| &record[column]) {
                None | Some("") => None,
                Some(text) => Some(text.parse().map_err(|error: PointsError| error.to_string())?),
            },
        };
        // The cells do not contain everything, but what they contain must agree.
        let summed = total(cells.iter());
        let differ = |stated: Option<u64>, summed: Option<u64>| stated.zip(summed).filter(|(a, b)| a != b);
        for (what, stated, summed) in
            [("progress", stated.progress, summed.progress), ("moves", stated.moves, summed.moves)]
        {
            if let Some((stated, summed)) = differ(stated, summed) {
                return Err(format!("the total of {what} is {stated}, the cells add up to {summed}"));
            }
        }
        let total = Metrics {
            progress: stated.progress.or(summed.progress),
            moves: stated.moves.or(summed.moves),
            tie_break: stated.tie_break.or(summed.tie_break),
            time_us: stated.time_us.or(summed.time_us),
            points: stated.points.or(summed.points),
        };
        let row = Row { entry, cells, repeats: Vec::new(), total, relative: None, scoring: None, place: None };
        let planned: Vec<bool> = self.boards.clone().map(|column| !cell(column).is_empty()).collect();
        Ok(row.in_rounds(boards, &planned))
    }
}

/// Parses a cell. Figures that its text does not contain stay unknown: times, tie-breaks, the progress of an illegal
/// or wrong answer.
fn parse_cell(text: &str, judged_by: JudgedBy) -> Result<RunCell, String> {
    let way_out = || match judged_by {
        JudgedBy::Progress => {
            format!("invalid cell `{text}`; use for example 25/94, 16/202 or 0/TIM, or leave it empty")
        }
        JudgedBy::Score => format!("invalid cell `{text}`; use for example 12.5, {ACCEPTED} or TIM, or leave it empty"),
        JudgedBy::Acceptance => format!("invalid cell `{text}`; use {ACCEPTED} or for example TIM, or leave it empty"),
    };
    let empty = RunCell::missing().judged_by(judged_by);
    if text.is_empty() || text == "-" {
        return Ok(empty);
    }
    let alone = Code::from_letters(text).is_some() && judged_by != JudgedBy::Progress;
    let (progress, moves) = match text.split_once('/') {
        Some(figures) if judged_by != JudgedBy::Acceptance => figures,
        None if alone => ("0", text),
        None if text == ACCEPTED && judged_by != JudgedBy::Progress => {
            let metrics = Metrics { progress: Some(1), moves: Some(0), tie_break: Some(0), ..Metrics::default() };
            return Ok(RunCell { of: Some(1), metrics, ..RunCell::missing().judged_by(JudgedBy::Acceptance) });
        }
        _ if judged_by == JudgedBy::Acceptance => return Err(way_out()),
        _ => {
            let points = text.parse::<Points>().map_err(|_| way_out())?;
            // Points alone: a legal answer, with nothing said about progress and moves.
            return Ok(RunCell { metrics: Metrics { points: Some(points), ..Metrics::default() }, ..empty });
        }
    };
    let code = Code::from_letters(moves);
    let metrics = match code {
        Some(Code::JudgeError) => Metrics::default(),
        Some(Code::IllegalMove) => Metrics { moves: Some(0), ..Metrics::default() },
        // A referee may have reported a progress, which the cell does not show. Accepted answers alone are counted otherwise.
        Some(Code::Wrong) if judged_by != JudgedBy::Acceptance => Metrics { moves: Some(0), ..Metrics::default() },
        Some(_) => Metrics { progress: Some(0), moves: Some(0), ..Metrics::default() },
        None => {
            let number = |text: &str| match text.parse::<Count>() {
                Ok(figure) => Ok(Some(figure.get())),
                // A number that is too large is not a wrong form.
                Err(error) if text.bytes().all(|byte| byte.is_ascii_digit()) && !text.is_empty() => {
                    Err(error.to_string())
                }
                Err(_) => Err(way_out()),
            };
            Metrics { progress: number(progress)?, moves: number(moves)?, ..Metrics::default() }
        }
    };
    Ok(RunCell { code, metrics, ..empty })
}

/// The progress that solves each board; `None` if it is not recorded.
struct Goals(Vec<Option<u64>>);

impl Goals {
    fn from_results(results: &Results) -> Self {
        // Neither points nor accepted answers need a goal to be read again.
        let goal = |board: usize| results.rows.iter().find_map(|row| row.cells[board].of);
        let goal = |board: usize| goal(board).filter(|_| results.judged_by == JudgedBy::Progress);
        Self((0..results.boards.len()).map(goal).collect())
    }

    /// Reads one number for all boards, or one per board, `-` for an unknown one.
    fn read(text: &str, boards: usize) -> Result<Self, String> {
        let goal = |text: &str| match text {
            "-" => Ok(None),
            _ => match text.parse::<Count>() {
                Ok(goal) => Ok(Some(goal.get())),
                Err(error) => Err(format!("column {GOALS}: {error}")),
            },
        };
        let goals = text.split_whitespace().map(goal).collect::<Result<Vec<_>, _>>()?;
        match goals.len() {
            0 => Ok(Self(vec![None; boards])),
            1 => Ok(Self(vec![goals[0]; boards])),
            given if given == boards => Ok(Self(goals)),
            given => Err(format!("column {GOALS}: {given} numbers for {boards} boards; give one, or one per board")),
        }
    }
}

/// One number if all are equal, else all; nothing if none is known.
impl fmt::Display for Goals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |goal: &Option<u64>| goal.map_or("-".to_owned(), |goal| goal.to_string());
        match self.0.as_slice() {
            goals if goals.iter().all(Option::is_none) => Ok(()),
            [first, rest @ ..] if rest.iter().all(|goal| goal == first) => f.write_str(&text(first)),
            goals => f.write_str(&goals.iter().map(text).collect::<Vec<_>>().join(" ")),
        }
    }
}

impl Row {
    /// Puts the cells into the rounds of their boards. A row whose cells of a later round have no text, not even a `-`, took
    /// no part in it.
    fn in_rounds(mut self, boards: &[BoardHead], planned: &[bool]) -> Self {
        let took_part: HashSet<u32> =
            planned.iter().zip(boards).filter(|(planned, _)| **planned).map(|(_, board)| board.round).collect();
        for (cell, board) in self.cells.iter_mut().zip(boards) {
            cell.earlier_rounds = board.round.saturating_sub(1);
            cell.not_planned = board.round > 1 && !took_part.contains(&board.round);
        }
        self
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
