//! The page as a whole: its head with the content security policy, and its sections in order.

use std::io::{self, Write};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest as _, Sha256};

use super::data::Data;
use super::figure::{self, Figure};
use super::run::Run;
use super::standings;
use super::text::{foreign, plain};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Writes the page of some runs.
pub fn write(runs: &[Run], out: &mut dyn Write) -> io::Result<()> {
    let Data { json, curves } = Data::of(runs)?;
    let figures: Vec<Figure> = Vec::new();
    let title = runs.iter().find_map(|run| run.results().contest.as_deref()).unwrap_or("Results");
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
            body {
                header { h1 { (foreign(title)) } }
                main {
                    @for (k, run) in runs.iter().enumerate() { (section(k, run)) }
                    (figure::section(&figures))
                }
                script type="application/json" id="data" { (PreEscaped(json)) }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    out.write_all(page.into_string().as_bytes())
}

fn section(k: usize, run: &Run) -> Markup {
    html! {
        section id={ "run-" (k) } aria-labelledby={ "run-" (k) "-title" } {
            h2 id={ "run-" (k) "-title" } { "Standings: " (foreign(&run.source.name)) }
            (standings::section(k, run))
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
