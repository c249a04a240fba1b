//! The figures of tries, recomputed by a program that shares no code with `judge`.

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use crate::second_opinion::has_python;
use crate::support::*;

const BOARDS: usize = 20;

/// A solver that prints `count` times `unit` and then `end` on the board with `count` lines more than the first one. Of a
/// count it makes an answer: a crash for 90 and above, an illegal one for 80 and above, a short one for 70 and above.
fn solver(folder: &Folder, name: &str, moves: bool, counts: &[usize]) {
    let cases: String = counts.iter().enumerate().map(|(board, count)| format!("{board}) n={count} ;;\n")).collect();
    let good = if moves { "i=0; while [ $i -lt $n ]; do printf lr; i=$((i+1)); done; echo lluu" } else { "echo $n" };
    let short = if moves { "echo l" } else { "echo 70" };
    folder.script(
        name,
        &format!(
            "size=$(wc -c <\"$1\"); case $((size - {})) in\n{cases}esac\n\
             if [ $n -ge 90 ]; then exit 3; elif [ $n -ge 80 ]; then echo x; elif [ $n -ge 70 ]; then {short}; else {good}; fi",
            fs::metadata(board("near-end-1")).unwrap().len()
        ),
    );
}

/// Numbers without a pattern, the same each time.
fn counts(seed: u64) -> Vec<usize> {
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    let mut next = |below: usize| dice.random_range(0..below);
    (0..BOARDS)
        .map(|board| match (board, next(10)) {
            // Never an answer, and never one before the last version.
            (0, _) => 90,
            (1, _) => {
                if seed == 6 {
                    1
                } else {
                    80
                }
            }
            (_, 0) => 90,
            (_, 1) => 80,
            (_, 2) => 70,
            _ => next(6),
        })
        .collect()
}

#[test]
#[ignore = "deep: clients"]
fn the_figures_of_tries_are_those_that_another_program_finds() {
    if !has_python() {
        return;
    }
    for kind in ["moves", "down", "up"] {
        let folder = Folder::new();
        let near = fs::read_to_string(board("near-end-1")).unwrap();
        let names: Vec<String> = (0..BOARDS).map(|more| format!("boards/b{more}.txt")).collect();
        for (more, name) in names.iter().enumerate() {
            folder.file(name, near.clone() + &"\n".repeat(more));
        }
        folder.script("referee", "case \"$(cat \"$2\")\" in ''|*[!0-9]*) exit 1 ;; esac; cat \"$2\"");
        let better = if kind == "up" { "more" } else { "less" };
        let mut contest = format!(
            "name = \"scored\"\ngame = \"external\"\nlimit = \"10s\"\n[referee]\nprotocol = \"score\"\n\
             command = \"./referee\"\npattern = '(?<score>[0-9]+)'\n[[figure]]\nname = \"score\"\nbetter = \"{better}\"\n"
        );
        for name in &names {
            contest += &format!("[[board]]\nname = \"{}\"\nfile = \"{name}\"\n", &name[7..name.len() - 4]);
        }
        if kind != "moves" {
            folder.file("contest.toml", contest + &entry("other", &["true"]));
        }
        // Two solvers share the folder, so that a best answer is now of one and now of the other.
        let (mut outs, mut printed) = (Vec::new(), Vec::new());
        for (number, name) in ["a", "b", "a", "c", "b", "a"].into_iter().enumerate() {
            solver(&folder, name, kind == "moves", &counts(number as u64 + 1));
            let (out, program) = (format!("out{number}"), format!("./{name}"));
            let mut args = vec!["try", "--json", "--progress", "none", "--out", &out];
            match kind {
                "moves" => args.extend(["--on"].into_iter().chain(names.iter().map(String::as_str))),
                _ => args.push("contest.toml"),
            }
            args.extend(["--", &program]);
            printed.push(folder.judge(args).exits(1).json());
            outs.push(out);
        }
        let recomputed = std::process::Command::new("python3")
            .arg(project().join("judge/tests/cli/tries/recompute.py"))
            .arg(kind)
            .args(&outs)
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert!(recomputed.status.success(), "{}", String::from_utf8_lossy(&recomputed.stderr));
        let recomputed: Value = serde_json::from_slice(&recomputed.stdout).unwrap();
        let close = |one: &Value, other: &Value, what: &str| {
            let (one, other) = (one.as_f64().unwrap(), other.as_f64().unwrap());
            assert!((one - other).abs() < 1e-8, "{kind}, {what}: {one}, but {other} by the other program");
        };
        for (number, (printed, expected)) in printed.iter().zip(recomputed["tries"].as_array().unwrap()).enumerate() {
            for figure in ["better", "worse", "same", "first", "none", "relative_to_best_known"] {
                close(&printed[figure], &expected[figure], &format!("try {} {figure}", number + 1));
            }
        }
        let mut args = vec!["try", "--history", "--json"];
        args.extend(if kind == "moves" { vec![] } else { vec!["contest.toml"] });
        // Without a command, the versions of all solvers.
        let history = folder.judge(args).exits(0).json();
        assert_eq!(history.as_array().unwrap().len(), outs.len());
        for (version, expected) in history.as_array().unwrap().iter().zip(recomputed["history"].as_array().unwrap()) {
            close(&version["summary"]["relative_to_best_known"], expected, "history");
        }
        // The best answers are those of one entry, for the commands that read results.
        let best = if kind == "moves" { "judge-try/loyd/best.csv" } else { "judge-try/scored/best.csv" };
        let rank = folder.judge(["rank", best, "--format", "csv"]).exits(0).stdout;
        assert_eq!(rank.lines().count(), 2, "{rank}");
        assert_eq!(folder.read(best).lines().count(), BOARDS, "a board without an answer has no row");
    }
}
