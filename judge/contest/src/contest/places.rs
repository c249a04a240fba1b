//! The meaning of the paths in a contest file, and the trust in each path.
//!
//! These places belong to the organiser: the contest file, the contest's folder, the folders of absolute paths and of relative
//! paths with a leading `..`, and outside folders that `[build] writable` names. A file or link directly in one of the first two
//! kinds of folders also belongs to the organiser. Anything deeper may belong to an author. It is opened beneath the folder,
//! without links that lead out. An absolute path outside all of these folders is trusted as a whole.

use std::path::{Path, PathBuf};

use judge_job::{Argument, Place, leads_through_proc};

use super::build::{BuildRules, clean};

/// The paths of one contest file.
pub(crate) struct Places<'a> {
    rules: &'a BuildRules,
    /// The contest's folder, without links and as the user named it.
    contest: PathBuf,
    named: PathBuf,
    /// The folders outside the contest's folder that all builds may write.
    shared: Vec<PathBuf>,
}

impl<'a> Places<'a> {
    pub(crate) fn new(contest: &Path, rules: &'a BuildRules) -> Self {
        let named = clean(contest);
        let contest = contest.canonicalize().unwrap_or_else(|_| named.clone());
        let shared = rules.writable.iter().map(|path| clean(&contest.join(path)));
        let shared = shared.filter(|path| !path.starts_with(&contest)).collect();
        Self { rules, contest, named, shared }
    }

    /// The contest's folder without links.
    pub(crate) fn contest(&self) -> &Path {
        &self.contest
    }

    /// The folder of a program's author: the named folder, or the folder of the first word of its command that lies in
    /// a possible author's folder. `None` if the program lies in the contest's folder itself.
    pub(crate) fn own(&self, command: &[String], folder: Option<&str>) -> Option<PathBuf> {
        let inside = |path: &PathBuf| path.starts_with(&self.contest) || self.is_shared(path);
        let own = match folder {
            Some(folder) => Some(self.lexical(folder)),
            None => {
                let words = command.iter().filter(|word| word.contains('/')).map(|word| self.lexical(word));
                words.filter(inside).find_map(|path| path.parent().map(Path::to_owned))
            }
        };
        own.filter(|own| !self.contest.starts_with(own))
    }

    /// The folder that a build may write, according to the rules of builds. The error is a fragment with the remedies.
    pub(crate) fn build_folder(&self, command: &[String], folder: Option<&str>) -> Result<Place, String> {
        let path = self.rules.folder(command, folder, &self.contest)?;
        let absolute = folder.is_some_and(|folder| Path::new(folder).is_absolute());
        Ok(self.folder(&path, absolute))
    }

    /// A folder, from its path without `..`; no link on it is followed. A folder that an absolute path names is trusted.
    pub(crate) fn folder(&self, path: &Path, absolute: bool) -> Place {
        match self.base(path, absolute) {
            Some((root, rest)) => Place { root, folder: rest, inside: PathBuf::new() },
            None => Place::trusted(path),
        }
    }

    /// The place of a path in the contest file. `own` is the folder of the entry or referee to whose key the path belongs.
    pub(crate) fn place(&self, path: &str, own: Option<&Path>) -> Place {
        let absolute = Path::new(path).is_absolute();
        let path = self.lexical(path);
        let own = own.filter(|own| path.starts_with(own));
        let (root, rest) = match (self.base(&path, absolute), own) {
            (Some(base), _) => base,
            // An absolute path into the folder that the contest file assigns to this entry.
            (None, Some(own)) => {
                let inside = path.strip_prefix(own).unwrap_or(&path).to_owned();
                return Place { root: own.to_owned(), folder: PathBuf::new(), inside };
            }
            (None, None) => return Place::trusted(path),
        };
        let whole = root.join(&rest);
        // The canonical name of a shared folder may differ from the beginning of the path.
        let mine = own.and_then(|own| {
            let (_, own) = self.base(own, absolute)?;
            Some((own.clone(), rest.strip_prefix(&own).ok()?.to_owned()))
        });
        let (folder, inside) = match mine {
            Some(split) => split,
            None if whole == root => (PathBuf::new(), PathBuf::new()),
            None if rest.components().count() == 1 && !self.is_shared(&path) => return Place::trusted(whole),
            None => {
                let name = rest.file_name().map(PathBuf::from).unwrap_or_default();
                (rest.parent().map(Path::to_owned).unwrap_or_default(), name)
            }
        };
        Place { root, folder, inside }
    }

    /// A command in the form in which it runs from any working directory.
    ///
    /// A program with a `/` is relative to the contest's folder; a program without one is looked up on the PATH. Another word
    /// that names a file in this folder becomes its path. `{dir}` in a word is replaced by the folder.
    pub(crate) fn arguments(&self, command: &[String], own: Option<&Path>) -> Vec<Argument> {
        let words = command.iter().enumerate();
        words.map(|(index, word)| self.argument(word, index == 0 && word.contains('/'), own)).collect()
    }

