//! The problems of a contest file. The keys of a single problem are those of the contest. Several problems have tables
//! `[[problem]]`.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use judge_core::chunks::Chunks;
use judge_core::external::Protocol;
use judge_core::figure::Figure;
use judge_core::game::HouseRules;
use judge_core::games;
use judge_core::plan::{BestKnown, Board, Entry, Problem, RoundPlan, Statement};
use judge_core::points::Points;
use judge_core::referee::GameBoard;
use judge_core::scoring::Scoring;
use judge_core::shared::Shared;
use judge_core::text::unknown;
use judge_job::Limits;
use toml::Spanned;

use super::limits::LimitsTable;
use super::referee::RefereeTable;
use super::{
    BoardTable, BoardsWanted, BuildRules, ContestError, ContestErrorKind, File, FilePaths, ProblemKeys, ProblemTable,
    Reader, known, wording,
};
use crate::contest::folders::{Folders, Program};

/// The place of the keys of a problem.
pub(super) struct Source<'a> {
    /// The reader of the file that contains them.
    pub(super) reader: Reader<'a>,
    keys: ProblemKeys,
    /// Its title.
    name: String,
}

/// A problem whose boards are not read yet.
pub(super) struct UnreadProblem<'a> {
    pub(super) reader: Reader<'a>,
    pub(super) problem: Problem,
    /// The place of its game.
    game: Range<usize>,
    rules: Option<Spanned<HouseRules>>,
    best_known: Option<Spanned<String>>,
    statement: Option<Spanned<String>>,
    referee: Option<Spanned<RefereeTable>>,
    /// The tables of its boards.
    pub(super) boards: Vec<BoardTable>,
    /// The figures that it declares.
    pub(super) scoring: Option<Scoring>,
    /// True if it needs the entries themselves, so that answers are not enough.
    pub(super) needs_programs: bool,
}

/// The additions of a problem's boards to a contest.
#[derive(Default)]
pub(super) struct Boards {
    pub(super) boards: Vec<Board>,
    /// The boards of a built-in game.
    pub(super) puzzles: Vec<(String, GameBoard)>,
    pub(super) known: BTreeMap<String, BestKnown>,
    pub(super) best: BTreeMap<String, Points>,
    pub(super) statement: Option<Statement>,
}

/// The settings for reading the boards of a problem.
pub(super) struct Reading<'r> {
    pub(super) wanted: BoardsWanted,
    pub(super) builds: &'r BuildRules,
    pub(super) rounds: &'r [RoundPlan],
    /// The figures that the contest declares.
    pub(super) scoring: Option<&'r Scoring>,
    /// True if games are played on the boards. Points belong to seats then.
    pub(super) has_games: bool,
}

impl ProblemKeys {
    /// The first key besides limits, with its place.
    fn first_besides_limits(&self) -> Option<(&'static str, Range<usize>)> {
        let tables = [
            ("[rules]", self.rules.as_ref().map(Spanned::span)),
            ("[table]", self.table.as_ref().map(Spanned::span)),
            ("[answers]", self.answers.as_ref().map(Spanned::span)),
            ("[referee]", self.referee.as_ref().map(Spanned::span)),
            ("input", self.input.as_ref().map(Spanned::span)),
        ];
        let texts = [("game", &self.game), ("best_known", &self.best_known), ("statement", &self.statement)];
        let texts = texts.map(|(key, value)| (key, value.as_ref().map(Spanned::span)));
        let lists = [
            ("[[figure]]", self.figure.first().map(|figure| figure.name.span())),
            ("[[group]]", self.group.first().map(|group| group.name.span())),
            ("[[board]]", self.board.first().map(Spanned::span)),
        ];
        texts.into_iter().chain(tables).chain(lists).find_map(|(key, span)| Some((key, span?)))
    }

    pub(super) fn limits(&self) -> LimitsTable {
        let Self { limit, grace, cpu, memory, processes, output, scratch, .. } = self;
        LimitsTable {
            limit: limit.clone(),
            grace: grace.clone(),
            cpu: cpu.clone(),
            memory: memory.clone(),
            processes: processes.clone(),
            output: output.clone(),
            scratch: scratch.clone(),
        }
    }
}

