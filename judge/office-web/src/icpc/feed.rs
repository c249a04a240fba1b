//! The event feeds of all viewers.
//!
//! Events follow only from the viewer's view, so that tokens and lengths reveal no more than the view. They are kept in memory
//! while clients request them. Parts that are equal for several viewers are kept once. A token names its feed. A token of another
//! feed, such as one from before a restart, is refused. The client then begins again, as the interface specifies.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use judge_contest::office::Feedback;
use judge_core::journal::{Chain, ContestState};
use judge_office::state::State;
use judge_office::view::Viewer;

use super::bundle::{Bundle, Snapshot};
use super::events::Events;
use super::object::Object;
use super::schedule::Phase;
use super::version::Version;

/// The seconds for which a feed is kept after the last request for it. The interface requires 15 minutes.
const RETENTION_SECONDS: u64 = 3600;

/// The feeds of all viewers.
pub(crate) struct Feeds {
    feeds: Mutex<HashMap<(Viewer, Version), KeptFeed>>,
    /// The objects to which submissions refer: equal for all viewers, except for statements that only the organiser reads yet.
    fixed: Mutex<HashMap<Version, Arc<Vec<Object>>>>,
    /// Creates the name of a new feed.
    pub(crate) name: fn() -> String,
}

impl Default for Feeds {
    fn default() -> Self {
        Self { feeds: Mutex::default(), fixed: Mutex::default(), name: random_name }
    }
}

/// A name that no other feed has.
fn random_name() -> String {
    let mut bits = [0; 6];
    // Without random numbers, a token of an earlier feed could match this feed.
    if getrandom::fill(&mut bits).is_err() {
        bits[..4].copy_from_slice(&std::process::id().to_le_bytes());
    }
    bits.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The parts that are equal for all viewers.
#[derive(Default)]
pub(crate) struct SharedParts {
    /// The languages of submissions, which their files decide.
    languages: Mutex<HashMap<u32, Arc<str>>>,
    submissions: Mutex<Submissions>,
}

/// The submissions as everyone sees them except their team and the organiser.
#[derive(Default)]
struct Submissions {
    form: Option<Form>,
    bundles: HashMap<u32, Arc<Bundle>>,
}

/// The parameters that determine how submissions are shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Form {
    pub(super) feedback: Feedback,
    pub(super) start: u64,
    pub(super) scores: bool,
}

struct KeptFeed {
    feed: Arc<Mutex<Feed>>,
    /// The time of the last request for the feed, in seconds of the office's clock.
    asked: Arc<AtomicU64>,
}

/// The feed of a viewer.
pub(super) struct Feed {
    name: String,
    snapshot: Arc<Snapshot>,
    /// The events up to the snapshot; `None` before the first request for events, which most clients never send.
    events: Option<Events>,
    moment: Option<Moment>,
    /// The data of the snapshot, while a caller uses it.
    seen: Option<SnapshotInput>,
    /// The scoreboards of all teams and of groups. Each is created when it is requested.
    scoreboards: HashMap<Option<String>, String>,
}

/// The data of a snapshot: the office, the results, and the past moments.
pub(super) type SnapshotInput = (Arc<State>, ContestState, Phase);

/// The moment of a snapshot. It does not keep the state of the contest in memory.
struct Moment {
    state: Weak<State>,
    chain: Chain,
    phase: Phase,
}

impl Feeds {
    /// The feed of a viewer, as the last request for it left it. `now` is the time in seconds.
    pub(super) fn of(&self, now: u64, viewer: &Viewer, version: Version) -> Arc<Mutex<Feed>> {
        let mut feeds = self.feeds.lock().unwrap_or_else(PoisonError::into_inner);
        // A feed that is being streamed has another owner.
        feeds.retain(|_, kept| {
            Arc::strong_count(&kept.feed) > 1
                || kept.asked.load(Ordering::Relaxed).saturating_add(RETENTION_SECONDS) > now
        });
        let new = || KeptFeed { feed: Arc::new(Mutex::new(Feed::new((self.name)()))), asked: Arc::default() };
        let kept = feeds.entry((viewer.clone(), version)).or_insert_with(new);
        kept.asked.store(now, Ordering::Relaxed);
        kept.feed.clone()
    }

