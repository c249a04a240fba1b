//! The contest file's own shape, and every check on it. A new key is a field here, a check in [`load`], and a line
//! in the commented file that `judge init` writes.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bytesize::ByteSize;
use serde::Deserialize;
use toml::Spanned;

use judge_core::game::{Game, GameInfo, Puzzle};
use judge_core::games;
use judge_core::plan::{Board, DisplayInfo, Entry, Plan, RankKey};
use judge_job::{IsolationMode, Limits};

use super::{ContestError, known, write_up};

/// A board file larger than this is no board.
const BOARD_BYTES: u64 = 1 << 20;
/// What a limit says that is none.
const UNLIMITED: &str = "unlimited";
/// More processes, or cores, than any machine has are a slip of the finger.
const MOST_PROCESSES: u64 = 4_194_304;
const MOST_CORES: u64 = 4096;
/// The longest limit: no contest waits longer for one run, and every sum of limits fits its type.
const LONGEST: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// The longest name: it stands in tables and names a file.
const NAME_CHARACTERS: usize = 64;

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
    cores: Option<Spanned<u64>>,
    isolation: Option<Spanned<String>>,
    #[serde(default)]
    readable: Vec<Spanned<String>>,
    best_known: Option<Spanned<String>>,
    rules: Option<Spanned<toml::Table>>,
    ranking: Option<Ranking>,
    #[serde(default)]
    board: Vec<BoardTable>,
    #[serde(default)]
    entry: Vec<EntryTable>,
}

