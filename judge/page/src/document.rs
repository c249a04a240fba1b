//! The whole page: its head with the content security policy, and its sections.

use std::fmt;
use std::io::{self, Write};
use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest as _, Sha256};

use super::best::Best;
use super::data::Data;
use super::plot::{self, Plot};
use super::plots::Plots;
use super::source::PageSource;
use super::text::{foreign, plain};
use super::{
    boards, cross, entries, first, headline, history, knock_out, repeats, side_by_side, standings, statement, strength,
    viewer,
};
use judge_core::compare::Source;
use judge_core::plan::Statement;

const STYLE: &str = concat!(include_str!("page.css"), include_str!("plots.css"));
const SCRIPT: &str = concat!(
    include_str!("page.js"),
    include_str!("films.js"),
    include_str!("answers.js"),
    include_str!("viewer.js"),
    include_str!("duel.js"),
    include_str!("select.js")
);
/// The script of talks and games, only for pages with some.
const TALKS_SCRIPT: &str = concat!(include_str!("dialogue.js"), include_str!("games.js"));

/// The two scripts in the form included in pages.
static SENT: LazyLock<[String; 2]> = LazyLock::new(|| [SCRIPT, TALKS_SCRIPT].map(shortened));

/// A script without indentation, empty lines and comment lines. It must not have multi-line strings.
fn shortened(script: &str) -> String {
    let lines = script.lines().map(str::trim_start).filter(|line| !line.is_empty() && !line.starts_with("//"));
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// The most runs of all results on a page. With this many, a page has about a hundred megabytes, the most that browsers
/// show without delay, and writing it takes three times as much memory.
pub const MAX_RUNS: usize = 200_000;

/// More runs than a page can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooManyRuns {
    /// The number of runs, executed or planned, without repeats.
    pub runs: usize,
}

impl fmt::Display for TooManyRuns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} runs are more than the {MAX_RUNS} that a page can show", self.runs)
    }
}

impl std::error::Error for TooManyRuns {}

/// Tests whether a page has room for these sources.
///
/// # Errors
///
/// They have more than [`MAX_RUNS`] runs.
pub fn check_size(sources: &[PageSource]) -> Result<(), TooManyRuns> {
    let of = |source: &PageSource| source.results().rows.len().saturating_mul(source.results().boards.len());
    let runs = sources.iter().map(of).fold(0, usize::saturating_add);
    if runs <= MAX_RUNS { Ok(()) } else { Err(TooManyRuns { runs }) }
}

/// Writes the page of these sources.
///
/// # Errors
///
/// The writer's, or [`TooManyRuns`] inside one of kind `InvalidInput`.
pub fn write(sources: &[PageSource], out: &mut dyn Write) -> io::Result<()> {
    write_page(sources, None, None, out)
}

/// Writes the page of these sources with another first sentence: the answer to its reader's question.
///
/// # Errors
///
/// As [`write()`].
pub fn write_answer(sources: &[PageSource], answer: &str, out: &mut dyn Write) -> io::Result<()> {
    write_page(sources, None, Some(answer), out)
}

/// Writes the page of a running contest in its present state. In a browser it reloads itself every `every_seconds`,
/// unless a game is open.
///
/// # Errors
///
/// As [`write()`].
pub fn write_running(sources: &[PageSource], every_seconds: u64, out: &mut dyn Write) -> io::Result<()> {
    write_page(sources, Some(every_seconds), None, out)
}

