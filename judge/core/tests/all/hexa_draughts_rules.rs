//! The rules of hexa-draughts: a naive second implementation as an oracle, and cases from the source.
//!
//! The oracle shares no code with the judge. It splits the whole answer into words first, reads numbers in its own way,
//! and searches every man in a list. It is slow and obviously right.

use std::path::Path;

use judge_core::game::{Game, GeneratorSpec, HouseRules, Puzzle};
use judge_core::picture::Picture;
use judge_core::{games, referee};
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use crate::{Case, Outcome};

fn game() -> Box<dyn Game> {
    crate::game("hexa-draughts")
}

fn puzzle(goal: i64) -> Box<dyn Puzzle> {
    game().parse(format!("row {goal}").as_bytes()).unwrap()
}

/// Reads `R,C` for the oracle.
fn read_point(text: &str) -> Option<(i64, i64)> {
    let (row, column) = text.split_once(',')?;
    if text.contains('+') {
        return None;
    }
    let (row, column): (i64, i64) = (row.parse().ok()?, column.parse().ok()?);
    (row.abs() <= 1000 && column.abs() <= 1000 && (row - column) % 2 == 0).then_some((row, column))
}

fn oracle(goal: i64, answer: &str) -> Outcome {
    let mut men: Vec<(i64, i64)> = Vec::new();
    let (mut placed, mut hops, mut illegal) = (0, 0, None);
    let mut section = "";
    for word in answer.split_whitespace() {
        let legal = match (section, word) {
            ("", "men") | ("men", "hops") => {
                section = if word == "men" { "men" } else { "hops" };
                true
            }
            ("men", _) => match read_point(word) {
                Some(man) if man.0 <= 0 && !men.contains(&man) => {
                    men.push(man);
                    placed += 1;
                    true
                }
                _ => false,
            },
            ("hops", _) => {
                let hopped = word.split_once('>').and_then(|(from, to)| {
                    let (from, to) = (read_point(from)?, read_point(to)?);
                    // All twelve ways to name a hop by its middle: six neighbours of `from`, and the point beyond.
                    let ways = [(0, 2), (0, -2), (1, 1), (1, -1), (-1, 1), (-1, -1)];
                    let way = ways.iter().find(|way| to == (from.0 + 2 * way.0, from.1 + 2 * way.1))?;
                    let over = (from.0 + way.0, from.1 + way.1);
                    let jumper = men.iter().position(|&man| man == from)?;
                    men.iter().position(|&man| man == over)?;
                    if men.contains(&to) {
                        return None;
                    }
                    men[jumper] = to;
                    men.retain(|&man| man != over);
                    Some(())
                });
                hops += u64::from(hopped.is_some());
                hopped.is_some()
            }
            _ => false,
        };
        if !legal {
            illegal = Some((placed + hops + 1, word.to_owned()));
            break;
        }
    }
    let highest = men.iter().map(|man| man.0).max().unwrap_or(0).max(0);
    let progress = if men.len() == 1 && men[0].0 == goal { goal } else { highest.min(goal - 1) };
    let [progress, of] = [progress, goal].map(i64::unsigned_abs);
    Outcome { progress, of, moves: placed, tie_break: hops, illegal, position: men.len().to_string() }
}

/// How many men a picture shows.
fn men_left(picture: &Picture) -> String {
    assert_eq!(picture.cells.len() % picture.width, 0);
    picture.cells.iter().filter(|cell| cell.label == Some('o')).count().to_string()
}

/// Places a few men close together and makes mostly legal hops, with some other words.
fn random_answer(random: &mut ChaCha8Rng) -> String {
    let slip = *[0, 0, 3, 10].choose(random).unwrap();
    // A few men close together often reach their row, many men seldom do.
    let (most, spread) = *[(3, 1), (16, 3)].choose(random).unwrap();
    let mut men: Vec<(i64, i64)> = Vec::new();
    let mut words: Vec<String> = vec!["men".into()];
    for _ in 0..random.random_range(0..=most) {
        let row: i64 = -random.random_range(0..=spread);
        let man = (row, 2 * random.random_range(-spread..=spread) + row.rem_euclid(2));
        if !men.contains(&man) || random.random_range(0..100) < slip {
            men.push(man);
            words.push(format!("{},{}", man.0, man.1));
        }
    }
    words.push("hops".into());
    for _ in 0..random.random_range(0..16) {
        let legal: Vec<[(i64, i64); 3]> = men
            .iter()
            .flat_map(|&(row, column)| {
                [(0, 2), (0, -2), (1, 1), (1, -1), (-1, 1), (-1, -1)]
                    .map(|(up, right)| [0, 1, 2].map(|steps| (row + steps * up, column + steps * right)))
            })
            .filter(|[_, over, to]| men.contains(over) && !men.contains(to))
            .collect();
        let Some(&[from, over, to]) = legal.choose(random) else { break };
        men.retain(|&man| man != from && man != over);
        men.push(to);
        words.push(format!("{},{}>{},{}", from.0, from.1, to.0, to.1));
    }
    for word in &mut words {
        if random.random_range(0..100) < slip {
            let odd = "men hops 0,0 1,1 0,1 -1 0,0>0,4 0,0>2,2 0,0>1,1 +0,0 -0,2 2000,0 0,99999999999 0;0 , > 0,0> -,0 0,0,0 1000,1000 0,0>0,4>0,8 -3,3 x";
            let odd: Vec<&str> = odd.split(' ').collect();
            *word = (*odd.choose(random).unwrap()).to_owned();
        }
    }
    words.join(*[" ", "\n", " \t", "\r\n"].choose(random).unwrap())
}

