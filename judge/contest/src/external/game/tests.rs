//! Games on this machine: a small game whose referee is a shell script, and seats that play, fail or attack.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test may panic, and starts itself as another user"
)]

mod faults;
mod rogues;

use std::fs;
use std::num::NonZeroUsize;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::sync::Mutex;

use judge_core::matches::{GameEvent, GameEventKind, GameLine, Keep, Seats};
use judge_core::verdict::Verdict;
use judge_job::{
    Capacity, Description, Director, Executor, IsolationMode, Limits, Outcome, SideOutcome, StopFlag, StopRequest as _,
};
use judge_sandbox::{Interrupt, LocalExecutor};
use tempfile::TempDir;

use super::*;
use crate::external::RefereeContext;
use crate::{Contest, Overrides};

/// The game of one heap: the side that takes the last match of the board wins. A move is 1, 2 or 3.
pub(super) const REFEREE: &str = r#"read -r heap < "$1"
test "$2" = 2 || exit 9
seat=1
while [ "$heap" -gt 0 ]; do
    printf 'ask %s 1\n%s\nwait\n' $seat "$heap"
    read -r number word count || exit 8
    test "$number" = $seat || exit 7
    other=$((3 - seat))
    if [ "$word" = ok ]; then
        move=none
        while [ "$count" -gt 0 ]; do read -r move; count=$((count - 1)); done
        case $move in
            [123]) heap=$((heap - move)) ;;
            *) echo "out $seat $move is no move"; break ;;
        esac
    else
        break
    fi
    seat=$other
    other=$((3 - seat))
done
echo '{"at":1,"grid":["AB"]}' > "$3frames.jsonl"
if [ $other = 1 ]; then echo end 1 0; else echo end 0 1; fi
"#;

/// Plays perfectly, with both values of `life`.
pub(super) const PERFECT: &str = "while read -r heap; do echo $((heap % 4 ? heap % 4 : 1)); done";
/// Takes one match at a time.
pub(super) const SIMPLE: &str = "while read -r heap; do echo 1; done";

pub(super) struct Folder(TempDir);

