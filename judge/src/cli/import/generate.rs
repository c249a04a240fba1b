//! Test data that the package's generators make, in the sandbox, into a folder of its own.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::super::{Failure, say};
use super::programs::Programs;
use super::tools::{Tool, built};
use judge_core::text::printable;
use judge_core::verdict::Verdict;
use judge_job::{StopRequest as _, count_text};
use judge_package::{GeneratedCase, Generation};
use judge_sandbox::{End, Executor as _, Interrupt, IsolationMode, Job, LocalExecutor};

/// The largest file that a generator makes: the largest board of a contest.
const MAX_FILE_BYTES: u64 = 256 << 20;
/// Endings of the files that a generator may write beside its standard output.
const ENDINGS: [&str; 4] = ["in", "ans", "out", "yaml"];

/// A package with the test data that was made for it, and the folder that its links may lead into.
pub(super) struct Made {
    pub(super) package: PathBuf,
    pub(super) links: PathBuf,
}

/// What makes test cases.
struct Maker<'a> {
    generation: &'a Generation,
    tools: Vec<Result<Tool, String>>,
    executor: LocalExecutor<'a>,
    interrupt: &'a Interrupt,
    /// The folder `data` that is filled.
    data: PathBuf,
    folder: &'a Path,
}

/// Makes the test data of a package below `folder`, beside links to everything else in the package. Data that the package
/// has is not used: the format wants all of it to be generated.
pub(super) fn generate(
    package: &Path,
    links: Option<&Path>,
    folder: &Path,
    programs: &Programs<'_>,
    mode: IsolationMode,
    interrupt: &Interrupt,
) -> Result<Made, Failure> {
    let real =
        |path: &Path| path.canonicalize().map_err(|error| Failure::input(format!("{}: {error}", path.display())));
    let generation = Generation::read(package, links).map_err(Failure::input)?;
    generation.notices.iter().for_each(|notice| say(&format!("notice: {notice}")));
    let root = real(package)?;
    let links = links.map_or_else(|| Ok(root.clone()), real)?;
    if !root.starts_with(&links) {
        let reason = "with --generate, --links must name a folder around the package";
        return Err(Failure::input(format!("{}: {reason}", links.display())));
    }
    let made = folder.join("generated");
    beside(&root, &made)?;
    let executor = LocalExecutor::new(interrupt, mode).map_err(Failure::judge)?;
    let plans = programs.write_generators(&generation, folder)?;
    let tools = plans.iter().map(|plan| built(plan, &generation.limits, folder, &executor, interrupt));
    let tools = tools.collect::<Result<Vec<_>, _>>()?;
    let maker = Maker { generation: &generation, tools, executor, interrupt, data: made.join("data"), folder };
    for (path, text) in &generation.configurations {
        maker.write(&maker.data.join(path), text)?;
    }
    for case in &generation.cases {
        maker.make(case)?;
        maker.check(case)?;
    }
    say(&format!("generators: made {}", count_text(generation.cases.len(), "test case", "test cases")));
    Ok(Made { package: made, links })
}

/// Makes a folder with links to all that a package has, except its test data.
fn beside(root: &Path, made: &Path) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure::judge(format!("{}: {error}", made.display()));
    fs::create_dir_all(made.join("data")).map_err(failed)?;
    for entry in fs::read_dir(root).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        if entry.file_name() != "data" {
            std::os::unix::fs::symlink(entry.path(), made.join(entry.file_name())).map_err(failed)?;
        }
    }
    Ok(())
}

