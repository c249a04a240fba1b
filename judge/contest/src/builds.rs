//! Builds: planned from a contest, and executed as jobs before the first run.
//!
//! A command that several entries name is executed once. By default it is isolated. It can write the folders of its entries, and
//! read and write the additions of the `[build]` table. It sees no other part of the contest and has no network. A failed build
//! becomes the verdict of all runs of its entries; the contest continues without them.

mod exposed;

use std::io;
use std::path::{Path, PathBuf};

use judge_core::fingerprint::Fingerprint;
use judge_core::journal::{BUILDS, Build, Built, FETCH_LOG, referee_log};
use judge_core::plan::{Problem, referee_in_words, referee_program};
use judge_core::verdict::Verdict;
use judge_files::Folder;
use judge_files::regular;
use judge_job::{Argument, End, Executor, Interrupted, IsolationMode, Job, Outcome, Place};

use crate::check::Subject;
use crate::contest::clean;
use crate::guard::catch_panic;
use crate::outputs::Syncing;
use crate::{BuildRules, Contest, programs};

pub use exposed::exposed;
use exposed::results_shown;

/// The folder of a results directory with the output of builds: `builds/ENTRY.ATTEMPT.log`.
pub const LOGS: &str = judge_core::journal::BUILDS;
/// The most lines and bytes at the end of a failed build's output that its reason quotes.
const TAIL_LINES: usize = 20;
const TAIL_BYTES: u64 = 2000;
/// The separator between the lines that a reason quotes.
pub(crate) const BETWEEN_LINES: &str = " | ";

/// The hint of a failed build for its author: a file that the build did not see.
const HINT: &str = "; a build sees its own folder only: ";

/// The reason of a failed build in one line: its command, how it ended, the first quoted line with an error or otherwise the
/// first line, and the hint.
pub fn first_error(reason: &str) -> String {
    let (quoted, hint) = reason.rfind(HINT).map_or((reason, ""), |at| reason.split_at(at));
    // A command may also contain the separator of lines.
    let command = quoted.find("` ").map_or(0, |at| at + 2);
    let Some((how, output)) = quoted[command..].split_once(": ") else { return reason.to_owned() };
    let is_error = |line: &&str| line.to_ascii_lowercase().contains("error");
    let line = output.split(BETWEEN_LINES).find(is_error).or(output.split(BETWEEN_LINES).next()).unwrap_or_default();
    format!("{}{how}: {line}{hint}", &quoted[..command])
}

/// Reads an environment variable of the organiser.
pub type Environment<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Removes the logs of builds that are not recorded in the journal.
///
/// # Errors
/// The system's error for the first log that cannot be removed.
pub fn forget_logs(builds: &[Build], results: &Path) -> io::Result<()> {
    if builds.is_empty() {
        return Ok(());
    }
    let folder = Folder::open(results)?.folder(BUILDS)?;
    let logs = builds.iter().map(|build| format!("{}.{}", build.log_name(), build.attempt));
    logs.flat_map(|log| [format!("{log}.log"), format!("{log}.err")]).try_for_each(|log| folder.remove_file(log))
}

/// A build command with the entries that name it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedBuild {
    /// The command from the contest file, for `sh -c`.
    pub command: String,
    /// The entries, in the order of the contest file; none for the build of a referee.
    pub entries: Vec<String>,
    /// The identifier of the problem whose referee it builds; empty for entries, and for the referee of a contest with one
    /// problem.
    problem: String,
    /// The folders of these entries, which the build may write.
    folders: Vec<Place>,
}

impl PlannedBuild {
    /// The name of the program in words, if it is a referee.
    pub fn referee_in_words(&self) -> String {
        referee_in_words(&referee_program(&self.problem)).unwrap_or_default()
    }

    /// The subject of a finding about this build.
    pub fn subject(&self) -> Subject {
        let of_referee = || Subject::Referee(referee_program(&self.problem).into_owned());
        self.entries.first().map_or_else(of_referee, |entry| Subject::Entry(entry.clone()))
    }

    /// An attempt at this build, with only its result.
    fn done(&self, attempt: u32, built: Built) -> Build {
        let mut build = Build::new(&self.command, self.entries.clone(), attempt, built);
        build.problem.clone_from(&self.problem);
        build
    }

