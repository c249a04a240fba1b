//! Tests of the rules of an office: its keys in a contest file, and the order of its moments.

use super::*;
use crate::office::{Counts, OfficeRules, Quotas, Times, TimesError, moment};

const ROUNDS: &str = "[[round]]\nname = \"heats\"\nboards = [\"X\"]\nadvance = \"solved\"\n\
                      [[round]]\nname = \"final\"\nboards = [\"Y\"]\n";

fn times(opens: u64, closes: u64) -> Times {
    let some = |at: u64| (at > 0).then_some(at);
    Times { opens: some(opens), freezes: None, closes: some(closes) }
}

#[test]
fn every_key_of_an_office_is_in_its_rules() {
    let office = r#"[office]
opens = 1970-01-02T00:00:00Z
freezes = 1970-01-03T00:00:00Z
closes = 1970-01-04T00:00:00Z
counts = "best"
penalty = "30m"
limit = { every = "90s", per_day = 7, waiting = "unlimited", bytes = "unlimited", builds_failed = 3, questions = 5, choices = "unlimited" }
[[language]]
code = "py"
endings = [".py"]
run = ["python3", "{main}"]
memory = "1MiB"
"#;
    let late = "opens = 1970-01-05T00:00:00Z\ncloses = 1970-01-06T00:00:00Z\n";
    let contest = Folder::new(&[HEAD, ROUNDS, late, BOARDS, ENTRIES, office].concat()).contest();
    let rules = &contest.office.rules;
    let day = 86_400;
    assert_eq!(rules.times, Times { opens: Some(day), freezes: Some(2 * day), closes: Some(3 * day) });
    assert_eq!((rules.counts, rules.penalty), (Counts::Best, Some(30)));
    assert_eq!(rules.rounds, [times(4 * day, 5 * day)]);
    let (waiting, bytes, choices) = Default::default();
    let (per_day, builds_failed, questions) = (Some(7), Some(3), Some(5));
    let limit = Quotas { every: Some(90), per_day, waiting, bytes, builds_failed, questions, choices };
    assert_eq!(rules.limit, limit);
    let language = &contest.office.languages[0];
    assert_eq!((&*language.code, &*language.name, language.memory), ("py", "py", 1));
    assert_eq!(
        (&*language.endings, &*language.run),
        (&[".py".to_owned()][..], &["python3".to_owned(), "{main}".into()][..])
    );
    let usual = Quotas::default();
    assert_eq!((usual.waiting, usual.bytes), (Some(10), Some(64 * 1024 * 1024)));
    assert_eq!((usual.questions, usual.choices), (Some(20), Some(60)));
}

#[test]
fn accepted_answers_and_scores_have_their_own_rules_of_what_counts() {
    let accepts = "name = \"x\"\ngame = \"external\"\nlimit = \"5s\"\n[referee]\nprotocol = \"exit\"\ncommand = [\"sh\", \"-c\", \"true\"]\n";
    let scores = accepts.replace("[referee]\n", "[[figure]]\nname = \"score\"\nbetter = \"more\"\n[referee]\n");
    let read = |head: &str, counts: &str| {
        let folder = Folder::new(&[head, BOARDS, ENTRIES, "[office]\n", counts].concat());
        let read = Contest::load(folder.0.path(), &Overrides::default());
        read.map(|contest| contest.office.rules.counts).map_err(|error| error.reason)
    };
    assert_eq!(read(accepts, ""), Ok(Counts::FirstAccepted));
    assert_eq!(read(accepts, "counts = \"first-accepted\"\n"), Ok(Counts::FirstAccepted));
    for (head, usual) in [(HEAD, Counts::Latest), (&scores, Counts::Latest)] {
        assert_eq!(read(head, ""), Ok(usual));
        assert_eq!(read(head, "counts = \"best\"\n"), Ok(Counts::Best));
        let refused = read(head, "counts = \"first-accepted\"\n").expect_err("scores");
        assert!(refused.contains("is only for answers that are accepted or not"), "{refused}");
    }
    for counts in ["latest", "best", "chosen"] {
        let refused = read(accepts, &format!("counts = \"{counts}\"\n")).expect_err(counts);
        assert!(refused.contains("so counts is \"first-accepted\""), "{refused}");
    }
}

