//! Results of a game that follow from its points.

use std::fmt;

use super::{Fault, Played, SeatResult};
use crate::text::counted;
use crate::verdict::Verdict;

/// The result of a seat of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum GameResult {
    /// No other seat has as many points.
    Won,
    /// Another seat has as many points, and no seat has more.
    Drawn,
    /// Another seat has more points.
    Lost,
}

impl Played {
    /// A game that was not played, because some programs could not be built: those of the seats with a verdict.
    pub fn unbuilt(seats: impl Iterator<Item = Option<Verdict>>) -> Self {
        let fault = |verdict: Option<Verdict>| verdict.map(|verdict| Fault { ask: 0, verdict });
        let seats = seats.map(|verdict| SeatResult { fault: fault(verdict), ..SeatResult::default() });
        Self::new(seats.collect())
    }

    /// The result of a seat. Seats count from 0.
    ///
    /// # Panics
    ///
    /// The game has no such seat.
    pub fn outcome(&self, seat: usize) -> GameResult {
        let own = self.seats[seat].points;
        let others =
            || self.seats.iter().enumerate().filter(|(other, _)| *other != seat).map(|(_, other)| other.points);
        match others().max() {
            None => GameResult::Won,
            Some(best) if own > best => GameResult::Won,
            Some(best) if own == best => GameResult::Drawn,
            Some(_) => GameResult::Lost,
        }
    }
}

/// The result of a seat, such as `1 points, 4 asks in 0.030 s, longest 0.012 s`, and its fault if it has one.
impl fmt::Display for SeatResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} points", self.points)?;
        if !self.figures.is_empty() {
            write!(f, ", {}", self.figures)?;
        }
        let [used, longest] = [self.used_us, self.longest_us].map(|us| us as f64 / 1e6);
        write!(f, ", {} in {used:.3} s, longest {longest:.3} s", counted(self.asks, "asks"))?;
        match &self.fault {
            None => Ok(()),
            Some(fault) => write!(f, ", out at ask {}: {}", fault.ask, fault.verdict.fault().unwrap_or_default()),
        }
    }
}

/// The points in the order of the seats, such as `1 - 0`.
impl fmt::Display for Played {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let points: Vec<String> = self.seats.iter().map(|seat| seat.points.to_string()).collect();
        f.pad(&points.join(" - "))
    }
}
