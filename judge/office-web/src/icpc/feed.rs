//! The event feed: the changes from one snapshot of a viewer's view to the next.
//!
//! Events follow from what the viewer sees and from nothing else, so that tokens and lengths leak no more than the view does.
//! They are kept in memory while somebody asks for them, and what several viewers see alike is kept once. A token names its
//! feed, and that of another one, such as one from before a restart, is refused: then the client begins anew, as the interface
//! has it.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use judge_contest::office::Feedback;
use judge_core::journal::{Chain, Contents};
use judge_office::state::State;
use judge_office::view::Viewer;
use judge_office::view::judgements::Judgement;
use serde_json::Value;

use super::object::{Kind, Object};
use super::schedule::Phase;
use super::version::Version;

/// The seconds for which a feed is kept after somebody asked for it. The interface demands 15 minutes.
const KEPT: u64 = 3600;

/// The feeds of all viewers.
pub(crate) struct Feeds {
    feeds: Mutex<HashMap<(Viewer, Version), Kept>>,
    /// Makes the name of a new feed.
    pub(crate) name: fn() -> String,
}

impl Default for Feeds {
    fn default() -> Self {
        Self { feeds: Mutex::default(), name: random_name }
    }
}

/// A name that no other feed has.
fn random_name() -> String {
    let mut bits = [0; 6];
    // Without random numbers a token of an earlier feed could be taken for one of this.
    if getrandom::fill(&mut bits).is_err() {
        bits[..4].copy_from_slice(&std::process::id().to_le_bytes());
    }
    bits.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What all viewers of a problem see alike.
#[derive(Default)]
pub(crate) struct Alike {
    /// The languages of submissions, which their files decide.
    languages: Mutex<HashMap<u32, Arc<str>>>,
    submissions: Mutex<Submissions>,
}

/// The submissions as everybody sees them who is neither their team nor the organiser.
#[derive(Default)]
struct Submissions {
    form: Option<Form>,
    bundles: HashMap<u32, Arc<Bundle>>,
}

/// What all submissions are shown by.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Form {
    pub(super) feedback: Feedback,
    pub(super) start: u64,
    pub(super) scores: bool,
}

struct Kept {
    feed: Arc<Mutex<Feed>>,
    /// When it was asked for last, in seconds of the office's clock.
    asked: Arc<AtomicU64>,
}

/// The feed of a viewer.
pub(super) struct Feed {
    name: String,
    snapshot: Snapshot,
    /// The events up to the snapshot; `None` before somebody asks for events, as most clients never do.
    events: Option<Vec<Event>>,
    moment: Option<Moments>,
    /// What the snapshot was made from, while somebody looks at it.
    seen: Option<Seen>,
    /// Made when it is asked for.
    scoreboard: Option<String>,
}

/// What a snapshot is made from: of each problem the office, the results, and which moments are past.
pub(super) type Seen = Vec<(Arc<State>, Contents, Phase)>;

/// The moment of a snapshot, of each problem. It keeps no state of the contest alive.
type Moments = Vec<Moment>;

struct Moment {
    state: Weak<State>,
    chain: Chain,
    phase: Phase,
}

/// What happened to an object: it is as its JSON says now, or gone without it.
struct Event {
    kind: Kind,
    id: Option<Arc<str>>,
    json: Option<Arc<str>>,
}

/// Everything that a viewer sees.
#[derive(Default)]
pub(super) struct Snapshot {
    /// What the submissions refer to, in the order of references.
    pub(super) fixed: Vec<Object>,
    /// The submissions of each problem, in the order of their numbers.
    pub(super) submissions: Vec<Vec<Arc<Bundle>>>,
    pub(super) clarifications: Vec<Object>,
    pub(super) state: Option<Object>,
    /// The same as a value.
    pub(super) status: Value,
}

/// A submission with its judgement.
pub(super) struct Bundle {
    pub(super) mark: u64,
    pub(super) submission: Object,
    pub(super) judgement: Option<Judged>,
    /// The judgement for the scoreboard; `None` while there is none.
    pub(super) judged: Option<Judgement>,
}

