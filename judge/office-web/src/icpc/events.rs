//! The events of a feed: the changes from one snapshot to the next, in bounded memory.
//!
//! A client begins with the first snapshot of the feed, whose events are created when they are sent. The last of the later
//! changes are kept. When they become too many, the feed begins with a newer snapshot. Clients that have the events until then
//! continue. A client that is further behind begins again, as the interface specifies.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use judge_office::view::judgements::Run;

use super::bundle::{Bundle, Judged, Snapshot};
use super::object::{Kind, Object};
use super::runs::JudgementContext;

/// The most changes that are kept after the first snapshot of a feed, and the most before it.
const MAX_EVENTS: usize = 8192;
/// The bytes of a part of a feed. The last event of a part may exceed this limit.
const PART_BYTES: usize = 64 << 10;

/// A change of an object.
#[derive(Debug, Clone)]
enum Event {
    /// The object is new or has changed; its present state.
    Is(Object),
    /// The run of a judgement is new or has changed; its present state.
    Run(Arc<JudgementContext>, Run),
    Gone(Kind, Option<Arc<str>>),
    RunGone(Arc<JudgementContext>, usize),
}

/// The events of a feed. The position of a client is the number of the last event that it has received.
pub(super) struct Events {
    /// The snapshot with which a client without a token begins.
    first: Arc<Snapshot>,
    /// The position of such a client, before the events that lead to this snapshot.
    start: usize,
    count: usize,
    /// The last changes before the snapshot. The last of them has the number before `start`.
    before: VecDeque<Event>,
    /// The changes after the snapshot.
    since: VecDeque<Event>,
    /// The most changes that each of the two lists keeps.
    most: usize,
}

impl Events {
    /// The events of a feed that begins with a snapshot.
    pub(super) fn new(first: Arc<Snapshot>) -> Self {
        let count = beginning(&first).map(|event| event.count).sum();
        Self { first, start: 0, count, before: VecDeque::new(), since: VecDeque::new(), most: MAX_EVENTS }
    }

    /// The position of a client that has received nothing.
    pub(super) fn start(&self) -> usize {
        self.start
    }

    /// The position of a client that has received everything.
    pub(super) fn end(&self) -> usize {
        self.start + self.count + self.since.len()
    }

    /// Tests whether a client with this position can continue.
    pub(super) fn has(&self, position: usize) -> bool {
        position <= self.end() && (position >= self.start || self.start - 1 - position <= self.before.len())
    }

    /// Adds the changes that lead to the next snapshot.
    pub(super) fn follow(&mut self, before: &Snapshot, now: &Arc<Snapshot>) {
        let mut more = 0;
        changes(before, now, &mut |event| {
            more += 1;
            if more <= self.most {
                self.since.push_back(event);
            }
        });
        if self.since.len() <= self.most && more <= self.most {
            return;
        }
        // Positions increase. A client that begins now gets a position that no other client has.
        let end = self.start + self.count + (self.since.len() - more.min(self.most)) + more;
        (self.before, self.start) = (std::mem::take(&mut self.since), end + 1);
        if more > self.most {
            self.before.clear();
        }
        self.before.drain(..self.before.len().saturating_sub(self.most));
        self.count = beginning(now).map(|event| event.count).sum();
        self.first = now.clone();
    }

    /// The lines of a part between two positions, and the position after them. `None` if the feed no longer has them. `name` is
    /// the name of the feed.
    pub(super) fn lines(&self, name: &str, from: usize, until: usize) -> Option<(String, usize)> {
        let (mut text, mut at) = (String::new(), from);
        if !self.has(from) {
            return None;
        }
        let write = |event: &Event, text: &mut String, at: &mut usize| {
            *at += 1;
            event.write(name, *at, text);
            text.len() < PART_BYTES && *at < until
        };
        if at < self.start {
            let known = self.before.len() - (self.start - 1 - at);
            for event in self.before.iter().skip(known) {
                if at >= until || !write(event, &mut text, &mut at) {
                    return Some((text, at));
                }
            }
            if at < until {
                // The client already has the events that lead to the first snapshot.
                at = self.start + self.count;
            }
        }
        if at < self.start + self.count {
            let mut skipped = at - self.start;
            for piece in beginning(&self.first) {
                if skipped >= piece.count {
                    skipped -= piece.count;
                    continue;
                }
                for event in piece.events().skip(std::mem::take(&mut skipped)) {
                    if at >= until || !write(&event, &mut text, &mut at) {
                        return Some((text, at));
                    }
                }
            }
        }
        for event in self.since.iter().skip(at - self.start - self.count) {
            if at >= until || !write(event, &mut text, &mut at) {
                break;
            }
        }
        Some((text, at))
    }
}

impl Event {
    fn of(object: &Object) -> Self {
        Self::Is(object.clone())
    }