fn write_page(
    sources: &[PageSource],
    every_seconds: Option<u64>,
    instead: Option<&str>,
    out: &mut dyn Write,
) -> io::Result<()> {
    check_size(sources).map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
    let Data { json, curves, improvements } = Data::from_sources(sources)?;
    let compared: Vec<&Source> = sources.iter().map(PageSource::source).collect();
    let Plots { answer, figures, race, repeats, score_rule, warnings, notes } =
        Plots::new(&compared, &curves, &improvements);
    let answer = instead.map(str::to_owned).or(answer);
    let title = sources.iter().find_map(|source| source.results().contest.as_deref()).unwrap_or("Results");
    let best: Vec<Vec<Option<Best>>> = sources.iter().map(|source| Best::from_boards(source.results())).collect();
    let variation = repeats::section(&repeats, &score_rule);
    let together = side_by_side::section(sources, &warnings);
    let first = first::section(sources, &curves, race.as_ref());
    let page = html! {
        (DOCTYPE)
        html lang="en" data-refresh=[every_seconds] {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy());
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (plain(title)) }
                style { (PreEscaped(STYLE)) }
            }
            body id="top" {
                header {
                    h1 { (foreign(title)) }
                    @if let Some(answer) = &answer { p class="headline" { bdi { (answer) } } }
                    @if let Some(seconds) = every_seconds {
                        p class="running" role="status" {
                            "This contest is running. The page has the runs so far; it is updated about every " (seconds) " seconds."
                        }
                    }
                    (first)
                    @for source in sources {
                        @if sources.len() > 1 { p class="of" { (foreign(source.name())) } }
                        (headline::of(source, instead.is_none()))
                    }
                    p class="about" {
                        @if sources.iter().any(|source| source.results().matches.is_some()) {
                            "An entry is a submitted program; a board is where games begin. Select the name of a program to read about it. "
                            "A cell has what an entry has of its games on a board; select one of the cross table to see the games of two "
                            "entries, move by move."
                        } @else {
                            "An entry is a submitted program; a board is one task for it. Select the name of a program to read about it, "
                            "or a cell of a table to see what the program did on that board, move by move."
                        }
                    }
                    (navigation(sources, &figures, [together.is_some(), variation.is_some()]))
                }
                main {
                    @for (k, (source, best)) in sources.iter().zip(&best).enumerate() {
                        section id={ "results-" (k) } aria-labelledby={ "results-" (k) "-title" } {
                            h2 id={ "results-" (k) "-title" } { "Standings" @if sources.len() > 1 { ": " (foreign(source.name())) } }
                            (about(source, sources.len() > 1))
                            (standings::section(k, source, best))
                            @if let Some(tree) = knock_out::section(k, source.results()) { (tree) }
                            @if let Some(cross) = cross::section(k, source) { (cross) }
                            @if let Some(strengths) = strength::section(k, source.results()) { (strengths) }
                        }
                    }
                    @if let Some(together) = &together { (together) }
                    (plot::section(&figures, notes.get(if together.is_some() { warnings.len() } else { 0 }..).unwrap_or_default()))
                    @if let Some(variation) = &variation { (variation) }
                    @for (k, (source, best)) in sources.iter().zip(&best).enumerate().filter(|(_, (source, _))| source.has_board_rows()) {
                        section id={ "boards-" (k) } aria-labelledby={ "boards-" (k) "-title" } {
                            h2 id={ "boards-" (k) "-title" } { "Boards" @if sources.len() > 1 { ": " (foreign(source.name())) } }
                            (boards::section(k, source.results(), best, boards::Before::of(sources, k).as_ref()))
                        }
                    }
                    @for (k, (source, problem, statement)) in statements(sources).iter().enumerate() {
                        section id={ "statement-" (k) } class="statement" aria-labelledby={ "statement-" (k) "-title" } {
                            h2 id={ "statement-" (k) "-title" } { "Problem statement" (of(sources, source)) (of_problem(problem)) }
                            (statement::section(statement))
                        }
                    }
                    @for (k, (source, best)) in sources.iter().zip(&best).enumerate() {
                        section id={ "entries-" (k) } aria-labelledby={ "entries-" (k) "-title" } {
                            h2 id={ "entries-" (k) "-title" } { "Entries" @if sources.len() > 1 { ": " (foreign(source.name())) } }
                            (entries::section(k, source, best))
                        }
                    }
                    @for (k, source) in sources.iter().enumerate() {
                        @if let Some(history) = history::section(source) {
                            section id={ "history-" (k) } aria-labelledby={ "history-" (k) "-title" } {
                                h2 id={ "history-" (k) "-title" } { "History" @if sources.len() > 1 { ": " (foreign(source.name())) } }
                                (history)
                            }
                        }
                    }
                }
                footer {
                    p {
                        "Made by judge " (env!("CARGO_PKG_VERSION")) "."
                        @if sources.iter().any(|source| source.directory.is_some()) {
                            " Scores come from checking the answers, never from claims of a program. This page needs no "
                            "network."
                        }
                    }
                }
                (viewer::dialog())
                script type="application/json" id="data" { (PreEscaped(json)) }
                @if sources.iter().any(PageSource::has_talks) { script { (PreEscaped(&SENT[1])) } }
                script { (PreEscaped(&SENT[0])) }
            }
        }
    };
    out.write_all(page.into_string().as_bytes())
}

