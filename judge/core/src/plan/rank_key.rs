//! The figures that decide places.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::figure::{Better, FigureError, FigureName};
use crate::relative::Direction;
use crate::scoring::Scoring;
use crate::text;

/// A figure that can decide a place. A ranking is a list of them: the first figure in which two rows differ decides. Its text is
/// the name of the figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RankKey {
    /// A figure that the contest declares, or one of a game: progress, moves and tie-break.
    Figure(FigureName),
    /// Wall clock summed over the boards, in milliseconds.
    Time,
    /// The relative score, see [`crate::relative`], summed over the boards.
    Relative,
    /// Boards solved, or answers accepted.
    Solved,
    /// Runs that failed.
    Failed,
    /// Runs that never started, whose time is 0: the entry could not be built or started.
    Unstarted,
}

impl RankKey {
    /// Progress in a game, summed over the boards.
    pub const PROGRESS: Self = Self::Figure(FigureName::PROGRESS);
    /// Moves in a game, summed over the boards.
    pub const MOVES: Self = Self::Figure(FigureName::MOVES);
    /// The tie-break of a game, summed over the boards.
    pub const TIE_BREAK: Self = Self::Figure(FigureName::TIE_BREAK);
    /// The only figure of a contest with one.
    pub const SCORE: Self = Self::Figure(FigureName::SCORE);

    /// The list of the published table of 1995.
    pub const DEFAULT_ORDER: [Self; 7] =
        [Self::PROGRESS, Self::Solved, Self::Failed, Self::MOVES, Self::TIE_BREAK, Self::Unstarted, Self::Time];

    /// The figures that every contest has, whatever it declares.
    const OF_ALL: [Self; 5] = [Self::Time, Self::Relative, Self::Solved, Self::Failed, Self::Unstarted];

    /// All figures by which a contest can be ranked, in the order of help texts.
    pub fn all(scoring: &Scoring) -> Vec<Self> {
        let ranked = scoring.figures.iter().filter(|figure| figure.better != Better::Neither);
        ranked.map(|figure| Self::Figure(figure.name)).chain(Self::OF_ALL).collect()
    }

    /// The figures by which contests usually rank, which a contest file need not name. The counts that [`Self::whole`] adds are
    /// not among them.
    pub fn named_usually(scoring: &Scoring) -> Vec<Self> {
        let ranked = scoring.given().filter(|figure| figure.better != Better::Neither);
        let solved = scoring.accepts().then_some(Self::Solved);
        solved.into_iter().chain(ranked.map(|figure| Self::Figure(figure.name))).chain([Self::Time]).collect()
    }

    /// The usual list for contests with these figures.
    pub fn usual(scoring: &Scoring) -> Vec<Self> {
        Self::whole(&Self::named_usually(scoring), scoring)
    }

    /// The whole list for the named figures, by rule 32 of docs/scoring.md. It prevents that a failure beats a solution. A crash
    /// adds no moves and little time, an illegal answer adds progress but no moves, and an answer that gives up early is short.
    /// So solved boards and failed runs precede the first figure of which less is better, unless they are named. Runs that never
    /// started precede time.
    pub fn whole(named: &[Self], scoring: &Scoring) -> Vec<Self> {
        let mut list: Vec<Self> = Vec::new();
        for &key in named {
            let counts: &[Self] = match key {
                Self::Time => &[Self::Solved, Self::Failed, Self::Unstarted],
                key if key.is_count() || key.better(scoring) == Direction::Up => &[],
                _ => &[Self::Solved, Self::Failed],
            };
            let lacking = counts.iter().filter(|count| !named.contains(count) && !list.contains(count));
            let lacking: Vec<Self> = lacking.copied().collect();
            list.extend(lacking.into_iter().chain([key]));
        }
        list
    }

    /// Tests whether the key counts runs and measures nothing.
    pub fn is_count(self) -> bool {
        matches!(self, Self::Solved | Self::Failed | Self::Unstarted)
    }

    /// The direction in which its values are better.
    pub fn better(self, scoring: &Scoring) -> Direction {
        match self {
            Self::Relative | Self::Solved => Direction::Up,
            Self::Time | Self::Failed | Self::Unstarted => Direction::Down,
            Self::Figure(name) => {
                scoring.index_of(name).map_or(Direction::Up, |at| scoring.figures[at].better.direction())
            }
        }
    }

    /// The key of this name in a contest file with these figures.
    pub fn named(name: &str, scoring: &Scoring) -> Option<Self> {
        Self::all(scoring).into_iter().find(|key| *key.name() == *name)
    }

    /// Reads the name of a key. It refuses a name that is no figure of the contest.
    ///
    /// # Errors
    ///
    /// No figure has this name. The error lists the available figures.
    pub fn read(name: &str, scoring: &Scoring) -> Result<Self, FigureError> {
        Self::named(name, scoring).ok_or_else(|| {
            let all = Self::all(scoring);
            FigureError(match scoring.figure(name) {
                Some(figure) => format!("of figure `{}` neither more nor less is better", figure.name),
                None => text::unknown("figure", name, all.iter().map(|key| key.name())),
            })
        })
    }

    /// The names of keys in their order, as in CSV files.
    pub fn listed(order: &[Self]) -> String {
        order.iter().map(|key| key.name()).collect::<Vec<_>>().join(" ")
    }

    /// Reads the names of keys in their order, separated by blanks, as in CSV files.
    ///
    /// # Errors
    ///
    /// A name is not that of a key.
    pub fn read_list(text: &str, scoring: &Scoring) -> Result<Vec<Self>, FigureError> {
        text.split_whitespace().map(|name| Self::read(name, scoring)).collect()
    }

    /// The name in contest files and JSON.
    pub fn name(&self) -> &str {
        match self {
            Self::Figure(name) => name,
            Self::Time => "time",
            Self::Relative => "relative",
            Self::Solved => "solved",
            Self::Failed => "failed",
            Self::Unstarted => "unstarted",
        }
    }
}

impl Serialize for RankKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// Reads any name of a figure. The caller tests whether the contest has the figure.
impl<'de> Deserialize<'de> for RankKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        if let Some(key) = Self::OF_ALL.into_iter().find(|key| key.name() == name) {
            return Ok(key);
        }
        FigureName::parse(&name).map(Self::Figure).map_err(serde::de::Error::custom)
    }
}
