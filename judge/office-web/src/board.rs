//! The board as bytes: rendered once per change and viewer, and served from memory.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::Bytes;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use judge_contest::office::Feedback;
use judge_core::date::Date;
use judge_core::journal::ContestState;
use judge_office::Office;
use judge_office::state::State;
use judge_office::view::reveal::{Reveal, Step};
use judge_office::view::{self, Board, Viewer};
use serde_json::json;
use sha2::{Digest as _, Sha256};
use tokio::sync::watch;

use crate::pages;

/// A board in the forms in which it is served.
pub(crate) struct Rendered {
    pub(crate) board: Board,
    /// The table with its notes, as HTML.
    pub(crate) table: String,
    /// Name and HTML of each row, in their order.
    pub(crate) rows: Vec<(String, String)>,
    pub(crate) csv: String,
    /// A name for these bytes, which changes with them.
    pub(crate) tag: String,
    /// The events that lead to this board, each with the tag of the previous board; `None` for an event without a
    /// previous board.
    events: Mutex<Vec<(Option<String>, Bytes)>>,
}

/// The data of a board: the office and the results at one moment.
pub(crate) type BoardInput = (Arc<State>, ContestState);

/// The boards of all viewers since the last change.
pub(crate) struct Boards {
    /// The details that teams see; `None` for the setting of the contest.
    feedback: Option<Feedback>,
    office: Arc<Office>,
    cache: Mutex<Cache>,
    /// Announces each change of the board to open pages, by its number.
    changes: watch::Sender<u64>,
}

#[derive(Default)]
struct Cache {
    seen: Option<BoardInput>,
    boards: HashMap<Viewer, Arc<Rendered>>,
    /// The last requested reveal.
    reveal: Option<(BoardInput, Revealing)>,
}

/// A reveal; `None` if nothing is to be revealed. Only one request at a time computes further steps.
type Revealing = Arc<Mutex<Option<Reveal>>>;

/// Tests whether nothing has happened between two moments.
fn same((before, earlier): &BoardInput, (state, contents): &BoardInput) -> bool {
    Arc::ptr_eq(before, state) && earlier.chain.last() == contents.chain.last()
}

impl Boards {
    pub(crate) fn new(feedback: Option<Feedback>, office: Arc<Office>) -> Self {
        Self { feedback, office, cache: Mutex::default(), changes: watch::Sender::new(0) }
    }

