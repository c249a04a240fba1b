//! The Git commit of a folder, read from the files of the repository. Only `git` can find out if the tree was changed;
//! without it that is unknown.

use std::path::{Path, PathBuf};

use judge_files::regular;
use judge_sandbox::host::run_program;

/// The largest small file of a repository, and the largest list of references, in bytes.
const SMALL: u64 = 4096;
const REFERENCES: u64 = 64 << 20;
/// The longest chain of references that is followed.
const MAX_REFERENCES: usize = 5;

/// The commit of a working tree.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Commit {
    /// SHA of the commit, in hexadecimal.
    pub id: String,
    /// True if tracked files differ from it; `None` if that is unknown.
    pub changed: Option<bool>,
}

impl Commit {
    /// The commit of the repository that a folder is in. Folders named `judge-try` do not count as changes of the tree.
    pub fn from_folder(folder: &Path) -> Option<Self> {
        let folder = std::path::absolute(folder).ok()?;
        let (top, repository) = folder.ancestors().find_map(|top| Some((top, repository(top)?)))?;
        let top = top.to_str()?;
        let ask = |arguments: &[&str]| {
            let all = [&["-C", top, "-c", "core.fsmonitor=false"], arguments].concat();
            let arguments: Vec<String> = all.into_iter().map(str::to_owned).collect();
            let answer = run_program("git", &arguments, "", &[("GIT_OPTIONAL_LOCKS", "0")]).ok()?;
            answer.success.then_some(answer.stdout)
        };
        // A repository may store references in other ways than files.
        let by_git = || ask(&["rev-parse", "HEAD"]).and_then(|answer| hash(&answer));
        let id = head(&repository).or_else(by_git)?;
        let status = ["status", "--porcelain", "--untracked-files=no", "--", ".", ":(exclude,glob)**/judge-try/**"];
        Some(Self { id, changed: ask(&status).map(|changes| !changes.trim().is_empty()) })
    }
}

/// The repository of a working tree with this root.
fn repository(top: &Path) -> Option<PathBuf> {
    let git = top.join(".git");
    if git.is_dir() {
        return Some(git);
    }
    // The folder is a further working tree, or a submodule.
    Some(top.join(text(&git)?.strip_prefix("gitdir:")?.trim()))
}

/// The commit that a repository's `HEAD` names.
fn head(repository: &Path) -> Option<String> {
    let common = text(&repository.join("commondir")).map(|common| repository.join(common.trim()));
    let folders: Vec<&Path> = [repository].into_iter().chain(common.as_deref()).collect();
    let mut value = text(&repository.join("HEAD"))?;
    for _ in 0..MAX_REFERENCES {
        let Some(name) = value.strip_prefix("ref:").map(str::trim) else { return hash(&value) };
        if !name.starts_with("refs/") || name.split('/').any(|part| part == "..") {
            return None;
        }
        let loose = folders.iter().find_map(|folder| text(&folder.join(name)));
        value = loose.or_else(|| folders.iter().find_map(|folder| packed(folder, name)))?;
    }
    None
}

/// The value of a reference in the list of all.
fn packed(folder: &Path, name: &str) -> Option<String> {
    let list = String::from_utf8(regular::read(&folder.join("packed-refs"), REFERENCES).ok()?).ok()?;
    let found = list.lines().find_map(|line| line.split_once(' ').filter(|(_, other)| *other == name))?;
    Some(found.0.to_owned())
}

fn text(path: &Path) -> Option<String> {
    String::from_utf8(regular::read(path, SMALL).ok()?).ok()
}

fn hash(text: &str) -> Option<String> {
    let text = text.trim();
    ([40, 64].contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit())).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use super::*;
    use std::fs;

    #[test]
    fn the_commit_is_read_from_every_form_of_a_repository() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        let [one, two, three] = ["1", "2", "3"].map(|digit| digit.repeat(40));
        let of = |name: &str| repository(&folder.path().join(name)).and_then(|repository| head(&repository));
        write("loose/.git/HEAD", "ref: refs/heads/main\n");
        assert_eq!(of("loose"), None, "no commit yet");
        write("loose/.git/refs/heads/main", &format!("{one}\n"));
        write("loose/.git/packed-refs", &format!("# pack-refs\n{two} refs/heads/main\n{three} refs/heads/other\n"));
        assert_eq!(of("loose").as_ref(), Some(&one));
        fs::remove_file(folder.path().join("loose/.git/refs/heads/main")).unwrap();
        assert_eq!(of("loose").as_ref(), Some(&two));
        write("loose/.git/HEAD", &format!("{three}\n"));
        assert_eq!(of("loose").as_ref(), Some(&three), "a detached head");
        // A further working tree.
        write("more/.git", "gitdir: ../loose/.git/worktrees/more\n");
        write("loose/.git/worktrees/more/HEAD", "ref: refs/heads/other\n");
        write("loose/.git/worktrees/more/commondir", "../..\n");
        assert_eq!(of("more").as_ref(), Some(&three));
        for bad in ["ref: ../../secret\n", "ref: refs/../../secret\n", "ref: refs/heads/.invalid\n", "abc\n", ""] {
            write("loose/.git/HEAD", bad);
            assert_eq!(of("loose"), None, "{bad}");
        }
        assert_eq!(of("none"), None);
    }
}