impl<'a> Reader<'a> {
    /// The text of the file that a table `[[problem]]` names, with its path.
    pub(super) fn problem_texts(&self, file: &File) -> Result<Vec<Option<(PathBuf, String)>>, ContestError> {
        let texts = file.problem.iter().map(|table| {
            let Some(named) = &table.file else { return Ok(None) };
            let refuse = |reason: String| self.refuse(named.span(), reason);
            if Path::new(named.get_ref()).is_absolute() {
                return Err(refuse("file: the path of a problem is relative to the contest file".into()));
            }
            let path = self.relative(named);
            let text =
                super::read_text(&path).map_err(|(_, reason)| refuse(format!("file: {}: {reason}", path.display())))?;
            Ok(Some((path, text)))
        });
        texts.collect()
    }

    /// The problems of a contest file: the file itself, or its tables `[[problem]]`, some of which are in separate files.
    pub(super) fn sources(
        &self,
        own: ProblemKeys,
        tables: Vec<ProblemTable>,
        texts: &'a [Option<(PathBuf, String)>],
    ) -> Result<Vec<Source<'a>>, ContestError> {
        if tables.is_empty() {
            return Ok(vec![Source { reader: self.clone(), keys: own, name: String::new() }]);
        }
        if let Some((key, span)) = own.first_besides_limits() {
            let reason =
                format!("{key} belongs to one problem: move it into its [[problem]], or into the file of that");
            return Err(self.refuse(span, reason));
        }
        self.check_names("problem", tables.iter().map(|table| &table.id))?;
        // In a CSV file of tables, a number before a slash is a round.
        if let Some(id) =
            tables.iter().map(|table| &table.id).find(|id| id.get_ref().chars().all(|c| c.is_ascii_digit()))
        {
            return Err(
                self.refuse(id.span(), format!("problem name `{}` is a number; give it a letter", id.get_ref()))
            );
        }
        let sources = tables.into_iter().zip(texts).map(|(mut table, text)| {
            let keys = table.take_problem();
            let id = table.id.get_ref().clone();
            let name = table.name.unwrap_or_default();
            let Some(((path, text), named)) = text.as_ref().zip(table.file) else {
                let reader = Reader { problem: id, ..self.clone() };
                return Ok(Source { reader, keys, name });
            };
            let limits = keys.limits();
            if let Some(span) = keys.first_besides_limits().map(|(_, span)| span).or(limits.first()) {
                return Err(
                    self.refuse(span, format!("the keys of problem {id} are in its `file`; move this one there"))
                );
            }
            let folder = Path::new(named.get_ref()).parent().unwrap_or(Path::new("")).to_string_lossy().into_owned();
            let reader = Reader { problem: id, folder, contest: self.path, ..Reader::new(path, text) };
            let mut file: super::ProblemFile = reader.parsed()?;
            let name = if name.is_empty() { file.name.take().unwrap_or_default() } else { name };
            Ok(Source { reader, keys: file.take_problem(), name })
        });
        sources.collect()
    }
}

impl<'a> Source<'a> {
    /// Reads all keys except the boards. `limits` are the limits of the contest; `has_games` is true if entries play each other.
    pub(super) fn begin(
        self,
        limits: Limits,
        (wanted, has_games): (BoardsWanted, bool),
    ) -> Result<UnreadProblem<'a>, ContestError> {
        let Self { reader, keys, name } = self;
        let limits = reader.limits(&keys.limits(), limits)?;
        let Some(game) = keys.game else {
            let reason = wording::reason("missing field `game`", None, reader.text);
            return Err(ContestError::whole(reader.path, ContestErrorKind::Syntax, reason));
        };
        let boards = reader.given_boards(keys.board, wanted)?;
        if let Some(referee) = &keys.referee {
            reader.check_protocol(referee)?;
        }
        let referee = keys.referee.as_ref().map(Spanned::get_ref);
        let talks = referee.is_some_and(RefereeTable::talks);
        let input = reader.input(keys.input.as_ref(), talks || has_games)?;
        let needs_entry = has_games || referee.is_some_and(RefereeTable::needs_entry);
        let stream = keys.answers.as_ref().is_some_and(|answers| answers.get_ref().stream);
        if let Some(answers) = keys.answers.as_ref().filter(|_| needs_entry && stream) {
            let (that, key) = if talks { ("that talks", "talk") } else { ("with passes", "passes") };
            let reason = format!("a referee {that} reads no stream of answers; remove stream, or {key} in [referee]");
            return Err(reader.refuse(answers.span(), reason));
        }
        if !games::is_external(game.get_ref()) {
            let figure = keys.figure.first().map(|figure| ("[[figure]]", figure.name.span()));
            let group = keys.group.first().map(|group| ("[[group]]", group.name.span()));
            let shown = keys.table.as_ref().map(|shown| ("[table]", shown.span()));
            if let Some((key, span)) = figure.or(group).or(shown) {
                return Err(reader.refuse(span, format!("{key} is only for game = \"{}\"", games::EXTERNAL)));
            }
        }
        let scoring = reader.scoring(keys.figure, keys.table.as_ref(), keys.group)?;
        if let Some(referee) = referee.filter(|_| !has_games) {
            reader.check_given(referee.protocol(), scoring.as_ref())?;
        }
        let mut problem = Problem::new(game.get_ref().clone());
        problem.id.clone_from(&reader.problem);
        (problem.name, problem.limits, problem.input, problem.stream) = (name, limits, input, stream);
        Ok(UnreadProblem {
            reader,
            problem,
            game: game.span(),
            rules: keys.rules,
            best_known: keys.best_known,
            statement: keys.statement,
            referee: keys.referee,
            boards,
            scoring,
            needs_programs: needs_entry || stream,
        })
    }
}

