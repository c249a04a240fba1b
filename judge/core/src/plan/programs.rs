//! Comparison of the files that are executed for an entry or a referee.

use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};

use crate::fingerprint::Hashes;

/// The path that a word of a command means, absolute or from the contest's folder, without `.` and needless `..`.
pub fn path_of(word: &str) -> PathBuf {
    let path = Path::new(word.strip_prefix("{dir}/").unwrap_or(word));
    path.components().fold(PathBuf::new(), |mut path, part| {
        match part {
            Component::CurDir => {}
            Component::ParentDir if path.file_name().is_some() => drop(path.pop()),
            part => path.push(part),
        }
        path
    })
}

/// The program of an entry: the words of its command, and the hashes of the files.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Program<'a> {
    pub(crate) command: &'a [String],
    pub(crate) files: &'a Hashes,
}

impl Program<'_> {
    /// Tests whether this is the same program at another place. Its words are the same, but files and folders among them have
    /// moved with their contents, under the same last names.
    pub(crate) fn is_moved_to(self, now: Self) -> bool {
        let pairs = self.command.iter().zip(now.command);
        let moved: Vec<(PathBuf, PathBuf)> =
            pairs.filter(|(before, now)| before != now).map(|(before, now)| (path_of(before), path_of(now))).collect();
        let moved_by = |file: &Path| {
            moved.iter().find_map(|(before, now)| Some((before, now.join(file.strip_prefix(before).ok()?))))
        };
        let mut with_files = HashSet::new();
        let files = self.files.iter().map(|(file, hash)| match moved_by(Path::new(file)) {
            Some((before, now)) => {
                with_files.insert(before);
                // A path that is joined with an empty one ends with a slash.
                (now.components().collect::<PathBuf>().display().to_string(), hash.clone())
            }
            None => (file.clone(), hash.clone()),
        });
        let files: Hashes = files.collect();
        self.command.len() == now.command.len()
            && moved.iter().all(|(before, now)| {
                with_files.contains(before) && before.file_name().is_some() && before.file_name() == now.file_name()
            })
            && same_programs(&files, now.files)
    }

    /// Tests whether its hashes cover everything that its build made: the command names every file. A script has an interpreter,
    /// too, which loads files that the command does not name.
    pub(crate) fn is_whole(self) -> bool {
        let words: Vec<PathBuf> = self.command.iter().map(|word| path_of(word)).collect();
        let named =
            |file: &String| words.iter().any(|word| word.file_name().is_some() && Path::new(file).starts_with(word));
        !self.files.is_empty() && self.files.keys().all(named)
    }
}

/// Tests whether both are the same files with the same contents.
///
/// A file of the contest's folder is recorded by its path from there or by its absolute path. Both are one file if one path ends
/// with the other.
pub fn same_programs(one: &Hashes, other: &Hashes) -> bool {
    all_in(one, other) && all_in(other, one)
}

/// Tests whether the others have all of these files.
fn all_in(some: &Hashes, others: &Hashes) -> bool {
    some.iter().all(|(file, hash)| {
        let same = |(other, found): (&String, &String)| found == hash && is_same_file(file, other);
        others.get(file) == Some(hash) || others.iter().any(same)
    })
}

