//! A finite automaton that knows which ways of the empty spot lead where an earlier one leads.
//!
//! A way is a word: where the empty spot is at first, and where it goes. It permutes whatever stands on the spots, in
//! a manner that does not depend on who stands there, so two ways from the same spot with the same permutation lead to
//! the same position on every board. Of those only the first need be searched, first by length, then by the order of
//! moves. A way that contains a later one can be replaced by an earlier way, and that order knows no endless descent,
//! so the first of the shortest answers contains no later way at all: a search that never walks one still finds an
//! answer of the same length. Where the empty spot is at first is part of the word, so what is illegal from there is
//! never compared.
//!
//! The ways to be left out are found by breadth-first enumeration to some length; of those only the minimal ones are
//! kept, in the automaton of Aho and Corasick, as Taylor and Korf did for sliding tiles (1993).

use rustc_hash::{FxHashMap, FxHashSet};

use crate::geometry::{Geometry, SPOTS};
use crate::position::{EMPTY, Packed, byte};

/// Bits of a spot in a packed word.
const BITS: u32 = 5;

/// One way on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Where the empty spot goes.
    pub to: u8,
    /// The automaton's state after that.
    pub state: u32,
}

/// The automaton. Its state knows where the empty spot is and enough of how it came there.
#[derive(Debug)]
pub struct Automaton {
    /// Length of the longest ways it knows.
    ways: usize,
    /// The ways on that lead nowhere an earlier one leads, state after state.
    steps: Vec<Step>,
    /// By state, where its ways begin; one more, where the last ones end.
    begins: Vec<u32>,
}

impl Automaton {
    /// The automaton that leaves out every later way of up to `length` moves, at most 11.
    pub fn new(board: &Geometry, length: usize) -> Automaton {
        let mut later = FxHashSet::default();
        for start in 0..board.spots() {
            enumerate(board, start, length, &mut later);
        }
        compile(board, length, &minimal(&later))
    }

    /// The length of the longest ways that are left out.
    pub fn ways(&self) -> usize {
        self.ways
    }

    /// The state before the first move, with the empty spot here.
    pub fn start(&self, empty: usize) -> u32 {
        u32::try_from(empty).expect("a spot")
    }

    /// The ways on from a state.
    #[inline]
    pub fn steps(&self, state: u32) -> &[Step] {
        let begin = self.begins[state as usize];
        let end = self.begins[state as usize + 1];
        &self.steps[begin as usize..end as usize]
    }

    /// How many states there are.
    pub fn states(&self) -> usize {
        self.begins.len() - 1
    }
}

/// A way as a number: a 1, then its spots.
type Word = u64;

fn extended(word: Word, spot: usize) -> Word {
    word << BITS | u64::from(byte(spot))
}

/// The spots of a word.
fn letters(word: Word) -> impl DoubleEndedIterator<Item = usize> {
    let count = (u64::BITS - 1 - word.leading_zeros()) / BITS;
    (0..count).rev().map(move |place| usize::try_from(word >> (BITS * place) & 31).expect("five bits"))
}

/// Adds the ways from `start` of up to `length` moves whose beginnings are first and that are later ones themselves.
fn enumerate(board: &Geometry, start: usize, length: usize, later: &mut FxHashSet<Word>) {
    let mut occupants = [0; SPOTS];
    for (spot, occupant) in occupants.iter_mut().enumerate() {
        *occupant = byte(spot);
    }
    // The empty spot is told by its mark, whoever's home it started on takes the mark's number.
    occupants.swap(start, usize::from(EMPTY));
    let first = Packed::new(&occupants);
    let mut seen = FxHashSet::from_iter([first]);
    let mut level = vec![(first, start, extended(1, start))];
    for _ in 0..length {
        let mut next = Vec::new();
        for (packed, empty, word) in level {
            let occupants = packed.occupants();
            for &to in board.empty_after(empty) {
                let after = packed.swapped(empty, to, occupants[to]);
                let word = extended(word, to);
                if seen.insert(after) {
                    next.push((after, to, word));
                } else {
                    later.insert(word);
                }
            }
        }
        level = next;
    }
}

/// Those of the later ways that contain no other. A way's beginning is always a first one, so only endings count.
fn minimal(later: &FxHashSet<Word>) -> Vec<Word> {
    let ending_is_later = |word: &Word| {
        let spots: Vec<usize> = letters(*word).collect();
        (1..spots.len() - 1).any(|from| later.contains(&spots[from..].iter().fold(1, |word, &s| extended(word, s))))
    };
    let mut words: Vec<Word> = later.iter().copied().filter(|word| !ending_is_later(word)).collect();
    words.sort_unstable();
    words
}

/// The automaton of Aho and Corasick that recognises these words, without the steps that would complete one.
fn compile(board: &Geometry, ways: usize, words: &[Word]) -> Automaton {
    // A state is a beginning of a word, in the order of their numbers; the spots alone come first.
    let mut prefixes: Vec<Word> = (0..board.spots()).map(|spot| extended(1, spot)).collect();
    for &word in words {
        let mut prefix = word >> BITS;
        while prefix >= 1 << (2 * BITS) {
            prefixes.push(prefix);
            prefix >>= BITS;
        }
    }
    prefixes.sort_unstable();
    prefixes.dedup();
    let numbers: FxHashMap<Word, u32> = prefixes.iter().copied().zip(0..).collect();
    let complete: FxHashSet<Word> = words.iter().copied().collect();
    // The longest ending of a way that is a state; longer prefixes come later, so this is a plain search.
    let state_of = |word: Word| -> Option<u32> {
        let spots: Vec<usize> = letters(word).collect();
        (0..spots.len()).find_map(|from| {
            let ending = spots[from..].iter().fold(1, |word, &spot| extended(word, spot));
            if complete.contains(&ending) { Some(None) } else { numbers.get(&ending).copied().map(Some) }
        })?
    };
    let mut automaton = Automaton { ways, steps: Vec::new(), begins: vec![0] };
    for &prefix in &prefixes {
        let empty = letters(prefix).next_back().expect("a word has a spot");
        for &to in board.empty_after(empty) {
            if let Some(state) = state_of(extended(prefix, to)) {
                automaton.steps.push(Step { to: byte(to), state });
            }
        }
        automaton.begins.push(u32::try_from(automaton.steps.len()).expect("fewer steps than four bytes count"));
    }
    automaton
}
