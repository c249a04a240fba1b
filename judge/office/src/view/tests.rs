//! Two contests that differ only after the freeze have the same public board, over random histories.

use std::fs;
use std::num::NonZeroUsize;
use std::sync::Arc;

use judge_contest::conduct::{Beginning, Conduct};
use judge_contest::schedule::Local;
use judge_contest::{Contest, Overrides};
use judge_job::{
    Capacity, Description, End, Executor, Interrupted, Isolation, Job, Limits, Machine, Outcome, Place, StopFlag, Tier,
};

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::judging::{CorrectionError, Judging, Processors, Site, results_of};
use judge_contest::office::{Counts, OfficeRules};

use crate::line::Decision;
use crate::{Office, Upload};

const CONTEST: &str = "name = \"test\"\ngame = \"loyd\"\nlimit = \"10s\"\n[[board]]\nname = \"X\"\nfile = \"x.txt\"\n\
                       [[board]]\nname = \"Y\"\nfile = \"y.txt\"\n[[entry]]\nname = \"house\"\ncommand = \"house/solve\"\n";
pub(super) const TEAMS: [&str; 4] = ["ada", "bob", "cleo", "dan"];
/// What programs print: solved, short of it, illegal, nothing. The last one does not build.
const SOURCES: [&str; 5] = ["lluu", "llu", "lx", "", "#error"];

/// Builds without a process; a program prints its source.
struct Echo;

impl Executor for Echo {
    fn execute(&self, job: &Job) -> Result<Outcome, Interrupted> {
        let (mut end, mut printed) = (End::Exited { code: 0 }, String::from("lluu"));
        if let Some(folder) = job.writable.first().map(Place::path) {
            printed = fs::read_to_string(folder.join("a.c")).unwrap();
            if printed.starts_with("#error") {
                end = End::Exited { code: 1 };
            }
            fs::write(folder.join("program"), "").unwrap();
        } else {
            // results/output/1/ENTRY/BOARD.1.out
            let entry = job.stdout.parent().unwrap();
            let contest = entry.ancestors().nth(4).unwrap();
            let source = contest.join("office/entries").join(entry.file_name().unwrap()).join("a.c");
            if let Ok(source) = fs::read_to_string(source) {
                printed = source.split('/').next().unwrap().to_owned();
            }
        }
        fs::write(&job.stdout, &printed).unwrap();
        fs::write(&job.stderr, "").unwrap();
        let isolation = Isolation { tier: Tier::ProcessGroup, layers: Vec::new() };
        let mut outcome = Outcome::new(end, isolation, Machine::default());
        (outcome.wall_us, outcome.stdout_bytes) = (Some(7000), printed.len() as u64);
        Ok(outcome)
    }

    fn capacity(&self, _: &[Limits], _: Option<NonZeroUsize>) -> Capacity {
        Capacity::unpinned(1)
    }

    fn describe(&self) -> Description {
        Description::new(Isolation { tier: Tier::ProcessGroup, layers: Vec::new() }, Vec::new())
    }

    fn temporary_folder(&self) -> std::path::PathBuf {
        std::env::temp_dir()
    }
}

pub(super) struct Club {
    _folder: tempfile::TempDir,
    pub(super) office: Office,
    pub(super) conduct: Conduct,
}

impl Club {
    pub(super) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        let board = "ABCDE FGHIJ KL+MN PQRSO UVWXT";
        for (name, text) in [("x.txt", board), ("y.txt", board), ("contest.toml", CONTEST)] {
            fs::write(at.join(name), text).unwrap();
        }
        fs::create_dir_all(at.join("house")).unwrap();
        fs::write(at.join("house/solve"), "#!/bin/sh\n").unwrap();
        fs::create_dir(results_of(at)).unwrap();
        let contest = Contest::load(at, &Overrides::default()).unwrap();
        let with = Beginning { contest_file: "../contest.toml".into(), ..Beginning::default() };
        let conduct = Conduct::begin(contest, &results_of(at), with, || None).unwrap();
        let office = Office::create(&at.join(crate::FOLDER), Arc::new(|| 1_795_435_200)).unwrap();
        for team in TEAMS {
            office.add_team(team, None).unwrap();
        }
        Self { _folder: folder, office, conduct }
    }

    /// Hands in a program that differs from all others in a comment.
    pub(super) fn submit(&self, team: usize, source: usize, number: usize) {
        let source = format!("{}/{number}", SOURCES[source]);
        self.office.submit(&Upload::new(TEAMS[team], "a.c", source.as_bytes()), None).unwrap();
    }

    pub(super) fn work(&self) {
        let (executor, slots) = (Echo, [Vec::new()]);
        let engine = Local::new(&executor);
        let site = Site {
            builder: &executor,
            engine: &engine,
            cluster: None,
            referee: &executor,
            correct: &|_, _| Err(CorrectionError::new("these tests correct nothing")),
            slots: &slots,
            processors: &Processors::default(),
            environment: &|_| None,
            path: None,
        };
        Judging::new(&self.office, &self.conduct).work(&site, &StopFlag::default(), false, &|_| {}).unwrap();
    }

    fn board(&self, viewer: &Viewer) -> Board {
        board(&self.office.state().unwrap(), &self.conduct.contents(), viewer)
    }
}

