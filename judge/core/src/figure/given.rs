//! The figures that an answer was given.

use std::fmt;

use serde::de::{Error as _, IgnoredAny};
use serde::{Deserialize, Deserializer, Serialize};

use super::Figures;
use crate::points::Points;

/// The figures that a referee gave to an answer, or its replay in a built-in game. The verdict decides acceptance.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct RefereeFigures {
    /// The figures that the contest declares; empty if answers are only accepted or not.
    #[serde(skip_serializing_if = "Figures::is_empty")]
    pub figures: Figures,
    /// The value of the first figure that solves the board, if the figures came with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub full: Option<Points>,
}

/// The refusal of figures in the earlier form without names.
pub(crate) const EARLIER: &str = "its figures have no names";

impl<'de> Deserialize<'de> for RefereeFigures {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Stored {
            #[serde(default)]
            figures: Figures,
            full: Option<Points>,
            progress: Option<IgnoredAny>,
        }
        match Stored::deserialize(deserializer)? {
            Stored { progress: Some(_), .. } => Err(D::Error::custom(EARLIER)),
            Stored { figures, full, progress: None } => Ok(Self { figures, full }),
        }
    }
}

impl RefereeFigures {
    /// Only figures.
    pub fn new(figures: Figures) -> Self {
        Self { figures, full: None }
    }

    /// The end of a curve of progress: the value of the first figure that solves the board, or 1 if it is unknown.
    pub fn goal(&self) -> u64 {
        self.full.map_or(1, |full| u64::try_from(full.units()).unwrap_or(0))
    }

    /// Tests whether the first figure equals the value that solves the board; `None` if that value is unknown.
    pub fn solves(&self) -> Option<bool> {
        self.full.map(|full| self.figures.first() == Some(full))
    }
}

impl fmt::Display for RefereeFigures {
    /// Writes `home 24 of 25, moves 90`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (name, value)) in self.figures.iter().enumerate() {
            write!(f, "{}{name} {value}", if at > 0 { ", " } else { "" })?;
            if let Some(full) = self.full.filter(|_| at == 0) {
                write!(f, " of {full}")?;
            }
        }
        Ok(())
    }
}
