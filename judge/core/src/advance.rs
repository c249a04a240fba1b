//! The entries that advance from one round to the next, and their order.
//!
//! They follow only from the records, so that an interrupted contest opens the same round. The round is written to the journal
//! before its first run, and the journal decides from then on. [`deviations`] computes what a judge with other rules would have
//! done.

mod deviations;

use std::collections::BTreeSet;

use crate::journal::{ContestState, Record, Round};
use crate::key::{Name, RunKey};
use crate::map::Map;
use crate::plan::{Advance, Entry, Plan, RankKey, RoundPlan};
use crate::ranking::Rank;
use crate::results::{KnockOut, NO_ADVANCING_ENTRY, Results, Upcoming, knock_out};
use crate::score::Row;
use crate::shared::Shared;

pub use deviations::{Deviation, PresentResult, deviations};

/// The version of the rules by which entries advance: of the ranking, its ties and [`next`]. Increase it with every change that
/// can let another entry advance. Add a row here, and keep a journal that was recorded under the previous rules among the tests.
///
/// | version | since | change |
/// |---|---|---|
/// | 1 | rounds | the first |
/// | 2 | journal format 4, not recorded | before time, fewer runs that never started are better |
/// | 3 | journal format 5 | a relative score in `tie_on` counts without one in the ranking |
/// | 4 | journal format 6 | to a best of 0, any other answer has a relative score of 0; solved boards count where a list names them, also behind moves; nobody advances by a place without a board that counts |
pub const RULES: u32 = 4;

/// The next step of a contest.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum NextStep {
    /// The last round of the plan is finished.
    Over,
    /// The open round has this number of runs without a verdict. They may be judge errors.
    Unfinished(usize),
    /// The boards of the next round are sealed, and these are still missing.
    Sealed(Vec<String>),
    /// No entry advances to the next round, so the contest is over.
    Nobody,
    /// This round opens, with its entries and runs.
    Open(Round),
}

impl NextStep {
    /// The reason why no further round opens, as a fragment.
    pub fn reason(&self, plan: &Plan) -> String {
        let name = |round: Option<&RoundPlan>| round.map_or("the next round".into(), |round| round.name.clone());
        match self {
            Self::Over => "no round is left".into(),
            Self::Unfinished(1) => "1 run of the open round has no verdict".to_owned(),
            Self::Unfinished(runs) => format!("{runs} runs of the open round have no verdict"),
            Self::Sealed(boards) => format!("boards are still sealed: {}", boards.join(", ")),
            Self::Nobody => NO_ADVANCING_ENTRY.into(),
            Self::Open(round) => format!("{} opens", name(plan.round_plan(round.number))),
        }
    }
}

/// The next step of a contest.
pub fn next(contents: &ContestState) -> NextStep {
    let plan = &contents.plan;
    let open = contents.round();
    if let Some(again) = again(contents) {
        return NextStep::Open(again);
    }
    if plan.round_plan(open + 1).is_none() {
        return NextStep::Over;
    }
    let missing = contents.missing().len();
    if missing > 0 {
        return NextStep::Unfinished(missing);
    }
    let entrants = advancing_entries(contents, open + 1);
    if entrants.is_empty() {
        return NextStep::Nobody;
    }
    let absent = plan.absent_boards(open + 1);
    if !absent.is_empty() {
        return NextStep::Sealed(absent.into_iter().map(str::to_owned).collect());
    }
    NextStep::Open(round_of(contents, open + 1, entrants))
}

