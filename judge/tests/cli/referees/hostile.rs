//! Answers that attack their referee, and referees that misbehave: each is the judge's failure, and blocks no other run.

use super::{external, verdict};
use crate::support::*;

/// Prints its answer, which begins with the board's first word.
const ECHO: &str = "cat \"$1\"";

#[test]
#[ignore = "deep: siege"]
fn a_misbehaving_referee_costs_only_its_runs() {
    let folder = Folder::new();
    let script = r#"read -r what <"$1"
rule() { echo '{"format":1,"verdict":"solved"}' >"${3}ruling.json"; }
case $what in
loops) while :; do sleep 9; done ;;
forks) while :; do sleep 9 & done ;;
floods) rule "$@"; while :; do cat /dev/zero; done >"${3}feedback" ;;
prints) rule "$@"; cat /dev/zero ;;
links) echo '{"format":1,"verdict":"solved"}' >"$3/../other"; ln -s ../other "${3}ruling.json" ;;
pipes) mkfifo "${3}ruling.json" ;;
folders) mkdir "${3}ruling.json" ;;
nothing) ;;
exits) rule "$@"; echo 'Traceback: KeyError 3' >&2; exit 1 ;;
signals) rule "$@"; kill -SEGV $$ ;;
differs) echo '{"format":1,"verdict":"solved","figures":{"moves":'"$(od -An -N3 -tu4 /dev/urandom | tr -d ' ')"'}}' >"${3}ruling.json" ;;
frames) rule "$@"; echo '{"at":0,"svg":"../../../etc/passwd"}' >"${3}frames.jsonl" ;;
*) rule "$@" ;;
esac"#;
    let keys =
        "protocol = \"native\"\nrepeat = 2\nlimit = \"700ms\"\nprocesses = 24\nscratch = \"4MiB\"\noutput = \"1MiB\"";
    let cases = [
        ("loops", "it was still running at the limit of [referee]"),
        ("floods", "it wrote more files than [referee] allows"),
        ("prints", "it printed more than [referee] allows"),
        ("links", "it left no ruling.json; its file \"ruling.json\" was not fetched: it is a link"),
        ("pipes", "it left no ruling.json; its file \"ruling.json\" was not fetched: it is not a regular file"),
        ("folders", "it left no ruling.json; its file \"ruling.json\" was not fetched: it is not a regular file"),
        ("nothing", "it left no ruling.json"),
        ("exits", "it crashed with exit code 1: Traceback: KeyError 3"),
        ("signals", "it crashed with signal 11 (SIGSEGV)"),
        ("differs", "two calls gave different rulings: solved with progress 1 of 1, moves "),
        ("frames", "frames.jsonl: line 1: image \"../../../etc/passwd\" is missing"),
    ];
    let boards: Vec<(&str, &str)> =
        cases.iter().map(|(name, _)| (*name, *name)).chain([("forks", "forks"), ("fine", "fine")]).collect();
    let boards: Vec<(&str, String)> = boards.iter().map(|(name, text)| (*name, format!("{text}\n"))).collect();
    let boards: Vec<(&str, &str)> = boards.iter().map(|(name, text)| (*name, text.as_str())).collect();
    external(&folder, keys, script, &boards, &[("e", ECHO), ("f", ECHO)]);
    let printed = folder.judge(["run", "--out", "out"]).exits(3);
    for (board, reason) in cases {
        for entry in ["e", "f"] {
            let found = verdict(&folder, entry, board);
            assert!(found.starts_with(&format!("judge_error referee: {reason}")), "{board}: {found}");
        }
    }
    // Which limit a fork bomb hits first is up to the machine, but it hits one.
    let forks = verdict(&folder, "e", "forks");
    assert!(forks.starts_with("judge_error referee: "), "{forks}");
    assert_eq!(verdict(&folder, "f", "fine"), "solved");
    for message in ["judge resume out", "`judge rejudge out`", "judge rule out ENTRY BOARD VERDICT", "has no place yet"]
    {
        assert!(printed.stdout.contains(message), "{message}\n{}", printed.stdout);
    }
}

