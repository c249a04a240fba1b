//! Tables that scroll where they are wider than the screen.

use maud::{Markup, html};

/// The name of a part of the page for those who do not see it.
#[derive(Clone, Copy)]
pub(super) enum Label<'a> {
    Text(&'a str),
    /// The identifier of the heading with the name.
    Heading(&'a str),
}

/// Renders a table with the cells of its head and its rows.
pub(super) fn scrolling(label: Label<'_>, class: &str, head: &Markup, rows: &Markup) -> Markup {
    let (text, heading) = match label {
        Label::Text(text) => (Some(text), None),
        Label::Heading(id) => (None, Some(id)),
    };
    html! {
        div class="wide" role="region" aria-label=[text] aria-labelledby=[heading] tabindex="0" {
            table class=(class) { thead { tr { (head) } } tbody { (rows) } }
        }
    }
}
