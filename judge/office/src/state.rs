//! The lines of the office's log, and the state that they fold to.

use std::collections::BTreeMap;

use judge_core::fingerprint::Hash;
use judge_core::names::Names;
use serde::{Deserialize, Serialize};

/// The format of logs that are begun now.
pub const FORMAT: u32 = 1;

/// One line of the log, with its time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dated {
    /// Seconds since the beginning of 1970 in UTC.
    pub at: u64,
    /// What happened.
    #[serde(flatten)]
    pub line: Line,
}

/// Something that happened in the office.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Line {
    /// The log begins.
    Office {
        /// Its format.
        format: u32,
    },
    /// A team takes part.
    Team {
        /// Its name, which its entries begin with.
        team: String,
    },
    /// A token that a team or the organiser can show from now on.
    Token {
        /// The team; `None` for the organiser.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        team: Option<String>,
        /// SHA-256 of the token's characters.
        hash: Hash,
    },
    /// All tokens of a team are void from now on.
    Revoked {
        /// The team.
        team: String,
    },
    /// All tokens of the organiser are void.
    OrganiserRevoked,
    /// A submission was accepted.
    Submitted(Submission),
    /// The public sees nothing of submissions after this one but that they came.
    Frozen {
        /// The number of the last submission that is public; 0 if none is.
        last: u32,
    },
    /// The public sees everything again.
    Thawed,
}

/// What a team handed in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Submission {
    /// Its number in this contest, from 1.
    pub number: u32,
    /// The team.
    pub team: String,
    /// The name of the file as it was sent.
    pub file: String,
    /// SHA-256 of its bytes, under which the office stores them.
    pub sha256: Hash,
    /// Its size.
    pub bytes: u64,
    /// Code of its language; `None` if its files decide.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
}

impl Submission {
    /// The name of its entry in the results: the team and the number.
    pub fn entry(&self) -> String {
        format!("{}.{}", self.team, self.number)
    }
}

/// A team.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Team {
    /// When it was added, in seconds since the beginning of 1970 in UTC.
    pub since: u64,
    /// Hashes of its valid tokens.
    pub tokens: Vec<Hash>,
    /// Numbers of its submissions, oldest first.
    pub submissions: Vec<u32>,
}

/// The one who shows a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Holder {
    /// The organiser.
    Organiser,
    /// A team, by its name.
    Team(String),
}

/// The office after the lines of its log.
#[derive(Debug, Clone, Default)]
pub struct State {
    format: u32,
    teams: BTreeMap<String, Team>,
    names: Names,
    organiser: Vec<Hash>,
    submissions: Vec<(u64, Submission)>,
    frozen: Option<u32>,
    /// When the log began.
    begun: u64,
    /// When the board was frozen last, and thawed after that.
    frozen_at: Option<u64>,
    thawed: Option<u64>,
}

impl State {
    /// The teams, by name.
    pub fn teams(&self) -> &BTreeMap<String, Team> {
        &self.teams
    }

    /// All submissions with their times, oldest first.
    pub fn submissions(&self) -> &[(u64, Submission)] {
        &self.submissions
    }

    /// A submission with its time, by its number.
    pub fn submission(&self, number: u32) -> Option<(u64, &Submission)> {
        let index = usize::try_from(number.checked_sub(1)?).ok()?;
        self.submissions.get(index).map(|(at, submission)| (*at, submission))
    }

    /// The last submission of a team with its time.
    pub fn last_of(&self, team: &str) -> Option<(u64, &Submission)> {
        self.submission(*self.teams.get(team)?.submissions.last()?)
    }

    /// Tests whether the organiser has a token.
    pub fn has_organiser(&self) -> bool {
        !self.organiser.is_empty()
    }

    /// The last submission that is public while the board is frozen, 0 for none; `None` if it is not frozen.
    pub fn frozen(&self) -> Option<u32> {
        self.frozen
    }

