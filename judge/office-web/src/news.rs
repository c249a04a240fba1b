//! News as an Atom feed (RFC 4287): notices, changes of the clock, and the results that the public board shows. It depends only
//! on the public view.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse as _;
use judge_core::date::Date;
use judge_core::text::printable;
use judge_office::state::State as Office;
use judge_office::view::{Board, Viewer};
use maud::{Markup, PreEscaped, html};

use crate::answers::{HandlerResult, kept, who};
use crate::app::App;
use crate::live;

/// The most items in the feed; older ones are left out.
const MAX: usize = 100;

struct Item {
    id: String,
    at: u64,
    title: String,
    text: String,
}

pub(crate) async fn feed(State(app): State<Arc<App>>, headers: HeaderMap) -> HandlerResult {
    let (state, _) = who(&app, &headers).await?;
    let board = live::rendered(app.clone(), Viewer::Public).await;
    let items = newest(items(&state, &board.board));
    let xml = xml(app.url(), &board.board.title, &items);
    match xml.is_empty() {
        true => Err(StatusCode::NOT_FOUND.into_response()),
        false => Ok(kept(&headers, "application/atom+xml; charset=utf-8", xml)),
    }
}

/// The items in the feed, newest first.
fn newest(mut items: Vec<Item>) -> Vec<Item> {
    items.sort_by(|a, b| (b.at, &b.id).cmp(&(a.at, &a.id)));
    items.truncate(MAX);
    items
}

fn items(state: &Office, board: &Board) -> Vec<Item> {
    let mut items = Vec::new();
    for (at, message) in state.messages().iter().filter(|(_, message)| Viewer::Public.reads(message)) {
        let (id, title) = (format!("message-{}", message.number), "Notice".to_owned());
        items.push(Item { id, at: *at, title, text: message.text.to_string() });
    }
    for ((at, because), number) in state.extensions().iter().zip(1..) {
        let title = "The times have changed".to_owned();
        items.push(Item { id: format!("times-{number}"), at: *at, title, text: because.clone() });
    }
    for (at, round) in state.published() {
        let (id, title) = (format!("round-{round}"), format!("The results of round {round} are public"));
        items.push(Item { id, at: *at, title, text: String::new() });
    }
    let (froze, thawed) = state.froze_and_thawed();
    for (at, what) in [(froze, "frozen"), (thawed, "thawed")] {
        let (id, title) = (format!("board-{what}-{}", at.unwrap_or_default()), format!("The board is {what}"));
        items.extend(at.map(|at| Item { id, at, title, text: String::new() }));
    }
    for ((at, because), number) in state.reopened().iter().zip(1..) {
        let (id, title) = (format!("reopened-{number}"), "The results are no longer final".to_owned());
        items.push(Item { id, at: *at, title, text: because.clone() });
    }
    let again = state.finalisations();
    let id = if again > 1 { format!("final-{again}") } else { "final".to_owned() };
    let (id, title) = (id, "The results are final".to_owned());
    items.extend(state.finalised().map(|at| Item { id, at, title, text: String::new() }));
    for row in &board.rows {
        let Some((number, at)) = row.counts else { continue };
        let cells: Vec<&str> = row.cells.iter().map(|cell| &*cell.text).filter(|text| !text.is_empty()).collect();
        let title = format!("{}: submission {number}", row.name);
        items.push(Item { id: format!("result-{}-{number}", row.name), at, title, text: cells.join(", ") });
    }
    items
}

fn xml(url: &str, title: &str, items: &[Item]) -> String {
    let updated = Date::from_unix(items.iter().map(|item| item.at).max().unwrap_or_default());
    // Markup escapes text as XML requires. The names of elements are written by hand, because HTML has other ones.
    let text = |text: &str| -> Markup {
        html! { (printable(text)) }
    };
    let mut xml =
        String::from("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">\n");
    let mut element = |name: &str, inner: &Markup| {
        xml.push_str(&format!("<{name}>{}</{name}>\n", inner.0));
    };
    let url = text(url).0;
    element("id", &PreEscaped(format!("{url}/feed.atom")));
    element("title", &text(title));
    element("updated", &text(&updated.to_string()));
    element("author", &PreEscaped(format!("<name>{}</name>", text(title).0)));
    for item in items {
        let at = Date::from_unix(item.at);
        let inner = format!(
            "<id>{url}/feed.atom#{}</id><title>{}</title><updated>{at}</updated><content>{}</content>",
            text(&item.id).0,
            text(&item.title).0,
            text(&item.text).0
        );
        element("entry", &PreEscaped(inner));
    }
    xml + "</feed>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_items_leave_the_feed_first() {
        let item = |at: u64| Item { id: format!("result-{at}"), at, title: String::new(), text: String::new() };
        let times: Vec<u64> = newest((0..105).map(item).collect()).iter().map(|item| item.at).collect();
        assert_eq!(times, (5..105).rev().collect::<Vec<u64>>());
    }
}
