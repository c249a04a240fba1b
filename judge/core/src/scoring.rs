//! The declaration of a contest: its figures, the contents of cells and totals, and how boards make a total.

mod groups;

use serde::de::{Error as _, IgnoredAny};
use serde::{Deserialize, Deserializer, Serialize};

use crate::code::Code;
use crate::figure::{Better, Failed, Figure, FigureError, FigureName, MAX_FIGURES, RefereeFigures, Source, Total};
use crate::games;
use crate::points::{Points, Sum};
use crate::relative::Direction;
use crate::text::printable;

pub(crate) use groups::Part;
pub use groups::{Aggregate, Group};

/// The figures of a contest and their use. The first figure is one from the referee. In a contest with one score, it is the
/// score: what solves a board, and groups of boards, refer to it. Built-in games declare their figures. `judge` declares those of
/// a contest in which an answer is accepted or not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Scoring {
    /// The figures, at least one, in the order in which they were declared.
    pub figures: Vec<Figure>,
    /// The figures that a cell shows; empty if it shows that an answer is accepted.
    pub cell: Vec<FigureName>,
    /// The figures that a total shows.
    pub total: Vec<FigureName>,
    /// The figure that is the cost of a solution; `None` if answers are compared by the first figure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<FigureName>,
    /// Groups of boards. The total is the sum of the outer groups and of the boards without a group.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<Group>,
}

/// The error for a contest with points that was recorded before figures had names.
const EARLIER: &str =
    "its points have no names of figures: it was recorded by an earlier version of judge, which alone can read it";

/// A declaration as in files, which is checked. Without figures, answers are accepted or not.
impl<'de> Deserialize<'de> for Scoring {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Stored {
            #[serde(default)]
            figures: Vec<Figure>,
            cell: Option<Vec<FigureName>>,
            total: Option<Vec<FigureName>>,
            cost: Option<FigureName>,
            #[serde(default)]
            groups: Vec<Group>,
            direction: Option<IgnoredAny>,
            #[serde(rename = "decimals")]
            _decimals: Option<IgnoredAny>,
            #[serde(rename = "full")]
            _full: Option<IgnoredAny>,
        }
        let Stored { figures, cell, total, cost, groups, direction, .. } = Stored::deserialize(deserializer)?;
        if direction.is_some() {
            return Err(D::Error::custom(EARLIER));
        }
        if figures.is_empty() {
            return Ok(Self::accepted_or_not());
        }
        let usual = Self::from_figures(figures);
        let cell = cell.unwrap_or(usual.cell);
        let total = total.unwrap_or_else(|| cell.clone());
        let read = Self { figures: usual.figures, total, cell, cost, groups };
        read.check().map_err(D::Error::custom)?;
        Ok(read)
    }
}

