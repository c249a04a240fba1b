//! Remembers that nothing was to be done, so that the next check is immediate: in a large contest, a full check takes time.

use std::sync::{Arc, Mutex, PoisonError};

use judge_core::journal::{Chain, Contents};

use crate::state::State;

/// The office and the end of the journal when nothing was to be done.
#[derive(Default)]
pub(super) struct Idle(Mutex<Option<(Arc<State>, Chain)>>);

impl Idle {
    /// Tests whether nothing has happened since then.
    pub(super) fn is_still(&self, state: &Arc<State>, contents: &Contents) -> bool {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.as_ref().is_some_and(|(before, chain)| Arc::ptr_eq(before, state) && *chain == contents.chain)
    }

    /// Notes that nothing was to be done.
    pub(super) fn since(&self, state: Arc<State>, contents: &Contents) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((state, contents.chain.clone()));
    }
}