    /// A further argument of a command.
    pub(crate) fn argument(&self, word: &str, is_path: bool, own: Option<&Path>) -> Argument {
        let word = word.replace("{dir}", &self.contest.to_string_lossy());
        let path = self.contest.join(&word);
        let is_path = is_path || Path::new(&word).is_absolute() || path.is_file();
        // Without its links, a path through /proc would refer to this process.
        if is_path && !leads_through_proc(&path) {
            Argument::Path(self.place(&word, own))
        } else {
            Argument::Text(word)
        }
    }

    fn is_shared(&self, path: &Path) -> bool {
        self.shared.iter().any(|shared| path.starts_with(shared))
    }

    /// An absolute path without `.` and `..`.
    fn lexical(&self, path: &str) -> PathBuf {
        let path = path.replace("{dir}", &self.contest.to_string_lossy());
        let path = clean(&self.contest.join(path));
        match path.strip_prefix(&self.named) {
            Ok(rest) => clean(&self.contest.join(rest)),
            Err(_) => path,
        }
    }

    /// The trusted folder that contains a path, and the rest of the path; `None` if the whole path is trusted.
    fn base(&self, path: &Path, absolute: bool) -> Option<(PathBuf, PathBuf)> {
        let below = |root: &Path| Some(path.strip_prefix(root).ok()?.to_owned());
        if let Some(rest) = below(&self.contest) {
            return Some((self.contest.clone(), rest));
        }
        if let Some((root, rest)) = self.shared.iter().find_map(|shared| Some((shared, below(shared)?))) {
            return Some((root.canonicalize().unwrap_or_else(|_| root.clone()), rest));
        }
        if absolute {
            return None;
        }
        // The leading `..` of a relative path lead to a folder above the contest's folder.
        let root = self.contest.ancestors().find(|above| path.starts_with(above))?;
        Some((root.to_owned(), below(root)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_split_where_trust_ends() {
        let rules = BuildRules { writable: vec!["../target".into(), "cache".into()], ..BuildRules::default() };
        let places = Places::new(Path::new("/no/such/contest"), &rules);
        let split = |path: &str, own: Option<&str>| {
            let Place { root, folder, inside } = places.place(path, own.map(Path::new));
            [root, folder, inside].map(|part| part.display().to_string()).join("|")
        };
        let mine = Some("/no/such/contest/mine");
        for (path, own, expected) in [
            ("mine/solver", mine, "/no/such/contest|mine|solver"),
            ("mine/bin/solver", mine, "/no/such/contest|mine|bin/solver"),
            ("./mine/x/../solver", mine, "/no/such/contest|mine|solver"),
            ("{dir}/mine/solver", mine, "/no/such/contest|mine|solver"),
            ("/no/such/contest/mine/solver", mine, "/no/such/contest|mine|solver"),
            ("mine", mine, "/no/such/contest|mine|"),
            ("lib/x.jar", mine, "/no/such/contest|lib|x.jar"),
            ("solver", None, "/no/such/contest/solver||"),
            ("../target/solver", None, "/no/such/target||solver"),
            ("../Cargo.toml", None, "/no/such/Cargo.toml||"),
            (".", mine, "/no/such/contest||"),
            ("../target/release/solver", None, "/no/such/target|release|solver"),
            ("../target/release/solver", Some("/no/such/target/release"), "/no/such/target|release|solver"),
            ("../entries/a.rs", mine, "/no/such|entries|a.rs"),
            ("cache/x", mine, "/no/such/contest|cache|x"),
            ("/opt/solver", mine, "/opt/solver||"),
            ("/opt/mine/solver", Some("/opt/mine"), "/opt/mine||solver"),
        ] {
            assert_eq!(split(path, own), expected, "{path} of {own:?}");
        }
        let own = |command: &[&str], folder: Option<&str>| {
            let command: Vec<String> = command.iter().map(|&word| word.to_owned()).collect();
            places.own(&command, folder).map(|own| own.display().to_string())
        };
        assert_eq!(own(&["mine/solver"], None).as_deref(), mine);
        assert_eq!(own(&["/usr/bin/python3", "mine/solver.py"], None).as_deref(), mine);
        assert_eq!(own(&["mine/bin/solver"], Some("mine")).as_deref(), mine);
        assert_eq!(own(&["python3", "-m", "mine"], Some("/opt/mine")).as_deref(), Some("/opt/mine"));
        assert_eq!((own(&["./solver"], None), own(&["python3"], None), own(&["x"], Some(".."))), (None, None, None));
    }
}