/// The measured values of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Measured {
    /// Wall clock in microseconds, at most the limit.
    pub(crate) time_us: Option<u64>,
    pub(crate) cpu_us: Option<u64>,
    pub(crate) memory_bytes: Option<u64>,
    /// The time at which the answer that counts had arrived.
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
    /// The declaration of a contest with one figure, `score`. Its sum over all boards counts.
    pub fn new(direction: Direction, decimals: u8) -> Self {
        Self::from_figures(vec![Figure::new(FigureName::SCORE, direction.into(), decimals)])
    }

    /// A declaration of these figures, at least one. Cells and totals show those from the referee.
    pub fn from_figures(figures: Vec<Figure>) -> Self {
        let given = figures.iter().filter(|figure| figure.from == Source::Referee);
        let cell: Vec<FigureName> = given.map(|figure| figure.name).collect();
        Self { figures, total: cell.clone(), cell, cost: None, groups: Vec::new() }
    }

    /// The declaration of a built-in game. Other games get general names.
    pub fn of_game(name: &str) -> Self {
        let usual = || Figure::of_game(["progress", "moves", "tie-break"]);
        let figures = games::find(name).map_or_else(usual, |game| game.figures.clone());
        let scoring = Self::from_figures(figures.into());
        Self { cell: scoring.cell[..2].into(), cost: Some(scoring.cell[1]), ..scoring }
    }

    /// The declaration of a contest in which an answer is accepted or not.
    pub fn accepted_or_not() -> Self {
        let solved = Self::from_figures(vec![Figure::new(FigureName::SOLVED, Better::Neither, 0)]);
        Self { cell: Vec::new(), ..solved }
    }

    /// Tests whether another contest has the same figures, shown in the same way. Their decimals and titles may differ.
    pub fn has_figures_of(&self, other: &Self) -> bool {
        let plain = |scoring: &Self| {
            let plain = |figure: &Figure| Figure { decimals: 0, title: None, digits: 0, ..figure.clone() };
            let figures: Vec<Figure> = scoring.figures.iter().map(plain).collect();
            (figures, scoring.cell.clone(), scoring.total.clone(), scoring.cost)
        };
        plain(self) == plain(other)
    }

    /// Adds the declaration of another problem with the same figures. It keeps the most decimals of each figure and all groups,
    /// and a title only if both have it.
    #[must_use]
    pub fn merged(mut self, other: &Self) -> Self {
        for (figure, own) in self.figures.iter_mut().zip(&other.figures) {
            figure.decimals = figure.decimals.max(own.decimals);
            figure.digits = figure.digits.max(own.digits);
            figure.title = figure.title.take().filter(|title| own.title.as_ref() == Some(title));
        }
        self.groups.extend(other.groups.iter().cloned());
        self
    }

    /// Tests whether an answer is accepted or not, without another figure.
    pub fn accepts(&self) -> bool {
        self.cell.is_empty()
    }

    /// The cost of a solution, such as the moves of a game. Only answers that solve their board are compared, by this figure.
    /// `None` if all accepted answers are compared by the first figure.
    pub fn cost(&self) -> Option<&Figure> {
        let cost = self.cost?;
        self.figures.iter().find(|figure| figure.name == cost)
    }

    /// Tests whether answers are compared by the first figure, and neither by the cost of solutions nor by acceptance.
    pub fn scores(&self) -> bool {
        self.cost.is_none() && !self.accepts()
    }

    /// The index of the figure by which answers are compared, by rule 38 of docs/scoring.md: the cost of a solution, otherwise
    /// the first figure.
    pub fn compared(&self) -> usize {
        self.cost.and_then(|cost| self.figures.iter().position(|figure| figure.name == cost)).unwrap_or(0)
    }

    /// The direction in which the figure of [`Self::compared`] is better.
    pub fn direction(&self) -> Direction {
        self.figures[self.compared()].better.direction()
    }

    /// The first figure, see [`Scoring`].
    pub fn main(&self) -> &Figure {
        &self.figures[0]
    }

    /// The figures from the referee; empty if an answer is accepted or not.
    pub fn given(&self) -> impl Iterator<Item = &Figure> {
        self.figures.iter().filter(|figure| figure.from == Source::Referee && !self.accepts())
    }

    /// The index of a figure in every list of values.
    pub fn index(&self, name: &str) -> Option<usize> {
        self.figures.iter().position(|figure| figure.name.is(name))
    }

    /// The index of a figure whose name is parsed. Tables and comparisons call it for every cell, so it compares no text.
    pub(crate) fn index_of(&self, name: FigureName) -> Option<usize> {
        self.figures.iter().position(|figure| figure.name == name)
    }

    /// The figure with this name.
    pub fn figure(&self, name: &str) -> Option<&Figure> {
        self.figures.iter().find(|figure| figure.name.is(name))
    }

    /// Tests whether a declaration is possible, whatever its form in the file.
    ///
    /// # Errors
    ///
    /// A figure or a list is invalid.
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
        for name in self.cell.iter().chain(&self.total).chain(&self.cost) {
            if self.index(name).is_none() {
                return Err(format!("unknown figure `{name}`"));
            }
        }
        if let Some(cost) = self.cost().filter(|cost| cost.better != Better::Less || cost.name == self.main().name) {
            return Err(format!("cost `{}` must be a figure of which less is better, and not the first", cost.name));
        }
        match (self.cell.is_empty() || self.total.is_empty(), self.main().total) {
            (true, _) => Err("cells and totals need a figure each".into()),
            (_, Total::Sum | Total::Groups) => Ok(()),
            _ if self.groups.is_empty() => Ok(()),
            _ => Err("groups of boards make the total of the first figure, so it has no `total` of its own".into()),
        }
    }

    /// The values of one result, in the order of the figures, by rules 5 and 10 of docs/scoring.md. Ratios depend on the other
    /// results, see [`ranking::rank`](crate::ranking::rank).
    pub(crate) fn values(
        &self,
        given: Option<&RefereeFigures>,
        code: Option<Code>,
        measured: &Measured,
    ) -> Box<[Option<Points>]> {
        let mut values: Vec<Option<Points>> = Vec::with_capacity(self.figures.len());
        for figure in &self.figures {
            let own = || match &figure.from {
                // The verdict decides it.
                Source::Referee if self.accepts() => Some(Points::whole(1)),
                Source::Referee => given.and_then(|given| given.figures.of(figure.name)).map(|value| figure.cut(value)),
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
        values.into()
    }

    /// The values of an accepted result. Only some are known, and others follow from these.
    pub(crate) fn shown_values(&self, known: &[(FigureName, Points)]) -> Box<[Option<Points>]> {
        let mut values: Vec<Option<Points>> = Vec::with_capacity(self.figures.len());
        for figure in &self.figures {
            let shown = known.iter().find(|(name, _)| *name == figure.name).map(|(_, value)| *value);
            let made = match &figure.from {
                Source::Add(terms) => self.added(figure, terms, &values),
                _ => None,
            };
            values.push(shown.or(made));
        }
        values.into()
    }

    /// The weighted sum of other figures, whose values are known.
    fn added(&self, figure: &Figure, terms: &[(FigureName, Points)], values: &[Option<Points>]) -> Option<Points> {
        let zero = Points::zero(0);
        let sum = terms.iter().try_fold(zero, |sum, (name, weight)| {
            let value = values.get(self.index(name)?).copied().flatten()?;
            sum.checked_plus(value.checked_times(*weight)?)
        });
        sum.map(|sum| figure.cut(sum))
    }

    /// The totals of boards in the order of the figures, by rule 22 of docs/scoring.md; `None` for a figure that is unknown on
    /// one board.
    pub(crate) fn totals<'a>(&self, parts: impl Iterator<Item = Part<'a>> + Clone) -> Box<[Option<Points>]> {
        let mut sums: Vec<Sum> = self.figures.iter().map(|figure| Sum::new(figure.decimals)).collect();
        let mut boards = 0;
        // One pass for all figures, because the boards are many.
        for part in parts.clone() {
            boards += 1;
            for (at, sum) in sums.iter_mut().enumerate() {
                sum.add(part.values.get(at).copied().flatten());
            }
        }
        let mut totals: Vec<Option<Points>> = Vec::with_capacity(self.figures.len());
        for ((at, figure), sum) in self.figures.iter().enumerate().zip(sums) {
            let values = || parts.clone().map(|part| part.values.get(at).copied().flatten());
            let extreme = |best: fn(Points, Points) -> Points| match boards {
                0 => sum.total(),
                _ => values().reduce(|one, other| Some(best(one?, other?))).flatten(),
            };
            let total = match (&figure.from, figure.total) {
                (Source::Add(terms), _) => self.added(figure, terms, &totals),
                (_, Total::Sum | Total::Groups) if at == 0 && !self.groups.is_empty() => {
                    groups::total(&self.groups, figure.decimals, parts.clone())
                }
                (_, Total::Sum | Total::Groups) => sum.total(),
                (_, Total::Mean) => sum.total().map(|sum| sum.divided_by(boards)),
                (_, Total::Min) => extreme(Ord::min),
                (_, Total::Max) => extreme(Ord::max),
            };
            totals.push(total);
        }
        totals.into()
    }

    /// Tests whether a total of the figure at this index is the sum of its values.
    pub(crate) fn is_sum(&self, at: usize) -> bool {
        let figure = &self.figures[at];
        let summed = matches!(figure.total, Total::Sum | Total::Groups) && (at > 0 || self.groups.is_empty());
        summed && !matches!(figure.from, Source::Add(_) | Source::Ratio(_))
    }

    /// The text of these figures, with a separator between them; `-` if all of them are unknown.
    pub(crate) fn text(&self, shown: &[FigureName], values: &[Option<Points>], separator: &str) -> String {
        let value = |name: &FigureName| self.index(name).and_then(|at| values.get(at).copied().flatten());
        if shown.iter().all(|name| value(name).is_none()) {
            return "-".into();
        }
        let texts: Vec<String> =
            shown.iter().map(|name| value(name).map_or_else(|| "-".into(), |value| value.to_string())).collect();
        texts.join(separator)
    }

    /// Describes the relative score of a board to the best known answer, as a fragment.
    pub fn relative_rule(&self) -> String {
        match (self.direction(), self.cost()) {
            _ if self.accepts() => "1 for an accepted answer, else 0".into(),
            (_, Some(cost)) => format!(
                "the fewest {} known, or here, divided by the entry's own, 0 if it did not solve the board",
                printable(cost.title())
            ),
            (Direction::Down, None) => {
                "the best points known, or here, divided by the entry's own, 0 without an answer".into()
            }
            (Direction::Up, None) => {
                "the entry's points divided by the best known, or here, 0 without an answer".into()
            }
        }
    }

    /// The names of the figures as a heading, such as `moves/ups`.
    pub fn names(shown: &[FigureName], separator: &str) -> String {
        shown.iter().map(|name| &**name).collect::<Vec<_>>().join(separator)
    }

    /// Tests whether a cell of a board in this group shows only that an answer is accepted. That is so if only the whole group
    /// has points.
    pub fn accepts_in(&self, group: Option<&str>) -> bool {
        let group = group.and_then(|name| self.groups.iter().find(|group| group.name == name));
        self.accepts() || group.is_some_and(|group| group.aggregate == Aggregate::All)
    }

    /// Tests whether a total is one text of all its figures, padded with zeros as in the table of 1995. Otherwise each figure has
    /// a column.
    pub fn total_is_one_text(&self) -> bool {
        self.total.iter().all(|name| self.figure(name).is_some_and(|figure| figure.digits > 0))
    }

    /// The things that the figure counts, in the plural; `None` if it counts nothing.
    pub(crate) fn counts(&self, name: FigureName) -> Option<&str> {
        self.figure(&name)?.title.as_deref()
    }

    /// The word for a better value: `fewer` for counted things, otherwise `less`.
    pub(crate) fn comparative(&self, name: FigureName, better: Direction) -> &'static str {
        match (better, self.counts(name)) {
            (Direction::Up, _) => "more",
            (Direction::Down, Some(_)) => "fewer",
            (Direction::Down, None) => "less",
        }
    }

    /// The text of a total, by rule 61 of docs/scoring.md: its figures with a blank between them, or one text such as
    /// `125/0453/062`.
    pub(crate) fn total_text(&self, values: &[Option<Points>]) -> String {
        if !self.total_is_one_text() {
            return self.text(&self.total, values, " ");
        }
        let filled = |name: &FigureName| {
            let at = self.index(name)?;
            let digits = self.figures[at].digits.into();
            Some(values.get(at)?.map_or("-".into(), |value| format!("{:0>digits$}", value.to_string())))
        };
        self.total.iter().filter_map(filled).collect::<Vec<_>>().join("/")
    }

    /// Tests whether these points solve a board, by rule 8 of docs/scoring.md. The goal is the value that solves every board,
    /// otherwise the points of an accepted answer on this board.
    pub fn solves(&self, points: Points, of_board: Option<Points>) -> bool {
        self.main().full.or(of_board).is_some_and(|full| match self.main().better.direction() {
            Direction::Up => points >= full,
            Direction::Down => points <= full,
        })
    }
}

#[cfg(test)]
mod tests;
