//! The facts that decide whether two tries can be compared: the boards, the way to judge answers, the limits, and the
//! program.

use std::collections::{BTreeMap, BTreeSet};

use judge_contest::{Contest, programs};
use judge_core::external::ExternalReferee;
use judge_core::fingerprint::{sha256_of, sha256_of_reader};
use judge_core::journal::REFEREE_PROGRAM;
use judge_core::plan::Board;
use judge_job::{Argument, Limits, Place};

/// Hexadecimal digits of an objective's hash that are kept.
const DIGITS: usize = 16;

/// The facts about a try that decide what it can be compared with.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Trial {
    /// A hash of everything besides the board that decides how an answer is judged: game, rules, scoring, and the
    /// referee with its program.
    pub objective: String,
    /// The limits of each run.
    pub limits: Limits,
    /// SHA-256 of everything that decides about answers to a board, by its name.
    pub boards: BTreeMap<String, String>,
    /// SHA-256 of the command, with the contents of the files that it names instead of their names, and of the sources
    /// around it.
    pub program: String,
}

impl Trial {
    /// The facts about the only entry of a contest. `path` is the search path for programs.
    pub fn new(contest: &Contest, path: Option<&str>) -> Self {
        let plan = &contest.plan;
        let hashes = programs::hashes(contest, path);
        // Paths do not matter: a folder that was moved has the same program.
        let files = |name: &str| {
            let mut files: Vec<&String> = hashes.get(name).into_iter().flat_map(BTreeMap::values).collect();
            files.sort_unstable();
            files
        };
        let referee = plan.problems.only().referee.as_deref().map(ExternalReferee::deciding);
        let objective = hash(&(
            &plan.problems.only().game,
            &plan.problems.only().rules,
            &plan.scoring,
            &referee,
            files(REFEREE_PROGRAM),
        ));
        let contents = |place: &Place| {
            let hash = place.read().and_then(sha256_of_reader);
            hash.unwrap_or_else(|_| place.path().display().to_string())
        };
        let word = |argument: &Argument| match argument {
            Argument::Path(place) => contents(place),
            Argument::Text(text) | Argument::File(text) | Argument::Folder(text) => text.clone(),
        };
        let program = plan.entries.first().map(|entry| {
            let words: Vec<String> = contest.command(entry).iter().map(word).collect();
            let readable: Vec<String> = contest.readable(entry).iter().map(contents).collect();
            match &entry.answers {
                Some(answers) => hash(answers),
                None => {
                    let sources = contest.surroundings.sources.iter().map(|path| contents(&Place::trusted(path)));
                    let beside: BTreeSet<String> = sources.collect();
                    match beside.len() {
                        0 => hash(&(words, readable, files(&entry.name))),
                        _ => hash(&(words, readable, files(&entry.name), beside)),
                    }
                }
            }
        });
        Self {
            objective: objective.chars().take(DIGITS).collect(),
            limits: plan.problems.only().limits,
            boards: plan.boards.iter().map(|board| (board.name.clone(), board_hash(board))).collect(),
            program: program.unwrap_or_default(),
        }
    }
}

/// The hash of everything that decides about answers to a board.
fn board_hash(board: &Board) -> String {
    let Board { text, stored, answer, args, entry_args, files, points, .. } = board;
    hash(&(text, stored, answer, args, entry_args, files, points))
}

fn hash(facts: &impl serde::Serialize) -> String {
    sha256_of(&serde_json::to_vec(facts).expect("plain data has a JSON form"))
}
