//! `judge rule`: sets a verdict by hand.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::results_csv::write_results_csv;
use super::{DONE, Done, Failure, recorded};
use judge_contest::open_contest::OpenContest;
use judge_core::advance;
use judge_core::figure::{Failed, RefereeFigures};
use judge_core::journal::{ContestState, Line, ManualRuling, Record, RulingUndone};
use judge_core::plan::Plan;
use judge_core::points::Points;
use judge_core::results::run_name;
use judge_core::text::{printable, unknown};
use judge_core::verdict::Verdict;
use judge_report::directory::argument;

/// Set the verdict of a run by hand, with a public reason
///
/// The run must have been executed. Figures that are not given stay as they are, except the progress: it becomes the
/// goal of the board if the verdict is now solved, and 0 if it is no longer. The reason is shown with the verdict in
/// every table and on the page. A later ruling, or a repetition of the run, replaces this one. `--undo` undoes the
/// last ruling on a run; the history keeps both.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge rule runs/1 mine A wrong --because \"it prints another entry's answer\"
  judge rule runs/1 mine A solved --because \"the referee crashed on it\"
  judge rule runs/1 mine A valid --figure score=12.5 --because \"checked\" --by \"A. Referee\"
  judge rule runs/1 mine A --against other --points 1,0 --because \"the referee was wrong\"
  judge rule runs/1 mine A --undo --because \"the other entry was the copy\"")]
pub(super) struct Args {
    /// Results directory
    #[arg(value_parser = super::runs::path())]
    results: PathBuf,

    #[command(flatten)]
    ruling: RulingArgs,
}

/// A run, and the verdict that it gets.
#[derive(Debug, clap::Args)]
pub(super) struct RulingArgs {
    /// Entry, by name
    #[arg(add = super::candidates::entries())]
    entry: String,

    /// Board, by name
    board: String,

    /// The verdict from now on
    #[arg(required_unless_present_any = ["undo", "points"])]
    verdict: Option<Chosen>,

    /// Another entry of a game, whose first seat is ENTRY; several in the order of their seats
    #[arg(long, value_name = "ENTRY", add = super::candidates::entries())]
    against: Vec<String>,

    /// The points of a game from now on, in the order of its seats, with commas between them
    #[arg(
        long,
        value_name = "P,P",
        value_delimiter = ',',
        allow_hyphen_values = true,
        requires = "against",
        conflicts_with = "verdict"
    )]
    points: Vec<String>,

    /// Undo the last ruling by hand on this run
    #[arg(long, conflicts_with_all = ["verdict", "points"])]
    undo: bool,

    /// The reason, for everybody to read; with --undo it may be left out
    #[arg(long, value_name = "REASON", required_unless_present = "undo")]
    because: Option<String>,

    /// Who rules, for everybody to read
    #[arg(long, value_name = "NAME", value_parser = name)]
    by: Option<String>,

    /// A figure of the contest; those of a game are progress, moves and tie_break
    #[arg(long = "figure", value_name = "NAME=NUMBER", value_parser = figure, allow_hyphen_values = true)]
    figures: Vec<(String, String)>,

    /// The round of the run [default: the last one that has it]
    #[arg(long, value_name = "N")]
    round: Option<u32>,

    /// The repeat of the run
    #[arg(long, value_name = "N", default_value = "1")]
    repeat: u32,
}

/// A verdict that can be set by hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Chosen {
    /// The answer solves the board
    Solved,
    /// It is legal and does not reach the goal
    Unsolved,
    /// It is legal, and nothing solves the board
    Valid,
    /// It is wrong
    Wrong,
}

/// A name, as an argument: one line that a table can show.
fn name(text: &str) -> Result<String, String> {
    let text = text.trim();
    match text.is_empty() || text.chars().any(char::is_control) {
        true => Err("a name is one line of text".into()),
        false => Ok(text.to_owned()),
    }
}

/// A figure, as an argument.
fn figure(text: &str) -> Result<(String, String), String> {
    let (name, number) = text.split_once('=').ok_or("write NAME=NUMBER, for example --figure moves=94")?;
    Ok((name.to_owned(), number.to_owned()))
}

impl Args {
    pub(super) fn execute(self, out: &mut dyn Write) -> Done {
        let Self { results, ruling } = self;
        super::check_not_final(&results)?;
        let open_contest = OpenContest::decide(&results, super::clock).map_err(|error| Failure::journal(&error))?;
        let contents = recorded::read(&results).map_err(|error| Failure::journal(&error))?;
        let (line, record) = ruling.line(&contents, &results)?;
        let before = outcome_text(record);
        let after = open_contest.preview(std::slice::from_ref(&line)).map_err(Failure::judge)?;
        let now = after.records.iter().find(|after| after.key == record.key).map(outcome_text);
        open_contest.update(vec![line]).map_err(Failure::judge)?;
        drop(open_contest);
        let falls = advance::again(&write_results_csv(&results)?).is_some();
        let name = ruling.name();
        writeln!(out, "{name}: {} (before: {})", printable(&now.unwrap_or_default()), printable(&before))?;
        if falls {
            let results = argument(&results);
            writeln!(out, "other games follow from the results now: `judge update {results} --dry-run` names them")?;
        }
        Ok(DONE)
    }
}

