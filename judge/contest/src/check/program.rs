//! Checks the program of a command without running it. It must exist, be executable, and have a format that this machine can
//! execute.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use judge_files::{near, regular, script};
use judge_job::{Argument, Place, is_executable};

use super::Level;
use crate::programs::Search;

/// The origin of a command, which decides how a finding names the correction.
#[derive(Debug, Clone, Copy)]
pub(super) enum Origin {
    /// A contest file; its paths are relative to the folder of the contest.
    Contest,
    /// The command line. Its paths are relative to the user's current folder, which may be an unexpected one.
    CommandLine,
}

impl Origin {
    /// The name of the command in a remedy.
    fn command(self) -> &'static str {
        match self {
            Self::Contest => "`command`",
            Self::CommandLine => "the command",
        }
    }

    /// The base of its relative paths, in words.
    fn folder(self) -> &'static str {
        match self {
            Self::Contest => "the contest file",
            Self::CommandLine => "the command line",
        }
    }

    /// The finding on a missing file.
    fn no_such_file(self, path: &Path, directory: &Path) -> String {
        let below = path.strip_prefix(directory);
        let place = match self {
            Self::CommandLine if below.is_ok() => format!(" in {}", directory.display()),
            _ => String::new(),
        };
        let shown = below.unwrap_or(path).display();
        let near = did_you_mean(path, directory);
        format!("{shown}: no such file{place}; build it, or correct {}{near}", self.command())
    }
}

/// Finds the program of a command that is ready to run.
pub(super) fn of_program(
    command: &[Argument],
    build: Option<&str>,
    search: &Search<'_>,
    origin: Origin,
) -> (Level, String) {
    let words: Vec<String> = command.iter().map(text).collect();
    let name = words.first().map_or("", String::as_str);
    let program = if name.contains('/') { Some(Path::new(name).to_owned()) } else { search.find(name) };
    let Some(program) = program else {
        let near = || search.near(name).map_or(String::new(), |near| format!("; did you mean {near}?"));
        let hint = Some(did_you_mean(&search.directory.join(name), search.directory));
        let hint = hint.filter(|hint| !hint.is_empty()).unwrap_or_else(near);
        let remedy = format!("install it, or correct {}", origin.command());
        return (Level::Problem, format!("{name} is not on the PATH; {remedy}{hint}"));
    };
    let shown = program.strip_prefix(search.directory).unwrap_or(&program).display().to_string();
    if let Some(finding) = not_followed(command, search.directory) {
        return (Level::Problem, finding);
    }
    if !program.exists() {
        return match (build, leads_nowhere(&program)) {
            (None, Some(target)) => (Level::Problem, nowhere(&shown, &target)),
            (Some(build), _) => (Level::Notice, format!("{shown} is not there yet; `{build}` builds it")),
            (None, None) => (Level::Problem, origin.no_such_file(&program, search.directory)),
        };
    }
    if program.is_dir() {
        return (Level::Problem, format!("{shown} is a folder; name the program in it"));
    }
    if !is_executable(&program) {
        return (Level::Problem, format!("{shown} is not executable; make it so with `chmod +x`"));
    }
    if !is_for_this_machine(&program) {
        let finding = format!(
            "{shown} is not a program for this machine; build it here, or give a script a first line such as #!/bin/sh"
        );
        return (Level::Problem, finding);
    }
    if let Some(reason) = script::windows_lines(&program) {
        return (Level::Problem, format!("{shown} {reason}"));
    }
    let mut interpreters = Search::interpreter_names(&program).into_iter();
    if let Some(missing) = interpreters.find(|name| search.find(name).is_none()) {
        return (Level::Problem, format!("{shown} needs {missing}, which is not there; install it"));
    }
    // A misspelt script: its interpreter would start, and fail on every board.
    let absent = |(index, word): &(usize, &String)| {
        let path = search.directory.join(word);
        !path.exists() && (leads_nowhere(&path).is_some() || names_a_file(word) || is_script(*index, word, search))
    };
    let mut absent = words.iter().enumerate().skip(1).filter(absent);
    if let Some((_, missing)) = absent.next().filter(|_| build.is_none()) {
        let path = search.directory.join(missing);
        let finding = match leads_nowhere(&path) {
            Some(target) => nowhere(missing, &target),
            None => origin.no_such_file(&path, search.directory),
        };
        return (Level::Problem, finding);
    }
    if let Some((option, part)) = relative_class_path(&words, search) {
        let finding = format!(
            "{option} {part}: programs start in a folder of their own, without {part}; write {{dir}}/{part}, where {{dir}} is the \
             folder of {}, and name each part of a longer path in `readable`",
            origin.folder()
        );
        return (Level::Problem, finding);
    }
    if let Some(folder) = words.get(1).filter(|word| is_interpreter(&program) && is_folder(word, search)) {
        let main = MAIN_FILES.iter().map(|main| Path::new(folder).join(main));
        let main = main.into_iter().find(|main| search.directory.join(main).is_file());
        let such_as = main.map_or(String::new(), |main| format!(", such as {}", main.display()));
        return (Level::Problem, format!("{folder} is a folder; name the program in it{such_as}"));
    }
    (Level::Good, shown)
}