crate::oracle_tests!(2_000, random_answers_match_the_oracle(crate::MANY));

fn random_answers_match_the_oracle(cases: usize) {
    // Illegal, deep and solved.
    crate::match_the_oracle(1984, cases, &[(15.0, 80.0), (5.0, 100.0), (0.5, 100.0)], |random, _| {
        let answer = random_answer(random);
        let goal = random.random_range(1..=4);
        let outcome = oracle(goal, &answer);
        let interesting = vec![outcome.illegal.is_some(), outcome.tie_break >= 5, outcome.progress == outcome.of];
        let (board, puzzle, answer) = (format!("row {goal}"), puzzle(goal), answer.into_bytes());
        Case { board, puzzle, answer, outcome, position: men_left, interesting }
    });
}

#[test]
fn a_man_left_over_leaves_row_2_unsolved() {
    let rule = |answer: &str| referee::rule(&*puzzle(2), answer.as_bytes()).unwrap();
    let solved = rule("men -1,-1 0,0 0,2 hops -1,-1>1,1 0,2>2,0");
    assert!(solved.score.solved() && solved.illegal.is_none());
    assert_eq!((solved.score.moves, solved.score.tie_break), (3, 2));
    // A fourth man is left: row 2 has a man, but the board is not solved.
    let unsolved = rule("men -1,-1 0,0 0,2 0,8 hops -1,-1>1,1 0,2>2,0");
    assert_eq!((unsolved.score.progress, unsolved.score.of, unsolved.illegal), (1, 2, None));
}

#[test]
fn an_army_above_the_limit_is_illegal() {
    let men: Vec<String> =
        (0..).flat_map(|row| (0..200).map(move |man| format!("{},{}", -row, 2 * man + row % 2))).take(10_001).collect();
    let ruling = referee::rule(&*puzzle(4), format!("men {}", men.join(" ")).as_bytes()).unwrap();
    let illegal = ruling.illegal.unwrap();
    assert_eq!(illegal.to_string(), "illegal move 10001 `-50,0`: an army has at most 10000 men");
    assert!(ruling.picture.cells.len() <= 40 * 80, "{}", ruling.picture.cells.len());
}

#[test]
fn each_row_has_its_board_as_a_file() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests-boards/hexa-draughts");
    let readme = std::fs::read_to_string(folder.join("README.md")).unwrap();
    for row in 1..=7 {
        assert!(readme.contains(&format!("| `row-{row}.txt` |")), "row {row} has no line in the README");
        let file = std::fs::read_to_string(folder.join(format!("row-{row}.txt"))).unwrap();
        assert_eq!(game().make(&GeneratorSpec::Size(row)).unwrap(), file);
    }
    let write_up = folder.join("../../entries/hexa-draughts/README.md");
    let write_up = std::fs::read_to_string(write_up).unwrap();
    let lines = write_up.lines().map(str::trim).filter(|line| line.starts_with("men ") || line.starts_with("hops "));
    let ruling = referee::rule(&*puzzle(4), lines.collect::<Vec<_>>().join(" ").as_bytes()).unwrap();
    assert!(ruling.score.solved());
    assert_eq!((ruling.score.moves, ruling.score.tie_break), (9, 8));
    assert!(game().make(&GeneratorSpec::Size(20)).is_ok() && game().make(&GeneratorSpec::Size(21)).is_err());
}