#[test]
#[ignore = "deep: siege"]
fn a_referee_that_crashes_on_wrong_answers_rejects_them_only_with_on_crash() {
    let script = r#"read -r a <"$2"; [ "$a" = 42 ] && exit 0; echo 'KeyError: 7' >&2; exit 66"#;
    for (on_crash, expected, code) in [
        ("judge", "judge_error referee: it crashed with exit code 66: KeyError: 7", 3),
        ("reject", "wrong the referee crashed with exit code 66, which counts as a rejection here: KeyError: 7", 0),
    ] {
        let folder = Folder::new();
        let keys = format!("protocol = \"exit\"\non_crash = \"{on_crash}\"");
        external(&folder, &keys, script, &[("A", "x")], &[super::RIGHT, super::WRONG]);
        let printed = folder.judge(["run", "--out", "out", "--report"]).exits(code);
        assert_eq!(verdict(&folder, "wrong", "A"), expected);
        assert_eq!(verdict(&folder, "right", "A"), "solved");
        let message = "A crash of the referee counts as a wrong answer";
        assert_eq!(printed.stdout.contains(message), on_crash == "reject", "{}", printed.stdout);
        assert_eq!(folder.read("out/report.html").contains(message), on_crash == "reject");
    }
}

#[test]
#[ignore = "deep: siege"]
fn hostile_answers_reach_the_referee_as_they_are() {
    let folder = Folder::new();
    // A referee that believes what it reads: the answer becomes its score, or its whole ruling.
    let script = r#"read -r what <"$1"
case $what in
score) printf '{"format":1,"verdict":"valid","figures":{"score":%s}}' "$(cat "$2")" >"${3}ruling.json" ;;
hangs) case $(head -c 2 "$2") in 1e) while :; do sleep 9; done ;; esac; echo '{"format":1,"verdict":"valid","figures":{"score":1}}' >"${3}ruling.json" ;;
*) cp "$2" "${3}ruling.json" ;;
esac"#;
    let keys =
        "protocol = \"native\"\nlimit = \"700ms\"\n[[figure]]\nname = \"score\"\nbetter = \"more\"\ndecimals = 3";
    let boards = [("score", "score\n"), ("hangs", "hangs\n"), ("whole", "whole\n")];
    let entries = [
        ("huge", "echo 1e99999999"),
        ("nan", "echo NaN"),
        ("nested", "head -c 16777215 /dev/zero | tr '\\0' '['"),
        ("nul", "head -c 40 /dev/zero"),
        ("honest", "echo 3"),
    ];
    external(&folder, keys, script, &boards, &entries);
    folder.judge(["run", "--out", "out"]).exits(3);
    let starts = |entry: &str, board: &str, expected: &str| {
        let found = verdict(&folder, entry, board);
        assert!(found.starts_with(expected), "{entry} on {board}: {found}");
    };
    starts("huge", "score", "judge_error referee: ruling.json: figure `score`: `1e99999999` is too large");
    starts("huge", "hangs", "judge_error referee: it was still running");
    starts("nan", "score", "judge_error referee: ruling.json: ");
    starts("nested", "whole", "judge_error referee: ruling.json has more than 65536 bytes");
    starts("nested", "hangs", "valid 1.000");
    starts("nul", "whole", "judge_error referee: ruling.json: expected an object");
    starts("nul", "hangs", "valid 1.000");
    starts("honest", "score", "valid 3.000");
    starts("honest", "hangs", "valid 1.000");
}

#[test]
#[ignore = "deep: siege"]
fn a_referee_does_not_learn_whose_answer_it_reads() {
    for (protocol, answer) in [("exit", "$2"), ("kattis", "/dev/stdin"), ("native", "$2")] {
        let folder = Folder::new();
        // Everything that a program can find out about its call, except the answer itself.
        let script = format!(
            r#"{{ env; pwd; echo "$@"; readlink /proc/self/fd/0 /proc/self/fd/1 "$2"; cat /proc/self/mountinfo; ls -laR . /proc/self/fd; stat "{answer}"; }} 2>&1 | tr '\n' ' ' >all
grep -q somebody all && echo told || echo hidden
[ -d "$3" ] && cp all "${{3}}teammessage.txt"
exit 1"#
        );
        let on_crash = if protocol == "exit" { "judge" } else { "reject" };
        let keys = format!("protocol = \"{protocol}\"\non_crash = \"{on_crash}\"");
        external(&folder, &keys, &script, &[("A", "x")], &[("somebody", "echo 1; echo told >&2")]);
        folder.judge(["run", "--out", "out"]).exits(0);
        let found = verdict(&folder, "somebody", "A");
        let expected = if protocol == "exit" { "wrong hidden" } else { "wrong the referee crashed" };
        assert!(found.starts_with(expected), "{protocol}: {found}");
    }
}