impl UnreadProblem<'_> {
    /// Its figures: the declared ones, or otherwise the usual ones.
    pub(super) fn figures(&self) -> Cow<'_, Scoring> {
        let protocol = self.referee.as_ref().map_or(Protocol::Native, |referee| referee.get_ref().protocol_or_native());
        let usual = || Cow::Owned(protocol.usual_figures(&self.problem.game));
        self.scoring.as_ref().map_or_else(usual, Cow::Borrowed)
    }

    /// Reads its referee and its boards. Returns the problem with what its boards add to the contest.
    pub(super) fn finish(
        self,
        reading: &Reading<'_>,
        paths: &mut FilePaths,
    ) -> Result<(Problem, Boards), ContestError> {
        let Self { reader, mut problem, boards, .. } = self;
        let &Reading { wanted, builds, rounds, scoring, has_games } = reading;
        let with_boards = wanted != BoardsWanted::None;
        let boards = reader.without_absent(boards, rounds);
        let mut salts = reader.salts(&boards, rounds)?;
        let statement = self.statement.as_ref().map(|file| reader.statement(file, &reader.places(builds), paths));
        let mut all = Boards { statement: statement.transpose()?, ..Boards::default() };
        if games::is_external(&problem.game) {
            let Some(referee) = self.referee else {
                let reason = format!("game \"{}\" needs a table [referee]; see docs/referees.md", games::EXTERNAL);
                return Err(reader.refuse(self.game, reason));
            };
            let keys =
                [("[rules]", self.rules.map(|key| key.span())), ("best_known", self.best_known.map(|key| key.span()))];
            if let Some((key, span)) = keys.into_iter().find_map(|(key, span)| Some((key, span?))) {
                return Err(reader.refuse(span, format!("{key} is only for built-in games")));
            }
            let places = reader.places(builds);
            let referee = reader.referee(referee.into_inner(), &places)?;
            reader.check_tokens(&referee, &boards)?;
            // In games, points belong to seats, so boards have none.
            let of_boards = scoring.filter(|_| !has_games);
            all.best = reader.best_points(&boards, of_boards)?;
            if with_boards {
                reader.check_boards(&boards, wanted)?;
                all.boards = reader.plain_boards(boards, of_boards, paths)?;
            }
            problem.referee = Some(Box::new(referee));
        } else {
            if let Some(referee) = self.referee {
                let reason = format!("[referee] is only for game = \"{}\"", games::EXTERNAL);
                return Err(reader.refuse(referee.span(), reason));
            }
            reader.refuse_referee_keys(&boards)?;
            let kind = games::find(&problem.game).ok_or_else(|| {
                let names = games::GAMES.iter().map(|info| info.name).chain([games::EXTERNAL]);
                reader.refuse(self.game, unknown("game", &problem.game, names))
            })?;
            let (rules, game) = reader.game(kind, self.rules)?;
            let files: Vec<PathBuf> = boards.iter().map(|board| reader.relative(&board.file)).collect();
            if with_boards {
                reader.check_boards(&boards, wanted)?;
            }
            let boards = if with_boards { reader.boards(boards, &*game)? } else { Vec::new() };
            let (boards, puzzles): (Vec<Board>, Vec<_>) = boards.into_iter().unzip();
            if let Some(best_known) = self.best_known.as_ref().filter(|_| with_boards) {
                let boards = boards.iter().zip(&files).zip(&puzzles);
                let boards = boards.map(|((board, file), puzzle)| (board.name.as_str(), file.as_path(), &**puzzle));
                all.known = known::read(&reader.relative(best_known), boards)
                    .map_err(|reason| reader.refuse(best_known.span(), reason))?;
            }
            all.puzzles =
                boards.iter().map(|board| board.name.clone()).zip(puzzles.into_iter().map(|one| (kind, one))).collect();
            (problem.rules, all.boards) = (rules, boards);
        }
        for board in &mut all.boards {
            board.salt = salts.remove(&board.name);
        }
        Ok((problem, all))
    }

    /// The place of its table `[referee]`.
    pub(super) fn referee(&self) -> Option<Range<usize>> {
        self.referee.as_ref().map(Spanned::span)
    }
}

