//! The keys of a contest in which entries play each other: `[match]`, and `schedule` of a round.

use std::ops::Range;

use judge_core::external::Protocol;
use judge_core::games;
use judge_core::matches::{Clock, Keep, Life, MatchRules, OF_GAMES, Schedule, Seats, Tie};
use judge_core::plan::{Advance, MAX_GAMES, Plan, RankKey};
use judge_core::scoring::Scoring;
use judge_job::count_text;
use serde::Deserialize;
use toml::Spanned;

use crate::office::Counts;

use super::rounds::RoundTable;
use super::values::parse_size;
use super::{ContestError, ContestErrorKind, File, Ranking, Reader};

/// The most seats of a game. Each seat is a running program.
const MAX_SEATS: u32 = 100;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MatchTable {
    seats: Spanned<toml::Value>,
    life: Option<Spanned<String>>,
    #[serde(rename = "move")]
    of_move: Option<Spanned<String>>,
    game: Option<Spanned<String>>,
    increment: Option<Spanned<String>>,
    keep: Option<Spanned<KeepValue>>,
    decimals: Option<Spanned<i64>>,
    schedule: Option<Spanned<String>>,
    mirror: Option<Spanned<bool>>,
    tie: Option<Spanned<String>>,
}

/// The value of `keep`: a size, or a size with the way in which the program receives the folder.
#[derive(Deserialize)]
#[serde(untagged)]
enum KeepValue {
    Size(String),
    Table(KeepTable),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KeepTable {
    size: String,
    #[serde(default)]
    argument: bool,
}

/// The figures of a contest of matches.
pub(super) fn scoring(rules: &MatchRules, rounds: &[RoundTable]) -> Scoring {
    let knock_out = |round: &RoundTable| match &round.schedule {
        Some(word) => word.get_ref() == "knock-out",
        None => round.mirror.is_none() && rules.schedule.is_knock_out(),
    };
    let knock_out = if rounds.is_empty() { rules.schedule.is_knock_out() } else { rounds.iter().any(knock_out) };
    judge_core::matches::scoring(rules, knock_out)
}

impl Reader<'_> {
    /// The rules of games; `None` for a contest in which no entry plays another. The referee of matches gets its protocol.
    pub(super) fn matches(&self, file: &mut File) -> Result<Option<MatchRules>, ContestError> {
        let Some(table) = file.matches.take() else {
            let key = |round: &RoundTable| {
                let schedule = round.schedule.as_ref().map(|key| ("schedule", key.span()));
                let mirror = round.mirror.as_ref().map(|key| ("mirror", key.span()));
                schedule.or(mirror).or(round.tie.as_ref().map(|key| ("tie", key.span())))
            };
            return match file.round.iter().find_map(key) {
                Some((key, span)) => Err(self.refuse(span, format!("{key} of a round needs a table [match]"))),
                None => Ok(None),
            };
        };
        let span = table.span();
        if !file.problem.is_empty() {
            return Err(self.refuse(span, "[match] does not fit [[problem]]: games are a contest of their own"));
        }
        if !file.game.as_ref().is_some_and(|game| games::is_external(game.get_ref())) {
            let reason = format!("[match] is only for game = \"{}\", with a referee of its own", games::EXTERNAL);
            return Err(self.refuse(span, reason));
        }
        self.refuse_with_match(file)?;
        if let Some(referee) = &mut file.referee {
            let span = referee.span();
            referee
                .get_mut()
                .take_protocol(&span, Protocol::Native)
                .map_err(|(span, reason)| self.refuse(span, reason))?;
        }
        let mut rules = self.match_rules(table.into_inner())?;
        if let Some(office) = &file.office {
            rules.called = true;
            self.check_for_teams(&rules, file, (span, office.span()))?;
        }
        for table in std::mem::take(&mut file.figure) {
            let (name, key) = (table.name.clone(), table.unlike_games());
            if let Some((key, span)) = key {
                return Err(
                    self.refuse(span, format!("{key} does not fit [match]: a figure has name, better and decimals"))
                );
            }
            if OF_GAMES.contains(&name.get_ref().as_str())
                || rules.figures.iter().any(|known| *known.name == **name.get_ref())
            {
                return Err(
                    self.refuse(name.span(), format!("games have a figure `{}`; choose another name", name.get_ref()))
                );
            }
            let figure = self.figure(table, &rules.figures)?;
            rules.figures.push(figure);
        }
        Ok(Some(rules))
    }

