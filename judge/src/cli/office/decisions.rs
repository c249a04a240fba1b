//! The organiser's decisions, as commands that write the office's log. A site that judges the same folder follows them.

use std::io::Write;
use std::path::{Path, PathBuf};

use judge_contest::Contest;
use judge_contest::office::{Times, moment};
use judge_core::date::Date;
use judge_core::journal::{ContestState, JournalError};
use judge_core::text::printable;
use judge_office::judging::results_of;
use judge_office::line::{Decision, Message, Order};
use judge_office::submission_state::SubmissionStates;
use judge_office::view::Viewer;
use judge_office::{Office, backup};

use super::super::office_folder::{clock, done, failure, judged, office_of};
use super::super::rule::RulingArgs;
use super::super::team::Links;
use super::super::{DONE, Done, Failure};
use super::{number, open};

/// Decisions on submissions, teams, boards and times
#[derive(Debug, clap::Subcommand)]
pub(in crate::cli) enum Command {
    /// Judge a late submission
    Admit(Decided),
    /// Keep a submission from being judged until it is released
    Hold(Decided),
    /// Judge a held submission; after judge errors it gets three more attempts
    Release(Decided),
    /// Withdraw a submission before it is judged, as its team can
    Cancel(Decided),
    /// Exclude a judged submission from the results
    Ignore(Decided),
    /// Let an ignored submission count again
    Consider(Decided),
    /// Choose the submission that counts for a team, in a contest with counts = "chosen"
    Choose {
        /// Folder of the contest
        contest: PathBuf,

        /// Name of the team
        team: String,

        /// Number of the submission
        submission: String,
    },
    /// Take a team out of the ranking, with a public reason
    Disqualify(OnName),
    /// Put a disqualified team back into the ranking, with a public reason
    Reinstate(OnName),
    /// Take a board out of the results, with a public reason
    Strike(OnName),
    /// Put a struck board back into the results, with a public reason
    Unstrike(OnName),
    Rule(Box<Rule>),
    Extend(Extend),
    /// Begin the final rounds: from then on, only their sealed boards are judged, board after board
    ///
    /// This cannot be undone, because programs see the sealed boards. A round that has a time opens by itself.
    #[command(after_help = "\
Example:
  judge office begin-finals club --yes")]
    BeginFinals {
        /// Folder of the contest
        contest: PathBuf,

        /// Do it; without this, only print what would happen
        #[arg(long)]
        yes: bool,
    },
    /// Declare the results final: everybody sees those of the final rounds, and nothing can change them
    ///
    /// Refused while a submission waits to be judged. Afterwards submissions, decisions, rulings, changed times, a freeze,
    /// new teams and rejudging are refused, on the site and by commands, and nothing is judged. Questions, notices, new
    /// links of teams and the thaw remain possible. `judge office reopen` undoes it.
    #[command(after_help = "\
Example:
  judge office finalize club --yes")]
    Finalize {
        /// Folder of the contest
        contest: PathBuf,

        /// Do it; without this, only print what would happen
        #[arg(long)]
        yes: bool,
    },
    /// Declare that the results are not final after all, with a public reason
    #[command(after_help = "\
Example:
  judge office reopen club --because \"the referee was wrong\"")]
    Reopen {
        /// Folder of the contest
        contest: PathBuf,

        /// The reason, for everybody to read
        #[arg(long, value_name = "REASON")]
        because: String,
    },
    /// Publish a notice for everybody
    Notice {
        /// Folder of the contest
        contest: PathBuf,

        /// The text
        text: String,

        /// Identifier of the problem that it is about
        #[arg(long, value_name = "ID")]
        problem: Option<String>,
    },
    /// List the questions of teams and their answers
    Questions {
        /// Folder of the contest
        contest: PathBuf,
    },
    /// Answer a question: its team, or everybody
    Answer {
        /// Folder of the contest
        contest: PathBuf,

        /// Number of the question
        question: u32,

        /// The answer. For everybody, it must repeat the question, which only its team sees
        text: String,

        /// Answer everybody
        #[arg(long)]
        all: bool,
    },
    /// Show other organisers that you are about to answer a question
    Claim {
        /// Folder of the contest
        contest: PathBuf,

        /// Number of the question
        question: u32,

        /// Your name
        #[arg(long, value_name = "NAME")]
        by: String,
    },
    /// Open or close the link by which teams add themselves; it is closed unless this opens it
    #[command(after_help = "\