    /// Adds the line of this event.
    fn write(&self, name: &str, token: usize, lines: &mut String) {
        let mut line = |kind: Kind, id: Option<&str>, data: &str| {
            let id = id.map_or("null".to_owned(), |id| format!("\"{id}\""));
            let kind = kind.name();
            lines.push_str(&format!(
                "{{\"token\":\"{name}-{token}\",\"type\":\"{kind}\",\"id\":{id},\"data\":{data}}}\n"
            ));
        };
        match self {
            Self::Is(object) => line(object.kind, object.id.as_deref(), &object.json),
            Self::Run(of, run) => line(Kind::Runs, Some(&of.run_id(run.ordinal)), &of.object(run).json),
            Self::Gone(kind, id) => line(*kind, id.as_deref(), "null"),
            Self::RunGone(of, ordinal) => line(Kind::Runs, Some(&of.run_id(*ordinal)), "null"),
        }
    }
}

/// Events that lead from nothing to a part of a snapshot.
struct InitialEvents<'a> {
    of: Of<'a>,
    count: usize,
}

enum Of<'a> {
    Object(&'a Object),
    Bundle(&'a Bundle),
}

/// The events that lead from nothing to a snapshot, in the order of references.
fn beginning(snapshot: &Snapshot) -> impl Iterator<Item = InitialEvents<'_>> {
    let object = |object| InitialEvents { of: Of::Object(object), count: 1 };
    let submissions = snapshot.submissions.iter().map(|bundle| {
        let of_judgement = |judged: &Judged| 1 + judged.runs.all.len() + usize::from(judged.now != judged.begun);
        let count = 1 + bundle.judged.as_ref().map_or(0, of_judgement);
        InitialEvents { of: Of::Bundle(bundle), count }
    });
    snapshot
        .fixed
        .iter()
        .map(object)
        .chain(submissions)
        .chain(snapshot.clarifications.iter().map(object))
        .chain(snapshot.state.iter().map(object))
}

impl<'a> InitialEvents<'a> {
    fn events(&self) -> Box<dyn Iterator<Item = Event> + 'a> {
        match self.of {
            Of::Object(object) => Box::new(std::iter::once(Event::of(object))),
            Of::Bundle(bundle) => {
                let judged = bundle.judged.as_ref();
                let runs = judged.into_iter().flat_map(|judged| {
                    judged.runs.all.iter().map(|run| Event::Run(judged.runs.of.clone(), run.clone()))
                });
                let begun = judged.map(|judged| Event::of(&judged.begun));
                let now = judged.filter(|judged| judged.now != judged.begun).map(|judged| Event::of(&judged.now));
                Box::new(std::iter::once(Event::of(&bundle.submission)).chain(begun).chain(runs).chain(now))
            }
        }
    }
}

/// The events that lead from one snapshot to the next, in the order of references.
fn changes(before: &Snapshot, now: &Snapshot, add: &mut dyn FnMut(Event)) {
    collection(&before.fixed, &now.fixed, add);
    for (at, bundle) in now.submissions.iter().enumerate() {
        match before.submissions.get(at) {
            Some(earlier) if Arc::ptr_eq(earlier, bundle) => {}
            Some(earlier) => of_submission(earlier, bundle, add),
            None => InitialEvents { of: Of::Bundle(bundle), count: 0 }.events().for_each(&mut *add),
        }
    }
    collection(&before.clarifications, &now.clarifications, add);
    collection(before.state.as_slice(), now.state.as_slice(), add);
}

fn of_submission(before: &Bundle, now: &Bundle, add: &mut dyn FnMut(Event)) {
    use std::slice::from_ref;
    collection(from_ref(&before.submission), from_ref(&now.submission), add);
    match (&before.judged, &now.judged) {
        (None, None) => {}
        (None, Some(_)) => InitialEvents { of: Of::Bundle(now), count: 0 }.events().skip(1).for_each(add),
        (Some(before), Some(now)) => {
            let same = before.runs.of == now.runs.of;
            let earlier: HashMap<usize, &Run> = before.runs.all.iter().map(|run| (run.ordinal, run)).collect();
            let here: HashMap<usize, &Run> = now.runs.all.iter().map(|run| (run.ordinal, run)).collect();
            for run in before.runs.all.iter().rev().filter(|run| !here.contains_key(&run.ordinal)) {
                add(Event::RunGone(before.runs.of.clone(), run.ordinal));
            }
            for run in now.runs.all.iter().filter(|run| !same || earlier.get(&run.ordinal) != Some(run)) {
                add(Event::Run(now.runs.of.clone(), run.clone()));
            }
            collection(from_ref(&before.now), from_ref(&now.now), add);
        }
        (Some(before), None) => {
            let of = &before.runs.of;
            before.runs.all.iter().rev().for_each(|run| add(Event::RunGone(of.clone(), run.ordinal)));
            collection(from_ref(&before.now), &[], add);
        }
    }
}

/// The events of new, changed and removed objects.
fn collection(before: &[Object], now: &[Object], add: &mut dyn FnMut(Event)) {
    if before == now {
        return;
    }
    let key = |object: &Object| (object.kind, object.id.clone());
    let known: HashMap<_, &Object> = before.iter().map(|object| (key(object), object)).collect();
    let here: HashMap<_, &Object> = now.iter().map(|object| (key(object), object)).collect();
    for object in before.iter().rev().filter(|object| !here.contains_key(&key(object))) {
        add(Event::Gone(object.kind, object.id.clone()));
    }
    now.iter().filter(|object| known.get(&key(object)) != Some(object)).map(Event::of).for_each(add);
}

#[cfg(test)]
pub(super) mod tests;
