//! Contests that take a stream of answers: which answer counts, when it was there, and what the record has of it.

use crate::second_opinion::has_python;
use crate::support::*;

/// A contest of one board and one entry, with a stream of answers or not.
fn folder_with(script: &str, stream: bool, limit: &str) -> Folder {
    let folder = Folder::new();
    folder.script("improve", script);
    let text = contest(&[("NEAR", &board("near-end-1"))]) + &entry("improve", &["./improve"]);
    let answers = if stream { "[answers]\nstream = true\n[[board]]" } else { "[[board]]" };
    folder.file("contest.toml", text.replacen("[[board]]", answers, 1).replace("10s", limit));
    folder
}

/// The record of the only run.
fn record(folder: &Folder) -> Value {
    folder.journal("out", "run").pop().unwrap()
}

/// Prints a long answer, later a short one, an illegal one and a part of another one, and goes on for ever.
const UNTIL_STOPPED: &str = "echo lrlluu; sleep 0.2; echo lluu; echo; echo lx; printf llu; sleep 1000";

#[test]
fn an_entry_that_the_limit_ends_keeps_its_last_whole_answer() {
    let folder = folder_with(UNTIL_STOPPED, true, "5s");
    folder.judge(["run", "--out", "out"]).exits(0);
    let run = record(&folder);
    assert_eq!((&run["verdict"], &run["figures"]["moves"]), (&"solved".into(), &"4".into()), "{run:#}");
    assert!(run["wall_us"].as_u64().unwrap() >= 5_000_000, "{run:#}");
    let stream = &run["stream"];
    assert_eq!((&stream["lines"], &stream["judged"]), (&3.into(), &3.into()), "a blank line and a part are none");
    let steps = stream["steps"].as_array().unwrap();
    assert_eq!(steps.iter().map(|step| &step["figures"]["moves"]).collect::<Vec<_>>(), ["6", "4"]);
    let at = |step: &Value| step["at_us"].as_u64().unwrap();
    // The judge may read late, but not before the line is written.
    assert!(at(&steps[1]) >= at(&steps[0]).max(200_000), "{stream:#}");
    assert_eq!(stream["answer_us"], steps[1]["at_us"]);
    // What is stored is the answer, so that everything else finds it where it always is.
    assert_eq!(folder.read("out/output/1/improve/NEAR.1.out"), "lluu\n");
    folder.judge(["verify", "out"]).exits(0);
    let json = folder.judge(["rank", "out", "--format", "json"]).exits(0).json();
    assert_eq!(json["entries"][0]["total"]["figures"]["moves"], "4");
    // The page has the curve and what was printed when.
    folder.judge(["report", "out"]).exits(0);
    assert!(folder.read("out/report.html").contains("id=\"plot-anytime\""));
    folder.judge(["figure", "anytime", "out", "-o", "curve.svg"]).exits(0);
    assert!(folder.read("curve.svg").contains("Best score over time"));
}

#[test]
fn without_a_stream_the_same_entry_has_no_answer() {
    let folder = folder_with(UNTIL_STOPPED, false, "1s");
    folder.judge(["run", "--out", "out"]).exits(0);
    let run = record(&folder);
    assert_eq!(run["verdict"], "timed_out", "{run:#}");
    assert!(run.get("stream").is_none() && !folder.read("out/journal.jsonl").contains("\"stream\""), "{run:#}");
    assert_eq!(folder.read("out/output/1/improve/NEAR.1.out"), "lrlluu\nlluu\n\nlx\nllu");
    assert!(!folder.judge(["report", "out", "-o", "-"]).exits(0).stdout.contains("plot-anytime"));
}

#[test]
fn the_last_accepted_answer_counts_even_if_an_earlier_one_was_better() {
    // The last line has no newline, and counts, because the program ends by itself.
    let folder = folder_with("[ \"$JUDGE_STREAM\" = 1 ] || exit 9; echo l; echo lluu; printf lrlluu", true, "10s");
    folder.judge(["run", "--out", "out"]).exits(0);
    let run = record(&folder);
    assert_eq!((&run["verdict"], &run["figures"]["moves"]), (&"solved".into(), &"6".into()), "{run:#}");
    let steps = run["stream"]["steps"].as_array().unwrap();
    assert_eq!(steps.iter().map(|step| step["verdict"].as_str().unwrap()).collect::<Vec<_>>(), ["unsolved", "solved"]);
    assert_eq!(steps[1]["figures"]["moves"], "4");
}

