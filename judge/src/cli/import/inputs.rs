//! The findings of a package's input validators, in words.

use std::path::Path;

use crate::cli::{Failure, notice, say};
use crate::import::{Programs, check_inputs};
use judge_core::text::printable;
use judge_job::count_text;
use judge_package::Package;
use judge_sandbox::{Interrupt, LocalExecutor};

/// The most faults that are shown one by one.
const MAX_SHOWN: usize = 10;

/// Has the input validators of a package check its inputs, and reports their findings. Returns false if one of them rejects
/// an input of a test case, or all accept an invalid input.
pub(super) fn check(
    package: &Package,
    folder: &Path,
    programs: &Programs<'_>,
    executor: &LocalExecutor<'_>,
    interrupt: &Interrupt,
) -> Result<bool, Failure> {
    let report = check_inputs(package, folder, programs, executor, interrupt);
    let report = report.map_err(|error| Failure::importing(error, interrupt))?;
    for (name, reason) in &report.not_run {
        notice(format!("input validator {}: not run: {}", printable(name), printable(&reason.to_string())));
    }
    if report.validators == 0 {
        return Ok(true);
    }
    let validators = count_text(report.validators, "input validator", "input validators");
    let inputs = count_text(report.cases, "input", "inputs");
    let rejected = match report.invalid {
        0 => String::new(),
        invalid => format!(", {} of {invalid} invalid ones rejected", report.rejected),
    };
    say(&format!("{validators}: {} of {inputs} valid{rejected}", report.valid));
    let faults = &report.faults;
    faults.iter().take(MAX_SHOWN).for_each(|fault| notice(printable(fault)));
    if faults.len() > MAX_SHOWN {
        notice(format!("{} more of that kind", faults.len() - MAX_SHOWN));
    }
    Ok(faults.is_empty())
}
