//! Probes of nodes: the resources and isolation that each offers to a contest, for `judge doctor --engine slurm`.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use super::allocation::Allocation;
use super::{failure, node_name};
use crate::cli::{DONE, Done, Failure, NOT_SOLVED};
use judge_contest::milliseconds;
use judge_contest::programs::file_hash;
use judge_core::text::printable;
use judge_job::duration_text;
use judge_report::output::write_pretty_json;
use judge_sandbox::host::utc_seconds;
use judge_sandbox::machine::{self, Advice, Condition, Level, fitness};
use judge_sandbox::{Interrupt, IsolationMode, Limits, LocalExecutor, Machine, Tier, unmet};
use judge_slurm::{Reply, Slurm, SlurmError};

/// The difference between the clocks of two machines, in seconds, above which a note is printed. Nothing depends on
/// dates.
const CLOCK_SECONDS: u64 = 5;

/// The resources and the isolation of a node.
#[derive(Debug, Serialize, Deserialize)]
struct Findings {
    node: String,
    judge: String,
    /// SHA-256 of the program in hexadecimal.
    program: String,
    user: u32,
    /// The strongest tier, and the requirements that each mode lacks under the limits of the contest.
    tier: Tier,
    layers: String,
    unmet: BTreeMap<String, Vec<String>>,
    machine: Machine,
    timing: Vec<Advice>,
    /// Logical processors that the task may use, and those that Slurm gave to it.
    usable: usize,
    given: Option<usize>,
    /// Seconds of the node's clock.
    utc: u64,
}

/// The question to the nodes.
#[derive(Serialize, Deserialize)]
struct Question {
    limits: Vec<Limits>,
}

/// A node with the findings about it.
#[derive(Serialize)]
struct Report {
    node: String,
    /// Reasons why a contest would not run correctly there, as fragments.
    problems: Vec<String>,
    /// Facts that a user should know but that do not prevent a contest, as fragments.
    notes: Vec<String>,
    findings: Option<Findings>,
}

/// Writes the findings about this node into a folder, atomically.
pub(in crate::cli) fn write(folder: &Path) -> Done {
    let failed = |error: io::Error| Failure::judge(format!("{}: {error}", folder.display()));
    let question: Question = judge_slurm::question(folder).map_err(failed)?;
    let node = node_name();
    let interrupt = Interrupt::never().map_err(failed)?;
    let executor = LocalExecutor::new(&interrupt, IsolationMode::Auto)
        .map_err(|error| Failure::judge(format!("{}: {error}", folder.display())))?;
    let probe = executor.probe();
    let lacks = |mode: IsolationMode| {
        let missing = unmet(mode, probe, &question.limits);
        (mode.name().to_owned(), missing.iter().map(ToString::to_string).collect())
    };
    let machine = machine::this().on_node(node.clone());
    let findings = Findings {
        judge: env!("CARGO_PKG_VERSION").into(),
        program: own_hash().map_err(failed)?,
        user: rustix::process::getuid().as_raw(),
        tier: probe.isolation.tier,
        layers: probe.isolation.to_string(),
        unmet: IsolationMode::ALL.into_iter().map(lacks).collect(),
        timing: fitness(&machine, &Condition::now()),
        machine,
        usable: machine::cores().iter().map(Vec::len).sum(),
        given: Allocation::here().processors,
        utc: utc_seconds(),
        node: node.clone(),
    };
    judge_slurm::answer(folder, &node, &findings).map_err(failed)?;
    Ok(DONE)
}

/// The hash of this program.
fn own_hash() -> io::Result<String> {
    file_hash(&std::env::current_exe()?)
}