#[test]
fn a_stream_without_an_accepted_answer_fails_as_ever() {
    for (script, verdict) in [
        ("echo lluu; exit 3", "crashed"),
        ("echo lx; sleep 1000", "timed_out"),
        ("printf lluu; sleep 1000", "timed_out"),
        ("echo lx", "illegal_move"),
        ("true", "unsolved"),
    ] {
        let folder = folder_with(script, true, "1s");
        folder.judge(["run", "--out", "out"]).exits(0);
        assert_eq!(record(&folder)["verdict"], verdict, "{script}");
        folder.judge(["verify", "out"]).exits(0);
    }
}

#[test]
fn a_hundred_thousand_answers_need_no_more_than_a_short_record() {
    let folder = folder_with(
        "i=0; while [ $i -lt 10 ]; do yes lrlluu | head -n 10000; i=$((i + 1)); done; echo lluu",
        true,
        "60s",
    );
    folder.judge(["run", "--out", "out"]).exits(0);
    let run = record(&folder);
    assert_eq!((&run["verdict"], &run["figures"]["moves"]), (&"solved".into(), &"4".into()), "{run:#}");
    assert_eq!(run["stream"]["lines"], 100_001);
    assert!(run["stream"]["judged"].as_u64().unwrap() <= 2 * 2_048 && run.to_string().len() < 16_384);
    assert_eq!(folder.read("out/output/1/improve/NEAR.1.out"), "lluu\n");
    assert_eq!(run["stdout_bytes"], 100_000 * 7 + 5, "what it printed");
}

#[test]
fn a_referee_that_is_a_program_or_compares_tokens_takes_streams_too() {
    let folder = Folder::new();
    folder.file("sum.txt", "1 2\n");
    folder.file("sum.ans", "3\n");
    folder.script("adder", "echo 1; echo 3; echo 4; sleep 1000");
    folder.file(
        "contest.toml",
        "name = \"Sums\"\ngame = \"external\"\nlimit = \"2s\"\n[answers]\nstream = true\n[referee]\nprotocol = \"tokens\"\n\
         [[board]]\nname = \"SUM\"\nfile = \"sum.txt\"\nanswer = \"sum.ans\"\n[[entry]]\nname = \"adder\"\ncommand = \"./adder\"\n",
    );
    folder.judge(["run", "--out", "out"]).exits(0);
    let run = record(&folder);
    assert_eq!(run["verdict"], "solved", "{run:#}");
    assert_eq!((&run["stream"]["lines"], folder.read("out/output/1/adder/SUM.1.out").as_str()), (&3.into(), "3\n"));
    folder.judge(["verify", "out"]).exits(0);
}

#[test]
fn a_stream_is_part_of_the_contest() {
    let folder = folder_with("echo lluu", true, "10s");
    folder.judge(["run", "--out", "out"]).exits(0);
    let text = folder.read("contest.toml").replace("stream = true", "stream = false");
    folder.file("contest.toml", text);
    let refused = folder.judge(["resume", "out"]).exits(2).stderr;
    assert!(refused.contains("answers: `a stream` in the journal, `whole outputs` in the contest file"), "{refused}");
    folder.judge(["update", "out"]).exits(2).says(["`stream`", "cannot change"]);
}

