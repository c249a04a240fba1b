//! Knock-out rounds: seeding, byes and ties, and what a game that was recorded wrongly does to those after it.

use super::*;

/// Each seat says a number, and the higher one wins. On a board with a number, the referee takes that one for 0.
const HIGHER: &str = r#"
read misread < "$1"
value() {
    printf 'ask %d 1\nsay\nwait\n' $1 >&3
    read -r who state lines || exit 1
    [ "$state" = ok ] && read -r said || said=0
    [ "$said" = "$misread" ] && said=0
    echo "$said"
}
exec 3>&1
one=$(value 1); two=$(value 2)
if [ "$one" -gt "$two" ]; then echo end 1 0; elif [ "$one" -lt "$two" ]; then echo end 0 1; else echo end 0.5 0.5; fi
"#;

/// A contest of entries, each with its number, in these rounds of a board each. The board of a round has what the referee misreads.
fn higher(folder: &Folder, entries: &[(&str, u32)], rounds: &[(&str, &str, &str)]) {
    folder.file("referee.sh", HIGHER);
    let mut text = "name = \"higher\"\ngame = \"external\"\nlimit = \"10s\"\n".to_owned();
    text += "[referee]\ncommand = [\"sh\", \"referee.sh\"]\n[match]\nseats = 2\ndecimals = 1\n";
    for (name, misread, keys) in rounds {
        let boards: Vec<String> = misread.split(' ').map(|board| format!("{name}{board}")).collect();
        for (board, misread) in boards.iter().zip(misread.split(' ')) {
            folder.file(&format!("{board}.txt"), format!("{misread}\n"));
            text += &format!("[[board]]\nname = \"{board}\"\nfile = \"{board}.txt\"\n");
        }
        text += &format!("[[round]]\nname = \"{name}\"\nboards = {boards:?}\n{keys}\n");
    }
    let says = |number: &u32| format!("while read x; do echo {number}; done");
    text.extend(entries.iter().map(|(name, number)| entry(name, &["sh", "-c", &says(number)])));
    folder.file("contest.toml", text);
}

const FOUR: [(&str, u32); 4] = [("fair", 5), ("weak", 3), ("strong", 9), ("good", 7)];
const KNOCK_OUT: &str = "schedule = \"knock-out\"";

/// The entries in the order of their places.
fn places(folder: &Folder) -> Vec<String> {
    let document = folder.judge(["rank", "out", "--format", "json"]).exits(0).json();
    let rows = document["entries"].as_array().unwrap().iter();
    rows.map(|row| format!("{} {}", row["place"], row["entry"].as_str().unwrap())).collect()
}

/// The games that count, without what was measured.
fn counting(folder: &Folder) -> Vec<String> {
    let games = games(folder, "out").into_iter().filter(|game| game["counts"] == true);
    let text = |game: Value| {
        let seats = game["seats"].as_array().unwrap().iter();
        let seats: Vec<&str> = seats.map(|seat| seat["entry"].as_str().unwrap()).collect();
        format!("{} {}", game["board"].as_str().unwrap(), seats.join("-"))
    };
    games.map(text).collect()
}

