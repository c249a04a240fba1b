//! The live board: server-sent events with the rows that changed.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::body::{Body, Bytes};
use judge_office::view::Viewer;
use tokio::sync::watch;

use crate::app::App;
use crate::board::Rendered;
use crate::parts::{self, Sender};
use crate::session::Session;

/// The interval of keep-alive messages. They keep a proxy's connection open and detect lost viewers.
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(15);

/// The body of a response that ends with the session. For the public, it is endless. `last` is the tag of the board that the
/// viewer has.
pub(crate) fn body(app: Arc<App>, session: Option<Session>, last: Option<String>) -> Body {
    // A slow viewer gets the newest board, and skips earlier ones.
    let (sender, body) = parts::body(app.stopping.subscribe(), false);
    tokio::spawn(follow(app, session, last, sender));
    Body::new(body)
}

/// Counts a viewer during its stream.
struct ViewerGuard(Arc<App>);

impl Drop for ViewerGuard {
    fn drop(&mut self) {
        self.0.viewers.fetch_sub(1, Ordering::Relaxed);
    }
}

async fn follow(app: Arc<App>, session: Option<Session>, last: Option<String>, mut sender: Sender) {
    app.viewers.fetch_add(1, Ordering::Relaxed);
    let _looking = ViewerGuard(app.clone());
    let changes = app.boards.subscribe();
    // After a restart, viewers do not all reconnect at the same moment.
    let retry = format!("retry: {}\n\n", 2000 + app.viewers.load(Ordering::Relaxed) % 50 * 100);
    if sender.send(retry).await {
        send(changes, KEEP_ALIVE_INTERVAL, last, sender, || rendered_in(app.clone(), session.clone())).await;
    }
}

/// The board of a session; `None` if the session is over.
async fn rendered_in(app: Arc<App>, session: Option<Session>) -> Option<Arc<Rendered>> {
    let Some(session) = session else { return Some(rendered(app, Viewer::Public).await) };
    let viewer = session.holder.clone().into();
    let look = {
        let app = app.clone();
        // While the log cannot be read, the last board stays.
        move || app.state().is_ok_and(|state| session.is_over(app.office.now(), &state))
    };
    match tokio::task::spawn_blocking(look).await {
        Ok(false) => Some(rendered(app, viewer).await),
        Ok(true) | Err(_) => None,
    }
}

/// Sends each new board, and a keep-alive message after each `beat`, until the reader leaves or no longer has a board.
async fn send<F: Future<Output = Option<Arc<Rendered>>>>(
    mut changes: watch::Receiver<u64>,
    beat: Duration,
    last: Option<String>,
    mut sender: Sender,
    made: impl Fn() -> F,
) {
    let mut shown: Option<Arc<Rendered>> = None;
    // Changes that this viewer may not see are announced as well. They must not move the beat.
    let mut beat = tokio::time::interval(beat);
    beat.reset();
    loop {
        changes.mark_unchanged();
        let Some(board) = made().await else { return };
        let known = shown.as_ref().map_or(last.as_deref(), |shown| Some(&*shown.tag));
        if known != Some(&*board.tag) {
            let event = board.event(shown.as_deref());
            if !sender.send(event).await {
                return;
            }
        }
        shown = Some(board);
        loop {
            tokio::select! {
                changed = changes.changed() => if changed.is_ok() { break } else { return },
                () = sender.closed() => return,
                _ = beat.tick() => {
                    if !sender.send(Bytes::from_static(b":\n\n")).await {
                        return;
                    }
                }
            }
        }
    }
}

/// The board of a viewer. Unless it is already available, it is rendered on a thread that may block.
pub(crate) async fn rendered(app: Arc<App>, viewer: Viewer) -> Arc<Rendered> {
    if let Some(board) = app.boards.known(&viewer) {
        return board;
    }
    let task = {
        let (app, viewer) = (app.clone(), viewer.clone());
        tokio::task::spawn_blocking(move || app.boards.of(&viewer, || app.now()))
    };
    match task.await {
        Ok(board) => board,
        // Joining fails only if the runtime ends.
        Err(_) => app.boards.of(&viewer, || app.now()),
    }
}

