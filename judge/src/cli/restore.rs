//! `judge restore`: writes programs that a results directory keeps.

use std::borrow::Cow;
use std::io::Write;
use std::path::PathBuf;

use super::{DONE, Done, Failure};
use judge_contest::restore::{self, RestoreError};
use judge_core::journal::{self, ContestState, Version};
use judge_core::plan::Problem;
use judge_core::text::{printable, unknown};
use judge_job::count_text;
use judge_report::layout::{Column, Grid};

/// The word for the referee on the command line.
const REFEREE: &str = "referee";

/// Write a program as it was in a contest: any version of an entry, or of the referee
///
/// A results directory keeps the files of every version of each program, unless `keep_programs` in the contest file is
/// "off". Without an entry, all versions are listed. Version 1 is the first.
///
/// For a built-in game, the new folder is a contest of that one entry, with the boards and the limit of the contest.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge restore runs/1                           all programs and their versions
  judge restore runs/1 mine --version 1 -o old   the first version of mine
  judge run old                                  run it again
  judge restore runs/1 referee -o referee        the latest referee")]
pub(super) struct Args {
    /// Results directory
    #[arg(value_parser = super::runs::path())]
    results: PathBuf,

    /// Entry, by name, or `referee`; of a contest with several problems, `referee:ID`
    entry: Option<String>,

    /// Its version, from 1 [default: the latest]
    #[arg(long, value_name = "N", requires = "entry")]
    version: Option<usize>,

    /// Folder to write, which must not exist
    #[arg(short, long, value_name = "DIR", requires = "entry")]
    output: Option<PathBuf>,
}

impl Args {
    pub(super) fn execute(self, out: &mut dyn Write) -> Done {
        let contents = journal::read(&self.results).map_err(Failure::input)?;
        let Some(entry) = &self.entry else {
            return list(&contents, out);
        };
        let referees = contents.plan.problems.iter().filter(|problem| problem.referee.is_some());
        let mut referees = referees.map(Problem::referee_program);
        let referee = referees.find(|program| shown_name(program) == *entry);
        let versions = contents.versions.get(referee.as_deref().unwrap_or(entry)).ok_or_else(|| {
            let known = contents.versions.keys().map(|name| shown_name(name)).collect::<Vec<_>>();
            Failure::input(unknown("entry", entry, known.iter().map(|name| &**name)))
        })?;
        let number = self.version.unwrap_or(versions.len());
        let version = number.checked_sub(1).and_then(|index| versions.get(index)).ok_or_else(|| {
            let versions = count_text(versions.len(), "version", "versions");
            Failure::input(format!("{entry} has {versions}, not {number}; `judge restore RESULTS` lists them"))
        })?;
        if version.kept.is_empty() {
            return Err(Failure::input(format!(
                "no file of version {number} of {entry} was kept; see `keep_programs` in docs/file-formats.md"
            )));
        }
        let output = self.output.as_ref().ok_or_else(|| {
            Failure::input(format!("name the folder to write with -o, for example -o {entry}-{number}"))
        })?;
        let written = restore::files(&self.results, version, output).map_err(refused)?;
        for (name, path) in &written {
            let shown = output.join(path);
            writeln!(out, "{}", printable(&format!("{}: {name}", shown.display())))?;
        }
        for name in version.programs.keys().filter(|name| !version.kept.contains(name)) {
            writeln!(out, "{}", printable(&format!("not kept: {name}, a file of the system")))?;
        }
        let command = restore::moved(&version.command, &written);
        let of_entry = contents.plan.entries.iter().find(|known| known.name == *entry);
        let is_of_it = |problem: &&Problem| of_entry.is_none_or(|entry| entry.is_for(&problem.id));
        let mut own = contents.plan.problems.iter().filter(is_of_it);
        if referee.is_some() || own.any(|problem| problem.referee.is_some()) {
            let command = toml::Value::Array(command.iter().map(|word| toml::Value::String(word.clone())).collect());
            writeln!(out, "in a contest file: command = {}", printable(&command.to_string()))?;
        } else {
            restore::contest(&contents.plan, (entry, number), command, output).map_err(refused)?;
            let output = shell_words::quote(&output.to_string_lossy()).into_owned();
            writeln!(out, "{}", printable(&format!("run it again: judge run {output}")))?;
        }
        Ok(DONE)
    }
}

fn refused(refused: RestoreError) -> Failure {
    let text = refused.to_string();
    match refused {
        RestoreError::Folder { error, .. } => {
            Failure::making(&error, format!("{text}; name a folder that does not exist with -o"))
        }
        RestoreError::Kept { .. } | RestoreError::Changed(_) => Failure::input(text),
        _ => Failure::judge(text),
    }
}

/// The name of a program on the command line: an entry's name, `referee`, or `referee:ID` for a problem's referee.
fn shown_name(program: &str) -> Cow<'_, str> {
    let referee = program.strip_prefix("[referee").and_then(|rest| rest.strip_suffix(']'));
    match referee.map(str::trim_start) {
        None => program.into(),
        Some("") => REFEREE.into(),
        Some(id) => format!("{REFEREE}:{id}").into(),
    }
}

/// A program by its name on the command line, with the number of a version.
type Listed<'a> = (Cow<'a, str>, usize, &'a Version);

/// Lists all versions of all programs, one line each.
fn list(contents: &ContestState, out: &mut dyn Write) -> Done {
    let rows: Vec<Listed<'_>> = contents
        .versions
        .iter()
        .flat_map(|(name, versions)| {
            let name = shown_name(name);
            versions.iter().zip(1..).map(move |(version, number)| (name.clone(), number, version))
        })
        .collect();
    let of = |text: &dyn Fn(&Listed<'_>) -> String| rows.iter().map(text).collect::<Vec<_>>();
    let date = |version: &Version| version.at.map_or("-".into(), judge_core::date::Date::minute);
    let kept = |version: &Version| match version.kept.len() {
        0 => "-".into(),
        _ => version.kept.join(", "),
    };
    let mut table = Grid::new(vec![
        Column::new("program", of(&|(name, ..)| printable(name))),
        Column::new("version", of(&|(_, number, _)| number.to_string())).right(),
        Column::new("date", of(&|(.., version)| date(version))).leaves(1),
        Column::new("kept files", of(&|(.., version)| printable(&kept(version)))).cut(),
    ]);
    table.fit(super::width());
    writeln!(out, "{table}")?;
    Ok(DONE)
}
