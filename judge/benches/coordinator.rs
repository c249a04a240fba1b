//! Cost of the coordinator of a contest on a cluster: outcomes of pretended nodes are taken in and recorded.
//!
//! `cargo bench -p judge --bench coordinator`. Equal times per outcome at all sizes mean linear cost. The nodes are
//! pretended: an array is sent by writing all its outcomes, so its time is measured separately.

#![allow(clippy::disallowed_methods, clippy::disallowed_macros, reason = "a benchmark measures and prints")]

use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use judge_contest::journal::Journal;
use judge_contest::schedule::{JournalRecorder, PendingRun, Runner};
use judge_contest::{Contest, Overrides};
use judge_core::game::Score;
use judge_core::games::GAMES;
use judge_core::journal::{self, Header, Record};
use judge_core::verdict::Verdict;
use judge_job::{Isolation, IsolationMode, Machine, StopFlag, Tier};
use judge_slurm::{
    ArrayRequest, Arrival, Cluster, ClusterEngine, ClusterError, FORMAT, Mode, Settings, Spool, Task, TaskEnd,
};

const ENTRIES: usize = 100;
const NODES: usize = 100;

thread_local! {
    static TURN: Cell<usize> = const { Cell::new(0) };
}

fn main() {
    println!("{ENTRIES} entries, {NODES} nodes; seconds of the coordinator, and microseconds per outcome in brackets");
    println!("{:>9} {:>18} {:>18} {:>12} {:>10}", "outcomes", "nodes and waiting", "coordinator", "memory", "journal");
    let most = std::env::var("OUTCOMES").ok().and_then(|text| text.parse().ok()).unwrap_or(1_000_000);
    for outcomes in [10_000, 100_000, 1_000_000].into_iter().filter(|outcomes| *outcomes <= most) {
        let folder = tempfile::tempdir().expect("a folder");
        let contest = contest(folder.path(), outcomes / ENTRIES);
        let results = folder.path().join("results");
        fs::create_dir(&results).expect("a results directory");
        let order = contest.plan.start_order();
        let (path, plan) = (contest.path.clone(), contest.plan.clone());
        let header = Header::new(path, Overrides::default(), plan, order.clone(), Default::default(), None);
        let mut journal = Journal::create(&results, header, || None).expect("a journal");
        let contents = journal::read(&results).expect("a journal");
        let pretender = FakeCluster { spool: Spool::in_results(&results), spent: Mutex::new(Duration::ZERO) };
        let settings = Settings {
            sbatch: String::new(),
            path: None,
            programs: Default::default(),
            isolation: IsolationMode::Auto,
            unreached: isolation(),
            groups: Vec::new(),
            least: Duration::from_secs(60),
            mode: Mode::Stay,
        };
        let engine = ClusterEngine::new(&pretender, &contest, &contents, &results, settings).expect("an engine");
        let runner = Runner::new(&contest, &order, &results, &[]);
        let all: Vec<PendingRun> = (0..order.len()).map(|index| PendingRun { index, attempt: 1 }).collect();
        let mut recorder = JournalRecorder::new(&results, &mut journal);
        let before = memory("VmRSS:");
        let begun = Instant::now();
        runner.run_on(&engine, &all, &StopFlag::default(), &mut recorder, |_| {}).expect("no failure");
        let took = begun.elapsed();
        let spent = *pretender.spent.lock().expect("one thread");
        let own = took.saturating_sub(spent);
        let bytes = fs::metadata(results.join(journal::FILE_NAME)).expect("a journal").len();
        println!(
            "{outcomes:>9} {:>16.1} s {:>10.1} ({:>4.0}) {:>6} MiB {:>6} MiB",
            spent.as_secs_f64(),
            own.as_secs_f64(),
            own.as_secs_f64() * 1e6 / outcomes as f64,
            memory("VmHWM:").saturating_sub(before) >> 20,
            bytes >> 20,
        );
        assert_eq!(journal::read(&results).expect("a journal").records.len(), outcomes);
    }
}