/// A judgement as objects: when it began, its runs, and how it is now.
pub(super) struct Judged {
    pub(super) begun: Object,
    pub(super) runs: Vec<Object>,
    pub(super) now: Object,
}

impl Feeds {
    /// The feed of a viewer as it was when it was asked for last. `now` is the time in seconds.
    pub(super) fn of(&self, now: u64, viewer: &Viewer, version: Version) -> Arc<Mutex<Feed>> {
        let mut feeds = self.feeds.lock().unwrap_or_else(PoisonError::into_inner);
        // One that is streamed has another owner.
        feeds.retain(|_, kept| {
            Arc::strong_count(&kept.feed) > 1 || kept.asked.load(Ordering::Relaxed).saturating_add(KEPT) > now
        });
        let new = || Kept { feed: Arc::new(Mutex::new(Feed::new((self.name)()))), asked: Arc::default() };
        let kept = feeds.entry((viewer.clone(), version)).or_insert_with(new);
        kept.asked.store(now, Ordering::Relaxed);
        kept.feed.clone()
    }
}

impl Alike {
    /// A submission as everybody sees it whose it is not, if it was made for somebody and has not changed.
    pub(super) fn known(&self, form: Form, number: u32, mark: u64) -> Option<Arc<Bundle>> {
        let alike = self.submissions.lock().unwrap_or_else(PoisonError::into_inner);
        let known = alike.bundles.get(&number).filter(|bundle| bundle.mark == mark);
        known.filter(|_| alike.form == Some(form)).cloned()
    }

    /// Keeps a submission for others who see it alike.
    pub(super) fn share(&self, form: Form, number: u32, bundle: &Arc<Bundle>) {
        let mut alike = self.submissions.lock().unwrap_or_else(PoisonError::into_inner);
        if alike.form != Some(form) {
            *alike = Submissions { form: Some(form), bundles: HashMap::new() };
        }
        alike.bundles.insert(number, bundle.clone());
    }

    /// The code of the language of a submission, by its number. `find` is asked for one that is not known yet.
    pub(super) fn language(&self, number: u32, find: impl FnOnce() -> Option<String>) -> Option<Arc<str>> {
        let mut known = self.languages.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(language) = known.get(&number) {
            return Some(language.clone());
        }
        let language: Arc<str> = find()?.into();
        known.insert(number, language.clone());
        Some(language)
    }
}

/// A feed to look into. Nothing that is half changed is ever in it.
pub(super) fn lock(feed: &Mutex<Feed>) -> MutexGuard<'_, Feed> {
    feed.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The position that a token names in a feed of this name, which may have fewer events; `None` if it is no token of it.
pub(crate) fn position(feed: &str, token: &str) -> Option<usize> {
    let (name, number) = token.rsplit_once('-')?;
    number.parse().ok().filter(|_| name == feed)
}

impl Feed {
    fn new(name: String) -> Self {
        Self { name, snapshot: Snapshot::default(), events: None, moment: None, seen: None, scoreboard: None }
    }

    /// The events until now. The first time, they are those that lead from nothing to the snapshot.
    fn events(&mut self) -> &[Event] {
        self.events.get_or_insert_with(|| changes(&Snapshot::default(), &self.snapshot))
    }

    /// The lines of at most so many events from a position on, and the position after them.
    pub(super) fn lines(&mut self, from: usize, most: usize) -> (String, usize) {
        let (mut lines, name) = (String::new(), self.name.clone());
        let events = self.events();
        for (number, event) in events.iter().enumerate().skip(from).take(most) {
            let token = number + 1;
            let id = event.id.as_ref().map_or("null".to_owned(), |id| format!("\"{id}\""));
            let (kind, data) = (event.kind.name(), event.json.as_deref().unwrap_or("null"));
            lines.push_str(&format!(
                "{{\"token\":\"{name}-{token}\",\"type\":\"{kind}\",\"id\":{id},\"data\":{data}}}\n"
            ));
        }
        (lines, events.len().min(from.saturating_add(most)))
    }

