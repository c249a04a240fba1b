//! The office of a contest: what all its parts share.

use std::borrow::Cow;
use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, MutexGuard};

use judge_contest::office::{ANSWERS, LanguageRule, OfficeSetup};
use judge_core::fingerprint::Hash;
use judge_core::journal::ContestState;
use judge_core::names::Names;
use judge_core::text::unknown;
use judge_files::Folder;
use judge_package::{Language, Languages, Tool};

use crate::batch::SharedLog;
use crate::ends::{Ends, EndsMemo};
use crate::line::Dated;
use crate::log::{self, Log};
use crate::state::State;
use crate::{OfficeError, uploads};

/// The folder, inside the office's folder, with a subfolder per entry.
pub(crate) const ENTRIES: &str = "entries";
/// The age in seconds from which an upload without a log line counts as interrupted.
const LEFT_SECONDS: u64 = 3600;

/// The caller's clock: seconds since the beginning of 1970 in UTC.
pub type Clock = Arc<dyn Fn() -> u64 + Send + Sync>;

/// Tests whether this machine has a program.
pub type Tools = Arc<dyn Fn(&str) -> bool + Send + Sync>;

/// An upload that a team submits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Upload<'a> {
    /// Name of the team that submits it.
    pub team: &'a str,
    /// The identifier of its problem; `None` for the only problem.
    pub problem: Option<&'a str>,
    /// The name of the file.
    pub file: &'a str,
    /// The contents of the file as they arrived.
    pub bytes: &'a [u8],
    /// The code of its language; `None` if it follows from the files.
    pub language: Option<&'a str>,
    /// The file or class that starts it; `None` if it follows from the files.
    pub entry_point: Option<&'a str>,
    /// The time when its last byte arrived, in seconds since the beginning of 1970 in UTC; `None` for the present moment.
    pub arrived: Option<u64>,
}

impl<'a> Upload<'a> {
    /// An upload for the only problem that arrives now, in the language that follows from its files.
    pub fn new(team: &'a str, file: &'a str, bytes: &'a [u8]) -> Self {
        Self { team, problem: None, file, bytes, language: None, entry_point: None, arrived: None }
    }
}

/// The office of a contest. Several threads can call its methods, and several processes can use one folder.
pub struct Office {
    pub(crate) folder: PathBuf,
    pub(crate) log: Arc<SharedLog>,
    pub(crate) clock: Clock,
    pub(crate) tools: Tools,
    pub(crate) languages: Languages,
    /// All known languages, including those that the contest does not allow.
    pub(crate) known: Languages,
    /// True if teams may submit answers.
    pub(crate) answers: bool,
    /// The names of the entries of the contest file, which teams cannot have.
    pub(crate) entries: Names,
    /// The identifiers of the problems in the contest file; empty if the only problem has none.
    pub(crate) problems: Vec<String>,
    /// The organiser who is the author of changes; `None` for commands on this machine, for teams, and for the clock.
    pub(crate) by: Option<String>,
    pub(crate) ends: Arc<EndsMemo>,
}

impl Office {
    /// Creates the folder and begins an office in it, or opens the existing one.
    ///
    /// # Errors
    /// [`OfficeError::Io`], and [`OfficeError::Damaged`] for a damaged log.
    pub fn create(folder: &Path, clock: Clock) -> Result<Self, OfficeError> {
        for inner in ["", uploads::STORED, uploads::INCOMING, ENTRIES] {
            let path = folder.join(inner);
            // Only the organiser may read submissions.
            let made = DirBuilder::new().recursive(true).mode(0o700).create(&path);
            made.map_err(|error| OfficeError::io(&path, error))?;
        }
        if let Some(above) = folder.parent().filter(|above| !above.as_os_str().is_empty()) {
            log::sync_folder(above).map_err(|error| OfficeError::io(above, error))?;
        }
        let log = match Log::open(folder) {
            Err(OfficeError::Missing(_)) => Log::create(folder, clock()),
            opened => opened,
        };
        Ok(Self::with_log(folder, log?, clock))
    }

    /// Opens the office in this folder.
    ///
    /// # Errors
    /// As [`Self::create`], and [`OfficeError::Missing`].
    pub fn open(folder: &Path, clock: Clock) -> Result<Self, OfficeError> {
        Ok(Self::with_log(folder, Log::open(folder)?, clock))
    }

    fn with_log(folder: &Path, log: Log, clock: Clock) -> Self {
        Self {
            folder: folder.to_owned(),
            log: Arc::new(log.into()),
            clock,
            tools: all_tools(),
            languages: Languages::default(),
            known: Languages::default(),
            answers: false,
            entries: Names::default(),
            problems: Vec::new(),
            by: None,
            ends: Arc::default(),
        }
    }

    /// Sets the test for the programs of this machine. Submissions in a language that needs missing programs are refused. By
    /// default, all programs count as available.
    #[must_use]
    pub fn with_tools(self, tools: Tools) -> Self {
        Self { tools, ..self }
    }

    /// Sets the languages and the problems of a contest file.
    #[must_use]
    pub fn with_setup(self, setup: &OfficeSetup) -> Self {
        let language = |rule: &LanguageRule| {
            let LanguageRule { code, name, endings, needs, build, run, memory } = rule.clone();
            Language::new(code, name, endings, Tool::new(needs, build, run)).with_memory(memory)
        };
        let known = Languages::default().with(setup.languages.iter().map(language));
        let languages = match &setup.allowed {
            Some(allowed) => known.clone().only(allowed),
            None => known.clone(),
        };
        let answers = setup.allowed.as_ref().is_some_and(|allowed| allowed.iter().any(|code| code == ANSWERS));
        Self { problems: setup.problems.clone(), languages, known, answers, ..self }
    }

