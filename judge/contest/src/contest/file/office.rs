//! The tables of the office: `[office]`, `[[language]]` and `[notify]`.

use serde::Deserialize;
use toml::Spanned;
use toml::value::Datetime;

use super::rounds::RoundTable;
use super::values::words;
use super::{ContestError, Reader};
use crate::contest::moment::unix_seconds;
use crate::office::{
    Counts, Feedback, Games, LanguageRule, OfficeRules, OfficeSetup, Quotas, SealedFeedback, Times, Transcripts,
};

/// The words in braces that a command of a language may have, as in the table of usual languages.
const BRACES: [&str; 6] = ["files", "main", "class", "folder", "memory", "dir"];
/// The most memory of a runtime, in MiB.
const MAX_MEMORY: u64 = 1 << 20;

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OfficeTable {
    pub(super) counts: Option<Spanned<Counts>>,
    feedback: Option<Feedback>,
    sealed: Option<SealedFeedback>,
    opens: Option<Spanned<Datetime>>,
    freezes: Option<Spanned<Datetime>>,
    closes: Option<Spanned<Datetime>>,
    limit: Option<LimitTable>,
    penalty: Option<Spanned<String>>,
    languages: Option<Vec<String>>,
    weaker_isolation: Option<bool>,
    games: Option<Spanned<String>>,
    transcripts: Option<Spanned<Transcripts>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LimitTable {
    every: Option<Spanned<String>>,
    per_day: Option<Spanned<toml::Value>>,
    waiting: Option<Spanned<toml::Value>>,
    bytes: Option<Spanned<String>>,
    builds_failed: Option<Spanned<toml::Value>>,
    questions: Option<Spanned<toml::Value>>,
    choices: Option<Spanned<toml::Value>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LanguageTable {
    code: Spanned<String>,
    name: Option<String>,
    #[serde(default)]
    endings: Vec<Spanned<String>>,
    #[serde(default)]
    needs: Vec<String>,
    build: Option<Spanned<String>>,
    run: Spanned<toml::Value>,
    #[serde(default)]
    memory: Option<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NotifyTable {
    command: Spanned<String>,
}

impl Reader<'_> {
    pub(super) fn office(
        &self,
        table: Option<Spanned<OfficeTable>>,
        languages: Vec<LanguageTable>,
        notify: Option<NotifyTable>,
        rounds: &[RoundTable],
        plays: bool,
    ) -> Result<OfficeSetup, ContestError> {
        let span = table.as_ref().map_or(0..0, Spanned::span);
        let table = table.map(Spanned::into_inner).unwrap_or_default();
        let times = Times {
            opens: self.moment("opens", table.opens.as_ref())?,
            freezes: self.moment("freezes", table.freezes.as_ref())?,
            closes: self.moment("closes", table.closes.as_ref())?,
        };
        times.check().map_err(|reason| self.refuse(span, format!("[office]: {reason}")))?;
        let limit = table.limit.map_or_else(|| Ok(Quotas::default()), |limit| self.quotas(&limit))?;
        let minutes = self.duration("penalty", table.penalty.as_ref())?;
        let penalty = minutes.map(|ms| u32::try_from(ms / 60_000).ok().filter(|_| ms.is_multiple_of(60_000)));
        let span = table.penalty.map_or(0..0, |penalty| penalty.span());
        let unusable = || self.refuse(span, "penalty must be whole minutes, such as \"20m\"");
        let penalty = penalty.map(|minutes| minutes.ok_or_else(unusable)).transpose()?;
        let games = table.games.as_ref().map(|key| ("games", key.span()));
        let of_matches = games.or(table.transcripts.as_ref().map(|key| ("transcripts", key.span())));
        if let Some((key, span)) = of_matches.filter(|_| !plays) {
            return Err(self.refuse(span, format!("{key} is for a contest with [match]")));
        }
        let rules = OfficeRules {
            games: table.games.map_or(Ok(Games::default()), |games| {
                let parsed = Games::parse(games.get_ref());
                parsed.ok_or_else(|| {
                    let reason =
                        "games must be \"at-once\", \"on-command\", or a time of the day in UTC such as \"03:00\"";
                    self.refuse(games.span(), reason)
                })
            })?,
            transcripts: table.transcripts.map(Spanned::into_inner).unwrap_or_default(),
            counts: table.counts.map(Spanned::into_inner).unwrap_or_default(),
            feedback: table.feedback.unwrap_or_default(),
            sealed: table.sealed.unwrap_or_default(),
            times,
            rounds: Vec::new(),
            limit,
            penalty,
        };
        let rules = self.with_times(rules, rounds)?;
        let languages = languages.into_iter().map(|language| self.language(language)).collect::<Result<_, _>>()?;
        let notify = notify.map(|NotifyTable { command }| match command.get_ref().trim().is_empty() {
            true => Err(self.refuse(command.span(), "[notify]: command is empty; write a shell command")),
            false => Ok(command.into_inner()),
        });
        let weaker_isolation = table.weaker_isolation.unwrap_or_default();
        let (problems, notify) = (Vec::new(), notify.transpose()?);
        Ok(OfficeSetup { rules, problems, languages, allowed: table.languages, notify, weaker_isolation })
    }

    /// The submission that counts, depending on whether answers are only accepted or not. Both cases have separate rules.
    pub(super) fn counts(&self, named: Option<Spanned<Counts>>, accepts: bool) -> Result<Counts, ContestError> {
        let usual = if accepts { Counts::FirstAccepted } else { Counts::Latest };
        let Some(named) = named else { return Ok(usual) };
        match (*named.get_ref() == Counts::FirstAccepted, usual == Counts::FirstAccepted) {
            (false, true) => {
                let reason = "answers are accepted or not here, so counts is \"first-accepted\", as by the rules of the ICPC; \
                              remove it";
                Err(self.refuse(named.span(), reason))
            }
            (true, false) => {
                let reason = "counts = \"first-accepted\" is only for answers that are accepted or not; use \"best\"";
                Err(self.refuse(named.span(), reason))
            }
            _ => Ok(named.into_inner()),
        }
    }

    /// A moment, in seconds since the beginning of 1970 in UTC.
    pub(super) fn moment(&self, key: &str, value: Option<&Spanned<Datetime>>) -> Result<Option<u64>, ContestError> {
        let Some(value) = value else { return Ok(None) };
        let seconds = unix_seconds(value.get_ref()).ok_or_else(|| {
            let reason = format!(
                "{key} must be a date with a time and an offset, such as 2026-11-24T18:00:00+01:00 or 2026-11-24T17:00:00Z"
            );
            self.refuse(value.span(), reason)
        })?;
        Ok(Some(seconds))
    }

    fn quotas(&self, table: &LimitTable) -> Result<Quotas, ContestError> {
        let usual = Quotas::default();
        let count = |key: &str, value: Option<&Spanned<toml::Value>>, usual: Option<u32>| match value {
            None => Ok(usual),
            Some(value) => match value.get_ref() {
                toml::Value::String(word) if word == "unlimited" => Ok(None),
                toml::Value::Integer(number @ 1..=1_000_000) => Ok(u32::try_from(*number).ok()),
                _ => Err(self.refuse(value.span(), format!("{key} must be 1 to 1000000, or \"unlimited\""))),
            },
        };
        let every = match &table.every {
            None => usual.every,
            every => self.duration("every", every.as_ref())?.map(|ms| ms.div_ceil(1000)),
        };
        let bytes = match &table.bytes {
            None => usual.bytes,
            Some(word) if word.get_ref() == "unlimited" => None,
            size => self.size("bytes", size.as_ref())?,
        };
        Ok(Quotas {
            every,
            per_day: count("per_day", table.per_day.as_ref(), usual.per_day)?,
            waiting: count("waiting", table.waiting.as_ref(), usual.waiting)?,
            bytes,
            builds_failed: count("builds_failed", table.builds_failed.as_ref(), usual.builds_failed)?,
            questions: count("questions", table.questions.as_ref(), usual.questions)?,
            choices: count("choices", table.choices.as_ref(), usual.choices)?,
        })
    }

    fn language(&self, table: LanguageTable) -> Result<LanguageRule, ContestError> {
        let LanguageTable { code, name, endings, needs, build, run, memory } = table;
        let plain = |c: char| c.is_ascii_alphanumeric() || "_+-".contains(c);
        if code.get_ref().is_empty() || !code.get_ref().chars().all(plain) {
            return Err(self.refuse(code.span(), "code must have letters, digits and _ + -"));
        }
        for ending in &endings {
            if !ending.get_ref().starts_with('.') || ending.get_ref().len() < 2 {
                return Err(self.refuse(ending.span(), "an ending begins with a dot, such as \".py\""));
            }
        }
        let command = words(run.get_ref()).map_err(|reason| {
            self.refuse(run.span(), reason.replace("command", "run").replace("solver.py", "{main}"))
        })?;
        let build_text = build.as_ref().map(|build| (build.span(), build.get_ref()));
        let texts = command.iter().map(|word| (run.span(), word)).chain(build_text);
        for (span, text) in texts {
            let unknown = text.split('{').skip(1).find_map(|rest| {
                let word = rest.split('}').next().unwrap_or_default();
                (!BRACES.contains(&word)).then_some(word)
            });
            if let Some(word) = unknown {
                let known = BRACES.map(|word| format!("{{{word}}}")).join(" ");
                return Err(self.refuse(span, format!("unknown word {{{word}}}; use {known}")));
            }
        }
        let memory = self.size("memory", memory.as_ref())?.unwrap_or_default().div_ceil(1 << 20).min(MAX_MEMORY);
        Ok(LanguageRule {
            name: name.unwrap_or_else(|| code.get_ref().clone()),
            code: code.into_inner(),
            endings: endings.into_iter().map(Spanned::into_inner).collect(),
            needs,
            build: build.map(Spanned::into_inner),
            run: command,
            memory,
        })
    }
}
