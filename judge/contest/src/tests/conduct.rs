//! A contest conducted by commands, with a fixed clock. It is killed after each event, changed during runs, and compared with a
//! fresh reading of its journal.

mod engines;
mod stopped;
mod turns;

use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};

use judge_core::date::Date;
use judge_core::fingerprint::Hashes;
use judge_core::journal::{
    BoardAndReason, Contents, EntryAndReason, EntryEvent, ManualRuling, Rejudged, Rejudgement, RulingUndone,
};
use judge_core::verdict::Exit;
use judge_core::withdrawal::Withdrawal;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::conduct::{Beginning, Conduct, ConductError, Event, Turn};
use crate::schedule::FinishedRun;

const ROUNDS: &str = "[[round]]\nname = \"heats\"\nboards = [\"X\"]\nadvance = \"solved\"\n\
                      [[round]]\nname = \"final\"\nboards = [\"Y\"]\n";
const THIRD: &str = "[[entry]]\nname = \"c\"\ncommand = \"c/solve\"\n";

/// An open contest in a separate folder.
pub(super) struct Begun {
    pub(super) folder: Folder,
    pub(super) conduct: Conduct,
}

fn at_noon() -> Option<Date> {
    Some(Date::from_unix(1_795_435_200))
}

impl Begun {
    pub(super) fn new(contest: &str) -> Self {
        let folder = Folder::new(contest);
        folder.file("c/solve", "#!/bin/sh\n");
        let with = Beginning { contest_file: "../contest.toml".into(), ..Beginning::default() };
        let conduct = Conduct::begin(folder.contest(), &folder.results(), with, at_noon).unwrap();
        Self { folder, conduct }
    }

    /// Three entries on two boards.
    pub(super) fn three() -> Self {
        Self::new(&[HEAD, BOARDS, ENTRIES, THIRD].concat())
    }

    /// Simulates that the judge is killed, and resumes the contest.
    fn resumed(self) -> Self {
        let Self { folder, conduct } = self;
        drop(conduct);
        let (journal, _) = Journal::resume(&folder.results(), at_noon).unwrap();
        let conduct = Conduct::resume(folder.contest(), journal, &folder.results()).unwrap();
        Self { folder, conduct }
    }

    fn next(&self) -> Turn {
        self.conduct.next().unwrap().expect("a run to execute")
    }

    fn none_left(&self) -> bool {
        self.conduct.next().unwrap().is_none()
    }

    fn finish(&self, turn: &Turn, change: impl FnOnce(&mut Record)) -> Option<Record> {
        self.conduct.finish(turn, finished(turn, change)).unwrap()
    }

    /// Executes all remaining runs.
    fn finish_all(&self) -> Vec<String> {
        let mut made = Vec::new();
        while let Some(turn) = self.conduct.next().unwrap() {
            self.finish(&turn, |_| {}).unwrap();
            made.push(format!("{} {} {}", turn.key.entry, turn.key.board, turn.run.attempt));
        }
        made
    }

    fn read(&self) -> Contents {
        journal::read(&self.folder.results()).unwrap()
    }

    /// Compares the contest with a fresh reading of the journal.
    fn assert_same_as_read(&self, after: &str) {
        let contents = self.conduct.contents();
        // No line lists those that are set aside.
        let aside = contents.aside().map(|(entry, out)| (entry.clone(), Some(out.clone())));
        let read = self.read().with_aside(aside);
        assert_eq!(contents, read, "after {after}");
    }
}

/// A run that was executed and solves its board, unless `change` changes that.
pub(super) fn finished(turn: &Turn, change: impl FnOnce(&mut Record)) -> FinishedRun {
    let (seq, attempt) = (turn.run.index + 1, turn.run.attempt);
    let mut record = Record::without_run(seq, turn.key.clone(), attempt, verdict(4), 10_000, Arc::new(isolation()));
    record.wall_us = Some(1000);
    change(&mut record);
    FinishedRun::new(record, Some(machine("m")))
}

pub(super) fn verdict(moves: u64) -> Verdict {
    Verdict::from_replay(
        judge_core::games::GAMES[0],
        judge_core::game::Score { progress: 25, of: 25, moves, ..Default::default() },
        None,
    )
}

fn judge_error() -> Verdict {
    Verdict::JudgeError { reason: JudgeFailure::Judge("no disk".into()) }
}

