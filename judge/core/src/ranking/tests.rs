//! Tests of orders and places.

use super::*;
use crate::figure::RefereeFigures;
use crate::game::Score;
use crate::games::GAMES;
use crate::score::EntryHead;
use crate::verdict::{Exit, Verdict};
use crate::withdrawal::Withdrawal;

fn solved(moves: u64) -> Verdict {
    Verdict::from_replay(GAMES[0], Score { progress: 25, of: 25, moves, tie_break: 1 }, None)
}

fn row(name: &str, verdicts: &[Verdict]) -> Row {
    row_of(name, verdicts, &Arc::new(Scoring::of_game("")))
}

fn row_of(name: &str, verdicts: &[Verdict], scoring: &Arc<Scoring>) -> Row {
    let cells: Vec<RunCell> =
        verdicts.iter().map(|verdict| RunCell::from_verdict(verdict, Some(1_000), 10, scoring)).collect();
    let entry = EntryHead::new(name);
    Row::new(entry, cells, scoring.clone())
}

fn ranked(mut rows: Vec<Row>, order: &[RankKey]) -> Vec<String> {
    rank(&mut rows, order);
    rows.into_iter().map(|row| row.entry.name).collect()
}

#[test]
fn failing_never_beats_solving_under_any_order() {
    let crash = || Verdict::Crashed { exit: Exit::Code(1) };
    let nothing = || Verdict::from_replay(GAMES[0], Score { progress: 20, of: 25, ..Score::default() }, None);
    let illegal = || {
        let illegal = crate::game::IllegalMove { index: 1, token: "x".into(), reason: "no move".into() };
        Verdict::from_replay(GAMES[0], Score { progress: 24, of: 25, moves: 90, tie_break: 9 }, Some(illegal))
    };
    let rows = || {
        vec![
            row("crashes", &[crash(), crash()]),
            row("illegal", &[illegal(), illegal()]),
            row("nothing", &[nothing(), nothing()]),
            row("half", &[solved(3), crash()]),
            row("solves", &[solved(500), solved(500)]),
        ]
    };
    for named in ["moves", "time", "tie_break moves", "moves progress", "time moves"] {
        let order =
            RankKey::whole(&RankKey::read_list(named, &Scoring::of_game("")).expect("figures"), &Scoring::of_game(""));
        let names = ranked(rows(), &order);
        assert_eq!(&names[..3], ["solves", "half", "nothing"], "{order:?}");
    }
    assert_eq!(ranked(rows(), &RankKey::DEFAULT_ORDER), ["solves", "illegal", "nothing", "half", "crashes"]);
}

#[test]
fn counts_are_written_into_a_list_unless_it_names_them() {
    use Direction::{Down, Up};
    for (named, points, whole) in [
        ("progress moves tie_break time", Up, "progress solved failed moves tie_break unstarted time"),
        ("score time", Up, "score solved failed unstarted time"),
        ("score time", Down, "solved failed score unstarted time"),
        ("solved time", Up, "solved failed unstarted time"),
        ("moves", Up, "solved failed moves"),
        ("time moves", Up, "solved failed unstarted time moves"),
        ("tie_break progress", Up, "solved failed tie_break progress"),
        ("moves solved", Up, "failed moves solved"),
        ("moves failed unstarted time", Up, "solved moves failed unstarted time"),
        ("progress relative", Up, "progress relative"),
        ("failed moves", Up, "failed solved moves"),
        ("", Up, ""),
    ] {
        let of_points = named.contains("score");
        let declared = if of_points { Scoring::new(points, 0) } else { Scoring::of_game("") };
        let named = RankKey::read_list(named, &declared).expect("figures");
        let list = RankKey::whole(&named, &declared);
        assert_eq!(RankKey::listed(&list), whole, "{named:?} {points:?}");
        assert_eq!(RankKey::whole(&list, &declared), list, "a whole list stays");
    }
    assert_eq!(RankKey::usual(&Scoring::of_game("")), RankKey::DEFAULT_ORDER);
}

#[test]
fn nothing_but_the_list_decides() {
    let crash = || Verdict::Crashed { exit: Exit::Code(1) };
    let rows = || vec![row("solves", &[solved(9)]), row("crashes", &[crash()])];
    assert_eq!(ranked(rows(), &[RankKey::MOVES]), ["crashes", "solves"], "as exactly that was asked for");
    assert_eq!(ranked(rows(), &[RankKey::Solved, RankKey::MOVES]), ["solves", "crashes"]);
    let mut rows = rows();
    rank(&mut rows, &[]);
    let places: Vec<_> = rows.iter().map(|row| (row.entry.name.as_str(), row.place)).collect();
    assert_eq!(places, [("solves", None), ("crashes", None)], "nothing decides");
}

