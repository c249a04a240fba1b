//! The legend of a standings table, shared by all outputs.

use std::collections::{BTreeSet, HashSet};

use crate::code::Code;
use crate::figure::{Better, Failed, Figure, FigureName, Total};
use crate::hint::Hint;
use crate::plan::RankKey;
use crate::ranking::{self, Criterion, Decision, RoundFigures, better_than_the_winner};
use crate::relative::{self, Direction};
use crate::results::{Results, RoundHead, SOLVED};
use crate::score::{ACCEPTED, Row, RunCell};
use crate::scoring::Scoring;
use crate::text::printable;
use judge_job::{Isolation, count_text, duration_text};

/// The mark of an entry that does not compete.
pub const NOT_COMPETING: char = '†';
/// The mark of a run with an unreliable time.
pub const SUSPECT: char = '?';
const UNRELIABLE: &str = "suspect: other processes interfered, so the time is unreliable";

/// The most pairs of neighbours in a table with an explanation of their order.
const MAX_SURPRISES: usize = 3;
/// The mark of a verdict that was set by hand.
pub const RULED: char = '!';

/// A mark and its meaning, both printable.
pub struct Mark {
    /// The mark in the table.
    pub sign: String,
    /// Its meaning, as a fragment.
    pub meaning: String,
    /// The remedy, if there is one.
    pub hint: Option<Hint>,
}

/// Returns the formats of a cell and of a total: `tiles home/moves`, `tiles home/moves/transports`. If the contest declares
/// figures, or answers are accepted or not, they are descriptions instead.
pub fn formats(results: &Results) -> (String, String) {
    let scoring = &*results.scoring;
    if scoring.accepts() {
        return (
            format!("{ACCEPTED} for an accepted answer, else the verdict"),
            "is the number of accepted answers".into(),
        );
    }
    if scoring.total_is_one_text() {
        let titles = |names: &[FigureName]| {
            let figures = names.iter().filter_map(|name| scoring.figure(name));
            figures.map(|figure| printable(figure.title())).collect::<Vec<_>>().join("/")
        };
        return (titles(&scoring.cell), titles(&scoring.total));
    }
    let better = |figure: &Figure| match figure.better {
        Better::Neither => String::new(),
        better => format!("{} is better", better.name()),
    };
    let shown = |names: &[FigureName]| {
        let figures = names.iter().filter_map(|name| scoring.figure(name));
        figures.map(|figure| (figure.name, better(figure))).collect::<Vec<_>>()
    };
    let made = if scoring.groups.is_empty() { "their sum" } else { "made of the boards as their groups say" };
    let (cell, total) = (shown(&scoring.cell), shown(&scoring.total));
    let alone = scoring.main().total == Total::Sum || scoring.main().total == Total::Groups;
    if let ([(one, better)], [(other, _)], true) = (&cell[..], &total[..], alone)
        && one == other
        && *other == scoring.main().name
    {
        let better = if better.is_empty() { String::new() } else { format!(", {better}") };
        return (format!("the {one}{better}"), format!("is {made}"));
    }
    let named = |all: &[(FigureName, String)], separator: &str| {
        let each = all.iter().map(|(name, better)| match better.as_str() {
            "" => name.to_string(),
            better => format!("{name} ({better})"),
        });
        each.collect::<Vec<_>>().join(separator)
    };
    (named(&cell, "/"), format!("has {}", named(&total, ", ")))
}

/// Returns what decides places, most important first, as a sentence without a full stop; `None` if the results do not contain it.
pub fn ranking(results: &Results) -> Option<String> {
    let scoring = &*results.scoring;
    let figure = |name: &FigureName, better: Direction| {
        let title = printable(scoring.figure(name).map_or(name, Figure::title));
        format!("{} {title}", scoring.comparative(*name, better))
    };
    let text = |key: &RankKey| match (key, key.better(scoring)) {
        (RankKey::Figure(name), better) => figure(name, better),
        (RankKey::Time, _) => "less time".into(),
        (RankKey::Relative, _) => "a higher relative score".into(),
        (RankKey::Solved, _) => "more solved boards".into(),
        (RankKey::Failed, _) => "fewer failed runs".into(),
        (RankKey::Unstarted, _) => "fewer runs that never started".into(),
    };
    let list: Vec<String> = results.ranking.iter().map(text).collect();
    (!list.is_empty()).then(|| format!("places by {}", list.join(", then ")))
}

