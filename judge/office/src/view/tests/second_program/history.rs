//! Random histories of contests: programs and answers of teams, decisions of organisers, freezes, rounds, clocks that are set,
//! and judges that are killed at any moment.

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::sync::atomic::Ordering;

use judge_contest::office::{Counts, OfficeRules, Quotas, Times};
use judge_core::journal::ManualRuling;
use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::super::club::{Club, TEAMS};
use crate::line::{Decision, Order};
use crate::{OfficeError, UPLOAD_SECONDS, Upload, intake};

/// What programs print, or answers contain: solved, stopped before the goal, illegal, nothing, different on the two boards,
/// no start on one board, or no answer. The last program does not build.
const PRINTED: [&str; 12] = [
    "lluu",
    "lluu",
    "llu",
    "lx",
    "",
    "lluu|llu",
    "llu|lluu",
    "lluu|#start",
    "#start|lluu",
    "#crash",
    "#start",
    "#error",
];

/// The problems of a contest of several. The only problem of a contest has no name; the second program uses the first name for
/// it.
pub(super) const PROBLEMS: [&str; 3] = ["P", "Q", "R"];

/// The ways in which a contest can differ from the simplest one.
pub(super) struct Setup {
    /// True if answers are accepted or not, false if they have moves.
    pub(super) pass_fail: bool,
    pub(super) problems: &'static [&'static str],
    pub(super) counts: Counts,
    /// True if teams may also submit answers.
    answers: bool,
    /// The first round, with its `advance` and `tie_on`, if there is a final.
    pub(super) first_round: Option<Value>,
}

impl Setup {
    fn random(dice: &mut ChaCha8Rng) -> Self {
        let advance = [json!("all"), json!("solved"), json!("tied"), json!(1), json!(2)];
        let (pass_fail, several) = (dice.random_ratio(1, 2), dice.random_ratio(1, 2));
        let (counts, ties) = ([Counts::Latest, Counts::Best, Counts::Chosen], [json!(null), json!(["solved"])]);
        Self {
            pass_fail,
            problems: if several { &PROBLEMS } else { &PROBLEMS[..1] },
            counts: *counts.choose(dice).unwrap(),
            answers: dice.random_ratio(1, 2),
            first_round: dice
                .random_ratio(2, 3)
                .then(|| json!({"advance": advance.choose(dice).unwrap(), "tie_on": ties.choose(dice).unwrap()})),
        }
    }

    /// The contest file, without entries. The last of several problems has no board in the final.
    fn file(&self) -> String {
        let several = self.problems.len() > 1;
        let (before, answer) = (if several { "problem." } else { "" }, ["", "answer = \"house/answer\"\n"]);
        let of_problem = |id: &&str| {
            let begin = if several { format!("[[problem]]\nid = \"{id}\"\n") } else { String::new() };
            let board = |name: &str, file: &str| {
                let answer = answer[usize::from(self.pass_fail)];
                format!("[[{before}board]]\nname = \"{name}\"\nfile = \"{file}.txt\"\n{answer}")
            };
            let game = match self.pass_fail {
                true => format!("game = \"external\"\n[{before}referee]\nprotocol = \"tokens\"\n"),
                false => "game = \"loyd\"\n".to_owned(),
            };
            format!("{begin}{game}{}{}", board("X", "x"), board("Y", "y"))
        };
        let problems: String = self.problems.iter().map(of_problem).collect();
        let name = |id: &str, board: &str| if several { format!("{id}/{board}") } else { board.to_owned() };
        let (firsts, lasts): (Vec<_>, Vec<_>) = self
            .problems
            .iter()
            .flat_map(|id| [name(id, "X"), name(id, "Y")])
            .partition(|board| board.ends_with('X') || board == "R/Y");
        let rounds = self.first_round.as_ref().map_or_else(String::new, |first| {
            let advance = match &first["advance"] {
                Value::Number(top) => format!("{{ top = {top} }}"),
                word => word.to_string(),
            };
            let ties = first["tie_on"].as_array().map_or_else(String::new, |_| "tie_on = [\"solved\"]\n".to_owned());
            format!(
                "[[round]]\nname = \"First\"\nboards = {firsts:?}\nadvance = {advance}\n{ties}\
                 [[round]]\nname = \"Final\"\nboards = {lasts:?}\n"
            )
        });
        let languages = if self.answers { "languages = [\"c\", \"answers\"]\n" } else { "" };
        // `limit` is a key of the whole contest, so it precedes the tables.
        format!("name = \"test\"\nlimit = \"10s\"\n{problems}{rounds}[office]\n{languages}")
    }

