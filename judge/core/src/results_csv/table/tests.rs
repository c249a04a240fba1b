use std::collections::BTreeSet;

use super::*;
use crate::code::Code;
use crate::plan::RankKey;
use crate::points::Points;
use crate::ranking;
use crate::relative::Direction;
use crate::results::Results;

fn again(results: &Results) -> (String, Results) {
    let mut csv = Vec::new();
    write(results, &mut csv).unwrap();
    (String::from_utf8(csv.clone()).unwrap(), Results::read_csv("again", &*csv).unwrap())
}

#[test]
fn goals_and_suspect_runs_are_read_again() {
    let runs = "entry,board,verdict,progress,full,moves,tie_break,wall_us,limit_ms,suspect\n\
                a,A,solved,25,25,10,1,5000,9,busy\na,B,unsolved,3,7,15,1,7000,9,\n\
                b,A,unsolved,20,25,9,1,4000,9,\nb,B,timed_out,,,,,9000,9,busy\n";
    let results = Results::read_csv("runs", runs.as_bytes()).unwrap();
    let (csv, read) = again(&results);
    assert!(
        csv.starts_with("place,entry,author,competing,A,B,progress,moves,tie_break,total_ms,suspect,declaration\n")
    );
    let declared = r#"{""ranking"":[""progress"",""solved"",""failed"",""moves"",""tie_break"",""unstarted"",""time""],""goals"":[25,7],""scoring"":{"#;
    assert!(csv.contains(&format!(",A,\"{declared}")) && csv.ends_with(",B,\n"), "once: {csv}");
    assert_eq!(read.scoring, results.scoring, "all that a game declares");
    let cells = |results: &Results| -> Vec<(Option<Points>, bool)> {
        results.rows.iter().flat_map(|row| &row.cells).map(|cell| (cell.full, cell.suspect)).collect()
    };
    let whole = |number| Some(Points::whole(number));
    assert_eq!(cells(&read), [(whole(25), true), (whole(7), false), (whole(25), false), (whole(7), true)]);
    // Columns without values are left out.
    let plain = Results::read_csv("table", &b"entry,A,tiles,moves,transports,total_ms\na,25/9,25,9,1,5\n"[..]).unwrap();
    let (csv, read) = again(&plain);
    assert!(csv.starts_with("place,entry,author,competing,A,progress,moves,tie_break,total_ms,declaration\n"), "{csv}");
    assert_eq!((&read.scoring, read.ranking), (&plain.scoring, Vec::new()), "the headings are titles");
}

#[test]
fn accepted_answers_have_columns_of_their_own() {
    let runs = "entry,board,verdict,scoring,wall_us,limit_ms\n\
                a,A,solved,\"{\"\"figures\"\":[]}\",5000,9\na,moves,wrong,,7000,9\n\
                b,A,judge_error,,,9\nb,moves,timed_out,,9000,9\n";
    let results = Results::read_csv("runs", runs.as_bytes()).unwrap();
    assert_eq!(RankKey::listed(&results.ranking), "solved failed unstarted time");
    let (csv, read) = again(&results);
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[0], "place,entry,author,competing,A,moves,solved,boards,total_ms,missing,declaration");
    let declared = r#""{""ranking"":[""solved"",""failed"",""unstarted"",""time""]}""#;
    assert_eq!(lines[1..], [format!("1,a,,yes,AC,WRO,1,2,12,0,{declared}"), ",b,,yes,JUD,TIM,,2,,1,".into()]);
    assert_eq!((read.scoring.accepts(), again(&read).0), (true, csv.clone()));
    let cells = |results: &Results| -> Vec<(Option<i128>, Option<&str>)> {
        results
            .rows
            .iter()
            .flat_map(|row| &row.cells)
            .map(|cell| (cell.metrics.figure(0).map(Points::units), cell.code.map(Code::letters)))
            .collect()
    };
    assert_eq!(cells(&read), cells(&results));
    assert_eq!(read.rows[0].total_text(&read.rows[0].total), "1");
    let refused = |cell: &str| {
        let csv = format!("entry,A,solved,boards,total_ms\na,{cell},1,1,5\n");
        Results::read_csv("table", csv.as_bytes()).unwrap_err().to_string()
    };
    let hint = "use AC or for example TIM, or leave it empty";
    assert_eq!(refused("1/0"), format!("table: line 2: invalid cell `1/0`; {hint}"));
    assert_eq!(refused("WRO"), "table: line 2: the total of solved is 1, the cells make 0");
}

