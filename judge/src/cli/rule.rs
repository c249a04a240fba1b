//! `judge rule`: sets a verdict by hand.

use std::io::Write;
use std::path::PathBuf;

use clap::ValueEnum;

use super::results_csv::write_results_csv;
use super::{DONE, Done, Failure};
use judge_contest::journal::Journal;
use judge_core::game::Score;
use judge_core::journal::{Line, ManualRuling, Record};
use judge_core::plan::Plan;
use judge_core::points::Points;
use judge_core::results::run_name;
use judge_core::score::JudgedBy;
use judge_core::text::{printable, unknown};
use judge_core::verdict::Verdict;

/// Set the verdict of a run by hand, with a public reason
///
/// The run must have been made. Figures that are not given stay as they are. The reason is shown beside the verdict in
/// every table and on the page. A later ruling, and a repetition of the run, replace this one.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge rule runs/1 mine A wrong --because \"it prints another entry's answer\"
  judge rule runs/1 mine A solved --because \"the referee crashed on it\"
  judge rule runs/1 mine A valid --score 12.5 --because \"checked by hand\"")]
pub(super) struct Args {
    /// Results directory
    results: PathBuf,

    /// Entry, by name
    entry: String,

    /// Board, by name
    board: String,

    /// The verdict from now on
    verdict: Chosen,

    /// The reason, for everybody to read
    #[arg(long, value_name = "REASON")]
    because: String,

    /// Points, in a contest with a score
    #[arg(long, value_name = "POINTS", allow_hyphen_values = true)]
    score: Option<String>,

    /// Progress
    #[arg(long, value_name = "N")]
    progress: Option<u64>,

    /// The progress that solves the board
    #[arg(long, value_name = "N")]
    of: Option<u64>,

    /// Moves
    #[arg(long, value_name = "N")]
    moves: Option<u64>,

    /// The tie-break
    #[arg(long, value_name = "N")]
    tie_break: Option<u64>,

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
    /// It is legal and stops short of the goal
    Unsolved,
    /// It is legal, and nothing solves the board
    Valid,
    /// It is wrong
    Wrong,
}

impl Args {
    pub(super) fn execute(self, out: &mut dyn Write) -> Done {
        if self.because.trim().is_empty() {
            return Err(Failure::input("--because is empty; give the reason, for everybody to read"));
        }
        let (mut journal, contents) = Journal::resume(&self.results, super::clock).map_err(Failure::input)?;
        let (plan, name) = (&contents.plan, run_name(&self.entry, &self.board, self.repeat));
        for (what, wanted, known) in [
            ("entry", &self.entry, plan.entries.iter().map(|entry| entry.name.as_str()).collect::<Vec<_>>()),
            ("board", &self.board, plan.boards.iter().map(|board| board.name.as_str()).collect()),
        ] {
            if !known.contains(&wanted.as_str()) {
                return Err(Failure::input(unknown(what, wanted, known)));
            }
        }
        let fits = |record: &&Record| {
            let key = &record.key;
            *key.entry == *self.entry
                && *key.board == *self.board
                && key.repeat == self.repeat
                && self.round.is_none_or(|round| round == key.round)
        };
        let record = contents.records.iter().rev().find(fits).ok_or_else(|| {
            let results = shell_words::quote(&self.results.to_string_lossy()).into_owned();
            Failure::input(format!(
                "{name} was not run yet, so there is nothing to rule on; run it with `judge run --resume {results}`"
            ))
        })?;
        let verdict = self.verdict(plan, record).map_err(Failure::input)?;
        let (key, because) = (record.key.clone(), self.because.clone());
        let (before, now) = (record.verdict.summary(), verdict.summary());
        let ruling = ManualRuling { key, verdict, because };
        journal.append(&[Line::Ruling(Box::new(ruling))]).map_err(Failure::judge)?;
        drop(journal);
        write_results_csv(&self.results)?;
        writeln!(out, "{name}: {} (before: {})", printable(&now), printable(&before))?;
        Ok(DONE)
    }

    /// The verdict with its figures; the error is a fragment.
    fn verdict(&self, plan: &Plan, record: &Record) -> Result<Verdict, String> {
        let accepted_or_not = plan.judged_by_on(&record.key.board) == JudgedBy::Acceptance;
        if accepted_or_not && plan.scoring.is_none() && matches!(self.verdict, Chosen::Unsolved | Chosen::Valid) {
            return Err("answers of this contest are accepted or not; use `solved` or `wrong`".into());
        }
        let mut score = record.verdict.score().unwrap_or(Score { of: 1, ..Score::default() });
        score.of = self.of.unwrap_or(score.of);
        score.progress = self.progress.unwrap_or(match self.verdict {
            Chosen::Solved => score.of,
            Chosen::Unsolved | Chosen::Valid if score.progress == score.of => 0,
            _ => score.progress,
        });
        score.moves = self.moves.unwrap_or(score.moves);
        score.tie_break = self.tie_break.unwrap_or(score.tie_break);
        if score.solved() != (self.verdict == Chosen::Solved) && self.verdict != Chosen::Wrong {
            let Score { progress, of, .. } = score;
            return Err(format!(
                "progress {progress} of {of} does not fit; a board is solved exactly if both are equal"
            ));
        }
        score.points = match (&self.score, &plan.scoring) {
            (Some(_), None) => return Err("--score is for contests with points, and this one has none".into()),
            (Some(text), Some(scoring)) => {
                Some(Points::parse(text, scoring.decimals).map_err(|error| format!("--score: {error}"))?)
            }
            (None, Some(scoring)) if self.verdict != Chosen::Wrong => {
                let board = plan.boards.iter().find(|board| *board.name == *record.key.board);
                let usual = board.and_then(|board| board.points).or(scoring.full);
                let usual = usual.filter(|_| self.verdict == Chosen::Solved);
                let points = score.points.or(usual);
                Some(points.ok_or("this contest has points; give them with --score")?)
            }
            (None, _) => None,
        };
        Ok(match self.verdict {
            Chosen::Solved => Verdict::Solved(score),
            Chosen::Unsolved => Verdict::Unsolved(score),
            Chosen::Valid => Verdict::Valid(score),
            Chosen::Wrong if self.score.is_some() => return Err("a wrong answer has no points; omit --score".into()),
            Chosen::Wrong => Verdict::Wrong { score: Score { points: None, ..score }, reason: self.because.clone() },
        })
    }
}
