//! The keys of a contest whose referee is a program: `[referee]`, `input`, and keys of its boards.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use serde::Deserialize;
use toml::Spanned;

use judge_core::external::{ExternalReferee, Input, OnCrash, Protocol, ScorePattern};
use judge_core::plan::{Board, FileContents, NamedFile};
use judge_core::points::Points;
use judge_core::scoring::Scoring;
use judge_core::tokens::TokenRules;
use judge_job::Limits;

use super::limits::LimitsTable;
use super::values::words;
use super::{BoardTable, ContestError, ContestErrorKind, Reader, wording};
use crate::contest::files::{FilePaths, read_contents, shown};
use crate::contest::{BOARD_FILE, Places};

/// The most times that an answer is refereed.
const MAX_REPEATS: u32 = 100;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RefereeTable {
    protocol: Option<Spanned<String>>,
    pub(super) talk: Option<Spanned<bool>>,
    pub(super) clock: Option<Spanned<String>>,
    pub(super) lines: Option<Spanned<i64>>,
    pub(super) passes: Option<Spanned<i64>>,
    command: Option<Spanned<toml::Value>>,
    build: Option<String>,
    folder: Option<String>,
    #[serde(default)]
    readable: Vec<Spanned<String>>,
    #[serde(default)]
    args: Vec<String>,
    limit: Option<Spanned<String>>,
    cpu: Option<Spanned<String>>,
    memory: Option<Spanned<String>>,
    processes: Option<Spanned<toml::Value>>,
    output: Option<Spanned<String>>,
    scratch: Option<Spanned<String>>,
    accept: Option<Spanned<Vec<i32>>>,
    reject: Option<Spanned<Vec<i32>>>,
    pattern: Option<Spanned<String>>,
    repeat: Option<Spanned<i64>>,
    on_crash: Option<Spanned<String>>,
    check: Option<Spanned<toml::Value>>,
    make: Option<Spanned<toml::Value>>,
    show: Option<Spanned<toml::Value>>,
}

impl RefereeTable {
    /// The protocol. An unknown one is refused later, so it counts as native here.
    pub(super) fn protocol_or_native(&self) -> Protocol {
        Protocol::named(self.protocol().get_ref()).unwrap_or(Protocol::Native)
    }

    /// The protocol, as the file names it.
    ///
    /// # Panics
    ///
    /// If the caller did not check that the file names one.
    pub(super) fn protocol(&self) -> &Spanned<String> {
        self.protocol.as_ref().expect("the protocol of a table that was tested")
    }

    /// Sets the protocol of the referee of a match. The table has the given place. The error is the key that does not fit.
    pub(super) fn take_protocol(
        &mut self,
        table: &Range<usize>,
        protocol: Protocol,
    ) -> Result<(), (Range<usize>, String)> {
        let keys = [
            ("protocol", self.protocol.as_ref().map(Spanned::span)),
            ("talk", self.talk.as_ref().map(Spanned::span)),
            ("clock", self.clock.as_ref().map(Spanned::span)),
            ("passes", self.passes.as_ref().map(Spanned::span)),
            ("repeat", self.repeat.as_ref().map(Spanned::span)),
            ("on_crash", self.on_crash.as_ref().map(Spanned::span)),
        ];
        if let Some((key, span)) = keys.into_iter().find_map(|(key, span)| Some((key, span?))) {
            return Err((
                span,
                format!("{key} does not fit [match], whose referee has a protocol of its own; remove {key}"),
            ));
        }
        self.protocol = Some(Spanned::new(table.clone(), protocol.name().to_owned()));
        Ok(())
    }

    /// True if it talks to entries.
    pub(super) fn talks(&self) -> bool {
        self.talk.as_ref().is_some_and(|talk| *talk.get_ref())
    }

    /// True if it needs the entry itself, and not only its answer.
    pub(super) fn needs_entry(&self) -> bool {
        self.talks() || self.passes.is_some()
    }
}

/// `input`: one way or several.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum InputValue {
    One(String),
    Several(Vec<String>),
}

