//! Tests of the table, row by row.

use judge_contest::office::{OfficeRules, Times};

use super::*;
use crate::line::{FORMAT, Message, Submission};
use crate::state::tests::submission;

const OPENS: u64 = 100;
/// The moment of each line after the beginning.
const NOW: u64 = 200;

type MakeLine = fn() -> Line;

/// The columns: what a contest is when a line comes.
const WHEN: [(char, &[MakeLine]); 8] = [
    ('n', &[]),
    ('b', &[begun]),
    ('o', &[begun, added, submitted]),
    ('z', &[begun, added, submitted, frozen]),
    ('r', &[begun, added, submitted, final_rounds]),
    ('f', &[begun, added, submitted, || Line::Final]),
    ('j', &[begun, added, submitted, || Line::RejudgeAsked]),
    ('t', &[begun, added, submitted, || Line::Registration { most: 1 }]),
];

fn begun() -> Line {
    Line::Office { format: FORMAT }
}

fn added() -> Line {
    team(false)
}

fn team(registered: bool) -> Line {
    Line::Team { team: "ada".into(), registered }
}

fn frozen() -> Line {
    Line::Frozen { last: 0, from: None }
}

fn final_rounds() -> Line {
    Line::Finals { from: None }
}

fn submitted() -> Line {
    Line::Submitted(Submission { late: true, ..submission(1, None) })
}

fn decided(decision: Decision) -> Line {
    Line::Decided { number: 1, decision, because: None }
}

/// The rows: a kind of line as the documents name it, an example, and when it may be written.
fn rows() -> Vec<(&'static str, Line, &'static str)> {
    let (because, team_name) = (|| "because".to_owned(), || "ada".to_owned());
    let shown = judge_core::fingerprint::sha256_of(b"x").parse().unwrap();
    vec![
        ("`office`", begun(), "n"),
        ("`team`", team(false), "bozrjt"),
        ("`team`, by the link", team(true), "t"),
        ("`registration` that closes it", Line::Registration { most: 0 }, "bozrfjt"),
        ("`registration` that opens it", Line::Registration { most: 2 }, "bozrjt"),
        ("`rules`", Line::Rules { rules: OfficeRules::default() }, "bozrjt"),
        ("`extended`", Line::Extended { round: None, times: Times::default(), because: because() }, "bozrjt"),
        ("`submitted`", submitted(), "ozrjt"),
        ("`decided`: admitted", decided(Decision::Admitted), "bozjt"),
        ("`decided`: another decision", decided(Decision::Held), "bozrjt"),
        ("`disqualified`", Line::Disqualified { team: team_name(), because: because() }, "bozrjt"),
        ("`reinstated`", Line::Reinstated { team: team_name(), because: because() }, "bozrjt"),
        ("`rejudge_asked`", Line::RejudgeAsked, "bozrjt"),
        ("`rejudge_approved`", Line::RejudgeApproved { shown, partial: false }, "j"),
        ("`rejudge_dropped`", Line::RejudgeDropped, "j"),
        ("`chosen`", Line::Chosen { number: 1 }, "bozjt"),
        ("`frozen`", frozen(), "borjt"),
        ("`called`", Line::Called { last: 1 }, "bozrjt"),
        ("`thawed`", Line::Thawed, "z"),
        ("`finals`", final_rounds(), "bozjt"),
        ("`published`", Line::Published { round: 2 }, "r"),
        ("`passed`", Line::Passed { moments: vec![OPENS] }, "bozrjt"),
        ("`final`", Line::Final, "bozrjt"),
        ("`reopened`", Line::Reopened { because: because() }, "f"),
        ("`message`", Line::Message(Message::new("hello")), "bozrfjt"),
        ("`claimed`", Line::Claimed { question: 1, by: "max".to_owned().into() }, "bozrfjt"),
    ]
}

/// The state in a column, and the moment of the next line.
fn state(lines: &[MakeLine]) -> (State, u64) {
    let mut state = State::default();
    for (index, line) in lines.iter().enumerate() {
        state.apply(Dated { at: if index == 0 { 1 } else { NOW }, line: line() }).unwrap();
        if index == 0 {
            let times = Times { opens: Some(OPENS), ..Times::default() };
            state
                .apply(Dated { at: 1, line: Line::Rules { rules: OfficeRules { times, ..OfficeRules::default() } } })
                .unwrap();
        }
    }
    (state, if lines.len() > 1 { NOW } else { OPENS - 1 })
}

#[test]
fn each_line_may_be_written_when_the_table_says_so() {
    for (column, lines) in WHEN {
        let (state, at) = state(lines);
        for (row, line, allowed) in rows() {
            let refused = state.permits(&Dated { at, line }).err();
            assert_eq!(refused.is_none(), allowed.contains(column), "{row} in column {column}: {refused:?}");
        }
    }
}

#[test]
fn the_documents_have_the_same_table() {
    let words = |condition: &Condition| match condition {
        NotBegun => "the office has not begun",
        Begun => "the office has begun",
        NotFinal | NotYetFinal => "results are not final",
        Final => "results are final",
        Opened => "submissions are open, or were when it arrived",
        NotFrozen => "the board is not frozen",
        Frozen => "the board is frozen",
        FinalRoundsNotBegun => "final rounds have not begun",
        FinalRoundsNotDue => "final rounds have not begun, and are not due",
        FinalRoundsBegun => "final rounds have begun",
        RegistrationOpen => "the link is open and not used up",
        RejudgingRequested => "a rejudging is requested",
    };
    let mut table = String::from("| line | before it |\n| --- | --- |\n");
    for (row, line, _) in rows() {
        let own = conditions(&line).iter().filter(|condition| **condition != Begun || conditions(&line).len() == 1);
        table.push_str(&format!("| {row} | {} |\n", own.map(words).collect::<Vec<_>>().join("; ")));
    }
    let documents =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/file-formats.md")).unwrap();
    assert!(documents.contains(&table), "docs/file-formats.md lacks this table:\n{table}");
}