    /// Refuses keys that have no meaning in contests of matches.
    fn refuse_with_match(&self, file: &File) -> Result<(), ContestError> {
        let figures = "cells show points, and totals all figures";
        let keys = [
            ("[[group]]", file.group.first().map(|group| group.name.span()), figures),
            ("[table]", file.table.as_ref().map(Spanned::span), figures),
            ("[answers]", file.answers.as_ref().map(Spanned::span), "the referee reads what entries answer"),
            ("input", file.input.as_ref().map(Spanned::span), "entries know what the referee asks them"),
            ("repeat", file.repeat.as_ref().map(Spanned::span), "for more games, add boards"),
        ];
        match keys.into_iter().find_map(|(key, span, reason)| Some((key, span?, reason))) {
            Some((key, span, reason)) => Err(self.refuse(span, format!("{key} does not fit [match]: {reason}"))),
            None => Ok(()),
        }
    }

    /// Refuses rules that do not fit games between players of teams, because these players come and go.
    fn check_for_teams(
        &self,
        rules: &MatchRules,
        file: &File,
        (of_match, of_office): (Range<usize>, Range<usize>),
    ) -> Result<(), ContestError> {
        if !file.round.is_empty() {
            let reason = "[[round]] does not fit [match] with [office]: players come as long as teams submit, so no round of theirs \
                          ends; for a final, write the players into a contest file of their own";
            return Err(self.refuse(of_office, reason));
        }
        if rules.seats == Seats::All
            || !matches!(rules.schedule, Schedule::RoundRobin { .. } | Schedule::Gauntlet { .. })
        {
            let reason = "with [office], [match] needs a number of seats, and a round robin or a gauntlet";
            return Err(self.refuse(of_match, reason));
        }
        match file.office.as_ref().and_then(|office| office.get_ref().counts.as_ref()) {
            Some(counts) if *counts.get_ref() != Counts::Latest => {
                Err(self.refuse(counts.span(), "in [match], the latest player of a team counts; remove counts"))
            }
            _ => Ok(()),
        }
    }

    fn match_rules(&self, table: MatchTable) -> Result<MatchRules, ContestError> {
        let seats = match table.seats.get_ref() {
            toml::Value::Integer(number) => {
                u32::try_from(*number).ok().filter(|number| (2..=MAX_SEATS).contains(number)).map(Seats::Number)
            }
            toml::Value::String(word) if word == "all" => Some(Seats::All),
            _ => None,
        };
        let seats = seats.ok_or_else(|| {
            self.refuse(
                table.seats.span(),
                format!("seats must be 2 to {MAX_SEATS}, or \"all\", not {}", table.seats.get_ref()),
            )
        })?;
        let life = self.word("life", table.life.as_ref(), (Life::ALL, Life::name))?;
        let mut rules = MatchRules::new(seats, life);
        let time = |key: &str, value: &Option<Spanned<String>>| match self.duration(key, value.as_ref())? {
            Some(0) => {
                let span = value.as_ref().map_or(0..0, Spanned::span);
                Err(self.refuse(span, format!("{key} must not be zero; use for example \"2s\"")))
            }
            time => Ok(time),
        };
        let mut clock = Clock::default();
        (clock.move_ms, clock.game_ms) = (time("move", &table.of_move)?, time("game", &table.game)?);
        clock.increment_ms = time("increment", &table.increment)?.unwrap_or(0);
        if let Some(increment) = table.increment.as_ref().filter(|_| clock.game_ms.is_none()) {
            return Err(self.refuse(increment.span(), "increment adds to the time of a game; it needs the key `game`"));
        }
        rules.clock = clock;
        rules.keep = table.keep.map(|keep| self.keep(&keep)).transpose()?;
        rules.decimals = self.decimals(table.decimals.as_ref(), 0)?;
        let schedule = self.schedule(table.schedule.as_ref(), table.mirror.as_ref(), table.tie.as_ref())?;
        rules.schedule = schedule.unwrap_or(rules.schedule);
        Ok(rules)
    }

    fn keep(&self, keep: &Spanned<KeepValue>) -> Result<Keep, ContestError> {
        let (size, argument) = match keep.get_ref() {
            KeepValue::Size(size) => (size, false),
            KeepValue::Table(table) => (&table.size, table.argument),
        };
        match parse_size(size) {
            Ok(0) => Err(self.refuse(keep.span(), "keep: a folder of no bytes; leave the key out for none")),
            Ok(bytes) => Ok(Keep { bytes, argument }),
            Err(error) => Err(self.refuse(keep.span(), format!("keep: {error}"))),
        }
    }

