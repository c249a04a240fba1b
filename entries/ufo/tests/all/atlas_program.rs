//! `ufo-atlas` as a program: tables, selections, configurations, files, errors.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use judge_command::ruling;

use crate::naive;
use crate::support::{folder, solved};

fn atlas(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ufo-atlas")).args(arguments).output().unwrap()
}

/// Returns the standard output of a command that must succeed.
fn printed(arguments: &[&str]) -> String {
    let output = atlas(arguments);
    assert!(output.status.success(), "{}", String::from_utf8(output.stderr).unwrap());
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the standard error of a command that must be refused.
fn refused(arguments: &[&str]) -> String {
    let output = atlas(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    assert!(output.stdout.is_empty());
    String::from_utf8(output.stderr).unwrap()
}

fn results() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results/ufo-atlas")
}

/// Reads CSV into rows of cells by column name.
fn rows(text: &str) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    reader.deserialize().map(Result::unwrap).collect()
}

/// Asserts that the judge accepts a board file, and that the answer file next to it solves it in these moves and steps.
fn assert_judged(board: &Path, moves: &str, steps: &str) {
    let answer = fs::read(board.with_extension("answer")).unwrap();
    let expected = (moves.parse().unwrap(), steps.parse().unwrap());
    assert_eq!(ruling("ufo", board, answer).solving(), expected, "{}", board.display());
}

#[test]
fn a_table_has_the_order_of_the_given_groups() {
    assert_eq!(
        printed(&["table", "2-2", "1-1", "cross:3-1", "3-1"]),
        "\
| group     | possible | problems | movable | solvable | solutions | max_moves | max_steps | longest |
| --------- | -------: | -------: | ------: | -------: | --------: | --------: | --------: | ------: |
| 2-2       |  279,312 |    8,879 |   6,551 |       47 |        36 |         5 |         5 |       5 |
| 1-1       |      576 |       80 |      17 |        2 |         2 |         1 |         1 |       1 |
| cross:3-1 |  892,800 |   18,752 |  13,327 |        1 |         1 |         3 |         3 |       3 |
| 3-1       |  267,168 |    5,650 |   4,180 |        0 |         0 |           |           |         |
"
    );
    assert_eq!(
        printed(&["table", "1-3", "--format", "csv"]),
        "group,possible,problems,movable,solvable,solutions,max_moves,max_steps,longest\n\
         1-3,291456,6160,4532,511,115,5,5,5\n"
    );
    let figures = &rows(&printed(&["table", "1-2", "--figures", "--format", "csv", "--threads", "1"]))[0];
    assert_eq!(figures["memory"], "12420");
    assert!(figures["seconds"].parse::<f64>().is_ok() && figures["processor_seconds"].parse::<f64>().is_ok());
}

#[test]
fn a_selection_is_written_as_boards_that_the_judge_accepts() {
    let folder = folder("select");
    let text = printed(&[
        "select",
        "2-3",
        "--moves",
        "8..",
        "--ratio",
        "75..100",
        "--first",
        "12",
        "--write",
        folder.to_str().unwrap(),
    ]);
    let selected = rows(&text);
    assert_eq!(selected.len(), 12);
    let costs: Vec<(u64, u64)> =
        selected.iter().map(|row| (row["moves"].parse().unwrap(), row["steps"].parse().unwrap())).collect();
    assert!(costs.is_sorted_by(|one, other| one >= other), "hardest first: {costs:?}");
    assert!(costs.iter().all(|(moves, steps)| *moves >= 8 && 100 * moves >= 75 * steps), "{costs:?}");
    for row in &selected {
        let board = folder.join(&row["board"]).with_extension("txt");
        assert_judged(&board, &row["moves"], &row["steps"]);
        let best = naive::best(&fs::read_to_string(&board).unwrap()).unwrap();
        assert_eq!(best.count.to_string(), row["answers"]);
        assert!(best.insignificant.is_empty());
    }
}

#[test]
fn a_selection_by_squares_prints_problems_in_the_requested_orientation() {
    let arguments =
        ["select", "1-4", "--letters-on", "25", "--numbers-on", "51,55", "--empty", "11", "--first", "1000"];
    let selected = rows(&printed(&arguments));
    assert!(selected.len() > 3, "{}", selected.len());
    for row in &selected {
        let numbers: Vec<&str> = row["numbers"].split(' ').collect();
        assert_eq!(row["letters"], "25");
        assert!(numbers.contains(&"51") && numbers.contains(&"55") && !numbers.contains(&"11"), "{numbers:?}");
    }
}