    /// The objects to which submissions refer, shared with all viewers who see the same objects.
    pub(super) fn share(&self, version: Version, made: Vec<Object>) -> Arc<Vec<Object>> {
        let mut fixed = self.fixed.lock().unwrap_or_else(PoisonError::into_inner);
        match fixed.get(&version).filter(|known| ***known == made) {
            Some(known) => known.clone(),
            None => {
                let made = Arc::new(made);
                fixed.insert(version, made.clone());
                made
            }
        }
    }
}

impl SharedParts {
    /// A submission as everyone sees it except its team and the organiser. `None` if it was not created before or has changed.
    pub(super) fn known(&self, form: Form, number: u32, mark: u64) -> Option<Arc<Bundle>> {
        let alike = self.submissions.lock().unwrap_or_else(PoisonError::into_inner);
        let known = alike.bundles.get(&number).filter(|bundle| bundle.mark == mark);
        known.filter(|_| alike.form == Some(form)).cloned()
    }

    /// Keeps a submission for other viewers who see it in the same form.
    pub(super) fn share(&self, form: Form, number: u32, bundle: &Arc<Bundle>) {
        let mut alike = self.submissions.lock().unwrap_or_else(PoisonError::into_inner);
        if alike.form != Some(form) {
            *alike = Submissions { form: Some(form), bundles: HashMap::new() };
        }
        alike.bundles.insert(number, bundle.clone());
    }

    /// The code of the language of a submission, by its number. `find` is called if it is not known yet.
    pub(crate) fn language(&self, number: u32, find: impl FnOnce() -> Option<String>) -> Option<Arc<str>> {
        let mut known = self.languages.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(language) = known.get(&number) {
            return Some(language.clone());
        }
        let language: Arc<str> = find()?.into();
        known.insert(number, language.clone());
        Some(language)
    }
}

/// Locks a feed. It never contains a partial change, even after a panic.
pub(super) fn lock(feed: &Mutex<Feed>) -> MutexGuard<'_, Feed> {
    feed.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The position that a token names in a feed of this name; the feed may have fewer events. `None` if it is not a token of the
/// feed.
pub(crate) fn position(feed: &str, token: &str) -> Option<usize> {
    let (name, number) = token.rsplit_once('-')?;
    number.parse().ok().filter(|_| name == feed)
}

impl Feed {
    fn new(name: String) -> Self {
        Self { name, snapshot: Arc::default(), events: None, moment: None, seen: None, scoreboards: HashMap::new() }
    }

    /// The events until now. At the first call, these are the events that lead from nothing to the snapshot.
    fn events(&mut self) -> &Events {
        self.events.get_or_insert_with(|| Events::new(self.snapshot.clone()))
    }

    /// The lines of a part between two positions, and the position after them; `None` if they are no longer kept.
    pub(super) fn lines(&mut self, from: usize, until: usize) -> Option<(String, usize)> {
        let name = self.name.clone();
        self.events().lines(&name, from, until)
    }

    /// The position before the first event, and the position after the last one.
    pub(super) fn ends(&mut self) -> (usize, usize) {
        let events = self.events();
        (events.start(), events.end())
    }

    /// The position after the event with a token. `None` if this feed has no such event, or no longer keeps the later ones.
    pub(super) fn position(&mut self, token: &str) -> Option<usize> {
        position(&self.name, token).filter(|&number| self.events().has(number))
    }

    pub(super) fn snapshot(&self) -> &Arc<Snapshot> {
        &self.snapshot
    }