/// The first round of a contest of matches whose games no longer follow from the results, in its correct form. Games of such a
/// round and of all later rounds are void unless they follow again. The round may also be a knock-out round in which tied pairs
/// play on.
pub fn again(contents: &ContestState) -> Option<Round> {
    contents.plan.match_rules.as_ref()?;
    let open = contents.round();
    (1..=open).find_map(|number| {
        let recorded = contents.rounds.iter().find(|round| round.number == number);
        let games: BTreeSet<&RunKey> = contents.order().iter().filter(|game| game.round == number).collect();
        let unfinished = !contents.select_in(number, |record| record.is_none_or(Record::is_judge_error)).is_empty();
        let as_it_is = || {
            let order = games.iter().copied().cloned().collect();
            let seeds = recorded.map_or_else(Vec::new, |round| round.seeds.clone());
            Round { order, seeds, ..named(contents, number) }
        };
        let reopened = || (unfinished && number < open).then(as_it_is);
        if number == 1 && !contents.plan.is_knock_out(1) {
            return reopened();
        }
        // An entry that leaves during a knock-out loses its pairs, and does not change seeds.
        let out = recorded.filter(|_| number > 1 && !contents.plan.is_knock_out(number - 1));
        let out = out.map_or_else(|| contents.withdrawn.clone(), |round| round.out.clone());
        let entrants = match number {
            1 => contents.entrants_of(1),
            later => advancing_entries(&contents.until(later - 1, out), later),
        };
        let follows = round_of(contents, number, entrants);
        let wanted: BTreeSet<&RunKey> = follows.order.iter().collect();
        let same_seeds = recorded.is_none_or(|round| round.seeds == follows.seeds);
        let stays = same_seeds && games.is_subset(&wanted);
        let grows = games.len() < wanted.len() && !unfinished;
        if stays && !grows { reopened() } else { Some(follows) }
    })
}

/// The entries that advance to a round from the previous one, which is the last round of these contents.
fn advancing_entries(contents: &ContestState, number: u32) -> Vec<Name> {
    let (plan, over) = (&contents.plan, number - 1);
    let Some(round) = plan.round_plan(over) else { return Vec::new() };
    let entrants = if plan.is_knock_out(over) {
        let knock_out = KnockOut::of_round(contents, over);
        let winners: BTreeSet<&Name> = knock_out.through().collect();
        let goes_on = |seed: &Name| winners.contains(seed) && !contents.withdrawn.contains_key(&**seed);
        contents.entrants_of(over).into_iter().filter(goes_on).collect()
    } else {
        entrants(&Results::from_records(contents), over, round)
    };
    // A single entry has won.
    if plan.is_knock_out(number) && entrants.len() < 2 { Vec::new() } else { entrants }
}

/// A round of these entries.
fn round_of(contents: &ContestState, number: u32, entrants: Vec<Name>) -> Round {
    let plan = &contents.plan;
    let (order, seeds) = if plan.is_knock_out(number) {
        let odd = entrants.len() % 2 == 1;
        let had_bye: Vec<Name> = (1..number)
            .filter(|round| plan.is_knock_out(*round))
            .filter_map(|round| KnockOut::of_round(contents, round).bye)
            .collect();
        let best = entrants.iter().find(|entry| !had_bye.contains(entry)).or(entrants.first());
        let games = knock_out::games(contents, number, &entrants, best.filter(|_| odd));
        (games, if number == 1 { Vec::new() } else { entrants })
    } else {
        (plan.start_order_in(number, &entrants), Vec::new())
    };
    Round { order, seeds, ..named(contents, number) }
}

/// A round without games.
fn named(contents: &ContestState, number: u32) -> Round {
    let name = contents.plan.round_plan(number).map(|round| round.name.clone());
    let aside = contents.set_aside_entries().map(|(entry, _)| Name::from(&**entry)).collect();
    Round { number, name, order: Vec::new(), rules: Some(RULES), seeds: Vec::new(), aside, out: Map::default() }
}

