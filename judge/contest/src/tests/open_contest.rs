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
    BoardAndReason, ContestState, EntryAndReason, EntryEvent, ManualRuling, Rejudged, Rejudgement, RulingUndone,
};
use judge_core::verdict::Exit;
use judge_core::withdrawal::Withdrawal;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::open_contest::{CommandError, Event, OpenContest, RunLease, StartOptions};
use crate::schedule::FinishedRun;

const ROUNDS: &str = "[[round]]\nname = \"heats\"\nboards = [\"X\"]\nadvance = \"solved\"\n\
                      [[round]]\nname = \"final\"\nboards = [\"Y\"]\n";
const THIRD: &str = "[[entry]]\nname = \"c\"\ncommand = \"c/solve\"\n";

/// An open contest in a separate folder.
pub(super) struct Begun {
    pub(super) folder: Folder,
    pub(super) open_contest: OpenContest,
}

fn at_noon() -> Option<Date> {
    Some(Date::from_unix(1_795_435_200))
}

impl Begun {
    pub(super) fn new(contest: &str) -> Self {
        let folder = Folder::new(contest);
        folder.file("c/solve", "#!/bin/sh\n");
        let with = StartOptions { contest_file: "../contest.toml".into(), ..StartOptions::default() };
        let open_contest = OpenContest::begin(folder.contest(), &folder.results(), with, at_noon).unwrap();
        Self { folder, open_contest }
    }

    /// Three entries on two boards.
    pub(super) fn three() -> Self {
        Self::new(&[HEAD, BOARDS, ENTRIES, THIRD].concat())
    }

    /// Simulates that the judge is killed, and resumes the contest.
    fn resumed(self) -> Self {
        let Self { folder, open_contest } = self;
        drop(open_contest);
        let (journal, _) = Journal::resume(&folder.results(), at_noon).unwrap();
        let open_contest = OpenContest::resume(folder.contest(), journal, &folder.results()).unwrap();
        Self { folder, open_contest }
    }

    fn next(&self) -> RunLease {
        self.open_contest.next().unwrap().expect("a run to execute")
    }

    fn none_left(&self) -> bool {
        self.open_contest.next().unwrap().is_none()
    }

    fn finish(&self, lease: &RunLease, change: impl FnOnce(&mut Record)) -> Option<Record> {
        self.open_contest.finish(lease, finished(lease, change)).unwrap()
    }

    /// Executes all remaining runs.
    fn finish_all(&self) -> Vec<String> {
        let mut made = Vec::new();
        while let Some(lease) = self.open_contest.next().unwrap() {
            self.finish(&lease, |_| {}).unwrap();
            made.push(format!("{} {} {}", lease.key.entry, lease.key.board, lease.run.attempt));
        }
        made
    }

    fn read(&self) -> ContestState {
        journal::read(&self.folder.results()).unwrap()
    }

    /// Compares the contest with a fresh reading of the journal.
    fn assert_same_as_read(&self, after: &str) {
        let contents = self.open_contest.contents();
        // No line lists those that are set aside.
        let aside = contents.set_aside_entries().map(|(entry, out)| (entry.clone(), Some(out.clone())));
        let read = self.read().with_aside(aside);
        assert_eq!(contents, read, "after {after}");
    }
}

/// A run that was executed and solves its board, unless `change` changes that.
pub(super) fn finished(lease: &RunLease, change: impl FnOnce(&mut Record)) -> FinishedRun {
    let (seq, attempt) = (lease.run.index + 1, lease.run.attempt);
    let mut record = Record::without_run(seq, lease.key.clone(), attempt, verdict(4), 10_000, Arc::new(isolation()));
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
    let plan = begun.open_contest.contents().plan.clone();
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
    let open_contest = OpenContest::begin(folder.contest(), &folder.results(), StartOptions::default(), clock).unwrap();
    seconds.store(9, Ordering::SeqCst);
    let lease = open_contest.next().unwrap().unwrap();
    open_contest.finish(&lease, finished(&lease, |_| {})).unwrap();
    let contents = open_contest.contents();
    let dates = (contents.begun, contents.records[0].at);
    assert_eq!(dates, (Some(Date::from_unix(7)), Some(Date::from_unix(9))));
}

