//! Hashes of the files that are executed for an entry, so that a resumed contest detects a changed program.

mod folders;
mod versions;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use judge_core::fingerprint::sha256_of_reader;
use judge_core::fingerprint::{Hashes, KeptFiles};
use judge_core::plan::path_of;
use judge_files::script::FIRST_LINE_BYTES;
use judge_files::{near, regular};
use judge_job::{Argument, Place, is_executable, is_of_system};

use crate::Contest;
use crate::contest::Places;
use crate::external;
pub(crate) use folders::too_large;
use folders::{Files, files_of, hash_of};
pub use versions::{NotKept, keep_changed, keep_referee, present_referees};
pub(crate) use versions::{keep_all, unrecorded};

/// The SHA-256 of every file that is executed for each entry, and for a referee that is a program. These are the program, even if
/// the search path finds it; every file that the command names; all files of the folders that it names; and the interpreters of
/// scripts. For a referee, also the files that `readable` names, because they affect its rulings.
pub fn hashes(contest: &Contest, path: Option<&str>) -> BTreeMap<String, Hashes> {
    let search = Search { directory: contest.directory(), path: path.unwrap_or_default() };
    let mut digests = Digests { search, places: contest.places(), known: HashMap::new() };
    let all = programs_of(contest).into_iter();
    all.map(|program| (program.name.clone().into_owned(), digests.of_command(program.words(), &program.command)))
        .collect()
}

/// A folder or file that is part of a program but is not covered by a hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unhashed {
    /// Name of the entry, or of the [program of a referee](judge_core::plan::Problem::referee_program).
    pub program: String,
    /// The folder or file, as named by the contest.
    pub folder: PathBuf,
    /// The reason, as a fragment.
    pub reason: String,
}

/// The folders and files of programs that no hash covers. Changes in them are not detected.
pub fn unhashed(contest: &Contest) -> Vec<Unhashed> {
    let places = contest.places();
    let mut all = Vec::new();
    for Program { name, command, .. } in programs_of(contest) {
        for place in command.iter().filter_map(place_of) {
            let reason = match files_of(place, places.contest()) {
                Files::Refused(reason) => Some(reason),
                Files::None => too_large(place),
                Files::All(_) => None,
            };
            if let Some(reason) = reason {
                all.push(Unhashed { program: name.clone().into_owned(), folder: place.path(), reason });
            }
        }
    }
    all
}

/// A program of a contest.
struct Program<'a> {
    /// Name of its entry, or of the [program of a referee](judge_core::plan::Problem::referee_program).
    name: Cow<'a, str>,
    /// Its command, ready to run, and further places that are part of it.
    command: Vec<Argument>,
    /// The words of the contest file for the command and for these places.
    words: (&'a [String], &'a [String]),
}

impl Program<'_> {
    fn words(&self) -> impl Iterator<Item = &String> {
        self.words.0.iter().chain(self.words.1)
    }
}

/// The programs of the entries and of the referees.
fn programs_of(contest: &Contest) -> Vec<Program<'_>> {
    let entries = contest.plan.entries.iter().map(|entry| Program {
        name: entry.name.as_str().into(),
        command: contest.command(entry),
        words: (&entry.command, &[]),
    });
    let referees = contest.plan.problems.iter().filter_map(|problem| {
        let referee = problem.referee.as_deref()?;
        let (mut command, readable) = contest.referee_command(referee, &referee.command);
        command.extend(readable.into_iter().map(Argument::Path));
        Some(Program { name: problem.referee_program(), command, words: (&referee.command, &referee.readable) })
    });
    entries.chain(referees).collect()
}

/// The file or folder of an argument.
fn place_of(argument: &Argument) -> Option<&Place> {
    match argument {
        Argument::Path(place) => Some(place),
        Argument::Text(_) | Argument::File(_) | Argument::Folder(_) => None,
    }
}

/// The files of a program that the results directory keeps, and those that it does not keep.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StoredFiles {
    /// The files that are kept, by their names among the hashes.
    pub kept: KeptFiles,
    /// Files of the system, which are not kept.
    pub of_system: Vec<String>,
    /// The reason why a program is not kept, as a fragment.
    pub refused: Option<String>,
}

