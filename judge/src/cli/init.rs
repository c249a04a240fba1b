//! `judge init`: writes a small commented contest.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::{DONE, Done, Failure};

/// Create a small commented contest, ready to run
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge init my-contest
  judge run my-contest
  judge init --referee python my-puzzle    a puzzle of your own: rules, boards and pictures in one file")]
pub(super) struct Args {
    /// Folder for the contest, created if missing; existing files are never overwritten
    directory: PathBuf,

    /// Language of a referee to write, for a puzzle of your own
    #[arg(long, value_enum, value_name = "LANGUAGE")]
    referee: Option<Language>,
}

/// A language that there is a sample referee in.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Language {
    Python,
}

/// The files of the contest: path, text, and whether it is a program.
const FILES: &[(&str, &str, bool)] = &[
    ("contest.toml", include_str!("init/contest.toml"), false),
    ("boards/easy.txt", include_str!("init/easy.txt"), false),
    ("boards/harder.txt", include_str!("init/harder.txt"), false),
    ("entries/solve.sh", include_str!("../../../entries/samples/sh/solve.sh"), true),
    ("entries/nothing.sh", include_str!("init/nothing.sh"), true),
];

/// The files of a puzzle whose referee is a Python program.
const PYTHON_FILES: &[(&str, &str, bool)] = &[
    ("contest.toml", include_str!("init/python/contest.toml"), false),
    ("referee.py", include_str!("init/python/referee.py"), true),
    ("boards/first.txt", "3 1 2\n", false),
    ("boards/second.txt", "31 4 15 92 65 35 89 79\n", false),
    ("entries/sample.py", include_str!("init/python/sample.py"), true),
];

impl Args {
    pub(super) fn execute(self, out: &mut dyn Write) -> Done {
        let files = match self.referee {
            None => FILES,
            Some(Language::Python) => PYTHON_FILES,
        };
        let taken = files.iter().map(|(name, ..)| self.directory.join(name)).find(|path| path.exists());
        if let Some(path) = taken {
            return Err(Failure::input(format!("{}: already exists; name another folder", path.display())));
        }
        for (name, text, program) in files {
            let path = self.directory.join(name);
            write_new(&path, text, *program).map_err(|error| Failure::judge(format!("{}: {error}", path.display())))?;
            writeln!(out, "wrote {}", path.display())?;
        }
        let directory = shell_words::quote(&self.directory.to_string_lossy()).into_owned();
        writeln!(out, "next: judge run {directory}")?;
        Ok(DONE)
    }
}

fn write_new(path: &Path, text: &str, program: bool) -> io::Result<()> {
    fs::create_dir_all(path.parent().unwrap_or(Path::new("")))?;
    let mut file = File::create_new(path)?;
    file.write_all(text.as_bytes())?;
    if program { make_executable(&file) } else { Ok(()) }
}

#[cfg(unix)]
fn make_executable(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    file.set_permissions(fs::Permissions::from_mode(0o755))
}

/// Elsewhere a file's name decides whether it can be executed.
#[cfg(not(unix))]
fn make_executable(_: &File) -> io::Result<()> {
    Ok(())
}
