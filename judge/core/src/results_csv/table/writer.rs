//! A writer for tables.

use std::collections::{BTreeSet, HashMap};
use std::io::{self, Write};

use super::declaration::Declaration;
use super::{BOARDS, DECLARATION, MISSING, PROBLEMS, SEPARATOR, SOLVED_BOARDS, SUSPECT, TIME, names, names_of_round};
use crate::legend::{self, Column};
use crate::plan::RankKey;
use crate::ranking::{self, RoundFigures};
use crate::relative;
use crate::results::{BoardHead, Results};
use crate::results_csv::{spreadsheet, yes_or_no};
use crate::score::{Metrics, Row, RunCell};

/// The hashes of referees, if there are several.
const REFEREES: &str = "referees";
/// The relative score for the ranking, to the best of these results.
const RELATIVE: &str = "relative_to_best_here";
/// The counts of an entry that the table shows because they decide places.
const COUNTS: [(RankKey, &str); 3] =
    [(RankKey::Solved, "boards_solved"), (RankKey::Failed, "failed"), (RankKey::Unstarted, "unstarted")];

/// Writes the table in the form that the reader accepts.
///
/// # Errors
///
/// The error of `out`.
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
    let of_problems = results.rows.iter().any(|row| !row.entry.problems.is_empty());
    head.extend(of_problems.then(|| PROBLEMS.to_owned()));
    head.extend(results.boards.iter().map(BoardHead::column));
    let scoring = &*results.scoring;
    let counted = scoring.accepts().then_some(BOARDS);
    head.extend(names(scoring).into_iter().chain(counted).chain([TIME]).map(str::to_owned));
    let relative = results.rows.iter().any(|row| row.relative.is_some());
    head.extend(relative.then(|| RELATIVE.to_owned()));
    let columns = legend::columns(results);
    let decides = |key: RankKey| columns.iter().any(|column| matches!(column, Column::Figure(of, _) if *of == key));
    let counts: Vec<(RankKey, &str)> = COUNTS.into_iter().filter(|(key, _)| decides(*key)).collect();
    head.extend(counts.iter().map(|(_, name)| (*name).to_owned()));
    // The columns of all rounds of a figure are together.
    let rounds: Vec<u32> = results.rounds.iter().map(|round| round.number).collect();
    let of_rounds: Vec<Vec<String>> = rounds.iter().map(|&round| names_of_round(scoring, round)).collect();
    head.extend(together(&of_rounds));
    let cells = || results.rows.iter().flat_map(|row| &row.cells);
    // A goal of the board decides it for the board's cells.
    let solves = |cell: &RunCell| !scoring.accepts() && cell.full.is_none() && cell.solves();
    let (solved, suspect) = (cells().any(solves), cells().any(|cell| cell.suspect));
    let missing = results.missing() > 0;
    for (shown, name) in [(solved, SOLVED_BOARDS), (suspect, SUSPECT), (missing, MISSING)] {
        head.extend(shown.then(|| name.to_owned()));
    }
    let several = !results.mixed_referees().is_empty();
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
    let text = |figure: Option<u64>| figure.map_or(String::new(), |figure| figure.to_string());
    let totals = |total: &Metrics| -> Vec<String> {
        let values = (0..scoring.figures.len()).map(|at| total.figure(at));
        values.map(|value| value.map_or(String::new(), |value| value.to_string())).collect()
    };
    let figures = ranking::figures(&results.rows);
    for (number, row) in results.rows.iter().enumerate() {
        let mut fields = vec![
            row.place.map_or(String::new(), |place| place.to_string()),
            row.entry.name.clone(),
            row.entry.author.clone().unwrap_or_default(),
        ];
        fields.extend(columns_out.iter().map(|&(_, kind)| out(row, kind).unwrap_or_default()));
        fields.push(yes_or_no(row.entry.competing).to_owned());
        fields.extend(of_problems.then(|| row.entry.problems.join(SEPARATOR)));
        // A missing run has another text than a run that is not planned.
        fields.extend(row.cells.iter().map(RunCell::text));
        fields.extend(totals(&row.total));
        fields.extend(counted.map(|_| row.planned().to_string()));
        fields.push(text(row.total.time_ms()));
        fields.extend(relative.then(|| row.relative.map_or(String::new(), relative::text)));
        let rounds_of_row = &figures[number];
        fields.extend(counts.iter().map(|(key, _)| {
            let count = |round: &RoundFigures| round.count(*key);
            text(rounds_of_row.iter().map(count).sum::<Option<usize>>().map(|count| count as u64))
        }));
        let of_round = |&round: &u32| {
            let total = row.total_in(round).unwrap_or_default();
            totals(&total).into_iter().chain([text(total.time_ms())]).collect()
        };
        fields.extend(together(&rounds.iter().map(of_round).collect::<Vec<Vec<String>>>()));
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

/// The first text of each round, then the second of each, and so on.
fn together(of_rounds: &[Vec<String>]) -> Vec<String> {
    let width = of_rounds.first().map_or(0, Vec::len);
    (0..width).flat_map(|at| of_rounds.iter().map(move |texts| texts[at].clone())).collect()
}

/// Writes a line. Figures have no sign, so only text can look like a formula.
fn write_line(writer: &mut csv::Writer<impl Write>, fields: &[String]) -> io::Result<()> {
    fields.iter().try_for_each(|field| writer.write_field(&*spreadsheet::cell(field)))?;
    Ok(writer.write_record(None::<&[u8]>)?)
}
