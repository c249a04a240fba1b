use super::*;

fn again(results: &Results) -> (String, Results) {
    let mut csv = Vec::new();
    write(results, &mut csv).unwrap();
    (String::from_utf8(csv.clone()).unwrap(), Results::read_csv("again", &*csv).unwrap())
}

#[test]
fn goals_and_suspect_runs_are_read_again() {
    let runs = "entry,board,verdict,progress,of,moves,tie_break,wall_us,limit_ms,suspect\n\
                a,A,solved,25,25,10,1,5000,9,busy\na,B,unsolved,3,7,15,1,7000,9,\n\
                b,A,unsolved,20,25,9,1,4000,9,\nb,B,timed_out,,,,,9000,9,busy\n";
    let results = Results::read_csv("runs", runs.as_bytes()).unwrap();
    let (csv, read) = again(&results);
    assert!(csv.starts_with("place,entry,author,competing,A,B,progress,moves,tie_break,total_ms,goals,suspect\n"));
    assert!(csv.contains(",25 7,A\n") && csv.contains(",25 7,B\n"), "{csv}");
    let cells = |results: &Results| -> Vec<(Option<u64>, bool)> {
        results.rows.iter().flat_map(|row| &row.cells).map(|cell| (cell.of, cell.suspect)).collect()
    };
    assert_eq!(cells(&read), [(Some(25), true), (Some(7), false), (Some(25), false), (Some(7), true)]);
    // Without anything to say, there is no column for it.
    let plain = Results::read_csv("table", &b"entry,A,tiles,moves,transports,total_ms\na,25/9,25,9,1,5\n"[..]).unwrap();
    assert!(again(&plain).0.starts_with("place,entry,author,competing,A,progress,moves,tie_break,total_ms\n"));
}

#[test]
fn accepted_answers_have_columns_of_their_own() {
    let runs = "entry,board,verdict,judged_by,wall_us,limit_ms\n\
                a,A,solved,acceptance,5000,9\na,moves,wrong,acceptance,7000,9\n\
                b,A,judge_error,acceptance,,9\nb,moves,timed_out,acceptance,9000,9\n";
    let results = Results::read_csv("runs", runs.as_bytes()).unwrap();
    assert_eq!((results.judged_by, &results.ranking[..]), (JudgedBy::Acceptance, &RankKey::ACCEPTED_ORDER[..]));
    let (csv, read) = again(&results);
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[0], "place,entry,author,competing,A,moves,solved,boards,total_ms");
    assert_eq!(lines[1..], ["1,a,,yes,AC,WRO,1,2,12", ",b,,yes,JUD,TIM,,2,"]);
    assert_eq!((read.judged_by, again(&read).0), (JudgedBy::Acceptance, csv.clone()));
    let cells = |results: &Results| -> Vec<(Option<u64>, Option<&str>)> {
        results
            .rows
            .iter()
            .flat_map(|row| &row.cells)
            .map(|cell| (cell.metrics.progress, cell.code.map(Code::letters)))
            .collect()
    };
    assert_eq!(cells(&read), cells(&results));
    assert_eq!(read.rows[0].total_text(&read.rows[0].total), "1");
    let refused = |cell: &str| {
        let csv = format!("entry,A,solved,boards,total_ms\na,{cell},1,1,5\n");
        Results::read_csv("table", csv.as_bytes()).unwrap_err().to_string()
    };
    let way_out = "use AC or for example TIM, or leave it empty";
    assert_eq!(refused("1/0"), format!("table: line 2: invalid cell `1/0`; {way_out}"));
    assert_eq!(refused("WRO"), "table: line 2: the total of progress is 1, the cells add up to 0");
}

#[test]
fn points_have_columns_of_their_own() {
    // A group that has its points as a whole, and a referee that counts nothing but points.
    let scoring = r#"{"direction":"up","decimals":1,"groups":[{"name":"g","aggregate":"all","points":"40.0"}]}"#;
    let scoring = scoring.replace('"', "\"\"");
    let runs = format!(
        "entry,board,group,verdict,progress,of,moves,tie_break,score,wall_us,limit_ms,scoring\n\
         a,A,g,solved,1,1,0,0,0.0,5000,9,\"{scoring}\"\na,B,,valid,0,1,0,0,2.5,7000,9,\"{scoring}\"\n\
         b,A,g,wrong,0,1,0,0,,1000,9,\"{scoring}\"\nb,B,,timed_out,,,,,,9000,9,\"{scoring}\"\n"
    );
    let results = Results::read_csv("runs", runs.as_bytes()).unwrap();
    let (csv, read) = again(&results);
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[0], "place,entry,author,competing,A,B,score_up,total_ms");
    assert_eq!(lines[1..], ["1,a,,yes,AC,2.5,42.5,12", "2,b,,yes,WRO,TIM,0.0,10"]);
    assert_eq!((read.judged_by, again(&read).0), (JudgedBy::Score, csv));
    assert_eq!(read.ranking, RankKey::SCORED_ORDER);
    // Tables of earlier versions have columns without a meaning there.
    let before =
        "place,entry,A,progress,moves,tie_break,total_ms,score_up\n1,a,2.5,1,0,0,5,2.5\n2,b,0/WRO,0,0,0,5,0.0\n";
    let read = Results::read_csv("before", before.as_bytes()).unwrap();
    let shown: Vec<String> = read.rows.iter().flat_map(|row| &row.cells).map(RunCell::text).collect();
    assert_eq!((read.judged_by, shown), (JudgedBy::Score, vec!["2.5".to_owned(), "WRO".to_owned()]));
}

#[test]
fn unusable_goals_and_suspect_runs_are_refused() {
    let refused = |goals: &str, suspect: &str| {
        let csv = format!("entry,A,B,tiles,moves,t,total_ms,goals,suspect\na,2/1,2/1,4,2,,,{goals},{suspect}\n");
        Results::read_csv("table", csv.as_bytes()).unwrap_err().to_string()
    };
    assert_eq!(refused("1 2 3", ""), "table: line 2: column goals: 3 numbers for 2 boards; give one, or one per board");
    assert_eq!(refused("x", ""), "table: line 2: column goals: `x` is not a whole number from 0 to 9007199254740991");
    assert_eq!(refused("2", "C"), "table: line 2: column suspect: unknown board `C`");
}

#[test]
fn a_table_of_rounds_is_read_again() {
    let csv = "entry,A,2/B,progress,moves,tie_break,total_ms,ranking\n\
               out,25/9,,25,9,1,5,moves time\nin,25/10,-,,,,,moves time\n";
    let results = Results::read_csv("test", csv.as_bytes()).unwrap();
    let rows: Vec<_> = results.rows.iter().map(|row| (row.entry.name.as_str(), row.rounds(), row.place)).collect();
    assert_eq!(rows, [("in", 2, None), ("out", 1, Some(2))], "a missing run of round 2 is above none");
    assert_eq!(results.ranking, [RankKey::Moves, RankKey::Time]);
    let mut written = Vec::new();
    write(&results, &mut written).unwrap();
    let again = Results::read_csv("test", &*written).unwrap();
    assert_eq!((again.rows, again.ranking), (results.rows, results.ranking));
}
