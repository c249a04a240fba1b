//! The table of a season, for people, documents and programs.

use std::io::{self, Write};

use clap::ValueEnum;
use judge_core::results_csv::Text;
use judge_core::season::{Season, SeasonResult, SeasonRow};
use judge_core::text::printable;
use judge_job::count_text;

use crate::layout::{Column, Grid, Markup, folded};
use crate::output::write_pretty_json;

/// The format of a season's table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SeasonFormat {
    /// A table, with a sentence on who leads.
    Table,
    /// One row per author, with a column per contest.
    Csv,
    /// All data as one JSON document, for programs.
    Json,
    /// The table as Markdown.
    Markdown,
    /// The table as the body of a LaTeX document that uses booktabs and graphicx.
    Latex,
    /// The table as a page of HTML.
    Html,
}

/// Writes the table of a season, fitted to this width if there is one.
///
/// # Errors
/// Those of `out`.
pub fn write_season(
    season: &Season,
    format: SeasonFormat,
    width: Option<usize>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let markup = match format {
        SeasonFormat::Json => return write_pretty_json(&Document { format: 1, answer: answer(season), season }, out),
        SeasonFormat::Csv => return write_csv(season, out),
        SeasonFormat::Table => {
            let mut table = grid(season);
            let gone = table.fit(width);
            writeln!(out, "{}\n", folded(&answer(season), width))?;
            for line in notes(season) {
                writeln!(out, "{}", folded(&line, width))?;
            }
            if !gone.is_empty() {
                let line = "contests are left out for want of room: --format csv has everything";
                writeln!(out, "{}", folded(line, width))?;
            }
            return writeln!(out, "\n{table}");
        }
        SeasonFormat::Markdown => Markup::Markdown,
        SeasonFormat::Latex => Markup::Latex,
        SeasonFormat::Html => Markup::Html,
    };
    let after = notes(season);
    let after = after.iter().map(|line| markup.paragraph(line));
    let body: String =
        [markup.paragraph(&answer(season)), markup.table(&grid(season))].into_iter().chain(after).collect();
    match markup {
        Markup::Html => write!(out, "{}", Markup::document("Season", &body)),
        Markup::Markdown | Markup::Latex => writeln!(out, "{}", body.trim_end()),
    }
}

/// The season as JSON.
#[derive(serde::Serialize)]
struct Document<'a> {
    format: u32,
    answer: String,
    #[serde(flatten)]
    season: &'a Season,
}

/// The sentence on who leads.
fn answer(season: &Season) -> String {
    let contests = count_text(season.contests.len(), "contest", "contests");
    let leads: Vec<&SeasonRow> = season.rows.iter().filter(|row| row.place == Some(1)).collect();
    match leads[..] {
        [] => format!("nobody took a place in {contests}"),
        [first] => {
            let wins = count_text(first.wins, "win", "wins");
            format!("{} leads after {contests} with {} and {wins}", printable(&first.author), first.total)
        }
        [first, ..] => {
            let names: Vec<String> = leads.iter().map(|row| printable(&row.author)).collect();
            format!("{} lead after {contests} with {} each", names.join(" and "), first.total)
        }
    }
}

/// Notes on the table.
fn notes(season: &Season) -> Vec<String> {
    let waited = season.rows.iter().flat_map(|row| &row.results).flatten().any(|result| result.waits_for.is_some());
    let mut notes: Vec<String> =
        waited.then(|| "†: the winner of an earlier contest, who takes no place yet".to_owned()).into_iter().collect();
    notes.extend(season.waiting.iter().map(|(author, contest)| {
        format!("{} won {} and takes no place in the next contest", printable(author), printable(contest))
    }));
    notes
}

fn cell(result: Option<&SeasonResult>) -> String {
    match result {
        None => String::new(),
        Some(SeasonResult { place: Some(place), .. }) => place.to_string(),
        Some(SeasonResult { waits_for: Some(_), .. }) => "†".to_owned(),
        Some(_) => "-".to_owned(),
    }
}

fn grid(season: &Season) -> Grid {
    let of_rows = |text: &dyn Fn(&SeasonRow) -> String| season.rows.iter().map(text).collect::<Vec<String>>();
    let place = |row: &SeasonRow| row.place.map_or(String::new(), |place| place.to_string());
    let mut table = Grid::new(vec![
        Column::new("", of_rows(&place)).right(),
        Column::new("author", of_rows(&|row| printable(&row.author))).cut(),
    ]);
    for (number, contest) in season.contests.iter().enumerate() {
        let cells = of_rows(&|row| cell(row.results[number].as_ref()));
        table.push(Column::new(printable(contest), cells).right().leaves(0));
    }
    table.push(Column::new("wins", of_rows(&|row| row.wins.to_string())).right());
    table.push(Column::new("total", of_rows(&|row| row.total.to_string())).right());
    table
}

fn write_csv(season: &Season, out: &mut dyn Write) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    let word = |result: &Option<SeasonResult>| match result {
        None => String::new(),
        Some(SeasonResult { place: Some(place), .. }) => place.to_string(),
        Some(SeasonResult { waits_for: Some(_), .. }) => "waits".to_owned(),
        Some(_) => "none".to_owned(),
    };
    let contests = season.contests.iter().map(String::as_str);
    let head = ["place", "author"].into_iter().chain(contests).chain(["wins", "total"]);
    writer.serialize(head.map(Text::from).collect::<Vec<_>>())?;
    for row in &season.rows {
        let place = row.place.map_or(String::new(), |place| place.to_string());
        let record = [place, row.author.clone()].into_iter().chain(row.results.iter().map(word));
        let record = record.chain([row.wins.to_string(), row.total.to_string()]);
        writer.serialize(record.map(Text::from).collect::<Vec<_>>())?;
    }
    writer.flush()
}
