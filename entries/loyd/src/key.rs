//! Boards in 128 bits, and sets of boards.

use rustc_hash::{FxHashMap, FxHashSet};

/// A board as one number, five bits per spot. Different boards have different keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(pub(crate) u128);

/// A set of boards, some 18 to 36 bytes each.
pub type BoardSet = FxHashSet<Key>;

/// A map from boards to values.
pub type BoardMap<T> = FxHashMap<Key, T>;
