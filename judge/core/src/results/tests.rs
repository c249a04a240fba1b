//! What is shown of results: headings, remarks, selections, limits and ends.

use super::heads::*;
use super::runs::*;
use super::*;
use crate::points::Points;

const HEAD: &str =
    "round,entry,competing,board,repeat,verdict,progress,full,moves,tie_break,wall_us,limit_ms,reason,referee\n";

fn read(rows: &str) -> Results {
    Results::read_csv("test", (HEAD.to_owned() + rows).as_bytes()).unwrap()
}

/// Two entries on three boards; `a` failed on C, `b` has another referee on B.
fn two() -> Results {
    read(
        "1,a,yes,A,1,solved,25,25,10,1,5000,4000,,r1\n1,a,yes,B,1,solved,25,25,20,2,5000,4000,,r1\n\
         1,a,yes,C,1,judge_error,,,,,5000,6000,the disk is full,\n\
         1,b,no,A,1,solved,25,25,30,3,5000,4000,,r1\n1,b,no,B,1,timed_out,,,,,5000,4000,,r2\n\
         1,b,no,C,1,solved,25,25,9,1,5000,6000,,r1\n",
    )
}

#[test]
fn machines_of_several_models_are_counted_with_the_boards_that_mix_them() {
    assert_eq!(MixedHardware::from_runs([("A", "x", 1), ("B", "x", 1)].into_iter()), None);
    assert_eq!(MixedHardware::from_runs(std::iter::empty()), None);
    let mixed = MixedHardware::from_runs([("A", "x", 1), ("A", "y", 1), ("B", "x", 2)].into_iter()).unwrap();
    assert_eq!(mixed.models, BTreeMap::from([("x".to_owned(), 3), ("y".to_owned(), 1)]));
    assert_eq!(mixed.boards, ["A"]);
    // Other models on other boards mix nothing, and are several all the same.
    let apart = MixedHardware::from_runs([("A", "x", 1), ("B", "y", 1)].into_iter()).unwrap();
    assert_eq!((apart.models.len(), apart.boards.len()), (2, 0));
}

#[test]
fn runs_with_another_goal_than_the_first_of_their_board_say_so() {
    let solved = |entry: &str, board: &str, repeat: u32, full: u32| {
        format!("1,{entry},yes,{board},{repeat},solved,{full},{full},10,1,5000,4000,,\n")
    };
    let wrong = "1,c,yes,A,1,wrong,0,1,0,0,5000,4000,no,\n".to_owned();
    let (a, note) = (solved("a", "A", 1, 25), "full is 30, but 25 for a on A; a board must have one goal");
    for (rows, expected) in [
        (vec![a.clone(), solved("b", "A", 1, 25), solved("b", "B", 1, 30)], vec![]),
        (vec![a.clone(), wrong, solved("b", "A", 1, 25)], vec![]),
        (vec![a.clone(), solved("b", "A", 1, 30)], vec![("b", 1, note)]),
        (vec![a.clone(), solved("a", "A", 2, 30), solved("b", "A", 1, 30)], vec![("a", 2, note), ("b", 1, note)]),
    ] {
        let results = read(&rows.concat());
        let notes = results
            .remarks
            .iter()
            .flat_map(|remark| remark.extras.notes.iter().map(|note| (&*remark.entry, remark.repeat, note.as_str())));
        assert_eq!(notes.collect::<Vec<_>>(), expected, "{rows:?}");
    }
}

#[test]
fn a_run_without_a_goal_is_solved_by_that_of_its_board() {
    let run = |entry: &str, progress: u32, full: &str| {
        format!("1,{entry},yes,A,1,solved,{progress},{full},10,1,5000,4000,,\n")
    };
    let rows = [run("a", 25, "25"), run("b", 25, ""), run("c", 24, "")].concat();
    let solved: Vec<_> = read(&rows).rows.iter().map(|row| (row.entry.name.clone(), row.cells[0].solved)).collect();
    assert_eq!(solved, [("a".into(), Some(true)), ("b".into(), Some(true)), ("c".into(), Some(false))]);
}

#[test]
fn a_referee_is_named_for_what_it_ruled_on() {
    let record_of = |verdict: &str| {
        let mut line = serde_json::json!({"seq": 1, "round": 1, "entry": "a", "board": "X", "verdict": verdict,
            "wall_us": 5, "limit_ms": 1000, "stdout_bytes": 4, "stderr_bytes": 0,
            "isolation": {"tier": "process_group", "layers": []}});
        if verdict == "solved" {
            let score =
                serde_json::json!({"figures": {"progress": "25", "moves": "4", "tie_break": "0"}, "full": "25"});
            line.as_object_mut().unwrap().extend(score.as_object().unwrap().clone());
        }
        serde_json::from_value::<crate::journal::Record>(line).unwrap()
    };
    for (verdict, ruling, named) in
        [("solved", None, true), ("solved", Some("by hand"), false), ("timed_out", None, false)]
    {
        let mut record = record_of(verdict);
        record.referee = Some("r".into());
        record.extras.ruling = ruling.map(Into::into);
        assert_eq!(record.ruled_by_referee().is_some(), named, "{verdict} {ruling:?}");
    }
}

