//! The rules of frogs and toads: the case from the source, and a naive second implementation as an oracle.
//!
//! The oracle shares no code and no table with the judge. It splits an answer into words, and compares whole rows of
//! characters before and after a move.

use judge_core::game::{Game, GeneratorSpec};
use judge_core::picture::Picture;
use judge_core::referee;
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use crate::{Case, Outcome};

/// The output of the source's program for n = 3.
const PRINTED: &str = "1. 3 -> 4
2. 5 -> 3
3. 6 -> 5
4. 4 -> 6
5. 2 -> 4
6. 1 -> 2
7. 3 -> 1
8. 5 -> 3
9. 7 -> 5
10. 6 -> 7
11. 4 -> 6
12. 2 -> 4
13. 3 -> 2
14. 5 -> 3
15. 4 -> 5
";

fn game() -> Box<dyn Game> {
    crate::game("swap")
}

fn board(pieces: usize) -> String {
    "B".repeat(pieces) + "." + &"R".repeat(pieces)
}

/// Makes a move: one of four rewritings of neighbouring squares; `None` for an illegal one.
fn make(row: &str, from: usize, to: usize) -> Option<String> {
    let (low, high) = (from.min(to), from.max(to));
    if low == 0 || high > row.len() {
        return None;
    }
    let (before, rest) = row.split_at(low - 1);
    let (squares, after) = rest.split_at(high - low + 1);
    let changed = match (squares, from < to) {
        ("B.", true) => ".B",
        ("BR.", true) => ".RB",
        (".R", false) => "R.",
        (".BR", false) => "RB.",
        _ => return None,
    };
    Some([before, changed, after].concat())
}

fn home(row: &str) -> u64 {
    let goal = board(row.len() / 2).chars().rev().collect::<String>();
    row.chars().zip(goal.chars()).filter(|&(actual, goal)| actual == goal && actual != '.').count() as u64
}

fn naive(pieces: usize, answer: &str) -> Outcome {
    // The parts of a word: numbers and arrows, each with whether the word ends there.
    let parts = |word| {
        let mut parts: Vec<(&str, bool)> = Vec::new();
        for (index, piece) in str::split(word, "->").enumerate() {
            parts.extend((index > 0).then_some(("->", false)));
            parts.extend((!piece.is_empty()).then_some((piece, false)));
        }
        parts.last_mut().expect("a word is not empty").1 = true;
        parts
    };
    let mut words = answer.split_ascii_whitespace().flat_map(parts).peekable();
    let number = |word: &str| word.chars().all(|c| c.is_ascii_digit()).then(|| word.parse::<usize>().ok()).flatten();
    let (mut row, mut moves, mut hops) = (board(pieces), 0, 0);
    let mut illegal = None;
    while let Some(&(first, alone)) = words.peek() {
        let numbered = first.strip_suffix('.').filter(|_| alone).and_then(number);
        let right = numbered.is_none_or(|given| given as u64 == moves + 1);
        let pair: Vec<(&str, bool)> = words.by_ref().skip(usize::from(numbered.is_some())).take(3).collect();
        let made = match pair[..] {
            [(from, _), ("->", _), (to, true)] if right => number(from).zip(number(to)),
            _ => None,
        };
        let Some((made, long)) = made.and_then(|(from, to)| Some((make(&row, from, to)?, from.abs_diff(to) == 2)))
        else {
            illegal = Some((moves + 1, String::new()));
            break;
        };
        row = made;
        moves += 1;
        hops += u64::from(long);
    }
    Outcome { progress: home(&row), of: 2 * pieces as u64, moves, tie_break: hops, illegal, position: row }
}

/// Finds all legal moves of a row by trying every pair of squares.
fn legal(row: &str) -> Vec<(usize, usize)> {
    let pairs = (1..=row.len()).flat_map(|from| (1..=row.len()).map(move |to| (from, to)));
    pairs.filter(|&(from, to)| make(row, from, to).is_some()).collect()
}

/// Finds every answer that solves a row, each as its moves.
fn answers(row: &str, made: &mut Vec<(usize, usize)>, found: &mut Vec<Vec<(usize, usize)>>) {
    if home(row) == row.len() as u64 - 1 {
        found.push(made.clone());
    }
    for (from, to) in legal(row) {
        made.push((from, to));
        answers(&make(row, from, to).unwrap(), made, found);
        made.pop();
    }
}

/// Makes the first moves of a solution, then random legal moves, some numbered, with some illegal moves and malformed
/// words.
fn random_answer(random: &mut ChaCha8Rng, pieces: usize, solution: &[(usize, usize)]) -> String {
    const NONSENSE: [&str; 14] =
        ["x", "->", "-", "3", "0", "1.", "4;", "3->", "->4", "+3", "-1", "3>4", "\0", "99999999999999999999999"];
    let known = random.random_range(0..=solution.len());
    let mut row = board(pieces);
    let mut answer = String::new();
    let mut index = 1;
    let planned = solution[..known].iter().copied().map(Some).chain(std::iter::repeat(None));
    for planned in planned.take(random.random_range(known..=solution.len() + 1)) {
        let (from, to) = match random.random_range(0..100u8) {
            0 => {
                answer += NONSENSE.choose(random).unwrap();
                answer += " ";
                continue;
            }
            1 => (random.random_range(0..2 * pieces + 3), random.random_range(0..2 * pieces + 3)),
            _ => match planned.or_else(|| legal(&row).choose(random).copied()) {
                Some(pair) => pair,
                None => break,
            },
        };
        if random.random_range(0..4u8) == 0 {
            let wrong = u32::from(random.random_range(0..400u16) == 0);
            answer += &format!("{}.{}", index + wrong, [" ", "\n"].choose(random).unwrap());
        }
        let after = make(&row, from, to);
        index += u32::from(after.is_some());
        row = after.unwrap_or(row);
        let [left, right] = [0, 1].map(|_| *["", " ", "\n", " \t "].choose(random).unwrap());
        answer += &format!("{from}{left}->{right}{to}{}", [" ", "\n", "\r\n", "  "].choose(random).unwrap());
    }
    answer
}

