//! Journals that earlier judges recorded, with every event and for each version of the ranking rules. They always stay
//! readable: none of these files may change.

use std::path::{Path, PathBuf};

use judge_core::advance::{PresentResult, RULES, deviations};
use judge_core::journal::{self, ContestState};
use judge_core::results::Results;

fn directory(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recorded").join(name).join("out")
}

fn read(name: &str) -> (ContestState, Results) {
    let contents = journal::read(&directory(name)).unwrap();
    let results = Results::from_journal(&contents);
    (contents, results)
}

fn places(results: &Results) -> Vec<(&str, Option<usize>)> {
    results.rows.iter().map(|row| (row.entry.name.as_str(), row.place)).collect()
}

#[test]
fn the_contest_file_of_every_recorded_journal_is_there() {
    // Results without a contest file belong to any contest around them, and stop its builds.
    let folders = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recorded");
    let recorded = folders.read_dir().unwrap().map(|item| item.unwrap().path().join("out")).filter(|out| out.is_dir());
    let mut number = 0;
    for out in recorded {
        let contents = journal::read(&out).unwrap();
        let file = out.join(&contents.header.contest_file);
        assert!(file.is_file(), "{}", file.display());
        number += 1;
    }
    assert!(number >= 6, "{number} journals");
}

/// Everything that can be in a journal of format 6.
#[test]
fn a_journal_of_this_format_has_what_its_events_say() {
    let (contents, results) = read("format-6");
    assert_eq!((contents.records.len(), contents.torn_bytes), (14, 0));
    assert_eq!(places(&results), [("ant", Some(1)), ("bee", Some(2)), ("cat", Some(3)), ("dog", None)]);
    let of = |entry: &str, board: &str| {
        contents.records.iter().find(|record| (&*record.key.entry, &*record.key.board) == (entry, board)).unwrap()
    };
    let ruled = of("ant", "A");
    assert_eq!(
        (ruled.extras.ruling.as_deref(), ruled.extras.ruled_by.as_deref()),
        (Some("seen by hand"), Some("A. Referee"))
    );
    assert_eq!(of("bee", "A").extras.ruling, None, "taken back");
    let attempts = (of("bee", "A").attempt, of("bee", "F").attempt);
    assert_eq!(attempts, (2, 2), "corrected; a judge that was killed left files of the first");
    for record in &contents.records {
        let output = record.output.as_ref().unwrap();
        let stored = std::fs::read(journal::stdout_of(&directory("format-6"), record)).unwrap();
        assert_eq!(output.stdout.sha256.to_string(), judge_core::fingerprint::sha256_of(&stored), "{:?}", record.key);
    }
    assert_eq!(contents.struck["X"], "too easy");
    assert!(contents.withdrawn["dog"].disqualified && !contents.withdrawn.contains_key("cat"));
    assert_eq!(contents.rounds[0].entrants(), ["ant", "bee", "cat"]);
    assert_eq!((contents.rounds[0].rules, contents.builds.len()), (Some(3), 1));
    let versions = |name: &str| contents.versions[name].len();
    assert_eq!((versions("ant"), versions("bee"), versions(journal::REFEREE_PROGRAM)), (1, 3, 3));
    assert_eq!(contents.comment.as_deref(), Some("every event of format 5"));
    assert_eq!(deviations(&directory("format-6")).unwrap(), []);
}

/// A referee's tools, and a referee that is recorded before what it ruled on again.
#[test]
fn a_referee_can_be_recorded_before_its_rulings() {
    let (contents, results) = read("format-6-rejudged");
    assert_eq!((contents.records.len(), contents.torn_bytes), (2, 0));
    let text = std::fs::read_to_string(directory("format-6-rejudged").join("journal.jsonl")).unwrap();
    let lines = |kind: &str| text.lines().filter(|line| line.starts_with(&format!("{{\"line\":\"{kind}\""))).count();
    assert_eq!((lines("referee"), lines("rejudgement")), (2, 1));
    // The tools are not the program that rules: only the second event has another one.
    let referee = contents.plan.problems[0].referee.as_deref().unwrap();
    assert_eq!(referee.show.as_deref(), Some(&["sh".to_owned(), "referee/show.sh".into()][..]));
    let [first, tools, corrected] = &contents.versions[journal::REFEREE_PROGRAM][..] else { panic!("three versions") };
    assert_eq!(first.programs, tools.programs);
    assert_ne!(first.programs, corrected.programs);
    let points =
        contents.records.iter().map(|record| record.verdict.given().unwrap().figures.first().unwrap().to_string());
    assert_eq!(points.collect::<Vec<_>>(), ["7", "5"], "refereed again, and as it was");
    assert_eq!(places(&results), [("ant", Some(1)), ("bee", Some(2))]);
    let referees: Vec<_> = results.referees().into_iter().map(|(_, rulings)| rulings).collect();
    assert_eq!(referees, [1, 1], "only what changed was recorded, so the other ruling is still of the first referee");
}

#[test]
fn a_round_that_older_rules_opened_is_a_deviation() {
    let (contents, results) = read("rules-1");
    assert_eq!(contents.rounds[0].entrants(), ["missing"], "which took no time, and so went on");
    assert_eq!(contents.rounds[0].rules, None);
    // The table is that of the recorded rounds.
    assert_eq!(places(&results), [("missing", Some(1)), ("table", None), ("crashes", Some(2))]);
    let found = deviations(&directory("rules-1")).unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(
        (&found[0].recorded, &found[0].today),
        (&contents.rounds[0], &PresentResult::Entrants(vec!["crashes".into()]))
    );
}

#[test]
fn a_round_of_the_rules_before_relative_scores_counted_in_ties_is_a_deviation() {
    let (contents, results) = read("rules-2-relative");
    assert_eq!(contents.rounds[0].entrants(), ["short", "long"], "which tied, as no relative score was known");
    assert_eq!(places(&results), [("short", Some(1)), ("long", Some(2))]);
    assert!(results.rows.iter().all(|row| row.rounds() == 2), "both are in the finale");
    let found = deviations(&directory("rules-2-relative")).unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(
        (&found[0].recorded, &found[0].today),
        (&contents.rounds[0], &PresentResult::Entrants(vec!["short".into()]))
    );
}

#[test]
fn a_round_of_the_rules_that_added_one_to_a_best_of_zero_is_a_deviation() {
    let (contents, results) = read("rules-3");
    assert_eq!((contents.rounds[0].entrants(), contents.rounds[0].rules), (vec!["steady"], Some(3)));
    assert_eq!(places(&results), [("steady", Some(1)), ("quick", Some(2))]);
    let found = deviations(&directory("rules-3")).unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(
        (&found[0].recorded, &found[0].today),
        (&contents.rounds[0], &PresentResult::Entrants(vec!["quick".into()]))
    );
}

#[test]
fn a_round_that_the_rules_of_today_opened_is_no_deviation() {
    // If this fails, the rules have changed: raise RULES, describe the change there, and keep this journal for the old ones.
    assert_eq!(RULES, 4);
    let (contents, results) = read("rules-2");
    assert_eq!(contents.rounds[0].entrants(), ["crashes"]);
    assert_eq!(places(&results)[0], ("crashes", Some(1)));
    assert_eq!(deviations(&directory("rules-2")).unwrap(), []);
}