/// Copies the files of programs into a results directory that lacks them: the files that these hashes name, by entry, except
/// files of the system. A program with more bytes than the limit of the contest is not kept at all.
pub(crate) fn keep(
    contest: &Contest,
    programs: &BTreeMap<String, Hashes>,
    results: &Path,
) -> BTreeMap<String, StoredFiles> {
    programs.iter().map(|(entry, hashes)| (entry.clone(), keep_one(contest, hashes, results))).collect()
}

/// Copies the files of one program into the results directory, except files of the system. A program with more bytes than the
/// limit of the contest is not kept at all.
pub fn keep_one(contest: &Contest, hashes: &Hashes, results: &Path) -> StoredFiles {
    let mut keeping = StoredFiles::default();
    if contest.keep_programs == 0 {
        return keeping;
    }
    // A name is relative to the contest's folder, or absolute.
    let path_of = |name: &str| contest.directory().join(name);
    let (own, of_system): (Vec<_>, Vec<_>) = hashes.iter().partition(|(name, _)| !is_of_system(&path_of(name)));
    keeping.of_system = of_system.into_iter().map(|(name, _)| name.clone()).collect();
    let bytes = own.iter().filter_map(|(name, _)| Some(path_of(name).metadata().ok()?.len())).sum::<u64>();
    if bytes > contest.keep_programs {
        let most = contest.keep_programs;
        keeping.refused = Some(format!("it has {bytes} bytes, `keep_programs` is {most}; raise that to keep it"));
        return keeping;
    }
    for (name, sha256) in own {
        let bytes = path_of(name).metadata().map_or(0, |metadata| metadata.len());
        let whole = external::is_kept(results, sha256, bytes);
        let kept = if whole { Ok(()) } else { external::keep(&path_of(name), results, sha256) };
        match kept {
            Ok(()) => keeping.kept.push(name.clone()),
            Err(error) => keeping.refused = Some(error.to_string()),
        }
    }
    keeping
}

/// SHA-256 of a file in hexadecimal.
///
/// # Errors
/// The system's error, including for anything but a regular file.
pub fn file_hash(path: &Path) -> std::io::Result<String> {
    regular::open(path).and_then(sha256_of_reader)
}

/// The search for the file that the first word of a command names.
pub(crate) struct Search<'a> {
    pub(crate) directory: &'a Path,
    /// Folders in which a word without a slash is searched, as in `PATH`.
    pub(crate) path: &'a str,
}

struct Digests<'a> {
    search: Search<'a>,
    places: Places<'a>,
    /// Known hashes of files: entries share programs, and interpreters are large.
    known: HashMap<Place, Option<String>>,
}

impl Digests<'_> {
    /// The hashes of a command with these words in the contest file. The name of a file is its path relative to the contest's
    /// folder. A file found elsewhere, such as an interpreter, has its absolute path as name. A path that leads out of an
    /// author's folder gets no hash, so that the hash reveals nothing about its target.
    fn of_command<'w>(&mut self, words: impl Iterator<Item = &'w String>, command: &[Argument]) -> Hashes {
        let program = match command.first() {
            Some(Argument::Text(program)) => self.search.find(program).map(Place::from),
            _ => None,
        };
        let files = command.iter().zip(words);
        let files = files.filter_map(|(argument, word)| Some((place_of(argument)?.clone(), from_folder(word))));
        let files: Vec<(Place, Option<PathBuf>)> = files.collect();
        let mut hashes = Hashes::new();
        for (place, word) in &files {
            let Files::All(inside) = files_of(place, self.places.contest()) else { continue };
            for file in inside {
                let named = word.as_ref().map(|word| word.join(&file));
                self.hash(&place.clone().join(&file), named, &mut hashes);
            }
        }
        let mut waiting: Vec<(Place, Option<PathBuf>)> =
            program.map(|program| (program, None)).into_iter().chain(files).collect();
        let mut named: HashSet<PathBuf> = HashSet::new();
        // The last ones first: a program gets the name that the command uses.
        while let Some((place, word)) = waiting.pop() {
            if !named.insert(place.path()) || !self.hash(&place, word, &mut hashes) {
                continue;
            }
            let names = place.read().map(Search::names_in).unwrap_or_default();
            waiting.extend(names.iter().filter_map(|name| Some((self.interpreter(name)?, None))));
        }
        hashes
    }

    /// Adds the hash of a file, under its name in the contest file. Returns false if it cannot be read, for example
    /// because it is a folder.
    fn hash(&mut self, place: &Place, word: Option<PathBuf>, hashes: &mut Hashes) -> bool {
        let file = place.path();
        let below = file.strip_prefix(self.places.contest()).map(Path::to_owned).ok();
        let name = below.or(word).unwrap_or_else(|| file.clone()).display().to_string();
        match self.known.entry(place.clone()).or_insert_with(|| hash_of(place)) {
            Some(hash) => drop(hashes.insert(name, hash.clone())),
            None => return false,
        }
        true
    }

    /// The file of an interpreter that the first line of a script names: on the search path, in the system, or below the
    /// contest's folder.
    fn interpreter(&self, name: &str) -> Option<Place> {
        let found = self.search.find(name)?;
        let on_path = || std::env::split_paths(self.search.path).any(|folder| found.parent() == Some(&folder));
        let of_system = || found.canonicalize().is_ok_and(|real| is_of_system(&real));
        if !name.contains('/') || on_path() || of_system() {
            return Some(found.into());
        }
        Some(self.places.place(name, None)).filter(|place| *place != Place::trusted(&found))
    }
}