crate::oracle_tests!(4_000, random_answers_match_the_oracle(crate::MANY));

fn random_answers_match_the_oracle(cases: usize) {
    let solution = |pieces| {
        let mut found = Vec::new();
        answers(&board(pieces), &mut Vec::new(), &mut found);
        found.swap_remove(0)
    };
    let solutions: Vec<Vec<(usize, usize)>> = (0..=6).map(solution).collect();
    // Illegal, deep and solved.
    crate::match_the_oracle(1883, cases, &[(20.0, 80.0), (10.0, 100.0), (2.0, 100.0)], |random, _| {
        let pieces = random.random_range(1..solutions.len());
        let answer = random_answer(random, pieces, &solutions[pieces]);
        let outcome = naive(pieces, &answer);
        let interesting = vec![outcome.illegal.is_some(), outcome.moves >= 20, outcome.progress == outcome.of];
        let (board, answer) = (board(pieces), answer.into_bytes());
        let puzzle = game().parse(board.as_bytes()).unwrap();
        Case { board, puzzle, answer, outcome, position: Picture::one_line, interesting }
    });
}

#[test]
fn the_printed_answer_for_three_solves_in_fifteen_moves_with_nine_hops() {
    let puzzle = game().parse(b"BBB.RRR\n").unwrap();
    let ruling = referee::rule(&*puzzle, PRINTED.as_bytes()).unwrap();
    assert_eq!(ruling.illegal, None);
    assert!(ruling.score.solved());
    assert_eq!((ruling.score.progress, ruling.score.moves, ruling.score.tie_break), (6, 15, 9));
    assert_eq!(ruling.picture.one_line(), "RRR.BBB");
}

#[test]
fn a_number_before_a_pair_is_that_of_its_move() {
    let puzzle = game().parse(b"BBB.RRR\n").unwrap();
    let illegal = |answer: &str| {
        let ruling = referee::rule(&*puzzle, answer.as_bytes()).unwrap();
        ruling.illegal.map(|illegal| (illegal.index, illegal.token, illegal.reason))
    };
    assert_eq!(illegal("1. 3 -> 4 5->3"), None, "some moves may have numbers");
    assert_eq!(illegal("3 -> 4\n2.\n5 -> 3"), None);
    let wrong = "this is move 2, not 7: number moves from 1, or leave the numbers out".to_owned();
    assert_eq!(illegal("1. 3 -> 4 7. 5 -> 3"), Some((2, "7.".to_owned(), wrong)));
    let (index, token, _) = illegal("1. 3 -> 4 2.").unwrap();
    assert_eq!((index, &*token), (2, "2."), "a number without a pair");
    for answer in ["1. 1. 3 -> 4", "1.3 -> 4", ". 3 -> 4", "0. 3 -> 4", "1) 3 -> 4"] {
        assert!(illegal(answer).is_some(), "{answer}");
    }
}

#[test]
fn there_are_two_answers_of_minimal_length_each_the_mirror_of_the_other() {
    for pieces in 1..=7 {
        let mut found = Vec::new();
        answers(&board(pieces), &mut Vec::new(), &mut found);
        let [one, other] = &found[..] else { panic!("n = {pieces}: {} answers", found.len()) };
        let mirrored: Vec<_> = one.iter().map(|(from, to)| (2 * pieces + 2 - from, 2 * pieces + 2 - to)).collect();
        assert_eq!(mirrored, *other, "n = {pieces}");
        for answer in [one, other] {
            let hops = answer.iter().filter(|(from, to)| from.abs_diff(*to) == 2).count();
            assert_eq!((answer.len(), hops, answer.len() - hops), (pieces * (pieces + 2), pieces * pieces, 2 * pieces));
            let text: String = answer.iter().map(|(from, to)| format!("{from} -> {to}\n")).collect();
            let puzzle = game().parse(board(pieces).as_bytes()).unwrap();
            let ruling = referee::rule(&*puzzle, text.as_bytes()).unwrap();
            assert!(ruling.illegal.is_none() && ruling.score.solved(), "n = {pieces}");
            assert_eq!(ruling.score.tie_break, hops as u64);
        }
    }
}

#[test]
fn boards_of_every_size_that_fits_a_board_file_can_be_made() {
    for size in [1, 2, 30, 1000, 524_287] {
        let text = game().make(&GeneratorSpec::Size(size)).unwrap();
        assert_eq!(text, board(usize::try_from(size).unwrap()) + "\n");
        assert!(text.len() <= 1 << 20);
        game().parse(text.as_bytes()).unwrap();
    }
    assert!(game().make(&GeneratorSpec::Size(0)).is_err());
    assert!(game().make(&GeneratorSpec::Size(524_288)).is_err());
}