    /// The schedule of games, by `schedule`, `mirror` and `tie`; `None` if none of these keys is set.
    pub(super) fn schedule(
        &self,
        schedule: Option<&Spanned<String>>,
        mirror: Option<&Spanned<bool>>,
        tie: Option<&Spanned<String>>,
    ) -> Result<Option<Schedule>, ContestError> {
        let mirror_is = mirror.is_none_or(|mirror| *mirror.get_ref());
        let word = schedule.map_or("round-robin", |word| word.get_ref().as_str());
        let found = match word {
            "round-robin" => Schedule::RoundRobin { mirror: mirror_is },
            "gauntlet" => Schedule::Gauntlet { mirror: mirror_is },
            "all" => Schedule::All { mirror: mirror_is },
            "knock-out" => {
                if let Some(mirror) = mirror.filter(|_| !mirror_is) {
                    return Err(self.refuse(mirror.span(), "in a knock-out each pair plays in both seats; omit mirror"));
                }
                Schedule::KnockOut { tie: self.word("tie", tie, (Tie::ALL, Tie::name))? }
            }
            other => {
                let reason = format!("unknown schedule `{other}`; available: round-robin, knock-out, all, gauntlet");
                return Err(self.refuse(schedule.map_or(0..0, Spanned::span), reason));
            }
        };
        match tie.filter(|_| !found.is_knock_out()) {
            Some(tie) => Err(self.refuse(tie.span(), "tie is for schedule = \"knock-out\"")),
            None => Ok((schedule.is_some() || mirror.is_some()).then_some(found)),
        }
    }

    /// The figures that rank a contest of matches.
    pub(super) fn ranked_games(
        &self,
        ranking: Option<Ranking>,
        scoring: &Scoring,
    ) -> Result<Vec<RankKey>, ContestError> {
        let order = ranking.as_ref().map(|ranking| ranking.order.clone());
        let usual = RankKey::named_usually(scoring).into_iter().take(1).collect();
        let named = self.named_figures(ranking, usual, scoring)?;
        // In a knock-out, the winner of a pair ranks above the loser, whatever points others have.
        let pairs = RankKey::named("pairs", scoring).filter(|pairs| !named.contains(pairs));
        let other = named.iter().position(|key| !matches!(key, RankKey::Figure(_)));
        match other.and_then(|at| order.as_ref()?.get_ref().get(at)) {
            Some(name) => {
                let reason =
                    format!("matches have no `{}`; rank by points, won, lost, faults, or a [[figure]]", name.get_ref());
                Err(self.refuse(name.span(), reason))
            }
            None => Ok(pairs.into_iter().chain(named).collect()),
        }
    }

    /// Refuses a contest without a game, and a contest with too many.
    pub(super) fn check_games(&self, plan: &Plan) -> Result<(), ContestError> {
        let Some(rules) = plan.match_rules.as_deref() else { return Ok(()) };
        let refuse = |reason: String| Err(ContestError::whole(self.path, ContestErrorKind::Value, reason));
        let entries = plan.entries.len();
        let (least, most) = match rules.seats {
            Seats::Number(seats) => (seats as usize, usize::MAX),
            Seats::All => (2, MAX_SEATS as usize),
        };
        if entries < least && !rules.called {
            return refuse(format!("[match]: a game has {least} seats, and the contest {entries} entries; add some"));
        }
        if entries > most {
            return refuse(format!("[match]: a game of all has {entries} seats; {most} are the most"));
        }
        let house = plan.entries.iter().filter(|entry| !entry.competing).count();
        for round in 1..=u32::try_from(plan.rounds.len()).unwrap_or(u32::MAX).max(1) {
            let schedule = plan.schedule_in(round);
            if schedule.is_some_and(Schedule::is_knock_out) && rules.seats != Seats::Number(2) {
                return refuse(format!("[match]: round {round}: in a knock-out, a game has 2 seats; use seats = 2"));
            }
            let advance = plan.round_plan(round).map_or(Advance::All, |round| round.advance);
            if schedule.is_some_and(Schedule::is_knock_out) && advance != Advance::All {
                return refuse(format!("[match]: round {round}: the winners of a knock-out go on; omit advance"));
            }
            if matches!(schedule, Some(Schedule::All { .. })) && entries > MAX_SEATS as usize {
                return refuse(format!("[match]: a game of all has {entries} seats; {MAX_SEATS} are the most"));
            }
            if matches!(plan.schedule_in(round), Some(Schedule::Gauntlet { .. })) {
                if round > 1 {
                    return refuse(format!(
                        "[match]: round {round}: a gauntlet is for the first round; use round-robin"
                    ));
                }
                if house + 1 < least || rules.seats == Seats::All || (house == entries && !rules.called) {
                    return refuse(format!(
                        "[match]: in a gauntlet an entry plays against entries with `competing = false` in the other \
                         seats; a game has {}, and {house} of {entries} entries do not compete",
                        count_text(least, "seat", "seats")
                    ));
                }
            }
            let boards = plan.rounds_of_boards().into_iter().filter(|of| *of == round).count();
            if plan.count_games(round, entries, boards) > MAX_GAMES {
                return refuse(format!(
                    "[match]: round {round} has more than {MAX_GAMES} games; use fewer boards, or mirror = false"
                ));
            }
        }
        Ok(())
    }
}
