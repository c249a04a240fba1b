//! `judge restore`: writes the programs that a results directory keeps.

use std::fs;
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

use super::{DONE, Done, Failure};
use judge_contest::FILE_NAME;
use judge_core::fingerprint::Fingerprint;
use judge_core::journal::{self, Contents, REFEREE_PROGRAM, STORED, Version};
use judge_core::plan::Plan;
use judge_core::text::{printable, unknown};
use judge_files::Folder;
use judge_files::regular;
use judge_job::{count_text, duration_text};
use judge_report::layout::{Column, Grid};

/// The folder for files that were outside of the contest's folder.
const OUTSIDE: &str = "outside";
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

    /// Entry, by name, or `referee`
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
        let name = if entry == REFEREE && contents.plan.referee.is_some() { REFEREE_PROGRAM } else { entry };
        let versions = contents.versions.get(name).ok_or_else(|| {
            let known = contents.versions.keys().filter(|name| *name != REFEREE_PROGRAM).map(String::as_str);
            Failure::input(unknown("entry", entry, known.collect::<Vec<_>>()))
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
        let written = self.write(version, output)?;
        for (name, path) in &written {
            let shown = output.join(path);
            writeln!(out, "{}", printable(&format!("{}: {name}", shown.display())))?;
        }
        for name in version.programs.keys().filter(|name| !version.kept.contains(name)) {
            writeln!(out, "{}", printable(&format!("not kept: {name}, a file of the system")))?;
        }
        let command = moved(&version.command, &written);
        if contents.plan.referee.is_some() {
            let command = toml::Value::Array(command.iter().map(|word| toml::Value::String(word.clone())).collect());
            writeln!(out, "in a contest file: command = {}", printable(&command.to_string()))?;
        } else {
            contest(&contents.plan, entry, number, command, output)?;
            let output = shell_words::quote(&output.to_string_lossy()).into_owned();
            writeln!(out, "{}", printable(&format!("run it again: judge run {output}")))?;
        }
        Ok(DONE)
    }

    /// Writes the kept files of a version, and returns their names with their paths in the folder.
    fn write(&self, version: &Version, output: &Path) -> Result<Vec<(String, PathBuf)>, Failure> {
        fs::create_dir(output).map_err(|error| {
            Failure::making(&error, format!("{}: {error}; name a folder that does not exist with -o", output.display()))
        })?;
        let failed = |path: &Path| {
            let path = output.join(path);
            move |error: io::Error| Failure::judge(format!("{}: {error}", path.display()))
        };
        let folder = Folder::open(output).map_err(failed(Path::new("")))?;
        let mut written = Vec::new();
        for name in &version.kept {
            let hash = version.programs.get(name).map_or("", String::as_str);
            let stored = self.results.join(STORED).join(hash);
            let path = inside(name);
            let kept = regular::open_beneath(&self.results, &stored)
                .map_err(|error| Failure::input(format!("{}: {error}; restore it from a copy", stored.display())))?;
            let parent = path.parent().unwrap_or(Path::new(""));
            folder.create_folders(parent).map_err(failed(parent))?;
            let mut file = folder.create_new(&path).map_err(failed(&path))?;
            let copied = Fingerprint::copied(kept, &mut file).map_err(failed(&path))?;
            if copied.sha256.to_string() != hash {
                folder.remove_file(&path).map_err(failed(&path))?;
                let stored = stored.display();
                return Err(Failure::input(format!("{stored} has changed since it was kept; restore it from a copy")));
            }
            make_executable(&file).map_err(failed(&path))?;
            written.push((name.clone(), path));
        }
        Ok(written)
    }
}

