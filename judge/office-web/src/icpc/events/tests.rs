use std::collections::BTreeMap;
use std::mem::size_of;

use judge_office::view::judgements::JudgementType;
use serde_json::{Value, json};

use super::super::bundle::Judged;
use super::super::listing::Listing;
use super::super::runs::Runs;
use super::*;

fn object(kind: Kind, id: &str, value: usize) -> Object {
    Object::new(kind, id.to_owned(), &json!({ "id": id, "value": value }))
}

/// A submission, with this number of runs if it is judged.
pub(in crate::icpc) fn bundle(number: u32, runs: Option<usize>) -> Arc<Bundle> {
    let id = number.to_string();
    let judged = runs.map(|runs| Judged {
        begun: object(Kind::Judgements, &id, 0),
        now: object(Kind::Judgements, &id, runs),
        runs: Runs {
            of: JudgementContext { id: id.clone(), start: 0, times: true }.into(),
            all: (1..=runs).map(|ordinal| run(ordinal, JudgementType::Accepted)).collect(),
        },
        ended: None,
    });
    Arc::new(Bundle { mark: 0, submission: object(Kind::Submissions, &id, 0), language: None, judged })
}

fn run(ordinal: usize, outcome: JudgementType) -> Run {
    Run { ordinal, outcome, at: 7, wall_us: Some(1_234_567) }
}

fn snapshot(submissions: Vec<Arc<Bundle>>) -> Arc<Snapshot> {
    let fixed = vec![object(Kind::Teams, "ada", 0)].into();
    Arc::new(Snapshot { fixed, submissions, ..Snapshot::default() })
}

/// The changes in words: the outcome for runs, the value for other objects.
fn texts(before: &Snapshot, now: &Snapshot) -> Vec<String> {
    let mut all = Vec::new();
    changes(before, now, &mut |event| {
        let mut line = String::new();
        event.write("feed", 1, &mut line);
        let line: Value = serde_json::from_str(&line).unwrap();
        let (kind, id, data) = (line["type"].as_str().unwrap(), line["id"].as_str().unwrap_or("-"), &line["data"]);
        let value = match (data.is_null(), data.get("value")) {
            (true, _) => "gone".to_owned(),
            (false, Some(value)) => value.to_string(),
            (false, None) => data["judgement_type_id"].as_str().unwrap().to_owned(),
        };
        all.push(format!("{kind} {id} {value}"));
    });
    all
}

#[test]
fn a_judgement_has_a_beginning_runs_and_an_end() {
    let first = snapshot(vec![bundle(1, Some(2))]);
    let all = texts(&Snapshot::default(), &first);
    let order = ["teams ada 0", "submissions 1 0", "judgements 1 0", "runs 1-1 AC", "runs 1-2 AC", "judgements 1 2"];
    assert_eq!(all, order);
    let second = snapshot(vec![first.submissions[0].clone(), bundle(2, None)]);
    assert_eq!(texts(&first, &second), ["submissions 2 0"]);
    let third = snapshot(vec![first.submissions[0].clone(), bundle(2, Some(1))]);
    assert_eq!(texts(&second, &third), ["judgements 2 0", "runs 2-1 AC", "judgements 2 1"]);
    // Objects that are no longer visible are removed in the opposite order.
    let gone = ["runs 2-1 gone", "judgements 2 gone"];
    assert_eq!(texts(&third, &second), gone);
    assert!(texts(&third, &third).is_empty());
    // In a continuing judgement, only runs that are new or have another outcome.
    let fourth = snapshot(vec![first.submissions[0].clone(), bundle(2, Some(3))]);
    assert_eq!(texts(&third, &fourth), ["runs 2-2 AC", "runs 2-3 AC", "judgements 2 3"]);
    assert_eq!(texts(&fourth, &third), ["runs 2-3 gone", "runs 2-2 gone", "judgements 2 1"]);
    let mut other = Arc::into_inner(bundle(2, Some(3))).unwrap();
    other.judged.as_mut().unwrap().runs.all[1] = run(2, JudgementType::TimeLimit);
    let fifth = snapshot(vec![first.submissions[0].clone(), other.into()]);
    assert_eq!(texts(&fourth, &fifth), ["runs 2-2 TLE"]);
}

#[test]
fn objects_are_found_by_their_identifiers() {
    let of = |submissions: Vec<Arc<Bundle>>| Snapshot { submissions, ..Snapshot::default() };
    let (one, other) = (bundle(101, None), bundle(102, Some(1)));
    let before = of(vec![one.clone()]);
    let now = of(vec![one, other]);
    let order = ["submissions 102 0", "judgements 102 0", "runs 102-1 AC", "judgements 102 1"];
    assert_eq!(texts(&before, &now), order);
    assert_eq!(now.object(Kind::Submissions, Some("102")).unwrap().id.as_deref(), Some("102"));
    assert!(now.object(Kind::Submissions, Some("103")).is_none());
    assert_eq!(now.object(Kind::Runs, Some("102-1")).unwrap().id.as_deref(), Some("102-1"));
    for none in ["102-2", "102-01", "102-", "102", "1021"] {
        assert!(now.object(Kind::Runs, Some(none)).is_none(), "{none}");
    }
}

