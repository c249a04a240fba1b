//! A section per entry: the author's description, totals, its best and its worst board, all its runs.

use maud::{Markup, PreEscaped, html};

use super::best::{Best, extremes};
use super::cell;
use super::facts::Index;
use super::fold::fold;
use super::markdown::markdown;
use super::scrolling::{Label, scrolling};
use super::source::PageSource;
use super::standings::time_text;
use super::text::foreign;
use judge_core::legend::{self, NOT_COMPETING};
use judge_core::score::Row;

/// Renders all entries of a source, in the order of its table.
pub(super) fn section(k: usize, source: &PageSource, best: &[Option<Best>]) -> Markup {
    let index = Index::from_source(source);
    html! {
        p class="about" {
            "On an entry's best board it came closest to the best answer here, on its worst board it was farthest from it."
        }
        @for (e, row) in source.results().rows.iter().enumerate() { (entry(k, e, row, source, &index, best)) }
    }
}

fn entry(k: usize, e: usize, row: &Row, source: &PageSource, index: &Index<'_>, best: &[Option<Best>]) -> Markup {
    let name = &row.entry.name;
    let plan = source.directory.as_ref().map(|directory| &directory.journal.plan);
    let planned = plan.and_then(|plan| plan.entries.iter().find(|entry| entry.name == *name));
    let write_up = plan.and_then(|plan| plan.shown.write_ups.get(name));
    html! {
        section class="entry" id={ "entry-" (k) "-" (e) } aria-labelledby={ "entry-" (k) "-" (e) "-title" } {
            h3 id={ "entry-" (k) "-" (e) "-title" } {
                (foreign(name))
                @if !row.entry.competing { " " span class="mark" { (NOT_COMPETING) } }
            }
            @let year = planned.and_then(|entry| entry.year);
            @if row.entry.author.is_some() || year.is_some() {
                p class="by" {
                    @if let Some(author) = &row.entry.author { (foreign(author)) }
                    @if row.entry.author.is_some() && year.is_some() { ", " }
                    @if let Some(year) = year { (year) }
                }
            }
            @if let Some(strategy) = planned.and_then(|entry| entry.strategy.as_ref()) {
                p class="strategy" { (foreign(strategy)) }
            }
            (totals(k, e, row, source, best))
            @if let Some(write_up) = write_up {
                details class="write-up" { summary { "Write-up" } div dir="auto" { (PreEscaped(markdown(write_up, 4))) } }
            }
            @let planned = row.cells.iter().filter(|cell| !cell.not_planned).count();
            (fold(&format!("All {planned} runs"), &runs((k, e), row, source, index, best)))
        }
    }
}

/// Renders place, total and time, and the best and the worst board.
fn totals(k: usize, e: usize, row: &Row, source: &PageSource, best: &[Option<Best>]) -> Markup {
    let board = |b: usize| {
        html! {
            (foreign(&source.results().boards[b].marked())) " "
            (cell::link((k, e, b), &cell::text(&row.cells[b])))
        }
    };
    html! {
        dl class="facts" {
            div { dt { "place" } dd { @match row.place { Some(place) => (place), None => "none" } } }
            @if !row.entry.of.is_empty() { div { dt { "entries" } dd { (foreign(&row.entry.of.join(", "))) } } }
            @if let Some(out) = &row.entry.withdrawn { div { dt { (out.word()) } dd { (foreign(&out.reason)) } } }
            @for round in legend::shown_rounds(source.results()) {
                @let total = legend::total(source.results(), row, round);
                @if !total.is_empty() {
                    div { dt { (foreign(&legend::total_heading(source.results(), round))) } dd { (total) } }
                }
            }
            div { dt { "time" } dd { (time_text(row)) } }
            @if let Some((closest, farthest)) = extremes(row, best) {
                div { dt { "best board" } dd { (board(closest)) } }
                div { dt { "worst board" } dd { (board(farthest)) } }
            }
        }
    }
}

fn runs((k, e): (usize, usize), row: &Row, source: &PageSource, index: &Index<'_>, best: &[Option<Best>]) -> Markup {
    html! {
        (scrolling(Label::Text(&format!("Runs of entry {}", e + 1)), "plain", &html! {
            th scope="col" { "board" }
            th scope="col" class="figure" { "cell" }
            th scope="col" { "verdict" }
            th scope="col" class="figure" { "time" }
            th scope="col" class="figure" { "memory" }
        }, &html! {
            @for (b, (board, cell)) in
                source.results().boards.iter().zip(&row.cells).enumerate().filter(|(_, (_, cell))| !cell.not_planned)
            {
                @let facts = index.find(&row.entry, &board.name, cell);
                tr id={ "cell-" (k) "-" (e) "-" (b) } {
                    th scope="row" { (foreign(&board.marked())) }
                    (cell::td((k, e, b), cell, best[b], false))
                    td { @if let Some(verdict) = facts.verdict() { (foreign(&verdict)) } }
                    td class="figure" { @if let Some(time) = facts.time() { (time) } }
                    td class="figure" { @if let Some(memory) = facts.memory() { (memory) } }
                }
            }
        }))
    }
}
