//! Reading the file of a solved group.

use std::io::{BufRead, BufReader, Read};

use sha2::{Digest as _, Sha256};

use crate::answer::Cost;
use crate::geometry::{MAX_SQUARES, Shape};
use crate::position::Position;

use super::super::group::Group;
use super::super::index::Index;
use super::super::table::{Row, Solution, Table, chosen};
use super::{HASHED, MAGIC, VERSION};

/// Length of the header before the records, in bytes.
const HEAD: usize = 36;
/// Bytes of the checksum after the records.
const CHECKSUM: usize = 32;
/// The most steps of a move, which visits no square twice.
const MAX_STEPS: u64 = MAX_SQUARES as u64;

/// An iterator over the records of a file.
///
/// For any input, reading ends with an error that describes the problem, or with the last record and a correct
/// checksum. It never panics, and it never takes more memory than the group's index.
#[derive(Debug)]
pub struct Reader<R: Read> {
    input: BufReader<R>,
    hash: Sha256,
    /// Bytes that were read and not hashed yet.
    pending: Vec<u8>,
    index: Index,
    /// The counts of the header, and the sums over the records so far.
    row: Row,
    /// The number of records in the file.
    records: u64,
    /// The first state that the next record may describe.
    next: usize,
    done: bool,
}

impl<R: Read> Reader<R> {
    /// Reads and checks the header. The error is a fragment.
    pub fn open(input: R) -> Result<Self, String> {
        let mut input = BufReader::with_capacity(HASHED, input);
        let mut head = [0; HEAD];
        input.read_exact(&mut head).map_err(|error| format!("cannot read the first {HEAD} bytes: {error}"))?;
        let (magic, rest) = head.split_at(MAGIC.len());
        if magic != MAGIC {
            return Err("not a file of ufo-atlas: it does not begin with `ufoatlas`".to_owned());
        }
        let (&[version, side, letters, numbers], counts) = rest.split_first_chunk().expect("the head is longer");
        if version != VERSION {
            return Err(format!("unsupported format version {version}, expected {VERSION}; solve the group again"));
        }
        let shape = match side {
            5 => Shape::Square,
            7 => Shape::Cross,
            other => return Err(format!("a board with {other} squares per side; expected 5, or 7 for the cross")),
        };
        let group = Group::new(shape, letters.into(), numbers.into());
        let group =
            group.ok_or_else(|| format!("{letters} letter and {numbers} number pieces; expected 1 to 3 and 1 to 9"))?;
        let count = |place: usize| {
            let bytes = &counts[8 * place..8 * (place + 1)];
            bytes.iter().rfold(0, |all, &byte| all << 8 | u64::from(byte))
        };
        let (problems, movable, records) = (count(0), count(1), count(2));
        let states = Index::len_of(group);
        if records > movable || movable > problems || problems > states {
            return Err(format!(
                "{records} solvable problems, {movable} with a move, {problems} in total, {states} states; expected \
                 ascending numbers"
            ));
        }
        let mut hash = Sha256::new();
        hash.update(head);
        Ok(Reader {
            input,
            hash,
            pending: Vec::with_capacity(HASHED),
            index: Index::new(group),
            row: Row { problems, movable, ..Row::default() },
            records,
            next: 0,
            done: false,
        })
    }

    /// The group of the file.
    pub fn group(&self) -> Group {
        self.index.group
    }

    /// The number of records, which are the solvable problems.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// Reads the remaining records and returns the group's row.
    pub fn into_row(mut self) -> Result<Row, String> {
        self.by_ref().try_for_each(|record| record.map(drop))?;
        Ok(self.row)
    }

    /// Reads all records into a table.
    ///
    /// # Panics
    /// If a record was read before.
    pub fn into_table(mut self) -> Result<Table, String> {
        assert_eq!(self.next, 0, "a record was read before");
        let mut table = Table::empty(self.group())?;
        for record in self.by_ref() {
            let (problem, solution) = record?;
            table.put(problem, &solution);
        }
        table.row = self.row;
        Ok(table)
    }