#[test]
fn a_selection_can_be_sorted_by_any_figure() {
    let first =
        |arguments: &[&str]| rows(&printed(&[&["select", "1-4", "--first", "1"], arguments].concat())).remove(0);
    let [easy, detour, many] = [
        first(&["--sort", "moves,steps", "--ascending"]),
        first(&["--sort", "difference", "--sum", "..15"]),
        first(&["--sort", "answers", "--steps", "5"]),
    ];
    assert_eq!((&easy["moves"][..], &easy["steps"][..], &easy["insignificant"][..]), ("1", "4", ""));
    assert_eq!((&detour["moves"][..], &detour["steps"][..]), ("2", "9"));
    assert_eq!((&many["steps"][..], &many["answers"][..]), ("5", "6"));
    let with = first(&["--insignificant", "--ascending"]);
    assert_eq!((&with["moves"][..], &with["steps"][..]), ("1", "1"));
    assert!(!with["insignificant"].is_empty());
}

#[test]
fn configurations_are_written_with_their_hardest_problem() {
    let folder = folder("configurations");
    let path = folder.to_str().unwrap();
    let listed = rows(&printed(&["configurations", "1-4", "--first", "2", "--write", path]));
    let first = &listed[0];
    // Fig. 3 no. 1 of the article.
    assert_eq!(
        (&first["configuration"][..], &first["solutions"][..], &first["placements"][..]),
        ("11 13 44 52", "16", "20")
    );
    for row in &listed {
        assert_judged(&folder.join(&row["board"]).with_extension("txt"), &row["moves"], &row["steps"]);
    }
    let ones = rows(&printed(&["configurations", "1-5", "--list", "one"]));
    assert_eq!(ones.len(), 59);
    // Fig. 6 no. 4.
    let figure = ones.iter().find(|row| row["configuration"] == "11 12 13 31 45").unwrap();
    assert_eq!((&figure["letters"][..], &figure["moves"][..], &figure["steps"][..]), ("52", "7", "13"));
    assert_eq!(rows(&printed(&["configurations", "1-5", "--list", "all"])).len(), 244);
    assert_eq!(rows(&printed(&["configurations", "1-5", "--list", "all", "--asymmetric"])).len(), 215);
}

#[test]
fn saved_groups_are_reused_by_a_later_command() {
    let folder = folder("keep");
    let keep = folder.to_str().unwrap();
    let first = printed(&["table", "2-2", "2-3", "--keep", keep]);
    let mut names: Vec<String> =
        fs::read_dir(&folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["5x5-1-2.ufo", "5x5-1-3.ufo", "5x5-2-2.ufo", "5x5-2-3.ufo"]);
    assert_eq!(printed(&["table", "2-2", "2-3", "--keep", keep]), first);
    // A saved group does not need the file of the group with one letter piece less.
    fs::remove_file(folder.join("5x5-1-3.ufo")).unwrap();
    assert_eq!(printed(&["table", "2-3", "--keep", keep]), printed(&["table", "2-3"]));
    // The saved file of another group is refused.
    fs::copy(folder.join("5x5-2-2.ufo"), folder.join("5x5-2-3.ufo")).unwrap();
    let message = refused(&["table", "3-3", "--keep", keep]);
    let reason = "5x5-2-3.ufo: the file contains group 2-2; remove the file to solve group 2-3 again\n";
    assert!(message.ends_with(reason), "{message}");
    fs::write(folder.join("5x5-2-2.ufo"), "ufo").unwrap();
    let message = refused(&["select", "2-2", "--keep", keep]);
    assert!(message.contains("5x5-2-2.ufo: cannot read the first 36 bytes"), "{message}");
}

#[test]
fn answers_are_the_same_from_files_as_from_memory() {
    let folder = folder("answers");
    let keep = folder.to_str().unwrap();
    let fresh = printed(&["select", "3-3", "--first", "3"]);
    assert_eq!(printed(&["select", "3-3", "--first", "3", "--keep", keep]), fresh);
    assert_eq!(printed(&["select", "3-3", "--first", "3", "--keep", keep]), fresh);
    assert_eq!(rows(&fresh)[0]["moves"], "16");
}

