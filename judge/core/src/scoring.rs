//! What a contest of figures declares: its figures, what cells and totals show, and how boards make a total.

mod groups;

use serde::de::{Error as _, IgnoredAny};
use serde::{Deserialize, Deserializer, Serialize};

use crate::code::Code;
use crate::figure::{Failed, Figure, FigureError, FigureName, Figures, MAX_FIGURES, Source, Total};
use crate::judged_by::JudgedBy;
use crate::points::Points;
use crate::relative::Direction;

pub(crate) use groups::Part;
pub use groups::{Aggregate, Group};

/// The figures of a contest and what is made of them. The first figure is one that the referee gives. It is the score of a
/// contest that has one: what solves a board, and groups of boards, belong to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Scoring {
    /// The figures, at least one, in the order in which they were declared.
    pub figures: Vec<Figure>,
    /// The figures that a cell shows.
    pub cell: Vec<FigureName>,
    /// The figures that a total shows.
    pub total: Vec<FigureName>,
    /// Groups of boards. Boards and groups that are in none are summed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<Group>,
}

/// The refusal of a contest with points, as it was recorded before figures had names.
const EARLIER: &str =
    "its points have no names of figures: it was recorded by an earlier version of judge, which alone can read it";

/// A declaration as files have it, which is checked.
impl<'de> Deserialize<'de> for Scoring {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Stored {
            #[serde(default)]
            figures: Vec<Figure>,
            cell: Option<Vec<FigureName>>,
            total: Option<Vec<FigureName>>,
            #[serde(default)]
            groups: Vec<Group>,
            direction: Option<IgnoredAny>,
            #[serde(rename = "decimals")]
            _decimals: Option<IgnoredAny>,
            #[serde(rename = "full")]
            _full: Option<IgnoredAny>,
        }
        let Stored { figures, cell, total, groups, direction, .. } = Stored::deserialize(deserializer)?;
        if direction.is_some() {
            return Err(D::Error::custom(EARLIER));
        }
        let usual = Self::from_figures(figures);
        let cell = cell.unwrap_or(usual.cell);
        let read = Self { figures: usual.figures, total: total.unwrap_or_else(|| cell.clone()), cell, groups };
        read.check().map_err(D::Error::custom)?;
        Ok(read)
    }
}

/// What was measured of a run, besides what its referee gave.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Measured {
    /// Wall clock in microseconds, at most the limit.
    pub(crate) time_us: Option<u64>,
    pub(crate) cpu_us: Option<u64>,
    pub(crate) memory_bytes: Option<u64>,
    /// When the answer that counts had arrived.
    pub(crate) answer_us: Option<u64>,
    /// Size of the entry in bytes.
    pub(crate) size: Option<u64>,
}

impl Measured {
    fn of(&self, source: &Source) -> Option<u64> {
        match source {
            Source::Time => self.time_us,
            Source::Cpu => self.cpu_us,
            Source::Memory => self.memory_bytes,
            Source::Answer => self.answer_us.or(self.time_us),
            Source::Size => self.size,
            Source::Referee | Source::Add(_) | Source::Ratio(_) => None,
        }
    }
}

impl Scoring {
    /// A contest with one figure, `score`, of which the sum over all boards counts.
    pub fn new(direction: Direction, decimals: u8) -> Self {
        Self::from_figures(vec![Figure::new(FigureName::SCORE, direction.into(), decimals)])
    }

    /// These figures, at least one. Cells and totals show those that the referee gives.
    pub fn from_figures(figures: Vec<Figure>) -> Self {
        let given = figures.iter().filter(|figure| figure.from == Source::Referee);
        let cell: Vec<FigureName> = given.map(|figure| figure.name).collect();
        Self { figures, total: cell.clone(), cell, groups: Vec::new() }
    }

    /// The first figure, see [`Scoring`].
    pub fn main(&self) -> &Figure {
        &self.figures[0]
    }

    /// The better values of the first figure.
    pub fn direction(&self) -> Direction {
        self.main().better.direction()
    }

    /// The decimals of the first figure.
    pub fn decimals(&self) -> u8 {
        self.main().decimals
    }

