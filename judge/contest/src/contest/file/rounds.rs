//! Rounds, seals, withdrawn entries and struck boards.

use std::collections::{BTreeMap, HashMap, HashSet};

use judge_core::fingerprint::sha256_of;
use judge_core::hint::Hint;
use judge_core::matches::Schedule;
use judge_core::plan::{
    Advance, Board, MAX_ROUNDS, RankKey, RoundPlan, SALTED_SEAL, SEAL, is_salted, parse_seal, published_seal,
    salted_seal,
};
use judge_core::withdrawal::Withdrawal;
use judge_job::count_text;
use serde::Deserialize;
use toml::Spanned;
use toml::value::Datetime;

use super::figures::Lists;
use super::problem::UnreadProblem;
use super::{BoardTable, ContestError, ContestErrorKind, EntryTable, FilePaths, Reader};
use crate::office::{OfficeRules, Times};
use crate::seal::{read_salt, salt_file, seal_of};

/// The longest name of a round and the longest reason, in characters: they are shown in tables.
const MAX_CHARACTERS: usize = 200;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RoundTable {
    name: Spanned<String>,
    boards: Spanned<Vec<Spanned<String>>>,
    limit: Option<Spanned<String>>,
    advance: Option<Spanned<toml::Value>>,
    tie_on: Option<Spanned<Vec<Spanned<String>>>>,
    pub(super) schedule: Option<Spanned<String>>,
    pub(super) mirror: Option<Spanned<bool>>,
    pub(super) tie: Option<Spanned<String>>,
    sealed: Option<Spanned<Seals>>,
    opens: Option<Spanned<Datetime>>,
    freezes: Option<Spanned<Datetime>>,
    closes: Option<Spanned<Datetime>>,
}

/// One seal for all boards, or one per board.
#[derive(Deserialize)]
#[serde(untagged)]
enum Seals {
    One(String),
    Each(Vec<String>),
}

