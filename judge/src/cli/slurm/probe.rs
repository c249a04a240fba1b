//! Probes of nodes: what each offers to a contest, for `judge doctor --engine slurm`.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::allocation::Allocation;
use super::{failure, node_name};
use crate::cli::{DONE, Done, Failure, NOT_SOLVED};
use judge_contest::milliseconds;
use judge_contest::programs::file_hash;
use judge_core::text::printable;
use judge_files::regular;
use judge_host::{now_us, utc_seconds};
use judge_job::duration_text;
use judge_report::output::write_pretty_json;
use judge_sandbox::machine::{self, Advice, Condition, Level, fitness};
use judge_sandbox::{Interrupt, IsolationMode, Limits, LocalExecutor, Machine, Tier, unmet};
use judge_slurm::{Cluster as _, ClusterError, Slurm, quoted};

/// Seconds between the clocks of two machines that are worth a note: dates are for people only.
const CLOCK_SECONDS: u64 = 5;
/// The time between two checks for answers.
const CHECK: Duration = Duration::from_millis(300);

/// The resources and the isolation of a node.
#[derive(Debug, Serialize, Deserialize)]
struct Findings {
    node: String,
    judge: String,
    /// SHA-256 of the program in hexadecimal.
    program: String,
    user: u32,
    /// The strongest tier, and what each mode lacks under the limits of the contest.
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

const QUESTION: &str = "question.json";

/// A node with what was found about it.
#[derive(Serialize)]
struct Report {
    node: String,
    /// Reasons why a contest would not run there as it should, as fragments.
    problems: Vec<String>,
    /// Facts that a user should know and that stop no contest, as fragments.
    notes: Vec<String>,
    findings: Option<Findings>,
}

/// Writes what this node offers into a folder, whole.
pub(in crate::cli) fn write(folder: &Path) -> Done {
    let failed = |error: io::Error| Failure::judge(format!("{}: {error}", folder.display()));
    let question: Question =
        File::open(folder.join(QUESTION)).and_then(|file| Ok(serde_json::from_reader(file)?)).map_err(failed)?;
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
    let mut aside = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
    serde_json::to_writer(&mut aside, &findings).map_err(|error| failed(error.into()))?;
    aside.as_file().sync_all().map_err(failed)?;
    aside.persist(folder.join(format!("{node}.json"))).map_err(|refused| failed(refused.error))?;
    Ok(DONE)
}

/// The hash of this program.
fn own_hash() -> io::Result<String> {
    file_hash(&std::env::current_exe()?)
}

/// Sends a probe to every node of the partition and reports what they answer.
pub(in crate::cli) fn survey(
    slurm: &Slurm<'_>,
    limits: Vec<Limits>,
    demand: IsolationMode,
    patience: Duration,
    json: bool,
    out: &mut dyn Write,
) -> Done {
    let nodes = slurm.nodes().map_err(failure)?;
    let folder = slurm.results().to_owned();
    let failed = |error: io::Error| Failure::judge(format!("{}: {error}", folder.display()));
    let question = File::create(folder.join(QUESTION)).map_err(failed)?;
    serde_json::to_writer(question, &Question { limits: limits.clone() }).map_err(|error| failed(error.into()))?;
    let mut jobs: BTreeMap<String, Result<String, String>> = BTreeMap::new();
    for node in nodes.iter().filter(|node| node.usable) {
        let sent = send(slurm, &node.name, &limits);
        jobs.insert(node.name.clone(), sent.map_err(|error| error.reason().to_owned()));
    }
    let mut found: BTreeMap<String, (Findings, u64)> = BTreeMap::new();
    let sent = jobs.values().filter(|job| job.is_ok()).count();
    let begun = now_us();
    while found.len() < sent && now_us().saturating_sub(begun) < u64::try_from(patience.as_micros()).unwrap_or(u64::MAX)
    {
        slurm.wait(CHECK);
        for node in jobs.keys() {
            let path = folder.join(format!("{node}.json"));
            if !found.contains_key(node) && path.exists() {
                let bytes = fs::read(&path).map_err(failed)?;
                let findings = serde_json::from_slice(&bytes).map_err(|error| failed(error.into()))?;
                found.insert(node.clone(), (findings, utc_seconds()));
            }
        }
    }
    let late: Vec<String> =
        jobs.iter().filter(|(node, _)| !found.contains_key(*node)).filter_map(|(_, job)| job.clone().ok()).collect();
    let program = own_hash().map_err(failed)?;
    let reports: Vec<Report> = nodes
        .iter()
        .map(|node| {
            let (mut problems, mut notes) = (Vec::new(), Vec::new());
            let (findings, arrived) = match (jobs.get(&node.name), found.remove(&node.name)) {
                (_, Some((findings, arrived))) => (Some(findings), arrived),
                (None, None) => {
                    problems.push(format!("not asked: Slurm says it is {}", node.state));
                    (None, 0)
                }
                (Some(Err(reason)), None) => {
                    problems.push(format!("Slurm does not take a job for it: {reason}"));
                    (None, 0)
                }
                (Some(Ok(job)), None) => {
                    problems.push(silent(slurm, job, &folder, &node.name, patience));
                    (None, 0)
                }
            };
            if let Some(findings) = &findings {
                judge(findings, arrived, &program, demand, &mut problems, &mut notes);
            }
            Report { node: node.name.clone(), problems, notes, findings }
        })
        .collect();
    if !late.is_empty() {
        slurm.cancel(&late).ok();
    }
    if json {
        write_pretty_json(&reports, out)?;
        writeln!(out)?;
    } else {
        print(&reports, slurm, out)?;
    }
    Ok(if reports.iter().all(|report| report.problems.is_empty()) { DONE } else { NOT_SOLVED })
}

/// Sends a probe to a node, which asks for what a run would ask for.
fn send(slurm: &Slurm<'_>, node: &str, limits: &[Limits]) -> Result<String, ClusterError> {
    let cores = limits.iter().map(|limits| limits.cores).max().unwrap_or(1);
    let folder = slurm.results().display().to_string();
    let mut options = vec![
        "--ntasks=1".to_owned(),
        format!("--cpus-per-task={cores}"),
        "--time=5".into(),
        format!("--chdir={folder}"),
    ];
    options.extend(slurm.options().iter().cloned());
    options.extend([
        "--parsable".into(),
        "--job-name=judge-doctor".into(),
        format!("--nodelist={node}"),
        format!("--output={folder}/{node}.log"),
    ]);
    slurm.send(
        &options,
        &format!("#!/bin/sh\nexec {} work --probe {}\n", quoted(slurm.judge()), quoted(slurm.results())),
    )
}

/// The reason why a node has not answered.
fn silent(slurm: &Slurm<'_>, job: &str, folder: &Path, node: &str, patience: Duration) -> String {
    let last =
        regular::last_line(&folder.join(format!("{node}.log"))).map_or(String::new(), |line| format!(": {line}"));
    match &*slurm.state_of(job) {
        "" => {
            let end = slurm.end_of_job(job);
            format!(
                "its job ended without an answer in the shared folder, with {}{last}; is the folder the same there?",
                end.text
            )
        }
        state => format!("no answer within {}: its job is {state}{last}", duration_text(milliseconds(patience))),
    }
}

/// Problems and notices of a node.
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

/// A folder for the answers, which all nodes must see; removed when dropped.
pub(in crate::cli) struct SharedFolder(tempfile::TempDir);

impl SharedFolder {
    /// Makes one in a folder.
    pub(in crate::cli) fn new_in(folder: &Path) -> Result<Self, Failure> {
        let made = tempfile::Builder::new().prefix("judge-doctor-").tempdir_in(folder);
        made.map(Self).map_err(|error| {
            Failure::input(format!(
                "{}: {error}; name a folder that all nodes share with --shared DIR",
                folder.display()
            ))
        })
    }

    pub(in crate::cli) fn path(&self) -> PathBuf {
        self.0.path().to_owned()
    }
}