    /// The figures that the referee gives.
    pub fn given(&self) -> impl Iterator<Item = &Figure> {
        self.figures.iter().filter(|figure| figure.from == Source::Referee)
    }

    /// The place of a figure in every list of values.
    pub fn index(&self, name: &str) -> Option<usize> {
        self.figures.iter().position(|figure| *figure.name == *name)
    }

    /// The figure of that name.
    pub fn figure(&self, name: &str) -> Option<&Figure> {
        self.figures.iter().find(|figure| *figure.name == *name)
    }

    /// Tests what a declaration must be, however it was written.
    ///
    /// # Errors
    ///
    /// A figure or a list is not possible.
    pub fn check(&self) -> Result<(), FigureError> {
        self.possible().map_err(FigureError)
    }

    fn possible(&self) -> Result<(), String> {
        match self.figures.as_slice() {
            [first, ..] if first.from == Source::Referee => {}
            _ => return Err("the first figure must be one that the referee gives".into()),
        }
        if self.figures.len() > MAX_FIGURES {
            return Err(format!("{} figures; {MAX_FIGURES} are the most", self.figures.len()));
        }
        for (at, figure) in self.figures.iter().enumerate() {
            let name = figure.name;
            if let Some(why) = Figure::reserved(&name) {
                return Err(why);
            }
            if self.index(&name) != Some(at) {
                return Err(format!("duplicate figure `{name}`"));
            }
            let made_of: Vec<FigureName> = match &figure.from {
                Source::Add(terms) => terms.iter().map(|(term, _)| *term).collect(),
                Source::Ratio(of) => vec![*of],
                _ => Vec::new(),
            };
            if let Some(other) = made_of.iter().find(|other| self.index(other).is_none_or(|other| other >= at)) {
                return Err(format!("figure `{name}` is made of `{other}`, which must be declared before it"));
            }
            let ratio = |other: &FigureName| matches!(self.figure(other).map(|of| &of.from), Some(Source::Ratio(_)));
            if let Some(other) = made_of.iter().find(|other| ratio(other)) {
                return Err(format!("figure `{name}` is made of `{other}`, which is a ratio"));
            }
            if at > 0 && (figure.full.is_some() || figure.total == Total::Groups) {
                let first = self.main().name;
                return Err(format!("full and groups belong to the first figure, `{first}`, not to `{name}`"));
            }
        }
        for name in self.cell.iter().chain(&self.total) {
            if self.index(name).is_none() {
                return Err(format!("unknown figure `{name}`"));
            }
        }
        match (self.cell.is_empty() || self.total.is_empty(), self.main().total) {
            (true, _) => Err("cells and totals need a figure each".into()),
            (_, Total::Sum | Total::Groups) => Ok(()),
            _ if self.groups.is_empty() => Ok(()),
            _ => Err("groups of boards make the total of the first figure, so it has no `total` of its own".into()),
        }
    }

    /// The values of one result, in the order of the figures. Ratios need the other results, see
    /// [`ranking::rank`](crate::ranking::rank). Rules 5 and 10 of docs/scoring.md.
    pub(crate) fn values(
        &self,
        given: Option<&Figures>,
        code: Option<Code>,
        measured: &Measured,
    ) -> Vec<Option<Points>> {
        let mut values: Vec<Option<Points>> = Vec::with_capacity(self.figures.len());
        for figure in &self.figures {
            let own = || match &figure.from {
                Source::Referee => given.and_then(|given| given.get(&figure.name)).map(|value| figure.cut(value)),
                source => measured.of(source).map(|value| figure.measured(value)),
            };
            let value = match (&figure.from, code, figure.failed) {
                (_, Some(Code::JudgeError), _) => None,
                (Source::Add(terms), ..) => self.added(figure, terms, &values),
                (Source::Ratio(_), ..) => None,
                (_, None, _) => own(),
                (_, Some(_), Failed::Counts(number)) => Some(figure.cut(number)),
                (Source::Referee, Some(_), Failed::Own) => own().or(Some(Points::zero(figure.decimals))),
                (_, Some(_), Failed::Own) => own(),
            };
            values.push(value);
        }
        values
    }

