//! `ufo-atlas dump`: the file of a solved group as text.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use ufo_kit::atlas::group::Group;
use ufo_kit::atlas::store::Reader;

use crate::output::{names, unprintable};

/// Print the file of a solved group, a line a problem that can be solved
///
/// A line is CSV: squares of the letter pieces, of the number pieces, moves, steps, number of best answers, squares of
/// the number pieces that are insignificant in one of them at least. The group is told on standard error. The file is
/// read once, front to back; if it turns out damaged, what was printed is not to be relied on.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The file, such as 5x5-2-4.ufo in the folder of --keep
    file: PathBuf,
}

impl Arguments {
    pub(crate) fn execute(self, out: &mut dyn Write) -> Result<(), String> {
        let path = self.file.display();
        let file = File::open(&self.file).map_err(|error| format!("cannot read {path}: {error}"))?;
        let reader = Reader::open(file).map_err(|reason| format!("{path}: {reason}"))?;
        let group: Group = reader.group();
        let geometry = group.shape.geometry();
        eprintln!("group {group}, {} problems that can be solved", reader.records());
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