/// The name of a source after a heading, if there are several.
fn of(sources: &[PageSource], source: &PageSource) -> Markup {
    html! { @if sources.len() > 1 { ": " (foreign(source.name())) } }
}

/// The title of a problem after a heading, if the contest has several.
fn of_problem(title: &str) -> Markup {
    html! { @if !title.is_empty() { ": " (foreign(title)) } }
}

/// The statements of all sources, each with its source and the title of its problem. Equal statements are listed once.
fn statements(sources: &[PageSource]) -> Vec<(&PageSource, &str, &Statement)> {
    let mut all: Vec<(&PageSource, &str, &Statement)> = Vec::new();
    for source in sources {
        for (title, statement) in source.statements() {
            if all.iter().all(|(_, _, known)| *known != statement) {
                all.push((source, title, statement));
            }
        }
    }
    all
}

fn navigation(sources: &[PageSource], figures: &[Plot], [together, variation]: [bool; 2]) -> Markup {
    let of = |source: &PageSource| of(sources, source);
    html! {
        nav aria-label="Sections" {
            ul {
                @for (k, source) in sources.iter().enumerate() { li { a href={ "#results-" (k) } { "Standings" (of(source)) } } }
                @if together { li { a href="#side-by-side" { "Side by side" } } }
                @if !figures.is_empty() { li { a href="#figures" { "Figures" } } }
                @if variation { li { a href="#repeats" { "Repeats" } } }
                @for (k, source) in sources.iter().enumerate().filter(|(_, source)| source.has_board_rows()) {
                    li { a href={ "#boards-" (k) } { "Boards" (of(source)) } }
                }
                @for (k, (source, problem, _)) in statements(sources).iter().enumerate() {
                    li { a href={ "#statement-" (k) } { "Problem statement" (of(source)) (of_problem(problem)) } }
                }
                @for (k, source) in sources.iter().enumerate() { li { a href={ "#entries-" (k) } { "Entries" (of(source)) } } }
                @for (k, source) in sources.iter().enumerate() {
                    @if source.directory.is_some() { li { a href={ "#history-" (k) } { "History" (of(source)) } } }
                }
            }
        }
    }
}

/// Renders the contest's name on a page with several sources, and the organiser's comment.
fn about(source: &PageSource, several: bool) -> Markup {
    let contest = source.results().contest.as_deref().filter(|_| several);
    let comment = source.directory.as_ref().and_then(|directory| directory.journal.comment.as_deref());
    html! { @for text in [contest, comment].into_iter().flatten() { p class="about" { (foreign(text)) } } }
}

/// Returns the content security policy of every page, which allows only its own style and scripts.
pub fn policy() -> String {
    let hash = |text: &str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)));
    format!(
        "default-src 'none'; script-src {} {}; style-src {}; img-src data:; base-uri 'none'; form-action 'none'",
        hash(&SENT[0]),
        hash(&SENT[1]),
        hash(STYLE)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_is_small_enough_to_be_read_and_mailed() {
        let bytes: usize = SENT.iter().map(String::len).sum();
        assert!(bytes <= 66_000, "{bytes} bytes");
        assert!(SCRIPT.lines().count() <= 1_500, "{} lines", SCRIPT.lines().count());
    }

    #[test]
    fn a_script_keeps_all_but_indentation_and_comments() {
        let script = "// About it.\nlet a = 1; // One.\n\n  let b = `//`;\n\t// And that.\n";
        assert_eq!(shortened(script), "let a = 1; // One.\nlet b = `//`;\n");
        let several = |script: &str| script.split('`').skip(1).step_by(2).any(|text| text.contains('\n'));
        assert!(!several(SCRIPT) && !several(TALKS_SCRIPT), "a text of several lines would lose its indentation");
    }
}
