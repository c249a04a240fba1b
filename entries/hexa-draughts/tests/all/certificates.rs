//! Certificates: proved and checked by the tool, and refused if they are corrupted.

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

/// The pagoda function of row 8: the golden ratio's inverse, slightly rounded up, to the power of the distance.
const ROW_8: &str = "certificate of hexa-draughts\nrow 8\nclaim unreachable\nradius 0\nweights 1\n";

fn proved(row: i32, men: u32) -> Certificate {
    let deadline = Instant::now() + Duration::from_secs(600);
    prove(unproved(row, radius(row), men), NonZero::<usize>::MIN, deadline, |_| ()).unwrap()
}

fn check(text: &str) -> Result<usize, String> {
    text.parse::<Certificate>()?.check()
}

/// The lines of a certificate that row 5 needs 17 men.
fn row_5() -> Vec<String> {
    proved(5, 17).to_string().lines().map(str::to_owned).collect()
}

#[test]
fn certificates_of_rows_1_to_5_hold_as_they_are_written() {
    for (row, men) in [(1, 2), (2, 3), (3, 5), (4, 9), (5, 17)] {
        let certificate = proved(row, men);
        let text = certificate.to_string();
        assert_eq!(check(&text), certificate.check(), "row {row}");
        assert!(certificate.check().is_ok(), "row {row}");
        assert_eq!(text.parse::<Certificate>().unwrap().to_string(), text, "row {row}");
    }
}

#[test]
#[ignore = "deep: proofs: searches every case of a larger claim"]
fn one_man_more_than_the_least_is_not_proved() {
    for (row, men) in [(1, 2), (2, 3), (3, 5), (4, 9), (5, 17)] {
        let text = proved(row, men).to_string();
        let more = text.replace(&format!("at-least {men}"), &format!("at-least {}", men + 1));
        let why = check(&more).unwrap_err();
        assert!(why.contains(&format!("{men} men can weigh")), "row {row}: {why}");
        let deadline = Instant::now() + Duration::from_secs(600);
        let failure = prove(unproved(row, radius(row), men + 1), NonZero::<usize>::MIN, deadline, |_| ()).unwrap_err();
        assert!(matches!(failure, Failure::Counterexample(counts) if counts.army() <= men), "row {row}");
    }
}

#[test]
fn the_certificate_excludes_row_8_alone() {
    assert_eq!(check(ROW_8), Ok(1));
    for row in 1..=7 {
        let why = check(&ROW_8.replace("row 8", &format!("row {row}"))).unwrap_err();
        assert_eq!(why, "line 5: all men together weigh at least 3026");
    }
}

