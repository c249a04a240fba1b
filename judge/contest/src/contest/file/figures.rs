//! The keys that define figures and tables: `[[figure]]`, `[table]` and `[[group]]`.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use judge_core::external::Protocol;
use judge_core::figure::{Better, Failed, Figure, FigureName, Source, Total};
use judge_core::plan::RankKey;
use judge_core::points::{MAX_DECIMALS, Points, Round};
use judge_core::scoring::{Aggregate, Group, Scoring};

use super::{ContestError, Ranking, Reader};

/// Microseconds per millisecond, the unit of times if the contest file sets none.
const MILLISECOND: u64 = 1000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FigureTable {
    pub(super) name: Spanned<String>,
    better: Option<Spanned<String>>,
    from: Option<Spanned<String>>,
    add: Option<Spanned<BTreeMap<String, Spanned<toml::Value>>>>,
    ratio: Option<Spanned<String>>,
    unit: Option<Spanned<String>>,
    decimals: Option<Spanned<i64>>,
    round: Option<Spanned<String>>,
    failed: Option<Spanned<toml::Value>>,
    total: Option<Spanned<String>>,
    full: Option<Spanned<toml::Value>>,
}

impl FigureTable {
    /// The first key that a figure of a referee of games cannot have.
    pub(super) fn unlike_games(&self) -> Option<(&'static str, Range<usize>)> {
        let texts = [("from", &self.from), ("ratio", &self.ratio), ("unit", &self.unit), ("round", &self.round)];
        let texts = texts.into_iter().chain([("total", &self.total)]);
        let texts = texts.map(|(key, value)| (key, value.as_ref().map(Spanned::span)));
        let values = [("failed", &self.failed), ("full", &self.full)]
            .map(|(key, value)| (key, value.as_ref().map(Spanned::span)));
        let add = ("add", self.add.as_ref().map(Spanned::span));
        texts.chain(values).chain([add]).find_map(|(key, span)| Some((key, span?)))
    }
}

/// `[table]`: what cells and totals show.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ShownTable {
    cell: Vec<Spanned<String>>,
    total: Vec<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GroupTable {
    pub(super) name: Spanned<String>,
    aggregate: Option<Spanned<String>>,
    within: Option<Spanned<String>>,
    points: Option<Spanned<String>>,
    #[serde(default)]
    requires: Vec<Spanned<String>>,
}

/// Keys of `[referee]` in earlier versions, which are keys of figures now.
const REMOVED_KEYS: [&str; 3] = ["score", "decimals", "full"];

/// An old key of `[referee]`, with the text that replaces it now.
pub(super) fn gone(text: &str) -> Option<(Range<usize>, String)> {
    let begins = |line: &str| REMOVED_KEYS.iter().any(|key| line.trim_start().starts_with(key));
    if !text.lines().any(begins) {
        return None;
    }
    // The parser refuses unreadable files later.
    let file = DeTable::parse(text).ok()?;
    let DeValue::Table(referee) = file.get_ref().get("referee")?.get_ref() else { return None };
    let (key, value) = REMOVED_KEYS.iter().find_map(|key| Some((*key, referee.get(*key)?)))?;
    let written = text.get(value.span()).unwrap_or_default();
    let now = match (key, written.trim_matches('"')) {
        ("score", "down") => "name = \"score\" and better = \"less\"".to_owned(),
        ("score", _) => "name = \"score\" and better = \"more\"".to_owned(),
        _ => format!("{key} = {written}"),
    };
    let reason = format!("{key} is no key of [referee] any more: write a table [[figure]] with {now}");
    Some((value.span(), reason))
}

/// The text of a number, which a file may write with or without quotes.
fn number_text(value: &toml::Value) -> Option<String> {
    match value {
        toml::Value::String(text) => Some(text.clone()),
        toml::Value::Integer(number) => Some(number.to_string()),
        // Written with the fewest digits: those of the file for numbers of up to 15 digits.
        toml::Value::Float(number) => Some(number.to_string()),
        _ => None,
    }
}

/// The conversion of figures that a contest file names into lists.
#[derive(Clone, Copy)]
pub(super) struct Lists<'a> {
    /// The figures of the contest.
    pub(super) scoring: &'a Scoring,
    /// True if nothing is added to the figures of the file.
    pub(super) exactly: bool,
}

impl Lists<'_> {
    pub(super) fn list(self, named: &[RankKey]) -> Vec<RankKey> {
        if self.exactly { named.into() } else { RankKey::whole(named, self.scoring) }
    }
}

