//! `ufo-atlas dump`: prints the file of a solved group as text.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use ufo_kit::atlas::group::Group;
use ufo_kit::atlas::store::Reader;

use crate::output::{names, unprintable};

/// Print the file of a solved group as CSV, one line per solvable problem
///
/// The columns: squares of the letter pieces, squares of the number pieces, moves, steps, number of best answers, squares
/// of the number pieces that are insignificant in at least one best answer. The group is printed on standard error. The
/// checksum is at the end of the file; if it is wrong, the lines printed so far may be wrong too.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// A file written by --keep, such as 5x5-2-4.ufo
    file: PathBuf,
}

impl Arguments {
    pub(crate) fn execute(self, out: &mut dyn Write) -> Result<(), String> {
        let path = self.file.display();
        let file = File::open(&self.file).map_err(|error| format!("cannot read {path}: {error}"))?;
        let reader = Reader::open(file).map_err(|reason| format!("{path}: {reason}"))?;
        let group: Group = reader.group();
        let geometry = group.shape.geometry();
        eprintln!("group {group}, {} solvable problems", reader.records());
        writeln!(out, "letters,numbers,moves,steps,answers,insignificant").map_err(unprintable)?;
        for record in reader {
            let (position, solution) = record.map_err(|reason| format!("{path}: {reason}"))?;
            let [letters, numbers, idle] =
                [position.letters, position.numbers, solution.insignificant].map(|set| names(geometry, set));
            let (cost, count) = (solution.cost, solution.count);
            writeln!(out, "{letters},{numbers},{},{},{count},{idle}", cost.moves, cost.steps).map_err(unprintable)?;
        }
        Ok(())
    }
}
