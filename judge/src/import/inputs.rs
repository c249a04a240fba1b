//! Checks the inputs of a package with its input validators.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::import::error::{ImportError, ToolFailure};
use crate::import::programs::Programs;
use crate::import::tools::{Tool, built, executed};
use judge_job::{End, Executor, Job, StopRequest};
use judge_package::{InputChecker, InputValidator, Package, Version};

/// An input: its name, its file, the files next to it, and its arguments by the index of the validator.
struct Input<'p> {
    name: String,
    file: &'p Path,
    files: &'p [(String, PathBuf)],
    args: Vec<Vec<String>>,
    /// True if some validator must reject it.
    invalid: bool,
}

/// The findings of a package's input validators.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub(crate) struct InputReport {
    /// The number of validators that ran.
    pub(crate) validators: usize,
    /// Names of validators that did not run, with the reason.
    pub(crate) not_run: Vec<(String, ToolFailure)>,
    /// The number of inputs of test cases.
    pub(crate) cases: usize,
    /// The number of them that all validators accept.
    pub(crate) valid: usize,
    /// The number of inputs that must be rejected.
    pub(crate) invalid: usize,
    /// The number of them that some validator rejects.
    pub(crate) rejected: usize,
    /// Faults of the package, as fragments.
    pub(crate) faults: Vec<String>,
}

/// An input validator that was built, and its own files. In 2025-09 these are in its working directory.
struct Validator {
    tool: Tool,
    beside: Vec<(String, PathBuf)>,
}

/// Names of the files and folders of a validator.
fn own_files(validator: &InputValidator) -> Vec<String> {
    let InputChecker::Program(program) = &validator.checker else { return Vec::new() };
    let names = program.files.iter().filter_map(|(name, _)| name.split('/').next());
    names.collect::<BTreeSet<&str>>().into_iter().map(str::to_owned).collect()
}

/// Lets the input validators of a package check its inputs. `folder` is for the validators and their output.
///
/// # Errors
///
/// The validators cannot be written, or the caller asked to stop.
pub(crate) fn check_inputs(
    package: &Package,
    folder: &Path,
    programs: &Programs<'_>,
    executor: &dyn Executor,
    stop: &dyn StopRequest,
) -> Result<InputReport, ImportError> {
    let mut report = InputReport::default();
    if package.input_validators.is_empty() {
        return Ok(report);
    }
    let plans = programs.write_input_validators(package, folder)?;
    let mut validators = Vec::new();
    for (plan, validator) in plans.iter().zip(&package.input_validators) {
        match built(plan, &package.metadata.limits, folder, executor)? {
            Ok(tool) => {
                let beside =
                    if package.metadata.version == Version::Current { own_files(validator) } else { Vec::new() };
                let folder = folder.join(&plan.folder);
                validators.push(Validator {
                    tool,
                    beside: beside.into_iter().map(|name| (name.clone(), folder.join(name))).collect(),
                });
            }
            Err(reason) => report.not_run.push((plan.name.clone(), reason)),
        }
    }
    report.validators = validators.len();
    if validators.is_empty() {
        return Ok(report);
    }
    let of_case = |case: &'_ judge_package::Case| -> Vec<Vec<String>> {
        let of = |validator: &Validator| [case.input_args.of(&validator.tool.name), &case.args].concat();
        validators.iter().map(of).collect()
    };
    let cases = package.data.cases.iter().map(|case| Input {
        name: case.name.clone(),
        file: &case.input,
        files: &case.files,
        args: of_case(case),
        invalid: false,
    });
    let invalid = package.invalid_inputs.iter().map(|file| Input {
        name: format!("invalid_input/{}", file.file_name().unwrap_or_default().to_string_lossy()),
        file,
        files: &[],
        args: validators.iter().map(|one| package.invalid_input_args().of(&one.tool.name).to_vec()).collect(),
        invalid: true,
    });
    let inputs: Vec<Input<'_>> = cases.chain(invalid).collect();
    let found = all(&inputs, &validators, folder, executor);
    if stop.requested() {
        return Err(ImportError::Interrupted);
    }
    let found = found?;
    report.add(&inputs, &validators, &found);
    Ok(report)
}

