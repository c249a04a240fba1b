//! All problems of a group, solved together, and the products of the article of 1999: tables, selections of problems,
//! analysis of configurations.
//!
//! | module | contents |
//! | --- | --- |
//! | [`group`] | a board with given numbers of letter and number pieces |
//! | [`mod@solve`] | the best answers to all problems of a group, level by level |
//! | [`table`] | their storage by a dense index; a row of the article's tables |
//! | [`store`] | the compact file of a group |
//! | [`select`] | problems by moves, steps and squares, hardest first |
//! | [`configurations`] | number pieces, by the placements that are solvable on them |
//! | [`follow`] | a best answer, reconstructed from the tables |
//!
//! [`Atlas`] combines them: it provides tables, reads the files of solved groups and solves the other groups.

pub mod configurations;
pub mod follow;
pub mod group;
mod index;
mod parallel;
mod piece_moves;
mod ranks;
pub mod select;
pub mod solve;
pub mod store;
pub mod table;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bytesize::ByteSize;
use rustix::time::{ClockId, clock_gettime};

use group::Group;
use solve::{Options, solve};
use table::{Row, Table};

/// Tables of this many bytes or more are reported before and after solving.
const REPORTED: u64 = 64 << 20;
/// The shortest time between two reports of progress on a group.
const REPORT_INTERVAL: Duration = Duration::from_secs(2);

/// The tables of groups, solved on demand.
#[derive(Debug)]
pub struct Atlas {
    folder: Option<PathBuf>,
    memory: u64,
    options: Options,
    progress: fn(&str),
    /// The last requested table and, if it was needed, that of the group with one letter piece less.
    held: Vec<Table>,
    times: Vec<(Group, Time)>,
}

/// The time to solve a group, given the table of the group with one letter piece less.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Time {
    /// Wall-clock time from start to end.
    pub wall: Duration,
    /// Processor time of all threads, which means more on a busy machine.
    pub processors: Duration,
}

impl Atlas {
    /// Creates an atlas.
    ///
    /// If `folder` is given, the atlas reads the files of solved groups there, and writes those of groups that it solves.
    /// The tables held at one time take at most `memory` bytes. `progress` receives lines about long work.
    pub fn new(folder: Option<PathBuf>, memory: u64, options: Options, progress: fn(&str)) -> Atlas {
        Atlas { folder, memory, options, progress, held: Vec::new(), times: Vec::new() }
    }

    /// The time it took to solve a group; `None` if the group was read from a file or not requested.
    pub fn time(&self, group: Group) -> Option<Time> {
        self.times.iter().find(|(solved, _)| *solved == group).map(|(_, time)| *time)
    }

    /// Creates an atlas for moves of at most `most_steps` steps, without files.
    #[must_use]
    pub fn bounded(&self, most_steps: u32) -> Atlas {
        Atlas::new(None, self.memory, Options { most_steps, ..self.options }, self.progress)
    }

    /// Returns the table of a group.
    pub fn table(&mut self, group: Group) -> Result<&Table, String> {
        let table = self.take(group)?;
        Ok(self.hold(table))
    }

    /// Returns the table of a group, and that of the group with one letter piece less.
    pub fn pair(&mut self, group: Group) -> Result<(&Table, Option<&Table>), String> {
        let table = self.take(group)?;
        let Some(after_exit) = group.after_exit() else { return Ok((self.hold(table), None)) };
        let after_exit = self.take(after_exit)?;
        self.held = vec![after_exit, table];
        Ok((&self.held[1], Some(&self.held[0])))
    }

    /// Returns the row of a group. Needs little memory if the group has a file.
    pub fn row(&mut self, group: Group) -> Result<Row, String> {
        match self.file(group) {
            Some(path) if path.exists() => read(&path, group, store::Reader::into_row),
            _ => self.table(group).map(Table::row),
        }
    }

    /// Checks that the memory limit allows a group; `Err` names the memory it needs. Nothing is solved.
    pub fn check_memory(&self, group: Group) -> Result<(), String> {
        let kept = self.file(group).is_some_and(|path| path.exists());
        let need = if kept { Table::bytes(group) } else { Atlas::bytes(group) };
        if need <= self.memory {
            return Ok(());
        }
        Err(format!(
            "group {group} needs {} of memory, more than the limit of {}; give --memory {}MiB or more",
            ByteSize::b(need),
            ByteSize::b(self.memory),
            need.div_ceil(1 << 20),
        ))
    }

    /// Bytes of memory for a group's table and those of the groups with fewer letter pieces.
    pub fn bytes(group: Group) -> u64 {
        let groups = std::iter::successors(Some(group), |group| group.after_exit());
        groups.map(Table::bytes).sum()
    }

    fn hold(&mut self, table: Table) -> &Table {
        self.held.push(table);
        self.held.last().expect("one was pushed")
    }

    fn take(&mut self, group: Group) -> Result<Table, String> {
        if let Some(place) = self.held.iter().position(|table| table.group() == group) {
            return Ok(self.held.swap_remove(place));
        }
        self.held.retain(|table| Some(table.group()) == group.after_exit());
        self.check_memory(group)?;
        let file = self.file(group).filter(|path| path.exists());
        if let Some(path) = file {
            return read(&path, group, store::Reader::into_table);
        }
        let after_exit = group.after_exit().map(|after_exit| self.take(after_exit)).transpose()?;
        let table = self.solve(group, after_exit.as_ref())?;
        self.held = after_exit.into_iter().collect();
        if let Some(path) = self.file(group) {
            write(&path, &table).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        }
        Ok(table)
    }

    fn solve(&mut self, group: Group, after_exit: Option<&Table>) -> Result<Table, String> {
        let reported = Table::bytes(group) >= REPORTED;
        if reported {
            (self.progress)(&format!("group {group}: {} of memory", ByteSize::b(Atlas::bytes(group))));
        }
        let (start, processors) = (Instant::now(), processor_time());
        let mut last_report = start;
        let table = solve(group, after_exit, self.options, |moves, states| {
            if last_report.elapsed() >= REPORT_INTERVAL {
                last_report = Instant::now();
                let seconds = start.elapsed().as_secs();
                (self.progress)(&format!("group {group}: {states} states of {moves} moves, after {seconds} s"));
            }
        })?;
        if reported {
            (self.progress)(&format!("group {group}: solved in {:.1} s", start.elapsed().as_secs_f64()));
        }
        self.times.push((group, Time { wall: start.elapsed(), processors: processor_time() - processors }));
        Ok(table)
    }

    /// The path of a group's file, which may not exist.
    fn file(&self, group: Group) -> Option<PathBuf> {
        self.folder.as_ref().map(|folder| folder.join(group.file_name()).with_extension("ufo"))
    }
}

/// The processor time of this process so far.
fn processor_time() -> Duration {
    clock_gettime(ClockId::ProcessCPUTime).try_into().expect("no process has run for a negative time")
}

fn read<T>(
    path: &Path,
    group: Group,
    take: impl FnOnce(store::Reader<File>) -> Result<T, String>,
) -> Result<T, String> {
    let file = File::open(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let read = store::Reader::open(file).and_then(|reader| match reader.group() {
        found if found == group => take(reader),
        other => Err(format!("the file contains group {other}")),
    });
    read.map_err(|reason| format!("{}: {reason}; remove the file to solve group {group} again", path.display()))
}

/// Writes a file atomically; creates its folder if necessary.
fn write(path: &Path, table: &Table) -> std::io::Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)?;
    let part = path.with_extension("part");
    let file = File::create(&part)?;
    store::write(table, &file)?;
    file.sync_all()?;
    fs::rename(part, path)
}
