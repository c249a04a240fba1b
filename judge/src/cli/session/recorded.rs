//! The contest of a results directory, for commands that continue it.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use super::ExecutionOptions;
use crate::cli::directory::contest_path;
use crate::cli::rejudge::{Rejudging, is_interactive, with_referees_of};
use crate::cli::{Failure, deviations, say};
use judge_contest::Contest;
use judge_contest::journal::Journal;
use judge_contest::programs::{keep_referee, present_referees};
use judge_contest::rejudge::{Results as RejudgedRuns, answered};
use judge_core::changes::other_referee;
use judge_core::fingerprint::Hashes;
use judge_core::journal::{self, ContestState, Line};
use judge_job::count_text;
use judge_sandbox::{Interrupt, LocalExecutor};

/// The arguments of commands that continue a contest.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct RecordedContest {
    /// Results directory of the contest
    #[arg(value_name = "RESULTS", value_parser = crate::cli::runs::path())]
    pub(in crate::cli) results: PathBuf,

    /// Contest file or its folder [default: the file of that contest]
    #[arg(long, value_name = "FILE")]
    contest: Option<PathBuf>,

    /// If the referee has changed: referee all stored answers again first, by the present one
    #[arg(long)]
    pub(in crate::cli) rejudge: bool,
}

impl RecordedContest {
    /// Opens the journal to continue the contest.
    pub(in crate::cli) fn open(&self) -> Result<(Journal, ContestState), Failure> {
        let results = &*self.results;
        crate::cli::check_not_final(results)?;
        let (journal, contents) =
            Journal::resume(results, crate::cli::clock).map_err(|error| Failure::journal(&error))?;
        if contents.torn_bytes > 0 {
            let bytes = count_text(contents.torn_bytes, "byte", "bytes");
            say(&format!("discarded an incomplete last journal line ({bytes}); its run will be repeated"));
        }
        deviations::warn_of(&contents, results)?;
        Ok((journal, contents))
    }

    /// The contest as its file describes it now, with the sealed boards of rounds that have opened.
    pub(in crate::cli) fn file(&self, contents: &ContestState, how: &ExecutionOptions) -> Result<Contest, Failure> {
        let header = &contents.header;
        let path = contest_path(&self.results, header, self.contest.as_deref())?;
        let mut contest = Contest::load(&path, &header.overrides).map_err(Failure::input)?;
        contest.unseal(|board| contents.plan.boards.iter().any(|known| known.name == board));
        contest.keep_programs = how.keep_programs.unwrap_or(contest.keep_programs);
        how.has_room_for_page(&contest)?;
        Ok(contest)
    }

    /// True if --rejudge is given and a changed referee can rule on the stored answers.
    pub(in crate::cli) fn may_rejudge(&self, contest: &Contest) -> bool {
        self.rejudge && !is_interactive(contest)
    }

    /// With --rejudge, lets a changed referee rule on all answers that count after these lines. Adds an event with its
    /// rulings to the lines. The journal is not written here, so that all lines are recorded together or none.
    pub(in crate::cli) fn rejudge_first(
        &self,
        contest: &mut Contest,
        contents: &ContestState,
        lines: &mut Vec<Line>,
        programs: &BTreeMap<String, Hashes>,
        executor: &LocalExecutor<'_>,
        (jobs, interrupt): (Option<NonZeroUsize>, &Interrupt),
    ) -> Result<Option<RejudgedRuns>, Failure> {
        if !self.rejudge || !other_referee(contents, &contest.plan, Some(programs)) {
            return Ok(None);
        }
        let results = &*self.results;
        let referees = present_referees(contest, contents, programs);
        let after = journal::preview(results, lines).map_err(Failure::input)?;
        let mut plan = after.plan.clone();
        with_referees_of(&mut plan, &contest.plan);
        contest.adopt(plan).map_err(Failure::input)?;
        let work = Rejudging { contest, contents: &after, results, before: lines, executor, jobs, interrupt };
        let again = work.referee(&answered(&after))?;
        let mut events = again.events(&after, referees);
        let mut shown = Vec::new();
        work.show(&again, &events, &mut shown)?;
        say(&String::from_utf8_lossy(&shown));
        if !again.whole() {
            let reason = work.unruled(&again);
            return Err(Failure::judge(format!(
                "nothing is changed: {reason}; correct that, or record the others with `judge rejudge --partial` first"
            )));
        }
        events.iter_mut().for_each(|event| keep_referee(work.contest, event, results));
        lines.extend(events.into_iter().map(|event| Line::Rejudgement(Box::new(event))));
        Ok(Some(again))
    }
}
