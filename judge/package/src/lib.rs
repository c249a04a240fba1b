//! Problem packages in the Kattis/ICPC format, versions `legacy` and `2025-09`, and tasks of CMS in the Italian format.
//!
//! [`Package::read`] reads a whole folder: metadata, test data, validators, and submissions with the package's
//! expectations. [`Package::write`] writes it as a contest folder. [`Package::compare`] compares results with
//! expectations. Nothing here starts a program or reads a clock.

#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

/// The example of the README, compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

mod bounds;
mod cms;
mod contest;
mod data;
mod error;
mod expect;
mod files;
mod foreign;
mod generators;
mod glob;
mod grading;
mod input_validators;
mod judgement;
mod language;
mod metadata;
mod options;
mod outputs;
mod program;
mod python;
mod scores;
mod select;
mod statement;
mod statics;
mod streams;
mod submissions;
mod table;
mod text;
mod wall_clock;
pub mod yaml;

use std::path::Path;

pub use contest::{EntryPlan, GraderPlan, Skipped, Written};
pub use data::{Case, Data, Group, InputArgs, Item, OwnRules, Rules, ScoreMode, StaticCase, VerdictMode};
pub use error::{PackageError, StaticError, ToolError};
pub use expect::{Comparison, Expectation, Judged, Progress, Requirement};
pub use foreign::{OtherFormat, other_format};
pub use generators::{GeneratedCase, Generation, GeneratorCommand};
pub use grading::{Graded, GraderCall, GraderError, Missing, Results};
pub use input_validators::{InputChecker, InputValidator, ToolPlan};
pub use judgement::{CaseResult, CaseScore, Judgement, Total};
pub use language::{Language, Languages, Tool, UnusableProgram};
pub use metadata::{Limits, Metadata, Objective, OldGrading, Version};
pub use options::Options;
pub use outputs::OutputTest;
pub use program::{Commands, Program};
pub use submissions::Submission;
pub use wall_clock::WallClock;

use files::Files;
use judge_core::tokens::TokenRules;
use program::Overrides;

/// The most files that a message names.
const MAX_NAMED: usize = 5;
/// The largest `problem.yaml`, in bytes.
const MAX_YAML_BYTES: u64 = 1 << 20;

/// A problem package that was read: metadata, test cases and submissions.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Package {
    /// The contents of `problem.yaml`, with defaults for missing keys.
    pub metadata: Metadata,
    /// Its test cases and groups.
    pub data: Data,
    /// Outputs that its validator must accept or reject.
    pub outputs: Vec<OutputTest>,
    /// Its submissions, by folder and name.
    pub submissions: Vec<Submission>,
    /// Its own validators, all of which must accept an answer; empty for the default validator.
    pub validators: Vec<Program>,
    /// The programs and grammars that check its inputs.
    pub input_validators: Vec<InputValidator>,
    /// Inputs that some input validator must reject.
    pub invalid_inputs: Vec<std::path::PathBuf>,
    /// Its static validator, which static validation test cases call.
    pub static_validator: Option<Program>,
    /// Its grader, if some group is graded by one.
    pub grader: Option<Program>,
    /// Things in the package that are ignored, for people.
    pub notices: Vec<String>,
    /// True if its validator is a checker of CMS, called with three files, that prints an outcome.
    calls_as_cms: bool,
    /// The statement for the contest.
    statement: Option<statement::Source>,
    files: Files,
}

impl Package {
    /// Reads a package whose links stay inside it. Fails if the package needs features that the judge does not have.
    ///
    /// # Errors
    ///
    /// A file is missing, cannot be read or is not what the format says, with the file and the line.
    pub fn read(folder: &Path) -> Result<Self, PackageError> {
        Self::read_with_links(folder, None)
    }

    /// Reads a package whose links may also lead into another folder.
    ///
    /// # Errors
    ///
    /// A file is missing, cannot be read or is not what the format says, with the file and the line.
    pub fn read_with_links(folder: &Path, links: Option<&Path>) -> Result<Self, PackageError> {
        let files = Files::open(folder, links)?;
        let file = files.root().join("problem.yaml");
        if !file.exists() {
            return if cms::is_task(files.root()) { cms::read(files) } else { Err(no_package(&file, folder)) };
        }
        let text = files.text(&file, MAX_YAML_BYTES)?;
        let node = yaml::parse(&text).map_err(|error| PackageError::at(&file, error.line, error.reason))?;
        let validators = validators(&files)?;
        let (mut metadata, mut notices) = Metadata::read(&file, &node, !validators.is_empty())?;
        if metadata.limits.time.is_none() {
            metadata.limits.time = other_time_limit(&files)?;
        }
        let validators = match (metadata.custom_validator, validators.is_empty()) {
            (false, _) => Vec::new(),
            (true, false) => validators,
            (true, true) => {
                let mut reason = "`validation: custom` needs a program in output_validators".to_owned();
                let folder = files.root().join("output_validators");
                let there = if folder.is_dir() { files.list(&folder)? } else { Vec::new() };
                if !there.is_empty() {
                    let names = there.iter().take(MAX_NAMED).cloned().collect::<Vec<_>>().join(", ");
                    reason += &format!("; of no known language is what it has: {names}");
                }
                return Err(PackageError::whole(&file, reason));
            }
        };
        for (is_kind, kind) in [(metadata.interactive, "an interactive"), (metadata.passes.is_some(), "a multi-pass")] {
            if is_kind && validators.len() != 1 {
                let reason = format!("{kind} problem needs one output validator, not {}", validators.len());
                return Err(PackageError::whole(&file, reason));
            }
        }
        let reader = || data::Reader::new(&files, &metadata);
        let (data, more) = reader().read()?;
        notices.extend(more);
        let statics = files.root().join(statics::FOLDER);
        let static_validator = statics.is_dir().then(|| folder_program(&files, &statics)).transpose()?;
        notices.extend(statics::check(files.root(), static_validator.is_some(), &metadata, &data)?);
        notices.extend(bounds::check(files.root(), &metadata, &data)?);
        let (outputs, more) = outputs::read(reader())?;
        notices.extend(more);
        if validators.is_empty() {
            for case in data.cases.iter().chain(outputs.iter().map(|test| &test.case)) {
                TokenRules::parse(&case.validator_args).map_err(|reason| {
                    PackageError::whole(&case.input, format!("arguments of the default validator: {reason}"))
                })?;
            }
        }
        let grader = grader(&files, &data)?;
        if data.root.has_custom_grader() {
            notices.push(match grader {
                Some(_) => "graders: used to verify the package; in a contest, points of groups are summed".to_owned(),
                None => "grading: custom without a program in graders/, so scores are not compared".to_owned(),
            });
        }
        notices.extend(scores::notices(&metadata, &data));
        let (input_validators, more) = input_validators::read(&files)?;
        notices.extend(more);
        let invalid_inputs = input_validators::invalid(&files)?;
        let (submissions, more) = submissions::read(&files, &metadata)?;
        notices.extend(more);
        notices.extend(contest::alike(&data, &submissions));
        let (statement, more) = statement::find(&files)?;
        notices.extend(more);
        notices.extend(files.notices());
        Ok(Self {
            metadata,
            data,
            outputs,
            submissions,
            validators,
            input_validators,
            invalid_inputs,
            static_validator,
            grader,
            notices,
            calls_as_cms: false,
            statement,
            files,
        })
    }
}

