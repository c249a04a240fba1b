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
use toml::Spanned;

use judge_core::external::Protocol;
use judge_core::figure::Source;
use judge_core::game::{Game, GameInfo, HouseRules, Puzzle};
use judge_core::games;
use judge_core::plan::{Board, DisplayInfo, Plan, RankKey};
use judge_core::shared::Shared;
use judge_core::text::unknown;
use judge_core::way_out::WayOut;
use judge_core::withdrawal::Withdrawal;
use judge_files::regular;
use judge_job::{IsolationMode, Limits};

use super::files::FilePaths;
use super::folders::{Folders, Program};
use super::office::{ANSWERS, OfficeSetup};
use super::{BuildRules, ContestError, ContestErrorKind, known};
use crate::guard::catch_panic;
use figures::{FigureTable, GroupTable, Lists, ShownTable};
pub use judge_core::plan::REPEATS;
use limits::LimitsTable;
use matches::MatchTable;
use office::{LanguageTable, NotifyTable, OfficeTable};
use patterns::GivenBoards;
use referee::{InputValue, RefereeTable};
use rounds::RoundTable;
pub use values::{
    BoardFileError, KEPT_BYTES, ValueError, milliseconds, parse_duration, parse_kept, parse_size, read_board,
};

/// The largest contest file, in bytes.
const MAX_BYTES: u64 = 256 << 20;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: String,
    game: Spanned<String>,
    limit: Option<Spanned<String>>,
    grace: Option<Spanned<String>>,
    cpu: Option<Spanned<String>>,
    memory: Option<Spanned<String>>,
    processes: Option<Spanned<toml::Value>>,
    output: Option<Spanned<String>>,
    scratch: Option<Spanned<String>>,
    cores: Option<Spanned<i64>>,
    isolation: Option<Spanned<String>>,
    build_isolation: Option<Spanned<String>>,
    keep_programs: Option<Spanned<String>>,
    build: Option<BuildTable>,
    #[serde(default)]
    readable: Vec<Spanned<String>>,
    best_known: Option<Spanned<String>>,
    rules: Option<Spanned<HouseRules>>,
    ranking: Option<Ranking>,
    #[serde(default)]
    figure: Vec<FigureTable>,
    table: Option<Spanned<ShownTable>>,
    input: Option<Spanned<InputValue>>,
    answers: Option<Spanned<AnswersTable>>,
    referee: Option<Spanned<RefereeTable>>,
    #[serde(rename = "match")]
    matches: Option<Spanned<MatchTable>>,
    #[serde(default)]
    group: Vec<GroupTable>,
    repeat: Option<Spanned<i64>>,
    #[serde(default)]
    board: Vec<Spanned<GivenBoards>>,
    #[serde(default)]
    entry: Vec<EntryTable>,
    #[serde(default)]
    round: Vec<RoundTable>,
    office: Option<Spanned<OfficeTable>>,
    #[serde(default)]
    language: Vec<LanguageTable>,
    notify: Option<NotifyTable>,
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

/// A board, as its table or that of a pattern has it.
struct BoardTable {
    name: Spanned<String>,
    file: Spanned<String>,
    reconstruction: bool,
    note: Option<String>,
    answer: Option<Spanned<String>>,
    args: Vec<String>,
    entry_args: Vec<String>,
    files: Vec<Spanned<String>>,
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
    /// One puzzle per board of the plan, in its order; none if the referee is a program.
    pub(super) puzzles: Vec<Box<dyn Puzzle>>,
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

/// What is wanted of the boards of a contest file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BoardsWanted {
    /// At least one.
    Some,
    /// Those that are there: others replace them.
    Any,
    /// None is read: their files need not exist.
    None,
}

/// Reads a contest file.
pub(super) fn load(path: &Path, wanted: BoardsWanted) -> Result<Loaded, ContestError> {
    let bytes = regular::read(path, MAX_BYTES)
        .and_then(|bytes| String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error)));
    let text = bytes.map_err(|error| {
        let reason = match error.kind() {
            io::ErrorKind::NotFound => "no such file".into(),
            io::ErrorKind::InvalidData => "is not UTF-8; a contest file is TOML in UTF-8".into(),
            _ => error.to_string(),
        };
        let missing =
            (error.kind() == io::ErrorKind::NotFound).then(|| WayOut::NewContest { missing: path.to_owned() });
        ContestError::whole(path, ContestErrorKind::Unreadable, reason).with_way_out(missing)
    })?;
    Reader::new(path, &text).load(wanted)
}

/// The file being read, for errors that name the place.
struct Reader<'a> {
    path: &'a Path,
    text: &'a str,
    /// The positions of its line ends. Every name is looked up, and counting lines each time would take minutes for a
    /// long file.
    line_ends: Vec<usize>,
}

