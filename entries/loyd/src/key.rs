//! Boards in 128 bits, and sets of boards that have been seen.

use rustc_hash::{FxHashMap, FxHashSet};

/// A board as one number: five bits a spot. Two boards have the same key exactly if they are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(pub(crate) u128);

/// Boards that have been seen, some 18 to 36 bytes each.
pub type Seen = FxHashSet<Key>;

/// Something known about each board that has been seen.
pub type SeenWith<T> = FxHashMap<Key, T>;
