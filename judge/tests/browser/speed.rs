//! Measures the size of a page, the time to write it, and the time until it is usable. The deep tier tests that this
//! works.
//!
//! `RESULTS=DIR cargo test --release --test browser -- --nocapture speed` measures the page of a results directory;
//! `results/speed.md` has results.

use std::env;

use crate::page::address;
use crate::support::*;
use crate::webdriver::Browser;

/// The number of repetitions; the median is printed.
const TIMES: usize = 5;

/// A script that returns three times in milliseconds: from the request to the load event, from there to sorted
/// standings on the screen, and from there to a replay on the screen.
const MEASURE: &str = "
    const report = arguments[arguments.length - 1];
    const drawn = () => new Promise(done => requestAnimationFrame(() => setTimeout(done)));
    const timed = async (press, done) => {
        const begun = performance.now();
        press();
        do await drawn(); while (!done());
        return performance.now() - begun;
    };
    const all = async () => {
        const loaded = performance.getEntriesByType('navigation')[0].loadEventEnd;
        const first = document.querySelector('#standings tbody tr');
        const sorted = await timed(
            () => document.querySelectorAll('#standings th button')[1].click(),
            () => first !== document.querySelector('#standings tbody tr'));
        const opened = await timed(
            () => document.querySelector('#standings a.cell, .boards a.cell').click(),
            () => document.querySelector('#viewer[open]:not([aria-busy]) .tile'));
        return [loaded, sorted, opened];
    };
    all().then(report, error => report(String(error)))";

#[test]
fn speed() {
    let results = env::var_os("RESULTS").map_or_else(|| project().join("results/1995-1s"), PathBuf::from);
    let results = fs::canonicalize(results).expect("RESULTS names a results directory");
    let folder = Folder::new();
    let file = folder.path().join("report.html");
    let made = median((0..TIMES).map(|_| {
        let begun = Instant::now();
        let made = Command::new(env!("CARGO_BIN_EXE_judge"))
            .arg("report")
            .arg(&results)
            .arg("-o")
            .arg(&file)
            .output()
            .unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        begun.elapsed().as_secs_f64() * 1000.0
    }));
    println!("made in              {made:8.0} ms");
    println!("size                 {:8.2} MiB", fs::metadata(&file).unwrap().len() as f64 / f64::from(1 << 20));
    let opened: Vec<[f64; 4]> = (0..TIMES).map(|_| open(&file)).collect();
    for (index, what) in ["loaded", "sorted after that", "a game open after that"].iter().enumerate() {
        println!("{what:<22} {:6.0} ms", median(opened.iter().map(|times| times[index])));
    }
    println!("all three            {:8.0} ms", median(opened.iter().map(|times| times[..3].iter().sum())));
    println!("CPU of its main thread {:6.0} ms", median(opened.iter().map(|times| times[3])));
}

/// Returns the times of [`MEASURE`], and the CPU time of the page's main thread, in milliseconds.
fn open(file: &Path) -> [f64; 4] {
    let browser = Browser::start();
    browser.devtools("Performance.enable", &json!({"timeDomain": "threadTicks"}));
    let before = busy(&browser);
    browser.goto(&address(file));
    let times = browser.run_async(MEASURE);
    let [loaded, sorted, opened]: [f64; 3] =
        serde_json::from_value(times.clone()).unwrap_or_else(|_| panic!("{times}"));
    [loaded, sorted, opened, busy(&browser) - before]
}

/// Returns the CPU time that the main thread has spent on tasks, in milliseconds.
fn busy(browser: &Browser) -> f64 {
    let metrics = browser.devtools("Performance.getMetrics", &json!({}));
    let tasks = metrics["metrics"].as_array().unwrap().iter().find(|metric| metric["name"] == "TaskDuration");
    tasks.unwrap()["value"].as_f64().unwrap() * 1000.0
}

fn median(times: impl Iterator<Item = f64>) -> f64 {
    let mut times: Vec<f64> = times.collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