/// The verdict of a run, or the points of a game.
fn outcome_text(record: &Record) -> String {
    let played = record.extras.played.as_ref().filter(|_| !record.is_judge_error());
    played.map_or_else(|| record.verdict.summary(), |played| played.to_string())
}

impl RulingArgs {
    /// The ruling, for the caller to record.
    #[cfg(feature = "sandbox")]
    pub(super) fn by_hand(&self, contents: &ContestState, results: &Path) -> Result<ManualRuling, Failure> {
        match self.line(contents, results)? {
            (Line::Ruling(ruling), _) => Ok(*ruling),
            _ => Err(Failure::input("take a ruling back with `judge rule … --undo` while nothing judges the contest")),
        }
    }

    /// The event of the ruling, and the record of its run.
    fn line<'c>(&self, contents: &'c ContestState, results: &Path) -> Result<(Line, &'c Record), Failure> {
        if self.because.as_ref().is_some_and(|because| because.trim().is_empty()) {
            return Err(Failure::input("--because is empty; give the reason, for everybody to read"));
        }
        let record = self.record(contents, results)?;
        let line = match self.verdict {
            _ if !self.points.is_empty() => self.of_game(&contents.plan, record)?,
            Some(_) if contents.plan.match_rules.is_some() => {
                return Err(Failure::input(
                    "a game is ruled by the points of its seats: write for example --points 1,0",
                ));
            }
            Some(chosen) => self.ruling(chosen, contents, record)?,
            None => self.undone(record)?,
        };
        Ok((line, record))
    }

    /// The latest record of the run. Fails if the run does not count.
    fn record<'a>(&self, contents: &'a ContestState, results: &Path) -> Result<&'a Record, Failure> {
        let (plan, name) = (&contents.plan, self.name());
        let entries: Vec<&str> = plan.entries.iter().map(|entry| entry.name.as_str()).collect();
        let boards = plan.boards.iter().map(|board| board.name.as_str()).collect();
        let wanted = self.seats().map(|entry| ("entry", entry, entries.clone()));
        for (what, wanted, known) in wanted.chain([("board", &self.board, boards)]) {
            if !known.contains(&wanted.as_str()) {
                return Err(Failure::input(unknown(what, wanted, known)));
            }
        }
        let results = argument(results);
        let out = |what: &str, is: String, key: &str| {
            Failure::input(format!(
                "{what} is {is}, so a ruling on it would not count; to bring it back, take `{key}` out of the contest file \
                 and use `judge update {results}`, then rule"
            ))
        };
        if let Some(why) = contents.struck.get(&self.board) {
            return Err(out(&format!("board {}", self.board), format!("struck ({why})"), "struck"));
        }
        if let Some((entry, withdrawal)) = self.seats().find_map(|entry| Some((entry, contents.withdrawn.get(entry)?)))
        {
            let word = withdrawal.word();
            return Err(out(&format!("entry {entry}"), format!("{word} ({})", withdrawal.reason), word));
        }
        let fits = |record: &&Record| {
            let key = &record.key;
            key.seats().map(|seat| &**seat).eq(self.seats().map(String::as_str))
                && *key.board == *self.board
                && key.repeat == self.repeat
                && self.round.is_none_or(|round| round == key.round)
        };
        contents.records.iter().rev().find(fits).ok_or_else(|| {
            Failure::input(format!(
                "{name} was not run yet, so there is nothing to rule on; run it with `judge resume {results}`"
            ))
        })
    }

    /// The entries of the run or the game, in the order of its seats.
    fn seats(&self) -> impl Iterator<Item = &String> {
        std::iter::once(&self.entry).chain(&self.against)
    }

    /// The name of the run or the game.
    fn name(&self) -> String {
        let seats: Vec<&str> = self.seats().map(String::as_str).collect();
        run_name(&seats.join(" against "), &self.board, self.repeat)
    }

    /// The points of a game.
    fn of_game(&self, plan: &Plan, record: &Record) -> Result<Line, Failure> {
        let decimals = plan.match_rules.as_ref().map(|rules| rules.decimals);
        let decimals =
            decimals.ok_or_else(|| Failure::input("no entry plays another in this contest; give a verdict"))?;
        let seats = self.seats().count();
        if self.points.len() != seats {
            return Err(Failure::input(format!("--points has {}, and the game has {seats} seats", self.points.len())));
        }
        let points = self.points.iter().map(|text| Points::parse(text.trim(), decimals)).collect::<Result<Vec<_>, _>>();
        let points = points.map_err(|error| Failure::input(format!("--points: {error}")))?;
        let figures = plan.scoring.as_ref().zip(points.first()).map(|(scoring, first)| (scoring.main().name, *first));
        let verdict = Verdict::Valid(RefereeFigures::new(figures.into_iter().collect()));
        let mut ruling = ManualRuling::new(record.key.clone(), verdict, self.because.clone().unwrap_or_default());
        (ruling.by, ruling.points) = (self.by.clone(), points);
        Ok(Line::Ruling(Box::new(ruling)))
    }

    fn ruling(&self, chosen: Chosen, contents: &ContestState, record: &Record) -> Result<Line, Failure> {
        let because = self.because.clone().unwrap_or_default();
        let verdict = self.verdict(chosen, &because, contents, record).map_err(Failure::input)?;
        let mut ruling = ManualRuling::new(record.key.clone(), verdict, because);
        ruling.by.clone_from(&self.by);
        Ok(Line::Ruling(Box::new(ruling)))
    }

    fn undone(&self, record: &Record) -> Result<Line, Failure> {
        if record.extras.ruling.is_none() {
            let name = self.name();
            let verdict = record.verdict.summary();
            return Err(Failure::input(format!(
                "{name} is not ruled by hand, so nothing can be taken back: {verdict}"
            )));
        }
        let mut undone = RulingUndone::new(record.key.clone());
        (undone.because, undone.by) = (self.because.clone(), self.by.clone());
        Ok(Line::RulingUndone(Box::new(undone)))
    }

    /// The verdict with its figures; the error is a fragment.
    fn verdict(
        &self,
        chosen: Chosen,
        because: &str,
        contents: &ContestState,
        record: &Record,
    ) -> Result<Verdict, String> {
        let plan = &contents.plan;
        if plan.figures().accepts() && matches!(chosen, Chosen::Unsolved | Chosen::Valid) {
            return Err("answers of this contest are accepted or not; use `solved` or `wrong`".into());
        }
        if plan.problem_of(&record.key.board).referee.is_none() && chosen == Chosen::Valid {
            return Err("boards of this game can be solved; use `solved` or `unsolved`".into());
        }
        let given = self.given(chosen, contents, record)?;
        let fits = given.solves().is_none_or(|solves| solves == (chosen == Chosen::Solved));
        if !fits && chosen != Chosen::Wrong {
            return Err(format!("{given} does not fit; a board is solved exactly if the first figure is full"));
        }
        Ok(match chosen {
            Chosen::Solved => Verdict::Solved(given),
            Chosen::Unsolved => Verdict::Unsolved(given),
            Chosen::Valid => Verdict::Valid(given),
            Chosen::Wrong => Verdict::Wrong { given: plan.ruled_wrong(&given), reason: because.to_owned() },
        })
    }

    /// The new figures of the run: those of the arguments, else its present ones.
    fn given(&self, chosen: Chosen, contents: &ContestState, record: &Record) -> Result<RefereeFigures, String> {
        let (plan, scoring) = (&contents.plan, contents.plan.figures());
        let before = record.verdict.given().cloned().unwrap_or_default();
        // All runs on a board have the same full progress.
        let on_board = contents.records.iter().filter(|other| other.key.board == record.key.board);
        let full = before.full.or_else(|| on_board.filter_map(|other| other.verdict.given()?.full).next());
        let board = plan.boards.iter().find(|board| *board.name == *record.key.board);
        let usual = board.and_then(|board| board.points).or(scoring.main().full);
        let mut given: Vec<(String, String)> = self.figures.clone();
        let mut figures = Vec::new();
        for (at, figure) in scoring.given().enumerate() {
            let place = given.iter().position(|(name, _)| *name == *figure.name);
            let solves = chosen == Chosen::Solved && at == 0;
            let value = match place.map(|place| given.remove(place)) {
                Some((name, _)) if chosen == Chosen::Wrong && figure.failed != Failed::Own => {
                    return Err(format!("a wrong answer has no figure `{name}`; omit --figure {name}"));
                }
                Some((name, number)) => {
                    Some(figure.parse(&number).map_err(|error| format!("--figure {name}: {error}"))?)
                }
                None => full.filter(|_| solves).or(before.figures.get(&figure.name)).or(usual.filter(|_| solves)),
            };
            if value.is_none() && chosen != Chosen::Wrong {
                let name = figure.name;
                return Err(format!("this contest has the figure `{name}`; give it with --figure {name}=NUMBER"));
            }
            figures.extend(value.map(|value| (figure.name, value)));
        }
        if let Some((name, _)) = given.first() {
            return Err(unknown("figure", name, scoring.given().map(|figure| &*figure.name)));
        }
        Ok(RefereeFigures { figures: figures.into_iter().collect(), full })
    }
}
