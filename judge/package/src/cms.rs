//! Tasks of CMS in the Italian format: `task.yaml` with the inputs, outputs and solutions next to it, read as a package.
//!
//! The rules are those of CMS itself: its loader of this format, its score types, its comparison and its calls of checkers.

mod gen_file;
mod subtasks;

use std::path::{Path, PathBuf};

use crate::data::{self, Case, Data, Group, InputArgs, Item, ScoreMode};
use crate::error::PackageError;
use crate::expect::Expectation;
use crate::files::Files;
use crate::input_validators::{InputChecker, InputValidator};
use crate::judgement::Judgement;
use crate::language::Languages;
use crate::metadata::Metadata;
use crate::program::{Overrides, Program};
use crate::streams::Streams;
use crate::submissions::Submission;
use crate::table::Table;
use crate::yaml::{self, Node, Value};
use crate::{MAX_YAML_BYTES, Package, contest, statement};
pub(crate) use gen_file::{Gen, Make};
use judge_core::hint::Hint;
use subtasks::Subtask;

/// The file that makes a folder a task.
const FILE: &str = "task.yaml";
/// The most that a solution may print, in MiB. CMS allows files of 1 GiB; no file of a task is larger than this here.
const OUTPUT_MIB: u64 = 256;
/// Folders and names of checkers, and of managers.
const CHECKERS: [(&str, &str); 2] = [("check", "checker"), ("cor", "correttore")];
const MANAGERS: [(&str, &str); 2] = [("check", "manager"), ("cor", "manager")];
/// The names of the official solution, which gets all points. The format says nothing about others.
const OFFICIAL: [&str; 2] = ["soluzione", "solution"];
/// Files next to solutions that are built together with all of them.
const GRADER: &str = "grader";
const HEADERS: [&str; 3] = [".h", ".hpp", "lib.pas"];
/// Keys without a meaning for the judging of one submission, and the beginnings of others.
const OTHER_KEYS: [&str; 11] = [
    "score_precision",
    "score_mode",
    "feedback_level",
    "public_testcases",
    "risultati",
    "primary_language",
    "version",
    "only_gen",
    "viz_testcases",
    "diff",
    "user_io",
];
const OTHER_BEGINNINGS: [&str; 3] = ["token_", "max_", "min_"];
/// The most inputs of a task.
const MAX_INPUTS: usize = 10_000;
/// The arguments of the default validator that compare as CMS does.
const WHITE_DIFF: [&str; 2] = ["case_sensitive", "line_sensitive"];

/// A task, as far as its description goes: without its inputs, outputs and solutions.
pub(crate) struct Task {
    pub(crate) metadata: Metadata,
    pub(crate) notices: Vec<String>,
    /// The short name, which a submitted file has.
    name: String,
    streams: Streams,
    checker: Option<Program>,
    subtasks: Vec<Subtask>,
    /// The number of each input's subtask, for the validator of inputs; empty if `gen/GEN` does not define it.
    numbers: Vec<usize>,
}

/// Tests whether a folder is a task.
pub(crate) fn is_task(folder: &Path) -> bool {
    folder.join(FILE).is_file()
}

/// Reads a task whose inputs and outputs are there.
pub(crate) fn read(files: Files) -> Result<Package, PackageError> {
    let mut task = Task::read(&files)?;
    let data = task.data(&files)?;
    let (submissions, more) = task.submissions(&files)?;
    task.notices.extend(more);
    task.notices.extend(contest::alike(&data, &submissions));
    let input_validators = input_validator(&files)?.into_iter().collect();
    let (statement, more) = statement::find(&files)?;
    task.notices.extend(more);
    task.notices.extend(files.notices());
    Ok(Package {
        metadata: task.metadata,
        data,
        outputs: Vec::new(),
        submissions,
        calls_as_cms: task.checker.is_some(),
        validators: task.checker.into_iter().collect(),
        input_validators,
        invalid_inputs: Vec::new(),
        static_validator: None,
        grader: None,
        notices: task.notices,
        statement,
        files,
    })
}