impl Folder {
    /// A folder with a contest of that referee, with these keys of `[referee]`, and a board.
    pub(super) fn new(referee: &str, keys: &str, board: &str) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        fs::set_permissions(folder.0.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let contest = format!(
            "name = \"test\"\ngame = \"external\"\nlimit = \"10s\"\n[referee]\nprotocol = \"native\"\n\
             command = [\"sh\", \"referee.sh\"]\n{keys}\n[[board]]\nname = \"X\"\nfile = \"x.txt\"\n\
             [[entry]]\nname = \"a\"\ncommand = \"sh\"\n"
        );
        for (name, text) in [("x.txt", board), ("referee.sh", referee), ("contest.toml", &contest)] {
            fs::write(folder.path(name), text).unwrap();
        }
        folder
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The job of a seat with this script.
    pub(super) fn seat(&self, number: usize, script: &str) -> Job {
        let path = |end: &str| self.path(&format!("{number}.{end}"));
        let mut job = Job::new(["sh", "-c", script], path("out"), path("err"));
        job.limits.wall_ms = 60_000;
        job
    }

    pub(super) fn seats(&self, scripts: &[&str]) -> Vec<Job> {
        scripts.iter().enumerate().map(|(seat, script)| self.seat(seat + 1, script)).collect()
    }

    pub(super) fn play(
        &self,
        executor: &dyn Executor,
        seats: Vec<Job>,
        rules: &MatchRules,
        at_once: bool,
    ) -> Result<Played, String> {
        let contest = Contest::load(self.0.path(), &Overrides::default()).unwrap();
        let context = RefereeContext { executor, processors: Vec::new(), results: None };
        let referees = contest.referee_on(context);
        let external = referees.program(&contest.plan.boards[0]).unwrap();
        let played =
            external.play(&contest.plan.boards[0], seats, rules, at_once, None, &self.path("game.jsonl")).unwrap();
        played.map_err(|failure| match failure {
            JudgeFailure::Referee(reason) | JudgeFailure::Judge(reason) => reason,
        })
    }

    pub(super) fn events(&self) -> Vec<GameEvent> {
        let text = fs::read_to_string(self.path("game.jsonl")).unwrap();
        let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
        lines.filter_map(|line| if let GameLine::Event(event) = line { Some(event) } else { None }).collect()
    }
}

pub(super) fn rules(life: Life) -> MatchRules {
    MatchRules::new(Seats::Number(2), life)
}

pub(super) const LIVES: [Life; 2] = [Life::Game, Life::Move];

pub(super) fn with_executor(mode: IsolationMode, work: impl Fn(&LocalExecutor<'_>)) {
    let interrupt = Interrupt::never().unwrap();
    work(&LocalExecutor::new(&interrupt, mode).unwrap());
}

/// The points of the seats, and their faults with the numbers of the asks.
pub(super) fn result(played: &Played) -> Vec<(String, Option<(u64, &'static str)>)> {
    let fault = |seat: &judge_core::matches::SeatResult| seat.fault.as_ref().map(|f| (f.ask, f.verdict.name()));
    played.seats.iter().map(|seat| (seat.points.to_string(), fault(seat))).collect()
}

#[test]
fn both_lives_of_a_program_give_the_same_game() {
    with_executor(IsolationMode::Auto, |executor| {
        for life in LIVES {
            let folder = Folder::new(REFEREE, "", "10\n");
            let played = folder.play(executor, folder.seats(&[SIMPLE, PERFECT]), &rules(life), false).unwrap();
            assert_eq!(result(&played), [("0".into(), None), ("1".into(), None)], "{life:?}: {played:?}");
            let asks: Vec<u64> = played.seats.iter().map(|seat| seat.asks).collect();
            assert_eq!(asks, [3, 3], "{life:?}");
            assert!(played.seats.iter().all(|seat| seat.used_us >= seat.longest_us && seat.longest_us > 0));
            assert!(played.seats.iter().all(|seat| seat.cpu_us.is_some()), "{played:?}");
            assert!(String::from_utf8(played.frames).unwrap().contains("\"grid\":[\"AB\"]"));
            let text_of = |seat, text: &str| (seat, text.to_owned());
            let events = folder.events().into_iter().filter_map(|event| match event.what {
                GameEventKind::Ask { seat, said } => Some((seat, said.text)),
                GameEventKind::Answer { seat, said, .. } => Some((seat + 10, said.text)),
                GameEventKind::End { points } => Some((0, points.iter().map(ToString::to_string).collect())),
                _ => None,
            });
            let expected = [
                text_of(1, "10\n"),
                text_of(11, "1\n"),
                text_of(2, "9\n"),
                text_of(12, "1\n"),
                text_of(1, "8\n"),
                text_of(11, "1\n"),
                text_of(2, "7\n"),
                text_of(12, "3\n"),
                text_of(1, "4\n"),
                text_of(11, "1\n"),
                text_of(2, "3\n"),
                text_of(12, "3\n"),
                text_of(0, "01"),
            ];
            let events: Vec<_> = events.collect();
            let asks_before = events.iter().filter(|(seat, _)| (1..10).contains(seat)).count();
            assert_eq!(asks_before, played.seats.iter().map(|seat| usize::try_from(seat.asks).unwrap()).sum::<usize>());
            assert_eq!(events, expected, "{life:?}");
            let stdout = |seat| fs::read_to_string(folder.path(&format!("{seat}.out"))).unwrap();
            assert_eq!((stdout(1), stdout(2)), ("1\n1\n1\n".into(), "1\n3\n3\n".into()), "{life:?}");
        }
    });
}

/// A referee of simultaneous moves: both are asked for two lines, twice, and get their answers back.
const BOTH: &str = r#"for round in 1 2; do
    printf 'ask 2 1 2\nhello %s\nask 1 2 2\none\n\nwait\n' $round
    read -r a b c; read -r d; read -r e
    test "$a $b $c" = "1 ok 2" || exit 5
    read -r f g h; read -r i; read -r j
    test "$f $g $h" = "2 ok 2" || exit 6
done
echo end "$e" "$j"
"#;

#[test]
fn open_asks_are_answered_in_the_order_of_seats_and_executed_as_the_caller_says() {
    with_executor(IsolationMode::Auto, |executor| {
        for (life, at_once) in [(Life::Game, false), (Life::Game, true), (Life::Move, false), (Life::Move, true)] {
            let folder = Folder::new(BOTH, "", "");
            // Each pauses: one after another, or both at the same time.
            let first = "while read -r x; do read -r y; sleep 0.1; echo $x; echo 2.5; done";
            let second = "while read -r x; do sleep 0.1; printf '%s\\r\\n-1\\n' \"$x\"; done";
            let mut rules = rules(life);
            rules.decimals = 1;
            let played = folder.play(executor, folder.seats(&[first, second]), &rules, at_once).unwrap();
            assert_eq!(
                result(&played),
                [("2.5".into(), None), ("-1.0".into(), None)],
                "{life:?} {at_once}: {played:?}"
            );
            let order: Vec<u64> = folder
                .events()
                .iter()
                .filter_map(|event| match &event.what {
                    GameEventKind::Ask { seat, .. } => Some(*seat),
                    GameEventKind::Answer { seat, .. } => Some(seat + 10),
                    _ => None,
                })
                .take(4)
                .collect();
            match at_once {
                false => assert_eq!(order, [1, 11, 2, 12], "{life:?}"),
                true => assert_eq!(order[..2], [1, 2], "{life:?}"),
            }
        }
    });
}

#[test]
fn a_seat_has_a_folder_of_its_own_during_a_game() {
    // As root under Landlock, each ask has another user.
    let with = [IsolationMode::Auto, IsolationMode::Landlock];
    with.into_iter().for_each(|mode| with_executor(mode, |executor| {
        for life in LIVES {
            let folder = Folder::new(REFEREE, "", "9\n");
            // It plays the number of its asks so far, which it counts in its folder. The last argument also names the folder.
            let script = "while read -r heap; do test \"$0/\" = \"$JUDGE_KEEP/\" || exit 4; echo x >> $JUDGE_KEEP/count; \
                          wc -l < $0/count; done";
            let mut rules = rules(life);
            rules.keep = Some(Keep { bytes: 4096, argument: true });
            let played = folder.play(executor, folder.seats(&[script, script]), &rules, false).unwrap();
            // 9 - 1 - 1 - 2 - 2 - 3 = 0: the first seat wins.
            assert_eq!(result(&played), [("1".into(), None), ("0".into(), None)], "{life:?}: {played:?}");
            let full =
                "read -r heap; for name in a b; do head -c 3000 /dev/zero > $JUDGE_KEEP/$name; done; sleep 2; echo 1";
            let played = folder.play(executor, folder.seats(&[full, SIMPLE]), &rules, false).unwrap();
            assert_eq!(result(&played)[0], ("0".into(), Some((1, "scratch_full"))), "{life:?}: {played:?}");
        }
        let left: Vec<_> =
            fs::read_dir(executor.temporary_folder()).unwrap().map(|item| item.unwrap().path()).collect();
        assert!(left.iter().all(|path| path.is_file() || path.ends_with("root")), "{left:?}");
    }));
}

/// An executor whose first game fails.
struct FailsOnce<'a>(&'a LocalExecutor<'a>, Mutex<u32>);

impl Executor for FailsOnce<'_> {
    fn execute(&self, job: &Job) -> Result<Outcome, Interrupted> {
        self.0.execute(job)
    }

    fn direct(
        &self,
        sides: &[DirectedSide],
        director: &mut dyn Director,
        stop: Option<&dyn StopRequest>,
    ) -> Result<TalkOutcome, Interrupted> {
        let mut calls = self.1.lock().unwrap();
        *calls += 1;
        if *calls > 1 {
            return self.0.direct(sides, director, stop);
        }
        let description = self.0.describe();
        let end = End::JudgeError { reason: "no memory".into() };
        let failed = |_| {
            SideOutcome::new(Outcome::new(end.clone(), description.isolation.clone(), judge_job::Machine::default()))
        };
        Ok(TalkOutcome::new(sides.iter().map(failed).collect()))
    }

    fn capacity(&self, limits: &[Limits], wanted: Option<NonZeroUsize>) -> Capacity {
        self.0.capacity(limits, wanted)
    }

    fn describe(&self) -> Description {
        self.0.describe()
    }

    fn temporary_folder(&self) -> PathBuf {
        self.0.temporary_folder()
    }
}

#[test]
fn a_game_that_the_judge_or_its_referee_could_not_end_is_played_once_more() {
    with_executor(IsolationMode::Auto, |executor| {
        let folder = Folder::new(REFEREE, "", "5\n");
        let fails = FailsOnce(executor, Mutex::new(0));
        let played = folder.play(&fails, folder.seats(&[PERFECT, SIMPLE]), &rules(Life::Game), false).unwrap();
        assert_eq!(result(&played), [("1".into(), None), ("0".into(), None)]);
        assert_eq!(played.notes, ["the referee failed at the first try: no memory"]);
        assert_eq!(*fails.1.lock().unwrap(), 2);
        let stop = StopFlag::default();
        stop.request();
        let contest = Contest::load(folder.0.path(), &Overrides::default()).unwrap();
        let referees = contest.referee_on(RefereeContext { executor, processors: Vec::new(), results: None });
        let external = referees.program(&contest.plan.boards[0]).unwrap();
        for life in LIVES {
            let (board, seats) = (&contest.plan.boards[0], folder.seats(&[PERFECT, SIMPLE]));
            let path = folder.path("game.jsonl");
            let played = external.play(board, seats, &rules(life), false, Some(&stop), &path);
            assert_eq!(played, Err(Interrupted), "{life:?}");
        }
    });
}