    /// When the office was begun, in seconds since the beginning of 1970 in UTC.
    pub fn begun(&self) -> u64 {
        self.begun
    }

    /// When the board was frozen last, and when it was thawed after that, in the same seconds.
    pub fn froze_and_thawed(&self) -> (Option<u64>, Option<u64>) {
        (self.frozen_at, self.thawed)
    }

    /// Tests whether the public may see what becomes of a submission.
    pub fn is_public(&self, number: u32) -> bool {
        self.frozen.is_none_or(|last| number <= last)
    }

    /// Hashes of the organiser's valid tokens.
    pub fn organiser_tokens(&self) -> &[Hash] {
        &self.organiser
    }

    /// The one who has the token with this hash. All hashes are compared, in the same time wherever they differ.
    pub fn holder(&self, hash: &Hash) -> Option<Holder> {
        let mut holder = None;
        for known in &self.organiser {
            if same(known, hash) {
                holder = Some(Holder::Organiser);
            }
        }
        for (name, team) in &self.teams {
            for known in &team.tokens {
                if same(known, hash) {
                    holder = Some(Holder::Team(name.clone()));
                }
            }
        }
        holder
    }

    /// Follows a line.
    ///
    /// # Errors
    /// The reason why it cannot follow on those before, as a fragment. Nothing has changed then.
    pub fn apply(&mut self, Dated { at, line }: Dated) -> Result<(), String> {
        let unknown = |team: &str| format!("unknown team `{team}`");
        match line {
            Line::Office { format } if self.format == 0 && (1..=FORMAT).contains(&format) => {
                (self.format, self.begun) = (format, at);
            }
            Line::Office { format } if self.format == 0 => {
                return Err(format!(
                    "the log has format {format}, and this `judge` reads 1 to {FORMAT}; use a later one"
                ));
            }
            Line::Office { .. } => return Err("the log begins twice".into()),
            _ if self.format == 0 => return Err("the log has no beginning".into()),
            Line::Team { team } => {
                judge_core::names::usable("team", &team).map_err(|error| error.to_string())?;
                if team.contains('.') || team.chars().count() > MAX_TEAM_CHARACTERS {
                    let most = MAX_TEAM_CHARACTERS;
                    return Err(format!("unusable team name `{team}`: use at most {most} letters, digits and _ + -"));
                }
                self.names.insert(&team).map_err(|taken| taken.to_string())?;
                self.teams.insert(team, Team { since: at, ..Team::default() });
            }
            Line::Token { team: None, hash } => self.organiser.push(hash),
            Line::Token { team: Some(name), hash } => {
                self.teams.get_mut(&name).ok_or_else(|| unknown(&name))?.tokens.push(hash);
            }
            Line::Revoked { team: name } => {
                self.teams.get_mut(&name).ok_or_else(|| unknown(&name))?.tokens.clear();
            }
            Line::Submitted(submission) => {
                let next = self.next_number();
                if submission.number != next {
                    return Err(format!("submission {} follows {}", submission.number, next - 1));
                }
                let team = self.teams.get_mut(&submission.team).ok_or_else(|| unknown(&submission.team))?;
                team.submissions.push(submission.number);
                self.submissions.push((at, submission));
            }
            Line::OrganiserRevoked => self.organiser.clear(),
            Line::Frozen { .. } if self.frozen.is_some() => return Err("the board is frozen already".into()),
            // Nothing depends on a clock: the line names what is public.
            Line::Frozen { last } if last + 1 != self.next_number() => {
                return Err(format!("submission {last} is not the last one, {}", self.next_number() - 1));
            }
            Line::Frozen { last } => (self.frozen, self.frozen_at, self.thawed) = (Some(last), Some(at), None),
            Line::Thawed if self.frozen.is_none() => return Err("the board is not frozen".into()),
            Line::Thawed => (self.frozen, self.thawed) = (None, Some(at)),
        }
        Ok(())
    }

