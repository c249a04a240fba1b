//! Entries that play each other, from the contest file to the table, through kills, rulings and late entries.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::second_opinion::has_python;
use crate::support::*;

/// Who takes the last match of a heap wins. Each takes 1 to 3.
const REFEREE: &str = r#"
read heap < "$1"; seat=1
while :; do
    other=$((3 - seat)); winner=$other
    printf 'ask %d 1\n%d\nwait\n' $seat $heap
    read -r who state lines || exit 1
    [ "$state" = ok ] || break
    read -r take
    case $take in 1|2|3) ;; *) echo "out $seat takes $take"; break ;; esac
    heap=$((heap - take))
    [ $heap -gt 0 ] || { winner=$seat; break; }
    seat=$other
done
[ $winner = 1 ] && echo end 1 0 || echo end 0 1
"#;
const PERFECT: &str = "while read h; do t=$((h % 4)); [ $t = 0 ] && t=1; echo $t; done";
const ONES: &str = "while read h; do echo 1; done";
const THREES: &str = "while read h; do echo 3; done";

/// A contest of these entries on two heaps.
fn nim(folder: &Folder, entries: &[(&str, &str)], more: &str) {
    folder.file("referee.sh", REFEREE);
    folder.file("ten.txt", "10\n");
    folder.file("twelve.txt", "12\n");
    let mut text = "name = \"nim\"\ngame = \"external\"\nlimit = \"10s\"\n".to_owned();
    text += "[referee]\ncommand = [\"sh\", \"referee.sh\"]\n[match]\nseats = 2\n";
    for (name, file) in [("TEN", "ten.txt"), ("TWELVE", "twelve.txt")] {
        text += &format!("[[board]]\nname = \"{name}\"\nfile = \"{file}\"\n");
    }
    text.extend(entries.iter().map(|(name, body)| entry(name, &["sh", "-c", body])));
    folder.file("contest.toml", text + more);
}

fn usual(folder: &Folder) {
    nim(folder, &[("perfect", PERFECT), ("ones", ONES), ("threes", THREES)], "");
}

