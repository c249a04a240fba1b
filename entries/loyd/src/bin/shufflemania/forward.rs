//! The search at the bottom of the tree: a variant of A* with an evaluation that overestimates on purpose.

use loyd_kit::moves::exits;
use loyd_kit::{Board, Mark, Move, Penalties, Spot, Trail, Watch};

/// How a forward search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Improved,
    Overflowed,
    NothingBetter,
    Exhausted,
}

pub(crate) struct Forward {
    long: Penalties,
    queues: Vec<Vec<Position>>,
    trail: Trail,
    nearest: Vec<i32>,
}

#[derive(Clone, Copy)]
struct Position {
    board: Board,
    moves: u16,
    least: u16,
    long: i32,
    mark: Mark,
    came_from: Option<Spot>,
}

fn p(name: &str, d: f64) -> f64 { std::env::var(name).ok().map_or(d, |x| x.parse().unwrap()) }

pub(crate) fn long_distances() -> Penalties {
    let (pw, c, b, i) = (p("PW",1.5), p("CO",1.5), p("BO",1.25), p("IN",1.0));
    Penalties::new(|tile, spot| {
        let mobility = match tile.home().distance(Spot::CENTRE) { 4 => c, _ if tile.home().king_distance(Spot::CENTRE)==2 => b, _ => i };
        (8.0 * mobility * f64::from(spot.moves_to(tile.home())).powf(pw)) as i32
    })
}

impl Forward {
    pub(crate) fn new() -> Forward {
        Forward { long: long_distances(), queues: Vec::new(), trail: Trail::default(), nearest: Vec::new() }
    }

    /// limit: moves must be fewer than this
    pub(crate) fn search(&mut self, board: &Board, came_from: Option<Spot>, limit: &mut usize, watch: &mut Watch) -> (End, Option<Vec<Move>>) {
        let (slope, a0, dev, cap) = (p("SL",0.02), p("A0",1.0), p("DEV",60.0) as i32, p("CAP",50000.0) as usize);
        let exits = exits();
        self.trail.clear();
        self.queues.clear();
        self.nearest.clear();
        let mut best = None;
        let begin = self.long.total(board);
        let mut better = false;
        let mut queued = 1;
        let mut lowest = 0;
        self.queues.push(vec![Position { board: *board, moves: 0, least: board.least_moves() as u16, long: begin, mark: Trail::START, came_from }]);
        let mut end = End::Exhausted;
        let mut restarts = 0;
        loop {
            while lowest < self.queues.len() && self.queues[lowest].is_empty() { lowest += 1; }
            if lowest == self.queues.len() { break; }
            let Some(at) = self.queues[lowest].pop() else { break };
            queued -= 1;
            if watch.is_over() { break; }
            if usize::from(at.moves) + usize::from(at.least) >= *limit { continue; }
            let empty = at.board.empty();
            for &(made, to) in &exits[empty.index()] {
                if Some(to) == at.came_from { continue; }
                let mut board = at.board;
                let Some(tile) = board.at(to) else { continue };
                let long = at.long + self.long.change(&board, to);
                let least = (at.least + u16::from(empty.moves_to(tile.home()))) - u16::from(to.moves_to(tile.home()));
                board.pull(to);
                let moves = at.moves + 1;
                if usize::from(moves) + usize::from(least) >= *limit { continue; }
                if long < begin { better = true; }
                if least == 0 {
                    if board == Board::perfection() {
                    *limit = usize::from(moves);
                    let mark = self.trail.push(at.mark, made);
                    best = Some(self.trail.moves(mark)); end = End::Improved; }
                    continue;
                }
                let g = usize::from(moves);
                if self.nearest.len() <= g { self.nearest.resize(g + 1, i32::MAX); }
                if long > self.nearest[g].saturating_add(dev) { continue; }
                self.nearest[g] = self.nearest[g].min(long);
                let mark = self.trail.push(at.mark, made);
                let f = (8.0 * moves as f64 + (a0 + slope * moves as f64) * long as f64) as usize / 8;
                if self.queues.len() <= f { self.queues.resize_with(f + 1, Vec::new); }
                self.queues[f].push(Position { board, moves, least, long, mark, came_from: Some(empty) });
                lowest = lowest.min(f);
                queued += 1;
            }
            if queued >= cap {
                restarts += 1;
                if end != End::Improved { end = End::Overflowed; }
                if restarts > p("RE",5.0) as usize { break; }
                let all = self.queues.iter_mut().flat_map(std::mem::take);
                let Some(promising) = all.min_by_key(|p| p.long) else {break};
                self.queues.clear();
                self.queues.push(vec![promising]);
                lowest = 0; queued = 1;
            }
        }
        if std::env::var("DBG").is_ok() { eprintln!("fwd: {:?} best {:?} trail {} restarts {restarts}", end, best.as_ref().map(|b: &Vec<Move>| b.len()), self.trail.len()); }
        if end == End::Exhausted && !better { end = End::NothingBetter; }
        (end, best)
    }
}
