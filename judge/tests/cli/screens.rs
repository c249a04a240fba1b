//! What people see on terminals of three sizes.

mod animation;
mod comparisons;

use judge_core::journal;
use judge_core::results::Results;
use judge_report::{Format, View, write_for};

use crate::support::*;
use crate::terminal::Terminal;

/// Rows and columns of the terminals.
const SIZES: [(u16, u16); 3] = [(24, 80), (40, 120), (15, 40)];

/// The screen after a command that exits with 0, without the line of the shell.
fn screen(folder: &Folder, args: &[&str], (rows, columns): (u16, u16)) -> String {
    let terminal = Terminal::sized(folder, rows, columns, args.iter().copied());
    let text = terminal.left_with(0);
    let text = text.replace("left with 0\n", "");
    assert!(text.lines().all(|line| line.chars().count() <= columns.into()), "{text}");
    text
}

/// The text on a screen once it stays the same: a large frame arrives in pieces.
fn steady(terminal: &Terminal) -> String {
    let mut text = terminal.text();
    loop {
        std::thread::sleep(Duration::from_millis(300));
        let later = terminal.text();
        if later == text {
            return text;
        }
        text = later;
    }
}

#[test]
fn the_standings_are_the_last_thing_on_the_screen() {
    let folder = Folder::new();
    let [small, large, tiny] = SIZES.map(|size| screen(&folder, &["rank", &published()], size));
    assert_snapshot!(small, @"
    ╞════╪═════════════════╪══════════════╪════════════╡
    │  1 ┆ shufflemania    ┆ 125/0453/062 ┆ 2928770 ms │
    │    ┆ scrambloyd †    ┆ 125/0429/065 ┆ 1050890 ms │
    │  2 ┆ dilloydemma     ┆ 125/0497/078 ┆ 2985100 ms │
    │  3 ┆ slowmotion      ┆ 125/0533/089 ┆ 1260620 ms │
    │  4 ┆ O+PTM_rtll      ┆ 125/0551/090 ┆ 3000170 ms │
    │  5 ┆ pinkfLoyd       ┆ 125/0607/092 ┆  970690 ms │
    │  6 ┆ dubious         ┆ 125/0627/102 ┆ 2116180 ms │
    │  7 ┆ twobits         ┆ 125/0711/141 ┆     710 ms │
    │  8 ┆ tilex           ┆ 125/0817/136 ┆     370 ms │
    │  9 ┆ Nilssonized     ┆ 125/1427/158 ┆   78090 ms │
    │ 10 ┆ alphabits       ┆ 120/0695/149 ┆  647000 ms │
    │ 11 ┆ lwr             ┆ 105/1069/085 ┆    1490 ms │
    │ 12 ┆ slider          ┆ 100/0385/051 ┆ 1485830 ms │
    │ 13 ┆ bittwister      ┆ 100/0450/088 ┆  799780 ms │
    │ 14 ┆ ramduf          ┆ 100/0545/078 ┆ 1436190 ms │
    │ 15 ┆ Brute.Force     ┆ 100/0961/096 ┆  622600 ms │
    │ 16 ┆ escort          ┆ 093/0855/109 ┆     430 ms │
    │ 17 ┆ snails-pace     ┆ 076/0896/124 ┆ 2461550 ms │
    │ 18 ┆ 10.pound.sledge ┆ 075/0450/088 ┆ 2369780 ms │
    │ 19 ┆ detangler       ┆ 062/0484/053 ┆ 1034530 ms │
    └────┴─────────────────┴──────────────┴────────────┘
    ");
    assert_snapshot!(large, @"
    shufflemania wins with 125 tiles and 453 moves, 44 moves fewer than dilloydemma. 5 boards are too few to tell that
      from chance.

    a cell is tiles/moves, a total tiles/moves/transports
    places by more tiles, then more solved boards, then fewer failed runs, then fewer moves, then fewer transports, then
      fewer runs that never started, then less time
    TIM  time limit exceeded
    ILL  an illegal move; progress before it counts in the total, moves do not
    †    not competing: listed where it would rank, without a place; below the winner, though better: scrambloyd
    snails-pace is above 10.pound.sledge, which solved more boards (0 and 3 of 5), by tiles: 76 and 75
    no room for: author; --format csv has everything

    ┌────┬─────────────────┬────────┬────────┬────────┬────────┬────────┬──────────────┬────────────┐
    │    ┆ entry           ┆ FOXY   ┆ AID    ┆ TYPO   ┆ FAQ    ┆ WARN   ┆ total (5)    ┆ time       │
    ╞════╪═════════════════╪════════╪════════╪════════╪════════╪════════╪══════════════╪════════════╡
    │  1 ┆ shufflemania    ┆  25/94 ┆  25/89 ┆  25/98 ┆  25/90 ┆  25/82 ┆ 125/0453/062 ┆ 2928770 ms │
    │    ┆ scrambloyd †    ┆  25/86 ┆  25/87 ┆  25/94 ┆  25/84 ┆  25/78 ┆ 125/0429/065 ┆ 1050890 ms │
    │  2 ┆ dilloydemma     ┆ 25/104 ┆  25/95 ┆ 25/112 ┆ 25/104 ┆  25/82 ┆ 125/0497/078 ┆ 2985100 ms │
    │  3 ┆ slowmotion      ┆ 25/112 ┆  25/99 ┆ 25/116 ┆ 25/110 ┆  25/96 ┆ 125/0533/089 ┆ 1260620 ms │
    │  4 ┆ O+PTM_rtll      ┆ 25/116 ┆ 25/115 ┆ 25/128 ┆ 25/100 ┆  25/92 ┆ 125/0551/090 ┆ 3000170 ms │
    │  5 ┆ pinkfLoyd       ┆ 25/136 ┆ 25/125 ┆ 25/128 ┆ 25/116 ┆ 25/102 ┆ 125/0607/092 ┆  970690 ms │
    │  6 ┆ dubious         ┆ 25/132 ┆ 25/131 ┆ 25/140 ┆ 25/130 ┆  25/94 ┆ 125/0627/102 ┆ 2116180 ms │
    │  7 ┆ twobits         ┆ 25/144 ┆ 25/137 ┆ 25/154 ┆ 25/140 ┆ 25/136 ┆ 125/0711/141 ┆     710 ms │
    │  8 ┆ tilex           ┆ 25/158 ┆ 25/171 ┆ 25/182 ┆ 25/166 ┆ 25/140 ┆ 125/0817/136 ┆     370 ms │
    │  9 ┆ Nilssonized     ┆ 25/290 ┆ 25/387 ┆ 25/236 ┆ 25/250 ┆ 25/264 ┆ 125/1427/158 ┆   78090 ms │
    │ 10 ┆ alphabits       ┆ 20/144 ┆ 25/119 ┆ 25/144 ┆ 25/150 ┆ 25/138 ┆ 120/0695/149 ┆  647000 ms │
    │ 11 ┆ lwr             ┆ 25/268 ┆ 25/277 ┆  0/ILL ┆ 25/258 ┆ 25/266 ┆ 105/1069/085 ┆    1490 ms │
    │ 12 ┆ slider          ┆ 25/102 ┆  25/91 ┆ 25/104 ┆  25/88 ┆  0/TIM ┆ 100/0385/051 ┆ 1485830 ms │
    │ 13 ┆ bittwister      ┆ 25/110 ┆  0/TIM ┆ 25/112 ┆ 25/122 ┆ 25/106 ┆ 100/0450/088 ┆  799780 ms │
    │ 14 ┆ ramduf          ┆ 25/154 ┆ 25/141 ┆  0/TIM ┆ 25/114 ┆ 25/136 ┆ 100/0545/078 ┆ 1436190 ms │
    │ 15 ┆ Brute.Force     ┆  0/TIM ┆ 25/231 ┆ 25/276 ┆ 25/246 ┆ 25/208 ┆ 100/0961/096 ┆  622600 ms │
    │ 16 ┆ escort          ┆ 25/216 ┆ 15/122 ┆ 14/171 ┆ 14/172 ┆ 25/174 ┆ 093/0855/109 ┆     430 ms │
    │ 17 ┆ snails-pace     ┆ 16/202 ┆  11/88 ┆ 16/202 ┆ 18/202 ┆ 15/202 ┆ 076/0896/124 ┆ 2461550 ms │
    │ 18 ┆ 10.pound.sledge ┆ 25/160 ┆  0/TIM ┆ 25/148 ┆ 25/142 ┆  0/TIM ┆ 075/0450/088 ┆ 2369780 ms │
    │ 19 ┆ detangler       ┆  0/ILL ┆  0/ILL ┆ 25/230 ┆  0/TIM ┆ 25/254 ┆ 062/0484/053 ┆ 1034530 ms │
    └────┴─────────────────┴────────┴────────┴────────┴────────┴────────┴──────────────┴────────────┘
    ");
    assert_snapshot!(tiny, @"
    │  8 ┆ tilex           ┆ 125/0817/136 │
    │  9 ┆ Nilssonized     ┆ 125/1427/158 │
    │ 10 ┆ alphabits       ┆ 120/0695/149 │
    │ 11 ┆ lwr             ┆ 105/1069/085 │
    │ 12 ┆ slider          ┆ 100/0385/051 │
    │ 13 ┆ bittwister      ┆ 100/0450/088 │
    │ 14 ┆ ramduf          ┆ 100/0545/078 │
    │ 15 ┆ Brute.Force     ┆ 100/0961/096 │
    │ 16 ┆ escort          ┆ 093/0855/109 │
    │ 17 ┆ snails-pace     ┆ 076/0896/124 │
    │ 18 ┆ 10.pound.sledge ┆ 075/0450/088 │
    │ 19 ┆ detangler       ┆ 062/0484/053 │
    └────┴─────────────────┴──────────────┘
    ");
}

/// The table of results on a terminal of this many columns.
fn table(results: &Results, columns: u16) -> String {
    let (mut text, view) = (Vec::new(), View { width: Some(columns.into()), ..View::default() });
    write_for(results, Format::Table, view, &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(text.lines().all(|line| line.chars().count() <= columns.into()), "{text}");
    text
}

#[test]
fn boards_that_do_not_fit_stay_with_their_round() {
    let many = Results::read(&project().join("results/random-10s.csv"), journal::read).unwrap();
    for (_, columns) in SIZES {
        let text = table(&many, columns);
        assert_eq!(text.matches('┌').count(), 1, "{text}");
        // What the table has no room for is named, and not explained.
        let explained = text.contains("PAR2: mean time");
        assert_eq!(explained, text.contains("┆ PAR2"), "{text}");
    }
    let mut csv = "entry,round,board,verdict,progress,full,moves,tie_break,wall_us,limit_ms\n".to_owned();
    for (round, board) in ["A1", "A2", "A3", "A4", "B1", "B2", "B3", "B4"].iter().enumerate() {
        csv += &format!("ant,{},{board},solved,25,25,100,1,5,9\n", 1 + round / 4);
    }
    let text = table(&Results::read_csv("runs", csv.as_bytes()).unwrap(), 64);
    let heads: Vec<String> = text
        .lines()
        .filter(|line| line.contains("│ entry"))
        .map(|line| line.split_whitespace().filter(|word| !["│", "┆"].contains(word)).collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(heads, ["entry A1 A2 A3 A4", "entry B1 B2 B3 B4"], "six would fit: {text}");
}

#[test]
fn a_run_groups_its_failures_before_its_standings() {
    let folder = Folder::new();
    folder.script("good", "echo lluu");
    folder.script("bad", "echo working >&2; echo \"no file tables.bin\" >&2; exit 2");
    let names: Vec<String> = (1..=6).map(|number| format!("BOARD-{number}")).collect();
    let near = board("near-end-1");
    let boards: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), near.as_str())).collect();
    let text = contest(&boards)
        + &entry("good", &["./good"])
        + "author = \"Somebody with a name\"\n"
        + &entry("bad", &["./bad"]);
    folder.file("contest.toml", text);
    let printed = folder.judge(["run", "--out", "out"]).exits(0);
    let lines = |number: &str| printed.stderr.lines().filter(|line| line.starts_with(number)).count();
    assert_eq!((lines(" 1/12  "), lines(" 9/12  "), lines("10/12  ")), (1, 1, 1), "aligned: {}", printed.stderr);
    let printed = printed.stdout;
    assert!(
        printed.contains("\n\nnot solved:\n  bad: crashed with exit code 2 on 6 boards, first BOARD-1, its last line: no file tables.bin\n"),
        "{printed}"
    );
    assert!(
        printed.starts_with("good wins with 150 tiles home and 24 moves, ") && printed.ends_with("┘\n"),
        "{printed}"
    );
    let wide = folder.judge(["rank", "out"]).exits(0).stdout;
    assert!(wide.contains("Somebody with a name") && wide.lines().last().unwrap().chars().count() > 80);
    let text = screen(&folder, &["rank", "out"], (40, 80));
    // Times, and the marks of suspect runs, differ from run to run.
    let rows = text.lines().filter(|line| line.contains('┆') && !line.starts_with('╞'));
    let cells = |line: &str| {
        line.split(['│', '┆']).map(|cell| cell.trim().trim_end_matches('?').to_owned()).collect::<Vec<_>>()
    };
    let steady = |cell: &String| !cell.ends_with(" ms");
    let rows: Vec<String> =
        rows.map(|line| cells(line).into_iter().filter(steady).collect::<Vec<_>>().join("|")).collect();
    assert_eq!(
        rows,
        [
            "|entry|BOARD-1|BOARD-2|BOARD-3|BOARD-4|BOARD-5|BOARD-6|",
            "|good|25/4|25/4|25/4|25/4|25/4|25/4|",
            "|bad|0/CRA|0/CRA|0/CRA|0/CRA|0/CRA|0/CRA|",
            "||entry|total (6)|time|",
            "|1|good|150/0024/000|",
            "|2|bad|000/0000/000|",
        ]
    );
    assert!(text.contains("no room for: author; --format csv has everything\n"), "{text}");
    let runs = screen(&folder, &["runs", "out"], (24, 80));
    assert!(runs.contains("│ results ┆ date                 ┆ contest ┆ limit ┆ winner"), "{runs}");
    assert!(runs.contains(" ┆ test    ┆ 10s   ┆ ") && runs.contains(" ┆ good 150/0024/000"), "{runs}");
}

/// A folder whose `runs/` has the recorded results of 1995 at three limits.
fn recorded() -> Folder {
    let folder = Folder::new();
    std::fs::create_dir(folder.path().join("runs")).unwrap();
    for (number, name) in [(1, "1995-1s"), (2, "1995-10s"), (3, "1995-10m")] {
        let to = folder.path().join("runs").join(number.to_string());
        std::os::unix::fs::symlink(project().join("results").join(name), to).unwrap();
    }
    folder
}

#[test]
fn a_list_of_runs_names_what_it_has_no_room_for() {
    let folder = recorded();
    let [small, large, tiny] = SIZES.map(|size| screen(&folder, &["runs"], size));
    assert_snapshot!(small, @"
    ┌─────────┬────────────────────────────┬───────┬───────────────────────────┐
    │ results ┆ contest                    ┆ limit ┆ winner or mean            │
    ╞═════════╪════════════════════════════╪═══════╪═══════════════════════════╡
    │ runs/1  ┆ Loyd's Dilemma, April 1995 ┆ 1s    ┆ shufflemania 125/0417/058 │
    │ runs/2  ┆ Loyd's Dilemma, April 1995 ┆ 10s   ┆ shufflemania 125/0409/055 │
    │ runs/3  ┆ Loyd's Dilemma, April 1995 ┆ 10m   ┆ shufflemania 125/0393/055 │
    └─────────┴────────────────────────────┴───────┴───────────────────────────┘
    no room for: entries, boards; --json has everything
    ");
    assert_snapshot!(large, @"
    ┌─────────┬────────────────────────────┬───────┬─────────┬────────┬───────────────────────────┐
    │ results ┆ contest                    ┆ limit ┆ entries ┆ boards ┆ winner or mean            │
    ╞═════════╪════════════════════════════╪═══════╪═════════╪════════╪═══════════════════════════╡
    │ runs/1  ┆ Loyd's Dilemma, April 1995 ┆ 1s    ┆ 18      ┆ 5      ┆ shufflemania 125/0417/058 │
    │ runs/2  ┆ Loyd's Dilemma, April 1995 ┆ 10s   ┆ 18      ┆ 5      ┆ shufflemania 125/0409/055 │
    │ runs/3  ┆ Loyd's Dilemma, April 1995 ┆ 10m   ┆ 18      ┆ 5      ┆ shufflemania 125/0393/055 │
    └─────────┴────────────────────────────┴───────┴─────────┴────────┴───────────────────────────┘
    ");
    assert_snapshot!(tiny, @"
    ┌─────────┬───────────────────────────┐
    │ results ┆ winner or mean            │
    ╞═════════╪═══════════════════════════╡
    │ runs/1  ┆ shufflemania 125/0417/058 │
    │ runs/2  ┆ shufflemania 125/0409/055 │
    │ runs/3  ┆ shufflemania 125/0393/055 │
    └─────────┴───────────────────────────┘
    no room for: entries, boards, limit,
      contest; --json has everything
    ");
}

#[test]
fn a_replay_uses_the_terminal_that_it_has() {
    let folder = Folder::new();
    folder.script("good", "echo lluu");
    folder.file("contest.toml", contest(&[("NEAR", &board("near-end-1"))]) + &entry("good", &["./good"]));
    folder.judge(["run", "--out", "out"]).exits(0);
    // The usual size is shown by the tests of `judge replay`.
    let [large, tiny] = [SIZES[1], SIZES[2]].map(|(rows, columns)| {
        let terminal = Terminal::sized(&folder, rows, columns, ["replay", "out", "good", "NEAR", "--color", "never"]);
        terminal.shows("per second");
        terminal.press("g");
        terminal.shows("start of 4");
        terminal.press("l");
        terminal.until("the first step", |text| text.contains("step 1 of 4: l") && text.contains("paused"));
        let text = steady(&terminal);
        terminal.press("q");
        terminal.left_with(0);
        text
    });
    assert_snapshot!(large, @"
    good on NEAR, out                                                                                   paused, 4 per second
    step 1 of 4: l
    21 of 25 tiles home, 1 move, 0 transports



       A      B      C      D      E


       F      G      H      I      J


       K      L     [M]    [+]     N


       P      Q      R      S      O


       U      V      W      X      T


    tiles home of 25, step by step
                                                                                                                           █
                                                                ▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇█
    ▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇████████████████████████████████████████████████████████████
    ████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████
    ████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████
    ████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████
    ████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████
    ████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████
    ████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████
    ████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████
    ████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████
    ████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████
    ████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████
                                  ▲



    space play or pause  ← → step  PgUp PgDn ten steps  home end  + - speed  q quit
    ");
    assert_snapshot!(tiny, @"
    good on NEAR, out   paused, 4 per second
    step 1 of 4: l
    21 of 25 tiles home, 1 move, 0 transport

     A  B  C  D  E
     F  G  H  I  J
     K  L [M][+] N
     P  Q  R  S  O
     U  V  W  X  T
    tiles home of 25, step by step
    ▃▃▃▃▃▃▃▃▃▃▄▄▄▄▄▄▄▄▄▄▅▅▅▅▅▅▅▅▅▅▆▆▆▆▆▆▆▆▆█
    ████████████████████████████████████████
    ████████████████████████████████████████
              ▲
    space play or pause  ← → step  PgUp PgDn
    ");
    // In a pipe every position is printed.
    let printed = folder.judge(["replay", "out", "good", "NEAR"]).exits(0).stdout;
    assert!(printed.ends_with("solved: 25 of 25 tiles home, 4 moves, 0 transports\n"), "{printed}");
}

#[test]
fn the_column_that_decides_a_place_never_leaves() {
    let folder = Folder::new();
    let runs = |rows: [(u64, u64); 2]| {
        let names = ["an-entry-with-a-long-name", "another-with-a-long-name"];
        let lines = names
            .iter()
            .zip(rows)
            .map(|(entry, (moves, us))| format!("{entry},somebody,A-BOARD,solved,25,25,{moves},1,{us},9000\n"));
        let head = "entry,author,board,verdict,progress,full,moves,tie_break,wall_us,limit_ms\n".to_owned();
        lines.fold(head, |text, line| text + &line)
    };
    folder.file("moves.csv", runs([(9, 1_000_000), (10, 2_000_000)]));
    folder.file("time.csv", runs([(9, 1_000_000), (9, 2_000_000)]));
    let [moves, time] = ["moves.csv", "time.csv"].map(|file| screen(&folder, &["rank", file], (40, 50)));
    assert!(moves.contains("no room for: author, time;") && !moves.contains("┆ 1000 ms"), "{moves}");
    assert!(time.contains("no room for: author;") && time.contains("┆ 1000 ms"), "{time}");
    // Neither do the figures that totals do not contain.
    let declared =
        r#"{"figures":[{"name":"score","better":"more"},{"name":"moves","better":"less"}],"total":["score"]}"#;
    let declared = declared.replace('"', "\"\"");
    folder.file(
        "scored.csv",
        format!(
            "entry,author,board,verdict,figures,limit_ms,scoring,ranking\n\
             an-entry-with-a-long-name,somebody,A-BOARD,valid,\"{{\"\"score\"\":\"\"5\"\",\"\"moves\"\":\"\"7\"\"}}\",9,\"{declared}\",score moves\n\
             another-with-a-long-name,somebody,A-BOARD,valid,\"{{\"\"score\"\":\"\"5\"\",\"\"moves\"\":\"\"8\"\"}}\",9,,\n"
        ),
    );
    let scored = screen(&folder, &["rank", "scored.csv"], (40, 50));
    assert!(scored.contains("┆ moves │") && scored.contains("┆     7 │"), "{scored}");
}
