//! A power cut at any moment. strace records what the command does to files; a model of a file system forgets what was not
//! synced; and after a cut behind every single operation the command has to go on as if nothing had happened.
//!
//! Skipped where no process can be traced, unless `REQUIRE_STRACE` is set.

#![allow(clippy::disallowed_macros, reason = "a test says why it is skipped")]

mod disk;
mod trace;

use std::collections::HashSet;

use rand::SeedableRng;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;
use sha2::{Digest as _, Sha256};

use self::disk::{ARRIVES, Arrives, Disk, Survivors};
use self::trace::{Step, record};
use crate::support::*;

/// The results directory of all these contests.
const RESULTS: &str = "out";
/// How many states after a cut the real command continues, of each recording. All of them are checked without it.
const CONTINUED: usize = 12;

/// A command that is recorded, and how its work is taken up after a power cut.
struct Scene<'a> {
    folder: &'a Folder,
    /// The command that is recorded.
    does: &'a [&'a str],
    /// The command that goes on if there is a journal.
    goes_on: &'a [&'a str],
}

/// The state after a cut, with what had been announced before.
struct Cut {
    arrives: Arrives,
    step: usize,
    files: Survivors,
}

/// A command that was recorded, with what was there before and after it.
struct Recording {
    steps: Vec<Step>,
    before: Disk,
    /// The lines of the journal before.
    lines: Vec<Value>,
    /// The results directory after it.
    reality: Survivors,
}

/// Records a command and cuts the power behind every operation. `None` if no process can be traced here.
fn survives_every_cut(scene: &Scene<'_>) -> Option<Recording> {
    let Scene { folder, does, .. } = scene;
    let journal = fs::read(folder.path().join(RESULTS).join("journal.jsonl")).unwrap_or_default();
    let (lines, before) = (journal_lines(&journal).0, Disk::from_root(folder.path()));
    let Some(trace) = record(folder, does) else {
        assert!(std::env::var_os("REQUIRE_STRACE").is_none(), "no process can be traced here");
        return None;
    };
    assert_eq!(trace.code, Some(0), "{}", trace.printed);
    let reality = results_of(&Disk::from_root(folder.path()), Arrives::Everything, 0);
    let recording = Recording { steps: trace.steps, before, lines, reality };
    let mut cuts = recording.cuts(&recording.steps).unwrap_or_else(|lost| panic!("{does:?}: {lost}"));
    // The states of which nothing unsynced is left are the ones that every file system may leave.
    cuts.shuffle(&mut random(1995));
    cuts.sort_by_key(|cut| cut.arrives != Arrives::Nothing);
    let few = cuts.iter().filter(|cut| cut.arrives == Arrives::Nothing).count().min(CONTINUED / 2);
    let others = cuts.iter().filter(|cut| cut.arrives != Arrives::Nothing);
    let chosen: Vec<&Cut> = cuts.iter().take(few).chain(others.take(CONTINUED - few)).collect();
    let wanted = cells(folder);
    at_once(&chosen.chunks(CONTINUED / 2).collect::<Vec<_>>(), |cuts| {
        for cut in *cuts {
            goes_on(scene, cut, &wanted);
        }
    });
    Some(recording)
}

