//! Writing the file of a solved group.

use std::io::{BufWriter, Write};

use sha2::{Digest as _, Sha256};

use crate::answer::Cost;

use super::super::group::Group;
use super::super::table::{Table, places};
use super::{HASHED, MAGIC, VERSION};

/// Writes the file of a group.
pub fn write(table: &Table, out: impl Write) -> std::io::Result<()> {
    let mut out = Writer { out: BufWriter::new(out), hash: Sha256::new(), pending: Vec::with_capacity(HASHED) };
    let Group { shape, letters, numbers } = table.group();
    out.bytes(MAGIC)?;
    let byte = |number: usize| u8::try_from(number).expect("a board and its pieces are small");
    out.bytes(&[VERSION, byte(shape.side()), byte(letters as usize), byte(numbers as usize)])?;
    let row = table.row();
    for count in [row.problems, row.movable, row.solvable] {
        out.bytes(&count.to_le_bytes())?;
    }
    let mut next = 0;
    for (state, position, solution) in table.solved_states() {
        let Cost { moves, steps } = solution.cost;
        let idle = places(position.numbers, solution.insignificant);
        for number in [(state - next) as u64, moves.into(), (steps - moves).into(), solution.count, idle] {
            out.varint(number)?;
        }
        next = state + 1;
    }
    out.finish()
}

struct Writer<W: Write> {
    out: BufWriter<W>,
    hash: Sha256,
    pending: Vec<u8>,
}

impl<W: Write> Writer<W> {
    fn bytes(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.pending.extend_from_slice(bytes);
        if self.pending.len() >= HASHED {
            self.hash.update(&self.pending);
            self.out.write_all(&self.pending)?;
            self.pending.clear();
        }
        Ok(())
    }

    fn varint(&mut self, mut number: u64) -> std::io::Result<()> {
        loop {
            let low = u8::try_from(number & 0x7f).expect("seven bits");
            number >>= 7;
            self.bytes(&[low | if number == 0 { 0 } else { 0x80 }])?;
            if number == 0 {
                return Ok(());
            }
        }
    }

    fn finish(mut self) -> std::io::Result<()> {
        self.hash.update(&self.pending);
        self.out.write_all(&self.pending)?;
        self.out.write_all(&self.hash.finalize())?;
        self.out.flush()
    }
}