impl Task {
    pub(crate) fn read(files: &Files) -> Result<Self, PackageError> {
        let file = files.root().join(FILE);
        let text = files.text(&file, MAX_YAML_BYTES)?;
        let node = yaml::parse(&text).map_err(|error| PackageError::at(&file, error.line, error.reason))?;
        let table = Table::new(&file, FILE, &node)?;
        if let Some(manager) = program(files, &MANAGERS)? {
            let reason = "a task of type Communication, whose manager talks by named pipes; a referee here talks by \
                          standard input and output";
            return Err(PackageError::whole(manager.files.first().map_or(&file, |(_, file)| file), reason));
        }
        for key in ["output_only_testcases", "output_optional_testcases"] {
            if let Some(node) = table.get(key) {
                let reason =
                    format!("{key}: a task of type BatchAndOutput, in which a submission is a program or outputs");
                return Err(table.refuse_at(node, format!("{reason}; an entry here is one of both")));
            }
        }
        let checker = program(files, &CHECKERS)?;
        let (mut metadata, _) = Metadata::read(&file, &Node { line: 1, value: Value::Null }, checker.is_some())?;
        let name =
            table.text("name")?.or(table.text("nome_breve")?).map_or_else(|| metadata.name.clone(), str::to_owned);
        metadata.name = table.text("title")?.or(table.text("nome")?).map_or_else(|| name.clone(), str::to_owned);
        metadata.scoring = true;
        metadata.custom_validator = checker.is_some();
        metadata.submit_answer = table.text("output_only")?.is_some_and(|word| word.eq_ignore_ascii_case("true"));
        metadata.limits.output = OUTPUT_MIB;
        metadata.limits.time = table.limit("time_limit")?.or(table.limit("timeout")?);
        if let Some(memory) = table.limit("memory_limit")?.or(table.limit("memlimit")?) {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a limit is from 0 to 1e9")]
            let whole = memory.ceil() as u64;
            metadata.limits.memory = whole;
        }
        let stream = |key: &str, usual: &str| {
            let name = table.text(key)?.unwrap_or(usual);
            let plain = !name.contains('/') && !name.starts_with(['-', '.']);
            if plain {
                Ok(name.to_owned())
            } else {
                Err(table.refuse(format!("{key}: `{name}` is no plain file name")))
            }
        };
        let streams =
            Streams { input: stream("infile", "input.txt")?, output: stream("outfile", "output.txt")?, makes: false };
        let mut notices = notices(&table)?;
        let named: Vec<&str> =
            [&*streams.input, &*streams.output].into_iter().filter(|name| !name.is_empty()).collect();
        if !named.is_empty() {
            let (named, other) = (named.join(" and "), "other entries use standard input and output");
            notices.push(format!("only solutions of the task use the files {named}; {other}"));
        }
        let (subtasks, numbers, more) = subtasks::read(&table, files, checker.is_some())?;
        notices.extend(more);
        notices.extend(table.unknown());
        Ok(Self { metadata, notices, name, streams, checker, subtasks, numbers })
    }

    /// Its test cases, one for each input of each subtask.
    fn data(&self, files: &Files) -> Result<Data, PackageError> {
        let usual = data::Reader::new(files, &self.metadata).usual();
        let whole = self.subtasks.iter().map(Subtask::most).sum();
        let rules = |score, points, most| {
            let mut rules = usual.clone();
            (rules.stop_on_reject, rules.score, rules.accept_score, rules.range) = (false, score, points, (0.0, most));
            rules
        };
        let mut root = Group { name: String::new(), rules: rules(ScoreMode::Sum, 0.0, whole), items: Vec::new() };
        let mut cases = Vec::new();
        for subtask in &self.subtasks {
            let mut items = Vec::new();
            for &index in &subtask.inputs {
                items.push(Item::Case(cases.len()));
                cases.push(self.case(files, subtask, index)?);
            }
            let rules = rules(subtask.score, subtask.points, subtask.most());
            root.items.push(Item::Group(Box::new(Group { name: subtask.name.clone(), rules, items })));
        }
        if cases.is_empty() {
            return Err(PackageError::whole(&files.root().join(FILE), "the task has no test case"));
        }
        Ok(Data { cases, statics: Vec::new(), root })
    }

