//! Tests of tries with invented runs: their memory, comparisons and decisions.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::versions::{
    ChoiceNotice, Memory, NotComparable, Parameter, Series, TryError, TryOptions, Tryout, Tuning, listed,
    pair_of_versions,
};
use judge_contest::open_contest::{OpenContest, StartOptions};
use judge_contest::schedule::FinishedRun;
use judge_contest::{Contest, Overrides};
use judge_core::compare::PairResult;
use judge_core::game::Score;
use judge_core::journal::{Record, stdout_of};
use judge_core::verdict::Verdict;
use judge_job::{Isolation, Tier};
use tempfile::TempDir;

/// A folder with a solver, contests and the memory.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// A contest of these entries on this many boards.
    fn contest(&self, entries: &[String], boards: usize, limit: &str) -> Contest {
        let mut text = format!("name = \"Tries\"\ngame = \"loyd\"\nlimit = \"{limit}\"\n");
        for board in 1..=boards {
            // Boards of the same name are equal, all others differ.
            let space = "\n".repeat(board);
            fs::write(self.0.path().join(format!("b{board}")), format!("ABCDE FGHIJ KL+MN PQRSO UVWXT{space}"))
                .unwrap();
            text += &format!("[[board]]\nname = \"b{board}\"\nfile = \"b{board}\"\n");
        }
        for entry in entries {
            text += &format!("[[entry]]\nname = \"{entry}\"\ncommand = \"./solver\"\n");
        }
        fs::write(self.0.path().join("contest.toml"), text).unwrap();
        Contest::load(self.0.path(), &Overrides::default()).unwrap()
    }

    fn memory(&self) -> Memory {
        Memory::new(&self.command(), "loyd", Some(self.0.path()))
    }

    fn command(&self) -> Vec<String> {
        vec![self.0.path().join("solver").to_string_lossy().into_owned()]
    }

    fn remembered(&self, name: &str) -> PathBuf {
        self.memory().folder().join(name)
    }

    /// A try on this many boards.
    fn series(&self, boards: usize, limit: &str, options: TryOptions) -> Result<(Series, OpenContest), TryError> {
        let contest = self.contest(&["mine".into()], boards, limit);
        let mut series = Series::new(self.memory(), &contest, &self.command(), options, None)?;
        series.prepare()?;
        let results = self.0.path().join("results");
        fs::remove_dir_all(&results).ok();
        fs::create_dir(&results).unwrap();
        Ok((series, OpenContest::begin(contest, &results, StartOptions::default(), || None).unwrap()))
    }

    /// Tries a version that needs this many moves on each board; 0 for a timeout.
    fn tried(&self, moves: &[u64]) -> (Series, Tryout) {
        let (series, open_contest) = self.series(moves.len(), "10s", TryOptions::default()).unwrap();
        run_all(&open_contest, |board, _| moves[board]);
        let tryout = series.finish(&open_contest.contents(), open_contest.results()).unwrap();
        (series, tryout)
    }
}

/// Invents the next run: this many moves on a board, by its index, of an entry.
fn run_next(open_contest: &OpenContest, moves: impl Fn(usize, &str) -> u64) -> bool {
    let Some(turn) = open_contest.next().unwrap() else { return false };
    let board = turn.key.board[1..].parse::<usize>().unwrap() - 1;
    let verdict = match moves(board, &turn.key.entry) {
        0 => Verdict::TimedOut,
        moves => Verdict::from_replay(
            judge_core::games::GAMES[0],
            Score { progress: 25, of: 25, moves, ..Score::default() },
            None,
        ),
    };
    let isolation = Arc::new(Isolation { tier: Tier::ProcessGroup, layers: Vec::new() });
    let record =
        Record::without_run(turn.run.index + 1, turn.key.clone(), turn.run.attempt, verdict, 10_000, isolation);
    let answer = stdout_of(open_contest.results(), &record);
    fs::create_dir_all(answer.parent().unwrap()).unwrap();
    fs::write(answer, format!("answer to board {}\n", board + 1)).unwrap();
    open_contest.finish(&turn, FinishedRun::new(record, None)).unwrap();
    true
}