impl Reader<'_> {
    /// Refuses a table without a protocol.
    pub(super) fn check_protocol(&self, referee: &Spanned<RefereeTable>) -> Result<(), ContestError> {
        if referee.get_ref().protocol.is_some() {
            return Ok(());
        }
        let reason = wording::reason("missing field `protocol`", None, self.text);
        Err(ContestError::at(self.path, self.line(&referee.span()), ContestErrorKind::Syntax, reason))
    }

    /// The input of entries. A referee that `talks` passes them all information, so by default they get no other input.
    pub(super) fn input(&self, value: Option<&Spanned<InputValue>>, talks: bool) -> Result<Input, ContestError> {
        let Some(value) = value else { return Ok(if talks { Input::Nothing } else { Input::default() }) };
        let ways: Vec<&str> = match value.get_ref() {
            InputValue::One(way) => vec![way],
            InputValue::Several(ways) => ways.iter().map(String::as_str).collect(),
        };
        if talks && ways.contains(&"stdin") {
            let reason = "a referee that talks is on standard input; remove \"stdin\", or the whole line";
            return Err(self.refuse(value.span(), reason));
        }
        match ways[..] {
            ["argument"] => Ok(Input::Argument),
            ["stdin"] => Ok(Input::Stdin),
            ["argument", "stdin"] | ["stdin", "argument"] => Ok(Input::Both),
            _ => {
                let reason = "input must be \"argument\", \"stdin\" or [\"argument\", \"stdin\"]";
                Err(self.refuse(value.span(), reason))
            }
        }
    }

    /// The definition of a referee that is a program.
    pub(super) fn referee(&self, table: RefereeTable, places: &Places<'_>) -> Result<ExternalReferee, ContestError> {
        let protocol = self.known("protocol", table.protocol(), &Protocol::ALL.map(|one| (one.name(), one)))?;
        let command = |value: &Spanned<toml::Value>| {
            let words = words(value.get_ref()).map_err(|reason| self.refuse(value.span(), reason))?;
            Ok(self.command_in_contest(words))
        };
        let optional = |value: &Option<Spanned<toml::Value>>| value.as_ref().map(command).transpose();
        let RefereeTable { limit, cpu, memory, processes, output, scratch, .. } = &table;
        let keys = LimitsTable {
            limit: limit.clone(),
            cpu: cpu.clone(),
            memory: memory.clone(),
            processes: processes.clone(),
            output: output.clone(),
            scratch: scratch.clone(),
            ..LimitsTable::default()
        };
        let limits = self.limits(&keys, usual_limits())?;
        let only = |span, key: &str, of: Protocol| {
            let reason = format!("{key} is a key of protocol \"{}\" only", of.name());
            if protocol == of { Ok(()) } else { Err(self.refuse(span, reason)) }
        };
        for (key, codes) in [("accept", &table.accept), ("reject", &table.reject)] {
            if let Some(codes) = codes {
                only(codes.span(), key, Protocol::Exit)?;
                if let Some(code) = codes.get_ref().iter().find(|code| !(0..=255).contains(*code)) {
                    return Err(self
                        .refuse(codes.span(), format!("{key}: no program ends with exit code {code}; use 0 to 255")));
                }
                if codes.get_ref().is_empty() && key == "accept" {
                    let reason = "accept is empty, so no answer could be accepted; write for example accept = [0]";
                    return Err(self.refuse(codes.span(), reason));
                }
            }
        }
        let codes = |codes: &Option<Spanned<Vec<i32>>>, usual: i32| match codes {
            Some(codes) => codes.get_ref().clone(),
            None if protocol == Protocol::Exit => vec![usual],
            None => Vec::new(),
        };
        let (accept, reject) = (codes(&table.accept, 0), codes(&table.reject, 1));
        if let Some(both) = accept.iter().find(|code| reject.contains(code)) {
            let span = table.reject.as_ref().or(table.accept.as_ref()).map_or(0..0, Spanned::span);
            return Err(self.refuse(span, format!("exit code {both} cannot both accept and reject an answer")));
        }
        match &table.pattern {
            Some(pattern) => {
                only(pattern.span(), "pattern", Protocol::Score)?;
                ScorePattern::new(pattern.get_ref())
                    .map_err(|error| self.refuse(pattern.span(), format!("pattern: {error}")))?;
            }
            None if protocol == Protocol::Score => {
                let reason = "protocol \"score\" needs a pattern; write for example \
                              pattern = 'Score = (?<score>[-+0-9.eE]+)'";
                return Err(self.refuse(table.protocol().span(), reason));
            }
            None => {}
        }
        let repeat = table.repeat.as_ref().map_or(Ok(1), |repeat| self.number_in("repeat", repeat, 1..=MAX_REPEATS))?;
        let (talk, passes) = (self.talk(&table, protocol)?, self.passes(&table, protocol)?);
        let lines = self.lines(&table)?;
        if let Some(repeat) = table.repeat.as_ref().filter(|_| (talk.is_some() || passes.is_some()) && repeat > 1) {
            let what = if talk.is_some() { "a talk" } else { "a run of several passes" };
            return Err(self.refuse(repeat.span(), format!("{what} cannot be refereed again; remove repeat")));
        }
        let on_crash = self.word("on_crash", table.on_crash.as_ref(), (OnCrash::ALL, OnCrash::name))?;
        let command = self.program(&table, protocol)?;
        let folder = table.folder.as_deref().map(|folder| self.path_in_contest(folder));
        let own = places.own(&command, folder.as_deref());
        let mut referee = ExternalReferee::new(protocol, command);
        referee.readable = self.readable("readable", &table.readable, false, places, own.as_deref())?;
        (referee.limits, referee.accept, referee.reject) = (limits, accept, reject);
        referee.pattern = table.pattern.as_ref().map(|pattern| pattern.get_ref().clone());
        (referee.repeat, referee.on_crash, referee.talk, referee.passes) = (repeat, on_crash, talk, passes);
        referee.lines = lines;
        (referee.check, referee.make, referee.show) =
            (optional(&table.check)?, optional(&table.make)?, optional(&table.show)?);
        let build = table.build.map(|build| self.build_in_contest(build));
        (referee.build, referee.folder, referee.args) = (build, folder, table.args);
        Ok(referee)
    }

    /// The command of the referee: every protocol has one, except for the comparison of tokens.
    fn program(&self, table: &RefereeTable, protocol: Protocol) -> Result<Vec<String>, ContestError> {
        match (&table.command, protocol) {
            (Some(command), Protocol::Tokens) => {
                let reason = "protocol \"tokens\" is built in; remove the command";
                Err(self.refuse(command.span(), reason))
            }
            (None, Protocol::Tokens) => Ok(Vec::new()),
            (Some(command), _) => words(command.get_ref())
                .map(|words| self.command_in_contest(words))
                .map_err(|reason| self.refuse(command.span(), reason)),
            (None, _) => {
                let reason = format!(
                    "protocol \"{}\" needs a command; write for example command = [\"./referee\"]",
                    protocol.name()
                );
                Err(self.refuse(table.protocol().span(), reason))
            }
        }
    }

    /// Refuses boards on which tokens cannot be compared.
    pub(super) fn check_tokens(&self, referee: &ExternalReferee, tables: &[BoardTable]) -> Result<(), ContestError> {
        if referee.protocol != Protocol::Tokens {
            return Ok(());
        }
        for table in tables {
            let board = table.name.get_ref();
            if table.answer.is_none() {
                let reason = format!("board {board} needs an answer: protocol \"tokens\" compares with that");
                return Err(self.refuse(table.name.span(), reason));
            }
            let arguments: Vec<&String> = referee.args.iter().chain(&table.args).collect();
            TokenRules::parse(&arguments)
                .map_err(|reason| self.refuse(table.name.span(), format!("board {board}: args: {reason}")))?;
        }
        Ok(())
    }

    /// The best known points of boards, by their names.
    pub(super) fn best_points(
        &self,
        tables: &[BoardTable],
        scoring: Option<&Scoring>,
    ) -> Result<BTreeMap<String, Points>, ContestError> {
        let named = tables.iter().filter_map(|table| Some((table.name.get_ref(), table.best.as_ref()?)));
        let best = named.map(|(name, best)| {
            let Some(scoring) = scoring else {
                let reason = "best needs a figure; declare it with [[figure]]";
                return Err(self.refuse(best.span(), reason));
            };
            let points =
                self.points("best", Some(best), scoring.main())?.unwrap_or(Points::zero(scoring.main().decimals));
            Ok((self.in_contest(name), points))
        });
        best.collect()
    }

    /// The boards of a problem whose referee is a program. Only the program can check them.
    pub(super) fn plain_boards(
        &self,
        tables: Vec<BoardTable>,
        scoring: Option<&Scoring>,
        paths: &mut FilePaths,
    ) -> Result<Vec<Board>, ContestError> {
        let boards = tables.into_iter().map(|table| {
            let name = table.name.get_ref().clone();
            let mut read = |file: &Spanned<String>| {
                let path = self.relative(file);
                read_contents(&path, paths).map_err(|reason| {
                    let reason = format!("board {name}: {}: {reason}", path.display());
                    ContestError::at(self.path, self.line(&file.span()), ContestErrorKind::Board, reason)
                })
            };
            let contents = read(&table.file)?;
            let answer = table.answer.as_ref().map(&mut read).transpose()?;
            let files = self.entry_files(&name, &table.files, paths)?;
            let group = table.group.as_ref().map(|group| self.in_contest(group.get_ref()));
            let known = |group: &str| scoring.is_some_and(|scoring| scoring.groups.iter().any(|one| one.name == group));
            let unknown = group.as_deref().is_some_and(|group| !known(group));
            if let Some(group) = table.group.filter(|_| unknown) {
                let reason = format!("unknown group `{}`; add a [[group]] of that name", group.get_ref());
                return Err(self.refuse(group.span(), reason));
            }
            let points = match (&table.points, scoring) {
                (Some(points), None) => {
                    return Err(self.refuse(points.span(), "points need a figure; declare it with [[figure]]"));
                }
                (points, Some(scoring)) => self.points("points", points.as_ref(), scoring.main())?,
                (None, None) => None,
            };
            let mut board = Board::new(self.in_contest(&name), "").with_contents(contents);
            (board.answer, board.args, board.entry_args) = (answer, table.args, table.entry_args);
            (board.files, board.group, board.points) = (files, group, points);
            (board.reconstruction, board.note) = (table.reconstruction, table.note);
            Ok(board)
        });
        boards.collect()
    }

    /// The files that entries find in their working directory on a board: the given files, and the files in given folders.
    /// No two have the same name.
    fn entry_files(
        &self,
        board: &str,
        given: &[Spanned<String>],
        paths: &mut FilePaths,
    ) -> Result<Vec<NamedFile>, ContestError> {
        let mut files: BTreeMap<String, FileContents> = BTreeMap::new();
        for file in given {
            let path = self.relative(file);
            let refuse = |path: &Path, reason: String| {
                let reason = format!("board {board}: {}: {reason}", shown(path));
                ContestError::at(self.path, self.line(&file.span()), ContestErrorKind::Board, reason)
            };
            let found = match path.is_dir() {
                true => {
                    let items = std::fs::read_dir(&path).and_then(Iterator::collect::<std::io::Result<Vec<_>>>);
                    let items = items.map_err(|error| refuse(&path, error.to_string()))?;
                    items.iter().map(std::fs::DirEntry::path).collect()
                }
                false => vec![path.clone()],
            };
            for path in found {
                let name = path.file_name().and_then(|name| name.to_str());
                let name = name.ok_or_else(|| refuse(&path, "its name is not UTF-8".into()))?.to_owned();
                if path.is_dir() {
                    return Err(refuse(&path, "is a folder in a folder; entries find files only".into()));
                }
                let contents = read_contents(&path, paths).map_err(|reason| refuse(&path, reason))?;
                if name == BOARD_FILE {
                    return Err(refuse(
                        &path,
                        format!("entries find the board itself as {BOARD_FILE}; rename the file"),
                    ));
                }
                if files.insert(name, contents).is_some() {
                    return Err(refuse(&path, "another file has the same name".into()));
                }
            }
        }
        Ok(files.into_iter().map(|(name, contents)| NamedFile { name, contents }).collect())
    }

    /// Refuses keys that only a referee that is a program uses.
    pub(super) fn refuse_referee_keys(&self, tables: &[BoardTable]) -> Result<(), ContestError> {
        let board = tables.iter().find_map(|table| {
            let answer = table.answer.as_ref().map(|key| ("answer", key.span()));
            let group = table.group.as_ref().map(|key| ("group", key.span()));
            let points = table.points.as_ref().map(|key| ("points", key.span()));
            let best = table.best.as_ref().map(|key| ("best", key.span()));
            let args = (!table.args.is_empty()).then(|| ("args", table.name.span()));
            let entry_args = (!table.entry_args.is_empty()).then(|| ("entry_args", table.name.span()));
            let files = table.files.first().map(|file| ("files", file.span()));
            answer.or(group).or(points).or(best).or(args).or(entry_args).or(files)
        });
        match board {
            Some((key, span)) => Err(self.refuse(span, format!("{key} is only for game = \"external\""))),
            None => Ok(()),
        }
    }
}

/// Limits of a referee if the contest file does not set them.
fn usual_limits() -> Limits {
    Limits::default()
        .with_wall_ms(60_000)
        .with_memory_bytes(2 << 30)
        .with_processes(64)
        .with_output_bytes(8 << 20)
        .with_scratch_bytes(256 << 20)
}
