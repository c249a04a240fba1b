//! The engine of one machine: parallel workers, each with the processors of a slot.

use std::sync::Arc;

use judge_job::{Executor, Interrupted, Isolation};

use super::{Engine, Request, Stopped, Worker};

/// Executes runs with an executor, in the slots of the runner.
pub struct Local<'a> {
    executor: &'a dyn Executor,
    isolation: Arc<Isolation>,
    /// True if the sender of the signal that stops the judge also sends it to the entries.
    signalled_together: bool,
}

impl<'a> Local<'a> {
    /// An engine with that executor.
    pub fn new(executor: &'a dyn Executor) -> Self {
        Self { executor, isolation: Arc::new(executor.describe().isolation), signalled_together: false }
    }

    /// An engine with that executor on a cluster node. The manager of a cluster stops a task by signals to all its processes. So
    /// a run that such a signal ended was interrupted, and has not failed.
    pub fn on_node(executor: &'a dyn Executor) -> Self {
        Self { signalled_together: true, ..Self::new(executor) }
    }
}

impl Engine for Local<'_> {
    fn execute(&self, request: &Request<'_>) -> Result<(), Stopped> {
        let workers = request.slots().iter().take(request.left().unwrap_or(usize::MAX));
        let workers: Vec<Worker<'_>> = workers
            .map(|processors| {
                Ok(request.worker(self.executor, processors)?.signalled_together(self.signalled_together))
            })
            .collect::<Result<_, Stopped>>()?;
        std::thread::scope(|scope| {
            for worker in workers {
                scope.spawn(move || work(request, &worker));
            }
        });
        Ok(())
    }

    fn isolation(&self) -> Arc<Isolation> {
        self.isolation.clone()
    }
}

/// Executes runs until none is left or a stop is requested.
fn work(request: &Request<'_>, worker: &Worker<'_>) {
    let messages = request.messages();
    while let Some(turn) = request.next() {
        let index = turn.run().index;
        // The receiver is closed only when the contest has stopped.
        if messages.started(index).is_err() {
            return;
        }
        let sent = match worker.execute(&turn) {
            Ok(finished) => messages.finished(finished),
            Err(Interrupted) if turn.is_cancelled() => messages.cancelled(index),
            Err(Interrupted) => return,
        };
        if sent.is_err() {
            return;
        }
    }
}