fn run_all(open_contest: &OpenContest, moves: impl Fn(usize, &str) -> u64) {
    while run_next(open_contest, &moves) {}
}

#[test]
fn a_new_version_is_compared_with_the_last_one() {
    let place = Place::new();
    place.tried(&[10, 10, 0]);
    place.tried(&[4, 30, 30]);
    let (series, tryout) = place.tried(&[4, 20, 40]);
    let earlier = series.baseline.as_ref().unwrap();
    assert_eq!((earlier.version.number, tryout.version.number), (2, 3));
    let pair = pair_of_versions(&earlier.runs, &tryout.results).unwrap().unwrap();
    assert_eq!((pair.second_better, pair.first_better, pair.ties), (1, 1, 1));
    tryout.written.unwrap();
}

#[test]
fn best_answers_are_those_of_all_versions_together() {
    let place = Place::new();
    place.tried(&[10, 12]);
    let (_, tryout) = place.tried(&[20, 6]);
    let summary = &tryout.summary;
    assert_eq!((summary.better, summary.worse, summary.same), (1, 1, 0));
    // 10 of 20 moves, and the best answer.
    assert!((summary.relative.unwrap() - 0.75).abs() < 1e-6, "{:?}", summary.relative);
    let worst: Vec<&str> = summary.worst.iter().map(|worst| worst.board.as_str()).collect();
    assert_eq!(worst, ["b1"]);
    let best = fs::read_to_string(place.remembered("best.csv")).unwrap();
    let rows: Vec<Vec<&str>> = best.lines().skip(1).map(|row| row.split(',').take(2).collect()).collect();
    assert_eq!(rows, [["b1", "1"], ["b2", "2"]]);
    assert_eq!(fs::read_to_string(place.remembered("answers/b2.txt")).unwrap(), "answer to board 2\n");
}

#[test]
fn scores_in_the_list_are_relative_to_the_best_of_today() {
    let place = Place::new();
    place.tried(&[10, 10]);
    let scores =
        || listed(&place.memory(), None).unwrap().into_iter().map(|line| line.summary.unwrap().relative.unwrap());
    assert!(scores().eq([1.0]));
    place.tried(&[5, 0]);
    assert!(scores().eq([0.75, 0.5]), "{:?}", scores().collect::<Vec<_>>());
    fs::remove_file(place.remembered("versions/1.csv")).unwrap();
    assert!(listed(&place.memory(), None).unwrap()[0].summary.is_none());
}

#[test]
fn a_version_with_other_limits_is_not_compared() {
    let place = Place::new();
    place.tried(&[10]);
    let (series, _) = place.series(1, "9s", TryOptions::default()).unwrap();
    assert!(series.baseline.is_none());
    let [ChoiceNotice::NoVersion { latest, reason }] = &series.notices[..] else { panic!("{:?}", series.notices) };
    assert_eq!(latest.number, 1);
    assert!(
        matches!(reason, NotComparable::Limits { own, now } if (own.wall_ms, now.wall_ms) == (10_000, 9_000)),
        "{reason:?}"
    );
    let options = TryOptions { against: Some("1".into()), ..TryOptions::default() };
    let error = place.series(1, "9s", options).map(|_| ()).unwrap_err();
    assert!(matches!(error, TryError::Unlike { .. }), "{error}");
    assert!(error.to_string().ends_with("its limit was 10s, and that of this try is 9s"), "{error}");
}

#[test]
fn a_version_with_all_boards_is_chosen_before_a_newer_one_with_some() {
    let place = Place::new();
    place.tried(&[10, 10, 10]);
    place.tried(&[10, 10]);
    let (series, _) = place.series(3, "10s", TryOptions::default()).unwrap();
    assert_eq!(series.baseline.unwrap().version.number, 1);
    let [ChoiceNotice::PassedOver { newer, reason, .. }] = &series.notices[..] else { panic!("{:?}", series.notices) };
    assert_eq!((newer.number, reason), (2, &NotComparable::Fewer { boards: 2, of: 3 }));
    // On request, on the boards that it has.
    let (series, _) =
        place.series(3, "10s", TryOptions { against: Some("2".into()), ..TryOptions::default() }).unwrap();
    assert_eq!(series.baseline.unwrap().runs.boards.len(), 2);
    assert!(matches!(series.notices[..], [ChoiceNotice::Partial { boards: 2, .. }]), "{:?}", series.notices);
}

