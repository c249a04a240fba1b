//! The boards and entries of a contest file.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use toml::Spanned;

use judge_core::game::Game;
use judge_core::names::{self, Names, Taken};
use judge_core::plan::{Board, Entry, Problem};
use judge_core::text::unknown;
use judge_job::{Argument, leads_through_proc};

use super::problem::UnreadProblem;
use super::values::{read_board, words};
use super::{
    BoardTable, BoardsWanted, BuildRules, ContestError, ContestErrorKind, EntryTable, ParsedBoard, Reader, parse,
    paths::THROUGH_PROC,
};
use crate::contest::answers;
use crate::contest::files::FilePaths;
use crate::contest::folders::{Folders, Program};

impl Reader<'_> {
    pub(super) fn check_boards(&self, tables: &[BoardTable], wanted: BoardsWanted) -> Result<(), ContestError> {
        if tables.is_empty() && wanted == BoardsWanted::Some {
            let reason =
                "the contest has no board; add a [[board]] with a name and a file, or with a pattern in `files`";
            return Err(ContestError::whole(self.path, ContestErrorKind::Value, reason));
        }
        self.check_names("board", tables.iter().map(|table| &table.name))
    }

    pub(super) fn boards(&self, tables: Vec<BoardTable>, game: &dyn Game) -> Result<Vec<ParsedBoard>, ContestError> {
        let boards = tables.into_iter().map(|BoardTable { name, file, reconstruction, note, .. }| {
            let path = self.relative(&file);
            let name = name.into_inner();
            let refuse = |reason: String| {
                let reason = format!("board {name}: {}: {reason}", path.display());
                ContestError::at(self.path, self.line(&file.span()), ContestErrorKind::Board, reason)
            };
            let bytes = read_board(&path).map_err(|error| refuse(error.reason).with_hint(error.hint))?;
            let puzzle = parse(game, &bytes).map_err(refuse)?;
            let text = String::from_utf8(bytes).map_err(|_| refuse("is not UTF-8; a board file is".into()))?;
            let mut board = Board::new(self.in_contest(&name), text);
            (board.reconstruction, board.note) = (reconstruction, note);
            Ok((board, puzzle))
        });
        boards.collect()
    }

    pub(super) fn entries(
        &self,
        tables: Vec<EntryTable>,
        problems: &[&Problem],
        builds: &BuildRules,
        (may_have_none, sized): (bool, bool),
    ) -> Result<Vec<Entry>, ContestError> {
        if tables.is_empty() && !may_have_none {
            let reason = "the contest has no entry; add an [[entry]] with a name and a command, or [office] if teams hand \
                          in all of them";
            return Err(ContestError::whole(self.path, ContestErrorKind::Value, reason));
        }
        self.check_names("entry", tables.iter().map(|table| &table.name))?;
        let places = self.places(builds);
        let spans: Vec<_> = tables.iter().map(|table| table.command.as_ref().map_or(0..0, Spanned::span)).collect();
        let entries = tables.into_iter().map(|table| {
            let EntryTable { name, author, year, strategy, build, folder, command, .. } = table;
            let EntryTable { readable, working_files, source, limits, competing, .. } = table;
            if let Some(first) = source.first().filter(|_| !sized) {
                let reason = "source is the size of an entry, which is no figure here; see [[figure]]";
                return Err(self.refuse(first.span(), reason));
            }
            let own_problems = self.entry_problems(table.problems.as_ref(), problems)?;
            let Some(command) = command else {
                let mut entry = Entry::new(name.into_inner(), Vec::new());
                (entry.author, entry.year, entry.strategy) = (author, year, strategy);
                (entry.answers, entry.competing) = (Some(BTreeMap::new()), competing);
                entry.problems = own_problems;
                return Ok(entry);
            };
            let span = command.span();
            let command_span = span.clone();
            let command = words(command.get_ref()).map_err(|reason| self.refuse(span.clone(), reason))?;
            let own = places.own(&command, folder.as_deref());
            let own = own.as_deref();
            // A link that a build created later fails only that build.
            let is_built = build.is_some() && places.place(&command[0], own).root == places.contest();
            if command[0].contains('/') && !is_built && leads_through_proc(&self.absolute(&command[0])) {
                let reason = format!("command: {} {THROUGH_PROC}; name the program itself", command[0]);
                return Err(self.refuse(span, reason));
            }
            let name = name.into_inner();
            let readable = self.readable("readable", &readable, build.is_some(), &places, own)?;
            let working_files = self.readable("working_files", &working_files, build.is_some(), &places, own)?;
            if build.is_none() {
                for argument in places.arguments(&command, own) {
                    if let Argument::Path(place) = argument {
                        self.check_place("command", span.clone(), &place)?;
                    }
                }
            }
            let mut of_it =
                problems.iter().filter(|problem| own_problems.is_empty() || own_problems.contains(&problem.id));
            let limits = match (limits, of_it.next(), of_it.next()) {
                (Some(keys), Some(problem), None) => Some(self.limits(&keys, problem.limits)?),
                (Some(_), ..) => {
                    let reason =
                        format!("entry {name}: limits of its own are those of one problem; name that in `problems`");
                    return Err(self.refuse(span, reason));
                }
                (None, ..) => None,
            };
            let (span, build) = build.map(|build| (build.span(), build.into_inner())).unzip();
            let mut entry = Entry::new(name, command);
            (entry.author, entry.year, entry.strategy) = (author, year, strategy);
            (entry.build, entry.folder, entry.readable, entry.working_files) = (build, folder, readable, working_files);
            (entry.limits, entry.competing, entry.problems) = (limits, competing, own_problems);
            if sized {
                let size = self.size_of(&source, &entry.command);
                entry.size = Some(size.map_err(|reason| {
                    let at = source.first().map_or(command_span.clone(), Spanned::span);
                    self.refuse(at, format!("entry {} {reason}", entry.name))
                })?);
            }
            let whose = format!("entry {}", entry.name);
            self.check_build(builds, &whose, span, &entry.command, entry.folder.as_deref())?;
            Ok(entry)
        });
        let entries = entries.collect::<Result<Vec<_>, _>>()?;
        Folders::of(builds, &places, Program::from_entries(&entries))
            .and_then(|folders| folders.check(Program::from_entries(&entries)))
            .map_err(|(index, reason)| self.refuse(spans[index].clone(), reason))?;
        Ok(entries)
    }

    /// The problems of an entry, by their identifiers; empty for all.
    fn entry_problems(
        &self,
        named: Option<&Spanned<Vec<Spanned<String>>>>,
        problems: &[&Problem],
    ) -> Result<Vec<String>, ContestError> {
        let Some(list) = named else { return Ok(Vec::new()) };
        if problems.iter().any(|problem| problem.id.is_empty()) || list.get_ref().is_empty() {
            let reason = "problems names one or more of the tables [[problem]]; omit it for all of them";
            return Err(self.refuse(list.span(), reason));
        }
        let mut own: Vec<String> = Vec::new();
        for name in list.get_ref() {
            let id = name.get_ref();
            if !problems.iter().any(|problem| problem.id == *id) {
                let known = problems.iter().map(|problem| &*problem.id);
                return Err(self.refuse(name.span(), unknown("problem", id, known)));
            }
            if own.contains(id) {
                return Err(self.refuse(name.span(), format!("problems names `{id}` twice")));
            }
            own.push(id.clone());
        }
        Ok(own)
    }

    /// The folders and archives of entries that are answers, by the indices of the entries.
    pub(super) fn answers(
        &self,
        tables: &[EntryTable],
        problems: &[UnreadProblem<'_>],
    ) -> Result<Vec<(usize, Spanned<String>)>, ContestError> {
        let mut given = Vec::new();
        for (index, table) in tables.iter().enumerate() {
            let Some(answers) = &table.answers else {
                if table.command.is_none() {
                    let reason = "missing key `command`; add for example command = \"mine/solver\", or answers = \"FOLDER\" with a file \
                                  per board";
                    return Err(self.refuse(table.name.span(), reason));
                }
                continue;
            };
            let other = [
                ("command", table.command.as_ref().map(Spanned::span)),
                ("build", table.build.as_ref().map(Spanned::span)),
                ("folder", table.folder.as_ref().map(|_| table.name.span())),
                ("readable", table.readable.first().map(Spanned::span)),
                ("working_files", table.working_files.first().map(Spanned::span)),
                ("limits", table.limits.as_ref().map(|_| table.name.span())),
            ];
            if let Some((key, span)) = other.into_iter().find_map(|(key, span)| Some((key, span?))) {
                let reason = format!("an entry with answers executes nothing; remove {key}, or answers");
                return Err(self.refuse(span, reason));
            }
            let is_for = |problem: &UnreadProblem<'_>| {
                let named = table.problems.as_ref().map(Spanned::get_ref);
                named.is_none_or(|named| named.iter().any(|id| *id.get_ref() == problem.problem.id))
            };
            if problems.iter().any(|problem| problem.needs_programs && is_for(problem)) {
                let reason = "answers fit no contest that needs programs: one whose referee talks or has passes, or that \
                              takes a stream of answers";
                return Err(self.refuse(answers.span(), reason));
            }
            given.push((index, answers.clone()));
        }
        Ok(given)
    }

    /// Reads the answers of entries that are not programs. Returns the archives with answers.
    pub(super) fn read_answers(
        &self,
        given: Vec<(usize, Spanned<String>)>,
        entries: &mut [Entry],
        boards: &[String],
        paths: &mut FilePaths,
    ) -> Result<Vec<PathBuf>, ContestError> {
        let mut archives = Vec::new();
        for (index, given) in given {
            let path = self.relative(&given);
            let refuse = |reason| self.refuse(given.span(), format!("answers: {}: {reason}", path.display()));
            let own = boards.iter().filter(|board| entries[index].is_on(board)).cloned().collect::<Vec<_>>();
            entries[index].answers = Some(answers::read(&path, &own, paths, &mut archives).map_err(refuse)?);
        }
        Ok(archives)
    }

    /// Refuses unusable and duplicate names.
    pub(super) fn check_names<'n>(
        &self,
        what: &str,
        names: impl Iterator<Item = &'n Spanned<String>>,
    ) -> Result<(), ContestError> {
        let mut all = Names::default();
        let mut lines: HashMap<&str, usize> = HashMap::new();
        for name in names {
            let text = name.get_ref();
            names::usable(what, text).map_err(|error| self.refuse(name.span(), error.to_string()))?;
            if let Err(Taken(other)) = all.insert(text) {
                let (line, alike) = (lines[&*other], names::alike(what, text, &other));
                let reason = match alike.split_once("; ") {
                    Some((alike, remedy)) => format!("{alike} (line {line}); {remedy}"),
                    None => format!("{alike}, first used in line {line}"),
                };
                return Err(self.refuse(name.span(), reason));
            }
            lines.insert(text, self.line(&name.span()));
        }
        Ok(())
    }
}
