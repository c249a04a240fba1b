//! `judge doctor`: checks isolation and timing of this machine.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;

use super::slurm::probe::{shared_folder, survey};
use super::slurm::{self, EngineName};
use super::{DONE, Done, Failure, NOT_SOLVED, isolation, signals};
use judge_contest::{Contest, FILE_NAME, Overrides, resolve};
use judge_core::plan::Problem;
use judge_core::text::printable;
use judge_report::output::write_pretty_json;
use judge_sandbox::machine::{self, Advice, Condition, Level, fitness};
use judge_sandbox::promises::{Conditions, Guarantee, PROMISES, Promise};
use judge_sandbox::{Enforcement, Interrupt, IsolationMode, Limits, LocalExecutor, Machine, Probe, unmet};

/// Check this machine's isolation support and fitness for timing
///
/// Every isolation layer is tried. With a contest file, its `isolation` is checked: "require" needs every promise of
/// the strongest tier.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge doctor                        this machine, and the contest.toml here
  judge doctor finals.toml --json     for programs
  judge doctor --isolation require    is the strongest isolation available?
  judge doctor --engine slurm --sbatch \"--partition=long\"
                                      every node of a partition, by a job on each

Exit code 0: the required isolation is available, with --engine slurm on all nodes; 1: it is not.")]
pub(super) struct Args {
    /// Contest file or its folder [default: contest.toml if it exists]
    contest: Option<PathBuf>,

    /// Check this mode instead of the contest's
    #[arg(long, value_name = "HOW", value_parser = super::isolation::mode())]
    isolation: Option<IsolationMode>,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Check the machines of this engine: this one, or every node of a cluster's partition
    #[arg(long, value_enum, value_name = "NAME", default_value = "local")]
    engine: EngineName,

    /// With --engine slurm: options for `sbatch`, such as "--partition=long" [default: those of the site file]
    #[arg(long, value_name = "OPTIONS", allow_hyphen_values = true)]
    sbatch: Option<String>,

    /// With --engine slurm: a folder that all nodes share [default: that of the contest file, or this one]
    #[arg(long, value_name = "DIR")]
    shared: Option<PathBuf>,

    /// With --engine slurm: how long to wait for the nodes
    #[arg(long, value_name = "TIME", value_parser = judge_contest::parse_duration, default_value = "2m")]
    wait: Duration,
}

#[derive(Serialize)]
struct Document<'a> {
    demand: IsolationMode,
    met: bool,
    unmet: &'a [String],
    #[serde(flatten)]
    survey: &'a Probe,
    enforced: Enforcement,
    promises: Vec<Promised>,
    machine: &'a Machine,
    condition: &'a Condition,
    timing: &'a [Advice],
    /// The referees of the contest that are programs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    referees: Vec<Referee>,
}

/// A referee that is a program.
#[derive(Serialize)]
struct Referee {
    /// The identifier of its problem; `None` for the only one.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    protocol: &'static str,
    command: String,
    /// The path of its program, or the reason why it is not available, as a fragment.
    finding: String,
}

/// A promise of the sandbox as JSON.
#[derive(Serialize)]
struct Promised {
    name: &'static str,
    text: &'static str,
    /// The way in which it is kept here, and in each tier for the user who runs this.
    here: Guarantee,
    tiers: BTreeMap<&'static str, Guarantee>,
    by: &'static str,
}

impl Promised {
    fn all(conditions: &Conditions) -> Vec<Self> {
        let columns = Conditions::columns(conditions.root);
        let promised = |promise: &'static Promise| Self {
            name: promise.name,
            text: promise.text,
            here: promise.keeping(conditions),
            tiers: columns.iter().map(|(name, column)| (*name, promise.keeping(column))).collect(),
            by: promise.by,
        };
        PROMISES.iter().map(promised).collect()
    }
}

impl Args {
    pub(super) fn execute(self, out: &mut dyn Write) -> Done {
        let contest = self.contest()?;
        let demanded = contest.as_ref().map_or(IsolationMode::Auto, |contest| contest.plan.isolation);
        let demand = self.isolation.unwrap_or(demanded);
        let limits = contest.as_ref().map_or_else(|| vec![Limits::default()], isolation::limits);
        if self.engine == EngineName::Slurm {
            return self.survey(contest.as_ref(), limits, demand, out);
        }
        let referees = contest.as_ref().map_or_else(Vec::new, referees);
        let broken = |error: io::Error| Failure::judge(error);
        let interrupt = Interrupt::never().map_err(broken)?;
        let executor = LocalExecutor::new(&interrupt, demand).map_err(Failure::judge)?;
        let (survey, enforced) = (executor.probe(), executor.enforcement());
        let unmet: Vec<String> = unmet(demand, survey, &limits).iter().map(ToString::to_string).collect();
        let (machine, condition) = (machine::this(), Condition::now());
        let timing = fitness(&machine, &condition);
        if self.json {
            let (machine, condition, timing) = (&machine, &condition, &timing);
            let met = unmet.is_empty();
            let unmet = &unmet;
            let promises = Promised::all(&survey.conditions);
            let document =
                Document { demand, met, unmet, survey, enforced, promises, machine, condition, timing, referees };
            write_pretty_json(&document, out)?;
            writeln!(out)?;
        } else {
            layers(survey, enforced, out)?;
            promises(&survey.conditions, out)?;
            for referee in &referees {
                let of = referee.problem.as_ref().map_or_else(String::new, |problem| format!(" of {problem}"));
                writeln!(out, "\nreferee{of}: protocol {}, {}", referee.protocol, printable(&referee.command))?;
                writeln!(out, "  {}", printable(&referee.finding))?;
            }
            timing_of(&machine, &timing, out)?;
            let contest = contest.as_ref().map_or("no contest file here", |contest| contest.plan.name.as_str());
            verdict(contest, demand, &unmet, out)?;
        }
        Ok(if unmet.is_empty() { DONE } else { NOT_SOLVED })
    }