/// What can be limited for a contest and for one entry of it.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct LimitsTable {
    limit: Option<Spanned<String>>,
    grace: Option<Spanned<String>>,
    cpu: Option<Spanned<String>>,
    memory: Option<Spanned<String>>,
    processes: Option<Spanned<toml::Value>>,
    output: Option<Spanned<String>>,
    scratch: Option<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Ranking {
    order: Spanned<Vec<Spanned<String>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BoardTable {
    name: Spanned<String>,
    file: Spanned<String>,
    #[serde(default)]
    reconstruction: bool,
    note: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EntryTable {
    name: Spanned<String>,
    author: Option<String>,
    year: Option<u16>,
    strategy: Option<String>,
    write_up: Option<Spanned<String>>,
    build: Option<String>,
    command: Spanned<toml::Value>,
    #[serde(default)]
    readable: Vec<Spanned<String>>,
    limits: Option<LimitsTable>,
    #[serde(default = "yes")]
    competing: bool,
}

fn yes() -> bool {
    true
}

type ParsedBoard = (Board, Box<dyn Puzzle>);

/// Reads a contest file with its boards: the plan, and one puzzle a board.
pub(super) fn load(path: &Path) -> Result<(Plan, Vec<Box<dyn Puzzle>>), ContestError> {
    let text = fs::read_to_string(path).map_err(|error| {
        let reason = match error.kind() {
            std::io::ErrorKind::NotFound => {
                "no such file; name a contest file, or let `judge init DIR` write one".into()
            }
            std::io::ErrorKind::InvalidData => "is not UTF-8; a contest file is TOML in UTF-8".into(),
            _ => error.to_string(),
        };
        ContestError::whole(path, reason)
    })?;
    Reader { path, text: &text }.plan()
}

/// The file being read, for errors that name the place.
struct Reader<'a> {
    path: &'a Path,
    text: &'a str,
}

impl Reader<'_> {
    fn refuse(&self, span: Range<usize>, reason: impl Into<String>) -> ContestError {
        ContestError::at(self.path, self.line(&span), reason.into())
    }

    /// The line, from 1, in which a span begins.
    fn line(&self, span: &Range<usize>) -> usize {
        let before = &self.text.as_bytes()[..span.start.min(self.text.len())];
        before.iter().filter(|&&byte| byte == b'\n').count() + 1
    }

    fn plan(&self) -> Result<(Plan, Vec<Box<dyn Puzzle>>), ContestError> {
        let file: File = toml::from_str(self.text).map_err(|error| match error.span() {
            Some(span) => self.refuse(span, error.message()),
            None => ContestError::whole(self.path, error.message().into()),
        })?;
        let kind = games::find(file.game.get_ref()).ok_or_else(|| {
            let reason = format!("unknown game `{}`; there are: {}", file.game.get_ref(), games::names());
            self.refuse(file.game.span(), reason)
        })?;
        let limits = self.contest_limits(&file)?;
        let isolation = self.isolation(file.isolation.as_ref())?;
        let readable = self.readable(&file.readable)?;
        let ranking = self.ranking(file.ranking)?;
        let (rules, game) = self.game(kind, file.rules)?;
        let files: Vec<PathBuf> = file.board.iter().map(|board| self.relative(&board.file)).collect();
        let (boards, puzzles): (Vec<Board>, Vec<_>) = self.boards(file.board, &*game)?.into_iter().unzip();
        let known = match &file.best_known {
            Some(best_known) => {
                let boards = boards.iter().zip(&files).zip(&puzzles);
                let boards = boards.map(|((board, file), puzzle)| (board.name.as_str(), file.as_path(), &**puzzle));
                known::read(&self.relative(best_known), boards)
                    .map_err(|reason| self.refuse(best_known.span(), reason))?
            }
            None => BTreeMap::new(),
        };
        let shown = DisplayInfo { known, write_ups: self.write_ups(&file.entry)? };
        let entries = self.entries(file.entry, &limits)?;
        let game = kind.name.into();
        Ok((
            Plan { name: file.name, game, rules, limits, isolation, readable, ranking, boards, entries, shown },
            puzzles,
        ))
    }

    /// A file that the contest file names, from its folder.
    fn relative(&self, path: &Spanned<String>) -> PathBuf {
        self.path.parent().unwrap_or(Path::new("")).join(path.get_ref())
    }

    fn write_ups(&self, tables: &[EntryTable]) -> Result<BTreeMap<String, String>, ContestError> {
        let named = tables.iter().filter_map(|table| Some((table.name.get_ref(), table.write_up.as_ref()?)));
        let texts = named.map(|(name, file)| {
            let text = write_up::read(&self.relative(file)).map_err(|reason| self.refuse(file.span(), reason))?;
            Ok((name.clone(), text))
        });
        texts.collect()
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
            if !(1..=MOST_CORES).contains(cores.get_ref()) {
                let reason = format!("cores is {}; an entry has at least 1 core to itself", cores.get_ref());
                return Err(self.refuse(cores.span(), reason));
            }
            limits.cores = usize::try_from(*cores.get_ref()).unwrap_or(1);
        }
        Ok(limits)
    }

    /// The limits that these keys make of those that held without them.
    fn limits(&self, keys: &LimitsTable, usual: Limits) -> Result<Limits, ContestError> {
        let mut limits = usual;
        if let Some(wall) = self.duration("limit", keys.limit.as_ref())? {
            limits.wall_ms = wall;
        }
        if limits.wall_ms == 0 {
            let span = keys.limit.as_ref().map_or(0..0, Spanned::span);
            return Err(self.refuse(span, "limit is zero, so no entry could answer; write a time such as \"10m\""));
        }
        if let Some(grace) = self.duration("grace", keys.grace.as_ref())? {
            limits.grace_ms = grace;
        }
        if let Some(output) = self.size("output", keys.output.as_ref())? {
            limits.output_bytes = output;
        }
        if let Some(cpu) = &keys.cpu {
            let unlimited = cpu.get_ref() == UNLIMITED;
            limits.cpu_ms = if unlimited { None } else { self.duration("cpu", Some(cpu))? };
            if limits.cpu_ms == Some(0) {
                return Err(self.refuse(cpu.span(), "cpu is zero, so no entry could do anything"));
            }
        }
        for (name, key, limit) in
            [("memory", &keys.memory, &mut limits.memory_bytes), ("scratch", &keys.scratch, &mut limits.scratch_bytes)]
        {
            if let Some(text) = key {
                *limit = if text.get_ref() == UNLIMITED { None } else { self.size(name, Some(text))? };
                if *limit == Some(0) {
                    return Err(self.refuse(text.span(), format!("{name} is zero, so no entry could do anything")));
                }
            }
        }
        if let Some(processes) = &keys.processes {
            limits.processes = match processes.get_ref() {
                toml::Value::String(text) if text == UNLIMITED => None,
                toml::Value::Integer(number @ 1..) if number.unsigned_abs() <= MOST_PROCESSES => {
                    u32::try_from(*number).ok()
                }
                other => {
                    let reason = format!("processes is {other}; write a number such as 64, or \"{UNLIMITED}\"");
                    return Err(self.refuse(processes.span(), reason));
                }
            };
        }
        Ok(limits)
    }

    /// Milliseconds.
    fn duration(&self, key: &str, value: Option<&Spanned<String>>) -> Result<Option<u64>, ContestError> {
        let Some(value) = value else { return Ok(None) };
        let duration = parse_duration(value.get_ref());
        let duration = duration.map_err(|reason| self.refuse(value.span(), format!("{key} {reason}")))?;
        Ok(Some(milliseconds(duration)))
    }

    /// Bytes.
    fn size(&self, key: &str, value: Option<&Spanned<String>>) -> Result<Option<u64>, ContestError> {
        let Some(value) = value else { return Ok(None) };
        let size = parse_size(value.get_ref());
        size.map(Some).map_err(|reason| self.refuse(value.span(), format!("{key} {reason}")))
    }

    fn isolation(&self, value: Option<&Spanned<String>>) -> Result<IsolationMode, ContestError> {
        let Some(value) = value else { return Ok(IsolationMode::Auto) };
        IsolationMode::named(value.get_ref()).ok_or_else(|| {
            let reason = format!("isolation `{}` is unknown; there are auto, require, landlock, off", value.get_ref());
            self.refuse(value.span(), reason)
        })
    }

    /// Files and folders that must be there, for an entry that cannot see them cannot say so.
    fn readable(&self, paths: &[Spanned<String>]) -> Result<Vec<String>, ContestError> {
        for path in paths {
            if !self.relative(path).exists() {
                let reason = format!("readable: {} does not exist", self.relative(path).display());
                return Err(self.refuse(path.span(), reason));
            }
        }
        Ok(paths.iter().map(|path| path.get_ref().clone()).collect())
    }

    fn ranking(&self, ranking: Option<Ranking>) -> Result<Vec<RankKey>, ContestError> {
        let Some(Ranking { order }) = ranking else { return Ok(RankKey::DEFAULT_ORDER.into()) };
        let mut keys = Vec::new();
        for name in order.get_ref() {
            let known = RankKey::DEFAULT_ORDER.map(RankKey::name).join(", ");
            let key = RankKey::named(name.get_ref()).ok_or_else(|| {
                self.refuse(name.span(), format!("unknown ranking key `{}`; there are: {known}", name.get_ref()))
            })?;
            if keys.contains(&key) {
                let reason = format!("ranking key `{}` stands twice; the second could never decide", name.get_ref());
                return Err(self.refuse(name.span(), reason));
            }
            keys.push(key);
        }
        if keys.is_empty() {
            return Err(self.refuse(order.span(), "the ranking order is empty; leave [ranking] out for the usual one"));
        }
        Ok(keys)
    }

    fn game(
        &self,
        kind: &GameInfo,
        rules: Option<Spanned<toml::Table>>,
    ) -> Result<(toml::Table, Box<dyn Game>), ContestError> {
        let (span, rules) = rules.map_or((0..0, toml::Table::new()), |rules| (rules.span(), rules.into_inner()));
        let game = (kind.open)(&rules).map_err(|error| {
            self.refuse(span, format!("[rules]: {error}; {} knows: {}", kind.name, kind.rules_help))
        })?;
        Ok((rules, game))
    }

    fn boards(&self, tables: Vec<BoardTable>, game: &dyn Game) -> Result<Vec<ParsedBoard>, ContestError> {
        if tables.is_empty() {
            let reason = "the contest has no board; add a [[board]] with a name and a file";
            return Err(ContestError::whole(self.path, reason.into()));
        }
        self.check_names("board", tables.iter().map(|table| &table.name))?;
        let boards = tables.into_iter().map(|BoardTable { name, file, reconstruction, note }| {
            let path = self.relative(&file);
            let name = name.into_inner();
            let refuse =
                |reason: String| self.refuse(file.span(), format!("board {name}: {}: {reason}", path.display()));
            // A pipe that nobody fills would keep a contest from ever beginning.
            if path.exists() && !path.is_file() && !path.is_dir() {
                return Err(refuse("is no ordinary file, as the boards of a contest are".into()));
            }
            let bytes = read_board(&path).map_err(refuse)?;
            let puzzle = game.parse(&bytes).map_err(|error| refuse(error.to_string()))?;
            let text = String::from_utf8(bytes).map_err(|_| refuse("a board file is UTF-8".into()))?;
            Ok((Board { name, text, reconstruction, note }, puzzle))
        });
        boards.collect()
    }

    fn entries(&self, tables: Vec<EntryTable>, usual: &Limits) -> Result<Vec<Entry>, ContestError> {
        if tables.is_empty() {
            let reason = "the contest has no entry; add an [[entry]] with a name and a command";
            return Err(ContestError::whole(self.path, reason.into()));
        }
        self.check_names("entry", tables.iter().map(|table| &table.name))?;
        let entries = tables.into_iter().map(|table| {
            let EntryTable { name, author, year, strategy, build, command, readable, limits, competing, .. } = table;
            let command = words(command.get_ref()).map_err(|reason| self.refuse(command.span(), reason))?;
            let name = name.into_inner();
            let readable = self.readable(&readable)?;
            let limits = limits.map(|keys| self.limits(&keys, *usual)).transpose()?;
            Ok(Entry { name, author, year, strategy, build, command, readable, limits, competing })
        });
        entries.collect()
    }

    /// Names are usable, and each stands once.
    fn check_names<'n>(
        &self,
        what: &str,
        names: impl Iterator<Item = &'n Spanned<String>>,
    ) -> Result<(), ContestError> {
        let mut seen: Vec<&Spanned<String>> = Vec::new();
        for name in names {
            let text = name.get_ref();
            usable_name(what, text).map_err(|reason| self.refuse(name.span(), reason))?;
            if let Some(first) = seen.iter().find(|earlier| earlier.get_ref() == text) {
                let line = self.line(&first.span());
                let reason = format!("{what} name `{text}` stands twice, first in line {line}; give each its own");
                return Err(self.refuse(name.span(), reason));
            }
            seen.push(name);
        }
        Ok(())
    }
}

