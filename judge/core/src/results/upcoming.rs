//! The next round of a contest, before it opens.

use judge_job::count_text;
use serde::Serialize;

use crate::key::Name;

/// The reason why a round does not open although the one before it is over.
pub(crate) const NO_ADVANCING_ENTRY: &str = "no entry advances to it";

/// The round after the open one, before it opens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Upcoming {
    /// Number of the round, from 1.
    pub number: u32,
    /// Name of the round, for people.
    pub name: String,
    /// Its boards that are sealed and not there yet.
    pub sealed: Vec<String>,
    /// The entries that go on to it, in the order of the table; `None` until every run of the open round has a verdict.
    #[serde(rename = "entries")]
    pub entrants: Option<Vec<Name>>,
    /// Those of them that would not go on if no entry had been withdrawn or disqualified.
    pub moved_up: Vec<Name>,
    /// The entries that would have gone on, but were withdrawn or disqualified.
    #[serde(skip)]
    pub out: Vec<Name>,
    /// Its runs: exact once the entries are known, before that the most that there can be.
    pub runs: usize,
}

impl Upcoming {
    /// Describes who goes on and with how many runs, as a fragment; `None` until that is decided.
    pub fn who(&self) -> Option<String> {
        let entrants = self.entrants.as_ref()?;
        let names = |names: &[Name]| names.join(", ");
        let out = match self.out.as_slice() {
            [] => String::new(),
            [out] => format!("{out} is out of the contest"),
            out => format!("{} are out of the contest", names(out)),
        };
        let verb = |names: &[Name], one: &'static str, many: &'static str| if names.len() == 1 { one } else { many };
        Some(match (entrants.as_slice(), self.moved_up.as_slice()) {
            ([], _) if out.is_empty() => NO_ADVANCING_ENTRY.into(),
            ([], _) => format!("{NO_ADVANCING_ENTRY}, because {out}"),
            (all, moved_up) => {
                let because = match moved_up {
                    [] => String::new(),
                    moved_up => {
                        format!("; {} {} up, because {out}", names(moved_up), verb(moved_up, "moves", "move"))
                    }
                };
                let runs = count_text(self.runs, "run", "runs");
                format!("{} {} on, with {runs}{because}", names(all), verb(all, "goes", "go"))
            }
        })
    }
}