/// Adds up the weights of all men by the pagoda function in floating point; the series of the checker must agree.
#[test]
fn the_series_of_the_checker_are_the_sums_over_points() {
    for (row, excluded) in [(7, false), (8, true), (9, true)] {
        let goal = Point::goal(row);
        let men = goal.within(120).filter(|point| point.row <= 0);
        let weigh: f64 = men.map(|man| (34.0_f64 / 55.0).powi(man.distance(goal))).sum();
        assert_eq!(weigh < 3026.0 / 3025.0, excluded, "row {row}: {weigh}");
        assert_eq!(check(&ROW_8.replace("row 8", &format!("row {row}"))).is_ok(), excluded, "row {row}");
        // With a window, whose weights are slightly above the pagoda function, the series begins at another distance.
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
fn a_corrupted_certificate_is_refused_with_the_line() {
    let lines = row_5();
    assert!(check(&lines.join("\n")).is_ok());
    let first = lines.iter().position(|line| line.starts_with("weights")).unwrap();
    let at = |line: usize| format!("line {}: ", line + 1);
    let split = lines.iter().position(|line| line.starts_with("split")).unwrap();
    let corrupted = |line: usize, text: &str| {
        let mut lines = lines.clone();
        lines[line] = text.to_owned();
        check(&lines.join("\n")).unwrap_err()
    };
    let cases = [
        (0, "certificate", "expected `certificate of hexa-draughts`"),
        (1, "row 0", "invalid number `0`; expected 1 to 20"),
        (1, "line 5", "expected `row NUMBER`"),
        (2, "claim little", "expected `claim at-least MEN` or `claim unreachable`"),
        (3, "radius 41", "invalid number `41`; expected 0 to 40"),
        (split, "split 0,0>1,1 0", "expected a hop below the row that touches the window"),
        (split, "split 3,1>5,3 0", "expected a hop below the row that touches the window"),
        (split, "split 0,0>0,4 -1", "invalid number `-1`; expected 0 to 1000000"),
        (split, "spilt", "expected `split …`, `weights …`, `same NUMBER`, `tighten …`, `contradiction` or `open`"),
        (first, "open", "this case is still open"),
        (first, "same 1", "no `weights` line above this line"),
        (first, "weights 1 2 3", "3 weights; expected "),
    ];
    for (line, text, why) in cases {
        let message = corrupted(line, text);
        assert!(message.starts_with(&format!("{}{why}", at(line))), "{text:?}: {message}");
    }
    assert_eq!(
        check(&lines[..lines.len() - 1].join("\n")).unwrap_err(),
        format!("the certificate ends after line {}", lines.len() - 1)
    );
    assert_eq!(check(&format!("{}\nopen", lines.join("\n"))).unwrap_err(), "unexpected lines after the last case");
}

/// Changes single weights of the certificate of row 4, which has one case. Most large changes must be refused. A change
/// of the weight of one of the last two men must be refused always.
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
    assert_eq!(with(0, -1).unwrap_err(), "line 5: the weight outside the window is negative");
    let window: Vec<Point> = Point::goal(4).within(radius(4)).filter(|point| point.row < 4).collect();
    let last = Hop::last(4);
    for point in [last.from, last.over] {
        let index = window.iter().position(|&other| other == point).unwrap() + 1;
        let lowered = with(index, weights[index] / 2).unwrap_err();
        assert!(lowered.starts_with("line 5: hop ") || lowered.starts_with("line 5: 8 men can weigh"), "{lowered}");
        let raised = with(index, weights[index] * 2).unwrap_err();
        assert!(raised.starts_with("line 5: hop "), "{raised}");
        assert!(raised.ends_with(" gains weight and has no limit"), "{raised}");
    }
    let refused = (1..=window.len()).filter(|&index| with(index, weights[index] * 2 + 100).is_err()).count();
    assert!(refused > window.len() * 9 / 10, "{refused} of {}", window.len());
}

#[test]
fn an_unfinished_proof_is_resumed() {
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
    // Without time the certificate stays unchanged.
    assert_eq!(prove(begun.clone(), NonZero::<usize>::MIN, Instant::now(), |_| ()), Ok(begun));
}

fn file(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if path.exists() {
        fs::remove_file(&path).unwrap();
    }
    path
}

/// Runs the tool; returns exit code, standard output and standard error.
fn tool(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_hexa-certificate")).args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn the_tool_resumes_a_proof_that_it_saved() {
    let path = file("row-3.certificate");
    let path = path.to_str().unwrap();
    let proved = "M(3) >= 5 on the infinite board: 1 cases refuted by 1 weightings, checked in integer arithmetic\n";
    let (code, output, _) = tool(&["prove", "3", "--men", "5", "--seconds", "0", path]);
    assert_eq!((code, output.as_str()), (Some(1), ""));
    let (code, output, progress) = tool(&["prove", "3", "--men", "5", path]);
    assert_eq!((code, output.as_str()), (Some(0), proved));
    assert!(progress.starts_with("settled cases: 1, by 1 weightings; open: 0; "), "{progress}");
    assert_eq!(tool(&["check", path]), (Some(0), proved.to_owned(), String::new()));
    let endless = "/dev/zero is not a certificate: it is longer than 256 MiB\n".to_owned();
    assert_eq!(tool(&["check", "/dev/zero"]), (Some(1), String::new(), endless));
    let (code, _, why) = tool(&["prove", "3", "--men", "4", path]);
    assert_eq!((code, why), (Some(1), format!("{path} is the certificate of another claim; name another file\n")));
    fs::write(path, fs::read_to_string(path).unwrap().replace("row 3", "row 2")).unwrap();
    let (code, output, why) = tool(&["check", path]);
    assert_eq!((code, output.as_str()), (Some(1), ""));
    assert_eq!(why, format!("{path}: line 5: 4 men can weigh 217800, which is not less than 163350\n"));
}

#[test]
fn the_tool_proves_that_row_8_is_unreachable_but_not_row_7() {
    let path = file("row-8.certificate");
    let path = path.to_str().unwrap();
    let proved =
        "no army reaches row 8 on the infinite board: 1 cases refuted by 1 weightings, checked in integer arithmetic\n";
    assert_eq!(tool(&["prove", "8", "--unreachable", path]), (Some(0), proved.to_owned(), String::new()));
    assert_eq!(fs::read_to_string(path).unwrap(), ROW_8);
    let none = file("row-7.unreachable");
    let (code, _, why) = tool(&["prove", "7", "--unreachable", none.to_str().unwrap()]);
    assert_eq!((code, why.as_str()), (Some(1), "not proved: line 5: all men together weigh at least 3026\n"));
    assert!(!none.exists());
    assert_eq!(tool(&["prove", "8", path]).0, Some(2));
}
