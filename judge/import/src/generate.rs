//! Test data that the package's generators make, in the sandbox, into a separate folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::error::{ImportError, ToolFailure};
use crate::programs::Programs;
use crate::tools::{Tool, built, executed};
use judge_core::text::printable;
use judge_core::verdict::Verdict;
use judge_job::{End, Executor, Job, Place, StopRequest};
use judge_package::{GeneratedCase, Generation};

/// The largest file that a generator makes: the largest board of a contest.
const MAX_FILE_BYTES: u64 = 256 << 20;
/// Endings of the files that a generator may write beside its standard output.
const ENDINGS: [&str; 4] = ["in", "ans", "out", "yaml"];

/// A package with the test data that was made for it, and the folder that its links may lead into.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Made {
    /// The folder of the package.
    pub package: PathBuf,
    /// The folder that its links may lead into.
    pub links: PathBuf,
    /// The number of test cases.
    pub cases: usize,
    /// What is remarkable in the file that describes them.
    pub notices: Vec<String>,
}

/// What makes test cases: the tools that were built, and where they write.
struct Maker<'a> {
    generation: &'a Generation,
    tools: Vec<Result<Tool, ToolFailure>>,
    executor: &'a dyn Executor,
    stop: &'a dyn StopRequest,
    /// The package whose data is made.
    made: PathBuf,
    folder: &'a Path,
}

/// Makes the test data of a package below `folder`, beside links to everything else in the package. Data that the package
/// has is not used: the format wants all of it to be generated.
///
/// # Errors
///
/// What describes the data is wrong, a generator fails, or the caller asked to stop.
pub fn generate(
    package: &Path,
    links: Option<&Path>,
    folder: &Path,
    programs: &Programs<'_>,
    executor: &dyn Executor,
    stop: &dyn StopRequest,
) -> Result<Made, ImportError> {
    let real =
        |path: &Path| path.canonicalize().map_err(|source| ImportError::NotFound { path: path.to_owned(), source });
    let generation = Generation::read(package, links)?;
    let root = real(package)?;
    let links = links.map_or_else(|| Ok(root.clone()), real)?;
    if !root.starts_with(&links) {
        return Err(ImportError::LinksElsewhere { links });
    }
    let made = folder.join("generated");
    beside(&root, &made, generation.folders())?;
    let plans = programs.write_generators(&generation, folder)?;
    let tools = plans.iter().map(|plan| built(plan, &generation.limits, folder, executor));
    let tools = tools.collect::<Result<Vec<_>, _>>()?;
    let maker = Maker { generation: &generation, tools, executor, stop, made: made.clone(), folder };
    for (path, text) in &generation.configurations {
        maker.write(&made.join("data").join(path), text)?;
    }
    for case in &generation.cases {
        maker.make(case)?;
        maker.check(case)?;
    }
    Ok(Made { package: made, links, cases: generation.cases.len(), notices: generation.notices })
}

/// Makes a folder with links to all that a package has, except the folders of its test data.
fn beside(root: &Path, made: &Path, data: &[&str]) -> Result<(), ImportError> {
    let failed = ImportError::io(made);
    data.iter().try_for_each(|folder| fs::create_dir_all(made.join(folder))).map_err(&failed)?;
    for entry in fs::read_dir(root).map_err(&failed)? {
        let entry = entry.map_err(&failed)?;
        if !data.iter().any(|folder| entry.file_name() == *folder) {
            std::os::unix::fs::symlink(entry.path(), made.join(entry.file_name())).map_err(&failed)?;
        }
    }
    Ok(())
}

