//! A contest: games, boards, entries, limits and ranking, read from a contest file and checked as a whole.
//!
//! [`Contest::load`] finds every error before the first run. Its [`Plan`] is plain data that includes the boards, so a journal
//! with the plan in its header needs no other file.

mod answers;
mod build;
mod described;
mod elsewhere;
mod error;
mod file;
mod files;
mod folders;
mod known;
mod load;
mod moment;
pub mod office;
mod places;
mod surroundings;
mod write_up;

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use answers::AnswersError;
#[cfg(feature = "run")]
pub(crate) use answers::archived;
#[cfg(feature = "run")]
pub use answers::uploaded_answers;
pub use build::BuildRules;
#[cfg(feature = "run")]
pub(crate) use build::clean;
pub use described::{NewContest, NewContestError, NewContestFiles, USUAL_LIMIT};
pub use elsewhere::{BoardsError, OtherBoards, Seeds};
pub use error::{ContestError, ContestErrorKind};
pub use file::{
    BoardFileError, KEPT_BYTES, REPEATS, ValueError, milliseconds, parse_duration, parse_kept, parse_size, read_board,
};
pub(crate) use files::FilePaths;
#[cfg(feature = "run")]
pub(crate) use files::read_contents;
pub(crate) use places::Places;
pub use surroundings::Surroundings;

use judge_core::games;
use judge_core::hint::Hint;
use judge_core::plan::{Board, Entry, FileContents, Overrides, Plan, Problem, StoredFile};
use judge_core::referee::{GameBoard, Referee, Replayed};
use judge_core::shared::Shared;
use judge_core::text::unknown;
use judge_core::withdrawal::Withdrawal;
#[cfg(feature = "run")]
use judge_job::Link;
use judge_job::{Argument, CopiedFile, Job, Place, PlacedFile, canonical_parent, leads_through_proc};

/// The most files that an entry finds in its working directory. Each is a link that is created for every run, and a build
/// can create any number of files.
#[cfg(feature = "run")]
const MAX_WORKING_FILES: usize = 10_000;

/// Name of the board file in an entry's scratch directory.
pub const BOARD_FILE: &str = "board.txt";

/// The name of the contest file in a folder.
pub const FILE_NAME: &str = "contest.toml";

/// A contest file that was read and checked.
pub struct Contest {
    /// The contest file, absolute, in a folder without links and `..`, so that its path is unique.
    pub path: PathBuf,
    /// The contest, with the overrides of the command line.
    pub plan: Shared<Plan>,
    /// Limits, isolation and files of all builds.
    pub builds: BuildRules,
    /// The most bytes of a program that the results directory keeps; 0 for none.
    pub keep_programs: u64,
    /// The referee of the boards whose game is built in. Referees that are programs are in [`crate::external`].
    pub referee: Arc<dyn Referee>,
    /// The entries that are withdrawn or disqualified, with the reason. They are also in the plan.
    pub withdrawn: BTreeMap<String, Withdrawal>,
    /// The boards that do not count, with the reason. They are also in the plan.
    pub struck: BTreeMap<String, String>,
    /// The rules of its office.
    pub office: office::OfficeSetup,
    /// The surroundings of entries that are not in the contest file.
    pub surroundings: Surroundings,
    /// Sealed boards of later rounds whose files exist. They are added to the plan when their round opens.
    sealed: Vec<Board>,
    /// True if the plan contains boards that were sealed when the referee was created.
    unsealed: bool,
    /// Names of the boards in the order of the contest file.
    board_order: Vec<String>,
    /// The paths of the plan's stored files, by hash, before they are copied to a results directory.
    pub(crate) paths: FilePaths,
    /// Archives with answers of entries.
    #[cfg_attr(not(feature = "run"), expect(dead_code, reason = "archives are read to run a contest"))]
    pub(crate) archives: Vec<PathBuf>,
    /// True for a contest that exists only as a journal: it cannot be executed, and no board is parsed.
    #[cfg(feature = "run")]
    pub(crate) only_recorded: bool,
}

impl Contest {
    /// A contest with a known plan, whose file is not read. `path` is the path of the file; programs are relative to its folder.
    /// Nothing can be built, and stored files are found only in the results directory.
    ///
    /// # Errors
    /// [`ContestError`] if the plan is not usable.
    pub fn from_plan(path: PathBuf, plan: impl Into<Shared<Plan>>) -> Result<Self, ContestError> {
        let plan = plan.into();
        let refuse = |reason: String| ContestError::whole(&path, ContestErrorKind::Value, reason);
        let referee = Arc::new(Replayed::new(parsed(&plan).map_err(refuse)?));
        Ok(Self::of_plan(path, plan, referee))
    }