fn board(name: &str) -> BoardAndReason {
    BoardAndReason { board: name.into(), reason: "a misprint".into() }
}

fn entry(name: &str) -> EntryAndReason {
    let withdrawal = Withdrawal::new("on a journey");
    EntryAndReason { entry: name.into(), withdrawal }
}

fn version(begun: &Begun, name: &str, command: &str) -> EntryEvent {
    let plan = begun.conduct.contents().plan.clone();
    let known = plan.entries.iter().find(|entry| entry.name == name).or(plan.entries.first()).cloned().unwrap();
    let (mut entry, name, command) = (known, name.to_owned(), vec![command.to_owned()]);
    (entry.name, entry.command) = (name, command);
    EntryEvent::new((*entry).clone(), Hashes::new())
}

#[test]
fn a_clock_has_what_it_captures() {
    let folder = Folder::new(&[HEAD, BOARDS, ENTRIES].concat());
    let seconds = Arc::new(AtomicU64::new(7));
    let read = seconds.clone();
    let clock = move || Some(Date::from_unix(read.load(Ordering::SeqCst)));
    let conduct = Conduct::begin(folder.contest(), &folder.results(), Beginning::default(), clock).unwrap();
    seconds.store(9, Ordering::SeqCst);
    let turn = conduct.next().unwrap().unwrap();
    conduct.finish(&turn, finished(&turn, |_| {})).unwrap();
    let contents = conduct.contents();
    let dates = (contents.begun, contents.records[0].at);
    assert_eq!(dates, (Some(Date::from_unix(7)), Some(Date::from_unix(9))));
}

#[test]
fn next_hands_out_each_run_once() {
    let begun = Begun::three();
    let mut keys: Vec<RunKey> = (0..6).map(|_| begun.next().key).collect();
    assert!(begun.none_left(), "all are under way");
    assert_eq!(begun.conduct.under_way(), begun.conduct.contents().order().to_vec());
    keys.sort();
    keys.dedup();
    assert_eq!(keys.len(), 6);
}

#[test]
fn a_contest_that_is_killed_after_each_event_goes_on() {
    let mut begun = Begun::three();
    let mut made = 0;
    loop {
        begun = begun.resumed();
        let Some(turn) = begun.conduct.next().unwrap() else { break };
        begun.finish(&turn, |_| {}).unwrap();
        made += 1;
        match made {
            2 => begun.conduct.strike(board("Y")).unwrap(),
            3 => begun.conduct.withdraw(entry("b")).unwrap(),
            _ => {}
        }
        begun = begun.resumed();
        match made {
            3 => begun.conduct.reinstate(board("Y")).unwrap(),
            4 => begun.conduct.submit(version(&begun, "c", "c/better")).unwrap(),
            5 => begun.conduct.restore(entry("b")).unwrap(),
            _ => {}
        }
        begun.assert_same_as_read(&format!("{made} runs"));
    }
    assert_eq!(begun.read().missing(), [0; 0]);
    assert_eq!(begun.read().records[0].at, at_noon());
}

#[test]
fn a_run_whose_board_is_struck_meanwhile_is_not_recorded() {
    let begun = Begun::three();
    let turn = begun.next();
    assert!(!turn.stop().requested());
    begun.conduct.strike(board(&turn.key.board)).unwrap();
    assert!(turn.clone().stop().requested());
    assert!(begun.finish(&turn, |_| {}).is_none());
    assert!(begun.read().records.is_empty());
    begun.conduct.reinstate(board(&turn.key.board)).unwrap();
    assert_eq!(begun.finish_all().len(), 6, "it is made again");
}

#[test]
fn a_run_of_a_withdrawn_entry_or_an_older_version_is_not_recorded() {
    let begun = Begun::three();
    let (first, second, third) = (begun.next(), begun.next(), begun.next());
    begun.conduct.withdraw(entry(&first.key.entry)).unwrap();
    assert_eq!([&first, &second, &third].map(|turn| turn.stop().requested()), [true, false, false]);
    begun.conduct.submit(version(&begun, &second.key.entry, "./other")).unwrap();
    assert_eq!([&first, &second, &third].map(|turn| turn.stop().requested()), [true, true, false]);
    begun.conduct.give_back(&third);
    assert_eq!([&first, &second].map(|turn| begun.finish(turn, |_| {})), [None, None]);
    let made = begun.finish_all();
    assert!(made.contains(&format!("{} {} 1", second.key.entry, second.key.board)), "{made:?}");
    assert!(made.len() == 4 && !made.iter().any(|run| run.starts_with(&*first.key.entry)), "{made:?}");
    assert!(begun.conduct.finish(&second, finished(&second, |_| {})).unwrap().is_none(), "its turn is over");
}