impl Reader<'_> {
    /// The rounds of a contest with these boards, each of which is in exactly one.
    pub(super) fn rounds(
        &self,
        tables: Vec<RoundTable>,
        problems: &[UnreadProblem<'_>],
        ranking: (&[RankKey], Lists<'_>),
    ) -> Result<Vec<RoundPlan>, ContestError> {
        let boards = problems.iter().flat_map(|UnreadProblem { reader, boards, .. }| {
            boards.iter().map(move |board| (reader.in_contest(board.name.get_ref()), (reader, board.name.span())))
        });
        let boards: Vec<_> = boards.collect();
        let known: HashSet<&str> = boards.iter().map(|(name, _)| name.as_str()).collect();
        let mut round_of: HashMap<String, String> = HashMap::new();
        let mut rounds: Vec<RoundPlan> = Vec::new();
        for table in tables {
            let span = table.name.span();
            if rounds.len() >= MAX_ROUNDS as usize {
                return Err(
                    self.refuse(span, format!("a contest has at most {MAX_ROUNDS} rounds; split this contest in two"))
                );
            }
            let round = self.round(table, ranking)?;
            if rounds.iter().any(|other| other.name == round.name) {
                return Err(self.refuse(span, format!("duplicate round name `{}`", round.name)));
            }
            for board in &round.boards {
                if !known.contains(board.as_str()) {
                    let reason =
                        format!("round {}: unknown board `{board}`; add a [[board]] with that name", round.name);
                    return Err(self.refuse(span, reason));
                }
                if let Some(other) = round_of.insert(board.clone(), round.name.clone()) {
                    let reason = format!(
                        "board {board} is in round {other} and in round {}; for the second, add a [[board]] with another \
                         name and the same file",
                        round.name
                    );
                    return Err(self.refuse(span, reason));
                }
            }
            rounds.push(round);
        }
        let left_out = boards.iter().find(|(name, _)| !round_of.contains_key(name));
        match left_out.filter(|_| !rounds.is_empty()) {
            Some((name, (reader, span))) => {
                let reason = format!("board {name} is in no round; name it in the `boards` of one");
                Err(reader.refuse(span.clone(), reason))
            }
            None => Ok(rounds),
        }
    }

    /// The rules of the office with the times of the rounds. The first round has the times of the contest.
    pub(super) fn with_times(
        &self,
        mut rules: OfficeRules,
        tables: &[RoundTable],
    ) -> Result<OfficeRules, ContestError> {
        for (table, round) in tables.iter().zip(1..) {
            let times = Times {
                opens: self.moment("opens", table.opens.as_ref())?,
                freezes: self.moment("freezes", table.freezes.as_ref())?,
                closes: self.moment("closes", table.closes.as_ref())?,
            };
            if times == Times::default() {
                continue;
            }
            let known = rules.in_round(round);
            let keys = [
                ("opens", known.opens, &table.opens),
                ("freezes", known.freezes, &table.freezes),
                ("closes", known.closes, &table.closes),
            ];
            for (key, known, again) in keys {
                if let Some(again) = again.as_ref().filter(|_| known.is_some()) {
                    let reason = format!("`{key}` of the first round is in [office], too; leave out one of them");
                    return Err(self.refuse(again.span(), reason));
                }
            }
            let times = Times {
                opens: times.opens.or(known.opens),
                freezes: times.freezes.or(known.freezes),
                closes: times.closes.or(known.closes),
            };
            rules = rules.with_round(round, times);
            rules.check().map_err(|reason| self.refuse(table.name.span(), reason.to_string()))?;
        }
        Ok(rules)
    }

    fn round(&self, table: RoundTable, (ranking, lists): (&[RankKey], Lists<'_>)) -> Result<RoundPlan, ContestError> {
        let RoundTable { name, boards, limit, advance, tie_on, sealed, schedule, mirror, tie, .. } = table;
        let name = self.one_line("name", &name)?;
        if boards.get_ref().is_empty() {
            return Err(self.refuse(boards.span(), format!("round {name} has no boards")));
        }
        let schedule = self.schedule(schedule.as_ref(), mirror.as_ref(), tie.as_ref())?;
        let wall_ms = self.duration("limit", limit.as_ref())?;
        if wall_ms == Some(0) {
            let span = limit.map_or(0..0, |limit| limit.span());
            return Err(self.refuse(span, "limit must not be zero; use for example \"10m\""));
        }
        if let Some(advance) = advance.as_ref().filter(|_| schedule.is_some_and(Schedule::is_knock_out)) {
            return Err(self.refuse(advance.span(), "the winners of a knock-out go on; omit advance"));
        }
        let advance = advance.map(|value| self.advance(&value)).transpose()?.unwrap_or_default();
        let tie_on = lists.list(&match tie_on {
            Some(names) => {
                self.rank_keys(&names, lists.scoring, "tie_on is empty; omit it for the ranking without time")?
            }
            None => {
                let without_time: Vec<RankKey> = ranking.iter().copied().filter(|key| *key != RankKey::Time).collect();
                if without_time.is_empty() { ranking.to_vec() } else { without_time }
            }
        });
        let boards: Vec<String> = boards.into_inner().into_iter().map(Spanned::into_inner).collect();
        let seals = match sealed {
            Some(sealed) => self.seals(&sealed, &boards)?,
            None => BTreeMap::new(),
        };
        let mut round = RoundPlan::new(name, boards);
        (round.wall_ms, round.advance, round.tie_on, round.seals) = (wall_ms, advance, tie_on, seals);
        round.schedule = schedule;
        Ok(round)
    }

    fn advance(&self, value: &Spanned<toml::Value>) -> Result<Advance, ContestError> {
        let top = |table: &toml::Table| match (table.len(), table.get("top")) {
            (1, Some(toml::Value::Integer(most))) => u32::try_from(*most).ok().filter(|most| *most > 0),
            _ => None,
        };
        let advance = match value.get_ref() {
            toml::Value::String(word) => match word.as_str() {
                "tied" => Some(Advance::Tied),
                "solved" => Some(Advance::Solved),
                "all" => Some(Advance::All),
                _ => None,
            },
            toml::Value::Table(table) => top(table).map(Advance::Top),
            _ => None,
        };
        advance.ok_or_else(|| {
            let reason = "invalid advance; use \"tied\", \"solved\", \"all\", or a table such as { top = 3 }";
            self.refuse(value.span(), reason)
        })
    }

    /// The seals of a round, by board.
    fn seals(&self, sealed: &Spanned<Seals>, boards: &[String]) -> Result<BTreeMap<String, String>, ContestError> {
        let seals = match sealed.get_ref() {
            Seals::One(seal) => std::slice::from_ref(seal),
            Seals::Each(seals) => seals,
        };
        let refuse = |reason: String| self.refuse(sealed.span(), reason);
        if seals.len() != boards.len() {
            return Err(refuse(format!(
                "sealed has {} for {}; list one per board, in their order",
                count_text(seals.len(), "seal", "seals"),
                count_text(boards.len(), "board", "boards")
            )));
        }
        let pairs = boards.iter().zip(seals).map(|(board, seal)| {
            let hash = parse_seal(seal).ok_or_else(|| {
                refuse(format!(
                    "invalid seal `{seal}` of board {board}; expected `{SALTED_SEAL}` or `{SEAL}`, with 64 digits"
                ))
                .with_hint(Some(Hint::Seal))
            })?;
            Ok((board.clone(), hash))
        });
        pairs.collect()
    }

    /// Leaves out sealed boards of later rounds whose files are still missing.
    pub(super) fn without_absent(&self, boards: Vec<BoardTable>, rounds: &[RoundPlan]) -> Vec<BoardTable> {
        let sealed = |name: &str| rounds.iter().skip(1).any(|round| round.seals.contains_key(&self.in_contest(name)));
        let absent = |board: &BoardTable| sealed(board.name.get_ref()) && !self.relative(&board.file).exists();
        boards.into_iter().filter(|board| !absent(board)).collect()
    }

    /// The salts of the available boards that have a salted seal, by board.
    pub(super) fn salts(
        &self,
        boards: &[BoardTable],
        rounds: &[RoundPlan],
    ) -> Result<BTreeMap<String, String>, ContestError> {
        let seals: HashMap<&String, &String> = rounds.iter().flat_map(|round| &round.seals).collect();
        let salted = boards
            .iter()
            .filter(|board| seals.get(&self.in_contest(board.name.get_ref())).is_some_and(|seal| is_salted(seal)));
        let salts = salted.map(|board| {
            let path = salt_file(&self.relative(&board.file));
            let salt = read_salt(&path).map_err(|reason| {
                let (name, path) = (board.name.get_ref(), path.display());
                let reason =
                    format!("board {name}: its seal needs the salt in {path}, which was made with the seal: {reason}");
                ContestError::at(self.path, self.line(&board.file.span()), ContestErrorKind::Board, reason)
            })?;
            Ok((self.in_contest(board.name.get_ref()), salt))
        });
        salts.collect()
    }

    /// Refuses a board whose hash is not the published one. `paths` has the files that are stored.
    pub(super) fn check_seals(
        &self,
        boards: &[Board],
        rounds: &[RoundPlan],
        paths: &FilePaths,
    ) -> Result<(), ContestError> {
        let seals: HashMap<&str, &String> =
            rounds.iter().flat_map(|round| &round.seals).map(|(board, seal)| (board.as_str(), seal)).collect();
        for Board { name, text, stored, salt, .. } in boards {
            let Some(&seal) = seals.get(name.as_str()) else { continue };
            let whole = |reason: String| ContestError::whole(self.path, ContestErrorKind::Board, reason);
            let found = match (salt, stored) {
                (Some(salt), None) => salted_seal(salt, [text.as_bytes()]),
                (Some(salt), Some(stored)) => {
                    let path = paths.get(&stored.sha256).cloned().unwrap_or_default();
                    seal_of(salt, &path).map_err(|reason| whole(format!("board {name}: {reason}")))?
                }
                (None, Some(stored)) => stored.sha256.clone(),
                (None, None) => sha256_of(text.as_bytes()),
            };
            if found != *seal {
                let (seal, found) = (published_seal(seal), published_seal(&found));
                let files = if salt.is_some() { "the file and the salt that were" } else { "the file that was" };
                let reason = format!(
                    "board {name} does not match its seal {seal}: its file has {found}; restore {files} sealed"
                );
                return Err(whole(reason));
            }
        }
        Ok(())
    }

    /// The withdrawn and disqualified entries, with the reason.
    pub(super) fn withdrawn(&self, tables: &[EntryTable]) -> Result<BTreeMap<String, Withdrawal>, ContestError> {
        let mut out = BTreeMap::new();
        for table in tables {
            let withdrawal = match (&table.withdrawn, &table.disqualified) {
                (None, None) => continue,
                (Some(reason), None) => Withdrawal::new(self.one_line("withdrawn", reason)?),
                (None, Some(reason)) => Withdrawal::disqualified(self.one_line("disqualified", reason)?),
                (Some(_), Some(reason)) => {
                    let reason = (reason.span(), "an entry is either withdrawn or disqualified; omit one of the keys");
                    return Err(self.refuse(reason.0, reason.1));
                }
            };
            out.insert(table.name.get_ref().clone(), withdrawal);
        }
        Ok(out)
    }

    /// The boards that do not count, with the reason.
    pub(super) fn struck(&self, tables: &[BoardTable]) -> Result<BTreeMap<String, String>, ContestError> {
        let struck = tables.iter().filter_map(|table| Some((table.name.get_ref(), table.struck.as_ref()?)));
        struck.map(|(name, reason)| Ok((self.in_contest(name), self.one_line("struck", reason)?))).collect()
    }

    /// A text that is shown within a line.
    fn one_line(&self, key: &str, text: &Spanned<String>) -> Result<String, ContestError> {
        let trimmed = text.get_ref().trim();
        if trimmed.is_empty() || trimmed.contains(char::is_control) || trimmed.chars().count() > MAX_CHARACTERS {
            let reason = format!("{key} must be a text of 1 to {MAX_CHARACTERS} characters in one line");
            return Err(self.refuse(text.span(), reason));
        }
        Ok(trimmed.to_owned())
    }
}