#[test]
fn a_file_is_dumped_as_text() {
    let folder = folder("dump");
    printed(&["table", "1-1", "--keep", folder.to_str().unwrap()]);
    let file = folder.join("5x5-1-1.ufo");
    assert_eq!(
        printed(&["dump", file.to_str().unwrap()]),
        "letters,numbers,moves,steps,answers,insignificant\n13,43,1,1,1,\n23,43,1,1,1,\n"
    );
    let mut damaged = fs::read(&file).unwrap();
    let last = damaged.len() - 1;
    damaged[last] ^= 1;
    fs::write(&file, damaged).unwrap();
    let output = atlas(&["dump", file.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.ends_with("the checksum does not match the records: the file is damaged\n"), "{message}");
}

#[test]
fn invalid_commands_are_refused_with_a_reason() {
    let cases: [(&[&str], &str); 9] = [
        (
            &["table", "4-1"],
            "invalid group `4-1`; expected 1 to 3 letter pieces, -, 1 to 9 number pieces, such as 2-4 or cross:2-4",
        ),
        (
            &["table", "cross:3-6", "--memory", "1GiB"],
            "ufo-atlas: group cross:3-6 needs 3.8 GiB of memory, more than the limit of 1.0 GiB; give --memory 3844MiB \
             or more\n",
        ),
        (&["table", "--threads", "0"], "invalid value '0' for '--threads <NUMBER>'"),
        (&["table", "2-4", "--most-steps", "5", "--keep", "x"], "cannot be used with '--keep <FOLDER>'"),
        (&["select", "1-4", "--moves", "9..3"], "empty range `9..3`; put the smaller number first"),
        (&["select", "1-4", "--steps", "many"], "invalid range `many`; use for example 10, 10..12, 10.. or ..12"),
        (
            &["select", "1-4", "--sort", "fun"],
            "unknown figure `fun`; use moves, steps, sum, difference, ratio, answers",
        ),
        (
            &["select", "1-4", "--empty", "61"],
            "ufo-atlas: --empty: invalid square `61`; use row and column, such as 42\n",
        ),
        (&["dump", "no-such-file.ufo"], "ufo-atlas: cannot read no-such-file.ufo: No such file or directory"),
    ];
    for (arguments, reason) in cases {
        let message = refused(arguments);
        assert!(message.contains(reason), "{reason:?} is not in {message:?}");
    }
}

/// Groups whose differences take most of the report's time: every limit on the steps of a move is tried on all problems.
const LARGE: [&str; 4] = ["1-6", "cross:1-5", "cross:2-4", "cross:3-3"];
/// The files of a report; the last one has its witnesses.
const FILES: [&str; 3] = ["tables.csv", "configurations.csv", "witnesses.csv"];
/// The columns of tables.csv with the article's solutions, moves and steps.
const PAPER: [usize; 3] = [8, 10, 12];

/// Writes a report into a folder and returns its files. Without the article's figures for `agreeing` groups, none of them
/// differs.
fn report(folder: &Path, agreeing: &[&str]) -> String {
    let published = fs::read_to_string(results().join("published.csv")).unwrap();
    let row = |line: &str| match line.split(',').collect::<Vec<_>>()[..] {
        [table, group, analyzed, ..] if agreeing.contains(&group) => format!("{table},{group},{analyzed},,,\n"),
        _ => format!("{line}\n"),
    };
    fs::write(folder.join("published.csv"), published.lines().map(row).collect::<String>()).unwrap();
    let lists = "published-configurations.csv";
    fs::copy(results().join(lists), folder.join(lists)).unwrap();
    printed(&["report", folder.to_str().unwrap(), "--keep", solved().to_str().unwrap()]);
    files(folder)
}

/// The files of a report in a folder, one after the other.
fn files(folder: &Path) -> String {
    FILES.map(|file| fs::read_to_string(folder.join(file)).unwrap()).concat()
}

/// The rows of a report, except for the article's figures for large groups, and their witnesses.
fn without_large_differences(report: &str) -> Vec<Vec<String>> {
    let rows = report.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    // A row of a witness begins with its group, one of a table with the number of that.
    let rows = rows.filter(|cells| !LARGE.contains(&&*cells[0]));
    rows.map(|mut cells| {
        if cells.len() > PAPER[2] && LARGE.contains(&&*cells[1]) {
            PAPER.into_iter().for_each(|column| cells[column].clear());
        }
        cells
    })
    .collect()
}

/// The witnesses that a report names: name, moves and steps of each.
fn witnesses(report: &str) -> Vec<[String; 3]> {
    let (_, rows) = report.split_once("\ngroup,witness,").unwrap();
    let cells = rows.lines().skip(1).map(|row| row.split(',').collect::<Vec<_>>());
    cells.map(|cells| [cells[1], cells[2], cells[3]].map(str::to_owned)).collect()
}

/// Asserts that a report has written the witnesses it names, each equal to the recorded one. Returns their number.
fn assert_recorded(folder: &Path, report: &str) -> usize {
    let named = witnesses(report);
    for file in named.iter().flat_map(|[name, ..]| ["txt", "answer"].map(|kind| format!("witnesses/{name}.{kind}"))) {
        let [written, recorded] = [folder, &results()].map(|folder| fs::read_to_string(folder.join(&file)).unwrap());
        assert_eq!(written, recorded, "{file}");
    }
    named.len()
}

/// Every row and every list, and the differences of all groups that are not large.
#[test]
#[ignore = "deep: proofs: solves all groups of the article"]
fn the_recorded_report_is_reproduced() {
    let folder = folder("report");
    let written = report(&folder, &LARGE);
    let recorded = files(&results());
    assert_eq!(without_large_differences(&written), without_large_differences(&recorded));
    assert_eq!(assert_recorded(&folder, &written), 11);
    let all = witnesses(&recorded);
    for [name, moves, steps] in &all {
        assert_judged(&results().join("witnesses").join(name).with_extension("txt"), moves, steps);
    }
    let boards_and_answers = fs::read_dir(results().join("witnesses")).unwrap().count();
    assert_eq!((all.len(), boards_and_answers), (18, 36));
}

#[test]
#[ignore = "deep: proofs: tries twelve limits on the steps of a move on the largest groups"]
fn the_whole_recorded_report_is_reproduced() {
    let folder = folder("whole-report");
    let written = report(&folder, &[]);
    assert_eq!(written, files(&results()));
    assert_eq!(assert_recorded(&folder, &written), 18);
}

#[test]
fn a_group_that_is_too_large_is_refused_before_others_are_solved() {
    let folder = folder("admit");
    let message = refused(&["table", "1-3", "3-3", "--memory", "1MiB", "--keep", folder.to_str().unwrap()]);
    assert!(message.starts_with("ufo-atlas: group 3-3 needs 4.4 MiB of memory"), "{message}");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "nothing was solved");
}