    /// The position after the event with a token; `None` if this feed has none of that token.
    pub(super) fn position(&mut self, token: &str) -> Option<usize> {
        position(&self.name, token).filter(|&number| number <= self.events().len())
    }

    pub(super) fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// Begins a look: goes on to a newer snapshot, which `make` makes after the one before, if anything has happened. What has
    /// changed is added to the events.
    pub(super) fn begin(&mut self, seen: Seen, make: impl FnOnce(&Seen, &Snapshot) -> Snapshot) {
        let moment = |(state, contents, phase): &(Arc<State>, Contents, Phase)| Moment {
            state: Arc::downgrade(state),
            chain: contents.chain.clone(),
            phase: *phase,
        };
        let now: Moments = seen.iter().map(moment).collect();
        let same = |known: &Moments| known.iter().zip(&now).all(|(known, now)| known.is(now));
        if !self.moment.as_ref().is_some_and(same) {
            let snapshot = make(&seen, &self.snapshot);
            if let Some(events) = &mut self.events {
                events.extend(changes(&self.snapshot, &snapshot));
            }
            (self.snapshot, self.moment, self.scoreboard) = (snapshot, Some(now), None);
        }
        self.seen = Some(seen);
    }

    /// Forgets what this look saw, so that the next one looks again.
    pub(super) fn end(&mut self) {
        self.seen = None;
    }

    /// The scoreboard of the snapshot. It is made by `make` when it is asked for the first time.
    pub(super) fn scoreboard(&mut self, make: impl FnOnce(&Seen, &Snapshot) -> String) -> String {
        if let Some(made) = &self.scoreboard {
            return made.clone();
        }
        let Some(seen) = &self.seen else { return String::new() };
        let made = make(seen, &self.snapshot);
        self.scoreboard.insert(made).clone()
    }
}

impl Moment {
    fn is(&self, other: &Self) -> bool {
        self.state.ptr_eq(&other.state) && self.chain.last() == other.chain.last() && self.phase == other.phase
    }
}

impl Snapshot {
    /// The objects of a type.
    pub(super) fn objects(&self, kind: Kind) -> Box<dyn Iterator<Item = &Object> + '_> {
        let submissions = || self.submissions.iter().flatten();
        let judgements = move || submissions().filter_map(|bundle| bundle.judgement.as_ref());
        match kind {
            Kind::Submissions => Box::new(submissions().map(|bundle| &bundle.submission)),
            Kind::Judgements => Box::new(judgements().map(|judgement| &judgement.now)),
            Kind::Runs => Box::new(judgements().flat_map(|judgement| &judgement.runs)),
            Kind::Clarifications => Box::new(self.clarifications.iter()),
            Kind::State => Box::new(self.state.iter()),
            _ => Box::new(self.fixed.iter().filter(move |object| object.kind == kind)),
        }
    }
}

impl Bundle {
    /// Tests whether the viewer knows the end of it.
    pub(super) fn ended(&self) -> bool {
        self.judged.as_ref().is_some_and(|judged| judged.ended.is_some())
    }
}

/// The events that lead from one snapshot to the next, in the order of references.
fn changes(before: &Snapshot, now: &Snapshot) -> Vec<Event> {
    let mut events = Vec::new();
    collection(&before.fixed, &now.fixed, &mut events);
    let each = now.submissions.iter().enumerate();
    let each = each.flat_map(|(problem, submissions)| {
        let before = before.submissions.get(problem);
        submissions.iter().enumerate().map(move |(at, bundle)| (before.and_then(|before| before.get(at)), bundle))
    });
    for (earlier, bundle) in each {
        if earlier.is_none_or(|earlier| !Arc::ptr_eq(earlier, bundle)) {
            of_submission(earlier.map(|earlier| &**earlier), bundle, &mut events);
        }
    }
    collection(&before.clarifications, &now.clarifications, &mut events);
    collection(before.state.as_slice(), now.state.as_slice(), &mut events);
    events
}

