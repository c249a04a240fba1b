//! The recorded results: games replayed by the judge, and certificates checked in integer arithmetic.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use hexa_kit::Hop;
use hexa_kit::certificate::{Certificate, Claim};
use hexa_kit::lattice::Point;
use hexa_kit::tighten::Case;
use hexa_kit::tree::Bounds;
use judge_core::{games, referee};

fn recorded(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results/hexa-draughts").join(name)
}

/// Replays the recorded game to this row with the judge and returns the number of men.
fn men(row: u32) -> u64 {
    let answer = fs::read(recorded(&format!("row-{row}.game"))).unwrap();
    let game = (games::find("hexa-draughts").unwrap().open)(&toml::Table::new()).unwrap();
    let ruling = referee::rule(&*game.parse(format!("row {row}\n").as_bytes()).unwrap(), &*answer).unwrap();
    assert_eq!(ruling.illegal, None, "row {row}");
    assert!(ruling.score.solved(), "row {row}");
    ruling.score.moves
}

fn text(row: i32) -> String {
    fs::read_to_string(recorded(&format!("row-{row}.certificate"))).unwrap()
}

/// Checks the recorded certificate of this row and returns its claim.
fn proved(row: i32) -> Claim {
    let certificate: Certificate = text(row).parse().unwrap();
    assert_eq!(certificate.frame.row, row);
    certificate.check().unwrap();
    certificate.claim
}

#[test]
fn the_games_have_as_few_men_as_the_certificates_allow() {
    for (row, least) in [(1, 2), (2, 3), (3, 5), (4, 9), (5, 17), (6, 36)] {
        assert_eq!((men(row), proved(row.cast_signed())), (u64::from(least), Claim::AtLeast(least)), "row {row}");
    }
}

#[test]
fn row_7_is_reached_with_145_men_and_row_8_is_unreachable() {
    assert_eq!((men(7), proved(7)), (145, Claim::AtLeast(144)));
    assert_eq!(proved(8), Claim::Unreachable);
}

/// Runs the second checker, which shares no code with the first; returns exit code and standard output.
fn second_check(file: &Path) -> (Option<i32>, String) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("check.py");
    let output = Command::new("python3").arg("-O").arg(script).arg(file).output().unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn the_second_checker_agrees_with_the_first() {
    for (row, men) in [(1, 2), (2, 3), (3, 5), (4, 9), (5, 17), (6, 36), (7, 144)] {
        let (code, output) = second_check(&recorded(&format!("row-{row}.certificate")));
        assert!(code == Some(0) && output.starts_with(&format!("M({row}) >= {men}: ")), "{row}: {output}");
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("one-more-{row}.certificate"));
        fs::write(&file, text(row).replace(&format!("at-least {men}"), &format!("at-least {}", men + 1))).unwrap();
        assert_eq!(second_check(&file), (Some(1), String::new()), "row {row}");
    }
}

/// The men and hop counts of the recorded game, moved so that it reaches the goal of the certificates from the left.
fn counts(row: i32) -> (BTreeSet<Point>, BTreeMap<Hop, u32>) {
    let game = fs::read_to_string(recorded(&format!("row-{row}.game"))).unwrap();
    let (men, hops) = game.trim().strip_prefix("men ").unwrap().split_once("hops ").unwrap();
    let hops: Vec<Hop> = hops.split_whitespace().map(|hop| hop.parse().unwrap()).collect();
    let (last, goal) = (*hops.last().unwrap(), Point::goal(row));
    let sign = if last.from.column < last.to.column { 1 } else { -1 };
    let moved = |point: Point| Point { column: goal.column + sign * (point.column - last.to.column), ..point };
    let mut made = BTreeMap::new();
    for hop in hops {
        *made.entry(Hop { from: moved(hop.from), over: moved(hop.over), to: moved(hop.to) }).or_default() += 1;
    }
    assert_eq!(made.get(&Hop::last(row)), Some(&1));
    (men.split_whitespace().map(|man| moved(man.parse().unwrap())).collect(), made)
}

#[test]
fn weightings_that_tighten_a_case_leave_the_recorded_games_in_it() {
    for (row, men) in [(5, 17), (6, 36), (7, 145)] {
        let certificate: Certificate = text(row).parse().unwrap();
        let frame = &certificate.frame;
        let (starts, hops) = counts(row);
        let mut case = Case::new(frame, &Bounds::new());
        assert!(case.allows(frame, &starts, &hops));
        let mut applied = 0;
        for _ in 0..2 {
            for weights in &certificate.weights {
                // Some weightings are valid only in the cases of their tree.
                applied += usize::from(case.tighten(frame, men, weights) == Ok(false));
                assert!(case.allows(frame, &starts, &hops), "row {row}");
            }
        }
        assert!(applied > 0, "row {row}");
        let often = hops.keys().map(|&hop| (hop, 1_000_000)).collect();
        assert!(!case.allows(frame, &starts, &often), "row {row}: the weightings limit nothing");
    }
}

#[test]
fn a_chain_that_proves_nothing_is_refused() {
    let text = text(7);
    let check = |text: &str| text.parse::<Certificate>()?.check();
    assert_eq!(check(&text), Ok(1));
    assert_eq!(text.parse::<Certificate>().unwrap().to_string(), text, "reading returns what was written");
    let lines: Vec<&str> = text.lines().collect();
    let line = |number: usize, text: &str| [&lines[..number], &[text], &lines[number + 1..]].concat().join("\n");
    // For 145 men the same weightings leave games.
    let leaves = format!("line {}: the chain leaves games", lines.len());
    assert_eq!(check(&text.replace("at-least 144", "at-least 145")), Err(leaves.clone()));
    let without = |number: usize| [&lines[..number], &lines[number + 1..]].concat().join("\n");
    let refused = (4..lines.len() - 1).filter(|&number| check(&without(number)).is_err()).count();
    assert!(refused > (lines.len() - 5) / 2, "only {refused} of {} weightings are needed", lines.len() - 5);
    let cases = [
        (line(lines.len() - 1, "open"), "expected `weights …`, `same NUMBER` or `tighten …` after a `tighten` line"),
        (line(4, "tighten same 1"), "no `weights` line above this line"),
        (line(4, "tighten open"), "expected `weights …` or `same NUMBER` after `tighten`"),
        (text.replace("claim at-least 144", "claim unreachable"), "a chain of weights counts men"),
        (lines[..lines.len() - 1].join("\n"), "the certificate ends after line "),
    ];
    for (changed, reason) in cases {
        let why = check(&changed).unwrap_err();
        assert!(why.contains(reason), "{reason}: {why}");
    }
}
