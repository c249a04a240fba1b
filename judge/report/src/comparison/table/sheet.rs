//! The lines of a comparison, and the columns that they show.

use std::collections::BTreeSet;

use crate::layout::{Grid, Markup, folded, no_room};

/// The most lines per table.
pub(super) const MAX_LINES: usize = 60;

/// A text, and the columns that its legend has to explain.
pub(super) struct Sheet {
    medium: Medium,
    text: String,
    explained: BTreeSet<Explained>,
}

/// The medium in which a sheet is read.
#[derive(Debug, Clone, Copy)]
pub(super) enum Medium {
    /// A terminal of this width in columns; `None` for any width.
    Terminal(Option<usize>),
    /// A file in this language, as wide as it needs.
    Document(Markup),
}

/// A column that the legend explains if some table shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Explained {
    /// The columns that are named after boards.
    Boards,
    Better,
    /// Differences of two, and their tests.
    Differences,
    Moves,
    Par2,
    Resampled,
}

/// The way to see the lines that a table leaves out.
#[derive(Clone, Copy)]
pub(super) enum Remedy {
    /// Choosing fewer entries, which have fewer lines.
    Entries,
    /// The CSV format has all lines.
    Csv,
}

impl Sheet {
    pub(super) fn new(medium: Medium) -> Self {
        Self { medium, text: String::new(), explained: BTreeSet::new() }
    }

    /// Writes a line, folded to the width, or a paragraph. Line ends in it stay.
    pub(super) fn line(&mut self, text: &str) {
        for line in text.split('\n') {
            match self.medium {
                Medium::Terminal(width) => self.text += &(folded(line, width) + "\n"),
                Medium::Document(_) if line.is_empty() => {}
                Medium::Document(markup) => self.text += &markup.paragraph(line),
            }
        }
    }

    /// Writes how to see more, for those who type commands: in LaTeX a comment.
    pub(super) fn hint(&mut self, text: &str) {
        match self.medium {
            Medium::Terminal(_) => self.line(text),
            Medium::Document(markup) => self.text += &markup.note(text),
        }
    }

    /// Writes a table fitted to the width, and a line that names the columns that had to leave. Returns their numbers,
    /// see [`crate::layout::Column::leaves`].
    pub(super) fn table(&mut self, mut table: Grid) -> BTreeSet<u8> {
        let width = match self.medium {
            Medium::Terminal(width) => width,
            Medium::Document(markup) => {
                self.text += &markup.table(&table);
                return BTreeSet::new();
            }
        };
        let gone = table.fit(width);
        self.text += &format!("{table}\n");
        let heads = gone.iter().map(|(_, head)| head.as_str());
        if let Some(line) = no_room(heads, "--format csv or json has everything") {
            self.line(&line);
        }
        gone.into_iter().map(|(number, _)| number).collect()
    }

    /// Writes how many of `all` lines a table of at most [`MAX_LINES`] lines leaves out.
    pub(super) fn more(&mut self, all: usize, what: &str, remedy: Remedy) {
        self.more_than(MAX_LINES, all, what, remedy);
    }

    /// Writes how many of `all` lines a table of at most `shown` lines leaves out.
    pub(super) fn more_than(&mut self, shown: usize, all: usize, what: &str, remedy: Remedy) {
        let Some(more) = all.checked_sub(shown).filter(|&more| more > 0) else { return };
        let choose = match remedy {
            Remedy::Entries => "choose with --entries, or see",
            Remedy::Csv => "see",
        };
        self.hint(&format!("and {more} more {what}: {choose} --format csv or json"));
    }

    /// Makes the legend explain columns that are shown.
    pub(super) fn explain(&mut self, columns: impl IntoIterator<Item = Explained>) {
        self.explained.extend(columns);
    }

    /// Tests whether some table shows a column.
    pub(super) fn shows(&self, column: Explained) -> bool {
        self.explained.contains(&column)
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }
}
