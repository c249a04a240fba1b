//! Reads and checks a contest file.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use super::file::{self, BoardsWanted, Loaded};
use super::{Contest, ContestError, ContestErrorKind, FILE_NAME, Surroundings, parsed};
use judge_core::plan::{Overrides, UnknownName, select};
use judge_core::referee::Replayed;
use judge_job::canonical_parent;

impl Contest {
    /// Reads and checks a contest file, or the `contest.toml` of a folder.
    ///
    /// # Errors
    /// [`ContestError`] if the file cannot be read, or something in it or a file that it names is not usable.
    pub fn load(path: &Path, overrides: &Overrides) -> Result<Self, ContestError> {
        Self::read(path, overrides, BoardsWanted::for_runs(overrides), true)
    }

    /// Reads and checks a contest file to judge the answers of others: it needs no entry.
    ///
    /// # Errors
    /// As [`Self::load`].
    pub fn load_for_others(path: &Path, overrides: &Overrides) -> Result<Self, ContestError> {
        Self::read(path, overrides, BoardsWanted::for_runs(overrides), false)
    }

    /// Reads and checks a contest file without its boards, whose files need not exist.
    ///
    /// # Errors
    /// As [`Self::load`].
    pub fn load_without_boards(path: &Path) -> Result<Self, ContestError> {
        Self::read(path, &Overrides::default(), BoardsWanted::None, true)
    }

    /// Reads and checks a contest file for its referee and its tools: it needs neither boards nor entries.
    ///
    /// # Errors
    /// As [`Self::load`].
    pub fn load_for_tools(path: &Path) -> Result<Self, ContestError> {
        Self::read(path, &Overrides::default(), BoardsWanted::None, false)
    }

    pub(super) fn read(
        path: &Path,
        overrides: &Overrides,
        wanted: BoardsWanted,
        needs_entries: bool,
    ) -> Result<Self, ContestError> {
        let path = if path.is_dir() { path.join(FILE_NAME) } else { path.to_owned() };
        let loaded = file::load(&path, wanted, needs_entries)?;
        let Loaded { mut plan, mut puzzles, paths, archives, builds, keep_programs, mut withdrawn, mut struck, office } =
            loaded;
        let absolute = std::path::absolute(&path)
            .map(|absolute| canonical_parent(&absolute))
            .map_err(|error| ContestError::whole(&path, ContestErrorKind::Unreadable, error.to_string()))?;

        let refuse = |reason: String| ContestError::whole(&path, ContestErrorKind::Value, reason);
        let unknown = |error: UnknownName| ContestError::whole(&path, ContestErrorKind::Selection, error.to_string());
        if let Some(wall_ms) = overrides.wall_ms {
            let own = plan.entries.iter_mut().filter_map(|entry| entry.limits.as_mut());
            own.chain(plan.problems.iter_mut().map(|problem| &mut problem.limits))
                .for_each(|limits| limits.wall_ms = wall_ms);
            plan.rounds.iter_mut().for_each(|round| round.wall_ms = None);
        }
        if let Some(repeat) = overrides.repeat {
            if plan.match_rules.is_some() && repeat > 1 {
                return Err(refuse("games of a match are not repeated; for more games, add boards".into()));
            }
            plan.repeat = repeat;
        }
        if let Some(wanted) = &overrides.entries {
            let entries = plan.entries.iter().cloned().collect();
            plan.entries =
                select(entries, wanted, |entry| &entry.name, "entry").map_err(unknown)?.into_iter().collect();
        }
        if let Some(others) = &overrides.other_boards {
            plan.boards.clone_from(others);
            puzzles = parsed(&plan).map_err(refuse)?;
            plan.rounds.clear();
        }
        if let Some(wanted) = &overrides.boards {
            plan.boards = select(plan.boards, wanted, |board| &board.name, "board").map_err(unknown)?;
            plan.rounds.iter_mut().for_each(|round| round.boards.retain(|board| wanted.contains(board)));
            plan.rounds.retain(|round| !round.boards.is_empty());
        }
        let referee = Arc::new(Replayed::new(puzzles));
        let board_order = plan.boards.iter().map(|board| board.name.clone()).collect();
        let later: HashSet<&String> = plan.rounds.iter().skip(1).flat_map(|round| round.seals.keys()).collect();
        let (sealed, open) = plan.boards.into_iter().partition(|board| later.contains(&board.name));
        plan.boards = open;
        withdrawn.retain(|name, _| plan.entries.iter().any(|entry| entry.name == *name));
        struck.retain(|name, _| plan.boards.iter().any(|board| board.name == *name));
        Ok(Self {
            path: absolute,
            plan: plan.into(),
            builds,
            keep_programs,
            referee,
            paths,
            archives,
            withdrawn,
            struck,
            office,
            surroundings: Surroundings::default(),
            sealed,
            unsealed: false,
            board_order,
            #[cfg(feature = "run")]
            only_recorded: false,
        })
    }
}