impl Upcoming {
    /// The round after the open one; `None` if no round is left.
    pub fn from_contents(contents: &ContestState) -> Option<Self> {
        let plan = &contents.plan;
        let open = contents.round();
        let (over, next) = (plan.round_plan(open)?, plan.round_plan(open + 1)?);
        let is_over = contents.missing().is_empty() && again(contents).is_none();
        let decided = is_over.then(|| advancing_entries(contents, open + 1));
        let (mut moved_up, mut out) = (Vec::new(), Vec::new());
        if let Some(entrants) = decided.as_ref().filter(|_| !contents.withdrawn.is_empty()) {
            let everybody = contents.with_all_entries();
            let otherwise = advancing_entries(&everybody, open + 1);
            moved_up = entrants.iter().filter(|entry| !otherwise.contains(entry)).cloned().collect();
            out = otherwise.into_iter().filter(|entry| contents.withdrawn.contains_key(&**entry)).collect();
        }
        let candidates = || {
            let in_round = |entry: &&Shared<Entry>| {
                contents.rounds.last().is_none_or(|round| round.entrants().contains(&entry.name.as_str()))
            };
            let may = |entry: &&Shared<Entry>| over.advance == Advance::All || entry.competing;
            let inside = |entry: &&Shared<Entry>| !contents.withdrawn.contains_key(&entry.name);
            plan.entries.iter().filter(in_round).filter(may).filter(inside).collect()
        };
        let boards: Vec<&String> = next.boards.iter().filter(|board| !contents.struck.contains_key(*board)).collect();
        let entries: Vec<&Shared<Entry>> = match &decided {
            Some(entrants) => entrants.iter().filter_map(|name| contents.entry(name)).collect(),
            None => candidates(),
        };
        // An entry can be for some problems only.
        let on_its_boards = |entry: &&Shared<Entry>| boards.iter().filter(|board| entry.is_on(board)).count();
        Some(Self {
            number: open + 1,
            name: next.name.clone(),
            sealed: plan.absent_boards(open + 1).into_iter().map(str::to_owned).collect(),
            entrants: decided,
            moved_up,
            out,
            runs: match plan.match_rules {
                None => entries.iter().map(on_its_boards).sum::<usize>() * plan.repeat as usize,
                Some(_) => {
                    usize::try_from(plan.count_games(open + 1, entries.len(), boards.len())).unwrap_or(usize::MAX)
                }
            },
        })
    }
}

/// The entries that advance from a finished round, in the order of the table.
fn entrants(results: &Results, number: u32, round: &RoundPlan) -> Vec<Name> {
    let teams = results.rows.iter().any(|row| row.entry.team.is_some()).then(|| results.clone().by_team());
    let (rows, tie_on) = (&teams.as_ref().unwrap_or(results).rows, &*round.tie_on);
    let ranks = Rank::from_all(rows);
    let took_part = |row: &usize| rows[*row].entry.withdrawn.is_none() && ranks[*row].reached() == number;
    let all: Vec<usize> = (0..rows.len()).filter(took_part).collect();
    let competing = || all.iter().copied().filter(|&row| rows[row].entry.competing);
    // Without a board there are no places.
    let placed = || competing().filter(|_| !results.boards.is_empty()).collect();
    let chosen: Vec<usize> = match round.advance {
        Advance::All => all.clone(),
        Advance::Solved => competing().filter(|&row| ranks[row].solved_all(number)).collect(),
        Advance::Tied => {
            let first = up_to(&ranks, number, tie_on, placed(), 1);
            if first.len() > 1 { first } else { Vec::new() }
        }
        Advance::Top(most) => up_to(&ranks, number, tie_on, placed(), most as usize),
    };
    let goes_on = |row: &&usize| chosen.contains(row);
    let entries = |row: &Row| -> Vec<Name> {
        if row.entry.team.is_none() {
            return vec![Name::from(&*row.entry.name)];
        }
        // A team advances with all its entries of this round.
        let own = |other: &&Row| {
            other.entry.team == row.entry.team && other.entry.withdrawn.is_none() && other.rounds() == number
        };
        results.rows.iter().filter(own).map(|other| Name::from(&*other.entry.name)).collect()
    };
    all.iter().filter(goes_on).flat_map(|&row| entries(&rows[row])).collect()
}

/// The first `most` of these rows by the figures of one round, with all that tie with the last of them.
fn up_to(ranks: &[Rank], round: u32, order: &[RankKey], mut rows: Vec<usize>, most: usize) -> Vec<usize> {
    let compare = |a: usize, b: usize| ranks[a].compare_in(&ranks[b], round, order);
    rows.sort_by(|&a, &b| compare(a, b));
    if let Some(&last) = most.checked_sub(1).and_then(|last| rows.get(last)) {
        rows.retain(|&row| compare(row, last).is_le());
    }
    rows
}

#[cfg(test)]
mod rules_tests;
