//! The standing of a contest in a sentence: the leader, and the margin.

use super::{RankingFigures, listed};
use crate::code::Code;
use crate::plan::RankKey;
use crate::ranking::{self, Criterion, Decision};
use crate::results::Results;
use crate::score::{Row, RunCell};
use crate::text::{self, shortened};
use judge_job::count_text;

/// The leader of a contest.
pub(super) struct Leader {
    /// A sentence, with a second one if suspect times decide.
    pub(super) text: String,
    /// The rows of the winner and the next entry; `None` if they do not exist.
    pub(super) pair: Option<(usize, usize)>,
    /// The name of the deciding figure.
    pub(super) decided_by: Option<String>,
}

impl Leader {
    /// Describes the leader and the margin. All names are shortened.
    pub(super) fn of(results: &Results) -> Self {
        let rows = &results.rows;
        let alone = |text: String| Self { text, pair: None, decided_by: None };
        let name = |row: &Row| shortened(&row.entry.name);
        let firsts: Vec<usize> = (0..rows.len()).filter(|&row| rows[row].place == Some(1)).collect();
        let Some(&winner) = firsts.first() else { return alone(no_leader(results)) };
        let words = RankingFigures::of(results);
        let figures = ranking::figures(rows)[winner].last().cloned();
        let round = |number: u32| match results.rounds.iter().find(|head| head.number == number) {
            Some(head) => format!(" in {}", shortened(&head.title())),
            None => String::new(),
        };
        if let [_, _, ..] = firsts[..] {
            let verb = if results.over() { "share" } else { "so far share" };
            let names: Vec<String> = firsts.iter().map(|&row| name(&rows[row])).collect();
            let reached = figures.map_or(String::new(), |figures| words.reached(&figures, None));
            let in_round = round(rows[winner].rounds());
            let suspect_note = suspect_note(results, &firsts, None);
            return alone(format!("{} {verb} the first place with {reached}{in_round}.{suspect_note}", listed(&names)));
        }
        let verb = if results.over() { "wins" } else { "leads so far" };
        let next = (winner + 1..rows.len()).find(|&row| rows[row].place.is_some());
        let decision = next.and_then(|next| Some((next, ranking::decision(rows, (winner, next), &results.ranking)?)));
        let Some((next, decision)) = decision else {
            let reached = figures.map_or(String::new(), |figures| words.reached(&figures, None));
            let verb = if rows.len() == 1 { "is the only entry," } else { verb };
            return alone(format!("{} {verb} with {reached}{}.", name(&rows[winner]), round(rows[winner].rounds())));
        };
        // If the winner reached more rounds, its last one describes it.
        let by_rounds = decision.criterion == Criterion::Rounds;
        let (figures, number) = match figures.filter(|_| by_rounds) {
            Some(figures) => (figures, rows[winner].rounds()),
            None => (decision.figures[0].clone(), decision.round),
        };
        let reached = words.reached(&figures, Some(decision.criterion));
        let margin = if by_rounds {
            let ahead = rows[winner].rounds().abs_diff(rows[next].rounds()) as usize;
            format!("{} further", count_text(ahead, "round", "rounds"))
        } else {
            words.margin(&decision)
        };
        let tied = match (decision.round + 1..=rows[winner].rounds()).map(round).next_back() {
            Some(later) if !by_rounds => format!(", after a tie{later}"),
            _ => String::new(),
        };
        let suspect_note = suspect_note(results, &[winner, next], Some(&decision));
        let (first, second) = (name(&rows[winner]), name(&rows[next]));
        Self {
            text: format!(
                "{first} {verb} with {reached}{}, {margin} than {second}{tied}.{suspect_note}",
                round(number)
            ),
            pair: Some((winner, next)),
            decided_by: Some(decision.criterion.name().to_owned()),
        }
    }
}

/// Describes why no entry is first.
fn no_leader(results: &Results) -> String {
    let inside: Vec<&Row> = results.rows.iter().filter(|row| row.entry.withdrawn.is_none()).collect();
    let competing: Vec<&&Row> = inside.iter().filter(|row| row.entry.competing).collect();
    let last = competing.iter().map(|row| row.rounds()).max().unwrap_or(1);
    match (results.rows.is_empty(), inside.is_empty(), competing.is_empty()) {
        (true, ..) => "There is no entry.".into(),
        (_, true, _) => "Every entry is withdrawn or disqualified.".into(),
        (.., true) => "No entry competes for a place.".into(),
        _ if results.boards.is_empty() => "No board counts, so no entry is ahead.".into(),
        _ if last > 1 => {
            let there = competing.iter().filter(|row| row.rounds() == last);
            let there: Vec<String> = there.map(|row| shortened(&row.entry.name)).collect();
            let head = results.rounds.iter().find(|head| head.number == last);
            let round = head.map_or_else(|| format!("round {last}"), |head| shortened(&head.title()));
            let verb = if there.len() == 1 { "is" } else { "are" };
            format!("No entry leads yet: {} {verb} in {round} and not judged on all its boards.", listed(&there))
        }
        _ => "No entry has a place yet.".into(),
    }
}

