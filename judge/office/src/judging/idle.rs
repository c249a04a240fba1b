//! Remembers that nothing was to be done, so that the next check is immediate. In a large contest, a full check takes time.

use std::sync::{Arc, Mutex, PoisonError};

use judge_core::journal::ContestState;

use crate::state::State;

/// The office and the contest when nothing was to be done.
#[derive(Default)]
pub(super) struct Idle(Mutex<Option<(Arc<State>, ContestState)>>);

impl Idle {
    /// Tests whether nothing has happened since then.
    pub(super) fn is_still(&self, state: &Arc<State>, contents: &ContestState) -> bool {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.as_ref().is_some_and(|(before, then)| Arc::ptr_eq(before, state) && contents.is_still(then))
    }

    /// Notes that nothing was to be done.
    pub(super) fn since(&self, state: Arc<State>, contents: &ContestState) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((state, contents.clone()));
    }
}