    /// A build of a program of a contest that is not an entry. It may write its folder.
    pub fn from_program(command: String, folder: PathBuf) -> Self {
        Self { command, entries: Vec::new(), problem: String::new(), folders: vec![folder.into()] }
    }
}

/// The reason why no build was started.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildsError {
    /// The command that fetches what builds need failed.
    #[error("{reason}; see {}", log.display())]
    Fetch {
        /// The reason, as a fragment.
        reason: String,
        /// File with everything that the command printed.
        log: PathBuf,
    },
    /// A folder or a log could not be created.
    #[error("{}: {error}", path.display())]
    Io {
        /// The folder or file that could not be created.
        path: PathBuf,
        /// The reason why the system could not read or write it.
        #[source]
        error: io::Error,
    },
    /// Builds would see results. Contains the reason.
    #[error("{0}")]
    Exposed(String),
    /// The user asked to stop.
    #[error("interrupted")]
    Interrupted,
}

impl From<Interrupted> for BuildsError {
    fn from(_: Interrupted) -> Self {
        Self::Interrupted
    }
}

/// The builds of a contest's referees, without entries. Referees without a build command are skipped.
pub fn plan_referees(contest: &Contest) -> Vec<PlannedBuild> {
    let build = |problem: &Problem| {
        let referee = problem.referee.as_deref()?;
        let (command, problem) = (referee.build.clone()?, problem.id.clone());
        let folder = contest.places().build_folder(&referee.command, referee.folder.as_deref());
        Some(PlannedBuild { command, entries: Vec::new(), problem, folders: folder.into_iter().collect() })
    };
    contest.plan.problems.iter().filter_map(build).collect()
}

/// The builds of a contest's entries, in the order of their first entries. Withdrawn entries are not built.
pub fn plan(contest: &Contest) -> Vec<PlannedBuild> {
    let mut builds: Vec<PlannedBuild> = Vec::new();
    for entry in contest.plan.entries.iter().filter(|entry| !contest.withdrawn.contains_key(&entry.name)) {
        let Some(command) = &entry.build else { continue };
        let index = builds.iter().position(|build| build.command == *command).unwrap_or_else(|| {
            let (entries, problem, folders) = Default::default();
            builds.push(PlannedBuild { command: command.clone(), entries, problem, folders });
            builds.len() - 1
        });
        let build = &mut builds[index];
        build.entries.push(entry.name.clone());
        // Without isolation an entry may lack a folder, and its build may write anywhere.
        if let Some(folder) = contest
            .places()
            .build_folder(&entry.command, entry.folder.as_deref())
            .ok()
            .filter(|folder| !build.folders.contains(folder))
        {
            build.folders.push(folder);
        }
    }
    builds
}

/// Executes the builds of a contest, one after the other.
pub struct Builder<'a> {
    /// The contest that names the builds.
    pub contest: &'a Contest,
    /// The results directory, which gets the logs.
    pub results: &'a Path,
    /// Reads variables of the organiser's environment, such as `PATH`.
    pub environment: Environment<'a>,
}