impl Recording {
    /// Every state that a cut can leave, each once. The error is the first loss.
    fn cuts(&self, steps: &[Step]) -> Result<Vec<Cut>, String> {
        let mut disk = self.before.clone();
        let (mut seen, mut cuts) = (HashSet::new(), Vec::new());
        let (mut printed, mut announced) = (Vec::new(), BTreeMap::<(String, String), usize>::new());
        for (number, step) in steps.iter().enumerate() {
            if let Step::Printed { bytes } = step {
                printed.extend_from_slice(bytes);
                while let Some(end) = printed.iter().position(|&byte| byte == b'\n') {
                    let line: Vec<u8> = printed.drain(..=end).collect();
                    if let Some(run) = announced_run(&String::from_utf8(line).unwrap()) {
                        *announced.entry(run).or_default() += 1;
                    }
                }
            }
            if !disk.apply(step) {
                continue;
            }
            for (seed, arrives) in ARRIVES.into_iter().enumerate() {
                let files = results_of(&disk, arrives, number * ARRIVES.len() + seed);
                let cut = Cut { arrives, step: number, files };
                let place = || format!("step {number}, {step:?}, {arrives:?} arrives");
                self.check(&cut, &announced).map_err(|lost| format!("{lost}: {}", place()))?;
                if seen.insert(digest(&cut.files)) {
                    cuts.push(cut);
                }
            }
        }
        let whole = results_of(&disk, Arrives::Everything, 0);
        assert!(whole == self.reality, "the recording misses something: {:?}", differing(&whole, &self.reality));
        // All that the command has recorded is on disk when it ends; only what can be made again from that may be lost.
        let last = results_of(&disk, Arrives::Nothing, 0);
        let made_again =
            |path: &PathBuf| ["results.csv", "report.html", "judging.lock"].iter().any(|name| path.ends_with(name));
        let lost: Vec<_> = differing(&last, &self.reality).into_iter().filter(|path| !made_again(path)).collect();
        if lost.is_empty() {
            Ok(cuts)
        } else {
            Err(format!("the command has ended, and these are not on disk: {lost:?}"))
        }
    }

    /// Checks what is left after a cut: no announced run is lost, no record lacks its output, no kept file is half there.
    fn check(&self, cut: &Cut, announced: &BTreeMap<(String, String), usize>) -> Result<(), String> {
        let require = |holds: bool, lost: &dyn Fn() -> String| if holds { Ok(()) } else { Err(lost()) };
        let file = |name: &str| cut.files.get(&Path::new(RESULTS).join(name)).and_then(Option::as_deref);
        let in_the_end = |name: &str| self.reality.get(&Path::new(RESULTS).join(name)).and_then(Option::as_deref);
        let Some(journal) = file("journal.jsonl") else {
            return require(self.lines.is_empty() && announced.is_empty(), &|| "the journal is gone".into());
        };
        let (lines, damaged) = journal_lines(journal);
        require(!damaged || cut.arrives == Arrives::Holes, &|| "the journal is damaged".into())?;
        require(!lines.is_empty() && lines.starts_with(&self.lines), &|| "earlier lines are lost".into())?;
        let (had, has) = (runs(&self.lines), runs(&lines));
        for (run, times) in announced {
            let (had, has) = (had.get(run).unwrap_or(&0), has.get(run).unwrap_or(&0));
            require(*has >= had + times, &|| format!("{run:?} was announced and is lost"))?;
        }
        for line in lines.iter().filter(|line| line["line"] == "run") {
            let attempt = line["attempt"].as_u64().unwrap_or(1);
            for (end, key) in [("out", "stdout_bytes"), ("err", "stderr_bytes")] {
                let [entry, board] = ["entry", "board"].map(|key| line[key].as_str().unwrap());
                let name = format!("output/{}/{entry}/{board}.{attempt}.{end}", line["round"]);
                let (found, empty) = (file(&name), line[key] == 0 && end == "err");
                require(found.is_some() || empty, &|| format!("{name} is gone, its record is not"))?;
                require(found.is_none() || found == in_the_end(&name), &|| format!("{name} is not whole"))?;
            }
        }
        for line in lines.iter().filter(|line| line["line"] == "build") {
            let name = match line["entries"][0].as_str() {
                Some(entry) => format!("builds/{entry}.{}.log", line["attempt"]),
                None => format!("builds/referee.{}.log", line["attempt"]),
            };
            require(file(&name).is_some() && file(&name) == in_the_end(&name), &|| format!("{name} is not whole"))?;
        }
        // Files that are kept by their hash.
        let text = String::from_utf8_lossy(journal);
        let kept = self.reality.iter().filter(|(path, _)| path.starts_with(Path::new(RESULTS).join("files")));
        for (path, bytes) in kept.filter(|(_, bytes)| bytes.is_some()) {
            let (name, found) = (path.file_name().unwrap().to_str().unwrap(), cut.files.get(path));
            require(found.is_none_or(|found| found == bytes), &|| format!("{name} is not whole"))?;
            require(found.is_some() || !text.contains(name), &|| format!("{name} is named and gone"))?;
        }
        Ok(())
    }

