//! A command with its input, its permissions and the files wanted back.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::{Limits, Place};

/// A program to execute, such as a run of an entry or a build.
///
/// [`Job::new`] creates a job; the methods `with_…` and assignments to fields change it. Fields can be added in later
/// versions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Job {
    /// The program and its arguments. A program without a `/` is looked up on the PATH; a relative path starts at
    /// `directory`.
    pub argv: Vec<Argument>,
    /// The standard input of the process.
    pub stdin: Stdin,
    /// Files placed in its scratch directory before it starts.
    pub files: Vec<PlacedFile>,
    /// Files of the machine that are copied into its scratch directory before it starts. The job need not be able to see
    /// the originals, and does not learn their paths.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub copies: Vec<CopiedFile>,
    /// Names of folders created in its scratch directory before it starts, empty except for copies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub folders: Vec<String>,
    /// Symbolic links created in its scratch directory before it starts. The job sees their targets only if it may read
    /// them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<Link>,
    /// Files fetched from its scratch directory after it ended.
    pub wanted: Vec<WantedFile>,
    /// Folders fetched from its scratch directory after it ended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub wanted_folders: Vec<WantedFolder>,
    /// Working directory; `None` for the scratch directory. In it, the job sees only what it may read or write.
    pub directory: Option<PathBuf>,
    /// Files and folders that it may read, besides the system's programs and the files that its arguments name by an
    /// absolute path. Those that are missing are left out.
    pub readable: Vec<Place>,
    /// Existing folders of the machine that it may write. If the judge is root, the job runs without capabilities, as a
    /// separate user that is mapped to the owner of the first folder, or as that owner if this is impossible; a job without
    /// writable folders runs as the user `nobody`.
    pub writable: Vec<Place>,
    /// The most bytes of the files in the first writable folder; `None` for no limit. The executor scans that folder
    /// repeatedly, so it should be small, as an author's folder is. A job that exceeds the limit ends as if its scratch
    /// directory were full.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder_bytes: Option<u64>,
    /// True for a job of an untrusted author. Landlock cannot keep it from changing modes and times of other files of its
    /// user, so under Landlock it may change none at all. In a private root it may change those of its own files.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub keeps_modes: bool,
    /// True if its first writable folder may be given permanently to another user, with everything in it: to a separate
    /// user for the job, if a judge that is root cannot let the job write there in another way.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub own_user: bool,
    /// Environment variables besides PATH and LANG, which they may replace. HOME and TMPDIR are always the scratch
    /// directory, and JUDGE_LIMIT_MS is always the limit in milliseconds.
    pub environment: Vec<(String, String)>,
    /// Limits on what it may use.
    pub limits: Limits,
    /// Logical processors that it has to itself; empty if it is not pinned.
    pub processors: Vec<usize>,
    /// True if the outcome is to have the times at which its standard output arrived, see [`Outcome::arrivals`].
    ///
    /// [`Outcome::arrivals`]: crate::Outcome::arrivals
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub timed: bool,
    /// File for its standard output, created or truncated. Its directory must exist.
    pub stdout: PathBuf,
    /// File for the head and the tail of its standard error.
    pub stderr: PathBuf,
}

/// An argument of a command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Argument {
    /// The text itself. An absolute path is trusted as a whole.
    Text(String),
    /// The path of a file or folder, which the job may read.
    Path(Place),
    /// The path of a file in the scratch directory, by its name. Only the executor knows where that directory is.
    File(String),
    /// The path of a folder in the scratch directory, by its name, with a `/` at its end.
    Folder(String),
}

/// Standard input of a job.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stdin {
    /// Nothing to read: the first read finds the end of the file.
    #[default]
    Nothing,
    /// The contents of a regular file, which the executor opens. The job need not be able to see the file.
    File(PathBuf),
}

/// A file placed in the scratch directory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlacedFile {
    /// Name of the file: any text without `/` and NUL, except `.` and `..`.
    pub name: String,
    /// Contents as bytes, which need not be text.
    pub contents: Vec<u8>,
}

/// A regular file of the machine, copied into the scratch directory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CopiedFile {
    /// Name of the copy: any text without `/` and NUL, except `.` and `..`. For a copy in one of [`Job::folders`], the
    /// folder's name and a `/` precede it.
    pub name: String,
    /// The original, which the executor opens.
    pub from: PathBuf,
}

/// A symbolic link in the scratch directory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// Name of the link: any text without `/` and NUL, except `.` and `..`.
    pub name: String,
    /// The absolute path that it leads to.
    pub to: PathBuf,
}

/// A folder fetched from the scratch directory. Only the regular files directly in it are fetched, links are not followed,
/// and a missing folder is not an error. A note of the outcome reports what was cut or not fetched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WantedFolder {
    /// Name of the folder: any text without `/` and NUL, except `.` and `..`.
    pub name: String,
    /// Maximum number of bytes of all files together.
    pub cap: u64,
    /// The most files in it.
    pub files: usize,
    /// Existing folder that the files are copied to, under their names.
    pub to: PathBuf,
}

