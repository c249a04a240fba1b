//! Certificates: proved by the tool, checked, spoilt in every way, and what the checker says then.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use hexa_kit::Hop;
use hexa_kit::certificate::{Certificate, Claim};
use hexa_kit::lattice::Point;
use hexa_kit::program::radius;
use hexa_kit::prove::{Failure, progress, prove, unproved};

/// Pagoda function of row 8: the golden ratio's inverse, a little rounded up, to the power of the distance.
const ROW_8: &str = "certificate of hexa-draughts\nrow 8\nclaim unreachable\nradius 0\nweights 1\n";

fn proved(row: i32, men: u32) -> Certificate {
    let deadline = Instant::now() + Duration::from_secs(600);
    prove(unproved(row, radius(row), men), NonZero::<usize>::MIN, deadline, |_| ()).unwrap()
}

fn check(text: &str) -> Result<usize, String> {
    text.parse::<Certificate>()?.check()
}

/// The certificate that row 5 needs 17 men, as lines.
fn row_5() -> Vec<String> {
    proved(5, 17).to_string().lines().map(str::to_owned).collect()
}

#[test]
fn rows_1_to_5_are_proved_and_the_files_hold_what_was_proved() {
    for (row, men) in [(1, 2), (2, 3), (3, 5), (4, 9), (5, 17)] {
        let certificate = proved(row, men);
        let text = certificate.to_string();
        assert_eq!(check(&text), certificate.check(), "row {row}");
        assert!(certificate.check().is_ok(), "row {row}");
        assert_eq!(text.parse::<Certificate>().unwrap().to_string(), text, "row {row}");
    }
}

#[test]
fn a_man_more_than_the_least_is_not_proved() {
    for (row, men) in [(1, 2), (2, 3), (3, 5), (4, 9), (5, 17)] {
        let text = proved(row, men).to_string();
        let more = text.replace(&format!("at-least {men}"), &format!("at-least {}", men + 1));
        let why = check(&more).unwrap_err();
        assert!(why.contains(&format!("{men} men may weigh")), "row {row}: {why}");
        let deadline = Instant::now() + Duration::from_secs(600);
        let failure = prove(unproved(row, radius(row), men + 1), NonZero::<usize>::MIN, deadline, |_| ()).unwrap_err();
        assert!(matches!(failure, Failure::Counterexample(counts) if counts.army() <= men), "row {row}");
    }
}

#[test]
fn no_army_reaches_row_8_and_rows_up_to_7_are_not_excluded() {
    assert_eq!(check(ROW_8), Ok(1));
    for row in 1..=7 {
        let why = check(&ROW_8.replace("row 8", &format!("row {row}"))).unwrap_err();
        assert_eq!(why, "line 5: all men together weigh no less than 3026");
    }
}

/// What all men to row `row` weigh by the pagoda function, added up point by point in floating point: the sums of
/// series in the checker must be these.
#[test]
fn the_series_of_the_checker_are_the_sums_over_points() {
    for (row, excluded) in [(7, false), (8, true), (9, true)] {
        let goal = Point::goal(row);
        let men = goal.within(120).filter(|point| point.row <= 0);
        let weigh: f64 = men.map(|man| (34.0_f64 / 55.0).powi(man.distance(goal))).sum();
        assert_eq!(weigh < 3026.0 / 3025.0, excluded, "row {row}: {weigh}");
        assert_eq!(check(&ROW_8.replace("row 8", &format!("row {row}"))).is_ok(), excluded, "row {row}");
        // A window whose weights are a little above the pagoda function's: the series begins elsewhere.
        let exact = |point: &Point| 1e9 * (34.0_f64 / 55.0).powi(point.distance(goal) - row);
        let window: Vec<String> = goal
            .within(row)
            .filter(|point| point.row < row)
            .map(|point| format!("{:.0}", exact(&point) + 4.0))
            .collect();
        let windowed = format!("weights 1000000012 {}\n", window.join(" "));
        let text = ROW_8.replace("row 8", &format!("row {row}")).replace("radius 0", &format!("radius {row}"));
        assert_eq!(check(&text.replace("weights 1\n", &windowed)).is_ok(), excluded, "row {row}");
    }
}