    /// A contest from a journal, for decisions on its runs. Its boards are not parsed, so that records stay valid even if
    /// today's rules would refuse a board.
    #[cfg(feature = "run")]
    pub(crate) fn recorded(path: PathBuf, plan: Shared<Plan>) -> Self {
        Self { only_recorded: true, ..Self::of_plan(path, plan, Arc::new(Replayed::default())) }
    }

    fn of_plan(path: PathBuf, plan: Shared<Plan>, referee: Arc<dyn Referee>) -> Self {
        let board_order = plan.boards.iter().map(|board| board.name.clone()).collect();
        let (withdrawn, struck, sealed) = (BTreeMap::new(), BTreeMap::new(), Vec::new());
        let (builds, paths, keep_programs) = (BuildRules::default(), FilePaths::default(), 0);
        Self {
            path,
            plan,
            builds,
            keep_programs,
            referee,
            withdrawn,
            struck,
            office: office::OfficeSetup::default(),
            surroundings: Surroundings::default(),
            sealed,
            unsealed: false,
            board_order,
            paths,
            archives: Vec::new(),
            #[cfg(feature = "run")]
            only_recorded: false,
        }
    }

    /// The contest of one of its problems, as if it were the only one: its boards have their short names. Boards without a
    /// problem, such as those of the command line, stay.
    ///
    /// # Errors
    /// [`ContestErrorKind::Selection`] if no problem has that name, or none is named although there are several.
    pub fn of_problem(mut self, named: Option<&str>) -> Result<Self, ContestError> {
        let refuse = |reason: String| ContestError::whole(&self.path, ContestErrorKind::Selection, reason);
        let problems = &self.plan.problems;
        let ids = problems.iter().map(|problem| &*problem.id);
        let chosen = match (named, &problems[..]) {
            (None, [only]) => only,
            (None, _) => {
                let hint = Hint::NameProblem { problems: ids.map(str::to_owned).collect() };
                return Err(refuse("has several problems".into()).with_hint(Some(hint)));
            }
            (Some(_), _) if !problems.are_named() => {
                return Err(refuse("has no [[problem]] that could be named".into()));
            }
            (Some(id), _) => problems.with_id(id).ok_or_else(|| refuse(unknown("problem", id, ids)))?,
        };
        if !problems.are_named() {
            return Ok(self);
        }
        let (problem, mut plan) = (chosen.clone(), self.plan.clone());
        let own = |name: &str| match problems.of(name) {
            None => Some(name.to_owned()),
            Some(of) => {
                name.strip_prefix(&*problem.id)?.strip_prefix('/').filter(|_| of.id == problem.id).map(Into::into)
            }
        };
        let boards = |boards: &[Board]| -> Vec<Board> {
            let named = |board: &Board| {
                let mut own_name = board.clone();
                own_name.name = own(&board.name)?;
                Some(own_name)
            };
            boards.iter().filter_map(named).collect()
        };
        plan.boards = boards(&self.plan.boards);
        plan.rounds.iter_mut().for_each(|round| {
            round.boards = round.boards.iter().filter_map(|board| own(board)).collect();
            round.seals =
                std::mem::take(&mut round.seals).into_iter().filter_map(|(b, seal)| Some((own(&b)?, seal))).collect();
        });
        plan.rounds.retain(|round| !round.boards.is_empty());
        plan.shown.known = plan.shown.known.iter().filter_map(|(b, known)| Some((own(b)?, known.clone()))).collect();
        plan.shown.best = plan.shown.best.iter().filter_map(|(b, best)| Some((own(b)?, *best))).collect();
        plan.entries.retain(|entry| entry.is_for(&problem.id));
        for entry in plan.entries.iter_mut() {
            entry.problems.clear();
            let answers = entry.answers.take();
            entry.answers = answers.map(|all| all.into_iter().filter_map(|(b, file)| Some((own(&b)?, file))).collect());
        }
        let sealed = boards(&self.sealed);
        let struck = self.struck.iter().filter_map(|(board, why)| Some((own(board)?, why.clone()))).collect();
        let order = self.board_order.iter().filter_map(|board| own(board)).collect();
        plan.problems = problem.into();
        (self.sealed, self.struck, self.board_order) = (sealed, struck, order);
        self.withdrawn.retain(|name, _| plan.entries.iter().any(|entry| entry.name == *name));
        self.adopt(plan)?;
        Ok(self)
    }