#[test]
fn points_have_columns_of_their_own() {
    // A group that has its points as a whole, and a referee that gives only points.
    let scoring = r#"{"figures":[{"name":"score","better":"more","decimals":1}],"groups":[{"name":"g","aggregate":"all","points":"40.0"}]}"#;
    let scoring = scoring.replace('"', "\"\"");
    let runs = format!(
        "entry,board,group,verdict,progress,full,moves,tie_break,score,wall_us,limit_ms,scoring\n\
         a,A,g,solved,1,1,0,0,0.0,5000,9,\"{scoring}\"\na,B,,valid,0,1,0,0,2.5,7000,9,\"{scoring}\"\n\
         b,A,g,wrong,0,1,0,0,,1000,9,\"{scoring}\"\nb,B,,timed_out,,,,,,9000,9,\"{scoring}\"\n"
    );
    let results = Results::read_csv("runs", runs.as_bytes()).unwrap();
    let (csv, read) = again(&results);
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[0], "place,entry,author,competing,A,B,score,total_ms,solved_boards,declaration");
    assert!(lines[1].starts_with("1,a,,yes,AC,2.5,42.5,12,A,\"{") && lines[2] == "2,b,,yes,WRO,TIM,0.0,10,,", "{csv}");
    assert_eq!((read.scoring.scores(), again(&read).0), (true, csv));
    assert_eq!(RankKey::listed(&read.ranking), "score solved failed unstarted time");
}

