//! Tests of whose time passes in a talk.

use super::*;

#[test]
#[ignore = "deep: siege"]
fn only_the_time_in_which_a_program_is_to_move_counts_on_its_own_clock() {
    in_every_tier(|executor| {
        let folder = Folder::new();
        // The referee takes longer than the entry may.
        let mut talk = folder.talk("echo a; read x; sleep 3; echo b; read x", "read x; echo 1; read x; echo 2");
        talk.sides[1].own_ms = Some(2_500);
        let (ended, outcome) = ends(executor, &talk);
        assert_eq!(ended, [DONE, DONE], "{}: {outcome:?}", executor.isolation());
        // Except for the judge's work because of the other side, which does not count.
        assert!(outcome.sides[0].own_us >= 2_900_000 && outcome.sides[1].own_us < 2_500_000, "{outcome:?}");
        // Half a line does not stop the clock for good.
        let mut talk = folder.talk("echo a; cat > rest", "read x; printf 4; sleep 2; echo 2");
        talk.sides[1].own_ms = Some(1_000);
        let (ended, outcome) = ends(executor, &talk);
        assert_eq!(ended[1], (End::TimedOut, Some(Cut::OwnClock)), "{}: {outcome:?}", executor.isolation());
        // A program that thinks is ended by its clock, long before the wall-clock limit.
        let mut talk = folder.talk("echo a; cat > rest", "read x; while :; do :; done");
        talk.sides[1].own_ms = Some(200);
        let (ended, outcome) = ends(executor, &talk);
        assert_eq!(ended, [DONE, (End::TimedOut, Some(Cut::OwnClock))], "{}: {outcome:?}", executor.isolation());
        assert!(outcome.sides[1].outcome.wall_us < Some(50_000_000), "{outcome:?}");
    });
}

/// The actions of the referee and the entry, until the wall-clock limit or beyond the entry's own clock, and the reason
/// why the entry timed out.
const MOVES: &[(&str, &str, Cut)] = &[
    // The referee has heard everything and thinks, or does not even read.
    ("echo a; read x; sleep 100", "read x; echo 1; read x", Cut::OthersClock),
    ("sleep 100", "echo 1; read x", Cut::OthersClock),
    ("sleep 100", "read x", Cut::OthersClock),
    ("kill -STOP $$", "echo 1; read x", Cut::OthersClock),
    // It took its time before, and the entry is ended in its own.
    ("read x; sleep 3; echo a; cat > rest", "echo 1; read x; sleep 100", Cut::OthersClock),
    // It waits for the rest of a line, for another line, for the first one.
    ("echo a; read x; cat > rest", "read x; printf 1; sleep 100", Cut::OwnClock),
    ("echo a; read x; read y; exit 1", "read x; echo 1; sleep 100", Cut::OwnClock),
    ("cat > rest", "sleep 100", Cut::OwnClock),
    ("python3 -c 'import select; select.select([0], [], [])'", "sleep 100", Cut::OwnClock),
    ("read x; cat > rest", "echo 1; sleep 2", Cut::OwnClock),
    // It has ended.
    ("read x; exit 0", "echo 1; sleep 100", Cut::OwnClock),
];

#[test]
fn the_wall_clock_limit_is_the_fault_of_the_program_that_is_to_move() {
    in_every_tier(|executor| {
        std::thread::scope(|scope| {
            for (referee, entry, cut) in MOVES {
                scope.spawn(move || {
                    let folder = Folder::new();
                    let mut talk = folder.talk(referee, entry);
                    talk.linger_ms = 500;
                    talk.sides[1].own_ms = Some(1_500);
                    talk.sides[1].job.limits.wall_ms = 2_500;
                    let (ended, outcome) = ends(executor, &talk);
                    let context = format!("{}: {referee} | {entry}: {outcome:?}", executor.isolation());
                    assert_eq!(ended[1], (End::TimedOut, Some(*cut)), "{context}");
                });
            }
        });
    });
}

#[test]
#[ignore = "deep: siege"]
fn a_referee_that_computes_takes_no_time_of_an_entry_that_others_took() {
    let processors = rustix::thread::sched_getaffinity(None).unwrap();
    let mut processors = (0..rustix::thread::CpuSet::MAX_CPU).filter(|&processor| processors.is_set(processor));
    let one = processors.next().unwrap();
    let another = processors.next().unwrap_or(one);
    let known = std::cell::Cell::new(0);
    in_every_tier(|executor| {
        for (of_referee, of_entry) in [(one, one), (one, another)] {
            let folder = Folder::new();
            let spins = "read x; exec python3 -c 'import time\nwhile time.process_time() < 1: pass\nprint(1)'";
            let mut talk = folder.talk(spins, "echo 1; read x");
            talk.sides[0].job.processors = vec![of_referee];
            talk.sides[1].job.processors = vec![of_entry];
            let (ended, outcome) = ends(executor, &talk);
            let context = format!("{of_referee} {of_entry} {}: {outcome:?}", executor.isolation());
            assert_eq!(ended, [DONE, DONE], "{context}");
            let entry = &outcome.sides[1].outcome;
            let (wall, contention) = (entry.wall_us.unwrap(), entry.contention.unwrap());
            // The entry's processors are busy for others only while the referee does not compute on them.
            let left = if of_referee == of_entry { wall.saturating_sub(1_000_000) } else { wall };
            // Without a supervisor the time is not known.
            let Some(taken) = contention.taken_us else { continue };
            known.set(known.get() + 1);
            assert!(taken <= left + 100_000, "{taken} of {left}: {context}");
            // Without interference it is not suspect.
            if taken < 50_000 && contention.memory_pressure_us.is_none_or(|pressure| pressure < 50_000) {
                assert_eq!(contention.suspicion(wall), None, "{context}");
            }
        }
    });
    assert!(known.get() >= 4, "{}", known.get());
}

#[test]
#[ignore = "deep: siege"]
fn an_entry_that_takes_the_processor_from_its_referee_is_out_of_time() {
    let processors = rustix::thread::sched_getaffinity(None).unwrap();
    let one = (0..rustix::thread::CpuSet::MAX_CPU).find(|&processor| processors.is_set(processor)).unwrap();
    in_every_tier(|executor| {
        let folder = Folder::new();
        let computes = "read x; python3 -c 'import time\nwhile time.process_time() < 0.8: pass'; echo 1; read x";
        // 250 sessions if it may have some, each of which gets as much CPU time as the referee. They end by themselves if
        // nothing ends them.
        let spins = "echo 1; python3 -c 'import os, time\nend = time.monotonic() + 4\nfor n in range(250):\n \
                     if os.fork(): continue\n try: os.setsid()\n except OSError: pass\n \
                     while time.monotonic() < end: pass\n os._exit(0)' & read x; wait";
        let mut talk = folder.talk(computes, spins);
        talk.sides.iter_mut().for_each(|side| side.job.processors = vec![one]);
        talk.sides[1].own_ms = Some(1_500);
        talk.sides[1].job.limits.wall_ms = 2_500;
        let (ended, outcome) = ends(executor, &talk);
        let used = outcome.sides[1].outcome.usage.cpu_us.unwrap_or_default();
        // On a busy machine it may get too little CPU time to be to blame.
        let blamed = if used > 1_700_000 { vec![Cut::OwnClock] } else { vec![Cut::OwnClock, Cut::OthersClock] };
        let (end, cut) = &ended[1];
        assert!(
            *end == End::TimedOut && cut.is_some_and(|cut| blamed.contains(&cut)),
            "{}: {outcome:?}",
            executor.isolation()
        );
    });
}
