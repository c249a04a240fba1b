//! The compact file of a solved group: its format.
//!
//! All numbers of more than a byte have their lowest byte first; a *varint* has seven bits a byte, the lowest first, and
//! the top bit set in all bytes but the last, which is no needless 0.
//!
//! | bytes | what |
//! | --- | --- |
//! | 8 | `ufoatlas` |
//! | 1 | version of the format: 1 |
//! | 1 | squares of a side: 5, or 7 for the cross |
//! | 1, 1 | letter pieces, number pieces |
//! | 8 | problems of the group, rotations and reflections excluded |
//! | 8 | problems with a legal move |
//! | 8 | problems that can be solved: so many records follow |
//! | 32 | SHA-256 of all bytes before, behind the last record |
//!
//! A record is five varints:
//!
//! | varint | what |
//! | --- | --- |
//! | gap | the states passed over since the record before, or since the beginning |
//! | moves | of the best answers |
//! | turns | their steps, less their moves |
//! | answers | how many best answers there are |
//! | idle | bit *i* set: the *i*-th number piece in reading order is insignificant in one of them at least |
//!
//! A *state* is a letter set followed by a number set. Squares are numbered in reading order, from 0, over the holes
//! alone. Letter sets are those without the centre of which no rotation or reflection begins earlier in reading order,
//! and of two of them that which begins earlier comes first. Number sets are those of the squares that the letter pieces
//! leave free, ascending as binary numbers with a bit a free square. Only the first state of a problem has a record: no
//! symmetry that keeps the letter set in place makes its number set begin earlier.

mod read;
mod write;

pub use read::Reader;
pub use write::write;

/// What every file begins with.
const MAGIC: &[u8; 8] = b"ufoatlas";
/// The version of the format that is written, and the only one that is read.
const VERSION: u8 = 1;
/// Bytes that are hashed together.
const HASHED: usize = 1 << 16;