Examples:
  judge office registration club --most 40 --url https://contest.example.org
  judge office registration club --close")]
    Registration {
        /// Folder of the contest
        contest: PathBuf,

        /// The most teams that the link can add; a new link replaces the one before
        #[arg(long, value_name = "N", required_unless_present = "close", value_parser = clap::value_parser!(u32).range(1..=100_000))]
        most: Option<u32>,

        /// Close the link
        #[arg(long, conflicts_with = "most")]
        close: bool,

        #[command(flatten)]
        links: Links,
    },
    /// Copy a contest with its office and results, even while it is running
    ///
    /// The copy is the contest at one moment: all submissions in it were accepted, and those that were not judged yet are
    /// judged when the copy is started. Its logs are checked at the end.
    #[command(after_help = "\
Examples:
  judge office backup club /backup/club-evening
  judge serve /backup/club-evening             restores it")]
    Backup {
        /// Folder of the contest
        contest: PathBuf,

        /// Folder to create; it must not exist
        target: PathBuf,
    },
}

/// Decide on a submission
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge office admit club 17 --because \"the network was down\"
  judge office hold club 17
  judge office release club 17       also after judge errors: it gets three more attempts
  judge office ignore club 17 --because \"it was a test\"")]
pub(in crate::cli) struct Decided {
    /// Folder of the contest
    contest: PathBuf,

    /// Number of the submission, such as 17, or its entry, such as ada.17
    submission: String,

    /// The reason, for the team to read
    #[arg(long, value_name = "REASON")]
    because: Option<String>,
}

/// Decide on a team or a board
///
/// A disqualified team takes no place with any submission, and a struck board does not count. Both can be undone. The
/// program that judges the contest applies this, immediately if it is running.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge office disqualify club ada --because \"it copied bob.3\"
  judge office reinstate club ada --because \"bob had copied\"
  judge office strike club HARD --because \"its file was wrong\"
  judge office unstrike club HARD --because \"the file is right\"")]
pub(in crate::cli) struct OnName {
    /// Folder of the contest
    contest: PathBuf,

    /// Name of the team or of the board
    name: String,

    /// The reason, for everybody to read
    #[arg(long, value_name = "REASON")]
    because: String,
}

/// Set the verdict of a run by hand, as `judge rule` does, even while the contest is judged
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  judge office rule club ada.17 HARD wrong --because \"it prints another entry's answer\"

To undo a ruling, use `judge rule RESULTS … --undo` while nothing judges the contest.")]
pub(in crate::cli) struct Rule {
    /// Folder of the contest
    contest: PathBuf,

    #[command(flatten)]
    ruling: RulingArgs,
}

/// Change when submissions open, the board freezes and submissions close, with a public reason
///
/// Times that are not given stay. Late submissions stay late; `judge office admit` judges them. A later round is judged
/// from the time at which it opens, and its results are public from the time at which it closes.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge office extend club --closes 2026-11-24T21:30:00+01:00 --because \"the power was off\"
  judge office extend club --round Final --opens 2026-11-24T22:00:00+01:00 --because \"the power was off\"")]
pub(in crate::cli) struct Extend {
    /// Folder of the contest
    contest: PathBuf,

    /// Name or number of a round; the times of the first one are those of the contest
    #[arg(long, value_name = "ROUND")]
    round: Option<String>,