#[test]
fn a_turn_that_is_given_back_is_handed_out_again() {
    let begun = Begun::three();
    let turn = begun.next();
    begun.conduct.give_back(&turn);
    assert!(begun.finish(&turn, |_| {}).is_none(), "another may make it now");
    let made = begun.finish_all();
    assert!(made.len() == 6 && made.contains(&format!("{} {} 1", turn.key.entry, turn.key.board)), "{made:?}");
}

#[test]
fn a_suspect_run_is_repeated_as_often_as_asked() {
    for times in 0..3 {
        let begun = Begun::three();
        begun.conduct.repeat_suspect(times);
        let (mut of_a, mut repeats) = (0, 0);
        while let Some(turn) = begun.conduct.next().unwrap() {
            let is_a = (&*turn.key.entry, &*turn.key.board) == ("a", "X");
            of_a += u32::from(is_a);
            repeats += u32::from(turn.repeats);
            begun.finish(&turn, |record| record.extras.suspect = is_a.then(|| "others".into())).unwrap();
        }
        assert_eq!((of_a, repeats), (times + 1, times));
    }
}

#[test]
fn a_repetition_that_fails_without_a_fault_of_the_entry_is_in_vain() {
    let begun = Begun::three();
    begun.conduct.repeat_suspect(1);
    let turn = begun.next();
    begun.finish(&turn, |record| record.extras.suspect = Some("others".into()));
    (0..5).for_each(|_| drop(begun.finish(&begun.next(), |_| {}).unwrap()));
    let again = begun.next();
    assert_eq!((&again.key, again.run.attempt, again.repeats), (&turn.key, 2, true));
    let record = begun.finish(&again, |record| record.verdict = judge_error()).unwrap();
    assert!(record.in_vain && begun.none_left());
    let counts = begun.read().record(&turn.key).cloned().unwrap();
    assert_eq!((counts.attempt, counts.verdict), (1, verdict(4)));
}

#[test]
fn a_round_opens_when_no_run_is_missing() {
    let begun = Begun::new(&[HEAD, ROUNDS, BOARDS, ENTRIES, THIRD].concat());
    let turns = [begun.next(), begun.next(), begun.next()];
    assert!(begun.none_left());
    assert_eq!(begun.conduct.open_next_round().unwrap(), None, "its runs are under way");
    let [first, second, third] = &turns;
    begun.finish(first, |record| record.verdict = Verdict::Crashed { exit: Exit::Code(3) });
    begun.finish(second, |_| {});
    begun.finish(third, |record| record.verdict = judge_error());
    assert!(begun.none_left(), "a judge error is not repeated at once");
    assert_eq!(begun.conduct.contents().round(), 1, "and its run is missing");
    let begun = begun.resumed();
    let again = begun.next();
    assert_eq!((&again.key, again.run.attempt), (&third.key, 2));
    assert!(begun.none_left());
    begun.finish(&again, |_| {});
    let made = begun.finish_all();
    assert_eq!(made.len(), 2, "{made:?}");
    assert!(made.iter().all(|run| run.contains(" Y ") && !run.starts_with(&*first.key.entry)), "{made:?}");
    begun.assert_same_as_read("the final");
}

#[test]
fn an_attempt_has_a_higher_number_than_every_one_before() {
    let mut begun = Begun::three();
    for (attempt, next) in [(5, 6), (2, 6)] {
        let turn = begun.next();
        begun.finish(&turn, |record| (record.attempt, record.verdict) = (attempt, judge_error()));
        begun = begun.resumed();
        assert_eq!(begun.next().run.attempt, next);
        begun = begun.resumed();
    }
}