/// The ruling of each validator on each input: `None` if it accepts, otherwise the reason. Validators run in parallel.
/// A failure of the judge ends the check: it is not a ruling on the input.
fn all(
    inputs: &[Input<'_>],
    validators: &[Validator],
    folder: &Path,
    executor: &dyn Executor,
) -> Result<Vec<Vec<Option<String>>>, ImportError> {
    let found = Mutex::new(Ok(vec![vec![None; validators.len()]; inputs.len()]));
    let next = AtomicUsize::new(0);
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for worker in 0..workers {
            let (found, next) = (&found, &next);
            scope.spawn(move || {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let (Some(input), which) = (inputs.get(at / validators.len()), at % validators.len()) else {
                        return;
                    };
                    let job = job(input, which, &validators[which], folder, worker);
                    let outcome = executed(&job, &validators[which].tool.name, executor);
                    let reason = outcome.map(|outcome| reason(&outcome.end, &validators[which].tool, &job));
                    let mut found = found.lock().expect("no worker panics");
                    match (&mut *found, reason) {
                        (Ok(found), Ok(reason)) => found[at / validators.len()][which] = reason,
                        (Ok(_), Err(error)) => *found = Err(error),
                        (Err(_), _) => {}
                    }
                    // A stop or a failure ends all workers.
                    if found.is_err() {
                        return;
                    }
                }
            });
        }
    });
    found.into_inner().expect("no worker panics")
}

fn job(input: &Input<'_>, which: usize, Validator { tool, beside }: &Validator, folder: &Path, worker: usize) -> Job {
    let argv = tool.command.iter().chain(&input.args[which]).cloned();
    let (out, err) = (folder.join(format!("input-{worker}.out")), folder.join(format!("input-{worker}.err")));
    let mut job = Job::new(argv, out, err).with_limits(tool.limits).with_stdin(input.file);
    job.readable.clone_from(&tool.readable);
    // Files of the test case come first: those of the validator with such a name are a fault of the package.
    let others = beside.iter().filter(|(name, _)| !input.files.iter().any(|(known, _)| known == name));
    let job = others.fold(job, |job, (name, file)| job.with_link(name, file));
    input.files.iter().fold(job, |job, (name, file)| job.with_copy(name, file))
}

/// The reason why an input is not valid; `None` if it is.
fn reason(end: &End, validator: &Tool, job: &Job) -> Option<String> {
    let reason = match end {
        End::Exited { code } if *code == validator.accepts => return None,
        End::Exited { code } => format!("exit code {code}"),
        end => judge_core::verdict::Verdict::from_end(end).and_then(|end| end.fault()).unwrap_or_default(),
    };
    let message = [&job.stderr, &job.stdout].into_iter().find_map(|file| judge_files::regular::last_line(file));
    Some(message.filter(|message| !message.is_empty()).map_or(reason.clone(), |message| format!("{reason}: {message}")))
}

impl InputReport {
    /// Adds the findings of the validators.
    fn add(&mut self, inputs: &[Input<'_>], validators: &[Validator], found: &[Vec<Option<String>>]) {
        // A validator that did not run might be the one that rejects an invalid input.
        let complete = self.not_run.is_empty();
        for (input, reasons) in inputs.iter().zip(found) {
            if input.invalid {
                self.invalid += 1;
                match reasons.iter().any(Option::is_some) {
                    true => self.rejected += 1,
                    false if complete => self.faults.push(format!("{}: no input validator rejects it", input.name)),
                    false => {}
                }
                continue;
            }
            self.cases += 1;
            for (name, _) in input.files {
                let both = validators.iter().filter(|one| one.beside.iter().any(|(own, _)| own == name));
                self.faults.extend(
                    both.map(|one| format!("{}: its .files and {} both have {name}", input.name, one.tool.name)),
                );
            }
            let against =
                validators.iter().zip(reasons).filter_map(|(validator, reason)| Some((validator, reason.as_ref()?)));
            let against: Vec<String> = against
                .map(|(validator, reason)| format!("{}: {} rejects it: {reason}", input.name, validator.tool.name))
                .collect();
            self.valid += usize::from(against.is_empty());
            self.faults.extend(against);
        }
    }
}