#[test]
fn a_bad_board_is_refused_with_place_and_reason() {
    for (board, reason) in rows! {
        (&b""[..], "the board is empty: a board is the word `row` and the row to reach, such as `row 4`"),
        (&b"row"[..], "the board ends after `row`: a board is the word `row` and the row to reach, such as `row 4`"),
        (&b"\n  line 4"[..], "row 2, column 3: unexpected `line`: a board is the word `row` and the row to reach, such as `row 4`"),
        (&b"row\n\tfour"[..], "row 2, column 2: unexpected `four`: the row to reach is 1 to 20"),
        (&b"row 0"[..], "row 1, column 5: unexpected `0`: the row to reach is 1 to 20"),
        (&b"row 21"[..], "row 1, column 5: unexpected `21`: the row to reach is 1 to 20"),
        (&b"row 99999999999"[..], "row 1, column 5: unexpected `99999999999`: the row to reach is 1 to 20"),
        (&b"row \xff"[..], "row 1, column 5: unexpected `\\xff`: the row to reach is 1 to 20"),
        (&b"row 4 5"[..], "row 1, column 7: unexpected `5` after the row: a board ends there"),
    } {
        assert_eq!(game().parse(board).map(drop).unwrap_err().to_string(), reason);
    }
}

#[test]
fn an_illegal_move_is_refused_with_index_and_reason() {
    for (answer, reason) in rows! {
        ("0,0", "1 `0,0`: an answer begins with the word `men`"),
        ("hops 0,0>0,4", "1 `hops`: an answer begins with the word `men`"),
        ("men 0,0 men", "2 `men`: an answer is `men`, the men, `hops`, the hops, each word once"),
        ("men 0,0 0,2 hops 0,0>0,4 hops", "4 `hops`: an answer is `men`, the men, `hops`, the hops, each word once"),
        ("men zero", "1 `zero`: a man is ROW,COLUMN, such as -1,3"),
        ("men 0,0,0", "1 `0,0,0`: a man is ROW,COLUMN, such as -1,3"),
        ("men 0,+2", "1 `0,+2`: a man is ROW,COLUMN, such as -1,3"),
        ("men 0,2000", "1 `0,2000`: 2000 is out of range: rows and columns are -1000 to 1000"),
        (
            "men 0,-99999999999999999999999",
            "1 `0,-99999999999999999999999`: -99999999999999999999999 is out of range: rows and columns are -1000 to 1000",
        ),
        ("men 0,1", "1 `0,1`: 0,1 is not a point: row and column must be both even or both odd"),
        ("men 0,0 1,1", "2 `1,1`: men start on row 0 or below"),
        ("men 0,0 -1,1 0,0", "3 `0,0`: the point is taken by another man"),
        ("men 0,0 0,2 hops 0,0-0,4", "3 `0,0-0,4`: a hop is ROW,COLUMN>ROW,COLUMN, such as -1,1>1,3"),
        ("men 0,0 0,2 hops 0,0>0,4>0,8", "3 `0,0>0,4>0,8`: a hop is ROW,COLUMN>ROW,COLUMN, such as -1,1>1,3"),
        ("men 0,0 0,2 hops 0,0>0,2", "3 `0,0>0,2`: a hop goes two points straight: four columns, or two rows and two columns"),
        ("men 0,0 0,2 hops 0,0>4,0", "3 `0,0>4,0`: a hop goes two points straight: four columns, or two rows and two columns"),
        ("men 0,0 0,2 hops 0,0>0,5", "3 `0,0>0,5`: 0,5 is not a point: row and column must be both even or both odd"),
        ("men 0,0 0,2 hops -1,1>1,3", "3 `-1,1>1,3`: no man is on -1,1"),
        ("men 0,0 0,2 hops 0,0>2,2", "3 `0,0>2,2`: no man is on 1,1 to hop over"),
        ("men 0,0 0,2 0,4 hops 0,0>0,4", "4 `0,0>0,4`: 0,4 is taken by another man"),
    } {
        let illegal = referee::rule(&*puzzle(2), answer.as_bytes()).unwrap().illegal.unwrap();
        assert_eq!(illegal.to_string(), format!("illegal move {reason}"));
    }
}

#[test]
fn options_of_other_games_are_refused() {
    for spec in [
        GeneratorSpec::Random { seed: 1, pieces: None },
        GeneratorSpec::Phrase("army".into()),
        GeneratorSpec::Scramble { moves: 3, seed: 1 },
    ] {
        let refused = game().make(&spec).unwrap_err().to_string();
        assert!(refused.starts_with("hexa-draughts makes no boards by "), "{spec:?}: {refused}");
        assert!(refused.ends_with(": a board is only a row to reach"), "{spec:?}: {refused}");
    }
    let refused = game().make(&GeneratorSpec::Size(0)).unwrap_err().to_string();
    assert!(refused.ends_with(" must be 1 to 20, not 0"), "{refused}");
    let rules = HouseRules::new(&std::collections::BTreeMap::from([("wrap", true)])).unwrap();
    let refused = (games::find("hexa-draughts").unwrap().open)(&rules).map(drop).unwrap_err().to_string();
    assert!(refused.contains("unknown field `wrap`"), "{refused}");
}