/// Tests whether one path is absolute and ends with the other one, which is relative.
fn is_same_file(one: &str, other: &str) -> bool {
    let (one, other) = (Path::new(one), Path::new(other));
    let ends_with = |absolute: &Path, relative: &Path| {
        let below: PathBuf = relative.components().skip_while(|part| *part == Component::ParentDir).collect();
        absolute.is_absolute() && relative.is_relative() && below.file_name().is_some() && absolute.ends_with(below)
    };
    ends_with(one, other) || ends_with(other, one)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(names: &[(&str, &str)]) -> Hashes {
        names.iter().map(|(name, hash)| ((*name).to_owned(), (*hash).to_owned())).collect()
    }

    #[test]
    fn a_file_is_the_same_by_whatever_path_it_was_recorded() {
        let now = files(&[("mine/solve", "11"), ("/usr/bin/python3", "22")]);
        for (before, same) in [
            (files(&[("mine/solve", "11"), ("/usr/bin/python3", "22")]), true),
            (files(&[("/home/me/contest/mine/solve", "11"), ("/usr/bin/python3", "22")]), true),
            (files(&[("/home/me/contest/mine/solve", "12"), ("/usr/bin/python3", "22")]), false),
            (files(&[("/home/me/contest/yours/solve", "11"), ("/usr/bin/python3", "22")]), false),
            (files(&[("yours/mine/solve", "11"), ("/usr/bin/python3", "22")]), false),
            // Another interpreter has other libraries, even if its binary is the same.
            (files(&[("mine/solve", "11"), ("/opt/bin/python3", "22")]), false),
            (files(&[("mine/solve", "11")]), false),
            (files(&[("mine/solve", "11"), ("/usr/bin/python3", "22"), ("data", "33")]), false),
        ] {
            assert_eq!(same_programs(&before, &now), same, "{before:?}");
            assert_eq!(same_programs(&now, &before), same, "{before:?}");
        }
        let outside = files(&[("../bin/solve", "11")]);
        assert!(same_programs(&outside, &files(&[("/home/me/bin/solve", "11")])));
        assert!(!same_programs(&files(&[("..", "11")]), &files(&[("/home", "11")])));
    }

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn a_program_is_the_same_wherever_its_files_are() {
        let before = (words(&["target/solve", "data", "5"]), files(&[("target/solve", "11"), ("data/a", "22")]));
        let is_moved = |command: &[&str], now: &[(&str, &str)]| {
            let (command, now) = (words(command), files(now));
            let before = Program { command: &before.0, files: &before.1 };
            before.is_moved_to(Program { command: &command, files: &now })
        };
        for (command, now, same) in [
            (&["target/solve", "data", "5"][..], &[("target/solve", "11"), ("data/a", "22")][..], true),
            (&["e/target/solve", "data", "5"], &[("e/target/solve", "11"), ("data/a", "22")], true),
            (&["./e/../e/target/solve", "{dir}/x/data", "5"], &[("e/target/solve", "11"), ("x/data/a", "22")], true),
            (&["/opt/solve", "data", "5"], &[("/opt/solve", "11"), ("data/a", "22")], true),
            // A changed file, one more, one less.
            (&["e/target/solve", "data", "5"], &[("e/target/solve", "12"), ("data/a", "22")], false),
            (&["e/target/solve", "x/data", "5"], &[("e/target/solve", "11"), ("x/data/b", "22")], false),
            (&["e/solve", "data", "5"], &[("e/solve", "11"), ("data/a", "22"), ("data/b", "33")], false),
            (&["e/solve", "data", "5"], &[("e/solve", "11")], false),
            // A program can read its name.
            (&["e/target/fast", "data", "5"], &[("e/target/fast", "11"), ("data/a", "22")], false),
            // Another argument is not a moved file.
            (&["target/solve", "data", "6"], &[("target/solve", "11"), ("data/a", "22")], false),
            (&["target/solve", "data", ""], &[("target/solve", "11"), ("data/a", "22")], false),
            (&["target/solve", "data"], &[("target/solve", "11"), ("data/a", "22")], false),
            (&["target/solve", "data", "5", "5"], &[("target/solve", "11"), ("data/a", "22")], false),
        ] {
            assert_eq!(is_moved(command, now), same, "{command:?} {now:?}");
        }
    }

    #[test]
    fn a_program_is_whole_if_the_command_names_each_of_its_files() {
        for (command, all, whole) in [
            (&["./solve", "data"][..], &[("solve", "11"), ("data/a", "22")][..], true),
            (&["/opt/solve"], &[("/opt/solve", "11")], true),
            (&["solve.py"], &[("solve.py", "11"), ("/usr/bin/python3", "22")], false),
            (&["python3", "solve.py"], &[("solve.py", "11"), ("/usr/bin/python3", "22")], false),
            (&["solve.py", ""], &[("solve.py", "11"), ("/usr/bin/python3", "22")], false),
            (&["solve"], &[], false),
        ] {
            let (command, files) = (words(command), files(all));
            assert_eq!(Program { command: &command, files: &files }.is_whole(), whole, "{command:?}");
        }
    }
}
