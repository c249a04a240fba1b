//! Figures: the named numbers of a result, and what a contest declares about them.
//!
//! A referee gives some figures, the judge measures others, and some are computed from others. Every list of values has the order
//! of their declaration.

mod given;
mod name;

use std::borrow::Cow;
use std::fmt;

use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::points::{MAX_DECIMALS, Points, Round};
use crate::relative::Direction;
use judge_job::{Bounded, named};

pub(crate) use given::EARLIER;
pub use given::RefereeFigures;
pub use name::{FigureError, FigureName, MAX_NAME};

/// The most figures of a contest.
pub const MAX_FIGURES: usize = 16;
/// Reserved names, which every contest has.
const RESERVED: [&str; 8] = ["time", "solved", "failed", "unstarted", "relative", "penalty", "last", "verdict"];

/// Figures of one answer, by name. Equality ignores their order.
#[derive(Debug, Clone, Default, Eq)]
pub struct Figures(Box<[(FigureName, Points)]>);

impl Figures {
    /// A single figure.
    pub fn one(name: FigureName, value: Points) -> Self {
        Self(Box::new([(name, value)]))
    }

    /// The figure of that name; `None` if the referee did not give it.
    pub fn get(&self, name: &str) -> Option<Points> {
        self.0.iter().find(|(known, _)| **known == *name).map(|(_, value)| *value)
    }

    /// Like [`Self::get`], for a parsed name.
    pub(crate) fn of(&self, name: FigureName) -> Option<Points> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    /// The first figure, which decides whether an answer solves its board.
    pub fn first(&self) -> Option<Points> {
        self.0.first().map(|(_, value)| *value)
    }

    /// All figures, in their order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Points)> {
        self.0.iter().map(|(name, value)| (&**name, *value))
    }

    /// Tests whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Takes the values out, so that only names are left.
    pub(crate) fn take_values(&mut self) -> impl ExactSizeIterator<Item = Points> {
        self.0.iter_mut().map(|(_, value)| std::mem::take(value))
    }

    /// Gives the names the first of these values.
    pub(crate) fn put_values(&mut self, values: &[Points]) {
        self.0.iter_mut().zip(values).for_each(|((_, value), &put)| *value = put);
    }

    /// Tests whether others have the same names in the same order.
    pub(crate) fn is_named_as(&self, other: &Self) -> bool {
        self.0.iter().map(|(name, _)| name).eq(other.0.iter().map(|(name, _)| name))
    }
}

impl PartialEq for Figures {
    fn eq(&self, other: &Self) -> bool {
        self.0.len() == other.0.len() && self.0.iter().all(|(name, value)| other.of(*name) == Some(*value))
    }
}

impl FromIterator<(FigureName, Points)> for Figures {
    fn from_iter<I: IntoIterator<Item = (FigureName, Points)>>(figures: I) -> Self {
        Self(figures.into_iter().collect())
    }
}

impl fmt::Display for Figures {
    /// Writes `moves 620, ups 188`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (name, value)) in self.iter().enumerate() {
            write!(f, "{}{name} {value}", if at > 0 { ", " } else { "" })?;
        }
        Ok(())
    }
}

impl Serialize for Figures {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de> Deserialize<'de> for Figures {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Named;
        impl<'de> Visitor<'de> for Named {
            type Value = Figures;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("figures by their names")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Figures, A::Error> {
                // A game has three figures.
                let mut figures: Vec<(FigureName, Points)> = Vec::with_capacity(3);
                while let Some((name, value)) = map.next_entry::<FigureName, Points>()? {
                    if figures.iter().any(|(known, _)| *known == name) {
                        return Err(A::Error::custom(format!("duplicate figure `{name}`")));
                    }
                    figures.push((name, value));
                }
                Ok(Figures(figures.into()))
            }
        }
        deserializer.deserialize_map(Named)
    }
}

/// Values of a result by the names of their figures, in the order of their declaration. In JSON, an unknown value is `null`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Named(Box<[(FigureName, Option<Points>)]>);

impl Named {
    /// The values in their order; `None` for an unknown one.
    pub fn values(&self) -> impl Iterator<Item = Option<Points>> {
        self.0.iter().map(|(_, value)| *value)
    }
}

impl FromIterator<(FigureName, Option<Points>)> for Named {
    fn from_iter<I: IntoIterator<Item = (FigureName, Option<Points>)>>(values: I) -> Self {
        Self(values.into_iter().collect())
    }
}