    /// A receiver of changes.
    pub(crate) fn subscribe(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Renders the public board again and discards the others, if something has changed. Called at most once per second, so that
    /// no board is rendered more often.
    pub(crate) fn refresh(&self, now: Option<BoardInput>) {
        // A log that cannot be read makes the server unready; the last board stays.
        let Some(now) = now else { return };
        if self.cache().seen.as_ref().is_some_and(|seen| same(seen, &now)) {
            return;
        }
        let (state, contents) = now;
        let public = Arc::new(self.render(&state, &contents, &Viewer::Public));
        let mut cache = self.cache();
        cache.boards.clear();
        cache.boards.insert(Viewer::Public, public);
        cache.seen = Some((state, contents));
        drop(cache);
        self.changes.send_modify(|count| *count += 1);
    }

    /// The board of a viewer, if it was already rendered since the last change.
    pub(crate) fn known(&self, viewer: &Viewer) -> Option<Arc<Rendered>> {
        self.cache().boards.get(viewer).cloned()
    }

    /// The board of a viewer at the last change.
    pub(crate) fn of(&self, viewer: &Viewer, now: impl FnOnce() -> Option<BoardInput>) -> Arc<Rendered> {
        let look = |cache: MutexGuard<'_, Cache>| (cache.boards.get(viewer).cloned(), cache.seen.clone());
        let (mut known, mut seen) = look(self.cache());
        if seen.is_none() {
            // The first page after the start.
            self.refresh(now());
            (known, seen) = look(self.cache());
        }
        if let Some(rendered) = known {
            return rendered;
        }
        let Some((state, contents)) = seen else { return Arc::new(Rendered::of(Board::default())) };
        let rendered = Arc::new(self.render(&state, &contents, viewer));
        let mut cache = self.cache();
        if cache.seen.as_ref().is_some_and(|(now, _)| Arc::ptr_eq(now, &state)) {
            cache.boards.insert(viewer.clone(), rendered.clone());
        }
        rendered
    }

    /// A step of the reveal, if it exists; `None` unless a freeze is over.
    pub(crate) fn reveal(&self, step: usize, now: BoardInput) -> Option<Option<Step>> {
        let reveal = {
            let mut cache = self.cache();
            let known = cache.reveal.as_ref().filter(|(seen, _)| same(seen, &now)).map(|(_, reveal)| reveal.clone());
            let begun = || Arc::new(Mutex::new(Reveal::new(&now.0, &now.1)));
            let reveal = known.unwrap_or_else(begun);
            cache.reveal = Some((now.clone(), reveal.clone()));
            reveal
        };
        let (state, contents) = now;
        let mut reveal = reveal.lock().unwrap_or_else(PoisonError::into_inner);
        let reveal = reveal.as_mut()?;
        let shown = reveal.step(&state, &contents, &self.office.ends(&state, &contents), step);
        let feedback = self.feedback.unwrap_or(state.rules().feedback);
        let shown = shown.map(|shown| Step { board: limited(shown.board, feedback), ..shown });
        Some(shown)
    }

    /// The board of a viewer. Details that teams do not see of their own submissions are also hidden here.
    fn render(&self, state: &Arc<State>, contents: &ContestState, viewer: &Viewer) -> Rendered {
        let board = view::board(state, contents, viewer, &self.office.ends(state, contents));
        let feedback = self.feedback.unwrap_or(state.rules().feedback);
        Rendered::of(if *viewer == Viewer::Organiser { board } else { limited(board, feedback) })
    }

    fn cache(&self) -> MutexGuard<'_, Cache> {
        // The cache is valid even after a panic: it never contains half of a change.
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A board reduced to the details that the contest shows teams.
pub(crate) fn limited(mut board: Board, feedback: Feedback) -> Board {
    if feedback != Feedback::Full {
        let kept: Vec<bool> = board.columns.iter().map(|column| !column.is_board).collect();
        let mut keep = kept.iter();
        board.columns.retain(|_| keep.next().copied().unwrap_or(false));
        board.codes.clear();
        for row in &mut board.rows {
            let mut keep = kept.iter();
            row.cells.retain(|_| keep.next().copied().unwrap_or(false));
        }
    }
    board
}

impl Rendered {
    pub(crate) fn of(board: Board) -> Self {
        let rows: Vec<(String, String)> =
            board.rows.iter().map(|row| (row.name.clone(), pages::board::row(row).into_string())).collect();
        let table = pages::board::table(&board, &rows).into_string();
        let csv = csv(&board);
        let tag = tag(&[table.as_bytes(), csv.as_bytes()]);
        Self { board, table, rows, csv, tag, events: Mutex::default() }
    }

    /// The event that leads to this board from another one, or from none. It is created once for all viewers that have the
    /// previous board.
    pub(crate) fn event(&self, before: Option<&Self>) -> Bytes {
        let mut events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
        let tag = before.map(|before| &*before.tag);
        if let Some((_, event)) = events.iter().find(|(from, _)| from.as_deref() == tag) {
            return event.clone();
        }
        let event = Bytes::from(event(before, self));
        events.push((tag.map(str::to_owned), event.clone()));
        event
    }
}

/// The event that leads from one board to the next: the whole board, or only the changed rows.
fn event(before: Option<&Rendered>, now: &Rendered) -> String {
    let around = |of: &Rendered| (of.rows.is_empty(), pages::board::has_first(&of.board));
    let whole = |before: &Rendered| before.board.around() != now.board.around() || around(before) != around(now);
    let data = match before.filter(|before| !whole(before)) {
        None => json!({ "table": now.table }),
        Some(before) => {
            let known: HashMap<&str, &str> = before.rows.iter().map(|(name, row)| (&**name, &**row)).collect();
            let changed = now.rows.iter().filter(|(name, row)| known.get(&**name) != Some(&&**row));
            let rows: HashMap<&str, &str> = changed.map(|(name, row)| (&**name, &**row)).collect();
            let order: Vec<&str> = now.rows.iter().map(|(name, _)| &**name).collect();
            json!({ "order": order, "rows": rows })
        }
    };
    // JSON contains no line breaks.
    format!("id: {}\ndata: {data}\n\n", now.tag)
}

/// A name for some bytes.
pub(crate) fn tag(parts: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    parts.iter().for_each(|part| hash.update(part));
    URL_SAFE_NO_PAD.encode(&hash.finalize()[..12])
}

/// The board as CSV: place, team, the submission that counts, the numbers of all and of pending submissions, time in
/// milliseconds, the columns, and the time of the submission. Organisation and group follow if teams have them.
fn csv(board: &Board) -> String {
    let mut text = String::from("place,team,submission,submissions,pending,time_ms");
    board.columns.iter().for_each(|column| field(&mut text, &column.heading));
    text.push_str(",submitted");
    let belong = board.rows.iter().any(|row| !row.organisation.is_empty() || !row.group.is_empty());
    text.push_str(if belong { ",organisation,group\n" } else { "\n" });
    for row in &board.rows {
        let number = |number: Option<u64>| number.map(|number| number.to_string()).unwrap_or_default();
        let place = number(row.place.map(|place| place as u64));
        let counts = number(row.counts.map(|(counts, _)| u64::from(counts)));
        let (all, pending, time) = (row.submissions, row.pending, number(row.time_ms));
        // A name consists of letters, digits and . _ + -, so it needs no quotes.
        write!(text, "{place},{}{},{counts},{all},{pending},{time}", guard(&row.name), row.name).ok();
        row.cells.iter().for_each(|cell| field(&mut text, &cell.line()));
        let at = row.counts.map(|(_, at)| Date::from_unix(at).to_string()).unwrap_or_default();
        write!(text, ",{at}").ok();
        if belong {
            [&row.organisation, &row.group].into_iter().for_each(|name| field(&mut text, name));
        }
        text.push('\n');
    }
    text
}

/// Adds a field after a comma.
fn field(line: &mut String, text: &str) {
    write!(line, ",\"{}{}\"", guard(text), text.replace('"', "\"\"")).ok();
}

/// The apostrophe before text that a spreadsheet could read as a formula.
fn guard(text: &str) -> &'static str {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) && text != "-" { "'" } else { "" }
}
