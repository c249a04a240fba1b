//! Sentences about what a contest will execute next.

use std::collections::BTreeMap;
use std::path::Path;

use super::ExecutionOptions;
use crate::cli::Failure;
use crate::cli::isolation::limits;
use crate::cli::slurm::EngineName;
use judge_contest::Contest;
use judge_contest::check::longest;
use judge_contest::update::waits_for_boards;
use judge_core::journal::{ContestState, Round};
use judge_core::key::RunKey;
use judge_core::results::name_of;
use judge_job::{count_text, duration_text};
use judge_sandbox::{Executor as _, LocalExecutor};

impl ExecutionOptions {
    /// The number of runs to execute, by entry, and the longest time that they can take. On this machine that is the
    /// time until the last one ends. On a cluster it is the sum of all, as it may start them at any time.
    pub(in crate::cli) fn pending_text(
        &self,
        contest: &Contest,
        contents: &ContestState,
        executor: &LocalExecutor<'_>,
        results: &Path,
    ) -> Result<String, Failure> {
        let missing = contents.missing();
        if missing.is_empty() {
            return Ok("no run to execute".into());
        }
        let (mut runs, plays): (BTreeMap<&str, usize>, _) = (BTreeMap::new(), contest.plan.match_rules.is_some());
        for &index in &missing {
            *runs.entry(&contents.order()[index].entry).or_default() += 1;
        }
        let (what, each) = match plays {
            true => {
                let names: Vec<String> = missing.iter().map(|&index| name_of(&contents.order()[index])).collect();
                (count_text(missing.len(), "game to play", "games to play"), first_names(&names))
            }
            false => {
                let each: Vec<String> = runs.iter().map(|(entry, runs)| format!("{entry} {runs}")).collect();
                (format!("{} to execute", count_text(missing.len(), "run", "runs")), each.join(", "))
            }
        };
        let engine = self.engine_of(Some(results))?;
        let slots = match engine {
            EngineName::Local => executor.capacity(&limits(contest), self.jobs).slots.len(),
            EngineName::Slurm => 1,
        };
        let keys = missing.iter().map(|&index| &contents.order()[index]);
        let time = duration_text(longest(&contest.plan, keys, slots).as_secs().max(1).saturating_mul(1000));
        let bound = match engine {
            EngineName::Local => format!("at most {time} at {slots} at a time"),
            EngineName::Slurm => format!("at most {time} in all, shared by the nodes of the cluster"),
        };
        Ok(format!("{what}: {each}; {bound}"))
    }
}

/// The first of these names, and the number of the others.
fn first_names(names: &[String]) -> String {
    /// The most games that a line names.
    const MAX_NAMED: usize = 20;
    let more = names.len().saturating_sub(MAX_NAMED);
    let first = names[..names.len() - more].join(", ");
    format!("{first}{}", if more > 0 { format!(", and {more} more") } else { String::new() })
}

/// A sentence about the next round and its runs, if it waits for sealed boards whose files are missing.
pub(in crate::cli) fn sealed_round(contest: &Contest, contents: &ContestState) -> Option<String> {
    let (upcoming, absent) = waits_for_boards(contest, contents)?;
    let who = upcoming.who().unwrap_or_else(|| format!("at most {} then", count_text(upcoming.runs, "run", "runs")));
    Some(format!("round {} opens when its sealed boards are there: {}; {who}", upcoming.name, absent.join(", ")))
}

/// A sentence about a round that opens, with its entries. `open` is the number of the round that was open before.
pub(in crate::cli) fn opens(round: &Round, open: u32) -> String {
    let name = round.name.as_ref().map_or(String::new(), |name| format!(", {name}"));
    let again = if round.number <= open { ", as it follows from the results now" } else { "" };
    format!("round {}{name}{again}: {}", round.number, round.entrants().join(", "))
}

/// A sentence about the games that fall: they have a result and counted `before`, but do not follow from the results
/// `after`.
pub(in crate::cli) fn fall(before: &ContestState, after: &ContestState) -> Option<String> {
    let counts = |key: &RunKey| before.index_of(key).is_some() && before.counts(key);
    let keys = after.unplanned().filter_map(|run| after.key_of(run)).filter(counts);
    let names: Vec<String> = keys.map(|key| name_of(&key)).collect();
    let games = count_text(names.len(), "game falls", "games fall");
    (!names.is_empty()).then(|| format!("{games}: {}", first_names(&names)))
}
