//! Contests that the command line describes, without a contest file: `judge run --game` and `judge try --seeds`.

use std::io;
use std::path::Path;

use super::game::GameArgs;
use super::{Failure, say};
use judge_contest::{BoardsError, NewContest, NewContestError, NewContestFiles, Seeds};
use judge_core::names::{self, is_plain};
use judge_core::text::is_invisible;
use judge_report::with_hint;

/// The least number of boards for which generating and reading are announced, as they take long.
const MANY_BOARDS: u64 = 10_000;

/// A contest of this game, without boards and entries.
pub(super) fn contest<'a>(name: String, game: &GameArgs) -> Result<NewContest<'a>, Failure> {
    // Checked here, so that the error about a house rule has the command's wording.
    game.open()?;
    Ok(NewContest::new(name, game.kind(), game.rules()?))
}

/// The contest file and its boards, so that errors in them are found before anything is written.
pub(super) fn files(contest: &NewContest<'_>) -> Result<NewContestFiles, Failure> {
    announce("making", contest.seeds);
    let here = std::path::absolute(".").map_err(Failure::judge)?;
    contest.files(&here).map_err(failure)
}

/// Announces a step if there are many boards.
pub(super) fn announce(step: &str, seeds: Option<&Seeds>) {
    if let Some(boards) = many(seeds) {
        say(&format!("{step} {boards}"));
    }
}

/// The failure of the command for a contest that cannot be written.
pub(super) fn failure(error: NewContestError) -> Failure {
    match &error {
        NewContestError::Boards(BoardsError::File { hint, .. }) => Failure::input(with_hint(&error, hint.as_ref())),
        NewContestError::Boards(BoardsError::Seed(_)) => {
            Failure::input(format!("--seeds: {error}; or name board files with --on"))
        }
        NewContestError::Write { path, error: why } if why.kind() == io::ErrorKind::AlreadyExists => {
            Failure::input(format!("{}: already exists; name another directory with --out", path.display()))
        }
        NewContestError::Write { .. } => {
            Failure::judge(format!("{error}; make room, or name another directory with --out"))
        }
        _ => Failure::input(error.to_string()),
    }
}

/// The random boards of these seeds in words, if they are many.
pub(super) fn many(seeds: Option<&Seeds>) -> Option<String> {
    let seeds = seeds?.all();
    let boards = seeds.end().saturating_sub(*seeds.start()).saturating_add(1);
    (boards >= MANY_BOARDS).then(|| format!("{boards} random boards"))
}

/// An entry of the command line: a command, or `NAME=COMMAND`. Without a name, the entry gets the name of its program.
pub(super) fn entry(argument: &str) -> Result<(String, Vec<String>), String> {
    // A name may have invisible characters here. `usable` rejects them below with a better message.
    let plain = |name: &str| !name.is_empty() && name.chars().all(|c| is_plain(c) || is_invisible(c));
    let (name, command) = match argument.split_once('=') {
        Some((name, command)) if plain(name) => (Some(name), command),
        _ => (None, argument),
    };
    if let Some(name) = name {
        names::usable("entry", name).map_err(|error| error.to_string())?;
    }
    let words = shell_words::split(command)
        .map_err(|error| format!("{error}; write NAME=COMMAND, for example mine=./solver"))?;
    let Some(program) = words.first() else {
        return Err("it has no command; write NAME=COMMAND, for example mine=./solver".into());
    };
    Ok((name.map_or_else(|| program_name(&words).unwrap_or_else(|| program.clone()), str::to_owned), words))
}

/// The name of a solver in tables: the name of the first existing file in its command, or otherwise of its program.
pub(super) fn program_name(command: &[String]) -> Option<String> {
    let named = command.iter().find(|word| Path::new(word).is_file()).or(command.first())?;
    let name = names::usable_name(&Path::new(named).file_stem()?.to_string_lossy());
    Some(name).filter(|name| !name.is_empty())
}