/// A cluster whose tasks end as soon as they are sent.
struct FakeCluster {
    spool: Spool,
    /// Time that pretending and waiting took.
    spent: Mutex<Duration>,
}

impl Cluster for FakeCluster {
    fn name(&self) -> &str {
        "pretended"
    }

    fn submit(&self, demand: &ArrayRequest) -> Result<String, ClusterError> {
        let begun = Instant::now();
        for number in 1..=demand.tasks {
            let batch = self.spool.read_batch(demand.array, number).expect("a batch").expect("it is not over");
            for (place, run) in batch.runs.iter().enumerate() {
                let turn = TURN.replace(TURN.get() + 1);
                let node = format!("n{}", turn % NODES);
                let score = Score { progress: 25, of: 25, moves: 90 + turn as u64 % 77, tie_break: 12 };
                let (verdict, isolation) = (Verdict::from_replay(GAMES[0], score, None), isolation().into());
                let mut record = Record::without_run(place + 1, run.key.clone(), 1, verdict, 1000, isolation);
                record.wall_us = Some(1000);
                record.stdout_bytes = 91;
                record.final_board = Some("ABCDE FGHIJ KLMNO PQRST UVWX+".into());
                let machine = Some(Machine::default().with_os("linux").on_node(node.clone()));
                let arrival =
                    Arrival { format: FORMAT, array: demand.array, batch: number, machine, at_a_time: 1, record };
                let name = format!("{}-{number}-{place}.1.{node}.json", demand.array);
                let file = fs::File::create(self.folder().join(name)).expect("room for an outcome");
                serde_json::to_writer(std::io::BufWriter::new(file), &arrival).expect("room for an outcome");
            }
        }
        *self.spent.lock().expect("one thread") += begun.elapsed();
        Ok(demand.array.to_string())
    }

    fn find(&self, _: &str) -> Result<Option<String>, ClusterError> {
        Ok(None)
    }

    fn tasks(&self, _: &[String]) -> Result<Vec<Task>, ClusterError> {
        Ok(Vec::new())
    }

    fn end_of(&self, _: &str, _: u32) -> TaskEnd {
        TaskEnd { completed: true, text: "COMPLETED".into() }
    }

    fn cancel(&self, _: &[String]) -> Result<(), ClusterError> {
        Ok(())
    }

    fn largest_array(&self) -> u32 {
        1000
    }

    fn now_us(&self) -> u64 {
        judge_sandbox::host::now_us()
    }

    fn wait(&self, time: Duration) {
        let begun = Instant::now();
        std::thread::sleep(time);
        *self.spent.lock().expect("one thread") += begun.elapsed();
    }
}

impl FakeCluster {
    fn folder(&self) -> PathBuf {
        self.spool.folder().join("new")
    }
}

fn isolation() -> Isolation {
    Isolation { tier: Tier::Namespaces, layers: vec!["user pid mount network ipc uts".into(), "seccomp".into()] }
}

/// A contest of this many boards.
fn contest(folder: &Path, boards: usize) -> Contest {
    let mut text = "name = \"large\"\ngame = \"loyd\"\nlimit = \"1s\"\n".to_owned();
    for entry in 0..ENTRIES {
        text += &format!("[[entry]]\nname = \"entry-{entry}\"\ncommand = [\"/bin/true\", \"{entry}\"]\n");
    }
    fs::write(folder.join("board.txt"), "ABCDE FGHIJ KLMNO PQRSU VWX+T").expect("a board");
    for board in 0..boards {
        text += &format!("[[board]]\nname = \"R{board}\"\nfile = \"board.txt\"\n");
    }
    fs::write(folder.join("contest.toml"), text).expect("a contest file");
    Contest::load(folder, &Overrides::default()).expect("a contest")
}

/// A figure of this process's memory in bytes; 0 if the system does not report it.
fn memory(name: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).map_or(0, |kib| kib << 10)
}