/// Refuses a name that could not stand in a table, on the command line and in a file name; the error is a fragment.
pub(super) fn usable_name(what: &str, name: &str) -> Result<(), String> {
    let plain = name.chars().all(|c| c.is_alphanumeric() || "._+-".contains(c));
    if name.is_empty() || name.starts_with(['.', '-']) || !plain || name.chars().count() > NAME_CHARACTERS {
        return Err(format!(
            "{what} name {name:?} is not usable; take 1 to {NAME_CHARACTERS} letters, digits and . _ + -, not beginning \
             with . or -"
        ));
    }
    Ok(())
}

/// A time such as `10m` or `1m 30s`, as a fragment in the error.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let duration = humantime::parse_duration(text).map_err(|error| {
        format!("`{text}` is no time ({error}); write one such as \"10m\", \"1m 30s\" or \"500ms\"")
    })?;
    if duration > LONGEST {
        return Err(format!("`{text}` is more than seven days"));
    }
    if duration.subsec_nanos() % 1_000_000 != 0 {
        return Err(format!("`{text}` is finer than a millisecond"));
    }
    Ok(duration)
}

/// A size such as `16MiB` in bytes; the error is a fragment.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let size: ByteSize = text.parse().map_err(|_| format!("`{text}` is no size; write one such as \"16MiB\""))?;
    Ok(size.as_u64())
}