impl Maker<'_> {
    fn make(&self, case: &GeneratedCase) -> Result<(), Failure> {
        let file = |ending: &str| self.data.join(format!("{}.{ending}", case.name));
        if let Some(other) = case.same_as {
            for ending in ENDINGS {
                let from = self.data.join(format!("{}.{ending}", self.generation.cases[other].name));
                if from.is_file() {
                    self.generation_copy(&from, &file(ending))?;
                }
            }
            return Ok(());
        }
        self.folder_of(&file("in"))?;
        if let Some(command) = &case.command {
            let failed = |reason: String| Failure::input(format!("data/{}: {reason}", case.name));
            let tool = self.tool(command.program).map_err(failed)?;
            let mut tries = command.tries.iter();
            while let Some(args) = tries.next() {
                match self.call(tool, args, None, &file) {
                    Ok(()) => break,
                    Err(_) if self.interrupt.requested() => {}
                    Err(_) if tries.len() > 0 => continue,
                    Err(reason) => return Err(failed(reason)),
                }
                return Err(Failure::interrupted("interrupted", self.interrupt));
            }
        }
        for (ending, from) in &case.copies {
            self.generation.copy(from, &file(ending)).map_err(Failure::input)?;
        }
        for (ending, text) in &case.texts {
            self.write(&file(ending), text)?;
        }
        if !file("in").is_file() {
            let reason = "its generator printed nothing and wrote no testcase.in";
            return Err(Failure::input(format!("data/{}: {reason}", case.name)));
        }
        if file("ans").is_file() {
            return Ok(());
        }
        if self.generation.empty_answers {
            return self.write(&file("ans"), "");
        }
        if let Some(solution) = case.solution {
            let failed = |reason: String| Failure::input(format!("data/{}.ans: {reason}", case.name));
            let tool = self.tool(solution).map_err(failed)?;
            if let Err(reason) = self.call(tool, &[], Some(&file("in")), &|_| file("ans")) {
                return Err(match self.interrupt.requested() {
                    true => Failure::interrupted("interrupted", self.interrupt),
                    false => failed(reason),
                });
            }
        }
        Ok(())
    }

    /// Checks the files of a test case against the patterns of the package.
    fn check(&self, case: &GeneratedCase) -> Result<(), Failure> {
        for ending in ["in", "ans"] {
            if !case.matches.iter().any(|(of, _)| of == ending) {
                continue;
            }
            let file = self.data.join(format!("{}.{ending}", case.name));
            let bytes = judge_files::regular::read(&file, MAX_FILE_BYTES);
            let bytes = bytes.map_err(|error| Failure::input(format!("data/{}.{ending}: {error}", case.name)))?;
            if let Some(pattern) = case.unmatched(ending, &String::from_utf8_lossy(&bytes)) {
                let pattern = printable(pattern);
                let reason = format!("it does not match `{pattern}`, as `match` in generators.yaml demands");
                return Err(Failure::input(format!("data/{}.{ending}: {reason}", case.name)));
            }
        }
        Ok(())
    }

    fn tool(&self, index: usize) -> Result<&Tool, String> {
        self.tools[index].as_ref().map_err(Clone::clone)
    }

    /// Executes a program. What it prints is the file with the ending `in`, unless it writes that itself; or, with an
    /// input, the only file.
    fn call(
        &self,
        tool: &Tool,
        args: &[String],
        input: Option<&Path>,
        file: &dyn Fn(&str) -> PathBuf,
    ) -> Result<(), String> {
        let (out, err) = (self.folder.join("generator.out"), self.folder.join("generator.err"));
        let limits = tool.limits.with_output_bytes(MAX_FILE_BYTES);
        let argv = tool.command.iter().chain(args).cloned();
        let mut job = Job::new(argv, out.clone(), err.clone()).with_limits(limits);
        job.readable.clone_from(&tool.readable);
        match input {
            Some(input) => job = job.with_stdin(input),
            None => {
                for ending in ENDINGS {
                    let written = file(ending);
                    // An earlier try may have left one.
                    if let Err(error) = fs::remove_file(&written)
                        && error.kind() != io::ErrorKind::NotFound
                    {
                        return Err(format!("{}: {error}", written.display()));
                    }
                    job = job.with_wanted(format!("testcase.{ending}"), MAX_FILE_BYTES, written);
                }
            }
        }
        let outcome = self.executor.execute(&job).map_err(|_| "interrupted".to_owned())?;
        if outcome.end != (End::Exited { code: 0 }) {
            let reason = match &outcome.end {
                End::Exited { code } => format!("exit code {code}"),
                end => Verdict::from_end(end).and_then(|end| end.fault()).unwrap_or_default(),
            };
            let said = judge_files::regular::last_line(&err).filter(|said| !said.is_empty());
            let said = said.map(|said| format!(": {}", printable(&said))).unwrap_or_default();
            return Err(format!("{} failed: {reason}{said}", printable(&tool.name)));
        }
        let target = file("in");
        let printed = fs::metadata(&out).is_ok_and(|metadata| metadata.len() > 0);
        if input.is_some() || (printed && !target.is_file()) {
            fs::rename(&out, &target).map_err(|error| format!("{}: {error}", target.display()))?;
        }
        Ok(())
    }

    fn generation_copy(&self, from: &Path, to: &Path) -> Result<(), Failure> {
        self.folder_of(to)?;
        fs::copy(from, to).map(drop).map_err(|error| Failure::judge(format!("{}: {error}", to.display())))
    }

    fn write(&self, file: &Path, text: &str) -> Result<(), Failure> {
        self.folder_of(file)?;
        fs::write(file, text).map_err(|error| Failure::judge(format!("{}: {error}", file.display())))
    }

    fn folder_of(&self, file: &Path) -> Result<(), Failure> {
        let folder = file.parent().unwrap_or(&self.data);
        fs::create_dir_all(folder).map_err(|error| Failure::judge(format!("{}: {error}", folder.display())))
    }
}