#[test]
fn next_hands_out_each_run_once() {
    let begun = Begun::three();
    let mut keys: Vec<RunKey> = (0..6).map(|_| begun.next().key).collect();
    assert!(begun.none_left(), "all are under way");
    assert_eq!(begun.open_contest.under_way(), begun.open_contest.contents().order().to_vec());
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
        let Some(lease) = begun.open_contest.next().unwrap() else { break };
        begun.finish(&lease, |_| {}).unwrap();
        made += 1;
        match made {
            2 => begun.open_contest.strike(board("Y")).unwrap(),
            3 => begun.open_contest.withdraw(entry("b")).unwrap(),
            _ => {}
        }
        begun = begun.resumed();
        match made {
            3 => begun.open_contest.reinstate_board(board("Y")).unwrap(),
            4 => begun.open_contest.submit(version(&begun, "c", "c/better")).unwrap(),
            5 => begun.open_contest.restore_entry(entry("b")).unwrap(),
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
    let lease = begun.next();
    assert!(!lease.stop().requested());
    begun.open_contest.strike(board(&lease.key.board)).unwrap();
    assert!(lease.clone().stop().requested());
    assert!(begun.finish(&lease, |_| {}).is_none());
    assert!(begun.read().records.is_empty());
    begun.open_contest.reinstate_board(board(&lease.key.board)).unwrap();
    assert_eq!(begun.finish_all().len(), 6, "it is made again");
}

#[test]
fn a_run_of_a_withdrawn_entry_or_an_older_version_is_not_recorded() {
    let begun = Begun::three();
    let (first, second, third) = (begun.next(), begun.next(), begun.next());
    begun.open_contest.withdraw(entry(&first.key.entry)).unwrap();
    assert_eq!([&first, &second, &third].map(|lease| lease.stop().requested()), [true, false, false]);
    begun.open_contest.submit(version(&begun, &second.key.entry, "./other")).unwrap();
    assert_eq!([&first, &second, &third].map(|lease| lease.stop().requested()), [true, true, false]);
    begun.open_contest.requeue(&third);
    assert_eq!([&first, &second].map(|lease| begun.finish(lease, |_| {})), [None, None]);
    let made = begun.finish_all();
    assert!(made.contains(&format!("{} {} 1", second.key.entry, second.key.board)), "{made:?}");
    assert!(made.len() == 4 && !made.iter().any(|run| run.starts_with(&*first.key.entry)), "{made:?}");
    assert!(begun.open_contest.finish(&second, finished(&second, |_| {})).unwrap().is_none(), "its turn is over");
}

#[test]
fn a_turn_that_is_given_back_is_handed_out_again() {
    let begun = Begun::three();
    let lease = begun.next();
    begun.open_contest.requeue(&lease);
    assert!(begun.finish(&lease, |_| {}).is_none(), "another may make it now");
    let made = begun.finish_all();
    assert!(made.len() == 6 && made.contains(&format!("{} {} 1", lease.key.entry, lease.key.board)), "{made:?}");
}

#[test]
fn a_suspect_run_is_repeated_as_often_as_asked() {
    for times in 0..3 {
        let begun = Begun::three();
        begun.open_contest.repeat_suspect(times);
        let (mut of_a, mut repeats) = (0, 0);
        while let Some(lease) = begun.open_contest.next().unwrap() {
            let is_a = (&*lease.key.entry, &*lease.key.board) == ("a", "X");
            of_a += u32::from(is_a);
            repeats += u32::from(lease.repeats);
            begun.finish(&lease, |record| record.extras.suspect = is_a.then(|| "others".into())).unwrap();
        }
        assert_eq!((of_a, repeats), (times + 1, times));
    }
}

#[test]
fn a_repetition_that_fails_without_a_fault_of_the_entry_is_in_vain() {
    let begun = Begun::three();
    begun.open_contest.repeat_suspect(1);
    let lease = begun.next();
    begun.finish(&lease, |record| record.extras.suspect = Some("others".into()));
    (0..5).for_each(|_| drop(begun.finish(&begun.next(), |_| {}).unwrap()));
    let again = begun.next();
    assert_eq!((&again.key, again.run.attempt, again.repeats), (&lease.key, 2, true));
    let record = begun.finish(&again, |record| record.verdict = judge_error()).unwrap();
    assert!(record.in_vain && begun.none_left());
    let counts = begun.read().record(&lease.key).cloned().unwrap();
    assert_eq!((counts.attempt, counts.verdict), (1, verdict(4)));
}

#[test]
fn a_round_opens_when_no_run_is_missing() {
    let begun = Begun::new(&[HEAD, ROUNDS, BOARDS, ENTRIES, THIRD].concat());
    let turns = [begun.next(), begun.next(), begun.next()];
    assert!(begun.none_left());
    assert_eq!(begun.open_contest.open_next_round().unwrap(), None, "its runs are under way");
    let [first, second, third] = &turns;
    begun.finish(first, |record| record.verdict = Verdict::Crashed { exit: Exit::Code(3) });
    begun.finish(second, |_| {});
    begun.finish(third, |record| record.verdict = judge_error());
    assert!(begun.none_left(), "a judge error is not repeated at once");
    assert_eq!(begun.open_contest.contents().round(), 1, "and its run is missing");
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
        let lease = begun.next();
        begun.finish(&lease, |record| (record.attempt, record.verdict) = (attempt, judge_error()));
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
    begun.open_contest.rule(ruling(verdict(9))).unwrap();
    begun.assert_same_as_read("a ruling");
    assert_eq!(begun.open_contest.contents().record(&key).unwrap().verdict, verdict(9));
    let before = fs::read(begun.folder.results().join(FILE_NAME)).unwrap();
    let refused = begun.open_contest.rule(ruling(verdict(1 << 53))).unwrap_err().to_string();
    assert!(refused.contains("`9007199254740992` is too large"), "{refused}");
    assert_eq!(fs::read(begun.folder.results().join(FILE_NAME)).unwrap(), before, "no reader would accept it");
    begun.open_contest.update(vec![Line::RulingUndone(Box::new(RulingUndone::new(key.clone())))]).unwrap();
    assert_eq!(begun.open_contest.contents().record(&key).unwrap().verdict, verdict(4));
    let of = |attempt| {
        let mut rejudgement = Rejudgement::default();
        rejudgement.changed.push(Rejudged::new(key.clone(), attempt, verdict(8)));
        rejudgement
    };
    let before = begun.open_contest.contents();
    let refused = begun.open_contest.rejudge(of(2)).unwrap_err().to_string();
    assert!(refused.contains("attempt 2 of") && refused.contains("its record is missing"), "{refused}");
    assert_eq!(begun.open_contest.contents(), before, "nothing has changed");
    begun.open_contest.rejudge(of(1)).unwrap();
    begun.assert_same_as_read("a rejudgement");
    assert_eq!(begun.open_contest.contents().record(&key).unwrap().verdict, verdict(8));
    assert_eq!(before.record(&key).unwrap().verdict, verdict(4), "an earlier state never changes");
}

#[test]
fn an_entry_that_is_set_aside_is_not_run_and_no_line_says_so() {
    let begun = Begun::three();
    let journal = || fs::read_to_string(begun.folder.results().join(FILE_NAME)).unwrap();
    let (before, first) = (journal(), begun.next());
    let out = |out: Option<&str>| vec![(first.key.entry.to_string(), out.map(Withdrawal::new))];
    begun.open_contest.set_aside(out(Some("superseded by b")));
    assert!(first.stop().requested() && begun.finish(&first, |_| {}).is_none());
    assert_eq!((begun.finish_all().len(), journal().matches("superseded").count()), (4, 0));
    assert!(begun.read().withdrawn.is_empty() && journal().starts_with(&before));
    begun.open_contest.set_aside(out(None));
    assert_eq!(begun.finish_all().len(), 2, "it is in the contest again");
    begun.open_contest.withdraw(entry(&first.key.entry)).unwrap();
    begun.open_contest.set_aside(out(None));
    assert!(begun.open_contest.contents().withdrawn.contains_key(&*first.key.entry), "what was withdrawn stays out");
}

#[test]
fn what_cannot_follow_is_not_written() {
    let begun = Begun::three();
    let before = fs::read(begun.folder.results().join(FILE_NAME)).unwrap();
    let refused = [
        begun.open_contest.strike(board("Z")),
        begun.open_contest.restore_entry(entry("a")),
        begun.open_contest.withdraw(entry("z")),
        begun.open_contest.update(vec![Line::Struck(board("X")), Line::Struck(board("X"))]),
    ];
    assert!(refused.iter().all(|refused| matches!(refused, Err(CommandError::Journal(JournalError::Refused { .. })))));
    assert_eq!(fs::read(begun.folder.results().join(FILE_NAME)).unwrap(), before);
    assert!(begun.open_contest.contents().struck.is_empty());
}

#[test]
fn a_snapshot_is_what_the_journal_says_after_every_event() {
    for seed in 1..=12u64 {
        let ranking = ["", "[ranking]\norder = [\"relative\", \"time\"]\n"][usize::from(seed % 2 == 0)];
        let rounds = if seed % 3 == 0 { ROUNDS } else { "" };
        let mut begun = Begun::new(&[HEAD, ranking, rounds, BOARDS, ENTRIES, THIRD].concat());
        begun.open_contest.repeat_suspect(1);
        let (mut dice, mut turns, mut done) = (ChaCha8Rng::seed_from_u64(seed), Vec::new(), Vec::new());
        for step in 0..40 {
            let name = ["a", "b", "c"][dice.random_range(0..3)];
            let on = ["X", "Y"][dice.random_range(0..2)];
            let what = dice.random_range(0..18);
            match what {
                0..6 => turns.extend(begun.open_contest.next().unwrap()),
                6..11 if !turns.is_empty() => {
                    let lease: RunLease = turns.swap_remove(dice.random_range(0..turns.len()));
                    let (moves, how) = (dice.random_range(0..9u64), dice.random_range(0..5));
                    let record = begun.finish(&lease, |record| match how {
                        0 => record.verdict = judge_error(),
                        1 => record.verdict = Verdict::TimedOut,
                        2 => record.extras.suspect = Some("others".into()),
                        _ => record.verdict = verdict(moves),
                    });
                    done.extend(record.map(|record| record.key));
                }
                11 => drop(begun.open_contest.strike(board(on))),
                12 => drop(
                    begun
                        .open_contest
                        .reinstate_board(board(on))
                        .and_then(|()| begun.open_contest.restore_entry(entry(name))),
                ),
                13 => drop(begun.open_contest.withdraw(entry(name))),
                16 | 17 => {
                    let out = (what == 16).then(|| Withdrawal::new("superseded"));
                    begun.open_contest.set_aside(vec![(name.to_owned(), out)]);
                }
                14 => drop(begun.open_contest.submit(version(&begun, name, &format!("./{name}{step}")))),
                15 if !done.is_empty() => {
                    let key: RunKey = done[dice.random_range(0..done.len())].clone();
                    let ruling = ManualRuling::new(key, verdict(1), "so");
                    drop(begun.open_contest.rule(ruling));
                }
                _ => {
                    turns.clear();
                    begun = begun.resumed();
                }
            }
            begun.assert_same_as_read(&format!("step {step} of seed {seed}: {what}"));
            // A judge error is repeated when nothing else waits.
            let [waiting, would_wait] = begun.open_contest.waiting();
            let contents = begun.open_contest.contents();
            let others = |key: &&RunKey| !contents.record(key).is_some_and(Record::is_judge_error);
            let [some, all] = [&waiting, &would_wait].map(|runs| runs.iter().filter(others).collect::<Vec<_>>());
            assert_eq!(some, all, "step {step} of seed {seed}: {what}");
            assert_eq!(waiting.is_empty(), would_wait.is_empty(), "step {step} of seed {seed}: {what}");
        }
    }
}

#[test]
fn an_entry_costs_a_look_at_its_own_runs_however_many_there_were() {
    let begun = Begun::three();
    begun.finish_all();
    let mut examined = Vec::new();
    for number in 0..200 {
        let before = begun.open_contest.examined();
        let name = format!("n{number}");
        begun.open_contest.submit(version(&begun, &name, "./n")).unwrap();
        assert_eq!(begun.finish_all().len(), 2);
        begun.open_contest.withdraw(entry(&name)).unwrap();
        examined.push(begun.open_contest.examined() - before);
    }
    // The entry's own runs when they are added, when they are executed, and the runs of the entry that was withdrawn before.
    assert!(examined[1] <= 8 && examined[1..].iter().all(|now| *now == examined[1]), "{examined:?}");
    begun.assert_same_as_read("200 entries");
}

#[test]
fn a_judge_error_is_repeated_until_it_had_so_many_attempts() {
    let begun = Begun::three();
    begun.open_contest.repeat_judge_errors(3, BTreeMap::new());
    let mut attempts = Vec::new();
    while let Some(lease) = begun.open_contest.next().unwrap() {
        let fails = (&*lease.key.entry, &*lease.key.board) == ("a", "X");
        attempts.extend(fails.then_some(lease.run.attempt));
        begun.finish(&lease, |record| {
            if fails {
                record.verdict = judge_error()
            }
        });
    }
    assert_eq!(attempts, [1, 2, 3]);
    let begun = begun.resumed();
    begun.open_contest.repeat_judge_errors(3, BTreeMap::new());
    assert!(begun.none_left(), "it is held also after a start");
}

#[test]
fn a_round_does_not_open_while_a_suspect_run_is_repeated() {
    let begun = Begun::new(&[HEAD, BOARDS, ENTRIES, ROUNDS].concat());
    begun.open_contest.repeat_suspect(1);
    let suspect = begun.next();
    begun.finish(&suspect, |record| record.extras.suspect = Some("others".into()));
    let other = begun.next();
    begun.finish(&other, |_| {});
    let again = begun.next();
    assert_eq!((&again.key, again.repeats), (&suspect.key, true));
    assert!(begun.none_left(), "its repetition may change who goes on");
    assert_eq!(begun.open_contest.contents().round(), 1);
    begun.finish(&again, |_| {});
    assert_eq!(&*begun.next().key.board, "Y");
    assert_eq!(begun.open_contest.contents().round(), 2);
}
