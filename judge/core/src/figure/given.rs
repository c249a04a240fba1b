//! What an answer was given.

use std::fmt;

use serde::de::{Error as _, IgnoredAny};
use serde::{Deserialize, Deserializer, Serialize};

use super::Figures;
use crate::points::Points;

/// What a referee gave to an answer, or its replay in a built-in game. Whether the answer is accepted is the verdict.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Given {
    /// The figures that the contest asks for; none where an answer is accepted or not.
    #[serde(skip_serializing_if = "Figures::is_empty")]
    pub figures: Figures,
    /// What the first of them must reach to solve the board, if that was said with them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub full: Option<Points>,
}

/// The refusal of figures in the form that they had before they had names.
pub(crate) const EARLIER: &str = "its figures have no names";

impl<'de> Deserialize<'de> for Given {
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

impl Given {
    /// Figures alone.
    pub fn new(figures: Figures) -> Self {
        Self { figures, full: None }
    }

    /// The end of a curve of progress: what the first figure must reach, or 1 if that was not said.
    pub fn goal(&self) -> u64 {
        self.full.map_or(1, |full| u64::try_from(full.units()).unwrap_or(0))
    }

    /// Tests whether the first figure reaches what solves the board; `None` if that was not said.
    pub fn solves(&self) -> Option<bool> {
        self.full.map(|full| self.figures.first() == Some(full))
    }
}

impl fmt::Display for Given {
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
