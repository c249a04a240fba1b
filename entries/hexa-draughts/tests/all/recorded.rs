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
use judge_command::rulings;

fn recorded(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results/hexa-draughts").join(name)
}

/// Replays the recorded game to this row with the judge and returns the number of men.
fn men(row: u32) -> u64 {
    let answer = fs::read_to_string(recorded(&format!("row-{row}.game"))).unwrap();
    rulings("hexa-draughts", &[(format!("row {row}\n"), answer)])[0].solving().0
}

fn text(row: i32) -> String {
    fs::read_to_string(recorded(&format!("row-{row}.certificate"))).unwrap()
}

/// The certificate that row 7 needs 144 men: one case and a chain. It is far smaller than the certificate for 145
/// men.
fn chain() -> String {
    fs::read_to_string(recorded("row-7-144.certificate")).unwrap()
}

fn check(text: &str) -> Result<usize, String> {
    text.parse::<Certificate>()?.check()
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
    for (row, least) in [(1, 2), (2, 3), (3, 5), (4, 9), (5, 17), (6, 36), (7, 145)] {
        assert_eq!((men(row), proved(row.cast_signed())), (u64::from(least), Claim::AtLeast(least)), "row {row}");
    }
}

#[test]
fn row_8_is_unreachable() {
    assert_eq!(proved(8), Claim::Unreachable);
}

/// Runs the second checker, which shares no code with the first; returns exit code and standard output.
fn second_check(file: &Path) -> (Option<i32>, String) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("check.py");
    let output = Command::new("python3").arg("-O").arg(script).arg(file).output().unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

/// Writes a certificate to a file for the second checker, and runs it.
fn second_check_of(name: &str, text: &str) -> (Option<i32>, String) {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.certificate"));
    fs::write(&file, text).unwrap();
    second_check(&file)
}

#[test]
fn the_second_checker_agrees_with_the_first() {
    let rows = [(1, 2), (2, 3), (3, 5), (4, 9), (5, 17), (6, 36)].map(|(row, men)| (row, men, text(row)));
    for (row, men, text) in rows.into_iter().chain([(7, 144, chain())]) {
        let (code, output) = second_check_of(&format!("row-{row}"), &text);
        assert!(code == Some(0) && output.starts_with(&format!("M({row}) >= {men}: ")), "{row}: {output}");
        let more = text.replace(&format!("at-least {men}"), &format!("at-least {}", men + 1));
        assert_eq!(second_check_of(&format!("one-more-{row}"), &more), (Some(1), String::new()), "row {row}");
    }
}

#[test]
#[ignore = "deep: proofs: exact arithmetic in Python takes half a minute"]
fn the_second_checker_agrees_that_row_7_needs_145_men() {
    let (code, output) = second_check(&recorded("row-7.certificate"));
    assert!(code == Some(0) && output.starts_with("M(7) >= 145: "), "{output}");
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
    for (row, men, text) in [(5, 17, text(5)), (6, 36, text(6)), (7, 145, chain()), (7, 145, text(7))] {
        let certificate: Certificate = text.parse().unwrap();
        let frame = &certificate.frame;
        let (starts, hops) = counts(row);
        let mut case = Case::new(frame, &Bounds::new());
        assert!(case.allows(frame, &starts, &hops));
        let mut applied = 0;
        for _ in 0..2 {
            for weights in &certificate.weights {
                // Some weightings are valid only in the cases of their tree.
                applied += usize::from(case.tighten(frame, men, weights) == Ok(false));
                assert!(!case.balance(frame) && case.allows(frame, &starts, &hops), "row {row}");
            }
        }
        assert!(applied > 0, "row {row}");
        let often = hops.keys().map(|&hop| (hop, 1_000_000)).collect();
        assert!(!case.allows(frame, &starts, &often), "row {row}: the weightings limit nothing");
    }
}

#[test]
fn a_chain_that_proves_nothing_is_refused() {
    let text = chain();
    assert_eq!(check(&text), Ok(1));
    let lines: Vec<&str> = text.lines().collect();
    let line = |number: usize, text: &str| [&lines[..number], &[text], &lines[number + 1..]].concat().join("\n");
    // For 145 men the same weightings leave games.
    let why = check(&text.replace("at-least 144", "at-least 145")).unwrap_err();
    assert!(why.starts_with(&format!("line {}: 144 men can weigh ", lines.len())), "{why}");
    let without = |number: usize| [&lines[..number], &lines[number + 1..]].concat().join("\n");
    let refused = (4..lines.len() - 1).filter(|&number| check(&without(number)).is_err()).count();
    // The chain was shortened for a check without balances, which does without some of its links.
    assert!(refused > (lines.len() - 5) / 5, "only {refused} of {} weightings are needed", lines.len() - 5);
    let cases = [
        (line(lines.len() - 1, "contradiction"), "the limits of the case leave games"),
        (line(lines.len() - 1, "open"), "this case is still open"),
        (line(4, "tighten same 1"), "no `weights` line above this line"),
        (line(4, "tighten open"), "expected `weights …` or `same NUMBER` after `tighten`"),
        (text.replace("claim at-least 144", "claim unreachable"), "only weights without `tighten`"),
        (lines[..lines.len() - 1].join("\n"), "the certificate ends after line "),
    ];
    for (changed, reason) in cases {
        let why = check(&changed).unwrap_err();
        assert!(why.contains(reason), "{reason}: {why}");
    }
}