/// The refusal of a folder without a `problem.yaml`, which may be in the format of another judge.
fn no_package(file: &Path, folder: &Path) -> PackageError {
    match other_format(folder) {
        Some(OtherFormat { reason, hint }) => PackageError { hint, ..PackageError::whole(folder, reason) },
        None => {
            PackageError::whole(file, "no such file; a problem package has a problem.yaml, a task of CMS a task.yaml")
        }
    }
}

/// The validators: in 2025-09 the folder is one program, otherwise it contains programs.
fn validators(files: &Files) -> Result<Vec<Program>, PackageError> {
    let mut programs = Vec::new();
    let current = files.root().join("output_validator");
    if current.is_dir() {
        programs.push(folder_program(files, &current)?);
        return Ok(programs);
    }
    let legacy = files.root().join("output_validators");
    if !legacy.is_dir() {
        return Ok(programs);
    }
    programs_in(files, &legacy)
}

/// The program that consists of a folder.
fn folder_program(files: &Files, folder: &Path) -> Result<Program, PackageError> {
    let names = files.list(folder)?;
    // Some packages keep a folder with the program in it.
    match names.as_slice() {
        [only] if folder.join(only).is_dir() => Program::read(files, &folder.join(only)),
        _ => Program::read(files, folder),
    }
}

/// The programs in a folder, each a file or a folder.
fn programs_in(files: &Files, folder: &Path) -> Result<Vec<Program>, PackageError> {
    let mut programs = Vec::new();
    let languages = Languages::default();
    let is_program = |program: &Program| program.language(&languages, &Overrides::default()).is_ok();
    let names = files.list(folder)?;
    let all = names.iter().map(|name| Program::read(files, &folder.join(name))).collect::<Result<Vec<_>, _>>()?;
    // Headers next to a program are files of it, as if they were in one folder.
    if names.iter().all(|name| folder.join(name).is_file()) && all.iter().filter(|one| is_program(one)).count() == 1 {
        programs.push(Program::read(files, folder)?);
    } else {
        let named = |program: &Program| is_program(program) || folder.join(&program.name).is_dir();
        programs.extend(all.into_iter().filter(named));
    }
    Ok(programs)
}

/// The grader, if a group is graded by one.
fn grader(files: &Files, data: &Data) -> Result<Option<Program>, PackageError> {
    let folder = files.root().join("graders");
    if !data.root.has_custom_grader() || !folder.is_dir() {
        return Ok(None);
    }
    match files.list(&folder)?.as_slice() {
        [] => Ok(None),
        [only] => Program::read(files, &folder.join(only)).map(Some),
        several => {
            let reason = format!("at most one grader is possible, not {}", several.join(", "));
            Err(PackageError::whole(&folder, reason))
        }
    }
}

/// The time limit in files that DOMjudge and older tools read, in seconds.
fn other_time_limit(files: &Files) -> Result<Option<f64>, PackageError> {
    let read = |name: &str, pick: &dyn Fn(&str) -> Option<String>| -> Result<Option<f64>, PackageError> {
        let file = files.root().join(name);
        if !file.is_file() {
            return Ok(None);
        }
        let Some(text) = pick(&files.text(&file, MAX_YAML_BYTES)?) else { return Ok(None) };
        let number = text.trim().parse().ok().filter(|number: &f64| *number > 0.0 && *number <= 1e9);
        number.map(Some).ok_or_else(|| PackageError::whole(&file, format!("invalid time limit `{}`", text.trim())))
    };
    let of_key = |text: &str| {
        let lines = text.lines().filter_map(|line| line.split_once('='));
        let mut values = lines.filter(|(key, _)| key.trim() == "timelimit");
        values.next().map(|(_, value)| value.trim().trim_matches(['"', '\'']).to_owned())
    };
    match read("domjudge-problem.ini", &of_key)? {
        Some(limit) => Ok(Some(limit)),
        None => read(".timelimit", &|text| Some(text.to_owned())),
    }
}
