//! Tables and sentences for documents: Markdown, LaTeX with the packages booktabs and graphicx, and HTML.

use super::{Column, Grid};

/// A language in which documents contain tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Markup {
    /// Markdown with the tables of GitHub.
    Markdown,
    /// The body of a LaTeX document that uses booktabs and graphicx.
    Latex,
    /// The body of a page of HTML, see [`Markup::document`].
    Html,
}

impl Markup {
    /// A page of HTML with this title and body. It loads nothing and has no script.
    pub fn document(title: &str, body: &str) -> String {
        const STYLE: &str = "body{font-family:system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem;\
                             color-scheme:light dark}div{overflow-x:auto}table{border-collapse:collapse}\
                             th,td{padding:.25rem .75rem;border-bottom:1px solid #8886;text-align:left}\
                             .number{text-align:right;font-variant-numeric:tabular-nums}";
        let title = Self::Html.escaped(title);
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
             <style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n{body}</body>\n</html>\n"
        )
    }

    /// A paragraph of this text, and a blank line.
    pub fn paragraph(self, text: &str) -> String {
        let text = self.escaped(text.trim());
        match self {
            // A sign at the beginning of a line would begin a list or a heading.
            Self::Markdown if text.starts_with(['+', '-', '#']) => format!("\\{text}\n\n"),
            Self::Html => format!("<p>{text}</p>\n"),
            _ => format!("{text}\n\n"),
        }
    }

    /// A line about the results that readers of a document do not need: in LaTeX a comment, else a paragraph.
    pub fn note(self, text: &str) -> String {
        match self {
            Self::Markdown | Self::Html => self.paragraph(text),
            Self::Latex => format!("% {}\n", text.trim()),
        }
    }

    /// A table, and a blank line.
    pub fn table(self, grid: &Grid) -> String {
        match self {
            Self::Markdown => self.markdown(grid),
            Self::Latex => self.latex(grid),
            Self::Html => self.html(grid),
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
        // A table that is wider than the text is scaled down.
        text + "\\bottomrule\n\\end{tabular}%\n}%\n\
                \\noindent\\ifdim\\wd0>\\linewidth\\resizebox{\\linewidth}{!}{\\usebox0}\\else\\usebox0\\fi\n\n"
    }

    fn html(self, grid: &Grid) -> String {
        let line = |tag: &str, cells: Vec<String>| {
            let cell = |(column, text): (&Column, String)| {
                let class = if column.right { " class=\"number\"" } else { "" };
                format!("<{tag}{class}>{text}</{tag}>")
            };
            format!("<tr>{}</tr>\n", grid.columns.iter().zip(cells).map(cell).collect::<String>())
        };
        let (heads, rows) = (line("th", self.heads(grid)), self.rows(grid).map(|row| line("td", row)));
        format!(
            "<div><table>\n<thead>\n{heads}</thead>\n<tbody>\n{}</tbody>\n</table></div>\n",
            rows.collect::<String>()
        )
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
                Self::Html => html(character, &mut escaped),
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

fn html(character: char, text: &mut String) {
    match character {
        '&' => text.push_str("&amp;"),
        '<' => text.push_str("&lt;"),
        '>' => text.push_str("&gt;"),
        '"' => text.push_str("&quot;"),
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
        // After a line end, LaTeX reads a bracket as a length.
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
    fn no_text_is_a_tag_in_html() {
        let expected = "<div><table>\n<thead>\n<tr><th>entry</th><th class=\"number\">gain</th></tr>\n</thead>\n<tbody>\n\
                        <tr><td>a|b_c</td><td class=\"number\">-0.5</td></tr>\n\
                        <tr><td>[1] 50 % &amp; \\x</td><td class=\"number\">-</td></tr>\n</tbody>\n</table></div>\n";
        assert_eq!(Markup::Html.table(&grid()), expected);
        assert_eq!(Markup::Html.paragraph(" <b> & \"c\" "), "<p>&lt;b&gt; &amp; &quot;c&quot;</p>\n");
        assert!(Markup::document("<b>", "<p>x</p>\n").contains("<title>&lt;b&gt;</title>"));
    }

    #[test]
    fn a_paragraph_begins_no_list() {
        assert_eq!(Markup::Markdown.paragraph("  + for #1 <b>"), "\\+ for #1 &lt;b\\>\n\n");
        assert_eq!(Markup::Latex.paragraph("#1 is 5 × 5"), "\\#1 is 5 $\\times$ 5\n\n");
        assert_eq!(Markup::Latex.paragraph("--jobs ---"), "-{}-jobs -{}-{}-\n\n");
    }
}
