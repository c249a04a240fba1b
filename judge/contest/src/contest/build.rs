//! The rules for builds: isolation, limits, and the folders that a build may write.

use std::path::{Component, Path, PathBuf};

use judge_job::{IsolationMode, Limits};

/// The `[build]` table of a contest file and its `build_isolation`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildRules {
    /// Isolation that builds require of the machine.
    pub isolation: IsolationMode,
    /// Limits of each build command.
    pub limits: Limits,
    /// Physical cores that a build is pinned to; `None` for no pinning.
    pub cores: Option<usize>,
    /// Files and folders that builds may read. Missing ones are skipped.
    pub readable: Vec<String>,
    /// Folders that builds may write. Missing folders are created.
    pub writable: Vec<String>,
    /// The most bytes of the files in the folder of an entry while and after it is built; `None` for no limit.
    pub folder_bytes: Option<u64>,
    /// True if builds may not change modes and times of files under Landlock, as [`judge_job::Job::keeps_modes`]. After its
    /// build, the program of an entry is made executable.
    pub keeps_modes: bool,
    /// True if the first folder of a build may be given to a separate user for the build, as
    /// [`judge_job::Job::own_user`].
    pub own_user: bool,
    /// Environment variables: `NAME` is passed on, `NAME=VALUE` has that value unless it is set.
    pub environment: Vec<String>,
    /// A shell command that is run once before the builds, outside the sandbox and with network.
    pub fetch: Option<String>,
}

impl Default for BuildRules {
    fn default() -> Self {
        let limits = Limits::default()
            .with_wall_ms(30 * 60 * 1000)
            .with_memory_bytes(4 << 30)
            .with_processes(1024)
            .with_output_bytes(16 << 20)
            .with_scratch_bytes(4 << 30)
            .with_cores(1);
        let (readable, writable, environment) = (Vec::new(), Vec::new(), Vec::new());
        Self {
            isolation: IsolationMode::Auto,
            limits,
            cores: None,
            readable,
            writable,
            folder_bytes: None,
            keeps_modes: false,
            own_user: false,
            environment,
            fetch: None,
        }
    }
}

impl BuildRules {
    /// The folder that the build of a command may write: the named folder, or the folder of the command's program. The
    /// error is a fragment with the remedies.
    pub(crate) fn folder(&self, command: &[String], folder: Option<&str>, contest: &Path) -> Result<PathBuf, String> {
        let remedies = "name one with folder = \"…\", or set build_isolation = \"off\"";
        let program = || {
            let words = command.iter().map(|word| word.replace("{dir}", "."));
            words.into_iter().find(|word| word.contains('/')).map(PathBuf::from)
        };
        let (folder, named) = match folder {
            Some(folder) => (PathBuf::from(folder), true),
            None => match program().as_deref().and_then(Path::parent) {
                Some(folder) => (folder.to_owned(), false),
                None => return Err(format!("build needs a folder that it may write; {remedies}")),
            },
        };
        let contest = clean(contest);
        let folder = clean(&contest.join(folder));
        if contest.starts_with(&folder) {
            return Err(format!(
                "build could write the contest's folder, where its program is; move the program to a folder of its own, \
                 {remedies}"
            ));
        }
        let writable = || self.writable.iter().any(|path| folder.starts_with(clean(&contest.join(path))));
        if !named && !folder.starts_with(&contest) && !writable() {
            return Err(format!("build could write {}, outside the contest's folder; {remedies}", folder.display()));
        }
        Ok(folder)
    }
}

/// A path without `.` and `..`.
pub(crate) fn clean(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut clean, part| {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(clean.pop()),
            part => clean.push(part),
        }
        clean
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_may_write_the_folder_of_its_program() {
        let rules = BuildRules { writable: vec!["../target".into()], ..BuildRules::default() };
        let folder = |command: &[&str], folder: Option<&str>| {
            let command: Vec<String> = command.iter().map(|&word| word.to_owned()).collect();
            let folder = rules.folder(&command, folder, Path::new("/home/me/contest"));
            folder.map(|folder| folder.display().to_string())
        };
        assert_eq!(folder(&["./mine/solver"], None).as_deref(), Ok("/home/me/contest/mine"));
        assert_eq!(folder(&["python3", "{dir}/mine/solver.py"], None).as_deref(), Ok("/home/me/contest/mine"));
        assert_eq!(folder(&["../target/release/a"], None).as_deref(), Ok("/home/me/target/release"));
        assert_eq!(folder(&["python3", "-m", "mine"], Some("mine")).as_deref(), Ok("/home/me/contest/mine"));
        assert_eq!(folder(&["/usr/bin/python3"], Some("/opt/mine")).as_deref(), Ok("/opt/mine"));
        for (command, named, reason) in [
            (&["./solver"][..], None, "could write the contest's folder"),
            (&["mine/../solver"], None, "could write the contest's folder"),
            (&["a/solver"], Some(".."), "could write the contest's folder"),
            (&["python3"], None, "needs a folder that it may write"),
            (&["/usr/bin/solver"], None, "could write /usr/bin, outside the contest's folder"),
        ] {
            let refused = folder(command, named).expect_err("refused");
            assert!(refused.contains(reason) && refused.contains("build_isolation = \"off\""), "{refused}");
        }
    }
}