/// Sends a probe to every node of the partition and reports the answers.
pub(in crate::cli) fn survey(
    slurm: &Slurm<'_>,
    limits: Vec<Limits>,
    demand: IsolationMode,
    patience: Duration,
    json: bool,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Done {
    let replies = slurm.ask(&Question { limits: limits.clone() }, &limits, patience).map_err(|error| match error {
        SlurmError::Interrupted => Failure::interrupted(error, interrupt),
        error => failure(error),
    })?;
    let program = own_hash().map_err(|error| Failure::judge(format!("{}: {error}", slurm.results().display())))?;
    let reports: Vec<Report> = replies
        .into_iter()
        .map(|(node, reply)| {
            let (mut problems, mut notes) = (Vec::new(), Vec::new());
            problems.extend(silence(&reply, patience));
            let findings = match reply {
                Reply::Answer { answer, arrived } => {
                    judge(&answer, arrived, &program, demand, &mut problems, &mut notes);
                    Some(answer)
                }
                _ => None,
            };
            Report { node, problems, notes, findings }
        })
        .collect();
    if json {
        write_pretty_json(&reports, out)?;
        writeln!(out)?;
    } else {
        print(&reports, slurm, out)?;
    }
    Ok(if reports.iter().all(|report| report.problems.is_empty()) { DONE } else { NOT_SOLVED })
}

/// The reason why a node has not answered; `None` if it has.
fn silence(reply: &Reply<Findings>, patience: Duration) -> Option<String> {
    let last = |line: &Option<String>| line.as_ref().map_or(String::new(), |line| format!(": {line}"));
    match reply {
        Reply::Answer { .. } => None,
        Reply::Unusable(state) => Some(format!("not asked: Slurm says it is {state}")),
        Reply::Refused(error) => Some(format!("Slurm does not take a job for it: {}", error.reason())),
        Reply::Ended { end, last_line } => Some(format!(
            "its job ended without an answer in the shared folder, with {end}{}; is the folder the same there?",
            last(last_line)
        )),
        Reply::Late { state, last_line } => {
            let within = duration_text(milliseconds(patience));
            Some(format!("no answer within {within}: its job is {state}{}", last(last_line)))
        }
        other => Some(format!("{other:?}")),
    }
}

/// Adds the problems and notes of a node.
fn judge(
    findings: &Findings,
    arrived: u64,
    program: &str,
    demand: IsolationMode,
    problems: &mut Vec<String>,
    notes: &mut Vec<String>,
) {
    let version = env!("CARGO_PKG_VERSION");
    if findings.judge != version || findings.program != program {
        problems
            .push(format!("it has another judge ({}, here {version}); install one program everywhere", findings.judge));
    }
    problems.extend(findings.unmet.get(demand.name()).cloned().unwrap_or_default());
    if findings.tier < Tier::Namespaces {
        notes.push(format!("no user namespaces: entries run in the tier {}", findings.tier.name()));
    }
    if let Some(given) = findings.given.filter(|given| findings.usable > *given) {
        notes.push(format!(
            "Slurm gave {given} of {} processors but does not bind tasks to them, so runs are not pinned (TaskPlugin)",
            findings.usable
        ));
    }
    if findings.utc.abs_diff(arrived) > CLOCK_SECONDS {
        notes.push(format!("its clock differs by {} s from this one", findings.utc.abs_diff(arrived)));
    }
    if findings.user != rustix::process::getuid().as_raw() {
        problems.push(format!("jobs run as user {} there", findings.user));
    }
    for advice in findings.timing.iter().filter(|advice| advice.level == Level::Poor) {
        notes.push(format!("{}: {}", advice.what, advice.finding));
    }
}

fn print(reports: &[Report], slurm: &Slurm<'_>, out: &mut dyn Write) -> Result<(), Failure> {
    let options = if slurm.options().is_empty() { "none".into() } else { slurm.options().join(" ") };
    writeln!(out, "options for sbatch: {}", printable(&options))?;
    for report in reports {
        let state = if report.problems.is_empty() { "ok" } else { "PROBLEM" };
        writeln!(out, "{state:7} {}", printable(&report.node))?;
        if let Some(findings) = &report.findings {
            let machine = &findings.machine;
            let model = machine.model.as_deref().unwrap_or(&machine.arch);
            writeln!(out, "          {}, {} processors usable by a task", printable(model), findings.usable)?;
            writeln!(out, "          isolation: {}", printable(&findings.layers))?;
            writeln!(out, "          judge {}, shared folder seen", printable(&findings.judge))?;
        }
        for line in &report.problems {
            writeln!(out, "          PROBLEM {}", printable(line))?;
        }
        for line in &report.notes {
            writeln!(out, "          note    {}", printable(line))?;
        }
    }
    let mut models: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for findings in reports.iter().filter_map(|report| report.findings.as_ref()) {
        let model = findings.machine.model.as_deref().unwrap_or("unknown model");
        models.entry(model).or_default().push(&findings.node);
    }
    writeln!(out)?;
    if models.len() > 1 {
        let lists: Vec<String> = models.values().map(|nodes| format!("{:?}", nodes.join(","))).collect();
        writeln!(
            out,
            "{} models of processors: put this line into the site file, so that all entries of a board run",
            models.len()
        )?;
        writeln!(out, "on one model:\n  alike = [{}]", lists.join(", "))?;
    }
    let bad = reports.iter().filter(|report| !report.problems.is_empty()).count();
    match bad {
        0 => writeln!(out, "a contest can run on all {} nodes", reports.len())?,
        bad => writeln!(
            out,
            "{bad} of {} nodes would keep a contest from running there; exclude them with --sbatch \"--exclude=…\"",
            reports.len()
        )?,
    }
    Ok(())
}

/// Creates a folder for the answers, which all nodes must see; removed when dropped.
pub(in crate::cli) fn shared_folder(folder: &Path) -> Result<TempDir, Failure> {
    tempfile::Builder::new().prefix("judge-doctor-").tempdir_in(folder).map_err(|error| {
        let folder = folder.display();
        Failure::input(format!("{folder}: {error}; name a folder that all nodes share with --shared DIR"))
    })
}
