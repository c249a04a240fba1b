//! Matches, in which entries play each other. A game is a run with several seats. A referee program asks the seats for moves and
//! gives points to each.

mod clock;
mod dialogue;
mod played;
mod schedule;
mod scoring;
mod transcript;

use std::fmt;

use serde::{Deserialize, Serialize};

use judge_job::{Limits, Machine, duration_text, named};

use crate::figure::{Figure, Figures};
use crate::points::Points;
use crate::verdict::Verdict;

pub use clock::SeatClock;
pub use dialogue::{game_dialogue, seat_dialogue};
pub use played::GameResult;
pub use schedule::{Schedule, Tie};
pub(crate) use scoring::{DRAWN, FAULTS, LOST, PAIRS, POINTS, WON};
pub use scoring::{OF_GAMES, scoring};
pub use transcript::{GameEvent, GameEventKind, GameLine, MoveTime, TruncatedText};

/// The rules for the games of a contest: `[match]` of a contest file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct MatchRules {
    /// The number of entries in a game.
    pub seats: Seats,
    /// The lifetime of a program.
    pub life: Life,
    /// The limits of a seat's clock.
    pub clock: Clock,
    /// The private folder of a seat during a game; `None` without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keep: Option<Keep>,
    /// Decimals of the points of a seat, at most [`MAX_DECIMALS`](crate::points::MAX_DECIMALS).
    #[serde(default, deserialize_with = "crate::figure::decimals")]
    pub decimals: u8,
    /// The schedule of rounds that do not set one.
    #[serde(default)]
    pub schedule: Schedule,
    /// True if an entry plays only after a line of the journal has named it among the players, as in a contest of teams.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub called: bool,
    /// The figures besides points that the referee gives to each seat.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub figures: Vec<Figure>,
}

impl MatchRules {
    /// Rules for a round robin with all seatings, without a clock, a folder and decimals.
    pub fn new(seats: Seats, life: Life) -> Self {
        let (clock, schedule) = (Clock::default(), Schedule::default());
        Self { seats, life, clock, keep: None, decimals: 0, schedule, called: false, figures: Vec::new() }
    }
}

impl MatchRules {
    /// The time that a seat has in a game, in milliseconds, under these limits of a run. Increments are not included. If the
    /// clock limits only single asks, the number of asks is not known, and the result is a guess.
    pub fn seat_ms(&self, limits: &Limits) -> u64 {
        self.clock.game_ms.unwrap_or(limits.wall_ms)
    }
}

/// A line with everything that decides games.
impl fmt::Display for MatchRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = |ms: u64| duration_text(ms);
        match self.seats {
            Seats::Number(seats) => write!(f, "{seats} seats")?,
            Seats::All => f.write_str("a seat for each entry")?,
        }
        let life = if self.life == Life::Game { "per seat and game" } else { "per ask" };
        write!(f, ", a process {life}")?;
        let Clock { move_ms, game_ms, increment_ms } = self.clock;
        if let Some(ms) = move_ms {
            write!(f, ", {} for an ask", time(ms))?;
        }
        if let Some(ms) = game_ms {
            write!(f, ", {} for a game", time(ms))?;
        }
        if increment_ms > 0 {
            write!(f, " and {} more for an answer", time(increment_ms))?;
        }
        if let Some(Keep { bytes, argument }) = self.keep {
            write!(f, ", a folder of {bytes} bytes{}", if argument { " as last argument" } else { "" })?;
        }
        write!(f, ", points with {} decimals", self.decimals)?;
        self.figures.iter().try_for_each(|figure| write!(f, ", {figure}"))?;
        write!(f, ", {}", self.schedule)?;
        if self.called { f.write_str(", between players of teams") } else { Ok(()) }
    }
}

/// The number of entries in a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Seats {
    /// Exactly this many, at least 1.
    Number(u32),
    /// All entries of a round in one game.
    All,
}

named! {
    /// The lifetime of the program of a seat.
    #[derive(Default)]
    pub enum Life {
        /// A process per seat and game. An ask is one or more lines on its standard input, and the answer is a line of its
        /// standard output.
        #[default]
        Game = "game",
        /// A process per ask. The ask is its standard input, and its standard output is the answer.
        Move = "move",
    }
}

/// The limits of a seat's clock, in milliseconds. The clock runs only while the seat is to move.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Clock {
    /// The limit for each ask; `None` for no such limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub move_ms: Option<u64>,
    /// The limit for all asks of a game together; `None` for no such limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game_ms: Option<u64>,
    /// The time that every answer adds to that of the game.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub increment_ms: u64,
}

/// A private folder of a seat during one game. `JUDGE_KEEP` contains its path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Keep {
    /// The bytes that the folder may hold.
    pub bytes: u64,
    /// True if its path is also the last argument of the program.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub argument: bool,
}

/// A game that was played to its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Played {
    /// The seats in their order.
    pub seats: Vec<SeatResult>,
    /// Remarks for the organiser, as fragments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The reason why the times are unreliable, as a fragment: other processes took processor time from a seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suspect: Option<String>,
    /// The positions that the referee recorded, in the form of `external::write_frames`; not part of the record. `at` of a
    /// position is the number of answers before it, or another count of the referee.
    #[serde(skip)]
    pub frames: Vec<u8>,
    /// The machine that played it; not part of the record.
    #[serde(skip)]
    pub machine: Option<Box<Machine>>,
}

/// The result of one seat of a game. Times are microseconds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SeatResult {
    /// The points from the referee.
    pub points: Points,
    /// The figures that the contest declares. Without a result, they are unknown.
    #[serde(default, skip_serializing_if = "Figures::is_empty")]
    pub figures: Figures,
    /// The fault that put it out of the game; `None` if it stayed until the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
    /// Number of asks.
    pub asks: u64,
    /// Time on its clock over all asks.
    pub used_us: u64,
    /// Time of the longest ask.
    pub longest_us: u64,
    /// Processor time in the whole game; `None` if it was not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_us: Option<u64>,
    /// The most memory it used, in bytes; `None` if it was not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<u64>,
}

/// The fault for which a seat was put out of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// The number of the ask, from 1.
    pub ask: u64,
    /// The kind of fault: late, crashed, too much output or memory, or against the rules of the game.
    pub verdict: Verdict,
}

impl Played {
    /// A game with these results and no remarks.
    pub fn new(seats: Vec<SeatResult>) -> Self {
        Self { seats, notes: Vec::new(), suspect: None, frames: Vec::new(), machine: None }
    }

    /// A game of this many seats without asks and points.
    pub fn of_seats(seats: usize) -> Self {
        Self::new(vec![SeatResult::default(); seats])
    }
}

impl SeatResult {
    /// The result of a seat without asks.
    pub fn new(points: Points) -> Self {
        Self { points, ..Self::default() }
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_of_a_recorded_contest_have_no_more_decimals_than_points_can_have() {
        let rules = |decimals: u32| {
            let text = format!(r#"{{"seats":{{"number":2}},"life":"game","clock":{{}},"decimals":{decimals}}}"#);
            serde_json::from_str::<MatchRules>(&text).map(|rules| rules.decimals).ok()
        };
        assert_eq!([0, 9, 10, 255, 256].map(rules), [Some(0), Some(9), None, None, None]);
    }
}
