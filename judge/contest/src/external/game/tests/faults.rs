//! Faults of the referee, and the times of seats.

use super::*;

/// Failing referees, with the text of the error. The failures are judge errors, whatever the entries in the seats do.
const FAILING: &[(&str, &str)] = &[
    ("true", "it ended without `end`"),
    ("echo hello; read x", "unknown command `hello`"),
    ("printf wai", "its output ended within a line"),
    ("printf 'ask 1 2\\na\\n'", "its output ended 1 lines before the end of an ask of seat 1"),
    ("printf 'ask 3 0\\nwait\\n'; read x", "seats are 1 to 2"),
    ("echo wait; read x", "`wait` without an open ask"),
    ("echo end 1", "it has 1 number for 2 seats"),
    ("echo end 1 x", "`end 1 x`"),
    ("printf 'end 1 0\\nend 1 0\\n'", "it wrote more after `end`"),
    ("echo end 1 0; exit 3", "it ended with exit code 3 after `end`"),
    ("echo end 1 0; kill -SEGV $$", "it crashed with signal 11 (SIGSEGV) after `end`"),
    ("echo why >&2; exit 3", "it ended with exit code 3; its last message: why"),
    ("kill -SEGV $$", "it ended with signal 11 (SIGSEGV)"),
    ("sleep 100", "it took more time of its own than its `limit` allows"),
    ("echo end 1 0; sleep 100", "it took more time of its own than its `limit` allows"),
    ("printf 'ask 1 1\\n4\\nwait\\n'; sleep 100", "it took more time of its own than its `limit` allows"),
    ("printf 'ask 1 1\\n4\\nwait\\n'; exit 0", "it ended"),
    ("yes", "unknown command `y`"),
    ("tr '\\0' x < /dev/zero", "a command has more than 1048576 bytes"),
    ("(echo ask 1 9; tr '\\0' x < /dev/zero)", "it printed more than [referee] allows"),
];

#[test]
fn a_referee_that_fails_is_a_judge_error_that_names_its_fault() {
    with_executor(IsolationMode::Auto, |executor| {
        for (script, expected) in FAILING {
            let folder = Folder::new(script, "limit = \"300ms\"\noutput = \"2MiB\"", "5\n");
            let life = if script.len() % 2 == 0 { Life::Game } else { Life::Move };
            let failed = folder.play(executor, folder.seats(&[PERFECT, SIMPLE]), &rules(life), false).unwrap_err();
            assert!(failed.contains(expected), "{script}: {failed}, expected {expected}");
        }
        let missing = Folder::new("true", "", "5\n");
        let contest =
            fs::read_to_string(missing.path("contest.toml")).unwrap().replace("\"sh\", \"referee.sh\"", "\"no-such\"");
        fs::write(missing.path("contest.toml"), contest).unwrap();
        let failed = missing.play(executor, missing.seats(&[PERFECT, SIMPLE]), &rules(Life::Game), false).unwrap_err();
        assert!(failed.contains("could not be started"), "{failed}");
    });
}

/// Asks seat 1 three times, and ends the game with the number of its answers.
const THREE: &str = r#"answers=0
for one in 1 2 3; do
    printf 'ask 1 1\n%s\nwait\n' $one
    read -r seat word count
    if [ "$word" = ok ]; then answers=$((answers + 1)); read -r answer; fi
done
echo end $answers 0
"#;

#[test]
fn each_clock_of_a_seat_counts_only_while_it_is_to_move() {
    with_executor(IsolationMode::Auto, |executor| {
        let clock = |move_ms, game_ms, increment_ms| {
            let mut clock = judge_core::matches::Clock::default();
            (clock.move_ms, clock.game_ms, clock.increment_ms) = (move_ms, game_ms, increment_ms);
            clock
        };
        let slow = |seconds: &str| format!("while read -r x; do sleep {seconds}; echo 1; done");
        for life in LIVES {
            for (clock, script, answers, fault) in [
                (clock(Some(5_000), None, 0), slow("0.1"), "3", None),
                (clock(Some(400), Some(60_000), 0), slow("0.8"), "0", Some((1, "timed_out"))),
                (clock(None, Some(1_600), 0), slow("1"), "1", Some((2, "timed_out"))),
                (clock(None, Some(2_500), 1_000_000), slow("0.7"), "3", None),
            ] {
                let mut rules = rules(life);
                rules.clock = clock;
                let folder = Folder::new(THREE, "", "");
                let played = folder.play(executor, folder.seats(&[&script, SIMPLE]), &rules, false).unwrap();
                assert_eq!(result(&played)[0], (answers.into(), fault), "{life:?} {clock:?}: {played:?}");
                let asks = if fault.is_some() { fault.map_or(3, |(ask, _)| ask) } else { 3 };
                assert_eq!(played.seats[0].asks, asks, "one that is out is not asked any more");
            }
        }
        // Without another limit, the limit of the contest is the time of a game. The referee's time does not count.
        let folder = Folder::new(&THREE.replace("printf", "sleep 0.4; printf"), "", "");
        let mut seats = folder.seats(&[SIMPLE, SIMPLE]);
        seats[0].limits.wall_ms = 900;
        let played = folder.play(executor, seats, &rules(Life::Game), false).unwrap();
        assert_eq!(result(&played)[0], ("3".into(), None), "{played:?}");
        // The program gets the time of its ask.
        for life in LIVES {
            let folder = Folder::new(REFEREE, "", "2\n");
            let mut rules = rules(life);
            rules.clock = clock(Some(30_000), None, 0);
            let limit = "read -r x; test $JUDGE_LIMIT_MS = 30000 && echo 2; cat";
            let played = folder.play(executor, folder.seats(&[limit, SIMPLE]), &rules, false).unwrap();
            assert_eq!(result(&played)[0], ("1".into(), None), "{life:?} {played:?}");
        }
    });
}

#[test]
fn commands_that_a_referee_writes_early_wait_for_the_replies() {
    with_executor(IsolationMode::Auto, |executor| {
        for life in LIVES {
            let early = "printf 'ask 1 1\\n4\\nwait\\nask 2 1\\n3\\nask 1 0\\nwait\\nend 1 0\\n'; cat > /dev/null";
            let referee =
                format!("({early}) & read -r a; read -r b; read -r c; read -r d; read -r e; read -r f; exit 0");
            let folder = Folder::new(&referee.replace("; cat > /dev/null", ""), "", "");
            let script = "while read -r x; do echo 1; echo 2; done";
            let played = folder.play(executor, folder.seats(&[script, script]), &rules(life), false).unwrap();
            assert_eq!(result(&played), [("1".into(), None), ("0".into(), None)], "{life:?} {played:?}");
            assert_eq!(played.seats[0].asks, 2);
        }
    });
}
