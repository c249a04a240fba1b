//! `judge validate` and `judge try`: one answer, one solver.

use crate::support::*;

const ANSWER: &str = "ddddrrrulluuurrrddddlllluuuu";

#[test]
fn an_answer_comes_from_the_argument_a_file_or_standard_input() {
    let folder = Folder::new();
    folder.file("answer.txt", format!("{ANSWER}\n"));
    let trap = board("trap");
    let solved = "solved: 25 of 25 tiles home, 28 moves, 0 transports\n";
    assert_eq!(folder.judge(["validate", &trap, ANSWER]).exits(0).stdout, solved);
    assert_eq!(folder.judge(["validate", &trap, "dddd rrru lluu urrr dddd llll uuuu"]).exits(0).stdout, solved);
    assert_eq!(folder.judge(["validate", "--game", "loyd", &trap, "answer.txt"]).exits(0).stdout, solved);
    assert_eq!(folder.judge(["validate", &trap, "-"]).stdin(ANSWER).exits(0).stdout, solved);
    assert_eq!(folder.judge(["validate", &trap]).stdin(ANSWER).exits(0).stdout, solved);
    // Longer than any file name may be.
    let long = "du".repeat(4000);
    folder.judge(["validate", &board("perfection"), &long]).exits(0);
}

#[test]
fn a_failing_move_is_shown_with_the_board_at_that_moment() {
    let folder = Folder::new();
    assert_snapshot!(folder.judge(["validate", &board("near-end-1"), "llux"]).exits(1).stdout, @r#"
    illegal move 4 `x`: an answer has only the moves u, d, l, r, t and white space
    until then: 23 of 25 tiles home, 3 moves, 0 transports; the board at that moment:
         A  B  C  D  E
         F  G  H  I  J
         K  L  M  N [O]
         P  Q  R  S [+]
         U  V  W  X  T
    "#);
    assert_snapshot!(folder.judge(["validate", &board("near-end-1"), "ll"]).exits(1).stdout, @r#"
    not solved: 22 of 25 tiles home, 2 moves, 0 transports; the board at the end:
         A  B  C  D  E
         F  G  H  I  J
         K  L  M [N][+]
         P  Q  R  S  O
         U  V  W  X  T
    "#);
    assert_snapshot!(folder.judge(["validate", &board("near-end-1"), "ld", "--trace"]).exits(1).stdout, @r#"
    20 of 25 tiles home, 0 moves, 0 transports
         A  B  C  D  E
         F  G  H  I  J
         K  L  +  M  N
         P  Q  R  S  O
         U  V  W  X  T
    21 of 25 tiles home, 1 move, 0 transports
         A  B  C  D  E
         F  G  H  I  J
         K  L [M][+] N
         P  Q  R  S  O
         U  V  W  X  T
    20 of 25 tiles home, 2 moves, 0 transports
         A  B  C  D  E
         F  G  H [+] J
         K  L  M [I] N
         P  Q  R  S  O
         U  V  W  X  T
    not solved: 20 of 25 tiles home, 2 moves, 0 transports; the board at the end:
         A  B  C  D  E
         F  G  H [+] J
         K  L  M [I] N
         P  Q  R  S  O
         U  V  W  X  T
    "#);
}

#[test]
fn the_json_document_has_null_for_what_does_not_exist() {
    let folder = Folder::new();
    let document = |answer: &str, code: i32| {
        let printed = folder.judge(["validate", &board("near-end-1"), answer, "--json"]).exits(code);
        assert_eq!(printed.stdout.lines().count(), 1);
        (printed.json(), printed.stdout)
    };
    let (solved, text) = document("lluu", 0);
    let keys: Vec<&str> = text.split('"').filter(|word| solved.get(word).is_some()).collect();
    let expected = ["game", "verdict", "figures", "full", "failed_at", "reason", "final_board", "notes"];
    assert_eq!(keys, expected, "in this order");
    assert_eq!(
        solved,
        json!({"game": "loyd", "verdict": "solved", "figures": {"progress": "25", "moves": "4", "tie_break": "0"}, "full": "25",
               "failed_at": null, "reason": null, "final_board": "ABCDE FGHIJ KLMNO PQRST UVWX+", "notes": []})
    );
    let (unsolved, _) = document("ut", 1);
    assert_eq!((&unsolved["verdict"], &unsolved["figures"]["tie_break"]), (&"unsolved".into(), &"1".into()));
    assert_eq!(unsolved["failed_at"], Value::Null);
    let (illegal, _) = document("llt!", 1);
    assert_eq!(
        (&illegal["verdict"], &illegal["failed_at"], &illegal["figures"]["moves"]),
        (&"illegal_move".into(), &4.into(), &"3".into())
    );
    assert_eq!(illegal["reason"], "illegal move 4 `!`: an answer has only the moves u, d, l, r, t and white space");
}

#[test]
fn invalid_arguments_are_refused_with_a_remedy() {
    let folder = Folder::new();
    let near = board("near-end-1");
    let message = |args: &[&str]| folder.judge(["validate"].into_iter().chain(args.iter().copied())).exits(2).message();
    assert_snapshot!(message(&[&near, "answer.txt"]), @"judge: answer.txt: no such file; give a file with the answer, or the moves themselves");
    assert_snapshot!(message(&[&near, "."]), @"judge: .: is a directory; expected a regular file; give a file with the answer, the moves themselves, or `-` and the answer on standard input");
    assert_snapshot!(message(&[&near, "lluu", "--rule", "centre_transport"]), @r#"judge: invalid house rule `centre_transport`; write KEY=VALUE; loyd supports: centre_transport = "illegal" | "noop": the meaning of `t` if the centre is empty (default illegal)"#);
    assert_snapshot!(message(&[&near, "lluu", "--rule", "centre_transport=maybe"]), @r#"judge: invalid house rule: unknown variant `maybe`, expected `illegal` or `noop`; loyd supports: centre_transport = "illegal" | "noop": the meaning of `t` if the centre is empty (default illegal)"#);
    assert_snapshot!(message(&[&near, "lluu", "--rule", "center=noop"]), @r#"judge: invalid house rule: unknown field `center`, expected `centre_transport`; loyd supports: centre_transport = "illegal" | "noop": the meaning of `t` if the centre is empty (default illegal)"#);
    assert_snapshot!(message(&[&near, "lluu", "--game", "chess"]), @r#"
    error: invalid value 'chess' for '--game <GAME>'
      [possible values: loyd, ufo, shift, swap, hexa-draughts]

    For more information, try '--help'.
    "#);
    folder.judge(["validate", &near, "t", "--rule", "centre_transport=illegal"]).exits(1);
    let noop = folder.judge(["validate", &near, "t", "--rule", "centre_transport=noop", "--json"]).exits(1).json();
    assert_eq!((&noop["verdict"], &noop["figures"]["moves"]), (&"unsolved".into(), &"1".into()));
}

/// Times and the way to the rogue taken out.
fn timeless(text: &str) -> String {
    let text = text.replace(&rogue(), "ROGUE");
    let lines = text.lines().map(|line| match line.split_once(" s of ") {
        Some((_, rest)) => {
            let (limit, rest) = rest.split_once([',', ';']).unwrap();
            format!("    TIME s of {limit};{}\n", rest.rsplit_once(';').map_or(rest, |(_, bytes)| bytes))
        }
        None => format!("{line}\n"),
    });
    lines.collect()
}

#[test]
fn the_result_of_a_try_is_explained() {
    let folder = Folder::new();
    let (rogue, near) = (rogue(), folder.file("near.txt", "ABCDE FGHIJ KL+MN PQRSO UVWXT"));
    assert!(near.exists());
    let tried = |args: &[&str], code: i32| {
        let command = ["try", "near.txt", "--limit", "500ms", "--", &rogue];
        timeless(&folder.judge(command.into_iter().chain(args.iter().copied())).exits(code).stdout)
    };
    assert_snapshot!(tried(&["answer", "lluu"], 0), @r#"
    near.txt: solved: 25 of 25 tiles home, 4 moves, 0 transports
        TIME s of 500ms; 4 bytes on standard output, 0 on standard error
    "#);
    assert_snapshot!(tried(&["answer", "Answer: lluu"], 1), @r#"
    near.txt: illegal move 1 `A`: an answer has only the moves u, d, l, r, t and white space
    until then: 20 of 25 tiles home, 0 moves, 0 transports; the board at that moment:
         A  B  C  D  E
         F  G  H  I  J
         K  L  +  M  N
         P  Q  R  S  O
         U  V  W  X  T
        TIME s of 500ms; 12 bytes on standard output, 0 on standard error
        standard output begins with `Answer: lluu`
    "#);
    assert_snapshot!(tried(&["nothing"], 1), @r#"
    near.txt: not solved: 20 of 25 tiles home, 0 moves, 0 transports; the board at the end:
         A  B  C  D  E
         F  G  H  I  J
         K  L  +  M  N
         P  Q  R  S  O
         U  V  W  X  T
        TIME s of 500ms; 0 bytes on standard output, 0 on standard error
        standard output is empty: print the moves there, and flush before the program ends
    "#);
    assert_snapshot!(tried(&["sleep"], 1), @r#"
    near.txt: still running at the limit
        TIME s of 500ms; 0 bytes on standard output, 0 on standard error
        print the answer and exit before the limit, which JUDGE_LIMIT_MS contains
    "#);
    assert_snapshot!(tried(&["answer-and-exit", "lluu", "3"], 1), @r#"
    near.txt: crashed with exit code 3
        TIME s of 500ms; 4 bytes on standard output, 0 on standard error
        the answer does not count: a successful program exits with code 0
    "#);
    assert_snapshot!(tried(&["signal", "ABRT"], 1), @r#"
    near.txt: crashed with signal 6 (SIGABRT)
        TIME s of 500ms; 0 bytes on standard output, 0 on standard error
    "#);
    let missing = folder.judge(["try", "near.txt", "--", "./missing"]).exits(2);
    assert_snapshot!(missing.message(), @"judge: missing: no such file in FOLDER; build it, or correct the command");
}

#[test]
fn standard_error_of_a_solver_cannot_control_the_terminal() {
    let folder = Folder::new();
    folder.script("solver", r"printf '\033[2Jno idea\n' >&2; exit 1");
    let printed = folder.judge(["try", &board("trap"), "--", "./solver"]).exits(1);
    assert!(
        printed.stdout.ends_with("    standard error ends with:\n    | \u{fffd}[2Jno idea\n"),
        "{}",
        printed.stdout
    );
}

#[test]
fn a_script_in_the_current_folder_is_found_from_the_scratch_directory() {
    let folder = Folder::new();
    folder.file("solver.sh", "echo lluu");
    let document = folder.judge(["try", &board("near-end-1"), "--json", "--", "sh", "solver.sh"]).exits(0).json();
    assert_eq!((&document["verdict"], &document["figures"]["moves"]), (&"solved".into(), &"4".into()));
}