/// The sentence about a table whose file does not contain what decides places. [`Hint::NameFigures`] is the remedy.
pub const UNRANKED: &str = "no places: the file does not say which figures decide them";

/// Lists the marks that the table shows, in the order of the legend. `reasons` is a fragment with the place where the reasons of
/// rulings by hand are. It is omitted without such rulings.
pub fn marks(results: &Results, reasons: &str) -> Vec<Mark> {
    let cells = || results.rows.iter().flat_map(|row| &row.cells);
    let shown = |code: &Code| cells().any(|cell| cell.code == Some(*code));
    let codes = Code::ALL.into_iter().filter(shown);
    let codes = codes.map(|code| (code.to_string(), meaning(code, &results.scoring)));
    let suspect = cells().any(|cell| cell.suspect);
    let ruled = cells().any(|cell| cell.ruled);
    let reconstruction = results.boards.iter().any(|board| board.reconstruction);
    let explained = results.remarks.iter().any(|remark| remark.repeat == 1 && remark.extras.ruling.is_some());
    let by_hand = if explained { format!("ruled by hand; {reasons}") } else { "ruled by hand".into() };
    let others = [
        (suspect, SUSPECT, UNRELIABLE),
        (ruled, RULED, by_hand.as_str()),
        (reconstruction, '*', "a reconstruction, not the board of the original contest"),
    ];
    let others = others.into_iter().filter(|(shown, ..)| *shown).map(|(_, sign, meaning)| (sign.into(), meaning));
    let marks = codes.chain(others).map(|(sign, meaning): (String, &str)| {
        let hint = (meaning == UNRELIABLE).then_some(Hint::RepeatSuspect);
        Mark { sign, meaning: meaning.into(), hint }
    });
    let mut marks: Vec<Mark> = marks.collect();
    if results.rows.iter().any(|row| !row.entry.competing) {
        // The mark of a reconstruction stays last.
        let place = marks.len() - usize::from(reconstruction);
        marks.insert(place, Mark { sign: NOT_COMPETING.into(), meaning: not_competing(results), hint: None });
    }
    marks
}

/// The meaning of a code in a cell, as a fragment.
pub fn meaning(code: Code, scoring: &Scoring) -> &'static str {
    match code {
        // The figures that an answer reached before its fault count only if the declaration allows it.
        Code::Wrong if scoring.main().failed != Failed::Own => "wrong answer",
        Code::IllegalMove if scoring.main().failed != Failed::Own => "an illegal move",
        code => code.meaning(),
    }
}

/// Describes where entries that do not compete are listed.
fn not_competing(results: &Results) -> String {
    let listed = "not competing: listed where it would rank, without a place";
    match better_than_the_winner(&results.rows, &results.ranking).as_slice() {
        [] => listed.into(),
        better => format!("{listed}; below the winner, though better: {}", printable(&better.join(", "))),
    }
}

/// Formats the notes about boards as sentences.
pub fn board_notes(results: &Results) -> impl Iterator<Item = String> {
    results
        .boards
        .iter()
        .filter_map(|board| Some(format!("{}: {}", printable(&board.marked()), printable(board.note.as_ref()?))))
}

