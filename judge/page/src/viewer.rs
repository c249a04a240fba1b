//! The empty dialog that the page's script fills with the run of a cell.

use maud::{Markup, html};

/// The speeds of a replay in moves per second, and the default one.
const SPEEDS: [u32; 6] = [1, 2, 5, 10, 25, 60];
const USUAL_SPEED: u32 = 5;

/// Renders the empty dialog for single runs.
pub(super) fn dialog() -> Markup {
    html! {
        dialog id="viewer" aria-labelledby="viewer-title" {
            div class="top" {
                h2 id="viewer-title" {}
                button type="button" class="close" aria-label="Close" { "×" }
            }
            div class="stage" {
            div class="games" {}
            div class="controls" role="group" aria-label="Replay" {
                div class="buttons" {
                    button type="button" class="to-first" { "First" }
                    button type="button" class="back" { "Back" }
                    button type="button" class="play" { "Play" }
                    button type="button" class="forward" { "Forward" }
                    button type="button" class="last" { "Last" }
                }
                input type="range" min="0" max="0" value="0" aria-label="Move";
                div class="choices" {
                    label {
                        span { "Speed" }
                        select class="speed" aria-label="Speed" {
                            @for speed in SPEEDS {
                                option value=(speed) selected[speed == USUAL_SPEED] { (speed) " per second" }
                            }
                        }
                    }
                    label { span { "Compare with" } select class="compare" aria-label="Compare with" {} }
                }
                a class="here" href="#top" { "Link to this move" }
                p class="keys" { kbd { "space" } " plays, " kbd { "←" } kbd { "→" } " step, " kbd { "↑" } kbd { "↓" } " other entries, " kbd { "home" } kbd { "end" } " jump, " kbd { "esc" } " closes" }
            }
            div class="run" {}
            }
        }
    }
}