    /// Checks every node of a partition.
    fn survey(
        &self,
        contest: Option<&Contest>,
        limits: Vec<Limits>,
        demand: IsolationMode,
        out: &mut dyn Write,
    ) -> Done {
        let shared = self.shared.as_deref().or(contest.map(Contest::directory)).unwrap_or(Path::new("."));
        let folder = shared_folder(shared)?;
        let interrupt = signals()?;
        let slurm = slurm::for_site(self.sbatch.as_deref(), folder.path(), &interrupt)?;
        survey(&slurm, limits, demand, self.wait, self.json, &interrupt, out)
    }

    /// The contest that the command line names, or the one in the current folder.
    fn contest(&self) -> Result<Option<Contest>, Failure> {
        let path = match &self.contest {
            Some(path) => path.as_path(),
            None if Path::new(FILE_NAME).is_file() => Path::new(FILE_NAME),
            None => return Ok(None),
        };
        Contest::load(path, &Overrides::default()).map(Some).map_err(Failure::input)
    }
}

/// The referees of a contest that are programs.
fn referees(contest: &Contest) -> Vec<Referee> {
    contest.plan.problems.iter().filter_map(|problem| referee(contest, problem)).collect()
}

fn referee(contest: &Contest, problem: &Problem) -> Option<Referee> {
    let referee = problem.referee.as_deref()?;
    let of = Some(problem.id.clone()).filter(|id| !id.is_empty());
    let program = resolve(&referee.command, contest.directory()).into_iter().next().unwrap_or_default();
    let finding = match (program.contains('/') && !Path::new(&program).is_file(), &referee.build) {
        (false, _) => "runs in the sandbox, under the limits of [referee]".into(),
        (true, Some(build)) => format!("not built yet; its build is `{build}`"),
        (true, None) => format!("{program} does not exist"),
    };
    Some(Referee { problem: of, protocol: referee.protocol.name(), command: referee.command.join(" "), finding })
}

fn layers(survey: &Probe, enforced: Enforcement, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "isolation: {}", survey.isolation)?;
    for layer in &survey.layers {
        let works = if layer.works { "yes" } else { "no" };
        writeln!(out, "  {works:3} {:11} {}", layer.name, printable(&layer.finding))?;
        writeln!(out, "                  {}", layer.means)?;
    }
    writeln!(out, "\nlimits:")?;
    let how = |kernel: bool| if kernel { "enforced by the kernel" } else { "checked every 20 ms" };
    writeln!(out, "  wall clock   event-driven, warning signal, grace period, kill of the whole tree")?;
    writeln!(out, "  memory       {}", how(enforced.memory))?;
    writeln!(out, "  processes    {}", how(enforced.processes))?;
    let cpu = if enforced.cpu { "measured by a control group" } else { "summed over processes when they are reaped" };
    writeln!(out, "  CPU time     {cpu}")?;
    let scratch = if enforced.scratch { "a file system of its own" } else { "checked every 100 ms" };
    writeln!(out, "  scratch      {scratch}")?;
    writeln!(out, "  output       the run ends with the first byte above the limit")
}

/// Prints how each promise is kept here, and in each tier for the user who runs this.
fn promises(conditions: &Conditions, out: &mut dyn Write) -> io::Result<()> {
    let columns = Conditions::columns(conditions.root);
    let user = if conditions.root { "root" } else { "an ordinary user" };
    let width = columns.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    writeln!(out, "\npromises, here and in each tier for {user}; docs/promises.csv explains them:")?;
    let line = |first: &str, here: &str, words: [&str; 4]| {
        let words = words.map(|word| format!("{word:width$}")).join("  ");
        format!("  {first:19} {here:9} {words}").trim_end().to_owned()
    };
    writeln!(out, "{}", line("", "here", columns.map(|(name, _)| name)))?;
    PROMISES.iter().try_for_each(|promise| {
        let words = columns.map(|(_, column)| promise.keeping(&column).word());
        writeln!(out, "{}", line(promise.name, promise.keeping(conditions).word(), words))
    })
}

fn timing_of(machine: &Machine, timing: &[Advice], out: &mut dyn Write) -> io::Result<()> {
    let model = machine.model.as_deref().unwrap_or(&machine.arch);
    writeln!(out, "\ntiming on {}:", printable(model))?;
    for advice in timing {
        let level = match advice.level {
            Level::Good => "good",
            Level::Notice => "note",
            Level::Poor => "POOR",
        };
        writeln!(out, "  {level} {:27} {}", advice.what, printable(&advice.finding))?;
        if let Some(advice) = &advice.advice {
            writeln!(out, "{:35}{advice}", "")?;
        }
    }
    Ok(())
}

fn verdict(contest: &str, demand: IsolationMode, unmet: &[String], out: &mut dyn Write) -> io::Result<()> {
    let (contest, demand) = (printable(contest), demand.name());
    if unmet.is_empty() {
        return writeln!(out, "\nmet: isolation {demand} ({contest})");
    }
    writeln!(out, "\nNOT met: isolation {demand} ({contest})")?;
    unmet.iter().try_for_each(|reason| writeln!(out, "  {}", printable(reason)))
}
