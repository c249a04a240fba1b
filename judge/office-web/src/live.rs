//! The live board: server-sent events with the rows that changed.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use http_body::Frame;
use judge_office::view::Viewer;
use tokio::sync::{mpsc, watch};

use crate::app::App;
use crate::board::Rendered;

/// A sign of life, so that a proxy keeps the connection and a viewer that is gone is noticed.
const BEAT: Duration = Duration::from_secs(15);
/// A viewer that is slower than this gets the newest board and not those between.
const WAITING_EVENTS: usize = 1;

/// The body of an endless answer. `last` is the tag of the board that the viewer has.
pub(crate) fn body(app: Arc<App>, viewer: Viewer, last: Option<String>) -> Body {
    let (sender, receiver) = mpsc::channel(WAITING_EVENTS);
    tokio::spawn(send(app, viewer, last, sender));
    Body::new(Events(receiver))
}

/// Counts a viewer while it looks.
struct Looking(Arc<App>);

impl Drop for Looking {
    fn drop(&mut self) {
        self.0.viewers.fetch_sub(1, Ordering::Relaxed);
    }
}

async fn send(app: Arc<App>, viewer: Viewer, last: Option<String>, sender: mpsc::Sender<Bytes>) {
    app.viewers.fetch_add(1, Ordering::Relaxed);
    let _looking = Looking(app.clone());
    let (mut changes, mut stopping) = (app.boards.subscribe(), app.stopping.subscribe());
    let mut shown: Option<Arc<Rendered>> = None;
    // Not all viewers come back at the same moment after a restart.
    let retry = format!("retry: {}\n\n", 2000 + app.viewers.load(Ordering::Relaxed) % 50 * 100);
    if sender.send(retry.into()).await.is_err() {
        return;
    }
    loop {
        changes.mark_unchanged();
        let board = made(app.clone(), viewer.clone()).await;
        let known = shown.as_ref().map_or(last.as_deref(), |shown| Some(&*shown.tag));
        if known != Some(&*board.tag) {
            let event = board.event(shown.as_deref());
            if sender.send(event).await.is_err() {
                return;
            }
        }
        shown = Some(board);
        loop {
            tokio::select! {
                changed = changes.changed() => if changed.is_ok() { break } else { return },
                () = ended(&mut stopping) => return,
                () = sender.closed() => return,
                () = tokio::time::sleep(BEAT) => {
                    if sender.send(Bytes::from_static(b":\n\n")).await.is_err() {
                        return;
                    }
                }
            }
        }
    }
}

/// Returns when the server ends.
pub(crate) async fn ended(stopping: &mut watch::Receiver<bool>) {
    // Nobody can take the end back, so what is borrowed need not be kept.
    stopping.wait_for(|stops| *stops).await.map(drop).ok();
}

/// The board of a viewer, made on a thread that may wait unless there is one.
pub(crate) async fn made(app: Arc<App>, viewer: Viewer) -> Arc<Rendered> {
    if let Some(board) = app.boards.known(&viewer) {
        return board;
    }
    let task = {
        let (app, viewer) = (app.clone(), viewer.clone());
        tokio::task::spawn_blocking(move || app.boards.of(&viewer, &app))
    };
    match task.await {
        Ok(board) => board,
        // It fails only if the runtime ends.
        Err(_) => app.boards.of(&viewer, &app),
    }
}

/// A body of the parts that come from a channel.
pub(crate) struct Events(pub(crate) mpsc::Receiver<Bytes>);

impl http_body::Body for Events {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        self.0.poll_recv(context).map(|bytes| bytes.map(|bytes| Ok(Frame::data(bytes))))
    }
}
