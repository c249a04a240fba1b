//! Input validators: programs and grammars of a package that check its inputs.

use std::path::{Path, PathBuf};

use crate::data::InputArgs;
use crate::error::{PackageError, ToolError};
use crate::files::Files;
use crate::options::Options;
use crate::program::{Commands, Program};
use crate::{Package, programs_in};

/// The folders of input validators, in the words of the versions of the format.
const FOLDERS: [&str; 3] = ["input_validators", "input_format_validators", "input_validator"];
/// The programs that check inputs against grammars with the ending `.ctd`, which are called in the same way: DOMjudge's
/// program, and the program of the PyPI package `checktestdata`.
const CHECKERS: [&str; 2] = ["checktestdata", "pyctd"];
/// Exit codes with which a program and a checker of grammars accept an input.
const ACCEPTED: i32 = 42;
const MATCHES: i32 = 0;
/// Calls a validator that reads its input from a file.
const BY_PATH: &str = r#"cat >input.txt && exec "$@""#;

/// An input validator of a package.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct InputValidator {
    /// Its name, by which arguments are given to it, such as `validate.py`.
    pub name: String,
    /// The program, or the grammar that inputs must match.
    pub checker: InputChecker,
    /// The name of its folder in the package.
    folder: &'static str,
    /// True if it reads the file that its first argument names, and accepts with exit code 0, as in CMS.
    by_path: bool,
}

impl InputValidator {
    /// A validator that reads the file that its first argument names.
    pub(crate) fn by_path(name: String, checker: InputChecker) -> Self {
        Self { name, checker, folder: FOLDERS[0], by_path: true }
    }
}

/// The part of a validator that checks inputs: a program, or a grammar.
#[derive(Debug, Clone, PartialEq)]
pub enum InputChecker {
    /// A program that reads an input and ends with exit code 42 if the input is valid.
    Program(Program),
    /// The file of a grammar in the language of checktestdata.
    Grammar(PathBuf),
}

/// An input validator or a generator in a folder, ready to be built and executed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolPlan {
    /// The name of its file or folder.
    pub name: String,
    /// Its folder, relative to the folder into which it was written.
    pub folder: String,
    /// The shell command that builds it, run in the folder into which it was written; or the reason why it cannot run
    /// here.
    pub build: Result<Option<String>, ToolError>,
    /// Program and arguments, as in a contest file.
    pub command: Vec<String>,
    /// Memory for its runtime besides the limit, in MiB.
    pub memory: u64,
    /// Further folders that its interpreter reads.
    pub readable: Vec<PathBuf>,
    /// The exit code with which it accepts an input, or reports success.
    pub accepts: i32,
}

impl ToolPlan {
    pub(crate) fn new(name: String, folder: String, accepts: i32) -> Self {
        Self { name, folder, build: Ok(None), command: Vec::new(), memory: 0, readable: Vec::new(), accepts }
    }

    /// Adds the commands of a written program, or the reason why it could not be written.
    pub(crate) fn of_program(self, written: Result<Commands, PackageError>) -> Self {
        match written {
            Ok(Commands { build, run, memory, .. }) => Self { build: Ok(build), command: run, memory, ..self },
            Err(error) => Self { build: Err(ToolError::Program(error)), ..self },
        }
    }
}