#[test]
fn a_try_of_single_boards_takes_the_stream_of_its_contest() {
    let folder = Folder::new();
    folder.file("sum.txt", "1 2\n");
    folder.file("sum.ans", "3\n");
    folder.file(
        "contest.toml",
        "name = \"Sums\"\ngame = \"external\"\nlimit = \"2s\"\n[answers]\nstream = true\n[referee]\nprotocol = \"tokens\"\n\
         [[board]]\nname = \"SUM\"\nfile = \"sum.txt\"\nanswer = \"sum.ans\"\n[[entry]]\nname = \"x\"\ncommand = \"./adder\"\n",
    );
    let board = ["--contest", "contest.toml", "SUM", "--", "./adder"];
    folder.script("adder", "[ \"$JUDGE_STREAM\" = 1 ] || exit 9; echo 1; echo 3; sleep 1000");
    let message = folder.judge(["try"].into_iter().chain(board)).exits(0).stdout;
    assert!(message.contains("    2 answers; the one that counts arrived after "), "{message}");
    let json = folder.judge(["try", "--json"].into_iter().chain(board)).exits(0).json();
    assert_eq!((&json["verdict"], &json["stream"]["lines"]), (&"solved".into(), &2.into()), "{json:#}");
    folder.script("adder", "printf 3; sleep 1000");
    let message = folder.judge(["try"].into_iter().chain(board)).exits(1).stdout;
    assert!(message.contains("    0 answers, of which the referee accepts none"), "{message}");
    assert!(message.contains("still running at the limit") && message.contains("flush after each answer"), "{message}");
}

#[test]
fn a_try_of_single_boards_of_a_built_in_game_takes_the_stream_too() {
    let folder = folder_with(UNTIL_STOPPED, true, "2s");
    folder.file("near.txt", std::fs::read_to_string(board("near-end-1")).unwrap());
    let solver = ["--", "./improve"];
    for named in ["NEAR", "near.txt"] {
        let message =
            folder.judge(["try", "--contest", "contest.toml", named].into_iter().chain(solver)).exits(0).stdout;
        // The words of the game, not those of any referee.
        assert!(message.starts_with(&format!("{named}: solved: 25 of 25 tiles home, 4 moves, ")), "{message}");
        assert!(message.contains("    3 answers; the one that counts arrived after "), "{message}");
        assert_eq!(
            message.lines().filter(|line| line.contains(" moves 6, ") || line.contains(" moves 4, ")).count(),
            2,
            "{message}"
        );
    }
    folder.script("improve", "echo lx; sleep 1000");
    folder
        .judge(["try", "--contest", "contest.toml", "NEAR"].into_iter().chain(solver))
        .exits(1)
        .shows(["still running at the limit", "1 answer, of which the referee accepts none"]);
    // Without a stream the output is one answer, and its first illegal move is shown.
    folder.file("contest.toml", folder.read("contest.toml").replace("stream = true", "stream = false"));
    folder.script("improve", "echo lrx");
    let message = folder.judge(["try", "--contest", "contest.toml", "NEAR"].into_iter().chain(solver)).exits(1).stdout;
    assert!(message.contains("illegal move 3 `x`") && message.contains("the board at that moment:"), "{message}");
    let refused = folder.judge(["try", "--contest", "contest.toml", "NAER"].into_iter().chain(solver)).exits(2).stderr;
    assert!(refused.contains("unknown board `NAER`") && refused.contains("NEAR"), "{refused}");
}

/// Prints an answer every tenth of a millisecond for a second, each in its own write.
const FAST: &str = "import os, time
begin = time.monotonic()
for line in range(10000):
    os.write(1, b'lrlluu\\n')
    while time.monotonic() < begin + line / 10000:
        pass
os.write(1, b'lluu\\n')";

#[test]
fn ten_thousand_answers_a_second_count_each_from_when_it_was_there() {
    if !has_python() {
        return;
    }
    let folder = folder_with(&format!("exec python3 -c \"{FAST}\""), true, "60s");
    folder.judge(["run", "--out", "out", "--jobs", "1"]).exits(0);
    let run = record(&folder);
    assert_eq!(
        (&run["verdict"], &run["figures"]["moves"], &run["stream"]["lines"]),
        (&"solved".into(), &"4".into(), &10_001.into())
    );
    let steps = run["stream"]["steps"].as_array().unwrap();
    let at = |step: &Value| step["at_us"].as_u64().unwrap();
    assert!(steps.len() == 2 && at(&steps[1]) >= at(&steps[0]).max(900_000), "{run:#}");
}