impl<'a> Reader<'a> {
    fn new(path: &'a Path, text: &'a str) -> Self {
        Self { path, text, line_ends: text.match_indices('\n').map(|(end, _)| end).collect() }
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

    fn load(&self, wanted: BoardsWanted) -> Result<Loaded, ContestError> {
        let with_boards = wanted != BoardsWanted::None;
        let syntax = ContestErrorKind::Syntax;
        if let Some((span, reason)) = lists::for_table(self.text) {
            return Err(ContestError::at(self.path, self.line(&span), syntax, reason));
        }
        if let Some((span, reason)) = figures::gone(self.text) {
            return Err(self.refuse(span, reason));
        }
        let mut file: File = toml::from_str(self.text).map_err(|error| {
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
        let rules = self.matches(&mut file)?;
        let mut boards = self.given_boards(std::mem::take(&mut file.board), wanted)?;
        let limits = self.contest_limits(&file)?;
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
        let talks = file.referee.as_ref().is_some_and(|referee| referee.get_ref().talks());
        let input = self.input(file.input.as_ref(), talks || rules.is_some())?;
        let needs_entry =
            rules.is_some() || file.referee.as_ref().is_some_and(|referee| referee.get_ref().needs_entry());
        if let Some(answers) = file.answers.as_ref().filter(|answers| needs_entry && answers.get_ref().stream) {
            let (that, key) = if talks { ("that talks", "talk") } else { ("with passes", "passes") };
            let reason = format!("a referee {that} reads no stream of answers; remove stream, or {key} in [referee]");
            return Err(self.refuse(answers.span(), reason));
        }
        let takes_answers = office.allowed.as_ref().is_some_and(|allowed| allowed.iter().any(|code| code == ANSWERS));
        if takes_answers && (needs_entry || file.answers.as_ref().is_some_and(|answers| answers.get_ref().stream)) {
            let reason = "languages: answers fit no contest that needs programs: one whose referee talks or has passes, or that \
                          takes a stream of answers";
            return Err(ContestError::whole(self.path, ContestErrorKind::Value, format!("[office]: {reason}")));
        }
        let mut shown = DisplayInfo::default();
        shown.write_ups = self.write_ups(&file.entry, &places)?;
        let mut paths = FilePaths::new();
        if !games::is_external(file.game.get_ref()) {
            let figure = file.figure.first().map(|figure| ("[[figure]]", figure.name.span()));
            let group = file.group.first().map(|group| ("[[group]]", group.name.span()));
            let shown = file.table.as_ref().map(|shown| ("[table]", shown.span()));
            if let Some((key, span)) = figure.or(group).or(shown) {
                return Err(self.refuse(span, format!("{key} is only for game = \"{}\"", games::EXTERNAL)));
            }
        }
        let scoring = match &rules {
            Some(rules) => Some(matches::scoring(rules, &file.round)),
            None => self.scoring(file.figure, file.table.as_ref(), file.group)?,
        };
        if let Some(referee) = &file.referee {
            self.check_given(referee.get_ref().protocol(), scoring.as_ref())?;
        }
        let protocol = file.referee.as_ref().map_or(Protocol::Native, |referee| referee.get_ref().protocol_or_native());
        let figures = scoring.clone().unwrap_or_else(|| protocol.usual_figures(file.game.get_ref()));
        let exactly = rules.is_some() || file.ranking.as_ref().is_some_and(|ranking| ranking.exactly);
        let lists = Lists { scoring: &figures, exactly };
        let named = match &rules {
            Some(_) => self.ranked_games(file.ranking, &figures)?,
            None => self.named_figures(file.ranking, RankKey::named_usually(&figures), &figures)?,
        };
        let rounds = self.rounds(file.round, &boards, (&named, lists))?;
        let ranking = lists.list(&named);
        let (withdrawn, struck) = (self.withdrawn(&file.entry)?, self.struck(&boards)?);
        let board_names: Vec<String> = boards.iter().map(|table| table.name.get_ref().clone()).collect();
        boards = self.without_absent(boards, &rounds);
        let mut salts = self.salts(&boards, &rounds)?;
        let mut plan = Plan::new(file.name, file.game.get_ref());
        (plan.problems[0].limits, plan.isolation, plan.readable, plan.problems[0].input) =
            (limits, isolation, readable, input);
        (plan.ranking, plan.rounds, plan.shown) = (ranking, rounds, shown);
        plan.repeat = self.repeat(file.repeat.as_ref())?;
        plan.problems[0].stream = file.answers.is_some_and(|answers| answers.into_inner().stream);
        let given = self.answers(&file.entry, needs_entry || plan.problems[0].stream)?;
        let sized = scoring.iter().flat_map(|scoring| &scoring.figures).any(|figure| figure.from == Source::Size);
        let mut entries = self.entries(file.entry, &limits, &builds, (for_teams, sized))?;
        let given = if with_boards { given } else { Vec::new() };
        let archives = self.read_answers(given, &mut entries, &board_names, &mut paths)?;
        plan.entries = entries.into_iter().map(Shared::from).collect();
        let puzzles = if games::is_external(file.game.get_ref()) {
            let Some(referee) = file.referee else {
                let reason = format!("game \"{}\" needs a table [referee]; see docs/referees.md", games::EXTERNAL);
                return Err(self.refuse(file.game.span(), reason));
            };
            for (key, span) in
                [("[rules]", file.rules.map(|key| key.span())), ("best_known", file.best_known.map(|key| key.span()))]
            {
                if let Some(span) = span {
                    return Err(self.refuse(span, format!("{key} is only for built-in games")));
                }
            }
            let span = referee.span();
            let referee = self.referee(referee.into_inner(), &places)?;
            let program = Program {
                whose: "the referee".into(),
                build: referee.build.as_deref(),
                command: &referee.command,
                folder: referee.folder.as_deref(),
            };
            Folders::of(&builds, &places, Program::from_entries(plan.entries.iter().map(|entry| &**entry)))
                .and_then(|folders| folders.check(std::iter::once(program)))
                .map_err(|(_, reason)| self.refuse(span.clone(), reason))?;
            self.check_build(
                &builds,
                "the referee",
                referee.build.as_ref().map(|_| span),
                &referee.command,
                referee.folder.as_deref(),
            )?;
            self.check_tokens(&referee, &boards)?;
            // The points of a game are those of its seats, and no board has any.
            let of_boards = scoring.as_ref().filter(|_| rules.is_none());
            plan.shown.best = self.best_points(&boards, of_boards)?;
            if with_boards {
                self.check_boards(&boards, wanted)?;
                plan.boards = self.plain_boards(boards, of_boards, &mut paths)?;
            }
            (plan.problems[0].referee, plan.scoring, plan.match_rules) =
                (Some(Box::new(referee)), scoring, rules.map(Box::new));
            self.check_games(&plan)?;
            Vec::new()
        } else {
            if let Some(referee) = file.referee {
                let reason = format!("[referee] is only for game = \"{}\"", games::EXTERNAL);
                return Err(self.refuse(referee.span(), reason));
            }
            self.refuse_referee_keys(&boards)?;
            let kind = games::find(file.game.get_ref()).ok_or_else(|| {
                let names = games::GAMES.iter().map(|info| info.name).chain([games::EXTERNAL]);
                self.refuse(file.game.span(), unknown("game", file.game.get_ref(), names))
            })?;
            let (rules, game) = self.game(kind, file.rules)?;
            let files: Vec<PathBuf> = boards.iter().map(|board| self.relative(&board.file)).collect();
            if with_boards {
                self.check_boards(&boards, wanted)?;
            }
            let boards = if with_boards { self.boards(boards, &*game)? } else { Vec::new() };
            let (boards, puzzles): (Vec<Board>, Vec<_>) = boards.into_iter().unzip();
            if let Some(best_known) = file.best_known.as_ref().filter(|_| with_boards) {
                let boards = boards.iter().zip(&files).zip(&puzzles);
                let boards = boards.map(|((board, file), puzzle)| (board.name.as_str(), file.as_path(), &**puzzle));
                plan.shown.known = known::read(&self.relative(best_known), boards)
                    .map_err(|reason| self.refuse(best_known.span(), reason))?;
            }
            (plan.problems[0].rules, plan.boards) = (rules, boards);
            puzzles
        };
        for board in &mut plan.boards {
            board.salt = salts.remove(&board.name);
        }
        self.check_seals(&plan.boards, &plan.rounds, &paths)?;
        office.rules.counts = self.counts(counts, figures.accepts())?;
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

    fn contest_limits(&self, file: &File) -> Result<Limits, ContestError> {
        let File { limit, grace, cpu, memory, processes, output, scratch, .. } = file;
        let keys = LimitsTable {
            limit: limit.clone(),
            grace: grace.clone(),
            cpu: cpu.clone(),
            memory: memory.clone(),
            processes: processes.clone(),
            output: output.clone(),
            scratch: scratch.clone(),
        };
        let mut limits = self.limits(&keys, Limits::default())?;
        if let Some(cores) = &file.cores {
            limits.cores = self.cores(cores)?;
        }
        Ok(limits)
    }

    fn repeat(&self, repeat: Option<&Spanned<i64>>) -> Result<u32, ContestError> {
        let Some(repeat) = repeat else { return Ok(1) };
        u32::try_from(*repeat.get_ref()).ok().filter(|repeat| REPEATS.contains(repeat)).ok_or_else(|| {
            let reason = format!("repeat must be {} to {}, not {}", REPEATS.start(), REPEATS.end(), repeat.get_ref());
            self.refuse(repeat.span(), reason)
        })
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