    /// Submissions before this time are refused; a later round is judged from it
    #[arg(long, value_name = "TIME", value_parser = moment)]
    opens: Option<u64>,

    /// The public board freezes
    #[arg(long, value_name = "TIME", value_parser = moment)]
    freezes: Option<u64>,

    /// Submissions from this time on are late; the results of a later round are public
    #[arg(long, value_name = "TIME", value_parser = moment)]
    closes: Option<u64>,

    /// The reason, for everybody to read
    #[arg(long, value_name = "REASON")]
    because: String,
}

impl Command {
    pub(in crate::cli) fn execute(self, out: &mut dyn Write) -> Done {
        match self {
            Self::Admit(args) => args.execute(Decision::Admitted, out),
            Self::Hold(args) => args.execute(Decision::Held, out),
            Self::Release(args) => args.execute(Decision::Released, out),
            Self::Cancel(args) => args.execute(Decision::Cancelled, out),
            Self::Ignore(args) => args.execute(Decision::Ignored, out),
            Self::Consider(args) => args.execute(Decision::Considered, out),
            Self::Choose { contest, team, submission } => done(open(&contest)?.choose(&team, number(&submission)?)),
            Self::Disqualify(args) => args.order(|team, because| Order::Disqualify { team, because }),
            Self::Reinstate(args) => args.order(|team, because| Order::Reinstate { team, because }),
            Self::Strike(args) => args.order(|board, because| Order::Strike { board, because }),
            Self::Unstrike(args) => args.order(|board, because| Order::Unstrike { board, because }),
            Self::Rule(rule) => {
                let Rule { contest, ruling } = *rule;
                let contents = contents(&contest)?;
                let ruling = ruling.by_hand(&contents, &results_of(&contest))?;
                done(open(&contest)?.order(Order::Rule { ruling }, &contents))
            }
            Self::Extend(args) => args.execute(out),
            Self::BeginFinals { contest, yes } => {
                let office = open(&contest)?;
                confirmed(yes, "this begins the final rounds: nothing else is judged, and it cannot be taken back")?;
                done(office.begin_finals())
            }
            Self::Finalize { contest, yes } => finalize(&contest, yes),
            Self::Reopen { contest, because } => done(open(&contest)?.reopen(&because)),
            Self::Notice { contest, text, problem } => {
                sent(open(&contest)?.send(&Message { problem, ..Message::new(text) }), out)
            }
            Self::Questions { contest } => questions(&open(&contest)?, out),
            Self::Answer { contest, question, text, all } => sent(open(&contest)?.answer(question, &text, all), out),
            Self::Claim { contest, question, by } => {
                if let Some(before) = open(&contest)?.claim(question, &by).map_err(failure)? {
                    writeln!(out, "{} was about to answer it", printable(&before))?;
                }
                Ok(DONE)
            }
            Self::Registration { contest, most, close: _, links } => {
                let office = open(&contest)?;
                match most {
                    Some(most) => {
                        let token = office.open_registration(most).map_err(failure)?;
                        writeln!(out, "{}", links.to("register", &token))?;
                        links.explain();
                    }
                    None => office.close_registration().map_err(failure)?,
                }
                Ok(DONE)
            }
            Self::Backup { contest, target } => {
                // Only a contest with an office can be copied.
                Office::open(&office_of(&contest)?, clock()).map_err(failure)?;
                writeln!(out, "{}", backup::copy(&contest, &target).map_err(failure)?)?;
                Ok(DONE)
            }
        }
    }
}

impl Decided {
    fn execute(self, decision: Decision, out: &mut dyn Write) -> Done {
        let (office, number) = (open(&self.contest)?, number(&self.submission)?);
        office.decide(number, decision, self.because.as_deref()).map_err(failure)?;
        let state = office.state().map_err(failure)?;
        if let (Some((_, submission)), Some(contents)) = (state.submission(number), judged(&self.contest)?) {
            let shown = SubmissionStates::new(&Viewer::Organiser, &state, &contents).of(submission);
            writeln!(out, "{}: {}", submission.entry(), printable(&shown.to_string()))?;
        }
        Ok(DONE)
    }
}