/// The input validators of a package, with notices on what cannot be run.
pub(crate) fn read(files: &Files) -> Result<(Vec<InputValidator>, Vec<String>), PackageError> {
    let (mut validators, mut notices) = (Vec::new(), Vec::new());
    for folder in FOLDERS {
        let path = files.root().join(folder);
        if !path.is_dir() {
            continue;
        }
        for name in files.list(&path)? {
            let is_folder = path.join(&name).is_dir();
            let inner = if is_folder { files.list(&path.join(&name))? } else { Vec::new() };
            let grammar = match inner.as_slice() {
                [only] if only.ends_with(".ctd") => Some(path.join(&name).join(only)),
                _ => name.ends_with(".ctd").then(|| path.join(&name)),
            };
            if let Some(file) = grammar {
                validators.push(InputValidator { name, checker: InputChecker::Grammar(file), folder, by_path: false });
            } else if name.ends_with(".viva") {
                notices.push(format!("{folder}/{name}: left out; grammars of VIVA are not checked"));
            }
        }
        for program in programs_in(files, &path)? {
            let known = validators.iter().any(|known| known.name == program.name);
            if !known && program.files.iter().any(|(name, _)| !name.ends_with(".ctd")) {
                // A program with headers is named after the folder, but arguments refer to it by its file.
                let of_file = program.files.iter().map(|(name, _)| name).find(|name| !name.ends_with(".h"));
                let name = of_file.filter(|_| program.name == folder).unwrap_or(&program.name).clone();
                validators.push(InputValidator {
                    name,
                    checker: InputChecker::Program(program),
                    folder,
                    by_path: false,
                });
            }
        }
    }
    Ok((validators, notices))
}

/// The inputs below `data/invalid_input`, each of which some input validator must reject.
pub(crate) fn invalid(files: &Files) -> Result<Vec<PathBuf>, PackageError> {
    let mut inputs = Vec::new();
    let mut folders = vec![files.root().join("data/invalid_input")];
    while let Some(folder) = folders.pop().filter(|folder| folder.is_dir()) {
        for name in files.list(&folder)? {
            let path = folder.join(&name);
            if path.is_dir() {
                folders.push(path);
            } else if name.ends_with(".in") {
                inputs.push(files.inside(&path)?);
            }
        }
    }
    inputs.sort();
    Ok(inputs)
}

impl Package {
    /// The arguments for input validators on the inputs of [`Self::invalid_inputs`]: the arguments for all of `data`.
    pub fn invalid_input_args(&self) -> &InputArgs {
        &self.data.root.rules.input_args
    }

    /// Writes the input validators below a folder, each into a separate folder.
    ///
    /// # Errors
    ///
    /// A file of the package cannot be read, or one in the folder cannot be written.
    pub fn write_input_validators(&self, folder: &Path, options: &Options<'_>) -> Result<Vec<ToolPlan>, PackageError> {
        let numbered = self.input_validators.iter().enumerate();
        numbered
            .map(|(number, validator)| {
                let inner = format!("input_validator-{}", number + 1);
                let mut plan = ToolPlan::new(validator.name.clone(), inner.clone(), ACCEPTED);
                match &validator.checker {
                    InputChecker::Grammar(file) => {
                        self.write_grammar(file, &folder.join(&inner))?;
                        plan.accepts = MATCHES;
                        let found = CHECKERS.into_iter().find(|checker| (options.has)(checker));
                        plan.command = vec![found.unwrap_or(CHECKERS[0]).into(), format!("{inner}/grammar.ctd")];
                        if found.is_none() {
                            plan.build = Err(ToolError::NoGrammarChecker { checkers: CHECKERS });
                        }
                    }
                    InputChecker::Program(program) => {
                        let written = self.write_program(program, (validator.folder, &inner), folder, options);
                        plan = plan.of_program(written);
                        if validator.by_path {
                            plan.accepts = 0;
                            let before = ["sh", "-c", BY_PATH, "by-path"].map(str::to_owned).into_iter();
                            plan.command = before.chain(plan.command).chain(["input.txt".to_owned()]).collect();
                        }
                    }
                }
                Ok(plan)
            })
            .collect()
    }

    fn write_grammar(&self, file: &Path, folder: &Path) -> Result<(), PackageError> {
        std::fs::create_dir_all(folder).map_err(|error| PackageError::whole(folder, error))?;
        let target = folder.join("grammar.ctd");
        self.files.copy(file, &target)?;
        let text = self.files.text(file, crate::MAX_YAML_BYTES)?;
        let replaced = crate::metadata::with_constants(&text, &self.metadata.constants);
        let replaced = replaced.map_err(|reason| PackageError::whole(file, reason))?;
        if replaced != text {
            std::fs::write(&target, replaced).map_err(|error| PackageError::whole(&target, error))?;
        }
        Ok(())
    }
}