#[test]
fn a_game_that_was_recorded_wrongly_costs_the_right_winner_nothing() {
    let folder = Folder::new();
    // As in June 1997: a game of the first knock-out round is recorded wrongly, and the right winner is out.
    let rounds = [("seeding", "-", "advance = { top = 4 }"), ("semifinal", "9", KNOCK_OUT), ("final", "-", KNOCK_OUT)];
    higher(&folder, &FOUR, &rounds);
    folder.judge(["run", "--out", "out", "--progress", "none"]).exits(0);
    assert_eq!(places(&folder), ["1 good", "2 weak", "3 strong", "4 fair"]);
    let wrong = ["final- good-weak", "final- weak-good"];
    assert_eq!(counting(&folder)[16..], wrong);
    // The games are ruled by hand, and the judge says what that does to later ones.
    for (one, other, points) in [("strong", "weak", "1,0"), ("weak", "strong", "0,1")] {
        let reason = ["--because", "the mediator misread 9"];
        let game = ["rule", "out", one, "semifinal9", "--against", other, "--points", points];
        let message = folder.judge(game.into_iter().chain(reason)).exits(0).stdout;
        // After the first, both have a point, and the better seed goes on.
        assert!(message.contains("other games follow from the results now: `judge update out --dry-run`"), "{message}");
    }
    let update = |more: &[&str]| {
        let all = ["update", "out", "--progress", "none"];
        let done = folder.judge(all.iter().chain(more).copied()).exits(0);
        format!("{}{}", done.stdout, done.stderr)
    };
    let before = folder.read("out/journal.jsonl");
    let message = update(&["--dry-run"]);
    for line in [
        "round 3, final, as it follows from the results now: strong, good",
        "2 games fall: good against weak on final-, weak against good on final-",
        "2 games to play: strong against good on final-, good against strong on final-",
    ] {
        assert!(message.contains(line), "{message}");
    }
    assert_eq!(folder.read("out/journal.jsonl"), before, "a dry run changes nothing");
    let message = update(&[]);
    assert!(message.contains("2 games fall: good against weak on final-, weak against good on final-"), "{message}");
    assert_eq!(places(&folder), ["1 strong", "2 good", "3 fair", "4 weak"]);
    assert_eq!(counting(&folder)[16..], ["final- strong-good", "final- good-strong"]);
    let tree = table(&folder, "out");
    insta::assert_snapshot!(&tree[tree.find("knock-out").unwrap()..tree.find("higher, 10s").unwrap()], @"
    knock-out, with the points of each pair; * goes on
    ┌──────────────┬──────────────┐
    │ semifinal    ┆ final        │
    ╞══════════════╪══════════════╡
    │ strong 2.0 * ┆ strong 2.0 * │
    │ weak 0.0     ┆              │
    │ good 2.0 *   ┆ good 0.0     │
    │ fair 0.0     ┆              │
    └──────────────┴──────────────┘
    ");
    let whole = folder.judge(["rank", "out"]).exits(0).stdout;
    for (line, times) in [
        ("│   ┆ entry  ┆ seeding ┆ semifinal ┆ final ┆ pairs, final │", 1),
        ("│ 1 ┆ strong ┆     6.0 ┆       2.0 ┆   2.0 ┆            1 │", 1),
        ("│ 4 ┆ weak   ┆     0.0 ┆       0.0 ┆       ┆              │", 1),
        ("│ entry  ┆ points ┆ won ┆ drawn ┆ lost ┆ faults │", 1),
        ("│ entry  ┆ points ┆ won ┆ drawn ┆ lost ┆ faults ┆ pairs │", 2),
    ] {
        assert_eq!(whole.matches(line).count(), times, "{line}: {whole}");
    }
    let page = folder.judge(["report", "out", "-o", "-"]).exits(0).stdout;
    assert!(
        page.contains("<td><strong><bdi>strong</bdi></strong> 2.0</td><td><strong><bdi>strong</bdi></strong> 2.0</td>")
    );
    // What fell is still there, counts for nothing, and counts again if the ruling is taken back.
    let fallen: Vec<Value> = games(&folder, "out").into_iter().filter(|game| game["counts"] == false).collect();
    assert_eq!(fallen.len(), 2);
    assert!(fallen.iter().all(|game| game["state"] == "played" && game["round"] == 3));
    assert!(update(&["--dry-run"]).contains("no run to execute"));
    folder.judge(["verify", "out"]).exits(0);
    for (one, other) in [("strong", "weak"), ("weak", "strong")] {
        folder.judge(["rule", "out", one, "semifinal9", "--against", other, "--undo"]).exits(0);
    }
    assert!(update(&[]).contains("no run to execute"));
    assert_eq!(places(&folder), ["1 good", "2 weak", "3 strong", "4 fair"]);
    assert_eq!(counting(&folder)[16..], wrong);
    folder.judge(["verify", "out"]).exits(0);
}

#[test]
fn a_final_of_the_same_two_is_not_played_again_after_another_semifinal() {
    let folder = Folder::new();
    let rounds = [("seeding", "-", "advance = { top = 3 }"), ("semi", "-", KNOCK_OUT), ("final", "-", KNOCK_OUT)];
    higher(&folder, &[("a", 9), ("b", 7), ("c", 3)], &rounds);
    folder.judge(["run", "--out", "out", "--progress", "none"]).exits(0);
    let last = |folder: &Folder| counting(folder).split_off(6);
    let finals = ["final- a-b", "final- b-a"];
    assert_eq!(last(&folder), [&["semi- b-c", "semi- c-b"][..], &finals].concat());
    // With another first seed, another one has the bye, and meets the same one in the final.
    for (one, other, points) in [("a", "b", "0,1"), ("b", "a", "1,0")] {
        let game = ["rule", "out", one, "seeding-", "--against", other, "--points", points, "--because", "misread"];
        folder.judge(game).exits(0);
    }
    folder.judge(["update", "out", "--progress", "none"]).exits(0).says(["4 games fall: b against c on semi-"]);
    let mut games = last(&folder);
    games.sort();
    assert_eq!(games, [&finals[..], &["semi- a-c", "semi- c-a"]].concat());
    assert_eq!(places(&folder), ["1 a", "2 b", "3 c"]);
    folder.judge(["verify", "out"]).exits(0);
}

#[test]
fn a_bye_goes_to_the_best_that_had_none_and_a_tie_to_the_better_seed() {
    let folder = Folder::new();
    let entries = [("a", 5), ("b", 5), ("c", 5), ("d", 1), ("e", 9)];
    higher(&folder, &entries, &[("one", "-", KNOCK_OUT), ("two", "-", KNOCK_OUT), ("three", "-", KNOCK_OUT)]);
    folder.judge(["run", "--out", "out", "--progress", "none"]).exits(0);
    // Five: a has a bye, b loses to e, c beats d. Three: c has the bye, and e beats a.
    let expected = ["one- b-e", "one- e-b", "one- c-d", "one- d-c", "two- a-e", "two- e-a", "three- c-e", "three- e-c"];
    assert_eq!(counting(&folder), expected);
    assert_eq!(places(&folder)[..2], ["1 e", "2 c"]);
    // Two with the same points: the better seed wins, also the final.
    let folder = Folder::new();
    higher(&folder, &entries[..2], &[("final", "-", KNOCK_OUT)]);
    folder.judge(["run", "--out", "out", "--progress", "none"]).exits(0);
    assert_eq!(places(&folder), ["1 a", "2 b"]);
}

#[test]
fn entries_that_tie_play_on_where_the_file_says_so() {
    let folder = Folder::new();
    let entries = [("a", 5), ("b", 5), ("c", 1), ("d", 2)];
    // On the second board the 5 of both is misread, on the third nothing is.
    higher(
        &folder,
        &entries,
        &[("semi", "- 7 1", "schedule = \"knock-out\"\ntie = \"games\""), ("final", "- 5", KNOCK_OUT)],
    );
    folder.judge(["run", "--out", "out", "--progress", "none"]).exits(0);
    let expected = ["semi- a-d", "semi- d-a", "semi- b-c", "semi- c-b"];
    assert_eq!(counting(&folder)[..4], expected);
    assert_eq!(counting(&folder).len(), 8, "the final is played on all its boards");
    // Those who tie need the next boards until one is better, or the better seed wins.
    let folder = Folder::new();
    higher(&folder, &[("a", 5), ("b", 5)], &[("final", "- 7 8", "schedule = \"knock-out\"\ntie = \"games\"")]);
    folder.judge(["run", "--out", "out", "--progress", "none"]).exits(0);
    assert_eq!(counting(&folder).len(), 6);
    assert_eq!(places(&folder), ["1 a", "2 b"]);
    folder.judge(["rule", "out", "b", "final-", "--against", "a", "--points", "1,0", "--because", "x"]).exits(0);
    folder.judge(["resume", "out", "--progress", "none"]).exits(0);
    assert_eq!((counting(&folder).len(), places(&folder)), (2, vec!["1 b".into(), "2 a".into()]));
    folder.judge(["verify", "out"]).exits(0);
}

#[test]
fn a_referee_gives_figures_to_each_seat() {
    let folder = Folder::new();
    higher(&folder, &[("a", 5), ("b", 5), ("c", 7)], &[("all", "- 7", "")]);
    folder.file("referee.sh", HIGHER.replacen("if [ \"$one\"", "echo figure said $one.5 $two.5\nif [ \"$one\"", 1));
    let figure = "[[figure]]\nname = \"said\"\nbetter = \"less\"\ndecimals = 1\n";
    let ranking = "[ranking]\norder = [\"said\", \"points\"]\n";
    folder.file("contest.toml", format!("{}{figure}{ranking}", folder.read("contest.toml")));
    folder.judge(["run", "--out", "out", "--progress", "none"]).exits(0);
    // On the second board 7 counts 0. Four games on each.
    let expected = ["1 c", "2 a", "2 b"];
    assert_eq!(places(&folder), expected);
    let total = |results: &str| {
        let document = folder.judge(["rank", results, "--format", "json"]).exits(0).json();
        document["entries"].as_array().unwrap().iter().map(|row| row["total"]["figures"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(total("out")[0]["said"], "32.0");
    assert_eq!(total("out/results.csv"), total("out"));
    let game = games(&folder, "out").swap_remove(0);
    assert_eq!((&game["seats"][0]["figures"]["said"], &game["seats"][1]["points"]), (&"5.5".into(), &"0.5".into()));
    assert!(folder.judge(["replay", "out", "a", "b", "all-"]).exits(0).stdout.contains("a: 0.5 points, said 5.5, "));
    // A referee that does not give it has failed.
    folder.file("referee.sh", HIGHER);
    let failed = folder.judge(["run", "--out", "other", "--progress", "none"]).exits(3);
    assert!(failed.stdout.contains("no `figure said …` was before it"), "{}", failed.stdout);
    if has_python() {
        recomputed(&folder, "out", "said points");
    }
}

#[test]
fn who_goes_during_a_knock_out_loses_pairs_and_moves_no_seed() {
    let folder = Folder::new();
    let rounds = [("seeding", "-", ""), ("semifinal", "-", KNOCK_OUT), ("final", "-", KNOCK_OUT)];
    higher(&folder, &FOUR, &rounds);
    folder.judge(["run", "--out", "out", "--progress", "none"]).exits(0);
    let with = folder.read("contest.toml");
    let gone = with.replace("name = \"strong\"\n", "name = \"strong\"\ndisqualified = \"copied\"\n");
    folder.file("contest.toml", gone);
    folder.judge(["update", "out", "--progress", "none"]).exits(0);
    // Whom it beat goes on in its place.
    assert_eq!(
        counting(&folder)[6..],
        ["semifinal- good-fair", "semifinal- fair-good", "final- good-weak", "final- weak-good"]
    );
    assert_eq!(places(&folder)[..3], ["1 good", "2 weak", "3 fair"]);
    // A game of an earlier round that is to be played again comes first.
    folder.file("contest.toml", with);
    folder.judge(["update", "out", "--progress", "none"]).exits(0);
    assert_eq!(places(&folder), ["1 strong", "2 good", "3 fair", "4 weak"]);
    folder.judge(["verify", "out"]).exits(0);
}