/// Options of the Java virtual machine that precede a path of folders and archives with classes, without their dashes.
const CLASS_PATHS: [&str; 5] = ["cp", "classpath", "class-path", "p", "module-path"];

/// The first relative part of a class path, with the option before it. A program would look for it in its working directory.
fn relative_class_path<'w>(words: &'w [String], search: &Search<'_>) -> Option<(&'w str, &'w str)> {
    let program = Path::new(words.first()?).file_name()?.to_str()?;
    let pairs = words.iter().zip(words.iter().skip(1)).filter(|_| matches!(program, "java" | "javaw"));
    let given =
        pairs.filter(|(option, _)| option.starts_with('-') && CLASS_PATHS.contains(&option.trim_start_matches('-')));
    let parts = given.flat_map(|(option, path)| path.split(':').map(move |part| (option.as_str(), part)));
    let mut relative = parts.filter(|(_, part)| !part.is_empty() && is_plain(part) && Path::new(part).is_relative());
    relative.find(|(_, part)| search.directory.join(part).is_dir())
}

/// Interpreters whose first argument is a script, by the beginning of their names.
const INTERPRETERS: [&str; 11] =
    ["python", "pypy", "node", "ruby", "perl", "lua", "php", "julia", "sh", "bash", "dash"];
/// Files that make a folder a program.
const MAIN_FILES: [&str; 5] = ["__main__.py", "main.py", "index.js", "main.js", "main.sh"];

/// Tests whether a program is an interpreter of scripts, whose name may end in its version.
fn is_interpreter(program: &Path) -> bool {
    let name = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let plain = name.trim_end_matches(|end: char| end.is_ascii_digit() || end == '.');
    INTERPRETERS.contains(&plain)
}

/// Tests whether a word names a folder. A command sees the files that it names, but neither folders nor their names.
fn is_folder(word: &str, search: &Search<'_>) -> bool {
    is_plain(word) && search.directory.join(word).is_dir()
}

/// The text of an argument.
fn text(argument: &Argument) -> String {
    match argument {
        Argument::Text(text) | Argument::File(text) | Argument::Folder(text) => text.clone(),
        Argument::Path(place) => place.path().display().to_string(),
    }
}

fn shown(place: &Place, directory: &Path) -> String {
    let path = place.path();
    path.strip_prefix(directory).unwrap_or(&path).display().to_string()
}

/// A finding on the first path of a command with a link that is not followed during execution.
#[cfg(target_os = "linux")]
fn not_followed(command: &[Argument], directory: &Path) -> Option<String> {
    command.iter().find_map(|argument| {
        let Argument::Path(place) = argument else { return None };
        let error = place.open().err().filter(|error| error.kind() == std::io::ErrorKind::InvalidInput)?;
        Some(format!("{} {error}; put the file itself there, or name its own path", shown(place, directory)))
    })
}

/// No finding, because nothing is executed on this system.
#[cfg(not(target_os = "linux"))]
fn not_followed(_command: &[Argument], _directory: &Path) -> Option<String> {
    None
}

/// The target of a link that leads nowhere.
fn leads_nowhere(path: &Path) -> Option<PathBuf> {
    fs::read_link(path).ok().filter(|_| !path.exists())
}

fn nowhere(shown: &str, target: &Path) -> String {
    format!("{shown} is a link to {}, which is not there; make the file, or correct the link", target.display())
}