/// A sentence if suspect times decide between these rows: by their sums, or by a limit that a suspect run reached.
fn suspect_note(results: &Results, rows: &[usize], decision: Option<&Decision>) -> String {
    let by_time = match decision {
        Some(decision) => decision.criterion == Criterion::Figure(RankKey::Time),
        None => results.ranking.contains(&RankKey::Time),
    };
    let counts = |cell: &&RunCell| decision.is_none_or(|decision| cell.planned_in(decision.round));
    let suspect = |row: usize| results.rows[row].cells.iter().filter(counts).filter(|cell| cell.suspect);
    let runs: usize = rows.iter().map(|&row| suspect(row).count()).sum();
    let late =
        |row: &usize| suspect(*row).filter(|cell| matches!(cell.code, Some(Code::TimedOut | Code::OutOfCpu))).count();
    // The winner's own failures cannot have helped it.
    match (runs, rows.iter().skip(1).map(late).sum::<usize>()) {
        (1.., _) if by_time => {
            let times = if decision.is_some() { "Time decides this" } else { "Their times are equal" };
            format!(" {times}, and {}: other processes interfered.", text::suspect_times(runs))
        }
        (_, late @ 1..) => {
            let runs = count_text(late, "run that reached its limit is", "runs that reached their limits are");
            format!(" Of the entries behind, {runs} suspect: other processes interfered.")
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(results: &Results) -> String {
        Leader::of(results).text
    }

    fn results(rows: &[(&str, &[&str])]) -> Results {
        let mut csv = "entry,board,verdict,progress,full,moves,tie_break,wall_us,limit_ms\n".to_owned();
        for (entry, runs) in rows {
            for (board, run) in runs.iter().enumerate() {
                let run = match run.split_once('/') {
                    Some((moves, time)) => format!("solved,25,25,{moves},1,{time},10000"),
                    None if *run == "-" => continue,
                    None => format!("{run},,,,,10000000,10000"),
                };
                csv += &format!("{entry},B{board},{run}\n");
            }
        }
        Results::read_csv("test", csv.as_bytes()).unwrap()
    }

    fn first_line(rows: &[(&str, &[&str])]) -> String {
        outcome(&results(rows))
    }

    #[test]
    fn the_first_line_has_the_winner_and_the_margin_that_decides() {
        let line = first_line(&[("a", &["10/900000", "12/1"]), ("b", &["10/1", "15/1"]), ("c", &["90/1", "90/1"])]);
        assert_eq!(line, "a wins with 50 progress and 22 moves, 3 moves fewer than b.");
        let line = first_line(&[("a", &["10/1", "12/1"]), ("b", &["10/1", "timed_out"])]);
        assert_eq!(line, "a wins with 50 progress and 22 moves, 25 progress more than b.");
        let line = first_line(&[("a", &["timed_out"]), ("b", &["could_not_start"])]);
        assert_eq!(
            line,
            "a wins with 0 progress, 0 moves and 0 runs without a start, 1 run without a start fewer than b."
        );
        let line = first_line(&[("a", &["10/1500000"]), ("b", &["10/2750000"])]);
        assert_eq!(line, "a wins with 25 progress, 10 moves and a time of 1.5 s, 1.25 s less than b.");
        assert_eq!(first_line(&[("a", &["10/1"])]), "a is the only entry, with 25 progress and 10 moves.");
    }

    #[test]
    fn ties_and_unfinished_contests_are_not_called_won() {
        let line = first_line(&[("a", &["10/1"]), ("b", &["10/1"]), ("c", &["11/1"])]);
        assert_eq!(line, "a and b share the first place with 25 progress and 10 moves.");
        let line = first_line(&[("a", &["10/1", "11/1"]), ("b", &["9/1", "-"]), ("c", &["12/1", "11/1"])]);
        assert_eq!(line, "a leads so far with 50 progress and 21 moves, 2 moves fewer than c.");
        assert_eq!(first_line(&[("a", &["judge_error"])]), "No entry has a place yet.");
        let names = |count: usize| (0..count).map(|number| format!("e{number}")).collect::<Vec<_>>();
        assert_eq!(listed(&names(3)), "e0, e1 and e2");
        assert_eq!(listed(&names(9)), "e0, e1, e2, e3, e4 and 4 others");
    }

    fn line_of(rows: &str) -> String {
        let head =
            "round,round_name,entry,board,verdict,progress,full,moves,tie_break,wall_us,limit_ms,competing,withdrawn\n";
        let results = Results::read_csv("test", format!("{head}{rows}").as_bytes()).unwrap();
        outcome(&results)
    }

    #[test]
    fn contests_without_a_leader_say_why() {
        let solved = |round: u32, entry: &str, moves: u64, rest: &str| {
            format!("{round},R{round},{entry},B{round},solved,25,25,{moves},1,1000,10000,{rest}\n")
        };
        let missing = |entry: &str| format!("2,R2,{entry},B2,missing,,,,,,,,\n");
        assert_eq!(line_of(""), "There is no entry.");
        let out = solved(1, "a", 9, "yes,ill") + &solved(1, "b", 9, "yes,ill");
        assert_eq!(line_of(&out), "Every entry is withdrawn or disqualified.");
        assert_eq!(line_of(&solved(1, "a", 9, "no,")), "No entry competes for a place.");
        let struck = "round,entry,board,verdict,progress,full,moves,tie_break,limit_ms,struck\n1,a,A,solved,25,25,9,1,9,misprint\n";
        let results = Results::read_csv("test", struck.as_bytes()).unwrap();
        assert_eq!(
            (outcome(&results).as_str(), results.rows[0].place),
            ("No board counts, so no entry is ahead.", None)
        );
        let first = solved(1, "a", 9, "yes,") + &solved(1, "b", 10, "yes,") + &solved(1, "c", 11, "yes,");
        let line = line_of(&(first.clone() + &missing("a") + &missing("b")));
        assert_eq!(line, "No entry leads yet: a and b are in R2 and not judged on all its boards.");
        let line = line_of(&(first.clone() + &missing("a") + &solved(2, "b", 7, "yes,")));
        assert_eq!(line, "b leads so far with 25 progress and 7 moves in R2, 1 round further than c.");
        let line = line_of(&(first.clone() + &solved(2, "a", 7, "yes,") + &solved(2, "b", 7, "yes,")));
        assert_eq!(line, "a wins with 25 progress and 9 moves in R1, 1 move fewer than b, after a tie in R2.");
        let line = line_of(&(first + &solved(2, "a", 9, "yes,") + &solved(2, "b", 7, "yes,")));
        assert_eq!(line, "b wins with 25 progress and 7 moves in R2, 2 moves fewer than a.");
    }

    #[test]
    fn a_first_place_by_suspect_times_says_so() {
        let line = |ants: [(u64, &str); 2], bees: [(u64, &str); 2]| {
            let runs = |entry: &str, runs: [(u64, &str); 2]| {
                ["A", "B"]
                    .into_iter()
                    .zip(runs)
                    .map(|(board, (ms, suspect))| {
                        format!("{entry},{board},solved,25,25,9,0,{ms}000,10000,{suspect},progress time\n")
                    })
                    .collect::<String>()
            };
            let csv = format!(
                "entry,board,verdict,progress,full,moves,tie_break,wall_us,limit_ms,suspect,ranking\n{}{}",
                runs("ant", ants),
                runs("bee", bees)
            );
            outcome(&Results::read_csv("test", csv.as_bytes()).unwrap())
        };
        let wins = "ant wins with 50 progress and a time of 20 ms, 3 ms less than bee.";
        let busy = "other processes interfered.";
        assert_eq!(line([(10, ""), (10, "")], [(10, ""), (13, "")]), wins);
        let one = format!("{wins} Time decides this, and the time of 1 run is suspect: {busy}");
        assert_eq!(line([(10, ""), (10, "")], [(10, ""), (13, "busy")]), one);
        let two = format!("{wins} Time decides this, and the times of 2 runs are suspect: {busy}");
        assert_eq!(line([(10, "busy"), (10, "")], [(10, ""), (13, "busy")]), two);
        let tie = "ant and bee share the first place with 50 progress.";
        assert_eq!(line([(10, ""), (10, "")], [(7, ""), (13, "")]), tie);
        let equal = format!("{tie} Their times are equal, and the time of 1 run is suspect: {busy}");
        assert_eq!(line([(10, ""), (10, "")], [(7, ""), (13, "busy")]), equal);
    }
}