#[cfg(test)]
mod tests {
    use std::pin::Pin;

    use http_body::Body as _;
    use judge_office::view::Board;

    use super::*;
    use crate::tests;

    /// As many changes as possible, none of which the viewer may see. Three beats take 15 ms, which is some ten thousand changes.
    /// If changes moved the beat, it would occur about once in a million changes by chance.
    #[tokio::test]
    async fn changes_that_a_viewer_does_not_see_move_no_beat() {
        let (changes, stopping) = (watch::Sender::new(0), watch::Sender::new(false));
        let (sender, events) = parts::body(stopping.subscribe(), false);
        let board = Arc::new(Rendered::of(Board::default()));
        let made = {
            let (changes, board) = (changes.clone(), board.clone());
            move || {
                changes.send_modify(|count| *count += 1);
                assert!(*changes.borrow() < 1_000_000, "changes move the beat");
                let board = board.clone();
                async {
                    tokio::task::yield_now().await;
                    Some(board)
                }
            }
        };
        let sending = tokio::spawn(send(changes.subscribe(), Duration::from_millis(5), None, sender, made));
        let mut body = Body::new(events);
        assert_eq!(part(&mut body).await.unwrap(), board.event(None));
        for _ in 0..3 {
            assert_eq!(part(&mut body).await.unwrap(), ":\n\n", "a beat and nothing else");
        }
        assert!(*changes.borrow() > 3);
        stopping.send_replace(true);
        sending.await.unwrap();
    }

    #[tokio::test]
    async fn the_first_board_after_the_start_has_rows_for_every_viewer() {
        let folder = tempfile::tempdir().unwrap();
        let (site, _, _) = tests::site(folder.path(), 1, |_| Ok(1 << 30));
        let app = site.app();
        app.office.submit(&judge_office::Upload::new("ada", "a.c", b"int"), None).unwrap();
        let rows = app.boards.of(&Viewer::Team("ada".into()), || app.now()).rows.clone();
        assert!(rows.iter().any(|(name, _)| name == "ada"), "{rows:?}");
    }

    /// The next part of a body; `None` at its end.
    async fn part(body: &mut Body) -> Option<String> {
        let next = std::future::poll_fn(|context| Pin::new(&mut *body).poll_frame(context));
        let frame = tokio::time::timeout(Duration::from_secs(120), next).await.expect("an end");
        frame.map(|frame| String::from_utf8(frame.unwrap().into_data().unwrap().to_vec()).unwrap())
    }

    #[tokio::test]
    async fn a_live_board_ends_when_its_token_is_void() {
        let folder = tempfile::tempdir().unwrap();
        let (site, _, token) = tests::site(folder.path(), 1, |_| Ok(1 << 30));
        let app = site.app();
        let organiser = app.office.first_organiser().unwrap().unwrap().to_string();
        let refresh = || app.boards.refresh(app.now());
        refresh();
        let state = app.state().unwrap();
        let session = |token: &str| Some(app.log_in(token, &state).unwrap().0);
        let mut bodies = [session(&organiser), session(&token), None].map(|session| body(app.clone(), session, None));
        for body in &mut bodies {
            assert!(part(body).await.unwrap().starts_with("retry: "));
            assert!(part(body).await.unwrap().contains("\ndata: "));
        }
        app.office.renew_organiser("organiser").unwrap();
        app.office.submit(&judge_office::Upload::new("ada", "a.c", b"int"), None).unwrap();
        refresh();
        let [of_organiser, of_team, of_public] = &mut bodies;
        assert_eq!(part(of_organiser).await, None);
        // The other streams continue.
        for body in [&mut *of_team, of_public] {
            assert!(part(body).await.unwrap().contains("ada"));
        }
        app.office.renew_token("ada").unwrap();
        refresh();
        assert_eq!(part(of_team).await, None);
        app.stopping.send_replace(true);
        assert_eq!(part(of_public).await, None);
    }
}
