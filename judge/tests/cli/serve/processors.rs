//! The processors that the threads of the site and the entries may use.

use super::*;

use crate::support::*;

/// A program that runs until its limit.
const SPINS: &str = "int main() { volatile int spins = 1; while (spins) {} return 0; }";

/// The allowed processors in a `status` file of `/proc`; `None` if the process has ended.
fn allowed(status: &Path) -> Option<BTreeSet<usize>> {
    let text = fs::read_to_string(status).ok()?;
    let list = text.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?.trim();
    let range = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        first.parse::<usize>().unwrap()..=last.parse().unwrap()
    };
    Some(list.split(',').flat_map(range).collect())
}

/// The processors that each thread of a process may use, with its name.
fn threads(process: u32) -> Vec<(String, BTreeSet<usize>)> {
    let tasks = fs::read_dir(format!("/proc/{process}/task")).unwrap().map(|task| task.unwrap().path());
    let thread = |task: std::path::PathBuf| {
        let name = fs::read_to_string(task.join("comm")).ok()?.trim().to_owned();
        Some((name, allowed(&task.join("status"))?))
    };
    tasks.filter_map(thread).collect()
}

/// The descendants of a process according to `/proc`.
fn below(process: u32) -> Vec<u32> {
    let mut children: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let Some(id) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        let Ok(status) = fs::read_to_string(entry.path().join("status")) else { continue };
        let parent = status.lines().find_map(|line| line.strip_prefix("PPid:")).and_then(|id| id.trim().parse().ok());
        children.entry(parent.unwrap_or_default()).or_default().push(id);
    }
    let mut found = vec![process];
    let mut next = 0;
    while let Some(parent) = found.get(next) {
        found.extend(children.get(parent).into_iter().flatten().copied().collect::<Vec<_>>());
        next += 1;
    }
    found.split_off(1)
}

/// The processes below the site that execute the program of a submission.
fn programs(site: &Site) -> Vec<u32> {
    let runs = |id: &u32| fs::read_to_string(format!("/proc/{id}/comm")).is_ok_and(|name| name.trim() == "program");
    below(site.judge.id()).into_iter().filter(runs).collect()
}

#[test]
fn threads_of_the_site_keep_to_the_last_processor_and_entries_get_the_others() {
    let usable = allowed(Path::new("/proc/self/status")).unwrap();
    let (folder, tokens) = club(&["ada", "bob"]);
    let site = Site::start(&folder, &[]);
    let teams = [site.with(&tokens[0]), site.with(&tokens[1])];
    let web = || -> Vec<BTreeSet<usize>> {
        let threads = threads(site.judge.id()).into_iter();
        threads.filter(|(name, _)| name.starts_with("judge-web")).map(|(_, allowed)| allowed).collect()
    };
    let last = BTreeSet::from([*usable.last().unwrap()]);
    assert!(web().len() >= 2, "workers, and those that wait for the disk: {:?}", threads(site.judge.id()));
    // A thread gets its name a moment before it is bound to a processor.
    let all_keep_to_it = || {
        let begun = Instant::now();
        while !web().iter().all(|allowed| *allowed == last) {
            assert!(begun.elapsed() < TIMEOUT, "{:?}", threads(site.judge.id()));
            std::thread::sleep(Duration::from_millis(10));
        }
    };
    all_keep_to_it();
    let pages = teams.each_ref().map(|team| team.submit("main.c", SPINS));
    let begun = Instant::now();
    let (mut seen, mut requests) = (0, 0);
    while seen < 5 {
        for id in programs(&site) {
            let Some(entry) = allowed(Path::new(&format!("/proc/{id}/status"))) else { continue };
            // With one processor they share it.
            let expected = usable.len() == 1 || entry.is_disjoint(&last);
            assert!(expected && entry.is_subset(&usable), "an entry may use {entry:?}, the site {last:?}");
            seen += 1;
        }
        // Requests that wait for the disk have separate threads.
        site.visitor().page("/board");
        requests += 1;
        assert!(begun.elapsed() < TIMEOUT, "no program of {pages:?} was seen in {requests} looks");
    }
    all_keep_to_it();
}