    fn case(&self, files: &Files, subtask: &Subtask, index: usize) -> Result<Case, PackageError> {
        let [input, answer] = ["in", "ans"].map(|ending| files.root().join(file_of(index, ending)));
        if let Some(missing) = [&input, &answer].into_iter().find(|file| !file.is_file()) {
            let made = files.root().join(gen_file::FILE).is_file();
            let error = PackageError::whole(missing, "no such file");
            return Err(PackageError { hint: made.then_some(Hint::GenerateData), ..error });
        }
        let validator_args = match (&self.checker, subtask.threshold) {
            (None, _) => WHITE_DIFF.map(str::to_owned).to_vec(),
            (Some(_), threshold) => threshold.map(|most| most.to_string()).into_iter().collect(),
        };
        let number = self.numbers.get(index).filter(|number| **number > 0);
        Ok(Case {
            name: format!("{}/{}", subtask.name, codename(index)),
            input,
            answer: Some(answer),
            validator_args,
            input_args: InputArgs { all: number.map(usize::to_string).into_iter().collect(), ..InputArgs::default() },
            args: Vec::new(),
            files: Vec::new(),
        })
    }

    /// The solutions, each with the grader of its language.
    fn submissions(&self, files: &Files) -> Result<(Vec<Submission>, Vec<String>), PackageError> {
        let folder = files.root().join("sol");
        let (mut submissions, mut notices) = (Vec::new(), Vec::new());
        if !folder.is_dir() || self.metadata.submit_answer {
            return Ok((submissions, notices));
        }
        for name in files.list(&folder)? {
            let (stem, _) = parts(&name);
            if !is_source(&name)
                || HEADERS.iter().any(|ending| name.ends_with(ending))
                || [GRADER, "stub"].contains(&stem)
            {
                continue;
            }
            let program = match self.solution(files, &name)? {
                Ok(program) => program,
                Err(missing) => {
                    notices.push(format!("sol/{name}: left out, for there is no {missing} to build it with"));
                    continue;
                }
            };
            let expectation = match OFFICIAL.contains(&stem) {
                true => Expectation::Result(vec![Judgement::Accepted]),
                false => Expectation::Nothing,
            };
            submissions.push(Submission { path: name, program, expectation, overrides: Overrides::default() });
        }
        Ok((submissions, notices))
    }

    /// A solution under the name that a submitted file has, with its grader and the headers; or the name of the grader that is
    /// missing.
    fn solution(&self, files: &Files, name: &str) -> Result<Result<Program, String>, PackageError> {
        let folder = files.root().join("sol");
        let ending = parts(name).1;
        let names = files.list(&folder)?;
        let grader = format!("{GRADER}{ending}");
        let has_graders = names.iter().any(|name| parts(name).0 == GRADER && is_source(name));
        if has_graders && !names.contains(&grader) {
            return Ok(Err(grader));
        }
        let mut all = vec![(format!("{}{ending}", self.name), folder.join(name))];
        let beside = names.iter().filter(|other| **other == grader || HEADERS.iter().any(|end| other.ends_with(end)));
        all.extend(beside.map(|name| (name.clone(), folder.join(name))));
        let main = has_graders.then(|| GRADER.to_owned());
        Ok(Ok(Program { main, streams: Some(self.streams.clone()), older: true, ..Program::new(name, all) }))
    }

    /// The program that makes the outputs.
    pub(crate) fn official(&self, files: &Files) -> Result<Option<Program>, PackageError> {
        let folder = files.root().join("sol");
        let names = if folder.is_dir() { files.list(&folder)? } else { Vec::new() };
        let name = names.into_iter().find(|name| parts(name).0 == OFFICIAL[0] && is_source(name));
        let usual = |name: &str, usual: &str| if name.is_empty() { usual.to_owned() } else { name.to_owned() };
        let Streams { input, output, .. } = &self.streams;
        let streams = Streams { input: usual(input, "input.txt"), output: usual(output, "output.txt"), makes: true };
        let program = name.map(|name| self.solution(files, &name)).transpose()?.and_then(Result::ok);
        Ok(program.map(|program| Program { streams: Some(streams), ..program }))
    }
}

