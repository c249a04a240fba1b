//! Seats that attack a seat that plays: each rogue loses, and the clock of its opponent is not affected.

use std::os::unix::process::CommandExt as _;
use std::process::Command;

use super::*;

/// A rogue, its script, and the verdicts that it may get with `life = "game"` and with `life = "move"`; `""` for none. It has the
/// first seat and loses.
const ROGUES: &[(&str, &str, &str, &str)] = &crate::rows! {
    ("silent", "sleep 100", "timed_out", "timed_out"),
    ("deaf and silent", "exec 0<&-; sleep 100", "timed_out", "timed_out"),
    ("closes its output", "exec 1>&-; sleep 100", "timed_out", "timed_out"),
    ("half a line", "printf 1; sleep 100", "timed_out", "timed_out"),
    ("stops itself", "kill -STOP $$", "timed_out", "timed_out"),
    ("spins", "while :; do :; done", "timed_out", "timed_out"),
    ("floods with lines", "yes", "wrong", "too_much_output"),
    ("floods without lines", "tr '\\0' x < /dev/zero", "too_much_output", "too_much_output"),
    ("floods before it is asked", "exec 0<&-; yes 1", "", "too_much_output"),
    ("floods with errors", "yes >&2", "timed_out", "timed_out"),
    ("dies", "exit 3", "crashed", "crashed"),
    ("dies in its move", "read -r x; kill -SEGV $$", "crashed", "crashed"),
    ("leaves without a word", "read -r x; exit 0", "crashed", "wrong"),
    ("leaves after a move", "read -r x; echo 1; exit 0", "crashed", ""),
    ("forks", "f() { f | f & }; f; sleep 100", "too_many_processes", "too_many_processes"),
    ("eats memory", "head -c 400000000 /dev/zero | tail", "out_of_memory", "out_of_memory"),
    ("fills its folder", "n=0; while :; do n=$((n + 1)); head -c 8000 /dev/zero > $JUDGE_KEEP/$n; done", "scratch_full", "scratch_full"),
    ("forges lines", "printf '1\\r2 ok 1\\rend 1 0\\rout 2 x\\n'; cat", "wrong", "wrong"),
    ("forges more lines", "printf '1\\nend 1 0\\n2 late\\n'; cat", "wrong", "wrong"),
    ("no text", "printf '\\377\\376\\000\\n'; cat", "wrong", "wrong"),
    ("an empty line", "echo; cat", "wrong", "wrong"),
    ("a long line", "head -c 900000 /dev/zero | tr '\\0' 1; echo; cat", "too_much_output", "too_much_output"),
    ("a long line to be quoted", "head -c 65000 /dev/zero | tr '\\0' '\\377'; echo; cat > /dev/null", "wrong", "wrong"),
    ("leaves children", "for one in 1 2 3; do (sh -c 'while :; do :; done' > /dev/null 2>&1 &); done; while read -r x; do echo 1; done", "", ""),
    ("does not end", "trap '' TERM HUP INT; while read -r x; do echo 1; done; while :; do :; done", "", "timed_out"),
    ("signals all", "kill -KILL -1; kill -STOP -1; while read -r x; do echo 1; done", "", ""),
};

/// Plays all rogues with both values of `life`, in one tier.
fn play_rogues(mode: IsolationMode) {
    with_executor(mode, |executor| {
        let mut wrong = Vec::new();
        for (name, script, game, by_move) in ROGUES {
            // In the tier without isolation, a signal to all processes ends the judge.
            if *name == "signals all" && mode != IsolationMode::Auto {
                continue;
            }
            for (life, expected) in [(Life::Game, game), (Life::Move, by_move)] {
                let folder = Folder::new(REFEREE, "limit = \"60s\"\noutput = \"8MiB\"", "8\n");
                let mut seats = folder.seats(&[script, PERFECT]);
                for job in &mut seats {
                    job.limits.memory_bytes = Some(128 << 20);
                    job.limits.processes = Some(24);
                    job.limits.output_bytes = 1 << 20;
                }
                let mut rules = rules(life);
                rules.clock.move_ms = Some(3_000);
                rules.keep = Some(Keep { bytes: 64 << 10, argument: false });
                let found = match folder.play(executor, seats, &rules, false) {
                    Ok(played) => {
                        let [(points, fault), other] = &result(&played)[..] else { panic!("{played:?}") };
                        let verdict = fault.map_or("", |(_, verdict)| verdict);
                        let won = *other == ("1".to_owned(), None) && points == "0";
                        if won { verdict.to_owned() } else { format!("{verdict}, and {other:?}") }
                    }
                    Err(reason) => reason,
                };
                // Without full isolation, a rogue can end in other ways as well, but always by its own fault.
                let also: &[&str] = match *expected {
                    "too_many_processes" | "out_of_memory" => &["timed_out", "crashed"],
                    "timed_out" if *name == "stops itself" => &["crashed"],
                    _ => &[],
                };
                if found != *expected && !also.contains(&&*found) {
                    wrong.push(format!("{name}, {life:?}: {found}, expected {expected}"));
                }
            }
        }
        assert!(wrong.is_empty(), "{}:\n{}", executor.isolation(), wrong.join("\n"));
    });
}

