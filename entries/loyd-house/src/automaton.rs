//! A finite automaton that recognises paths of the empty spot that lead where an earlier path leads.
//!
//! A path is a word: the first spot of the empty spot, then the spots it goes to. A path permutes the tiles, in a way
//! that does not depend on which tiles they are. So two paths from the same spot with the same permutation lead to the
//! same position on every board. Only the first of them has to be searched, first by length, then by the order of
//! moves. A path that contains a later one can be replaced by an earlier path, and that order has no endless descent.
//! So the first of the shortest answers contains no later path: a search that never follows one still finds an
//! answer of the same length. The first spot is part of the word, so moves that are illegal from there never enter the
//! comparison.
//!
//! A breadth-first enumeration to some length finds the paths to exclude. Only the minimal ones are kept, in the
//! automaton of Aho and Corasick, as Taylor and Korf did for sliding tiles (1993).

use rustc_hash::{FxHashMap, FxHashSet};

use crate::geometry::{Geometry, SPOTS};
use crate::parallel::queue;
use crate::position::{EMPTY, Packed, byte};

/// Bits of a spot in a packed word.
const BITS: u32 = 5;

/// The bits of a packed word that hold its last spot.
const LETTER: u32 = (1 << BITS) - 1;

/// Number of steps that can be copied together. Most states have fewer.
pub(crate) const STEPS_COPIED: usize = 8;

/// A state of the automaton. It contains the empty spot and enough of the path to it.
///
/// It is the place of the state's steps and their number, so that a search reads nothing but steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State(u32);

impl State {
    fn new(begin: usize, count: usize) -> State {
        assert!(begin < 1 << (u32::BITS - 2 * BITS), "the steps fit 22 bits");
        State(u32::try_from(begin << BITS | count).expect("27 bits"))
    }
}

/// One allowed step: the next spot of the empty spot, and the state after it.
///
/// It is one word, so that all steps fit the processor's caches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Step(u32);

impl Step {
    fn new(to: usize, state: State) -> Step {
        Step(state.0 << BITS | u32::from(byte(to)))
    }

    /// The next spot of the empty spot.
    #[inline]
    pub fn to(self) -> u8 {
        self.0.to_le_bytes()[0] & ((1 << BITS) - 1)
    }

    /// The automaton's state after the step.
    #[inline]
    pub fn state(self) -> State {
        State(self.0 >> BITS)
    }
}

/// The automaton: its states, each with the steps that are allowed there.
#[derive(Debug)]
pub struct Automaton {
    /// Length of the longest excluded paths.
    length: usize,
    /// Number of states, one per beginning of an excluded path.
    states: usize,
    /// The allowed steps, state after state, and room for a copy that begins with the last ones.
    steps: Vec<Step>,
    /// The states before the first move, by the empty spot.
    starts: [State; SPOTS],
}

impl Automaton {
    /// Builds the automaton that excludes every later path of up to `length` moves, at most 11.
    pub fn new(board: &Geometry, length: usize, threads: usize) -> Automaton {
        let later = queue(0..board.spots(), threads, |start| enumerate(board, start, length));
        let words = queue(later.iter(), threads, |words| minimal(words, &later));
        compile(board, length, &words.concat())
    }

    /// The length of the longest excluded paths.
    pub fn length(&self) -> usize {
        self.length
    }

    /// The state before the first move, with the empty spot on `empty`.
    pub fn start(&self, empty: usize) -> State {
        self.starts[empty]
    }

    /// The allowed steps from a state, in the order of [`Geometry::empty_after`].
    #[inline]
    pub fn steps(&self, state: State) -> &[Step] {
        let begin = (state.0 >> BITS) as usize;
        &self.steps[begin..begin + (state.0 & LETTER) as usize]
    }

    /// The number of allowed steps from a state, and these steps followed by others, in order to be copied in pieces of
    /// [`STEPS_COPIED`].
    #[inline(always)]
    pub(crate) fn steps_and_more(&self, state: State) -> (usize, &[Step]) {
        ((state.0 & LETTER) as usize, &self.steps[(state.0 >> BITS) as usize..])
    }

    /// Number of states, one per beginning of an excluded path.
    pub fn states(&self) -> usize {
        self.states
    }
}

/// A path as a number: a 1, then its spots.
type Word = u64;

fn extended(word: Word, spot: usize) -> Word {
    word << BITS | u64::from(byte(spot))
}

/// The spots of a word.
fn letters(word: Word) -> impl DoubleEndedIterator<Item = usize> {
    let count = (u64::BITS - 1 - word.leading_zeros()) / BITS;
    (0..count).rev().map(move |place| usize::try_from(word >> (BITS * place) & 31).expect("five bits"))
}

/// The paths from `start` of up to `length` moves that are later ones although all their beginnings are first ones.
fn enumerate(board: &Geometry, start: usize, length: usize) -> FxHashSet<Word> {
    let mut later = FxHashSet::default();
    let mut occupants = [0; SPOTS];
    for (spot, occupant) in occupants.iter_mut().enumerate() {
        *occupant = byte(spot);
    }
    // The number EMPTY marks the empty spot; the tile whose home is `start` gets the spare number.
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
    later
}

/// The later paths that contain no other of `later`, which has those from each spot. A path's beginning is always a first
/// one, so only endings matter.
fn minimal(words: &FxHashSet<Word>, later: &[FxHashSet<Word>]) -> Vec<Word> {
    let ending_is_later = |word: &Word| {
        let spots: Vec<usize> = letters(*word).collect();
        (1..spots.len() - 1)
            .any(|from| later[spots[from]].contains(&spots[from..].iter().fold(1, |word, &s| extended(word, s))))
    };
    let mut words: Vec<Word> = words.iter().copied().filter(|word| !ending_is_later(word)).collect();
    words.sort_unstable();
    words
}

/// The automaton of Aho and Corasick that recognises these words, without the steps that would complete one.
fn compile(board: &Geometry, length: usize, words: &[Word]) -> Automaton {
    // A state is a prefix of a word, in the order of their numbers; single spots come first.
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
    // The longest ending of a path that is a state, found by trying the longest first.
    let state_of = |word: Word| -> Option<u32> {
        let spots: Vec<usize> = letters(word).collect();
        (0..spots.len()).find_map(|from| {
            let ending = spots[from..].iter().fold(1, |word, &spot| extended(word, spot));
            if complete.contains(&ending) { Some(None) } else { numbers.get(&ending).copied().map(Some) }
        })?
    };
    // The number of the state after each step, with the spot it leads to; then the states themselves.
    let mut begins = vec![0];
    let mut numbered = Vec::new();
    for &prefix in &prefixes {
        let empty = letters(prefix).next_back().expect("a word has a spot");
        numbered.extend(board.empty_after(empty).iter().filter_map(|&to| Some((to, state_of(extended(prefix, to))?))));
        begins.push(numbered.len());
    }
    let state = |number: usize| State::new(begins[number], begins[number + 1] - begins[number]);
    let mut steps: Vec<Step> = numbered.into_iter().map(|(to, number)| Step::new(to, state(number as usize))).collect();
    steps.extend([Step::default(); STEPS_COPIED]);
    Automaton {
        length,
        states: prefixes.len(),
        steps,
        starts: std::array::from_fn(|spot| if spot < board.spots() { state(spot) } else { State::default() }),
    }
}