impl Serialize for Named {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

named! {
    /// The direction in which values of a figure are better.
    #[derive(Default)]
    pub enum Better {
        /// Larger values are better.
        More = "more",
        /// Smaller values are better.
        Less = "less",
        /// Neither: the figure is shown and never ranked.
        #[default]
        Neither = "neither",
    }
}

impl Better {
    /// The direction in which values are compared.
    pub fn direction(self) -> Direction {
        match self {
            Self::Less => Direction::Down,
            Self::More | Self::Neither => Direction::Up,
        }
    }
}

impl From<Direction> for Better {
    fn from(direction: Direction) -> Self {
        match direction {
            Direction::Up => Self::More,
            Direction::Down => Self::Less,
        }
    }
}

/// The origin of a value of one result.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The referee gives it.
    #[default]
    Referee,
    /// The wall-clock time of the run, at most its limit.
    Time,
    /// CPU time of its processes.
    Cpu,
    /// The most memory of its processes together.
    Memory,
    /// The size of the entry.
    Size,
    /// The time at which the counting answer had arrived, in a stream of answers; otherwise, the wall-clock time.
    Answer,
    /// The sum of other figures with factors: cells are sums of cells, and totals are sums of totals.
    Add(Vec<(FigureName, Points)>),
    /// The ratio to the best value of another figure on the same board.
    Ratio(FigureName),
}

impl Source {
    /// The words for `from` in a contest file, without values that are computed from other figures.
    pub const NAMED: [(&str, Self); 6] = [
        ("referee", Self::Referee),
        ("time", Self::Time),
        ("cpu", Self::Cpu),
        ("memory", Self::Memory),
        ("size", Self::Size),
        ("answer", Self::Answer),
    ];

    /// The word in a contest file; `None` if the value is computed from other figures.
    fn name(&self) -> Option<&'static str> {
        Self::NAMED.iter().find(|(_, one)| one == self).map(|(name, _)| *name)
    }

    /// Tests whether the judge measures it.
    pub fn is_measured(&self) -> bool {
        matches!(self, Self::Time | Self::Cpu | Self::Memory | Self::Size | Self::Answer)
    }

    /// Tests whether it is a duration, in microseconds.
    pub fn is_time(&self) -> bool {
        matches!(self, Self::Time | Self::Cpu | Self::Answer)
    }
}

/// The value of a failed result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failed {
    /// The measured value, or the one that the referee gave before the fault; otherwise 0.
    Own,
    /// This number.
    Counts(Points),
}

impl Serialize for Failed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Own => serializer.serialize_str(OWN),
            Self::Counts(number) => number.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Failed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        if text == OWN { Ok(Self::Own) } else { text.parse().map(Self::Counts).map_err(D::Error::custom) }
    }
}

/// The word for [`Failed::Own`].
const OWN: &str = "own";

named! {
    /// The way in which the values of several boards become a total.
    #[derive(Default)]
    pub enum Total {
        /// Their sum.
        #[default]
        Sum = "sum",
        /// Their mean, rounded to the decimals of the figure.
        Mean = "mean",
        /// The smallest value.
        Min = "min",
        /// The largest value.
        Max = "max",
        /// Computed by the groups of boards; without groups, their sum.
        Groups = "groups",
    }
}

/// A named number of every result, in the contest's declaration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Stored")]
#[non_exhaustive]
pub struct Figure {
    /// Its name, unique in the contest.
    pub name: FigureName,
    /// The direction in which values are better.
    pub better: Better,
    /// The origin of its values.
    #[serde(skip_serializing_if = "is_usual")]
    pub from: Source,
    /// The microseconds or bytes per unit, for a measured figure.
    #[serde(skip_serializing_if = "is_one")]
    pub unit: u64,
    /// Number of decimals, at most [`MAX_DECIMALS`].
    pub decimals: u8,
    /// The rounding to these decimals.
    #[serde(skip_serializing_if = "is_usual")]
    pub round: Round,
    /// The value of a failed result.
    pub failed: Failed,
    /// The way in which boards become a total.
    #[serde(skip_serializing_if = "is_usual")]
    pub total: Total,
    /// The value that solves a board; `None` without such a value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub full: Option<Points>,
    /// Its unit in the plural, for people; `None` if that is its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<Cow<'static, str>>,
    /// The digits to which totals are padded with zeros; 0 for no padding.
    #[serde(skip_serializing_if = "is_usual")]
    pub digits: u8,
}

/// A figure in its stored form, which may leave out defaults.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    name: FigureName,
    #[serde(default)]
    better: Better,
    #[serde(default)]
    from: Source,
    #[serde(default = "one")]
    unit: u64,
    #[serde(default, deserialize_with = "decimals")]
    decimals: u8,
    #[serde(default)]
    round: Round,
    failed: Option<Failed>,
    #[serde(default)]
    total: Total,
    full: Option<Points>,
    title: Option<Cow<'static, str>>,
    #[serde(default)]
    digits: u8,
}

