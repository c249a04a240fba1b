//! Boards near perfection: the answers are as short as those of breadth-first search.

use std::collections::HashMap;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, OnceLock};

use loyd_house::anytime::{self, Event, solve};
use loyd_house::automaton::Automaton;
use loyd_house::beam::{self, BeamSettings, Width};
use loyd_house::clock::Deadline;
use loyd_house::direction::Direction;
use loyd_house::dual::Dual;
use loyd_house::estimate::Estimate;
use loyd_house::gap_table::GapTables;
use loyd_house::geometry::CENTRE;
use loyd_house::groups::GAP_THREES;
use loyd_house::heuristic::Heuristic;
use loyd_house::ida::{self, Origin, Outcome, Task};
use loyd_house::pinwheel::{self, TWO_THREES};
use loyd_house::position::{Packed, moves};
use loyd_house::proof::lowest;
use loyd_house::pruning::Pruning;
use loyd_house::split::Far;
use loyd_house::table_set::TableSet;
use loyd_kit::{Board, Move, Spot};
use rand::SeedableRng as _;
use rand::seq::IndexedRandom as _;
use rand_chacha::ChaCha8Rng;

/// The bounds and the automaton for one direction, with small tables. Backwards they depend on the board's empty spot.
struct SmallTables {
    heuristic: Heuristic,
    dual: Dual,
    automaton: Automaton,
    /// The bounds for the part of a split search that ends in the centre.
    centre: (Heuristic, Dual),
}

impl SmallTables {
    fn new(direction: Direction, board: &Board) -> SmallTables {
        let [moves, back] = [direction, direction.other()].map(|end| end.geometry(Packed::from(board)));
        let heuristic = match direction {
            Direction::Forwards => TableSet::Fours.heuristic(2).unwrap(),
            Direction::Backwards => {
                let tables = pinwheel::build(&moves, TWO_THREES, 1).unwrap();
                pinwheel::heuristic(&moves, TWO_THREES, &tables).unwrap()
            }
        };
        let [ahead, behind] = [&moves, &back].map(|board| pinwheel::tables(board, TWO_THREES, &[], 1).unwrap());
        let dual = Dual::new(&moves, behind.clone());
        let automaton = Automaton::new(&moves, 7, 1);
        let moves = moves.ending_at(CENTRE);
        let centre = (pinwheel::heuristic(&moves, TWO_THREES, &ahead).unwrap(), Dual::new(&moves, behind));
        SmallTables { heuristic, dual, automaton, centre }
    }

    fn of(direction: Direction, board: &Board) -> &'static SmallTables {
        static FORWARDS: OnceLock<SmallTables> = OnceLock::new();
        static BACKWARDS: [OnceLock<SmallTables>; 25] = [const { OnceLock::new() }; 25];
        let small = match direction {
            Direction::Forwards => &FORWARDS,
            Direction::Backwards => &BACKWARDS[board.empty().index()],
        };
        small.get_or_init(|| SmallTables::new(direction, board))
    }
}

/// All boards from which one move leads to this one: by slides, and by a transport of any tile if the centre is empty.
fn before(board: &Board) -> Vec<Board> {
    let slid = Move::SLIDES.into_iter().filter_map(|slide| board.after(slide));
    let mut found: Vec<Board> = slid.collect();
    if board.empty() == Spot::CENTRE {
        // A transport carried some tile from the centre to its spot.
        for spot in Spot::all().filter(|&spot| spot != Spot::CENTRE) {
            let mut symbols: Vec<char> = loyd_house::answer::one_line(board).chars().filter(|c| *c != ' ').collect();
            symbols.swap(spot.index(), Spot::CENTRE.index());
            found.push(String::from_iter(symbols).parse().unwrap());
        }
    }
    found
}

/// The board after undoing this many random moves from perfection.
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

fn end(board: &Board, path: &[u8]) -> Option<Board> {
    moves(path)?.into_iter().try_fold(*board, |board, made| board.after(made))
}

/// The methods of iterative deepening.
#[derive(Clone, Copy, Debug)]
enum Method {
    OneBound,
    BothBounds,
    Split,
}

/// The path of an answer by iterative deepening.
fn deepened(board: &Board, direction: Direction, method: Method, threads: usize) -> Vec<u8> {
    let position = Packed::from(board);
    let start = direction.start(position);
    let SmallTables { heuristic, dual, automaton, centre } = SmallTables::of(direction, board);
    let far = SmallTables::of(direction.other(), board);
    let origin = Origin::Position(start);
    let task = match method {
        Method::OneBound => Task { pruning: Pruning { heuristic, dual: None, automaton }, origin },
        Method::BothBounds => Task { pruning: Pruning { heuristic, dual: Some(dual), automaton }, origin },
        Method::Split => {
            let start = direction.other().start(position);
            let origin = Origin::Centre(Far { heuristic: &far.heuristic, dual: &far.dual, start });
            Task { pruning: Pruning { heuristic: &centre.0, dual: Some(&centre.1), automaton }, origin }
        }
    };
    let mut threshold = lowest(heuristic, start);
    loop {
        match ida::search(&task, threshold, threads, Deadline::never()).outcome {
            Outcome::Answer(path) => return direction.answer(path),
            Outcome::Nothing => threshold += 2,
            Outcome::Stopped => panic!("there is no deadline"),
        }
    }
}

#[test]
fn answers_of_up_to_25_moves_are_as_short_as_by_breadth_first_search_for_1000_seeds() {
    let gaps = GapTables::both(GAP_THREES, 2).unwrap().map(Arc::new);
    for seed in 0..1_000 {
        let board = scrambled(seed, usize::try_from(seed % 26).unwrap());
        let length = shortest(&board);
        let threads = 1 + usize::try_from(seed % 3).unwrap();
        let most_moves = &AtomicUsize::new(length);
        let settings = BeamSettings { width: Width::Fixed(1_000), most_moves, threads, deadline: Deadline::never() };
        let [beam_ahead, beam_behind] = Estimate::both(Packed::from(&board), &gaps).map(|estimate| {
            let start = estimate.direction().start(Packed::from(&board));
            let path = beam::search(&estimate, start, settings).expect("the beam keeps a shortest answer");
            estimate.direction().answer(path)
        });
        let method = if seed % 2 == 0 { Method::BothBounds } else { Method::OneBound };
        let deepened = [Direction::Forwards, Direction::Backwards]
            .map(|direction| [method, Method::Split].map(|method| deepened(&board, direction, method, threads)));
        for path in deepened.into_iter().flatten().chain([beam_ahead, beam_behind]) {
            assert_eq!(end(&board, &path), Some(Board::perfection()), "seed {seed}");
            assert_eq!(path.len() - 1, length, "seed {seed}");
        }
    }
}

#[test]
fn known_lengths_are_proved() {
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
        let resources = anytime::Resources { threads: 2, memory: 1 << 24, deadline: Deadline::never() };
        solve(&board, resources, None, &mut |event| match event {
            Event::Answer(path, _) => best = Some(path),
            Event::Proved => proved = true,
            _ => {}
        })
        .unwrap();
        let best = best.unwrap();
        assert_eq!(end(&board, &best), Some(Board::perfection()));
        assert_eq!((best.len() - 1, proved), (length, true), "{board:?}");
    }
}