    /// The steps without the syncs of some files or folders.
    fn without_syncs(&self, of: impl Fn(&Path) -> bool) -> Vec<Step> {
        let syncs = self.steps.iter().filter_map(|step| match step {
            Step::SyncBegins { number, path } if of(path) => Some(*number),
            _ => None,
        });
        let left_out: HashSet<usize> = syncs.collect();
        assert!(!left_out.is_empty());
        let is_left_out = |step: &&Step| match step {
            Step::SyncBegins { number, .. } | Step::SyncEnds { number } => left_out.contains(number),
            _ => false,
        };
        self.steps.iter().filter(|step| !is_left_out(step)).cloned().collect()
    }
}

fn results_of(disk: &Disk, arrives: Arrives, seed: usize) -> Survivors {
    let mut files = disk.after_a_cut(arrives, &mut random(seed));
    files.retain(|path, _| path.starts_with(RESULTS));
    files
}

fn random(seed: usize) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed as u64)
}

fn digest(files: &Survivors) -> Vec<u8> {
    let mut hash = Sha256::new();
    for (path, bytes) in files {
        hash.update(path.as_os_str().as_encoded_bytes());
        hash.update([0, u8::from(bytes.is_some())]);
        hash.update(bytes.as_ref().map_or(0, Vec::len).to_le_bytes());
        hash.update(bytes.as_deref().unwrap_or_default());
    }
    hash.finalize().to_vec()
}

fn differing(some: &Survivors, others: &Survivors) -> Vec<PathBuf> {
    let all: BTreeSet<&PathBuf> = some.keys().chain(others.keys()).collect();
    all.into_iter().filter(|path| some.get(*path) != others.get(*path)).cloned().collect()
}

/// Writes a file or folder of one folder into another one, with its permissions.
fn put(from: &Folder, to: &Folder, path: &Path, bytes: Option<&[u8]>) {
    let target = to.path().join(path);
    match bytes {
        None => fs::create_dir_all(&target).unwrap(),
        Some(bytes) => {
            fs::create_dir_all(target.parent().unwrap()).unwrap();
            fs::write(&target, bytes).unwrap();
        }
    }
    if let Ok(metadata) = fs::metadata(from.path().join(path)) {
        fs::set_permissions(&target, metadata.permissions()).unwrap();
    }
}

fn copy_outside(from: &Folder, to: &Folder) {
    for (path, bytes) in Disk::from_root(from.path()).after_a_cut(Arrives::Everything, &mut random(0)) {
        if !path.starts_with(RESULTS) {
            put(from, to, &path, bytes.as_deref());
        }
    }
}

/// The run that a line of `--progress lines` announces, such as `1/4  ant  N1  25/4  0.002 s`.
fn announced_run(line: &str) -> Option<(String, String)> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let (done, of) = words.first()?.split_once('/')?;
    let counts = [done, of].iter().all(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit()));
    counts.then(|| (words[1].to_owned(), words[2].to_owned()))
}

/// The whole lines of a journal up to the first that cannot be read, and whether there is one.
fn journal_lines(journal: &[u8]) -> (Vec<Value>, bool) {
    let mut lines = Vec::new();
    for line in journal.split_inclusive(|&byte| byte == b'\n').filter(|line| line.ends_with(b"\n")) {
        match serde_json::from_slice(line) {
            Ok(line) => lines.push(line),
            Err(_) => return (lines, true),
        }
    }
    (lines, false)
}

