//! `judge games`: lists the games of a contest of matches.

use std::io::{self, Write};
use std::path::PathBuf;

use serde::Serialize;

use super::{DONE, Done, Failure, recorded};
use judge_core::figure::Figures;
use judge_core::journal::{ContestState, Record};
use judge_core::key::RunKey;
use judge_core::matches::{GameResult, Played};
use judge_core::points::Points;
use judge_core::results::{Game, GameState};
use judge_core::text::printable;
use judge_report::layout::{Column, Grid};

/// List the games of a contest in which entries play each other: seats, points, faults and times
///
/// With --json, every game is a line: those that are still to be played, too, and those that do not count, because an
/// entry of them was withdrawn, their board was struck, or other pairs follow from the results now.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge games runs/1
  judge games runs/1 --entry mine --entry other
  judge games runs/1 --json > games.jsonl     for programs; docs/json.md has the members")]
pub(super) struct Args {
    /// Results directory
    #[arg(value_parser = super::runs::path())]
    results: PathBuf,

    /// Only games in which this entry has a seat; several: only those in which all of them have one
    #[arg(long = "entry", value_name = "NAME", add = super::candidates::entries())]
    entries: Vec<String>,

    /// Print a line of JSON for each game
    #[arg(long)]
    json: bool,
}

/// A game, as a line of JSON.
#[derive(Serialize)]
struct Line<'a> {
    round: u32,
    board: &'a str,
    /// `played`, `missing`, `judge_error` or `not_built`.
    state: &'static str,
    /// False if an entry was withdrawn, the board was struck, or current results pair other entries.
    counts: bool,
    seats: Vec<Seat<'a>>,
    /// The number of the attempt; `None` before the first one.
    attempt: Option<u32>,
    /// The reason of a judge error.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    suspect: Option<&'a str>,
    /// The reason of the ruling by hand that set the points, and who ruled.
    #[serde(skip_serializing_if = "Option::is_none")]
    ruling: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ruled_by: Option<&'a str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    notes: &'a [String],
}

/// A seat of a game. Everything but its entry is `None` unless the game was played.
#[derive(Serialize)]
struct Seat<'a> {
    entry: &'a str,
    points: Option<Points>,
    result: Option<GameResult>,
    /// The figures that the contest declares, by name; `None` if the referee gave none.
    #[serde(skip_serializing_if = "Option::is_none")]
    figures: Option<&'a Figures>,
    fault: Option<Fault>,
    asks: Option<u64>,
    used_us: Option<u64>,
    longest_us: Option<u64>,
    cpu_us: Option<u64>,
    memory_bytes: Option<u64>,
}

/// The fault that ended a seat's play.
#[derive(Serialize)]
struct Fault {
    /// The number of the ask, from 1.
    ask: u64,
    verdict: &'static str,
    reason: String,
}

impl Args {
    pub(super) fn execute(self, out: &mut dyn Write) -> Done {
        let contents = recorded::read(&self.results).map_err(Failure::input)?;
        if contents.plan.match_rules.is_none() {
            return Err(Failure::input(format!(
                "{}: no entry plays another in this contest; `judge rank` shows its runs",
                self.results.display()
            )));
        }
        let known: Vec<&str> = contents.plan.entries.iter().map(|entry| entry.name.as_str()).collect();
        if let Some(unknown) = self.entries.iter().find(|entry| !known.contains(&entry.as_str())) {
            return Err(Failure::input(judge_core::text::unknown("entry", unknown, known)));
        }
        let wanted = |key: &&RunKey| self.entries.iter().all(|entry| key.has(entry));
        let fallen: Vec<RunKey> = contents.unplanned().filter_map(|run| contents.key_of(run)).collect();
        let games: Vec<&RunKey> = contents.order().iter().chain(&fallen).filter(wanted).collect();
        if self.json {
            for key in games {
                let game = Game::new(key.clone(), contents.record(key));
                serde_json::to_writer(&mut *out, &Line::new(&game, &contents)).map_err(io::Error::from)?;
                writeln!(out)?;
            }
        } else {
            writeln!(out, "{}", table(&games, &contents))?;
        }
        Ok(DONE)
    }
}

