//! Boards near perfection: the answers are as long as breadth-first search says.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::HashMap;
use std::sync::OnceLock;

use loyd_house::anytime::{self, News, solve};
use loyd_house::automaton::Automaton;
use loyd_house::beam::{self, Order};
use loyd_house::clock::Deadline;
use loyd_house::direction::Direction;
use loyd_house::dual::Dual;
use loyd_house::grounds::lowest;
use loyd_house::guide::Guide;
use loyd_house::ida::{self, Outcome, Pruning};
use loyd_house::pinwheel::{self, TWO_THREES};
use loyd_house::position::{Packed, moves};
use loyd_house::stage::Stage;
use loyd_kit::{Board, Move, Spot};
use rand::SeedableRng as _;
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom as _;

/// What a search in one direction goes by, by small tables. Backwards it depends on where the empty spot begins.
struct Means {
    guide: Guide,
    dual: Dual,
    automaton: Automaton,
}

impl Means {
    fn new(direction: Direction, board: &Board) -> Means {
        let [moves, back] = [direction, direction.other()].map(|end| end.geometry(Packed::from(board)));
        let guide = match direction {
            Direction::Forwards => Stage::Fours.guide(2).unwrap(),
            Direction::Backwards => {
                let tables = pinwheel::build(&moves, TWO_THREES, 1).unwrap();
                pinwheel::guide(&moves, TWO_THREES, &tables).unwrap()
            }
        };
        let dual = Dual::new(&moves, pinwheel::tables(&back, TWO_THREES, &[], 1).unwrap());
        Means { guide, dual, automaton: Automaton::new(&moves, 7) }
    }

    fn of(direction: Direction, board: &Board) -> &'static Means {
        static FORWARDS: OnceLock<Means> = OnceLock::new();
        static BACKWARDS: [OnceLock<Means>; 25] = [const { OnceLock::new() }; 25];
        let means = match direction {
            Direction::Forwards => &FORWARDS,
            Direction::Backwards => &BACKWARDS[board.empty().index()],
        };
        means.get_or_init(|| Means::new(direction, board))
    }
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

/// The way of an answer by iterative deepening, with or without the second bound.
fn deepened(board: &Board, direction: Direction, second: bool, threads: usize) -> Vec<u8> {
    let start = direction.start(Packed::from(board));
    let Means { guide, dual, automaton } = Means::of(direction, board);
    let pruning = Pruning { guide, dual: second.then_some(dual), automaton };
    let mut threshold = lowest(guide, start);
    loop {
        match ida::search(pruning, start, threshold, threads, Deadline::never()).outcome {
            Outcome::Answer(way) => return direction.answer(way),
            Outcome::Nothing => threshold += 2,
            Outcome::Stopped => panic!("nobody stops it"),
        }
    }
}

#[test]
fn answers_within_25_moves_are_as_long_as_breadth_first_search_says_for_1000_seeds() {
    for seed in 0..1_000 {
        let board = scrambled(seed, usize::try_from(seed % 26).unwrap());
        let length = shortest(&board);
        let threads = 1 + usize::try_from(seed % 3).unwrap();
        let order = Order { width: 1_000, most_moves: length, threads: 2, deadline: Deadline::never() };
        let guide = &Means::of(Direction::Forwards, &board).guide;
        let beam = beam::search(guide, Packed::from(&board), order).expect("the beam holds a shortest answer");
        let ahead = deepened(&board, Direction::Forwards, seed % 2 == 0, threads);
        let behind = deepened(&board, Direction::Backwards, seed % 2 == 0, threads);
        for way in [beam, ahead, behind] {
            assert_eq!(end(&board, &way), Some(Board::perfection()), "seed {seed}");
            assert_eq!(way.len() - 1, length, "seed {seed}");
        }
    }
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
        let means = anytime::Means { threads: 2, memory: 1 << 24, deadline: Deadline::never() };
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