impl Reader<'_> {
    /// The scoring that a contest declares; `None` if it declares no figure.
    pub(super) fn scoring(
        &self,
        figures: Vec<FigureTable>,
        shown: Option<&Spanned<ShownTable>>,
        groups: Vec<GroupTable>,
    ) -> Result<Option<Scoring>, ContestError> {
        let Some(first) = figures.first().map(|figure| figure.name.span()) else {
            let group = groups.first().map(|group| ("[[group]]", group.name.span()));
            let shown = shown.map(|shown| ("[table]", shown.span()));
            return match group.or(shown) {
                Some((key, span)) => {
                    Err(self.refuse(span, format!("{key} needs a figure; declare it with [[figure]]")))
                }
                None => Ok(None),
            };
        };
        let mut known: Vec<Figure> = Vec::new();
        for table in figures {
            let figure = self.figure(table, &known)?;
            known.push(figure);
        }
        let mut scoring = Scoring::from_figures(known);
        for (key, list) in [("cell", &mut scoring.cell), ("total", &mut scoring.total)] {
            let Some(shown) = shown else { continue };
            let names = if key == "cell" { &shown.get_ref().cell } else { &shown.get_ref().total };
            let read = names.iter().map(|name| self.figure_name(key, name)).collect::<Result<Vec<_>, _>>()?;
            if !read.is_empty() {
                *list = read;
            }
        }
        if let Some(shown) = shown
            && shown.get_ref().total.is_empty()
        {
            scoring.total.clone_from(&scoring.cell);
        }
        self.check_names("group", groups.iter().map(|group| &group.name))?;
        for table in groups {
            let group = self.group(table, scoring.main(), &scoring.groups)?;
            scoring.groups.push(group);
        }
        scoring.check().map_err(|reason| self.refuse(first, reason))?;
        Ok(Some(scoring))
    }

    /// The number of decimals of a figure.
    pub(super) fn decimals(&self, decimals: Option<&Spanned<i64>>, usual: u8) -> Result<u8, ContestError> {
        let Some(decimals) = decimals else { return Ok(usual) };
        let number = self.number_in("decimals", decimals, 0..=MAX_DECIMALS.into())?;
        Ok(u8::try_from(number).expect("at most nine"))
    }

    /// The value with this name, from a list of known ones.
    pub(super) fn known<T: Clone>(
        &self,
        what: &str,
        name: &Spanned<String>,
        all: &[(&str, T)],
    ) -> Result<T, ContestError> {
        let found = all.iter().find(|(known, _)| known == name.get_ref());
        found.map(|(_, one)| one.clone()).ok_or_else(|| {
            let available = all.iter().map(|(known, _)| *known).collect::<Vec<_>>().join(", ");
            self.refuse(name.span(), format!("unknown {what} `{}`; available: {available}", name.get_ref()))
        })
    }

    fn figure_name(&self, key: &str, name: &Spanned<String>) -> Result<FigureName, ContestError> {
        FigureName::parse(name.get_ref()).map_err(|reason| self.refuse(name.span(), format!("{key}: {reason}")))
    }

    pub(super) fn figure(&self, table: FigureTable, earlier: &[Figure]) -> Result<Figure, ContestError> {
        let name = self.figure_name("name", &table.name)?;
        if let Some(reason) = Figure::reserved(&name) {
            return Err(self.refuse(table.name.span(), format!("name: {reason}")));
        }
        let from = self.source(&table)?;
        let better = match &table.better {
            None if table.ratio.is_some() => Better::More,
            word => self.word("better", word.as_ref(), (Better::ALL, Better::name))?,
        };
        let decimals = self.decimals(table.decimals.as_ref(), usual_decimals(&from, earlier))?;
        let mut figure = Figure::new(name, better, decimals);
        figure.round = self.word("round", table.round.as_ref(), (Round::ALL, Round::name))?;
        figure.unit = self.unit(&from, table.unit.as_ref())?;
        let total =
            table.total.as_ref().map(|word| self.known("total", word, &Total::ALL.map(|one| (one.name(), one))));
        figure.total = total.transpose()?.unwrap_or_default();
        if from.is_measured() {
            figure.failed = Failed::Own;
        }
        figure.from = from;
        if let Some(failed) = &table.failed {
            figure.failed = match failed.get_ref() {
                toml::Value::String(word) if word == "own" => Failed::Own,
                _ => Failed::Counts(self.number("failed", failed, &figure)?),
            };
        }
        if let Some(full) = &table.full {
            figure.full = Some(self.number("full", full, &figure)?);
        }
        Ok(figure)
    }

    fn source(&self, table: &FigureTable) -> Result<Source, ContestError> {
        let span = |key: &str| {
            let from = table.from.as_ref().map(Spanned::span);
            match key {
                "add" => table.add.as_ref().map(Spanned::span),
                "ratio" => table.ratio.as_ref().map(Spanned::span),
                _ => from,
            }
        };
        let given: Vec<&str> = ["from", "add", "ratio"].into_iter().filter(|key| span(key).is_some()).collect();
        if let [_, second, ..] = given[..] {
            let reason = format!("a figure has one source; it has both {} and {second}", given[0]);
            return Err(self.refuse(span(second).unwrap_or_default(), reason));
        }
        if let Some(from) = &table.from {
            return self.known("source", from, &Source::NAMED);
        }
        if let Some(of) = &table.ratio {
            return Ok(Source::Ratio(self.figure_name("ratio", of)?));
        }
        let Some(terms) = &table.add else { return Ok(Source::Referee) };
        let term = |(name, weight): (&String, &Spanned<toml::Value>)| {
            let name = FigureName::parse(name).map_err(|reason| self.refuse(terms.span(), format!("add: {reason}")))?;
            let weight = number_text(weight.get_ref()).and_then(|text| text.parse::<Points>().ok());
            let weight = weight.ok_or_else(|| {
                self.refuse(terms.span(), format!("add: `{name}` needs a number, for example add = {{ {name} = 1 }}"))
            })?;
            Ok((name, weight))
        };
        let terms: Vec<(FigureName, Points)> = terms.get_ref().iter().map(term).collect::<Result<_, ContestError>>()?;
        Ok(Source::Add(terms))
    }

    /// The unit of a measured figure: microseconds, or bytes.
    fn unit(&self, from: &Source, unit: Option<&Spanned<String>>) -> Result<u64, ContestError> {
        let unit = match unit {
            None => return Ok(if from.is_time() { MILLISECOND } else { 1 }),
            Some(unit) if !from.is_measured() => {
                return Err(
                    self.refuse(unit.span(), "unit is only for what the judge measures: from = \"time\" and others")
                );
            }
            Some(unit) => unit,
        };
        let read = if from.is_time() {
            self.duration("unit", Some(unit))?.and_then(|milliseconds| milliseconds.checked_mul(MILLISECOND))
        } else {
            self.size("unit", Some(unit))?
        };
        read.filter(|unit| *unit > 0).ok_or_else(|| self.refuse(unit.span(), "unit must not be zero"))
    }

    fn number(&self, key: &str, value: &Spanned<toml::Value>, figure: &Figure) -> Result<Points, ContestError> {
        let text = number_text(value.get_ref());
        let read = text.ok_or_else(|| "is no number".to_owned()).and_then(|text| Ok(figure.parse(&text)?));
        read.map_err(|reason| self.refuse(value.span(), format!("{key}: {reason}")))
    }

    fn group(&self, table: GroupTable, figure: &Figure, earlier: &[Group]) -> Result<Group, ContestError> {
        let all = Aggregate::ALL.map(|one| (one.name(), one));
        let aggregate = table.aggregate.as_ref().map(|word| self.known("aggregate", word, &all));
        let aggregate = aggregate.transpose()?.unwrap_or(Aggregate::Sum);
        for name in table.within.iter().chain(&table.requires) {
            if !earlier.iter().any(|group| group.name == self.in_contest(name.get_ref())) {
                let reason = format!("unknown group `{}`; define it above this one", name.get_ref());
                return Err(self.refuse(name.span(), reason));
            }
        }
        let points = self.points("points", table.points.as_ref(), figure)?;
        match (aggregate, points) {
            (Aggregate::All, None) => {
                let reason = "a group with aggregate = \"all\" needs points = \"…\"";
                Err(self.refuse(table.name.span(), reason))
            }
            (Aggregate::Sum | Aggregate::Average | Aggregate::Min | Aggregate::Max, Some(_)) => {
                let span = table.points.map_or(0..0, |points| points.span());
                Err(self.refuse(span, "only a group with aggregate = \"all\" has points of its own"))
            }
            _ => {
                let named = |name: Spanned<String>| self.in_contest(name.get_ref());
                let mut group = Group::new(named(table.name), aggregate);
                group.within = table.within.map(named);
                group.points = points;
                group.requires = table.requires.into_iter().map(named).collect();
                Ok(group)
            }
        }
    }

    /// The value of a figure from the text of a key; `None` without a text.
    pub(super) fn points(
        &self,
        key: &str,
        text: Option<&Spanned<String>>,
        figure: &Figure,
    ) -> Result<Option<Points>, ContestError> {
        let Some(text) = text else { return Ok(None) };
        let points = figure.parse(text.get_ref());
        points.map(Some).map_err(|reason| self.refuse(text.span(), format!("{key}: {reason}")))
    }

    /// Refuses a protocol whose referees do not give these figures.
    pub(super) fn check_given(
        &self,
        protocol: &Spanned<String>,
        scoring: Option<&Scoring>,
    ) -> Result<(), ContestError> {
        let given: Vec<&str> = scoring.into_iter().flat_map(Scoring::given).map(|figure| &*figure.name).collect();
        match (Protocol::named(protocol.get_ref()), given.as_slice()) {
            (Some(Protocol::Score), []) => {
                let reason =
                    "protocol \"score\" needs a [[figure]], for example with name = \"score\" and better = \"more\"";
                Err(self.refuse(protocol.span(), reason))
            }
            (Some(Protocol::Native) | None, _) | (_, [] | [_]) => Ok(()),
            (Some(other), [_, second, ..]) => {
                let reason = format!(
                    "protocol \"{}\" gives one figure, so the referee cannot give `{second}`; use protocol \"native\"",
                    other.name()
                );
                Err(self.refuse(protocol.span(), reason))
            }
        }
    }

    /// The figures that a contest file ranks by, or the usual ones.
    pub(super) fn named_figures(
        &self,
        ranking: Option<Ranking>,
        usual: Vec<RankKey>,
        scoring: &Scoring,
    ) -> Result<Vec<RankKey>, ContestError> {
        let Some(Ranking { order, .. }) = ranking else { return Ok(usual) };
        self.rank_keys(&order, scoring, "the ranking order is empty; omit [ranking] for the usual one")
    }

    /// Figures by their names, each once.
    pub(super) fn rank_keys(
        &self,
        order: &Spanned<Vec<Spanned<String>>>,
        scoring: &Scoring,
        empty: &str,
    ) -> Result<Vec<RankKey>, ContestError> {
        let mut keys = Vec::new();
        for name in order.get_ref() {
            let key =
                RankKey::read(name.get_ref(), scoring).map_err(|error| self.refuse(name.span(), error.to_string()))?;
            if keys.contains(&key) {
                let reason = format!("duplicate ranking key `{}`; the second could never decide", name.get_ref());
                return Err(self.refuse(name.span(), reason));
            }
            keys.push(key);
        }
        if keys.is_empty() {
            return Err(self.refuse(order.span(), empty));
        }
        Ok(keys)
    }

    /// The bytes of an entry's source: of these files and folders, or otherwise of the files that its command names in the folder
    /// of the contest file. The error is a fragment.
    pub(super) fn size_of(&self, source: &[Spanned<String>], command: &[String]) -> Result<u64, String> {
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let of_command = command.iter().filter(|word| !Path::new(word).is_absolute()).map(|word| folder.join(word));
        let paths: Vec<PathBuf> = match source {
            [] => of_command.filter(|path| path.is_file()).collect(),
            source => source.iter().map(|path| self.relative(path)).collect(),
        };
        if paths.is_empty() {
            return Err(
                "needs source = [\"…\"]: its size is a figure, and its command names no file of the contest".into()
            );
        }
        let mut bytes = 0u64;
        for path in paths {
            bytes += size_below(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        Ok(bytes)
    }
}

/// The bytes of a file, or of all files in a folder. Links are not followed.
fn size_below(path: &Path) -> std::io::Result<u64> {
    let kind = std::fs::symlink_metadata(path)?;
    if !kind.is_dir() {
        return Ok(kind.len());
    }
    let mut bytes = 0;
    for item in std::fs::read_dir(path)? {
        bytes += size_below(&item?.path())?;
    }
    Ok(bytes)
}

/// The decimals of a figure if the contest file sets none: nine for a ratio, and the most of its parts for a sum.
fn usual_decimals(from: &Source, earlier: &[Figure]) -> u8 {
    match from {
        Source::Ratio(_) => MAX_DECIMALS,
        Source::Add(terms) => {
            let of_term = |name: &FigureName| earlier.iter().find(|figure| figure.name == *name);
            terms.iter().filter_map(|(name, _)| of_term(name)).map(|figure| figure.decimals).max().unwrap_or(0)
        }
        _ => 0,
    }
}