/// Lists notes about how answers were judged, as sentences.
pub fn judging(results: &Results) -> impl Iterator<Item = &'static str> {
    let crash = "A crash of the referee counts as a wrong answer (on_crash = \"reject\").";
    let relative = "The relative score is to the best of these results: on each board the value of the best answer divided by \
                    the entry's own, or the other way round if more is better; 0 without an answer.";
    let repeats = "Runs were repeated: cells and totals are of the first of each, comparisons of the median.";
    let any = |has: fn(&Row) -> bool| results.rows.iter().any(has);
    let shown = [
        (results.crash_rejects, crash),
        (any(|row| row.relative.is_some()), relative),
        (any(|row| row.repeats.iter().any(|cells| !cells.is_empty())), repeats),
    ];
    shown.into_iter().filter_map(|(shown, sentence)| shown.then_some(sentence))
}

/// Returns a warning about runs on machines of several models, as a sentence.
pub fn unlike_machines(results: &Results) -> Option<String> {
    let unlike = results.unlike.as_ref()?;
    let model =
        |(model, runs): (&String, &usize)| format!("{} ({})", printable(model), count_text(*runs, "run", "runs"));
    let models: Vec<String> = unlike.models.iter().map(model).collect();
    let boards: Vec<String> = unlike.boards.iter().map(|board| printable(board)).collect();
    let fair = match boards.as_slice() {
        [] => "all entries of a board ran on one model, but times of different boards do not compare".to_owned(),
        boards => format!("times do not compare on {}, where entries ran on different models", boards.join(", ")),
    };
    Some(format!("Runs were executed on processors of {} models: {}; {fair}.", models.len(), models.join(", ")))
}

/// Returns a warning about runs that lacked isolation which others had, as a sentence.
pub fn unlike_isolation(results: &Results) -> Option<String> {
    let isolations: Vec<Isolation> = results.isolation.iter().filter_map(|text| Isolation::parse(text)).collect();
    let lacked = Isolation::differences(isolations.iter())?;
    Some(format!("Some runs were less isolated than others, without {}.", printable(&lacked)))
}

/// The number of digits of a referee's hash that identify it among those of a table.
pub const SHORT_HASH: usize = 12;

/// Returns a warning about rulings of several referees, as a sentence without a full stop. [`Hint::Rejudge`] is the remedy.
pub fn referees(results: &Results) -> Option<String> {
    let referees = results.mixed_referees();
    let each: Vec<String> = referees
        .iter()
        .map(|(hash, rulings)| {
            format!(
                "{} by {}",
                count_text(*rulings, "ruling", "rulings"),
                printable(&hash.chars().take(SHORT_HASH).collect::<String>())
            )
        })
        .collect();
    (referees.len() > 1).then(|| {
        format!("The rulings are of {} referees, so they may not compare: {}", referees.len(), each.join(", "))
    })
}

/// Tests whether a referee program failed in some runs.
pub fn referee_failed(results: &Results) -> bool {
    results.faults.iter().any(|fault| fault.by_referee)
}

/// Returns the number of missing runs and the rows without a place, as sentences.
pub fn incomplete(results: &Results) -> impl Iterator<Item = String> {
    let sentence = |row: &Row| {
        if let Some(why) = &row.entry.withdrawn {
            let (entry, reason) = (printable(&row.entry.name), printable(&why.reason));
            return format!("{entry} is {} and takes no place: {reason}", why.word());
        }
        let judged = row.cells.iter().filter(|cell| cell.judged()).count();
        let boards = row.cells.iter().filter(|cell| !cell.not_planned).count();
        let entry = printable(&row.entry.name);
        format!("{entry} has no place yet: judged on {judged} of {boards} boards")
    };
    let missing = match results.missing() {
        0 => None,
        missing => Some(format!("{missing} of {} are missing", count_text(results.planned(), "run", "runs"))),
    };
    let rows = results.rows.iter().filter(|row| row.entry.withdrawn.is_some() || !row.complete());
    missing.into_iter().chain(rows.map(sentence))
}

