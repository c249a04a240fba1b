//! Boards near perfection: the answers are as long as breadth-first search says.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::HashMap;
use std::sync::OnceLock;

use loyd_house::anytime::{Means, News, build, lowest, solve};
use loyd_house::automaton::Automaton;
use loyd_house::beam::{self, Order};
use loyd_house::clock::Deadline;
use loyd_house::direction::Direction;
use loyd_house::groups::FOURS;
use loyd_house::guide::Guide;
use loyd_house::ida::{self, Outcome};
use loyd_house::position::{Packed, moves};
use loyd_kit::{Board, Move, Spot};
use rand::SeedableRng as _;
use rand::seq::IndexedRandom as _;
use rand_chacha::ChaCha8Rng;

/// Guide and automaton of a direction.
fn means(direction: Direction) -> &'static (Guide, Automaton) {
    static MEANS: [OnceLock<(Guide, Automaton)>; 2] = [OnceLock::new(), OnceLock::new()];
    MEANS[usize::from(direction == Direction::Backwards)].get_or_init(|| {
        let tables = build(direction, FOURS, 2).unwrap();
        let guide = Guide::new(direction.geometry(), tables).unwrap();
        let automaton = Automaton::new(guide.board(), 7);
        (guide, automaton)
    })
}

/// All moves that lead to a board, taken back: slides, and from the centre any tile back into it.
fn before(board: &Board) -> Vec<Board> {
    let slid = Move::SLIDES.into_iter().filter_map(|slide| board.after(slide));
    let mut found: Vec<Board> = slid.collect();
    if board.empty() == Spot::CENTRE {
        // A transport put some tile where it is now, and left the centre empty.
        for spot in Spot::all().filter(|&spot| spot != Spot::CENTRE) {
            let mut symbols: Vec<char> = loyd_house::answer::line(board).chars().filter(|c| *c != ' ').collect();
            symbols.swap(spot.index(), Spot::CENTRE.index());
            found.push(String::from_iter(symbols).parse().unwrap());
        }
    }
    found
}

/// The board after so many random moves taken back from perfection.
fn scrambled(seed: u64, moves: usize) -> Board {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    (0..moves).fold(Board::perfection(), |board, _| *before(&board).choose(&mut random).unwrap())
}

/// The length of the shortest answer, by breadth-first search from both ends.
fn shortest(board: &Board) -> usize {
    let mut near = Vec::from([HashMap::from([(*board, 0)]), HashMap::from([(Board::perfection(), 0)])]);
    let mut levels = [vec![*board], vec![Board::perfection()]];
    for length in 0.. {
        if let Some(least) =
            levels[0].iter().chain(&levels[1]).filter_map(|b| Some(near[0].get(b)? + near[1].get(b)?)).min()
        {
            assert_eq!(least, length);
            return length;
        }
        let side = usize::from(levels[1].len() < levels[0].len());
        let mut next = Vec::new();
        for board in &levels[side] {
            let depth = near[side][board] + 1;
            let reached =
                if side == 0 { Move::ALL.into_iter().filter_map(|m| board.after(m)).collect() } else { before(board) };
            for after in reached {
                near[side].entry(after).or_insert_with(|| {
                    next.push(after);
                    depth
                });
            }
        }
        levels[side] = next;
    }
    unreachable!("perfection is reached from everywhere")
}

fn end(board: &Board, way: &[u8]) -> Option<Board> {
    moves(way)?.into_iter().try_fold(*board, |board, made| board.after(made))
}

/// The way of an answer by iterative deepening; `None` if the board cannot be searched in that direction.
fn deepened(board: &Board, direction: Direction, threads: usize) -> Option<Vec<u8>> {
    let start = direction.start(Packed::from(board))?;
    let (guide, automaton) = means(direction);
    let mut threshold = lowest(guide, start);
    loop {
        match ida::search(guide, automaton, start, threshold, threads, Deadline::never()).outcome {
            Outcome::Answer(way) => return Some(direction.answer(way)),
            Outcome::Nothing => threshold += 2,
            Outcome::Stopped => panic!("nobody stops it"),
        }
    }
}

#[test]
fn answers_within_25_moves_are_as_long_as_breadth_first_search_says_for_1000_seeds() {
    let mut backwards = 0;
    for seed in 0..1_000 {
        let board = scrambled(seed, usize::try_from(seed % 26).unwrap());
        let length = shortest(&board);
        let threads = 1 + usize::try_from(seed % 3).unwrap();
        let order = Order { width: 1_000, most_moves: length, threads: 2, deadline: Deadline::never() };
        let beam = beam::search(&means(Direction::Forwards).0, Packed::from(&board), order);
        let deepened = [Direction::Forwards, Direction::Backwards].map(|end| deepened(&board, end, threads));
        backwards += usize::from(deepened[1].is_some());
        assert!(beam.is_some() && deepened[0].is_some());
        for way in deepened.into_iter().chain([beam]).flatten() {
            assert_eq!(end(&board, &way), Some(Board::perfection()), "seed {seed}");
            assert_eq!(way.len() - 1, length, "seed {seed}");
        }
    }
    assert!(backwards > 50, "{backwards} boards have the empty spot at home");
}

#[test]
fn known_lengths_are_found_and_proved() {
    let known = [
        ("FBCDE KAGHJ PLMIO UQRNT VWXS+", 26),
        ("+ABCD GHIJE FKLMN QRSTO PUVWX", 24),
        ("BACDE FGHIJ KLMNO PQRST UVWX+", 21),
        ("ABCDE FGHIJ KL+MN PQRSO UVWXT", 4),
    ];
    for (board, length) in known {
        let board: Board = board.parse().unwrap();
        let mut best = None;
        let mut proved = false;
        let means = Means { threads: 2, memory: 1 << 24, deadline: Deadline::never() };
        solve(&board, means, None, &mut |news| match news {
            News::Answer(way, _) => best = Some(way),
            News::Proved => proved = true,
            _ => {}
        })
        .unwrap();
        let best = best.unwrap();
        assert_eq!(end(&board, &best), Some(Board::perfection()));
        assert_eq!((best.len() - 1, proved), (length, true), "{board:?}");
    }
}