#[test]
fn a_spoilt_certificate_is_refused_by_its_line() {
    let lines = row_5();
    assert!(check(&lines.join("\n")).is_ok());
    let first = lines.iter().position(|line| line.starts_with("weights")).unwrap();
    let at = |line: usize| format!("line {}: ", line + 1);
    let split = lines.iter().position(|line| line.starts_with("split")).unwrap();
    let spoilt = |line: usize, text: &str| {
        let mut lines = lines.clone();
        lines[line] = text.to_owned();
        check(&lines.join("\n")).unwrap_err()
    };
    let cases = [
        (0, "certificate", "write `certificate of hexa-draughts`"),
        (1, "row 0", "`0` is no number from 1 to 20"),
        (1, "line 5", "write `row NUMBER`"),
        (2, "claim little", "write `claim at-least MEN` or `claim unreachable`"),
        (3, "radius 41", "`41` is no number from 0 to 40"),
        (split, "split 0,0>1,1 0", "this is no hop that touches the window, below the row"),
        (split, "split 3,1>5,3 0", "this is no hop that touches the window, below the row"),
        (split, "split 0,0>0,4 -1", "`-1` is no number from 0 to 1000000"),
        (split, "spilt", "a case is `split HOP COUNT`, `weights …`, `same NUMBER` or `open`"),
        (first, "open", "this case is still open"),
        (first, "same 1", "`1` is no number from 1 to 0"),
        (first, "weights 1 2 3", "there are 3 weights, not "),
    ];
    for (line, text, why) in cases {
        let said = spoilt(line, text);
        assert!(said.starts_with(&format!("{}{why}", at(line))), "{text:?}: {said}");
    }
    assert_eq!(
        check(&lines[..lines.len() - 1].join("\n")).unwrap_err(),
        format!("the certificate ends after line {}", lines.len() - 1)
    );
    assert_eq!(check(&format!("{}\nopen", lines.join("\n"))).unwrap_err(), "there are lines behind the last case");
}

/// Every single weight of the certificate of row 4, which has one case, matters or not; moved far, it is refused with
/// its line, or the rest of the proof is strong enough. A goal's weight lowered is refused for sure.
#[test]
fn weights_that_prove_nothing_are_refused() {
    let text = proved(4, 9).to_string();
    let (head, weights) = text.trim_end().rsplit_once('\n').unwrap();
    let weights: Vec<i64> = weights.split(' ').skip(1).map(|word| word.parse().unwrap()).collect();
    let with = |index: usize, weight: i64| {
        let mut weights = weights.clone();
        weights[index] = weight;
        let words: Vec<String> = weights.iter().map(i64::to_string).collect();
        check(&format!("{head}\nweights {}\n", words.join(" ")))
    };
    assert_eq!(with(0, weights[0]), Ok(1));
    assert_eq!(with(0, -1).unwrap_err(), "line 5: the weight outside the window is below 0");
    let window: Vec<Point> = Point::goal(4).within(radius(4)).filter(|point| point.row < 4).collect();
    let last = Hop::last(4);
    for point in [last.from, last.over] {
        let index = window.iter().position(|&other| other == point).unwrap() + 1;
        let lowered = with(index, weights[index] / 2).unwrap_err();
        assert!(lowered.starts_with("line 5: hop ") || lowered.starts_with("line 5: 8 men may weigh"), "{lowered}");
        let raised = with(index, weights[index] * 2).unwrap_err();
        assert!(raised.starts_with("line 5: hop "), "{raised}");
        assert!(raised.ends_with(" gains weight and may be made without limit"), "{raised}");
    }
    let refused = (1..=window.len()).filter(|&index| with(index, weights[index] * 2 + 100).is_err()).count();
    assert!(refused > window.len() * 9 / 10, "{refused} of {}", window.len());
}