/// Explains, as sentences, why an entry is above the next one although the next one solved more boards.
pub fn surprises(results: &Results) -> impl Iterator<Item = String> {
    let decisions = if results.solving() { ranking::decisions(&results.rows, &results.ranking) } else { Vec::new() };
    let surprising = |((first, second), decision): &((usize, usize), Decision)| {
        let [above, below] = &decision.figures;
        let Criterion::Figure(key) = decision.criterion else { return None };
        let names = [first, second].map(|&row| printable(&results.rows[row].entry.name));
        let (solved, more) = above.solved.zip(below.solved)?;
        (solved < more).then(|| {
            format!(
                "{} is above {}, which solved more boards ({solved} and {more} of {}), by {}: {} and {}",
                names[0],
                names[1],
                above.boards,
                printable(&figure_heading(results, key, decision.round)),
                figure_text(key, above),
                figure_text(key, below)
            )
        })
    };
    let all: Vec<String> = decisions.iter().filter_map(surprising).collect();
    let more = all.len().checked_sub(MAX_SURPRISES).filter(|&more| more > 0);
    let more = more.map(|more| {
        format!("so it is with {}", count_text(more, "more pair of neighbours", "more pairs of neighbours"))
    });
    all.into_iter().take(MAX_SURPRISES).chain(more)
}

/// Explains the rounds and what the table omits, as sentences.
pub fn rounds(results: &Results) -> impl Iterator<Item = String> {
    let heading = |round: &RoundHead| {
        let took_part = results.rows.iter().filter(|row| row.entry.withdrawn.is_none() && row.rounds() >= round.number);
        let limit = round.limit_ms.map_or(String::new(), |limit| format!(", {} per board", duration_text(limit)));
        format!("{}: {}{limit}", printable(&round.title()), count_text(took_part.count(), "entry", "entries"))
    };
    let order = (results.rounds.len() > 1)
        .then(|| "the last round that an entry reached decides its place, then the rounds before".to_owned());
    let absent = results.absent.iter().map(|sentence| printable(sentence));
    results.rounds.iter().map(heading).chain(order).chain(absent)
}

/// A column of a table between the names and the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Column {
    /// The cells of a board, by its index.
    Board(usize),
    /// The totals of a round, from 1. In a contest with one round, they are those of all boards.
    Total(u32),
    /// A figure of a round that decides places and that totals do not contain, by rule 40 of docs/scoring.md.
    Figure(RankKey, u32),
}

/// Lists the columns round by round: the boards, the total, and the other deciding figures. The total time has a separate column.
pub fn columns(results: &Results) -> Vec<Column> {
    let mut columns = Vec::with_capacity(results.boards.len() + 1);
    let deciding = deciding(results);
    let figures = |round: u32| {
        let shown = results.ranking.iter().filter(|key| has_column(results, **key, deciding.contains(&(**key, round))));
        let shown = shown.map(|&key| Column::Figure(key, round));
        // If the total has several figures, each has a column.
        let totals: Vec<Column> = match &results.scoring.total[..] {
            several @ [_, _, ..] if !results.scoring.total_is_one_text() => {
                several.iter().map(|&name| Column::Figure(RankKey::Figure(name), round)).collect()
            }
            _ => vec![Column::Total(round)],
        };
        totals.into_iter().chain(shown).collect::<Vec<_>>()
    };
    let mut round = results.boards.first().map_or(1, |board| board.round);
    for (index, board) in results.boards.iter().enumerate() {
        if board.round != round {
            columns.extend(figures(round));
        }
        round = board.round;
        columns.push(Column::Board(index));
    }
    columns.extend(figures(round));
    columns
}

/// The rounds that have boards, from 1; round 1 without boards.
pub fn shown_rounds(results: &Results) -> BTreeSet<u32> {
    let rounds: BTreeSet<u32> = results.boards.iter().map(|board| board.round).collect();
    if rounds.is_empty() { BTreeSet::from([1]) } else { rounds }
}

/// The figures that put an entry above the next one, each with the round, from 1.
pub fn deciding(results: &Results) -> HashSet<(RankKey, u32)> {
    let decisions = ranking::decisions(&results.rows, &results.ranking).into_iter();
    let figure = |(_, decision): ((usize, usize), Decision)| match decision.criterion {
        Criterion::Figure(key) => Some((key, decision.round)),
        Criterion::Rounds => None,
    };
    decisions.filter_map(figure).collect()
}