#[test]
fn figures_have_the_names_of_their_game() {
    let titles = |game: &str| {
        let scoring = Scoring::of_game(game);
        scoring.figures.iter().map(|figure| figure.title().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(titles("loyd"), ["tiles home", "moves", "transports"]);
    assert_eq!(titles("chess"), ["progress", "moves", "tie-break"]);
}

#[test]
fn a_round_is_called_by_its_name_or_its_number() {
    assert_eq!(RoundHead::numbered(1), []);
    let rounds = RoundHead::numbered(2);
    assert_eq!(rounds.iter().map(RoundHead::title).collect::<Vec<_>>(), ["round 1", "round 2"]);
    assert_eq!(RoundHead { name: Some("Final".into()), ..rounds[1].clone() }.title(), "Final");
}

#[test]
fn the_best_known_of_a_board_is_its_points_or_its_moves() {
    let mut board = two().boards.remove(0);
    assert_eq!(board.best_value(), None);
    board.known = Some(crate::plan::BestKnown { moves: 7, lower_bound: None });
    assert_eq!(board.best_value(), Some(7));
    board.best = "1.50".parse().ok();
    assert_eq!(board.best_value(), board.best.map(|best| u64::try_from(best.units()).unwrap()));
    board.best = "-3".parse().ok();
    assert!(board.best.is_some() && board.best_value() == Some(0), "less than nothing is not a share of anything");
}

#[test]
fn an_attempt_says_where_the_earlier_ones_are() {
    let mut remark = two().remarks.remove(0);
    let mut again = |attempt: u32, earlier: Option<u32>| {
        (remark.attempt, remark.earlier) = (attempt, earlier);
        remark.again()
    };
    assert_eq!((again(1, None), again(1, Some(0))), (None, None));
    for (attempt, earlier, text) in [
        (3, None, "attempt 3"),
        (2, Some(0), "attempt 2; the first one was cut off and has no result"),
        (3, Some(0), "attempt 3; the earlier ones were cut off and have no result"),
        (2, Some(1), "attempt 2; the journal has the earlier ones"),
        (3, Some(2), "attempt 3; the journal has the earlier ones"),
        (3, Some(1), "attempt 3; the journal has 1 of the earlier ones, the others were cut off"),
    ] {
        assert_eq!(again(attempt, earlier).as_deref(), Some(text));
    }
    assert_eq!(remark.ruled(), None);
    remark.extras.ruling = Some("a misprint".into());
    assert_eq!(remark.ruled().unwrap(), "ruled by hand, a misprint");
    remark.extras.ruled_by = Some("Ann".into());
    assert_eq!(remark.ruled().unwrap(), "ruled by hand by Ann, a misprint");
    assert_eq!((run_name("a", "B", 1), run_name("a", "B", 2)), ("a on B".into(), "a on B (repeat 2)".into()));
}

#[test]
fn a_machine_is_named_by_its_model_or_its_architecture() {
    let mut machine = Machine::default();
    machine.arch = "riscv".into();
    assert_eq!(model_of(&machine), Some("riscv"));
    machine.model = Some("Fast 9".into());
    assert_eq!(model_of(&machine), Some("Fast 9"));
    assert_eq!(model_of(&Machine::default()), None);
}

#[test]
fn limits_span_those_of_all_runs() {
    let text = |results: &Results| results.limits_text(|ms| format!("{ms}ms"));
    let mut results = two();
    assert_eq!((results.limits_ms(), text(&results).as_deref()), (Some((4000, 6000)), Some("4000ms to 6000ms")));
    results.limit_ms = Some(1000);
    assert_eq!(results.limits_ms(), Some((4000, 6000)), "the contest's limit is that of no run");
    results.rounds = RoundHead::numbered(2);
    assert_eq!(results.limits_ms(), Some((1000, 6000)), "a round without a limit of its own has the contest's");
    results.rounds.iter_mut().for_each(|round| round.limit_ms = Some(9000));
    assert_eq!(results.limits_ms(), Some((4000, 9000)));
    results.rows.clear();
    results.rounds.clear();
    assert_eq!(text(&results).as_deref(), Some("1000ms"));
    results.limit_ms = None;
    assert_eq!(text(&results), None);
}

#[test]
fn an_unknown_total_has_a_dash_for_each_figure_that_its_contest_counts() {
    let total = |columns: &str, scored: &str| {
        let head = HEAD.trim_end();
        let more = if columns.is_empty() { String::new() } else { format!(",{columns}") };
        let text = format!(
            "{head}{more}\n1,a,yes,A,1,judge_error,,,,,5000,4000,the disk is full,{scored}\n\
             1,a,yes,B,1,missing,,,,,,4000,,{scored}\n"
        );
        let results = Results::read_csv("test", text.as_bytes()).unwrap();
        crate::legend::total(&results, &results.rows[0], 1)
    };
    assert_eq!(total("", ""), "-/-/-");
    assert_eq!(total("scoring", r#","{""figures"":[]}""#), "-");
    assert_eq!(total("scoring", r#","{""figures"":[{""name"":""score"",""better"":""more"",""decimals"":0}]}""#), "-");
}

#[test]
fn boards_are_solved_where_something_can_solve_them() {
    assert!(two().solving());
    let valid = "1,a,yes,A,1,valid,3,25,10,1,5000,4000,,\n";
    let mut results = read(valid);
    assert!(!results.solving() && results.scoring.cost.is_some());
    assert!(read(&(valid.to_owned() + "1,a,yes,B,1,unsolved,3,25,10,1,5,4000,,\n")).solving());
    assert!(read("1,a,yes,A,1,timed_out,,,,,5000,4000,,\n").solving(), "moves, and nobody has any");
    results.scoring = Scoring::accepted_or_not().into();
    assert!(results.solving());
    let scoring = |full: &str| {
        serde_json::from_str(&format!(
            "{{\"figures\":[{{\"name\":\"score\",\"better\":\"less\",\"decimals\":0{full}}}]}}"
        ))
        .unwrap()
    };
    results.scoring = Arc::new(scoring(""));
    assert!(!results.solving() && results.scoring.direction() == Direction::Down);
    results.scoring = Arc::new(scoring(",\"full\":\"9\""));
    assert!(results.solving());
}

#[test]
fn referees_are_listed_by_their_rulings() {
    let referees: Vec<(String, usize)> =
        two().referees().into_iter().map(|(name, rulings)| (name.to_string(), rulings)).collect();
    assert_eq!(referees, [("r1".to_owned(), 4), ("r2".to_owned(), 1)]);
}

#[test]
fn results_are_over_when_nothing_is_left_to_make() {
    let mut results = two();
    assert!(!results.complete() && !results.over(), "a judge error is to be repeated");
    results = results.only(Some(&["A".into(), "B".into()]), None).unwrap();
    assert!(results.complete() && results.over());
    let upcoming = |entrants| Upcoming {
        number: 2,
        name: "Final".into(),
        sealed: Vec::new(),
        entrants,
        moved_up: Vec::new(),
        out: Vec::new(),
        runs: 1,
    };
    results.upcoming = Some(upcoming(None));
    assert!(results.complete() && !results.over());
    results.upcoming = Some(upcoming(Some(vec!["a".into()])));
    assert!(!results.over());
    results.upcoming = Some(upcoming(Some(Vec::new())));
    assert!(results.over(), "a round for nobody never opens");
}

#[test]
fn a_selection_is_ranked_as_if_it_were_the_contest() {
    let all = two();
    let names =
        |results: &Results| results.rows.iter().map(|row| (row.entry.name.clone(), row.place)).collect::<Vec<_>>();
    assert_eq!(names(&all), [("b".to_owned(), None), ("a".to_owned(), None)]);
    let first = two().only(Some(&["B".into(), "A".into()]), None).unwrap();
    assert_eq!(names(&first), [("a".to_owned(), Some(1)), ("b".to_owned(), None)]);
    assert_eq!(first.boards.iter().map(|board| &*board.name).collect::<Vec<_>>(), ["A", "B"]);
    assert_eq!([0, 1].map(|row: usize| first.rows[row].total.figure(1)), [Some(Points::whole(30)); 2]);
    let faults = |results: &Results| {
        results.faults.iter().map(|fault| format!("{} {}", fault.entry, fault.board)).collect::<Vec<_>>()
    };
    assert_eq!((faults(&all), faults(&first)), (vec!["a C".to_owned(), "b B".to_owned()], vec!["b B".to_owned()]));
    assert_eq!((all.remarks.len(), first.remarks.len()), (6, 4));
    let one = two().only(None, Some(&["b".into()])).unwrap();
    assert_eq!(
        (names(&one), faults(&one), one.remarks.len()),
        (vec![("b".to_owned(), None)], vec!["b B".to_owned()], 3)
    );
    for (boards, entries, message) in [(Some("D"), None, "unknown board `D`"), (None, Some("c"), "unknown entry `c`")] {
        let [boards, entries] = [boards, entries].map(|name: Option<&str>| name.map(|name| vec![name.to_owned()]));
        let refused = two().only(boards.as_deref(), entries.as_deref()).unwrap_err();
        assert!(refused.to_string().contains(message), "{refused}");
    }
    // Another order of figures.
    let by_time = first.ranked_by(&[RankKey::TIE_BREAK]);
    let whole = [RankKey::Solved, RankKey::Failed, RankKey::TIE_BREAK];
    assert_eq!((&by_time.ranking[..], by_time.rows[0].place), (&whole[..], Some(1)));
}

#[test]
fn who_is_not_in_the_rounds_of_the_chosen_boards_has_no_row() {
    let rounds = read(
        "1,a,yes,A,1,solved,25,25,10,1,5,4000,,\n1,b,yes,A,1,solved,25,25,9,1,5,4000,,\n\
         2,a,yes,Z,1,solved,25,25,12,1,5,4000,,\n",
    );
    assert_eq!(rounds.rounds.len(), 2);
    let decision = crate::ranking::decision(&rounds.rows, (0, 1), &rounds.ranking).unwrap();
    assert_eq!((decision.criterion, decision.round), (crate::ranking::Criterion::Rounds, 1));
    assert_eq!(
        decision.figures.clone().map(|figures| figures.total.figure(1)),
        [10, 9].map(|moves| Some(Points::whole(moves)))
    );
    assert_eq!(crate::ranking::decisions(&rounds.rows, &rounds.ranking), [((0, 1), decision)]);
    let refused = rounds.clone().only(Some(&["Z".into()]), Some(&["b".into()])).unwrap_err();
    assert_eq!(refused.to_string(), "`b` took no part in the rounds of the selected boards");
    let finale = rounds.only(Some(&["Z".into()]), None).unwrap();
    assert_eq!(finale.rows.iter().map(|row| &*row.entry.name).collect::<Vec<_>>(), ["a"]);
}

#[test]
fn repeats_stay_with_their_boards() {
    let repeated = read(
        "1,a,yes,A,1,solved,25,25,10,1,5,4000,,\n1,a,yes,B,1,solved,25,25,20,1,5,4000,,\n\
         1,a,yes,A,2,timed_out,,,,,5,4000,,\n1,a,yes,B,2,solved,25,25,22,1,5,4000,,\n",
    );
    assert_eq!(repeated.rows[0].total.figure(1), Some(Points::whole(30)), "the first repeat counts");
    let only = repeated.only(Some(&["B".into()]), None).unwrap();
    assert_eq!((only.rows[0].cells.len(), only.rows[0].repeats.len()), (1, 1));
    assert_eq!(only.rows[0].repeats[0][0].figure(1), Some(Points::whole(22)));
}

#[test]
fn who_goes_on_is_said_with_who_moves_up() {
    let of = |names: &[&str]| names.iter().map(|name| Name::from(*name)).collect::<Vec<_>>();
    let who = |entrants: Option<&[&str]>, moved_up: &[&str], out: &[&str], runs: usize| {
        let (number, name, sealed) = (2, "Final".into(), Vec::new());
        let (entrants, moved_up, out) = (entrants.map(of), of(moved_up), of(out));
        Upcoming { number, name, sealed, entrants, moved_up, out, runs }.who()
    };
    assert_eq!(who(None, &[], &[], 4), None);
    for (entrants, moved_up, out, runs, text) in crate::rows! {
        (&[][..], &[][..], &[][..], 0, "no entry advances to it"),
        (&[], &[], &["x"], 0, "no entry advances to it, because x is out of the contest"),
        (&["a"], &[], &["x"], 1, "a goes on, with 1 run"),
        (&["a", "b"], &["b"], &["x"], 4, "a, b go on, with 4 runs; b moves up, because x is out of the contest"),
        (&["a", "b"], &["a", "b"], &["x", "y"], 4, "a, b go on, with 4 runs; a, b move up, because x, y are out of the contest"),
    } {
        assert_eq!(who(Some(entrants), moved_up, out, runs).as_deref(), Some(text));
    }
}

#[test]
fn a_run_needs_few_bytes_of_a_table_and_of_a_journal() {
    use crate::points::Points;
    let bytes = [
        (size_of::<Option<Points>>(), 16),
        (size_of::<crate::score::RunCell>(), 112),
        (size_of::<super::Remark>(), 128),
        (size_of::<crate::verdict::Verdict>(), 64),
        (size_of::<crate::journal::Record>(), 368),
    ];
    assert!(bytes.iter().all(|(bytes, most)| bytes <= most), "{bytes:?}");
}