#[test]
fn of_versions_with_some_boards_the_newest_is_chosen() {
    let place = Place::new();
    place.tried(&[10]);
    place.tried(&[10]);
    let (series, _) = place.series(2, "10s", TryOptions::default()).unwrap();
    assert_eq!(series.baseline.unwrap().version.number, 2);
}

#[test]
fn a_name_belongs_to_one_version() {
    let place = Place::new();
    let options = || TryOptions { keep: Some("fast".into()), ..TryOptions::default() };
    let (series, open_contest) = place.series(1, "10s", options()).unwrap();
    run_all(&open_contest, |_, _| 4);
    series.finish(&open_contest.contents(), open_contest.results()).unwrap().written.unwrap();
    let error = place.series(1, "10s", options()).map(|_| ()).unwrap_err();
    assert!(matches!(&error, TryError::NameTaken { name, number: 1 } if name == "fast"), "{error}");
    assert_eq!(place.memory().version("fast").unwrap().number, 1);
    let error = place.memory().version("fats").unwrap_err().to_string();
    assert_eq!(error, "unknown version `fats`; did you mean `fast`? available: 1, fast");
}

#[test]
fn a_try_is_stopped_when_eight_boards_in_a_row_are_better() {
    let place = Place::new();
    place.tried(&[10; 12]);
    let (series, open_contest) = place.series(12, "10s", TryOptions::default()).unwrap();
    let stops = Arc::new(AtomicUsize::new(0));
    let count = stops.clone();
    let deciding = series.decide(&open_contest, move || _ = count.fetch_add(1, Ordering::Relaxed)).unwrap();
    for board in 1..=8 {
        assert_eq!(stops.load(Ordering::Relaxed), 0, "before board {board}");
        assert!(run_next(&open_contest, |_, _| 4));
    }
    let decision = deciding.now();
    assert_eq!((stops.load(Ordering::Relaxed), decision.counted, decision.test.tally()), (1, 8, (8, 0)));
    let tryout = series.finish(&open_contest.contents(), open_contest.results()).unwrap();
    assert_eq!((tryout.planned, tryout.summary.boards), (12, 8));
    assert_eq!(tryout.version.cut_short(), Some((8, 12)));
}

#[test]
fn boards_count_in_their_order_whatever_finishes_first() {
    let place = Place::new();
    place.tried(&[10, 10, 10]);
    let (series, open_contest) = place.series(3, "10s", TryOptions::default()).unwrap();
    let deciding = series.decide(&open_contest, || ()).unwrap();
    // The first board is taken and finishes last.
    let first = open_contest.next().unwrap().unwrap();
    assert!(run_next(&open_contest, |_, _| 4) && run_next(&open_contest, |_, _| 4));
    assert_eq!(deciding.now().counted, 0);
    open_contest.requeue(&first);
    assert!(run_next(&open_contest, |_, _| 4));
    assert_eq!((deciding.now().counted, deciding.now().test.tally()), (3, (3, 0)));
}

#[test]
fn a_damaged_list_names_its_file() {
    let place = Place::new();
    place.tried(&[10]);
    let history = place.remembered("history.csv");
    fs::write(&history, "number,date\nx,y\n").unwrap();
    let error = place.memory().versions().unwrap_err();
    assert!(matches!(&error, TryError::Damaged { path, .. } if *path == history), "{error}");
}

