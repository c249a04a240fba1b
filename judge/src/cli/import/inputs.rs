//! The inputs of a package, checked by its own input validators.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::super::{Failure, say};
use super::programs::Programs;
use super::tools::{Tool, built};
use judge_core::text::printable;
use judge_job::{StopRequest as _, count_text};
use judge_package::Package;
use judge_sandbox::{End, Executor as _, Interrupt, IsolationMode, Job, LocalExecutor};

/// Faults that are shown one by one.
const MAX_SHOWN: usize = 10;

/// An input: the words for it, its file, the files beside it, and its arguments by the index of the validator.
struct Input<'p> {
    name: String,
    file: &'p Path,
    files: &'p [(String, PathBuf)],
    args: Vec<Vec<String>>,
    /// True if some validator must reject it.
    invalid: bool,
}

/// Has the input validators of a package check its inputs, and says what they found. Returns false if one of them is against
/// an input of a test case, or none is against an invalid one.
pub(super) fn check(
    package: &Package,
    folder: &Path,
    programs: &Programs<'_>,
    mode: IsolationMode,
    interrupt: &Interrupt,
) -> Result<bool, Failure> {
    if package.input_validators.is_empty() {
        return Ok(true);
    }
    let executor = LocalExecutor::new(interrupt, mode).map_err(Failure::judge)?;
    let plans = programs.write_input_validators(package, folder)?;
    let mut validators = Vec::new();
    for plan in &plans {
        match built(plan, &package.metadata.limits, folder, &executor, interrupt)? {
            Ok(validator) => validators.push(validator),
            Err(reason) => {
                say(&format!("notice: input validator {}: not run: {}", printable(&plan.name), printable(&reason)))
            }
        }
    }
    if validators.is_empty() {
        return Ok(true);
    }
    let of_case = |case: &'_ judge_package::Case| -> Vec<Vec<String>> {
        let of = |validator: &Tool| [case.input_args.of(&validator.name), &case.args].concat();
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
        args: validators.iter().map(|one| package.invalid_input_args().of(&one.name).to_vec()).collect(),
        invalid: true,
    });
    let inputs: Vec<Input<'_>> = cases.chain(invalid).collect();
    let found = all(&inputs, &validators, folder, &executor);
    if interrupt.requested() {
        return Err(Failure::interrupted("interrupted", interrupt));
    }
    // A validator that did not run might be the one that rejects an invalid input.
    let complete = validators.len() == plans.len();
    Ok(report(&inputs, &validators, &found, complete))
}

/// What each validator made of each input: nothing if it accepts, else the reason. Some run side by side.
fn all(
    inputs: &[Input<'_>],
    validators: &[Tool],
    folder: &Path,
    executor: &LocalExecutor<'_>,
) -> Vec<Vec<Option<String>>> {
    let found = Mutex::new(vec![vec![None; validators.len()]; inputs.len()]);
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
                    // A stop ends all of them.
                    let Ok(outcome) = executor.execute(&job) else { return };
                    let reason = reason(&outcome.end, &validators[which], &job);
                    found.lock().expect("no worker panics")[at / validators.len()][which] = reason;
                }
            });
        }
    });
    found.into_inner().expect("no worker panics")
}

fn job(input: &Input<'_>, which: usize, validator: &Tool, folder: &Path, worker: usize) -> Job {
    let argv = validator.command.iter().chain(&input.args[which]).cloned();
    let (out, err) = (folder.join(format!("input-{worker}.out")), folder.join(format!("input-{worker}.err")));
    let mut job = Job::new(argv, out, err).with_limits(validator.limits).with_stdin(input.file);
    job.readable.clone_from(&validator.readable);
    input.files.iter().fold(job, |job, (name, file)| job.with_copy(name, file))
}

/// The reason why an input is not valid; `None` if it is.
fn reason(end: &End, validator: &Tool, job: &Job) -> Option<String> {
    let reason = match end {
        End::Exited { code } if *code == validator.accepts => return None,
        End::Exited { code } => format!("exit code {code}"),
        end => judge_core::verdict::Verdict::from_end(end).and_then(|end| end.fault()).unwrap_or_default(),
    };
    let said = [&job.stderr, &job.stdout].into_iter().find_map(|file| judge_files::regular::last_line(file));
    Some(said.filter(|said| !said.is_empty()).map_or(reason.clone(), |said| format!("{reason}: {said}")))
}

/// Says what the validators found, and returns false if that is a fault of the package.
fn report(inputs: &[Input<'_>], validators: &[Tool], found: &[Vec<Option<String>>], complete: bool) -> bool {
    let mut faults = Vec::new();
    let (mut valid, mut rejected) = (0_usize, 0_usize);
    for (input, reasons) in inputs.iter().zip(found) {
        if input.invalid {
            match reasons.iter().any(Option::is_some) {
                true => rejected += 1,
                false if complete => faults.push(format!("{}: no input validator rejects it", input.name)),
                false => {}
            }
            continue;
        }
        let against =
            validators.iter().zip(reasons).filter_map(|(validator, reason)| Some((validator, reason.as_ref()?)));
        let mut against =
            against.map(|(validator, reason)| format!("{}: {} rejects it: {reason}", input.name, validator.name));
        match against.next() {
            None => valid += 1,
            Some(first) => faults.extend([first].into_iter().chain(against)),
        }
    }
    let cases = inputs.iter().filter(|input| !input.invalid).count();
    let mut line = format!(
        "{}: {valid} of {} valid",
        count_text(validators.len(), "input validator", "input validators"),
        count_text(cases, "input", "inputs")
    );
    if inputs.len() > cases {
        line.push_str(&format!(", {rejected} of {} invalid ones rejected", inputs.len() - cases));
    }
    say(&line);
    faults.iter().take(MAX_SHOWN).for_each(|fault| say(&format!("notice: {}", printable(fault))));
    if faults.len() > MAX_SHOWN {
        say(&format!("notice: {} more of that kind", faults.len() - MAX_SHOWN));
    }
    faults.is_empty()
}