/// Findings on files of a command that users other than their owner cannot read or, if necessary, execute.
#[cfg(unix)]
pub(super) fn closed_files(command: &[Argument], directory: &Path) -> Vec<String> {
    use std::os::unix::fs::PermissionsExt as _;
    const READ: u32 = 0o004;
    const EXECUTE: u32 = 0o001;
    let closed = command.iter().enumerate().filter_map(|(index, argument)| {
        let Argument::Path(place) = argument else { return None };
        let path = place.path();
        let file = fs::metadata(&path).ok().filter(fs::Metadata::is_file)?;
        let needed = match index {
            // A script is read by its interpreter.
            0 if !Search::interpreter_names(&path).is_empty() => READ | EXECUTE,
            0 => EXECUTE,
            _ => READ,
        };
        let change = match needed & !file.permissions().mode() {
            0 => return None,
            READ => "a+r",
            EXECUTE => "a+x",
            _ => "a+rx",
        };
        let shown = shown(place, directory);
        Some(format!("{shown} is closed to the user that programs run as; open it with `chmod {change}`"))
    });
    closed.collect()
}

/// No findings, because nothing is executed on this system.
#[cfg(not(unix))]
pub(super) fn closed_files(_command: &[Argument], _directory: &Path) -> Vec<String> {
    Vec::new()
}

/// Tests by the first bytes whether the system can execute a file: a script with an interpreter, or a program for this
/// processor. A system can be configured to run other formats; in that case, any file may be a program.
fn is_for_this_machine(program: &Path) -> bool {
    /// Foreign architectures that a processor also executes: i386 on x86-64, ARM on AArch64.
    const FOREIGN_MACHINES: [(u16, u16); 2] = [(62, 3), (183, 40)];
    let machine = |path: &Path| {
        let mut head = [0; 20];
        let read = regular::open(path).and_then(|mut file| file.read_exact(&mut head));
        read.ok().map(|()| head)
    };
    let others = || fs::read_dir("/proc/sys/fs/binfmt_misc").is_ok_and(|formats| formats.count() > 2);
    // The system decides on a file that cannot be read here.
    let Ok(mut file) = regular::open(program) else { return true };
    let mut begin = [0; 4];
    let whole = file.read_exact(&mut begin).is_ok();
    let fits = match (whole, &begin) {
        (true, b"\x7fELF") => match (machine(program), machine(Path::new("/proc/self/exe"))) {
            (Some(its), Some(own)) => {
                let of = |head: [u8; 20]| u16::from_ne_bytes([head[18], head[19]]);
                its[18..] == own[18..] || FOREIGN_MACHINES.contains(&(of(own), of(its)))
            }
            (its, _) => its.is_some(),
        },
        (true, begin) => begin.starts_with(b"#!"),
        (false, _) => false,
    };
    fits || others() || cfg!(not(target_os = "linux"))
}

/// Tests whether a word of a command is certainly a file: its name ends as that of a script, and it is not an option.
fn names_a_file(word: &str) -> bool {
    const SCRIPTS: [&str; 9] = ["py", "js", "sh", "rb", "pl", "lua", "jar", "php", "jl"];
    let end = Path::new(word).extension().and_then(|end| end.to_str());
    is_plain(word) && end.is_some_and(|end| SCRIPTS.contains(&end))
}

/// Tests whether a word is the first one after a program and a path into an existing folder: apparently a script for an
/// interpreter.
fn is_script(index: usize, word: &str, search: &Search<'_>) -> bool {
    let folder = Path::new(word).parent().filter(|folder| !folder.as_os_str().is_empty());
    index == 1 && is_plain(word) && folder.is_some_and(|folder| search.directory.join(folder).is_dir())
}

/// Tests whether a word is neither an option nor a pattern.
fn is_plain(word: &str) -> bool {
    !word.starts_with('-') && !word.contains(['=', ' ', '*', '%', '{', '$'])
}

/// The file in the same folder that the user probably meant, as the end of a sentence.
fn did_you_mean(path: &Path, directory: &Path) -> String {
    let near = near::similar(path).filter(|near| near.is_file());
    let near = near.map(|near| near.strip_prefix(directory).unwrap_or(&near).display().to_string());
    near.map_or(String::new(), |near| format!("; did you mean {near}?"))
}