fn of_submission(before: Option<&Bundle>, now: &Bundle, events: &mut Vec<Event>) {
    let one = |object: Option<&Object>| object.map_or(Vec::new(), |object| vec![object.clone()]);
    collection(&one(before.map(|before| &before.submission)), &one(Some(&now.submission)), events);
    match (before.and_then(|before| before.judgement.as_ref()), now.judgement.as_ref()) {
        (None, None) => {}
        (None, Some(now)) => {
            events.push(Event::of(&now.begun));
            events.extend(now.runs.iter().map(Event::of));
            collection(std::slice::from_ref(&now.begun), std::slice::from_ref(&now.now), events);
        }
        (Some(before), Some(now)) => {
            collection(&before.runs, &now.runs, events);
            collection(std::slice::from_ref(&before.now), std::slice::from_ref(&now.now), events);
        }
        (Some(before), None) => {
            collection(&before.runs, &[], events);
            collection(std::slice::from_ref(&before.now), &[], events);
        }
    }
}

/// The events of objects that are new, changed or gone.
fn collection(before: &[Object], now: &[Object], events: &mut Vec<Event>) {
    if before == now {
        return;
    }
    let key = |object: &Object| (object.kind, object.id.clone());
    let known: HashMap<_, &Object> = before.iter().map(|object| (key(object), object)).collect();
    let here: HashMap<_, &Object> = now.iter().map(|object| (key(object), object)).collect();
    let gone = before.iter().rev().filter(|object| !here.contains_key(&key(object)));
    events.extend(gone.map(|object| Event { kind: object.kind, id: object.id.clone(), json: None }));
    events.extend(now.iter().filter(|object| known.get(&key(object)) != Some(object)).map(Event::of));
}

impl Event {
    fn of(object: &Object) -> Self {
        Self { kind: object.kind, id: object.id.clone(), json: Some(object.json.clone()) }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn object(kind: Kind, id: &str, value: u32) -> Object {
        Object::new(kind, id.to_owned(), &json!({ "id": id, "value": value }))
    }

    fn bundle(number: u32, ended: Option<u32>) -> Arc<Bundle> {
        let id = number.to_string();
        let judgement = ended.map(|runs| Judged {
            begun: object(Kind::Judgements, &id, 0),
            runs: (0..runs).map(|run| object(Kind::Runs, &format!("{id}-{run}"), 0)).collect(),
            now: object(Kind::Judgements, &id, runs),
        });
        Arc::new(Bundle { mark: 0, submission: object(Kind::Submissions, &id, 0), judgement, judged: None })
    }

    fn snapshot(submissions: Vec<Arc<Bundle>>) -> Snapshot {
        Snapshot { fixed: vec![object(Kind::Teams, "ada", 0)], submissions: vec![submissions], ..Snapshot::default() }
    }

    fn texts(events: &[Event]) -> Vec<String> {
        let text = |event: &Event| {
            let value: Option<Value> = event.json.as_ref().map(|json| serde_json::from_str(json).unwrap());
            let value = value.map_or("gone".to_owned(), |value| value["value"].to_string());
            format!("{} {} {value}", event.kind.name(), event.id.as_deref().unwrap_or("-"))
        };
        events.iter().map(text).collect()
    }

    #[test]
    fn a_judgement_has_a_beginning_runs_and_an_end() {
        let first = snapshot(vec![bundle(1, Some(2))]);
        let all = texts(&changes(&Snapshot::default(), &first));
        let order = ["teams ada 0", "submissions 1 0", "judgements 1 0", "runs 1-0 0", "runs 1-1 0", "judgements 1 2"];
        assert_eq!(all, order);
        let second = snapshot(vec![first.submissions[0][0].clone(), bundle(2, None)]);
        assert_eq!(texts(&changes(&first, &second)), ["submissions 2 0"]);
        let third = snapshot(vec![first.submissions[0][0].clone(), bundle(2, Some(1))]);
        assert_eq!(texts(&changes(&second, &third)), ["judgements 2 0", "runs 2-0 0", "judgements 2 1"]);
        // What is seen no more goes in the opposite order.
        let gone = ["runs 2-0 gone", "judgements 2 gone"];
        assert_eq!(texts(&changes(&third, &second)), gone);
        assert!(changes(&third, &third).is_empty());
    }

    #[test]
    fn a_client_goes_on_only_after_the_token_that_it_has() {
        let mut feed = Feed::new("a1".into());
        let first = snapshot(vec![bundle(1, Some(2))]);
        feed.snapshot = first;
        let (lines, end) = feed.lines(0, 100);
        let tokens: Vec<String> = lines
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap()["token"].as_str().unwrap().to_owned())
            .collect();
        assert_eq!((tokens.len(), end), (6, 6));
        for (number, token) in tokens.iter().enumerate() {
            assert_eq!(feed.position(token), Some(number + 1));
            assert_eq!(feed.lines(number + 1, 100).0.lines().count(), 5 - number);
        }
        for other in ["", "6", "a1-7", "a2-1", "a1-", "a1--1", "-1"] {
            assert_eq!(feed.position(other), None, "{other}");
        }
        assert_eq!(feed.position("a1-0"), Some(0));
        // In parts it is the same.
        let (mut parts, mut from) = (String::new(), 0);
        while from < end {
            let (part, next) = feed.lines(from, 4);
            parts.push_str(&part);
            from = next;
        }
        assert_eq!(parts, lines);
    }