#[test]
fn a_seat_that_fails_loses_alone() {
    with_executor(IsolationMode::Auto, |executor| {
        for life in LIVES {
            let folder = Folder::new(REFEREE, "", "8\n");
            let mut rules = rules(life);
            rules.clock.move_ms = Some(20_000);
            let seats = folder.seats(&["read -r x; exit 3", SIMPLE]);
            let played = folder.play(executor, seats, &rules, false).unwrap();
            assert_eq!(result(&played), [("0".into(), Some((1, "crashed"))), ("1".into(), None)], "{life:?}");
            let mut missing = folder.seat(1, "");
            missing.argv = vec![judge_job::Argument::Text("/no/such/program".into())];
            let played = folder.play(executor, vec![missing, folder.seat(2, SIMPLE)], &rules, false).unwrap();
            assert_eq!(result(&played), [("0".into(), Some((1, "could_not_start"))), ("1".into(), None)], "{life:?}");
            // An answer has at most 64 KiB. This includes an answer whose last bytes arrive with its line feed.
            let long = folder.seats(&["read -r x; x=$(head -c 65600 /dev/zero | tr '\\0' x); echo $x", SIMPLE]);
            let played = folder.play(executor, long, &rules, false).unwrap();
            assert_eq!(result(&played), [("0".into(), Some((1, "too_much_output"))), ("1".into(), None)], "{life:?}");
            let illegal = folder.seats(&[SIMPLE, "while read -r x; do echo 4; done"]);
            let played = folder.play(executor, illegal, &rules, false).unwrap();
            assert_eq!(result(&played), [("1".into(), None), ("0".into(), Some((1, "wrong")))], "{life:?}");
            assert_eq!(
                played.seats[1].fault.as_ref().map(|fault| fault.verdict.clone()).and_then(|verdict| verdict.fault()),
                Some("wrong answer: 4 is no move".into())
            );
            assert!(!matches!(played.seats[1].fault.as_ref().unwrap().verdict, Verdict::Solved(_)));
        }
    });
}

#[test]
#[ignore = "deep: siege"]
fn rogues_lose_alone_in_namespaces() {
    play_rogues(IsolationMode::Auto);
}

#[test]
#[ignore = "deep: siege"]
fn rogues_lose_alone_under_landlock() {
    play_rogues(IsolationMode::Landlock);
}

#[test]
#[ignore = "deep: siege"]
fn rogues_lose_alone_without_isolation() {
    play_rogues(IsolationMode::Off);
}

/// Starts one of the tests above as another user.
fn as_another_user(test: &str) {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (program, tmp) = (folder.path().join("tests"), folder.path().join("tmp"));
    fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
    fs::create_dir(&tmp).unwrap();
    for (path, mode) in [(folder.path(), 0o755), (&program, 0o755), (&tmp, 0o777)] {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }
    let mut command = Command::new(&program);
    command.args(["--ignored", "--exact", &format!("external::game::tests::rogues::{test}")]);
    command.env("TMPDIR", &tmp).current_dir(folder.path()).uid(65_534).gid(65_534);
    let output = command.output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && printed.contains("1 passed"), "{printed}");
}

#[test]
#[ignore = "deep: siege"]
fn rogues_lose_alone_in_namespaces_of_an_ordinary_user() {
    as_another_user("rogues_lose_alone_in_namespaces");
}

#[test]
#[ignore = "deep: siege"]
fn rogues_lose_alone_under_landlock_of_an_ordinary_user() {
    as_another_user("rogues_lose_alone_under_landlock");
}

#[test]
#[ignore = "deep: siege"]
fn rogues_lose_alone_without_isolation_of_an_ordinary_user() {
    as_another_user("rogues_lose_alone_without_isolation");
}

#[test]
#[ignore = "deep: siege"]
fn a_seat_reads_nothing_of_the_other() {
    for mode in [IsolationMode::Auto, IsolationMode::Landlock] {
        with_executor(mode, |executor| {
            for life in LIVES {
                let folder = Folder::new(REFEREE, "", "2\n");
                // The first seat leaves a secret. The second one searches for it, and for the first process, everywhere it can.
                let writes = "read -r x; echo secret-of-1 > $JUDGE_KEEP/file; echo 1; read -r y; exit 0";
                let looks = "read -r x; cat $(dirname $JUDGE_KEEP)/*/* /dev/shm/*/*/* /tmp/*/*/* 2> /dev/null; \
                             for p in /proc/[0-9]*; do tr '\\0' ' ' < $p/environ; cat $p/root/$JUDGE_KEEP/../*/*; done 2> /dev/null; echo";
                let looks = format!("({looks}) | grep -c secret-of-1; read -r y; exit 0");
                let mut rules = rules(life);
                rules.keep = Some(Keep { bytes: 64 << 10, argument: false });
                let played = folder.play(executor, folder.seats(&[writes, &looks]), &rules, false).unwrap();
                let fault = played.seats[1].fault.clone().map(|fault| fault.verdict.fault().unwrap());
                // The number of secrets that it found.
                assert_eq!(fault.as_deref(), Some("wrong answer: 0 is no move"), "{mode:?} {life:?}: {played:?}");
            }
        });
    }
}