/// The chain of row 7, of which some links come before a split, and the others in each of its cases.
fn split_chain(split: &str, before: usize) -> Vec<String> {
    let text = chain();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let second = (before..lines.len() - 4).map(|link| {
        let tighten = if link + 5 < lines.len() { "tighten " } else { "" };
        format!("{tighten}same {}", link + 1)
    });
    let second: Vec<String> = second.collect();
    lines.insert(4 + before, split.to_owned());
    lines.extend(second);
    lines
}

#[test]
#[ignore = "deep: proofs: exact arithmetic in Python"]
fn a_chain_holds_for_all_subcases() {
    for (number, split) in ["split -1,-5", "split 0,-6>2,-4 1", "split 0,-6>2,-4 0"].into_iter().enumerate() {
        let lines = split_chain(split, 40);
        let text = lines.join("\n");
        assert_eq!(check(&text), Ok(2), "{split}");
        assert_eq!(
            text.parse::<Certificate>().unwrap().to_string(),
            format!("{text}\n"),
            "reading returns what was written"
        );
        let (code, output) = second_check_of(&format!("split-{number}"), &text);
        assert_eq!((code, output.as_str()), (Some(0), "M(7) >= 144: 2 cases refuted by 93 weightings\n"), "{split}");
        // A split that is made again leaves nothing in one of its cases.
        let again = |end: &str| {
            let mut lines = lines.clone();
            lines.splice(45..45, [split.to_owned()]);
            lines.insert(lines.len() - 53, end.to_owned());
            lines.join("\n")
        };
        assert_eq!(check(&again("contradiction")), Ok(3), "{split}");
        assert_eq!(second_check_of(&format!("again-{number}"), &again("contradiction")).0, Some(0), "{split}");
        // The second case alone has no contradiction.
        let mut halves = lines[..lines.len() - 53].to_vec();
        halves.push("contradiction".to_owned());
        let why = check(&halves.join("\n")).unwrap_err();
        assert_eq!(why, format!("line {}: the limits of the case leave games", halves.len()), "{split}");
        assert_eq!(second_check_of(&format!("half-{number}"), &halves.join("\n")), (Some(1), String::new()), "{split}");
    }
    for (split, why) in [
        ("split 1,-5", "expected a point of the window in rows up to 0"),
        ("split -40,0", "expected a point of the window in rows up to 0"),
        ("split -1,-5 1 1", "expected `split HOP COUNT` or `split POINT`"),
    ] {
        let text = split_chain(split, 40).join("\n");
        assert_eq!(check(&text).unwrap_err(), format!("line 45: {why}"));
        assert_eq!(second_check_of("bad-split", &text).0, Some(1));
    }
}

#[test]
#[ignore = "deep: proofs: checks a large certificate hundreds of times"]
fn a_forged_certificate_of_145_men_is_refused() {
    let text = text(7);
    assert_eq!(text.parse::<Certificate>().unwrap().to_string(), text, "reading returns what was written");
    let lines: Vec<&str> = text.lines().collect();
    let refused = |lines: &[&str]| check(&lines.join("\n")).is_err();
    assert!(check(&text.replace("at-least 145", "at-least 146")).is_err());
    // Single lines are changed, or left out.
    let some = |word: &str, step: usize| {
        let all: Vec<usize> = (4..lines.len()).filter(|&number| lines[number].starts_with(word)).collect();
        assert!(all.len() > 200, "{word}");
        all.into_iter().step_by(step)
    };
    for number in some("split", 331) {
        assert!(refused(&[&lines[..number], &lines[number + 1..]].concat()), "line {}", number + 1);
        assert!(refused(&[&lines[..number], &["contradiction"], &lines[number + 1..]].concat()), "line {}", number + 1);
    }
    for number in some("same", 211) {
        assert!(refused(&[&lines[..number], &["contradiction"], &lines[number + 1..]].concat()), "line {}", number + 1);
        assert!(refused(&[&lines[..number], &["same 1"], &lines[number + 1..]].concat()), "line {}", number + 1);
    }
    // The chains of most contradictions have no link that is not needed.
    let last = some("contradiction", 41).filter(|&number| lines[number - 1].starts_with("tighten same"));
    let (mut needed, mut all) = (0, 0);
    for number in last {
        all += 1;
        needed += usize::from(refused(&[&lines[..number - 1], &lines[number..]].concat()));
    }
    assert!(all > 2 && needed > all / 2, "{needed} of {all}");
}