    /// The values of an accepted result of which only some are known, and what these make.
    pub(crate) fn shown_values(&self, known: &[(FigureName, Points)]) -> Vec<Option<Points>> {
        let mut values: Vec<Option<Points>> = Vec::with_capacity(self.figures.len());
        for figure in &self.figures {
            let shown = known.iter().find(|(name, _)| *name == figure.name).map(|(_, value)| *value);
            let made = match &figure.from {
                Source::Add(terms) => self.added(figure, terms, &values),
                _ => None,
            };
            values.push(shown.or(made));
        }
        values
    }

    /// The sum of other figures, of which the values are known.
    fn added(&self, figure: &Figure, terms: &[(FigureName, Points)], values: &[Option<Points>]) -> Option<Points> {
        let zero = Points::zero(0);
        let sum = terms.iter().try_fold(zero, |sum, (name, weight)| {
            let value = values.get(self.index(name)?).copied().flatten()?;
            sum.checked_plus(value.checked_times(*weight)?)
        });
        sum.map(|sum| figure.cut(sum))
    }

    /// The totals of boards, in the order of the figures: `None` for one that is unknown on one of them. Rule 22 of
    /// docs/scoring.md.
    pub(crate) fn totals<'a>(&self, parts: impl Iterator<Item = Part<'a>> + Clone) -> Vec<Option<Points>> {
        let mut totals: Vec<Option<Points>> = Vec::with_capacity(self.figures.len());
        for (at, figure) in self.figures.iter().enumerate() {
            let zero = Points::zero(figure.decimals);
            let values = || parts.clone().map(|part| part.values.get(at).copied().flatten());
            let sum = || values().try_fold(zero, |sum, value| sum.checked_plus(value?));
            let total = match (&figure.from, figure.total) {
                (Source::Add(terms), _) => self.added(figure, terms, &totals),
                (_, Total::Sum | Total::Groups) if at == 0 => {
                    groups::total(&self.groups, self.decimals(), parts.clone())
                }
                (_, Total::Sum | Total::Groups) => sum(),
                (_, Total::Mean) => sum().map(|sum| sum.divided_by(values().count())),
                (_, Total::Min) => {
                    values().collect::<Option<Vec<_>>>().map(|all| all.into_iter().min().unwrap_or(zero))
                }
                (_, Total::Max) => {
                    values().collect::<Option<Vec<_>>>().map(|all| all.into_iter().max().unwrap_or(zero))
                }
            };
            totals.push(total);
        }
        totals
    }

    /// The text of these figures: one alone, or all of them with a separator between; `-` if nothing is known.
    pub(crate) fn text(&self, shown: &[FigureName], values: &[Option<Points>], separator: &str) -> String {
        let value = |name: &FigureName| self.index(name).and_then(|at| values.get(at).copied().flatten());
        if shown.iter().all(|name| value(name).is_none()) {
            return "-".into();
        }
        let texts: Vec<String> =
            shown.iter().map(|name| value(name).map_or_else(|| "-".into(), |value| value.to_string())).collect();
        texts.join(separator)
    }

    /// The names of the figures of a list, as headings: `moves/ups`.
    pub fn names(shown: &[FigureName], separator: &str) -> String {
        shown.iter().map(|name| &**name).collect::<Vec<_>>().join(separator)
    }

    /// The content of cells of boards in that group. Where only the whole group has points, its boards are accepted or not.
    pub fn shown_in(&self, group: Option<&str>) -> JudgedBy {
        let group = group.and_then(|name| self.groups.iter().find(|group| group.name == name));
        match group {
            Some(group) if group.aggregate == Aggregate::All => JudgedBy::Acceptance,
            _ => JudgedBy::Score,
        }
    }

    /// Tests whether these points solve a board, with the points of an accepted answer on that board, if it has some: what
    /// solves every board counts, else these. Rule 8 of docs/scoring.md.
    pub fn solves(&self, points: Points, of_board: Option<Points>) -> bool {
        self.main().full.or(of_board).is_some_and(|full| match self.direction() {
            Direction::Up => points >= full,
            Direction::Down => points <= full,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(text: &str) -> Points {
        text.parse().expect("points")
    }

    fn group(name: &str, aggregate: Aggregate, within: Option<&str>) -> Group {
        Group { name: name.into(), aggregate, within: within.map(Into::into), points: None, requires: Vec::new() }
    }

    fn total(groups: Vec<Group>, parts: &[(&str, &str, bool)]) -> Option<String> {
        let scoring = Scoring { groups, ..Scoring::new(Direction::Up, 1) };
        let values: Vec<[Option<Points>; 1]> =
            parts.iter().map(|&(_, text, _)| [(!text.is_empty()).then(|| points(text))]).collect();
        let parts = parts.iter().zip(&values).map(|(&(group, _, accepted), values)| Part {
            group: (!group.is_empty()).then_some(group),
            values,
            accepted,
        });
        scoring.totals(parts)[0].map(|points| points.to_string())
    }

    #[test]
    fn groups_are_summed_or_take_their_least_or_most() {
        let parts = [
            ("", "1", true),
            ("a", "8", true),
            ("a", "5.5", true),
            ("b", "3", true),
            ("b", "4", true),
            ("c", "9", true),
        ];
        let groups = |aggregate| vec![group("a", aggregate, None), group("b", Aggregate::Sum, Some("a"))];
        assert_eq!(total(groups(Aggregate::Sum), &parts).as_deref(), Some("30.5"), "an unknown group is none");
        assert_eq!(total(groups(Aggregate::Min), &parts).as_deref(), Some("15.5"));
        assert_eq!(total(groups(Aggregate::Max), &parts).as_deref(), Some("18.0"));
        assert_eq!(total(groups(Aggregate::Average), &parts).as_deref(), Some("16.8"), "20.5 in three parts");
        assert_eq!(total(Vec::new(), &[("", "", true)]), None);
        assert_eq!(total(Vec::new(), &[]).as_deref(), Some("0.0"));
    }

    #[test]
    fn a_group_of_all_or_nothing_and_one_that_requires_it() {
        let groups = || {
            let first = Group { points: Some(points("40")), ..group("first", Aggregate::All, None) };
            let second = Group { requires: vec!["first".into()], ..group("second", Aggregate::Min, None) };
            vec![first, second]
        };
        let run = |first| {
            let parts = [("first", "0", first), ("first", "0", true), ("second", "60", true), ("second", "55", true)];
            total(groups(), &parts)
        };
        assert_eq!(run(true).as_deref(), Some("95.0"));
        assert_eq!(run(false).as_deref(), Some("0.0"));
        let chain = |first| {
            let third = Group { requires: vec!["second".into()], ..group("third", Aggregate::Sum, None) };
            let parts = [("first", "0", first), ("second", "60", true), ("third", "5", true)];
            total(groups().into_iter().chain([third]).collect(), &parts)
        };
        assert_eq!((chain(true).as_deref(), chain(false).as_deref()), (Some("105.0"), Some("0.0")));
        assert_eq!(total(groups(), &[("second", "60", true)]).as_deref(), Some("60.0"), "no board of the first");
    }

    #[test]
    fn full_points_solve_a_board_in_the_direction_of_the_contest() {
        use Direction::{Down, Up};
        for (direction, full, of_board, given, solves) in [
            (Up, Some("100"), None, "100.0", true),
            (Up, Some("100"), None, "99.9", false),
            (Down, Some("100"), None, "99", true),
            (Down, Some("100"), None, "101", false),
            (Up, None, Some("10"), "15", true),
            (Up, None, Some("10"), "5", false),
            (Down, None, Some("10"), "5", true),
            (Down, None, Some("10"), "10", true),
            (Down, None, Some("10"), "15", false),
            (Down, Some("3"), Some("10"), "5", false),
            (Down, None, None, "0", false),
        ] {
            let mut scoring = Scoring::new(direction, 0);
            scoring.figures[0].full = full.map(points);
            assert_eq!(scoring.solves(points(given), of_board.map(points)), solves, "{direction:?} {full:?} {given}");
        }
    }

    fn declared(json: &str) -> Scoring {
        serde_json::from_str(json).expect("a declaration")
    }

    #[test]
    fn figures_are_cut_added_and_totalled_as_they_are_declared() {
        let scoring = declared(
            r#"{"figures":[{"name":"score","better":"more"},{"name":"chars","from":"size","total":"max"},
                {"name":"hsec","from":"cpu","unit":10000,"round":"down"},
                {"name":"score2","better":"less","from":{"add":[["chars","1"],["hsec","1"]]}},
                {"name":"least","from":"time","unit":1000000,"decimals":1,"total":"min"},
                {"name":"mean","total":"mean","decimals":1,"failed":"own"}],"cell":["score","score2"]}"#,
        );
        let given = |score: &str, mean: &str| -> Figures {
            ["score", "mean"]
                .iter()
                .zip([score, mean])
                .map(|(name, text)| (FigureName::parse(name).unwrap(), points(text)))
                .collect()
        };
        let measured = |cpu: u64, time| Measured {
            cpu_us: Some(cpu),
            time_us: Some(time),
            size: Some(405),
            ..Measured::default()
        };
        let first = scoring.values(Some(&given("500", "1.25")), None, &measured(899_999, 1_250_000));
        let texts = |values: &[Option<Points>]| -> Vec<String> {
            values.iter().map(|value| value.map_or("-".into(), |value| value.to_string())).collect()
        };
        assert_eq!(texts(&first), ["500", "405", "89", "494", "1.3", "1.3"]);
        let failed = scoring.values(Some(&given("9", "2")), Some(Code::Wrong), &measured(20_000, 100_000));
        assert_eq!(texts(&failed), ["0", "405", "2", "407", "0.1", "2.0"]);
        let lost = scoring.values(Some(&given("9", "2")), Some(Code::JudgeError), &measured(20_000, 100_000));
        assert_eq!(texts(&lost)[..3], ["-", "-", "-"]);
        let part = |values, accepted| Part { group: None, values, accepted };
        let totals = scoring.totals([part(&first[..], true), part(&failed[..], false)].into_iter());
        assert_eq!(texts(&totals), ["500", "405", "91", "496", "0.1", "1.7"], "sums are made of totals");
        assert_eq!(scoring.text(&scoring.cell, &first, "/"), "500/494");
        assert_eq!(texts(&scoring.totals([].into_iter())), ["0", "0", "0", "0", "0.0", "0.0"]);
        let unknown = scoring.totals([part(&first[..], true), part(&[], false)].into_iter());
        assert_eq!(texts(&unknown), ["-"; 6]);
    }

    #[test]
    fn declarations_that_cannot_be_are_refused() {
        for (json, reason) in [
            (r#"{"figures":[]}"#, "the first figure must be one that the referee gives"),
            (r#"{"figures":[{"name":"t","from":"time"}]}"#, "the first figure must be one that the referee gives"),
            (r#"{"figures":[{"name":"time"}]}"#, "`time` is the name of something else"),
            (r#"{"figures":[{"name":"a"},{"name":"a"}]}"#, "duplicate figure `a`"),
            (
                r#"{"figures":[{"name":"a"},{"name":"b","from":{"ratio":"c"}}]}"#,
                "is made of `c`, which must be declared",
            ),
            (
                r#"{"figures":[{"name":"a"},{"name":"b","from":{"ratio":"a"}},{"name":"c","from":{"add":[["b","1"]]}}]}"#,
                "`b`, which is a ratio",
            ),
            (r#"{"figures":[{"name":"a"},{"name":"b","full":"1"}]}"#, "belong to the first figure, `a`, not to `b`"),
            (r#"{"figures":[{"name":"a"}],"cell":["b"]}"#, "unknown figure `b`"),
            (r#"{"figures":[{"name":"a"}],"cell":[]}"#, "cells and totals need a figure each"),
            (
                r#"{"figures":[{"name":"a","total":"min"}],"groups":[{"name":"g","aggregate":"sum"}]}"#,
                "no `total` of its own",
            ),
            (r#"{"figures":[{"name":"9"}]}"#, "is no name of a figure"),
            (r#"{"direction":"up","decimals":0}"#, "by an earlier version of judge"),
            (r#"{"figures":[{"name":"a","decimals":10}]}"#, "a whole number from 0 to 9"),
        ] {
            let refused = serde_json::from_str::<Scoring>(json).expect_err(json).to_string();
            assert!(refused.contains(reason), "{json}: {refused}");
        }
    }
}
