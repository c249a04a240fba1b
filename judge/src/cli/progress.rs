//! The option `--progress`: the display of a contest while it runs.

use std::io;

use clap::ValueEnum;

use super::Failure;
use judge_show::live::DisplayMode;

/// The display of a contest while it runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Progress {
    /// `live` on a terminal; `lines` in a pipe and in the background
    #[default]
    Auto,
    /// A screen with standings, running entries and failures
    Live,
    /// One line per finished run
    Lines,
    /// Notices only
    None,
}

impl Progress {
    /// The display for this standard error.
    pub(super) fn here(self) -> Result<DisplayMode, Failure> {
        match (self, judge_show::screen::possible(io::stderr())) {
            (Self::Auto | Self::Live, true) => Ok(DisplayMode::Live),
            (Self::Auto | Self::Lines, _) => Ok(DisplayMode::Lines),
            (Self::None, _) => Ok(DisplayMode::Nothing),
            (Self::Live, false) => Err(Failure::input(
                "--progress live needs a terminal on standard error, and `judge` in its foreground; use --progress lines",
            )),
        }
    }
}