impl Reader<'_> {
    /// The name of a board, or of a group, in the contest.
    pub(super) fn in_contest(&self, name: &str) -> String {
        if self.problem.is_empty() { name.to_owned() } else { format!("{}/{name}", self.problem) }
    }

    /// A path of this file, relative to the folder of the contest file. `{dir}` stands for the folder of this file.
    pub(super) fn path_in_contest(&self, path: &str) -> String {
        let folder = &self.folder;
        if folder.is_empty() || Path::new(path).is_absolute() {
            return path.to_owned();
        }
        if path.contains("{dir}") {
            path.replace("{dir}", &format!("{{dir}}/{folder}"))
        } else {
            format!("{folder}/{path}")
        }
    }

    /// The words of a command of this file, relative to the folder of the contest file.
    pub(super) fn command_in_contest(&self, words: Vec<String>) -> Vec<String> {
        let word = |(index, word): (usize, String)| {
            let own = self.path.parent().unwrap_or(Path::new(""));
            let is_path = index == 0 && word.contains('/') || word.contains("{dir}") || own.join(&word).is_file();
            if is_path { self.path_in_contest(&word) } else { word }
        };
        words.into_iter().enumerate().map(word).collect()
    }

    /// A build command of this file, which begins in its folder, changed to begin in the folder of the contest file.
    pub(super) fn build_in_contest(&self, command: String) -> String {
        if self.folder.is_empty() { command } else { format!("cd {} && {command}", shell_words::quote(&self.folder)) }
    }

    /// Refuses a referee if another build can change its program, or if its build has no folder.
    pub(super) fn check_referee(
        &self,
        problem: &Problem,
        span: Range<usize>,
        builds: &BuildRules,
        entries: &Chunks<Shared<Entry>>,
    ) -> Result<(), ContestError> {
        let Some(referee) = problem.referee.as_deref() else { return Ok(()) };
        let places = self.places(builds);
        let (command, folder) = (&referee.command, referee.folder.as_deref());
        let program = Program { whose: "the referee".into(), build: referee.build.as_deref(), command, folder };
        Folders::of(builds, &places, Program::from_entries(entries.iter().map(|entry| &**entry)))
            .and_then(|folders| folders.check(std::iter::once(program)))
            .map_err(|(_, reason)| self.refuse(span.clone(), reason))?;
        self.check_build(builds, "the referee", referee.build.as_ref().map(|_| span), command, folder)
    }

    /// The figures of a contest, merged from its problems. Problems must have the same figures except for their decimals. The
    /// groups are those of all problems.
    pub(super) fn merged(&self, begun: &[UnreadProblem<'_>]) -> Result<Option<Scoring>, ContestError> {
        let [first, others @ ..] = begun else { return Ok(None) };
        let mut all = first.figures().into_owned();
        for other in others {
            let own = other.figures();
            if !all.has_figures_of(&own) {
                let names = |scoring: &Scoring| {
                    let name = |figure: &Figure| format!("{} ({})", figure.name, figure.better.name());
                    scoring.figures.iter().map(name).collect::<Vec<_>>().join(", ")
                };
                let reason = format!(
                    "problem {} has the figures {}, and problem {} {}; problems with other figures are contests of their own",
                    first.problem.id,
                    names(&all),
                    other.problem.id,
                    names(&own)
                );
                return Err(ContestError::whole(self.path, ContestErrorKind::Value, reason));
            }
            all = all.merged(&own);
        }
        let is_declared = begun.iter().any(|one| one.scoring.is_some());
        Ok(is_declared.then_some(all))
    }
}