/// Refuses an action that is hard to undo, unless the user confirms it.
fn confirmed(yes: bool, what: &str) -> Result<(), Failure> {
    if yes {
        Ok(())
    } else {
        Err(Failure::input(format!("{what}; nothing was done, repeat the command with --yes to do it")))
    }
}

fn finalize(contest: &Path, yes: bool) -> Done {
    let (office, contents) = (open(contest)?, judged(contest)?);
    office.can_finalise(contents.as_ref()).map_err(failure)?;
    let what = "this declares the results final: nothing that could change them is accepted or judged any more, until \
                `judge office reopen`";
    confirmed(yes, what)?;
    office.finalise(contents.as_ref()).map_err(failure)?;
    Ok(DONE)
}

impl OnName {
    fn order(self, order: impl FnOnce(String, String) -> Order) -> Done {
        let contents = contents(&self.contest)?;
        done(open(&self.contest)?.order(order(self.name, self.because), &contents))
    }
}

impl Extend {
    fn execute(self, out: &mut dyn Write) -> Done {
        let times = Times { opens: self.opens, freezes: self.freezes, closes: self.closes };
        let round = self.round.as_deref().map_or(Ok(1), |round| round_of(&self.contest, round))?;
        let now = open(&self.contest)?.extend_round(round, &times, &self.because).map_err(failure)?;
        for (name, at) in [("opens", now.opens), ("freezes", now.freezes), ("closes", now.closes)] {
            if let Some(at) = at {
                writeln!(out, "{name} {}", Date::from_unix(at))?;
            }
        }
        Ok(DONE)
    }
}

/// The number of a contest's round, from its number or name.
fn round_of(contest: &Path, text: &str) -> Result<u32, Failure> {
    let rounds = Contest::load_without_boards(contest).map_err(Failure::input)?.plan.rounds.clone();
    let names: Vec<&str> = rounds.iter().map(|round| &*round.name).collect();
    let (named, numbered) = (names.iter().position(|name| *name == text), text.parse::<usize>().ok());
    let round = named.map(|index| index + 1).or(numbered.filter(|number| (1..=names.len()).contains(number)));
    round.and_then(|round| u32::try_from(round).ok()).ok_or_else(|| match names.is_empty() {
        true => Failure::input(format!("unknown round `{text}`; the contest has no [[round]]")),
        false => Failure::input(format!("unknown round `{text}`; available: {}", names.join(", "))),
    })
}

fn contents(contest: &Path) -> Result<ContestState, Failure> {
    judged(contest)?.ok_or_else(|| Failure::journal(&JournalError::NotBegun(results_of(contest))))
}

fn sent(sent: Result<u32, judge_office::OfficeError>, out: &mut dyn Write) -> Done {
    writeln!(out, "{}", sent.map_err(failure)?)?;
    Ok(DONE)
}

fn questions(office: &Office, out: &mut dyn Write) -> Done {
    let state = office.state().map_err(failure)?;
    for (at, message) in state.messages().iter() {
        let from = message.from.as_deref().unwrap_or("organiser");
        let to = match (&message.to, message.answers) {
            (Some(team), _) => format!(", to {team}"),
            (None, Some(question)) => format!(", to everybody, about {question}"),
            (None, None) if message.from.is_none() => ", to everybody".into(),
            (None, None) => state.claim(message.number).map_or(String::new(), |by| format!(", answered by {by}")),
        };
        let on = message.problem.as_ref().map_or_else(String::new, |problem| format!(" on {problem}"));
        let at = Date::from_unix(*at).minute();
        writeln!(out, "{} {at} {from}{}{on}: {}", message.number, printable(&to), printable(&message.text))?;
    }
    Ok(DONE)
}