#[test]
fn what_never_ran_does_not_win_by_its_time() {
    let missing = || Verdict::CouldNotStart { reason: "no such file".into() };
    let unbuilt = || Verdict::BuildFailed { reason: "exit code 1".into() };
    let crash = || Verdict::Crashed { exit: Exit::Code(1) };
    let rows = || {
        let all = [("unbuilt", [unbuilt(), unbuilt()]), ("missing", [missing(), missing()])];
        let all = all.into_iter().chain([("once", [crash(), missing()]), ("crashes", [crash(), crash()])]);
        all.map(|(name, verdicts)| row(name, &verdicts)).collect::<Vec<_>>()
    };
    for order in [RankKey::DEFAULT_ORDER.to_vec(), RankKey::whole(&[RankKey::Time], &Scoring::of_game(""))] {
        let mut rows = rows();
        rank(&mut rows, &order);
        let places: Vec<_> = rows.iter().map(|row| (row.entry.name.as_str(), row.place.unwrap())).collect();
        assert_eq!(places, [("crashes", 1), ("once", 2), ("unbuilt", 3), ("missing", 3)]);
    }
}

#[test]
fn a_withdrawn_entry_takes_no_place() {
    let mut withdrawn = row("withdrawn", &[solved(1)]);
    withdrawn.entry.withdrawn = Some(Withdrawal::new("on its author's wish"));
    let mut rows = vec![withdrawn, row("a", &[solved(2)]), row("b", &[solved(2)]), row("c", &[solved(3)])];
    rank(&mut rows, &RankKey::DEFAULT_ORDER);
    let places: Vec<_> = rows.iter().map(|row| (row.entry.name.as_str(), row.place)).collect();
    assert_eq!(places, [("a", Some(1)), ("b", Some(1)), ("c", Some(3)), ("withdrawn", None)]);
}

#[test]
fn only_whole_entries_out_of_competition_can_be_better_than_the_winner() {
    let outside = |name: &str, verdicts: &[Verdict]| {
        let mut row = row(name, verdicts);
        row.entry.competing = false;
        row
    };
    let withdrawn = |mut row: Row| {
        row.entry.withdrawn = Some(Withdrawal::new("gone"));
        row
    };
    let judge_error = || Verdict::JudgeError { reason: "no space left".to_owned().into() };
    let order = &RankKey::DEFAULT_ORDER;
    let mut rows = vec![
        outside("worse", &[solved(9)]),
        row("winner", &[solved(5)]),
        outside("better", &[solved(4)]),
        outside("best", &[solved(3)]),
        outside("as good", &[solved(5)]),
        outside("unfinished", &[judge_error()]),
        withdrawn(outside("gone", &[solved(1)])),
        row("second", &[solved(6)]),
    ];
    rank(&mut rows, order);
    assert_eq!(rows[0].entry.name, "winner");
    assert_eq!(better_than_the_winner(&rows, order), ["best", "better"]);
    rows.retain(|row| !row.entry.competing);
    assert!(better_than_the_winner(&rows, order).is_empty(), "there is no winner");
}

fn scored(direction: Direction) -> Vec<Row> {
    let scoring = Arc::new(Scoring::new(direction, 1));
    let valid = |text: &str| {
        let figures = crate::figure::Figures::one(FigureName::SCORE, text.parse().expect("points"));
        Verdict::Valid(RefereeFigures::new(figures))
    };
    let wrong = || Verdict::Wrong { given: RefereeFigures::default(), reason: "no".into() };
    let rows = [
        ("steady", [valid("10.0"), valid("100.0")]),
        ("uneven", [valid("5.0"), valid("150.0")]),
        ("half", [valid("1.0"), wrong()]),
        ("crashes", [Verdict::Crashed { exit: Exit::Code(1) }, wrong()]),
    ];
    rows.map(|(name, verdicts)| row_of(name, &verdicts, &scoring)).into()
}

#[test]
fn points_rank_in_their_direction_above_failures() {
    let up = ranked(scored(Direction::Up), &RankKey::usual(&Scoring::new(Direction::Up, 1)));
    assert_eq!(up, ["uneven", "steady", "half", "crashes"]);
    let down = ranked(scored(Direction::Down), &RankKey::usual(&Scoring::new(Direction::Down, 1)));
    assert_eq!(down, ["steady", "uneven", "half", "crashes"]);
}

#[test]
fn one_large_board_does_not_outweigh_the_others_in_relative_scores() {
    let mut rows = scored(Direction::Up);
    rank(&mut rows, &[RankKey::Relative]);
    let scores: Vec<_> = rows.iter().map(|row| (row.entry.name.as_str(), row.relative)).collect();
    let expected = [("steady", 1_666_666_667), ("uneven", 1_500_000_000), ("half", 100_000_000), ("crashes", 0)];
    assert_eq!(scores, expected.map(|(name, score)| (name, Some(score))));
    rank(&mut rows, &[RankKey::SCORE]);
    assert_eq!(rows[0].relative, None);
    let mut moves = vec![row("short", &[solved(50)]), row("long", &[solved(100)]), row("fails", &[Verdict::TimedOut])];
    rank(&mut moves, &[RankKey::Relative]);
    let scores: Vec<_> = moves.iter().map(|row| row.relative.expect("a score")).collect();
    assert_eq!(scores, [1_000_000_000, 500_000_000, 0]);
}