#[test]
fn contests_that_differ_after_the_freeze_have_the_same_public_board() {
    let (mut differ, mut changed) = (0, 0);
    for seed in 0..14 {
        let (twins, mut dice) = ([Club::new(), Club::new()], ChaCha8Rng::seed_from_u64(seed));
        let counts = [Counts::Latest, Counts::Best, Counts::Chosen][dice.random_range(0..3)];
        twins.iter().for_each(|twin| twin.office.set_rules(&OfficeRules { counts, ..OfficeRules::default() }).unwrap());
        let mut number = 0;
        for _ in 0..dice.random_range(0..8) {
            let (team, source) = (dice.random_range(0..4), dice.random_range(0..5));
            number += 1;
            twins.iter().for_each(|twin| twin.submit(team, source, number));
        }
        for _ in 0..dice.random_range(0..3) {
            let (team, chosen) = (dice.random_range(0..4), u32::try_from(dice.random_range(0..number + 1)).unwrap());
            // Refused if it is another team's, in both.
            twins.iter().for_each(|twin| drop(twin.office.choose(TEAMS[team], chosen)));
        }
        // What came before the freeze is judged before it in half of the histories, and in the other half after it.
        let judged = dice.random_range(0..2) == 0;
        for twin in &twins {
            if judged {
                twin.work();
            }
            twin.office.freeze().unwrap();
        }
        let frozen = twins[0].board(&Viewer::Public);
        for _ in 0..1 + dice.random_range(0..6) {
            let team = dice.random_range(0..4);
            number += 1;
            twins.iter().for_each(|twin| twin.submit(team, dice.random_range(0..5), number));
            // Teams choose and the organiser ignores in one of them alone.
            let (twin, hidden) = (&twins[dice.random_range(0..2)], u32::try_from(number).unwrap());
            match dice.random_range(0..4) {
                0 => drop(twin.office.choose(TEAMS[team], hidden)),
                1 => twin.office.decide(hidden, Decision::Ignored, None).unwrap(),
                2 => twin.office.decide(hidden, Decision::Held, None).unwrap(),
                _ => {}
            }
            if dice.random_range(0..2) == 0 {
                twins.iter().for_each(Club::work);
                assert_eq!(twins[0].board(&Viewer::Public), twins[1].board(&Viewer::Public), "seed {seed}");
            }
        }
        twins.iter().for_each(Club::work);
        let public = twins[0].board(&Viewer::Public);
        assert_eq!(public, twins[1].board(&Viewer::Public), "seed {seed}");
        if judged {
            let figures = |board: &Board| -> Vec<_> {
                let placed = board.rows.iter().filter(|row| row.place.is_some());
                placed.map(|row| (row.name.clone(), row.place, row.cells.clone(), row.counts)).collect()
            };
            assert_eq!(figures(&frozen), figures(&public), "seed {seed}");
        }
        let organiser = twins.each_ref().map(|twin| twin.board(&Viewer::Organiser));
        differ += usize::from(organiser[0] != organiser[1]);
        changed += usize::from(organiser[0].rows != public.rows);
        // After the thaw everybody sees what the organiser sees.
        for (twin, organiser) in twins.iter().zip(organiser) {
            twin.office.thaw().unwrap();
            assert_eq!(twin.board(&Viewer::Public), Board { frozen: false, ..organiser });
        }
    }
    assert!(differ >= 6 && changed >= 6, "{differ} twins differ, {changed} boards hide something");
}

#[test]
fn a_team_sees_only_its_own_submissions_while_the_board_is_frozen() {
    let club = Club::new();
    club.submit(0, 1, 1);
    club.submit(1, 1, 2);
    club.work();
    club.office.freeze().unwrap();
    club.submit(0, 0, 3);
    club.submit(1, 0, 4);
    club.submit(2, 4, 5);
    club.work();
    let counts = |viewer: &Viewer| -> BTreeMap<String, (Option<u32>, usize)> {
        let rows = club.board(viewer).rows.into_iter();
        rows.map(|row| (row.name, (row.counts.map(|(number, _)| number), row.pending))).collect()
    };
    let public = counts(&Viewer::Public);
    assert_eq!((public["ada"], public["bob"], public["cleo"]), ((Some(1), 1), (Some(2), 1), (None, 1)));
    let ada = counts(&Viewer::Team("ada".into()));
    assert_eq!((ada["ada"], ada["bob"], ada["cleo"]), ((Some(3), 0), (Some(2), 1), (None, 1)));
    // A submission that does not build is no more pending for its own team, and nobody else can tell.
    assert_eq!(counts(&Viewer::Team("cleo".into()))["cleo"], (None, 0));
    let organiser = counts(&Viewer::Organiser);
    assert_eq!((organiser["ada"], organiser["bob"], organiser["cleo"]), ((Some(3), 0), (Some(4), 0), (None, 0)));
    assert_eq!(organiser["house"], (None, 0));
    assert!(!public.contains_key("dan"), "nothing was handed in");
}

#[test]
fn a_public_submission_is_judged_to_its_end_although_a_hidden_one_supersedes_it() {
    let club = Club::new();
    club.submit(0, 1, 1);
    club.office.freeze().unwrap();
    club.submit(0, 0, 2);
    club.work();
    let row = club.board(&Viewer::Public).rows.into_iter().find(|row| row.name == "ada").unwrap();
    assert_eq!((row.counts.unwrap().0, row.pending), (1, 1));
    assert!(row.cells.iter().all(|cell| !cell.text.is_empty()), "{:?}", row.cells);
    // The results have the hidden one alone, as soon as the public one is judged.
    let contents = club.conduct.contents();
    assert!(contents.withdrawn.contains_key("ada.1") && !contents.withdrawn.contains_key("ada.2"));
}