#[test]
fn rulings_and_rejudgements_change_what_counts() {
    let begun = Begun::three();
    let key = begun.next().key;
    let begun = begun.resumed();
    begun.finish_all();
    let ruling = |verdict| ManualRuling::new(key.clone(), verdict, "a typing error");
    begun.conduct.rule(ruling(verdict(9))).unwrap();
    begun.assert_same_as_read("a ruling");
    assert_eq!(begun.conduct.contents().record(&key).unwrap().verdict, verdict(9));
    let before = fs::read(begun.folder.results().join(FILE_NAME)).unwrap();
    let refused = begun.conduct.rule(ruling(verdict(1 << 53))).unwrap_err().to_string();
    assert!(refused.contains("`9007199254740992` is too large"), "{refused}");
    assert_eq!(fs::read(begun.folder.results().join(FILE_NAME)).unwrap(), before, "no reader would accept it");
    begun.conduct.update(vec![Line::RulingUndone(Box::new(RulingUndone::new(key.clone())))]).unwrap();
    assert_eq!(begun.conduct.contents().record(&key).unwrap().verdict, verdict(4));
    let of = |attempt| {
        let mut rejudgement = Rejudgement::default();
        rejudgement.changed.push(Rejudged::new(key.clone(), attempt, verdict(8)));
        rejudgement
    };
    let before = begun.conduct.contents();
    let refused = begun.conduct.rejudge(of(2)).unwrap_err().to_string();
    assert!(refused.contains("attempt 2 of") && refused.contains("its record is missing"), "{refused}");
    assert_eq!(begun.conduct.contents(), before, "nothing has changed");
    begun.conduct.rejudge(of(1)).unwrap();
    begun.assert_same_as_read("a rejudgement");
    assert_eq!(begun.conduct.contents().record(&key).unwrap().verdict, verdict(8));
    assert_eq!(before.record(&key).unwrap().verdict, verdict(4), "an earlier state never changes");
}

#[test]
fn an_entry_that_is_set_aside_is_not_run_and_no_line_says_so() {
    let begun = Begun::three();
    let journal = || fs::read_to_string(begun.folder.results().join(FILE_NAME)).unwrap();
    let (before, first) = (journal(), begun.next());
    let out = |out: Option<&str>| vec![(first.key.entry.to_string(), out.map(Withdrawal::new))];
    begun.conduct.set_aside(out(Some("superseded by b")));
    assert!(first.stop().requested() && begun.finish(&first, |_| {}).is_none());
    assert_eq!((begun.finish_all().len(), journal().matches("superseded").count()), (4, 0));
    assert!(begun.read().withdrawn.is_empty() && journal().starts_with(&before));
    begun.conduct.set_aside(out(None));
    assert_eq!(begun.finish_all().len(), 2, "it is in the contest again");
    begun.conduct.withdraw(entry(&first.key.entry)).unwrap();
    begun.conduct.set_aside(out(None));
    assert!(begun.conduct.contents().withdrawn.contains_key(&*first.key.entry), "what was withdrawn stays out");
}

#[test]
fn what_cannot_follow_is_not_written() {
    let begun = Begun::three();
    let before = fs::read(begun.folder.results().join(FILE_NAME)).unwrap();
    let refused = [
        begun.conduct.strike(board("Z")),
        begun.conduct.restore(entry("a")),
        begun.conduct.withdraw(entry("z")),
        begun.conduct.update(vec![Line::Struck(board("X")), Line::Struck(board("X"))]),
    ];
    assert!(refused.iter().all(|refused| matches!(refused, Err(ConductError::Journal(JournalError::Refused { .. })))));
    assert_eq!(fs::read(begun.folder.results().join(FILE_NAME)).unwrap(), before);
    assert!(begun.conduct.contents().struck.is_empty());
}