    /// The rules, with times in some contests.
    fn rules(&self, begin: u64, dice: &mut ChaCha8Rng) -> OfficeRules {
        let mut last = begin;
        let mut moment = |chance: u32, dice: &mut ChaCha8Rng| {
            last += dice.random_range(60..700);
            dice.random_ratio(1, chance).then_some(last)
        };
        let times = Times { opens: moment(4, dice), freezes: moment(4, dice), closes: moment(3, dice) };
        let limit = Quotas { waiting: None, choices: None, ..Quotas::default() };
        let rules = OfficeRules { counts: self.counts, times, limit, ..OfficeRules::default() };
        if self.first_round.is_none() {
            return rules;
        }
        rules.with_round(2, Times { opens: moment(3, dice), freezes: None, closes: moment(2, dice) })
    }
}

/// A contest with a random history, whose last part may not be judged.
pub(super) struct History {
    pub(super) setup: Setup,
    pub(super) club: Club,
    /// What happened that the log does not show.
    pub(super) happened: BTreeSet<&'static str>,
    dice: ChaCha8Rng,
}

impl History {
    /// The history of a seed. `opened` is called once the final has opened.
    pub(super) fn new(seed: u64, opened: &mut dyn FnMut(&Self)) -> Self {
        let mut dice = ChaCha8Rng::seed_from_u64(seed);
        let setup = Setup::random(&mut dice);
        let club = Club::of(&setup.file());
        let rules = setup.rules(club.office.now(), &mut dice);
        club.office.set_rules(&rules).unwrap();
        let mut history = Self { setup, club, happened: BTreeSet::new(), dice };
        let (steps, mut round) = (history.dice.random_range(6..40), 1);
        let (finals, thirds) = (history.dice.random_range(steps / 3..steps + steps / 3), steps / 3);
        for step in 0..steps {
            history.passes();
            if step == finals && history.setup.first_round.is_some() {
                history.club.office.begin_finals().ok();
            }
            history = history.act(step > 2 * thirds);
            // A killed judge may not have opened it.
            if history.round() > std::mem::replace(&mut round, history.round()) {
                opened(&history);
            }
        }
        if history.club.office.state().unwrap().finals() || history.dice.random_range(0..3) > 0 {
            history.club.work();
            if history.round() > round {
                opened(&history);
            }
        }
        history
    }

    fn round(&self) -> u32 {
        self.club.open_contest.contents().round()
    }

    /// Time passes between most actions.
    fn passes(&mut self) {
        let seconds = self.dice.random_range(0..3) * self.dice.random_range(1..200);
        self.club.now.fetch_add(seconds, Ordering::SeqCst);
    }