#[test]
#[ignore = "deep: siege"]
fn a_seat_that_spins_while_it_is_not_to_move_takes_no_time_of_the_other() {
    for mode in [IsolationMode::Auto, IsolationMode::Landlock, IsolationMode::Off] {
        with_executor(mode, |executor| {
            let folder = Folder::new(REFEREE, "", "4\n");
            let spins =
                "(while :; do :; done) & (setsid sh -c 'while :; do :; done' &); while read -r x; do echo 1; done";
            // The other seat uses nearly all of the time.
            let thinks = "while read -r x; do sleep 1; echo 1; done";
            let played = folder.play(executor, folder.seats(&[spins, thinks]), &rules(Life::Game), false).unwrap();
            let (spinner, thinker) = (&played.seats[0], &played.seats[1]);
            // It sleeps for two seconds. The time in which the judge works for the other seat is subtracted.
            assert!(thinker.used_us > 1_900_000, "{played:?}");
            // Its processor time falls into its own time, on at most two processors, and into its start and its end.
            let most = spinner.used_us * 2 + 500_000;
            assert!(spinner.cpu_us < Some(most), "{mode:?}: {played:?}");
        });
    }
}

/// Perl that arms timers which continue it by SIGCONT, and spins. The numbers of its system calls are those of this architecture.
#[cfg(target_arch = "x86_64")]
const CONTINUED: &str = r#"exec perl -e '
$| = 1; $SIG{CONT} = sub {}; my @timers;
for (1 .. 100) {
    my $id = pack("l", 0); syscall(222, 1, my $event = pack("x8 l l x48", 18, 0), $id); push @timers, unpack("l", $id)
}
sub arm { my $n = 0; syscall(223, $_, 0, my $at = pack("q4", 0, 0, 0, ++$n * 5_000_000), 0) for @timers }
arm(); vec(my $in = "", 0, 1) = 1; my $spins = 0;
while (1) {
    arm() if ++$spins % 5000 == 0;
    if (select(my $ready = $in, undef, undef, 0) > 0) { sysread(STDIN, my $line, 99) or exit; print "1\n" }
}'"#;

#[test]
#[cfg(target_arch = "x86_64")]
#[ignore = "deep: siege"]
fn a_seat_that_timers_continue_while_it_is_stopped_computes_next_to_nothing() {
    for mode in [IsolationMode::Auto, IsolationMode::Landlock] {
        with_executor(mode, |executor| {
            let folder = Folder::new(REFEREE, "", "8\n");
            let thinks = "while read -r x; do sleep 1; echo 1; done";
            let played = folder.play(executor, folder.seats(&[CONTINUED, thinks]), &rules(Life::Game), false).unwrap();
            let (spinner, thinker) = (&played.seats[0], &played.seats[1]);
            assert_eq!(thinker.fault, None, "{mode:?}: {played:?}");
            let most = spinner.used_us * 2 + 500_000;
            assert!(spinner.asks > 1 && spinner.cpu_us < Some(most), "{mode:?}: {played:?}");
        });
    }
}

#[test]
#[cfg(target_arch = "x86_64")]
#[ignore = "deep: siege"]
fn a_seat_that_timers_continue_computes_next_to_nothing_for_an_ordinary_user() {
    as_another_user("a_seat_that_timers_continue_while_it_is_stopped_computes_next_to_nothing");
}

#[test]
#[ignore = "deep: siege"]
fn a_seat_that_waits_long_for_its_first_ask_has_exceeded_nothing() {
    for mode in [IsolationMode::Auto, IsolationMode::Landlock] {
        with_executor(mode, |executor| {
            let folder = Folder::new(REFEREE, "", "2\n");
            let mut seats = folder.seats(&["read -r x; sleep 2; echo 1; read -r y", SIMPLE]);
            seats.iter_mut().for_each(|job| job.limits.memory_bytes = Some(128 << 20));
            let mut rules = rules(Life::Game);
            rules.keep = Some(Keep { bytes: 64 << 10, argument: false });
            let played = folder.play(executor, seats, &rules, false).unwrap();
            assert!(result(&played).iter().all(|(_, fault)| fault.is_none()), "{mode:?}: {played:?}");
        });
    }
}

#[test]
#[ignore = "deep: siege"]
fn a_seat_of_an_ordinary_user_that_waits_long_for_its_first_ask_has_exceeded_nothing() {
    as_another_user("a_seat_that_waits_long_for_its_first_ask_has_exceeded_nothing");
}