#[test]
fn the_judge_accepts_the_hardest_problems_beyond_the_article() {
    let listed = rows(&fs::read_to_string(results().join("hardest.csv")).unwrap());
    let beyond = rows(&fs::read_to_string(results().join("beyond.csv")).unwrap());
    for row in &listed {
        assert_judged(
            &results().join("hardest").join(&row["board"]).with_extension("txt"),
            &row["moves"],
            &row["steps"],
        );
        // The other table has its group with the same number of moves.
        let pieces = row["board"].rsplit_once('-').unwrap().0;
        let group = pieces.strip_prefix("5x5-").map_or_else(|| pieces.replacen('-', ":", 1), str::to_owned);
        let of_group = beyond.iter().find(|row| row["group"] == group).unwrap();
        assert_eq!(of_group["max_moves"], row["moves"], "{group}");
    }
    assert_eq!(fs::read_dir(results().join("hardest")).unwrap().count(), 2 * listed.len());
}

#[test]
fn invalid_published_figures_are_refused() {
    let folder = folder("published");
    let heading = "table,group,analyzed,solutions,max_moves,max_steps\n";
    for (text, reason) in [
        ("1,1-0,,,,\n", "published.csv: line 2: invalid group `1-0`"),
        (
            "1,1-1,few,,,\n",
            "published.csv: CSV deserialize error: record 1 (line: 2, byte: 51): field 2: invalid digit",
        ),
        ("1,1-1\n", "published.csv: CSV error: record 1 (line: 2, byte: 51): found record with 2 fields"),
    ] {
        fs::write(folder.join("published.csv"), format!("{heading}{text}")).unwrap();
        let message = refused(&["report", folder.to_str().unwrap()]);
        assert!(message.contains(reason), "{reason:?} is not in {message:?}");
    }
}