/// Lists all versions of all entries, one line each.
fn list(contents: &Contents, out: &mut dyn Write) -> Done {
    let rows: Vec<(&str, usize, &Version)> = contents
        .versions
        .iter()
        .flat_map(|(name, versions)| {
            let name = if name == REFEREE_PROGRAM { REFEREE } else { name };
            versions.iter().zip(1..).map(move |(version, number)| (name, number, version))
        })
        .collect();
    let of = |text: &dyn Fn(&(&str, usize, &Version)) -> String| rows.iter().map(text).collect::<Vec<_>>();
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

/// The path of a file in the new folder: as in the contest's folder, or under its last name if it was elsewhere. A name
/// from elsewhere cannot lead out of the folder.
fn inside(name: &str) -> PathBuf {
    let path = Path::new(name);
    let plain = path.components().all(|part| matches!(part, Component::Normal(_)));
    match path.file_name() {
        Some(_) if plain && path.as_os_str() != FILE_NAME => path.to_owned(),
        Some(last) => Path::new(OUTSIDE).join(last),
        None => Path::new(OUTSIDE).join("program"),
    }
}

/// The words of a command with the paths of files that are elsewhere now.
fn moved(command: &[String], written: &[(String, PathBuf)]) -> Vec<String> {
    let outside = || written.iter().filter(|(_, path)| path.starts_with(OUTSIDE));
    let word = |word: &String| {
        let last = Path::new(word).file_name();
        let found = outside().find(|(name, path)| name == word || word.contains('/') && path.file_name() == last);
        found.map_or_else(|| word.clone(), |(_, path)| path.display().to_string())
    };
    command.iter().map(word).collect()
}

/// Writes a contest of this entry alone, with the boards of the contest.
fn contest(plan: &Plan, entry: &str, number: usize, command: Vec<String>, output: &Path) -> Result<(), Failure> {
    let text = |text: &str| toml::Value::String(text.to_owned());
    let table = |keys: Vec<(&str, toml::Value)>| {
        toml::Value::Table(keys.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
    };
    let mut contest = toml::Table::new();
    contest.insert("name".into(), text(&format!("{}: version {number} of {entry}", plan.name)));
    contest.insert("game".into(), text(&plan.game));
    let limits =
        plan.entries.iter().find(|known| known.name == entry).map_or(plan.limits, |known| plan.limits_of(known));
    contest.insert("limit".into(), text(&duration_text(limits.wall_ms)));
    for (key, bytes) in [("memory", limits.memory_bytes), ("scratch", limits.scratch_bytes)] {
        contest.insert(key.into(), text(&bytes.map_or("unlimited".into(), |bytes| format!("{bytes}B"))));
    }
    contest.insert("output".into(), text(&format!("{}B", limits.output_bytes)));
    if !plan.rules.is_empty() {
        contest.insert("rules".into(), toml::Value::try_from(&plan.rules).map_err(Failure::judge)?);
    }
    let folder = Folder::open(output).and_then(|folder| folder.create_folders("boards"));
    let failed = |error: io::Error| Failure::judge(format!("{}: {error}", output.display()));
    let folder = folder.map_err(failed)?;
    let mut boards = Vec::new();
    for board in &plan.boards {
        let file = format!("{}.txt", board.name);
        let mut written = folder.create_new(&file).map_err(failed)?;
        written.write_all(board.text.as_bytes()).map_err(failed)?;
        boards.push(table(vec![("name", text(&board.name)), ("file", text(&format!("boards/{file}")))]));
    }
    contest.insert("board".into(), toml::Value::Array(boards));
    let words = toml::Value::Array(command.iter().map(|word| text(word)).collect());
    contest.insert("entry".into(), toml::Value::Array(vec![table(vec![("name", text(entry)), ("command", words)])]));
    let mut file = Folder::open(output).and_then(|folder| folder.create_new(FILE_NAME)).map_err(failed)?;
    file.write_all(contest.to_string().as_bytes()).map_err(failed)
}

fn make_executable(file: &fs::File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let mut permissions = file.metadata()?.permissions();
    // Users who may read it may execute it.
    permissions.set_mode(permissions.mode() | (permissions.mode() & 0o444) >> 2);
    file.set_permissions(permissions)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_leads_out_of_the_folder() {
        for (name, path) in [
            ("solver.py", "solver.py"),
            ("bin/solver", "bin/solver"),
            ("/home/her/solver", "outside/solver"),
            ("../solver", "outside/solver"),
            ("a/../../solver", "outside/solver"),
            ("contest.toml", "outside/contest.toml"),
            ("..", "outside/program"),
            ("/", "outside/program"),
        ] {
            assert_eq!(inside(name), Path::new(path), "{name}");
        }
        let written = [("/home/her/solver".to_owned(), PathBuf::from("outside/solver"))];
        let command = ["../her/solver", "solver", "-x"].map(str::to_owned);
        assert_eq!(moved(&command, &written), ["outside/solver", "solver", "-x"]);
    }
}