#[test]
fn a_version_that_cannot_be_written_has_its_figures_all_the_same() {
    let place = Place::new();
    let (series, open_contest) = place.series(1, "10s", TryOptions::default()).unwrap();
    run_all(&open_contest, |_, _| 4);
    // A folder in its place: no user can write the file.
    fs::create_dir_all(place.remembered("versions/1.csv/x")).unwrap();
    let tryout = series.finish(&open_contest.contents(), open_contest.results()).unwrap();
    assert_eq!(tryout.summary.solved, Some(1));
    assert!(matches!(tryout.written, Err(TryError::NotRemembered { .. })));
    assert_eq!(place.memory().versions().unwrap().len(), 0);
}

#[test]
fn a_best_answer_with_an_unknown_verdict_is_refused_with_the_known_ones() {
    let place = Place::new();
    place.tried(&[10]);
    let best = fs::read_to_string(place.remembered("best.csv")).unwrap();
    fs::write(place.remembered("best.csv"), best.replace(",solved,", ",brilliant,")).unwrap();
    let Err(TryError::Damaged { source, .. }) = place.memory().best() else { panic!("it is read") };
    assert_eq!(source.to_string(), "board b1: unknown verdict `brilliant`; available: solved, unsolved, valid");
}

#[test]
fn best_answers_without_hashes_are_set_aside() {
    let place = Place::new();
    fs::create_dir_all(place.remembered("answers")).unwrap();
    let old = "board,version,entry,game,verdict,progress,full,moves,tie_break,score,wall_us,limit_ms,scoring\n\
               b1,1,best,loyd,solved,25,25,4,0,,,10000,\n";
    fs::write(place.remembered("best.csv"), old).unwrap();
    let aside = place.memory().prepare().unwrap().unwrap();
    assert_eq!((aside.best.as_str(), aside.answers.as_str()), ("best-old-1.csv", "answers-old-1"));
    assert_eq!(fs::read_to_string(place.remembered("best-old-1.csv")).unwrap(), old);
    assert!(place.remembered("answers-old-1").is_dir() && !place.remembered("best.csv").exists());
    assert_eq!(place.memory().prepare().unwrap(), None);
}

#[test]
fn a_tuning_drops_the_worse_half_of_the_values() {
    let (place, parameter) = (Place::new(), "D=1..4".parse::<Parameter>().unwrap());
    let entries: Vec<String> = parameter.values().iter().map(|value| parameter.entry(value)).collect();
    let contest = place.contest(&entries, 4, "10s");
    let results = place.0.path().join("results");
    fs::create_dir(&results).unwrap();
    let open_contest = OpenContest::begin(contest, &results, StartOptions::default(), || None).unwrap();
    let mut tuning = Tuning::new(parameter, 4);
    let first = tuning.next_stage(&open_contest.contents()).unwrap().unwrap();
    assert_eq!(first.len(), 8, "four values on two boards");
    // The higher the value, the fewer moves.
    run_all(&open_contest, |board, entry| 20 + board as u64 - 2 * entry[2..].parse::<u64>().unwrap());
    let second = tuning.next_stage(&open_contest.contents()).unwrap().unwrap();
    assert_eq!(second.len(), 0, "all runs are there");
    assert!(tuning.next_stage(&open_contest.contents()).unwrap().is_none());
    let tuned = tuning.outcome(&open_contest.contents()).unwrap();
    let left: Vec<&str> = tuned.values.iter().filter(|value| value.is_left).map(|value| value.value.as_str()).collect();
    assert_eq!((tuned.first_boards, left), (2, vec!["3", "4"]));
    let best = tuned.best.unwrap();
    assert_eq!((best.value.as_str(), best.next.as_str(), best.better, best.boards), ("4", "3", 4, 4));
    assert_eq!(tuned.values[3].on_all, Some(1.0));
}

#[test]
fn a_run_out_of_time_is_worse_than_any_answer() {
    let place = Place::new();
    place.tried(&[100]);
    let (series, tryout) = place.tried(&[0]);
    let pair = pair_of_versions(&series.baseline.unwrap().runs, &tryout.results).unwrap().unwrap();
    assert_eq!(pair.boards[0].outcome, PairResult::First);
}