#[test]
fn a_proof_is_gone_on_with_where_it_was_left() {
    let whole = proved(5, 17);
    let lines = whole.to_string();
    let last = lines.trim_end().rfind('\n').unwrap();
    let begun: Certificate = format!("{}\nopen\n", &lines[..last]).parse().unwrap();
    assert_eq!(progress(&begun), (progress(&whole).0 - 1, 1));
    assert!(begun.check().is_err());
    let mut rounds = 0;
    let deadline = Instant::now() + Duration::from_secs(600);
    let finished = prove(begun.clone(), NonZero::new(2).unwrap(), deadline, |_| rounds += 1).unwrap();
    assert!(finished.check().is_ok() && rounds > 0);
    assert_eq!((finished.claim, &finished.weights[..progress(&begun).0]), (Claim::AtLeast(17), &begun.weights[..]));
    // Without time nothing is proved, and nothing claimed.
    assert_eq!(prove(begun.clone(), NonZero::<usize>::MIN, Instant::now(), |_| ()), Ok(begun));
}

fn file(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if path.exists() {
        fs::remove_file(&path).unwrap();
    }
    path
}

/// Exit code, standard output, standard error.
fn tool(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_hexa-certificate")).args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn the_tool_proves_writes_goes_on_and_checks() {
    let path = file("row-3.certificate");
    let path = path.to_str().unwrap();
    let proved = "M(3) >= 5 on the infinite board: 1 cases refuted by 1 weightings, checked in whole numbers\n";
    let (code, said, _) = tool(&["prove", "3", "--men", "5", "--seconds", "0", path]);
    assert_eq!((code, said.as_str()), (Some(1), ""));
    let (code, said, progress) = tool(&["prove", "3", "--men", "5", path]);
    assert_eq!((code, said.as_str()), (Some(0), proved));
    assert!(progress.starts_with("cases settled: 1, by 1 weightings; open: 0; "), "{progress}");
    assert_eq!(tool(&["check", path]), (Some(0), proved.to_owned(), String::new()));
    let endless = "/dev/zero is no certificate: it is longer than 256 MiB\n".to_owned();
    assert_eq!(tool(&["check", "/dev/zero"]), (Some(1), String::new(), endless));
    let (code, _, why) = tool(&["prove", "3", "--men", "4", path]);
    assert_eq!((code, why), (Some(1), format!("{path} is a certificate of something else: name another file\n")));
    fs::write(path, fs::read_to_string(path).unwrap().replace("row 3", "row 2")).unwrap();
    let (code, said, why) = tool(&["check", path]);
    assert_eq!((code, said.as_str()), (Some(1), ""));
    assert_eq!(why, format!("{path}: line 5: 4 men may weigh 217800, which is not less than 163350\n"));
}

#[test]
fn the_tool_proves_that_row_8_is_out_of_reach_and_will_not_of_row_7() {
    let path = file("row-8.certificate");
    let path = path.to_str().unwrap();
    let proved =
        "no army reaches row 8 on the infinite board: 1 cases refuted by 1 weightings, checked in whole numbers\n";
    assert_eq!(tool(&["prove", "8", "--unreachable", path]), (Some(0), proved.to_owned(), String::new()));
    assert_eq!(fs::read_to_string(path).unwrap(), ROW_8);
    let none = file("row-7.unreachable");
    let (code, _, why) = tool(&["prove", "7", "--unreachable", none.to_str().unwrap()]);
    assert_eq!((code, why.as_str()), (Some(1), "not proved: line 5: all men together weigh no less than 3026\n"));
    assert!(!none.exists());
    assert_eq!(tool(&["prove", "8", path]).0, Some(2));
}
