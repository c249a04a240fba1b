//! The values of `--isolation`, each with its help, and executors with the required isolation.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use judge_contest::Contest;
use judge_core::journal::ContestState;
use judge_job::{IsolationMode, Limits, Tier};
use judge_sandbox::{Interrupt, LocalExecutor, Unmet, missing_layers, unmet};

use super::{Failure, say};

/// Parses an isolation mode. The help is defined here because the crate of the modes does not depend on clap.
pub(super) fn mode() -> impl TypedValueParser<Value = IsolationMode> {
    let help = |mode: IsolationMode| match mode {
        IsolationMode::Auto => "The strongest tier that works on this machine",
        IsolationMode::Require => "Run only with the strongest tier and every limit enforced by the kernel",
        IsolationMode::Landlock => "No namespaces, as on a machine without them",
        IsolationMode::Off => "No file, network or process isolation; for debugging. Limits still apply",
    };
    let values = IsolationMode::ALL.map(|mode| PossibleValue::new(mode.name()).help(help(mode)));
    PossibleValuesParser::new(values)
        .map(|name| IsolationMode::named(&name).expect("only the names of modes are possible values"))
}

/// An executor for the runs of a contest with this isolation. Fails if this machine cannot provide it with all limits
/// of the contest.
pub(super) fn contest_executor<'i>(
    contest: &Contest,
    mode: IsolationMode,
    interrupt: &'i Interrupt,
) -> Result<LocalExecutor<'i>, Failure> {
    executor("isolation", mode, &limits(contest), interrupt)
}

/// An executor with this isolation, which a key of the contest file sets. Fails if this machine cannot provide it with
/// all these limits.
pub(super) fn executor<'i>(
    key: &str,
    mode: IsolationMode,
    limits: &[Limits],
    interrupt: &'i Interrupt,
) -> Result<LocalExecutor<'i>, Failure> {
    let executor = available(mode, interrupt)?;
    let missing = unmet(mode, executor.probe(), limits);
    if missing.is_empty() {
        return Ok(executor);
    }
    let missing: Vec<String> = missing.iter().map(Unmet::to_string).collect();
    Err(Failure::input(format!(
        "{key} \"{}\" is not available on this machine:\n  {}\n`judge doctor` reports more; {key} = \"auto\" uses what is \
         available",
        mode.name(),
        missing.join("\n  ")
    )))
}

/// An executor with as much of this isolation as this machine provides. Reports the layers that do not work, once per
/// combination.
pub(super) fn available(mode: IsolationMode, interrupt: &Interrupt) -> Result<LocalExecutor<'_>, Failure> {
    static REPORTED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let executor = LocalExecutor::new(interrupt, mode).map_err(Failure::judge)?;
    if let Some(missing) = missing(mode, &executor)
        && REPORTED.lock().unwrap_or_else(PoisonError::into_inner).insert(missing.clone())
    {
        say(&format!("warning: {missing}"));
    }
    Ok(executor)
}

/// The layers of this isolation that do not work on this machine, as a fragment; `None` if all work.
pub(super) fn missing(mode: IsolationMode, executor: &LocalExecutor<'_>) -> Option<String> {
    let missing: Vec<String> =
        missing_layers(mode, executor.probe()).map(|layer| format!("{}: {}", layer.name, layer.finding)).collect();
    let tier = executor.isolation().tier.name();
    (!missing.is_empty())
        .then(|| format!("programs run in the tier {tier}, because this does not work: {}", missing.join("; ")))
}

/// The isolation that the recorded runs had and this executor lacks, as a fragment; `None` if nothing is lost.
pub(super) fn lost(contents: &ContestState, executor: &LocalExecutor<'_>) -> Option<String> {
    let lost = contents.lost_isolation(executor.isolation());
    (!lost.is_empty()).then(|| format!("runs are isolated less than those before, without {}", lost.join(", ")))
}

/// The limits of all jobs of a contest: of its active entries, and of referee programs.
pub(super) fn limits(contest: &Contest) -> Vec<Limits> {
    let plan = &contest.plan;
    let entries = plan.entries.iter().filter(|entry| !contest.withdrawn.contains_key(&entry.name));
    let referees = plan.referees().map(|referee| referee.limits);
    entries.flat_map(|entry| plan.limits_of(entry)).chain(referees).collect()
}

/// Tests whether the tier is Landlock. There, jobs have no private root and can look up files by name.
pub(super) fn is_landlock(executor: &LocalExecutor<'_>) -> bool {
    executor.isolation().tier == Tier::Landlock
}