    fn act(mut self, near_end: bool) -> Self {
        let (club, dice) = (&self.club, &mut self.dice);
        let office = &club.office;
        let (state, because) = (office.state().unwrap(), "seen".to_owned());
        let number = dice.random_range(0..=state.next_number());
        let chosen = state.submission(number).map(|(_, submission)| submission.team.clone());
        let team = chosen.unwrap_or_else(|| TEAMS[dice.random_range(0..4)].to_owned());
        // Many of these are refused, such as for a submission that does not exist, or after the end.
        match dice.random_range(0..30) {
            0..3 => club.work(),
            3 => return self.restarted(None),
            4 | 5 => return self.killed(),
            6 | 20 => drop(office.choose(&team, number)),
            7 | 8 => {
                use Decision::{Admitted, Considered, Held, Ignored, Released};
                let gate = state.gate(number);
                let decision = match () {
                    () if gate.ignored.is_some() => Considered,
                    () if gate.held.is_some() => Released,
                    () if gate.late && !gate.admitted => Admitted,
                    () => *[Held, Ignored].choose(dice).unwrap(),
                };
                drop(office.decide(number, decision, Some("look")));
            }
            9 | 21 => drop(office.cancel(&team, number, Some(&club.open_contest.contents()))),
            10 => {
                let order = match state.out(&team) {
                    None => Order::Disqualify { team, because },
                    Some(_) => Order::Reinstate { team, because },
                };
                drop(office.order(order, &club.open_contest.contents()));
            }
            11 => {
                let contents = club.open_contest.contents();
                let board = contents.plan.boards.choose(dice).unwrap().name.clone();
                let order = match contents.struck.contains_key(&board) {
                    true => Order::Unstrike { board, because },
                    false => Order::Strike { board, because },
                };
                drop(office.order(order, &contents));
            }
            12 | 13 => {
                // A verdict that another run has.
                let contents = club.open_contest.contents();
                let records: Vec<_> = contents.records.iter().collect();
                if let (Some(one), Some(other)) = (records.choose(dice), records.choose(dice)) {
                    let ruling = ManualRuling::new(one.key.clone(), other.verdict.clone(), because);
                    drop(office.order(Order::Rule { ruling }, &contents));
                }
            }
            14 if state.frozen().is_some() => drop(office.thaw()),
            14 => drop(office.freeze()),
            15 => {
                let later = Some(office.now() + dice.random_range(0..600));
                let times = match dice.random_ratio(1, 2) {
                    true => Times { closes: later, ..Times::default() },
                    false => Times { freezes: later, ..Times::default() },
                };
                drop(office.extend(&times, "rain"));
            }
            16 | 17 if near_end && state.finalised().is_some() => drop(office.reopen("look again")),
            16 | 17 if near_end => drop(office.finalise(Some(&club.open_contest.contents()))),
            18 | 19 => drop(club.now.fetch_sub(dice.random_range(1..900), Ordering::SeqCst)),
            22 => drop(club.now.fetch_add(dice.random_range(100..2000), Ordering::SeqCst)),
            _ => self.submits(&team),
        }
        self
    }

    /// A team submits a program or answers. The upload may have taken a while.
    fn submits(&mut self, team: &str) {
        let (office, dice) = (&self.club.office, &mut self.dice);
        let problem = if self.setup.problems.len() > 1 { self.setup.problems.choose(dice).copied() } else { None };
        let printed = *PRINTED.choose(dice).unwrap();
        let (file, bytes) = if self.setup.answers && dice.random_ratio(1, 2) {
            let (x, y) = printed.split_once('|').unwrap_or((printed, printed));
            let answer = |board: &str, text: &str| (format!("{board}.out"), format!("{text}\n").into_bytes());
            match dice.random_range(0..6) {
                // On the other board, it is the empty answer.
                0 => answer("X", x),
                1 => answer("Z", x),
                _ => intake::bundle(&[answer("X", x), answer("Y", y)]).unwrap(),
            }
        } else {
            let number = office.state().unwrap().next_number();
            ("a.c".to_owned(), format!("{printed}/{number}").into_bytes())
        };
        let took = if dice.random_ratio(1, 4) { dice.random_range(0..UPLOAD_SECONDS) } else { 0 };
        let arrived = Some(office.now() - took);
        let upload = Upload { problem, arrived, ..Upload::new(team, &file, &bytes) };
        match office.submit(&upload, None) {
            Ok(_) => {}
            Err(OfficeError::NotOpen(_)) => drop(self.happened.insert("refused before it opens")),
            Err(error) => assert!(office.state().unwrap().finalised().is_some(), "{error}"),
        }
    }

    /// The judge is killed while it works: of what it appended, some bytes are on disk.
    fn killed(mut self) -> Self {
        let log = crate::log::path_of(self.club.office.folder());
        let length = || fs::metadata(&log).unwrap().len();
        let before = length();
        self.club.work();
        let kept = self.dice.random_range(before..=length());
        if kept < length() {
            self.happened.insert("killed at work");
        }
        self.restarted(Some(kept))
    }

    /// The judge is killed and started again. `kept` bytes of its log are on disk; `None` for all.
    fn restarted(self, kept: Option<u64>) -> Self {
        let log = crate::log::path_of(self.club.office.folder());
        let Club { folder, office, open_contest, now } = self.club;
        // Its lock is gone.
        drop((open_contest, office));
        if let Some(kept) = kept {
            OpenOptions::new().write(true).open(log).unwrap().set_len(kept).unwrap();
        }
        Self { club: Club::opened(folder, now), ..self }
    }

    /// The lines of the log.
    pub(super) fn lines(&self) -> Vec<Value> {
        let log = fs::read_to_string(crate::log::path_of(self.club.office.folder())).unwrap();
        log.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}
