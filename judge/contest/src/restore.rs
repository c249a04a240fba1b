//! Writes programs that a results directory keeps into a folder, as a contest that can be run.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Component, Path, PathBuf};

use judge_core::fingerprint::Fingerprint;
use judge_core::journal::{STORED, Version};
use judge_core::plan::Plan;
use judge_files::{Folder, regular};
use judge_job::duration_text;

use crate::FILE_NAME;

/// The folder for files from outside the contest's folder.
const OUTSIDE: &str = "outside";

/// The reason why a program was not written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RestoreError {
    /// The folder cannot be created, for example because it exists.
    #[error("{}: {error}", path.display())]
    Folder {
        /// The folder that was to be created.
        path: PathBuf,
        /// The reason why the system could not read or write it.
        #[source]
        error: io::Error,
    },
    /// A file cannot be written.
    #[error("{}: {error}", path.display())]
    Write {
        /// The file or folder that cannot be written.
        path: PathBuf,
        /// The reason why the system could not read or write it.
        #[source]
        error: io::Error,
    },
    /// A kept file cannot be read.
    #[error("{}: {error}; restore it from a copy", path.display())]
    Kept {
        /// The kept file in the results directory.
        path: PathBuf,
        /// The reason why the system could not read or write it.
        #[source]
        error: io::Error,
    },
    /// A kept file has changed; its path in the results directory.
    #[error("{} has changed since it was kept; restore it from a copy", .0.display())]
    Changed(PathBuf),
    /// The house rules of the game cannot be written; the reason as a fragment.
    #[error("rules: {0}")]
    Rules(String),
}

fn unwritten(path: PathBuf) -> impl Fn(io::Error) -> RestoreError {
    move |error| RestoreError::Write { path: path.clone(), error }
}

/// Writes the kept files of a version into a new folder, and returns their names with their paths in it.
///
/// # Errors
/// [`RestoreError`]; the folder may be half written.
pub fn files(results: &Path, version: &Version, output: &Path) -> Result<Vec<(String, PathBuf)>, RestoreError> {
    fs::create_dir(output).map_err(|error| RestoreError::Folder { path: output.to_owned(), error })?;
    let failed = |path: &Path| unwritten(output.join(path));
    let folder = Folder::open(output).map_err(failed(Path::new("")))?;
    let mut written = Vec::new();
    for name in &version.kept {
        let hash = version.programs.get(name).map_or("", String::as_str);
        let stored = results.join(STORED).join(hash);
        let path = inside(name);
        let kept = regular::open_beneath(results, &stored)
            .map_err(|error| RestoreError::Kept { path: stored.clone(), error })?;
        let parent = path.parent().unwrap_or(Path::new(""));
        folder.create_folders(parent).map_err(failed(parent))?;
        let mut file = folder.create_new(&path).map_err(failed(&path))?;
        let copied = Fingerprint::copied(kept, &mut file).map_err(failed(&path))?;
        if copied.sha256.to_string() != hash {
            folder.remove_file(&path).map_err(failed(&path))?;
            return Err(RestoreError::Changed(stored));
        }
        make_executable(&file).map_err(failed(&path))?;
        written.push((name.clone(), path));
    }
    Ok(written)
}

/// The path of a file in the new folder: its path in the contest's folder, or its last name in a separate folder if it was
/// elsewhere. A name from elsewhere cannot lead out of the folder.
fn inside(name: &str) -> PathBuf {
    let path = Path::new(name);
    let plain = path.components().all(|part| matches!(part, Component::Normal(_)));
    match path.file_name() {
        Some(_) if plain && path.as_os_str() != FILE_NAME => path.to_owned(),
        Some(last) => Path::new(OUTSIDE).join(last),
        None => Path::new(OUTSIDE).join("program"),
    }
}