#[test]
fn what_an_office_cannot_be_is_refused() {
    let refusal = |text: &str| {
        let folder = Folder::new(&[HEAD, ROUNDS, BOARDS, ENTRIES, text].concat());
        Contest::load(folder.0.path(), &Overrides::default()).map(drop).expect_err(text).reason
    };
    let language = |keys: &str| format!("[[language]]\n{keys}\n");
    for (text, reason) in [
        ("[office]\npenalty = \"90s\"\n", "penalty must be whole minutes"),
        ("[office]\nopens = 1970-01-02\n", "opens must be a date with a time and an offset"),
        ("[office]\nopens = 1970-01-02T00:00:00Z\ncloses = 1970-01-02T00:00:00Z\n", "`closes` must be after `opens`"),
        ("[office]\nlimit = { per_day = 0 }\n", "per_day must be 1 to 1000000, or \"unlimited\""),
        ("[office]\nlimit = { waiting = \"many\" }\n", "waiting must be 1 to 1000000"),
        ("[notify]\ncommand = \" \"\n", "command is empty"),
        (&language("code = \"p y\"\nendings = [\".py\"]\nrun = \"x\""), "code must have letters, digits and _ + -"),
        (&language("code = \"\"\nendings = [\".py\"]\nrun = \"x\""), "code must have letters"),
        (&language("code = \"py\"\nendings = [\"py\"]\nrun = \"x\""), "an ending begins with a dot"),
        (&language("code = \"py\"\nendings = [\".\"]\nrun = \"x\""), "an ending begins with a dot"),
        (&language("code = \"py\"\nendings = [\".c\"]\nrun = \"x {mian}\""), "unknown word {mian}; use {"),
    ] {
        let found = refusal(text);
        assert!(found.contains(reason), "expected `{reason}`, found `{found}`");
    }
}

#[test]
fn rounds_have_times_of_their_own() {
    let rules = OfficeRules::default().with_round(1, times(5, 9)).with_round(3, times(20, 30));
    assert_eq!([0, 1, 2, 3, 4].map(|round| rules.in_round(round).opens), [Some(5), Some(5), None, Some(20), None]);
    assert_eq!((rules.rounds.len(), rules.ends(), rules.late_from()), (2, Some(30), Some(9)));
    let open = rules.clone().with_round(2, times(7, 0));
    assert_eq!((open.late_from(), open.rounds.len()), (Some(7), 2), "the final rounds open before the contest closes");
    let fewer = rules.with_round(3, Times::default());
    assert_eq!((fewer.rounds.len(), fewer.ends()), (0, Some(9)));
}

#[test]
fn moments_come_in_their_order() {
    let rules = |later: Times| OfficeRules::default().with_round(1, times(5, 9)).with_round(2, later).check();
    assert_eq!(rules(times(9, 10)), Ok(()), "a round may open when the one before closes");
    let early = TimesError::Rounds { earlier: "closes", of: 1, later: "opens", round: 2 };
    assert_eq!(rules(times(8, 10)), Err(early));
    let order = || Box::new(TimesError::Order { earlier: "opens", later: "closes" });
    assert_eq!(rules(times(12, 12)), Err(TimesError::InRound { round: 2, error: order() }));
    assert_eq!(rules(Times { freezes: Some(11), ..times(10, 12) }), Err(TimesError::Freezes { round: 2 }));
    assert_eq!(OfficeRules::default().with_round(1, times(9, 9)).check(), Err(*order()));
    let frozen = Times { freezes: Some(6), ..times(5, 9) };
    assert_eq!(OfficeRules::default().with_round(1, frozen).check(), Ok(()));
    assert_eq!(moment(" 1970-01-02T00:00:00Z "), Ok(86_400));
    assert_eq!(moment("soon"), Err(TimesError::Moment("soon".into())));
}
