//! Checks of verdicts: if the game is built in, every stored answer is replayed.

use std::collections::HashMap;
use std::path::Path;

use judge_core::game::{Game, GameInfo, Puzzle};
use judge_core::games;
use judge_core::hint::Hint;
use judge_core::journal::{ContestState, Part};
use judge_core::legend::SHORT_HASH;
use judge_core::referee::{ReplayResult, rule};
use judge_core::results::{Results, name_of};
use judge_core::verdict::Verdict;
use judge_files::regular;
use judge_job::count_text;

use super::files::unreadable;
use super::recorded_files::{Attempt, RecordedFiles};
use super::{Check, Finding};

/// Checks that every recorded answer gives its recorded verdict, figures and last position.
pub(super) fn verdicts(results: &Path, contents: &ContestState, seen: &RecordedFiles) -> Check {
    let mut check = Check::new("verdicts");
    let by_program = |board: &str| contents.plan.problems.of(board).is_some_and(|problem| problem.referee.is_some());
    let is_ruled = |attempt: &&Attempt| attempt.verdict.given().is_some();
    let others = seen.attempts.len() - seen.attempts.values().filter(is_ruled).count();
    if contents.plan.problems.iter().any(|problem| problem.referee.is_none()) {
        replay_all(results, contents, seen, &mut check);
    }
    if contents.plan.referees().next().is_some() {
        let ruled =
            seen.attempts.iter().filter(|((key, _), attempt)| is_ruled(attempt) && by_program(&key.board)).count();
        let note = "the referee is a program, which is not executed here";
        check.checked =
            if check.checked.is_empty() { note.into() } else { format!("{}; elsewhere {note}", check.checked) };
        if ruled > 0 {
            let verdicts = count_text(ruled, "verdict", "verdicts");
            let text = format!("{verdicts} of the referee, which would have to be asked again");
            check.unproved.push(Finding { text, hint: Some(Hint::AskReferee) });
        }
        // Mixed referees are not an error, but the figures may not be comparable.
        let referees = Results::from_journal(contents).mixed_referees();
        if referees.len() > 1 {
            let each = referees.iter().map(|(hash, rulings)| {
                let rulings = count_text(*rulings, "ruling", "rulings");
                format!("{rulings} by {}", hash.chars().take(SHORT_HASH).collect::<String>())
            });
            let (number, each) = (referees.len(), each.collect::<Vec<_>>().join(", "));
            let text = format!("that the rulings compare: they are of {number} referees, {each}");
            check.unproved.push(Finding { text, hint: Some(Hint::Rejudge) });
        }
    }
    if others > 0 {
        let verdicts = count_text(others, "verdict", "verdicts");
        check.not_proved(format!("{verdicts} on how a run ended, such as a timeout: these rest on the record"));
    }
    // Only the rulings that count: not those that were undone, and not those on earlier attempts.
    let by_hand = contents.records.iter().filter(|record| record.extras.ruling.is_some()).count();
    if by_hand > 0 {
        let verdicts = count_text(by_hand, "verdict", "verdicts");
        check.not_proved(format!("{verdicts} by hand: the reasons are in the table"));
    }
    check
}

fn replay_all(results: &Path, contents: &ContestState, seen: &RecordedFiles, check: &mut Check) {
    let mut opened: HashMap<&str, (&GameInfo, Box<dyn Game>)> = HashMap::new();
    for problem in contents.plan.problems.iter().filter(|problem| problem.referee.is_none()) {
        match (games::find(&problem.game), problem.game()) {
            (Some(info), Ok(game)) => drop(opened.insert(&problem.id, (info, game))),
            (_, Err(error)) => check.problem(error.to_string()),
            (None, Ok(_)) => {}
        }
    }
    let mut puzzles: HashMap<usize, Result<Box<dyn Puzzle>, String>> = HashMap::new();
    let mut replayed = 0usize;
    for ((key, number), attempt) in &seen.attempts {
        let problem = contents.plan.problems.of(&key.board).filter(|_| attempt.verdict.given().is_some());
        let Some((info, game)) = problem.and_then(|problem| opened.get(&*problem.id)) else { continue };
        let name = name_of(key);
        let name = if *number > 1 { format!("{name}, attempt {number}") } else { name };
        let puzzle = puzzles.entry(attempt.board).or_insert_with(|| {
            let board = seen.boards.get(attempt.board).ok_or("the board is missing")?;
            game.parse(board.text.as_bytes()).map_err(|error| error.to_string())
        });
        let differs = match puzzle {
            Ok(puzzle) => replay(results, attempt, info, &**puzzle),
            Err(reason) => Some(format!("the board cannot be read: {reason}")),
        };
        match differs {
            Some(differs) => check.problem(format!("{name}: {differs}")),
            None => replayed += 1,
        }
    }
    check.checked = format!("{} to the recorded verdict", count_text(replayed, "answer replays", "answers replay"));
}

/// The difference between a recorded verdict and a replay.
fn replay(results: &Path, attempt: &Attempt, info: &GameInfo, puzzle: &dyn Puzzle) -> Option<String> {
    let path = attempt.path(Part::Stdout);
    let replayed = match regular::open_beneath(results, &path).and_then(|file| rule(puzzle, file)) {
        Ok(replayed) => replayed,
        Err(error) => return Some(unreadable(results, &path, &error)),
    };
    let ReplayResult { score, illegal, picture, .. } = replayed;
    let now = Verdict::from_replay(info, score, illegal);
    if facts(&now) != facts(&attempt.verdict) {
        let of = |verdict: &Verdict| {
            let given = verdict.given().cloned().unwrap_or_default();
            format!("{} with {given}", verdict.name())
        };
        return Some(format!("recorded as {}; the answer replays to {}", of(&attempt.verdict), of(&now)));
    }
    let (recorded, now) = (attempt.final_board.as_ref()?, picture.one_line());
    (**recorded != *now).then(|| format!("recorded to end at {recorded}; the answer ends at {now}"))
}

/// The parts of a verdict that do not depend on the wording of reasons, which differs between versions of the judge.
fn facts(verdict: &Verdict) -> impl PartialEq {
    let illegal = match verdict {
        Verdict::IllegalMove { illegal, .. } => Some((illegal.index, illegal.token.clone())),
        _ => None,
    };
    (verdict.name(), verdict.given(), illegal)
}
