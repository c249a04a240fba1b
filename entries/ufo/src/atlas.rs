//! All problems of a group at once, and what the article of 1999 made of them: its tables, its selections of problems,
//! its analysis of configurations.
//!
//! | module | what is in it |
//! | --- | --- |
//! | [`group`] | a board and so many pieces |
//! | [`mod@solve`] | the best answers to all problems of a group, level by level |
//! | [`table`] | where they are kept, by a dense index; a row of the article's tables |
//! | [`store`] | the compact file of a group |
//! | [`select`] | problems by moves, steps and squares, hardest first |
//! | [`configurations`] | number pieces by what can be solved on them |
//! | [`follow`] | a best answer, read off the tables |
//!
//! [`Atlas`] brings them together: it gives out tables, from files where there are some, and solves what is missing.

pub mod configurations;
pub mod follow;
pub mod group;
mod index;
mod ranks;
pub mod select;
pub mod solve;
pub mod store;
pub mod table;
mod ways;
mod work;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bytesize::ByteSize;
use rustix::time::{ClockId, clock_gettime};

use group::Group;
use solve::{Means, solve};
use table::{Row, Table};

/// A table of so many bytes is announced before it is made.
const ANNOUNCED: u64 = 64 << 20;
/// Progress on one group is told no more often than this.
const PAUSE: Duration = Duration::from_secs(2);

/// The tables of groups, solved when they are asked for.
#[derive(Debug)]
pub struct Atlas {
    folder: Option<PathBuf>,
    memory: u64,
    means: Means,
    progress: fn(&str),
    /// The group asked for last and, where it was needed, the one with a letter piece less.
    held: Vec<Table>,
    times: Vec<(Group, Time)>,
}

/// How long it took to solve a group whose table after an exit was there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Time {
    /// By the clock on the wall.
    pub wall: Duration,
    /// Of all processors together, which says more on a busy machine.
    pub processors: Duration,
}

impl Atlas {
    /// An atlas that keeps the files of solved groups in a folder, if there is one, and reads those that are there;
    /// whose tables held at one time take at most so many bytes of memory; that solves what is missing by these means
    /// and tells what takes long, one line at a time.
    pub fn new(folder: Option<PathBuf>, memory: u64, means: Means, progress: fn(&str)) -> Atlas {
        Atlas { folder, memory, means, progress, held: Vec::new(), times: Vec::new() }
    }

    /// How long it took to solve a group; `None` where it was read, or not asked for.
    pub fn time(&self, group: Group) -> Option<Time> {
        self.times.iter().find(|(solved, _)| *solved == group).map(|(_, time)| *time)
    }

    /// An atlas for moves of at most so many steps; it keeps no files.
    #[must_use]
    pub fn bounded(&self, most_steps: u32) -> Atlas {
        Atlas::new(None, self.memory, Means { most_steps, ..self.means }, self.progress)
    }

    /// The table of a group.
    pub fn table(&mut self, group: Group) -> Result<&Table, String> {
        let table = self.take(group)?;
        Ok(self.hold(table))
    }

    /// The table of a group, and that of the group with a letter piece less.
    pub fn pair(&mut self, group: Group) -> Result<(&Table, Option<&Table>), String> {
        let table = self.take(group)?;
        let Some(after_exit) = group.after_exit() else { return Ok((self.hold(table), None)) };
        let after_exit = self.take(after_exit)?;
        self.held = vec![after_exit, table];
        Ok((&self.held[1], Some(&self.held[0])))
    }

    /// The row of a group. Needs little memory where there is a file.
    pub fn row(&mut self, group: Group) -> Result<Row, String> {
        match self.file(group) {
            Some(path) if path.exists() => read(&path, group, store::Reader::into_row),
            _ => self.table(group).map(Table::row),
        }
    }

    /// Whether there is memory for a group; `Err` says how much it needs. Nothing is solved.
    pub fn admit(&self, group: Group) -> Result<(), String> {
        let kept = self.file(group).is_some_and(|path| path.exists());
        let need = if kept { Table::bytes(group) } else { Atlas::bytes(group) };
        if need <= self.memory {
            return Ok(());
        }
        Err(format!(
            "group {group} needs {} of memory, {} are allowed: give --memory {}MiB or more",
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
        self.admit(group)?;
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
        let announced = Table::bytes(group) >= ANNOUNCED;
        if announced {
            (self.progress)(&format!("group {group}: {} of memory", ByteSize::b(Atlas::bytes(group))));
        }
        let (start, processors) = (Instant::now(), processor_time());
        let mut told = start;
        let table = solve(group, after_exit, self.means, |moves, states| {
            if told.elapsed() >= PAUSE {
                told = Instant::now();
                let seconds = start.elapsed().as_secs();
                (self.progress)(&format!("group {group}: {states} states of {moves} moves, after {seconds} s"));
            }
        })?;
        if announced {
            (self.progress)(&format!("group {group}: solved in {:.1} s", start.elapsed().as_secs_f64()));
        }
        self.times.push((group, Time { wall: start.elapsed(), processors: processor_time() - processors }));
        Ok(table)
    }

    /// Where the file of a group is, or would be.
    fn file(&self, group: Group) -> Option<PathBuf> {
        self.folder.as_ref().map(|folder| folder.join(group.file_name()).with_extension("ufo"))
    }
}

/// What this process has taken of all processors so far.
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
        other => Err(format!("it holds group {other}")),
    });
    read.map_err(|reason| format!("{}: {reason}; remove it to have group {group} solved again", path.display()))
}

/// Writes a file that is there whole or not at all; makes its folder where there is none.
fn write(path: &Path, table: &Table) -> std::io::Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)?;
    let part = path.with_extension("part");
    let file = File::create(&part)?;
    store::write(table, &file)?;
    file.sync_all()?;
    fs::rename(part, path)
}