impl From<Stored> for Figure {
    fn from(stored: Stored) -> Self {
        let Stored { name, better, from, unit, decimals, round, failed, total, full, title, digits } = stored;
        let usual = if from.is_measured() { Failed::Own } else { Failed::Counts(Points::zero(decimals)) };
        let failed = failed.unwrap_or(usual);
        Self { name, better, from, unit, decimals, round, failed, total, full, title, digits }
    }
}

fn is_usual<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn one() -> u64 {
    1
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_one(unit: &u64) -> bool {
    *unit == 1
}

/// Reads a number of decimals that figures can have.
pub(crate) fn decimals<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
    let decimals = Bounded::<{ MAX_DECIMALS as u64 }>::number(deserializer)?;
    Ok(u8::try_from(decimals).expect("at most nine"))
}

impl Figure {
    /// A figure that the referee gives, with a value of 0 for a failure.
    pub const fn new(name: FigureName, better: Better, decimals: u8) -> Self {
        Self::given((name, better, decimals), Failed::Counts(Points::zero(decimals)), None, 0)
    }

    const fn given(
        (name, better, decimals): (FigureName, Better, u8),
        failed: Failed,
        title: Option<Cow<'static, str>>,
        digits: u8,
    ) -> Self {
        let (from, round, total) = (Source::Referee, Round::Nearest, Total::Sum);
        Self { name, better, from, unit: 1, decimals, round, failed, total, full: None, title, digits }
    }

    /// The figures of a game, with their units. They are the progress of an answer, such as `tiles home`, even before a fault;
    /// its moves; and the tie-break between answers with equal moves. Rule 3 of docs/scoring.md.
    pub(crate) const fn of_game([progress, moves, tie_break]: [&'static str; 3]) -> [Self; 3] {
        let nothing = Failed::Counts(Points::zero(0));
        [
            Self::given((FigureName::PROGRESS, Better::More, 0), Failed::Own, Some(Cow::Borrowed(progress)), 3),
            Self::given((FigureName::MOVES, Better::Less, 0), nothing, Some(Cow::Borrowed(moves)), 4),
            Self::given((FigureName::TIE_BREAK, Better::Less, 0), nothing, Some(Cow::Borrowed(tie_break)), 3),
        ]
    }

    /// Its title for people.
    pub fn title(&self) -> &str {
        self.title.as_deref().unwrap_or(&self.name)
    }

    /// The reason why a name is taken, as a fragment.
    pub fn reserved(name: &str) -> Option<String> {
        RESERVED.contains(&name).then(|| format!("`{name}` is the name of something else; choose another one"))
    }

    /// The number of a text, rounded to the figure's decimals.
    ///
    /// # Errors
    ///
    /// The text is not a number, or the number is too large, as a fragment.
    pub fn parse(&self, text: &str) -> Result<Points, FigureError> {
        Points::parse_rounded(text, self.decimals, self.round).map_err(|error| FigureError(error.to_string()))
    }

    /// A measured number of microseconds or bytes in the figure's unit, rounded to its decimals.
    pub(crate) fn measured(&self, value: u64) -> Points {
        Points::ratio(i128::from(value), i128::from(self.unit.max(1)), self.decimals, self.round)
    }

    /// A value that was computed from others, rounded to the figure's decimals.
    pub(crate) fn cut(&self, value: Points) -> Points {
        value.rounded(self.decimals, self.round)
    }
}

/// Writes all properties in one line, including those that a contest file leaves out.
impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, better, from, decimals, .. } = self;
        let word = from.name().unwrap_or_default();
        let source = match from {
            Source::Referee => "from the referee".to_owned(),
            Source::Add(terms) => {
                let terms: Vec<String> = terms.iter().map(|(name, weight)| format!("{weight} × {name}")).collect();
                terms.join(" + ")
            }
            Source::Ratio(of) => format!("ratio to the best {of} of these results"),
            Source::Memory | Source::Size => format!("{word} in units of {} bytes", self.unit),
            Source::Time | Source::Cpu | Source::Answer => format!("{word} in units of {} µs", self.unit),
        };
        let better = match better {
            Better::Neither => "neither more nor less is better",
            Better::More => "more is better",
            Better::Less => "less is better",
        };
        let round = if self.round == Round::Down { ", cut" } else { "" };
        write!(f, "{name}: {source}, {better}, {decimals} decimals{round}, a total is the {}", self.total.name())?;
        match self.failed {
            Failed::Own => write!(f, ", a failure counts its own")?,
            Failed::Counts(number) => write!(f, ", a failure counts {number}")?,
        }
        self.full.map_or(Ok(()), |full| write!(f, ", {full} solves a board"))
    }
}