    fn record(&mut self) -> Result<(Position, Solution), String> {
        let [gap, moves, turns, count, idle] = [(); 5].map(|()| self.varint());
        let (gap, moves, turns, count, idle) = (gap?, moves?, turns?, count?, idle?);
        let Group { letters, numbers, .. } = self.group();
        let state = usize::try_from(gap).ok().and_then(|gap| self.next.checked_add(gap));
        let state = state.filter(|&state| state < self.index.len());
        let state = state.ok_or_else(|| format!("gap {gap} exceeds the {} states", self.index.len()))?;
        let (class, number_set) = self.index.state(state);
        if !self.index.is_first(class, number_set) {
            return Err(format!("state {state} is not the first of its problem"));
        }
        let valid = u32::try_from(moves).ok().filter(|moves| (letters..=Solution::MAX_MOVES).contains(moves));
        let valid = valid.ok_or_else(|| format!("{moves} moves; expected {letters} to {}", Solution::MAX_MOVES))?;
        let steps = moves.checked_add(turns).filter(|&steps| steps <= moves * MAX_STEPS);
        let steps = steps.and_then(|steps| u32::try_from(steps).ok());
        let steps =
            steps.ok_or_else(|| format!("{turns} turns in {moves} moves; a move has at most {MAX_STEPS} steps"))?;
        if !(1..=Solution::MAX).contains(&count) {
            return Err(format!("{count} best answers; expected 1 to {}", Solution::MAX));
        }
        if idle >> numbers != 0 {
            return Err(format!("insignificant pieces {idle:#b}; the group has {numbers} number pieces"));
        }
        self.next = state + 1;
        let position = Position { letters: self.index.classes[class].letters, numbers: number_set };
        let cost = Cost { moves: valid, steps };
        Ok((position, Solution { cost, count, insignificant: chosen(number_set, idle) }))
    }

    fn varint(&mut self) -> Result<u64, String> {
        let mut number = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = self.byte()?;
            let low = u64::from(byte & 0x7f);
            if low << shift >> shift != low || byte == 0 && shift > 0 {
                break;
            }
            number |= low << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err("a number has too many bytes, or more than 64 bits".to_owned())
    }

    fn byte(&mut self) -> Result<u8, String> {
        let mut byte = [0];
        self.input.read_exact(&mut byte).map_err(|error| format!("the file is incomplete: {error}"))?;
        self.pending.push(byte[0]);
        if self.pending.len() == HASHED {
            self.hash.update(&self.pending);
            self.pending.clear();
        }
        Ok(byte[0])
    }

    fn end(&mut self) -> Result<(), String> {
        self.hash.update(&self.pending);
        let mut checksum = [0; CHECKSUM];
        self.input.read_exact(&mut checksum).map_err(|error| format!("the checksum is incomplete: {error}"))?;
        if checksum[..] != self.hash.finalize_reset()[..] {
            return Err("the checksum does not match the records: the file is damaged".to_owned());
        }
        match self.input.fill_buf() {
            Ok([]) => Ok(()),
            Ok(_) => Err("unexpected bytes after the checksum".to_owned()),
            Err(error) => Err(format!("cannot read after the checksum: {error}")),
        }
    }
}

/// Yields each problem once with its best answers. An error is the last item; it also follows the last record if the
/// checksum is wrong.
impl<R: Read> Iterator for Reader<R> {
    type Item = Result<(Position, Solution), String>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        if self.row.solvable == self.records {
            self.done = true;
            return self.end().err().map(Err);
        }
        let place = self.row.solvable + 1;
        let record = self.record().map_err(|reason| format!("record {place} of {}: {reason}", self.records));
        match &record {
            Ok((_, solution)) => self.row.count_solved(solution),
            Err(_) => self.done = true,
        }
        Some(record)
    }
}