/// The path of a word of a command, relative to the contest's folder; `None` if it is absolute.
fn from_folder(word: &str) -> Option<PathBuf> {
    Some(path_of(word)).filter(|path| path.is_relative())
}

impl Search<'_> {
    /// The program of this name on a command line.
    pub(crate) fn find(&self, program: &str) -> Option<PathBuf> {
        if program.contains('/') {
            return Some(self.directory.join(program)).filter(|file| file.is_file());
        }
        let folders = std::env::split_paths(self.path).filter(|folder| folder.is_absolute());
        folders.map(|folder| folder.join(program)).find(|file| is_executable(file))
    }

    /// A program on the search path with a similar name.
    pub(crate) fn near(&self, program: &str) -> Option<String> {
        let folders = std::env::split_paths(self.path).filter(|folder| folder.is_absolute());
        let there = folders.filter_map(|folder| std::fs::read_dir(folder).ok()).flatten().flatten();
        let there: Vec<String> = there.map(|item| item.file_name().to_string_lossy().into_owned()).collect();
        near::nearest(program, there.iter().map(String::as_str)).map(str::to_owned)
    }

    /// The names in the first line of a script: its interpreter and, if that is `env`, the program that it starts.
    pub(crate) fn interpreter_names(script: &Path) -> Vec<String> {
        regular::open(script).map(Self::names_in).unwrap_or_default()
    }

    fn names_in(script: File) -> Vec<String> {
        let mut line = Vec::new();
        let read = script.take(FIRST_LINE_BYTES).read_to_end(&mut line);
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
    fn everything_that_a_command_executes_is_hashed() {
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
            let rules = crate::BuildRules::default();
            let places = Places::new(folder.path(), &rules);
            let words = ["script".into(), data.clone(), "--fast".into()];
            let command = places.arguments(&words, None);
            Digests { search, places, known: HashMap::new() }.of_command(words.iter(), &command)
        };
        let names = hashes("./bin").into_keys().filter(|name| !name.ends_with("/env")).collect::<Vec<_>>();
        assert_eq!(names, ["bin/mine", "bin/script", "bin/wrapper", "data.txt"]);
        assert_eq!(hashes("./bin")["data.txt"], "3a6eb0790f39ac87c94f3856b2dd2c5d110e6811602261a9a923d3bb23adc8b7");
        assert_eq!(hashes("./none").into_keys().collect::<Vec<_>>(), ["data.txt"]);
        // A program that another one hides is a different program, and so is its interpreter.
        let before = hashes("./bin");
        fs::write(&interpreter, "changed").unwrap();
        assert_ne!(hashes("./bin"), before);
        assert!(wrapper.ends_with("wrapper"));
    }
}
