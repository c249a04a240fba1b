//! The format of the compact file of a solved group.
//!
//! Numbers of more than one byte are little-endian. A *varint* has seven bits per byte, the lowest first, and the top bit
//! set in all bytes except the last. It uses as few bytes as possible.
//!
//! | bytes | contents |
//! | --- | --- |
//! | 8 | `ufoatlas` |
//! | 1 | version of the format: 1 |
//! | 1 | squares per side: 5, or 7 for the cross |
//! | 1, 1 | letter pieces, number pieces |
//! | 8 | problems of the group, rotations and reflections excluded |
//! | 8 | problems with a legal move |
//! | 8 | solvable problems, which is the number of records |
//! | | the records |
//! | 32 | SHA-256 of all bytes before |
//!
//! A record is five varints:
//!
//! | varint | contents |
//! | --- | --- |
//! | gap | the number of states skipped since the previous record, or since the first state |
//! | moves | of the best answers |
//! | turns | the steps of the best answers minus their moves |
//! | answers | the number of best answers |
//! | idle | bit *i* set: the *i*-th number piece in reading order is insignificant in at least one best answer |
//!
//! A *state* is a letter set followed by a number set. Squares are numbered in reading order, from 0; the corners of the
//! cross's frame are left out. A letter set does not contain the centre, and no rotation or reflection of it begins
//! earlier in reading order. Letter sets that begin earlier come first. A number set is a set of the squares that the
//! letter pieces leave free. Number sets ascend as binary numbers with one bit per free square. Only the first state of a
//! problem has a record: no symmetry that keeps the letter set in place makes its number set begin earlier.

mod read;
mod write;

pub use read::Reader;
pub use write::write;

/// The first bytes of every file.
const MAGIC: &[u8; 8] = b"ufoatlas";
/// The only supported version of the format.
const VERSION: u8 = 1;
/// The number of bytes hashed at a time.
const HASHED: usize = 1 << 16;