impl Builder<'_> {
    /// Runs the command that fetches what builds need, if the contest has one. The executor does not isolate it.
    ///
    /// # Errors
    /// [`BuildsError`] if the command fails, an interrupt was requested, or its log cannot be written.
    pub fn fetch(&self, executor: &dyn Executor) -> Result<Option<Build>, BuildsError> {
        let Some(command) = &self.contest.builds.fetch else { return Ok(None) };
        let (log, attempt) = self.log(FETCH_LOG)?;
        let job = self.job(command, &log, Vec::new(), Vec::new());
        let outcome = catch_panic("the executor", || Ok(executor.execute(&job)));
        let (built, wall_us) = match outcome {
            Ok(outcome) => {
                let outcome = outcome?;
                (built(command, &outcome, &log), outcome.wall_us)
            }
            Err(reason) => (Built::JudgeError { reason }, None),
        };
        match built {
            Built::Succeeded => {}
            Built::Failed { reason } | Built::JudgeError { reason } => return Err(BuildsError::Fetch { reason, log }),
        }
        let mut build = Build::fetching(command, attempt, built);
        (build.wall_us, build.log) = (wall_us, Some(self.printed(&log)?));
        Ok(Some(build))
    }

    /// The fingerprint of a command's output. The output is synced to disk before the journal names it.
    fn printed(&self, log: &Path) -> Result<Fingerprint, BuildsError> {
        let files = [log.to_owned(), log.with_extension("err")];
        let synced = Syncing::new(self.results).sync_files(files.iter().map(PathBuf::as_path));
        synced.map_err(|(path, error)| BuildsError::Io { path, error })?;
        let printed = regular::open_beneath(self.results, log).and_then(Fingerprint::from_reader);
        printed.map_err(|error| BuildsError::Io { path: log.to_owned(), error })
    }

    /// Executes a build and returns its result and its log.
    ///
    /// # Errors
    /// [`BuildsError`] if the build would see results, an interrupt was requested, or a folder or log cannot be written.
    /// A command that fails is not an error.
    pub fn build(&self, build: &PlannedBuild, executor: &dyn Executor) -> Result<(Build, PathBuf), BuildsError> {
        let rules = &self.contest.builds;
        let name = build.entries.first().map_or_else(|| referee_log(&build.problem), |entry| entry.as_str().into());
        let (log, attempt) = self.log(&name)?;
        let (readable, mut writable) = self.shared(build);
        if rules.isolation == IsolationMode::Off {
            writable.clear();
        } else if let Some(reason) = self.shows(&readable, &writable, &build.folders) {
            return Err(BuildsError::Exposed(reason));
        }
        let failed = |built| {
            let mut build = build.done(attempt, built);
            build.log = Fingerprint::from_reader(io::empty()).ok();
            Ok((build, log.clone()))
        };
        for place in &writable {
            match place.create() {
                Ok(_) => {}
                // An author or another build put something else at this path.
                Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::NotADirectory) => {
                    let reason = format!("`{}` may not write {}, which {error}", build.command, place.path().display());
                    return failed(Built::Failed { reason });
                }
                Err(error) => return Err(BuildsError::Io { path: place.path(), error }),
            }
        }
        let mut job = self.job(&build.command, &log, readable, writable);
        (job.folder_bytes, job.keeps_modes, job.own_user) = (rules.folder_bytes, rules.keeps_modes, rules.own_user);
        if rules.cores.is_some() {
            let slots = executor.capacity(&[rules.limits], Some(std::num::NonZeroUsize::MIN)).slots;
            job.processors = slots.into_iter().next().unwrap_or_default();
        }
        let (built, wall_us) = match catch_panic("the executor", || Ok(executor.execute(&job))) {
            Ok(outcome) => {
                let outcome = outcome?;
                let built = self.with_hint(built(&build.command, &outcome, &log), &job, &log);
                if rules.keeps_modes {
                    self.let_execute(build);
                }
                let missing = if built == Built::Succeeded { self.missing(build) } else { None };
                (missing.map_or(built, |reason| Built::Failed { reason }), outcome.wall_us)
            }
            Err(reason) => (Built::JudgeError { reason }, None),
        };
        let mut build = build.done(attempt, built);
        (build.wall_us, build.log) = (wall_us, Some(self.printed(&log)?));
        Ok((build, log))
    }

    /// Makes the programs of its entries executable. Some linkers do so by changing modes, which the build may not be allowed to
    /// do.
    fn let_execute(&self, build: &PlannedBuild) {
        let entries = self.contest.plan.entries.iter().filter(|entry| build.entries.contains(&entry.name));
        let programs = entries.filter_map(|entry| self.contest.command(entry).into_iter().next());
        for program in programs {
            if let Argument::Path(place) = program {
                // The next step that reads the program reports that it is missing or leads out of its folder.
                place.open().and_then(|item| item.let_execute()).ok();
            }
        }
    }

    /// The reason why a successful build is not usable: a file that one of its entries reads is still missing.
    fn missing(&self, build: &PlannedBuild) -> Option<String> {
        let entries = self.contest.plan.entries.iter().filter(|entry| build.entries.contains(&entry.name));
        // Only the author's files: a missing file of the contest is the organiser's problem.
        for entry in entries {
            let words = self.contest.command(entry).into_iter().filter_map(|word| match word {
                Argument::Path(place) => Some((place, false)),
                Argument::Text(_) | Argument::File(_) | Argument::Folder(_) => None,
            });
            let readable = self.contest.readable(entry).into_iter().map(|place| (place, true));
            for (place, needed) in words.chain(readable) {
                let path = place.path();
                match place.open() {
                    Err(error) if error.kind() == io::ErrorKind::InvalidInput => {
                        return Some(format!("`{}` succeeded, but {} {error}", build.command, path.display()));
                    }
                    Err(error) if needed => {
                        let error = match error.kind() {
                            io::ErrorKind::NotFound => "does not exist".to_owned(),
                            _ => error.to_string(),
                        };
                        return Some(format!("`{}` succeeded, but {} {error}", build.command, path.display()));
                    }
                    _ => {}
                }
                if let Some(size) = programs::too_large(&place) {
                    return Some(format!("`{}` succeeded, but {}: {size}", build.command, path.display()));
                }
            }
            if let Err(error) = self.contest.working_files(entry) {
                return Some(format!("`{}` succeeded, but its working files {error}", build.command));
            }
        }
        None
    }

    /// The places that a build may read, and the places that it may write, including its own folders.
    fn shared(&self, build: &PlannedBuild) -> (Vec<Place>, Vec<Place>) {
        let (rules, places) = (&self.contest.builds, self.contest.places());
        let shared = rules.writable.iter().filter_map(|path| self.expand(path));
        let shared = shared.map(|path| places.folder(&clean(&places.contest().join(&path)), path.is_absolute()));
        let readable = rules.readable.iter().filter_map(|path| self.expand(path));
        let readable = readable.map(|path| places.place(&path.to_string_lossy(), None));
        // Missing places are skipped. So are places that an author redirected: they must not cost others their builds.
        let readable = readable.filter(|place| place.open().is_ok()).collect();
        (readable, build.folders.iter().cloned().chain(shared).collect())
    }

    /// The reason why a build would be refused because it exposes the answers of entries, as a fragment. The results directory
    /// need not exist yet. [`Hint::OtherResults`](judge_core::hint::Hint::OtherResults) is another remedy.
    pub fn exposed(&self, build: &PlannedBuild) -> Option<String> {
        if self.contest.builds.isolation == IsolationMode::Off {
            return None;
        }
        let (readable, writable) = self.shared(build);
        self.shows(&readable, &writable, &build.folders)
    }

    fn shows(&self, readable: &[Place], writable: &[Place], own: &[Place]) -> Option<String> {
        let places = self.contest.places();
        let (place, shown) = readable
            .iter()
            .chain(writable)
            .find_map(|place| Some((place, results_shown(place, own, places.contest(), self.results)?)))?;
        Some(format!(
            "[build] names {}, which shows the results directory {}, and builds would see the answers of other entries; \
             name single files and folders",
            place.path().display(),
            shown.display()
        ))
    }

    /// Returns the result, with a hint if the build failed because it does not see a file of the contest.
    fn with_hint(&self, built: Built, job: &Job, log: &Path) -> Built {
        let Built::Failed { reason } = built else { return built };
        if self.contest.builds.isolation == IsolationMode::Off {
            return Built::Failed { reason };
        }
        let contest = self.contest.places().contest().to_owned();
        let seen: Vec<PathBuf> = job.readable.iter().chain(&job.writable).map(Place::path).collect();
        let lines = last_lines(log).join("\n");
        let words = lines.split(|letter: char| letter.is_whitespace() || "\"'`:;,()[]<>".contains(letter));
        let words = words.filter(|word| !word.is_empty());
        // A compiler names a file relative to the contest's folder, or to the folder of the file that includes it.
        let from: Vec<PathBuf> = job.writable.iter().map(Place::path).chain([contest.clone()]).collect();
        let mut paths = words.flat_map(|word| from.iter().map(move |folder| clean(&folder.join(word))));
        let hidden = paths.find(|path| {
            let inside = path.starts_with(&contest) && *path != contest;
            inside && !seen.iter().any(|seen| path.starts_with(seen)) && path.exists()
        });
        let hint = hidden.map_or(String::new(), |path| {
            let path = path.strip_prefix(&contest).unwrap_or(&path).display().to_string();
            format!("{HINT}add {path:?} to `[build] readable` if it needs that")
        });
        Built::Failed { reason: reason + &hint }
    }

    fn job(&self, command: &str, log: &Path, readable: Vec<Place>, writable: Vec<Place>) -> Job {
        let BuildRules { limits, .. } = &self.contest.builds;
        // Both streams in one log, in the order in which they were written.
        let argv = ["sh".to_owned(), "-c".into(), format!("exec 2>&1\n{command}")];
        let mut job = Job::new(argv, log, log.with_extension("err"))
            .with_directory(self.contest.places().contest().to_owned())
            .with_limits(*limits);
        job.readable = readable;
        job.writable = writable;
        job.environment = self.variables().collect();
        job
    }

    /// The variables of the `[build]` table that have a value, with their values.
    fn variables(&self) -> impl Iterator<Item = (String, String)> {
        self.contest.builds.environment.iter().filter_map(|variable| {
            let (name, default) =
                variable.split_once('=').map_or((&**variable, None), |(name, value)| (name, Some(value)));
            let default = || Some(self.expand_home(default?)?.display().to_string());
            Some((name.to_owned(), (self.environment)(name).or_else(default)?))
        })
    }

    /// An expanded path of the `[build]` table, relative to the contest's folder. `None` if it begins with `~` without a home
    /// directory, or with a `$NAME` that has no value.
    fn expand(&self, path: &str) -> Option<PathBuf> {
        match path.strip_prefix('$') {
            Some(path) => {
                let (name, rest) = path.split_once('/').unwrap_or((path, ""));
                Some(PathBuf::from(self.variables().find(|(known, _)| known == name)?.1).join(rest))
            }
            None => self.expand_home(path),
        }
    }

    fn expand_home(&self, path: &str) -> Option<PathBuf> {
        match path.strip_prefix('~') {
            Some(rest) if rest.is_empty() || rest.starts_with('/') => {
                Some(PathBuf::from((self.environment)("HOME")?).join(rest.trim_start_matches('/')))
            }
            _ => Some(path.into()),
        }
    }

    /// Creates the log of the first attempt without a log, and returns it with the number of the attempt.
    fn log(&self, name: &str) -> Result<(PathBuf, u32), BuildsError> {
        let folder = self.results.join(LOGS);
        let io_error = |path: &Path| {
            let path = path.to_owned();
            |error| BuildsError::Io { path, error }
        };
        let opened = Folder::open(self.results).and_then(|results| results.create_folders(LOGS));
        let opened = opened.map_err(io_error(&folder))?;
        let mut attempt = 1;
        loop {
            let [log, errors] = ["log", "err"].map(|end| format!("{name}.{attempt}.{end}"));
            match opened.create_new(&log) {
                Ok(_) if !opened.has(&errors) => return Ok((folder.join(log), attempt)),
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(io_error(&folder.join(log))(error)),
            }
            attempt += 1;
        }
    }
}