/// A file fetched from the scratch directory. Only regular files are fetched, links are not followed, and a missing
/// file is not an error. A note of the outcome reports a file that was cut or not fetched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WantedFile {
    /// Name of the file: any text without `/` and NUL, except `.` and `..`.
    pub name: String,
    /// The most bytes that are fetched; the rest is cut off.
    pub cap: u64,
    /// File that it is copied to, created or truncated.
    pub to: PathBuf,
}

impl Job {
    /// A job without files, input or environment, under the default limits.
    pub fn new<S: Into<String>>(
        argv: impl IntoIterator<Item = S>,
        stdout: impl Into<PathBuf>,
        stderr: impl Into<PathBuf>,
    ) -> Self {
        Self {
            argv: argv.into_iter().map(|word| Argument::Text(word.into())).collect(),
            stdin: Stdin::Nothing,
            files: Vec::new(),
            copies: Vec::new(),
            folders: Vec::new(),
            links: Vec::new(),
            wanted: Vec::new(),
            wanted_folders: Vec::new(),
            directory: None,
            readable: Vec::new(),
            writable: Vec::new(),
            folder_bytes: None,
            keeps_modes: false,
            own_user: false,
            environment: Vec::new(),
            limits: Limits::default(),
            processors: Vec::new(),
            timed: false,
            stdout: stdout.into(),
            stderr: stderr.into(),
        }
    }

    /// Sets the limits.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Uses the contents of a regular file as standard input.
    #[must_use]
    pub fn with_stdin(mut self, file: impl Into<PathBuf>) -> Self {
        self.stdin = Stdin::File(file.into());
        self
    }

    /// Sets the working directory. The job may read it only if [`Job::with_readable`] also allows that.
    #[must_use]
    pub fn with_directory(mut self, directory: impl Into<PathBuf>) -> Self {
        self.directory = Some(directory.into());
        self
    }

    /// Lets the job also read a file or folder. A text or path is trusted as a whole: see [`Place`].
    #[must_use]
    pub fn with_readable(mut self, place: impl Into<Place>) -> Self {
        self.readable.push(place.into());
        self
    }

    /// Lets the job also write in an existing folder.
    #[must_use]
    pub fn with_writable(mut self, folder: impl Into<Place>) -> Self {
        self.writable.push(folder.into());
        self
    }

    /// Adds a variable to the environment.
    #[must_use]
    pub fn with_variable(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.environment.push((name.into(), value.into()));
        self
    }

    /// Pins the job to these logical processors.
    #[must_use]
    pub fn with_processors(mut self, processors: impl IntoIterator<Item = usize>) -> Self {
        self.processors = processors.into_iter().collect();
        self
    }

    /// Adds an argument at the end.
    #[must_use]
    pub fn with_argument(mut self, argument: Argument) -> Self {
        self.argv.push(argument);
        self
    }

    /// Adds a file that is placed in the scratch directory. No argument names it.
    #[must_use]
    pub fn with_file(mut self, name: impl Into<String>, contents: impl Into<Vec<u8>>) -> Self {
        self.files.push(PlacedFile { name: name.into(), contents: contents.into() });
        self
    }

    /// Adds a copy of a file to the scratch directory. No argument names it.
    #[must_use]
    pub fn with_copy(mut self, name: impl Into<String>, from: impl Into<PathBuf>) -> Self {
        self.copies.push(CopiedFile { name: name.into(), from: from.into() });
        self
    }

    /// Adds a symbolic link to the scratch directory.
    #[must_use]
    pub fn with_link(mut self, name: impl Into<String>, to: impl Into<PathBuf>) -> Self {
        self.links.push(Link { name: name.into(), to: to.into() });
        self
    }

    /// Requests a file of the scratch directory, cut to `cap` bytes.
    #[must_use]
    pub fn with_wanted(mut self, name: impl Into<String>, cap: u64, to: impl Into<PathBuf>) -> Self {
        self.wanted.push(WantedFile { name: name.into(), cap, to: to.into() });
        self
    }

    /// Requests the files of a folder of the scratch directory.
    #[must_use]
    pub fn with_wanted_folder(mut self, folder: WantedFolder) -> Self {
        self.wanted_folders.push(folder);
        self
    }

    /// Adds a file that is placed in the scratch directory, and its path as the last argument.
    #[must_use]
    pub fn with_file_argument(self, name: &str, contents: impl Into<Vec<u8>>) -> Self {
        self.with_file(name, contents).with_argument(Argument::File(name.into()))
    }

    /// Adds a copy of a file to the scratch directory, and its path as the last argument.
    #[must_use]
    pub fn with_copied_argument(self, name: &str, from: impl Into<PathBuf>) -> Self {
        self.with_copy(name, from).with_argument(Argument::File(name.into()))
    }

    /// Adds an empty folder to the scratch directory, and its path as the last argument.
    #[must_use]
    pub fn with_folder_argument(mut self, name: &str) -> Self {
        self.folders.push(name.into());
        self.argv.push(Argument::Folder(name.into()));
        self
    }
}