    #[test]
    fn what_viewers_see_alike_is_one_object_until_it_changes() {
        let alike = Alike::default();
        let form = Form { feedback: Feedback::Score, start: 1, scores: true };
        let made = bundle(1, Some(2));
        assert!(alike.known(form, 1, 0).is_none());
        alike.share(form, 1, &made);
        let again = alike.known(form, 1, 0).expect("it was made");
        assert!(Arc::ptr_eq(&again, &made), "it is not copied");
        assert!(alike.known(form, 1, 7).is_none(), "it has changed since");
        assert!(alike.known(form, 2, 0).is_none(), "it is another one");
        // In another form, it is made anew, and nothing of the form before is kept.
        for other in
            [Form { start: 2, ..form }, Form { scores: false, ..form }, Form { feedback: Feedback::Full, ..form }]
        {
            assert!(alike.known(other, 1, 0).is_none());
        }
        let other = Form { start: 2, ..form };
        alike.share(other, 2, &made);
        assert!(alike.known(form, 1, 0).is_none() && alike.known(other, 2, 0).is_some());
        assert_eq!(Arc::strong_count(&made), 3, "one here, one of the look above, one for the viewers");
        // Languages are found once.
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
    fn problems_have_events_of_their_own() {
        let both =
            |a: Vec<Arc<Bundle>>, b: Vec<Arc<Bundle>>| Snapshot { submissions: vec![a, b], ..Snapshot::default() };
        let (one, other) = (bundle(101, None), bundle(102, Some(1)));
        let before = both(vec![one.clone()], Vec::new());
        let now = both(vec![one], vec![other]);
        let order = ["submissions 102 0", "judgements 102 0", "runs 102-0 0", "judgements 102 1"];
        assert_eq!(texts(&changes(&before, &now)), order);
        assert_eq!(now.objects(Kind::Submissions).count(), 2);
    }

    #[test]
    fn moments_of_two_problems_differ() {
        let state = [Arc::new(State::default()), Arc::new(State::default())];
        let moment =
            |of: &Arc<State>, phase: Phase| Moment { state: Arc::downgrade(of), chain: Chain::default(), phase };
        let phase = |now| Phase::at(&State::default(), now);
        assert!(moment(&state[0], phase(1)).is(&moment(&state[0], phase(1))));
        assert!(!moment(&state[0], phase(1)).is(&moment(&state[1], phase(1))));
    }
}
