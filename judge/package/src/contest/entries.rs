//! The submissions of a package as entries of a contest: programs, or answers.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::{EntryPlan, Options, Skipped, UsableNames};
use crate::error::PackageError;
use crate::expect::Expectation;
use crate::judgement::Judgement;
use crate::language::Languages;
use crate::metadata::Version;
use crate::program::{Commands, Included, Overrides};
use crate::submissions::Submission;
use crate::text::{list, quoted};
use crate::{Package, Program};

/// Endings of archives of answers, as contest files read them.
const ANSWERS: [&str; 3] = [".zip", ".tar.gz", ".tgz"];

#[derive(Default)]
pub(super) struct Entries {
    pub(super) entries: Vec<EntryPlan>,
    pub(super) skipped: Vec<Skipped>,
    /// The tables of the contest file, one per entry.
    pub(super) tables: Vec<String>,
    /// Environment variables and files that builds need.
    pub(super) environment: BTreeSet<String>,
    pub(super) readable: BTreeSet<String>,
}

impl Package {
    /// Copies submissions whose language is installed, and also returns their tables for the contest file.
    pub(super) fn write_entries(&self, folder: &Path, options: &Options<'_>) -> Result<Entries, PackageError> {
        let languages = Languages::default();
        let mut names = UsableNames::default();
        let mut done = Entries::default();
        for (index, submission) in self.submissions.iter().enumerate() {
            let Submission { program, overrides, .. } = submission;
            if self.metadata.submit_answer {
                match self.write_answers(submission, &languages, &mut names, folder)? {
                    Ok((name, table)) => {
                        done.tables.push(table);
                        done.entries.push(EntryPlan {
                            name,
                            submission: index,
                            language: "answers".into(),
                            code: String::new(),
                            entry_point: String::new(),
                        });
                    }
                    Err(reason) => done.skipped.push(Skipped { submission: index, reason }),
                }
                continue;
            }
            let prepared = program.language(&languages, overrides).and_then(|language| {
                language.tool(options.has)?;
                Ok(language)
            });
            let language = match prepared {
                Ok(language) => language,
                Err(reason) => {
                    done.skipped.push(Skipped { submission: index, reason });
                    continue;
                }
            };
            let name = names.usable(&submission.path);
            let inner = format!("entries/{name}");
            let target = folder.join(&inner);
            program.copy(&self.files, &target, &self.metadata.constants)?;
            let may_start = self.metadata.version == Version::Legacy;
            let mut included = Included { files: Vec::new(), may_start };
            for code in ["default", &language.code] {
                let include = self.files.root().join("include").join(code);
                if include.is_dir() {
                    let include = Program::read(&self.files, &include)?;
                    include.copy(&self.files, &target, &self.metadata.constants)?;
                    included.files.extend(include.files);
                }
            }
            let memory = self.metadata.limits.memory;
            match program.commands(language, overrides, &included, &inner, memory, options.has) {
                Ok(commands) => {
                    done.tables.push(self.entry_table(&name, &inner, submission, &commands));
                    done.environment.extend(commands.environment);
                    done.readable.extend(commands.readable);
                    done.entries.push(EntryPlan {
                        name,
                        submission: index,
                        language: commands.language,
                        code: language.code.clone(),
                        entry_point: commands.entry_point,
                    });
                }
                Err(reason) => done.skipped.push(Skipped { submission: index, reason }),
            }
        }
        Ok(done)
    }

    /// Copies a submission that consists of answers, and returns its name and its table for the contest file, or the reason
    /// why it has no answers.
    fn write_answers(
        &self,
        submission: &Submission,
        languages: &Languages,
        names: &mut UsableNames,
        folder: &Path,
    ) -> Result<Result<(String, String), String>, PackageError> {
        let program = &submission.program;
        // The name of an archive shows its type.
        let ending = ANSWERS.iter().find(|ending| program.name.to_lowercase().ends_with(**ending)).copied();
        let one_file = matches!(program.files.as_slice(), [(name, _)] if *name == program.name);
        if one_file && ending.is_none() {
            let language = program.language(languages, &Overrides::default());
            let what = language.map_or("one file".to_owned(), |language| format!("a program in {}", language.name));
            return Ok(Err(format!("it is {what}; answers are in a folder or an archive, a file per test case")));
        }
        let name = names.usable(&submission.path);
        let missing = ending.filter(|ending| one_file && !name.to_lowercase().ends_with(ending));
        let inner = format!("entries/{name}{}", missing.unwrap_or_default());
        let target = folder.join(&inner);
        if one_file {
            let parent = folder.join("entries");
            fs::create_dir_all(&parent).map_err(|error| PackageError::whole(&parent, error))?;
            self.files.copy(&program.files[0].1, &target)?;
        } else {
            program.copy(&self.files, &target, &Default::default())?;
        }
        let expectation = &submission.expectation;
        let mut table = format!("[[entry]]\nname = {}\nanswers = {}\n", quoted(&name), quoted(&inner));
        writeln!(table, "strategy = {}", quoted(&format!("answers; expected: {expectation}"))).expect("text grows");
        if !competes(expectation) {
            table.push_str("competing = false\n");
        }
        Ok(Ok((name, table)))
    }

    fn entry_table(&self, name: &str, inner: &str, submission: &Submission, commands: &Commands) -> String {
        let mut table = format!("[[entry]]\nname = {}\n", quoted(name));
        if let Some(build) = &commands.build {
            writeln!(table, "build = {}\nfolder = {}", quoted(build), quoted(inner)).expect("text grows");
        }
        let expectation = &submission.expectation;
        // The format has the files of a submission in its working directory.
        writeln!(table, "command = {}\nworking_files = {}", list(&commands.run), list(&[inner.to_owned()]))
            .expect("text grows");
        writeln!(table, "strategy = {}", quoted(&format!("{}; expected: {expectation}", commands.language)))
            .expect("text grows");
        if commands.memory > 0 {
            let memory = self.metadata.limits.memory + commands.memory;
            writeln!(table, "limits = {{ memory = \"{memory}MiB\" }}").expect("text grows");
        }
        if !competes(expectation) {
            table.push_str("competing = false\n");
        }
        table
    }
}

/// True for submissions that are meant to solve the problem, at least in part.
fn competes(expectation: &Expectation) -> bool {
    match expectation {
        Expectation::Partial => true,
        Expectation::Result(wanted) | Expectation::Tagged { results: wanted, .. } => {
            wanted.contains(&Judgement::Accepted)
        }
        Expectation::Cases(requirements) => requirements.iter().all(|one| one.required.is_none()),
        Expectation::Nothing | Expectation::Rejected => false,
    }
}