/// The games of a results directory.
fn games(folder: &Folder, results: &str) -> Vec<Value> {
    let lines = folder.judge(["games", results, "--json"]).exits(0).stdout;
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The points of each seat of each game, without what was measured.
fn points(folder: &Folder, results: &str) -> Vec<String> {
    let text = |game: &Value| {
        let seats = game["seats"].as_array().unwrap().iter();
        let seats: Vec<String> = seats.map(|seat| format!("{} {}", seat["entry"], seat["points"])).collect();
        format!("{} {}", game["board"], seats.join(" ")).replace('"', "")
    };
    games(folder, results).iter().map(text).collect()
}

/// The end of a table: cross table and standings.
fn table(folder: &Folder, results: &str) -> String {
    let text = folder.judge(["rank", results]).exits(0).stdout;
    text[text.find("points of each").unwrap()..].to_owned()
}

/// Compares what the judge makes of the games with what a second program makes of them.
fn recomputed(folder: &Folder, results: &str, ranking: &str) {
    recomputed_with(folder, results, ranking, "");
}

/// The same, for rounds that are described as JSON.
fn recomputed_with(folder: &Folder, results: &str, ranking: &str, rounds: &str) {
    let games = folder.judge(["games", results, "--json"]).exits(0).stdout;
    let by = ranking.replace(' ', ",");
    let rank = folder.judge(["rank", results, "--by", &by, "--format", "json"]).exits(0).stdout;
    let program = project().join("judge/tests/cli/matches/recompute.py");
    let output = Command::new("python3")
        .arg(program)
        .args([folder.file("games.jsonl", games), folder.file("rank.json", rank)])
        .args([ranking, rounds])
        .output()
        .unwrap();
    assert!(output.status.success(), "{results}: {}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn all_play_all_in_both_seats_and_the_table_is_the_sum_of_their_games() {
    let folder = Folder::new();
    usual(&folder);
    let check = folder.judge(["check"]).exits(0).stdout;
    assert!(check.contains("2 seats, a process per seat and game, points with 0 decimals, round robin"), "{check}");
    assert!(check.contains("  12 games, "), "{check}");
    folder.judge(["run", "--out", "out", "--progress", "none"]).exits(0);
    folder.judge(["verify", "out"]).exits(0);
    // Another process may have disturbed a game.
    clear_suspicion(&folder, "out");
    insta::assert_snapshot!(table(&folder, "out"), @"
    points of each entry against each other one
    ┌─────────┬─────────┬────────┬──────┐
    │ entry   ┆ perfect ┆ threes ┆ ones │
    ╞═════════╪═════════╪════════╪══════╡
    │ perfect ┆       · ┆      3 ┆    4 │
    │ threes  ┆       1 ┆      · ┆    3 │
    │ ones    ┆       0 ┆      1 ┆    · │
    └─────────┴─────────┴────────┴──────┘

    nim, 10s per seat and game
    ┌───┬─────────┬─────┬────────┬────────┬─────┬───────┬──────┬────────┐
    │   ┆ entry   ┆ TEN ┆ TWELVE ┆ points ┆ won ┆ drawn ┆ lost ┆ faults │
    ╞═══╪═════════╪═════╪════════╪════════╪═════╪═══════╪══════╪════════╡
    │ 1 ┆ perfect ┆   4 ┆      3 ┆      7 ┆   7 ┆     0 ┆    1 ┆      0 │
    │ 2 ┆ threes  ┆   2 ┆      2 ┆      4 ┆   4 ┆     0 ┆    4 ┆      0 │
    │ 3 ┆ ones    ┆   0 ┆      1 ┆      1 ┆   1 ┆     0 ┆    7 ┆      0 │
    └───┴─────────┴─────┴────────┴────────┴─────┴───────┴──────┴────────┘
    ");
    assert_eq!(
        points(&folder, "out"),
        [
            "TEN perfect 1 ones 0",
            "TEN ones 0 perfect 1",
            "TEN perfect 1 threes 0",
            "TEN threes 0 perfect 1",
            "TEN ones 0 threes 1",
            "TEN threes 1 ones 0",
            "TWELVE perfect 1 ones 0",
            "TWELVE ones 0 perfect 1",
            "TWELVE perfect 0 threes 1",
            "TWELVE threes 0 perfect 1",
            "TWELVE ones 0 threes 1",
            "TWELVE threes 0 ones 1",
        ]
    );
    // The file of results has the same table.
    let of = |results: &str| {
        let document = folder.judge(["rank", results, "--format", "json"]).exits(0).json();
        let rows = document["entries"].as_array().unwrap().iter();
        rows.map(|row| (row["entry"].clone(), row["place"].clone(), row["total"]["figures"].clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!(of("out"), of("out/results.csv"));
    let replay = folder.judge(["replay", "out", "ones", "perfect", "TEN"]).exits(0).stdout;
    assert!(replay.starts_with("seats: 1 ones, 2 perfect\n"), "{replay}");
    assert!(replay.contains("1 <") && replay.contains("perfect: 1 points, 3 asks"), "{replay}");
    folder.judge(["replay", "out", "ones", "TEN"]).exits(2);
    // Nothing rules on an entry alone, and no game on its answers again.
    assert!(
        folder.judge(["try", "--contest", ".", "--", "true"]).exits(2).stderr.contains("--against, of perfect, ones")
    );
    folder.judge(["rejudge", "out"]).exits(2);
    let page = folder.judge(["report", "out", "-o", "-"]).exits(0).stdout;
    assert!(page.contains("title=\"4 of 4 games: 3 won, 0 drawn, 1 lost, 0 faults\""), "the cross table");
    assert!(!page.contains("Virtual best solver") && page.contains("a board is where games begin"), "what fits games");
    if has_python() {
        recomputed(&folder, "out", "points");
        recomputed(&folder, "out", "faults lost won");
    }
}

#[test]
fn a_seat_at_fault_is_named_and_the_contest_goes_on() {
    let folder = Folder::new();
    nim(&folder, &[("perfect", PERFECT), ("dies", "exit 3"), ("cheats", "while read h; do echo 9; done")], "");
    folder.judge(["run", "--out", "out", "--progress", "none"]).exits(0).shows(["against perfect, ask 1"]);
    let faults = |entry: &str| {
        let games = games(&folder, "out");
        let seats = games.iter().flat_map(|game| game["seats"].as_array().unwrap().clone());
        let faults = seats.filter(|seat| seat["entry"] == entry && !seat["fault"].is_null());
        faults.map(|seat| seat["fault"]["verdict"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(faults("perfect"), Vec::<String>::new());
    assert!(faults("dies").iter().all(|fault| fault == "crashed") && faults("dies").len() >= 6, "{:?}", faults("dies"));
    assert!(faults("cheats").iter().all(|fault| fault == "wrong"), "{:?}", faults("cheats"));
    if has_python() {
        recomputed(&folder, "out", "points");
    }
}

#[test]
fn a_referee_that_fails_costs_nobody_a_game() {
    let folder = Folder::new();
    usual(&folder);
    folder.file("referee.sh", "exit 1");
    folder.judge(["run", "--out", "out", "--progress", "none"]).exits(3);
    let states: Vec<Value> = games(&folder, "out").iter().map(|game| game["state"].clone()).collect();
    assert_eq!(states, vec![Value::from("judge_error"); 12]);
    let missing = folder.judge(["rank", "out", "--format", "json"]).exits(0).json();
    assert_eq!((&missing["missing"], &missing["matches"]["missing"]), (&Value::from(12), &Value::from(12)));
}

#[test]
fn a_contest_of_matches_that_is_killed_plays_no_game_twice_and_loses_none() {
    let whole = Folder::new();
    usual(&whole);
    whole.judge(["run", "--out", "out", "--progress", "none"]).exits(0);
    let folder = Folder::new();
    usual(&folder);
    let recorded = || folder.path().join("out/journal.jsonl").exists().then(|| folder.read("out/journal.jsonl"));
    let count = || recorded().map_or(0, |journal| journal.matches("{\"line\":\"run\"").count());
    for kill_after in [2, 7] {
        let begin = if recorded().is_some() { &["resume", "out"][..] } else { &["run", "--out", "out"] };
        let mut judge = folder.command(begin.iter().copied().chain(["--progress", "none"])).spawn().unwrap();
        let begun = Instant::now();
        while count() < kill_after && begun.elapsed() < Duration::from_secs(100) {
            std::thread::sleep(Duration::from_millis(5));
        }
        judge.kill().unwrap();
        judge.wait().unwrap();
    }
    let before = count();
    assert!((7..12).contains(&before), "{before} games");
    folder.judge(["resume", "out", "--progress", "none"]).exits(0);
    assert_eq!(count(), 12);
    assert_eq!(points(&folder, "out"), points(&whole, "out"));
    // Another process may have disturbed a game.
    for folder in [&folder, &whole] {
        clear_suspicion(folder, "out");
    }
    assert_eq!(table(&folder, "out"), table(&whole, "out"));
}

#[test]
fn a_game_that_was_recorded_wrongly_is_ruled_again_and_the_places_follow() {
    let folder = Folder::new();
    usual(&folder);
    folder.judge(["run", "--out", "out", "--progress", "none"]).exits(0);
    let places = || {
        let document = folder.judge(["rank", "out", "--format", "json"]).exits(0).json();
        let rows = document["entries"].as_array().unwrap().clone();
        rows.iter()
            .map(|row| format!("{} {} {}", row["place"], row["entry"], row["total"]["figures"]["points"]))
            .collect::<Vec<_>>()
    };
    let right = places();
    let rule = |points: &str| {
        let args = format!("rule out ones TEN --against perfect --points {points} --because misread --by A");
        folder.judge(args.split(' ')).exits(0).stdout
    };
    insta::assert_snapshot!(rule("9,0"), @"ones against perfect on TEN: 9 - 0 (before: 0 - 1)");
    assert_ne!(places(), right);
    assert!(folder.judge(["games", "out", "--entry", "ones"]).exits(0).stdout.contains("9 - 0 (by hand)"));
    assert!(
        folder
            .judge(["replay", "out", "ones", "perfect", "TEN"])
            .exits(0)
            .stdout
            .contains("ruled by hand by A: misread")
    );
    if has_python() {
        recomputed(&folder, "out", "points");
    }
    folder.judge(["rule", "out", "ones", "TEN", "--against", "perfect", "--undo"]).exits(0);
    assert_eq!(places(), right);
    // A ruling needs the points of all seats, and names all of them.
    for args in [
        &["--against", "perfect", "--points", "1", "--because", "x"][..],
        &["valid", "--against", "perfect", "--because", "x"],
        &["valid", "--because", "x"],
        &["--against", "nobody", "--points", "1,0", "--because", "x"],
    ] {
        folder.judge(["rule", "out", "ones", "TEN"].into_iter().chain(args.iter().copied())).exits(2);
    }
}

#[test]
fn entries_that_come_change_and_go_are_in_the_games_that_follow() {
    let folder = Folder::new();
    nim(&folder, &[("perfect", PERFECT), ("ones", ONES)], "");
    folder.judge(["run", "--out", "out", "--progress", "none"]).exits(0);
    assert_eq!(games(&folder, "out").len(), 4);
    // A third entry plays both others; the games that were played stay.
    usual(&folder);
    let update = |more: &[&str]| folder.judge(["update", "out", "--progress", "none"].iter().chain(more).copied());
    let planned = update(&["--dry-run"]).exits(0);
    assert!((planned.stdout + &planned.stderr).contains("8 games to play"), "the dry run names the games");
    update(&[]).exits(0);
    let attempts: Vec<Value> = games(&folder, "out").iter().map(|game| game["attempt"].clone()).collect();
    assert_eq!(attempts, vec![Value::from(1); 12]);
    // Another program of an entry plays all its games again, and no other one.
    nim(&folder, &[("perfect", PERFECT), ("ones", THREES), ("threes", THREES)], "");
    update(&[]).exits(0);
    let again = |game: &Value| game["seats"].as_array().unwrap().iter().any(|seat| seat["entry"] == "ones");
    for game in games(&folder, "out") {
        assert_eq!(game["attempt"] == 2, again(&game), "{game}");
    }
    // The games of an entry that is withdrawn count for nobody.
    nim(&folder, &[("perfect", PERFECT), ("ones", THREES), ("threes", THREES)], "withdrawn = \"its author asked\"\n");
    update(&[]).exits(0);
    let counting = games(&folder, "out").iter().filter(|game| game["counts"] == true).count();
    assert_eq!(counting, 4);
    if has_python() {
        recomputed(&folder, "out", "points");
    }
}

#[test]
fn the_sample_contest_of_matches_runs_at_once() {
    if !has_python() {
        return;
    }
    let folder = Folder::new();
    folder.judge(["init", "--match", "python", "mine"]).exits(0);
    assert!(folder.read("mine/referee.py").lines().count() <= 100);
    folder.judge(["run", "mine", "--out", "out", "--progress", "none"]).exits(0);
    let table = table(&folder, "out");
    assert!(table.contains("│ 1 ┆ perfect ┆"), "{table}");
    assert_eq!(games(&folder, "out").len(), 12);
    recomputed(&folder, "out", "points");
}

mod duels;
mod knock_out;
mod scale;
mod strength;
mod tournaments;
