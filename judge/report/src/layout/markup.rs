//! Tables and sentences for documents: Markdown, and LaTeX with the packages booktabs and graphicx.

use super::{Column, Grid};

/// A language in which documents contain tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Markup {
    /// Markdown with the tables of GitHub.
    Markdown,
    /// The body of a LaTeX document that uses booktabs and graphicx.
    Latex,
}

impl Markup {
    /// A paragraph of this text, and a blank line.
    pub fn paragraph(self, text: &str) -> String {
        let text = self.escaped(text.trim());
        match self {
            // A sign at the beginning of a line would begin a list or a heading.
            Self::Markdown if text.starts_with(['+', '-', '#', '=']) => format!("\\{text}\n\n"),
            _ => format!("{text}\n\n"),
        }
    }

    /// A line about the results that no reader of a document needs: in LaTeX a comment, else a paragraph.
    pub fn note(self, text: &str) -> String {
        match self {
            Self::Markdown => self.paragraph(text),
            Self::Latex => format!("% {}\n", text.trim()),
        }
    }

    /// A table, and a blank line.
    pub fn table(self, grid: &Grid) -> String {
        match self {
            Self::Markdown => self.markdown(grid),
            Self::Latex => self.latex(grid),
        }
    }

    fn markdown(self, grid: &Grid) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let rule = |column: &Column| if column.right { "---:" } else { "---" }.to_owned();
        let mut text = line(self.heads(grid)) + &line(grid.columns.iter().map(rule).collect());
        text.extend(self.rows(grid).map(line));
        text + "\n"
    }

    fn latex(self, grid: &Grid) -> String {
        let line = |cells: Vec<String>| format!("{} \\\\\n", cells.join(" & "));
        let alignment: String = grid.columns.iter().map(|column| if column.right { 'r' } else { 'l' }).collect();
        let (begin, heads) = ("\\sbox0{%\n\\begin{tabular}", line(self.heads(grid)));
        let mut text = format!("{begin}{{{alignment}}}\n\\toprule\n{heads}\\midrule\n");
        text.extend(self.rows(grid).map(line));
        // A table that is wider than the text is made smaller.
        text + "\\bottomrule\n\\end{tabular}%\n}%\n\
                \\noindent\\ifdim\\wd0>\\linewidth\\resizebox{\\linewidth}{!}{\\usebox0}\\else\\usebox0\\fi\n\n"
    }

    fn heads(self, grid: &Grid) -> Vec<String> {
        grid.columns.iter().map(|column| self.escaped(&column.head)).collect()
    }

    fn rows(self, grid: &Grid) -> impl Iterator<Item = Vec<String>> {
        let cell =
            move |column: &Column, row: usize| column.cells.get(row).map_or(String::new(), |text| self.cell(text));
        (0..grid.rows()).map(move |row| grid.columns.iter().map(|column| cell(column, row)).collect())
    }

    /// A cell. LaTeX sets a minus sign in front of a figure only in a formula.
    fn cell(self, text: &str) -> String {
        match text.strip_prefix('-') {
            Some(figure) if self == Self::Latex && figure.starts_with(|first: char| first.is_ascii_digit()) => {
                format!("$-${}", self.escaped(figure))
            }
            _ => self.escaped(text),
        }
    }

    /// A text in which every special character is escaped.
    fn escaped(self, text: &str) -> String {
        let mut escaped = String::with_capacity(text.len());
        for character in text.chars() {
            match self {
                Self::Markdown => markdown(character, &mut escaped),
                // Two of them would be set as one dash.
                Self::Latex if character == '-' && escaped.ends_with('-') => escaped.push_str("{}-"),
                Self::Latex => latex(character, &mut escaped),
            }
        }
        escaped
    }
}

fn markdown(character: char, text: &mut String) {
    match character {
        '&' => text.push_str("&amp;"),
        '<' => text.push_str("&lt;"),
        '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '>' | '$' => text.extend(['\\', character]),
        _ => text.push(character),
    }
}

fn latex(character: char, text: &mut String) {
    let command = match character {
        '\\' => "\\textbackslash{}",
        '^' => "\\textasciicircum{}",
        '~' => "\\textasciitilde{}",
        '<' => "\\textless{}",
        '>' => "\\textgreater{}",
        '|' => "\\textbar{}",
        '`' => "\\textasciigrave{}",
        '"' => "\\textquotedblright{}",
        '×' => "$\\times$",
        '±' => "$\\pm$",
        '…' => "\\ldots{}",
        // A bracket behind the end of a line would be read as a length.
        '[' => "{[}",
        ']' => "{]}",
        '{' | '}' | '$' | '&' | '#' | '_' | '%' => {
            text.extend(['\\', character]);
            return;
        }
        _ => {
            text.push(character);
            return;
        }
    };
    text.push_str(command);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid() -> Grid {
        let texts = |cells: [&str; 2]| cells.map(str::to_owned);
        Grid::new(vec![
            Column::new("entry", texts(["a|b_c", "[1] 50 % & \\x"])),
            Column::new("gain", texts(["-0.5", "-"])).right(),
        ])
    }

    #[test]
    fn no_cell_ends_another_in_markdown() {
        let expected = "| entry | gain |\n| --- | ---: |\n| a\\|b\\_c | -0.5 |\n| \\[1\\] 50 % &amp; \\\\x | - |\n\n";
        assert_eq!(Markup::Markdown.table(&grid()), expected);
    }

    #[test]
    fn no_text_is_a_command_in_latex() {
        let expected = "\\sbox0{%\n\\begin{tabular}{lr}\n\\toprule\nentry & gain \\\\\n\\midrule\na\\textbar{}b\\_c & $-$0.5 \\\\\n\
                        {[}1{]} 50 \\% \\& \\textbackslash{}x & - \\\\\n\\bottomrule\n\\end{tabular}%\n}%\n\\noindent\\ifdim\\wd0>\\linewidth\\resizebox{\\linewidth}{!}{\\usebox0}\\else\\usebox0\\fi\n\n";
        assert_eq!(Markup::Latex.table(&grid()), expected);
    }

    #[test]
    fn a_paragraph_begins_no_list() {
        assert_eq!(Markup::Markdown.paragraph("  + for #1 <b>"), "\\+ for #1 &lt;b\\>\n\n");
        assert_eq!(Markup::Latex.paragraph("#1 is 5 × 5"), "\\#1 is 5 $\\times$ 5\n\n");
        assert_eq!(Markup::Latex.paragraph("--jobs ---"), "-{}-jobs -{}-{}-\n\n");
    }
}