    /// The number of the next submission.
    pub fn next_number(&self) -> u32 {
        u32::try_from(self.submissions.len()).unwrap_or(u32::MAX - 1) + 1
    }
}

/// The most characters of a team's name. An entry's name has a dot and a number behind it, in 64 characters.
const MAX_TEAM_CHARACTERS: usize = 48;

/// Compares two hashes in a time that does not depend on where they differ.
fn same(a: &Hash, b: &Hash) -> bool {
    let (a, b) = (a.to_string(), b.to_string());
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(of: &str) -> Hash {
        judge_core::fingerprint::sha256_of(of.as_bytes()).parse().unwrap()
    }

    fn begun() -> State {
        let mut state = State::default();
        state.apply(Dated { at: 1, line: Line::Office { format: FORMAT } }).unwrap();
        state
    }

    fn refused(state: &mut State, line: Line) -> String {
        state.apply(Dated { at: 2, line }).unwrap_err()
    }

    #[test]
    fn a_name_that_looks_like_another_team_is_refused() {
        let mut state = begun();
        state.apply(Dated { at: 2, line: Line::Team { team: "ada".into() } }).unwrap();
        for name in ["ada", "ADA", "ada.1", "", "a b", "-a", &"a".repeat(49), "ad\u{200b}a"] {
            refused(&mut state, Line::Team { team: name.into() });
        }
        assert_eq!(state.teams().len(), 1);
    }

    #[test]
    fn only_a_log_of_a_known_format_with_a_beginning_is_read() {
        assert!(refused(&mut State::default(), Line::Team { team: "ada".into() }).contains("no beginning"));
        assert!(refused(&mut State::default(), Line::Office { format: FORMAT + 1 }).contains("later one"));
        assert!(refused(&mut begun(), Line::Office { format: FORMAT }).contains("twice"));
    }

    #[test]
    fn a_revoked_team_has_no_token() {
        let mut state = begun();
        state.apply(Dated { at: 2, line: Line::Team { team: "ada".into() } }).unwrap();
        let token = |of: &str| Line::Token { team: Some("ada".into()), hash: hash(of) };
        state.apply(Dated { at: 2, line: token("one") }).unwrap();
        assert_eq!(state.holder(&hash("one")), Some(Holder::Team("ada".into())));
        assert_eq!(state.holder(&hash("two")), None);
        state.apply(Dated { at: 3, line: Line::Revoked { team: "ada".into() } }).unwrap();
        assert_eq!(state.holder(&hash("one")), None);
        state.apply(Dated { at: 4, line: token("two") }).unwrap();
        assert_eq!(state.holder(&hash("two")), Some(Holder::Team("ada".into())));
    }

    #[test]
    fn submissions_are_numbered_without_gaps() {
        let mut state = begun();
        let submission = |number, team: &str| {
            let (team, file) = (team.to_owned(), "a.py".to_owned());
            Line::Submitted(Submission { number, team, file, sha256: hash("x"), bytes: 1, language: None })
        };
        assert!(refused(&mut state, submission(1, "ada")).contains("unknown team"));
        state.apply(Dated { at: 2, line: Line::Team { team: "ada".into() } }).unwrap();
        refused(&mut state, submission(2, "ada"));
        state.apply(Dated { at: 3, line: submission(1, "ada") }).unwrap();
        refused(&mut state, submission(1, "ada"));
        assert_eq!(state.last_of("ada").unwrap().1.entry(), "ada.1");
        assert_eq!((state.submission(0), state.submission(2)), (None, None));
        refused(&mut state, Line::Thawed);
        refused(&mut state, Line::Frozen { last: 0 });
        state.apply(Dated { at: 4, line: Line::Frozen { last: 1 } }).unwrap();
        assert_eq!((state.is_public(1), state.is_public(2)), (true, false));
        refused(&mut state, Line::Frozen { last: 1 });
        state.apply(Dated { at: 5, line: Line::Thawed }).unwrap();
        assert!(state.frozen().is_none() && state.is_public(2));
    }
}