/// All lines after a position.
fn read(events: &Events, mut from: usize) -> Option<Vec<Value>> {
    let mut all = String::new();
    while from < events.end() {
        let (lines, next) = events.lines("feed", from, usize::MAX)?;
        assert!(lines.len() < PART_BYTES + 1000 && next > from, "{} bytes", lines.len());
        all.push_str(&lines);
        from = next;
    }
    Some(all.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

#[test]
fn a_client_goes_on_only_after_the_token_that_it_has() {
    let events = Events::new(snapshot(vec![bundle(1, Some(2))]));
    let all = read(&events, 0).unwrap();
    assert_eq!((all.len(), events.start(), events.end()), (6, 0, 6));
    for (number, line) in all.iter().enumerate() {
        assert_eq!(line["token"].as_str(), Some(&*format!("feed-{}", number + 1)));
        assert!(events.has(number + 1) && read(&events, number + 1).unwrap() == all[number + 1..]);
        let (until, end) = events.lines("feed", 0, number).unwrap();
        assert_eq!((until.lines().count(), end), (number, number), "what came later is not for one who asked before");
    }
    assert!(events.has(0) && !events.has(7) && events.lines("feed", 7, usize::MAX).is_none());
}

/// The objects that a client knows after some lines.
fn known(lines: &[Value], mut before: BTreeMap<String, Value>) -> BTreeMap<String, Value> {
    for line in lines {
        let key = format!("{} {}", line["type"], line["id"]);
        match line["data"].is_null() {
            true => drop(before.remove(&key)),
            false => drop(before.insert(key, line["data"].clone())),
        }
    }
    before
}

#[test]
fn a_feed_keeps_few_events_and_every_client_that_goes_on_knows_the_same() {
    let objects = |of: &Arc<Snapshot>| known(&read(&Events::new(of.clone()), 0).unwrap(), BTreeMap::new());
    let mut shown = vec![bundle(1, Some(2))];
    let mut now = snapshot(shown.clone());
    let mut events = Events { most: 10, ..Events::new(now.clone()) };
    let mut tokens = std::collections::HashSet::new();
    let mut clients = vec![(events.end(), objects(&now))];
    let (mut behind, mut begun) = (0, 0);
    for step in 1..200_u32 {
        // Small changes, and sometimes more than the feed keeps.
        let number = 1 + step % 7;
        let runs = if step.is_multiple_of(50) { 25 } else { step as usize % 4 };
        let changed = bundle(number, (runs > 0).then_some(runs));
        match shown.get_mut(number as usize - 1) {
            Some(known) => *known = changed,
            None => shown.push(changed),
        }
        let next = snapshot(shown.clone());
        events.follow(&now, &next);
        now = next;
        assert!(events.before.len() <= 10 && events.since.len() <= 10);
        let start = events.start();
        assert!(events.has(start) && !events.has(events.end() + 1));
        let all = read(&events, start).unwrap();
        assert_eq!(known(&all, BTreeMap::new()), objects(&now), "step {step}: who begins now");
        begun += usize::from(start > 0);
        // A token never names two different events.
        for (position, client) in &mut clients {
            // A client whose token is refused deletes everything, and begins without a token.
            let lines = read(&events, *position).unwrap_or_else(|| {
                behind += 1;
                assert!(!events.has(*position), "a token that is taken has all events after it");
                (*position, *client) = (start, BTreeMap::new());
                read(&events, start).unwrap()
            });
            for line in &lines {
                tokens.insert(line["token"].as_str().unwrap().to_owned());
            }
            let last = lines.last().map(|line| line["token"].as_str().unwrap()["feed-".len()..].parse().unwrap());
            (*position, *client) = (last.unwrap_or(*position).max(*position), known(&lines, std::mem::take(client)));
            assert_eq!(*client, objects(&now), "step {step}");
        }
    }
    assert!(behind >= 3 && begun > 100 && tokens.len() > 300, "{behind} {begun} {}", tokens.len());
}

/// The memory of a reader is counted, not measured: bytes per part, events per feed, and no JSON of a run before it is
/// sent.
#[test]
#[ignore = "deep: large"]
fn a_reader_of_many_runs_takes_the_memory_of_a_part() {
    let now = snapshot((1..=50).map(|number| bundle(number, Some(1000))).collect());
    let events = Events::new(now.clone());
    assert_eq!((events.end(), events.before.len() + events.since.len()), (1 + 50 * 1003, 0));
    assert!(size_of::<Event>() <= 64 && 2 * MAX_EVENTS * size_of::<Event>() <= 1 << 20, "a feed");
    assert_eq!(Arc::strong_count(&now), 2, "the feed shares what its viewer sees");
    assert_eq!(read(&events, 0).unwrap().len(), events.end());
    for (kind, parameters, expected) in [
        (Kind::Runs, vec![], 50_000),
        (Kind::Runs, vec![("judgement_id".to_owned(), "7".to_owned())], 1000),
        (Kind::Runs, vec![("judgement_type_id".to_owned(), "TLE".to_owned())], 0),
        (Kind::Judgements, vec![], 50),
        (Kind::Clarifications, vec![], 0),
    ] {
        let mut listing = Listing::new(now.clone(), kind, &parameters);
        let (mut text, mut largest) = (String::new(), 0);
        while let Some(part) = listing.part() {
            largest = largest.max(part.len());
            text.push_str(&part);
        }
        assert!(listing.is_over() && largest < (64 << 10) + 1000, "{kind:?}: a part of {largest} bytes");
        // The expected collection, built from the address of each object.
        let ids = (1..=50).flat_map(|number| (1..=1000).map(move |run| (number, run)));
        let one = |id: String| now.object(kind, Some(&id)).unwrap().json.to_string();
        let whole: Vec<String> = match (kind, expected) {
            (_, 0) => Vec::new(),
            (Kind::Runs, 1000) => (1..=1000).map(|run| one(format!("7-{run}"))).collect(),
            (Kind::Runs, _) => ids.map(|(number, run)| one(format!("{number}-{run}"))).collect(),
            _ => (1..=50).map(|number: u32| one(number.to_string())).collect(),
        };
        assert_eq!(whole.len(), expected);
        assert!(text == format!("[{}]", whole.join(",")), "{kind:?} {parameters:?}");
    }
}