    /// Begins a use of the feed. If anything has happened, `make` creates a newer snapshot from the previous one, and the changes
    /// are added to the events.
    pub(super) fn begin(&mut self, seen: SnapshotInput, make: impl FnOnce(&SnapshotInput, &Snapshot) -> Snapshot) {
        let (state, contents, phase) = &seen;
        let now = Moment { state: Arc::downgrade(state), chain: contents.chain.clone(), phase: *phase };
        if !self.moment.as_ref().is_some_and(|known| known.is(&now)) {
            let snapshot = Arc::new(make(&seen, &self.snapshot));
            if let Some(events) = &mut self.events {
                events.follow(&self.snapshot, &snapshot);
            }
            (self.snapshot, self.moment, self.scoreboards) = (snapshot, Some(now), HashMap::new());
        }
        self.seen = Some(seen);
    }

    /// Ends a use of the feed and drops its data, so that the next use checks for changes again.
    pub(super) fn end(&mut self) {
        self.seen = None;
    }

    /// The scoreboard of the snapshot, for all teams or for a group that exists. `make` creates it at the first request.
    pub(super) fn scoreboard(
        &mut self,
        group: Option<&str>,
        make: impl FnOnce(&SnapshotInput, &Snapshot) -> String,
    ) -> String {
        let group = group.map(str::to_owned);
        if let Some(made) = self.scoreboards.get(&group) {
            return made.clone();
        }
        let Some(seen) = &self.seen else { return String::new() };
        let made = make(seen, &self.snapshot);
        self.scoreboards.entry(group).or_insert(made).clone()
    }
}

impl Moment {
    fn is(&self, other: &Self) -> bool {
        self.state.ptr_eq(&other.state) && self.chain.last() == other.chain.last() && self.phase == other.phase
    }
}

#[cfg(test)]
mod tests {
    use super::super::events::tests::bundle;
    use super::*;

    #[test]
    fn what_viewers_see_alike_is_one_object_until_it_changes() {
        let alike = SharedParts::default();
        let form = Form { feedback: Feedback::Score, start: 1, scores: true };
        let made = bundle(1, Some(2));
        assert!(alike.known(form, 1, 0).is_none());
        alike.share(form, 1, &made);
        let again = alike.known(form, 1, 0).expect("it was made");
        assert!(Arc::ptr_eq(&again, &made), "it is not copied");
        assert!(alike.known(form, 1, 7).is_none(), "it has changed since");
        assert!(alike.known(form, 2, 0).is_none(), "it is another one");
        // In another form it is created again, and nothing of the previous form is kept.
        for other in
            [Form { start: 2, ..form }, Form { scores: false, ..form }, Form { feedback: Feedback::Full, ..form }]
        {
            assert!(alike.known(other, 1, 0).is_none());
        }
        let other = Form { start: 2, ..form };
        alike.share(other, 2, &made);
        assert!(alike.known(form, 1, 0).is_none() && alike.known(other, 2, 0).is_some());
        assert_eq!(Arc::strong_count(&made), 3, "one here, one of the look above, one for the viewers");
        // The language of a submission is found only once.
        let asked = std::cell::Cell::new(0);
        let find = |found: Option<&str>| {
            alike.language(3, || {
                asked.set(asked.get() + 1);
                found.map(str::to_owned)
            })
        };
        assert_eq!(find(None), None, "one that cannot be read now is asked about again");
        let first = find(Some("c")).expect("a language");
        assert!(Arc::ptr_eq(&first, &find(Some("java")).expect("the same")) && asked.get() == 2);
    }

    #[test]
    fn moments_of_two_states_differ() {
        let state = [Arc::new(State::default()), Arc::new(State::default())];
        let moment =
            |of: &Arc<State>, phase: Phase| Moment { state: Arc::downgrade(of), chain: Chain::default(), phase };
        let phase = |now| Phase::at(&State::default(), now);
        assert!(moment(&state[0], phase(1)).is(&moment(&state[0], phase(1))));
        assert!(!moment(&state[0], phase(1)).is(&moment(&state[1], phase(1))));
    }
}
