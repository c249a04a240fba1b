//! The page as a whole: its head with the content security policy, and its sections in order.

use std::io::{self, Write};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest as _, Sha256};

use super::best::Best;
use super::data::Data;
use super::figure::{self, Figure};
use super::run::Run;
use super::text::{foreign, plain};
use super::{entries, plots, side_by_side, standings, viewer};
use judge_core::compare::Source;
use judge_core::games;

const STYLE: &str = concat!(include_str!("page.css"), include_str!("plots.css"));
const SCRIPT: &str = concat!(include_str!("page.js"), include_str!("films.js"), include_str!("viewer.js"));

/// Writes the page of some runs.
pub fn write(runs: &[Run], out: &mut dyn Write) -> io::Result<()> {
    let Data { json, curves } = Data::of(runs)?;
    let sources: Vec<&Source> = runs.iter().map(|run| &run.source).collect();
    let figures = plots::figures(&sources, &curves);
    let title = runs.iter().find_map(|run| run.results().contest.as_deref()).unwrap_or("Results");
    let best: Vec<Vec<Option<Best>>> = runs.iter().map(|run| Best::of_boards(run.results())).collect();
    let together = side_by_side::section(runs);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
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
                    (navigation(runs, &figures, together.is_some()))
                }
                main {
                    @for (k, (run, best)) in runs.iter().zip(&best).enumerate() {
                        section id={ "run-" (k) } aria-labelledby={ "run-" (k) "-title" } {
                            h2 id={ "run-" (k) "-title" } { "Standings" @if runs.len() > 1 { ": " (foreign(&run.source.name)) } }
                            (about(run))
                            (standings::section(k, run.results(), best))
                        }
                    }
                    @if let Some(together) = &together { (together) }
                    (figure::section(&figures))
                    @for (k, (run, best)) in runs.iter().zip(&best).enumerate() {
                        section id={ "entries-" (k) } aria-labelledby={ "entries-" (k) "-title" } {
                            h2 id={ "entries-" (k) "-title" } { "Entries" @if runs.len() > 1 { ": " (foreign(&run.source.name)) } }
                            (entries::section(k, run, best))
                        }
                    }
                }
                footer { p { "Made by judge " (env!("CARGO_PKG_VERSION")) " from what it saw; every answer was replayed by it." } }
                (viewer::dialog())
                script type="application/json" id="data" { (PreEscaped(json)) }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    out.write_all(page.into_string().as_bytes())
}

fn navigation(runs: &[Run], figures: &[Figure], together: bool) -> Markup {
    let of = |run: &Run| html! { @if runs.len() > 1 { ": " (foreign(&run.source.name)) } };
    html! {
        nav aria-label="Sections" {
            ul {
                @for (k, run) in runs.iter().enumerate() { li { a href={ "#run-" (k) } { "Standings" (of(run)) } } }
                @if together { li { a href="#side-by-side" { "Side by side" } } }
                @if !figures.is_empty() { li { a href="#figures" { "Metrics" } } }
                @for (k, run) in runs.iter().enumerate() { li { a href={ "#entries-" (k) } { "Entries" (of(run)) } } }
            }
        }
    }
}

/// What contest this was, in a line.
fn about(run: &Run) -> Markup {
    let results = run.results();
    let game = results.game.as_deref().map(|name| games::find(name).map_or(name, |kind| kind.title));
    let limit = results.limit_ms.map(|limit| humantime::format_duration(Duration::from_millis(limit)).to_string());
    let (entries, boards) = (results.rows.len(), results.boards.len());
    html! {
        p class="about" {
            @if let Some(contest) = &results.contest { (foreign(contest)) " · " }
            @if let Some(game) = game { (foreign(game)) " · " }
            (entries) @if entries == 1 { " entry" } @else { " entries" } " on "
            (boards) @if boards == 1 { " board" } @else { " boards" }
            @if let Some(limit) = limit { " · " (limit) " a board" }
        }
    }
}

/// Nothing but this page's own style and script, word for word.
fn policy() -> String {
    let hash = |text: &str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)));
    format!(
        "default-src 'none'; script-src {}; style-src {}; img-src data:; base-uri 'none'; form-action 'none'",
        hash(SCRIPT),
        hash(STYLE)
    )
}