impl Maker<'_> {
    fn make(&self, case: &GeneratedCase) -> Result<(), ImportError> {
        let file = |ending: &str| self.file(case, ending);
        let failed = |ending: &str, reason: String| {
            let name = self.generation.file(&case.name, ending).display().to_string();
            // The input stands for the whole test case.
            ImportError::NotMade { name: name.strip_suffix(".in").unwrap_or(&name).to_owned(), reason }
        };
        if let Some(other) = case.same_as {
            for ending in ENDINGS {
                let from = self.file(&self.generation.cases[other], ending);
                if from.is_file() {
                    self.generation_copy(&from, &file(ending))?;
                }
            }
            return Ok(());
        }
        self.folder_of(&file("in"))?;
        if let Some(command) = &case.command {
            let failed = |reason: String| failed("in", reason);
            let tool = self.tool(command.program).map_err(failed)?;
            let mut tries = command.tries.iter();
            while let Some(args) = tries.next() {
                match self.call(tool, args, None, &file)? {
                    Ok(()) => break,
                    Err(_) if self.stop.requested() => {}
                    Err(_) if tries.len() > 0 => continue,
                    Err(reason) => return Err(failed(reason)),
                }
                return Err(ImportError::Interrupted);
            }
        }
        for (ending, from) in &case.copies {
            self.generation.copy(from, &file(ending))?;
        }
        for (ending, text) in &case.texts {
            self.write(&file(ending), text)?;
        }
        if !file("in").is_file() {
            let reason = "its generator printed nothing and wrote no testcase.in".to_owned();
            return Err(failed("in", reason));
        }
        if file("ans").is_file() {
            return Ok(());
        }
        if self.generation.empty_answers {
            return self.write(&file("ans"), "");
        }
        if let Some(solution) = case.solution {
            let failed = |reason: String| failed("ans", reason);
            let tool = self.tool(solution).map_err(failed)?;
            if let Err(reason) = self.call(tool, &[], Some(&file("in")), &|_| file("ans"))? {
                return Err(match self.stop.requested() {
                    true => ImportError::Interrupted,
                    false => failed(reason),
                });
            }
        }
        Ok(())
    }

    /// Checks the files of a test case against the patterns of the package.
    fn check(&self, case: &GeneratedCase) -> Result<(), ImportError> {
        for ending in ["in", "ans"] {
            if !case.matches.iter().any(|(of, _)| of == ending) {
                continue;
            }
            let file = self.file(case, ending);
            let bytes = judge_files::regular::read(&file, MAX_FILE_BYTES);
            let name = || self.generation.file(&case.name, ending).display().to_string();
            let failed = |reason: String| ImportError::NotMade { name: name(), reason };
            let bytes = bytes.map_err(|error| failed(error.to_string()))?;
            if let Some(pattern) = case.unmatched(ending, &String::from_utf8_lossy(&bytes)) {
                let pattern = printable(pattern);
                return Err(failed(format!("it does not match `{pattern}`, as `match` in generators.yaml demands")));
            }
        }
        Ok(())
    }

    fn file(&self, case: &GeneratedCase, ending: &str) -> PathBuf {
        self.made.join(self.generation.file(&case.name, ending))
    }

    fn tool(&self, index: usize) -> Result<&Tool, String> {
        self.tools[index].as_ref().map_err(ToString::to_string)
    }

    /// Executes a program. What it prints is the file with the ending `in`, unless it writes that itself; or, with an
    /// input, the only file. Returns the reason if the program fails.
    fn call(
        &self,
        tool: &Tool,
        args: &[String],
        input: Option<&Path>,
        file: &dyn Fn(&str) -> PathBuf,
    ) -> Result<Result<(), String>, ImportError> {
        let (out, err) = (self.folder.join("generator.out"), self.folder.join("generator.err"));
        let limits = tool.limits.with_output_bytes(MAX_FILE_BYTES);
        let argv = tool.command.iter().chain(args).cloned();
        let mut job = Job::new(argv, out.clone(), err.clone()).with_limits(limits);
        job.readable.clone_from(&tool.readable);
        match input {
            Some(input) => job = job.with_stdin(input),
            None => {
                for (name, path) in &self.generation.beside {
                    job = job.with_link(name, path);
                    job.readable.push(Place::trusted(path));
                }
                for ending in ENDINGS {
                    let written = file(ending);
                    // An earlier try may have left one.
                    if let Err(error) = fs::remove_file(&written)
                        && error.kind() != io::ErrorKind::NotFound
                    {
                        return Ok(Err(format!("{}: {error}", written.display())));
                    }
                    job = job.with_wanted(format!("testcase.{ending}"), MAX_FILE_BYTES, written);
                }
            }
        }
        let outcome = executed(&job, &tool.name, self.executor)?;
        if outcome.end != (End::Exited { code: 0 }) {
            let reason = match &outcome.end {
                End::Exited { code } => format!("exit code {code}"),
                end => Verdict::from_end(end).and_then(|end| end.fault()).unwrap_or_default(),
            };
            let said = judge_files::regular::last_line(&err).filter(|said| !said.is_empty());
            let said = said.map(|said| format!(": {}", printable(&said))).unwrap_or_default();
            return Ok(Err(format!("{} failed: {reason}{said}", printable(&tool.name))));
        }
        let (name, most) = (printable(&tool.name), MAX_FILE_BYTES >> 20);
        if let Some(left) = outcome.unfetched.first() {
            return Ok(Err(format!("{name} left {left}, which is not a regular file")));
        }
        // More was not fetched.
        let is_cut = |ending: &&&str| fs::metadata(file(ending)).is_ok_and(|file| file.len() >= MAX_FILE_BYTES);
        if let Some(ending) = ENDINGS.iter().find(is_cut).filter(|_| input.is_none()) {
            return Ok(Err(format!("{name} left testcase.{ending} with {most} MiB or more; a file may have less")));
        }
        let target = file("in");
        let printed = fs::metadata(&out).is_ok_and(|metadata| metadata.len() > 0);
        if input.is_some() || (printed && !target.is_file()) {
            fs::rename(&out, &target).map_err(ImportError::io(&target))?;
        }
        Ok(Ok(()))
    }

    fn generation_copy(&self, from: &Path, to: &Path) -> Result<(), ImportError> {
        self.folder_of(to)?;
        fs::copy(from, to).map(drop).map_err(ImportError::io(to))
    }

    fn write(&self, file: &Path, text: &str) -> Result<(), ImportError> {
        self.folder_of(file)?;
        fs::write(file, text).map_err(ImportError::io(file))
    }

    fn folder_of(&self, file: &Path) -> Result<(), ImportError> {
        let folder = file.parent().unwrap_or(&self.made);
        fs::create_dir_all(folder).map_err(ImportError::io(folder))
    }
}