/// Tests whether time puts an entry above the next one.
pub fn time_decides(results: &Results) -> bool {
    deciding(results).iter().any(|(key, _)| *key == RankKey::Time)
}

/// Tests whether a figure of the ranking has a separate column in a round: totals do not contain it, and it decides there or
/// comes first.
fn has_column(results: &Results, key: RankKey, decides: bool) -> bool {
    match key {
        RankKey::Figure(name) => {
            let first = results.ranking.first() == Some(&key);
            !results.scoring.total.contains(&name) && (decides || first)
        }
        RankKey::Relative => true,
        RankKey::Solved if results.scoring.accepts() => false,
        RankKey::Solved => decides || results.solving() && results.ranking.first() == Some(&key),
        RankKey::Failed | RankKey::Unstarted => decides,
        RankKey::Time => decides && results.rounds.len() > 1,
    }
}

/// Returns the heading of a column with a figure.
pub fn figure_heading(results: &Results, key: RankKey, round: u32) -> String {
    let what = match &key {
        RankKey::Figure(name) => results.scoring.figure(name).map_or(&**name, Figure::title),
        RankKey::Time => "time",
        RankKey::Relative => "relative score",
        RankKey::Solved => SOLVED,
        RankKey::Failed => "failed",
        RankKey::Unstarted => "not started",
    };
    match results.rounds.iter().find(|head| head.number == round) {
        Some(head) => format!("{what}, {}", head.title()),
        None => what.to_owned(),
    }
}

/// Returns the texts of a column with a figure, one per row. A text is empty if the entry did not take part in the round.
pub fn figure(results: &Results, key: RankKey, round: u32) -> Vec<String> {
    let of_row = |(row, rounds): (&Row, Vec<RoundFigures>)| {
        let figures = usize::try_from(round).ok().and_then(|round| rounds.get(round.checked_sub(1)?).cloned());
        match figures.filter(|_| row.entry.withdrawn.is_none()) {
            Some(figures) => figure_text(key, &figures),
            None => String::new(),
        }
    };
    results.rows.iter().zip(ranking::figures(&results.rows)).map(of_row).collect()
}

/// Returns the text of a figure; `-` if it is not known.
fn figure_text(key: RankKey, figures: &RoundFigures) -> String {
    let text = match key {
        RankKey::Figure(name) => figures.figure(name).map(|figure| figure.to_string()),
        RankKey::Time => figures.total.time_ms().map(|time| format!("{time} ms")),
        RankKey::Relative => figures.relative.map(relative::text),
        RankKey::Solved => figures.solved.map(|solved| format!("{solved} of {}", figures.boards)),
        RankKey::Failed => Some(figures.failed.to_string()),
        RankKey::Unstarted => Some(figures.unstarted.to_string()),
    };
    text.unwrap_or_else(|| "-".into())
}

/// Returns the heading of a column with totals.
pub fn total_heading(results: &Results, round: u32) -> String {
    let boards = results.boards.iter().filter(|board| board.round == round).count();
    let what =
        if results.scoring.total_is_one_text() { "total" } else { &*Scoring::names(&results.scoring.total, " ") };
    match results.rounds.iter().find(|head| head.number == round) {
        Some(head) => format!("{} ({boards})", head.title()),
        None => format!("{what} ({})", results.boards.len()),
    }
}

/// Returns the text of a total; empty if the entry did not take part in the round.
pub fn total(results: &Results, row: &Row, round: u32) -> String {
    if results.rounds.is_empty() {
        return row.total_text(&row.total);
    }
    row.total_in(round).map_or(String::new(), |total| row.total_text(&total))
}

/// Returns the text of a cell with its mark.
pub fn cell(cell: &RunCell) -> String {
    let marks = [(cell.suspect, SUSPECT), (cell.ruled, RULED)];
    cell.text() + &marks.into_iter().filter_map(|(shown, mark)| shown.then_some(mark)).collect::<String>()
}
