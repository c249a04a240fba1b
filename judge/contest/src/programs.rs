//! Hashes of what is executed for an entry, so that a resumed contest notices another program.

use std::collections::{BTreeMap, HashMap};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use judge_core::journal::{Hashes, REFEREE_PROGRAM};
use judge_core::regular;
use judge_core::text::nearest;
use judge_job::{is_executable, leads_through_proc};

use crate::Contest;
use crate::resolve;

/// The longest first line of a script that systems read.
const FIRST_LINE_BYTES: u64 = 256;

/// SHA-256 of every file that is executed for each entry, and for a referee that is a program: the program, also if that is
/// found on the search path, every file that the command names, and the interpreters of scripts.
pub fn hashes(contest: &Contest, path: Option<&str>) -> BTreeMap<String, Hashes> {
    let search = Search { directory: contest.directory(), path: path.unwrap_or_default() };
    let mut digests = Digests { search, known: HashMap::new() };
    let entries = contest.plan.entries.iter().map(|entry| (entry.name.clone(), contest.command(entry)));
    let referee = contest.plan.referee.as_deref();
    let referee = referee.map(|referee| (REFEREE_PROGRAM.to_owned(), resolve(&referee.command, contest.directory())));
    entries.chain(referee).map(|(name, command)| (name, digests.of_command(&command))).collect()
}

/// SHA-256 of a file in hexadecimal.
pub fn file_hash(path: &Path) -> std::io::Result<String> {
    regular::sha256(path)
}

/// The way from the first word of a command to a file.
pub(crate) struct Search<'a> {
    pub(crate) directory: &'a Path,
    /// The search path.
    pub(crate) path: &'a str,
}

struct Digests<'a> {
    search: Search<'a>,
    /// Entries share programs, and interpreters are large.
    known: HashMap<PathBuf, Option<String>>,
}

impl Digests<'_> {
    /// The hashes of a command whose relative paths are absolute already.
    fn of_command(&mut self, command: &[String]) -> Hashes {
        let program = command.first().and_then(|program| self.search.find(program));
        let is_file = |word: &PathBuf| word.is_absolute() && word.is_file() && !leads_through_proc(word);
        let files = command.iter().map(PathBuf::from).filter(is_file);
        let mut waiting: Vec<PathBuf> = program.into_iter().chain(files).collect();
        let mut hashes = Hashes::new();
        while let Some(file) = waiting.pop() {
            let name = file.strip_prefix(self.search.directory).unwrap_or(&file).display().to_string();
            if hashes.contains_key(&name) {
                continue;
            }
            let Some(hash) = self.known.entry(file.clone()).or_insert_with(|| regular::sha256(&file).ok()) else {
                continue;
            };
            hashes.insert(name, hash.clone());
            waiting.extend(self.search.interpreters(&file));
        }
        hashes
    }
}

impl Search<'_> {
    /// The program of that name, as a command line means it.
    pub(crate) fn find(&self, program: &str) -> Option<PathBuf> {
        if program.contains('/') {
            return Some(self.directory.join(program)).filter(|file| file.is_file());
        }
        let folders = std::env::split_paths(self.path).filter(|folder| folder.is_absolute());
        folders.map(|folder| folder.join(program)).find(|file| is_executable(file))
    }

    /// A program on the search path whose name is nearly this one.
    pub(crate) fn near(&self, program: &str) -> Option<String> {
        let folders = std::env::split_paths(self.path).filter(|folder| folder.is_absolute());
        let there = folders.filter_map(|folder| std::fs::read_dir(folder).ok()).flatten().flatten();
        let there: Vec<String> = there.map(|item| item.file_name().to_string_lossy().into_owned()).collect();
        nearest(program, there.iter().map(String::as_str)).map(str::to_owned)
    }

    /// The files that the first line of a script names.
    fn interpreters(&self, script: &Path) -> Vec<PathBuf> {
        Self::interpreter_names(script).iter().filter_map(|name| self.find(name)).collect()
    }

    /// The names in the first line of a script: its interpreter and, if that is `env`, the program it starts.
    pub(crate) fn interpreter_names(script: &Path) -> Vec<String> {
        let mut line = Vec::new();
        let read = regular::open(script).and_then(|file| file.take(FIRST_LINE_BYTES).read_to_end(&mut line));
        let Some(line) = read.ok().and_then(|_| line.strip_prefix(b"#!")) else { return Vec::new() };
        let line = String::from_utf8_lossy(line.split(|&byte| byte == b'\n').next().unwrap_or_default()).into_owned();
        let mut words = line.split_whitespace();
        let Some(interpreter) = words.next() else { return Vec::new() };
        let mut names = vec![interpreter.to_owned()];
        if Path::new(interpreter).file_name().is_some_and(|name| name == "env") {
            names.extend(words.find(|word| !word.starts_with('-') && !word.contains('=')).map(str::to_owned));
        }
        names
    }
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn the_program_on_the_path_its_files_and_its_interpreters_are_hashed() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let file = folder.path().join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, text).unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
            file.display().to_string()
        };
        let interpreter = write("bin/mine", "binary");
        write("other/mine", "another binary");
        let wrapper = write("bin/wrapper", &format!("#!{interpreter} -x\n"));
        write("bin/script", "#!/usr/bin/env -S A=1 wrapper\n");
        let data = write("data.txt", "data");
        let hashes = |path: &str| {
            let path = path.replace('.', &folder.path().display().to_string());
            let search = Search { directory: folder.path(), path: &path };
            let mut digests = Digests { search, known: HashMap::new() };
            digests.of_command(&["script".into(), data.clone(), "--fast".into()])
        };
        let names = hashes("./bin").into_keys().filter(|name| !name.ends_with("/env")).collect::<Vec<_>>();
        assert_eq!(names, ["bin/mine", "bin/script", "bin/wrapper", "data.txt"]);
        assert_eq!(hashes("./bin")["data.txt"], "3a6eb0790f39ac87c94f3856b2dd2c5d110e6811602261a9a923d3bb23adc8b7");
        assert_eq!(hashes("./none").into_keys().collect::<Vec<_>>(), ["data.txt"]);
        // A program that hides another one is another program, and so is its interpreter.
        let before = hashes("./bin");
        fs::write(&interpreter, "changed").unwrap();
        assert_ne!(hashes("./bin"), before);
        assert!(wrapper.ends_with("wrapper"));
    }
}