/// Milliseconds of a duration that [`parse_duration`] gave.
pub fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).expect("at most seven days")
}

/// Reads a board file; the error is a fragment.
pub fn read_board(path: &Path) -> Result<Vec<u8>, String> {
    let reason = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => "no such file; `judge boards make` makes boards".into(),
        _ => error.to_string(),
    };
    if fs::metadata(path).map_err(reason)?.is_dir() {
        return Err("is a directory; a board is a file".into());
    }
    // Not by the size that the system tells: a pipe or a device has none, and may be endless.
    let mut bytes = Vec::new();
    fs::File::open(path).and_then(|file| file.take(BOARD_BYTES + 1).read_to_end(&mut bytes)).map_err(reason)?;
    if bytes.len() as u64 > BOARD_BYTES {
        return Err(format!("is larger than {}, so it is no board", ByteSize(BOARD_BYTES)));
    }
    Ok(bytes)
}

/// A command as a list of words, or as one string that is split as a shell splits words.
fn words(command: &toml::Value) -> Result<Vec<String>, String> {
    let way_out = "write command = \"path/to/program\" or command = [\"python3\", \"{dir}/solver.py\"]";
    let words = match command {
        toml::Value::String(line) => {
            shell_words::split(line).map_err(|error| format!("command: {error}; {way_out}"))?
        }
        toml::Value::Array(words) => words
            .iter()
            .map(|word| word.as_str().map(str::to_owned))
            .collect::<Option<Vec<_>>>()
            .ok_or_else(|| format!("command holds something other than strings; {way_out}"))?,
        _ => return Err(format!("command is neither a string nor a list of strings; {way_out}")),
    };
    if words.first().is_none_or(String::is_empty) {
        return Err(format!("command is empty; {way_out}"));
    }
    if words.iter().any(|word| word.contains('\0')) {
        return Err(format!("command holds a NUL character; {way_out}"));
    }
    Ok(words)
}