    /// Adds the available sealed boards with these names to the plan.
    pub fn unseal(&mut self, opens: impl Fn(&str) -> bool) {
        let (open, sealed) = self.sealed.drain(..).partition(|board| opens(&board.name));
        self.sealed = sealed;
        self.unsealed = true;
        self.plan.boards.extend::<Vec<Board>>(open);
        let places: HashMap<&String, usize> = self.board_order.iter().zip(0..).collect();
        self.plan.boards.sort_by_key(|board| places.get(&board.name).copied());
    }

    /// Adopts the plan of a journal that began with this contest file, with entries and boards that were added later.
    ///
    /// # Errors
    /// [`ContestError`] if the plan is not usable.
    pub fn adopt(&mut self, plan: impl Into<Shared<Plan>>) -> Result<(), ContestError> {
        let plan = plan.into();
        self.referee = self.referee_of(&plan)?;
        (self.plan, self.unsealed) = (plan, false);
        Ok(())
    }

    /// The referee of a plan: the referee of this contest, if its boards and rules are the same.
    fn referee_of(&self, plan: &Plan) -> Result<Arc<dyn Referee>, ContestError> {
        let rules = |plan: &Plan| {
            let of = |problem: &Problem| (problem.game.clone(), problem.rules.clone(), problem.referee.is_some());
            plan.problems.iter().map(of).collect::<Vec<_>>()
        };
        if !self.unsealed && rules(plan) == rules(&self.plan) && plan.boards == self.plan.boards {
            return Ok(self.referee.clone());
        }
        let refuse = |reason: String| ContestError::whole(&self.path, ContestErrorKind::Value, reason);
        Ok(Arc::new(Replayed::new(parsed(plan).map_err(refuse)?)))
    }

    /// A copy of the contest with another plan of its journal.
    ///
    /// # Errors
    /// [`ContestErrorKind::Value`] if a board of the plan is not a board of its game.
    #[cfg(feature = "run")]
    pub fn adopting(&self, plan: impl Into<Shared<Plan>>) -> Result<Self, ContestError> {
        let plan = plan.into();
        if self.only_recorded {
            return Ok(Self::recorded(self.path.clone(), plan));
        }
        Ok(Self {
            path: self.path.clone(),
            builds: self.builds.clone(),
            keep_programs: self.keep_programs,
            referee: self.referee_of(&plan)?,
            withdrawn: self.withdrawn.clone(),
            struck: self.struck.clone(),
            office: self.office.clone(),
            surroundings: self.surroundings.clone(),
            sealed: self.sealed.clone(),
            unsealed: false,
            board_order: self.board_order.clone(),
            paths: self.paths.clone(),
            archives: self.archives.clone(),
            only_recorded: false,
            plan,
        })
    }

    /// Tests whether a board is available, sealed or not.
    pub fn has_board(&self, name: &str) -> bool {
        self.board_order.iter().any(|board| board == name)
    }

    /// The contest file's folder, in which builds run and to which relative programs are relative.
    ///
    /// # Panics
    /// If [`Self::from_plan`] got a path without a folder.
    pub fn directory(&self) -> &Path {
        self.path.parent().expect("an absolute path to a file has a parent")
    }