    /// Sets the names of the contest's entries that are not submissions. New teams can have neither these names nor similar ones.
    #[must_use]
    pub fn with_entries<'n>(self, names: impl IntoIterator<Item = &'n str>) -> Self {
        let mut entries = Names::default();
        for name in names {
            // Names in the contest file are never similar to each other.
            entries.insert(name).ok();
        }
        Self { entries, ..self }
    }

    /// Checks that a new team does not have the name of an entry.
    pub(crate) fn check_team(&self, team: &str) -> Result<(), OfficeError> {
        match self.entries.taken(team) {
            None => Ok(()),
            Some(entry) => {
                let reason = format!("the contest file has the entry `{entry}`; choose another name than `{team}`");
                Err(OfficeError::refused(reason))
            }
        }
    }

    /// The time of its clock, in seconds since the beginning of 1970 in UTC.
    pub fn now(&self) -> u64 {
        (self.clock)()
    }

    /// The folder with all its files.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Removes the remains of interrupted uploads that are older than an hour: unfinished files, and uploads that no log line
    /// names. Returns their number. Other processes can accept uploads meanwhile.
    ///
    /// # Errors
    /// [`OfficeError::Io`] and [`OfficeError::Damaged`].
    pub fn sweep(&self) -> Result<usize, OfficeError> {
        let now = (self.clock)();
        self.log().append(now, |state| {
            let named = state.submissions().iter().map(|(_, submission)| submission.sha256.to_string()).collect();
            let swept = uploads::sweep(&self.folder, &named, now.saturating_sub(LEFT_SECONDS));
            Ok((Vec::new(), swept.map_err(|error| OfficeError::io(&self.folder, error))?))
        })
    }

    /// The state after all lines of the log, including those of other processes. A clone is cheap.
    ///
    /// # Errors
    /// [`OfficeError::Io`] and [`OfficeError::Damaged`].
    pub fn state(&self) -> Result<Arc<State>, OfficeError> {
        let mut log = self.log();
        log.refresh()?;
        Ok(log.state())
    }

    /// How the judgements of submissions have ended at a moment of office and contest, so that a board or list need not examine
    /// their runs again. It costs what has happened since the last call.
    pub fn ends(&self, state: &Arc<State>, contents: &ContestState) -> Ends {
        self.ends.at(state, contents)
    }

    /// The identifier of a problem that a user names. An empty text means the only problem. If judging has begun, `contents` is
    /// the judged contest, whose problems count instead of those of the contest file.
    ///
    /// # Errors
    /// [`OfficeError::Refused`], with the names of all problems.
    pub fn check_problem<'p>(
        &self,
        named: &'p str,
        contents: Option<&ContestState>,
    ) -> Result<Cow<'p, str>, OfficeError> {
        let problems = contents.map_or_else(|| self.problems.clone(), |contents| contents.plan.problems.ids());
        match &problems[..] {
            [] if named.is_empty() => Ok(named.into()),
            [] => Err(OfficeError::refused(format!("unknown problem `{named}`; the only one has no name"))),
            [only] if named.is_empty() => Ok(only.clone().into()),
            known if known.iter().any(|id| id == named) => Ok(named.into()),
            known if named.is_empty() => {
                let ids: Vec<String> = known.iter().map(|id| format!("`{id}`")).collect();
                Err(OfficeError::refused(format!("name the problem; this contest has {}", ids.join(", "))))
            }
            known => Err(OfficeError::refused(unknown("problem", named, known.iter().map(String::as_str)))),
        }
    }

    /// Executes what is due by the clock, such as the freeze of the board, and returns the state.
    ///
    /// If the log cannot be written, the state includes what is due, and the log gets it later. So a full disk neither stops the
    /// pages nor prevents the freeze of the board.
    ///
    /// # Errors
    /// As [`Self::state`].
    pub fn tick(&self) -> Result<Arc<State>, OfficeError> {
        let now = (self.clock)();
        let state = self.state()?;
        let lines = state.due(now);
        if lines.is_empty() {
            return Ok(state);
        }
        let written = self.log().append_due(now);
        match written {
            Ok(()) => self.state(),
            Err(error) if error.is_of_disk() => {
                let mut ahead = State::clone(&*state);
                lines.into_iter().try_for_each(|line| ahead.apply(Dated { at: now, line }))?;
                Ok(Arc::new(ahead))
            }
            Err(error) => Err(error),
        }
    }

    /// The bytes of an upload, unchanged.
    ///
    /// # Errors
    /// [`OfficeError::Io`], including for a stored file that has changed.
    pub fn upload(&self, hash: &Hash) -> Result<Vec<u8>, OfficeError> {
        let path = uploads::path(&self.folder, hash);
        uploads::read(&path, hash).map_err(|error| OfficeError::io(&path, error))
    }

    /// Tests whether this machine has a program.
    pub(crate) fn has(&self, program: &str) -> bool {
        (self.tools)(program)
    }

    pub(crate) fn opened(&self) -> Result<Folder, OfficeError> {
        Folder::open(&self.folder).map_err(|error| OfficeError::io(&self.folder, error))
    }

    pub(crate) fn log(&self) -> MutexGuard<'_, Log> {
        let mut log = self.log.lock();
        log.set_organiser(self.by.as_deref());
        log
    }
}

fn all_tools() -> Tools {
    Arc::new(|_| true)
}