#[test]
fn unusable_declarations_and_names_of_boards_are_refused() {
    let refused = |declared: &str, suspect: &str| {
        let declared = declared.replace('"', "\"\"");
        let csv =
            format!("entry,A,B,tiles,moves,t,total_ms,declaration,suspect\na,2/1,2/1,4,2,,,\"{declared}\",{suspect}\n");
        Results::read_csv("table", csv.as_bytes()).unwrap_err().to_string()
    };
    let column = "table: line 2: column declaration: ";
    for (declared, reason) in [
        (r#"{"ranking":[],"goals":[1,2,3]}"#, "goals: 3 numbers for 2 boards; give one, or one per board"),
        (r#"{"ranking":[],"goals":[9007199254740992]}"#, "goals: 9007199254740992 is too large"),
        (r#"{"ranking":[],"groups":["a"]}"#, "groups: 1 names for 2 boards"),
    ] {
        assert_eq!(refused(declared, ""), format!("{column}{reason}"));
    }
    for declared in ["x", r#"{"goals":[1]}"#, r#"{"ranking":["speed"]}"#, r#"{"ranking":[],"gaols":[1]}"#] {
        assert!(refused(declared, "").starts_with(column), "{declared}");
    }
    assert_eq!(refused("", "C"), "table: line 2: column suspect: unknown board `C`");
}

/// A kind of contest: its name, the columns of its runs, and the runs.
struct Kind {
    name: &'static str,
    columns: &'static str,
    runs: Vec<String>,
}

const COUNTED: &str = "entry,board,verdict,progress,full,moves,tie_break,wall_us,limit_ms";

/// Runs of a contest with this scoring: entry, board, group, verdict, points.
fn scored(name: &'static str, scoring: &str, ranking: &str, runs: &[(&str, &str, &str, &str, &str)]) -> Kind {
    let scoring = scoring.replace('"', "\"\"");
    let run = |(entry, board, group, verdict, points): &(&str, &str, &str, &str, &str)| {
        let progress = u8::from(*verdict == "solved");
        format!("{entry},{board},{group},{verdict},{progress},1,0,0,{points},1000,1000,\"{scoring}\",{ranking}")
    };
    let columns = "entry,board,group,verdict,progress,full,moves,tie_break,score,wall_us,limit_ms,scoring,ranking";
    Kind { name, columns, runs: runs.iter().map(run).collect() }
}

fn kinds() -> Vec<Kind> {
    let lines = |runs: &[&str]| runs.iter().map(|run| (*run).to_owned()).collect::<Vec<_>>();
    let counted = |name, runs: &[&str]| Kind { name, columns: COUNTED, runs: lines(runs) };
    let up = r#"{"figures":[{"name":"score","better":"more","decimals":1}]}"#;
    let down = r#"{"figures":[{"name":"score","better":"less","decimals":0}]}"#;
    let down_full = r#"{"figures":[{"name":"score","better":"less","decimals":0,"full":"5"}]}"#;
    let groups = r#"{"figures":[{"name":"score","better":"more","decimals":0}],"groups":[{"name":"easy","aggregate":"all","points":"40"},{"name":"hard","aggregate":"min","requires":["easy"]}]}"#;
    vec![
        counted(
            "a game, with failures",
            &[
                "a,A,solved,25,25,10,1,1000,9",
                "a,B,unsolved,20,25,9,1,1000,9",
                "b,A,unsolved,24,25,0,0,1000,9",
                "b,B,solved,25,25,30,2,1000,9",
                "c,A,timed_out,,,,,9000,9",
                "c,B,could_not_start,,,,,0,9",
                "d,A,timed_out,,,,,9000,9",
                "d,B,out_of_memory,,,,,0,9",
                "e,A,judge_error,,,,,0,9",
                "e,B,solved,25,25,1,1,1000,9",
            ],
        ),
        scored(
            "more points",
            up,
            "score solved failed unstarted time",
            &[
                ("a", "A", "", "valid", "1.5"),
                ("a", "B", "", "wrong", ""),
                ("b", "A", "", "valid", "1.0"),
                ("b", "B", "", "valid", "0.5"),
            ],
        ),
        scored(
            "fewer points, which solve",
            down_full,
            "solved failed score unstarted time",
            &[
                ("a", "A", "", "solved", "5"),
                ("a", "B", "", "unsolved", "40"),
                ("b", "A", "", "unsolved", "6"),
                ("b", "B", "", "unsolved", "7"),
            ],
        ),
        scored(
            "fewer points, and boards with their own",
            down,
            "solved failed score unstarted time",
            &[
                ("a", "A", "", "valid", "15"),
                ("a", "B", "", "valid", "1"),
                ("b", "A", "", "solved", "5"),
                ("b", "B", "", "out_of_memory", ""),
            ],
        ),
        scored(
            "groups",
            groups,
            "score solved failed unstarted time",
            &[
                ("a", "A", "easy", "solved", "0"),
                ("a", "B", "easy", "wrong", ""),
                ("a", "C", "hard", "valid", "60"),
                ("b", "A", "easy", "solved", "0"),
                ("b", "B", "easy", "solved", "0"),
                ("b", "C", "hard", "valid", "1"),
            ],
        ),
        scored(
            "the relative score",
            down,
            "relative",
            &[
                ("a", "A", "", "valid", "0"),
                ("a", "B", "", "valid", "40"),
                ("b", "A", "", "valid", "1"),
                ("b", "B", "", "valid", "10"),
            ],
        ),
        Kind {
            name: "moves of which some are unknown",
            columns: COUNTED,
            runs: lines(&[
                "a,A,solved,25,25,,1,5000,9",
                "a,B,solved,25,25,4,1,5000,9",
                "b,A,unsolved,20,25,4,1,5000,9",
                "b,B,unsolved,,,,,5000,9",
            ]),
        },
        Kind {
            name: "accepted or not",
            columns: "entry,board,verdict,scoring,wall_us,limit_ms",
            runs: lines(&[
                "a,A,solved,\"{\"\"figures\"\":[]}\",5000,9",
                "a,B,wrong,,7000,9",
                "b,A,timed_out,,9000,9",
                "b,B,solved,,9000,9",
            ]),
        },
        Kind {
            name: "rounds, in which time and failures decide",
            columns: "round,entry,board,verdict,progress,full,moves,tie_break,wall_us,limit_ms",
            runs: lines(&[
                "1,a,A,solved,25,25,9,1,9000,9",
                "1,b,A,solved,25,25,9,1,5000,9",
                "1,c,A,timed_out,,,,,5000,9",
                "2,a,B,solved,25,25,7,3,1000,9",
                "2,b,B,solved,25,25,7,3,6000,9",
            ]),
        },
        Kind {
            name: "repeats, of which one is missing",
            columns: "repeat,entry,board,verdict,progress,full,moves,tie_break,wall_us,limit_ms",
            runs: lines(&[
                "1,a,A,solved,25,25,9,1,9000,9",
                "2,a,A,solved,25,25,3,1,9000,9",
                "1,b,A,solved,25,25,7,1,5000,9",
                "2,b,A,missing,,,,,,",
            ]),
        },
    ]
}

#[test]
fn a_table_of_every_kind_is_read_again_with_the_same_places() {
    for Kind { name, columns, runs } in kinds() {
        let results = Results::read_csv("runs", format!("{columns}\n{}\n", runs.join("\n")).as_bytes()).unwrap();
        let (csv, read) = again(&results);
        let places = |results: &Results| -> Vec<(String, Option<usize>)> {
            results.rows.iter().map(|row| (row.entry.name.clone(), row.place)).collect()
        };
        assert!(results.rows.iter().any(|row| row.place == Some(1)), "{name}");
        assert_eq!((places(&read), &read.ranking), (places(&results), &results.ranking), "{name}: {csv}");
        assert_eq!(again(&read).0, csv, "{name}");
        for board in results.boards.iter().filter(|board| board.round == 1) {
            let only = |results: &Results| results.clone().only(Some(std::slice::from_ref(&board.name)), None).unwrap();
            let (whole, read) = (only(&results), only(&read));
            let solved = |results: &Results| -> Vec<_> {
                ranking::figures(&results.rows).into_iter().map(|rounds| (rounds[0].solved, rounds[0].failed)).collect()
            };
            if name != "a game, with failures" && !name.starts_with("rounds") {
                // Equal rows are in the order of each file.
                let sorted = |results: &Results| places(results).into_iter().collect::<BTreeSet<_>>();
                assert_eq!(sorted(&read), sorted(&whole), "{name} on {}", board.name);
            }
            let sorted = |mut counts: Vec<_>| {
                counts.sort_unstable();
                counts
            };
            assert_eq!(sorted(solved(&read)), sorted(solved(&whole)), "{name} on {}", board.name);
        }
    }
}

#[test]
fn a_table_without_a_declaration_has_totals_and_no_places() {
    let rows = "a,20/5,20/5,40,10,5,10\nb,15/15,25/15,40,30,5,10\n";
    let head = "entry,A,B,tiles,moves,transports,total_ms\n";
    let two = Results::read_csv("g1", format!("{head}{rows}").as_bytes()).unwrap();
    let three = Results::read_csv("g2", format!("{head}{rows}c,25/50,0/TIM,25,50,5,10\n").as_bytes()).unwrap();
    for results in [&two, &three] {
        assert!(results.ranking.is_empty() && results.rows.iter().all(|row| row.place.is_none()));
        assert_eq!(results.rows[0].total_text(&results.rows[0].total), "040/0010/005");
        // The result of the third entry does not affect the first two.
        let figures = [("tiles", Direction::Up), ("moves", Direction::Down)];
        let ranked = results.clone().ranked_by_figures(&figures).unwrap();
        assert_eq!(RankKey::listed(&ranked.ranking), "progress solved failed moves");
        let names: Vec<&str> =
            ranked.rows.iter().map(|row| row.entry.name.as_str()).filter(|name| *name != "c").collect();
        assert_eq!((names, ranked.rows[0].place), (vec!["a", "b"], Some(1)));
        assert_eq!(ranking::figures(&ranked.rows)[0][0].solved, None);
    }
    let refused = |name, better| two.clone().ranked_by_figures(&[(name, better)]).unwrap_err().to_string();
    assert!(refused("tile", Direction::Up).contains("did you mean `tiles`"));
    assert_eq!(refused("moves", Direction::Up), "moves: less is better of this column");
}

#[test]
fn a_table_of_rounds_is_read_again() {
    let csv = "entry,A,2/B,progress,moves,tie_break,total_ms,declaration\n\
               out,25/9,,25,9,1,5,\"{\"\"ranking\"\":[\"\"moves\"\",\"\"time\"\"]}\"\nin,25/10,-,,,,,\n";
    let results = Results::read_csv("test", csv.as_bytes()).unwrap();
    let rows: Vec<_> = results.rows.iter().map(|row| (row.entry.name.as_str(), row.rounds(), row.place)).collect();
    assert_eq!(rows, [("in", 2, None), ("out", 1, Some(2))], "a missing run of round 2 is above none");
    assert_eq!(results.ranking, [RankKey::MOVES, RankKey::Time], "nothing is added to what a file declares");
    let (_, again) = again(&results);
    let shown = |results: &Results| -> Vec<_> {
        results.rows.iter().map(|row| (row.entry.name.clone(), row.total.clone(), row.place, row.rounds())).collect()
    };
    assert_eq!((shown(&again), again.ranking), (shown(&results), results.ranking));
}
