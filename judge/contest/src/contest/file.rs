//! The structure of a contest file, and every check on it. A new key is a field here, a check in [`load`], and a line
//! in the commented file that `judge init` writes.

mod figures;
mod items;
mod limits;
mod lists;
mod matches;
mod nul;
mod office;
mod paths;
mod patterns;
mod problem;
mod referee;
mod rounds;
mod talk;
mod values;
mod wording;

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use toml::Spanned;

use judge_core::figure::Source;
use judge_core::game::{Game, GameInfo, HouseRules, Puzzle};
use judge_core::hint::Hint;
use judge_core::plan::{Board, DisplayInfo, Plan, Problem, Problems, RankKey};
use judge_core::referee::GameBoard;
use judge_core::shared::Shared;
use judge_core::text::unknown;
use judge_core::withdrawal::Withdrawal;
use judge_files::regular;
use judge_job::{IsolationMode, Limits};

use super::files::FilePaths;
use super::office::{ANSWERS, OfficeSetup};
use super::{BuildRules, ContestError, ContestErrorKind, known};
use crate::guard::catch_panic;
use figures::{FigureTable, GroupTable, Lists, ShownTable};
pub use judge_core::plan::REPEATS;
use limits::LimitsTable;
use matches::MatchTable;
use office::{LanguageTable, NotifyTable, OfficeTable};
use patterns::GivenBoards;
use problem::Reading;
use referee::{InputValue, RefereeTable};
use rounds::RoundTable;
pub use values::{
    BoardFileError, KEPT_BYTES, ValueError, milliseconds, parse_duration, parse_kept, parse_size, read_board,
};

/// The largest contest file, in bytes.
const MAX_BYTES: u64 = 256 << 20;