#[test]
fn a_snapshot_is_what_the_journal_says_after_every_event() {
    for seed in 1..=12u64 {
        let ranking = ["", "[ranking]\norder = [\"relative\", \"time\"]\n"][usize::from(seed % 2 == 0)];
        let rounds = if seed % 3 == 0 { ROUNDS } else { "" };
        let mut begun = Begun::new(&[HEAD, ranking, rounds, BOARDS, ENTRIES, THIRD].concat());
        begun.conduct.repeat_suspect(1);
        let (mut dice, mut turns, mut done) = (ChaCha8Rng::seed_from_u64(seed), Vec::new(), Vec::new());
        for step in 0..40 {
            let name = ["a", "b", "c"][dice.random_range(0..3)];
            let on = ["X", "Y"][dice.random_range(0..2)];
            let what = dice.random_range(0..18);
            match what {
                0..6 => turns.extend(begun.conduct.next().unwrap()),
                6..11 if !turns.is_empty() => {
                    let turn: Turn = turns.swap_remove(dice.random_range(0..turns.len()));
                    let (moves, how) = (dice.random_range(0..9u64), dice.random_range(0..5));
                    let record = begun.finish(&turn, |record| match how {
                        0 => record.verdict = judge_error(),
                        1 => record.verdict = Verdict::TimedOut,
                        2 => record.extras.suspect = Some("others".into()),
                        _ => record.verdict = verdict(moves),
                    });
                    done.extend(record.map(|record| record.key));
                }
                11 => drop(begun.conduct.strike(board(on))),
                12 => drop(begun.conduct.reinstate(board(on)).and_then(|()| begun.conduct.restore(entry(name)))),
                13 => drop(begun.conduct.withdraw(entry(name))),
                16 | 17 => {
                    let out = (what == 16).then(|| Withdrawal::new("superseded"));
                    begun.conduct.set_aside(vec![(name.to_owned(), out)]);
                }
                14 => drop(begun.conduct.submit(version(&begun, name, &format!("./{name}{step}")))),
                15 if !done.is_empty() => {
                    let key: RunKey = done[dice.random_range(0..done.len())].clone();
                    let ruling = ManualRuling::new(key, verdict(1), "so");
                    drop(begun.conduct.rule(ruling));
                }
                _ => {
                    turns.clear();
                    begun = begun.resumed();
                }
            }
            begun.assert_same_as_read(&format!("step {step} of seed {seed}: {what}"));
            // A judge error is repeated when nothing else waits.
            let [waiting, afresh] = begun.conduct.waiting();
            let contents = begun.conduct.contents();
            let others = |key: &&RunKey| !contents.record(key).is_some_and(Record::is_judge_error);
            let [some, all] = [&waiting, &afresh].map(|runs| runs.iter().filter(others).collect::<Vec<_>>());
            assert_eq!(some, all, "step {step} of seed {seed}: {what}");
            assert_eq!(waiting.is_empty(), afresh.is_empty(), "step {step} of seed {seed}: {what}");
        }
    }
}

#[test]
fn an_entry_costs_a_look_at_its_own_runs_however_many_there_were() {
    let begun = Begun::three();
    begun.finish_all();
    let mut looks = Vec::new();
    for number in 0..200 {
        let before = begun.conduct.looks();
        let name = format!("n{number}");
        begun.conduct.submit(version(&begun, &name, "./n")).unwrap();
        assert_eq!(begun.finish_all().len(), 2);
        begun.conduct.withdraw(entry(&name)).unwrap();
        looks.push(begun.conduct.looks() - before);
    }
    // The entry's own runs when they are added, when they are executed, and the runs of the entry that was withdrawn before.
    assert!(looks[1] <= 8 && looks[1..].iter().all(|now| *now == looks[1]), "{looks:?}");
    begun.assert_same_as_read("200 entries");
}

#[test]
fn a_judge_error_is_repeated_until_it_had_so_many_attempts() {
    let begun = Begun::three();
    begun.conduct.repeat_judge_errors(3, BTreeMap::new());
    let mut attempts = Vec::new();
    while let Some(turn) = begun.conduct.next().unwrap() {
        let fails = (&*turn.key.entry, &*turn.key.board) == ("a", "X");
        attempts.extend(fails.then_some(turn.run.attempt));
        begun.finish(&turn, |record| {
            if fails {
                record.verdict = judge_error()
            }
        });
    }
    assert_eq!(attempts, [1, 2, 3]);
    let begun = begun.resumed();
    begun.conduct.repeat_judge_errors(3, BTreeMap::new());
    assert!(begun.none_left(), "it is held also after a start");
}

#[test]
fn a_round_does_not_open_while_a_suspect_run_is_repeated() {
    let begun = Begun::new(&[HEAD, BOARDS, ENTRIES, ROUNDS].concat());
    begun.conduct.repeat_suspect(1);
    let suspect = begun.next();
    begun.finish(&suspect, |record| record.extras.suspect = Some("others".into()));
    let other = begun.next();
    begun.finish(&other, |_| {});
    let again = begun.next();
    assert_eq!((&again.key, again.repeats), (&suspect.key, true));
    assert!(begun.none_left(), "its repetition may change who goes on");
    assert_eq!(begun.conduct.contents().round(), 1);
    begun.finish(&again, |_| {});
    assert_eq!(&*begun.next().key.board, "Y");
    assert_eq!(begun.conduct.contents().round(), 2);
}