/// The words of a command with the new paths of moved files: `written` is the result of [`files`].
pub fn moved(command: &[String], written: &[(String, PathBuf)]) -> Vec<String> {
    let outside = || written.iter().filter(|(_, path)| path.starts_with(OUTSIDE));
    let word = |word: &String| {
        let last = Path::new(word).file_name();
        let found = outside().find(|(name, path)| name == word || word.contains('/') && path.file_name() == last);
        found.map_or_else(|| word.clone(), |(_, path)| path.display().to_string())
    };
    command.iter().map(word).collect()
}

/// Writes a contest with only this version of an entry into the folder that has its files. The boards and limits are those of a
/// contest of built-in games.
///
/// # Errors
/// [`RestoreError`]; the folder may be half written.
pub fn contest(
    plan: &Plan,
    (entry, number): (&str, usize),
    command: Vec<String>,
    output: &Path,
) -> Result<(), RestoreError> {
    let text = |text: &str| toml::Value::String(text.to_owned());
    let table = |keys: Vec<(&str, toml::Value)>| {
        toml::Value::Table(keys.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
    };
    let mut contest = toml::Table::new();
    contest.insert("name".into(), text(&format!("{}: version {number} of {entry}", plan.name)));
    let known = plan.entries.iter().find(|known| known.name == entry);
    let folder = Folder::open(output).map_err(unwritten(output.to_owned()))?;
    let mut problems = Vec::new();
    for problem in plan.problems.iter().filter(|problem| known.is_none_or(|known| known.is_for(&problem.id))) {
        let mut keys = toml::Table::new();
        if !problem.id.is_empty() {
            keys.insert("id".into(), text(&problem.id));
        }
        keys.insert("game".into(), text(&problem.game));
        let limits = known.map_or(problem.limits, |known| problem.limits_of(known));
        keys.insert("limit".into(), text(&duration_text(limits.wall_ms)));
        for (key, bytes) in [("memory", limits.memory_bytes), ("scratch", limits.scratch_bytes)] {
            keys.insert(key.into(), text(&bytes.map_or("unlimited".into(), |bytes| format!("{bytes}B"))));
        }
        keys.insert("output".into(), text(&format!("{}B", limits.output_bytes)));
        if !problem.rules.is_empty() {
            let rules = toml::Value::try_from(&problem.rules);
            keys.insert("rules".into(), rules.map_err(|error| RestoreError::Rules(error.to_string()))?);
        }
        let path = Path::new("boards").join(&problem.id);
        let failed = unwritten(output.join(&path));
        let folder = folder.create_folders(&path).map_err(&failed)?;
        let mut boards = Vec::new();
        for board in plan.boards.iter().filter(|board| plan.problems.of(&board.name) == Some(problem)) {
            let name = board.name.rsplit('/').next().unwrap_or(&board.name);
            let file = format!("{name}.txt");
            let mut written = folder.create_new(&file).map_err(&failed)?;
            written.write_all(board.text.as_bytes()).map_err(&failed)?;
            let file = path.join(file).display().to_string();
            boards.push(table(vec![("name", text(name)), ("file", text(&file))]));
        }
        keys.insert("board".into(), toml::Value::Array(boards));
        problems.push(toml::Value::Table(keys));
    }
    if plan.problems.are_named() {
        contest.insert("problem".into(), toml::Value::Array(problems));
    } else if let Some(toml::Value::Table(keys)) = problems.pop() {
        contest.extend(keys);
    }
    let words = toml::Value::Array(command.iter().map(|word| text(word)).collect());
    contest.insert("entry".into(), toml::Value::Array(vec![table(vec![("name", text(entry)), ("command", words)])]));
    let failed = unwritten(output.join(FILE_NAME));
    let mut file = folder.create_new(FILE_NAME).map_err(&failed)?;
    file.write_all(contest.to_string().as_bytes()).map_err(&failed)
}

fn make_executable(file: &fs::File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let mut permissions = file.metadata()?.permissions();
    // Everyone who may read the file may execute it.
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
