//! Responses that are sent in parts, as fast as the reader accepts them.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use axum::body::Bytes;
use http_body::Frame;
use tokio::sync::{mpsc, watch};

/// The most parts that wait for a slow reader.
const WAITING_PARTS: usize = 1;

/// The body of a response whose parts come from a [`Sender`].
pub(crate) struct Parts {
    parts: mpsc::Receiver<Bytes>,
    whole: Arc<AtomicBool>,
}

/// Passes parts to the reader of a body.
pub(crate) struct Sender {
    pub(crate) parts: mpsc::Sender<Bytes>,
    stopping: watch::Receiver<bool>,
    whole: Arc<AtomicBool>,
}

/// A body and its sender, until the server stops. If `has_end` is true, a body whose end was not sent is aborted, so that no
/// reader mistakes a part for the whole.
pub(crate) fn body(stopping: watch::Receiver<bool>, has_end: bool) -> (Sender, Parts) {
    let (sender, parts) = mpsc::channel(WAITING_PARTS);
    let whole = Arc::new(AtomicBool::new(!has_end));
    (Sender { parts: sender, stopping, whole: whole.clone() }, Parts { parts, whole })
}

impl Sender {
    /// Waits until the reader accepts a part. Returns false if the connection is closed or the server stops.
    pub(crate) async fn send(&mut self, part: impl Into<Bytes>) -> bool {
        // A reader that accepts nothing must not keep the server from stopping.
        tokio::select! {
            sent = self.parts.send(part.into()) => sent.is_ok(),
            () = ended(&mut self.stopping) => false,
        }
    }

    /// Waits until the connection is closed or the server stops.
    pub(crate) async fn closed(&mut self) {
        tokio::select! {
            () = self.parts.closed() => {}
            () = ended(&mut self.stopping) => {}
        }
    }

    /// Ends the response after the parts that were sent.
    pub(crate) fn end(self) {
        self.whole.store(true, Ordering::Release);
    }
}

/// Waits until the server stops.
pub(crate) async fn ended(stopping: &mut watch::Receiver<bool>) {
    // A stop is final, so the borrowed value can be dropped.
    stopping.wait_for(|stops| *stops).await.map(drop).ok();
}

impl http_body::Body for Parts {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        match self.parts.poll_recv(context) {
            Poll::Ready(None) if !self.whole.swap(true, Ordering::AcqRel) => {
                Poll::Ready(Some(Err(io::Error::other("the answer is not whole"))))
            }
            part => part.map(|part| part.map(|part| Ok(Frame::data(part)))),
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::body::{Body, to_bytes};

    use super::*;

    #[tokio::test]
    async fn an_answer_with_an_end_is_broken_off_without_it() {
        let stopping = watch::Sender::new(false);
        for (has_end, ends, whole) in [(true, true, true), (true, false, false), (false, false, true)] {
            let (mut sender, parts) = body(stopping.subscribe(), has_end);
            tokio::spawn(async move {
                assert!(sender.send("one ").await && sender.send("two").await);
                if ends {
                    sender.end();
                }
            });
            let read = to_bytes(Body::new(parts), usize::MAX).await;
            assert_eq!(read.ok().as_deref(), whole.then_some(&b"one two"[..]), "{has_end} {ends}");
        }
    }

    #[tokio::test]
    async fn a_reader_that_takes_nothing_does_not_keep_the_server_from_its_end() {
        let stopping = watch::Sender::new(false);
        let (mut sender, _parts) = body(stopping.subscribe(), false);
        let sending = tokio::spawn(async move { sender.send("one").await && sender.send("two").await });
        tokio::task::yield_now().await;
        stopping.send_replace(true);
        let sent = tokio::time::timeout(std::time::Duration::from_secs(120), sending).await;
        assert!(!sent.expect("an end").unwrap());
    }
}