/// The result of a build.
fn built(command: &str, outcome: &Outcome, log: &Path) -> Built {
    let reason = match (&outcome.end, Verdict::from_end(&outcome.end)) {
        (_, None) => return Built::Succeeded,
        (End::CouldNotStart { reason, by_author: true }, _) => {
            return Built::Failed { reason: format!("`{command}` could not be started: {reason}") };
        }
        (End::JudgeError { reason } | End::CouldNotStart { reason, .. }, _) => {
            return Built::JudgeError { reason: format!("building with `{command}`: {reason}") };
        }
        (End::Exited { code }, _) => format!("ended with exit code {code}"),
        (End::ScratchFull, _) => "made more files than its folder or its scratch directory may hold".into(),
        (_, Some(verdict)) => verdict.fault().unwrap_or_default(),
    };
    let tail = last_lines(log).join(BETWEEN_LINES);
    let separator = if tail.is_empty() { "" } else { ": " };
    Built::Failed { reason: format!("`{command}` {reason}{separator}{tail}") }
}

/// The last lines of a build's output; none if they cannot be read.
pub fn last_lines(log: &Path) -> Vec<String> {
    let bytes = regular::tail(log, TAIL_BYTES).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<&str> = text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    lines[lines.len().saturating_sub(TAIL_LINES)..].iter().map(|line| (*line).to_owned()).collect()
}