fn runs(lines: &[Value]) -> BTreeMap<(String, String), usize> {
    let mut runs = BTreeMap::new();
    for line in lines.iter().filter(|line| line["line"] == "run") {
        let name = |key: &str| line[key].as_str().unwrap().to_owned();
        *runs.entry((name("entry"), name("board"))).or_default() += 1;
    }
    runs
}

/// Cells of all runs, by entry; none of what was measured.
fn cells(folder: &Folder) -> Value {
    let document = folder.judge(["rank", RESULTS, "--format", "json"]).exits(0).json();
    let rows = document["entries"].as_array().unwrap().iter().map(|row| {
        let runs = row["runs"].as_array().unwrap();
        let runs: Vec<Value> = runs.iter().map(|run| run["cell"].clone()).collect();
        (row["entry"].as_str().unwrap().to_owned(), Value::from(runs))
    });
    // Equal entries can change places: times decide them.
    Value::Object(rows.collect::<BTreeMap<_, _>>().into_iter().collect())
}

/// Has the command go on after a cut, and compares its table with the one of the command that was not cut off.
fn goes_on(scene: &Scene<'_>, cut: &Cut, wanted: &Value) {
    let after = Folder::new();
    copy_outside(scene.folder, &after);
    for (path, bytes) in &cut.files {
        put(scene.folder, &after, path, bytes.as_deref());
    }
    let place = format!("step {}, {:?} arrives", cut.step, cut.arrives);
    let journal = after.path().join(RESULTS).join("journal.jsonl");
    if !journal.exists() {
        after.judge(scene.does.iter().copied()).exits(0);
        assert_eq!(cells(&after), *wanted, "{place}");
        return;
    }
    if cut.arrives == Arrives::Holes {
        mend(&after, &journal);
    }
    after.judge(["rank", RESULTS]).exits(0);
    after.judge(scene.goes_on.iter().copied()).exits(0);
    assert_eq!(cells(&after), *wanted, "{place}");
}

/// Follows the advice for a damaged journal, which a file system leaves that writes a length before the bytes.
fn mend(folder: &Folder, journal: &Path) {
    let bytes = fs::read(journal).unwrap();
    if !journal_lines(&bytes).1 {
        return;
    }
    let printed = folder.judge(["rank", RESULTS]).exits(2).stderr;
    let line = printed.split_once("journal.jsonl:").and_then(|(_, rest)| rest.split_once(':')?.0.parse::<usize>().ok());
    let line = line.unwrap_or_else(|| panic!("{printed}"));
    assert!(printed.contains("cut") && printed.contains("judge resume"), "{printed}");
    let kept: Vec<u8> = bytes.split_inclusive(|&byte| byte == b'\n').take(line - 1).flatten().copied().collect();
    fs::write(journal, kept).unwrap();
}

/// Two entries, one of them built, on two boards.
fn small_contest(folder: &Folder) {
    folder.script("ant/solve", "echo lluu; echo thinking >&2");
    folder.script("bee/source", "echo lluu");
    let text = contest(&[("N1", &board("near-end-1")), ("N2", &board("near-end-2"))]);
    let bee = entry("bee", &["bee/solve"]) + "build = \"echo building; cp bee/source bee/solve\"\n";
    folder.file("contest.toml", text + &entry("ant", &["ant/solve"]) + &bee);
}

const RESUME: [&str; 2] = ["resume", RESULTS];