    /// The meaning of the paths in its contest file.
    pub(crate) fn places(&self) -> Places<'_> {
        Places::new(self.directory(), &self.builds)
    }

    /// An entry's command ready to run from any working directory.
    pub fn command(&self, entry: &Entry) -> Vec<Argument> {
        let places = self.places();
        places.arguments(&entry.command, places.own(&entry.command, entry.folder.as_deref()).as_deref())
    }

    /// Files and folders that an entry may read besides those of its command.
    pub fn readable(&self, entry: &Entry) -> Vec<Place> {
        let places = self.places();
        let own = places.own(&entry.command, entry.folder.as_deref());
        let paths = self.plan.readable.iter().chain(&entry.readable).chain(&entry.working_files);
        paths.map(|path| places.place(path, own.as_deref())).collect()
    }

    /// A command of a referee, with the places that it may read.
    #[cfg(feature = "run")]
    pub(crate) fn referee_command(
        &self,
        referee: &judge_core::external::ExternalReferee,
        command: &[String],
    ) -> (Vec<Argument>, Vec<Place>) {
        let places = self.places();
        let own = places.own(&referee.command, referee.folder.as_deref());
        let readable = referee.readable.iter().map(|path| places.place(path, own.as_deref()));
        (places.arguments(command, own.as_deref()), readable.collect())
    }

    /// Adds the arguments and the files of a board to an entry's job, besides the board itself. `stored` finds stored files. A
    /// file replaces a file of the entry with the same name.
    pub fn add_files(&self, board: &Board, job: &mut Job, stored: impl Fn(&StoredFile) -> PathBuf) {
        let places = self.places();
        job.argv.extend(board.entry_args.iter().map(|word| {
            let is_path = Path::new(word).is_absolute();
            if is_path { places.argument(word, true, None) } else { Argument::Text(word.clone()) }
        }));
        job.links.retain(|link| board.files.iter().all(|file| file.name != link.name));
        for file in &board.files {
            let name = file.name.clone();
            let bytes = match &file.contents {
                FileContents::Text(text) => {
                    job.files.push(PlacedFile { name, contents: text.clone().into_bytes() });
                    text.len() as u64
                }
                FileContents::Stored(file) => {
                    job.copies.push(CopiedFile { name, from: stored(file) });
                    file.bytes
                }
            };
            // Files of boards do not use the space that the contest gives to entries.
            job.limits.scratch_bytes = job.limits.scratch_bytes.map(|most| most.saturating_add(bytes));
        }
    }

    /// Links to the files that an entry finds in its working directory, sorted by name. Of two files with the same name, the
    /// first counts. The folder is read each time, because builds create files.
    ///
    /// # Errors
    /// The system's error if the folder cannot be read.
    #[cfg(feature = "run")]
    pub fn working_files(&self, entry: &Entry) -> std::io::Result<Vec<Link>> {
        let places = self.places();
        let own = places.own(&entry.command, entry.folder.as_deref());
        let mut links: BTreeMap<String, PathBuf> = BTreeMap::new();
        for path in &entry.working_files {
            let place = places.place(path, own.as_deref());
            let found = match judge_files::Folder::from_item(place.open()?) {
                // One more than the limit is read, so that an endless folder takes no time.
                Ok(folder) => {
                    folder.names()?.take(MAX_WORKING_FILES + 1).map(|name| Ok(place.path().join(name?))).collect()
                }
                Err(_) => std::io::Result::Ok(vec![place.path()]),
            };
            for to in found? {
                // A job that is sent to another machine cannot contain a name that is not UTF-8.
                let Some(name) = to.file_name().and_then(|name| name.to_str()) else { continue };
                links.entry(name.to_owned()).or_insert(to);
            }
            if links.len() > MAX_WORKING_FILES {
                let reason =
                    format!("are more than {MAX_WORKING_FILES}; put them into folders, or name a folder in `readable`");
                return Err(std::io::Error::new(std::io::ErrorKind::InvalidInput, reason));
            }
        }
        Ok(links.into_iter().map(|(name, to)| Link { name, to }).collect())
    }
}

/// The boards of built-in games, by their names. Problems whose referee is a program have none here. The error is a fragment.
fn parsed(plan: &Plan) -> Result<Vec<(String, GameBoard)>, String> {
    let mut all = Vec::new();
    for problem in plan.problems.iter().filter(|problem| problem.referee.is_none()) {
        let (info, game) = (games::find(&problem.game), problem.game().map_err(|error| error.to_string())?);
        let Some(info) = info else { continue };
        let is_of_it = |board: &&Board| plan.problems.of(&board.name) == Some(problem);
        for Board { name, text, .. } in plan.boards.iter().filter(is_of_it) {
            let puzzle = file::parse(&*game, text.as_bytes()).map_err(|error| format!("board {name}: {error}"))?;
            all.push((name.clone(), (info, puzzle)));
        }
    }
    Ok(all)
}

/// A command in the form in which it runs from any working directory.
///
/// A program with a `/` is relative to `directory`; a program without one is looked up on the PATH. Another word that names a
/// file in `directory` becomes its absolute path. `{dir}` in a word is replaced by the path of `directory`.
pub fn resolve(command: &[String], directory: &Path) -> Vec<String> {
    let words = command.iter().enumerate().map(|(index, word)| {
        let word = word.replace("{dir}", &directory.to_string_lossy());
        let is_path = if index == 0 { word.contains('/') } else { directory.join(&word).is_file() };
        // Without its links, a path through /proc would refer to this process.
        if is_path && !leads_through_proc(&directory.join(&word)) {
            absolute(&word, directory).to_string_lossy().into_owned()
        } else {
            word
        }
    });
    words.collect()
}

/// A path relative to a folder, made absolute. Only its last part can be a link; it has no `..`.
fn absolute(path: &str, directory: &Path) -> PathBuf {
    // Collecting the components removes the `.` of `./program`.
    canonical_parent(&directory.join(path).components().collect::<PathBuf>())
}