/// Defines tables that have the keys of a problem besides others.
macro_rules! with_problem_keys {
    ($($name:ident { $($(#[$attribute:meta])* $own:ident: $type:ty,)* })*) => {
        with_problem_keys! { @keys
            [$($name { $($(#[$attribute])* $own: $type,)* })*]
            game: Option<Spanned<String>>,
            limit: Option<Spanned<String>>,
            grace: Option<Spanned<String>>,
            cpu: Option<Spanned<String>>,
            memory: Option<Spanned<String>>,
            processes: Option<Spanned<toml::Value>>,
            output: Option<Spanned<String>>,
            scratch: Option<Spanned<String>>,
            best_known: Option<Spanned<String>>,
            statement: Option<Spanned<String>>,
            rules: Option<Spanned<HouseRules>>,
            figure: Vec<FigureTable>,
            table: Option<Spanned<ShownTable>>,
            input: Option<Spanned<InputValue>>,
            answers: Option<Spanned<AnswersTable>>,
            referee: Option<Spanned<RefereeTable>>,
            group: Vec<GroupTable>,
            board: Vec<Spanned<GivenBoards>>,
        }
    };
    (@keys [] $($key:ident: $value:ty,)*) => {
        /// The keys of a problem.
        struct ProblemKeys { $($key: $value,)* }
    };
    (@keys [$name:ident { $($(#[$attribute:meta])* $own:ident: $type:ty,)* } $($rest:tt)*] $($key:ident: $value:ty,)*) => {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct $name {
            $($(#[$attribute])* $own: $type,)*
            $(#[serde(default)] $key: $value,)*
        }

        impl $name {
            fn take_problem(&mut self) -> ProblemKeys {
                ProblemKeys { $($key: std::mem::take(&mut self.$key),)* }
            }
        }

        with_problem_keys! { @keys [$($rest)*] $($key: $value,)* }
    };
}

with_problem_keys! {
    File {
        name: String,
        cores: Option<Spanned<i64>>,
        isolation: Option<Spanned<String>>,
        build_isolation: Option<Spanned<String>>,
        keep_programs: Option<Spanned<String>>,
        build: Option<BuildTable>,
        #[serde(default)]
        readable: Vec<Spanned<String>>,
        ranking: Option<Ranking>,
        #[serde(rename = "match")]
        matches: Option<Spanned<MatchTable>>,
        #[serde(default)]
        problem: Vec<ProblemTable>,
        repeat: Option<Spanned<i64>>,
        #[serde(default)]
        entry: Vec<EntryTable>,
        #[serde(default)]
        round: Vec<RoundTable>,
        office: Option<Spanned<OfficeTable>>,
        #[serde(default)]
        language: Vec<LanguageTable>,
        notify: Option<NotifyTable>,
    }
    ProblemTable {
        id: Spanned<String>,
        name: Option<String>,
        file: Option<Spanned<String>>,
    }
    ProblemFile {
        name: Option<String>,
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BuildTable {
    limit: Option<Spanned<String>>,
    memory: Option<Spanned<String>>,
    processes: Option<Spanned<toml::Value>>,
    scratch: Option<Spanned<String>>,
    output: Option<Spanned<String>>,
    cores: Option<Spanned<i64>>,
    #[serde(default)]
    readable: Vec<String>,
    #[serde(default)]
    writable: Vec<String>,
    #[serde(default)]
    environment: Vec<Spanned<String>>,
    fetch: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AnswersTable {
    #[serde(default)]
    stream: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Ranking {
    order: Spanned<Vec<Spanned<String>>>,
    #[serde(default)]
    exactly: bool,
}

/// A board as its table or its pattern defines it. The file may leave out its names if `files` is a pattern.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BoardTable<N = Spanned<String>, F = Vec<Spanned<String>>> {
    name: N,
    file: N,
    #[serde(default)]
    reconstruction: bool,
    note: Option<String>,
    answer: Option<Spanned<String>>,
    #[serde(default)]
    args: Vec<String>,
    #[serde(default)]
    entry_args: Vec<String>,
    files: F,
    group: Option<Spanned<String>>,
    points: Option<Spanned<String>>,
    best: Option<Spanned<String>>,
    struck: Option<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EntryTable {
    name: Spanned<String>,
    author: Option<String>,
    year: Option<u16>,
    strategy: Option<String>,
    write_up: Option<Spanned<String>>,
    build: Option<Spanned<String>>,
    folder: Option<String>,
    command: Option<Spanned<toml::Value>>,
    answers: Option<Spanned<String>>,
    #[serde(default)]
    readable: Vec<Spanned<String>>,
    #[serde(default)]
    working_files: Vec<Spanned<String>>,
    problems: Option<Spanned<Vec<Spanned<String>>>>,
    #[serde(default)]
    source: Vec<Spanned<String>>,
    limits: Option<LimitsTable>,
    #[serde(default = "yes")]
    competing: bool,
    withdrawn: Option<Spanned<String>>,
    disqualified: Option<Spanned<String>>,
}

fn yes() -> bool {
    true
}

type ParsedBoard = (Board, Box<dyn Puzzle>);

/// A contest file with its boards.
pub(super) struct Loaded {
    pub(super) plan: Plan,
    /// The boards of built-in games, by their names.
    pub(super) puzzles: Vec<(String, GameBoard)>,
    /// The paths of the plan's stored files.
    pub(super) paths: FilePaths,
    /// Extracted files of archives, to which `paths` leads.
    pub(super) archives: Vec<PathBuf>,
    pub(super) builds: BuildRules,
    /// The most bytes of a program that are kept.
    pub(super) keep_programs: u64,
    /// The withdrawn entries, and the boards that do not count, with the reasons.
    pub(super) withdrawn: BTreeMap<String, Withdrawal>,
    pub(super) struck: BTreeMap<String, String>,
    pub(super) office: OfficeSetup,
}

/// The boards that the caller needs from a contest file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BoardsWanted {
    /// At least one.
    Some,
    /// Any number: other boards replace them.
    Any,
    /// No boards, so their files need not exist.
    None,
}

impl BoardsWanted {
    /// What is wanted to run a contest: boards that replace those of the file need none there.
    pub(super) fn for_runs(overrides: &super::Overrides) -> Self {
        if overrides.other_boards.is_some() { Self::Any } else { Self::Some }
    }
}

/// Reads a contest file.
pub(super) fn load(path: &Path, wanted: BoardsWanted, needs_entries: bool) -> Result<Loaded, ContestError> {
    let text = read_text(path).map_err(|(kind, reason)| {
        let missing = (kind == io::ErrorKind::NotFound).then(|| Hint::NewContest { missing: path.to_owned() });
        ContestError::whole(path, ContestErrorKind::Unreadable, reason).with_hint(missing)
    })?;
    Reader::new(path, &text).load(wanted, needs_entries)
}

/// The text of a contest file, or of the file of a problem. The error is a fragment, with its kind.
fn read_text(path: &Path) -> Result<String, (io::ErrorKind, String)> {
    let bytes = regular::read(path, MAX_BYTES)
        .and_then(|bytes| String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error)));
    bytes.map_err(|error| {
        let reason = match error.kind() {
            io::ErrorKind::NotFound => "no such file".into(),
            io::ErrorKind::InvalidData => "is not UTF-8; a contest file is TOML in UTF-8".into(),
            _ => error.to_string(),
        };
        (error.kind(), reason)
    })
}

/// The file being read, for errors that name the place.
#[derive(Clone)]
struct Reader<'a> {
    path: &'a Path,
    text: &'a str,
    /// The contest file. It is another file than `path` if that is the file of a problem.
    contest: &'a Path,
    /// The identifier of the problem that is read; empty if the contest has only one.
    problem: String,
    /// The folder of this file, relative to that of the contest file; empty if it is the same.
    folder: String,
    /// The positions of its line ends. Every name is looked up; counting lines each time would take minutes for a long file.
    line_ends: Vec<usize>,
}

impl<'a> Reader<'a> {
    fn new(path: &'a Path, text: &'a str) -> Self {
        let line_ends = text.match_indices('\n').map(|(end, _)| end).collect();
        Self { path, text, contest: path, problem: String::new(), folder: String::new(), line_ends }
    }
}

impl Reader<'_> {
    fn refuse(&self, span: Range<usize>, reason: impl Into<String>) -> ContestError {
        ContestError::at(self.path, self.line(&span), ContestErrorKind::Value, reason)
    }

    /// The line, from 1, in which a span begins.
    fn line(&self, span: &Range<usize>) -> usize {
        self.line_ends.partition_point(|&end| end < span.start) + 1
    }

    /// The keys of this file.
    fn parsed<T: DeserializeOwned>(&self) -> Result<T, ContestError> {
        let syntax = ContestErrorKind::Syntax;
        if let Some((span, reason)) = lists::for_table(self.text) {
            return Err(ContestError::at(self.path, self.line(&span), syntax, reason));
        }
        if let Some((span, reason)) = figures::gone(self.text) {
            return Err(self.refuse(span, reason));
        }
        let file = toml::from_str(self.text).map_err(|error| {
            let span = error.span();
            let reason = wording::reason(error.message(), span.as_ref(), self.text);
            match span {
                Some(span) => ContestError::at(self.path, self.line(&span), syntax, reason),
                None => ContestError::whole(self.path, syntax, reason),
            }
        })?;
        if let Some((span, key)) = nul::first(self.text) {
            let reason = format!("{key} contains a NUL character, which no program can be given; leave it out");
            return Err(self.refuse(span, reason));
        }
        Ok(file)
    }

    fn load(&self, wanted: BoardsWanted, needs_entries: bool) -> Result<Loaded, ContestError> {
        let mut file: File = self.parsed()?;
        let rules = self.matches(&mut file)?;
        let texts = self.problem_texts(&file)?;
        let own = file.take_problem();
        let limits = self.usual_limits(file.cores.as_ref(), &own)?;
        let sources = self.sources(own, std::mem::take(&mut file.problem), &texts)?;
        let begun = sources.into_iter().map(|source| source.begin(limits, (wanted, rules.is_some())));
        let begun = begun.collect::<Result<Vec<_>, _>>()?;
        let isolation = self.isolation("isolation", file.isolation.as_ref())?;
        let build_isolation = self.isolation("build_isolation", file.build_isolation.as_ref())?;
        let builds = self.builds(build_isolation, file.build)?;
        let keep_programs = file.keep_programs.as_ref().map_or(Ok(KEPT_BYTES), |value| {
            let refuse = |reason| self.refuse(value.span(), format!("keep_programs: {reason}"));
            parse_kept(value.get_ref()).map_err(refuse)
        })?;
        let for_teams = file.office.is_some();
        let counts = file.office.as_ref().and_then(|office| office.get_ref().counts.clone());
        let mut office = self.office(file.office, file.language, file.notify, &file.round, rules.is_some())?;
        let places = self.places(&builds);
        let readable = self.readable("readable", &file.readable, false, &places, None)?;
        let takes_answers = office.allowed.as_ref().is_some_and(|allowed| allowed.iter().any(|code| code == ANSWERS));
        if takes_answers && begun.iter().any(|one| one.needs_programs) {
            let reason = "languages: answers fit no contest that needs programs: one whose referee talks or has passes, or that \
                          takes a stream of answers";
            return Err(ContestError::whole(self.path, ContestErrorKind::Value, format!("[office]: {reason}")));
        }
        let mut shown = DisplayInfo::default();
        shown.write_ups = self.write_ups(&file.entry, &places)?;
        let mut paths = FilePaths::new();
        let scoring = match &rules {
            Some(rules) => Some(matches::scoring(rules, &file.round)),
            None => self.merged(&begun)?,
        };
        let usual = || begun.iter().map(|one| one.figures().into_owned()).reduce(|all, own| all.merged(&own));
        let figures = scoring.clone().or_else(usual).expect("a contest has a problem");
        let exactly = rules.is_some() || file.ranking.as_ref().is_some_and(|ranking| ranking.exactly);
        let lists = Lists { scoring: &figures, exactly };
        let named = match &rules {
            Some(_) => self.ranked_games(file.ranking, &figures)?,
            None => self.named_figures(file.ranking, RankKey::named_usually(&figures), &figures)?,
        };
        let rounds = self.rounds(file.round, &begun, (&named, lists))?;
        let ranking = lists.list(&named);
        let withdrawn = self.withdrawn(&file.entry)?;
        let mut struck = BTreeMap::new();
        for one in &begun {
            struck.extend(one.reader.struck(&one.boards)?);
        }
        let board_names: Vec<String> = begun
            .iter()
            .flat_map(|one| one.boards.iter().map(|board| one.reader.in_contest(board.name.get_ref())))
            .collect();
        let repeat = self.repeat(file.repeat.as_ref())?;
        let given = self.answers(&file.entry, &begun)?;
        let sized = scoring.iter().flat_map(|scoring| &scoring.figures).any(|figure| figure.from == Source::Size);
        let of_entries: Vec<&Problem> = begun.iter().map(|one| &one.problem).collect();
        let mut entries = self.entries(file.entry, &of_entries, &builds, (!needs_entries || for_teams, sized))?;
        let given = if wanted == BoardsWanted::None { Vec::new() } else { given };
        let archives = self.read_answers(given, &mut entries, &board_names, &mut paths)?;
        let mut plan = Plan::new(file.name, "");
        plan.entries = entries.into_iter().map(Shared::from).collect();
        let has_games = rules.is_some();
        let reading = Reading { wanted, builds: &builds, rounds: &rounds, scoring: scoring.as_ref(), has_games };
        let (mut problems, mut puzzles) = (Vec::new(), Vec::new());
        for one in begun {
            let (reader, span) = (one.reader.clone(), one.referee());
            let (problem, boards) = one.finish(&reading, &mut paths)?;
            reader.check_referee(&problem, span.unwrap_or_default(), &builds, &plan.entries)?;
            shown.statements.extend(boards.statement.map(|statement| (problem.id.clone(), statement)));
            problems.push(problem);
            plan.boards.extend(boards.boards);
            puzzles.extend(boards.puzzles);
            shown.known.extend(boards.known);
            shown.best.extend(boards.best);
        }
        plan.problems = match &mut problems[..] {
            [only] if only.id.is_empty() => only.clone().into(),
            _ => Problems::several(problems)
                .map_err(|error| ContestError::whole(self.path, ContestErrorKind::Value, error.to_string()))?,
        };
        self.check_seals(&plan.boards, &rounds, &paths)?;
        (plan.isolation, plan.readable, plan.repeat) = (isolation, readable, repeat);
        (plan.ranking, plan.rounds, plan.shown) = (ranking, rounds, shown);
        (plan.scoring, plan.match_rules) = (scoring, rules.map(Box::new));
        self.check_games(&plan)?;
        office.rules.counts = self.counts(counts, figures.accepts())?;
        office.problems = plan.problems.ids();
        Ok(Loaded { plan, puzzles, paths, archives, builds, keep_programs, withdrawn, struck, office })
    }

    fn builds(&self, isolation: IsolationMode, table: Option<BuildTable>) -> Result<BuildRules, ContestError> {
        let usual = BuildRules { isolation, ..BuildRules::default() };
        let Some(table) = table else { return Ok(usual) };
        let BuildTable { limit, memory, processes, scratch, output, cores, .. } = &table;
        let (limit, memory, scratch) = (limit.clone(), memory.clone(), scratch.clone());
        let (processes, output) = (processes.clone(), output.clone());
        let keys = LimitsTable { limit, memory, processes, scratch, output, ..LimitsTable::default() };
        let mut limits = self.limits(&keys, usual.limits)?;
        let cores = cores.as_ref().map(|cores| self.cores(cores)).transpose()?;
        limits.cores = cores.unwrap_or(limits.cores);
        for variable in &table.environment {
            let name = variable.get_ref().split('=').next().unwrap_or_default();
            if name.is_empty() {
                let reason = format!("environment: invalid variable `{}`; use NAME or NAME=VALUE", variable.get_ref());
                return Err(self.refuse(variable.span(), reason));
            }
        }
        let environment = table.environment.into_iter().map(Spanned::into_inner).collect();
        let BuildTable { readable, writable, fetch, .. } = table;
        Ok(BuildRules { limits, cores, readable, writable, environment, fetch, ..usual })
    }

    /// The limits for problems that set none.
    fn usual_limits(&self, cores: Option<&Spanned<i64>>, own: &ProblemKeys) -> Result<Limits, ContestError> {
        let mut limits = Limits::default();
        if let Some(cores) = cores {
            limits.cores = self.cores(cores)?;
        }
        self.limits(&own.limits(), limits)
    }

    fn repeat(&self, repeat: Option<&Spanned<i64>>) -> Result<u32, ContestError> {
        let Some(repeat) = repeat else { return Ok(1) };
        self.number_in("repeat", repeat, REPEATS)
    }

    fn isolation(&self, key: &str, value: Option<&Spanned<String>>) -> Result<IsolationMode, ContestError> {
        let Some(value) = value else { return Ok(IsolationMode::Auto) };
        IsolationMode::named(value.get_ref()).ok_or_else(|| {
            self.refuse(value.span(), unknown(key, value.get_ref(), IsolationMode::ALL.map(IsolationMode::name)))
        })
    }

    fn game(
        &self,
        kind: &GameInfo,
        rules: Option<Spanned<HouseRules>>,
    ) -> Result<(HouseRules, Box<dyn Game>), ContestError> {
        let (span, rules) = rules.map_or((0..0, HouseRules::default()), |rules| (rules.span(), rules.into_inner()));
        let game = (kind.open)(&rules).map_err(|error| {
            let error = wording::reason(&error.to_string(), None, self.text);
            self.refuse(span, format!("[rules]: {error}; the rules of {} are: {}", kind.name, kind.rules_help))
        })?;
        Ok((rules, game))
    }
}

/// Parses a board. A game that panics refuses it.
pub(super) fn parse(game: &dyn Game, board: &[u8]) -> Result<Box<dyn Puzzle>, String> {
    catch_panic("the game", || game.parse(board).map_err(|error| error.to_string()))
}