#[test]
#[ignore = "deep: power"]
fn a_power_cut_at_any_moment_loses_no_announced_run() {
    let folder = Folder::new();
    small_contest(&folder);
    let cut = |does: &[&str], goes_on: &[&str]| survives_every_cut(&Scene { folder: &folder, does, goes_on });
    let Some(begin) = cut(&["run", "--out", RESULTS], &RESUME) else {
        eprintln!("skipped: no process can be traced here");
        return;
    };
    // Without any one kind of its syncs something is lost, and this test sees it.
    let named = |end: &'static str| move |path: &Path| path.ends_with(end);
    let in_folder = |name: &'static str| move |path: &Path| path.parent().unwrap().ends_with(name);
    type Which<'a> = Box<dyn Fn(&Path) -> bool + 'a>;
    let kinds: [(&str, Which<'_>); 7] = [
        ("journal", Box::new(|path| !path.is_dir() && path.ends_with("out/journal.jsonl"))),
        (
            "header",
            Box::new(|path| {
                path.file_name().unwrap().to_string_lossy().starts_with(".tmp")
                    && path.starts_with(folder.path().canonicalize().unwrap().join("out"))
            }),
        ),
        ("output", Box::new(|path| path.extension().is_some_and(|end| end == "out"))),
        ("folder of an entry", Box::new(in_folder("output/1"))),
        ("output/1", Box::new(named("output/1"))),
        ("results", Box::new(named(RESULTS))),
        ("log", Box::new(named("builds/bee.1.log"))),
    ];
    for (kind, which) in kinds {
        assert!(begin.cuts(&begin.without_syncs(which)).is_err(), "{kind} needs no sync");
    }
    let above = folder.path().canonicalize().unwrap();
    assert!(begin.cuts(&begin.without_syncs(|path| path == above)).is_err(), "the folder above needs no sync");

    // Half of the contest again.
    let journal = folder.read("out/journal.jsonl");
    let lines: Vec<&str> = journal.split_inclusive('\n').collect();
    folder.file("out/journal.jsonl", lines[..lines.len() - 2].concat());
    cut(&RESUME, &RESUME).unwrap();
    // A late entry, and a corrected one.
    folder.script("cat/solve", "echo lluu");
    folder.script("ant/solve", "echo rrdd");
    let text = folder.read("contest.toml") + &entry("cat", &["cat/solve"]);
    folder.file("contest.toml", text);
    let update = ["update", RESULTS];
    cut(&update, &update).unwrap();
    let rule = ["rule", RESULTS, "ant", "N1", "solved", "--figure", "moves=4", "--because", "a misprint"];
    cut(&rule, &rule).unwrap();
    let report = ["report", RESULTS];
    cut(&report, &report).unwrap();
}

#[test]
#[ignore = "deep: power"]
fn a_power_cut_at_any_moment_leaves_a_contest_with_a_referee_as_it_was_or_as_it_becomes() {
    let folder = Folder::new();
    // A referee that counts bytes and leaves a position, and a board that is too large for the journal.
    let referee = |factor: &str| drop(folder.script("referee/referee", &BYTES.replace("FACTOR", factor)));
    referee("1");
    folder.file("small.txt", "3\n");
    folder.file("large.txt", "7\n".to_owned() + &"#".repeat(70_000));
    folder.script("ant/solve", "echo a b c");
    folder.script("bee/solve", "echo a b c d e");
    let head = "name = \"bytes\"\ngame = \"external\"\nlimit = \"10s\"\n[referee]\ncommand = \"referee/referee\"\n\
                protocol = \"native\"\n[[figure]]\nname = \"score\"\nbetter = \"more\"\n";
    let boards = ["small", "large"].map(|name| format!("[[board]]\nname = \"{name}\"\nfile = \"{name}.txt\"\n"));
    let entries = entry("ant", &["ant/solve"]) + &entry("bee", &["bee/solve"]);
    folder.file("contest.toml", format!("{head}{}{entries}", boards.concat()));
    let cut = |does: &[&str], goes_on: &[&str]| survives_every_cut(&Scene { folder: &folder, does, goes_on });
    let Some(begin) = cut(&["run", "--out", RESULTS], &RESUME) else {
        eprintln!("skipped: no process can be traced here");
        return;
    };
    assert!(begin.reality.keys().any(|path| path.starts_with("out/files")), "a board is kept by its hash");
    referee("2");
    let rejudge = ["rejudge", RESULTS];
    cut(&rejudge, &rejudge).unwrap();
    // An update by another referee: all rulings and the changes are recorded together.
    referee("3");
    folder.script("cat/solve", "echo a");
    folder.script("ant/solve", "echo a b c d");
    folder.file("contest.toml", folder.read("contest.toml") + &entry("cat", &["cat/solve"]));
    let update = ["update", RESULTS, "--rejudge"];
    cut(&update, &update).unwrap();
}

#[test]
#[ignore = "deep: power"]
fn a_power_cut_at_any_moment_loses_no_acknowledged_submission() {
    let folder = Folder::new();
    folder.judge(["init", "club"]).exits(0);
    folder.judge(["team", "add", "club", "ada"]).exits(0);
    folder.file("main.sh", "echo lluu\n");
    let submit = ["office", "submit", "club", "ada", "main.sh"];
    let mut disk = Disk::from_root(folder.path());
    let Some(trace) = record(&folder, &submit) else {
        assert!(std::env::var_os("REQUIRE_STRACE").is_none(), "no process can be traced here");
        eprintln!("skipped: no process can be traced here");
        return;
    };
    assert_eq!(trace.code, Some(0), "{}", trace.printed);
    let whole = Disk::from_root(folder.path()).after_a_cut(Arrives::Everything, &mut random(0));
    let uploads = Path::new("club/office/uploads");
    let lost = |files: &Survivors| -> Vec<_> {
        differing(files, &whole).into_iter().filter(|path| path.starts_with(uploads)).collect()
    };
    // Without syncs the same operations lose it, which this test would see.
    let mut unsynced = disk.clone();
    let is_sync = |step: &&Step| matches!(step, Step::SyncBegins { .. } | Step::SyncEnds { .. });
    for step in trace.steps.iter().filter(|step| !is_sync(step)) {
        unsynced.apply(step);
    }
    assert!(!lost(&unsynced.after_a_cut(Arrives::Nothing, &mut random(0))).is_empty());
    let (mut acknowledged, mut seen, mut cuts) = (false, HashSet::new(), Vec::new());
    for (number, step) in trace.steps.iter().enumerate() {
        let printed = matches!(step, Step::Printed { .. });
        acknowledged |= printed;
        if !disk.apply(step) && !printed {
            continue;
        }
        for (seed, arrives) in ARRIVES.into_iter().enumerate() {
            let files = disk.after_a_cut(arrives, &mut random(number * ARRIVES.len() + seed));
            if seen.insert((acknowledged, digest(&files))) {
                cuts.push((acknowledged, Cut { arrives, step: number, files }));
            }
        }
    }
    let (after, mut before): (Vec<_>, Vec<_>) = cuts.into_iter().partition(|(acknowledged, _)| *acknowledged);
    // A zero page in a line that was not acknowledged is cut off by hand, as after a run.
    before.retain(|(_, cut)| cut.arrives != Arrives::Holes);
    before.shuffle(&mut random(1995));
    before.truncate(2 * CONTINUED);
    assert!(!after.is_empty() && before.len() > CONTINUED, "{} cuts, {} before", after.len(), before.len());
    for (acknowledged, Cut { arrives, step, files }) in after.iter().chain(&before) {
        let left = Folder::new();
        files.iter().for_each(|(path, bytes)| put(&folder, &left, path, bytes.as_deref()));
        let place = format!("step {step}, {arrives:?} arrives");
        if *acknowledged {
            assert!(lost(files).is_empty(), "{place}: {:?}", lost(files));
        } else {
            left.judge(submit).exits(0);
        }
        let listed = left.judge(["office", "list", "club"]).exits(0).stdout;
        assert!(listed.contains("ada.1 ") && !listed.contains("ada.3"), "{place}: {listed}");
    }
}

/// A referee that gives a factor times as many points as the answer has bytes.
const BYTES: &str = r#"n=$(wc -c <"$2")
echo '{"format":1,"verdict":"valid","figures":{"score":'$((n * FACTOR))'}}' >"${3}ruling.json"
echo '{"at":'"$n"',"grid":["AB"]}' >"${3}frames.jsonl""#;