/// The name of an input in CMS.
fn codename(index: usize) -> String {
    format!("{index:03}")
}

/// The path of the file of an input with that ending, as packages name them: `in` or `ans`.
pub(crate) fn file_of(index: usize, ending: &str) -> String {
    let folder = if ending == "in" { "input" } else { "output" };
    format!("{folder}/{folder}{index}.txt")
}

/// Notices on keys that matter and have no equal here.
fn notices(table: &Table<'_>) -> Result<Vec<String>, PackageError> {
    let others =
        |name: &str| OTHER_KEYS.contains(&name) || OTHER_BEGINNINGS.iter().any(|start| name.starts_with(start));
    for (name, _) in table.pairs().iter().filter(|(name, _)| others(name)) {
        table.get(name);
    }
    let mut notices = Vec::new();
    if table.text("token_mode")? == Some("finite") {
        notices.push("token_mode: finite: ignored, for contests have no tokens".to_owned());
    }
    if table.text("score_mode")? == Some("max_subtask") {
        notices
            .push("score_mode: max_subtask: ignored; points of different submissions are not put together".to_owned());
    }
    Ok(notices)
}

/// The name of a file without its ending, and the ending with its dot.
fn parts(name: &str) -> (&str, &str) {
    name.rfind('.').map_or((name, ""), |dot| name.split_at(dot))
}

fn is_source(name: &str) -> bool {
    Languages::default().for_files(&[(name, "")]).is_some()
}

/// The first of these programs that exists, with the headers of its folder. Sources come first, because a built program may
/// be for another machine.
fn program(files: &Files, places: &[(&str, &str)]) -> Result<Option<Program>, PackageError> {
    for (folder, name) in places {
        let folder = files.root().join(folder);
        let names = if folder.is_dir() { files.list(&folder)? } else { Vec::new() };
        if let Some(source) = names.iter().find(|other| parts(other).0 == *name && is_source(other)) {
            return with_beside(files, &folder, source).map(Some);
        }
        if names.iter().any(|other| other == name) {
            return Ok(Some(Program::new(*name, vec![("run".to_owned(), folder.join(name))])));
        }
    }
    Ok(None)
}

/// A program of a folder with the files that it may need there: headers, and modules if it is in Python.
fn with_beside(files: &Files, folder: &Path, source: &str) -> Result<Program, PackageError> {
    let (stem, ending) = parts(source);
    let tools = ["generatore", "valida", "checker", "correttore", "manager"];
    let is_module = |name: &str| ending == ".py" && parts(name).1 == ".py" && !tools.contains(&parts(name).0);
    let names = files.list(folder)?.into_iter();
    let beside = names.filter(|name| *name == source || is_module(name) || [".h", ".hpp"].contains(&parts(name).1));
    let all = beside.map(|name| (name.clone(), folder.join(name))).collect();
    Ok(Program { main: Some(stem.to_owned()), older: true, ..Program::new(source, all) })
}

/// A program of `gen/`, such as the generator. A link to a program of the system stands for that program, whose path is then the
/// name of a program without files.
pub(crate) fn tool(files: &Files, name: &str) -> Result<Option<Program>, PackageError> {
    let folder = files.root().join("gen");
    let names = if folder.is_dir() { files.list(&folder)? } else { Vec::new() };
    let Some(source) = names.iter().find(|other| parts(other).0 == name && is_source(other)) else { return Ok(None) };
    let target: Option<PathBuf> = folder.join(source).read_link().ok();
    let is_system = |path: &PathBuf| ["/bin", "/usr/bin"].iter().any(|bin| path.parent() == Some(Path::new(bin)));
    match target.filter(is_system) {
        Some(program) => Ok(Some(Program::new(program.to_string_lossy(), Vec::new()))),
        None => with_beside(files, &folder, source).map(Some),
    }
}

/// The validator of inputs, which reads the file that its first argument names.
fn input_validator(files: &Files) -> Result<Option<InputValidator>, PackageError> {
    let program = tool(files, "valida")?.filter(|program| !program.files.is_empty());
    Ok(program.map(|program| InputValidator::by_path(program.name.clone(), InputChecker::Program(program))))
}
