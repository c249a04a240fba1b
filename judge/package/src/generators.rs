//! Test cases that programs of a package generate according to `generators/generators.yaml`, or in a task of CMS `gen/GEN`: the
//! necessary executions, as data.

mod cms;
mod numbering;
mod reader;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::error::PackageError;
use crate::files::Files;
use crate::input_validators::ToolPlan;
use crate::metadata::Metadata;
use crate::options::Options;
use crate::program::{Overrides, Program};
use crate::table::Table;
use crate::yaml;
use crate::{Limits, MAX_YAML_BYTES, no_package, validators};
use numbering::numbered_cases;
use reader::Reader;

/// Endings of the files of a test case that judging reads, without the dot.
pub(crate) const READ: [&str; 4] = ["in", "ans", "out", "yaml"];
/// Endings of files for people.
const FOR_PEOPLE: [&str; 5] = ["in.statement", "ans.statement", "in.download", "ans.download", "interaction"];

/// The test data that the programs of a package generate.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Generation {
    /// The test cases, in the order in which they are generated.
    pub cases: Vec<GeneratedCase>,
    /// Configurations of groups: paths below `data`, and the contents of the files.
    pub configurations: Vec<(String, String)>,
    /// Limits of the package, which bound its generators.
    pub limits: Limits,
    /// True if a test case may have an empty answer: interactive and multi-pass problems.
    pub empty_answers: bool,
    /// Things that are left out, for people.
    pub notices: Vec<String>,
    /// Folders that generators have in their working directory, by name.
    pub beside: Vec<(String, PathBuf)>,
    programs: Vec<(Program, String, Overrides)>,
    metadata: Metadata,
    files: Files,
    of_cms: bool,
}

/// A test case to generate. The parts are applied in this order, and later files replace earlier ones.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct GeneratedCase {
    /// Path below `data` without ending; in a task of CMS the number of the input.
    pub name: String,
    /// The program that generates its files.
    pub command: Option<GeneratorCommand>,
    /// Files of the package, by the endings of the copies.
    pub copies: Vec<(String, PathBuf)>,
    /// Texts of its files, by ending.
    pub texts: Vec<(String, String)>,
    /// Index of the program that answers its input, if it still has no answer.
    pub solution: Option<usize>,
    /// Index of the test case whose files it copies.
    pub same_as: Option<usize>,
    /// Patterns that its files must match, by ending.
    pub matches: Vec<(String, String)>,
}

impl GeneratedCase {
    /// The first pattern that a file with this ending must match and does not match.
    pub fn unmatched(&self, ending: &str, text: &str) -> Option<&str> {
        let mut patterns = self.matches.iter().filter(|(of, _)| of == ending).map(|(_, pattern)| pattern.as_str());
        // What cannot be read was refused or left out.
        patterns.find(|pattern| compiled(pattern).is_ok_and(|compiled| !compiled.is_match(text)))
    }
}

/// A pattern as BAPCtools reads it: `^` and `$` match at every line, and `.` also matches the end of a line.
fn compiled(pattern: &str) -> Result<regex::Regex, regex::Error> {
    regex::RegexBuilder::new(pattern).multi_line(true).dot_matches_new_line(true).build()
}

/// A call of a generator.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct GeneratorCommand {
    /// Index of its program among those of the generation.
    pub program: usize,
    /// The calls to try in turn until one succeeds, each with its arguments.
    pub tries: Vec<Vec<String>>,
}

impl Generation {
    /// Reads how the test data of a package are generated. Links in it may also lead into another folder.
    ///
    /// # Errors
    ///
    /// A file is missing, cannot be read, or violates the format, with the file and the line.
    pub fn read(folder: &Path, links: Option<&Path>) -> Result<Self, PackageError> {
        let files = Files::open(folder, links)?;
        let parsed = |file: &Path| {
            let text = files.text(file, MAX_YAML_BYTES)?;
            yaml::parse(&text).map_err(|error| PackageError::at(file, error.line, error.reason))
        };
        let problem = files.root().join("problem.yaml");
        if !problem.is_file() && crate::cms::is_task(files.root()) {
            return cms::read(files);
        }
        if !problem.is_file() {
            return Err(no_package(&problem, folder));
        }
        let (metadata, _) = Metadata::read(&problem, &parsed(&problem)?, !validators(&files)?.is_empty())?;
        let file = files.root().join("generators/generators.yaml");
        if !file.is_file() {
            return Err(PackageError::whole(&file, "no such file; without it nothing says what generators make"));
        }
        let node = parsed(&file)?;
        let root = Table::new(&file, "generators.yaml", &node)?;
        let mut reader = Reader {
            file: &file,
            constants: &metadata.constants,
            files: &files,
            generators: BTreeMap::new(),
            programs: Vec::new(),
            cases: Vec::new(),
            configurations: Vec::new(),
            known: BTreeMap::new(),
            notices: Vec::new(),
            next: 1,
            width: numbered_cases(&root)?.to_string().len(),
            default_solution: None,
        };
        reader.root(&root)?;
        let Reader { programs, cases, configurations, notices, .. } = reader;
        let empty_answers = metadata.interactive || metadata.passes.is_some();
        let limits = metadata.limits.clone();
        let beside = Vec::new();
        Ok(Self {
            beside,
            cases,
            configurations,
            limits,
            empty_answers,
            notices,
            programs,
            metadata,
            files,
            of_cms: false,
        })
    }

    /// The folders of the package that are generated.
    pub fn folders(&self) -> &'static [&'static str] {
        if self.of_cms { &["input", "output"] } else { &["data"] }
    }

    /// The path of a file of a test case in the package, by its ending.
    pub fn file(&self, case: &str, ending: &str) -> PathBuf {
        match (self.of_cms, case.parse(), ending) {
            (true, Ok(number), "in" | "ans") => crate::cms::file_of(number, ending).into(),
            _ => format!("data/{case}.{ending}").into(),
        }
    }

    /// Writes the programs below a folder, each into a separate folder.
    ///
    /// # Errors
    ///
    /// A file of the package cannot be read, or one in the folder cannot be written.
    pub fn write_programs(&self, folder: &Path, options: &Options<'_>) -> Result<Vec<ToolPlan>, PackageError> {
        let numbered = self.programs.iter().enumerate();
        numbered
            .map(|(number, (program, kind, overrides))| {
                let inner = format!("generator-{}", number + 1);
                let mut plan = ToolPlan::new(program.name.clone(), inner.clone(), 0);
                if self.of_cms && program.files.is_empty() {
                    let folder = folder.join(&inner);
                    fs::create_dir_all(&folder).map_err(|error| PackageError::whole(&folder, error))?;
                    plan.command = vec![program.name.clone()];
                    return Ok(plan);
                }
                let written =
                    program.write_tool(&self.files, &self.metadata, overrides, (kind, &inner), folder, options);
                Ok(plan.of_program(written))
            })
            .collect()
    }

    /// Copies a file of the package.
    ///
    /// # Errors
    ///
    /// It cannot be read, or the copy cannot be written.
    pub fn copy(&self, file: &Path, target: &Path) -> Result<(), PackageError> {
        self.files.copy(file, target).map(drop)
    }
}