impl<'a> Line<'a> {
    fn new(game: &'a Game, contents: &'a ContestState) -> Self {
        let key = &game.key;
        let record = contents.record(key);
        let (state, reason) = state_of(game, record);
        let played = game.played();
        let extras = record.map(|record| &record.extras);
        Self {
            round: key.round,
            board: &key.board,
            state,
            counts: counts(contents, key),
            seats: key.seats().enumerate().map(|(seat, entry)| Seat::new(entry, seat, played)).collect(),
            attempt: record.map(|record| record.attempt),
            reason,
            suspect: extras.and_then(|extras| extras.suspect.as_deref()),
            ruling: extras.and_then(|extras| extras.ruling.as_deref()),
            ruled_by: extras.and_then(|extras| extras.ruled_by.as_deref()),
            notes: extras.map_or(&[], |extras| &extras.notes),
        }
    }
}

/// The state of a game as a word, and the reason if it was not played.
fn state_of(game: &Game, record: Option<&Record>) -> (&'static str, Option<String>) {
    let reason = || record.and_then(|record| record.verdict.fault());
    match game.state {
        GameState::Missing => ("missing", None),
        GameState::JudgeError => ("judge_error", reason()),
        GameState::Unbuilt(_) => ("not_built", reason()),
        _ => ("played", None),
    }
}

impl<'a> Seat<'a> {
    fn new(entry: &'a str, seat: usize, played: Option<&'a Played>) -> Self {
        let result = played.and_then(|played| played.seats.get(seat));
        let fault = result.and_then(|result| result.fault.as_ref()).map(|fault| Fault {
            ask: fault.ask,
            verdict: fault.verdict.name(),
            reason: fault.verdict.fault().unwrap_or_default(),
        });
        Self {
            entry,
            points: result.map(|result| result.points),
            figures: result.map(|result| &result.figures).filter(|figures| !figures.is_empty()),
            result: result.and(played).map(|played| played.outcome(seat)),
            fault,
            asks: result.map(|result| result.asks),
            used_us: result.map(|result| result.used_us),
            longest_us: result.map(|result| result.longest_us),
            cpu_us: result.and_then(|result| result.cpu_us),
            memory_bytes: result.and_then(|result| result.memory_bytes),
        }
    }
}

/// Tests whether a game counts: the results pair its entries, and its entries and board are in the contest.
fn counts(contents: &ContestState, key: &RunKey) -> bool {
    contents.counts(key) && contents.index_of(key).is_some()
}

/// A row for each game.
fn table(games: &[&RunKey], contents: &ContestState) -> Grid {
    let rows: Vec<(Game, Option<&Record>)> = games
        .iter()
        .map(|key| contents.record(key))
        .zip(games)
        .map(|(record, key)| (Game::new((*key).clone(), record), record))
        .collect();
    let faults = |game: &Game| {
        let seats = game.played().into_iter().flat_map(|played| &played.seats);
        let faults = seats.zip(game.key.seats()).filter_map(|(seat, entry)| {
            let fault = seat.fault.as_ref()?;
            Some(format!("{entry}: {}", fault.verdict.fault().unwrap_or_default()))
        });
        faults.collect::<Vec<_>>().join("; ")
    };
    let result = |(game, record): &(Game, Option<&Record>)| {
        let ruled = record.is_some_and(|record| record.extras.ruling.is_some());
        let text = game.played().map_or_else(|| state_of(game, *record).0.replace('_', " "), Played::to_string);
        format!("{text}{}", if ruled { " (by hand)" } else { "" })
    };
    let note = |(game, record): &(Game, Option<&Record>)| {
        let counts = if counts(contents, &game.key) { "" } else { "does not count" };
        let reason = state_of(game, *record).1.unwrap_or_default();
        let all = [counts.to_owned(), faults(game), reason];
        printable(&all.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("; "))
    };
    let seats = |key: &RunKey| printable(&key.seats().map(|seat| &**seat).collect::<Vec<_>>().join(" - "));
    let mut grid = Grid::new(vec![
        Column::new("board", rows.iter().map(|(game, _)| printable(&game.key.board))),
        Column::new("seats", rows.iter().map(|(game, _)| seats(&game.key))),
        Column::new("points", rows.iter().map(result)),
    ]);
    if rows.iter().any(|row| !note(row).is_empty()) {
        grid.push(Column::new("faults and notes", rows.iter().map(note)));
    }
    grid
}
