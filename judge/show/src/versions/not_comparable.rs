//! The reasons why the runs of a version and of a try cannot be compared, or only some of them.

use std::fmt;

use judge_job::{Limits, count_text, duration_text};

/// The reason why a version is not compared with a try, or on fewer boards. Its text is a fragment.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotComparable {
    /// An older judge wrote it, without hashes of its boards.
    Older,
    /// Its answers were judged in another way.
    Objective,
    /// Its runs had other limits.
    Limits {
        /// The limits of its runs.
        own: Box<Limits>,
        /// The limits of the try.
        now: Box<Limits>,
    },
    /// The file of its runs was deleted.
    NoFile {
        /// The number of the version.
        number: u32,
    },
    /// It ran on none of the boards.
    NoBoard,
    /// It was stopped before its last board.
    CutShort {
        /// The boards on which it was judged.
        judged: usize,
        /// The number of planned boards.
        boards: usize,
    },
    /// It ran on some of the boards only.
    Fewer {
        /// The boards of the try that it ran on.
        boards: usize,
        /// The boards of the try.
        of: usize,
    },
}

impl fmt::Display for NotComparable {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Older => text.write_str("an earlier judge remembered it, without hashes of its boards"),
            Self::Objective => text.write_str("its answers were judged by another referee or other rules"),
            Self::Limits { own, now } if own.with_wall_ms(now.wall_ms) == **now => {
                let [own, now] = [own, now].map(|limits| duration_text(limits.wall_ms));
                write!(text, "its limit was {own}, and that of this try is {now}")
            }
            Self::Limits { own, now } => {
                let (own, now) = (own.to_string(), now.to_string());
                let differing = own.split(", ").zip(now.split(", ")).filter(|(own, now)| own != now);
                let differing: Vec<String> = differing.map(|(own, now)| format!("{own}, now {now}")).collect();
                write!(text, "its limits were others: {}", differing.join("; "))
            }
            Self::NoFile { number } => write!(text, "its file versions/{number}.csv is missing"),
            Self::NoBoard => text.write_str("it ran on none of these boards"),
            Self::CutShort { judged, boards } => write!(text, "it was cut short after {judged} of {boards} boards"),
            Self::Fewer { boards, of } => {
                write!(text, "it ran on {boards} of these {}", count_text(*of, "board", "boards"))
            }
        }
    }
}
